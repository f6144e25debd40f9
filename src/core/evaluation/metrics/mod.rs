//! The metrics of any world: what is counted here, what follows from several events in a file of its own.
//! Every one is a line in the table of `registry.rs`.

mod asking;
#[cfg(test)]
mod asking_tests;
pub mod clarification;
mod reading;
pub mod talk;

pub(super) use asking::turns;
pub use asking::{ADVICE_FOLLOWED, DIALOGUE_TURNS, FIRST_QUESTION, IDLE_QUESTIONS, REPEATED_QUESTIONS};
pub use reading::{CUT, ECHO, REFUSED, REPAIRED, RETRIES, UNREADABLE};

use serde_json::Value;

use crate::domain::{Message, ModelCall, MoveKind};
use crate::ports::{EpisodeLog, Measurement, Metric};

/// A metric that is one function of the log and reads nothing of what models replied.
pub struct Formula {
    name: &'static str,
    of: fn(&EpisodeLog<'_>) -> Option<Measurement>,
    is_optional: bool,
}

impl Formula {
    /// A figure of every episode; absent where the function gives none.
    pub const fn new(name: &'static str, of: fn(&EpisodeLog<'_>) -> Option<Measurement>) -> Self {
        Self { name, of, is_optional: false }
    }

    /// A figure of something that many episodes do not have: results leave it out where it is absent.
    pub const fn optional(name: &'static str, of: fn(&EpisodeLog<'_>) -> Option<Measurement>) -> Self {
        Self { is_optional: true, ..Self::new(name, of) }
    }
}

impl Metric for Formula {
    fn name(&self) -> &'static str {
        self.name
    }

    fn measure(&self, log: &EpisodeLog<'_>) -> Measurement {
        (self.of)(log).unwrap_or(Measurement::Absent)
    }

    fn reads_replies(&self) -> bool {
        false
    }

    fn is_left_out_if_absent(&self) -> bool {
        self.is_optional
    }
}

/// Whether the last trial or round solved the task, as the environment says (success rate of ReSpAct Table 1).
pub static SUCCESS: Formula = Formula::new("success", |log| Some(Measurement::Rate(log.outcome()?.success)));

/// The reward of the episode, in the environment's own scale.
pub static REWARD: Formula = Formula::new("reward", |log| Some(Measurement::Value(log.outcome()?.reward)));

/// Moves of roles, of every kind: thoughts and utterances are steps too (`docs/papers/respact.md`).
pub static STEPS: Formula = Formula::new("steps", |log| count(log, |message| matches!(message, Message::Moved(_))));

/// Utterances to the user, without the responses to a dialogue that is the task.
pub static QUESTIONS: Formula = Formula::new("questions", |log| count(log, Message::is_question));

/// Actions that the environment refused.
pub static INVALID: Formula = Formula::new("invalid", |log| {
    count(log, |message| matches!(message, Message::Observed(observed) if observed.invalid))
});

/// Actions on the environment, refused ones included.
pub static ACTIONS: Formula =
    Formula::new("actions", |log| count(log, |message| matches!(message, Message::Perform(_))));

/// Moves that are thoughts.
pub static THOUGHTS: Formula = Formula::new("thoughts", |log| moves(log, MoveKind::Think));

/// Faults of any seat, those included after which the episode went on.
pub static FAULTS: Formula = Formula::new("faults", |log| count(log, |message| matches!(message, Message::Fault(_))));

/// Moves that lay out a plan.
pub static PLANS: Formula = Formula::new("plans", |log| moves(log, MoveKind::Plan));

/// Moves that judge whether the request must be clarified.
pub static JUDGEMENTS: Formula = Formula::new("judgements", |log| moves(log, MoveKind::Judge));

/// Moves that write a lesson.
pub static LESSONS: Formula = Formula::new("lessons", |log| moves(log, MoveKind::Learn));

/// Moves that end the task with an answer.
pub static FINISHES: Formula = Formula::new("finishes", |log| moves(log, MoveKind::Finish));

/// Calls of models by any seat; absent if there was none.
pub static MODEL_CALLS: Formula = Formula::optional("model_calls", |log| over_calls(log, |_| Some(1.0)));

/// Tokens of the prompts of all calls; absent if there was none.
pub static PROMPT_TOKENS: Formula =
    Formula::optional("prompt_tokens", |log| over_calls(log, |call| Some(call.reply.usage.prompt as f64)));

/// Tokens that were generated in all calls; absent if there was none.
pub static COMPLETION_TOKENS: Formula =
    Formula::optional("completion_tokens", |log| over_calls(log, |call| Some(call.reply.usage.completion as f64)));

