//! A small world, roles and users made of closures, and a plan around them.

#![allow(dead_code, unreachable_pub, clippy::unwrap_used)]

pub mod cast;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use rolecall::config::{Cell, Limits, Plan, PlannedRole, PlannedUser, RunSettings, Watching};
use rolecall::domain::{
    Action, Answer, Begun, CellName, EpisodeId, Event, Message, Move, Observation, Outcome, PrivateInfo, PublicTask,
    RoleName, Score, Seat, Seed, Task, UserSees, Utterance,
};
use rolecall::evaluation::EpisodeResult;
use rolecall::log::{LogSettings, LogWriter, decode_event};
use rolecall::ports::{
    Environment, EnvironmentError, Metric, OpenTask, Parameters, Role, RoleError, TaskSource, Turn, UserError,
    UserSimulator,
};
use rolecall::runtime::{Directory, Launch, LaunchError, Launched, Observer, verify};
use tokio_util::sync::CancellationToken;

/// The token that stands in every private part of the toy world's tasks.
pub const CANARY: &str = "CANARY-5f3a";

/// What a toy participant does when it is asked.
pub enum Does {
    Answers(Answer),
    Panics,
    Never,
    Fails(&'static str),
    /// The same, after this time.
    Later(Duration, Box<Does>),
    /// The same, but the thread is kept for this time first.
    Blocks(Duration, Box<Does>),
}

impl Does {
    /// What it comes to when its time is over.
    async fn at_last(mut self) -> Self {
        loop {
            self = match self {
                Self::Later(time, then) => {
                    tokio::time::sleep(time).await;
                    *then
                }
                Self::Blocks(time, then) => {
                    block(time);
                    *then
                }
                does => return does,
            };
        }
    }

    /// Whether it takes its time first.
    fn takes_time(&self) -> bool {
        matches!(self, Self::Later(..) | Self::Blocks(..))
    }
}

/// Keeps the thread.
#[expect(clippy::disallowed_methods, reason = "it is what a good participant must not do")]
pub fn block(time: Duration) {
    std::thread::sleep(time);
}

impl From<Move> for Does {
    fn from(made: Move) -> Self {
        Self::Answers(made.into())
    }
}

pub type Behaviour = Arc<dyn Fn(&Turn) -> Does + Send + Sync>;

struct ToyRole {
    behaviour: Behaviour,
    external: bool,
}

#[async_trait]
impl Role for ToyRole {
    async fn take_turn(&mut self, turn: &Turn) -> Result<Answer, RoleError> {
        let mut does = (self.behaviour)(turn);
        if does.takes_time() {
            // Boxed: what waits for nothing is to stay small.
            does = Box::pin(does.at_last()).await;
        }
        match does {
            Does::Answers(answer) => Ok(answer),
            Does::Panics | Does::Later(..) | Does::Blocks(..) => panic!("the toy role panics"),
            Does::Never => std::future::pending().await,
            Does::Fails(message) => Err(RoleError::Failed(message.to_owned())),
        }
    }

    fn is_external(&self) -> bool {
        self.external
    }
}

struct ToyUser(Behaviour);

#[async_trait]
impl UserSimulator for ToyUser {
    async fn reply(&mut self, turn: &Turn) -> Result<Utterance, UserError> {
        let mut does = (self.0)(turn);
        if does.takes_time() {
            // Boxed: what waits for nothing is to stay small.
            does = Box::pin(does.at_last()).await;
        }
        match does {
            Does::Answers(answer) => match answer.moves.into_iter().next() {
                Some(Move::Speak { text, .. }) => Ok(Utterance::text(text)),
                other => Err(UserError::Failed(format!("a user cannot {other:?}"))),
            },
            Does::Panics | Does::Later(..) | Does::Blocks(..) => panic!("the toy user panics"),
            Does::Never => std::future::pending().await,
            Does::Fails(message) => Err(UserError::Failed(message.to_owned())),
        }
    }
}

/// A world that numbers what is done. `win` solves the task; the other words of `perform` misbehave.
pub struct ToyWorld {
    number: u32,
    won: bool,
    /// Differs between the worlds that a factory makes, for worlds that cannot be rebuilt.
    pub salt: u32,
}

#[async_trait]
impl Environment for ToyWorld {
    async fn begin(&mut self, _: &Begun) -> Result<Observation, EnvironmentError> {
        (self.number, self.won) = (0, false);
        Ok(Observation::text(format!("begun {}", self.salt)))
    }

    async fn perform(&mut self, action: &Action) -> Result<Observation, EnvironmentError> {
        match action.text.as_str() {
            "win" => self.won = true,
            "panic" => panic!("the toy world panics"),
            "hang" => std::future::pending().await,
            "error" => return Err(EnvironmentError::Failed("the toy world fails".to_owned())),
            "big" => return Ok(Observation::text("x".repeat(1_000_000))),
            "nonsense" => {
                let invalid = true;
                return Ok(Observation { invalid, ..Observation::text("Nothing happens.") });
            }
            _ => {}
        }
        self.number += 1;
        let done = self.won;
        Ok(Observation { done, ..Observation::text(format!("{}: {}", self.number, action.text)) })
    }

