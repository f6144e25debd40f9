//! Participants that fail in every way, and a plan in which each has a cell of its own.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use rolecall::config::{Cell, Plan, PlannedRole};
use rolecall::domain::{
    Action, Answer, Begun, CellName, Ending, Event, FaultKind, Message, Move, Observation, Score, Utterance,
};
use rolecall::ports::{
    Directive, Environment, EnvironmentError, EpisodeLog, Measurement, Metric, ModelClient, Role, RoleError, Strategy,
    StrategyError, Turn, UserError, UserSimulator,
};

use crate::support::fake_model::cast::calling;
use crate::support::fake_model::{Asked, Does as Serves};
use crate::support::toy::{Does, ToyTasks, ToyWorld, block, executor, friend, plan as toy_plan, role, user};

/// Tasks of each cell.
pub(crate) const TASKS: usize = 28;

/// The deadline of turns in which no server takes part.
const DEADLINE: Duration = Duration::from_millis(150);

/// Who fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Who {
    Role,
    User,
    World,
    Strategy,
    Metric,
    Model,
    /// Role, user and world, each in its first attempt.
    All,
    /// Nobody, but the agent does not solve its task.
    Agent,
}

/// How.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum How {
    Panics,
    Never,
    Blocks,
    Late,
    Fails,
    Garbage,
    Huge,
    Loops,
}

/// What becomes of the affected episodes: this kind of fault ends them, or they go on.
pub(crate) type Breaks = Option<FaultKind>;

use FaultKind::{Deadline, Error, Panic, TooLarge, Unusable};

/// Every cell.
pub(crate) const CASES: [(Who, How, Breaks); 37] = [
    (Who::Role, How::Panics, Some(Panic)),
    (Who::Role, How::Never, Some(Deadline)),
    (Who::Role, How::Blocks, None),
    (Who::Role, How::Late, Some(Deadline)),
    (Who::Role, How::Fails, Some(Error)),
    (Who::Role, How::Garbage, Some(Unusable)),
    (Who::Role, How::Huge, Some(TooLarge)),
    (Who::User, How::Panics, Some(Panic)),
    (Who::User, How::Never, Some(Deadline)),
    (Who::User, How::Blocks, None),
    (Who::User, How::Late, Some(Deadline)),
    (Who::User, How::Fails, Some(Error)),
    (Who::User, How::Garbage, Some(Error)),
    (Who::User, How::Huge, Some(TooLarge)),
    (Who::World, How::Panics, Some(Panic)),
    (Who::World, How::Never, Some(Deadline)),
    (Who::World, How::Blocks, None),
    (Who::World, How::Late, Some(Deadline)),
    (Who::World, How::Fails, Some(Error)),
    (Who::World, How::Garbage, Some(Unusable)),
    (Who::World, How::Huge, Some(TooLarge)),
    (Who::Strategy, How::Panics, Some(Panic)),
    (Who::Strategy, How::Never, Some(Error)),
    (Who::Strategy, How::Blocks, None),
    (Who::Strategy, How::Fails, Some(Error)),
    (Who::Strategy, How::Garbage, Some(Error)),
    (Who::Metric, How::Panics, None),
    (Who::Metric, How::Blocks, None),
    (Who::Metric, How::Garbage, None),
    (Who::Model, How::Never, Some(Deadline)),
    (Who::Model, How::Late, None),
    (Who::Model, How::Fails, Some(Error)),
    (Who::Model, How::Garbage, Some(Error)),
    (Who::Model, How::Huge, Some(Unusable)),
    (Who::All, How::Panics, None),
    (Who::All, How::Never, None),
    (Who::Agent, How::Loops, None),
];

/// Whether it is the agent that failed, by answers of which none could be used.
pub(crate) fn is_failure((who, how, _): &(Who, How, Breaks)) -> bool {
    match who {
        Who::Role => matches!(how, How::Garbage | How::Huge),
        Who::Model => *how == How::Huge,
        _ => false,
    }
}

/// The name of a case's cell.
pub(crate) fn cell_name((who, how, _): &(Who, How, Breaks)) -> CellName {
    CellName::new(&format!("{who:?}-{how:?}").to_lowercase()).unwrap()
}

/// Whether the participant of its cell fails in this task.
pub(crate) fn is_affected(task: u32) -> bool {
    task % 4 == 1
}

/// Participants and strategies that are alive.
static ALIVE: AtomicI64 = AtomicI64::new(0);

pub(crate) fn alive() -> i64 {
    ALIVE.load(Ordering::Relaxed)
}

/// Something that is counted as long as it lives.
struct Counted<T: ?Sized>(Box<T>);

