//! `rolecall branch`: another cast finishes what one began.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::Duration;

use crate::support::binary::text;
use crate::support::fake_model::{Does, FakeModel};
use crate::support::played::{ends, events, folder, play, rewrite};
use rolecall::domain::{EpisodeId, Event, Fork, Message};

const QUIET: [&str; 2] = ["-q", "--no-report"];

/// Branches off into `logs/<name>`.
fn branch(folder: &Path, name: &str, arguments: &[&str]) -> BTreeMap<EpisodeId, Vec<Event>> {
    let all = [&["branch"], arguments, &["--name", name], &QUIET[..]].concat();
    ends(folder, &all, 0);
    events(folder, name)
}

/// Where an episode leaves its parent.
fn fork(events: &[Event]) -> Fork {
    match &events[0].message {
        Message::Opened(opened) => opened.fork.as_deref().unwrap().clone(),
        other => panic!("{other:?}"),
    }
}

/// The events as they were before the episode was a branch.
fn without_fork(events: &[Event]) -> Vec<Event> {
    let mut events = events.to_vec();
    if let Message::Opened(opened) = &mut events[0].message {
        opened.fork = None;
    }
    events
}

fn places(events: &[Event], is: fn(&Message) -> bool) -> Vec<usize> {
    let places = events.iter().enumerate();
    let places = places.filter(|(_, event)| is(&event.message));
    places.map(|(place, _)| place).collect()
}

fn is_request(message: &Message) -> bool {
    ["begun", "brief", "perform", "told", "assess"].contains(&message.kind())
}

fn is_told(message: &Message) -> bool {
    matches!(message, Message::Told(_))
}

#[test]
fn an_unhelpful_user_from_the_first_question_on_changes_only_what_follows() {
    let folder = folder();
    play(folder.path(), "respact", "p", &["--limit", "6"]);
    let parent = events(folder.path(), "p");
    let swap = ["p", "--episodes", "all", "--at", "first-question", "--set"];
    let swap = [&swap[..], &["user.kind=unhelpful"]].concat();
    let branched = branch(folder.path(), "b", &swap);
    assert_eq!(branched.len(), 6);
    let mut other_replies = 0;
    for (id, own) in &branched {
        let theirs = &parent[id];
        let copied = places(theirs, is_told)[0] + 1;
        let events = copied as u32;
        assert_eq!(fork(own), Fork { run: "p".to_owned(), events, ..Fork::default() });
        for (own, theirs) in own[1..copied].iter().zip(&theirs[1..]) {
            let brief = matches!(own.message, Message::Brief(_));
            assert!(own == theirs || brief, "{own:?} is not {theirs:?}");
        }
        let user = |events: &[Event]| match &events[0].message {
            Message::Opened(opened) => opened.user.clone().unwrap(),
            other => panic!("{other:?}"),
        };
        assert_eq!((user(own), user(theirs)), ("unhelpful".into(), "helpful".into()));
        assert!(matches!(own[copied].message, Message::Replied(_)));
        other_replies += usize::from(own[copied] != theirs[copied]);
    }
    assert!(other_replies >= 5, "{other_replies} replies differ");
    // What was written is a run like others.
    ends(folder.path(), &["replay", "b"], 0);
}

/// A talkative run in which what people say is drawn by seeds: `p`, and beside its branch `b` the control.
fn with_control() -> tempfile::TempDir {
    let folder = folder();
    let at = folder.path();
    let run = ["run", "configs/dialogue/tutor.toml", "--name", "p", "--limit", "6"];
    ends(at, &[&run[..], &QUIET].concat(), 0);
    let all = ["branch", "p", "--episodes", "all", "--at", "first-question", "--control"];
    let all = [&all[..], &["--set", "limits.attempts=7", "--name", "b"], &QUIET].concat();
    ends(at, &all, 0);
    folder
}

