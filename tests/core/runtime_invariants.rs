//! What holds for every episode (docs/architecture.md, "Invariants").

use std::sync::{Arc, Mutex};

use crate::support::toy::{
    self, CANARY, Played, ToyTasks, Watch, executor, friend, plan, play, play_watched, role, role_from, user, winner,
};
use rolecall::domain::{Ending, Event, Message, Move, Seat, UserSees};
use rolecall::runtime::verify;
use tokio_util::sync::CancellationToken;

fn kinds(events: &[Event]) -> Vec<&'static str> {
    events.iter().map(|event| event.message.kind()).collect()
}

#[test]
fn an_episode_runs_as_the_strategy_says() {
    let played = play(plan(ToyTasks::new(1), winner(), friend()));
    let expected = [
        "opened",
        "entrusted",
        "entrusted",
        "entrusted",
        "begun",
        "observed", // the start
        "brief",
        "moved",
        "brief",
        "moved",
        "told",
        "replied", // a thought, a question
        "brief",
        "moved",
        "perform",
        "observed",
        "brief",
        "moved",
        "perform",
        "observed",
        "brief",
        "moved",
        "perform",
        "observed",
        "brief",
        "moved",
        "perform",
        "observed",
        "assess",
        "scored",
        "closed",
    ];
    assert_eq!(kinds(played.events(0)), expected);
    let outcome = played.outcome(0);
    assert_eq!(outcome.ending, Ending::Solved);
    assert_eq!((outcome.counts.steps, outcome.counts.questions, outcome.counts.actions), (6, 1, 4));
    assert!((outcome.reward - 1.0).abs() < f64::EPSILON);
}

#[test]
fn seats_know_the_conductor_only_and_events_are_a_chain() {
    let played = play(plan(ToyTasks::new(20), winner(), friend()));
    for events in played.episodes.values() {
        for (position, event) in events.iter().enumerate() {
            assert_eq!(event.seq as usize, position);
            assert!(event.cause.is_none_or(|cause| cause < event.seq));
            let to_or_from_conductor = event.from == Seat::Conductor || event.to == Seat::Conductor;
            let entrusted = matches!(event.message, Message::Entrusted(_));
            assert!(to_or_from_conductor || entrusted, "{event:?}");
        }
        let closed = events.iter().filter(|event| matches!(event.message, Message::Closed(_)));
        assert_eq!(closed.count(), 1);
        assert!(matches!(events.last().unwrap().message, Message::Closed(_)));
    }
}

fn bytes(played: &Played) -> Vec<u8> {
    serde_json::to_vec(&played.episodes.iter().collect::<Vec<_>>()).unwrap()
}

#[test]
fn arbiters_and_concurrency_change_no_byte() {
    let of = |arbiters, concurrency| {
        let mut plan = plan(ToyTasks::new(100), winner(), friend());
        plan.repeats = 2;
        (plan.run.arbiters, plan.run.concurrency) = (arbiters, concurrency);
        bytes(&play(plan))
    };
    let first = of(1, 1);
    assert_eq!(first, of(4, 1000));
    assert_eq!(first, of(1, 1000));
    assert_eq!(first, of(4, 1));
}

#[test]
fn another_seed_gives_other_draws_and_repeats_differ() {
    let of = |seed| {
        let mut plan = plan(ToyTasks::new(3), winner(), friend());
        plan.seed = rolecall::domain::Seed(seed);
        plan.repeats = 2;
        play(plan)
    };
    let (first, second) = (of(1), of(2));
    assert_ne!(bytes(&first), bytes(&second));
    let mut runs = first.episodes.values().map(|events| format!("{events:?}"));
    assert_ne!(runs.next(), runs.next());
}

#[test]
fn no_private_part_reaches_another_seat() {
    for sees in [UserSees::Question, UserSees::Dialogue, UserSees::DialogueAndObservations] {
        let seen: Arc<Mutex<Vec<(Seat, String)>>> = Arc::default();
        let (by_role, by_user) = (Arc::clone(&seen), Arc::clone(&seen));
        let look = |seen: &Mutex<Vec<(Seat, String)>>, turn: &rolecall::ports::Turn| {
            let view = turn.view.all().map(|event| format!("{event:?}")).collect::<String>();
            seen.lock().unwrap().push((turn.seat.clone(), view));
        };
        let nosy_role = role(move |turn| {
            look(&by_role, turn);
            match turn.number {
                0 => Move::speak("What do you know?").into(),
                1 => Move::act("try").into(),
                2 => Move::speak("And now?").into(),
                _ => Move::act("win").into(),
            }
        });
        let mut nosy_user = user(move |turn| {
            look(&by_user, turn);
            Move::speak("Nothing.").into()
        });
        nosy_user.sees = sees;
        play(plan(ToyTasks::new(3), nosy_role, nosy_user));
        let seen = seen.lock().unwrap();
        assert!(seen.len() >= 18);
        for (seat, view) in seen.iter() {
            let expected = usize::from(*seat == Seat::User);
            assert_eq!(view.matches(CANARY).count(), expected, "{seat} saw {view}");
            assert!(!view.contains(&format!("{CANARY} for conductor")));
            assert!(!view.contains(&format!("{CANARY} for environment")));
        }
    }
}

