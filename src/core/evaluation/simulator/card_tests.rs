//! The card over made-up talks, after the ways in which users of tau2-bench fail.

use super::card::{Known, UserCard};
use super::{SimulatedUser, UserFault};
use crate::domain::{Action, Counts, Ending, Event, Message, Outcome, Utterance};
use crate::ports::held::{FactKind, HeldFact, HeldFacts, Secrets, Statement};

/// A user who knows what it wants: a colour, a size and a price. It says a fact by naming it with its value.
struct Wants(Vec<HeldFact>);

const VALUES: [(&str, &str); 3] = [("colour", "blue"), ("size", "large"), ("price", "cheap")];

impl Wants {
    fn new() -> Self {
        let fact = |(name, value): (&str, &str)| HeldFact {
            name: name.to_owned(),
            kind: FactKind::Input,
            question: format!("Which {name}?"),
            answer: format!("The {name} is {value}."),
        };
        Self(VALUES.map(fact).into())
    }
}

impl HeldFacts for Wants {
    fn facts(&self) -> &[HeldFact] {
        &self.0
    }

    fn asked(&self, question: &str) -> Vec<usize> {
        let named = |place: &usize| question.contains(VALUES[*place].0);
        (0..VALUES.len()).filter(named).collect()
    }

    fn stated(&self, words: &str, _: &[Event]) -> Vec<Statement> {
        let stated = VALUES.iter().enumerate().filter_map(|(fact, (name, value))| {
            let (_, rest) = words.split_once(&format!("{name} is "))?;
            let is_true = rest.starts_with(value);
            Some(Statement { fact, is_true })
        });
        stated.collect()
    }

    fn saves(&self, _: usize, _: &[Event]) -> u32 {
        1
    }
}

/// A talk: lines of the agent begin with `>`, what it does with `!`; `#` in the end of a line of the user says that it
/// leaves, `+` that it is satisfied.
fn talk(lines: &[&str], solved: bool) -> Vec<Event> {
    let said = lines.iter().map(|line| {
        let leaving = line.ends_with(['#', '+']);
        match (line.strip_prefix('>'), line.strip_prefix('!')) {
            (Some(said), _) => Message::Told(Utterance::text(said)),
            (_, Some(done)) => Message::Perform(Action::text(done)),
            _ if leaving => {
                let text = line.trim_end_matches(['#', '+']);
                Message::Replied(Utterance::leaving(text, line.ends_with('+')))
            }
            _ => Message::Replied(Utterance::text(*line)),
        }
    });
    let closed =
        Message::Closed(Outcome { ending: Ending::Failed, success: solved, reward: 0.0, counts: Counts::default() });
    Event::numbered(said.chain([closed]))
}

fn card(lines: &[&str]) -> UserCard {
    let held = Wants::new();
    let secrets = Secrets { phrases: vec!["Model X".to_owned(), "Acme".to_owned()], allowed: 0 };
    let known = Known { held: Some(&held), secrets: Some(&secrets) };
    UserCard::of(&talk(lines, false), known)
}

/// The faults of a talk, each with its count.
fn faults(lines: &[&str]) -> Vec<(UserFault, u32)> {
    let card = card(lines);
    UserFault::ALL.map(|fault| (fault, card.count(fault))).into_iter().filter(|(_, count)| *count > 0).collect()
}

#[test]
fn a_good_user_has_no_fault() {
    let lines = [
        ">Which colour?",
        "The colour is blue.",
        "!search",
        ">And which size, and what price?",
        "The size is large, the price is cheap.",
        ">Thank you.",
        "You are welcome!+",
    ];
    assert_eq!(faults(&lines), []);
    let card = card(&lines);
    assert_eq!((card.replies, card.words, card.answers), (3, 15, 2));
    let asking = (card.questions, card.hits, card.held, card.asked_for);
    assert_eq!(asking, (2, 2, 3, 3));
    assert!(!card.is_faulty());
}

