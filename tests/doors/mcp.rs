//! Both directions of MCP.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

use serde_json::{Value, json};

use crate::support::binary::{rolecall, text};
use crate::support::clients::{printed, python, script};
use crate::support::served::{Server, http};

const VERSION: &str = "2026-07-28";

/// A request of the newest revision.
fn request(id: u32, method: &str, mut params: Value) -> Value {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": VERSION,
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })
}

fn call(id: u32, tool: &str, arguments: Value) -> Value {
    request(id, "tools/call", json!({ "name": tool, "arguments": arguments }))
}

/// What `serve mcp` answers to these lines, and all that it says on standard error.
fn answers(folder: &Path, config: &str, more: &[&str], lines: &[Value]) -> (Vec<Value>, String) {
    let common = ["--logs", "logs", "--name", "served"];
    let all = [&["serve", "mcp", config], &common[..], more].concat();
    let mut command = rolecall(folder, &all);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut to = child.stdin.take().unwrap();
    for line in lines {
        let line = line.as_str().map_or_else(|| line.to_string(), str::to_owned);
        writeln!(to, "{line}").unwrap();
    }
    drop(to);
    let output = child.wait_with_output().unwrap();
    let said = text(&output.stderr);
    assert!(output.status.success(), "{said}");
    let lines = text(&output.stdout);
    let read = lines.lines().map(|line| serde_json::from_str(line).unwrap());
    (read.collect(), said)
}

/// The number of episodes of a run, which must all come out identical.
fn replayed(folder: &Path, run: &str) -> u64 {
    let replay = rolecall(folder, &["replay", run, "--json"]).output().unwrap();
    assert!(replay.status.success(), "{}{}", text(&replay.stdout), text(&replay.stderr));
    let found: Value = serde_json::from_slice(&replay.stdout).unwrap();
    found["replays"][0]["identical"].as_u64().unwrap()
}

#[test]
fn lines_are_answered_and_nothing_else_is_on_standard_output() {
    let folder = tempfile::tempdir().unwrap();
    let lines = [
        request(1, "server/discover", json!({})),
        request(2, "tools/list", json!({})),
        call(3, "begin", json!({ "task": 0 })),
        call(4, "perform", json!({ "episode": "main:9:9", "action": "look" })),
        call(5, "begin", json!({ "tsk": 1 })),
        call(6, "fly", json!({})),
        request(7, "prompts/list", json!({})),
        json!({ "jsonrpc": "2.0", "id": 8, "method": "tools/list" }),
        json!("{"),
        json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 99 } }),
    ];
    let (answers, _) = answers(folder.path(), "household/respact", &[], &lines);
    let of = |id: u32| answers.iter().find(|answer| answer["id"] == id).unwrap();
    assert_eq!(of(1)["result"]["supportedVersions"], json!([VERSION]));
    let tools = of(2)["result"]["tools"].as_array().unwrap();
    let names: Vec<_> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["begin", "perform", "speak", "assess", "tasks"]);
    let begun = &of(3)["result"]["structuredContent"];
    assert_eq!(begun["episode"], "main:0:0");
    assert!(begun["text"].as_str().unwrap().contains("Your task is to"));
    for refused in [4, 5] {
        assert_eq!(of(refused)["result"]["isError"], true, "{}", of(refused));
    }
    for (id, code) in [(6, -32602), (7, -32601), (8, -32602)] {
        assert_eq!(of(id)["error"]["code"], code);
    }
    let unread = answers.iter().find(|answer| answer["id"].is_null()).unwrap();
    assert_eq!(unread["error"]["code"], -32700);
    assert_eq!(answers.len(), 9);
    // The client left in the middle of an episode.
    let log = rolecall(folder.path(), &["logs", "canonical", "logs/served"]).output().unwrap();
    assert!(text(&log.stdout).contains("\"cancelled\""));
    replayed(folder.path(), "logs/served");
}

#[test]
fn worlds_with_tools_list_them_and_thoughts_come_first_where_a_strategy_wants_them() {
    let folder = tempfile::tempdir().unwrap();
    let lines = [request(1, "tools/list", json!({})), call(2, "begin", json!({ "task": 0 }))];
    let (found, _) = answers(folder.path(), "booking/booking-respact", &[], &lines);
    let listed = found.iter().find(|answer| answer["id"] == 1).unwrap();
    let tools = listed["result"]["tools"].as_array().unwrap();
    assert!(tools.len() > 6, "{listed}");
    for tool in &tools[5..] {
        let required = tool["inputSchema"]["required"].as_array().unwrap();
        assert!(required.contains(&json!("episode")), "{tool}");
    }
    let folder = tempfile::tempdir().unwrap();
    let lines = [request(1, "tools/list", json!({}))];
    let (found, _) = answers(folder.path(), "household/respact-im", &[], &lines);
    assert_eq!(found[0]["result"]["tools"][5]["name"], "think");
}

