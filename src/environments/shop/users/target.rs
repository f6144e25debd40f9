//! Wishes of the shop's user, read from the private part of its task.

use serde::Deserialize;
use serde_json::Value;

use crate::goal::NO_BOUND;
use crate::language::{Sort, terms};
use rolecall_core::domain::{Message, View};
use rolecall_core::text::joined;

/// One thing that is wanted of the product.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Want {
    /// An attribute, or the value of an option.
    pub(super) text: String,
    /// Sort of the option that it is a value of; none for an attribute.
    pub(super) sort: Option<Sort>,
}

impl Want {
    /// Its kind in a word.
    pub(super) fn kind(&self) -> &str {
        match self.sort {
            Some(Sort::Color) => "color",
            Some(Sort::Size) => "size",
            Some(Sort::Other) => "style",
            None => "feature",
        }
    }
}

/// Everything that is wanted.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub(super) struct Target {
    /// The name of the product, where the user knows it.
    pub(super) name: String,
    attributes: Vec<String>,
    options: Vec<String>,
    /// The most that it may cost, in dollars; none if any price will do.
    #[serde(alias = "price_upper")]
    pub(super) budget: Option<f64>,
    /// The whole request in words.
    pub(super) instruction: String,
    /// Its attributes and options as they are compared.
    #[serde(skip)]
    pub(super) wants: Vec<Want>,
}

impl Target {
    /// Reads it from the first private part with one of these labels.
    pub(super) fn of(view: &View, labels: &[&str]) -> Option<Self> {
        view.all().find_map(|event| match &event.message {
            Message::Entrusted(part) if labels.contains(&part.label.as_str()) => Self::read(&part.value),
            _ => None,
        })
    }

    /// Reads a private part: ChatShop's `target` or WebShop's `goal`.
    pub(super) fn read(part: &Value) -> Option<Self> {
        let mut target = Self::deserialize(part).ok()?;
        let want = |text: &String, sort| Want { text: text.clone(), sort };
        let attributes = target.attributes.iter().map(|text| want(text, None));
        let options = target.options.iter().map(|value| want(value, Some(Sort::of_value(value))));
        target.wants = attributes.chain(options).collect();
        target.wants.retain(|want| !terms(&want.text).is_empty());
        target.budget = target.budget.filter(|most| *most < NO_BOUND);
        Some(target)
    }

    /// Lines of what is wanted, for a person.
    pub(super) fn lines(&self) -> Vec<String> {
        let of = |attributes: bool| {
            let wants = self.wants.iter().filter(|want| want.sort.is_none() == attributes);
            joined(wants.map(|want| &want.text))
        };
        let budget = self.budget.map(|most| format!("{most:.2} dollars at most"));
        vec![
            "Answer in a few words, and do not say the name of the product that you want:".to_owned(),
            format!("product: {}", self.name),
            format!("attributes: {}", of(true)),
            format!("options: {}", of(false)),
            format!("budget: {}", budget.as_deref().unwrap_or("any price")),
        ]
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn both_kinds_of_goals_are_read() {
        let part = json!({
            "name": "Lamp", "attributes": ["easy clean"], "options": ["red", ""], "budget": 50.0, "instruction": "i",
        });
        let target = Target::read(&part).unwrap();
        let lines = ["attributes: easy clean", "options: red", "budget: 50.00 dollars at most"];
        assert_eq!(target.lines()[2..], lines);
        let kinds: Vec<&str> = target.wants.iter().map(Want::kind).collect();
        assert_eq!((kinds, target.budget), (vec!["feature", "color"], Some(50.0)));
        let part = json!({ "attributes": [], "options": ["6 inch"], "price_upper": 1_000_000.0 });
        let goal = Target::read(&part).unwrap();
        assert_eq!((goal.wants[0].kind(), goal.budget), ("size", None));
        assert_eq!(Target::read(&json!("a plan")), None);
    }
}
