//! `rolecall data trajectories`: the records of ABA's expert (section 3.2.2, appendices C and E).

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Output;

use crate::support::binary::{rolecall, text};
use rolecall::environments::household::language::class_of;
use rolecall::environments::household::memory::Query;
use serde_json::Value;

/// `rolecall data trajectories household` with options written in one text.
fn trajectories(folder: &Path, options: &str) -> Output {
    let arguments = format!("data trajectories household {options}");
    let arguments: Vec<&str> = arguments.split_whitespace().collect();
    rolecall(folder, &arguments).output().unwrap()
}

/// The records of each episode, and what was printed.
fn made(options: &str) -> (BTreeMap<u64, Vec<Value>>, String) {
    let folder = tempfile::tempdir().unwrap();
    let output = trajectories(folder.path(), &format!("{options} --out out.jsonl"));
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let lines = fs::read_to_string(folder.path().join("out.jsonl")).unwrap();
    let mut episodes: BTreeMap<u64, Vec<Value>> = BTreeMap::new();
    for line in lines.lines() {
        let record: Value = serde_json::from_str(line).unwrap();
        let episode = record["episode"].as_u64().unwrap();
        assert!(episodes.keys().next_back().is_none_or(|last| *last <= episode), "out of order");
        episodes.entry(episode).or_default().push(record);
    }
    (episodes, text(&output.stdout))
}

fn word<'r>(record: &'r Value, key: &str) -> &'r str {
    record[key].as_str().unwrap()
}

/// The records of an episode as they were played, without inserted queries.
fn played(records: &[Value]) -> Vec<&Value> {
    let played = records.iter().filter(|record| record["source"] != "query");
    played.collect()
}

/// What the last command of an episode brought about cannot be read in the records: the figure is
/// printed.
fn printed(table: &str, name: &str) -> String {
    let line = table.lines().find(|line| line.trim_start().starts_with(name));
    let line = line.unwrap_or_else(|| panic!("{name} is not in\n{table}"));
    line.trim_start().strip_prefix(name).unwrap().trim().to_owned()
}

/// What holds in every setting.
fn check(episodes: &BTreeMap<u64, Vec<Value>>, setting: &str) {
    for (episode, records) in episodes {
        for record in records {
            assert_eq!(word(record, "setting"), setting);
            assert!(["think", "ask", "act", "recall"].contains(&word(record, "kind")));
            assert!(["expert", "noise", "query"].contains(&word(record, "source")));
            assert_eq!(record["train"] == 0, record["source"] == "noise", "{record}");
            assert!(record["source"] != "noise" || record["kind"] == "act");
            assert!(word(record, "context").contains("Your task is to: "));
            assert!(!word(record, "output").contains('\n') && !word(record, "output").is_empty());
        }
        let played = played(records);
        assert!(played[0]["context"].as_str().unwrap().ends_with(".\n>"), "episode {episode}");
        for pair in played.windows(2) {
            let before = format!("{} {}", word(pair[0], "context"), word(pair[0], "output"));
            let after = word(pair[1], "context");
            assert!(after.starts_with(&before), "{before}\n---\n{after}");
            let step = pair[0]["step"].as_u64().unwrap();
            let answer = pair[0]["kind"] == "recall" && after == before;
            assert_eq!(pair[1]["step"].as_u64().unwrap(), step + u64::from(!answer));
        }
    }
}

#[test]
fn every_trajectory_solves_its_game_and_noise_is_masked_and_as_frequent_as_wished() {
    let (episodes, table) = made("--count 60 --noise 0.2");
    assert_eq!(episodes.len(), 60);
    check(&episodes, "standard");
    assert!(printed(&table, "solved").starts_with("100"), "{table}");
    let records: Vec<&Value> = episodes.values().flatten().collect();
    let acts = records.iter().filter(|record| record["kind"] == "act").count();
    let noise = records.iter().filter(|record| record["train"] == 0).count();
    let share = noise as f64 / acts as f64;
    assert!((0.15..0.25).contains(&share), "{share}");
    let shown: f64 = printed(&table, "noise among commands").trim_end_matches(" %").parse().unwrap();
    assert!((shown - 100.0 * share).abs() < 0.06, "{shown}");
    let tasks: BTreeSet<&str> = records.iter().map(|record| word(record, "task")).collect();
    assert_eq!(tasks.len(), 60);
    // Nobody asks what is preferred where anything will do; everybody asks where it is.
    for records in episodes.values() {
        let asked = records.iter().filter(|record| record["kind"] == "ask");
        let asked: Vec<&str> = asked.map(|record| word(record, "output")).collect();
        assert!(!asked.is_empty() && asked.iter().all(|line| line.starts_with("ask: Where is the ")));
        assert!(word(&records[0], "output").starts_with("think: "));
    }
}

