//! The results of a replay as text and JSON.

use std::fmt::Write;

use serde_json::{Value, json};

use rolecall_core::text::{counted, visible};
use rolecall_run::runtime::{Difference, Replay, ReplayError, Replayed};

/// The most differences that are printed.
const MOST_SHOWN: usize = 10;
/// Letters that are printed of each side of a difference.
const SIDE: usize = 320;
/// Letters of these before the first that differs.
const BEFORE: usize = 80;

/// The results of replaying one part of the cast.
pub(super) struct Way {
    pub(super) who: Replay,
    pub(super) replayed: Vec<Replayed>,
}

impl Way {
    /// Number of episodes that came out identical.
    pub(super) fn identical(&self) -> usize {
        self.replayed.iter().filter(|each| each.result.is_ok()).count()
    }

    fn different(&self) -> impl Iterator<Item = (&Replayed, &ReplayError)> {
        self.replayed.iter().filter_map(|each| Some((each, each.result.as_ref().err()?)))
    }

    /// The name, and who was played again in words.
    fn names(&self) -> (&'static str, &'static str) {
        match self.who {
            Replay::Models => ("models", "everybody again, on the recorded replies of models"),
            Replay::Log => ("log", "strategies and environments again, on the recorded moves"),
            Replay::Twice => ("twice", "every turn twice"),
        }
    }

    /// For people: the figures, then the first differences.
    pub(super) fn text(&self) -> String {
        let (name, played) = self.names();
        let all = self.replayed.len();
        let (identical, episodes) = (self.identical(), counted(all as u64, "episode", "episodes"));
        let mut text = format!("{name}: {identical} of {episodes} identical ({played})\n");
        for (replayed, error) in self.different().take(MOST_SHOWN) {
            // Writing to a text cannot fail.
            let _ = write!(text, "\n{}", difference(replayed, error));
        }
        let more = (all - identical).saturating_sub(MOST_SHOWN);
        if more > 0 {
            let _ = write!(text, "\n{more} more differ (--json names them all)\n");
        }
        text
    }

    /// For programs: the figures and every difference.
    pub(super) fn json(&self) -> Value {
        let differences = self.different().map(|(replayed, error)| {
            let episode = replayed.episode.to_string();
            match error {
                ReplayError::Differs(difference) => {
                    let Difference { seq, logged, .. } = difference;
                    let played = &difference.replayed;
                    json!({ "episode": episode, "seq": seq, "logged": logged, "replayed": played })
                }
                other => json!({ "episode": episode, "problem": other.to_string() }),
            }
        });
        json!({
            "way": self.names().0,
            "episodes": self.replayed.len(),
            "identical": self.identical(),
            "differences": differences.collect::<Vec<_>>(),
        })
    }
}

fn difference(replayed: &Replayed, error: &ReplayError) -> String {
    let id = &replayed.episode;
    let ReplayError::Differs(difference) = error else {
        return format!("{id}: {}\n", visible(&error.to_string()));
    };
    let (logged, replayed) = sides(&difference.logged, &difference.replayed);
    let seq = difference.seq;
    format!("{id}, event {seq}\n  in the log:  {logged}\n  played now:  {replayed}\n")
}

/// Both sides, cut around the first place where they differ if they are long.
fn sides(one: &str, other: &str) -> (String, String) {
    let same = one.chars().zip(other.chars()).take_while(|(a, b)| a == b).count();
    (excerpt(one, same), excerpt(other, same))
}

fn excerpt(text: &str, same: usize) -> String {
    let length = text.chars().count();
    if length <= SIDE {
        return visible(text).to_string();
    }
    // Who wrote to whom stands at the beginning, and is shown in any case.
    let head = text.find(": ").map_or(0, |place| text[..place + 2].chars().count());
    let start = same.saturating_sub(BEFORE).min(length - SIDE);
    let mut shown = String::new();
    if start > head {
        shown.extend(text.chars().take(head));
        shown.push_str("... ");
    }
    let start = if start > head { start } else { 0 };
    shown.extend(text.chars().skip(start).take(SIDE));
    if start + SIDE < length {
        shown.push_str(" ...");
    }
    visible(&shown).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_sides_are_cut_around_what_differs() {
        let text = |word: &str| format!("a to b: {} {word} {}", "x".repeat(500), "y".repeat(500));
        let (one, other) = sides(&text("this"), &text("that"));
        assert!(one.starts_with("a to b: ... xxx") && one.ends_with("yyy ..."), "{one}");
        assert!(one.contains(" this ") && other.contains(" that "));
        assert!(one.chars().count() < SIDE + 30);
        let (one, other) = sides(&"z".repeat(500), "z");
        assert!(one.ends_with("z ...") && other == "z", "{one}");
        assert_eq!(sides("a\u{1b}", "b").0, "a\\u{1b}");
    }
}
