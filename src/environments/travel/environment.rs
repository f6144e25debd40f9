//! The world of one request: it performs calls, hears what is clarified, and judges the plan.

use std::sync::Arc;

use async_trait::async_trait;
use serde_json::{Map, Value, json};

use super::answers::{Form, Phase, answer, perform};
use super::country::Country;
use super::request::Conversation;
use super::score::plan::parse;
use super::score::{Plan, Quirks, judge};
use super::seen::{COLLECT, PLAN};
use super::settling::Settling;
use rolecall_core::domain::{Action, Begun, Observation, Score, Utterance};
use rolecall_core::ports::{Environment, EnvironmentError};
use rolecall_core::text::counted;

/// A request that is being planned for.
#[derive(Clone)]
pub struct TravelEnvironment {
    country: Arc<Country>,
    conversation: Arc<Conversation>,
    quirks: Quirks,
    settling: Settling,
    phase: Phase,
    /// The delivery, if there was one: a plan, or why it is none.
    delivered: Option<Result<Plan, String>>,
}

impl TravelEnvironment {
    /// A world that has not begun. Whether a plan is good is judged with the quirks of the original program, or as the
    /// constraints are worded.
    pub fn new(country: Arc<Country>, conversation: Arc<Conversation>, quirks: Quirks) -> Self {
        Self {
            country,
            settling: Settling::new(Arc::clone(&conversation)),
            conversation,
            quirks,
            phase: Phase::Executing,
            delivered: None,
        }
    }

    /// Shows all results of calls in full, by their descriptions; from now on a planner is at work.
    fn collect(&mut self, arguments: &Value) -> Observation {
        let calls = arguments["calls"].as_array().into_iter().flatten().filter_map(Value::as_str);
        let results = perform(&self.country, calls, Form::Planning);
        self.phase = Phase::Planning;
        let text = match results.len() {
            1 => "One result is at hand.".to_owned(),
            number => format!("{} are at hand.", counted(number as u64, "result", "results")),
        };
        let results: Map<String, Value> = results.into_iter().map(|(key, text)| (key, text.into())).collect();
        Observation { data: Some(Box::new(json!({ "results": results }))), ..Observation::text(text) }
    }

    /// Takes a plan: a list of days, or a text that holds one; anything else is none.
    fn deliver(&mut self, plan: Result<Plan, String>) -> Observation {
        let text = match plan {
            Ok(_) => "The plan is delivered.",
            Err(_) => "No plan is delivered.",
        };
        self.delivered = Some(plan);
        Observation { done: true, ..Observation::text(text) }
    }
}

#[async_trait]
impl Environment for TravelEnvironment {
    async fn begin(&mut self, begun: &Begun) -> Result<Observation, EnvironmentError> {
        if begun.keep_world {
            let problem = "a request ends with its plan and cannot go on with another one; set strategy.rounds = 1";
            return Err(EnvironmentError::OutOfOrder(problem.to_owned()));
        }
        self.settling = Settling::new(Arc::clone(&self.conversation));
        self.phase = Phase::Executing;
        self.delivered = None;
        Ok(Observation { data: Some(Box::new(json!({ "turn": 0 }))), ..Observation::text(&*self.conversation.query) })
    }

    async fn perform(&mut self, action: &Action) -> Result<Observation, EnvironmentError> {
        if self.delivered.is_some() {
            return Ok(Observation::refused("The plan was delivered already."));
        }
        let call = action.call.as_deref();
        Ok(match call.map(|call| (call.tool.as_str(), &call.arguments)) {
            Some((COLLECT, arguments)) => self.collect(arguments),
            Some((PLAN, arguments)) => self.deliver(match &arguments["plan"] {
                Value::String(text) => parse(text),
                plan => Plan::from_json(plan),
            }),
            None if action.text.starts_with("Plan(") => self.deliver(parse(&action.text)),
            _ => answer(&self.country, action, self.phase).into(),
        })
    }

    async fn hear(&mut self, said: &Utterance, reply: &Utterance) -> Result<Option<Observation>, EnvironmentError> {
        if !reply.leaving {
            self.settling.hear(&said.text, &reply.text);
            self.phase = Phase::Executing;
        }
        let turn = self.settling.settled().len();
        Ok(Some(Observation { data: Some(Box::new(json!({ "turn": turn }))), ..Observation::default() }))
    }

    async fn assess(&mut self) -> Result<Score, EnvironmentError> {
        let open = self.settling.open().map(|detail| detail.attribute.key());
        let settled = self.settling.settled().iter();
        let settled = settled.map(|settled| settled.map(|attribute| attribute.key()));
        let mut detail = json!({
            "delivered": false,
            "settled": settled.collect::<Vec<_>>(),
            "open": open.collect::<Vec<_>>(),
        });
        let mut passes = false;
        match &self.delivered {
            None => {}
            Some(Err(problem)) => detail["problem"] = json!(problem),
            Some(Ok(plan)) => {
                let last = self.conversation.state(self.conversation.details.len());
                let judge = |quirks| judge(&self.country, &last, plan, quirks);
                let [reference, worded] = [Quirks::Reference, Quirks::Worded].map(judge);
                let (verdict, judged) = match self.quirks {
                    Quirks::Reference => (&reference, "reference"),
                    Quirks::Worded => (&worded, "worded"),
                };
                passes = verdict.passes();
                detail["delivered"] = json!(true);
                detail["reference"] = reference.to_json();
                detail["worded"] = worded.to_json();
                detail["cost"] = detail[judged]["cost"].clone();
                detail["judged"] = json!(judged);
            }
        }
        Ok(Score { detail, ..Score::all_or_nothing(passes) })
    }
}
