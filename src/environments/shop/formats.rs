//! The answer formats of ChatShop: a summary in any words, and actions within text (appendix B.2).

use rolecall_core::domain::{Move, MoveKind, MoveKinds};
use rolecall_core::ports::{Asked, Format, Mended, Unreadable};
use rolecall_core::text::{after_reasoning, answer_line};

/// The formats, in the order in which they are listed.
pub const FORMATS: &[&dyn Format] = &[&ShopFormat::Summary, &ShopFormat::Action];

/// The actions that a text may hold.
const ACTIONS: &[&str] = &["search", "select", "question", "opinion", "candidates"];

/// An answer format of the shop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShopFormat {
    /// All that is written is a thought.
    Summary,
    /// The first action in the text, such as `search[red lamp]` or a line `Search: red lamp`.
    Action,
}

rolecall_core::names! { ShopFormat, as_str: Summary => "shop-summary", Action => "shop-action" }

impl ShopFormat {
    fn kind(self) -> MoveKind {
        match self {
            Self::Summary => MoveKind::Think,
            Self::Action => MoveKind::Act,
        }
    }
}

impl Format for ShopFormat {
    fn name(&self) -> &'static str {
        (*self).as_str()
    }

    fn offered(&self, open: MoveKinds) -> MoveKinds {
        if open.contains(self.kind()) { MoveKinds::of(&[self.kind()]) } else { MoveKinds::default() }
    }

    fn read(&self, text: &str, _: &Asked<'_>, _: &mut Mended) -> Result<Vec<Move>, Unreadable> {
        let text = after_reasoning(text);
        if text.trim().is_empty() {
            return Err(Unreadable::Empty);
        }
        Ok(vec![match self {
            Self::Summary => Move::think(text),
            Self::Action => Move::act(action(text).ok_or_else(|| {
                // Which are possible stands in the request.
                let how = "no action was found; write one of those that are named, such as `search[...]`";
                Unreadable::Format(how.to_owned())
            })?),
        }])
    }

    fn of_moves(&self, moves: &[Move], _: &Asked<'_>, _: &mut Mended) -> Result<Vec<Move>, Unreadable> {
        let found =
            moves.iter().find(|made| made.kind() == self.kind()).ok_or_else(|| Unreadable::NoMove(String::new()))?;
        Ok(vec![found.clone()])
    }
}

/// The first action of a text.
fn action(text: &str) -> Option<String> {
    let small = text.to_ascii_lowercase();
    let found = |name: &&str| {
        let opening = format!("{name}[");
        let at = small.find(&opening)?;
        let line = text.get(at + opening.len()..)?.lines().next().unwrap_or_default();
        let argument = line.split(']').next().unwrap_or_default();
        Some((at, format!("{name}[{}]", answer_line(argument).trim())))
    };
    let bracketed = ACTIONS.iter().filter_map(found);
    if let Some((_, action)) = bracketed.min_by_key(|(at, _)| *at) {
        return Some(action);
    }
    text.lines().find_map(|line| {
        let line = line.trim_start_matches(|letter: char| !letter.is_alphabetic());
        let (label, rest) = line.split_once([':', ' '])?;
        let label = label.to_ascii_lowercase();
        let name = ACTIONS.iter().find(|name| **name == label)?;
        let argument = rest.trim().trim_matches(['"', '`', '\'', ':', ' ']);
        (!argument.is_empty()).then(|| format!("{name}[{argument}]"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_action_is_found_within_text() {
        let cases = [
            ("search[red lamp]", Some("search[red lamp]")),
            ("I will now Search[red lamp] for you.\nselect[2]", Some("search[red lamp]")),
            ("My next search:\nSearch: \"red lamp\"", Some("search[red lamp]")),
            ("1. select 3", Some("select[3]")),
            ("The user wants a lamp.", None),
            ("question[blue or red?", Some("question[blue or red?]")),
        ];
        for (text, expected) in cases {
            assert_eq!(action(text).as_deref(), expected, "{text}");
        }
    }
}
