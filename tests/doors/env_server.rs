//! `rolecall serve env`: OpenEnv's wire, with a raw client and with the clients of other people.

use std::time::Duration;

use serde_json::{Value, json};

use crate::support::binary::{rolecall, text};
use crate::support::clients::{printed, python, script};
use crate::support::served::{Client, Server, http};
use crate::support::toy::block;

/// What a command prints about the served run; it must end well.
fn command(server: &Server, arguments: &[&str]) -> String {
    let run = server.run();
    let all = [&arguments[..1], &[run.to_str().unwrap()], &arguments[1..]].concat();
    let output = rolecall(server.folder(), &all).output().unwrap();
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.code() != Some(2), "{arguments:?}\n{out}{err}");
    out
}

/// Of each way of replaying the served run: its episodes, and those that come out identical.
fn replayed(server: &Server) -> Vec<(u64, u64)> {
    let found: Value = serde_json::from_str(&command(server, &["replay", "--json"])).unwrap();
    let ways = found["replays"].as_array().unwrap().iter();
    ways.map(|way| (way["episodes"].as_u64().unwrap(), way["identical"].as_u64().unwrap())).collect()
}

/// The plan that the user of a game knows, from the log of another run: what solves it.
fn plan(task: u32) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let set = format!("tasks.offset={task}");
    let run = ["run", "household/respact", "--set", &set, "--limit", "1", "--logs", ".", "--name", "r", "-q"];
    let ran = rolecall(folder.path(), &run).output().unwrap();
    assert!(ran.status.success(), "{}", text(&ran.stderr));
    let log = rolecall(folder.path(), &["logs", "canonical", "r"]).output().unwrap();
    let entrusted = text(&log.stdout);
    let plans = entrusted.lines().filter_map(|line| {
        let event: Value = serde_json::from_str(line).unwrap();
        let part = &event["message"]["entrusted"];
        (part["label"] == "oracle_plan").then(|| part["value"].clone())
    });
    let plan = plans.collect::<Vec<_>>().pop().unwrap();
    let steps = plan.as_array().unwrap().iter();
    steps.map(|step| step.as_str().unwrap().to_owned()).collect()
}

