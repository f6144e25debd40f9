//! `rolecall replay`: runs that come out as their logs have them, and logs that were changed.

use std::fs;
use std::path::Path;
use std::time::Duration;

use crate::support::binary::{self, text};
use crate::support::fake_model::{Does, FakeModel};
use crate::support::played::{ends, events, folder, play, rewrite};
use rolecall::domain::{Event, Message, Move, Observation};
use serde_json::Value;

fn replay(folder: &Path, more: &[&str], code: i32) -> String {
    text(&ends(folder, &[&["replay", "r"], more].concat(), code).stdout)
}

fn replay_json(folder: &Path, more: &[&str], code: i32) -> Value {
    let printed = replay(folder, &[&["--json"], more].concat(), code);
    serde_json::from_str(&printed).unwrap()
}

#[test]
fn rule_based_casts_come_out_identical_both_ways() {
    let folder = folder();
    for config in ["respact", "relay", "respact-perturbed", "react"] {
        play(folder.path(), config, "r", &["--limit", "5"]);
        let found = replay_json(folder.path(), &[], 0);
        for (place, way) in ["models", "log"].into_iter().enumerate() {
            let replayed = &found["replays"][place];
            assert_eq!((&replayed["way"], &replayed["identical"]), (&way.into(), &5.into()), "{config}");
        }
        fs::remove_dir_all(folder.path().join("logs/r")).unwrap();
    }
}

/// Changes the first event of the third episode that the change takes, and gives its position.
fn change(folder: &Path, change: impl Fn(&mut Event) -> bool) -> u64 {
    let mut episodes = events(folder, "r");
    let changed = episodes.get_mut(&"main:2:0".parse().unwrap()).unwrap();
    let event = changed.iter_mut().find_map(|event| {
        let seq = event.seq;
        change(event).then_some(seq)
    });
    rewrite(folder, "r", &episodes);
    event.unwrap().into()
}

#[test]
fn a_log_edited_by_hand_gives_the_first_difference_with_both_sides() {
    let folder = folder();
    play(folder.path(), "respact", "r", &["--limit", "4"]);
    let seq = change(folder.path(), |event| {
        let Message::Observed(shown) = &event.message else {
            return false;
        };
        let text = format!("{} And a \u{202e}dragon 1.", shown.text);
        event.message = Message::Observed(Observation::text(text));
        true
    });
    let printed = replay(folder.path(), &[], 1);
    assert!(printed.contains("main:2:0") && printed.contains(&seq.to_string()), "{printed}");
    assert!(printed.contains("And a \\u{202e}dragon 1."), "{printed}");
    let found = replay_json(folder.path(), &["2", "3"], 1);
    for (place, way) in ["models", "log"].into_iter().enumerate() {
        let replayed = &found["replays"][place];
        assert_eq!(replayed["way"], way);
        assert_eq!((&replayed["episodes"], &replayed["identical"]), (&2.into(), &1.into()));
        let difference = &replayed["differences"][0];
        assert_eq!(difference["episode"], "main:2:0");
        assert_eq!(difference["seq"], seq);
        let sides = ["logged", "replayed"].map(|side| difference[side].as_str().unwrap());
        assert!(sides[0].contains("dragon") && !sides[1].contains("dragon"));
    }
    // The others are as they were.
    let others = replay_json(folder.path(), &["3", "1", "--log"], 0);
    assert_eq!((&others["replays"][0]["way"], &others["replays"][0]["identical"]), (&"log".into(), &2.into()));
}

#[test]
fn what_a_role_did_is_played_again_or_taken_from_the_log() {
    let folder = folder();
    play(folder.path(), "respact", "r", &["--limit", "3"]);
    let seq = change(folder.path(), |event| {
        let Message::Moved(Move::Think { text }) = &mut event.message else {
            return false;
        };
        text.push_str(" I am hungry.");
        true
    });
    let found = replay_json(folder.path(), &[], 1);
    assert_eq!(found["replays"][0]["identical"], 2);
    assert_eq!(found["replays"][0]["differences"][0]["seq"], seq);
    assert_eq!(found["replays"][1]["identical"], 3, "a thought changes no world");
}

#[test]
fn open_episodes_are_played_up_to_where_they_end() {
    let folder = folder();
    play(folder.path(), "respact", "r", &["--limit", "3"]);
    let mut episodes = events(folder.path(), "r");
    let whole = episodes.clone();
    let shortest = whole.values().map(Vec::len).min().unwrap();
    for (place, events) in episodes.values_mut().enumerate() {
        events.truncate(shortest - 1 - place);
    }
    rewrite(folder.path(), "r", &episodes);
    let found = replay_json(folder.path(), &[], 0);
    assert_eq!(found["replays"][0]["identical"], 3);
    assert_eq!(found["replays"][1]["identical"], 3);
}

#[test]
fn a_changed_config_is_named_beside_what_it_brings_about() {
    let folder = folder();
    let config = "extends = \"configs/household/respact.toml\"\nagents = \"agents\"\n";
    let file = folder.path().join("own.toml");
    fs::write(&file, config).unwrap();
    let run = ["run", "own.toml", "--name", "r", "-q", "--no-report", "--limit", "2"];
    ends(folder.path(), &run, 0);
    fs::write(&file, format!("{config}user.kind = \"unhelpful\"\n")).unwrap();
    let output = ends(folder.path(), &["replay", "r", "--models"], 1);
    let told = text(&output.stderr);
    assert!(told.contains("`cells.main.users"), "{told}");
    assert!(text(&output.stdout).contains("main:0:0"));
    fs::remove_file(&file).unwrap();
    let output = ends(folder.path(), &["replay", "r"], 2);
    assert!(text(&output.stderr).contains("cannot be resolved again"));
}

