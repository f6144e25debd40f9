//! A world that hears what is said to the user and what comes back.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::support::toy::{self, Does, ToyTasks, executor, friend, role, role_from, winner};
use async_trait::async_trait;
use rolecall::config::{Plan, PlannedRole, PlannedUser, Request, load};
use rolecall::domain::{
    Action, Answer, Begun, Ending, EpisodeId, Event, Message, Move, Observation, PublicTask, RoleName, Score, Seat,
    UserSees, Utterance,
};
use rolecall::log::{EVENTS, EventEncoder, LogWriter, RunFolder, RunLog};
use rolecall::ports::{
    Environment, EnvironmentEntry, EnvironmentError, NoWords, OpenTask, ParameterValue, Parameters, RoleEntry,
    TaskSource, Turn, UserEntry, UserError, UserSimulator, conformance,
};
use rolecall::runtime::{Launch, Replay, ResumeState, replay};

/// Writes down what it hears, and reads it out. What is loud echoes, and `Farewell.` ends the trial. It
/// fails once at `fall` and once when it hears `Boo!`.
struct Hall {
    heard: Vec<String>,
    falls: Arc<AtomicU32>,
    scares: Arc<AtomicU32>,
}

#[async_trait]
impl Environment for Hall {
    async fn begin(&mut self, _: &Begun) -> Result<Observation, EnvironmentError> {
        self.heard.clear();
        Ok(Observation::text("A hall."))
    }

    async fn perform(&mut self, action: &Action) -> Result<Observation, EnvironmentError> {
        let fails = EnvironmentError::Failed("the hall falls in".to_owned());
        match action.text.as_str() {
            "fall" if self.falls.fetch_add(1, Ordering::Relaxed) == 0 => Err(fails),
            "recite" => Ok(Observation::text(self.heard.join("; "))),
            "shout" => Ok(Observation::question("Anybody there?")),
            other => Ok(Observation::text(format!("You {other}."))),
        }
    }

    async fn hear(&mut self, said: &Utterance, reply: &Utterance) -> Result<Option<Observation>, EnvironmentError> {
        self.heard.push(format!("{} {}", said.text, reply.text));
        if reply.text == "Boo!" && self.scares.fetch_add(1, Ordering::Relaxed) == 0 {
            return Err(EnvironmentError::Failed("the hall trembles".to_owned()));
        }
        let echoes = reply.text.ends_with('!') || reply.text == "Farewell.";
        Ok(echoes.then(|| Observation {
            done: reply.text == "Farewell.",
            invalid: true,
            ..Observation::text(format!("It echoes: {}", reply.text))
        }))
    }

    async fn assess(&mut self) -> Result<Score, EnvironmentError> {
        Ok(Score::all_or_nothing(!self.heard.is_empty()))
    }
}

struct Halls {
    hears: bool,
    falls: Arc<AtomicU32>,
    scares: Arc<AtomicU32>,
}

impl Halls {
    fn new(hears: bool) -> Self {
        let (falls, scares) = Default::default();
        Self { hears, falls, scares }
    }
}

impl TaskSource for Halls {
    fn len(&self) -> usize {
        1
    }

    fn hears(&self) -> bool {
        self.hears
    }

    fn open(&self, _: usize) -> Result<OpenTask, EnvironmentError> {
        let (falls, scares) = (Arc::clone(&self.falls), Arc::clone(&self.scares));
        let hall = move || Hall { heard: Vec::new(), falls: Arc::clone(&falls), scares: Arc::clone(&scares) };
        Ok(OpenTask {
            task: PublicTask::new("hall", "hall", "be heard").into(),
            environment: Arc::new(move || Box::new(hall()) as Box<dyn Environment>),
        })
    }
}

/// Leaves with the word `Bye!`.
struct Says(&'static [&'static str]);

#[async_trait]
impl UserSimulator for Says {
    async fn reply(&mut self, turn: &Turn) -> Result<Utterance, UserError> {
        let text = self.0[turn.number as usize % self.0.len()];
        let leaving = text == "Bye!";
        Ok(Utterance { leaving, ..Utterance::text(text) })
    }
}

/// A user that answers with these words, one after the other.
fn says(words: &'static [&'static str]) -> PlannedUser {
    PlannedUser {
        sees: UserSees::DialogueAndObservations,
        factory: Arc::new(move || Box::new(Says(words))),
        ..friend()
    }
}

/// A role that makes these moves, one a turn, and then gives up: `?` begins what is said.
fn does(moves: &'static [&'static str]) -> PlannedRole {
    role(|turn| made(moves.get(turn.number as usize).copied()).into())
}

