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
case $SHELL in
*/bash) PS1='\[\e[2m\]\w\[\e[0m\] \$ ' ;;
*/zsh) PS1='%~ %# ' ;;
*) PS1='$PWD $ ' ;;
esac
export SHELL PS1
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
