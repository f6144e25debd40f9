//! What agents speak to shoppers for: the eight behaviours of ReSpAct's Table 10, by rules.

use serde_json::{Value, json};

use super::judged::{BEHAVIOUR, BEHAVIOURS};
use super::{by_name, played};
use crate::domain::Message;
use crate::environments::shop::account::game;
use crate::evaluation::DetectedQuestion;
use crate::evaluation::analyses::{Labelled, Row, Tagger, Tally};
use crate::ports::EpisodeLog;
use crate::reports::analyses::{Analyses, Shares, bar};
use crate::reports::{Table, percent};

const TITLE: &str = "What shoppers are spoken to for";

/// An action was refused, or cannot be done.
const INVALID: &str = include_str!("cues/invalid.txt");
/// Something failed.
const FAILURE: &str = include_str!("cues/failure.txt");

/// The behaviours of what asks, with the cues that all have to be there; the first that fits decides. Wishes are
/// weighed against each other; something else is proposed after a failure; the shopper is to show the way, or to say
/// yes before something is bought; more is to be known after a search that failed; something said is vague.
const RULES: [(&str, &[&str]); 6] = [
    ("prioritisation", &[include_str!("cues/priority.txt")]),
    (
        "alternatives",
        &[FAILURE, include_str!("cues/alternative.txt")],
    ),
    ("navigation", &[include_str!("cues/navigation.txt")]),
    ("confirming purchases", &[include_str!("cues/purchase.txt")]),
    (
        "search refinement",
        &[FAILURE, include_str!("cues/more.txt")],
    ),
    ("clarification", &[include_str!("cues/meant.txt")]),
];

/// What an utterance is for, by rules: before all others, it tells of an action that cannot be done, or of a failure
/// right after one was refused. A question that fits no rule is about wishes; what asks nothing is something else.
fn behaviour(text: &str, after_refusal: bool) -> &'static str {
    let heard = DetectedQuestion::new(text);
    if heard.has(INVALID) || (after_refusal && heard.has(FAILURE)) {
        return "invalid actions";
    }
    if !heard.asks() {
        return "other";
    }
    let mut rules = RULES.iter();
    let fitting = rules.find(|(_, cues)| cues.iter().all(|cues| heard.has(cues)));
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
                    let label = label.filter(|place| *place < BEHAVIOURS.len());
                    self.0.add(
                        found.as_slice(),
                        label.is_some().then_some(label.as_slice()),
                    );
                }
                _ => {}
            }
        }
    }
}

/// The table of behaviours.
pub(super) fn tables(analyses: &Analyses) -> Vec<Table> {
    let table = Table::new(TITLE).keys_of(["cell", "user", "behaviour"]);
    let mut table = table.numbers(["utterances", "%"]).texts(["by", ""]);
    for (row, Behaviours(own)) in played::<Behaviours>(analyses) {
        let (all, counts) = own.counts();
        let counts = BEHAVIOURS.into_iter().zip(counts);
        for (name, count) in counts.filter(|(_, count)| *count > 0) {
            let share = count as f64 / all.max(1) as f64;
            let mut texts = analyses.keys(row);
            texts.extend([name.to_owned(), count.to_string(), percent(share)]);
            texts.extend([own.source().to_owned(), bar(share)]);
            table.row(texts);
        }
    }
    vec![table]
}

/// The behaviours of each row as parts of a bar.
pub(super) fn shares(analyses: &Analyses) -> Shares {
    let rows = played::<Behaviours>(analyses).filter(|(_, own)| own.0.all > 0);
    let rows = rows.map(|(row, own)| {
        let counts = own.0.counts().1.map(|count| count as u64);
        (analyses.name(row), counts.to_vec())
    });
    Shares {
        title: TITLE,
        unit: "behaviour",
        labels: BEHAVIOURS.map(str::to_owned).into(),
        rows: rows.collect(),
    }
}

/// `utterances`, those `labelled`, and `behaviours` by name.
pub(super) fn object(row: &Row) -> Value {
    let own = row.tally::<Behaviours>().map(|own| &own.0);
    let Some(own) = own.filter(|own| own.all > 0) else {
        return Value::Null;
    };
    json!({
        "utterances": own.all, "labelled": own.labelled,
        "behaviours": by_name(&BEHAVIOURS, own.counts().1),
    })
}

#[cfg(test)]
mod tests {
    use super::super::made_up::{self, Line};
    use super::*;

    const TABLE: &[(&str, &str)] = &[
        (
            "I found no oat milk in that size. Could you give me more details about the brand?",
            "search refinement",
        ),
        (
            "None of the results fit. Which other words describe the rug?",
            "search refinement",
        ),
        (
            "You wrote 'for small rooms'. How small is the room?",
            "clarification",
        ),
        (
            "By natural, do you mean unpainted or made of wood?",
            "clarification",
        ),
        (
            "Nothing is both waterproof and below 20 dollars. What matters more to you?",
            "prioritisation",
        ),
        (
            "Is the color more important than the price?",
            "prioritisation",
        ),
        (
            "There is no walnut shelf. Would you take a similar one in oak?",
            "alternatives",
        ),
        (
            "I couldn't find it in 75 ml. Should I look for another size instead?",
            "alternatives",
        ),
        (
            "I see several buttons here and am not sure how to go back. What should I click?",
            "navigation",
        ),
        ("Shall I open the next page of results?", "navigation"),
        ("Do you like glossy or matte paint?", "implicit needs"),
        ("What size do you wear?", "implicit needs"),
        (
            "The button does not work: the click was not accepted. Should I search again?",
            "invalid actions",
        ),
        ("I can't find a way to choose the size.", "invalid actions"),
        (
            "This lamp fits and costs 12 dollars. Shall I buy it?",
            "confirming purchases",
        ),
        (
            "Would you like me to go ahead with the purchase?",
            "confirming purchases",
        ),
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
        let lines = [
            Line::Refused("foo"),
            Line::Ask(text),
            Line::Answer("9"),
            Line::Ask("Blue?"),
        ];
        made_up::with(&lines, |log| counted.add(log, &Tagger::default()));
        // A question in ChatShop is an action, which the world takes: nothing was refused right before.
        assert_eq!(counted.0.counts().0, 2);
        made_up::elsewhere(&lines, |log| counted.add(log, &Tagger::default()));
        assert_eq!(counted.0.all, 2);
    }

    #[test]
    fn labels_stand_in_place_of_rules() {
        let mut tagger = Tagger::default();
        let id: crate::domain::EpisodeId = "main:0:0".parse().unwrap();
        let given = (0..40).map(|seq| ((id.clone(), seq), 2));
        tagger
            .answers
            .insert("shop_behaviour.behaviour".to_owned(), given.collect());
        let mut counted = Behaviours::default();
        made_up::with(&[Line::Ask("Blue?"), Line::Answer("9")], |log| {
            counted.add(log, &tagger)
        });
        assert_eq!(counted.0.counts().1[2], 1);
    }
}
