//! `rolecall serve web`: who is let in, what each address answers, and what comes live.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use rolecall::domain::{Ending, EpisodeId};
use rolecall::log::{Batch, LogSettings, LogWriter, RunLog};
use rolecall::runtime::RebuiltCall;
use rolecall::serve::web::{Program, Site, SiteSettings, TakeSeat};
use rolecall::serve::{Closing, Listener};

use crate::support::hostile::RUN_TOML;
use crate::support::synthetic::{Story, encode, events, write_run};

/// A program that does nothing.
struct Idle;

impl Program for Idle {
    fn request(&self, _: &RunLog, _: &EpisodeId, _: u32) -> Result<RebuiltCall, String> {
        Err("nothing is made again here".to_owned())
    }

    fn may_play(&self) -> bool {
        false
    }

    fn take_seat(&self, _: &TakeSeat) -> Result<String, String> {
        Err("nobody plays here".to_owned())
    }
}

/// A site over a folder of runs.
struct Pages {
    address: String,
    token: String,
    closing: Closing,
}

impl Drop for Pages {
    fn drop(&mut self) {
        self.closing.token.cancel();
    }
}

fn pages(logs: &Path) -> Pages {
    let listener = Listener::bind("127.0.0.1:0", None).unwrap();
    let address = listener.address().to_string();
    let closing = Closing::default();
    let settings =
        SiteSettings { logs: logs.to_owned(), program: Arc::new(Idle), lobby: None, registry: rolecall::worlds() };
    let site = Site::new(listener, settings, closing.clone()).unwrap();
    let link = site.link("/");
    let (_, token) = link.split_once("#t=").unwrap();
    let token = token.to_owned();
    site.serve().unwrap();
    Pages { address, token, closing }
}

impl Pages {
    fn connect(&self, request: &str) -> TcpStream {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let patience = Some(Duration::from_secs(30));
        stream.set_read_timeout(patience).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        stream
    }

    /// The status, the head and the body of an answer.
    fn ask(&self, method: &str, path: &str, headers: &[&str], body: &str) -> (u16, String, String) {
        let headers: String = headers.iter().map(|header| format!("{header}\r\n")).collect();
        let length = body.len();
        let request =
            format!("{method} {path} HTTP/1.1\r\nConnection: close\r\nContent-Length: {length}\r\n{headers}\r\n{body}");
        let mut answer = String::new();
        self.connect(&request).read_to_string(&mut answer).unwrap();
        let status = answer.split(' ').nth(1).unwrap().parse().unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        (status, head.to_lowercase(), body.to_owned())
    }

    fn host(&self) -> String {
        format!("Host: {}", self.address)
    }

    fn cookie(&self) -> String {
        let (_, port) = self.address.rsplit_once(':').unwrap();
        format!("Cookie: rolecall-{port}={}", self.token)
    }

    /// A page, as the owner's browser gets it.
    fn page(&self, path: &str) -> (u16, String) {
        let (status, _, body) = self.ask("GET", path, &[&self.host(), &self.cookie()], "");
        (status, body)
    }

    /// The lines of a stream.
    fn stream(&self, path: &str, more: &str) -> impl Iterator<Item = String> {
        let (host, cookie) = (self.host(), self.cookie());
        let request = format!("GET {path} HTTP/1.1\r\n{host}\r\n{cookie}\r\n{more}\r\n");
        let lines = BufReader::new(self.connect(&request)).lines();
        lines.map_while(Result::ok)
    }
}

fn story(task: u32, ending: Ending) -> Story {
    Story { questions: 1, user: Some("helpful"), ..Story::new(&format!("react:{task}:0"), "put", ending) }
}

fn logs(folder: &Path) {
    let short = Story { actions: 2, ..story(2, Ending::Solved) };
    let stories = [story(0, Ending::Solved), story(1, Ending::Failed), short];
    let batches = stories.map(|story| Batch::events(encode(&story.id, &events(&story))));
    write_run(&folder.join("over"), RUN_TOML, batches.into());
}

