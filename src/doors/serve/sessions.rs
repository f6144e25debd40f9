//! Sessions: each is an ordinary episode of an ordinary run, in which a client plays one seat. Everything else
//! (limits, faults, log, results) is what every episode has.

use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use rustc_hash::FxHashMap;
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;

use super::desk::Desk;
use super::session::{Session, SessionError, Slot};
use crate::{capped, locked};
use rolecall_core::domain::{EpisodeId, PublicTask, Seat, Seed, Served};
use rolecall_core::text::joined;
use rolecall_run::config::{Plan, Record};
use rolecall_run::runtime::{Client, EpisodeOrder};

/// Orders that wait until episodes are set up.
const MOST_WAITING: usize = 64;

/// The longest name that a client may give an episode, in bytes.
pub const LONGEST_NAME: usize = 255;

/// The episode that a client wants to play. Defaults: the first split, the next task, a user as the
/// config draws it, the run's seed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Order {
    /// The split.
    pub split: Option<String>,
    /// The cell, by its name; the first that plays the split and has the user.
    pub cell: Option<String>,
    /// The task, by its number in the split, from 0; one after the other, and from the first again.
    pub task: Option<u32>,
    /// The seed of the episode.
    pub seed: Option<u64>,
    /// The kind of user.
    pub user: Option<String>,
    /// The client's own name for the episode, up to [`LONGEST_NAME`] bytes.
    pub name: Option<String>,
}

/// The sessions of a run. Clones are the same sessions.
#[derive(Clone)]
pub struct Sessions(Arc<Shared>);

struct Shared {
    plan: Arc<Plan>,
    seat: Seat,
    splits: Vec<Split>,
    desk: Arc<Desk>,
    orders: Mutex<Option<mpsc::Sender<EpisodeOrder>>>,
    /// Struck when all sessions are to end.
    closing: CancellationToken,
    most: usize,
    open: Arc<AtomicUsize>,
    /// The task that comes next where nobody names one.
    next: AtomicU32,
    /// How often each task of each cell was begun.
    begun: Mutex<FxHashMap<(usize, u32), u32>>,
}

impl Sessions {
    /// The sessions of a plan whose seat clients take, and the orders that its
    /// [`Launch`](rolecall_run::runtime::Launch) is to play. As many are open at once as the plan's concurrency says.
    pub fn new(mut plan: Plan, record: &Record, seat: Seat) -> (Self, Arc<Plan>, mpsc::Receiver<EpisodeOrder>) {
        let desk = Arc::new(Desk::default());
        for cell in &mut plan.cells {
            let is_served = |role: &Seat| *role == seat;
            for role in &mut cell.roles {
                if is_served(&Seat::Role(role.role.clone())) {
                    role.factory = desk.role();
                }
            }
            if is_served(&Seat::User) {
                cell.users.iter_mut().for_each(|user| user.factory = desk.user());
            }
        }
        let plan = Arc::new(plan);
        let (orders, ordered) = mpsc::channel(MOST_WAITING);
        let shared = Shared {
            splits: splits(&plan, record),
            most: plan.run.concurrency,
            plan: Arc::clone(&plan),
            seat,
            desk,
            orders: Mutex::new(Some(orders)),
            closing: CancellationToken::new(),
            open: Arc::default(),
            next: AtomicU32::new(0),
            begun: Mutex::default(),
        };
        (Self(Arc::new(shared)), plan, ordered)
    }

    /// The run.
    pub fn plan(&self) -> &Plan {
        &self.0.plan
    }

    /// The seat that clients play.
    pub fn seat(&self) -> &Seat {
        &self.0.seat
    }

    /// The splits that can be played, in the order of the config's cells.
    pub fn splits(&self) -> &[Split] {
        &self.0.splits
    }

    /// Sessions that are open.
    pub fn open(&self) -> usize {
        self.0.open.load(Ordering::Relaxed)
    }

    /// Sessions that may be open.
    pub fn most(&self) -> usize {
        self.0.most
    }

    /// Ends all sessions, whose episodes close as cancelled, and lets none begin.
    pub fn close(&self) {
        drop(locked(&self.0.orders).take());
        self.0.closing.cancel();
    }

    /// The split of a name; the first one without a name.
    ///
    /// # Errors
    /// When there is no such split.
    pub fn split(&self, name: Option<&str>) -> Result<&Split, SessionError> {
        let splits = &self.0.splits;
        name.map_or(splits.first(), |name| splits.iter().find(|split| split.name == name))
            .ok_or_else(|| wrong("split", format!("is none of {}", joined(splits.iter().map(|split| &split.name)))))
    }

    /// A task of a split, as everybody may see it.
    ///
    /// # Errors
    /// When there is none of that number, or it cannot be opened.
    pub async fn task(&self, split: &str, index: usize) -> Result<Arc<PublicTask>, SessionError> {
        let split = self.split(Some(split))?;
        let cell = &self.0.plan.cells[split.cells[0]];
        let number = u32::try_from(index).ok().filter(|_| index < split.tasks);
        let place = number.and_then(|number| self.0.plan.index_of(cell, number)).ok_or_else(|| no_task(split))?;
        let tasks = Arc::clone(&cell.tasks);
        let opened = tokio::task::spawn_blocking(move || tasks.open(place)).await;
        let problem = |error: String| wrong("index", format!("cannot be opened: {error}"));
        Ok(opened
            .map_err(|_| problem("it panicked".to_owned()))?
            .map_err(|error| problem(error.to_string()))?
            .task
            .public)
    }