/// In games of this seed, what is looked for lies where the agent stands already when it would go there.
#[test]
fn one_that_searches_asks_nobody_takes_what_it_saw_and_gives_nothing_up() {
    let (episodes, table) = made("--expert search --rooms 4000 --count 10 --seed 6");
    assert!(printed(&table, "solved").starts_with("100"), "{table}");
    check(&episodes, "standard");
    for record in episodes.values().flatten() {
        assert_ne!(record["kind"], "ask");
        let taken = word(record, "output").strip_prefix("take ");
        if let Some((thing, _)) = taken.and_then(|taken| taken.split_once(" from ")) {
            assert!(word(record, "context").contains(&format!("a {thing}")), "{record}");
        }
    }
}

#[test]
fn without_noise_every_row_counts_and_no_command_is_wasted() {
    let (noisy, _) = made("--count 20 --noise 0.4");
    let (clean, _) = made("--count 20 --noise 0");
    for (episode, records) in &clean {
        assert!(records.iter().all(|record| record["train"] == 1));
        let last = records.last().unwrap();
        assert!(!word(last, "context").contains("Nothing happens."));
        let task = word(last, "task");
        assert_eq!(task, word(&noisy[episode][0], "task"));
    }
    let acts = |episodes: &BTreeMap<u64, Vec<Value>>| {
        let records = episodes.values().flatten();
        records.filter(|record| record["kind"] == "act").count()
    };
    assert!(acts(&noisy) > acts(&clean) * 3 / 2);
}

#[test]
fn in_ambiguous_games_with_a_choice_the_expert_asks_which_and_takes_it() {
    let (episodes, table) = made("--setting ambiguous --count 40");
    check(&episodes, "ambiguous");
    assert!(printed(&table, "solved").starts_with("100"), "{table}");
    let mut choices = 0;
    for records in episodes.values() {
        let text = word(records.last().unwrap(), "context");
        let Some((_, after)) = text.split_once("\n> ask: Which ") else {
            continue;
        };
        choices += 1;
        let answer = after.lines().nth(1).unwrap();
        let meant = answer.strip_prefix("I mean ").unwrap().trim_end_matches('.');
        let taken = |name: &str| {
            let start = format!("take {name} from ");
            let mut outputs = records.iter().map(|record| word(record, "output"));
            outputs.any(|output| output.starts_with(&start))
        };
        assert!(meant.split(" and ").all(taken), "{answer}\n{text}");
    }
    assert!((10..40).contains(&choices), "{choices}");
}

#[test]
fn over_rounds_the_expert_asks_itself_first_and_others_only_for_what_is_unknown() {
    let (episodes, table) = made("--setting multi-round --count 12");
    check(&episodes, "multi-round");
    let mean: f64 = printed(&table, "tasks solved, mean").parse().unwrap();
    assert!(mean > 1.5, "{mean}");
    let (mut rounds, mut known, mut held) = (0, 0, 0);
    for records in episodes.values() {
        let last = records.last().unwrap();
        assert!(last["step"].as_u64().unwrap() < 50);
        rounds += word(last, "context").matches(". Your next task is to: ").count();
        assert!(!word(last, "context").contains("\nYour next task"));
        let played = played(records);
        for (place, record) in played.iter().enumerate() {
            let output = word(record, "output");
            if record["kind"] != "recall" || output.starts_with("think: ") {
                continue;
            }
            let asked = word(record, "context").rsplit("### query: ").next().unwrap();
            let class = asked.strip_suffix(" >").unwrap();
            let question = format!("ask: Where is the {class}?");
            let seen = !output.starts_with("I have never seen ");
            known += usize::from(seen);
            if seen && !word(record, "context").contains(" two ") {
                // What is known is not asked for again.
                let next = played[place + 1..].iter().take(2);
                assert!(next.into_iter().all(|next| word(next, "output") != question));
            } else if let Some(next) = played.get(place + 2).filter(|_| !seen) {
                assert_eq!(word(next, "output"), question);
            }
        }
        for record in records.iter().filter(|record| record["kind"] == "recall") {
            held += usize::from(recalls_what_is_in_hand(record));
        }
        // At each recall two more questions to oneself, answered like the first.
        let count = |source: &str, of: &[Value]| {
            of.iter().filter(|record| record["kind"] == "recall" && record["source"] == source).count()
        };
        assert_eq!(count("query", records), count("expert", records));
        for query in records.iter().filter(|record| record["source"] == "query") {
            assert!(word(query, "context").ends_with(" >"));
            let output = word(query, "output");
            let of_this = Query::written(asked_for(query).unwrap(), output);
            let query = Query::read(&of_this).unwrap();
            assert_ne!(query.is_known(), output.starts_with("I have never seen "));
        }
    }
    assert!(rounds > 12 && known > 5, "{rounds} {known}");
    assert!(held > 1, "nobody was asked for what it holds");
}

