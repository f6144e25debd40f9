//! `rolecall show --follow` beside a run that goes on, and the pager.

use std::fs::{self, File, OpenOptions};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::binary::{rolecall, text};
use crate::support::made_up::{RECORD, folder, lines, show, stories};
use crate::support::synthetic::Story;
use rolecall::log::{Batch, LogSettings, LogWriter};
use serde_json::Value;

/// Starts a follower whose output is read line by line.
fn following(folder: &Path, arguments: &[&str]) -> (Child, impl FnMut() -> Option<String>) {
    let arguments = [&["show", "--follow"], arguments].concat();
    let mut child = rolecall(folder, &arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    (child, move || lines.next().map(Result::unwrap))
}

fn last_words(mut child: Child) -> String {
    assert_eq!(child.wait().unwrap().code(), Some(0));
    let mut words = String::new();
    child.stderr.take().unwrap().read_to_string(&mut words).unwrap();
    words
}

fn batch(story: &Story) -> Batch {
    let (events, result) = lines(story);
    Batch { events, result, timing: Vec::new() }
}

fn wait<T>(future: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().build();
    runtime.unwrap().block_on(future)
}

#[test]
fn results_are_followed_until_the_writer_is_done() {
    let folder = tempfile::tempdir().unwrap();
    let writer = LogWriter::create(&folder.path().join("logs/r"), RECORD, &LogSettings::default()).unwrap();
    let handle = writer.handle();
    let (child, mut next) = following(folder.path(), &["r", "--json"]);
    for story in &stories()[..5] {
        wait(handle.append_durably(batch(story))).unwrap();
        let result: Value = serde_json::from_str(&next().unwrap()).unwrap();
        assert_eq!(result["episode"], story.id.to_string());
    }
    let listed: Value = serde_json::from_slice(&show(folder.path(), &["--json"]).stdout).unwrap();
    assert_eq!((&listed["episodes"], &listed["state"]), (&5.into(), &"running".into()), "{listed}");
    writer.close().unwrap();
    assert_eq!(next(), None);
    let words = last_words(child);
    for part in ["5 of 6", "2 of 4", "rolecall resume logs/r\n"] {
        assert!(words.contains(part), "{part} in {words}");
    }
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
    let begin = own.split_inclusive(|byte| *byte == b'\n').take(6).collect::<Vec<_>>().concat();
    file.write_all(&begin).unwrap();
    assert!(next().unwrap().contains("respact:1:0"));
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
    assert!(last.contains("9 steps"), "{last}");
    // The episode was over, though the run is not.
    assert_eq!(last_words(child), "");
    drop(running);
}

#[test]
fn whoever_reads_no_more_is_told_nothing_of_a_run_that_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("logs/r");
    fs::create_dir_all(&run).unwrap();
    let running = File::create(run.join("running")).unwrap();
    running.lock().unwrap();
    fs::write(run.join("run.toml"), RECORD).unwrap();
    let (first, _) = lines(&stories()[4]);
    let (second, _) = lines(&stories()[0]);
    let mut file = File::create(run.join("events.jsonl")).unwrap();
    file.write_all(&first).unwrap();
    let (child, mut next) = following(folder.path(), &["r", "--transcripts"]);
    assert!(next().is_some());
    drop(next);
    file.write_all(&second).unwrap();
    assert_eq!(last_words(child), "");
    drop(running);
}

#[test]
fn a_run_that_was_killed_is_not_waited_for() {
    let folder = folder();
    let run = folder.path().join("logs/r");
    // Left behind by the killed process, but not locked.
    File::create(run.join("running")).unwrap();
    let mut events = OpenOptions::new().append(true).open(run.join("events.jsonl")).unwrap();
    events.write_all(b"{\"schema\":1,\"epi").unwrap();
    let output = show(folder.path(), &["r", "--follow", "--transcripts"]);
    let printed = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0));
    assert!(printed.lines().all(|line| line.starts_with("re")), "{printed}");
    assert!(printed.lines().any(|line| line.starts_with("respact:2:0 ") && line.contains("user left")), "{printed}");
    let opens = |line: &&str| line.starts_with("react:1:0 ") && line.contains("task-1");
    assert_eq!(printed.lines().filter(opens).count(), 1, "{printed}");
    let closed = show(folder.path(), &["r", "--follow", "--kind", "closed"]);
    let closed = text(&closed.stdout);
    assert_eq!(closed.lines().count(), 6, "{closed}");
    let words = text(&output.stderr);
    assert!(words.contains("16 bytes"), "{words}");
    fs::remove_file(run.join("results.jsonl")).unwrap();
    let output = show(folder.path(), &["r", "--follow", "--failed"]);
    assert_eq!(text(&output.stdout).lines().count(), 4, "{output:?}");
    assert!(text(&output.stderr).contains("2 of 5"), "{output:?}");
    let missing = show(folder.path(), &["r", "react:7:0", "--follow"]);
    assert!(text(&missing.stderr).contains("has no episode `react:7:0`"), "{missing:?}");
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
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap().split_whitespace().collect();
    let ticks: u32 = fields[11].parse::<u32>().unwrap() + fields[12].parse::<u32>().unwrap();
    assert!(ticks < 20, "{ticks} ticks of the clock in 1.5 s of waiting");
    drop(player.stdin.take());
    player.wait().unwrap();
    let mut closed = 0;
    while let Some(line) = next() {
        closed += usize::from(line.contains(" steps: reward "));
    }
    assert!(closed >= 1);
    assert!(!last_words(child).is_empty());
}

#[cfg(target_os = "linux")]
fn until(what: impl Fn() -> bool) {
    let began = Instant::now();
    while !what() {
        assert!(began.elapsed() < Duration::from_secs(20), "it did not happen");
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
        let command = format!("stty rows 5 cols 100; {} {command}", env!("CARGO_BIN_EXE_rolecall"));
        script.args(["-qec", &command, "/dev/null"]).current_dir(folder.path());
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
    assert!(text.contains("respact:2:0") && text.contains('\u{1b}'), "{text}");
    assert!(!String::from_utf8_lossy(&output.stdout).contains("respact:2:0"));
    for command in ["show r --no-pager", "show r -n 1", "show r --json"] {
        let output = terminal(command, &into_file).unwrap();
        assert!(String::from_utf8_lossy(&output.stdout).contains("react:0:0"), "{command}");
        assert!(!paged.exists(), "{command}");
    }
    let quits = terminal("show r -t", "true").unwrap();
    assert!(quits.status.success() && !String::from_utf8_lossy(&quits.stdout).contains("error"));
}