#[test]
fn a_control_has_the_cast_of_the_parent_and_fresh_seeds_from_the_fork_on() {
    let folder = with_control();
    let at = folder.path();
    let (parent, control) = (events(at, "p"), events(at, "b-control"));
    assert_eq!(control.len(), 6);
    let mut differ = 0;
    for (id, own) in &control {
        let (theirs, fork) = (&parent[id], fork(own));
        let copied = fork.events as usize;
        assert_eq!(own[1..copied], theirs[1..copied]);
        assert_eq!((fork.reseeded.len(), fork.reseeded[0].from), (1, fork.events));
        differ += usize::from(own[copied..] != theirs[copied..]);
        // Its branch has the same seeds, and the cast did not change what follows.
        let branch = &events(at, "b")[id];
        assert_eq!(without_fork(branch)[copied..], own[copied..]);
    }
    assert!(differ >= 2, "{differ} of 6 differ");
    for run in ["b", "b-control"] {
        ends(at, &["replay", run], 0);
    }
    let record = fs::read_to_string(at.join("logs/b-control/run.toml")).unwrap();
    assert!(record.contains("run = \"p\"\n") && !record.contains("limits.attempts=7"), "{record}");
    // Cut short, it goes on with the seeds that it had.
    let mut left = control.clone();
    let ids: Vec<EpisodeId> = left.keys().cloned().collect();
    left.remove(&ids[0]);
    let copied = fork(&control[&ids[1]]).events as usize;
    left.get_mut(&ids[1]).unwrap().truncate(copied - 1);
    left.get_mut(&ids[2]).unwrap().truncate(copied + 2);
    rewrite(at, "b-control", &left);
    for file in ["results.jsonl", "timings.jsonl"] {
        fs::write(at.join("logs/b-control").join(file), "").unwrap();
    }
    ends(at, &["resume", "b-control", "--no-report"], 0);
    assert_eq!(events(at, "b-control"), control);
}

#[test]
fn the_control_of_a_branch_can_be_played_later() {
    let folder = with_control();
    let at = folder.path();
    let plain = ["branch", "p", "--episodes", "all", "--at", "first-question", "--name", "c"];
    ends(at, &[&plain[..], &QUIET].concat(), 0);
    // Without the option nothing is fresh.
    let (parent, branch) = (events(at, "p"), events(at, "c"));
    for (id, own) in &branch {
        assert_eq!(&without_fork(own), &parent[id]);
    }
    ends(at, &[&["branch", "c", "--control"], &QUIET[..]].concat(), 0);
    let control = events(at, "c-control");
    let places =
        |runs: &BTreeMap<EpisodeId, Vec<Event>>| -> Vec<u32> { runs.values().map(|own| fork(own).events).collect() };
    assert_eq!(places(&control), places(&branch));
    assert_ne!(control, events(at, "b-control"), "the seed is that of its own name");
    for (arguments, part) in [
        (&["p", "--control"][..], "`logs/p` is no branch"),
        (&["c", "--control"], "choose another run name"),
        (&["c", "--control", "--set", "limits.steps=9"], "leave out episodes"),
    ] {
        let all = [&["branch"], arguments].concat();
        let told = text(&ends(at, &all, 2).stderr);
        assert!(told.contains(part), "{arguments:?}: {told}");
    }
}

#[test]
fn a_branch_is_marked_wherever_it_is_shown() {
    let folder = folder();
    play(folder.path(), "respact", "p", &["--limit", "3"]);
    let swap = ["p", "0", "2", "--at", "first-question"];
    let all = [&["branch"], &swap[..], &["--set", "user.kind=unhelpful", "-q"]].concat();
    let printed = text(&ends(folder.path(), &all, 0).stdout);
    assert!(printed.contains("logs/p-branch"), "{printed}");
    let shown = text(&ends(folder.path(), &["show", "p-branch", "2"], 0).stdout);
    let (above, below) = shown.split_once("fork ").unwrap();
    assert!(above.contains("speak") && !above.contains("reply"), "{shown}");
    assert!(below.contains("run p") && below.contains("reply"), "{shown}");
    assert_eq!(shown.matches("fork").count(), 1);
    let questions = ["show", "p-branch", "2", "--kind", "speak"];
    let some = text(&ends(folder.path(), &questions, 0).stdout);
    assert!(!some.contains("fork"), "{some}");
    let list = text(&ends(folder.path(), &["show"], 0).stdout);
    let line = list.lines().find(|line| line.starts_with("p-branch ")).unwrap();
    assert!(line.contains(" 2 ") && line.trim_end().ends_with(" p"), "{list}");
    let report = text(&ends(folder.path(), &["report", "p-branch"], 0).stdout);
    assert!(report.contains("first-question"), "{report}");
    for file in ["report.md", "report.html"] {
        let report = fs::read_to_string(folder.path().join("logs/p-branch").join(file)).unwrap();
        assert!(report.contains("first-question"), "{file}");
    }
    let record = fs::read_to_string(folder.path().join("logs/p-branch/run.toml")).unwrap();
    assert!(record.contains("[parent]\nrun = \"p\"\nfolder = \"logs/p\"\n"), "{record}");
    let json = text(&ends(folder.path(), &["show", "--json"], 0).stdout);
    assert!(json.contains("\"parent\":\"p\""), "{json}");
}