#[test]
fn over_http_headers_and_statuses_are_those_of_the_revision() {
    let server = Server::start("mcp", "quickstart", &[]);
    let post = |more: &str, message: &Value| {
        let headers = format!("Host: {}\r\nAccept: application/json, text/event-stream\r\n{more}", server.address);
        http(&server.address, &headers, "POST", "/mcp", Some(message.clone()))
    };
    let said = |method: &str| format!("MCP-Protocol-Version: {VERSION}\r\nMcp-Method: {method}\r\n");
    let list = request(1, "tools/list", json!({}));
    assert_eq!(post(&said("tools/list"), &list).0, 200);
    let (status, other) = post(&said("tools/call"), &list);
    assert_eq!((status, &other["error"]["code"]), (400, &json!(-32020)));
    let unknown = request(1, "ping", json!({}));
    let (status, answer) = post(&said("ping"), &unknown);
    assert_eq!((status, &answer["error"]["code"]), (404, &json!(-32601)));
    let mut future = list.clone();
    future["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"] = json!("2099-01-01");
    let headers = "MCP-Protocol-Version: 2099-01-01\r\nMcp-Method: tools/list\r\n";
    let (status, answer) = post(headers, &future);
    assert_eq!((status, &answer["error"]["code"]), (400, &json!(-32022)));
    assert_eq!(answer["error"]["data"]["supported"][0], VERSION);
    let call = call(1, "tasks", json!({ "stop": 1 }));
    let named = format!("{}Mcp-Name: tasks\r\n", said("tools/call"));
    let (status, tasks) = post(&named, &call);
    assert_eq!(status, 200);
    assert_eq!(tasks["result"]["structuredContent"]["tasks"].as_array().unwrap().len(), 1);
    assert_eq!(post(&said("tools/call"), &call).1["error"]["code"], -32020);
    assert_eq!(post("Origin: http://evil.example\r\n", &list).0, 403);
    let notification = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    assert_eq!(post("", &notification).0, 202);
    let hello = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize",
                        "params": { "protocolVersion": "2025-11-25", "capabilities": {} } });
    assert_eq!(post("", &hello).1["result"]["protocolVersion"], "2025-11-25");
    let host = format!("Host: {}\r\n", server.address);
    assert_eq!(http(&server.address, &host, "GET", "/mcp", None).0, 405);
}

/// What the official client saw of a server.
fn check_seen(seen: &Value, version: &str) {
    assert_eq!(seen["version"], version);
    assert_eq!(seen["tools"], json!(["begin", "perform", "speak", "assess", "tasks"]));
    assert_eq!(seen["tasks"]["tasks"].as_array().unwrap().len(), 2);
    assert!(seen["begun"][0]["text"].as_str().unwrap().contains("task"));
    assert_eq!(seen["looked"][1]["done"], false);
    assert_eq!(seen["refused"]["invalid"], true);
    assert!(!seen["said"]["reply"].as_str().unwrap().is_empty());
    assert_eq!(seen["ended"][1], json!({ "over": true, "success": false, "reward": 0.0, "ending": "gave up" }));
    assert_eq!(seen["again"], seen["ended"][0]);
    for refused in ["late", "wrong", "unknown"] {
        assert!(seen[refused]["error"].is_string(), "{refused}");
    }
    assert_eq!(seen["no_tool"], -32602);
}

#[test]
fn the_official_client_plays_over_standard_input_and_http_in_both_eras() {
    let Some(python) = python() else {
        return;
    };
    let token = "0123456789abcdef0123456789abcdef";
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("token"), token).unwrap();
    let file = folder.path().join("token").to_str().unwrap().to_owned();
    let mut server = Server::start("mcp", "household/respact", &["--token-file", &file]);
    let url = format!("http://{}/mcp", server.address);
    for (mode, version) in [("auto", VERSION), ("legacy", "2025-11-25")] {
        let by_http = script(&python, "mcp_play.py").args([mode, token, &url]).output().unwrap();
        check_seen(&serde_json::from_str(&printed(&by_http)).unwrap(), version);
        let own = folder.path().join(mode);
        let command = [env!("CARGO_BIN_EXE_rolecall"), "serve", "mcp", "household/respact"];
        let logs = ["--logs", own.to_str().unwrap(), "--name", "r"];
        let mut by_lines = script(&python, "mcp_play.py");
        let by_lines = by_lines.args([mode, "-"]).args(command).args(logs).output().unwrap();
        check_seen(&serde_json::from_str(&printed(&by_lines)).unwrap(), version);
        assert_eq!(replayed(&own, "r"), 2);
    }
    let (_, said) = server.stop();
    assert!(!said.contains(token));
    assert_eq!(replayed(server.folder(), "logs/served"), 4);
}

