//! Sessions: each is an ordinary episode of an ordinary run, in which a client plays one seat. Everything else
//! (limits, faults, log, results) is what every episode has.

use std::mem;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::FxHashMap;
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::{CancellationToken, DropGuard};

use super::desk::{Asked, Desk, Said};
use super::splits::{Split, splits};
use crate::config::{Plan, Record};
use crate::domain::{Answer, EpisodeId, Outcome, PublicTask, Seat, Seed, Served, Utterance, View};
use crate::ports::Turn;
use crate::runtime::{Client, EpisodeOrder, Over};

/// Orders that wait until episodes are set up.
const MOST_WAITING: usize = 64;

/// The longest name that a client may give an episode, in bytes.
pub const LONGEST_NAME: usize = 255;

/// What a client wants to play. What it does not say is chosen: the first split, the next task, a user as the
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

/// Why a session cannot begin or go on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SessionError {
    /// As many sessions are open as may be.
    #[error(
        "{open} of {most} sessions are open: close one, or start the server with --max-sessions"
    )]
    Full {
        /// Sessions that are open.
        open: usize,
        /// Sessions that may be.
        most: usize,
    },
    /// The order cannot be met.
    #[error("`{key}` {problem}")]
    Wrong {
        /// The part of the order that is to blame.
        key: &'static str,
        /// What is wrong with it, and what there is.
        problem: String,
    },
    /// The episode is over.
    #[error("the episode is over: reset first")]
    Over,
    /// The server is stopping.
    #[error("the server is stopping")]
    Stopping,
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
    open: AtomicUsize,
    /// The task that comes next where nobody names one.
    next: AtomicU32,
    /// How often each task of each cell was begun.
    begun: Mutex<FxHashMap<(usize, u32), u32>>,
}

