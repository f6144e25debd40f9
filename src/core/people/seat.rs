//! The seat of a person: a role or a user that asks wherever the person sits, and waits.

use std::future;
use std::mem;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;

use super::question::{Question, Said};
use crate::domain::{Answer, Utterance};
use crate::ports::{
    Parameters, Role, RoleError, RoleFactory, SetupError, Turn, UserError, UserFactory, UserSimulator, World,
};
use crate::users::length::Length;

/// Where people sit: the terminal, or a lobby of a server.
#[async_trait]
pub trait Reception: Send + Sync {
    /// Has the person take a turn, and waits for the answer. Dropping this withdraws the question.
    ///
    /// # Errors
    /// Why nobody can be asked there.
    async fn ask(&self, question: Question) -> Result<Said, String>;
}

/// Settings of a person's seat.
#[derive(Clone, Debug, Default)]
pub struct Sitting {
    /// The person sits in a browser, not at the terminal.
    pub web: bool,
    /// The time within which the person is to answer; none waits for ever.
    pub patience: Option<Duration>,
    length: Length,
}

impl Sitting {
    /// Reads the parameters of a person's seat.
    ///
    /// # Errors
    /// When `patience` is no time.
    pub fn of(parameters: &Parameters) -> Result<Self, SetupError> {
        let patience = parameters.text("patience").map(|text| {
            patience(text).ok_or_else(|| {
                let problem = format!(
                    "is `{}`, which is no time; write for instance \"90s\", \"10m\" or \"1h\"",
                    text.escape_debug()
                );
                SetupError::at("patience", problem)
            })
        });
        Ok(Self {
            web: parameters.text("at") == Some("web"),
            patience: patience.transpose()?,
            length: Length::of(parameters),
        })
    }

    /// The role that a person plays there.
    pub fn role(self, reception: Arc<dyn Reception>, world: World) -> RoleFactory {
        Arc::new(move || Box::new(self.seated(&reception, &world)))
    }

    /// The user that a person plays there.
    pub fn user(self, reception: Arc<dyn Reception>, world: World) -> UserFactory {
        Arc::new(move || Box::new(self.seated(&reception, &world)))
    }

    fn seated(&self, reception: &Arc<dyn Reception>, world: &World) -> Seated {
        Seated { reception: Arc::clone(reception), sitting: self.clone(), world: world.clone(), told: false }
    }
}

/// The time of `90`, `90s`, `10m` or `1h`; more than none, and at most a year.
fn patience(text: &str) -> Option<Duration> {
    const YEAR: u64 = 366 * 24 * 3600;
    let digits = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let unit = match &text[digits.len()..] {
        "" | "s" => 1,
        "m" => 60,
        "h" => 3600,
        _ => return None,
    };
    let seconds = digits.trim().parse::<u64>().ok()?.checked_mul(unit)?;
    (1..=YEAR).contains(&seconds).then(|| Duration::from_secs(seconds))
}

/// A person in one episode.
struct Seated {
    reception: Arc<dyn Reception>,
    sitting: Sitting,
    world: World,
    /// The person was told what the episode is about; whoever goes on with it is told again.
    told: bool,
}

/// Why a person has no answer.
enum Silent {
    Away(String),
    TooLate(String),
}

impl Seated {
    /// Asks, and waits. However long a person thinks, that is no slowness of the turn: its own patience ends it.
    async fn ask(&mut self, turn: &Turn) -> Result<Said, Silent> {
        let Sitting { patience, length, .. } = self.sitting;
        let question = Question {
            turn: turn.clone(),
            world: self.world.clone(),
            first: !mem::replace(&mut self.told, true),
            patience,
            length,
        };
        let waiting = turn.calls.waiting().clone();
        let _waiting = waiting.begin();
        let passed = async {
            match patience {
                Some(patience) => tokio::time::sleep(patience).await,
                None => future::pending().await,
            }
        };
        tokio::select! {
            biased;
            () = turn.cancel.cancelled() => Err(Silent::Away("the question was withdrawn".to_owned())),
            said = self.reception.ask(question) => said.map_err(Silent::Away),
            () = passed => Err(Silent::TooLate(format!(
                "the person did not answer within {} s (patience)",
                patience.unwrap_or_default().as_secs()
            ))),
        }
    }
}

#[async_trait]
impl Role for Seated {
    async fn take_turn(&mut self, turn: &Turn) -> Result<Answer, RoleError> {
        match self.ask(turn).await {
            Ok(Said::Moves(answer)) => Ok(answer),
            Ok(Said::GivesUp) => Err(RoleError::GivesUp),
            Ok(Said::Words(_)) => Err(RoleError::Unusable("a role answers with moves".to_owned())),
            Err(Silent::Away(why)) => Err(RoleError::Unavailable(why)),
            Err(Silent::TooLate(why)) => Err(RoleError::TooLate(why)),
        }
    }

    fn is_external(&self) -> bool {
        true
    }
}

#[async_trait]
impl UserSimulator for Seated {
    async fn reply(&mut self, turn: &Turn) -> Result<Utterance, UserError> {
        if turn.question().is_none() {
            return Err(UserError::Failed("nothing was asked".to_owned()));
        }
        match self.ask(turn).await {
            Ok(Said::Words(utterance)) => Ok(utterance),
            Ok(Said::GivesUp) => Ok(Utterance::leaving("", false)),
            Ok(Said::Moves(_)) => Err(UserError::Failed("a user answers with words".to_owned())),
            Err(Silent::Away(why)) => Err(UserError::Unavailable(why)),
            Err(Silent::TooLate(why)) => Err(UserError::TooLate(why)),
        }
    }

    fn is_external(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_seconds_minutes_or_hours() {
        let seconds = |text| patience(text).map(|time| time.as_secs());
        assert_eq!(seconds("90"), Some(90));
        assert_eq!(seconds("90s"), Some(90));
        assert_eq!(seconds("10m"), Some(600));
        assert_eq!(seconds("1 h"), Some(3600));
        for wrong in ["", "m", "0", "-1s", "1d", "1.5m", "99999999999999999999", "1mé"] {
            assert_eq!(seconds(wrong), None, "{wrong}");
        }
    }
}
