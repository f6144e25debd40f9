//! The lobby: turns that wait for people who sit in a browser. Nothing here knows HTTP.

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use rustc_hash::FxHashMap;
use tokio::sync::{oneshot, watch};
use tokio::time::Instant;

use crate::locked;
use rolecall_core::domain::{EpisodeId, Seat};
use rolecall_core::evaluation::EpisodeResult;
use rolecall_core::people::{Question, Reception, Said, Sitting, USER_PARAMETERS};
use rolecall_core::ports::{ParameterValue, Parameters, SetupError, World, role_or_other, user_or_other};
use rolecall_run::config::{Plan, Record};
use rolecall_run::registry::{HUMAN, Registry};

/// A seat of an episode of a run.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SeatKey {
    /// The name of the run.
    pub run: String,
    /// The episode.
    pub episode: EpisodeId,
    /// The seat.
    pub seat: Seat,
}

/// A turn that waits for its person.
#[derive(Clone, Debug)]
pub struct OpenTurn {
    /// Whose it is.
    pub key: SeatKey,
    /// The turn, what of it is shown, and how an answer is read.
    pub question: Question,
    /// When it was opened.
    pub since: Instant,
    /// When whoever plays on takes it over; none if it waits for ever.
    pub deadline: Option<Instant>,
}

impl OpenTurn {
    /// The number that an answer has to carry: that of the turn, and how often it was asked before.
    pub fn number(&self) -> (u32, u32) {
        (self.question.turn.number, self.question.turn.attempt)
    }
}

/// Why an answer was not taken.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// The turn is over, or it is another one's.
    #[error("this turn is over: somebody answered it, it was too late, or the episode has ended")]
    Late,
    /// It cannot be used, and the person may try again.
    #[error("{0}")]
    Unusable(String),
}

/// The turns that wait, and what episodes came to. Clones are the same lobby.
#[derive(Clone)]
pub struct Lobby(Arc<Shared>);

struct Shared {
    open: Mutex<FxHashMap<SeatKey, Waiting>>,
    /// The episodes in which somebody was asked here or that have ended, with what they came to.
    episodes: Mutex<FxHashMap<(String, EpisodeId), Option<EpisodeResult>>>,
    /// Counts up whenever a turn opens or closes, and when an episode ends.
    changes: watch::Sender<u64>,
}

struct Waiting {
    turn: OpenTurn,
    answer: oneshot::Sender<Said>,
}

impl Default for Lobby {
    fn default() -> Self {
        Self(Arc::new(Shared { open: Mutex::default(), episodes: Mutex::default(), changes: watch::Sender::new(0) }))
    }
}

impl Lobby {
    /// Seats the people of a run here who sit in a browser: before it is launched, and by the name of its folder.
    ///
    /// # Errors
    /// When a seat's parameters are wrong, which [`load`](rolecall_run::config::load) has refused.
    pub fn seat_all(&self, plan: &mut Plan, record: &Record, run: &str, registry: &Registry) -> Result<(), SetupError> {
        let room: Arc<dyn Reception> = Arc::new(Room { lobby: self.clone(), run: run.to_owned() });
        for web in record.web_seats() {
            let Some(cell) = plan.cells.get_mut(web.cell) else {
                continue;
            };
            let world = World { tools: cell.tasks.tools().into(), ..registry.world(Some(&cell.environment)) };
            let parameters = parameters(web.parameters);
            let sitting = Sitting::of(&parameters)?;
            // What the config has put there knows who plays on; the person itself was absent until now.
            let plays_on = parameters.text("fallback").is_some();
            if let Some(role) = cell.roles.iter_mut().find(|role| Seat::Role(role.role.clone()) == web.seat) {
                let person = sitting.role(Arc::clone(&room), world);
                role.factory = if plays_on { role_or_other(person, Arc::clone(&role.factory)) } else { person };
                continue;
            }
            if let Some(user) = cell.users.iter_mut().find(|user| user.kind == HUMAN) {
                let person = sitting.user(Arc::clone(&room), world);
                user.factory = if plays_on { user_or_other(person, Arc::clone(&user.factory)) } else { person };
            }
        }
        Ok(())
    }

