//! `rolecall show`: filters, JSON lines, following a run, finding one.

#![expect(
    clippy::unwrap_used,
    reason = "helpers of tests stop at the first surprise"
)]
#![allow(
    clippy::disallowed_methods,
    reason = "a test waits for another process"
)]

mod binary;
mod synthetic;

use std::fs::{self, File, OpenOptions};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use binary::{rolecall, text};
use rolecall::domain::{Ending, Limit, Seat};
use rolecall::log::{Batch, EventEncoder, LogWriter};
use serde_json::Value;
use synthetic::{Story, events};

const RECORD: &str = "schema = 1\nname = \"r\"\nseed = 1\nrepeats = 1\nepisodes = 6\n\
    [[cells]]\nname = \"react\"\n[[cells.roles]]\nrole = \"executor\"\n\
    [[cells]]\nname = \"respact\"\n[[cells.roles]]\nrole = \"executor\"\n\
    [[cells.users]]\nkind = \"helpful\"\n";

fn stories() -> Vec<Story> {
    let out = Ending::OutOf {
        limit: Limit::Steps,
    };
    let helpful = |story| Story {
        user: Some("helpful"),
        ..story
    };
    vec![
        Story::new("react:0:0", "put", Ending::Solved),
        Story {
            actions: 9,
            ..Story::new("react:1:0", "heat", out.clone())
        },
        Story::new("react:2:0", "put", Ending::Broken { by: Seat::User }),
        helpful(Story {
            questions: 2,
            ..Story::new("respact:0:0", "put", Ending::Solved)
        }),
        helpful(Story {
            questions: 5,
            invalid: 1,
            ..Story::new("respact:1:0", "heat", out)
        }),
        helpful(Story::new("respact:2:0", "put", Ending::UserLeft)),
    ]
}

/// Appends an episode to a run's files, as a run does: events first.
fn append(run: &Path, story: &Story) {
    let (lines, result) = lines(story);
    let open = |name: &str| {
        let mut options = OpenOptions::new();
        options
            .append(true)
            .create(true)
            .open(run.join(name))
            .unwrap()
    };
    open("events.jsonl").write_all(&lines).unwrap();
    open("results.jsonl").write_all(&result).unwrap();
}

fn lines(story: &Story) -> (Vec<u8>, Vec<u8>) {
    let episode = rolecall::log::RecordedEpisode {
        id: story.id.clone(),
        events: events(story),
    };
    let encoder = EventEncoder::new(&story.id);
    let (mut lines, mut result) = (Vec::new(), Vec::new());
    for event in &episode.events {
        encoder.encode(event, &mut lines).unwrap();
    }
    let metrics: Vec<_> = rolecall::registry::Registry::standard()
        .metrics
        .iter()
        .map(|entry| entry.metric as _)
        .collect();
    rolecall::evaluation::measure(&episode.log(), &metrics).encode(&mut result);
    (lines, result)
}

/// A folder with the run `r` below `logs`.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("logs/r");
    fs::create_dir_all(&run).unwrap();
    fs::write(run.join("run.toml"), RECORD).unwrap();
    stories().iter().for_each(|story| append(&run, story));
    folder
}

fn show(folder: &Path, arguments: &[&str]) -> Output {
    let arguments = [&["show"], arguments].concat();
    rolecall(folder, &arguments).output().unwrap()
}

/// The episodes that a list names, in its order.
fn listed(folder: &Path, arguments: &[&str]) -> Vec<String> {
    let output = show(folder, &[&["r"], arguments].concat());
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let list = text(&output.stdout);
    let names = list.lines().filter_map(|line| line.split(' ').next());
    names
        .filter(|name| name.contains(':'))
        .map(str::to_owned)
        .collect()
}