    async fn assess(&mut self) -> Result<Score, EnvironmentError> {
        let reward = f64::from(u8::from(self.won));
        Ok(Score { success: self.won, reward, ..Score::default() })
    }
}

impl ToyWorld {
    pub fn new(salt: u32) -> Self {
        Self { number: 0, won: false, salt }
    }
}

/// Tasks of the toy world. The task with the index `broken` cannot be opened.
pub struct ToyTasks {
    pub count: usize,
    pub broken: Option<usize>,
    /// The task whose data is nested too deep.
    pub deep: Option<usize>,
    pub world: Arc<dyn Fn() -> Box<dyn Environment> + Send + Sync>,
}

impl ToyTasks {
    pub fn new(count: usize) -> Self {
        let world = Arc::new(|| Box::new(ToyWorld::new(0)) as Box<dyn Environment>);
        Self { count, broken: None, deep: None, world }
    }
}

impl ToyTasks {
    fn data(&self, index: usize) -> serde_json::Value {
        let levels = if self.deep == Some(index) { 200 } else { 0 };
        (0..levels).fold(serde_json::Value::Null, |inner, _| serde_json::json!([inner]))
    }
}

impl TaskSource for ToyTasks {
    fn len(&self) -> usize {
        self.count
    }

    fn open(&self, index: usize) -> Result<OpenTask, EnvironmentError> {
        if self.broken == Some(index) {
            return Err(EnvironmentError::Data("`toy` line 3: no such game".to_owned()));
        }
        let entrusted = [Seat::User, Seat::Environment, Seat::Conductor];
        let task = Task {
            public: Arc::new(PublicTask {
                data: self.data(index),
                ..PublicTask::new(format!("toy-{index}"), ["even", "odd"][index % 2], "")
            }),
            private: entrusted
                .into_iter()
                .map(|audience| PrivateInfo {
                    label: "secret".to_owned(),
                    value: Arc::new(format!("{CANARY} for {audience}").into()),
                    audience,
                })
                .collect(),
        };
        Ok(OpenTask { task, environment: self.world.clone() })
    }
}

pub fn executor() -> RoleName {
    RoleName::new("executor").unwrap()
}

/// A role made of a closure.
pub fn role(behaviour: impl Fn(&Turn) -> Does + Send + Sync + 'static) -> PlannedRole {
    role_from(Arc::new(behaviour), false)
}

pub fn role_from(behaviour: Behaviour, external: bool) -> PlannedRole {
    PlannedRole {
        role: executor(),
        implementation: "toy".to_owned(),
        factory: Arc::new(move || Box::new(ToyRole { behaviour: Arc::clone(&behaviour), external })),
    }
}

/// A user made of a closure.
pub fn user(behaviour: impl Fn(&Turn) -> Does + Send + Sync + 'static) -> PlannedUser {
    let behaviour: Behaviour = Arc::new(behaviour);
    PlannedUser {
        kind: "toy".to_owned(),
        weight: 1.0,
        sees: UserSees::Question,
        factory: Arc::new(move || Box::new(ToyUser(Arc::clone(&behaviour)))),
    }
}

/// A role that thinks, asks, acts a little and wins, by its turn number.
pub fn winner() -> PlannedRole {
    role(|turn| match turn.number {
        0 => Move::think("I should ask.").into(),
        1 => Move::speak("What shall I do?").into(),
        2..=4 => Move::act(format!("try {}", turn.seed.0 % 100)).into(),
        _ => Move::act("win").into(),
    })
}

/// A user that is friendly.
pub fn friend() -> PlannedUser {
    user(|turn| Move::speak(format!("Just go on, {}.", turn.seed.0 % 100)).into())
}

/// The same plan with turns whose deadline is soon over, for participants that never answer.
pub fn impatient(mut plan: Plan) -> Plan {
    plan.cells[0].limits.turn = Duration::from_millis(300);
    plan
}

/// A plan that plays `tasks` with one ReSpAct cast.
pub fn plan(tasks: ToyTasks, role: PlannedRole, user: PlannedUser) -> Plan {
    let strategy = rolecall::strategies::respact(&[executor()], &Parameters::default()).unwrap();
    let tasks: Arc<dyn TaskSource> = Arc::new(tasks);
    Plan {
        name: "toy".to_owned(),
        id: Arc::default(),
        seed: Seed(1),
        repeats: 1,
        tasks: (0..tasks.len()).collect(),
        models: rolecall::ports::Models::default(),
        model_settings: Vec::new(),
        serve: rolecall::config::ServeSettings::default(),
        queue: rolecall::config::QueueSettings::default(),
        cells: vec![Cell {
            name: CellName::new("main").unwrap(),
            environment: "toy".to_owned(),
            tasks,
            strategy_name: "respact".to_owned(),
            strategy,
            roles: vec![role],
            users: vec![user],
            hidden_thoughts: BTreeSet::new(),
            limits: Limits { steps: 20, repeats: 0, turn: Duration::from_secs(60), ..Limits::default() },
        }],
        run: RunSettings {
            concurrency: 64,
            arbiters: 2,
            shard: None,
            logs: "logs".into(),
            log: LogSettings::default(),
            watching: Watching::default(),
        },
        record: "schema = 1\n".to_owned(),
    }
}

/// What a finished run left behind.
pub struct Played {
    pub launched: Launched,
    pub episodes: BTreeMap<EpisodeId, Vec<Event>>,
    pub live_at_the_end: usize,
    _folder: tempfile::TempDir,
}

impl Played {
    pub fn outcome(&self, task: u32) -> &Outcome {
        let (_, events) = self.episodes.iter().find(|(id, _)| id.task == task).unwrap();
        match &events.last().unwrap().message {
            Message::Closed(outcome) => outcome,
            other => panic!("the episode does not end in `closed` but in {other:?}"),
        }
    }

