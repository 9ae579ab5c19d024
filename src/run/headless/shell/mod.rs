//! `sandtop shell`: this terminal is the shell's, until one of them ends.

mod arguments;
mod happening;
mod local;

pub use arguments::ShellArguments;

use super::super::backend::choose;
use super::super::clock::Clock;
use super::super::complaint::Complaint;
use super::super::connection::Link;
use super::super::places;
use super::super::settings::SettingsFiles;
use super::super::shell::Shells;
use super::operate::Desk;
use super::session::{Boot, known, session};
use super::unread::UNREAD;
use super::{LOST, Trouble, complete, connect, told, trouble};
use crate::logic::{ShellId, ShellNews, ShellOrder, ShellStart, World};
use crate::model::{Failure, Foreign, SessionId};
use crate::text::clean;
use happening::{Happened, Happenings};
use local::{Local, Output};
use secrecy::ExposeSecret;
use std::io::{self, IsTerminal};
use std::process::ExitCode;

const ID: ShellId = ShellId(0);
/// In place of a shell where nobody types. Bash would take the terminal for its line editor, and forget the end of the
/// input that was typed in before.
const UNEDITED: &str = "sh --noediting -c : 2>/dev/null && exec sh --noediting; exec sh";
/// As Ctrl-D types it: the end of the input.
const END: u8 = 4;

pub fn shell(arguments: &ShellArguments) -> ExitCode {
    let local = Local::default();
    let code = complete(&arguments.connection, LOST, open(arguments, &local));
    local.leave();
    code
}

async fn open(arguments: &ShellArguments, local: &Local) -> Result<ExitCode, Trouble> {
    let directory = places::config_dir(arguments.settings.config_dir.clone());
    if SettingsFiles::of(directory).read().settings.read_only {
        let sentence = "config.toml says read_only, and a shell changes what runs: there is none.";
        return Err(Trouble::Unusable(Complaint::new(sentence)));
    }
    let wanted = choose(&arguments.connection, false).map_err(Trouble::Unusable)?;
    let mut desk = Desk {
        client: connect(&wanted).await?,
        clock: Clock::start(),
        world: World {
            backend: wanted.backend(),
            ..World::default()
        },
    };
    let mut tries = 0;
    loop {
        tries += 1;
        let boot = match arguments.resume {
            true => Boot::Agreed,
            false => Boot::Without("--resume"),
        };
        let session = session(&arguments.name, boot, &mut desk).await?;
        let start = start(arguments, session, &desk);
        match Attached::through(&desk, start, arguments, local).await? {
            End::Code(code) => return Ok(code),
            // It stopped between the two.
            End::Refused(failure) if arguments.resume && tries == 1 && is_gone(&failure) => {}
            End::Refused(failure) => return Err(told(&failure)),
        }
    }
}

/// What a stopped session answers.
fn is_gone(failure: &Failure) -> bool {
    failure.status() == Some(410)
}

fn start(arguments: &ShellArguments, session: SessionId, desk: &Desk) -> ShellStart {
    let (columns, rows) = Local::size().unwrap_or_default();
    let mut words = arguments.command.clone();
    if words.is_empty() && !io::stdin().is_terminal() {
        words = ["sh", "-c", UNEDITED].map(str::to_owned).to_vec();
    }
    let mut words = words.into_iter();
    let variables = arguments.env.iter();
    let variables = variables.map(|(key, value)| (key.clone(), value.expose_secret().to_owned()));
    let own = known(&arguments.name, &session, desk).and_then(|session| session.cwd.as_ref());
    ShellStart {
        command: words.next(),
        args: words.collect(),
        env: variables.collect(),
        cwd: arguments
            .cwd
            .clone()
            .or_else(|| own.map(|cwd| cwd.as_raw().to_owned())),
        sudo: arguments.sudo,
        columns,
        rows,
        session,
    }
}

enum End {
    Code(ExitCode),
    Refused(Failure),
}

/// A shell that has this terminal.
struct Attached<'a> {
    shells: Shells,
    happenings: Happenings,
    local: &'a Local,
    output: Output,
    exit: Option<ExitCode>,
}