fn made(word: Option<&str>) -> Move {
    match word {
        Some(word) => match word.strip_prefix('?') {
            Some(said) => Move::speak(said),
            None => Move::act(word),
        },
        None => Move::Finish { answer: Box::default() },
    }
}

fn plan(hears: bool, role: PlannedRole, words: &'static [&'static str]) -> Arc<Plan> {
    let mut plan = toy::plan(ToyTasks::new(1), role, says(words));
    plan.cells[0].tasks = Arc::new(Halls::new(hears));
    Arc::new(plan)
}

fn run(folder: &Path, plan: &Arc<Plan>, resume_state: ResumeState) -> (EpisodeId, Vec<Event>) {
    let writer = LogWriter::create(folder, &plan.record, &plan.run.log).unwrap();
    go_on(folder, plan, resume_state, writer)
}

fn go_on(folder: &Path, plan: &Arc<Plan>, resume_state: ResumeState, writer: LogWriter) -> (EpisodeId, Vec<Event>) {
    let mut launch = Launch::new(Arc::clone(plan), &writer, Vec::new());
    launch.resume_state = resume_state;
    launch.run(&mut ()).unwrap();
    writer.close().unwrap();
    let log = RunLog::open(folder).unwrap();
    let id = log.ids().next().unwrap().clone();
    let events = log.episode(&id).unwrap().events;
    (id, events)
}

/// Plays the plan, and every beginning of what came out again in each way.
fn play(plan: &Arc<Plan>) -> (EpisodeId, Vec<Event>) {
    let folder = tempfile::tempdir().unwrap();
    let (id, events) = run(&folder.path().join("run"), plan, ResumeState::default());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.unwrap();
    // Nobody is asked between the score and the end: there is no such beginning.
    for length in (1..=events.len()).filter(|length| length + 1 != events.len()) {
        for who in [Replay::Models, Replay::Log, Replay::Twice] {
            let again = replay(plan, &id, &events[..length], who);
            let again = runtime.block_on(again);
            again.unwrap_or_else(|difference| panic!("{length} {who:?}: {difference}"));
        }
    }
    (id, events)
}

/// What was said, heard, done and shown, in short.
fn story(events: &[Event]) -> Vec<String> {
    let line = |event: &Event| match &event.message {
        Message::Told(said) => Some(format!("? {}", said.text)),
        Message::Replied(said) => Some(format!("< {}", said.text)),
        Message::Perform(action) => Some(format!("> {}", action.text)),
        Message::Observed(shown) => Some(shown.text.clone()),
        Message::Fault(fault) => Some(format!("fault of {}", fault.seat)),
        Message::Closed(outcome) => Some(outcome.ending.label()),
        _ => None,
    };
    events.iter().filter_map(line).collect()
}

#[test]
fn it_hears_every_reply_and_may_show_something_for_it() {
    let plan = plan(true, does(&["?Hello?", "?Loud?", "recite"]), &["Hi.", "Yes!"]);
    let (_, events) = play(&plan);
    let expected = [
        "A hall.",
        "? Hello?",
        "< Hi.",
        "? Loud?",
        "< Yes!",
        "It echoes: Yes!",
        "> recite",
        "Hello? Hi.; Loud? Yes!",
        "solved",
    ];
    assert_eq!(story(&events), expected);
    let echo =
        events.iter().find(|event| matches!(&event.message, Message::Observed(shown) if shown.text.starts_with("It")));
    let echo = echo.unwrap();
    let cause = &events[echo.cause.unwrap() as usize];
    assert!(matches!(cause.message, Message::Replied(_)));
    assert_eq!((&echo.from, &echo.to), (&Seat::Environment, &Seat::Conductor));
    // Nobody asked it to do anything, so it has refused nothing.
    let Message::Closed(outcome) = &events.last().unwrap().message else {
        panic!("it is not closed");
    };
    assert_eq!((outcome.counts.actions, outcome.counts.invalid), (1, 0));
}