#[test]
fn what_a_user_sees_is_what_the_config_says() {
    let count = |sees| {
        let seen: Arc<Mutex<Vec<String>>> = Arc::default();
        let by_user = Arc::clone(&seen);
        let role = role(|turn| match turn.number {
            0 => Move::speak("First question?").into(),
            1 => Move::act("try").into(),
            2 => Move::speak("Second question?").into(),
            _ => Move::act("win").into(),
        });
        let mut user = user(move |turn| {
            assert!(turn.question().unwrap().text.ends_with("question?"));
            by_user.lock().unwrap().push(format!("{:?}", turn.view));
            Move::speak("Hm.").into()
        });
        user.sees = sees;
        play(plan(ToyTasks::new(1), role, user));
        let last = seen.lock().unwrap().last().unwrap().clone();
        let has = |text: &str| last.contains(text);
        (has("First question?"), has("Second question?"), has("begun 0"))
    };
    assert_eq!(count(UserSees::Question), (false, true, false));
    assert_eq!(count(UserSees::Dialogue), (true, true, false));
    assert_eq!(count(UserSees::DialogueAndObservations), (true, true, true));
}

#[test]
fn an_answer_from_outside_is_on_disk_before_it_is_used() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    let events = path.join("events.jsonl");
    let on_disk: Arc<Mutex<Vec<usize>>> = Arc::default();
    let counted = Arc::clone(&on_disk);
    let outside = role_from(
        Arc::new(move |turn| {
            let text = std::fs::read_to_string(&events).unwrap();
            counted.lock().unwrap().push(text.matches(r#""moved""#).count());
            if turn.number < 5 { Move::act("try").into() } else { Move::act("win").into() }
        }),
        true,
    );
    let plan = plan(ToyTasks::new(1), outside, friend());
    toy::launch(&path, plan, Vec::new()).unwrap();
    assert_eq!(*on_disk.lock().unwrap(), [0, 1, 2, 3, 4, 5]);
}

#[test]
fn steps_are_limited_and_the_world_is_asked_how_it_stands() {
    let thinker = role(|_| Move::think("hm").into());
    let played = play(plan(ToyTasks::new(2), thinker, friend()));
    let outcome = played.outcome(1);
    assert_eq!(outcome.ending.label(), "out of steps");
    assert_eq!(outcome.counts.steps, 20);
    assert!(kinds(played.events(1)).ends_with(&["assess", "scored", "closed"]));
}

#[test]
fn questions_are_limited_by_closing_speech() {
    let asker = role(|turn| {
        let brief = turn.brief().unwrap();
        if brief.open.contains(rolecall::domain::MoveKind::Speak) {
            Move::speak("And?").into()
        } else {
            Move::act("win").into()
        }
    });
    let mut plan = plan(ToyTasks::new(1), asker, friend());
    plan.cells[0].limits.questions = Some(3);
    let played = play(plan);
    assert_eq!(played.outcome(0).counts.questions, 3);
    assert_eq!(played.outcome(0).ending, Ending::Solved);
    assert_eq!(played.outcome(0).counts.faults, 0);
}

#[test]
fn a_stopped_run_leaves_open_what_it_began_and_begins_no_more() {
    let stop = CancellationToken::new();
    let watch = Watch { stop_after: Some((3, stop.clone())), ..Watch::default() };
    let mut plan = plan(ToyTasks::new(500), winner(), friend());
    plan.run.concurrency = 8;
    let played = play_watched(plan, watch, stop);
    assert!(played.episodes.len() < 500, "the run was not stopped");
    assert_eq!(played.episodes.len(), played.launched.results.len());
    let closed = |events: &&Vec<Event>| matches!(events.last().unwrap().message, Message::Closed(_));
    let open = played.episodes.values().filter(|events| !closed(events)).count();
    // Those that were alive may all have come to their end just then.
    assert!(open <= 8, "{open} episodes are open");
    let without = played.launched.results.iter().filter(|result| result.ending.is_none());
    assert_eq!(without.count(), open);
    assert_eq!(played.live_at_the_end, 0);
}

#[tokio::test]
async fn an_episode_can_be_played_again_from_its_log() {
    let plan_again = plan(ToyTasks::new(4), winner(), friend());
    let played = tokio::task::spawn_blocking(|| play(plan(ToyTasks::new(4), winner(), friend())));
    let played = played.await.unwrap();
    for (id, events) in &played.episodes {
        verify(&plan_again, id, events).await.unwrap();
    }
    let (id, events) = played.episodes.first_key_value().unwrap();
    let mut edited = events.clone();
    edited[7].message = Message::Moved(Move::think("something else"));
    let difference = verify(&plan_again, id, &edited).await.unwrap_err();
    assert_eq!(difference.seq, 7);
}

#[tokio::test]
async fn a_role_that_is_no_function_of_its_view_is_found() {
    let calls = Arc::new(std::sync::atomic::AtomicU32::new(0));
    let forgetful = move || {
        let calls = Arc::clone(&calls);
        role(move |turn| {
            let call = calls.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            if turn.number < 3 { Move::think(call.to_string()).into() } else { Move::act("win").into() }
        })
    };
    let plan_again = plan(ToyTasks::new(1), forgetful(), friend());
    let first = plan(ToyTasks::new(1), forgetful(), friend());
    let played = tokio::task::spawn_blocking(|| play(first)).await.unwrap();
    let (id, events) = played.episodes.first_key_value().unwrap();
    let difference = verify(&plan_again, id, events).await.unwrap_err();
    assert!(difference.replayed.contains("no function of its view"), "{difference}");
    assert_eq!(executor().as_str(), "executor");
}

#[test]
fn users_are_drawn_by_weight_and_alike_in_every_cell() {
    let mut plan = plan(ToyTasks::new(400), winner(), friend());
    let mut rare = friend();
    rare.kind = "rare".to_owned();
    rare.weight = 1.0;
    let mut common = friend();
    common.weight = 3.0;
    plan.cells[0].users = vec![common, rare];
    let mut second = plan.cells[0].clone();
    second.name = rolecall::domain::CellName::new("second").unwrap();
    plan.cells.push(second);
    let played = play(plan);
    let mut drawn: std::collections::BTreeMap<u32, Vec<String>> = Default::default();
    for (id, events) in &played.episodes {
        let Message::Opened(opened) = &events[0].message else {
            panic!("an episode begins with `opened`");
        };
        let user = opened.user.clone().unwrap();
        drawn.entry(id.task).or_default().push(user);
    }
    assert!(drawn.values().all(|users| users.len() == 2 && users[0] == users[1]));
    let rare = drawn.values().filter(|users| users[0] == "rare").count();
    assert!((70..130).contains(&rare), "{rare} of 400 at a weight of 1 in 4");
}

/// A strategy that wants one answer, whatever it holds, and then closes.
struct OneAnswer {
    several: bool,
    moved: bool,
    scored: bool,
    begun: bool,
}

impl rolecall::ports::Strategy for OneAnswer {
    fn apply(&mut self, event: &Event) {
        self.begun |= matches!(event.message, Message::Observed(_));
        self.moved |= matches!(event.message, Message::Moved(_));
        self.scored |= matches!(event.message, Message::Scored(_));
    }

    fn next(&self) -> Result<rolecall::ports::Directive, rolecall::ports::StrategyError> {
        use rolecall::domain::{Brief, MoveKind, MoveKinds};
        use rolecall::ports::Directive;
        Ok(match (self.begun, self.moved, self.scored) {
            (_, _, true) => Directive::Close,
            (false, ..) => Directive::Begin { trial: 0, round: 0, keep_world: false },
            (true, false, _) => {
                let brief = Brief {
                    open: MoveKinds::of(&[MoveKind::Think, MoveKind::Act]),
                    several: self.several,
                    ..Brief::default()
                };
                Directive::Brief(executor(), brief)
            }
            (true, true, _) => Directive::Assess { unsolved: Ending::Failed },
        })
    }
}

#[test]
fn an_answer_of_several_moves_is_taken_whole_only_where_the_brief_says_so() {
    let moves_and_mends = |several| {
        let talkative = role(|_| {
            toy::Does::Answers(rolecall::domain::Answer {
                moves: vec![Move::think("one"), Move::act("two"), Move::think("three")],
                repaired: Vec::new(),
            })
        });
        let mut plan = plan(ToyTasks::new(1), talkative, friend());
        plan.cells[0].strategy =
            Arc::new(move || Box::new(OneAnswer { several, moved: false, scored: false, begun: false }));
        let played = play(plan);
        let kinds = kinds(played.events(0));
        let count = |kind| kinds.iter().filter(|other| **other == kind).count();
        (count("moved"), count("repaired"), played.outcome(0).counts.steps)
    };
    assert_eq!(moves_and_mends(true), (3, 0, 3));
    // A thought stands before the move.
    assert_eq!(moves_and_mends(false), (2, 1, 2));
}