impl<'a> Attached<'a> {
    async fn through(
        desk: &Desk,
        start: ShellStart,
        arguments: &ShellArguments,
        local: &'a Local,
    ) -> Result<End, Trouble> {
        let (happenings, news) = Happenings::new(local).map_err(refused_by_the_system)?;
        let mut this = Self {
            shells: Shells::new(Link::to(desk.client.clone()), news),
            happenings,
            local,
            output: Output::new(local),
            exit: None,
        };
        this.shells.carry_out(ID, ShellOrder::Open(Box::new(start)));
        if let Some(path) = &arguments.record {
            this.shells
                .carry_out(ID, ShellOrder::Record(Some(path.clone())));
        }
        let ended = loop {
            match this.happenings.next().await {
                Happened::News(news) => match this.hear(news) {
                    Ok(None) => {}
                    Ok(Some(end)) => break Ok(end),
                    Err(trouble) => break Err(trouble),
                },
                Happened::Resized => {
                    if let Some((columns, rows)) = Local::size() {
                        this.shells
                            .carry_out(ID, ShellOrder::Resize { columns, rows });
                    }
                }
                Happened::Continued => {
                    let _ = local.enter_again();
                }
                Happened::Ended(code) => break Ok(End::Code(ExitCode::from(code))),
            }
        };
        local.leave();
        if ended.is_err() {
            local.end_line();
        }
        this.shells.close(ID).await;
        ended
    }

    fn hear(&mut self, news: ShellNews) -> Result<Option<End>, Trouble> {
        match news {
            ShellNews::Open => {
                self.local.enter().map_err(refused_by_the_system)?;
                let input = local::input().map_err(refused_by_the_system)?;
                if let Some(queue) = self.shells.queue(ID) {
                    tokio::spawn(pump(input, queue));
                }
            }
            ShellNews::Output(bytes) => {
                if self.output.show(&bytes).is_err() {
                    return Ok(Some(End::Code(ExitCode::from(UNREAD))));
                }
            }
            ShellNews::Exited(code) => {
                let code = code.and_then(|code| u8::try_from(code).ok());
                self.exit = Some(ExitCode::from(code.unwrap_or(u8::MAX)));
            }
            ShellNews::Closed => return self.closed().map(Some),
            ShellNews::Failed(failure) => return Ok(Some(End::Refused(failure))),
            ShellNews::Lost { why, unsent } => return Err(lost(&why, unsent)),
            ShellNews::RecordingEnded(Some(why)) => {
                return Err(trouble(&format!("The recording ended: {}.", clean(&why))));
            }
            ShellNews::Asked
            | ShellNews::Healthy
            | ShellNews::Answered
            | ShellNews::Recording(_)
            | ShellNews::RecordingEnded(None) => {}
        }
        Ok(None)
    }

    fn closed(&self) -> Result<End, Trouble> {
        match self.exit {
            Some(code) => Ok(End::Code(code)),
            None => Err(trouble("The shell was closed before it told how it ended.")),
        }
    }
}

/// Types the input in, as fast as it is taken, and its end where it is no terminal.
async fn pump(
    mut input: tokio::sync::mpsc::Receiver<bytes::Bytes>,
    queue: super::super::shell::Queue,
) {
    let mut last = b'\n';
    while let Some(bytes) = input.recv().await {
        last = bytes.last().copied().unwrap_or(last);
        if !queue.type_in(bytes.into()).await {
            return;
        }
    }
    // In the middle of a line it would only hand that over, or delete something.
    let end = if last == b'\n' {
        &[END][..]
    } else {
        &[b'\r', END]
    };
    queue.type_in(end.to_vec()).await;
}

fn lost(why: &Foreign, unsent: u64) -> Trouble {
    let typed = match unsent {
        0 => String::new(),
        1 => " One byte of input may not have arrived.".to_owned(),
        more => format!(" {more} bytes of input may not have arrived."),
    };
    trouble(&format!("The connection is lost: {}.{typed}", clean(why)))
}

fn refused_by_the_system(error: io::Error) -> Trouble {
    trouble(&format!("The system refuses: {error}."))
}
