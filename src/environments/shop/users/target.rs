//! What a user of the shop wants, as the private part of its task says it.

use serde_json::Value;

use crate::environments::shop::language::{Sort, terms};

/// One thing that is wanted of the product.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Want {
    /// An attribute, or the value of an option.
    pub(super) text: String,
    /// The option's name, where the goal has it.
    pub(super) option: Option<String>,
    /// It is an option, and its value says this sort of thing; none of attributes.
    pub(super) sort: Option<Sort>,
    pub(super) terms: Vec<String>,
}

impl Want {
    fn attribute(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            option: None,
            sort: None,
            terms: terms(text),
        }
    }

    fn option(name: Option<&str>, value: &str) -> Self {
        Self {
            option: name.map(str::to_owned),
            sort: Some(Sort::of_value(value)),
            ..Self::attribute(value)
        }
    }

    /// Its kind in a word.
    pub(super) fn kind(&self) -> &str {
        match (&self.option, self.sort) {
            (Some(name), _) => name,
            (None, Some(Sort::Color)) => "color",
            (None, Some(Sort::Size)) => "size",
            (None, Some(Sort::Other)) => "style",
            (None, None) => "feature",
        }
    }
}

/// Everything that is wanted.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Target {
    /// The name of the product, where the user knows it.
    pub(super) name: String,
    /// Attributes and options.
    pub(super) wants: Vec<Want>,
    /// The most that it may cost, in dollars; none if any price will do.
    pub(super) budget: Option<f64>,
    /// The whole request in words.
    pub(super) instruction: String,
}

impl Target {
    /// Reads a private part: ChatShop's `target` or WebShop's `goal`; none if it is neither.
    pub(super) fn read(label: &str, part: &Value) -> Option<Self> {
        let budget = match label {
            "target" => &part["budget"],
            "goal" => &part["price_upper"],
            _ => return None,
        };
        let text = |name: &str| part[name].as_str().unwrap_or_default().to_owned();
        let list = |name: &str| part[name].as_array().map(Vec::as_slice).unwrap_or_default();
        let attributes = list("attributes")
            .iter()
            .filter_map(Value::as_str)
            .map(Want::attribute);
        let options = list("options").iter().filter_map(|option| match option {
            Value::String(value) => Some(Want::option(None, value)),
            pair => Some(Want::option(pair[0].as_str(), pair[1].as_str()?)),
        });
        let named = part["options"].as_object().into_iter().flatten();
        let named =
            named.filter_map(|(name, value)| Some(Want::option(Some(name), value.as_str()?)));
        let known: Vec<Want> = attributes.chain(options).chain(named).collect();
        Some(Self {
            name: text("name"),
            wants: known
                .into_iter()
                .filter(|want| !want.terms.is_empty())
                .collect(),
            // The goals' way to say that there is no bound.
            budget: budget.as_f64().filter(|most| *most < 1e6),
            instruction: text("instruction"),
        })
    }

    /// What is wanted, one thing a line.
    pub(super) fn lines(&self) -> Vec<String> {
        let of = |attributes: bool| {
            let wants = self
                .wants
                .iter()
                .filter(|want| want.sort.is_none() == attributes);
            wants
                .map(|want| want.text.as_str())
                .collect::<Vec<_>>()
                .join(", ")
        };
        let budget = self.budget.map_or("any price".to_owned(), |most| {
            format!("{most:.2} dollars at most")
        });
        vec![
            "Answer in a few words, and do not say the name of the product that you want:"
                .to_owned(),
            format!("product: {}", self.name),
            format!("attributes: {}", of(true)),
            format!("options: {}", of(false)),
            format!("budget: {budget}"),
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
        let target = Target::read("target", &part).unwrap();
        let lines = [
            "attributes: easy clean",
            "options: red",
            "budget: 50.00 dollars at most",
        ];
        assert_eq!(target.lines()[2..], lines);
        let kinds: Vec<&str> = target.wants.iter().map(Want::kind).collect();
        assert_eq!(
            (kinds, target.budget),
            (vec!["feature", "color"], Some(50.0))
        );
        for options in [json!([["size", "6 inch"]]), json!({ "size": "6 inch" })] {
            let part = json!({ "attributes": [], "options": options, "price_upper": 1_000_000.0 });
            let goal = Target::read("goal", &part).unwrap();
            assert_eq!((goal.wants[0].kind(), goal.budget), ("size", None));
        }
        assert_eq!(Target::read("oracle_plan", &part), None);
    }
}
