//! Reasons for which agents speak to travellers: the six behaviours of ReSpAct's Table 9, by rules.

use super::judged::{BEHAVIOUR, BEHAVIOURS};
use crate::fidelity::{has_values, new_values};
use crate::played::{Played, Turn};
use rolecall_core::evaluation::DetectedQuestion;
use rolecall_core::evaluation::analyses::{Labelled, Tagger, Tally};
use rolecall_core::ports::EpisodeLog;
use rolecall_core::reports::analyses::LabelledPart;

/// Part of the report that shows the behaviours.
pub(super) const PART: LabelledPart<{ BEHAVIOURS.len() }> = LabelledPart {
    title: "What travellers are spoken to for",
    key: "behaviours",
    unit: "behaviour",
    labels: BEHAVIOURS,
    of: |row| Some(&row.tally::<Behaviours>()?.0),
};

/// Cues that nothing was found or something is impossible.
const NOTHING: &str = include_str!("cues/nothing.txt");
/// Cues that an alternative is proposed or asked for.
const OTHERWISE: &str = include_str!("cues/otherwise.txt");
/// Cues that there is too much of something.
const MANY: &str = include_str!("cues/many.txt");
/// Cues that the user is to say yes.
const CONFIRM: &str = include_str!("cues/confirm.txt");
/// Beginnings of users who have not said yet what they want.
const UNFINISHED: &str = include_str!("cues/unfinished.txt");

/// Behaviour of a reply, by rules, of which the first that applies decides. Without a question it is `other`. After a
/// search that found nothing it asks for wider wishes, after one that found too much for narrower ones. It asks for a
/// yes to the user's last words, or to an inference from earlier ones. Any other question is for something missing: the
/// whole request, if the user has not said yet what it wants, or a part of it.
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
        return if new_values(reply, turn.user, before) {
            "confirming what was inferred"
        } else {
            "confirming what was said"
        };
    }
    if turn.calls.is_empty() && !has_values(turn.user) && DetectedQuestion::new(turn.user).has(UNFINISHED) {
        "request facilitation"
    } else {
        "missing information"
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
            self.0.add_one(found, tagger.answer(BEHAVIOUR.name, BEHAVIOUR.fields[0].name, log.id, seq));
            before.push_str(&format!("{}\n{}\n", turn.user, said.text));
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::made_up;
    use super::*;

    /// Text of the user, result of the call before the reply, the reply, and its behaviour.
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
        let id: rolecall_core::domain::EpisodeId = "main:0:0".parse().unwrap();
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
