//! How readers are shown a ChatShop session, as on the page of the paper's human study (Figure 3): what the shopper
//! knows at the side, and in the middle the goal, searches in short, questions with their answers, and what was
//! selected.

use std::collections::BTreeMap;

use super::account::{Wanted, asks, bare, game};
use super::analyses::judged;
use super::chatshop::Listing;
use crate::domain::{Message, Scene, SceneLine};
use crate::ports::EpisodeLog;

/// Products of a list that are named.
const NAMED: usize = 3;
/// Letters of a title that are shown.
const TITLE: usize = 80;

/// The scene of a ChatShop session; none of anything else.
pub(super) fn scene(log: &EpisodeLog<'_>) -> Option<Scene> {
    if game(log)? != "chatshop" {
        return None;
    }
    let wanted = Wanted::of(log).unwrap_or_default();
    let listed = |values: &[String]| match values {
        [] => "none".to_owned(),
        values => values.join("\n"),
    };
    let budget = wanted.most.map_or_else(
        || "any price".to_owned(),
        |most| format!("below ${most:.2}"),
    );
    let facts = [
        ("product", wanted.name.clone()),
        ("attributes", listed(&wanted.attributes)),
        ("options", listed(&wanted.options)),
        ("budget", budget),
        ("instruction", wanted.instruction.clone()),
    ];
    let facts = facts.into_iter().filter(|(_, text)| !text.is_empty());
    Some(Scene {
        title: "What the shopper wants".to_owned(),
        facts: facts.map(|(name, text)| (name.to_owned(), text)).collect(),
        lines: lines(log),
    })
}

/// What is shown in place of events. A question is shown where the agent asks it, and its answer with what is left of
/// the budget where the shopper gives it.
fn lines(log: &EpisodeLog<'_>) -> BTreeMap<u32, SceneLine> {
    let mut lines = BTreeMap::new();
    let (mut asking, mut replied) = (None, None);
    for event in &log.events {
        match &event.message {
            Message::Brief(_) => {
                lines.insert(event.seq, SceneLine::Hidden);
            }
            Message::Moved(made) if asks(made) => asking = Some(event.seq),
            Message::Moved(_) => (asking, replied) = (None, None),
            Message::Observed(seen) if seen.asks.is_some() => {
                lines.insert(event.seq, SceneLine::Hidden);
            }
            Message::Told(said) => {
                if let Some(asked) = asking.take() {
                    lines.insert(asked, SceneLine::Said(said.text.clone()));
                    lines.insert(event.seq, SceneLine::Hidden);
                }
            }
            Message::Replied(_) => replied = Some(event.seq),
            Message::Observed(seen) => {
                let listed = Listing::read(&seen.text);
                let line = match (replied.take(), listed.as_slice()) {
                    (Some(reply), []) => {
                        lines.insert(reply, SceneLine::Said(seen.text.trim().to_owned()));
                        Some(SceneLine::Hidden)
                    }
                    (_, []) if seen.text.trim().is_empty() => {
                        Some(SceneLine::Short("nothing was found".to_owned()))
                    }
                    (_, []) => None,
                    (_, [only]) if seen.done => {
                        Some(SceneLine::Short(format!("selected: {}", named(only))))
                    }
                    (_, listed) => Some(SceneLine::Short(short(listed))),
                };
                lines.extend(line.map(|line| (event.seq, line)));
            }
            Message::Scored(scored) => {
                let text = format!("reward {}{}", scored.score.reward, judged::parts(log));
                lines.insert(event.seq, SceneLine::Short(text));
            }
            _ => {}
        }
    }
    lines
}

/// A list of products in short.
fn short(listed: &[Listing]) -> String {
    let mut text = match listed.len() {
        1 => "1 product".to_owned(),
        several => format!("{several} products"),
    };
    for listing in listed.iter().take(NAMED) {
        text.push('\n');
        text.push_str(&named(listing));
    }
    if listed.len() > NAMED {
        text.push_str("\n...");
    }
    text
}

fn named(listing: &Listing) -> String {
    let name: String = listing.name.chars().take(TITLE).collect();
    let cut = if name.len() < listing.name.len() {
        "..."
    } else {
        ""
    };
    format!(
        "{}. {name}{cut} (${})",
        listing.number,
        bare(&listing.price)
    )
}

#[cfg(test)]
mod tests {
    use super::super::analyses::made_up::{self, Line};
    use super::*;

    #[test]
    fn a_session_is_staged_as_a_chat() {
        let lines = [
            Line::Search("lamp"),
            Line::Ask("Which color?"),
            Line::Answer("Dark green"),
            Line::Select(2),
        ];
        let (scene, kinds) = made_up::with(&lines, |log| {
            let kinds: Vec<(u32, &str)> = log
                .events
                .iter()
                .map(|event| (event.seq, event.message.kind()))
                .collect();
            (
                scene(log).unwrap(),
                kinds
                    .iter()
                    .map(|(seq, kind)| (*seq, (*kind).to_owned()))
                    .collect::<Vec<_>>(),
            )
        });
        assert_eq!(scene.facts[0].1, "Fenlume Clip on Desk Lamp");
        assert_eq!(scene.facts[1].1, "dimmable\nenergy efficient");
        assert_eq!(scene.facts[3].1, "below $30.00");
        let shown: Vec<String> = kinds
            .iter()
            .filter_map(|(seq, kind)| match scene.lines.get(seq)? {
                SceneLine::Hidden => Some(format!("{kind}: -")),
                SceneLine::Short(text) => Some(format!("{kind}: {text}")),
                SceneLine::Said(text) => Some(format!("{kind}: \"{text}\"")),
            })
            .collect();
        assert_eq!(
            shown,
            [
                "observed: 3 products\n0. Ostcove Floor Lamp ($20.0)\n1. Fenlume Clip on Desk Lamp ($12.5)\n2. Elmbury Desk Lamp ($9.0)",
                "moved: \"Which color?\"",
                "observed: -",
                "told: -",
                "replied: \"Dark green (You have 4 questions left)\"",
                "observed: -",
                "observed: selected: 2. Elmbury Desk Lamp ($9.0)",
                "scored: reward 0.5 (kind of product 1.00, attributes 0.50, options 0.00, price kept to)",
            ]
        );
        assert_eq!(made_up::elsewhere(&lines, scene_of), None);
    }

    fn scene_of(log: &EpisodeLog<'_>) -> Option<Scene> {
        scene(log)
    }
}