#[test]
fn episodes_are_chosen_by_what_became_of_them() {
    let folder = folder();
    let cases: [(&[&str], &[&str]); 14] = [
        (&["--failed"], &["react:1:0", "respact:1:0", "respact:2:0"]),
        (&["--broken"], &["react:2:0"]),
        (&["--task-type", "heat"], &["react:1:0", "respact:1:0"]),
        (
            &["--cell", "respact", "--failed"],
            &["respact:1:0", "respact:2:0"],
        ),
        (
            &["--user", "helpful", "--ending", "solved"],
            &["respact:0:0"],
        ),
        (&["--ending", "out-of-steps"], &["react:1:0", "respact:1:0"]),
        (
            &[
                "--ending",
                "out of steps",
                "--ending",
                "user-left",
                "--cell",
                "respact",
            ],
            &["respact:1:0", "respact:2:0"],
        ),
        (
            &["--sort", "steps", "-n", "2"],
            &["react:1:0", "respact:1:0"],
        ),
        (
            &["--sort", "questions", "-n", "2"],
            &["respact:1:0", "respact:0:0"],
        ),
        (&["--sort", "invalid", "--limit", "1"], &["respact:1:0"]),
        (
            &["--sort", "reward", "--reverse", "-n", "1"],
            &["respact:2:0"],
        ),
        (&["--reverse", "-n", "1"], &["respact:2:0"]),
        (&["--limit", "1", "--ending", "broken"], &["react:2:0"]),
        (
            &[
                "--cell",
                "react",
                "--cell",
                "respact",
                "--task-type",
                "put",
                "--ending",
                "broken",
            ],
            &["react:2:0"],
        ),
    ];
    for (arguments, expected) in cases {
        assert_eq!(listed(folder.path(), arguments), expected, "{arguments:?}");
    }
    let all = listed(folder.path(), &[]);
    assert_eq!(all.len(), 6);
    let none = show(
        folder.path(),
        &["r", "--cell", "react", "--user", "helpful"],
    );
    assert_eq!(
        (none.status.code(), text(&none.stdout).as_str()),
        (Some(0), "")
    );
    assert_eq!(
        text(&none.stderr),
        "none of the 6 episodes of this run matches\n"
    );
}

