//! Conversations over the built-in samples: a cast talks with a student, a client or a visitor.

use crate::support::shipped;
use crate::support::toy::{Played, play};
use rolecall::config::Plan;
use rolecall::domain::{Ending, Event, Message, Move, Utterance};

fn resolved(config: &str, sets: &[&str]) -> Plan {
    shipped::plan(&format!("dialogue/{config}"), sets)
}

fn played(config: &str, sets: &[&str]) -> Played {
    let played = play(resolved(config, sets));
    for result in &played.launched.results {
        assert_eq!(result.counts.faults, 0, "{config}: {result:?}");
        assert!(result.success, "{config}: {result:?}");
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
        assert!(
            replied.iter().all(|reply| !reply.text.trim().is_empty()),
            "{id}"
        );
        if told[last].text.contains("that is correct") {
            assert!(leaving[last], "{id}: {events:#?}");
            confirmed += 1;
        }
    }
    // The tutor brings more than half of them there.
    assert!(confirmed * 2 > lessons.episodes.len(), "{confirmed}");
}

#[test]
fn a_client_tells_more_and_leaves_with_thanks() {
    let sessions = played("counsel", &[]);
    for (id, events) in &sessions.episodes {
        let replied = replied(events);
        assert_eq!(replied.len(), 3, "{id}");
        assert!(
            replied[2].leaving && replied[2].text.contains("谢谢"),
            "{id}"
        );
        let mut texts: Vec<&str> = told(events).iter().map(|said| said.text.as_str()).collect();
        texts.dedup();
        assert_eq!(
            texts.len(),
            3,
            "{id}: the counsellor says something new each time: {texts:?}"
        );
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
    let dialogue = [
        "roles.executor.vocabulary=dialogue",
        "roles.thinker.vocabulary=dialogue",
    ];
    let one_text = ["environment.top_k=1"];
    let games: [(&str, &[&str]); 5] = [
        ("tutor", &[]),
        ("tutor", &dialogue),
        ("counsel", &[]),
        ("guide", &[]),
        ("guide", &one_text),
    ];
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
                    asked = reply
                        .text
                        .ends_with("how to begin. Can you give me a hint?");
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
        let moved = events
            .iter()
            .filter(|event| matches!(event.message, Message::Moved(_)));
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
    let mut counted: Vec<(&rolecall::domain::EpisodeId, u32)> = played
        .launched
        .results
        .iter()
        .map(|result| (&result.episode, result.counts.questions))
        .collect();
    counted.sort_unstable();
    told.zip(counted.into_iter().map(|(_, questions)| questions))
        .collect()
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
        assert!(
            free.iter().all(|(_, questions)| *questions == 0),
            "{config}"
        );
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
