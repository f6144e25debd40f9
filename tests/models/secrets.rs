//! Keys and headers are shown nowhere: a server that repeats every header it gets in its errors
//! finds them in no file, no output and no message of a run.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use crate::support::binary::rolecall;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

const KEY: &str = "sk-canary-key-8f3a";
const HEADER: &str = "canary-header-77aa";
const VARIABLE: &str = "canary-variable-0b1c";
const FIELD: &str = "canary-field-5d21";
const NUMBER: &str = "7720419931";
/// Those that are headers.
const SECRETS: [&str; 3] = [KEY, HEADER, VARIABLE];
/// Those that are fields of the body.
const FIELDS: [&str; 2] = [FIELD, NUMBER];

/// How the server answers: `{}` stands for the headers that it got, on one line.
#[derive(Clone, Copy, Debug)]
struct Answer {
    name: &'static str,
    head: &'static str,
    body: &'static str,
}

const JSON_ERROR: &str = r#"{"error":{"message":"who are you? {}","type":"t {}","code":"c {}"}}"#;

const ANSWERS: &[Answer] = &[
    Answer { name: "unauthorized", head: "HTTP/1.1 401 Unauthorized", body: JSON_ERROR },
    Answer { name: "bad-request", head: "HTTP/1.1 400 Bad Request", body: JSON_ERROR },
    Answer { name: "not-found", head: "HTTP/1.1 404 Not Found", body: r#"{"detail":{"headers":"{}"}}"# },
    Answer { name: "plain", head: "HTTP/1.1 500 Internal Server Error", body: "stack trace: {}" },
    Answer { name: "rate-limit", head: "HTTP/1.1 429 Too Many Requests\r\nRetry-After: 0", body: JSON_ERROR },
    Answer { name: "garbage", head: "HTTP/1.1 200 OK", body: "no JSON: {}" },
    Answer { name: "no-choices", head: "HTTP/1.1 200 OK", body: r#"{"object":"{}","choices":"{}"}"# },
    Answer {
        name: "error-in-stream",
        head: "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream",
        body: "data: {\"error\":{\"message\":\"{}\",\"code\":500}}\n\ndata: {}\n\n",
    },
];

/// Serves until the test ends; counts the requests that held every secret.
async fn serve(listener: TcpListener, answer: Answer, seen: Arc<AtomicUsize>) {
    while let Ok((stream, _)) = listener.accept().await {
        tokio::spawn(reply(stream, answer, Arc::clone(&seen)));
    }
}

async fn reply(mut stream: TcpStream, answer: Answer, seen: Arc<AtomicUsize>) {
    let mut got = Vec::new();
    let mut buffer = [0; 4096];
    let end = loop {
        let Ok(count @ 1..) = stream.read(&mut buffer).await else {
            return;
        };
        got.extend_from_slice(&buffer[..count]);
        if let Some(end) = got.windows(4).position(|four| four == b"\r\n\r\n") {
            break end;
        }
    };
    let head = String::from_utf8_lossy(&got[..end]).into_owned();
    let length = head.lines().find_map(|line| {
        let (name, value) = line.split_once(": ")?;
        name.eq_ignore_ascii_case("content-length").then(|| value.parse().unwrap())
    });
    while got.len() < end + 4 + length.unwrap_or(0) {
        let Ok(count @ 1..) = stream.read(&mut buffer).await else {
            return;
        };
        got.extend_from_slice(&buffer[..count]);
    }
    let body = String::from_utf8_lossy(&got[end..]).into_owned();
    let fields: Vec<&str> = FIELDS.into_iter().filter(|field| body.contains(field)).collect();
    if SECRETS.iter().all(|secret| head.contains(secret)) && fields == FIELDS {
        seen.fetch_add(1, Ordering::SeqCst);
    }
    // The fields first: what is said is cut off somewhere.
    let headers = head.lines().skip(1).collect::<Vec<_>>().join("; ");
    let headers = format!("{}; {headers}", fields.join(" and "));
    let body = answer.body.replace("{}", &headers.replace(['"', '\\'], " "));
    let text = format!(
        "{}\r\nContent-Length: {}\r\nX-Seen: {headers}\r\nConnection: close\r\n\r\n{body}",
        answer.head,
        body.len()
    );
    let _ = stream.write_all(text.as_bytes()).await;
    let _ = stream.shutdown().await;
}

fn config(port: u16, stream: bool) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let shipped = root.join("configs/household/respact.toml");
    format!(
        "extends = {shipped:?}\nname = \"r\"\nagents = \"agents\"\n[tasks]\nlimit = 1\n[cache]\nmode = \"both\"\n\
         [roles.executor]\nimplementation = \"model\"\nmodel = \"m\"\n\
         [models.m]\nbase_url = \"http://127.0.0.1:{port}/v1\"\nmodel = \"x\"\n\
         api_key_env = \"CANARY_KEY\"\nstream = {stream}\n\
         headers = {{ X-Literal = \"{HEADER}\", X-Variable = \"env:CANARY_VARIABLE\" }}\n\
         extra_body = {{ user_token = \"{HEADER}\", tenant = \"{FIELD}\", top_k = 20, \
         more = {{ account = {NUMBER}, list = [\"{FIELD}\"] }} }}\n\
         [models.m.retries]\nattempts = 2\nfirst_wait_seconds = 0.001\noutage_seconds = 0.01\n"
    )
}

fn with_secrets(mut command: Command) -> Output {
    let command = command.envs([("CANARY_KEY", KEY), ("CANARY_VARIABLE", VARIABLE)]);
    command.env("RUST_LOG", "trace").output().unwrap()
}

/// A folder with the config and a persona that has a prompt.
fn folder(config: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let persona = folder.path().join("agents/respact");
    std::fs::create_dir_all(&persona).unwrap();
    std::fs::write(persona.join("executor.toml"), "prompt = \"executor.md\"\n").unwrap();
    std::fs::write(persona.join("executor.md"), "What do you do next?\n").unwrap();
    std::fs::write(folder.path().join("config.toml"), config).unwrap();
    folder
}

/// Every file of a folder, apart from the config, which holds a secret itself.
fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, found);
        } else if !path.ends_with("config.toml") {
            found.push(path);
        }
    }
}

