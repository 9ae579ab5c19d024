//! Which agent a command runs, by its program and arguments: also behind shells, wrappers and package runners.

use super::script;
use crate::logic::words;
use crate::model::{Command, Foreign};

/// Program, and the agent behind it.
const AGENTS: &[(&str, &str)] = &[
    ("claude", "claude-code"),
    ("codex", "codex"),
    ("opencode", "opencode"),
    ("gemini", "gemini-cli"),
    ("cursor-agent", "cursor"),
    ("openclaw", "openclaw"),
    ("aider", "aider"),
    ("qwen", "qwen-code"),
];

/// Packages by whose names runners and folders call them; those named like their program are left out.
const PACKAGES: &[(&str, &str)] = &[
    ("claude-code", "claude-code"),
    ("opencode-ai", "opencode"),
    ("gemini-cli", "gemini-cli"),
    ("aider-chat", "aider"),
    ("qwen-code", "qwen-code"),
];

/// What these programs do besides running an agent, as first argument or anywhere.
const OTHER_WORK: &[&str] = &[
    "auth",
    "completion",
    "config",
    "doctor",
    "install",
    "login",
    "logout",
    "mcp",
    "models",
    "update",
    "upgrade",
];
const TELLS_ITSELF: &[&str] = &["--help", "-h", "--version", "-V"];

const SHELLS: &[&str] = &["sh", "bash", "zsh", "dash", "ash", "ksh", "fish"];
/// Programs that run what follows, with the options of theirs that take a word, and how many words come before it.
const WRAPPERS: &[(&str, &[&str], usize)] = &[
    ("env", &["-u", "-C", "--unset", "--chdir"], 0),
    ("sudo", &["-u", "-g", "-h", "-p", "-C", "-D"], 0),
    ("doas", &["-u", "-C"], 0),
    ("timeout", &["-k", "-s", "--kill-after", "--signal"], 1),
    ("nice", &["-n"], 0),
    ("ionice", &["-c", "-n"], 0),
    ("stdbuf", &["-i", "-o", "-e"], 0),
    ("nohup", &[], 0),
    ("setsid", &[], 0),
    ("exec", &["-a"], 0),
    ("command", &[], 0),
    ("time", &["-f", "-o"], 0),
    ("tini", &[], 0),
    ("dumb-init", &[], 0),
    ("unbuffer", &[], 0),
];
/// Programs that run a package, the word that says so (if any), and their options that take a word.
const RUNNERS: &[(&str, Option<&str>)] = &[
    ("npx", None),
    ("bunx", None),
    ("pnpx", None),
    ("uvx", None),
    ("npm", Some("exec")),
    ("npm", Some("x")),
    ("pnpm", Some("dlx")),
    ("pnpm", Some("exec")),
    ("yarn", Some("dlx")),
    ("yarn", Some("exec")),
    ("bun", Some("x")),
    ("uv", Some("run")),
    ("pipx", Some("run")),
    ("mise", Some("exec")),
];
const RUNNER_WORDS: &[&str] = &[
    "-p",
    "--package",
    "-c",
    "--call",
    "--from",
    "--with",
    "--python",
];
/// Programs whose first argument is the program.
const INTERPRETERS: &[&str] = &["node", "bun", "deno", "python", "python3"];

/// A command within a command within a command …
const DEEPEST: usize = 5;

/// An agent, and how it is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    pub agent: &'static str,
    /// Program and arguments, without what is around them.
    pub line: Foreign,
}

/// A line may hold a whole prompt; so much of it is kept.
const LINE: usize = 2000;

impl Call {
    /// `None`: the program is asked about itself.
    fn new(agent: &'static str, words: &[&str]) -> Option<Self> {
        let line = || words::joined(words.iter().copied());
        works(words.get(1..).unwrap_or_default()).then(|| {
            let line = line();
            Self {
                agent,
                line: line[..line.floor_char_boundary(LINE)].into(),
            }
        })
    }
}

/// The agent that this command runs, by what it is called.
pub fn call_of(command: &Command) -> Option<Call> {
    let words: Vec<&str> = command
        .name
        .iter()
        .chain(&command.args)
        .map(Foreign::as_raw)
        .collect();
    of_words(&words, DEEPEST)
}