#[test]
fn words_that_nothing_has_are_refused_with_those_there_are() {
    let folder = folder();
    let cases: [(&[&str], &str); 9] = [
        (
            &["r", "--task-type", "heet"],
            "(did you mean `heat`?); there is `heat`, `put`",
        ),
        (
            &["r", "--cell", "main"],
            "the cell `main`; there is `react`, `respact`",
        ),
        (&["r", "--user", "x"], "there is `helpful`"),
        (
            &["r", "respact:0:0", "--seat", "usr"],
            "no seat `usr` (did you mean `user`?); there is `executor`, `user`, `environment`, `conductor`",
        ),
        (&["r", "--kind", "thnk"], "a similar value exists: 'think'"),
        (&["r", "--ending", "out-of-step"], "'out-of-steps'"),
        (&["r", "--sort", "sreps"], "steps"),
        (&["r", "react:0:0", "--failed"], "cannot be used with"),
        (&["r", "--failed", "--broken"], "cannot be used with"),
    ];
    for (arguments, expected) in cases {
        let output = show(folder.path(), arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let complaint = text(&output.stderr);
        assert!(complaint.contains(expected), "{arguments:?}: {complaint}");
    }
}

#[test]
fn events_are_chosen_by_seat_and_kind() {
    let folder = folder();
    let shown = |arguments: &[&str]| text(&show(folder.path(), arguments).stdout);
    let dialogue = shown(&["r", "respact:0:0", "--kind", "speak", "--kind", "replied"]);
    assert_eq!(
        dialogue.matches("Where is the mug?").count(),
        2,
        "{dialogue}"
    );
    assert_eq!(dialogue.matches("In drawer 1.").count(), 2);
    assert!(
        !dialogue.contains("go to drawer 1") && dialogue.contains("4 of "),
        "{dialogue}"
    );
    assert!(
        dialogue.contains("   2  executor"),
        "steps keep their numbers: {dialogue}"
    );
    let both = shown(&[
        "r",
        "respact:0:0",
        "--kind",
        "replied",
        "--seat",
        "executor",
    ]);
    assert!(both.contains("0 of ") && !both.contains("drawer"), "{both}");
    // What is passed on as it was said is shown when it is asked for.
    let told = shown(&["r", "respact:0:0", "--kind", "told"]);
    assert_eq!(told.matches("Where is the mug?").count(), 2, "{told}");
    let hidden = shown(&["r", "respact:0:0", "--kind", "entrusted"]);
    assert!(
        !hidden.contains("SECRET") && hidden.contains("1 private entries"),
        "{hidden}"
    );
    let private = shown(&["r", "respact:0:0", "--kind", "private", "--private"]);
    assert!(private.contains("SECRET"), "{private}");
    let many = shown(&["r", "--failed", "--transcripts", "--cell", "respact"]);
    assert_eq!(many.matches("Episode respact:").count(), 2, "{many}");
    // A choice of events asks for transcripts by itself.
    let speech = shown(&["r", "--kind", "speak"]);
    assert_eq!(speech.matches("Where is the mug?").count(), 7, "{speech}");
    assert_eq!(speech.matches("Episode ").count(), 6);
}

#[test]
fn json_lines_are_results_or_events() {
    let folder = folder();
    let values = |arguments: &[&str]| -> Vec<Value> {
        let output = show(folder.path(), &[&["r", "--json"], arguments].concat());
        let lines = text(&output.stdout);
        lines
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    };
    let results = values(&["--failed"]);
    let names: Vec<&Value> = results.iter().map(|result| &result["episode"]).collect();
    assert_eq!(names, ["react:1:0", "respact:1:0", "respact:2:0"]);
    assert_eq!(results[0]["counts"]["steps"], 10);
    let replies = values(&["--kind", "replied"]);
    assert_eq!(replies.len(), 7);
    assert_eq!(replies[0]["message"]["replied"]["text"], "In drawer 1.");
    let open = values(&["respact:0:0"]);
    let whole = values(&["respact:0:0", "--private"]);
    assert_eq!(whole.len(), open.len() + 1);
    assert!(
        whole
            .iter()
            .zip(0..)
            .all(|(event, seq)| event["seq"] == seq)
    );
    let noted = show(folder.path(), &["r", "respact:0:0", "--json"]);
    assert_eq!(
        text(&noted.stderr),
        "1 private events are left out (--private)\n"
    );
    assert!(values(&["react:0:0", "--seat", "user"]).is_empty());
}

#[test]
fn the_list_is_that_of_the_events_when_the_results_are_missing_or_behind() {
    let folder = folder();
    let results = folder.path().join("logs/r/results.jsonl");
    let whole = fs::read_to_string(&results).unwrap();
    let expected = text(&show(folder.path(), &["r"]).stdout);
    let half: String = whole.split_inclusive('\n').take(3).collect();
    let twice = whole.clone() + &half;
    for stored in [half, "{}\n".repeat(6), twice, String::new()] {
        fs::write(&results, stored).unwrap();
        assert_eq!(text(&show(folder.path(), &["r"]).stdout), expected);
    }
    fs::remove_file(&results).unwrap();
    assert_eq!(text(&show(folder.path(), &["r"]).stdout), expected);
}

#[test]
fn runs_are_listed_newest_first_and_named_when_one_is_not_found() {
    let folder = folder();
    let logs = folder.path().join("logs");
    let begin = |name: &str, age: u64, stories: &[Story]| {
        let run = logs.join(name);
        fs::create_dir(&run).unwrap();
        let record = File::create(run.join("run.toml")).unwrap();
        (&record).write_all(RECORD.as_bytes()).unwrap();
        let now = record.metadata().unwrap().modified().unwrap();
        record.set_modified(now - Duration::from_secs(age)).unwrap();
        fs::write(run.join("events.jsonl"), "").unwrap();
        fs::write(run.join("results.jsonl"), "").unwrap();
        stories.iter().for_each(|story| append(&run, story));
    };
    begin("older", 7200, &stories()[..3]);
    begin("oldest", 86_400, &[]);
    fs::create_dir(logs.join("no-run")).unwrap();
    let list = show(folder.path(), &[]);
    let list = text(&list.stdout);
    let rows: Vec<Vec<&str>> = list
        .lines()
        .map(|line| line.split_whitespace().collect())
        .collect();
    assert_eq!(rows.len(), 5, "{list}");
    let names: Vec<&str> = rows[2..].iter().map(|row| row[0]).collect();
    assert_eq!(names, ["r", "older", "oldest"]);
    assert_eq!(rows[2][3..], ["6", "40.0"], "{list}");
    assert_eq!(rows[3][3..], ["3", "of", "6", "50.0", "interrupted"]);
    assert_eq!(rows[4][3..], ["0", "of", "6", "-", "interrupted"]);
    let date = rows[2][1].split('-').map(str::parse::<u32>);
    assert!(
        date.clone().count() == 3 && date.clone().all(|part| part.is_ok()),
        "{list}"
    );
    let limited = text(&show(folder.path(), &["--limit", "1"]).stdout);
    assert_eq!(limited.lines().count(), 3, "{limited}");
    let json = text(&show(folder.path(), &["--json", "-n", "1"]).stdout);
    let line: Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&line["run"], &line["episodes"]), (&"r".into(), &6.into()));
    assert_eq!(
        (&line["success"], &line["state"]),
        (&0.4.into(), &"finished".into())
    );
    // A folder that holds runs may be named as well.
    assert_eq!(text(&show(folder.path(), &["logs"]).stdout), list);
    let unknown = show(folder.path(), &["rr"]);
    assert_eq!(unknown.status.code(), Some(2));
    let complaint = text(&unknown.stderr);
    assert!(
        complaint.contains("there are `r`, `older`, `oldest`"),
        "{complaint}"
    );
    assert_eq!(show(folder.path(), &["--failed"]).status.code(), Some(2));
    let empty = tempfile::tempdir().unwrap();
    let nothing = show(empty.path(), &[]);
    assert_eq!(nothing.status.code(), Some(0));
    assert!(
        text(&nothing.stderr).contains("no runs below `logs`"),
        "{nothing:?}"
    );
}