    /// Begins an episode, and waits until its seat is asked for the first time or it is over.
    ///
    /// # Errors
    /// Why there is none.
    pub async fn begin(&self, order: Order) -> Result<Session, SessionError> {
        let shared = &self.0;
        let (cell, task) = self.find(&order)?;
        let sender = locked(&self.0.orders).clone().ok_or(SessionError::Stopping)?;
        let slot = self.slot()?;
        let id = self.id(cell, task)?;
        let (over, ended) = oneshot::channel();
        let gone = shared.closing.child_token();
        let asked = shared.desk.wait(&id);
        let (name, desk) = (order.name.clone(), Arc::clone(&shared.desk));
        let end = gone.clone().drop_guard();
        let mut session = Session::new(id.clone(), name, desk, ended, end, slot);
        let served = Served { seed: order.seed.map(Seed), user: order.user, name: order.name };
        let client = Client { seat: shared.seat.clone(), gone, over };
        sender.send(EpisodeOrder { id, served, client }).await.map_err(|_| SessionError::Stopping)?;
        session.wait(asked).await?;
        Ok(session)
    }

    /// The cell (by index) and the task that an order means.
    fn find(&self, order: &Order) -> Result<(usize, u32), SessionError> {
        let split = self.split(order.split.as_deref())?;
        let cells = &self.0.plan.cells;
        let mut fitting = split.cells.clone();
        if let Some(name) = &order.cell {
            fitting.retain(|cell| cells[*cell].name.as_str() == name);
            if fitting.is_empty() {
                let all = joined(split.cells.iter().map(|cell| cells[*cell].name.as_str()));
                return Err(wrong("cell", format!("is none of {all}")));
            }
        }
        if let Some(kind) = &order.user {
            let mut kinds: Vec<&str> =
                fitting.iter().flat_map(|cell| &cells[*cell].users).map(|user| user.kind.as_str()).collect();
            kinds.sort_unstable();
            kinds.dedup();
            fitting.retain(|cell| cells[*cell].users.iter().any(|user| user.kind == *kind));
            if fitting.is_empty() {
                return Err(wrong("user", format!("is none of {}", joined(kinds))));
            }
        }
        if order.name.as_ref().is_some_and(|name| name.len() > LONGEST_NAME) {
            return Err(wrong("episode_id", format!("has more than {LONGEST_NAME} bytes")));
        }
        let tasks = capped(split.tasks);
        let task = order.task.unwrap_or_else(|| self.0.next.fetch_add(1, Ordering::Relaxed) % tasks.max(1));
        if task >= tasks {
            return Err(no_task(split));
        }
        Ok((fitting[0], task))
    }

    /// Takes one of the sessions that may be open.
    fn slot(&self) -> Result<Slot, SessionError> {
        let Shared { open, most, .. } = &*self.0;
        open.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |open| (open < *most).then_some(open + 1))
            .map(|_| Slot(Arc::clone(open)))
            .map_err(|open| SessionError::Full { open, most: *most })
    }

    /// The next episode of a task.
    fn id(&self, cell: usize, task: u32) -> Result<EpisodeId, SessionError> {
        let mut begun = locked(&self.0.begun);
        let count = begun.entry((cell, task)).or_default();
        let repeat = *count;
        if repeat >= self.0.plan.repeats {
            return Err(wrong("task", format!("was played {repeat} times, which is as often as a run can")));
        }
        *count += 1;
        Ok(EpisodeId { cell: self.0.plan.cells[cell].name.clone(), task, repeat })
    }
}

fn wrong(key: &'static str, problem: String) -> SessionError {
    SessionError::Wrong { key, problem }
}

fn no_task(split: &Split) -> SessionError {
    let Split { name, tasks, .. } = split;
    wrong("task", format!("is out of range: split {name} has {tasks} tasks, from 0"))
}

/// The split of a cell whose environment has none.
const ONLY: &str = "tasks";

/// A split of tasks that clients may play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Split {
    /// Its name, such as `valid_unseen`.
    pub name: String,
    /// Its purpose in the words of trainers: `train`, `validation` or `test`.
    pub kind: &'static str,
    /// The cells of the config that play it, by index.
    pub cells: Vec<usize>,
    /// The number of its tasks.
    pub tasks: usize,
}

/// The splits of a plan, in the order of its cells.
pub(super) fn splits(plan: &Plan, record: &Record) -> Vec<Split> {
    let mut all: Vec<Split> = Vec::new();
    for (index, (cell, recorded)) in plan.cells.iter().zip(&record.cells).enumerate() {
        let name = recorded
            .environment
            .parameters
            .get("split")
            .and_then(|split| split.as_str())
            .filter(|name| !name.is_empty())
            .unwrap_or(ONLY);
        let tasks = plan.tasks_of(cell).count();
        match all.iter_mut().find(|split| split.name == name) {
            Some(split) => {
                split.cells.push(index);
                split.tasks = split.tasks.min(tasks);
            }
            None => all.push(Split { name: name.to_owned(), kind: kind(name), cells: vec![index], tasks }),
        }
    }
    all
}

/// The purpose of a split of this name.
fn kind(name: &str) -> &'static str {
    let has = |words: &[&str]| words.iter().any(|word| name.contains(word));
    if has(&["train"]) {
        "train"
    } else if has(&["valid", "dev"]) {
        "validation"
    } else {
        "test"
    }
}

#[cfg(test)]
mod tests {
    use super::kind;

    #[test]
    fn names_of_splits_say_what_they_are_for() {
        let table = [
            ("train", "train"),
            ("valid_seen", "validation"),
            ("dev", "validation"),
            ("eval_out_of_distribution", "test"),
            ("tasks", "test"),
        ];
        for (name, expected) in table {
            assert_eq!(kind(name), expected, "{name}");
        }
    }
}
