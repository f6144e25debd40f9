//! An episode that is played step by step beside a recording, by those who play it in a run, without actors and a
//! log.

use std::collections::BTreeMap;
use std::sync::Arc;

use anyhow::{Context, bail};
use futures_util::FutureExt;
use tokio_util::sync::CancellationToken;

use rolecall_core::domain::{
    Begun, CellName, EpisodeId, Event, Message, Observation, Opened, PrivateInfo, PublicTask, RoleName, Seat, Seed,
    Transcript, Visibility,
};
use rolecall_core::ports::model::Calls;
use rolecall_core::ports::{Directive, Environment, Role, Strategy, Turn, UserSimulator};

/// Who plays.
pub struct Cast {
    /// The strategy.
    pub strategy: Box<dyn Strategy>,
    /// The world, which hears what is said to the user.
    pub environment: Box<dyn Environment>,
    /// The only role, with its name.
    pub role: (RoleName, Box<dyn Role>),
    /// The user.
    pub user: Box<dyn UserSimulator>,
}

/// An episode of one role and a user.
pub struct Episode {
    cast: Cast,
    transcript: Transcript,
    events: u32,
    /// The turns of each seat so far, and the events before its last one.
    turns: BTreeMap<Seat, (u32, usize)>,
}

/// Events up to an observation.
pub struct Step {
    /// The text of the action; none at the beginning, and where the user was spoken to.
    pub action: Option<String>,
    /// Text told to the user; none where the world handed a question on.
    pub told: Option<String>,
    /// The observation that it came to.
    pub seen: Observation,
}

impl Episode {
    /// Opens an episode of a task with its private parts.
    ///
    /// # Errors
    /// When an event finds no place.
    pub fn open(cast: Cast, task: PublicTask, private: Vec<PrivateInfo>) -> anyhow::Result<Self> {
        let opened = Opened {
            task: Arc::new(task),
            cell: CellName::new("main")?,
            strategy: "recorded".to_owned(),
            roles: vec![cast.role.0.clone()],
            user: Some("recorded".to_owned()),
            fork: None,
            served: None,
        };
        let mut episode = Self {
            cast,
            transcript: Transcript::new(Visibility { environment_hears: true, ..Visibility::default() }),
            events: 0,
            turns: BTreeMap::new(),
        };
        episode.tell(Seat::Conductor, Message::Opened(Box::new(opened)))?;
        for part in private {
            let audience = part.audience.clone();
            episode.tell(audience, Message::Entrusted(Box::new(part)))?;
        }
        Ok(episode)
    }

    /// Plays up to the next observation that is no question for the user; none when the task is done.
    ///
    /// # Errors
    /// When somebody who plays fails.
    pub fn step(&mut self) -> anyhow::Result<Option<Step>> {
        let (mut done, mut told) = (None, None);
        loop {
            let seen = match self.cast.strategy.next()? {
                Directive::Begin { .. } => {
                    let begun = Begun { trial: 0, round: 0, keep_world: false, seed: Seed(0) };
                    self.tell(Seat::Environment, Message::Begun(begun.clone()))?;
                    at_once(self.cast.environment.begin(&begun))??
                }
                Directive::Brief(role, brief) => {
                    let seat = Seat::Role(role);
                    self.tell(seat.clone(), Message::Brief(brief))?;
                    let turn = self.turn(&seat)?;
                    let answer = at_once(self.cast.role.1.take_turn(&turn))??;
                    for made in answer.moves {
                        self.event(seat.clone(), Seat::Conductor, Message::Moved(made))?;
                    }
                    continue;
                }
                Directive::Perform(action) => {
                    done = Some(action.text.clone());
                    self.tell(Seat::Environment, Message::Perform(action.clone()))?;
                    at_once(self.cast.environment.perform(&action))??
                }
                Directive::Tell(said) => {
                    told = Some(said.text.clone());
                    self.tell(Seat::User, Message::Told(said.clone()))?;
                    let turn = self.turn(&Seat::User)?;
                    let reply = at_once(self.cast.user.reply(&turn))??;
                    let replied = Message::Replied(reply.clone());
                    self.event(Seat::User, Seat::Conductor, replied)?;
                    let heard = at_once(self.cast.environment.hear(&said, &reply))??;
                    heard.context("the world shows nothing of the reply")?
                }
                // The trial is over, to be scored, or the episode.
                _ => return Ok(None),
            };
            let observed = Message::Observed(seen.clone());
            self.event(Seat::Environment, Seat::Conductor, observed)?;
            if seen.asks.is_none() {
                return Ok(Some(Step { action: done, told, seen }));
            }
        }
    }

    /// The next turn of a seat.
    fn turn(&mut self, seat: &Seat) -> anyhow::Result<Turn> {
        let end = self.events as usize;
        let (turns, before) = self.turns.entry(seat.clone()).or_default();
        let (number, since) = (*turns, *before);
        (*turns, *before) = (number + 1, end);
        Ok(Turn {
            episode: "main:0:0".parse::<EpisodeId>()?,
            seat: seat.clone(),
            number,
            attempt: 0,
            view: self.transcript.visible_to(seat.clone(), since, end),
            seed: Seed(0),
            deadline: std::time::Duration::from_secs(120),
            cancel: CancellationToken::new(),
            calls: Calls::default(),
        })
    }

    /// The conductor tells a seat something.
    fn tell(&mut self, to: Seat, message: Message) -> anyhow::Result<()> {
        self.event(Seat::Conductor, to, message)
    }

    fn event(&mut self, from: Seat, to: Seat, message: Message) -> anyhow::Result<()> {
        let event = Event { seq: self.events, cause: self.events.checked_sub(1), from, to, message };
        self.cast.strategy.apply(&event);
        self.transcript.append(event)?;
        self.events += 1;
        Ok(())
    }
}

/// The value of something that waits for nobody.
///
/// # Errors
/// When it waits.
pub fn at_once<T>(future: impl Future<Output = T>) -> anyhow::Result<T> {
    match future.now_or_never() {
        Some(value) => Ok(value),
        None => bail!("somebody waits although every reply is recorded"),
    }
}