#[test]
fn a_question_that_it_hands_on_is_part_of_an_action() {
    let expected = [
        "A hall.",
        "> shout",
        "",
        "? Anybody there?",
        "< Yes!",
        "It echoes: Yes!",
        "> recite",
        "Anybody there? Yes!",
        "solved",
    ];
    let (_, events) = play(&plan(true, does(&["shout", "recite"]), &["Yes!"]));
    assert_eq!(story(&events), expected);
    let both = Arc::new(|turn: &Turn| {
        let moves = ["shout", "recite"].map(|word| made(Some(word)));
        let last = Answer::from(made(None));
        Does::Answers(if turn.number == 0 { moves.to_vec().into() } else { last })
    });
    let anybody = RoleName::new("anybody").unwrap();
    let role = PlannedRole { role: anybody.clone(), ..role_from(both, false) };
    let order = ParameterValue::Roles(vec![anybody.clone()]);
    let parameters = Parameters::new(BTreeMap::from([("order", order)]));
    let mut relayed = Plan::clone(&plan(true, role, &["Yes!"]));
    relayed.cells[0].strategy = rolecall::strategies::relay(&[anybody], &parameters).unwrap();
    let (_, events) = play(&Arc::new(relayed));
    assert_eq!(story(&events), expected);
}

#[test]
fn one_that_does_not_hear_is_told_nothing() {
    let plan = plan(false, does(&["?Loud?", "recite"]), &["Yes!"]);
    let (_, events) = play(&plan);
    let expected = ["A hall.", "? Loud?", "< Yes!", "> recite", "", "gave up"];
    assert_eq!(story(&events), expected);
}

#[test]
fn after_a_fault_it_hears_again_what_it_had_heard() {
    let moves = &["?One?", "?Two?", "fall", "?Three?", "recite"];
    let plan = plan(true, does(moves), &["Yes!", "Well.", "Boo!"]);
    let (_, events) = play(&plan);
    let expected = [
        "A hall.",
        "? One?",
        "< Yes!",
        "It echoes: Yes!",
        "? Two?",
        "< Well.",
        "> fall",
        "fault of environment",
        "You fall.",
        "? Three?",
        "< Boo!",
        "fault of environment",
        "It echoes: Boo!",
        "> recite",
        "One? Yes!; Two? Well.; Three? Boo!",
        "solved",
    ];
    assert_eq!(story(&events), expected);
}

#[test]
fn from_every_place_it_goes_on_and_branches_as_it_was() {
    let moves = &["?One?", "fall", "?Two?", "?Three?", "recite"];
    let plan = plan(true, does(moves), &["Yes!", "Well.", "Boo!"]);
    let (id, events) = play(&plan);
    let encoder = EventEncoder::new(&id);
    for length in 1..events.len() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run");
        let writer = LogWriter::create(&path, &plan.record, &plan.run.log).unwrap();
        writer.close().unwrap();
        let mut lines = Vec::new();
        for event in &events[..length] {
            encoder.encode(event, &mut lines).unwrap();
        }
        fs::write(path.join(EVENTS), lines).unwrap();
        let log = RunLog::open(&path).unwrap();
        let resume_state = ResumeState::of(&plan, &log, false).unwrap();
        let copied = BTreeMap::from([(id.clone(), u32::try_from(length).unwrap())]);
        let forked = ResumeState::default().forked(Some(log), "parent", copied);
        let (_, branched) = run(&folder.path().join("branch"), &plan, forked);
        // A fault that comes after the branch does not come again: worlds fail once here.
        let faultless = |events: &[Event]| {
            let mut story = story(events);
            story.retain(|line| !line.starts_with("fault"));
            story
        };
        assert_eq!(faultless(&branched), faultless(&events), "{length}");
        let writer = RunFolder::lock(&path).unwrap().writer(&plan.run.log).unwrap();
        let (_, resumed) = go_on(&path, &plan, resume_state, writer);
        assert_eq!(faultless(&resumed), faultless(&events), "{length}");
    }
}

#[test]
fn a_trial_may_end_with_what_it_heard_under_every_strategy() {
    let over = ["A hall.", "? Bye?", "< Farewell.", "It echoes: Farewell."];
    let relayed = |_: &Turn| {
        let moves = vec![Move::speak("Bye?"), Move::act("jump")];
        Does::Answers(Answer { moves, ..Answer::default() })
    };
    let roles = [executor(), RoleName::new("reflector").unwrap()];
    let order = ParameterValue::Roles(vec![RoleName::new("anybody").unwrap()]);
    let strategies = [
        (rolecall::strategies::respact(&roles[..1], &Parameters::default()), does(&["?Bye?", "jump"])),
        (
            rolecall::strategies::reflexion(
                &roles,
                &Parameters::default(),
                rolecall::strategies::respact(&roles[..1], &Parameters::default()).unwrap(),
            ),
            does(&["?Bye?", "jump"]),
        ),
        (
            rolecall::strategies::relay(
                &[RoleName::new("anybody").unwrap()],
                &Parameters::new(BTreeMap::from([("order", order)])),
            ),
            PlannedRole { role: RoleName::new("anybody").unwrap(), ..role_from(Arc::new(relayed), false) },
        ),
    ];
    for (strategy, role) in strategies {
        let mut plan = Plan::clone(&plan(true, role, &["Farewell."]));
        plan.cells[0].strategy = strategy.unwrap();
        let (_, events) = play(&Arc::new(plan));
        let (last, told) = story(&events).split_last().map(|(last, told)| (last.clone(), told.to_vec())).unwrap();
        assert_eq!(told, over);
        assert_eq!(last, "solved");
    }
}