#[test]
fn strangers_and_other_sites_get_nothing() {
    let folder = tempfile::tempdir().unwrap();
    logs(folder.path());
    let pages = pages(folder.path());
    let (host, cookie) = (pages.host(), pages.cookie());
    let own = format!("Origin: http://{}", pages.address);
    let bearer = format!("Authorization: Bearer {}", pages.token);
    let cases: [(&str, &str, &[&str], u16); 12] = [
        ("GET", "/", &[&host], 303),
        ("GET", "/run/over", &[&host, "Cookie: rolecall=wrong"], 303),
        ("GET", "/api/run/over/rows", &[&host], 401),
        ("GET", "/api/run/over/events", &[&host], 401),
        ("POST", "/take", &[&host, &own], 401),
        ("GET", "/", &[&host, &bearer], 200),
        ("GET", "/", &["Host: rebound.example", &cookie], 403),
        ("GET", "/", &[&host, &cookie, "Origin: http://other.example"], 403),
        ("POST", "/take", &[&host, &cookie], 403),
        ("POST", "/take", &[&host, &cookie, "Origin: null"], 403),
        ("GET", "/login", &[&host], 200),
        ("DELETE", "/run/over", &[&host, &cookie, &own], 405),
    ];
    for (method, path, headers, expected) in cases {
        let (status, head, body) = pages.ask(method, path, headers, "");
        assert_eq!(status, expected, "{method} {path} {headers:?}: {body}");
        assert!(!body.contains("react:0:0"), "{path}");
        for header in ["content-security-policy: default-src 'none'", "nosniff", "no-store"] {
            assert!(head.contains(header), "{method} {path}: {head}");
        }
        assert!(!head.contains("access-control"), "{head}");
    }
}

#[test]
fn the_token_is_swapped_for_a_cookie_and_leads_back() {
    let folder = tempfile::tempdir().unwrap();
    let pages = pages(folder.path());
    let (host, own) = (pages.host(), format!("Origin: http://{}", pages.address));
    let form = "Content-Type: application/x-www-form-urlencoded";
    let headers = [&*host, &own, form];
    let wrong = pages.ask("POST", "/login", &headers, "token=0123&back=/");
    assert_eq!(wrong.0, 401);
    assert!(!wrong.1.contains("set-cookie"));
    let right = |back: &str| {
        let body = format!("token={}&back={back}", pages.token);
        pages.ask("POST", "/login", &headers, &body)
    };
    let (status, head, _) = right("%2Frun%2Fa%3Fx=1");
    assert_eq!(status, 303, "{head}");
    assert!(head.contains("location: /run/a?x=1"), "{head}");
    assert!(head.contains("httponly; samesite=strict; path=/"), "{head}");
    assert!(right("%2F%2Fother.example").1.contains("location: /\r\n"));
    let led = pages.ask("GET", "/run/a?x=1", &[&host], "");
    assert!(led.1.contains("location: /login?back=%2frun%2fa%3fx%3d1"), "{}", led.1);
}

