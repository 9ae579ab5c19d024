//! Every source of credentials, in order, in a directory of the test's own.

use crate::api::dotenv;
use crate::api::{Credentials, Flags, Found, Source, Sourced, Surroundings, TokenOrigin, find};
use crate::model::{Id, ProjectId, TeamId, Timestamp};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use secrecy::ExposeSecret;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

const NOW: i64 = 1_790_000_000_000;

struct Place {
    dir: TempDir,
    around: Surroundings,
}

impl Place {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let (cwd, data) = (dir.path().join("cwd"), dir.path().join("data"));
        fs::create_dir(&cwd).unwrap();
        let around = Surroundings {
            env: [("XDG_DATA_HOME".into(), data.to_str().unwrap().into())].into(),
            cwd,
            home: None,
            now: Timestamp(NOW),
        };
        Self { dir, around }
    }

    fn env(mut self, name: &str, value: &str) -> Self {
        self.around.env.insert(name.into(), value.into());
        self
    }

    fn file(self, path: &str, text: &str) -> Self {
        let path = self.dir.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
        self
    }

    fn auth(self, text: &str) -> Self {
        self.file("data/com.vercel.cli/auth.json", text)
    }

    fn link(self, text: &str) -> Self {
        self.file("cwd/.vercel/project.json", text)
    }

    fn find(&self) -> Found {
        find(&Flags::default(), &self.around)
    }

    fn credentials(&self) -> Credentials {
        self.find().credentials.unwrap()
    }

    fn path(&self, path: &str) -> std::path::PathBuf {
        self.dir.path().join(path)
    }
}

