//! The knowledge of household games that prompts, metrics and reports need: the commands in the game's own
//! wording, the private parts of users and players, the memory of where things are.

use std::borrow::Cow;

use serde_json::Value;

use super::held::{held, secrets};
use super::language::{placements_paragraph, worded};
use super::memory::Sightings;
use rolecall_core::domain::{Event, PublicTask};
use rolecall_core::ports::held::{HeldFacts, Secrets};
use rolecall_core::ports::{EpisodeLog, Known, Recall, Words};

/// The words of household games.
#[derive(Clone, Copy, Debug)]
pub struct HouseholdWords;

/// The private parts that prompts may name.
const PARTS: &[&str] = &["oracle_plan", "placements", "placements_text", "likely_places", "wish"];

/// Task types in the order of ReSpAct Table 6.
const KINDS: &[&str] = &["put", "clean", "heat", "cool", "examine", "puttwo"];

impl Words for HouseholdWords {
    fn held(&self, events: &[Event]) -> Option<Box<dyn HeldFacts>> {
        Some(Box::new(held(events)?))
    }

    fn secrets(&self, log: &EpisodeLog<'_>) -> Option<Secrets> {
        secrets(log)
    }

    fn forms(&self, task: &PublicTask) -> Option<Vec<(String, String)>> {
        let put = task.data.get("put")?.as_str()?;
        let rows = [
            ("go to {receptacle}", "walk to a place"),
            ("take {object} from {receptacle}", "pick an object up; you carry one at a time"),
            (put, "put down what you carry"),
            ("open {receptacle}", "open something that is closed"),
            ("close {receptacle}", "close it again"),
            ("clean {object} with {receptacle}", "clean what you carry"),
            ("heat {object} with {receptacle}", "heat what you carry"),
            ("cool {object} with {receptacle}", "cool what you carry"),
            ("use {object}", "switch a lamp on"),
            ("examine {object}", "look at something closely"),
            ("inventory", "see what you carry"),
            ("look", "see where you are"),
        ];
        let owned = rows.map(|(form, what)| (form.to_owned(), what.to_owned()));
        Some(owned.into())
    }

    fn verbs(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("pick up", "take"),
            ("put", "move"),
            ("place", "move"),
            ("turn on", "use"),
            ("switch on", "use"),
            ("goto", "go to"),
            ("walk to", "go to"),
            ("move to", "go to"),
        ]
    }

    fn variables(&self) -> &'static [&'static str] {
        PARTS
    }

    /// A private part: names with commas between them, and placements as sentences too.
    fn variable(&self, name: &str, known: &Known<'_>) -> Option<Value> {
        let parts = known.private;
        Some(match name {
            "placements_text" => paragraph(parts.get("placements")?).into(),
            "wish" | "likely_places" => enumerated(parts.get(name)?).into(),
            label => Value::clone(parts.get(label)?),
        })
    }

    /// Games differ in how they want putting to be said.
    fn exemplar<'a>(&self, text: &'a str, task: &PublicTask) -> Cow<'a, str> {
        let put = task.data.get("put").and_then(Value::as_str).unwrap_or_default();
        let other = match put.split(' ').next() {
            Some("put") => "> move ",
            Some("move") => "> put ",
            _ => return text.into(),
        };
        if text.contains(other) {
            return worded(text, put).into();
        }
        text.into()
    }

    fn recall(&self) -> Option<Box<dyn Recall>> {
        Some(Box::<Sightings>::default())
    }

    fn kinds(&self) -> &'static [&'static str] {
        KINDS
    }
}

/// Where everything is as ABA's model of a human reads it (appendix A): `mug 1 is in desk 1.`
fn paragraph(placements: &Value) -> String {
    let pairs = placements
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|pair| Some((pair.get(0)?.as_str()?, pair.get(1)?.as_str()?)));
    placements_paragraph(pairs)
}

/// The texts of a list with commas between them: `mug 1, mug 2`.
fn enumerated(list: &Value) -> String {
    let texts = list.as_array().into_iter().flatten();
    texts.filter_map(Value::as_str).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::sync::Arc;

    use serde_json::json;

    use super::*;
    use rolecall_core::domain::{Seat, Transcript, Visibility};

    #[test]
    fn parts_are_shown_as_the_papers_write_them() {
        let parts = BTreeMap::from([
            ("oracle_plan".to_owned(), Arc::new(json!(["look"]))),
            ("placements".to_owned(), Arc::new(json!([["mug 1", "desk 1"], ["pen 2", "bed 1"]]))),
            ("wish".to_owned(), Arc::new(json!(["mug 1", "mug 3"]))),
        ]);
        let view = Transcript::new(Visibility::default()).visible_to(Seat::User, 0, 0);
        let known = Known { view: &view, task: None, private: &parts, left_out: 0 };
        let of = |name| HouseholdWords.variable(name, &known);
        assert_eq!(of("oracle_plan"), Some(json!(["look"])));
        let paragraph = "mug 1 is in desk 1. pen 2 is in bed 1.";
        assert_eq!(of("placements_text"), Some(json!(paragraph)));
        assert_eq!(of("wish"), Some(json!("mug 1, mug 3")));
        assert_eq!(of("likely_places"), None);
    }
}
