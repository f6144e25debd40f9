//! What agents speak to shoppers for: the eight behaviours of ReSpAct's Table 10, by rules.

use serde_json::{Value, json};

use super::judged::{BEHAVIOUR, BEHAVIOURS};
use super::{played, source, user};
use crate::domain::Message;
use crate::environments::shop::account::game;
use crate::evaluation::DetectedQuestion;
use crate::evaluation::analyses::{Row, Tagger, Tally};
use crate::ports::EpisodeLog;
use crate::reports::Table;
use crate::reports::analyses::{Analyses, Shares, bar};
use crate::reports::percent;

/// What an utterance to a shopper is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Behaviour {
    /// A search found nothing that fits, and more is to be known for a better one.
    SearchRefinement,
    /// Something that the shopper said is vague.
    Clarification,
    /// Not everything can be had, and something has to go first.
    Prioritisation,
    /// Something else than what was wanted is proposed.
    Alternatives,
    /// The agent does not know how to go on on the pages.
    Navigation,
    /// The shopper is asked for wishes that it has not told.
    ImplicitNeeds,
    /// An action was refused, or cannot be done.
    InvalidActions,
    /// The shopper is to say yes before something is bought.
    Confirmation,
    /// Something else.
    Other,
}

const INVALID: &str = include_str!("cues/invalid.txt");
const FAILURE: &str = include_str!("cues/failure.txt");
const PURCHASE: &str = include_str!("cues/purchase.txt");
const PRIORITY: &str = include_str!("cues/priority.txt");
const NAVIGATION: &str = include_str!("cues/navigation.txt");
const ALTERNATIVE: &str = include_str!("cues/alternative.txt");
const MORE: &str = include_str!("cues/more.txt");
const MEANT: &str = include_str!("cues/meant.txt");

/// What an utterance is for, by rules. The first that fits decides: it tells of an action that cannot be done, or of
/// a failure right after one was refused; it weighs wishes against each other; it proposes something else, after a
/// failure; it asks for a yes to buy; it wants to be shown the way; it asks for more after a search that failed; it
/// asks what was meant. Any other question is about wishes; what asks nothing is something else.
pub(super) fn behaviour(text: &str, after_refusal: bool) -> Behaviour {
    let heard = DetectedQuestion::new(text);
    let fails = heard.has(FAILURE);
    if heard.has(INVALID) || (after_refusal && fails) {
        return Behaviour::InvalidActions;
    }
    if !heard.asks() {
        return Behaviour::Other;
    }
    if heard.has(PRIORITY) {
        return Behaviour::Prioritisation;
    }
    if fails && heard.has(ALTERNATIVE) {
        return Behaviour::Alternatives;
    }
    if heard.has(NAVIGATION) {
        return Behaviour::Navigation;
    }
    if heard.has(PURCHASE) {
        return Behaviour::Confirmation;
    }
    if fails && heard.has(MORE) {
        return Behaviour::SearchRefinement;
    }
    match heard.has(MEANT) {
        true => Behaviour::Clarification,
        false => Behaviour::ImplicitNeeds,
    }
}

/// The utterances of a row.
#[derive(Debug, Default)]
pub(super) struct Behaviours {
    utterances: u64,
    labelled: u64,
    by_rules: [u64; BEHAVIOURS.len()],
    by_labels: [u64; BEHAVIOURS.len()],
}

impl Tally for Behaviours {
    fn add(&mut self, log: &EpisodeLog<'_>, tagger: &Tagger) {
        if game(log).is_none() {
            return;
        }
        let name = format!("{}.{}", BEHAVIOUR.name, BEHAVIOUR.fields[0].name);
        let labels = tagger.answers.get(&name);
        let mut refused = false;
        for event in &log.events {
            match &event.message {
                Message::Observed(seen) => refused = seen.invalid,
                Message::Told(said) => {
                    self.utterances += 1;
                    self.by_rules[behaviour(&said.text, refused) as usize] += 1;
                    let label = labels.and_then(|labels| labels.get(&(log.id.clone(), event.seq)));
                    if let Some(count) = label.and_then(|place| self.by_labels.get_mut(*place)) {
                        *count += 1;
                        self.labelled += 1;
                    }
                }
                _ => {}
            }
        }
    }
}

impl Behaviours {
    fn counts(&self) -> (u64, [u64; BEHAVIOURS.len()]) {
        match self.labelled {
            0 => (self.utterances, self.by_rules),
            labelled => (labelled, self.by_labels),
        }
    }
}

/// The table of behaviours.
pub(super) fn tables(analyses: &Analyses) -> Vec<Table> {
    let table =
        Table::new("What shoppers are spoken to for").keys_of(["cell", "user", "behaviour"]);
    let mut table = table.numbers(["utterances", "%"]).texts(["by", ""]);
    for (row, own) in played::<Behaviours>(analyses) {
        let (all, counts) = own.counts();
        for (name, count) in BEHAVIOURS
            .into_iter()
            .zip(counts)
            .filter(|(_, count)| *count > 0)
        {
            let share = count as f64 / all.max(1) as f64;
            table.row(vec![
                row.name.cell.to_string(),
                user(row),
                name.to_owned(),
                count.to_string(),
                percent(share),
                source(own.labelled > 0),
                bar(share),
            ]);
        }
    }
    vec![table]
}