impl Sessions {
    /// The sessions of a plan whose seat clients take, and the orders that its
    /// [`Launch`](crate::runtime::Launch) is to play. As many are open at once as the plan's concurrency says.
    pub fn new(
        mut plan: Plan,
        record: &Record,
        seat: Seat,
    ) -> (Self, Arc<Plan>, mpsc::Receiver<EpisodeOrder>) {
        let desk = Arc::new(Desk::default());
        for cell in &mut plan.cells {
            let own = |role: &Seat| *role == seat;
            for role in &mut cell.roles {
                if own(&Seat::Role(role.role.clone())) {
                    role.factory = desk.role();
                }
            }
            if own(&Seat::User) {
                cell.users
                    .iter_mut()
                    .for_each(|user| user.factory = desk.user());
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
            open: AtomicUsize::new(0),
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
        drop(self.orders().take());
        self.0.closing.cancel();
    }

    /// The split of a name; the first one without a name.
    ///
    /// # Errors
    /// When there is no such split.
    pub fn split(&self, name: Option<&str>) -> Result<&Split, SessionError> {
        let splits = &self.0.splits;
        let found = match name {
            Some(name) => splits.iter().find(|split| split.name == name),
            None => splits.first(),
        };
        found.ok_or_else(|| {
            let names: Vec<&str> = splits.iter().map(|split| split.name.as_str()).collect();
            wrong("split", format!("is none of {}", names.join(", ")))
        })
    }

    /// A task of a split, as everybody may see it.
    ///
    /// # Errors
    /// When there is none of that number, or it cannot be opened.
    pub async fn task(&self, split: &str, index: usize) -> Result<Arc<PublicTask>, SessionError> {
        let split = self.split(Some(split))?;
        let cell = &self.0.plan.cells[split.cells[0]];
        let number = u32::try_from(index).ok().filter(|_| index < split.tasks);
        let place = number.and_then(|number| self.0.plan.index_of(cell, number));
        let place = place.ok_or_else(|| no_task(split))?;
        let tasks = Arc::clone(&cell.tasks);
        let opened = tokio::task::spawn_blocking(move || tasks.open(place)).await;
        let problem = |error: String| wrong("index", format!("cannot be opened: {error}"));
        let opened = opened.map_err(|_| problem("it panicked".to_owned()))?;
        Ok(opened
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
        let sender = self.orders().clone().ok_or(SessionError::Stopping)?;
        let slot = self.slot()?;
        let id = self.id(cell, task)?;
        let (over, ended) = oneshot::channel();
        let gone = shared.closing.child_token();
        let asked = shared.desk.wait(&id);
        let mut session = Session {
            id: id.clone(),
            name: order.name.clone(),
            state: State::Waiting,
            over: ended,
            _gone: gone.clone().drop_guard(),
            _slot: slot,
        };
        let served = Served {
            seed: order.seed.map(Seed),
            user: order.user,
            name: order.name,
        };
        let seat = shared.seat.clone();
        let client = Client { seat, gone, over };
        let order = EpisodeOrder { id, served, client };
        sender
            .send(order)
            .await
            .map_err(|_| SessionError::Stopping)?;
        session.wait(asked).await?;
        Ok(session)
    }

    fn orders(&self) -> std::sync::MutexGuard<'_, Option<mpsc::Sender<EpisodeOrder>>> {
        self.0.orders.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The cell (by index) and the task that an order means.
    fn find(&self, order: &Order) -> Result<(usize, u32), SessionError> {
        let split = self.split(order.split.as_deref())?;
        let cells = &self.0.plan.cells;
        let mut own = split.cells.clone();
        if let Some(name) = &order.cell {
            own.retain(|cell| cells[*cell].name.as_str() == name);
            let all = split.cells.iter().map(|cell| cells[*cell].name.as_str());
            let all: Vec<&str> = all.collect();
            if own.is_empty() {
                return Err(wrong("cell", format!("is none of {}", all.join(", "))));
            }
        }
        if let Some(kind) = &order.user {
            let kinds = own.iter().flat_map(|cell| &cells[*cell].users);
            let mut kinds: Vec<&str> = kinds.map(|user| user.kind.as_str()).collect();
            kinds.sort_unstable();
            kinds.dedup();
            own.retain(|cell| cells[*cell].users.iter().any(|user| user.kind == *kind));
            if own.is_empty() {
                return Err(wrong("user", format!("is none of {}", kinds.join(", "))));
            }
        }
        if order
            .name
            .as_ref()
            .is_some_and(|name| name.len() > LONGEST_NAME)
        {
            let problem = format!("has more than {LONGEST_NAME} bytes");
            return Err(wrong("episode_id", problem));
        }
        let tasks = u32::try_from(split.tasks).unwrap_or(u32::MAX);
        let next = || self.0.next.fetch_add(1, Ordering::Relaxed) % tasks.max(1);
        let task = order.task.unwrap_or_else(next);
        if task >= tasks {
            return Err(no_task(split));
        }
        Ok((own[0], task))
    }

    /// Takes one of the sessions that may be open.
    fn slot(&self) -> Result<Slot, SessionError> {
        let Shared { open, most, .. } = &*self.0;
        let more = |open: usize| (open < *most).then_some(open + 1);
        let taken = open.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more);
        let slot = taken.map(|_| Slot(Arc::clone(&self.0)));
        slot.map_err(|open| SessionError::Full { open, most: *most })
    }

    /// The next episode of a task.
    fn id(&self, cell: usize, task: u32) -> Result<EpisodeId, SessionError> {
        let mut begun = self.0.begun.lock().unwrap_or_else(PoisonError::into_inner);
        let count = begun.entry((cell, task)).or_default();
        let repeat = *count;
        if repeat >= self.0.plan.repeats {
            let problem = format!("was played {repeat} times, which is as often as a run can");
            return Err(wrong("task", problem));
        }
        *count += 1;
        let cell = self.0.plan.cells[cell].name.clone();
        Ok(EpisodeId { cell, task, repeat })
    }
}

fn wrong(key: &'static str, problem: String) -> SessionError {
    SessionError::Wrong { key, problem }
}

fn no_task(split: &Split) -> SessionError {
    let Split { name, tasks, .. } = split;
    wrong(
        "task",
        format!("is out of range: split {name} has {tasks} tasks, from 0"),
    )
}

/// One of the sessions that may be open.
struct Slot(Arc<Shared>);

impl Drop for Slot {
    fn drop(&mut self) {
        self.0.open.fetch_sub(1, Ordering::Relaxed);
    }
}

/// An episode with its client. Dropping it ends the episode as cancelled, unless it is over.
pub struct Session {
    id: EpisodeId,
    name: Option<String>,
    state: State,
    over: oneshot::Receiver<Over>,
    _gone: DropGuard,
    _slot: Slot,
}

enum State {
    /// An answer is on its way.
    Waiting,
    /// The seat is asked.
    Asked(Box<Asked>),
    Over(Box<Over>),
}

impl Session {
    /// The episode in the log.
    pub fn id(&self) -> &EpisodeId {
        &self.id
    }

    /// The name that the client gave it, or else its name in the log.
    pub fn name(&self) -> String {
        self.name.clone().unwrap_or_else(|| self.id.to_string())
    }

    /// The turn that the seat is asked for; none once the episode is over.
    pub fn turn(&self) -> Option<&Turn> {
        match &self.state {
            State::Asked(asked) => Some(&asked.turn),
            State::Waiting | State::Over(_) => None,
        }
    }

    /// What the seat may see; its [new events](View::new_events) came since its last answer.
    pub fn view(&self) -> Option<&View> {
        match &self.state {
            State::Waiting => None,
            State::Asked(asked) => Some(&asked.turn.view),
            State::Over(over) => Some(&over.view),
        }
    }

    /// What the episode came to, once it is over.
    pub fn outcome(&self) -> Option<&Outcome> {
        match &self.state {
            State::Over(over) => Some(&over.outcome),
            State::Waiting | State::Asked(_) => None,
        }
    }

    /// Answers with moves of the role, and waits until the seat is asked again or the episode is over. An
    /// answer that cannot be used is a fault of the episode: the seat is asked again, with a notice in the
    /// brief, as often as the config's limits say.
    ///
    /// # Errors
    /// When the episode is over, or the server is stopping.
    pub async fn answer(&mut self, answer: Answer) -> Result<(), SessionError> {
        self.say(Said::Moves(answer)).await
    }

    /// Answers with words of the user, likewise.
    ///
    /// # Errors
    /// As [`answer`](Self::answer).
    pub async fn reply(&mut self, utterance: Utterance) -> Result<(), SessionError> {
        self.say(Said::Words(utterance)).await
    }

    /// Answers with what could not be read, and why: a fault like that of a model whose answer cannot be used.
    ///
    /// # Errors
    /// As [`answer`](Self::answer).
    pub async fn refuse(&mut self, why: String) -> Result<(), SessionError> {
        self.say(Said::Unreadable(why)).await
    }

    async fn say(&mut self, said: Said) -> Result<(), SessionError> {
        match mem::replace(&mut self.state, State::Waiting) {
            State::Asked(asked) => {
                let waiting = self.desk().wait(&self.id);
                // A seat that does not wait any more is over, or will be asked again.
                let _ = asked.answer.send(said);
                self.wait(waiting).await
            }
            other => {
                self.state = other;
                Err(SessionError::Over)
            }
        }
    }

    async fn wait(&mut self, asked: oneshot::Receiver<Asked>) -> Result<(), SessionError> {
        let state = tokio::select! {
            asked = asked => asked.ok().map(|asked| State::Asked(Box::new(asked))),
            over = &mut self.over => {
                self.desk().forget(&self.id);
                over.ok().map(|over| State::Over(Box::new(over)))
            }
        };
        self.state = state.ok_or(SessionError::Stopping)?;
        Ok(())
    }

    fn desk(&self) -> Arc<Desk> {
        Arc::clone(&self._slot.0.desk)
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.desk().forget(&self.id);
    }
}
