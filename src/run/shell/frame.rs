//! What is started in a shell, and with what around it (api.md §5.4).

use crate::logic::ShellStart;
use crate::model::shell::StartFrame;

/// Known to every image, and what the emulator speaks.
const TERM: &str = "TERM=xterm-256color";

/// Every POSIX shell fills the directory in, and none prints anything odd: marks that hide colours from the line
/// editor are bash's own, and other shells print them.
const PROMPT: &str = "PS1=$PWD $ ";

/// Becomes the best shell of the image: the user's own where that is one, bash, zsh, or the `sh` that runs this. It is
/// interactive and no login shell: the login files of some images put `PATH` back, and with it the runtime out of sight.
const BEST: &str = r#"case $SHELL in */bash|*/zsh|*/fish) ;; *) SHELL= ;; esac
test -x "$SHELL" || SHELL=$(command -v bash || command -v zsh || command -v sh)
case $SHELL in */zsh) PS1='%~ %# ' ;; esac
export SHELL
exec "$SHELL" -i"#;

pub fn start_frame(start: &ShellStart) -> StartFrame {
    let mut words = match &start.command {
        Some(command) => vec![command.clone()],
        None => ["sh", "-c", BEST].map(str::to_owned).to_vec(),
    };
    words.extend(start.args.iter().cloned());
    if start.sudo {
        words.insert(0, "sudo".to_owned());
    }
    let mut words = words.into_iter();
    let given = start.env.iter();
    let given = given.map(|(name, value)| format!("{name}={value}"));
    let has_window = start.columns > 0 && start.rows > 0;
    StartFrame {
        command: words.next().unwrap_or_default(),
        args: words.collect(),
        env: [TERM, PROMPT]
            .map(str::to_owned)
            .into_iter()
            .chain(given)
            .collect(),
        cwd: start.cwd.clone(),
        cols: has_window.then_some(start.columns),
        rows: has_window.then_some(start.rows),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::SessionId;
    use std::process::Command;

    fn start(command: Option<&str>) -> ShellStart {
        ShellStart {
            session: SessionId::new("sbx_1"),
            command: command.map(str::to_owned),
            args: Vec::new(),
            env: vec![("A".into(), "b=c".into())],
            cwd: None,
            sudo: false,
            columns: 80,
            rows: 24,
        }
    }

    #[test]
    fn a_command_of_ones_own_is_started_as_it_is() {
        let mut given = start(Some("top"));
        given.args = vec!["-b".into()];
        let frame = start_frame(&given);
        assert_eq!(
            (frame.command.as_str(), frame.args),
            ("top", vec!["-b".to_owned()])
        );
        assert_eq!(frame.env, ["TERM=xterm-256color", "PS1=$PWD $ ", "A=b=c"]);
        assert_eq!((frame.cols, frame.rows), (Some(80), Some(24)));
        (given.sudo, given.columns) = (true, 0);
        let frame = start_frame(&given);
        assert_eq!(
            (frame.command.as_str(), frame.args),
            ("sudo", vec!["top".to_owned(), "-b".to_owned()])
        );
        assert_eq!((frame.cols, frame.rows), (None, None));
    }

    /// The script in place of a shell, in a directory of programs that tell how they were started.
    fn becomes(shell: &str, there: &[&str]) -> String {
        let dir = tempfile::tempdir().unwrap();
        for name in there {
            let program = dir.path().join(name);
            std::fs::write(
                &program,
                "#!/bin/sh\necho \"${0##*/} $* <$PS1> ${SHELL##*/}\"\n",
            )
            .unwrap();
            let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
            std::fs::set_permissions(&program, mode).unwrap();
        }
        let frame = start_frame(&start(None));
        let mut script = Command::new("/bin/sh");
        script
            .args(&frame.args)
            .env_clear()
            .env("PS1", "x")
            .env("PATH", dir.path())
            .env("SHELL", shell.replace("DIR", dir.path().to_str().unwrap()));
        loop {
            let output = script.output().unwrap();
            // A child of another test, just forked, may still hold the program open that was written here.
            if !String::from_utf8_lossy(&output.stderr).contains("file busy") {
                return String::from_utf8(output.stdout).unwrap().trim().to_owned();
            }
        }
    }

    #[test]
    fn the_best_shell_of_the_image_is_found() {
        assert_eq!(start_frame(&start(None)).command, "sh");
        let all = ["bash", "zsh", "fish", "sh"];
        for (shell, there, wanted) in [
            ("", &all[..], "bash -i <x> bash"),
            ("/bin/sh", &all, "bash -i <x> bash"),
            ("DIR/zsh", &all, "zsh -i <%~ %# > zsh"),
            ("DIR/fish", &all, "fish -i <x> fish"),
            ("/nowhere/bash", &["zsh", "sh"], "zsh -i <%~ %# > zsh"),
            ("/usr/sbin/nologin", &["sh"], "sh -i <x> sh"),
        ] {
            assert_eq!(becomes(shell, there), wanted, "{shell} {there:?}");
        }
    }
}
