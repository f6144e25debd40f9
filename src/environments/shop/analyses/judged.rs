//! The questions to judges about sessions in shops.

use serde_json::Value;

use crate::account::{self, Account, Wanted, game, listed};
use rolecall_core::domain::Ending;
use rolecall_core::evaluation::labels::{ItemKind, JudgeAnswer, JudgeField, JudgePrompt, JudgeQuestion};
use rolecall_core::ports::EpisodeLog;

/// The questions.
pub(crate) static QUESTIONS: &[JudgeQuestion] = &[ERRORS, BEHAVIOUR];

/// Why a ChatShop session failed (appendix C.1). Its fields are the types of errors, in their order.
pub(super) const ERRORS: JudgeQuestion = JudgeQuestion {
    name: "session_errors",
    text: "The agent was to find the product that the shopper wants, and did not. Which errors brought that about?",
    items: ItemKind::Dialogues,
    prompt: JudgePrompt::Shipped("session-errors"),
    fields: &[
        flag(
            "reversion",
            "The agent loses track of something that the shopper has said: what it searches for or selects \
             later goes against it, though nothing shows that it was not understood.",
        ),
        flag(
            "misinterpretation",
            "The agent takes something that the shopper has said for something else than was meant.",
        ),
        flag(
            "insufficient_information",
            "The agent does not find out enough: an attribute or option that matters was never told, because \
             nobody asked for it or because the agent decided too early.",
        ),
        flag(
            "repetition",
            "The agent asks a question again that it has asked, or searches for what it has searched for.",
        ),
        flag("misleading_user", "The shopper says something wrong, contradicts itself, or is not clear."),
    ],
    about: Some(failed),
    parts: None,
};

/// Question for judges: the purpose of an utterance to the shopper (ReSpAct Table 10).
pub(super) const BEHAVIOUR: JudgeQuestion = JudgeQuestion {
    name: "shop_behaviour",
    text: "What does the agent speak to the shopper for?",
    items: ItemKind::Utterances,
    prompt: JudgePrompt::Shipped("shop-behaviour"),
    fields: &[JudgeField {
        name: "behaviour",
        criteria: "The one that fits best.",
        answer: JudgeAnswer::Words(&BEHAVIOURS),
    }],
    about: Some(|log| game(log).map(|_| Vec::new())),
    parts: None,
};

/// The names of behaviours, in their order.
pub(super) const BEHAVIOURS: [&str; 9] = [
    "search refinement",
    "clarification",
    "prioritisation",
    "alternatives",
    "navigation",
    "implicit needs",
    "invalid actions",
    "confirming purchases",
    "other",
];

const fn flag(name: &'static str, criteria: &'static str) -> JudgeField {
    JudgeField { name, criteria, answer: JudgeAnswer::Flag }
}

/// Facts for judges of a failed session: what was wanted, what was selected, and the parts of the reward.
/// None of others, and of those that broke.
fn failed(log: &EpisodeLog<'_>) -> Option<Vec<String>> {
    let outcome = log.outcome().filter(|outcome| !outcome.success)?;
    if matches!(outcome.ending, Ending::Broken { .. } | Ending::Cancelled) {
        return None;
    }
    let (account, wanted) = (Account::of(log)?, Wanted::of(log)?);
    let selected = account.selected.map(|product| {
        let attributes = listed(&product.attributes, ", ");
        format!("{} (attributes: {attributes})", product.name)
    });
    Some(vec![
        format!(
            "wanted: {}; attributes: {}; options: {}",
            wanted.name,
            listed(&wanted.attributes, ", "),
            listed(&wanted.options, ", ")
        ),
        format!("selected: {}", selected.as_deref().unwrap_or("nothing")),
        format!("reward: {}{}", outcome.reward, parts(log)),
    ])
}

/// The parts of the last score in words.
pub(crate) fn parts(log: &EpisodeLog<'_>) -> String {
    let scored = account::parts(log);
    let names = [
        ("r_type", "kind of product"),
        ("title_score", "title"),
        ("r_att", "attributes"),
        ("r_option", "options"),
        ("r_price", "price"),
    ];
    let parts = names.into_iter().filter_map(|(key, name)| {
        Some(match scored?.get(key)? {
            Value::Null => return None,
            Value::Bool(true) => format!("{name} kept to"),
            Value::Bool(false) => format!("{name} too high"),
            share => format!("{name} {:.2}", share.as_f64()?),
        })
    });
    match parts.collect::<Vec<String>>() {
        none if none.is_empty() => String::new(),
        parts => format!(" ({})", parts.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::super::made_up::{self, Line};
    use super::*;

    #[test]
    fn judges_are_told_of_sessions_that_failed() {
        let notes = made_up::with(&[Line::Search("lamp"), Line::Select(0)], failed).unwrap();
        assert_eq!(
            notes,
            [
                "wanted: Fenlume Clip on Desk Lamp; attributes: dimmable, energy efficient; options: dark green",
                "selected: Ostcove Floor Lamp (attributes: easy assemble, dimmable)",
                "reward: 0.5 (kind of product 1.00, attributes 0.50, options 0.00, price kept to)",
            ]
        );
        assert_eq!(made_up::with(&[Line::Search("lamp"), Line::Select(1)], failed), None);
        assert_eq!(made_up::elsewhere(&[Line::Search("lamp")], failed), None);
    }
}
