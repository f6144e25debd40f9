//! Heavy data: one copy per process, none for `check` and `list`, and long work off the arbiters.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Condvar, Mutex, OnceLock};
use std::time::Duration;

use async_trait::async_trait;
use rolecall::config::{Plan, Request, Resolved, load};
use rolecall::domain::{Action, Begun, Ending, Event, FaultKind, Message, Move, Observation, PublicTask, Score};
use rolecall::files::stamp;
use rolecall::ports::model::Calls;
use rolecall::ports::{
    Environment, EnvironmentEntry, EnvironmentError, NoWords, OpenTask, Parameter, Progress, RoleEntry, TaskSource,
    load_shared,
};
use rolecall::runtime::{Replay, replay};

use crate::support::toy::{self, Played, ToyTasks, friend, role};

/// A shop's products, which nobody wants to load twice.
struct Products(Vec<String>);

/// How often any products were loaded, and how many are in memory.
static LOADS: AtomicU32 = AtomicU32::new(0);
static ALIVE: AtomicU32 = AtomicU32::new(0);

impl Drop for Products {
    fn drop(&mut self) {
        ALIVE.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Finds the number of a product. Tasks are the lines of a small file beside the large one.
struct Shop {
    data: PathBuf,
    tasks: usize,
    products: OnceLock<Arc<Products>>,
}

impl Shop {
    fn products(&self, progress: &dyn Progress) -> Result<Arc<Products>, EnvironmentError> {
        if let Some(products) = self.products.get() {
            return Ok(Arc::clone(products));
        }
        let file = self.data.join("products.txt");
        let products = load_shared(&stamp(&file), || {
            let text = fs::read_to_string(&file)
                .map_err(|error| EnvironmentError::Data(format!("`{}`: {error}", file.display())))?;
            let lines: Vec<String> = text.lines().map(str::to_owned).collect();
            LOADS.fetch_add(1, Ordering::SeqCst);
            ALIVE.fetch_add(1, Ordering::SeqCst);
            for number in 0..=lines.len() {
                progress.loaded("products", number as u64, lines.len() as u64);
            }
            Ok(Products(lines))
        })?;
        Ok(Arc::clone(self.products.get_or_init(|| products)))
    }
}

impl TaskSource for Shop {
    fn len(&self) -> usize {
        self.tasks
    }

    fn prepare(&self, progress: &dyn Progress) -> Result<(), EnvironmentError> {
        self.products(progress).map(drop)
    }

    fn open(&self, index: usize) -> Result<OpenTask, EnvironmentError> {
        let products = self.products(&())?;
        Ok(OpenTask {
            task: PublicTask::new(format!("buy-{index}"), "buy", "buy it").into(),
            environment: Arc::new(move || Box::new(Till(Arc::clone(&products))) as Box<dyn Environment>),
        })
    }
}

struct Till(Arc<Products>);

#[async_trait]
impl Environment for Till {
    async fn begin(&mut self, _: &Begun) -> Result<Observation, EnvironmentError> {
        Ok(Observation::text(format!("{} products", self.0.0.len())))
    }

    async fn perform(&mut self, _: &Action) -> Result<Observation, EnvironmentError> {
        Ok(Observation { done: true, ..Observation::text(self.0.0[0].clone()) })
    }

    async fn assess(&mut self) -> Result<Score, EnvironmentError> {
        Ok(Score::all_or_nothing(true))
    }
}

static SHOP: EnvironmentEntry = EnvironmentEntry {
    name: "stall",
    summary: "a shop of the tests",
    parameters: &[
        Parameter::path("data", None, &[], "a folder of `tasks.txt` and `products.txt`"),
        Parameter::flag("gift", false, "whether it is wrapped"),
    ],
    words: &NoWords,
    build: |setup| {
        let data = setup.parameters.path("data").unwrap_or(Path::new("."));
        let tasks = fs::read_to_string(data.join("tasks.txt")).unwrap_or_default();
        Ok(Arc::new(Shop { data: data.to_owned(), tasks: tasks.lines().count(), products: OnceLock::new() }))
    },
};

static BUYER: RoleEntry = RoleEntry {
    name: "buyer",
    summary: "buys",
    roles: &[],
    environments: &[],
    parameters: &[],
    build: |_| Ok(role(|_| Move::act("buy").into()).factory),
};

const CONFIG: &str = "[environment]\nname = \"stall\"\ndata = \"shop\"\n[strategy]\nname = \"react\"\n\
    [roles.executor]\nimplementation = \"buyer\"\n[[cells]]\nname = \"plain\"\n\
    [[cells]]\nname = \"gift\"\nenvironment.gift = true\n";

fn resolved(folder: &Path) -> Resolved {
    let mut registry = rolecall::worlds();
    registry.environments.push(&SHOP);
    registry.roles.push(&BUYER);
    let request = Request { file: "config.toml".into(), working: folder.to_owned(), ..Request::default() };
    load(&request, registry).unwrap()
}

#[derive(Default)]
struct Told(Mutex<BTreeSet<(String, u64, u64)>>);

impl Progress for Told {
    fn loaded(&self, what: &str, pieces: u64, of: u64) {
        self.0.lock().unwrap().insert((what.to_owned(), pieces, of));
    }
}

/// One test, since it counts what is loaded in the whole process.
#[test]
fn equal_files_are_loaded_once_when_something_is_played_and_dropped_after_it() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("shop")).unwrap();
    fs::write(folder.path().join("config.toml"), CONFIG).unwrap();
    fs::write(folder.path().join("shop/tasks.txt"), "one\ntwo\n").unwrap();
    let loads = || LOADS.load(Ordering::SeqCst);
    // The large file is not there: nobody who only looks misses it.
    let mut checked = resolved(folder.path());
    checked.pin().unwrap();
    assert_eq!(checked.plan.episodes(), 4);
    assert!(!rolecall::cli::describe(&checked).is_empty());
    let missing = checked.plan.prepare(&()).unwrap_err().to_string();
    assert!(missing.contains("cell `plain`") && missing.contains("products.txt"), "{missing}");
    assert_eq!(loads(), 0);