#[test]
#[expect(clippy::too_many_lines, reason = "one session from its beginning to its end")]
fn a_trainer_plays_recorded_episodes_whose_user_answers() {
    let sets = ["--set", "serve.question_cost=0.25"];
    let mut server = Server::of("household/respact", &sets);
    let mut client = server.client();
    let mut said = String::new();
    let first = client.reset(json!({ "seed": 7, "task": 3, "episode_id": "mine" }));
    assert_eq!((&first["reward"], &first["done"]), (&Value::Null, &json!(false)));
    let observation = &first["observation"];
    let words = observation["text"].as_str().unwrap();
    assert_eq!(words.matches("some mug").count(), 1, "the task once: {words}");
    assert_eq!(observation["open"], json!(["think", "act", "speak", "finish"]));
    said += &first.to_string();

    let asked = client.step("speak: Where is the mug?");
    assert_eq!((&asked["reward"], &asked["observation"]["from"]), (&json!(-0.25), &json!("user")));
    assert_eq!(asked["observation"]["metadata"]["questions"], 1);
    said += &asked.to_string();
    let thought = client.step("think: hm");
    assert_eq!(thought["observation"]["text"], "OK.");
    // A move that is none costs an attempt, and is not charged for the question before it.
    let refused = client.ask(&json!({ "type": "step", "data": { "kind": "plan", "steps": [] } }));
    let refused = &refused["data"];
    assert_eq!((&refused["observation"]["invalid"], &refused["reward"]), (&json!(true), &json!(0.0)));
    let notice = refused["observation"]["text"].as_str().unwrap();
    assert!(notice.starts_with("Your last answer could not be used"), "{notice}");

    let state = client.ask(&json!({ "type": "state" }));
    let expected = json!({ "episode_id": "mine", "step_count": 3, "episode": "main:3:0", "done": false });
    assert_eq!(state["data"], expected);
    let steps = plan(3);
    let mut last = Value::Null;
    for (number, step) in steps.iter().enumerate() {
        assert_ne!(last["done"], true);
        last = match number % 2 {
            0 => client.step(step),
            _ => {
                let step = json!({ "kind": "act", "action": { "text": step } });
                client.ask(&json!({ "type": "step", "data": step }))["data"].clone()
            }
        };
        said += &last.to_string();
    }
    assert_eq!((&last["reward"], &last["done"]), (&json!(1.0), &json!(true)), "{last}");
    assert_eq!(last["observation"]["metadata"]["ending"], "solved");
    assert_eq!(client.refused(r#"{"type":"step","data":{"text":"look"}}"#), "SESSION_ERROR");
    // The next episode of this session, which the end of the server cuts short.
    client.reset(json!({}));

    let (out, err) = server.stop();
    assert!(out.contains("1 of 2"), "{out}{err}");
    let shown = command(&server, &["show"]);
    assert!(shown.contains("solved") && shown.contains("cancelled"), "{shown}");
    let report = command(&server, &["report"]);
    assert!(!report.is_empty(), "{err}");
    assert_eq!(replayed(&server), [(2, 2); 2]);
    // Nothing that is entrusted to others came over the wire.
    let log = rolecall(server.folder(), &["logs", "canonical", "logs/served"]).output().unwrap();
    let mut parts = 0;
    for line in text(&log.stdout).lines() {
        let event: Value = serde_json::from_str(line).unwrap();
        let part = &event["message"]["entrusted"];
        if part.is_object() {
            parts += 1;
            let label = part["label"].as_str().unwrap();
            assert!(!said.contains(label) && !said.contains(&part["value"].to_string()), "{label}");
        }
    }
    assert!(parts >= 2);
}

#[test]
fn whatever_a_client_does_hurts_its_own_session_only() {
    let mut server = Server::of("quickstart", &["--max-sessions", "3", "-q"]);
    let mut good = server.client();
    good.reset(json!({ "task": 0, "seed": 1 }));
    // Everything that can be wrong with a message, and the session goes on.
    let cases = [
        (r#"{"type":"step","data":{"text":"look"}}"#, "SESSION_ERROR"),
        (r#"{"type":"state"}"#, "SESSION_ERROR"),
        ("{", "INVALID_JSON"),
        ("[1]", "INVALID_JSON"),
        (r#"{"type":"dance"}"#, "UNKNOWN_TYPE"),
        (r#"{"type":"step"}"#, "VALIDATION_ERROR"),
        (r#"{"type":"reset","data":{"sed":1}}"#, "VALIDATION_ERROR"),
        (r#"{"type":"reset","data":{"task":134}}"#, "VALIDATION_ERROR"),
        (r#"{"type":"reset","data":{"split":"x"}}"#, "VALIDATION_ERROR"),
        (r#"{"type":"reset","data":{"user":"x"}}"#, "VALIDATION_ERROR"),
    ];
    let mut rude = server.client();
    for (message, code) in cases {
        assert_eq!(rude.refused(message), code, "{message}");
    }
    rude.reset(json!({}));
    let listed = rude.ask(&json!({ "type": "mcp", "data": {
        "jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}
    }}));
    assert_eq!(listed["data"]["result"]["tools"][0]["name"], "begin", "{listed}");
    let mut third = server.client();
    third.reset(json!({}));
    let mut fourth = server.client();
    let full: Value = serde_json::from_str(&fourth.hear().unwrap()).unwrap();
    let data = &full["data"];
    assert_eq!(
        (&data["code"], &data["active_sessions"], &data["max_sessions"]),
        (&json!("CAPACITY_REACHED"), &json!(3), &json!(3))
    );
    assert_eq!(fourth.hear(), None);
    // One vanishes, one floods: both make room.
    drop(third);
    let text = "x".repeat(16 << 20);
    let message = json!({ "type": "step", "data": { "text": text } });
    let _ = rude.send(&message.to_string());
    assert_eq!(rude.hear(), None);
    let mut rubbish = admitted(&server);
    rubbish.scribble(&[0xff; 4096]);
    assert_eq!(rubbish.hear(), None);
    drop(rubbish);
    let mut later = admitted(&server);
    later.reset(json!({ "task": 0, "seed": 1 }));
    assert_eq!(good.step("look")["done"], false);
    server.stop();
    assert_eq!(replayed(&server), [(4, 4); 2]);
}

#[test]
fn a_client_may_be_the_user_and_vanish() {
    let mut server = Server::of("household/respact", &["--seat", "user", "-q"]);
    for vanishes in [true, true, true, false] {
        let mut client = server.client();
        let first = client.reset(json!({ "seed": 3 }));
        assert_eq!(first["observation"]["from"], "agent");
        assert_eq!(first["observation"]["open"], json!(["speak"]));
        assert!(first["observation"]["entrusted"]["oracle_plan"].is_array());
        if vanishes {
            continue;
        }
        let mut last = client.step("I have no idea.");
        while last["done"] == false {
            last = client.step("I do not know.");
        }
        assert!(last["observation"]["metadata"]["ending"].is_string());
    }
    server.stop();
    assert_eq!(replayed(&server), [(4, 4); 2]);
}

/// A session, once there is room for one.
fn admitted(server: &Server) -> Client {
    for _ in 0..400 {
        let mut client = server.client();
        let answer = client.ask(&json!({ "type": "state" }));
        if answer["data"]["code"] == "SESSION_ERROR" {
            return client;
        }
        block(Duration::from_millis(10));
    }
    panic!("nobody was let in");
}

#[test]
fn tasks_and_episodes_are_there_over_http_too() {
    let server = Server::of("quickstart", &["--limit", "3", "--idle", "1", "-q"]);
    let get = |path: &str| server.http("GET", path, None);
    assert_eq!(get("/health"), (200, json!({ "status": "healthy" })));
    let (_, schema) = get("/schema");
    assert_eq!(schema["action"]["required"], json!(["text"]));
    let world = "rolecall-household";
    assert_eq!(get("/list_environments").1, json!([world]));
    assert_eq!(get("/metadata").1["name"], world);
    let splits = get(&format!("/{world}/splits")).1;
    let split = splits[0]["name"].as_str().unwrap().to_owned();
    let ask = |path: &str, body: Value| server.http("POST", &format!("/{world}/{path}"), Some(body));
    assert_eq!(ask("num_tasks", json!({ "split": split })), (200, json!({ "num_tasks": 3 })));
    let (_, tasks) = ask("tasks", json!({ "split": split }));
    assert_eq!(tasks["tasks"].as_array().unwrap().len(), 3);
    let (_, range) = ask("task_range", json!({ "split": split, "start": 1, "stop": 3 }));
    assert_eq!(range["tasks"][1], tasks["tasks"][2]);
    let (_, one) = ask("task", json!({ "split": split, "index": 2 }));
    assert_eq!(one["task"], tasks["tasks"][2]);
    assert_eq!((&one["task"]["index"], &one["task"]["split"]), (&json!(2), &json!(split)));
    assert!(one["task"]["id"].is_string() && one["task"]["text"].is_string());
    for (path, body) in [
        ("task", json!({ "split": split, "index": 3 })),
        ("task", json!({ "split": split })),
        ("num_tasks", json!({ "split": "moon" })),
        ("task_range", json!({ "start": 2, "stop": 1 })),
    ] {
        assert_eq!(ask(path, body).0, 400, "{path}");
    }
    assert_eq!(get("/moon/splits").0, 404);

    let send = |path: &str, body: Value| server.http("POST", path, Some(body));
    assert_eq!(send("/reset", json!({})).0, 501);
    assert_eq!(get("/state").0, 501);
    assert_eq!(send("/reset", json!({ "episode_id": "a", "sed": 1 })).0, 422);
    let (status, first) = send("/reset", json!({ "episode_id": "a", "task": 1 }));
    assert_eq!((status, &first["done"]), (200, &json!(false)));
    let step = json!({ "episode_id": "a", "action": { "text": "look" } });
    let (_, next) = send("/step", step.clone());
    assert_eq!(next["reward"], 0.0);
    assert_eq!(get("/state?episode_id=a").1["step_count"], 1);
    // Nobody asks for it for a second and a bit.
    block(Duration::from_millis(1600));
    assert_eq!(send("/step", step).0, 409);
    let mut idle = server.client();
    idle.reset(json!({}));
    assert_eq!(idle.hear(), None, "an idle session is closed");
}

#[test]
fn nobody_comes_in_from_elsewhere_or_without_the_token() {
    const SECRET: &str = "0123456789abcdef0123456789abcdef";
    let folder = tempfile::tempdir().unwrap();
    let token = folder.path().join("token");
    std::fs::write(&token, SECRET).unwrap();
    let mut server = Server::of("quickstart", &["--token-file", token.to_str().unwrap(), "-vv"]);
    let address = &server.address;
    let bearer = format!("Bearer {SECRET}");
    let path = format!("/ws?token={SECRET}");
    assert!(Client::at(address, "/ws", &[]).is_err());
    assert!(Client::at(address, &path, &[("origin", "http://evil.example")]).is_err());
    for mut client in
        [Client::at(address, &path, &[]).unwrap(), Client::at(address, "/ws", &[("authorization", &bearer)]).unwrap()]
    {
        client.reset(json!({}));
    }
    let own = format!("Host: {address}\r\n");
    let with = format!("Authorization: {bearer}\r\n");
    let ask = |headers: &str, path: &str| http(address, headers, "GET", path, None).0;
    assert_eq!(ask(&own, "/health"), 401);
    assert_eq!(ask(&own, &format!("/health?token={SECRET}")), 401);
    assert_eq!(ask(&format!("{own}{with}"), "/health"), 200);
    assert_eq!(ask(&format!("Host: evil.example\r\n{with}"), "/health"), 403);
    let (out, err) = server.stop();
    let trace = std::fs::read_to_string(server.run().join("trace.log")).unwrap();
    for text in [out, err, trace] {
        assert!(!text.contains(SECRET), "{text}");
    }
    let open = ["serve", "env", "quickstart", "--listen", "0.0.0.0:0"];
    let refused = rolecall(folder.path(), &open).output().unwrap();
    assert_eq!(refused.status.code(), Some(2));
    let why = text(&refused.stderr);
    assert!(why.contains("openssl rand -hex 32") && why.contains("--token-file"), "{why}");
}

#[test]
fn the_official_client_plays_games_to_their_end() {
    let Some(python) = python() else { return };
    let mut server = Server::of("quickstart", &["-q"]);
    let base = format!("http://{}", server.address);
    let steps = json!(plan(3)).to_string();
    let mut command_line = script(&python, "openenv_games.py");
    let played = command_line.args([&base, &steps]).output().unwrap();
    assert_eq!(printed(&played).trim(), "solved, out of steps");
    server.stop();
    assert!(replayed(&server).contains(&(2, 2)));
}

#[test]
fn the_adapter_of_verifiers_plays_a_game() {
    let Some(python) = python() else { return };
    let mut server = Server::of("household/respact", &["-q"]);
    let base = format!("http://{}", server.address);
    let steps = json!(plan(3)).to_string();
    let mut command_line = script(&python, "verifiers_game.py");
    let played = command_line.args([&base, &steps]).output().unwrap();
    assert_eq!(printed(&played).trim(), "reward 1.0");
    server.stop();
    assert!(command(&server, &["show"]).contains("solved"));
}
