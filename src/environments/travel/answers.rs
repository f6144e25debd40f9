//! Answers of the world to an agent's actions: calls of tools, as texts or as native ones, one by one or a chain of
//! them as a whole (static execution; specification, section 3.1).

use std::collections::HashMap;

use serde_json::{Value, json};

use super::calls::{Call, Unread};
use super::country::Country;
use super::seen::COST;
use super::steps::{NULL_OBSERVATION, Status};
use super::tools::{self, ToolFault, cost, full, view};
use rolecall_core::domain::{Action, Observation};
use rolecall_core::text::python::{literal, strip};

/// Whom the world shows something.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Phase {
    /// An executor, who sees the first rows of each table.
    #[default]
    Executing,
    /// A planner, who sees all of them and may ask for costs.
    Planning,
}

/// An answer of the world, with its reason.
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

/// The purpose of a chain's results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Who finds facts and who clarifies: the first rows of each table, by the call in its one form.
    Clarification,
    /// Who plans: all rows, by a description.
    Planning,
}

/// Results in their order, each behind the text that it is known by.
pub type Results = Vec<(String, String)>;

/// Performs the calls of lines. Lines that are no calls and calls that fail are passed over.
pub fn perform<'l>(country: &Country, lines: impl IntoIterator<Item = &'l str>, form: Form) -> Results {
    let calls = lines.into_iter().filter_map(|line| Call::read(line).ok());
    results(country, calls, form)
}

/// Performs calls; those that fail are passed over. Of calls that are known by the same text, the last one's result
/// stands where the first one was.
pub fn results(country: &Country, calls: impl IntoIterator<Item = Call>, form: Form) -> Results {
    let mut results = Results::new();
    let mut indices = HashMap::new();
    for call in calls {
        let (name, shown) = match form {
            Form::Clarification => (call.canonical(), view(country, &call)),
            Form::Planning => (call.description(), full(country, &call)),
        };
        let Ok(shown) = shown else {
            continue;
        };
        let index = *indices.entry(name.clone()).or_insert(results.len());
        match results.get_mut(index) {
            Some((_, earlier)) => *earlier = shown,
            None => results.push((name, shown)),
        }
    }
    results
}