    fs::write(folder.path().join("shop/products.txt"), "lamp\nmug\n").unwrap();
    let plan = resolved(folder.path()).plan;
    let other = resolved(folder.path()).plan;
    let told = Told::default();
    plan.prepare(&told).unwrap();
    plan.prepare(&told).unwrap();
    assert_eq!(loads(), 1, "the cells differ in a parameter");
    let pieces = told.0.into_inner().unwrap();
    assert_eq!(pieces.last().unwrap(), &("products".to_owned(), 2, 2));
    // Nobody has to prepare it who plays.
    let played = toy::play(other);
    assert_eq!(played.episodes.len(), 4);
    for events in played.episodes.values() {
        assert!(
            events.iter().any(|event| matches!(&event.message, Message::Observed(shown) if shown.text == "2 products"))
        );
    }
    assert_eq!((loads(), ALIVE.load(Ordering::SeqCst)), (1, 1));
    drop(plan);
    assert_eq!(ALIVE.load(Ordering::SeqCst), 0, "nobody holds it any more");

    fs::write(folder.path().join("shop/products.txt"), "lamp\nmug\npen\n").unwrap();
    resolved(folder.path()).plan.prepare(&()).unwrap();
    assert_eq!(loads(), 2, "another file is loaded anew");
}

/// Where two searches meet, if they run at the same time. Once they have met, nobody waits here.
#[derive(Default)]
struct Meeting {
    here: Mutex<u32>,
    more: Condvar,
    met: AtomicBool,
}

impl Meeting {
    fn wait(&self) {
        const LONGEST: Duration = Duration::from_secs(20);
        if self.met.load(Ordering::SeqCst) {
            return;
        }
        let mut here = self.here.lock().unwrap();
        *here += 1;
        self.more.notify_all();
        let (here, _) = self.more.wait_timeout_while(here, LONGEST, |here| *here < 2).unwrap();
        self.met.fetch_or(*here >= 2, Ordering::SeqCst);
    }
}