impl<T: ?Sized> Counted<T> {
    fn new(inner: Box<T>) -> Self {
        ALIVE.fetch_add(1, Ordering::Relaxed);
        Self(inner)
    }
}

impl<T: ?Sized> Drop for Counted<T> {
    fn drop(&mut self) {
        ALIVE.fetch_sub(1, Ordering::Relaxed);
    }
}

#[async_trait]
impl Role for Counted<dyn Role> {
    async fn take_turn(&mut self, turn: &Turn) -> Result<Answer, RoleError> {
        self.0.take_turn(turn).await
    }

    fn is_external(&self) -> bool {
        self.0.is_external()
    }
}

#[async_trait]
impl UserSimulator for Counted<dyn UserSimulator> {
    async fn reply(&mut self, turn: &Turn) -> Result<Utterance, UserError> {
        self.0.reply(turn).await
    }
}

#[async_trait]
impl Environment for Counted<ToyWorld> {
    async fn begin(&mut self, begun: &Begun) -> Result<Observation, EnvironmentError> {
        self.0.begin(begun).await
    }

    async fn perform(&mut self, action: &Action) -> Result<Observation, EnvironmentError> {
        match action.text.as_str() {
            "blocks" => block(Duration::from_millis(30)),
            "late" => tokio::time::sleep(20 * DEADLINE).await,
            "garbage" => {
                let deep = (0..200).fold(serde_json::Value::Null, |inner, _| vec![inner].into());
                return Ok(Observation { data: Some(Box::new(deep)), ..Observation::text("?") });
            }
            _ => {}
        }
        self.0.perform(action).await
    }

    async fn assess(&mut self) -> Result<Score, EnvironmentError> {
        self.0.assess().await
    }
}

/// A strategy that fails after the first move of an affected episode.
struct Faulty {
    inner: Box<dyn Strategy>,
    how: Option<How>,
    affected: bool,
    moves: u32,
}

impl Strategy for Counted<Faulty> {
    fn apply(&mut self, event: &Event) {
        let of = &mut self.0;
        match &event.message {
            Message::Opened(opened) => {
                let number = opened.task.id.rsplit('-').next().unwrap();
                of.affected = is_affected(number.parse().unwrap());
            }
            Message::Moved(_) => of.moves += 1,
            _ => {}
        }
        of.inner.apply(event);
    }

    fn next(&self) -> Result<Directive, StrategyError> {
        let of = &self.0;
        match of.how.filter(|_| of.affected && of.moves == 1) {
            None => of.inner.next(),
            Some(How::Panics) => panic!("the toy strategy panics"),
            Some(How::Never) => Ok(Directive::Begin { trial: 0, round: 0, keep_world: true }),
            Some(How::Fails) => Err(StrategyError::OutOfOrder("lost".to_owned())),
            Some(How::Garbage) => {
                let stranger = rolecall::domain::RoleName::new("stranger").unwrap();
                Ok(Directive::Brief(stranger, Default::default()))
            }
            Some(_) => {
                block(Duration::from_millis(30));
                of.inner.next()
            }
        }
    }
}

/// A metric that fails in the cells that are named after it.
pub(crate) struct FaultyMetric;

impl Metric for FaultyMetric {
    fn name(&self) -> &'static str {
        "toy"
    }

    fn measure(&self, log: &EpisodeLog<'_>) -> Measurement {
        let cell = log.id.cell.as_str();
        match cell.strip_prefix("metric-").filter(|_| is_affected(log.id.task)) {
            Some("panics") => panic!("the toy metric panics"),
            Some("garbage") => return Measurement::Value(f64::NAN),
            Some("blocks") => block(Duration::from_millis(30)),
            _ => {}
        }
        Measurement::Value(1.0)
    }
}

/// What somebody does who would make the move and fails in this way.
fn does(how: How, made: Move) -> Does {
    match how {
        How::Panics => Does::Panics,
        How::Never => Does::Never,
        How::Blocks => Does::Blocks(Duration::from_millis(30), Box::new(made.into())),
        How::Late => Does::Later(20 * DEADLINE, Box::new(made.into())),
        How::Fails => Does::Fails("no idea"),
        How::Garbage => Does::Answers(Answer::default()),
        How::Huge | How::Loops => Move::speak("x".repeat(1_000_000)).into(),
    }
}

/// The word with which the world fails in this way.
fn word(how: How) -> &'static str {
    match how {
        How::Panics => "panic",
        How::Never => "hang",
        How::Blocks => "blocks",
        How::Late => "late",
        How::Fails => "error",
        How::Garbage => "garbage",
        How::Huge | How::Loops => "big",
    }
}

