//! What the world shows for what an agent does: a call of a tool, as a text or as a native one.

use serde_json::{Value, json};

use super::calls::{Call, Unread};
use super::country::Country;
use super::seen::COST;
use super::steps::{NULL_OBSERVATION, Status};
use super::tools::{self, ToolFault, cost};
use crate::domain::{Action, Observation};
use crate::text::python::{literal, strip};

/// Whom the world shows something.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Phase {
    /// An executor, who sees the first rows of each table.
    #[default]
    Executing,
    /// A planner, who sees all of them and may ask for costs.
    Planning,
}

/// What the world shows, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// How the action came out.
    pub status: Status,
    /// The words.
    pub text: String,
    /// The call, if there is one that can be read.
    pub call: Option<Call>,
}

impl From<Answer> for Observation {
    fn from(answer: Answer) -> Self {
        let mut data = json!({ "status": answer.status.as_str() });
        if let Some(call) = &answer.call {
            data["call"] = json!(call.canonical());
        }
        Self {
            data: Some(Box::new(data)),
            invalid: !matches!(answer.status, Status::Successful | Status::Finish),
            ..Self::text(answer.text)
        }
    }
}

/// Answers an action.
pub fn answer(country: &Country, action: &Action, phase: Phase) -> Answer {
    if phase == Phase::Planning
        && let Some(answer) = enquiry(country, action)
    {
        return answer;
    }
    let call = match action.call.as_deref() {
        Some(call) => Call::from_native(&call.tool, &call.arguments),
        None if strip(&action.text).is_empty() => {
            return without_call(Status::Null, NULL_OBSERVATION.to_owned());
        }
        None => Call::read(&action.text),
    };
    match call {
        Ok(call) => performed(country, call, phase),
        Err(Unread::Parameters(tool)) => without_call(Status::InvalidParameters, unread(tool.as_str())),
        Err(Unread::Name) => without_call(Status::InvalidType, unknown(&action.text, phase)),
    }
}

/// Performs a call.
fn performed(country: &Country, call: Call, phase: Phase) -> Answer {
    let shown = match (&call, phase) {
        (Call::Finish, _) => Ok(String::new()),
        (_, Phase::Executing) => tools::view(country, &call),
        (_, Phase::Planning) => tools::full(country, &call),
    };
    let (status, text) = match shown {
        Ok(text) if call == Call::Finish => (Status::Finish, text),
        Ok(text) => (Status::Successful, text),
        Err(ToolFault::Tool(text)) => (Status::ToolError, text),
        Err(ToolFault::Other) => {
            let text = format!("Illegal {}. Please try again.", call.tool().as_str());
            (Status::OtherError, text)
        }
    };
    Answer { status, text, call: Some(call) }
}

/// The answer to an enquiry of costs; none if the action is none.
fn enquiry(country: &Country, action: &Action) -> Option<Answer> {
    let (subplan, variant) = match action.call.as_deref() {
        Some(call) if call.tool == COST => {
            let variant = match call.arguments["variant"] == "reflexion" {
                true => cost::Variant::Reflexion,
                false => cost::Variant::React,
            };
            (call.arguments.get("subplan").cloned(), variant)
        }
        Some(_) => return None,
        None => {
            let inside = action.text.strip_prefix(COST)?.strip_prefix('(');
            (literal(inside?.strip_suffix(')')?), cost::Variant::React)
        }
    };
    let Some(subplan) = subplan.filter(Value::is_object) else {
        return Some(without_call(Status::InvalidParameters, unread(COST)));
    };
    let (text, is_known) = cost::enquire(country, &subplan, variant);
    let status = match is_known {
        true => Status::Successful,
        false => Status::ToolError,
    };
    Some(without_call(status, text))
}

fn without_call(status: Status, text: String) -> Answer {
    Answer { status, text, call: None }
}

fn unread(tool: &str) -> String {
    format!("Invalid parameters for {tool}. Please ensure that all parameters are provided in the correct format.")
}

fn unknown(action: &str, phase: Phase) -> String {
    let also = match phase {
        Phase::Executing => "",
        Phase::Planning => "CostEnquiry(subplan), ",
    };
    format!(
        "Invalid action: \"{action}\". Valid actions include {also}AccommodationSearch(city, filters), \
         RestaurantSearch(city, cuisines), AttractionSearch(city), DistanceMatrix(origin, destination, mode), \
         FlightSearch(origin, destination, date), BudgetEstimator(origin, destination, dates, people_number), and \
         Finish(). Do not include any comment or description in the action."
    )
}