#[test]
fn the_name_of_a_parent_is_escaped_where_it_is_told() {
    let folder = folder();
    play(folder.path(), "respact", "p", &["--limit", "1"]);
    // The folder's name is none for a run: the one in the record is told, whoever wrote that.
    let odd = folder.path().join("logs/p p");
    fs::rename(folder.path().join("logs/p"), &odd).unwrap();
    let record = fs::read_to_string(odd.join("run.toml")).unwrap();
    let record = record.replacen("name = \"p\"", "name = \"\\u001b[31mp\"", 1);
    fs::write(odd.join("run.toml"), record).unwrap();
    let all = ["branch", "p p", "0", "--at", "last", "--name", "b", "-q"];
    let printed = text(&ends(folder.path(), &all, 0).stdout);
    assert!(printed.contains("\\u{1b}[31mp") && !printed.contains('\u{1b}'), "{printed}");
}

#[test]
fn the_same_cast_does_the_same_from_any_place_on() {
    let folder = folder();
    play(folder.path(), "relay", "p", &["--limit", "3"]);
    let parent = events(folder.path(), "p");
    let (id, theirs) = parent.iter().min_by_key(|(_, events)| events.len()).unwrap();
    let name = id.to_string();
    let ways = ["first-question", "turn:1", "turn:4", "last"];
    let first = places(theirs, is_request)[0];
    let seqs: Vec<String> = (first..theirs.len()).step_by(7).map(|seq| seq.to_string()).collect();
    let end = (theirs.len() - 1).to_string();
    for at in ways.into_iter().chain(seqs.iter().map(String::as_str)).chain([end.as_str()]) {
        let own = &branch(folder.path(), "b", &["p", &name, "--at", at])[id];
        let copied = fork(own).events as usize;
        if let Ok(seq) = at.parse::<usize>() {
            let requests = places(theirs, is_request);
            let before = requests.iter().rev().find(|place| **place <= seq);
            assert_eq!(copied, before.unwrap() + 1, "{at}");
        }
        assert_eq!(&without_fork(own), theirs, "{at}");
        fs::remove_dir_all(folder.path().join("logs/b")).unwrap();
    }
}

#[test]
fn a_branch_can_be_branched() {
    let folder = folder();
    play(folder.path(), "respact", "p", &["--limit", "4"]);
    let unhelpful = ["--set", "user.kind=unhelpful"];
    let first = ["p", "--episodes", "all", "--at", "first-question"];
    branch(folder.path(), "b", &[&first[..], &unhelpful].concat());
    let second = ["b", "1", "--at", "turn:6", "--set", "user.kind=helpful"];
    let grandchild = branch(folder.path(), "c", &second);
    let (id, own) = grandchild.iter().next().unwrap();
    assert_eq!((grandchild.len(), fork(own).run.as_str()), (1, "b"));
    let copied = fork(own).events as usize;
    let child = &events(folder.path(), "b")[id];
    assert!(copied > fork(child).events as usize, "it leaves the branch after its own fork");
    let not_briefs = |events: &[Event]| -> Vec<Event> {
        let briefs = |event: &&Event| !matches!(event.message, Message::Brief(_));
        events.iter().filter(briefs).cloned().collect()
    };
    assert_eq!(not_briefs(&own[1..copied]), not_briefs(&child[1..copied]));
    // And before it: that part was copied twice.
    let again = branch(folder.path(), "d", &["c", "1", "--at", "6"]);
    assert_eq!(fork(&again[id]).run, "c");
    for run in ["c", "d"] {
        ends(folder.path(), &["replay", run], 0);
    }
}

