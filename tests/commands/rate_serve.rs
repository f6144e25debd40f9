//! `rolecall rate serve` as it is given in a shell: raters with links of their own, by plain forms.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::Duration;

use crate::support::binary::rolecall;
use crate::support::played::{ends, folder, play};
use serde_json::Value;

/// A server of a rating.
struct Server {
    child: Child,
    /// Host and port.
    address: String,
    /// The tickets of the raters, in their order.
    tickets: Vec<String>,
}

impl Server {
    /// Starts it, and reads its links.
    fn start(folder: &Path, arguments: &[&str]) -> Self {
        let common = ["rate", "serve", "r", "--listen", "127.0.0.1:0"];
        let mut command = rolecall(folder, &[&common[..], arguments].concat());
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let mut tickets = Vec::new();
        let mut address = String::new();
        for line in output.lines().map(Result::unwrap) {
            let Some((before, ticket)) = line.split_once("/rate#t=") else {
                continue;
            };
            before.split_once("http://").unwrap().1.clone_into(&mut address);
            if line.starts_with("how far") {
                break;
            }
            tickets.push(ticket.to_owned());
        }
        Self { child, address, tickets }
    }

    /// The status, where it leads to, and the page; `form` is posted.
    fn ask(&self, ticket: &str, path: &str, form: Option<&str>) -> (u16, String, String) {
        let address = &self.address;
        let (_, port) = address.split_once(':').unwrap();
        let body = form.unwrap_or_default();
        let method = if form.is_some() { "POST" } else { "GET" };
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: {address}\r\nOrigin: http://{address}\r\n\
             Cookie: rolecall-{port}={ticket}\r\nContent-Type: application/x-www-form-urlencoded\r\n\
             Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
            body.len()
        );
        let mut stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, page) = answer.split_once("\r\n\r\n").unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        let to = head.lines().find_map(|line| line.strip_prefix("location: "));
        (status, to.unwrap_or_default().to_owned(), page.to_owned())
    }

    /// Answers everything that a rater is asked, and gives the item of each page.
    fn answer(&self, rater: usize, mut label: impl FnMut(&str) -> String) -> Vec<String> {
        let ticket = &self.tickets[rater];
        let mut at = self.ask(ticket, "/rate", None).1;
        let mut items = Vec::new();
        while at != "/rate/end" {
            let (_, _, page) = self.ask(ticket, &at, None);
            let item = page.split(r#"name="item" value=""#).nth(1).unwrap();
            let item = item.split('"').next().unwrap().to_owned();
            let form = format!("item={item}&label={}", label(&page));
            let (status, to, said) = self.ask(ticket, &at, Some(&form));
            assert_eq!(status, 303, "{said}");
            items.push(item);
            at = to;
        }
        items
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn agreed(folder: &Path, more: &[&str]) -> Value {
    let arguments = [&["rate", "agreement", "r", "--json"], more].concat();
    serde_json::from_slice(&ends(folder, &arguments, 0).stdout).unwrap()
}

#[test]
fn raters_label_in_a_browser_blind_and_each_by_themselves() {
    let folder = folder();
    let at = folder.path();
    play(at, "respact", "r", &["--limit", "6"]);
    let arguments = ["--what", "categories", "--sample", "5", "--raters", "2"];
    let server = Server::start(at, &arguments);
    let [one, other] = &server.tickets[..] else { panic!("{:?}", server.tickets) };
    let mut asked: BTreeMap<String, String> = BTreeMap::new();
    let items = server.answer(0, |page| {
        for word in ["respact", "helpful", "main", "executor", "solved", "strategy"] {
            let text = page.replace(r#"<main id="main""#, "").replace("#main", "").replace("</main>", "");
            assert!(!text.contains(word), "{word} in {text}");
        }
        asked.insert(page.to_owned(), String::new());
        "status+update".to_owned()
    });
    assert_eq!((items.len(), asked.len()), (5, 5));
    let theirs = server.answer(1, |page| {
        assert!(!page.contains("checked"), "{page}");
        "probing+question".to_owned()
    });
    assert_ne!(items, theirs, "an order of its own");
    let sorted = |mut items: Vec<String>| {
        items.sort();
        items
    };
    assert_eq!(sorted(items.clone()), sorted(theirs));
    // A ticket opens nothing else, and nothing opens without one.
    for path in ["/", "/run/r", "/api/run/r/rows", "/compare"] {
        assert_eq!(server.ask(one, path, None).0, 403, "{path}");
    }
    assert_eq!(server.ask("", "/rate/1", Some("item=x")).0, 401);
    assert_eq!(server.ask("", "/rate/1", None).1, "/login?back=%2Frate%2F1");
    // A label is changed; the agreement sees the last one.
    let form = format!("item={}&label=probing+question", items[0]);
    server.ask(one, "/rate/1", Some(&form));
    let found = agreed(at, &["--what", "categories"]);
    assert_eq!(found["raters"][0]["labels"], 5);
    assert_eq!(found["pairs"][0]["items"], 5);
    assert_eq!(found["pairs"][0]["raw"]["value"], 0.2);
    // Begun again it goes on; what was labelled stays.
    let other = other.clone();
    drop(server);
    let server = Server::start(at, &arguments);
    assert_eq!(server.ask(&other, "/rate/1", None).0, 303, "an old ticket");
    let ticket = &server.tickets[0];
    assert_eq!(server.ask(ticket, "/rate", None).1, "/rate/end");
}

/// Two cells of which one is called better wherever it stands.
#[test]
#[expect(clippy::too_many_lines, reason = "a study from its beginning to its figures")]
fn pairs_are_compared_blind_and_win_rates_undo_the_sides() {
    let folder = folder();
    let at = folder.path();
    let extends = "extends = \"configs/household/respact.toml\"\nname = \"two\"\n";
    let cells = "[[cells]]\nname = \"firstcell\"\n[[cells]]\nname = \"secondcell\"\nuser.kind = \"unhelpful\"\n";
    std::fs::write(at.join("two.toml"), extends.to_owned() + cells).unwrap();
    let run = ["run", "two.toml", "--name", "r", "-q", "--no-report", "--limit", "8"];
    ends(at, &run, 0);
    let what = ["--what", "scale:1-5:quality"];
    let arguments = [&what[..], &["--pairwise", "--raters", "2"]].concat();
    let server = Server::start(at, &arguments);
    let mut pages = Vec::new();
    let items = server.answer(0, |page| {
        assert!(!page.contains("firstcell") && !page.contains("secondcell"), "{page}");
        for part in ["quality", r#"value="tie""#] {
            assert!(page.contains(part), "{part} in {page}");
        }
        pages.push(page.to_owned());
        "A".to_owned()
    });
    let all = items.len();
    assert!(all >= 4, "{items:?}");
    let lines = |rater: &str| {
        let file = format!("logs/r/labels/pairwise.scale-1-5_quality-{rater}.jsonl");
        let text = std::fs::read_to_string(at.join(file)).unwrap();
        let lines = text.lines().map(|line| serde_json::from_str(line).unwrap());
        lines.collect::<Vec<Value>>()
    };
    let first = |line: &Value| line["episode"].as_str().unwrap().starts_with("firstcell");
    let sides = lines("rater-1");
    let on_a = sides.iter().filter(|line| first(line)).count();
    assert!(on_a.abs_diff(all - on_a) <= 1, "{sides:?}");
    for line in &sides {
        let other = line["against"]["episode"].as_str().unwrap();
        assert_ne!(first(line), other.starts_with("firstcell"));
    }
    // Always A, so half of the wins are each cell's.
    let pairwise = [&what[..], &["--pairwise"]].concat();
    let found = agreed(at, &pairwise);
    let win = &found["wins"][0];
    assert_eq!(win["cells"], serde_json::json!(["firstcell", "secondcell"]));
    assert_eq!((&win["won"], &win["lost"]), (&on_a.into(), &(all - on_a).into()));
    drop(server);
    // The other rater prefers the first cell, by the sides that are written down.
    let server = Server::start(at, &arguments);
    let ticket = &server.tickets[1];
    let mut seen_on_a = BTreeMap::new();
    server.answer(1, |_| "tie".to_owned());
    for line in lines("rater-2") {
        seen_on_a.insert(line["id"].as_str().unwrap().to_owned(), first(&line));
    }
    for number in 1..=all {
        let path = format!("/rate/{number}");
        let (_, _, page) = server.ask(ticket, &path, None);
        let item = page.split(r#"name="item" value=""#).nth(1).unwrap();
        let item = item.split('"').next().unwrap();
        let side = if seen_on_a[item] { "A" } else { "B" };
        server.ask(ticket, &path, Some(&format!("item={item}&label={side}")));
    }
    let found = agreed(at, &[&pairwise[..], &["--rater", "rater-2"]].concat());
    let win = &found["wins"][0];
    assert_eq!((&win["won"], &win["ties"]), (&all.into(), &0.into()));
    assert!(win["rate"]["low"].as_f64().unwrap() > 0.5, "{win}");
    let both = agreed(at, &pairwise);
    let same = on_a as f64 / all as f64;
    assert_eq!(both["pairs"][0]["raw"]["value"], same);
    assert_eq!(both["wins"].as_array().unwrap().len(), 3);
}
