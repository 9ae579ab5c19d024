//! Scope inference against a service that knows some teams. Whatever happens, it only reads.

use crate::server::{Reply, Server, answer, ok};
use sandtop::api::{Client, DEFAULT_PROJECT, Missing, Scope, ScopeProblem, infer};
use sandtop::model::{ProjectId, TeamId};

/// Answers by the target without its prefix; what it does not know is 404.
async fn service(known: &'static [(&'static str, u16, &'static str)]) -> Server {
    Server::start(move |seen| {
        let target = seen.target.strip_prefix("/some/api").unwrap();
        let found = known.iter().find(|(path, ..)| *path == target);
        Reply::Bytes(match found {
            Some((_, 200, body)) => ok(body),
            Some((_, status, body)) => answer(&format!("{status} No"), "", body),
            None => answer("404 Not Found", "", r#"{"error":{"code":"not_found"}}"#),
        })
    })
    .await
}

/// Asks, and holds the law: nothing but GET leaves this function.
async fn ask(
    server: &Server,
    team: Option<&str>,
    project: Option<&str>,
) -> Result<Scope, ScopeProblem> {
    let scope = Scope {
        team: team.map(TeamId::new),
        project: project.map(ProjectId::new),
    };
    let client: Client = server.client().with_scope(scope);
    let answer = infer(&client).await;
    for seen in server.seen() {
        assert_eq!(seen.method, "GET", "{seen:?}");
        assert_eq!(seen.header("content-type"), Some("application/json"));
    }
    answer
}

fn targets(server: &Server) -> Vec<String> {
    let seen = server.seen().into_iter();
    seen.map(|seen| seen.target.replace("/some/api", ""))
        .collect()
}

fn found(team: &str) -> Result<Scope, ScopeProblem> {
    Ok(Scope {
        team: Some(TeamId::new(team)),
        project: Some(ProjectId::new(DEFAULT_PROJECT)),
    })
}

const USER: &str = r#"{"user":{"defaultTeamId":"team_d","username":"me"}}"#;
const LOST: &str = r#"{"user":{"defaultTeamId":null,"username":"me"}}"#;
const DEFAULT: &str = "/v2/projects/vercel-sandbox-default-project?teamId=team_d";

#[tokio::test]
async fn the_default_team_is_enough() {
    let server = service(&[("/v2/user", 200, USER), (DEFAULT, 200, "{}")]).await;
    assert_eq!(ask(&server, None, None).await, found("team_d"));
    assert_eq!(targets(&server), ["/v2/user", DEFAULT]);
}

#[tokio::test]
async fn what_is_known_is_not_asked_for() {
    let server = service(&[]).await;
    let scope = ask(&server, Some("team_x"), Some("prj_x")).await.unwrap();
    assert_eq!(scope.project, Some(ProjectId::new("prj_x")));
    assert!(server.seen().is_empty());
    let server = service(&[(DEFAULT, 200, "{}")]).await;
    assert_eq!(ask(&server, Some("team_d"), None).await, found("team_d"));
    assert_eq!(targets(&server), [DEFAULT]);
}

/// The official tools would create the project now.
#[tokio::test]
async fn a_missing_project_is_told_and_never_made() {
    let server = service(&[("/v2/user", 200, USER)]).await;
    let missing = Missing::Project {
        team: TeamId::new("team_d"),
        project: ProjectId::new(DEFAULT_PROJECT),
    };
    assert!(missing.sentence().contains("--project"));
    let problem = ask(&server, None, None).await.unwrap_err();
    assert_eq!(problem, ScopeProblem::Missing(missing));
}

#[tokio::test]
async fn teams_are_paged_through() {
    let first = r#"{"teams":[null,{"id":7},{"id":"team_pro","slug":"me","membership":{"role":"OWNER"},"billing":{"plan":"pro"}},
        {"id":"team_limited","limited":true,"membership":{"role":"OWNER"}}],"pagination":{"count":3,"next":1700}}"#;
    let second = r#"{"teams":[
        {"id":"team_old","slug":"a","updatedAt":1,"membership":{"role":"OWNER"},"billing":{"plan":"hobby"}},
        {"id":"team_new","slug":"b","updatedAt":2,"membership":{"role":"OWNER"},"billing":{"plan":"hobby"}},
        {"id":"team_other","slug":"c","updatedAt":3,"membership":{"role":"MEMBER"},"billing":{"plan":"hobby"}}],
        "pagination":{"count":3,"next":1600}}"#;
    let third = r#"{"teams":[
        {"id":"team_newest","slug":"z","updatedAt":9,"membership":{"role":"OWNER"},"billing":{"plan":"hobby"}},
        {"id":"team_me","slug":"me","updatedAt":0,"membership":{"role":"OWNER"},"billing":{"plan":"hobby"}}],
        "pagination":{"count":2,"next":null}}"#;
    let pages = Box::leak(Box::new([
        ("/v2/user", 200, USER),
        (DEFAULT, 403, "{}"),
        ("/v2/teams?limit=20", 200, first),
        ("/v2/teams?limit=20&until=1700", 200, second),
        ("/v2/teams?limit=20&until=1600", 200, third),
        (
            "/v2/projects/vercel-sandbox-default-project?teamId=team_new",
            402,
            "",
        ),
        (
            "/v2/projects/vercel-sandbox-default-project?teamId=team_me",
            200,
            "{}",
        ),
    ]));
    let server = service(pages).await;
    assert_eq!(ask(&server, None, None).await, found("team_me"));
    assert_eq!(server.seen().len(), 7);
}