/// A config whose executor calls the tools of the official package's server, and its answers.
pub(super) fn write_config(folder: &Path, server: &str, actions: &[&str]) {
    let config = format!(
        "name = \"tools\"\nseed = 1\n[environment]\nname = \"mcp\"\ntasks = \"tasks.jsonl\"\nprefix = \"web.\"\n{server}\n\
         [strategy]\nname = \"react\"\n[roles.executor]\nimplementation = \"scripted\"\nfile = \"script.jsonl\"\n"
    );
    fs::write(folder.join("tools.toml"), config).unwrap();
    let tasks = "{\"id\":\"whale\",\"text\":\"Is a whale a fish?\",\"answer\":[\"no\"]}\n\
                 {\"id\":\"sum\",\"text\":\"1 + 2?\",\"answer\":\"3\"}\n";
    fs::write(folder.join("tasks.jsonl"), tasks).unwrap();
    let line = |action: &&str| json!({ "moves": [{ "kind": "act", "action": { "text": action } }] });
    let lines: Vec<_> = actions.iter().map(|action| line(action).to_string()).collect();
    fs::write(folder.join("script.jsonl"), lines.join("\n")).unwrap();
}

const ACTIONS: [&str; 5] = [
    "web_shelf_search {\"text\": \"whale\"}",
    "web_shelf_search {\"text\": \"cat\"}",
    "web_add {\"a\": 1, \"b\": 2}",
    "nothing {}",
    "answer No!",
];

pub(super) fn played(folder: &Path) -> Output {
    rolecall(folder, &["run", "tools.toml", "-q"]).output().unwrap()
}

pub(super) fn canonical(folder: &Path) -> String {
    let lines = rolecall(folder, &["logs", "canonical", "logs/tools"]).output().unwrap();
    assert!(lines.status.success(), "{}", text(&lines.stderr));
    text(&lines.stdout)
}

/// The official package's server as a program, copied so that it can be taken away.
fn by_command(folder: &Path, python: &Path) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let own = root.join("tests/outside/clients/mcp_server.py");
    fs::copy(own, folder.join("server.py")).unwrap();
    format!("command = [{python:?}, \"server.py\"]\nenv = [\"MARK\"]")
}

#[test]
fn an_agent_plays_with_the_tools_of_the_official_server_and_replay_needs_no_server() {
    let Some(python) = python() else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    write_config(folder.path(), &by_command(folder.path(), &python), &ACTIONS);
    printed(&played(folder.path()));
    let log = canonical(folder.path());
    assert!(log.contains("A whale is a mammal.") && log.contains("{\"result\":3}"), "{log}");
    assert_eq!(log.matches("\"invalid\":true").count(), 4);
    assert!(log.contains("\"success\":true") && log.contains("\"success\":false"));
    fs::remove_file(folder.path().join("server.py")).unwrap();
    assert_eq!(replayed(folder.path(), "logs/tools"), 2);
    // The same server over HTTP, the same events.
    let port = free_port();
    let _server = by_address(&python, port);
    let other = tempfile::tempdir().unwrap();
    write_config(other.path(), &format!("url = \"http://127.0.0.1:{port}/mcp\""), &ACTIONS);
    printed(&played(other.path()));
    assert_eq!(canonical(other.path()), log);
}

#[test]
fn a_server_that_dies_is_started_once_more_and_a_run_goes_on_after_it_was_cut() {
    let Some(python) = python() else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let actions = ["web_end", ACTIONS[0], "answer no"];
    write_config(folder.path(), &by_command(folder.path(), &python), &actions);
    let run = |mark: Option<&Path>| {
        // One episode after the other: then the log is cut at the same places whenever this runs.
        let arguments = ["run", "tools.toml", "-q", "--concurrency", "1"];
        let mut run = rolecall(folder.path(), &arguments);
        mark.into_iter().for_each(|mark| _ = run.env("MARK", mark));
        let ran = run.output().unwrap();
        canonical_of(&ran, folder.path())
    };
    let whole = run(None);
    fs::remove_dir_all(folder.path().join("logs")).unwrap();
    let with_death = run(Some(&folder.path().join("mark")));
    assert!(folder.path().join("mark").exists());
    assert_eq!(whole, with_death);
    // Cut in the middle of an episode, also between the answer and its score: it goes on to the same.
    let run = folder.path().join("logs/tools");
    let events = fs::read_to_string(run.join("events.jsonl")).unwrap();
    let lines: Vec<&str> = events.lines().collect();
    let mut kept = 0;
    for kind in ["\"brief\"", "\"perform\"", "\"observed\"", "\"assess\""] {
        kept += 1 + lines[kept..].iter().position(|line| line.contains(kind)).unwrap();
        let done = lines.iter().rposition(|line| line.contains("\"done\":true")).unwrap();
        for kept in [kept, done + 1] {
            let left: String = lines[..kept].iter().map(|line| format!("{line}\n")).collect();
            fs::write(run.join("events.jsonl"), left).unwrap();
            for later in ["results.jsonl", "timings.jsonl"] {
                fs::write(run.join(later), "").unwrap();
            }
            let _ = fs::remove_file(run.join("events.index"));
            fs::write(run.join("running"), "123\nanother start\n").unwrap();
            let resumed = rolecall(folder.path(), &["resume", "logs/tools", "-q"]).output();
            let log = canonical_of(&resumed.unwrap(), folder.path());
            assert_eq!(log, whole, "after {kept} events");
        }
    }
}