#[test]
fn episodes_without_the_place_are_left_out_and_counted() {
    let folder = folder();
    let config = "extends = \"configs/household/respact.toml\"\nagents = \"agents\"\n\
                  name = \"p\"\n[[cells]]\nname = \"asks\"\n[[cells]]\nname = \"acts\"\n\
                  strategy = { name = \"react\" }\n";
    fs::write(folder.path().join("p.toml"), config).unwrap();
    let run = ["run", "p.toml", "--limit", "2", "-q", "--no-report"];
    ends(folder.path(), &run, 0);
    let all = ["branch", "p", "--episodes", "all", "--at", "first-question", "--no-report"];
    let told = text(&ends(folder.path(), &all, 0).stderr);
    for part in ["2 episodes", "acts:0:0", "acts:1:0"] {
        assert!(told.contains(part), "{part}: {told}");
    }
    let cells: Vec<String> = events(folder.path(), "p-branch").keys().map(EpisodeId::to_string).collect();
    assert_eq!(cells, ["asks:0:0", "asks:1:0"]);
    let none = [&all[..], &["--cell", "acts"]].concat();
    let told = text(&ends(folder.path(), &none, 2).stderr);
    assert!(told.contains("none of 2 chosen episodes has that place"), "{told}");
}

#[test]
fn what_cannot_be_done_is_refused_and_leaves_nothing() {
    let folder = folder();
    play(folder.path(), "respact", "p", &["--limit", "2"]);
    let end = events(folder.path(), "p").values().next().unwrap().len() - 1;
    let beyond = format!("has the events 0 to {end} and no event 9999");
    let wrong: [(&[&str], &str); 11] = [
        (&["0", "--at", "0"], "has no request at or before event 0: its first one is event "),
        (&["--episodes", "broken", "--at", "last"], "the run has no broken episode: nothing can be branched off"),
        (&["5", "--at", "3"], "episode `5` is not in this run; its first one is `main:0:0`"),
        (&["0", "--at", "9999"], &beyond),
        (&["0", "--at", "turn:9999"], "moves and no move 9999"),
        (&["0", "--at", "first"], "`first-question`, `turn:N`, `N%` or `last`"),
        (&["--at", "3"], "EPISODE"),
        (&["0", "--at", "3", "--set", "user.kind=rude"], "`user.kind` is `rude`"),
        (&["0", "--at", "9", "--set", "seed=5"], "`main:0:0`: it cannot go on from there: event "),
        (&["--episodes", "all", "--at", "9", "--set", "tasks.offset=60"], "no episode can be gone on with"),
        (&["1", "--at", "9", "--set", "tasks.limit=1"], "the config gives no episode `main:1:0`"),
    ];
    for (arguments, part) in wrong {
        let all = [&["branch", "p"], arguments, &["--name", "b"]].concat();
        let told = text(&ends(folder.path(), &all, 2).stderr);
        assert!(told.contains(part), "{arguments:?}: {told}");
        assert!(!folder.path().join("logs/b").exists(), "{arguments:?}");
    }
}

#[test]
fn an_episode_that_the_new_cast_cannot_go_on_with_is_broken_in_words() {
    let folder = folder();
    play(folder.path(), "respact", "p", &["--limit", "6"]);
    let parent = events(folder.path(), "p");
    let moves = |events: &[Event]| places(events, |message| matches!(message, Message::Moved(_))).len();
    let mut all: Vec<usize> = parent.values().map(|events| moves(events)).collect();
    all.sort_unstable();
    assert!(all[0] < all[5], "all are equally long");
    let limit = format!("limits.steps={}", all[0]);
    let arguments = ["branch", "p", "--episodes", "all", "--at", "last", "--set", &limit, "-q"];
    ends(folder.path(), &arguments, 1);
    for (id, own) in events(folder.path(), "p-branch") {
        let Message::Closed(outcome) = &own.last().unwrap().message else {
            panic!("{own:?}");
        };
        let fits = moves(&parent[&id]) == all[0];
        assert_eq!(outcome.success, fits, "{id}");
        let faults = places(&own, |message| matches!(message, Message::Fault(_)));
        assert_eq!(faults.is_empty(), fits, "{id}");
        for fault in faults {
            let Message::Fault(fault) = &own[fault].message else {
                continue;
            };
            let told = &fault.message;
            assert!(told.contains("it cannot go on from there: event "), "{told}");
            assert!(told.contains("in the log: conductor to executor"), "{told}");
        }
    }
    // Why it broke is in the log, as other faults are.
    ends(folder.path(), &["replay", "p-branch"], 0);
}

