//! What the household users say: a table of questions over one small episode.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use proptest::prelude::*;
use rolecall::domain::{
    Action, Begun, CellName, EpisodeId, Event, Message, Observation, Opened, PrivateInfo, PublicTask, Seat, Seed,
    Transcript, UserSees, Utterance, Visibility,
};
use rolecall::ports::{ParameterValue, Parameters, Turn, UserError, UserSetup};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

pub(super) struct Episode {
    transcript: Transcript,
    length: u32,
}

/// What is entrusted to the user.
fn private_parts() -> [(&'static str, Value); 3] {
    let plan = json!([
        "go to desk 2",
        "take cd 3 from desk 2",
        "go to safe 1",
        "open safe 1",
        "move cd 3 to safe 1",
        "go to drawer 4",
        "open drawer 4",
        "take cd 1 from drawer 4",
        "go to safe 1",
        "move cd 1 to safe 1"
    ]);
    let placements = json!([["cd 3", "desk 2"], ["cd 1", "drawer 4"], ["cd 2", "shelf 1"], ["desklamp 1", "desk 2"]]);
    let wish = json!(["cd 3", "cd 1"]);
    [("oracle_plan", plan), ("placements", placements), ("wish", wish)]
}

impl Episode {
    pub(super) fn begin(user_sees: UserSees) -> Self {
        let visibility = Visibility { user_sees, ..Visibility::default() };
        let mut episode = Self { transcript: Transcript::new(visibility), length: 0 };
        let opened = Opened {
            task: Arc::new(PublicTask { data: json!({}), ..PublicTask::new("t", "puttwo", "put two cd in safe") }),
            cell: CellName::new("main").unwrap(),
            strategy: "respact".to_owned(),
            roles: Vec::new(),
            user: None,
            fork: None,
            served: None,
        };
        episode.record(Seat::Conductor, Message::Opened(Box::new(opened)));
        for (label, value) in private_parts() {
            let part = PrivateInfo { audience: Seat::User, label: label.to_owned(), value: value.into() };
            episode.record(Seat::User, Message::Entrusted(Box::new(part)));
        }
        let begun = Begun { trial: 0, round: 0, keep_world: false, seed: Seed(0) };
        episode.record(Seat::Environment, Message::Begun(begun));
        let room = "You are in the middle of a room. Looking quickly around you, you see a desk 2, a desk 1, \
                    a drawer 4, a safe 1, and a shelf 1.\nYour task is to: put two cd in safe.";
        episode.record(Seat::Conductor, Message::Observed(Observation::text(room)));
        episode
    }

    fn record(&mut self, to: Seat, message: Message) {
        let event = Event { seq: self.length, cause: None, from: Seat::Conductor, to, message };
        self.transcript.append(event).unwrap();
        self.length += 1;
    }

    pub(super) fn act(&mut self, command: &str, observation: &str) {
        self.record(Seat::Environment, Message::Perform(Action::text(command)));
        self.record(Seat::Conductor, Message::Observed(Observation::text(observation)));
    }

    pub(super) fn take_first_cd(&mut self) {
        self.act("go to desk 2", "You arrive at desk 2. On the desk 2, you see a cd 3, and a desklamp 1.");
        self.act("take cd 3 from desk 2", "You pick up the cd 3 from the desk 2.");
    }

    pub(super) fn open_safe(&mut self) {
        self.act("go to safe 1", "You arrive at safe 1. The safe 1 is closed.");
        self.act("open safe 1", "You open the safe 1. The safe 1 is open. In it, you see nothing.");
    }

    /// Asks a fresh user: what it says must follow from its view.
    pub(super) fn ask(&mut self, kind: &str, question: &str, seed: u64) -> Result<String, UserError> {
        self.ask_one(kind, &UserSetup::default(), question, seed)
    }

    /// Asks an owner that was told this.
    fn ask_owner(&mut self, placements: &str, wrong_rate: f64, question: &str, seed: u64) -> String {
        let told = BTreeMap::from([
            ("placements", ParameterValue::Text(placements.to_owned())),
            ("wrong_rate", ParameterValue::Number(wrong_rate)),
        ]);
        let setup = UserSetup {
            parameters: Parameters::new(told),
            sees: UserSees::DialogueAndObservations,
            ..UserSetup::default()
        };
        self.ask_one("owner", &setup, question, seed).unwrap()
    }

    fn ask_one(&mut self, kind: &str, setup: &UserSetup, question: &str, seed: u64) -> Result<String, UserError> {
        let since = self.length as usize;
        self.record(Seat::User, Message::Told(Utterance::text(question)));
        let entry = rolecall::worlds().users.into_iter().find(|entry| entry.name == kind).unwrap();
        let mut user = (entry.build)(setup).unwrap()();
        let turn = Turn {
            episode: EpisodeId { cell: CellName::new("main").unwrap(), task: 0, repeat: 0 },
            seat: Seat::User,
            number: 0,
            attempt: 0,
            view: self.transcript.visible_to(Seat::User, since, self.length as usize),
            seed: Seed(seed),
            deadline: std::time::Duration::from_secs(120),
            cancel: CancellationToken::new(),
            calls: Default::default(),
        };
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(user.reply(&turn)).map(|reply| reply.text)
    }

    /// Asserts that the reply contains the words, however it is worded.
    fn expect(&mut self, kind: &str, question: &str, words: &str) {
        for seed in 0..4 {
            let reply = self.ask(kind, question, seed).unwrap();
            assert!(reply.contains(words), "{kind}: {question} -> {reply}");
        }
    }
}

#[test]
fn a_helpful_user_answers_from_the_question_alone() {
    let mut episode = Episode::begin(UserSees::Question);
    episode.take_first_cd();
    let table = [
        ("Where should I look for the cd first?", "desk 2"),
        ("I need the second cd. Where should I look for it?", "drawer 4"),
        ("There is no cd in/on the desk 2. Where else should I look for the cd?", "drawer 4"),
        ("Where is the desklamp?", "desk 2"),
        ("I found cd 2, cd 3. Which one should I take?", "cd 3"),
        ("I found cd 1, cd 2, cd 3. Which two should I put in the safe?", "cd 3 and cd 1"),
        ("Where should I put it?", "safe 1"),
        ("Where is the safe?", "safe 1"),
        ("What should I do next?", "go to the desk 2"),
    ];
    for (question, words) in table {
        episode.expect("helpful", question, words);
    }
    for report in ["I have found a cd.", "Thanks!"] {
        let reply = episode.ask("helpful", report, 0).unwrap();
        assert!(!reply.contains(|letter: char| letter.is_ascii_digit()), "{reply}");
    }
}

#[test]
fn a_helpful_user_who_sees_the_world_keeps_up_with_it() {
    let mut episode = Episode::begin(UserSees::DialogueAndObservations);
    episode.expect("helpful", "Where should I look for the cd?", "desk 2");
    episode.take_first_cd();
    episode.expect("helpful", "Where should I look for the cd?", "drawer 4");
    episode.expect("helpful", "What should I do next?", "go to the safe 1");
    episode.open_safe();
    episode.act("open safe 1", "Nothing happens.");
    episode.expect("helpful", "What should I do next?", "put the cd 3 in/on the safe 1");
}

#[test]
fn a_vague_user_names_classes() {
    let mut episode = Episode::begin(UserSees::DialogueAndObservations);
    episode.expect("perturbed", "Where should I look for the cd?", "desk");
    episode.expect("perturbed", "I found cd 2, cd 3. Which one should I take?", "cd");
}

#[test]
fn an_uninformed_user_guesses_within_the_room() {
    let room = ["desk 1", "desk 2", "drawer 4", "safe 1", "shelf 1"];
    let mut episode = Episode::begin(UserSees::DialogueAndObservations);
    let mut named: BTreeSet<&str> = BTreeSet::new();
    for seed in 0..64 {
        let reply = episode.ask("unhelpful", "Where should I look for the cd?", seed << 16).unwrap();
        named.extend(room.iter().filter(|place| reply.contains(**place)));
    }
    assert_eq!(named.len(), room.len(), "{named:?}");
    for seed in 0..32 {
        let reply = episode.ask("unhelpful", "I see cd 2, cd 3. Which one should I take?", seed << 16).unwrap();
        assert!(["cd 2", "cd 3", "cd 4"].iter().any(|name| reply.contains(name)), "{reply}");
    }
}

#[test]
fn nonsense_gets_an_answer_and_no_panic() {
    for kind in ["helpful", "perturbed", "unhelpful", "owner"] {
        for question in ["", "?", "????", "where", "which", "cd 99999999999999999999?", "\u{0}é漢?"] {
            let mut episode = Episode::begin(UserSees::Question);
            assert!(!episode.ask(kind, question, 7).unwrap().is_empty());
        }
    }
}

/// Where everything is, as the owner says it.
const ALL: &str = "cd 1 is in drawer 4, cd 2 is in shelf 1, cd 3 is in desk 2.";

#[test]
fn an_owner_says_where_all_objects_of_a_class_are_and_which_it_means() {
    let mut episode = Episode::begin(UserSees::Question);
    episode.take_first_cd();
    let meant = "I mean cd 3 and cd 1.";
    let table = [
        ("Where is the cd?", ALL),
        ("Where can I find the CDs?", ALL),
        ("I am looking for the second cd. It could be at desk (1-2). Where should I look for the cd first?", ALL),
        ("There is no cd in/on the desk 2. I could still try shelf (1). Where else should I look for the cd?", ALL),
        ("where is the desk lamp", "desklamp 1 is in desk 2."),
        ("Which cd do you prefer?", meant),
        ("Which two cd do you prefer?", meant),
        ("I know of cd 1, cd 2, cd 3. Which two should I take?", meant),
        ("I found cd 2, cd 3 in/on the desk 2. Which one should I take?", meant),
        ("Do you mean cd 1 or cd 2?", meant),
    ];
    for (question, answer) in table {
        for seed in 0..4 {
            assert_eq!(episode.ask("owner", question, seed).unwrap(), answer, "{question}");
        }
    }
    let no_preference = episode.ask("owner", "Which desklamp do you prefer?", 0).unwrap();
    assert!(no_preference.contains("any desklamp"), "{no_preference}");
    for question in ["What should I do next?", "Where is the safe?", "Where should I put it?", "Where is the statue?"] {
        let answer = episode.ask("owner", question, 0).unwrap();
        assert_eq!(answer, "Sorry, I do not know.", "{question}");
    }
    let report = episode.ask("owner", "I have found a cd.", 1).unwrap();
    assert_eq!(report, "All right.");
}

/// Questions, and what the owner answers whose wish is two of three cds; where nothing is known of it, it
/// says so.
const ASKED: [(&str, &str); 46] = [
    ("Where is the cd and the desk lamp?", BOTH),
    ("Where are the CDs and the desklamps", BOTH),
    ("where can i find the cd or the desklamp", BOTH),
    ("Where is the cd and where is the desklamp?", BOTH),
    ("Where is the cd? And where is the desklamp?", BOTH),
    ("Where is the cd, the statue and the desklamp?", BOTH),
    ("I need the cd and the desklamp. Where are they?", BOTH),
    ("I have the cd and need the desklamp. Where is it?", LAMP),
    ("I know where the cd is, but where is the desklamp?", LAMP),
    ("Where is the desklamp, I have the cd already?", LAMP),
    ("Where is everything except the cd?", NO_IDEA),
    ("I do not know where the cd is.", ALL),
    ("I want to know where the cd is.", ALL),
    ("Could you tell me the location of the cd", ALL),
    ("In which drawer is the cd?", ALL),
    ("Which cabinet holds the cd?", ALL),
    ("What place is the cd in?", ALL),
    ("Which cd is in the drawer?", ALL),
    ("Is the cd on the desk?", ALL),
    ("WHERE IS THE CD", ALL),
    ("Where is the statue?", NO_IDEA),
    ("Where should I put the cd?", NO_IDEA),
    ("I found a cd. What should I do next?", NO_IDEA),
    ("Which one do you mean?", MEANT),
    ("Which one do you prefer?", MEANT),
    ("Which two do you want?", MEANT),
    ("which two do you want", MEANT),
    ("Which of them?", MEANT),
    ("Which of the CDs would you like?", MEANT),
    ("WHICH CD DO YOU PREFER", MEANT),
    ("What kind of cd should I bring?", MEANT),
    ("What cd do you want?", MEANT),
    ("What are you looking for?", MEANT),
    ("Do you have a preference?", MEANT),
    ("Should I take cd 1 or cd 2?", MEANT),
    ("Cd 1 or cd 2?", MEANT),
    ("Do you want the cd or the desklamp?", MEANT),
    ("Which cd or desklamp do you prefer?", MEANT),
    ("I found cd 1 and cd 2. Which should I take?", MEANT),
    ("There are several. Which one is it?", MEANT),
    ("Which cd should I put next to the desklamp?", MEANT),
    ("Which statue do you prefer?", NO_IDEA),
    ("Which one of the statues do you want?", NO_IDEA),
    ("I see statue 1 and statue 2. Which one do you prefer?", NO_IDEA),
    ("I found cd 1. Do you prefer the statue?", NO_IDEA),
    ("Where is the desklamp, and which cd do you prefer?", "desklamp 1 is in desk 2. I mean cd 3 and cd 1."),
];

const BOTH: &str = "cd 1 is in drawer 4, cd 2 is in shelf 1, cd 3 is in desk 2, desklamp 1 is in desk 2.";
const LAMP: &str = "desklamp 1 is in desk 2.";
const MEANT: &str = "I mean cd 3 and cd 1.";
const NO_IDEA: &str = "Sorry, I do not know.";

#[test]
fn an_owner_understands_natural_questions() {
    let mut wrong = Vec::new();
    for (question, answer) in ASKED {
        let said = Episode::begin(UserSees::Question).ask("owner", question, 0);
        if said.as_deref().unwrap() != answer {
            wrong.push(format!("{question} -> {said:?}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Pieces of which questions are made at random.
const PIECES: [&str; 56] = [
    "where",
    "which",
    "what",
    "is",
    "are",
    "do",
    "you",
    "i",
    "the",
    "a",
    "cd",
    "cds",
    "desklamp",
    "desk lamp",
    "statue",
    "cd 2",
    "statue 3",
    "desk",
    "drawer 4",
    "in",
    "on",
    "of",
    "one",
    "two",
    "them",
    "it",
    "and",
    "or",
    "not",
    "except",
    "prefer",
    "mean",
    "want",
    "need",
    "like",
    "should",
    "take",
    "put",
    "bring",
    "find",
    "look",
    "for",
    "know",
    "found",
    "kind",
    "next",
    "now",
    "to",
    "with",
    "have",
    ",",
    ".",
    "?",
    "!",
    "no",
    "tell me",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn an_owner_gives_nothing_away_that_was_not_asked_for(
        pieces in proptest::collection::vec(proptest::sample::select(&PIECES[..]), 1..12),
        seed in 0..4_u64,
    ) {
        let question = pieces.join(" ");
        let answer = Episode::begin(UserSees::Question).ask("owner", &question, seed).unwrap();
        let said = |options: &[&str]| pieces.iter().any(|piece| options.contains(piece));
        let cds = said(&["cd", "cds", "cd 2"]);
        prop_assert!(cds || !answer.contains("cd 2 is in"), "{question} -> {answer}");
        let lamps = said(&["desklamp", "desk lamp"]);
        prop_assert!(lamps || !answer.contains("desklamp 1"), "{question} -> {answer}");
        let prefers = ["which", "what", "prefer", "mean", "want", "need", "like", "take", "bring", "or"];
        prop_assert!(said(&prefers) || !answer.contains("I mean"), "{question} -> {answer}");
        // What is nobody's question is not answered.
        let asks = ["?", "where", "which", "what", "is", "are", "do", "should", "tell me"];
        prop_assert!(said(&asks) || !answer.contains(|letter: char| letter.is_ascii_digit()));
        // Where things are does not tell which is meant.
        let only_where = said(&["where"]) && !said(&["which", "what"]);
        let sentences = pieces.iter().filter(|piece| [".", "?", "!"].contains(piece)).count();
        prop_assert!(!only_where || sentences > 0 || !answer.contains("I mean"), "{question} -> {answer}");
    }

    #[test]
    fn an_owner_does_not_say_which_it_means_of_what_is_not_there(
        start in proptest::sample::select(&["Which", "Which one of the", "Which two", "What kind of", "what"][..]),
        thing in proptest::sample::select(&["statue", "statues", "vase", "red pen", "blue"][..]),
        end in proptest::sample::select(&["do you mean", "do you prefer", "should I bring", "would you like", ""][..]),
        mark in proptest::sample::select(&["?", ""][..]),
    ) {
        let question = format!("{start} {thing} {end}{mark}");
        let answer = Episode::begin(UserSees::Question).ask("owner", &question, 0).unwrap();
        prop_assert!(!answer.contains("I mean"), "{question} -> {answer}");
    }
}

#[test]
fn an_owner_may_follow_what_is_moved() {
    let mut episode = Episode::begin(UserSees::DialogueAndObservations);
    let ask = |episode: &mut Episode, placements| episode.ask_owner(placements, 0.0, "Where is the cd?", 0);
    episode.take_first_cd();
    assert_eq!(ask(&mut episode, "initial"), ALL);
    let rest = "cd 1 is in drawer 4, cd 2 is in shelf 1.";
    assert_eq!(ask(&mut episode, "current"), rest);
    episode.act("move cd 3 to safe 1", "You move the cd 3 to the safe 1.");
    let moved = "cd 1 is in drawer 4, cd 2 is in shelf 1, cd 3 is in safe 1.";
    assert_eq!(ask(&mut episode, "current"), moved);
    assert_eq!(ask(&mut episode, "initial"), ALL);
}

#[test]
fn an_owner_errs_as_often_as_it_is_told_and_in_three_ways() {
    let mut episode = Episode::begin(UserSees::Question);
    let mut ask = |rate: f64, question: &str| -> Vec<String> {
        let seeds = 0..200;
        let asked = seeds.map(|seed| episode.ask_owner("initial", rate, question, seed));
        asked.collect()
    };
    let wrong = |answers: &[String], right: &str| {
        let wrong = answers.iter().filter(|answer| *answer != right);
        wrong.count()
    };
    let meant = "I mean cd 3 and cd 1.";
    for (rate, least, most) in [(0.0, 0, 0), (0.3, 40, 80), (1.0, 200, 200)] {
        let answers = ask(rate, "Where is the cd?");
        let count = wrong(&answers, ALL);
        assert!((least..=most).contains(&count), "{rate}: {count}");
        let answers = ask(rate, "Which cd do you prefer?");
        let count = wrong(&answers, meant);
        assert!((least..=most).contains(&count), "{rate}: {count}");
        assert!(answers.iter().all(|answer| answer == meant || !answer.contains("cd")));
    }
    let all = ask(1.0, "Where is the cd?");
    let placements = |answer: &String| answer.matches(" is in ").count();
    assert!(all.iter().any(|answer| placements(answer) == 2));
    assert!(all.iter().any(|answer| placements(answer) == 3));
    assert_eq!(ask(0.5, "Where is the cd?"), ask(0.5, "Where is the cd?"));
}