#[tokio::test]
async fn the_name_of_the_person_is_the_last_try() {
    let known = &[
        ("/v2/user", 200, LOST),
        // A cursor that repeats ends the search.
        (
            "/v2/teams?limit=20",
            200,
            r#"{"teams":[],"pagination":{"next":5}}"#,
        ),
        (
            "/v2/teams?limit=20&until=5",
            200,
            r#"{"pagination":{"next":5}}"#,
        ),
        (
            "/v2/projects/vercel-sandbox-default-project?slug=me",
            200,
            "{}",
        ),
    ];
    let server = service(known).await;
    assert_eq!(ask(&server, None, None).await, found("me"));
    assert_eq!(server.seen().len(), 4);
}

#[tokio::test]
async fn without_a_team_a_sentence_says_so() {
    let known = &[
        ("/v2/user", 200, LOST),
        ("/v2/teams?limit=20", 200, "{}"),
        (
            "/v2/projects/vercel-sandbox-default-project?slug=me",
            403,
            "",
        ),
    ];
    let problem = ask(&service(known).await, None, None).await.unwrap_err();
    assert_eq!(problem, ScopeProblem::Missing(Missing::Team));
    let refused = &[(DEFAULT, 403, "")];
    let problem = ask(&service(refused).await, Some("team_d"), None)
        .await
        .unwrap_err();
    let expected = Missing::Refused(TeamId::new("team_d"));
    assert_eq!(problem, ScopeProblem::Missing(expected));
}

#[tokio::test]
async fn a_service_that_cannot_be_asked_is_a_failure() {
    for (path, status) in [("/v2/user", 401), ("/v2/user", 403), ("/v2/user", 500)] {
        let known = Box::leak(Box::new([(path, status, "")]));
        let problem = ask(&service(known).await, None, None).await.unwrap_err();
        let ScopeProblem::Failed(failure) = problem else {
            panic!("{problem:?}");
        };
        assert_eq!(failure.status(), Some(status));
    }
}

/// A project's name cannot lead the call elsewhere.
#[tokio::test]
async fn a_hostile_project_is_one_segment() {
    let server = service(&[]).await;
    ask(&server, Some("team_d"), None).await.unwrap_err();
    let asked = ask(&server, None, Some("../user")).await;
    assert!(asked.is_err());
    let problem = ask(&service(&[("/v2/user", 200, USER)]).await, None, Some("..")).await;
    assert!(
        matches!(problem, Err(ScopeProblem::Failed(_))),
        "{problem:?}"
    );
}