/// Searches off the arbiter's thread.
struct Search {
    calls: Calls,
    meeting: Arc<Meeting>,
    found: u64,
}

#[async_trait]
impl Environment for Search {
    fn may_call(&mut self, calls: &Calls) {
        self.calls = calls.clone();
    }

    async fn begin(&mut self, begun: &Begun) -> Result<Observation, EnvironmentError> {
        self.found = begun.seed.0 % 1000;
        Ok(Observation::text("A maze."))
    }

    async fn perform(&mut self, action: &Action) -> Result<Observation, EnvironmentError> {
        let (meeting, from, how) = (Arc::clone(&self.meeting), self.found, action.text.clone());
        let search = move || {
            match how.as_str() {
                "panic" => panic!("the search is lost"),
                "long" => toy::block(Duration::from_millis(1_500)),
                _ => meeting.wait(),
            }
            (0..1000).fold(from, |found, step| (found * 31 + step) % 1_000_003)
        };
        self.found = self.calls.off_thread(search).await?;
        let done = action.text == "done";
        Ok(Observation { done, ..Observation::text(self.found.to_string()) })
    }

    async fn assess(&mut self) -> Result<Score, EnvironmentError> {
        Ok(Score::all_or_nothing(true))
    }
}

/// So many episodes of these actions on one arbiter.
fn searches(tasks: usize, actions: &'static [&'static str], turn: u64) -> (Arc<Meeting>, Plan) {
    let meeting = Arc::new(Meeting::default());
    let mut toys = ToyTasks::new(tasks);
    let met = Arc::clone(&meeting);
    toys.world = Arc::new(move || Box::new(Search { calls: Calls::default(), meeting: Arc::clone(&met), found: 0 }));
    let searcher = role(|turn| Move::act(actions[turn.number as usize % actions.len()]).into());
    let mut plan = toy::plan(toys, searcher, friend());
    plan.run.arbiters = 1;
    plan.cells[0].limits.turn = Duration::from_millis(turn);
    (meeting, plan)
}

fn comes_out_the_same(plan: &Plan, played: &Played) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.unwrap();
    for (id, events) in &played.episodes {
        for who in [Replay::Models, Replay::Log] {
            runtime.block_on(replay(plan, id, events, who)).unwrap();
        }
    }
}

#[test]
fn long_work_lets_the_other_episodes_of_its_arbiter_go_on_and_is_replayed() {
    let (meeting, plan) = searches(2, &["look", "done"], 60_000);
    let played = toy::play(plan.clone());
    assert!(meeting.met.load(Ordering::SeqCst), "one search waited for the other episode's");
    comes_out_the_same(&plan, &played);
    // One after the other it is the same.
    let mut alone = plan;
    alone.run.concurrency = 1;
    assert_eq!(toy::play(alone).episodes, played.episodes);
}

fn faults(events: &[Event]) -> Vec<FaultKind> {
    let fault = |event: &Event| match &event.message {
        Message::Fault(fault) => Some(fault.kind),
        _ => None,
    };
    events.iter().filter_map(fault).collect()
}

#[test]
fn the_deadline_counts_work_and_a_panic_in_it_is_the_worlds() {
    for (action, turn, kind) in [("long", 500, FaultKind::Deadline), ("panic", 60_000, FaultKind::Panic)] {
        let actions: &'static [&'static str] = if action == "long" { &["long"] } else { &["panic"] };
        let (_, plan) = searches(1, actions, turn);
        let played = toy::play(plan.clone());
        let faults = faults(played.events(0));
        assert!(faults.ends_with(&[kind; 3]), "{action}: {faults:?}");
        assert!(matches!(played.outcome(0).ending, Ending::Broken { .. }));
        comes_out_the_same(&plan, &played);
    }
}