fn assert_clean(what: &str, bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    for secret in SECRETS.into_iter().chain(FIELDS) {
        if let Some(at) = text.find(secret) {
            let start = text.floor_char_boundary(at.saturating_sub(200));
            let end = text.floor_char_boundary(at + 100);
            panic!("{what} holds `{secret}`: ...{}", &text[start..end]);
        }
    }
}

#[test]
fn no_secret_gets_out_whatever_the_server_repeats() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let hidden = Mutex::new(0);
    std::thread::scope(|scope| {
        for (number, answer) in ANSWERS.iter().enumerate() {
            let (runtime, hidden) = (&runtime, &hidden);
            scope.spawn(move || {
                let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).unwrap();
                let port = listener.local_addr().unwrap().port();
                let seen = Arc::new(AtomicUsize::new(0));
                runtime.spawn(serve(listener, *answer, Arc::clone(&seen)));
                let stream = number % 2 == 1 || answer.name == "error-in-stream";
                let folder = folder(&config(port, stream));
                let told = everything_told(folder.path(), answer.name);
                *hidden.lock().unwrap() += usize::from(told.contains("(secret)"));
                // Nothing is proved by a server that never saw them.
                assert!(seen.load(Ordering::SeqCst) > 0, "{answer:?}");
            });
        }
    });
    // The texts of errors are told, without the secrets in them.
    assert!(hidden.into_inner().unwrap() >= 4);
}

/// Gives every command that may tell of a model, and looks through all that they say and write.
fn everything_told(folder: &Path, name: &str) -> String {
    let commands: [&[&str]; 10] = [
        &["models", "list", "--config", "config.toml"],
        &["models", "probe", "m", "--config", "config.toml"],
        &["check", "config.toml"],
        &["run", "config.toml", "-vv"],
        &["report", "logs/r"],
        &["report", "logs/r", "--json"],
        &["show", "logs/r", "main:0:0", "--private"],
        &["show", "logs/r", "main:0:0", "--json", "--private"],
        &["logs", "canonical", "logs/r"],
        &["check", "config.toml", "--set", "models.m.headers.X-Literal=[1]"],
    ];
    let mut told = String::new();
    for arguments in commands {
        let output = with_secrets(rolecall(folder, arguments));
        for bytes in [&output.stdout, &output.stderr] {
            assert_clean(&format!("{name}: {arguments:?}"), bytes);
            told.push_str(&String::from_utf8_lossy(bytes));
        }
    }
    let mut found = Vec::new();
    files(folder, &mut found);
    let names: Vec<_> = found.iter().filter_map(|path| path.file_name()).collect();
    for expected in ["run.toml", "events.jsonl", "trace.log", "report.html"] {
        assert!(names.iter().any(|name| *name == expected), "{name}: no {expected}: {told}");
    }
    for path in found {
        assert_clean(&format!("{name}: {}", path.display()), &std::fs::read(&path).unwrap());
    }
    told
}

#[test]
fn no_secret_is_in_what_settings_print() {
    use rolecall::config::{Request, load};
    let folder = folder(&config(1, false));
    let file = folder.path().join("config.toml");
    let request = Request {
        file,
        variables: vec![("CANARY_KEY".into(), KEY.into()), ("CANARY_VARIABLE".into(), VARIABLE.into())],
        working: folder.path().to_owned(),
        ..Request::default()
    };
    let resolved = load(&request, rolecall::worlds()).unwrap();
    let [settings] = resolved.plan.model_settings.as_slice() else {
        panic!("not one model");
    };
    assert_eq!(settings.api_key.as_ref().map(|key| key.reveal()), Some(KEY));
    let headers = format!("{:?}{:?}", settings.headers, settings.api_key);
    let models = format!("{:?}{:?}", resolved.plan.models, resolved.models);
    let check = rolecall::cli::describe(&resolved);
    assert_clean("the settings", (headers + &models + &check + &resolved.plan.record).as_bytes());
}
