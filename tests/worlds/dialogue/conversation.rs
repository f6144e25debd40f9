//! Conversations over the built-in samples: a cast talks with a student, a client or a visitor.

use std::collections::BTreeMap;
use std::io::Write;
use std::process::Stdio;

use crate::support::binary::{rolecall, text};
use crate::support::recordings::data;
use crate::support::shipped;
use crate::support::toy::{Played, play};
use rolecall::config::Plan;
use rolecall::domain::{Ending, Event, Limit, Message, Move, Scored, UserSees, Utterance};
use rolecall::evaluation::Standing;
use rolecall::ports::{EpisodeLog, Measurement};

fn resolved(config: &str, sets: &[&str]) -> Plan {
    shipped::plan(&format!("dialogue/{config}"), sets)
}

fn played(config: &str, sets: &[&str]) -> Played {
    let played = play(resolved(config, sets));
    for result in &played.launched.results {
        assert_eq!(result.counts.faults, 0, "{config}: {result:?}");
        assert_eq!(result.standing(), Standing::Counted, "{config}: {result:?}");
    }
    played
}

fn told(events: &[Event]) -> Vec<&Utterance> {
    let told = events.iter().filter_map(|event| match &event.message {
        Message::Told(said) => Some(said),
        _ => None,
    });
    told.collect()
}

fn replied(events: &[Event]) -> Vec<&Utterance> {
    let replied = events.iter().filter_map(|event| match &event.message {
        Message::Replied(said) => Some(said),
        _ => None,
    });
    replied.collect()
}

fn endings(played: &Played) -> Vec<Ending> {
    let all = played.episodes.values().flatten();
    let endings = all.filter_map(|event| match &event.message {
        Message::Scored(scored) => Some(scored.ending.clone()),
        _ => None,
    });
    endings.collect()
}

#[test]
fn a_student_leaves_when_its_answer_is_confirmed() {
    let lessons = played("tutor", &[]);
    let mut confirmed = 0;
    for (id, events) in &lessons.episodes {
        let (told, replied) = (told(events), replied(events));
        // Every response is told, and nobody speaks after the student has left.
        assert_eq!(told.len(), replied.len(), "{id}");
        let leaving: Vec<bool> = replied.iter().map(|reply| reply.leaving).collect();
        let last = leaving.len() - 1;
        assert!(leaving[..last].iter().all(|leaves| !leaves), "{id}");
        assert!(replied.iter().all(|reply| !reply.text.trim().is_empty()), "{id}");
        if told[last].text.contains("that is correct") {
            assert!(leaving[last], "{id}: {events:#?}");
            confirmed += 1;
        }
    }
    // The tutor brings many of them there, though it confirms nothing of which it is not certain.
    assert!(confirmed * 3 > lessons.episodes.len(), "{confirmed}");
}

/// What a conversation ended with, by its number of tasks.
fn counted(played: &Played) -> BTreeMap<String, usize> {
    let mut counted = BTreeMap::new();
    for ending in endings(played) {
        *counted.entry(ending.label()).or_default() += 1;
    }
    counted
}