fn jwt(claims: &str) -> String {
    let part = |text: &str| URL_SAFE_NO_PAD.encode(text);
    format!("{}.{}.sig", part(r#"{"alg":"RS256"}"#), part(claims))
}

fn oidc(exp: i64) -> String {
    jwt(&format!(
        r#"{{"owner_id":"team_own","project_id":"prj_own","exp":{exp},"owner":"é漢😀"}}"#
    ))
}

fn token(credentials: &Credentials) -> &str {
    credentials.token.value.expose_secret()
}

fn raw<K>(id: Option<&Sourced<Id<K>>>) -> Option<&str> {
    id.map(|id| id.value.as_raw())
}

fn scope(credentials: &Credentials) -> (Option<&str>, Option<&str>) {
    let team = raw(credentials.team.as_ref());
    (team, raw(credentials.project.as_ref()))
}

#[test]
fn nothing_is_nothing() {
    let found = Place::new().find();
    assert!(found.credentials.is_none());
    assert!(found.skipped.is_empty());
    // A team alone is no account.
    assert!(
        Place::new()
            .env("VERCEL_TEAM_ID", "team_x")
            .find()
            .credentials
            .is_none()
    );
}

/// Each source is taken away in turn, and the next one counts.
#[test]
fn the_first_source_counts() {
    let future = NOW / 1000 + 60;
    let mut place = Place::new()
        .env("VERCEL_TOKEN", "t1")
        .env("VERCEL_AUTH_TOKEN", "t2")
        .env("VERCEL_OIDC_TOKEN", &oidc(future))
        .auth(&format!(
            r#"{{"token":"t4","expiresAt":{future},"refreshToken":"r"}}"#
        ));
    let flags = Flags {
        token: Some("t0\n".into()),
        ..Flags::default()
    };
    let by_flag = find(&flags, &place.around).credentials.unwrap();
    assert_eq!(
        (token(&by_flag), by_flag.origin()),
        ("t0", TokenOrigin::Given)
    );
    let last = oidc(future);
    for (name, value) in [
        ("VERCEL_TOKEN", "t1"),
        ("VERCEL_AUTH_TOKEN", "t2"),
        ("VERCEL_OIDC_TOKEN", last.as_str()),
    ] {
        let credentials = place.credentials();
        assert_eq!(token(&credentials), value);
        assert_eq!(credentials.origin(), TokenOrigin::Found);
        assert_eq!(
            credentials.token.source,
            Source::Variable { name, file: None }
        );
        place.around.env.remove(name);
    }
    let credentials = place.credentials();
    assert_eq!(token(&credentials), "t4");
    let file = place.path("data/com.vercel.cli/auth.json");
    assert_eq!(credentials.token.source, Source::File(file.clone()));
    let text = fs::read_to_string(file).unwrap();
    assert!(text.contains("refreshToken"), "never written");
}

#[test]
fn empty_is_absent() {
    let place = Place::new()
        .env("VERCEL_TOKEN", " ")
        .env("VERCEL_AUTH_TOKEN", "t2");
    let place = place.file("cwd/.env", "VERCEL_TOKEN=hidden");
    let flags = Flags {
        token: Some("".into()),
        team: Some(TeamId::new("")),
        project: Some(ProjectId::new("")),
    };
    let credentials = find(&flags, &place.around).credentials.unwrap();
    assert_eq!(token(&credentials), "t2");
    assert_eq!(scope(&credentials), (None, None));
    assert!(
        Place::new()
            .auth(r#"{"token":""}"#)
            .find()
            .credentials
            .is_none()
    );
    assert!(
        Place::new().auth("{}").find().skipped.is_empty(),
        "logged out"
    );
}

#[test]
fn dotenv_files_stand_behind_the_environment() {
    let place = Place::new()
        .file(
            "cwd/.env.local",
            "VERCEL_TOKEN=local\nVERCEL_TEAM_ID=team_local",
        )
        .file(
            "cwd/.env",
            "VERCEL_TOKEN=plain\nVERCEL_PROJECT_ID=prj_plain",
        );
    let credentials = place.credentials();
    assert_eq!(token(&credentials), "local");
    let source = Source::Variable {
        name: "VERCEL_TOKEN",
        file: Some(place.path("cwd/.env.local")),
    };
    assert_eq!(credentials.token.source, source);
    assert_eq!(scope(&credentials), (Some("team_local"), Some("prj_plain")));
    let place = place
        .env("VERCEL_TOKEN", "real")
        .env("VERCEL_PROJECT_ID", "prj_real");
    let credentials = place.credentials();
    assert_eq!(token(&credentials), "real");
    assert_eq!(scope(&credentials), (Some("team_local"), Some("prj_real")));
}

#[test]
fn an_oidc_token_brings_its_scope() {
    let future = NOW / 1000 + 60;
    let place = Place::new()
        .file(
            "cwd/.env.local",
            &format!("VERCEL_OIDC_TOKEN=\"{}\"\n", oidc(future)),
        )
        .env("VERCEL_TEAM_ID", "team_env")
        .env("VERCEL_PROJECT_ID", "prj_env")
        .link(r#"{"orgId":"team_link","projectId":"prj_link"}"#);
    let credentials = place.credentials();
    assert_eq!(scope(&credentials), (Some("team_own"), Some("prj_own")));
    assert_eq!(credentials.team.as_ref().unwrap().source, Source::Token);
    // The owner wins over a flag, the project does not.
    let flags = Flags {
        team: Some(TeamId::new("team_flag")),
        project: Some(ProjectId::new("prj_flag")),
        ..Flags::default()
    };
    let found = find(&flags, &place.around);
    let credentials = found.credentials.unwrap();
    assert_eq!(scope(&credentials), (Some("team_own"), Some("prj_flag")));
    assert_eq!(found.skipped[0].source, Source::Flag);
}

#[test]
fn what_has_expired_or_is_broken_is_told_and_skipped() {
    let past = NOW / 1000;
    let variable = |file| Source::Variable {
        name: "VERCEL_OIDC_TOKEN",
        file,
    };
    for bad in [oidc(past), "opaque".into(), "a.b.c".into(), jwt("{}")] {
        let place = Place::new()
            .env("VERCEL_OIDC_TOKEN", &bad)
            .auth(r#"{"token":"t4"}"#);
        let found = place.find();
        assert_eq!(token(&found.credentials.unwrap()), "t4");
        assert_eq!(found.skipped.len(), 1);
        assert_eq!(found.skipped[0].source, variable(None));
    }
    for bad in [
        &format!(r#"{{"token":"t4","expiresAt":{past}}}"#),
        "{",
        "\u{0}",
    ] {
        let place = Place::new().auth(bad);
        let found = place.find();
        assert!(found.credentials.is_none());
        let file = place.path("data/com.vercel.cli/auth.json");
        assert_eq!(found.skipped[0].source, Source::File(file));
    }
    let place = Place::new()
        .env("VERCEL_TOKEN", "t1")
        .file("cwd/.env.local/x", "");
    assert_eq!(
        place.find().skipped[0].source,
        Source::File(place.path("cwd/.env.local"))
    );
    for fine in ["1e300", "null", "\"soon\""] {
        let place = Place::new().auth(&format!(r#"{{"token":"t4","expiresAt":{fine}}}"#));
        assert_eq!(token(&place.credentials()), "t4", "{fine}");
    }
}

#[test]
fn the_link_of_the_directory_fills_in() {
    let linked = || {
        Place::new()
            .auth(r#"{"token":"t"}"#)
            .link(r#"{"orgId":"team_l","projectId":"prj_l"}"#)
    };
    let credentials = linked().credentials();
    assert_eq!(scope(&credentials), (Some("team_l"), Some("prj_l")));
    let same = linked().env("VERCEL_TEAM_ID", "team_l").credentials();
    assert_eq!(scope(&same), (Some("team_l"), Some("prj_l")));
    let slug = linked().env("VERCEL_TEAM_ID", "acme").credentials();
    assert_eq!(scope(&slug), (Some("acme"), Some("prj_l")));
    // A project of one team is never asked for in another.
    let other = linked().env("VERCEL_TEAM_ID", "team_o").find();
    assert_eq!(scope(&other.credentials.unwrap()), (Some("team_o"), None));
    assert_eq!(other.skipped.len(), 1);
    for bad in ["{", "{}", r#"{"projectId":7}"#] {
        let found = Place::new().auth(r#"{"token":"t"}"#).link(bad).find();
        assert_eq!(scope(&found.credentials.unwrap()), (None, None));
        assert_eq!(found.skipped.len(), 1, "{bad}");
    }
}

#[test]
fn the_cli_is_looked_for_where_it_keeps_its_login() {
    let mut place = Place::new();
    place
        .around
        .env
        .insert("XDG_DATA_HOME".into(), "relative".into());
    place.around.home = Some("/home/me".into());
    let files = place.around.auth_files();
    if cfg!(target_os = "linux") {
        let expected = Path::new("/home/me/.local/share/com.vercel.cli/auth.json");
        assert_eq!(files, [expected]);
    }
    place.around.home = None;
    assert!(place.around.auth_files().is_empty() || cfg!(windows));
}

#[test]
fn no_secret_is_printed() {
    let place = Place::new().env("VERCEL_TOKEN", "s3cret");
    let flags = Flags {
        token: Some("s3cret".into()),
        ..Flags::default()
    };
    let told = format!(
        "{flags:?} {:?} {:?}",
        place.find(),
        find(&flags, &place.around)
    );
    assert!(!told.contains("s3cret"), "{told}");
    assert!(told.contains("VERCEL_TOKEN"));
}

#[test]
fn dotenv_is_read_as_its_writers_write() {
    let text = "\u{feff}A=1\r\n# B=2\nexport C = three # note\nD=\"a#b\\nc\\\"\" # note\nE='x\ny'\nF=`z`\n\
                G=\nnonsense\n1 2=3\nH=a=b\nA=last\nI=\"open\nJ='é漢😀'\nK=#\n=x\nL=end";
    let values = dotenv::parse(text);
    let expected = [
        ("A", "last"),
        ("C", "three"),
        ("D", "a#b\nc\""),
        ("E", "x\ny"),
        ("F", "z"),
        ("G", ""),
        ("H", "a=b"),
        ("I", "\"open"),
        ("J", "é漢😀"),
        ("K", ""),
        ("L", "end"),
    ];
    let got: Vec<(&str, &str)> = values
        .iter()
        .map(|(k, v)| (k.as_str(), v.as_str()))
        .collect();
    assert_eq!(got, expected);
}