/// Starts a follower whose output is read line by line.
fn following(folder: &Path, arguments: &[&str]) -> (Child, impl FnMut() -> Option<String>) {
    let arguments = [&["show", "--follow"], arguments].concat();
    let mut child = rolecall(folder, &arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    (child, move || lines.next().map(Result::unwrap))
}

fn last_words(mut child: Child) -> String {
    assert_eq!(child.wait().unwrap().code(), Some(0));
    let mut words = String::new();
    child
        .stderr
        .take()
        .unwrap()
        .read_to_string(&mut words)
        .unwrap();
    words
}

fn batch(story: &Story) -> Batch {
    let (events, result) = lines(story);
    Batch {
        events,
        result,
        timing: Vec::new(),
    }
}

fn wait<T>(future: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().build();
    runtime.unwrap().block_on(future)
}

#[test]
fn results_are_followed_until_the_writer_is_done() {
    let folder = tempfile::tempdir().unwrap();
    let writer = LogWriter::create(&folder.path().join("logs/r"), RECORD).unwrap();
    let handle = writer.handle();
    let (child, mut next) = following(folder.path(), &["r", "--json"]);
    for story in &stories()[..5] {
        wait(handle.append_durably(batch(story))).unwrap();
        let result: Value = serde_json::from_str(&next().unwrap()).unwrap();
        assert_eq!(result["episode"], story.id.to_string());
    }
    let listed = text(&show(folder.path(), &[]).stdout);
    assert!(
        listed.contains("5 of 6") && listed.contains("running"),
        "{listed}"
    );
    writer.close().unwrap();
    assert_eq!(next(), None);
    assert_eq!(
        last_words(child),
        "the run is over: 5 of 6 episodes are closed, 2 of 4 that count are solved\n"
    );
}

#[test]
fn events_are_followed_through_half_written_lines_and_growth_by_megabytes() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("logs/r");
    fs::create_dir_all(&run).unwrap();
    // What another process does that writes: its lock says that it is still there.
    let running = File::create(run.join("running")).unwrap();
    running.lock().unwrap();
    let (child, mut next) = following(folder.path(), &["r", "respact:1:0"]);
    fs::write(run.join("run.toml"), RECORD).unwrap();
    let story = &stories()[4];
    let (own, _) = lines(story);
    let (other, _) = lines(&stories()[0]);
    let mut file = File::create(run.join("events.jsonl")).unwrap();
    for _ in 0..2000 {
        file.write_all(&other).unwrap();
    }
    let begin = own
        .split_inclusive(|byte| *byte == b'\n')
        .take(6)
        .collect::<Vec<_>>()
        .concat();
    file.write_all(&begin).unwrap();
    assert_eq!(next().unwrap(), "Episode respact:1:0");
    let thought = loop {
        let line = next().unwrap();
        if line.contains("think") {
            break line;
        }
    };
    assert!(thought.ends_with("I must find a mug."), "{thought}");
    // Two halves of the rest, cut inside a line.
    let rest = &own[begin.len()..];
    let (first, second) = rest.split_at(rest.len() / 2 + 3);
    file.write_all(first).unwrap();
    assert!(next().unwrap().contains("Where is the mug?"));
    file.write_all(second).unwrap();
    let mut last = String::new();
    while let Some(line) = next() {
        last = line;
    }
    assert!(last.starts_with("out of steps after 9 steps"), "{last}");
    // The episode was over, though the run is not.
    assert_eq!(last_words(child), "");
    drop(running);
}

