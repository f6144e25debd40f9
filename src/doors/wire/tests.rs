use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use super::*;

const SOON: Duration = Duration::from_secs(10);

fn rules(grace: Option<Duration>) -> Rules {
    Rules {
        cancel: |id| ("cancel", json!({ "id": id })),
        belongs: |method, params| match method {
            "ping" => Belongs::Answered(Ok(json!({}))),
            _ => {
                let params: Value =
                    params.and_then(|params| serde_json::from_str(params.get()).ok()).unwrap_or_default();
                Belongs::Call(params["call"].as_u64().unwrap_or_default())
            }
        },
        answers_cancelled: grace,
        skips_lines: false,
    }
}

/// A peer whose other side does this with each line; false ends it.
fn served(grace: Option<Duration>, serve: impl FnMut(Value, &mut TcpStream) -> bool + Send + 'static) -> Peer {
    served_by(rules(grace), serve)
}

/// A peer of these rules whose other side does this with each line; false ends it.
fn served_by(rules: Rules, mut serve: impl FnMut(Value, &mut TcpStream) -> bool + Send + 'static) -> Peer {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string().parse().unwrap();
    thread::spawn(move || {
        let (mut to, _) = listener.accept().unwrap();
        for line in BufReader::new(to.try_clone().unwrap()).lines() {
            if !serve(serde_json::from_str(&line.unwrap()).unwrap(), &mut to) {
                break;
            }
        }
    });
    Peer::open(Target::Address(address), rules)
}

fn result(pending: Pending) -> Result<Result<Value, RpcError>, Gone> {
    let result = wait(pending.result(), SOON).expect("no answer in time");
    result.map(|answer| answer.map(|value| serde_json::from_str(value.get()).unwrap()))
}

#[test]
fn calls_are_answered_in_any_order_and_may_be_large() {
    let mut kept = Vec::new();
    let peer = served(None, move |message, to| {
        kept.push(message);
        if kept.len() == 2 {
            for message in kept.drain(..).rev() {
                let answer = json!({"jsonrpc": "2.0", "id": message["id"], "result": message["params"]});
                writeln!(to, "{answer}").unwrap();
            }
        }
        true
    });
    let large = "x".repeat(3 << 20);
    let first = peer.call("echo", &large);
    let second = peer.call("echo", &2);
    assert_eq!(result(second), Ok(Ok(json!(2))));
    assert_eq!(result(first).unwrap().unwrap(), json!(large));
}

#[test]
fn a_request_within_a_call_is_answered_by_who_waits_for_it() {
    let peer = served(None, |message, to| {
        let answer = match message["method"].as_str() {
            Some("ask") => {
                json!({"jsonrpc": "2.0", "id": "c", "method": "complete", "params": {"call": message["id"]}})
            }
            _ => json!({"jsonrpc": "2.0", "id": 1, "result": message["result"]}),
        };
        writeln!(to, "{answer}").unwrap();
        true
    });
    let mut pending = peer.call("ask", &json!({}));
    let Some(Signal::Request { id, method, .. }) = wait(pending.next(), SOON) else {
        panic!("no request");
    };
    assert_eq!(method, "complete");
    pending.answer(&id, Ok(&"a reply"));
    assert_eq!(result(pending), Ok(Ok(json!("a reply"))));
}

#[test]
fn breaches_fail_what_is_open_and_what_comes_next() {
    for line in [
        "Loading weights...",
        r#"{"jsonrpc":"2.0","id":99,"result":1}"#,
        r#"{"jsonrpc":"2.0","id":"1","result":1}"#,
        r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"?"}}"#,
    ] {
        let peer = served(Some(SOON), move |_, to| writeln!(to, "{line}").is_ok());
        for _ in 0..2 {
            let gone = result(peer.call("x", &1)).unwrap_err();
            assert!(matches!(&gone, Gone::Breach(text) if text.contains("print to stderr")), "{gone:?}");
        }
    }
    let twice = r#"{"jsonrpc":"2.0","id":1,"result":1}"#;
    let peer = served(Some(SOON), move |_, to| writeln!(to, "{twice}\n{twice}").is_ok());
    assert_eq!(result(peer.call("x", &1)), Ok(Ok(json!(1))));
    assert!(matches!(result(peer.call("x", &1)), Err(Gone::Breach(_))));
}

#[test]
fn lines_that_are_no_messages_may_be_skipped_and_are_told_of() {
    let rules = Rules { skips_lines: true, ..rules(None) };
    let peer = served_by(rules, |message, to| {
        let answer = json!({"jsonrpc": "2.0", "id": message["id"], "result": 1});
        writeln!(to, "Loading\u{7}weights\n\n{{\"level\": \"info\"}}\n{answer}").is_ok()
    });
    assert_eq!(peer.last_lines(), "");
    for _ in 0..2 {
        assert_eq!(result(peer.call("x", &1)), Ok(Ok(json!(1))));
    }
    assert!(peer.last_lines().ends_with("4 lines, the last `{\"level\": \"info\"}`"), "{}", peer.last_lines());
}