/// Thinks, asks, tries and wins.
fn usual(turn: &Turn) -> Move {
    match turn.number {
        0 => Move::think("I should ask."),
        1 => Move::speak("What shall I do?"),
        2 | 3 => Move::act(format!("try {}", turn.seed.0 % 100)),
        _ => Move::act("win"),
    }
}

fn player(who: Who, how: How, faulty: bool) -> PlannedRole {
    role(move |turn| {
        let affected = faulty && is_affected(turn.episode.task);
        match (who, turn.number) {
            (Who::Agent, 1..) if affected => Move::act("try").into(),
            (Who::Role, 2) if affected => does(how, usual(turn)),
            (Who::All, 2) if affected && turn.attempt == 0 => does(how, usual(turn)),
            (Who::World, 3) if affected => Move::act(word(how)).into(),
            _ => usual(turn).into(),
        }
    })
}

/// The cell of one case.
fn cell(case: &(Who, How, Breaks), faulty: bool, model: &Arc<dyn ModelClient>) -> Cell {
    let (who, how, _) = *case;
    let helper = user(move |turn| {
        let made = Move::speak(format!("Just go on, {}.", turn.seed.0 % 100));
        let first = who == Who::All && turn.attempt == 0;
        match faulty && is_affected(turn.episode.task) && (who == Who::User || first) {
            true => does(how, made),
            false => made.into(),
        }
    });
    let mut tasks = ToyTasks::new(TASKS);
    tasks.world = Arc::new(|| Box::new(Counted::new(Box::new(ToyWorld::new(0)))));
    let role = match who {
        Who::Model => calling(model, 1, 3).cells.remove(0).roles.remove(0),
        _ => player(who, how, faulty),
    };
    let mut cell = toy_plan(tasks, role, helper).cells.remove(0);
    cell.name = cell_name(case);
    cell.limits.turn = match who {
        Who::Model => Duration::from_secs(3),
        _ => DEADLINE,
    };
    if who == Who::Model && how == How::Never {
        cell.limits.attempts = 1;
    }
    let how = (faulty && who == Who::Strategy).then_some(how);
    counted(cell, how)
}

/// The cell with its participants counted, and its strategy failing if that is asked for.
fn counted(mut cell: Cell, how: Option<How>) -> Cell {
    let strategy = Arc::clone(&cell.strategy);
    cell.strategy = Arc::new(move || {
        let inner = strategy();
        Box::new(Counted::new(Box::new(Faulty { inner, how, affected: false, moves: 0 })))
    });
    for role in &mut cell.roles {
        let inner = Arc::clone(&role.factory);
        role.factory = Arc::new(move || Box::new(Counted::<dyn Role>::new(inner())));
    }
    for user in &mut cell.users {
        let inner = Arc::clone(&user.factory);
        user.factory = Arc::new(move || Box::new(Counted::<dyn UserSimulator>::new(inner())));
    }
    cell
}

/// All cells, all episodes at once.
pub(crate) fn plan(faulty: bool, model: &Arc<dyn ModelClient>) -> Plan {
    let mut plan = toy_plan(ToyTasks::new(TASKS), role(|turn| usual(turn).into()), friend());
    plan.cells = CASES.iter().map(|case| cell(case, faulty, model)).collect();
    plan.models.add(Arc::clone(model));
    plan.run.concurrency = plan.episodes();
    plan
}

/// How the server treats a call, by the episode that the call's key names.
pub(crate) fn serves(asked: &Asked) -> Serves {
    let episode = asked.key.split('/').next().unwrap();
    let mut parts = episode.split(':');
    let (cell, task) = (parts.next().unwrap(), parts.next().unwrap());
    match cell.strip_prefix("model-").filter(|_| is_affected(task.parse().unwrap())) {
        Some("never") => Serves::Stalls(Duration::from_secs(600)),
        Some("late") => Serves::Stalls(Duration::from_millis(400)),
        Some("fails") => Serves::Refuses(400, Vec::new(), r#"{"error":"no"}"#.to_owned()),
        Some("garbage") => Serves::Babbles,
        Some("huge") => Serves::Floods,
        _ => Serves::Replies,
    }
}

/// Who is said to have broken an episode of the case.
pub(crate) fn breaker(who: Who) -> Ending {
    use rolecall::domain::Seat;
    let by = match who {
        Who::Role | Who::Model | Who::All | Who::Agent => Seat::Role(executor()),
        Who::User => Seat::User,
        Who::World => Seat::Environment,
        Who::Strategy | Who::Metric => Seat::Conductor,
    };
    Ending::Broken { by }
}