#[test]
fn conversations_end_by_their_goals() {
    let one = "user.questions=1";
    let kinds: [(&str, &[&str], &[&str]); 6] = [
        ("tutor", &[], &["solved", "user left"]),
        ("tutor", &["strategy.turns=2"], &["out of turns", "solved"]),
        ("counsel", &[], &["solved"]),
        // Whoever is given no guidance has no use for it.
        ("counsel", &["user.replies=0", "strategy.turns=1"], &["solved"]),
        ("guide", &["user.questions=0"], &["solved", "user left"]),
        ("guide", &[one, "strategy.turns=1"], &["out of turns"]),
    ];
    for (config, sets, expected) in kinds {
        let played = played(config, sets);
        let found = counted(&played);
        assert!(found.keys().eq(expected), "{config} {sets:?}: {found:?}");
        for events in played.episodes.values() {
            let score = scored(events);
            let solved = score.ending == Ending::Solved;
            assert_eq!((score.score.success, &score.score.detail["goal"]), (solved, &solved.into()));
            assert_eq!(goal_reached(events), Measurement::Rate(solved));
        }
    }
    let limit = Limit::Turns;
    let cut = played("guide", &["user.questions=9", "strategy.turns=2"]);
    assert!(endings(&cut).contains(&Ending::OutOf { limit }));
    // A response alone is scored as before, also where it solves a conversation as it used to.
    for (config, sets) in [("tpe-cima", &[][..]), ("tutor", &["environment.success=response"][..])] {
        let played = played(config, sets);
        assert!(endings(&played).iter().all(|ending| *ending == Ending::Solved), "{config}");
        for events in played.episodes.values() {
            assert_eq!(goal_reached(events), Measurement::Absent);
        }
    }
}

fn scored(events: &[Event]) -> &Scored {
    let mut scores = events.iter().filter_map(|event| match &event.message {
        Message::Scored(scored) => Some(&**scored),
        _ => None,
    });
    scores.next().unwrap()
}

/// The metric of an episode.
fn goal_reached(events: &[Event]) -> Measurement {
    let registry = rolecall::worlds();
    let mut metrics = registry.metrics.iter().map(|entry| entry.metric);
    let metric = metrics.find(|metric| metric.name() == "goal_reached").unwrap();
    let id = "main:0:0".parse().unwrap();
    metric.measure(&EpisodeLog::new(&id, events.iter().collect()))
}

#[test]
fn whoever_is_confirmed_has_said_the_right_sentence() {
    let mut games = vec![played("tutor", &[])];
    if let Some(data) = data("dialogue/cima/dataset.json") {
        let data = format!("environment.data={}", data.display());
        for sets in [
            ["environment.references=first"; 2],
            ["roles.executor.vocabulary=dialogue", "roles.thinker.vocabulary=dialogue"],
        ] {
            games.push(played(
                "tutor",
                &[&data, "environment.samples=250", "environment.sample_seed=7", sets[0], sets[1]],
            ));
        }
    }
    for lessons in games {
        let mut confirmed = 0;
        for (id, events) in &lessons.episodes {
            let is_confirmed = told(events).iter().any(|said| said.text.contains("that is correct"));
            let solved = scored(events).score.success;
            assert!(solved || !is_confirmed, "{id}: {:#?}", told(events));
            confirmed += usize::from(is_confirmed);
        }
        assert!(confirmed > 0);
    }
}

#[test]
fn nobody_repeats_a_sentence_where_somebody_is_counselled() {
    let long = ["user.replies=14", "strategy.turns=20", "limits.steps=1000"];
    let mut games = vec![played("counsel", &long)];
    if let Some(data) = data("dialogue/psyqa/psyqa_synthetic.json") {
        let data = format!("environment.data={}", data.display());
        games.push(played("counsel", &[&long[..], &[&data]].concat()));
    }
    for sessions in games {
        for (id, events) in &sessions.episodes {
            for said in [told(events), replied(events)] {
                assert_eq!(said.len(), 15, "{id}");
                let texts = said.iter().flat_map(|one| one.text.split_inclusive(['。', '！', '？']));
                let mut texts: Vec<&str> = texts.collect();
                texts.sort_unstable();
                for two in texts.windows(2) {
                    assert_ne!(two[0], two[1], "{id}");
                }
            }
        }
    }
}

#[test]
fn no_user_sees_what_the_agent_looks_up() {
    for kind in ["visitor", "human"] {
        let kind = format!("user.kind={kind}");
        for sets in [vec![&*kind], vec![&*kind, "user.sees=dialogue+observations"]] {
            let resolved = shipped::resolved("dialogue/guide", &sets).unwrap();
            assert_eq!(resolved.plan.cells[0].users[0].sees, UserSees::Dialogue);
            let told = resolved.notes.iter().any(|remark| remark.contains("sees no more"));
            assert_eq!(told, sets.len() > 1, "{:?}", resolved.notes);
        }
    }
}