#[test]
fn each_fault_is_seen_alone() {
    use UserFault::*;
    let table: &[(&[&str], UserFault)] = &[
        // It stops while the agent asks for confirmation (tau2-bench#182), or where agreeing was taken for done (#297).
        (&[">Shall I go on? Which colour?", "The colour is blue. Bye.#"], LeftEarly),
        (&[">Which colour?", "The colour is red."], Contradicted),
        (&[">Is it round?", "Yes, it is.", ">Is it round?", "No."], Contradicted),
        (&[">Anything else?", "How can I help you today?"], ActedAsAgent),
        (&[">Which one?", "Action: search[blue shirt]"], ActedAsAgent),
        (&[">Which maker?", "I want the Acme one."], Leaked),
        (&[">I am done.", "The colour is blue."], Unasked),
        (&[">Which colour?", "The size is large."], Beside),
        (&[">Which shape?", "First look, then choose, finally buy."], Overhelped),
        (&[">Which shape?", "I do not know.", ">How old?", "I do not know."], Repeated),
    ];
    for (lines, fault) in table {
        let mut found = faults(lines);
        // What is beside the question, or said without one, was not asked for either.
        if matches!(fault, Beside | Unasked) {
            found.retain(|(other, _)| !matches!((fault, other), (Beside, Unasked) | (Unasked, Overhelped)));
        }
        assert_eq!(found, [(*fault, 1)], "{lines:?}");
        assert_eq!(card(lines).is_faulty(), fault.spoils(), "{lines:?}");
    }
}

#[test]
fn what_only_looks_like_a_fault_is_none() {
    let table: &[&[&str]] = &[
        // A question that asks for nothing in particular may be answered by one fact.
        &[">What do you want?", "The colour is blue."],
        // What the agent names itself is no secret; what was done since may change an answer.
        &[">The Acme one?", "Yes, Acme."],
        &[">Is it on?", "No.", "!switch on", ">Is it on?", "Yes."],
        // The same question may get the same words.
        &[">Which shape?", "I do not know.", ">Which shape?", "I do not know."],
        &[">What should I do next?", "First look, then choose, finally buy."],
        // All is said, and it leaves.
        &[">Which colour, size and price?", "The colour is blue, the size is large, the price is cheap.#"],
    ];
    for lines in table {
        assert_eq!(faults(lines), [], "{lines:?}");
    }
    let left = |solved| {
        let events = talk(&[">Which?", "Bye.#"], solved);
        UserCard::of(&events, Known::default()).count(UserFault::LeftEarly)
    };
    assert_eq!((left(true), left(false)), (0, 1));
}

#[test]
fn more_than_was_asked_for_is_over_helpful() {
    let lines = [">Which colour?", "The colour is blue, the size is large."];
    assert_eq!(faults(&lines), [(UserFault::Unasked, 1), (UserFault::Overhelped, 1)]);
    // What was said before is nothing new.
    let lines = [">Which size?", "The size is large.", ">Which colour?", "The colour is blue, the size is large."];
    assert_eq!(faults(&lines), []);
}

#[test]
fn what_a_study_hands_over_is_nobodys() {
    let mut events = talk(&[">Which colour?", "The colour is red.", ">Which colour?"], false);
    for event in events.iter_mut().take(2) {
        if let Message::Told(said) | Message::Replied(said) = &mut event.message {
            said.given = true;
        }
    }
    let held = Wants::new();
    let known = Known { held: Some(&held), secrets: None };
    let card = UserCard::of(&events, known);
    assert!(!card.is_faulty() && (card.replies, card.questions, card.hits) == (0, 1, 1));
}

#[test]
fn rows_have_the_score_with_and_without_faulty_users_and_ask_f1() {
    let good = card(&[">Which colour?", "The colour is blue."]);
    let bad = card(&[">How old?", "The price is high."]);
    let mut user = SimulatedUser::default();
    for (task, solved, card) in [("a", true, good), ("b", false, bad), ("c", false, good)] {
        user.add(task, solved, card);
    }
    let found = user.figures().unwrap();
    let value = |found: &crate::evaluation::Estimate| found.value().unwrap();
    assert!((value(&found.success) - 1.0 / 3.0).abs() < 1e-9 && value(&found.kept) == 0.5);
    assert!((found.difference.unwrap().value - 1.0 / 6.0).abs() < 1e-9);
    assert!((value(&found.faulty) - 1.0 / 3.0).abs() < 1e-9);
    let asking = found.asking.unwrap();
    let (precision, recall) = (value(&asking.precision), value(&asking.recall));
    assert!((precision - 2.0 / 3.0).abs() < 1e-9 && (recall - 2.0 / 9.0).abs() < 1e-9);
    assert!((asking.f1.unwrap().value - 1.0 / 3.0).abs() < 1e-9);
    let mut silent = SimulatedUser::default();
    silent.add("a", true, UserCard::default());
    assert_eq!(silent.figures(), None);
}