#[test]
fn every_address_has_its_page_or_says_why_not() {
    let folder = tempfile::tempdir().unwrap();
    logs(folder.path());
    fs::write(folder.path().join("secret"), "s3cret").unwrap();
    let pages = pages(folder.path());
    let found = [
        ("/", "over"),
        ("/run/over", "react:1:0"),
        ("/run/over?ending=failed", "1</span> of 3"),
        ("/run/over?said=where+is+the+mug", "3</span> of 3"),
        ("/run/over?said=nobody+says+this", "0</span> of 3"),
        ("/run/over?sort=steps&down=1&offset=1", "react:"),
        ("/run/over/react:0:0", "Where is the mug?"),
        ("/run/over/react:0:0?seen=user", "not seen"),
        ("/run/over/react:0:0?view=columns", "react:0:0"),
        ("/run/over/react:0:0/event/0", "opened"),
        ("/compare", "action=\"/compare\""),
        ("/compare?a=over/react:0:0&b=over/react:1:0", "react:1:0"),
        ("/compare?a=over/react:0:0&b=over/react:2:0", "react:2:0"),
        ("/compare?a=over/react:0:0&b=over/react:0:0", "react:0:0"),
        ("/style.css", "color-scheme"),
        ("/script.js", "use strict"),
    ];
    for (path, part) in found {
        let (status, body) = pages.page(path);
        assert_eq!(status, 200, "{path}: {body}");
        assert!(body.contains(part), "{path} lacks `{part}`: {body}");
    }
    let missing = [
        "/run/nothing",
        "/run/..",
        "/run/%2e%2e%2fover",
        "/run/..%2F..%2Fetc",
        "/run/secret",
        "/run/over/react:9:0",
        "/run/over/nonsense",
        "/run/over/react:0:0/event/99999",
        "/compare?a=over&b=x",
        "/nowhere",
        "/api/run/nothing/rows",
        "/api/run/over/events?episode=react:9:0",
    ];
    for path in missing {
        let (status, body) = pages.page(path);
        assert_eq!(status, 404, "{path}: {body}");
        assert!(!body.contains("s3cret"), "{path}");
    }
    assert_eq!(pages.page("/run/over/react:0:0/event/minus").0, 400);
    let (_, rows) = pages.page("/api/run/over/rows?sort=episode&limit=1&offset=1");
    let rows: serde_json::Value = serde_json::from_str(&rows).unwrap();
    assert_eq!((&rows["total"], &rows["rows"][0]["texts"][0]), (&3.into(), &"react:1:0".into()));
}

/// The next event of a kind in a stream: its id and its data.
fn next(lines: &mut impl Iterator<Item = String>, kind: &str) -> (String, serde_json::Value) {
    let mut id = String::new();
    let wanted = format!("event: {kind}");
    let mut found = false;
    for line in lines {
        if let Some(own) = line.strip_prefix("id: ") {
            own.clone_into(&mut id);
        }
        found |= line == wanted;
        if line.starts_with("event: ") && line != wanted {
            found = false;
        }
        if let Some(data) = line.strip_prefix("data: ").filter(|_| found) {
            return (id, serde_json::from_str(data).unwrap());
        }
    }
    panic!("the stream ended without `{kind}`");
}

#[test]
fn what_is_written_comes_live_and_a_reader_who_was_away_misses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("live");
    let writer = LogWriter::create(&run, RUN_TOML, &LogSettings::default()).unwrap();
    let handle = writer.handle();
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let story = story(0, Ending::Solved);
    let all = events(&story);
    let write = |from: usize, to: usize| {
        let batch = Batch::events(encode(&story.id, &all[from..to]));
        runtime.block_on(handle.append_durably(batch)).unwrap();
    };
    write(0, 3);
    let pages = pages(folder.path());
    assert_eq!(pages.page("/run/live/react:0:0").0, 200);
    let path = "/api/run/live/events?episode=react:0:0&after=2";
    let mut first = pages.stream(path, "");
    write(3, 6);
    let (id, entry) = next(&mut first, "event");
    assert_eq!(entry["seq"].as_u64().unwrap().to_string(), id.rsplit_once('/').unwrap().1);
    drop(first);
    write(6, all.len());
    let again = format!("Last-Event-ID: {id}\r\n");
    let mut second = pages.stream(path, &again);
    let (_, entry) = next(&mut second, "event");
    let seen: u64 = id.rsplit_once('/').unwrap().1.parse().unwrap();
    assert!(entry["seq"].as_u64().unwrap() > seen, "{entry}");
    let (last, result) = next(&mut second, "result");
    assert_eq!(result["success"], true);
    assert_eq!(last, format!("react:0:0/{}", all.len() - 1));
    let mut whole = pages.stream("/api/run/live/events", "");
    assert_eq!(next(&mut whole, "progress").1["running"], true);
    writer.close().unwrap();
    next(&mut whole, "bye");
}
