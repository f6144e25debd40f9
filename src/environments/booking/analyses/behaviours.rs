//! What agents speak to travellers for: the six behaviours of ReSpAct's Table 9, by rules.

use super::judged::{BEHAVIOUR, BEHAVIOURS};
use crate::environments::booking::fidelity::{has_values, new_values};
use crate::environments::booking::played::{Played, Turn};
use crate::evaluation::DetectedQuestion;
use crate::evaluation::analyses::{Labelled, Tagger, Tally};
use crate::ports::EpisodeLog;
use crate::reports::analyses::LabelledPart;

/// What is shown of them.
pub(super) const PART: LabelledPart<{ BEHAVIOURS.len() }> = LabelledPart {
    title: "What travellers are spoken to for",
    key: "behaviours",
    unit: "behaviour",
    labels: BEHAVIOURS,
    of: |row| Some(&row.tally::<Behaviours>()?.0),
};

/// Nothing was found, or something cannot be had.
const NOTHING: &str = include_str!("cues/nothing.txt");
/// Something else is proposed or asked for.
const OTHERWISE: &str = include_str!("cues/otherwise.txt");
/// There is too much of something.
const MANY: &str = include_str!("cues/many.txt");
/// The user is to say yes.
const CONFIRM: &str = include_str!("cues/confirm.txt");
/// What users begin with who have not said yet what it is.
const UNFINISHED: &str = include_str!("cues/unfinished.txt");

/// What a reply is for, by rules; in the order of what decides. Without a question it is something else. A search that
/// found nothing asks for wider wishes, one that found too much for narrower ones. A yes is wanted for what the user
/// has just said, or for what is inferred from before. What else is asked for is missing: the whole request, if the
/// user has said nothing of what it wants, or a part of it.
fn behaviour(turn: &Turn<'_>, before: &str, reply: &str) -> &'static str {
    let heard = DetectedQuestion::new(reply);
    if !heard.asks() {
        return "other";
    }
    let found = turn.calls.iter().rev().find_map(|call| call["outcome"].as_str());
    if found == Some("nothing") || (heard.has(NOTHING) && heard.has(OTHERWISE)) {
        return "widening";
    }
    if found == Some("too many") || (found == Some("found") && heard.has(MANY)) {
        return "narrowing";
    }
    if heard.has(CONFIRM) {
        return match new_values(reply, turn.user, before) {
            true => "confirming what was inferred",
            false => "confirming what was said",
        };
    }
    let said = DetectedQuestion::new(turn.user);
    match turn.calls.is_empty() && !has_values(turn.user) && said.has(UNFINISHED) {
        true => "request facilitation",
        false => "missing information",
    }
}

/// The replies of a row.
#[derive(Debug, Default)]
pub(super) struct Behaviours(Labelled<{ BEHAVIOURS.len() }>);

impl Tally for Behaviours {
    fn add(&mut self, log: &EpisodeLog<'_>, tagger: &Tagger) {
        let Some(played) = Played::of(log) else {
            return;
        };
        let mut before = String::new();
        for turn in &played.turns {
            let Some((seq, said)) = turn.reply else {
                continue;
            };
            let found = behaviour(turn, &before, &said.text);
            let found = BEHAVIOURS.iter().position(|name| *name == found);
            let label = tagger.answer(BEHAVIOUR.name, BEHAVIOUR.fields[0].name, log.id, seq);
            self.0.add_one(found, label);
            before.push_str(&format!("{}\n{}\n", turn.user, said.text));
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::made_up;
    use super::*;

    /// What the user said, what came of the call before the reply, the reply, and its behaviour.
    const PURPOSES: [(&str, &str, &str, &str); 9] = [
        ("I am interested in a particular museum.", "", "Which one do you mean?", "request facilitation"),
        ("I would like to book train TR1472 at 05:24.", "", "For how many people shall it be?", "missing information"),
        (
            "A taxi from Ely to the Varsity at 09:15.",
            "",
            "To confirm, you leave Ely at 09:15. Is that correct?",
            "confirming what was said",
        ),
        (
            "I also need a taxi between the two.",
            "",
            "Shall I book it for monday at 10:15?",
            "confirming what was inferred",
        ),
        ("Indian food, any area.", "too many", "Which area do you prefer?", "narrowing"),
        ("Indian food, any area.", "found", "There are several. Would you like a specific one?", "narrowing"),
        ("A cheap guesthouse.", "nothing", "Would you take a hotel?", "widening"),
        ("A table for 2.", "refused", "I am sorry, it is fully booked. Would another day do?", "widening"),
        ("Thanks.", "", "You are welcome.", "other"),
    ];

    #[test]
    fn replies_have_the_behaviour_of_their_purpose() {
        for (user, outcome, reply, expected) in PURPOSES {
            let call = json!({ "outcome": outcome });
            let calls = if outcome.is_empty() { Vec::new() } else { vec![&call] };
            let turn = Turn { user, calls, ..Turn::default() };
            let before = "We come on monday at 10:15.";
            assert_eq!(behaviour(&turn, before, reply), expected, "{reply}");
            assert!(BEHAVIOURS.contains(&expected));
        }
    }

    #[test]
    fn labels_stand_in_place_of_rules() {
        let mut tagger = Tagger::default();
        let id: crate::domain::EpisodeId = "main:0:0".parse().unwrap();
        let given = (0..40).map(|seq| ((id.clone(), seq), 4));
        let name = "booking_behaviour.behaviour".to_owned();
        tagger.answers.insert(name, given.collect());
        let mut counted = Behaviours::default();
        made_up::replied("Which one?", |log| counted.add(log, &tagger));
        assert_eq!((counted.0.labelled, counted.0.counts().1[4]), (1, 1));
        let mut none = Behaviours::default();
        made_up::elsewhere(|log| none.add(log, &tagger));
        assert_eq!(none.0.all, 0);
    }
}