fn of_words(words: &[&str], depth: usize) -> Option<Call> {
    let depth = depth.checked_sub(1)?;
    let words = &words[words.iter().take_while(|word| is_assignment(word)).count()..];
    let (path, args) = words.split_first()?;
    let program = base(path);
    let of_table = |table: &[(&str, &'static str)]| {
        let row = table.iter().find(|row| row.0 == program);
        row.map(|row| row.1)
    };
    if let Some(agent) = of_table(AGENTS) {
        return Call::new(agent, words);
    }
    if SHELLS.contains(&program) {
        return of_shell(args, depth);
    }
    if let Some((_, with_word, before)) = WRAPPERS.iter().find(|row| row.0 == program) {
        let rest = past_options(args, with_word);
        return of_words(rest.get(*before..)?, depth);
    }
    if let Some(call) = of_runner(program, args, depth) {
        return Some(call);
    }
    if INTERPRETERS.contains(&program) {
        return of_script(past_options(args, &["-r", "--require", "-m"]));
    }
    Call::new(of_table(PACKAGES)?, words)
}

/// The script of `-c`, in whatever bundle of letters.
fn of_shell(args: &[&str], depth: usize) -> Option<Call> {
    let is_option = |word: &&&str| word.starts_with('-') || word.starts_with('+');
    let has_c =
        |word: &&str| word.starts_with('-') && !word.starts_with("--") && word.contains('c');
    let at = args.iter().take_while(is_option).position(has_c)?;
    let script = args[at + 1..].iter().find(|word| !is_option(word))?;
    script::commands(script).into_iter().find_map(|command| {
        let words: Vec<&str> = command.iter().map(String::as_str).collect();
        of_words(&words, depth)
    })
}

fn of_runner(program: &str, args: &[&str], depth: usize) -> Option<Call> {
    let of = RUNNERS.iter().filter(|row| row.0 == program);
    let mut rest = of.filter_map(|(_, word)| match word {
        None => Some(args),
        Some(word) => args
            .split_first()
            .filter(|(first, _)| *first == word)
            .map(|(_, rest)| rest),
    });
    let rest = past_options(rest.next()?, RUNNER_WORDS);
    let package = rest.first()?;
    let named = without_version(package);
    let known = PACKAGES
        .iter()
        .chain(AGENTS)
        .find(|row| row.0 == base(named));
    match known {
        Some(row) => Call::new(row.1, rest),
        None => of_words(rest, depth),
    }
}

/// `node /usr/lib/node_modules/@anthropic-ai/claude-code/cli.js`
fn of_script(words: &[&str]) -> Option<Call> {
    let mut parts = words.first()?.split('/').rev();
    let known = |part: &str| {
        let row = PACKAGES.iter().chain(AGENTS).find(|row| row.0 == part);
        row.map(|row| row.1)
    };
    Call::new(parts.find_map(known)?, words)
}

/// It is asked to do an agent's work, and not about itself.
fn works(args: &[&str]) -> bool {
    let first = args.first().is_some_and(|first| OTHER_WORK.contains(first));
    !first && !args.iter().any(|word| TELLS_ITSELF.contains(word))
}

fn past_options<'a, 'b>(args: &'a [&'b str], with_word: &[&str]) -> &'a [&'b str] {
    let mut rest = args;
    while let Some((word, more)) = rest.split_first() {
        rest = match *word {
            "--" => return more,
            word if with_word.contains(&word) => more.get(1..).unwrap_or_default(),
            word if word.starts_with('-') && word.len() > 1 || is_assignment(word) => more,
            _ => return rest,
        };
    }
    rest
}

fn is_assignment(word: &str) -> bool {
    let name = |name: &str| {
        let letters = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        letters && !name.is_empty() && !name.starts_with(|c: char| c.is_ascii_digit())
    };
    word.split_once('=').is_some_and(|(before, _)| name(before))
}

fn base(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// `@openai/codex@latest` without its end.
fn without_version(package: &str) -> &str {
    match package.rfind('@') {
        None | Some(0) => package,
        Some(at) => &package[..at],
    }
}
