//! `rolecall models`: what it prints of a config's models, and its exit codes.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use crate::support::binary::{rolecall, text};
use crate::support::raw_server::{RawServer, Reply};
use serde_json::{Value, json};
use tempfile::TempDir;

/// A folder with a config that describes two models.
fn folder(base_url: &str, capabilities: &str) -> (TempDir, PathBuf) {
    let folder = TempDir::new().unwrap();
    let quickstart = Path::new(env!("CARGO_MANIFEST_DIR")).join("configs/quickstart.toml");
    let quickstart = fs::read_to_string(quickstart).unwrap();
    let models = format!(
        "\n[models.tiny]\nprovider = \"openai\"\nbase_url = \"{base_url}\"\nmodel = \"t\"\n\
         [models.tiny.capabilities]\n{capabilities}\n\
         [models.far]\nprovider = \"openai\"\nbase_url = \"https://far.example/v1\"\nmodel = \"large\"\n\
         api_key_env = \"FAR_KEY\"\nprices = {{ input = 2.5, output = 10.0, currency = \"USD\" }}\n\
         limits = {{ in_flight = 9, requests_per_minute = 60 }}\n\
         headers = {{ X-Team = \"canary-header\" }}\n"
    );
    let file = folder.path().join("my.toml");
    fs::write(&file, quickstart + &models).unwrap();
    (folder, file)
}

fn given(folder: &TempDir, arguments: &[&str]) -> Output {
    let mut command = rolecall(folder.path(), arguments);
    command.env("FAR_KEY", "canary-key").output().unwrap()
}

#[test]
fn the_list_shows_everything_but_secrets() {
    let (folder, _) = folder("http://localhost:1", "tools = true");
    for extra in [None, Some("--json")] {
        let mut arguments = vec!["models", "list", "--config", "my.toml"];
        arguments.extend(extra);
        let output = given(&folder, &arguments);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        let shown = text(&output.stdout);
        for word in ["tiny", "far", "FAR_KEY", "https://far.example/v1", "large", "USD", "2.5"] {
            assert!(shown.contains(word), "{word} in {shown}");
        }
        assert!(!shown.contains("canary"), "{shown}");
    }
}

#[test]
fn a_model_that_is_not_there_is_told() {
    let (folder, _) = folder("http://127.0.0.1:1", "");
    let output = given(&folder, &["models", "probe", "tinny", "--config", "my.toml"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("did you mean `tiny`"));
    let output = given(&folder, &["models", "probe", "tiny", "--config", "my.toml"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("the server cannot be reached"));
    assert_eq!(text(&output.stdout), "");
}

/// A server that says `hello` to everything, and to nothing else.
async fn hello() -> RawServer {
    RawServer::start(|request| {
        if request.path != "/v1/chat/completions" {
            return Reply::json(404, &json!({"detail": "Not Found"}));
        }
        let choice = json!({"index": 0, "message": {"content": "hello"}, "finish_reason": "stop"});
        Reply::json(200, &json!({"choices": [choice]}))
    })
    .await
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_declared_and_not_true_ends_with_1() {
    let server = hello().await;
    for (capabilities, code) in [("tools = false", 0), ("tools = true\nseveral = true", 1)] {
        let (folder, _) = folder(&server.url, capabilities);
        let probe = ["models", "probe", "tiny", "--config", "my.toml"];
        let output = given(&folder, &probe);
        assert_eq!(output.status.code(), Some(code), "{}", text(&output.stderr));
        let shown = text(&output.stdout);
        for line in ["[models.tiny.capabilities]\n", "tools = false\n", "several = false\n"] {
            assert!(shown.contains(line), "{shown}");
        }
        let output = given(&folder, &[&probe[..], &["--json"]].concat());
        assert_eq!(output.status.code(), Some(code));
        let found: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(found["agrees"], code == 0);
        let findings = found["findings"].as_array().unwrap().iter();
        let wrong = findings.filter(|finding| finding["contradicted"] == true);
        let wrong: Vec<&str> = wrong.map(|finding| finding["capability"].as_str().unwrap()).collect();
        let expected: &[&str] = if code == 0 { &[] } else { &["several", "tools"] };
        assert_eq!(wrong, expected);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refused_key_ends_the_probe() {
    let server =
        RawServer::start(|_| Reply::json(401, &json!({"error": {"message": "bad key canary-key", "code": 401}}))).await;
    let (folder, _) = folder("http://localhost:1", "");
    let place = format!("models.far.base_url={}", server.url);
    let output = given(&folder, &["models", "probe", "far", "--config", "my.toml", "--set", &place]);
    assert_eq!(output.status.code(), Some(2));
    let said = text(&output.stderr);
    assert!(said.contains("the server refuses the key: bad key (secret)"), "{said}");
    assert_eq!(server.seen().len(), 1);
    assert_eq!(server.seen()[0].headers["authorization"], "Bearer canary-key");
}