/// The cost of all calls by the prices of the config, also where the cache answered; absent if no
/// call has a price.
pub static COST: Formula = Formula::optional("cost", |log| over_calls(log, |call| call.cost));

fn count(log: &EpisodeLog<'_>, counted: impl Fn(&Message) -> bool) -> Option<Measurement> {
    let number = log.events.iter().filter(|event| counted(&event.message)).count();
    Some(Measurement::Value(number as f64))
}

fn moves(log: &EpisodeLog<'_>, kind: MoveKind) -> Option<Measurement> {
    let counted = |message: &Message| matches!(message, Message::Moved(made) if made.kind() == kind);
    count(log, counted)
}

/// The sum of a figure over the calls of models that have it; none if none has.
fn over_calls(log: &EpisodeLog<'_>, figure: impl Fn(&ModelCall) -> Option<f64>) -> Option<Measurement> {
    let sum = log
        .events
        .iter()
        .filter_map(|event| match &event.message {
            Message::ModelCalled(call) => figure(call),
            _ => None,
        })
        .reduce(|sum, value| sum + value)?;
    Some(Measurement::Value(sum))
}

/// The figure under a key of the episode's last score's detail: a number, a yes or no, or a share
/// as `{"hits": 3, "n": 4}`. Absent without such a key, and then left out of results.
#[derive(Clone, Copy, Debug)]
pub struct Detail {
    /// The name under which the figure is reported.
    pub name: &'static str,
    /// The key in [`Score::detail`](crate::domain::Score::detail).
    pub key: &'static str,
}

impl Metric for Detail {
    fn name(&self) -> &'static str {
        self.name
    }

    fn measure(&self, log: &EpisodeLog<'_>) -> Measurement {
        let score = log.events.iter().rev().find_map(|event| match &event.message {
            Message::Scored(scored) => Some(&scored.score),
            _ => None,
        });
        match score.and_then(|score| score.detail.get(self.key)) {
            Some(Value::Bool(yes)) => Measurement::Rate(*yes),
            Some(value) => {
                share(value).or_else(|| value.as_f64().map(Measurement::Value)).unwrap_or(Measurement::Absent)
            }
            None => Measurement::Absent,
        }
    }

    fn reads_replies(&self) -> bool {
        false
    }

    fn is_left_out_if_absent(&self) -> bool {
        true
    }
}

fn share(value: &Value) -> Option<Measurement> {
    Some(Measurement::Share { hits: value.get("hits")?.as_u64()?, n: value.get("n")?.as_u64()? })
}

/// The trials of the episode, from 1 (Reflexion; ReSpAct Table 8). Absent unless the cast
/// has a reflector or a second trial began.
pub static TRIALS: Formula = Formula::optional("trials", |log| Some(Measurement::Value(f64::from(trials(log)?))));

/// The first trial that was solved, from 1 (Reflexion; ReSpAct Table 8). Absent if none was, and where
/// [`TRIALS`] is.
pub static SOLVED_TRIAL: Formula = Formula::optional("solved_trial", |log| {
    trials(log)?;
    let solved = log.events.iter().find_map(|event| match &event.message {
        Message::Scored(scored) if scored.score.success => Some(scored.trial),
        _ => None,
    });
    Some(Measurement::Value(f64::from(solved?) + 1.0))
});

/// The word in a task's public data that announces several rounds.
const SEVERAL: &str = "multi-round";

/// Rounds of the last trial that were solved (ABA's multi-round games: the number of tasks). Absent unless
/// the task's `variant` is `multi-round` or a second round began.
pub static ROUNDS_SOLVED: Formula = Formula::optional("rounds_solved", |log| {
    let data = log.opened().map(|opened| &opened.task.data);
    let mut several = data.and_then(|data| data.get("variant")).and_then(Value::as_str) == Some(SEVERAL);
    let mut solved = 0_u32;
    for event in &log.events {
        match &event.message {
            Message::Begun(begun) if begun.round == 0 => solved = 0,
            Message::Begun(_) => several = true,
            Message::Scored(scored) => solved += u32::from(scored.score.success),
            _ => {}
        }
    }
    several.then(|| Measurement::Value(f64::from(solved)))
});

/// How many trials began, if the episode is one of several trials.
fn trials(log: &EpisodeLog<'_>) -> Option<u32> {
    let trials = log
        .events
        .iter()
        .filter_map(|event| match &event.message {
            Message::Begun(begun) => Some(begun.trial.saturating_add(1)),
            _ => None,
        })
        .max()?;
    let reflects = log.opened().into_iter().flat_map(|opened| &opened.roles).any(|role| role.is_reflector());
    (reflects || trials > 1).then_some(trials)
}