/// The endings of a run of the program with this on its standard input.
fn ends_with(sets: &[&str], input: &str) -> (String, String) {
    let folder = tempfile::tempdir().unwrap();
    let logs = folder.path().to_str().unwrap();
    let mut arguments =
        vec!["run", "configs/dialogue/tutor.toml", "--limit", "1", "--logs", logs, "--name", "r", "--no-report"];
    for set in sets {
        arguments.extend(["--set", set]);
    }
    let mut command = rolecall(shipped::root(), &arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{output:?}");
    (text(&output.stdout), text(&output.stderr))
}

#[test]
fn people_and_models_leave_with_and_without_what_they_came_for() {
    let human = ["user.kind=human"];
    let (shown, asked) = ends_with(&human, "I am lost. /quit\n");
    assert!(shown.contains("user left") && asked.contains("/quit"), "{shown} {asked}");
    // The sentence of the first lesson is known: whoever only says that it is content has not said it.
    assert!(ends_with(&human, "/done\n").0.contains("user left"));
    assert!(ends_with(&human, "Is it dietro l'albero?\n/quit\n").0.contains("solved"));
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("said.jsonl");
    for (said, ending) in [("Goodbye. ###STOP###", "user left"), ("dietro l'albero! ###DONE###", "solved")] {
        let line = serde_json::json!({ "seat": "user", "text": said });
        std::fs::write(&script, line.to_string()).unwrap();
        let file = format!("models.m.script={}", script.display());
        let model = [
            "models.m.provider=scripted",
            "models.m.model=script",
            &file,
            "user.kind=model",
            "user.model=m",
            "user.sees=dialogue",
            "user.persona=users/student",
        ];
        let (shown, _) = ends_with(&model, "");
        assert!(shown.contains(ending), "{said}: {shown}");
    }
}

#[test]
fn a_client_tells_more_and_leaves_with_thanks() {
    let sessions = played("counsel", &[]);
    for (id, events) in &sessions.episodes {
        let replied = replied(events);
        assert_eq!(replied.len(), 3, "{id}");
        assert!(replied[2].leaving && replied[2].text.contains("谢谢"), "{id}");
        let mut texts: Vec<&str> = told(events).iter().map(|said| said.text.as_str()).collect();
        texts.dedup();
        assert_eq!(texts.len(), 3, "{id}: the counsellor says something new each time: {texts:?}");
    }
}

#[test]
fn a_visitor_asks_as_often_as_it_is_told() {
    for questions in [0, 1, 4] {
        let set = format!("user.questions={questions}");
        let tours = played("guide", &[&set]);
        for (id, events) in &tours.episodes {
            let replied = replied(events);
            assert!(replied.len() <= questions + 1, "{id}");
            assert!(replied.last().unwrap().leaving, "{id}");
            // The same question is not asked twice.
            let mut asked: Vec<&str> = replied.iter().map(|reply| reply.text.as_str()).collect();
            asked.sort_unstable();
            let all = asked.len();
            asked.dedup();
            assert_eq!(asked.len(), all, "{id}: {asked:?}");
        }
    }
}

#[test]
fn nobody_is_told_the_same_twice_running() {
    let dialogue = ["roles.executor.vocabulary=dialogue", "roles.thinker.vocabulary=dialogue"];
    let one_text = ["environment.top_k=1"];
    let games: [(&str, &[&str]); 5] =
        [("tutor", &[]), ("tutor", &dialogue), ("counsel", &[]), ("guide", &[]), ("guide", &one_text)];
    for (config, sets) in games {
        for (id, events) in &played(config, sets).episodes {
            for two in told(events).windows(2) {
                assert_ne!(two[0].text, two[1].text, "{config} {id}");
            }
        }
    }
}

#[test]
fn a_student_who_asks_for_a_hint_is_given_one() {
    let lessons = played("tutor", &[]);
    let mut hints = 0;
    for (id, events) in &lessons.episodes {
        let mut asked = false;
        for event in events {
            match &event.message {
                Message::Replied(reply) => {
                    asked = reply.text.ends_with("how to begin. Can you give me a hint?");
                }
                Message::Moved(Move::Plan { steps }) if asked => {
                    assert_eq!(steps[0].action.text, "Hint", "{id}");
                    hints += 1;
                }
                _ => {}
            }
        }
    }
    assert!(hints > 0);
}

#[test]
fn a_user_who_leaves_ends_the_episode_and_so_do_turns() {
    let left = played("guide", &["user.questions=1"]);
    assert!(left.episodes.values().all(|events| told(events).len() <= 2));
    // Two responses, however many questions there still are.
    let cut = played("guide", &["user.questions=9", "strategy.turns=2"]);
    for (id, events) in &cut.episodes {
        assert!(told(events).len() <= 2, "{id}");
    }
    assert_eq!(endings(&left).len(), left.episodes.len());
}

#[test]
fn conversations_are_the_same_for_the_same_seed_and_differ_for_others() {
    let few = "tasks.limit=8";
    let once = played("guide", &[few]).episodes;
    assert!(once == played("guide", &["run.concurrency=40", few]).episodes);
    assert!(once != played("guide", &["seed=2", few]).episodes);
}

#[test]
fn limits_hold_in_the_middle_of_a_conversation() {
    let limited = play(resolved("tutor", &["limits.questions=1", "limits.steps=3"]));
    for (id, events) in &limited.episodes {
        assert!(told(events).len() <= 1, "{id}");
        let moved = events.iter().filter(|event| matches!(event.message, Message::Moved(_)));
        assert!(moved.count() <= 3, "{id}");
    }
}

/// What was told in each episode, and how many of it were questions.
fn said(played: &Played) -> Vec<(Vec<String>, u32)> {
    let texts = |events: &Vec<Event>| -> Vec<String> {
        let told = told(events).into_iter();
        told.map(|said| said.text.clone()).collect()
    };
    let told = played.episodes.values().map(texts);
    let mut counted: Vec<(&rolecall::domain::EpisodeId, u32)> =
        played.launched.results.iter().map(|result| (&result.episode, result.counts.questions)).collect();
    counted.sort_unstable();
    told.zip(counted.into_iter().map(|(_, questions)| questions)).collect()
}

#[test]
fn a_limit_of_questions_keeps_no_response_back() {
    let merged = "strategy.cast=[\"thinker\", \"executor\"]";
    let whole = "strategy.cast=[\"thinker\", \"planner\", \"executor\"]";
    let react = "strategy.name=react";
    let planner = "roles.planner.implementation=rules";
    let kinds: [(&str, &[&str]); 6] = [
        ("tutor", &[merged]),
        ("tutor", &[whole, planner]),
        ("tutor", &[react]),
        ("counsel", &[]),
        ("guide", &[]),
        // Without a user as well: what strategies say is spoken to nobody yet.
        ("tpe-cima", &[]),
    ];
    for (config, sets) in kinds {
        let few = [sets, &["tasks.limit=4"]].concat();
        let free = said(&played(config, &few));
        assert!(free.iter().all(|(_, questions)| *questions == 0), "{config}");
        for limit in ["limits.questions=0", "limits.questions=1"] {
            let limited = said(&played(config, &[&few[..], &[limit]].concat()));
            assert_eq!(limited, free, "{config} {sets:?} {limit}");
        }
    }
}

#[test]
fn a_clarifier_asks_no_more_than_the_limit_of_questions() {
    let asked = |sets: &[&str]| {
        let all = said(&play(resolved("relay", sets)));
        all.iter().map(|(_, questions)| *questions).sum::<u32>()
    };
    assert!(asked(&[]) > 0);
    assert_eq!(asked(&["limits.questions=0"]), 0);
}