fn canonical_of(ran: &Output, folder: &Path) -> String {
    printed(ran);
    canonical(folder)
}

/// A process that ends with the test.
struct Killed(Child);

impl Drop for Killed {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn free_port() -> u16 {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap().port()
}

/// The official package's server at a port, once it listens.
fn by_address(python: &Path, port: u16) -> Killed {
    let mut server = script(python, "mcp_server.py");
    let server = server.arg(port.to_string()).stdout(Stdio::null());
    let mut server = Killed(server.stderr(Stdio::piped()).spawn().unwrap());
    let said = BufReader::new(server.0.stderr.take().unwrap());
    let mut said = said.lines().map_while(Result::ok);
    assert!(said.any(|line| line.contains("running on")), "no server at {port}");
    // Somebody has to read what it says.
    std::thread::spawn(move || said.count());
    server
}

/// A server that speaks an earlier revision, dies of what it does not know, and prints what a shell gives it.
#[test]
fn servers_that_break_the_protocol_are_faults_and_those_of_before_are_greeted() {
    if Command::new("python3").arg("--version").output().is_err() {
        println!("skipped: there is no python3");
        return;
    }
    let server = |call: &str| {
        format!(
            "import json, sys\n\
             for line in sys.stdin:\n    m = json.loads(line)\n    me, id = m['method'], m.get('id')\n    \
             if id is None: continue\n    if me == 'server/discover': sys.exit(1)\n    \
             r = {{'initialize': {{'protocolVersion': '2025-03-26', 'capabilities': {{}}}},\n         \
             'tools/list': {{'tools': [{{'name': 'look', 'inputSchema': {{}}}}]}}}}.get(me)\n    \
             if r is None:\n        {call}\n    \
             print(json.dumps({{'jsonrpc': '2.0', 'id': id, 'result': r}}), flush=True)\n"
        )
    };
    let table = [
        ("r = {'content': [{'type': 'text', 'text': 'a\\x1b[2Jb'}]}", Ok("\\u001b[2Jb")),
        ("r = {'content': 7}", Err("cannot be read")),
        ("print('hello\\n\\nagain', flush=True); r = {'content': [{'type': 'text', 'text': 'seen'}]}", Ok("seen")),
        ("sys.exit(4)", Err("exit status: 4")),
        ("id = 77; r = {}", Err("is not open")),
        ("print('x' * (17 << 20)); continue", Err("16 MiB")),
    ];
    for (call, expected) in table {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("server.py"), server(call)).unwrap();
        write_config(folder.path(), "command = [\"python3\", \"server.py\"]", &["web_look {}", "answer no"]);
        let ran = played(folder.path());
        let log = canonical(folder.path());
        match expected {
            Ok(shown) => assert!(log.contains(shown) && ran.status.success(), "{log}"),
            Err(problem) => {
                assert!(log.contains(problem) && log.contains("\"broken\""), "{call}: {log}");
            }
        }
    }
}

#[test]
fn a_server_that_is_not_there_is_a_problem_of_the_config() {
    let folder = tempfile::tempdir().unwrap();
    for (server, expected) in [
        ("command = [\"no-such-program\"]", "cannot be started"),
        ("url = \"http://127.0.0.1:9/mcp\"", "the MCP server `http://127.0.0.1:9/mcp`"),
        ("url = \"http://u:secret@127.0.0.1:9/\"", "token_env"),
        ("", "write one of the two"),
    ] {
        write_config(folder.path(), server, &ACTIONS);
        let ran = played(folder.path());
        let said = text(&ran.stderr);
        assert!(said.contains(expected) && ran.status.code() == Some(2), "{said}");
    }
}
