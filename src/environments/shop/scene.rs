//! How readers are shown a ChatShop session, as on the page of the paper's human study (Figure 3): what the shopper
//! knows at the side, and in the middle the goal, searches in short, questions with their answers, and what was
//! selected.

use std::collections::BTreeMap;

use super::account::{Wanted, asks, game, listed};
use super::analyses::judged;
use super::chatshop::{Listing, bare};
use rolecall_core::domain::{Message, Scene, SceneLine};
use rolecall_core::ports::EpisodeLog;
use rolecall_core::text::counted;

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
    let budget = wanted.most().map(|most| format!("below ${most:.2}"));
    let facts = [
        ("product", wanted.name),
        ("attributes", listed(&wanted.attributes, "\n")),
        ("options", listed(&wanted.options, "\n")),
        ("budget", budget.unwrap_or_else(|| "any price".to_owned())),
        ("instruction", wanted.instruction),
    ];
    let facts = facts.into_iter().filter(|(_, text)| !text.is_empty());
    Some(Scene {
        title: "What the shopper wants".to_owned(),
        facts: facts.map(|(name, text)| (name.to_owned(), text)).collect(),
        lines: lines(log),
    })
}

/// Lines shown in place of events. A question is shown where the agent asks it, and its answer with what is left of
/// the budget where the shopper gives it.
fn lines(log: &EpisodeLog<'_>) -> BTreeMap<u32, SceneLine> {
    let mut lines = BTreeMap::new();
    let (mut asking, mut replied) = (None, None);
    for event in &log.events {
        let line = match &event.message {
            Message::Brief(_) => Some(SceneLine::Hidden),
            Message::Moved(made) if asks(made) => {
                asking = Some(event.seq);
                None
            }
            Message::Moved(_) => {
                (asking, replied) = (None, None);
                None
            }
            Message::Observed(seen) if seen.asks.is_some() => Some(SceneLine::Hidden),
            Message::Told(said) => asking.take().map(|asked| {
                lines.insert(asked, SceneLine::Said(said.text.clone()));
                SceneLine::Hidden
            }),
            Message::Replied(_) => {
                replied = Some(event.seq);
                None
            }
            Message::Observed(seen) => {
                let text = seen.text.trim();
                match (replied.take(), Listing::read(text).as_slice()) {
                    (Some(reply), []) => {
                        lines.insert(reply, SceneLine::Said(text.to_owned()));
                        Some(SceneLine::Hidden)
                    }
                    (_, []) => text.is_empty().then(|| SceneLine::Short("nothing was found".to_owned())),
                    (_, [only]) if seen.done => Some(SceneLine::Short(format!("selected: {}", named(only)))),
                    (_, listed) => Some(SceneLine::Short(short(listed))),
                }
            }
            Message::Scored(scored) => {
                let text = format!("reward {}{}", scored.score.reward, judged::parts(log));
                Some(SceneLine::Short(text))
            }
            _ => None,
        };
        lines.extend(line.map(|line| (event.seq, line)));
    }
    lines
}

/// A list of products in short.
fn short(all: &[Listing]) -> String {
    let mut lines = vec![counted(all.len() as u64, "product", "products")];
    lines.extend(all.iter().take(NAMED).map(named));
    if all.len() > NAMED {
        lines.push("...".to_owned());
    }
    lines.join("\n")
}

fn named(listing: &Listing) -> String {
    let (number, price) = (listing.number, bare(&listing.price));
    let name: String = listing.name.chars().take(TITLE).collect();
    let cut = name.len() < listing.name.len();
    format!("{number}. {name}{} (${price})", if cut { "..." } else { "" })
}

#[cfg(test)]
mod tests {
    use super::super::analyses::made_up::{self, Line};
    use super::*;

    #[test]
    fn a_session_is_staged_as_a_chat() {
        let lines = [Line::Search("lamp"), Line::Ask("Which color?"), Line::Answer("Dark green"), Line::Select(2)];
        let (scene, kinds) = made_up::with(&lines, |log| {
            let kinds: Vec<(u32, &str)> = log.events.iter().map(|event| (event.seq, event.message.kind())).collect();
            (scene(log).unwrap(), kinds.iter().map(|(seq, kind)| (*seq, (*kind).to_owned())).collect::<Vec<_>>())
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