/// The class that a question to oneself asks for, where the record is its answer.
fn asked_for(record: &Value) -> Option<&str> {
    let (_, asked) = word(record, "context").rsplit_once("### query: ")?;
    let class = asked.strip_suffix(" >")?;
    (record["kind"] == "recall").then_some(class)
}

/// Whether an answer to oneself says that an object is in hand; it does so if that is the case.
fn recalls_what_is_in_hand(record: &Value) -> bool {
    let (Some(class), output) = (asked_for(record), word(record, "output")) else {
        return false;
    };
    let mut held = None;
    for line in word(record, "context").lines() {
        if let Some((object, _)) = line.strip_prefix("You pick up the ").and_then(|line| line.split_once(" from the "))
        {
            held = Some(object);
        } else if line.starts_with("You move the ") || line.starts_with("You put the ") {
            held = None;
        }
    }
    let held = held.filter(|held| class_of(held) == class);
    let written = Query::written(class, output);
    assert_eq!(Query::read(&written).unwrap().held(), held, "{record}");
    held.is_some()
}

#[test]
fn the_same_seed_gives_the_same_bytes_and_another_one_does_not() {
    let folder = tempfile::tempdir().unwrap();
    let bytes = |options: &str, name: &str| {
        let output = trajectories(folder.path(), &format!("{options} --out {name}"));
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        fs::read(folder.path().join(name)).unwrap()
    };
    for setting in ["ambiguous", "multi-round"] {
        let options = format!("--setting {setting} --count 6");
        let first = bytes(&options, &format!("{setting}-1"));
        assert_eq!(first, bytes(&options, &format!("{setting}-2")));
        let other = bytes(&format!("{options} --seed 2"), &format!("{setting}-3"));
        assert_ne!(first, other);
        // Fewer trajectories are the first of more.
        let more = bytes(&format!("--setting {setting} --count 8"), &format!("{setting}-4"));
        assert!(more.starts_with(&first));
    }
    let mut left = fs::read_dir(folder.path()).unwrap();
    assert!(left.all(|entry| { !entry.unwrap().file_name().to_string_lossy().starts_with('.') }));
}

#[test]
fn the_wording_can_be_that_of_published_prompts() {
    let (episodes, _) = made("--count 6 --classic");
    let text = |episodes: &BTreeMap<u64, Vec<Value>>| {
        let last = episodes.values().map(|records| word(records.last().unwrap(), "context"));
        last.collect::<Vec<_>>().join("\n")
    };
    let (as_game, _) = made("--count 6");
    assert!(text(&as_game).contains("You arrive at ") && !text(&episodes).contains("You arrive at "));
    let puts = episodes.values().flatten().filter(|record| word(record, "output").starts_with("put "));
    assert!(puts.count() > 0);
    assert!(episodes.values().flatten().all(|record| !word(record, "output").starts_with("move ")));
}

#[test]
fn files_of_games_will_do_and_what_is_there_is_never_written_over() {
    let folder = tempfile::tempdir().unwrap();
    let games = ["data", "generate", "household", "--split", "train", "--count", "3", "--out", "games"];
    assert!(rolecall(folder.path(), &games).output().unwrap().status.success());
    let options = "--data games --count 5 --setting ambiguous --out few.jsonl";
    let output = trajectories(folder.path(), options);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let lines = fs::read_to_string(folder.path().join("few.jsonl")).unwrap();
    let first: Value = serde_json::from_str(lines.lines().next().unwrap()).unwrap();
    assert!(word(&first, "task").starts_with("train/"));
    let refused = [
        ("--out few.jsonl", "is there already"),
        ("--out other --noise 0.9", "0 to 0.6"),
        ("--out other --split test", "train"),
        ("--out other --data nowhere", "nowhere"),
        ("--out other --count 0", "no whole number from 1"),
    ];
    for (options, remedy) in refused {
        let output = trajectories(folder.path(), options);
        assert_eq!(output.status.code(), Some(2), "{options}");
        assert!(text(&output.stderr).contains(remedy), "{}", text(&output.stderr));
    }
    assert_eq!(fs::read_to_string(folder.path().join("few.jsonl")).unwrap(), lines);
}