#[test]
fn a_branch_that_was_interrupted_can_be_resumed() {
    let folder = folder();
    play(folder.path(), "respact", "p", &["--limit", "5"]);
    let all = ["p", "--episodes", "all", "--at", "first-question"];
    let all = [&all[..], &["--set", "user.kind=unhelpful"]].concat();
    let whole = branch(folder.path(), "b", &all);
    // One not begun, one within what was copied, one after it.
    let mut left = whole.clone();
    let id = |task: u32| format!("main:{task}:0").parse::<EpisodeId>().unwrap();
    left.remove(&id(0));
    left.get_mut(&id(1)).unwrap().truncate(6);
    let after = fork(&whole[&id(2)]).events as usize + 5;
    left.get_mut(&id(2)).unwrap().truncate(after);
    rewrite(folder.path(), "b", &left);
    let run = folder.path().join("logs/b");
    fs::write(run.join("results.jsonl"), "").unwrap();
    fs::write(run.join("timings.jsonl"), "").unwrap();
    let list = text(&ends(folder.path(), &["show"], 0).stdout);
    assert!(list.contains(" of 5 "), "{list}");
    ends(folder.path(), &["resume", "b", "--no-report"], 0);
    assert_eq!(events(folder.path(), "b"), whole);
    // Without its parent, it can be gone on with as long as everything was begun.
    fs::remove_dir_all(folder.path().join("logs/p")).unwrap();
    for (open, code) in [(2, 0), (0, 2)] {
        let mut left = whole.clone();
        match open {
            0 => left.remove(&id(0)).map(|_| ()),
            open => left.get_mut(&id(open)).map(|events| events.truncate(20)),
        };
        rewrite(folder.path(), "b", &left);
        fs::write(run.join("timings.jsonl"), "").unwrap();
        fs::write(run.join("results.jsonl"), "").unwrap();
        let told = text(&ends(folder.path(), &["resume", "b", "--no-report"], code).stderr);
        match code {
            0 => assert_eq!(events(folder.path(), "b"), whole),
            _ => assert!(told.contains("the run branched off from `p`"), "{told}"),
        }
    }
}

#[test]
fn a_beginning_that_was_written_in_part_is_taken_over_whole() {
    let folder = folder();
    play(folder.path(), "respact", "p", &["--limit", "3"]);
    let all = ["p", "--episodes", "all", "--at", "last"];
    let all = [&all[..], &["--set", "user.kind=unhelpful"]].concat();
    let whole = branch(folder.path(), "b", &all);
    // The answers of the parent's user are missing: they are not this run's to give.
    let mut left = whole.clone();
    for events in left.values_mut() {
        let told = places(events, is_told)[0];
        assert!(told < fork(events).events as usize);
        events.truncate(told + 1);
    }
    rewrite(folder.path(), "b", &left);
    let run = folder.path().join("logs/b");
    fs::write(run.join("results.jsonl"), "").unwrap();
    fs::write(run.join("timings.jsonl"), "").unwrap();
    ends(folder.path(), &["resume", "b", "--no-report"], 0);
    assert_eq!(events(folder.path(), "b"), whole);
    ends(folder.path(), &["logs", "verify", "b"], 0);
    // They are nobody else's either.
    rewrite(folder.path(), "b", &left);
    fs::write(run.join("timings.jsonl"), "").unwrap();
    fs::write(run.join("results.jsonl"), "").unwrap();
    fs::remove_dir_all(folder.path().join("logs/p")).unwrap();
    let told = text(&ends(folder.path(), &["resume", "b", "--no-report"], 2).stderr);
    assert!(told.contains("the run branched off from `p`"), "{told}");
}

