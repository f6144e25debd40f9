//! A session that is played by the running strategy, world, role and user, with recorded replies of models.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, bail};
use async_trait::async_trait;
use futures_util::FutureExt;
use tokio_util::sync::CancellationToken;

use crate::domain::{
    Begun, CellName, Choice, EpisodeId, Event, Message, ModelReply, Move, Observation, Opened,
    PrivateInfo, PublicTask, RoleName, Seat, Seed, Transcript, Visibility,
};
use crate::environments::shop::chatshop::ChatShopEnvironment;
use crate::ports::model::{
    CallContext, CallTrace, Calls, Completion, EncodedRequest, ModelClient, ModelProfile,
    ModelRequest, RequestHash,
};
use crate::ports::{Directive, Environment, ModelError, Role, Strategy, Turn, UserSimulator};

/// A model that replies what was recorded, and keeps what it was asked.
pub(super) struct Recorded {
    profile: ModelProfile,
    replies: Mutex<VecDeque<Vec<Choice>>>,
    asked: Mutex<Vec<Completion>>,
}

impl Recorded {
    pub(super) fn new(profile: ModelProfile, replies: Vec<Vec<Choice>>) -> Arc<Self> {
        Arc::new(Self {
            profile,
            replies: Mutex::new(replies.into()),
            asked: Mutex::default(),
        })
    }

