//! Fetching a repository by the git that the cell sees.

use super::super::super::errand::{FileError, Login, Repository};
use super::super::commands::environment;
use super::broken;
use super::place::Place;
use rustix::fs::{MemfdFlags, memfd_create};
use std::fs::File;
use std::io::{self, ErrorKind, Read, Write};
use std::os::fd::AsRawFd;
use std::process::{Command, Stdio};

/// The most that is kept of what git says, in bytes.
const MOST_WORDS: u64 = 64 * 1024;
/// Nothing for so many seconds is the end of a transfer.
const SILENCE: &str = "http.lowSpeedTime=60";

/// Copies the repository into the cell's own directory.
pub fn clone(place: &Place, repository: &Repository) -> Result<(), FileError> {
    let Repository {
        url,
        revision,
        depth,
        login,
    } = repository;
    let mut git = Git::new(place, url, login.as_ref()).map_err(broken)?;
    let depth = depth.map(|depth| format!("--depth={depth}"));
    let depth = depth.as_deref();
    let Some(revision) = revision.as_deref().filter(|word| is_commit(word)) else {
        let branch = revision.as_ref().map(|word| format!("--branch={word}"));
        let options = [depth, branch.as_deref()].into_iter().flatten();
        let clone = ["clone", "--quiet"].into_iter().chain(options);
        return git.run(clone.chain(["--", url, "."]));
    };
    // No clone can name a commit.
    git.run(["init", "--quiet"])?;
    git.run(["remote", "add", "origin", url])?;
    let options = ["fetch", "--quiet"].into_iter().chain(depth);
    match git.run(options.chain(["origin", revision])) {
        Ok(()) => git.run(["checkout", "--quiet", "--detach", "FETCH_HEAD"]),
        // Not every server hands out single commits.
        Err(_) => {
            git.run(["fetch", "--quiet", "--tags", "origin"])?;
            git.run(["checkout", "--quiet", "--detach", revision])
        }
    }
}

fn is_commit(word: &str) -> bool {
    (7..=64).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_hexdigit())
}

struct Git<'a> {
    place: &'a Place,
    settings: Vec<String>,
    login: Option<&'a Login>,
    /// Read by what git asks for the login; open as long as git may ask.
    _secret: Option<File>,
}

impl<'a> Git<'a> {
    fn new(place: &'a Place, url: &str, login: Option<&'a Login>) -> io::Result<Self> {
        // Nobody else's login is used.
        let mut settings = vec!["credential.helper=".to_owned()];
        let secret = login.map(keep).transpose()?;
        if let Some(secret) = &secret {
            // Only this server is told it, also when it sends git elsewhere.
            let server = server_of(url);
            let read = format!("cat /proc/self/fd/{}", secret.as_raw_fd());
            settings.push(format!(
                "credential.{server}.helper=!f() {{ test \"$1\" != get || {read}; }}; f"
            ));
        }
        settings.extend(["http.lowSpeedLimit=1".to_owned(), SILENCE.to_owned()]);
        Ok(Self {
            place,
            settings,
            login,
            _secret: secret,
        })
    }

    fn run<'b>(&mut self, arguments: impl IntoIterator<Item = &'b str>) -> Result<(), FileError> {
        let mut command = Command::new("git");
        for setting in &self.settings {
            command.args(["-c", setting]);
        }
        let child = command
            .args(arguments)
            .current_dir(&self.place.home)
            .env_clear()
            .envs(environment(self.place.level, &self.place.home, false))
            .env("GIT_ALLOW_PROTOCOL", "http:https")
            .env("GIT_TERMINAL_PROMPT", "0")
            .env("GIT_ASKPASS", "")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn();
        let mut child = child.map_err(|error| match error.kind() {
            ErrorKind::NotFound => FileError::Refused("there is no git on this machine".to_owned()),
            _ => broken(error),
        })?;
        let mut words = Vec::new();
        if let Some(mut said) = child.stderr.take() {
            (&mut said)
                .take(MOST_WORDS)
                .read_to_end(&mut words)
                .and_then(|_| io::copy(&mut said, &mut io::sink()))
                .map_err(broken)?;
        }
        if child.wait().map_err(broken)?.success() {
            return Ok(());
        }
        let mut sentence = sentence(&String::from_utf8_lossy(&words));
        if let Some(Login { password, .. }) = self.login
            && !password.is_empty()
        {
            sentence = sentence.replace(password, "…");
        }
        Err(FileError::Refused(format!("git says: {sentence}")))
    }
}

/// What git wants to be told, in memory that has no name.
fn keep(login: &Login) -> io::Result<File> {
    // Git and its helpers inherit it.
    let mut secret = File::from(memfd_create("login", MemfdFlags::empty())?);
    let Login { username, password } = login;
    write!(secret, "username={username}\npassword={password}\n")?;
    Ok(secret)
}

/// `https://host:port`.
fn server_of(url: &str) -> &str {
    let host = url.find("://").map_or(0, |at| at + 3);
    let end = url[host..].find('/').map_or(url.len(), |at| host + at);
    &url[..end]
}

/// Git's last words, without what it calls them.
fn sentence(words: &str) -> String {
    const LONGEST: usize = 300;
    let fatal = words
        .lines()
        .rev()
        .find_map(|line| line.strip_prefix("fatal: "));
    let last = fatal.or_else(|| words.lines().rev().find(|line| !line.trim().is_empty()));
    let last = last.unwrap_or("nothing");
    last.chars().take(LONGEST).collect()
}

#[cfg(test)]
mod tests {
    use super::{is_commit, sentence, server_of};

    #[test]
    fn the_last_fatal_line_is_what_git_says() {
        let words = "warning: a\nremote: b\nfatal: no such branch\nhint: c\n";
        assert_eq!(sentence(words), "no such branch");
        assert_eq!(sentence("error: pathspec\n\n"), "error: pathspec");
        assert_eq!(sentence(""), "nothing");
    }

    #[test]
    fn a_server_is_what_comes_before_the_path() {
        assert_eq!(server_of("https://a.b:81/c/d.git"), "https://a.b:81");
        assert_eq!(server_of("http://a"), "http://a");
    }

    #[test]
    fn a_commit_is_told_by_its_digits() {
        assert!(is_commit("5425d63") && is_commit(&"a".repeat(40)));
        assert!(!is_commit("main") && !is_commit("543210") && !is_commit("beef"));
    }
}