#[test]
fn a_run_that_was_killed_is_not_waited_for() {
    let folder = folder();
    let run = folder.path().join("logs/r");
    // Left behind by the killed process, but not locked.
    File::create(run.join("running")).unwrap();
    let mut events = OpenOptions::new()
        .append(true)
        .open(run.join("events.jsonl"))
        .unwrap();
    events.write_all(b"{\"schema\":1,\"epi").unwrap();
    let output = show(folder.path(), &["r", "--follow", "--transcripts"]);
    let printed = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0));
    assert!(
        printed.lines().all(|line| line.starts_with("re")),
        "{printed}"
    );
    assert!(printed.contains("respact:2:0 user left after"), "{printed}");
    let words = text(&output.stderr);
    assert!(
        words.contains("(line ") && words.contains("16 bytes) was cut off"),
        "{words}"
    );
    fs::remove_file(run.join("results.jsonl")).unwrap();
    let output = show(folder.path(), &["r", "--follow", "--failed"]);
    assert_eq!(text(&output.stdout).lines().count(), 4, "{output:?}");
    assert!(
        text(&output.stderr).contains("6 episodes are closed, 2 of 5"),
        "{output:?}"
    );
    let missing = show(folder.path(), &["r", "react:7:0", "--follow"]);
    assert!(
        text(&missing.stderr).contains("has no episode `react:7:0`"),
        "{missing:?}"
    );
}

/// A real run in another process, followed from beginning to end; the follower must not spin.
#[cfg(target_os = "linux")]
#[test]
fn a_real_run_is_followed_to_its_end_at_little_cost() {
    let folder = tempfile::tempdir().unwrap();
    let config = Path::new(env!("CARGO_MANIFEST_DIR")).join("configs/quickstart.toml");
    let config = config.display().to_string();
    let human = [
        "run",
        &config,
        "--name",
        "r",
        "--quiet",
        "--limit",
        "1",
        "--set",
        "user.kind=human",
        "--set",
        "limits.turn_seconds=60",
    ];
    // A person who takes time to answer: the run waits on its standard input.
    let mut player = rolecall(folder.path(), &human)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    until(|| folder.path().join("logs/r/run.toml").exists());
    let (child, mut next) = following(folder.path(), &["r", "--transcripts"]);
    let first = next().unwrap();
    assert!(first.contains(":0:0 "), "{first}");
    std::thread::sleep(Duration::from_millis(1500));
    let stat = fs::read_to_string(format!("/proc/{}/stat", child.id())).unwrap();
    let fields: Vec<&str> = stat
        .rsplit(')')
        .next()
        .unwrap()
        .split_whitespace()
        .collect();
    let ticks: u32 = fields[11].parse::<u32>().unwrap() + fields[12].parse::<u32>().unwrap();
    assert!(ticks < 50, "{ticks} ticks of the clock in 1.5 s of waiting");
    drop(player.stdin.take());
    player.wait().unwrap();
    let mut closed = 0;
    while let Some(line) = next() {
        closed += usize::from(line.contains(" steps: reward "));
    }
    assert!(closed >= 1);
    assert!(last_words(child).starts_with("the run is over"));
}

#[cfg(target_os = "linux")]
fn until(what: impl Fn() -> bool) {
    let began = Instant::now();
    while !what() {
        assert!(
            began.elapsed() < Duration::from_secs(20),
            "it did not happen"
        );
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// On a terminal, which `script` makes.
#[cfg(target_os = "linux")]
#[test]
fn a_long_list_goes_through_the_pager_with_its_colours() {
    let folder = folder();
    let paged = folder.path().join("paged");
    let terminal = |command: &str, pager: &str| {
        let _ = fs::remove_file(&paged);
        let mut script = Command::new("script");
        let command = format!(
            "stty rows 5 cols 100; {} {command}",
            env!("CARGO_BIN_EXE_rolecall")
        );
        script
            .args(["-qec", &command, "/dev/null"])
            .current_dir(folder.path());
        script.env("ROLECALL_PAGER", pager).env_remove("NO_COLOR");
        script.stdin(Stdio::null()).output()
    };
    let into_file = format!("cat > '{}'", paged.display());
    let Ok(output) = terminal("show r", &into_file) else {
        println!("skipped: this system has no `script`");
        return;
    };
    assert!(output.status.success(), "{output:?}");
    let text = fs::read_to_string(&paged).unwrap();
    assert!(
        text.contains("respact:2:0") && text.contains("\u{1b}[2m"),
        "{text}"
    );
    assert!(!String::from_utf8_lossy(&output.stdout).contains("respact:2:0"));
    for command in ["show r --no-pager", "show r -n 1", "show r --json"] {
        let output = terminal(command, &into_file).unwrap();
        assert!(
            String::from_utf8_lossy(&output.stdout).contains("react:0:0"),
            "{command}"
        );
        assert!(!paged.exists(), "{command}");
    }
    let quits = terminal("show r -t", "true").unwrap();
    assert!(quits.status.success() && !String::from_utf8_lossy(&quits.stdout).contains("error"));
}