    /// The results with their events, in the order of tasks.
    pub fn in_order(mut self) -> Vec<(EpisodeResult, Vec<Event>)> {
        let mut results = self.launched.results;
        results.sort_by(|one, two| one.episode.cmp(&two.episode));
        let with_events = results.into_iter().map(|result| {
            let events = self.episodes.remove(&result.episode).unwrap();
            (result, events)
        });
        with_events.collect()
    }

    pub fn moves(&self, task: u32) -> Vec<Move> {
        let events = self.events(task).iter();
        let moved = events.filter_map(|event| match &event.message {
            Message::Moved(made) => Some(made.clone()),
            _ => None,
        });
        moved.collect()
    }

    pub fn events(&self, task: u32) -> &[Event] {
        self.episodes.iter().find(|(id, _)| id.task == task).unwrap().1
    }
}

/// Keeps what the directory said last.
#[derive(Default)]
pub struct Watch {
    pub live: usize,
    pub closed: usize,
    pub stop_after: Option<(usize, CancellationToken)>,
    pub directory: Directory,
}

impl Observer for Watch {
    fn closed(&mut self, _: &EpisodeResult, live: &Directory) {
        self.closed += 1;
        self.directory = live.clone();
        if let Some((after, stop)) = &self.stop_after
            && self.closed >= *after
        {
            stop.cancel();
        }
    }

    fn tick(&mut self, live: &Directory, _: &[(String, String)]) {
        self.live = self.live.max(live.len());
    }
}

/// Plays a plan into a folder, and measures it.
pub fn launch(path: &Path, plan: Plan, metrics: Vec<&'static dyn Metric>) -> Result<Launched, LaunchError> {
    let writer = LogWriter::create(path, &plan.record, &plan.run.log).unwrap();
    let launched = Launch::new(plan, &writer, metrics).run(&mut ());
    writer.close().unwrap();
    launched
}

pub fn play(plan: Plan) -> Played {
    play_watched(plan, Watch::default(), CancellationToken::new())
}

pub fn play_watched(plan: Plan, mut watch: Watch, stop: CancellationToken) -> Played {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    let writer = LogWriter::create(&path, &plan.record, &plan.run.log).unwrap();
    let launch = Launch {
        plan: Arc::new(plan),
        log: writer.handle(),
        metrics: Arc::from([]),
        stop,
        resume_state: rolecall::runtime::ResumeState::default(),
        orders: None,
    };
    let launched = launch.run(&mut watch).unwrap();
    writer.close().unwrap();
    Played { launched, episodes: read_events(&path), live_at_the_end: watch.directory.len(), _folder: folder }
}

pub fn read_events(run: &Path) -> BTreeMap<EpisodeId, Vec<Event>> {
    let path = run.join("events.jsonl");
    let text = std::fs::read(&path).unwrap();
    let mut episodes: BTreeMap<EpisodeId, Vec<Event>> = BTreeMap::new();
    for (number, line) in text.split(|byte| *byte == b'\n').enumerate() {
        if !line.is_empty() {
            let (id, event) = decode_event(&path, number as u64 + 1, line).unwrap();
            episodes.entry(id).or_default().push(event);
        }
    }
    episodes
}

/// Everybody says again what they said in these episodes.
pub fn redriven(plan: &Plan, episodes: &BTreeMap<EpisodeId, Vec<Event>>) {
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = runtime.enable_all().build().unwrap();
    for (id, events) in episodes {
        let again = runtime.block_on(verify(plan, id, events));
        again.unwrap_or_else(|error| panic!("{id}: {error}"));
    }
}

/// Plays a plan, and plays it again from its log.
pub fn again(plan: &Plan) -> Played {
    let played = play(plan.clone());
    redriven(plan, &played.episodes);
    played
}