#[test]
fn another_model_is_asked_only_for_what_follows() {
    let folder = folder();
    let server = FakeModel::start(Duration::ZERO, |asked| {
        let second = asked.body["model"] == "second";
        Does::Says(if second { "Act: inventory\n" } else { "Act: look\n" })
    });
    let url = server.url();
    let model =
        |name: &str| format!("[models.{name}]\nprovider = \"openai\"\nmodel = \"{name}\"\nbase_url = \"{url}\"\n");
    let config = format!(
        "extends = \"configs/household/react.toml\"\nagents = \"agents\"\nlimits = {{ steps = 8 }}\n\
         cache = {{ mode = \"off\" }}\n[roles.executor]\nimplementation = \"model\"\n\
         persona = \"react/executor\"\n{}{}",
        model("first"),
        model("second")
    );
    fs::write(folder.path().join("own.toml"), config).unwrap();
    let run = ["run", "own.toml", "--name", "p", "--limit", "3", "--model", "executor=first"];
    ends(folder.path(), &[&run[..], &QUIET].concat(), 0);
    assert_eq!(server.requests(), 3 * 8);
    let swap = ["p", "--episodes", "failed", "--at", "turn:6", "--model", "executor=second"];
    let branched = branch(folder.path(), "b", &swap);
    assert_eq!((branched.len(), server.requests()), (3, 3 * 8 + 3 * 3));
    for own in branched.values() {
        let called = own.iter().filter_map(|event| match &event.message {
            Message::ModelCalled(call) => Some((call.turn, call.model.as_str())),
            _ => None,
        });
        let models = ["first", "second"].map(|name| move |turn| (turn, name));
        let expected = (0..5).map(models[0]).chain((5..8).map(models[1]));
        assert_eq!(called.collect::<Vec<_>>(), expected.collect::<Vec<_>>());
    }
    ends(folder.path(), &["replay", "b"], 0);
    assert_eq!(server.requests(), 3 * 8 + 3 * 3);
}

/// Changes the first move of an episode in the log of run `p`, in place.
fn edit(folder: &Path, task: u32) {
    let path = folder.join("logs/p/events.jsonl");
    let log = fs::read_to_string(&path).unwrap();
    let own = format!("\"episode\":\"main:{task}:0\"");
    let mut done = false;
    let lines: Vec<String> = log
        .lines()
        .map(|line| {
            let is_action = line.contains("\"moved\":") && line.contains("go to");
            if done || !is_action || !line.contains(&own) {
                return line.to_owned();
            }
            done = true;
            line.replacen("go to", "goto", 1)
        })
        .collect();
    let edited = lines.join("\n") + "\n";
    assert_ne!(edited, log);
    fs::write(path, edited).unwrap();
}

#[test]
fn a_parent_that_was_edited_is_refused_with_its_first_difference() {
    let folder = folder();
    let at = folder.path();
    play(at, "respact", "p", &["--limit", "3"]);
    let whole = fs::read(at.join("logs/p/events.jsonl")).unwrap();
    let all = ["p", "--episodes", "all", "--at", "last"];
    let before = branch(at, "b", &all);
    edit(at, 1);
    let again = [&["branch"], &all[..], &["--name", "c"]].concat();
    let refused = |arguments: &[&str]| {
        let told = text(&ends(at, arguments, 2).stderr);
        for part in [
            "the log of `logs/p` was changed: its episode `main:1:0` is not as it was when",
            "in the log: ",
            "played now: ",
            "goto",
            "`rolecall logs verify logs/p`",
        ] {
            assert!(told.contains(part), "{part}: {told}");
        }
        told
    };
    assert!(refused(&again).contains("when it closed"));
    assert!(!at.join("logs/c").exists());
    // The others are as they were.
    branch(at, "c", &["p", "0", "2", "--at", "last"]);
    let elsewhere = ["branch", "p", "0", "--at", "last", "--logs", "other"];
    ends(at, &[&elsewhere[..], &QUIET].concat(), 0);
    assert!(at.join("other/p-branch/run.toml").exists());
    // Whoever has taken over everything does not need the parent; whoever has not, does.
    ends(at, &["resume", "b", "--no-report"], 0);
    let mut left = before.clone();
    left.remove(&"main:1:0".parse::<EpisodeId>().unwrap());
    rewrite(at, "b", &left);
    let run = at.join("logs/b");
    fs::write(run.join("timings.jsonl"), "").unwrap();
    fs::write(run.join("results.jsonl"), "").unwrap();
    assert!(refused(&["resume", "b"]).contains("when the branch was made"));
    // Also where nobody noted what the parent's episodes came to.
    fs::write(at.join("logs/p/timings.jsonl"), "").unwrap();
    refused(&["resume", "b"]);
    fs::write(at.join("logs/p/events.jsonl"), whole).unwrap();
    ends(at, &["resume", "b", "--no-report"], 0);
    assert_eq!(events(at, "b"), before);
}