    /// The turns that wait, those that wait longest first.
    pub fn open(&self) -> Vec<OpenTurn> {
        let mut turns: Vec<OpenTurn> = locked(&self.0.open).values().map(|waiting| waiting.turn.clone()).collect();
        turns.sort_by_key(|turn| turn.since);
        turns
    }

    /// The turn of a seat that waits, if one does.
    pub fn turn(&self, key: &SeatKey) -> Option<OpenTurn> {
        locked(&self.0.open).get(key).map(|waiting| waiting.turn.clone())
    }

    /// The result of the episode, if it has ended.
    pub fn result(&self, run: &str, episode: &EpisodeId) -> Option<EpisodeResult> {
        locked(&self.0.episodes).get(&(run.to_owned(), episode.clone())).cloned().flatten()
    }

    /// Notes what an episode of a run came to; for an [`Observer`](rolecall_run::runtime::Observer) of the run.
    pub fn ended(&self, run: &str, result: &EpisodeResult) {
        locked(&self.0.episodes).insert((run.to_owned(), result.episode.clone()), Some(result.clone()));
        self.changed();
    }

    /// Changes whenever a turn opens or closes, and when an episode ends.
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.0.changes.subscribe()
    }

    /// Answers a turn by its [number](OpenTurn::number). What `read` makes of the question is the answer; of several
    /// answers at the same time one is taken.
    ///
    /// # Errors
    /// When it is no turn that waits, or the answer cannot be used: then the turn goes on waiting.
    pub fn answer(
        &self,
        key: &SeatKey,
        number: (u32, u32),
        read: impl FnOnce(&Question) -> Result<Said, String>,
    ) -> Result<(), Refused> {
        let said = read(&self.turn(key).filter(|turn| turn.number() == number).ok_or(Refused::Late)?.question)
            .map_err(Refused::Unusable)?;
        // Reading took its time: it must be the same turn still.
        let answer = {
            let mut open = locked(&self.0.open);
            open.get(key).is_some_and(|open| open.turn.number() == number).then(|| open.remove(key)).flatten()
        };
        let sent = answer.ok_or(Refused::Late)?.answer.send(said);
        self.changed();
        sent.map_err(|_| Refused::Late)
    }

    fn changed(&self) {
        self.0.changes.send_modify(|count| *count += 1);
    }
}

/// The parameters of a person's seat, as a run records them.
fn parameters(recorded: &toml::Table) -> Parameters {
    Parameters::new(USER_PARAMETERS.iter().filter_map(|known| {
        let value = match recorded.get(known.name)? {
            toml::Value::String(text) => ParameterValue::Text(text.clone()),
            toml::Value::Integer(number) => ParameterValue::Integer(*number),
            _ => return None,
        };
        Some((known.name, value))
    }))
}

/// The part of the lobby that people of one run sit in.
struct Room {
    lobby: Lobby,
    run: String,
}

#[async_trait]
impl Reception for Room {
    async fn ask(&self, question: Question) -> Result<Said, String> {
        let key =
            SeatKey { run: self.run.clone(), episode: question.turn.episode.clone(), seat: question.turn.seat.clone() };
        let since = Instant::now();
        let turn = OpenTurn {
            deadline: question.patience.map(|patience| since + patience),
            key: key.clone(),
            question,
            since,
        };
        let _open = Opened { lobby: &self.lobby, number: turn.number(), key: key.clone() };
        let (answer, answered) = oneshot::channel();
        locked(&self.lobby.0.episodes).entry((key.run.clone(), key.episode.clone())).or_default();
        locked(&self.lobby.0.open).insert(key, Waiting { turn, answer });
        self.lobby.changed();
        answered.await.map_err(|_| "the seat was given to another turn".to_owned())
    }
}

/// A turn that is withdrawn when this is dropped, if it waits still.
struct Opened<'a> {
    lobby: &'a Lobby,
    key: SeatKey,
    number: (u32, u32),
}

impl Drop for Opened<'_> {
    fn drop(&mut self) {
        let removed = {
            let mut open = locked(&self.lobby.0.open);
            open.get(&self.key)
                .is_some_and(|open| open.turn.number() == self.number)
                .then(|| open.remove(&self.key))
                .flatten()
        };
        if removed.is_some() {
            self.lobby.changed();
        }
    }
}
