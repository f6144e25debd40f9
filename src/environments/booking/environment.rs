//! The world of a conversation: it answers calls, keeps the state of the user's wishes, and hears what is said.

use std::sync::Arc;

use async_trait::async_trait;
use serde_json::{Value, json};

use super::account::{Account, Call, Exchange, Outcome};
use super::city::City;
use super::desk::{Desk, Profile, Request, Vacancy};
use super::function_desk::FunctionDesk;
use super::goal::Dialogue;
use super::reference::ReferenceDesk;
use super::score::judge;
use super::state::{BeliefState, domain_of};
use super::strict::StrictDesk;
use rolecall_core::domain::{Action, Begun, Observation, Score, Seed, Utterance};
use rolecall_core::ports::{Environment, EnvironmentError};
use rolecall_core::text::Dice;

/// The rules of a conversation.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rules {
    /// How calls are answered.
    pub profile: Profile,
    /// Rule that says which places are taken.
    pub vacancy: Vacancy,
}

impl Rules {
    /// An empty desk.
    pub fn desk(&self, city: &Arc<City>, seed: Seed) -> Box<dyn Desk> {
        let city = Arc::clone(city);
        let dice = Dice::new("rolecall booking 1", self.profile.as_str(), &[seed.0]);
        match self.profile {
            Profile::Reference => Box::new(ReferenceDesk { city, dice }),
            Profile::AutoTod => Box::new(FunctionDesk { city, dice }),
            Profile::Strict => Box::new(StrictDesk { city, vacancy: self.vacancy, seed, dice, booked: Vec::new() }),
        }
    }
}

/// A conversation that is being played.
pub struct BookingEnvironment {
    city: Arc<City>,
    dialogue: Arc<Dialogue>,
    rules: Rules,
    desk: Box<dyn Desk>,
    state: BeliefState,
    account: Account,
    /// Why the original program stops, here or after the next reply.
    aborted: Option<String>,
}

impl BookingEnvironment {
    /// A world that has not begun.
    pub fn new(city: Arc<City>, dialogue: Arc<Dialogue>, rules: Rules) -> Self {
        let desk = rules.desk(&city, Seed(0));
        Self { city, dialogue, rules, desk, state: BeliefState::default(), account: Account::default(), aborted: None }
    }

    fn say(&mut self, user: &str) {
        self.account.exchanges.push(Exchange { user: user.to_owned(), ..Exchange::default() });
    }

    /// The data of an observation: the turn, the state, and further fields.
    fn data(&self, call: Option<&Call>) -> Option<Box<Value>> {
        let turn = self.account.exchanges.len();
        let mut data = json!({ "turn": turn, "state": self.state.slots() });
        if let Some(call) = call {
            data["call"] = call.data();
        }
        if let Some(reason) = &self.aborted {
            data["aborted"] = json!(reason);
        }
        Some(Box::new(data))
    }
}

#[async_trait]
impl Environment for BookingEnvironment {
    async fn begin(&mut self, begun: &Begun) -> Result<Observation, EnvironmentError> {
        if begun.keep_world {
            let problem = "a conversation ends with its user and cannot go on with another task; set \
                           strategy.rounds = 1";
            return Err(EnvironmentError::OutOfOrder(problem.to_owned()));
        }
        self.desk = self.rules.desk(&self.city, begun.seed);
        self.state = BeliefState::default();
        self.account = Account::default();
        self.aborted = None;
        let first = self.dialogue.first.clone();
        self.say(&first);
        Ok(Observation { data: self.data(None), ..Observation::text(first) })
    }

    async fn perform(&mut self, action: &Action) -> Result<Observation, EnvironmentError> {
        let input;
        let request = match &action.call {
            Some(call) => {
                input = match &call.arguments {
                    Value::String(text) => text.clone(),
                    arguments => arguments.to_string(),
                };
                Request { name: call.tool.trim(), input: &input }
            }
            None => request(&action.text),
        };
        let (text, call) = self.desk.answer(request);
        let aborts = call.outcome == Outcome::Aborted;
        if aborts {
            self.aborted = Some(text.clone());
        } else if self.rules.profile == Profile::Reference && domain_of(&call.name).is_none() {
            // The original program continues to the end of the turn, and stops at its state then.
            self.aborted = Some(format!(
                "the name `{}` says not what it is about, and the state of the conversation cannot be told",
                call.name
            ));
        }
        self.state.take(&call.name, call.input.iter().map(|(key, value)| (key.as_str(), value.clone())));
        let invalid = call.outcome == Outcome::Malformed;
        let data = self.data(Some(&call));
        if let Some(exchange) = self.account.exchanges.last_mut() {
            exchange.calls.push(call);
        }
        Ok(Observation { data, invalid, done: aborts, ..Observation::text(text) })
    }

    async fn hear(&mut self, said: &Utterance, reply: &Utterance) -> Result<Option<Observation>, EnvironmentError> {
        if let Some(exchange) = self.account.exchanges.last_mut() {
            exchange.reply = Some(said.text.clone());
        }
        if reply.leaving {
            self.account.farewell = Some(reply.text.clone());
        } else {
            self.say(&reply.text);
        }
        Ok(Some(Observation { data: self.data(None), done: self.aborted.is_some(), ..Observation::default() }))
    }

    async fn assess(&mut self) -> Result<Score, EnvironmentError> {
        if let Some(reason) = &self.aborted {
            return Ok(Score { detail: json!({ "aborted": reason }), ..Score::all_or_nothing(false) });
        }
        let judged = judge(&self.dialogue.goal, &self.account, &self.city.venues);
        Ok(Score { success: judged.is_success(), reward: judged.reward(), detail: judged.detail() })
    }
}

/// A call that is written as a text: its name, and its input behind it.
pub fn request(text: &str) -> Request<'_> {
    let text = text.trim();
    let end = text.find(|letter: char| letter.is_whitespace() || letter == '{');
    let (name, input) = text.split_at(end.unwrap_or(text.len()));
    Request { name, input: input.trim_start() }
}