/// The behaviours of each row as parts of a bar.
pub(super) fn shares(analyses: &Analyses) -> Shares {
    let rows = played::<Behaviours>(analyses).filter(|(_, own)| own.utterances > 0);
    Shares {
        title: "What shoppers are spoken to for",
        unit: "behaviour",
        labels: BEHAVIOURS.map(str::to_owned).into(),
        rows: rows
            .map(|(row, own)| (analyses.name(row), own.counts().1.to_vec()))
            .collect(),
    }
}

/// `utterances`, those `labelled`, and `behaviours` by name.
pub(super) fn object(row: &Row) -> Value {
    let Some(own) = row.tally::<Behaviours>().filter(|own| own.utterances > 0) else {
        return Value::Null;
    };
    let counts = BEHAVIOURS.into_iter().zip(own.counts().1);
    let counts = counts.map(|(name, count)| (name.to_owned(), json!(count)));
    json!({
        "utterances": own.utterances, "labelled": own.labelled,
        "behaviours": counts.collect::<serde_json::Map<_, _>>(),
    })
}

#[cfg(test)]
mod tests {
    use super::super::made_up::{self, Line};
    use super::Behaviour::*;
    use super::*;

    const TABLE: &[(&str, Behaviour)] = &[
        (
            "I found no oat milk in that size. Could you give me more details about the brand?",
            SearchRefinement,
        ),
        (
            "None of the results fit. Which other words describe the rug?",
            SearchRefinement,
        ),
        (
            "You wrote 'for small rooms'. How small is the room?",
            Clarification,
        ),
        (
            "By natural, do you mean unpainted or made of wood?",
            Clarification,
        ),
        (
            "Nothing is both waterproof and below 20 dollars. What matters more to you?",
            Prioritisation,
        ),
        (
            "Is the color more important than the price?",
            Prioritisation,
        ),
        (
            "There is no walnut shelf. Would you take a similar one in oak?",
            Alternatives,
        ),
        (
            "I couldn't find it in 75 ml. Should I look for another size instead?",
            Alternatives,
        ),
        (
            "I see several buttons here and am not sure how to go back. What should I click?",
            Navigation,
        ),
        ("Shall I open the next page of results?", Navigation),
        ("Do you like glossy or matte paint?", ImplicitNeeds),
        ("What size do you wear?", ImplicitNeeds),
        (
            "The button does not work: the click was not accepted. Should I search again?",
            InvalidActions,
        ),
        ("I can't find a way to choose the size.", InvalidActions),
        (
            "This lamp fits and costs 12 dollars. Shall I buy it?",
            Confirmation,
        ),
        (
            "Would you like me to go ahead with the purchase?",
            Confirmation,
        ),
        ("I am looking at lamps now.", Other),
        ("Thank you!", Other),
    ];

    #[test]
    fn utterances_have_the_behaviour_of_their_purpose() {
        let wrong: Vec<_> = TABLE
            .iter()
            .map(|(text, expected)| (text, behaviour(text, false), expected))
            .filter(|(_, found, expected)| found != *expected)
            .collect();
        assert!(wrong.is_empty(), "{wrong:#?}");
        assert_eq!(BEHAVIOURS[Confirmation as usize], "confirming purchases");
    }

    #[test]
    fn a_failure_after_a_refusal_is_about_the_action() {
        let text = "That did not work. What size do you wear?";
        assert_eq!(behaviour(text, true), InvalidActions);
        assert_eq!(behaviour(text, false), ImplicitNeeds);
        let mut counted = Behaviours::default();
        let lines = [
            Line::Refused("foo"),
            Line::Ask(text),
            Line::Answer("9"),
            Line::Ask("Blue?"),
        ];
        made_up::with(&lines, |log| counted.add(log, &Tagger::default()));
        // A question in ChatShop is an action, which the world takes: nothing was refused right before.
        assert_eq!(counted.counts().0, 2);
        made_up::elsewhere(&lines, |log| counted.add(log, &Tagger::default()));
        assert_eq!(counted.utterances, 2);
    }

    #[test]
    fn labels_stand_in_place_of_rules() {
        let mut tagger = Tagger::default();
        let id: crate::domain::EpisodeId = "main:0:0".parse().unwrap();
        let given = (0..40).map(|seq| ((id.clone(), seq), Prioritisation as usize));
        tagger
            .answers
            .insert("shop_behaviour.behaviour".to_owned(), given.collect());
        let mut counted = Behaviours::default();
        made_up::with(&[Line::Ask("Blue?"), Line::Answer("9")], |log| {
            counted.add(log, &tagger)
        });
        assert_eq!(counted.counts().1[Prioritisation as usize], 1);
    }
}
