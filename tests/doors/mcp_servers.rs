//! Servers of MCP that lose their sessions, fail, or print more than messages.

use std::fs;
use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::{Value, json};

use super::mcp::{canonical, played, write_config};
use crate::support::binary::text;
use crate::support::raw_server::{RawServer, Reply, Request};

const ACTIONS: [&str; 3] = ["web_look {\"n\": 1}", "web_look {\"n\": 2}", "answer no"];

fn result(id: &Value, result: &Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "result": result })
}

fn error(id: &Value, code: i64, message: &str) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": message } })
}

/// A server with sessions that answers calls, from the first on, with what is wanted; of an unknown session with what
/// `lost` gives. `forgets` says behind which calls it forgets all sessions.
async fn server(
    lost: impl Fn() -> Reply + Send + Sync + 'static,
    forgets: fn(u64) -> bool,
    call: impl Fn(&Value) -> Reply + Send + Sync + 'static,
) -> RawServer {
    let (session, calls) = (AtomicU64::new(0), AtomicU64::new(0));
    RawServer::start(move |request: &Request| {
        let id = &request.body["id"];
        let current = || format!("s{}", session.load(Ordering::SeqCst));
        match request.body["method"].as_str().unwrap() {
            "server/discover" => Reply::json(400, &error(id, -32601, "Method not found")),
            "initialize" => {
                let headers = format!("Content-Type: application/json\r\nMcp-Session-Id: {}\r\n", current());
                let hello = json!({ "protocolVersion": "2025-06-18", "capabilities": {} });
                Reply::with_headers(200, &headers, &result(id, &hello).to_string())
            }
            "notifications/initialized" => Reply::with_headers(202, "", ""),
            _ if request.headers.get("mcp-session-id") != Some(&current()) => lost(),
            "tools/list" => ok(&result(id, &json!({ "tools": [{ "name": "look", "inputSchema": {} }] }))),
            _ => {
                if forgets(calls.fetch_add(1, Ordering::SeqCst)) {
                    session.fetch_add(1, Ordering::SeqCst);
                }
                call(id)
            }
        }
    })
    .await
}

fn json_reply(status: u16, body: &Value) -> Reply {
    Reply::with_headers(status, "Content-Type: application/json\r\n", &body.to_string())
}

fn ok(body: &Value) -> Reply {
    json_reply(200, body)
}

fn looked(id: &Value) -> Reply {
    ok(&result(id, &json!({ "content": [{ "type": "text", "text": "a mammal" }] })))
}

/// The canonical log of a run with this server.
fn log_of(server: &RawServer) -> String {
    let folder = tempfile::tempdir().unwrap();
    write_config(folder.path(), &format!("url = \"{}/mcp\"", server.url), &ACTIONS);
    played(folder.path());
    canonical(folder.path())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_that_is_lost_is_begun_anew_and_the_call_repeated() {
    let gone = || json_reply(404, &error(&Value::Null, -32001, "Session not found"));
    let kept = log_of(&server(gone, |_| false, looked).await);
    assert_eq!(kept.matches("a mammal").count(), 4, "{kept}");
    type Lost = fn() -> Reply;
    let ways: [Lost; 4] = [
        // A server that was started again.
        || json_reply(400, &error(&Value::Null, -32000, "Bad Request: Server not initialized")),
        || json_reply(404, &error(&Value::Null, -32001, "Session not found")),
        || Reply::with_headers(404, "", ""),
        || json_reply(400, &error(&Value::Null, -32000, "Bad Request: No valid session ID provided")),
    ];
    for lost in ways {
        let server = server(lost, |call| call == 1, looked).await;
        assert_eq!(log_of(&server), kept);
        let begun = server.seen().iter().filter(|request| request.body["method"] == "initialize").count();
        assert_eq!(begun, 2);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn only_what_is_wrong_with_its_arguments_is_shown_to_an_agent() {
    let never: fn() -> Reply = || json_reply(404, &error(&Value::Null, -32001, "Session not found"));
    type Call = fn(&Value) -> Reply;
    let faults: [Call; 7] = [
        |_| {
            Reply::with_headers(
                404,
                "Content-Type: application/json\r\n",
                &error(&Value::Null, -32001, "lost").to_string(),
            )
        },
        |id| json_reply(404, &error(id, -32602, "lost")),
        |_| Reply::with_headers(502, "Content-Type: text/html\r\n", "<html>bad gateway</html>"),
        |id| json_reply(503, &error(id, -32000, "overloaded")),
        |id| ok(&error(id, -32603, "Internal error")),
        |id| ok(&error(id, -32601, "Method not found")),
        |_| Reply::with_headers(202, "", ""),
    ];
    for call in faults {
        let log = log_of(&server(never, |_| false, call).await);
        assert!(log.contains("\"broken\"") && !log.contains("\"invalid\":true"), "{log}");
    }
    let refusals: [Call; 3] = [
        |id| ok(&error(id, -32602, "Unknown tool: look")),
        |id| json_reply(400, &error(id, -32602, "n is no text")),
        |id| ok(&result(id, &json!({ "content": [], "isError": true }))),
    ];
    for call in refusals {
        let log = log_of(&server(never, |_| false, call).await);
        assert!(!log.contains("\"broken\""), "{log}");
        assert_eq!(log.matches("\"invalid\":true").count(), 4, "{log}");
    }
}

#[test]
fn a_program_that_never_answers_is_told_with_the_lines_that_were_skipped() {
    let folder = tempfile::tempdir().unwrap();
    let script = "printf '{}\\n\\n\\033[1mShelf listening\\033[0m\\n'; cat > /dev/null";
    fs::write(folder.path().join("server.sh"), script).unwrap();
    let server = "command = [\"sh\", \"server.sh\"]\nstart_seconds = 5";
    write_config(folder.path(), server, &ACTIONS);
    let ran = played(folder.path());
    let said = text(&ran.stderr);
    assert_eq!(ran.status.code(), Some(2), "{said}");
    assert!(said.contains("start_seconds") && said.contains("2 lines, the last `\\u{1b}[1mShelf listening"), "{said}");
}