#[test]
fn what_is_not_there_cannot_be_played_again() {
    let folder = folder();
    play(folder.path(), "respact", "r", &["--limit", "2"]);
    let wrong: [(&[&str], &str); 4] = [
        (&["replay", "r", "7"], "episode `7` is not in this run"),
        (&["replay", "x"], "`x` is no run"),
        (&["replay", "r", "--cell", "x"], "the cell `x`"),
        (&["replay", "r", "--log", "--models"], "cannot be used with"),
    ];
    for (arguments, part) in wrong {
        let told = text(&ends(folder.path(), arguments, 2).stderr);
        assert!(told.contains(part), "{arguments:?}: {told}");
    }
}

/// A model that is thoughtful, curious, clumsy and sometimes silly, by the call's key.
fn moody() -> FakeModel {
    FakeModel::start(Duration::ZERO, |asked| match blake3::hash(asked.key.as_bytes()).as_bytes()[0] % 8 {
        0 | 1 => Does::Says("Act: look"),
        2 => Does::Says("Act: inventory"),
        3 => Does::Says("Think: Where was it?"),
        4 => Does::Says("Speak: Where is it?"),
        5 => Does::Says("Act: go to fridge 1"),
        6 => Does::Says("{\"nothing\": 1}"),
        _ => Does::Says(""),
    })
}

#[test]
fn models_and_their_faults_are_taken_from_the_log_and_nothing_is_sent() {
    let folder = folder();
    let server = moody();
    let config = format!(
        "extends = \"configs/household/respact.toml\"\nagents = \"agents\"\nname = \"r\"\n\
         limits = {{ steps = 12, attempts = 4 }}\n\
         [roles.executor]\nimplementation = \"model\"\npersona = \"respact/executor\"\n\
         model = \"fake\"\n[models.fake]\nprovider = \"openai\"\nmodel = \"any\"\n\
         base_url = \"{}\"\n",
        server.url()
    );
    fs::write(folder.path().join("own.toml"), config).unwrap();
    let run = ["run", "own.toml", "-q", "--no-report", "--limit", "12"];
    let output = binary::rolecall(folder.path(), &run).output().unwrap();
    assert!(output.status.code() < Some(2), "{output:?}");
    let asked = server.requests();
    let found = replay_json(folder.path(), &[], 0);
    assert_eq!(server.requests(), asked, "a call was sent again");
    assert_eq!(found["replays"][0]["identical"], 12, "{found}");
    let all: Vec<Event> = events(folder.path(), "r").into_values().flatten().collect();
    let count = |kind| all.iter().filter(|event| event.message.kind() == kind).count();
    for kind in ["fault", "told", "model_called"] {
        assert!(count(kind) > 3, "too few of `{kind}` to say anything");
    }
    // Another reply leads elsewhere, or is found out by what its role made of it.
    let mut episodes = events(folder.path(), "r");
    let event = episodes.values_mut().flatten().find_map(|event| match &mut event.message {
        Message::ModelCalled(call) if call.reply.choices[0].text.starts_with("Act: look") => {
            call.reply.choices[0].text = "Act: inventory".to_owned();
            Some(event.seq)
        }
        _ => None,
    });
    rewrite(folder.path(), "r", &episodes);
    let found = replay_json(folder.path(), &["--models"], 1);
    let difference = &found["replays"][0]["differences"][0];
    assert_eq!(difference["seq"], event.unwrap() + 1);
    assert!(difference["logged"].as_str().unwrap().contains("look"), "{difference}");
    assert!(difference["replayed"].as_str().unwrap().contains("inventory"), "{difference}");
}

#[test]
fn what_was_accepted_while_a_run_was_played_is_told_with_the_differences() {
    let folder = folder();
    let at = folder.path();
    play(at, "respact", "r", &["--limit", "2", "--set", "limits.steps=30"]);
    let first = text(&ends(at, &["replay", "r"], 0).stderr);
    assert!(!first.contains("accept"), "{first}");
    let resume = ["resume", "r", "--accept-changes", "--set", "limits.steps=31", "-q"];
    ends(at, &resume, 0);
    let output = ends(at, &["replay", "r"], 1);
    let told = text(&output.stderr);
    for part in ["--accept-changes", "`cells.main.limits.steps`", "30", "31"] {
        assert!(told.contains(part), "{told}");
    }
    let found = replay_json(at, &[], 1);
    let accepted = &found["accepted_changes"][0];
    assert_eq!(accepted["episodes_closed"], 2);
    assert!(accepted["what"][0].as_str().unwrap().contains("limits.steps"));
}

#[test]
fn a_run_of_before_a_parameter_is_played_as_it_was() {
    let folder = folder();
    let arguments = [
        "run",
        "configs/dialogue/tutor.toml",
        "--limit",
        "6",
        "--name",
        "r",
        "-q",
        "--no-report",
        "--set",
        "environment.success=response",
    ];
    ends(folder.path(), &arguments, 0);
    // What an earlier version wrote: it had no such parameter.
    let file = folder.path().join("logs/r/run.toml");
    let record = fs::read_to_string(&file).unwrap();
    let record = record.replace("\"environment.success=response\", ", "");
    let written = record.lines().filter(|line| !line.starts_with("success = "));
    let written: Vec<&str> = written.collect();
    assert_eq!(written.len() + 1, record.lines().count(), "{record}");
    assert!(!written.join("").contains("success"), "{record}");
    fs::write(&file, written.join("\n")).unwrap();
    let found = replay_json(folder.path(), &[], 0);
    for way in found["replays"].as_array().unwrap() {
        assert_eq!(way["identical"], 6, "{found}");
    }
    ends(folder.path(), &["resume", "r", "--no-report", "-q"], 0);
}