#[test]
fn a_flood_of_requests_within_a_call_is_a_breach() {
    let peer = served(Some(SOON), |message, to| {
        let asks =
            |id: u64| json!({"jsonrpc": "2.0", "id": id, "method": "complete", "params": {"call": message["id"]}});
        (0..100).all(|id| writeln!(to, "{}", asks(id)).is_ok())
    });
    let mut pending = peer.call("x", &1);
    let gone = loop {
        match wait(pending.next(), SOON).unwrap() {
            Signal::Gone(gone) => break gone,
            Signal::Request { .. } => {}
            Signal::Answer(_) => panic!("it was never answered"),
        }
    };
    assert!(gone.to_string().contains("more than 64 requests"), "{gone}");
}

#[test]
fn three_cancelled_calls_that_are_never_answered_end_a_connection() {
    let peer = served(Some(Duration::from_millis(50)), |_, _| true);
    for _ in 0..3 {
        assert!(peer.gone().is_none());
        drop(peer.call("x", &1));
    }
    let gone = result(peer.call("x", &1)).unwrap_err();
    assert!(gone.to_string().contains("three cancelled calls"), "{gone}");
}

#[test]
fn an_answer_to_a_cancelled_call_is_dropped() {
    let mut waiting = None;
    let peer = served(Some(SOON), move |message, to| {
        let id = match message["method"].as_str() {
            Some("slow") => {
                waiting = Some(message["id"].clone());
                return true;
            }
            Some("cancel") => waiting.take().unwrap(),
            _ => message["id"].clone(),
        };
        writeln!(to, "{}", json!({"jsonrpc": "2.0", "id": id, "result": 1})).is_ok()
    });
    drop(peer.call("slow", &1));
    assert_eq!(result(peer.call("quick", &1)), Ok(Ok(json!(1))));
    assert_eq!(peer.gone(), None);
}

#[test]
fn a_closed_connection_and_nobody_who_listens_are_told_apart() {
    let peer = served(None, |_, _| false);
    assert!(matches!(result(peer.call("x", &1)), Err(Gone::Died(_))));
    let peer = Peer::open(Target::Address("127.0.0.1:1".parse().unwrap()), rules(None));
    assert!(matches!(result(peer.call("x", &1)), Err(Gone::NotStarted(_))));
}

fn program(command: &[&str]) -> Peer {
    started(command, Vec::new(), rules(None))
}

fn started(command: &[&str], env: Vec<String>, rules: Rules) -> Peer {
    let command = command.iter().map(|word| (*word).to_owned()).collect();
    Peer::open(Target::Program(Program { command, folder: PathBuf::new(), env }), rules)
}

#[test]
fn variables_that_a_program_is_given_are_told_to_nobody() {
    let name = "CARGO_MANIFEST_DIR";
    let value = std::env::var(name).unwrap();
    let script = format!("echo out ${name}; echo err ${name} >&2; exit 3");
    let rules = Rules { skips_lines: true, ..rules(None) };
    let gone = result(started(&["sh", "-c", &script], vec![name.to_owned()], rules).call("x", &1)).unwrap_err();
    let text = gone.to_string();
    assert!(text.contains("out (secret)") && text.contains("err (secret)") && !text.contains(&value), "{text}");
}

#[test]
fn programs_say_why_they_end() {
    let peer = program(&["sh", "-c", "echo no weights >&2; exit 3"]);
    let gone = result(peer.call("x", &1)).unwrap_err();
    let text = gone.to_string();
    assert!(text.contains("exit status: 3") && text.contains("no weights"), "{text}");
    let gone = result(program(&["/no/such/program"]).call("x", &1)).unwrap_err();
    assert!(matches!(gone, Gone::NotStarted(_)), "{gone:?}");
}

#[test]
fn programs_see_no_more_of_our_environment_than_they_may() {
    let script = r#"read line; env | cut -d= -f1 | sort | tr '\n' ' ' >&2; exit 1"#;
    let gone = result(program(&["sh", "-c", script]).call("x", &1)).unwrap_err();
    let text = gone.to_string();
    assert!(text.contains("PATH") && !text.contains("CARGO"), "{text}");
}

#[test]
fn a_program_ends_with_its_peer() {
    let peer = program(&["sh", "-c", "echo $$ >&2; trap '' TERM; while read line; do :; done; sleep 100"]);
    let mut said = None;
    for _ in 0..500 {
        said = peer.last_line();
        if said.is_some() {
            break;
        }
        wait(std::future::pending::<()>(), Duration::from_millis(10));
    }
    let folder = PathBuf::from("/proc").join(said.unwrap());
    assert!(folder.exists());
    drop(peer);
    for _ in 0..500 {
        if !folder.exists() {
            return;
        }
        wait(std::future::pending::<()>(), Duration::from_millis(10));
    }
    panic!("it still runs");
}
