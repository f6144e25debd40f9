//! Purposes of utterances to shoppers: the eight behaviours of ReSpAct's Table 10, by rules.

use super::judged::{BEHAVIOUR, BEHAVIOURS};
use crate::account::game;
use rolecall_core::domain::Message;
use rolecall_core::evaluation::DetectedQuestion;
use rolecall_core::evaluation::analyses::{Labelled, Tagger, Tally};
use rolecall_core::ports::EpisodeLog;
use rolecall_core::reports::analyses::LabelledPart;

/// Their part of the report.
pub(super) const PART: LabelledPart<{ BEHAVIOURS.len() }> = LabelledPart {
    title: "What shoppers are spoken to for",
    key: "behaviours",
    unit: "behaviour",
    labels: BEHAVIOURS,
    of: |row| Some(&row.tally::<Behaviours>()?.0),
};

/// An action was refused, or cannot be done.
const INVALID: &str = include_str!("cues/invalid.txt");
/// Something failed.
const FAILURE: &str = include_str!("cues/failure.txt");

/// The behaviours of what asks, with the cues that all have to be there; the first that fits decides. Wishes are
/// weighed against each other; something else is proposed after a failure; the shopper is to show the way, or to say
/// yes before something is bought; more is to be known after a search that failed; something said is vague.
const RULES: [(&str, &[&str]); 6] = [
    ("prioritisation", &[include_str!("cues/priority.txt")]),
    ("alternatives", &[FAILURE, include_str!("cues/alternative.txt")]),
    ("navigation", &[include_str!("cues/navigation.txt")]),
    ("confirming purchases", &[include_str!("cues/purchase.txt")]),
    ("search refinement", &[FAILURE, include_str!("cues/more.txt")]),
    ("clarification", &[include_str!("cues/meant.txt")]),
];

/// Purpose of an utterance, by rules: before all others, it tells of an action that cannot be done, or of a failure
/// right after one was refused. A question that fits no rule is about wishes; what asks nothing is something else.
fn behaviour(text: &str, after_refusal: bool) -> &'static str {
    let heard = DetectedQuestion::new(text);
    if heard.has(INVALID) || (after_refusal && heard.has(FAILURE)) {
        return "invalid actions";
    }
    if !heard.asks() {
        return "other";
    }
    let fitting = RULES.iter().find(|(_, cues)| cues.iter().all(|cues| heard.has(cues)));
    fitting.map_or("implicit needs", |(name, _)| name)
}

/// The utterances of a row.
#[derive(Debug, Default)]
pub(super) struct Behaviours(Labelled<{ BEHAVIOURS.len() }>);

impl Tally for Behaviours {
    fn add(&mut self, log: &EpisodeLog<'_>, tagger: &Tagger) {
        if game(log).is_none() {
            return;
        }
        let field = BEHAVIOUR.fields[0].name;
        let mut refused = false;
        for event in &log.events {
            match &event.message {
                Message::Observed(seen) => refused = seen.invalid,
                Message::Told(said) => {
                    let found = behaviour(&said.text, refused);
                    let found = BEHAVIOURS.iter().position(|name| *name == found);
                    let label = tagger.answer(BEHAVIOUR.name, field, log.id, event.seq);
                    self.0.add_one(found, label);
                }
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::made_up::{self, Line};
    use super::*;

    const TABLE: &[(&str, &str)] = &[
        ("I found no oat milk in that size. Could you give me more details about the brand?", "search refinement"),
        ("None of the results fit. Which other words describe the rug?", "search refinement"),
        ("You wrote 'for small rooms'. How small is the room?", "clarification"),
        ("By natural, do you mean unpainted or made of wood?", "clarification"),
        ("Nothing is both waterproof and below 20 dollars. What matters more to you?", "prioritisation"),
        ("Is the color more important than the price?", "prioritisation"),
        ("There is no walnut shelf. Would you take a similar one in oak?", "alternatives"),
        ("I couldn't find it in 75 ml. Should I look for another size instead?", "alternatives"),
        ("I see several buttons here and am not sure how to go back. What should I click?", "navigation"),
        ("Shall I open the next page of results?", "navigation"),
        ("Do you like glossy or matte paint?", "implicit needs"),
        ("What size do you wear?", "implicit needs"),
        ("The button does not work: the click was not accepted. Should I search again?", "invalid actions"),
        ("I can't find a way to choose the size.", "invalid actions"),
        ("This lamp fits and costs 12 dollars. Shall I buy it?", "confirming purchases"),
        ("Would you like me to go ahead with the purchase?", "confirming purchases"),
        ("I am looking at lamps now.", "other"),
        ("Thank you!", "other"),
    ];

    #[test]
    fn utterances_have_the_behaviour_of_their_purpose() {
        let wrong: Vec<_> = TABLE
            .iter()
            .map(|(text, expected)| (text, behaviour(text, false), expected))
            .filter(|(_, found, expected)| found != *expected)
            .collect();
        assert!(wrong.is_empty(), "{wrong:#?}");
        let known = |name: &str| BEHAVIOURS.contains(&name);
        assert!(TABLE.iter().all(|(_, name)| known(name)));
    }

    #[test]
    fn a_failure_after_a_refusal_is_about_the_action() {
        let text = "That did not work. What size do you wear?";
        assert_eq!(behaviour(text, true), "invalid actions");
        assert_eq!(behaviour(text, false), "implicit needs");
        let mut counted = Behaviours::default();
        let lines = [Line::Refused("foo"), Line::Ask(text), Line::Answer("9"), Line::Ask("Blue?")];
        made_up::with(&lines, |log| counted.add(log, &Tagger::default()));
        // A question in ChatShop is an action, which the world takes: nothing was refused right before.
        assert_eq!(counted.0.counts().0, 2);
        made_up::elsewhere(&lines, |log| counted.add(log, &Tagger::default()));
        assert_eq!(counted.0.all, 2);
    }

    #[test]
    fn labels_stand_in_place_of_rules() {
        let mut tagger = Tagger::default();
        let id: rolecall_core::domain::EpisodeId = "main:0:0".parse().unwrap();
        let given = (0..40).map(|seq| ((id.clone(), seq), 2));
        tagger.answers.insert("shop_behaviour.behaviour".to_owned(), given.collect());
        let mut counted = Behaviours::default();
        made_up::with(&[Line::Ask("Blue?"), Line::Answer("9")], |log| counted.add(log, &tagger));
        assert_eq!(counted.0.counts().1[2], 1);
    }
}