    /// The requests so far, which are forgotten.
    pub(super) fn asked(&self) -> Vec<Completion> {
        std::mem::take(&mut *self.asked.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

#[async_trait]
impl ModelClient for Recorded {
    fn profile(&self) -> &ModelProfile {
        &self.profile
    }

    fn encode(&self, request: &ModelRequest) -> Result<EncodedRequest, ModelError> {
        let ModelRequest::Complete(completion) = request else {
            return Err(ModelError::Unsupported("nothing is scored".to_owned()));
        };
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        asked.push(completion.clone());
        Ok(EncodedRequest {
            hash: RequestHash::of(&[&(asked.len() as u64).to_le_bytes()]),
            endpoint: "chat/completions",
            body: Vec::new().into(),
            choices: completion.n.unwrap_or(1),
            estimated_tokens: 0,
        })
    }

    async fn send(
        &self,
        _: &EncodedRequest,
        _: &CallContext,
        _: &mut CallTrace,
    ) -> Result<ModelReply, ModelError> {
        let mut replies = self.replies.lock().unwrap_or_else(PoisonError::into_inner);
        let choices = replies.pop_front().ok_or_else(|| {
            ModelError::Malformed("the recording holds no further reply".to_owned())
        })?;
        Ok(ModelReply {
            choices,
            ..ModelReply::default()
        })
    }
}

/// Everybody who takes part.
pub(super) struct Session {
    pub(super) strategy: Box<dyn Strategy>,
    pub(super) environment: ChatShopEnvironment,
    pub(super) executor: Box<dyn Role>,
    pub(super) user: Box<dyn UserSimulator>,
    transcript: Transcript,
    seq: u32,
    /// Turns of the agent and the user, and the events that they have seen.
    turns: [(u32, usize); 2],
}

/// What happened in one step of the session.
#[derive(Default)]
pub(super) struct Step {
    /// The action; none at the beginning.
    pub(super) action: Option<String>,
    /// The observation that it came to.
    pub(super) observation: String,
    /// The session is over.
    pub(super) done: bool,
}

impl Session {
    /// Opens a session.
    pub(super) fn open(
        strategy: Box<dyn Strategy>,
        environment: ChatShopEnvironment,
        executor: Box<dyn Role>,
        user: Box<dyn UserSimulator>,
        parts: (PublicTask, PrivateInfo),
    ) -> anyhow::Result<Self> {
        let (task, target) = parts;
        let visibility = Visibility {
            environment_hears: true,
            ..Visibility::default()
        };
        let mut session = Self {
            strategy,
            environment,
            executor,
            user,
            transcript: Transcript::new(visibility),
            seq: 0,
            turns: [(0, 0); 2],
        };
        let opened = Opened {
            task: Arc::new(task),
            cell: CellName::new("main")?,
            strategy: "chatshop".to_owned(),
            roles: vec![agent()?],
            user: Some("model".to_owned()),
            fork: None,
        };
        session.say(
            Seat::Conductor,
            Seat::Conductor,
            Message::Opened(Box::new(opened)),
        )?;
        session.say(
            Seat::Conductor,
            Seat::User,
            Message::Entrusted(Box::new(target)),
        )?;
        Ok(session)
    }

    fn say(&mut self, from: Seat, to: Seat, message: Message) -> anyhow::Result<()> {
        let event = Event {
            seq: self.seq,
            cause: self.seq.checked_sub(1),
            from,
            to,
            message,
        };
        self.strategy.apply(&event);
        self.transcript.append(event)?;
        self.seq += 1;
        Ok(())
    }

    fn turn(&mut self, seat: &Seat) -> anyhow::Result<Turn> {
        let end = self.seq as usize;
        let [agent, user] = &mut self.turns;
        let own = if *seat == Seat::User { user } else { agent };
        let (number, since) = *own;
        *own = (number + 1, end);
        Ok(Turn {
            episode: "main:0:0".parse::<EpisodeId>()?,
            seat: seat.clone(),
            number,
            attempt: 0,
            view: self.transcript.visible_to(seat.clone(), since, end),
            seed: Seed(0),
            cancel: CancellationToken::new(),
            calls: Calls::default(),
        })
    }

    fn observed(&mut self, step: &mut Step, seen: Observation) -> anyhow::Result<()> {
        (step.observation, step.done) = (seen.text.clone(), seen.done);
        self.say(Seat::Environment, Seat::Conductor, Message::Observed(seen))
    }

    /// Plays up to the next observation that is not on its way to the user; none when the session is over.
    pub(super) fn step(&mut self) -> anyhow::Result<Option<Step>> {
        let mut step = Step::default();
        loop {
            match self.strategy.next()? {
                Directive::Begin { .. } => {
                    let begun = Begun {
                        trial: 0,
                        round: 0,
                        keep_world: false,
                        seed: Seed(0),
                    };
                    let message = Message::Begun(begun.clone());
                    self.say(Seat::Conductor, Seat::Environment, message)?;
                    let seen = at_once(self.environment.begin(&begun))??;
                    self.observed(&mut step, seen)?;
                    return Ok(Some(step));
                }
                Directive::Brief(role, brief) => {
                    let seat = Seat::Role(role);
                    self.say(Seat::Conductor, seat.clone(), Message::Brief(brief))?;
                    let turn = self.turn(&seat)?;
                    let answer = at_once(self.executor.take_turn(&turn))??;
                    let made = answer
                        .moves
                        .into_iter()
                        .next()
                        .context("nothing was done")?;
                    if let Move::Act { action } = &made {
                        step.action = Some(action.text.clone());
                    }
                    self.say(seat, Seat::Conductor, Message::Moved(made))?;
                }
                Directive::Perform(action) => {
                    let message = Message::Perform(action.clone());
                    self.say(Seat::Conductor, Seat::Environment, message)?;
                    let seen = at_once(self.environment.perform(&action))??;
                    let asks = seen.asks.is_some();
                    self.observed(&mut step, seen)?;
                    if !asks {
                        return Ok(Some(step));
                    }
                }
                Directive::Tell(said) => {
                    self.say(Seat::Conductor, Seat::User, Message::Told(said.clone()))?;
                    let turn = self.turn(&Seat::User)?;
                    let reply = at_once(self.user.reply(&turn))??;
                    self.say(Seat::User, Seat::Conductor, Message::Replied(reply.clone()))?;
                    let seen = at_once(self.environment.hear(&said, &reply))??;
                    self.observed(
                        &mut step,
                        seen.context("the world shows nothing of the reply")?,
                    )?;
                    return Ok(Some(step));
                }
                Directive::Assess { .. } | Directive::Close => return Ok(None),
            }
        }
    }
}

/// The only role.
pub(super) fn agent() -> anyhow::Result<RoleName> {
    Ok(RoleName::new("executor")?)
}

/// The value of something that waits for nobody.
fn at_once<T>(future: impl Future<Output = T>) -> anyhow::Result<T> {
    match future.now_or_never() {
        Some(value) => Ok(value),
        None => bail!("somebody waits although every reply is recorded"),
    }
}