#[test]
fn a_user_who_left_has_left_whatever_the_world_shows() {
    let plan = plan(true, does(&["?Still there?", "jump"]), &["Bye!"]);
    let (_, events) = play(&plan);
    let expected = ["A hall.", "? Still there?", "< Bye!", "It echoes: Bye!", "solved"];
    assert_eq!(story(&events), expected);
    let asked =
        events.iter().any(|event| matches!(&event.message, Message::Scored(scored) if scored.ending == Ending::Solved));
    assert!(asked);
}

#[test]
fn what_it_shows_for_a_reply_answers_no_action_of_a_relay() {
    let anybody = RoleName::new("anybody").unwrap();
    let behaviour = Arc::new(|turn: &Turn| {
        let moves: &[&str] = match turn.number {
            0 => &["?Loud?", "walk", "?Again?", "run"],
            _ => &[],
        };
        let mut moves: Vec<Move> = moves.iter().map(|word| made(Some(word))).collect();
        if moves.is_empty() {
            moves.push(made(None));
        }
        Does::Answers(Answer { moves, ..Answer::default() })
    });
    let role = PlannedRole { role: anybody.clone(), ..role_from(behaviour, false) };
    let order = ParameterValue::Roles(vec![anybody.clone()]);
    let parameters = Parameters::new(BTreeMap::from([("order", order)]));
    let mut plan = Plan::clone(&plan(true, role, &["Yes!"]));
    plan.cells[0].strategy = rolecall::strategies::relay(&[anybody], &parameters).unwrap();
    let (_, events) = play(&Arc::new(plan));
    let expected = [
        "A hall.",
        "? Loud?",
        "< Yes!",
        "It echoes: Yes!",
        "> walk",
        "You walk.",
        "? Again?",
        "< Yes!",
        "It echoes: Yes!",
        "> run",
        "You run.",
        "solved",
    ];
    assert_eq!(story(&events), expected);
}

#[test]
fn it_conforms_as_any_world() {
    let world = Halls::new(true).open(0).unwrap().environment;
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let actions = [Action::text("recite")];
    runtime.block_on(conformance::environment(&world, &actions)).unwrap();
}

static ENVIRONMENTS: [EnvironmentEntry; 2] = [
    EnvironmentEntry {
        name: "hall",
        summary: "a hall that hears",
        parameters: &[],
        words: &NoWords,
        build: |_| Ok(Arc::new(Halls::new(true))),
    },
    EnvironmentEntry {
        name: "deaf-hall",
        summary: "a hall that does not",
        parameters: &[],
        words: &NoWords,
        build: |_| Ok(Arc::new(Halls::new(false))),
    },
];

static ROLE: RoleEntry = RoleEntry {
    name: "winner",
    summary: "does what it likes",
    roles: &[],
    environments: &[],
    parameters: &[],
    build: |_| Ok(winner().factory),
};

static USER: UserEntry = UserEntry {
    name: "friend",
    summary: "is friendly",
    environments: &[],
    tasks: &[],
    sees: UserSees::Question,
    parameters: &[],
    build: |_| Ok(friend().factory),
};

#[test]
fn check_says_whether_it_hears() {
    let rows = ["hall", "deaf-hall"].map(|name| {
        let mut registry = rolecall::worlds();
        registry.environments.extend(&ENVIRONMENTS);
        registry.roles.push(&ROLE);
        registry.users.push(&USER);
        let folder = tempfile::tempdir().unwrap();
        let config = format!(
            "[environment]\nname = \"{name}\"\n[strategy]\nname = \"respact\"\n[roles.executor]\n\
             implementation = \"winner\"\n[user]\nkind = \"friend\"\n"
        );
        fs::write(folder.path().join("config.toml"), config).unwrap();
        let request = Request { file: "config.toml".into(), working: folder.path().to_owned(), ..Request::default() };
        let text = rolecall::cli::describe(&load(&request, registry).unwrap());
        let row = text.lines().rfind(|line| line.trim_start().starts_with("environment "));
        row.unwrap().split_whitespace().collect::<Vec<_>>().join(" ")
    });
    assert_eq!(rows.map(|row| row.matches("yes").count()), [7, 4]);
}
