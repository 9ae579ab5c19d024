//! Who a client is here: one person, one team, and projects that go by id or by name.

use super::bench::{Bench, START, TOKEN};
use sandtop::api::{self, Client, DEFAULT_PROJECT, Missing, ScopeProblem, TokenOrigin, infer};
use sandtop::model::{ProjectId, TeamId};
use serde_json::{Value, json};

fn names(page: &Value) -> Vec<&str> {
    let projects = page["projects"].as_array().unwrap().iter();
    projects
        .map(|project| project["name"].as_str().unwrap())
        .collect()
}

/// The client of this program, which knows nothing but the token.
fn client(bench: &Bench, project: Option<&str>) -> Client {
    let scope = api::Scope {
        team: None,
        project: project.map(ProjectId::new),
    };
    Client::new(api::Options {
        base: bench.engine.url.clone(),
        token: TOKEN.into(),
        origin: TokenOrigin::Given,
        scope,
        patience: api::Patience::default(),
    })
    .unwrap()
}

#[tokio::test]
async fn the_person_leads_to_the_team_and_to_its_project() {
    let bench = Bench::start().await;
    let user = bench.api.get("//v2/user").await.ok();
    let team = user["user"]["defaultTeamId"].as_str().unwrap();
    assert!(team.starts_with("team_"), "{user}");
    assert_eq!(user["user"]["username"], "local");
    let told = bench.api.get(&format!("//v2/teams/{team}")).await.ok();
    assert_eq!([&told["id"], &told["slug"]], [team, "local"]);
    assert_eq!(told["membership"]["role"], "OWNER");
    assert_eq!(told["billing"]["plan"], "enterprise");
    assert_eq!(told["createdAt"], START);
    assert_eq!(bench.api.get("//v2/teams/local").await.ok(), told);
    let other = bench.api.get("//v2/teams/team_other").await;
    assert_eq!(other.error(), (404, "not_found"));
    let project = format!("//v2/projects/{DEFAULT_PROJECT}?teamId={team}");
    let project = bench.api.get(&project).await.ok();
    assert_eq!([&project["id"], &project["accountId"]], ["local", team]);
}

#[tokio::test]
async fn teams_are_paged_by_time() {
    let bench = Bench::start().await;
    let cases = [
        ("", 1),
        ("?limit=20", 1),
        (&format!("?until={START}"), 0),
        (&format!("?until={}", START + 1), 1),
        (&format!("?since={START}"), 0),
    ];
    for (query, count) in cases {
        let page = bench.api.get(&format!("//v2/teams{query}")).await.ok();
        assert_eq!(page["teams"].as_array().unwrap().len(), count, "{query}");
        let end = json!({"count": count, "next": null, "prev": null});
        assert_eq!(page["pagination"], end, "{query}");
    }
    let odd = bench.api.get("//v2/teams?until=later").await;
    assert_eq!(odd.error(), (400, "bad_request"));
}

#[tokio::test]
async fn scope_is_inferred_as_with_the_service() {
    let bench = Bench::start().await;
    let found = infer(&client(&bench, None)).await.unwrap();
    assert_eq!(found.team, Some(TeamId::new("team_local")));
    assert_eq!(found.project, Some(ProjectId::new(DEFAULT_PROJECT)));
    let missing = infer(&client(&bench, Some("elsewhere"))).await;
    let problem = ScopeProblem::Missing(Missing::Project {
        team: TeamId::new("team_local"),
        project: ProjectId::new("elsewhere"),
    });
    assert_eq!(missing, Err(problem));
}

#[tokio::test]
async fn a_project_is_one_by_its_id_and_by_its_name() {
    let bench = Bench::start().await;
    let api = &bench.api;
    let made = api.post("//v11/projects", &json!({"name": "shop"})).await;
    let made = made.ok();
    let id = made["id"].as_str().unwrap();
    assert!(id.starts_with("prj_"), "{made}");
    for version in ["v2", "v9", "v10"] {
        for called in [id, "shop"] {
            let path = format!("//{version}/projects/{called}?teamId=team_any");
            assert_eq!(api.get(&path).await.ok(), made, "{path}");
        }
    }
    let body = |project: &str| json!({"name": "box", "projectId": project});
    let created = api.create(&body("shop")).await;
    assert_eq!(created["session"]["projectId"], id);
    let again = api.post("//v3/sandboxes", &body(id)).await;
    assert_eq!(again.error(), (400, "bad_request"));
    for called in [id, "shop"] {
        api.get(&format!("/box?projectId={called}")).await.ok();
        for list in ["", "/sessions"] {
            let page = api.get(&format!("{list}?project={called}")).await.ok();
            assert_eq!(page["pagination"]["count"], 1, "{list} {called}");
        }
    }
    // What names no project is in the one that the official tools ask for.
    api.boot("free").await;
    let page = api.get(&format!("?project={DEFAULT_PROJECT}")).await.ok();
    assert_eq!(page["sandboxes"][0]["name"], "free");
}

#[tokio::test]
async fn any_project_may_be_used_and_is_known_from_then_on() {
    let bench = Bench::start().await;
    let api = &bench.api;
    assert_eq!(
        api.get("//v9/projects/mine").await.error(),
        (404, "not_found")
    );
    bench.advance(5);
    api.create(&json!({"name": "box", "projectId": "mine"}))
        .await;
    let known = api.get("//v9/projects/mine").await.ok();
    assert_eq!([&known["id"], &known["name"]], ["mine", "mine"]);
    assert_eq!(known["createdAt"], START + 5);
    for taken in ["mine", "local", DEFAULT_PROJECT] {
        let body = json!({"name": taken});
        let answer = api.post("//v11/projects", &body).await;
        assert_eq!(answer.error(), (409, "conflict"), "{taken}");
    }
    let long = "x".repeat(101);
    for name in ["", "Shop", "a b", long.as_str()] {
        let answer = api.post("//v11/projects", &json!({"name": name})).await;
        assert_eq!(answer.error(), (400, "bad_request"), "{name}");
    }
}

#[tokio::test]
async fn projects_are_listed_newest_first_in_pages_and_by_a_part_of_the_name() {
    let bench = Bench::start().await;
    let api = &bench.api;
    for name in ["a-one", "b-two", "c-one"] {
        bench.advance(1);
        api.post("//v11/projects", &json!({"name": name}))
            .await
            .ok();
    }
    let page = api
        .get("//v10/projects?limit=2&teamId=team_local")
        .await
        .ok();
    assert_eq!(names(&page), ["c-one", "b-two"]);
    let next = page["pagination"]["next"].as_str().unwrap();
    let rest = api
        .get(&format!("//v10/projects?limit=2&from={next}"))
        .await;
    let rest = rest.ok();
    assert_eq!(names(&rest), ["a-one", DEFAULT_PROJECT]);
    assert_eq!(rest["pagination"]["next"], Value::Null);
    let found = api.get("//v9/projects?search=ONE").await.ok();
    assert_eq!(names(&found), ["c-one", "a-one"]);
    for odd in ["limit=0", "limit=101", "from=nowhere"] {
        let answer = api.get(&format!("//v10/projects?{odd}")).await;
        assert_eq!(answer.error(), (400, "bad_request"), "{odd}");
    }
}
