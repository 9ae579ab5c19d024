//! Worlds for the tests of the panes, and checks that hold for every screen.

use super::Ctx;
use crate::logic::{Aged, Calls, Keymap, Link, Listing, Mono, Now, Pane, StreamNews, World, tail};
use crate::model::{
    Command, CommandId, CommandKey, LogObject, Sandbox, SandboxAnswer, SandboxKey, Session,
    SessionId, StreamName, Timestamp,
};
use crate::ui::Theme;
use crate::ui::testing::colourful;
use jiff::tz::TimeZone;
use ratatui::buffer::Buffer;
use serde_json::{Value, json};

pub const EPOCH: i64 = 1_790_000_000_000;

/// Text that a terminal must never get raw, and that takes more or less room than it has characters.
pub const HOSTILE: &str = "\u{1b}[31m漢字😀é\u{1b}]52;c;aGk=\u{7}⚠\u{fe0f}1\u{fe0f}\u{20e3}\u{202e}\u{9b}2J\tend\r\n\u{1b}]0;t";

pub fn at(seconds: u64) -> Now {
    Now {
        mono: Mono(seconds * 1000),
        wall: Timestamp(EPOCH + i64::try_from(seconds * 1000).unwrap()),
    }
}

/// A world and the eyes on it.
pub struct Scene {
    pub world: World,
    pub calls: Calls,
    pub theme: Theme,
    pub keymap: Keymap,
    pub zone: TimeZone,
    pub now: Now,
    pub pane: Pane,
    pub subject: Option<SandboxKey>,
}

impl Default for Scene {
    fn default() -> Self {
        let world = World {
            link: Link::Live { since: Mono(0) },
            ..World::default()
        };
        Self {
            world,
            calls: Calls::default(),
            theme: colourful(),
            keymap: Keymap::default(),
            zone: TimeZone::UTC,
            now: at(100),
            pane: Pane::Stage,
            subject: None,
        }
    }
}

impl Scene {
    pub fn ctx(&self) -> Ctx<'_> {
        Ctx {
            theme: &self.theme,
            keymap: &self.keymap,
            zone: &self.zone,
            local: &self.zone,
            now: self.now,
            pane: self.pane,
            subject: self.subject.as_ref(),
        }
    }

    /// A sandbox with a session `sbx_<name>`; `more` replaces and adds fields. It becomes the subject.
    pub fn sandbox(&mut self, name: &str, more: &Value) -> SandboxKey {
        let mut fields = json!({
            "name": name, "status": "running", "createdAt": EPOCH - 3_600_000, "updatedAt": EPOCH,
            "statusUpdatedAt": EPOCH, "currentSessionId": format!("sbx_{name}"),
        });
        fields
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        let sandbox: Sandbox = serde_json::from_value(fields).unwrap();
        let key = sandbox.key();
        self.world.saw(sandbox, self.now);
        self.subject = Some(key.clone());
        key
    }

    /// What only the reading of one sandbox tells.
    pub fn detail(&mut self, key: &SandboxKey, session: Value, routes: Value) {
        let sandbox = self.world.fact(key).unwrap().sandbox.clone();
        let session = serde_json::from_value(session).unwrap();
        let routes = serde_json::from_value(routes).unwrap();
        let answer = SandboxAnswer {
            sandbox,
            session: Some(session),
            routes,
            resumed: None,
        };
        self.world.saw_detail(answer, self.now);
    }

    pub fn sessions(&mut self, key: &SandboxKey, sessions: Value) {
        let sessions: Vec<Session> = serde_json::from_value(sessions).unwrap();
        let mut listing = Aged::<Listing<Session>>::default();
        listing.renew(sessions, false, self.now);
        self.world.sessions.insert(key.clone(), listing);
    }

    /// The commands of `sbx_<name>`, newest first.
    pub fn commands(&mut self, name: &str, commands: &[Value]) {
        let commands: Vec<Command> = commands
            .iter()
            .map(|command| serde_json::from_value(command.clone()).unwrap())
            .collect();
        let session = SessionId::new(format!("sbx_{name}"));
        self.world
            .commands
            .entry(session)
            .or_default()
            .renew(commands, false, self.now);
    }

    /// Opens the command's log and closes all others, as the loop does.
    pub fn open(&mut self, key: &CommandKey) {
        tail::settle(&mut self.world, Some(key), self.now);
        self.news(key, StreamNews::Opened);
    }

    pub fn prints(&mut self, key: &CommandKey, stream: &StreamName, data: &str) {
        let piece = LogObject::Piece {
            stream: stream.clone(),
            data: data.to_owned(),
        };
        self.news(key, StreamNews::Objects(vec![piece]));
    }

    pub fn news(&mut self, key: &CommandKey, news: StreamNews) {
        let stream = self.world.tails[key].follow.stream.clone();
        tail::news(&mut self.world, &mut self.calls, &stream, news, self.now);
    }
}

pub fn command_key(name: &str, id: &str) -> CommandKey {
    CommandKey {
        session: SessionId::new(format!("sbx_{name}")),
        command: CommandId::new(id),
    }
}

/// `ago` seconds before the start; without an exit code it runs.
pub fn command(id: &str, line: &str, ago: i64, exit: Option<i64>) -> Value {
    let mut words = line.split(' ');
    json!({
        "id": id, "name": words.next(), "args": words.collect::<Vec<_>>(), "exitCode": exit,
        "startedAt": EPOCH - ago * 1000, "durationMs": exit.map(|_| 8341),
    })
}

/// No cell may hold anything that a terminal acts on.
pub fn assert_harmless(buffer: &Buffer) {
    for cell in &buffer.content {
        let bad = |c: char| {
            c.is_control()
                || ('\u{202a}'..='\u{202e}').contains(&c)
                || ('\u{2066}'..='\u{2069}').contains(&c)
        };
        assert!(!cell.symbol().contains(bad), "{:?}", cell.symbol());
    }
}
