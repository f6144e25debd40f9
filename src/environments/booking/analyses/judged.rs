//! The questions to judges about booking.

use crate::api::Domain;
use crate::goal::{DomainGoal, Wanted};
use crate::played::Played;
use crate::score::{REFERENCE, answer_key};
use rolecall_core::evaluation::labels::{
    ItemKind, JudgeAnswer, JudgeField, JudgePart, JudgePrompt, JudgeQuestion, Speaker,
};
use rolecall_core::ports::EpisodeLog;

/// The questions.
pub(crate) static QUESTIONS: &[JudgeQuestion] = &[AUTOTOD, BEHAVIOUR];

/// AutoTOD's questions to a model about each domain of a goal, from whose answers verdicts are made (spec section 6.4).
pub(super) const AUTOTOD: JudgeQuestion = JudgeQuestion {
    name: "booking_answers",
    text: "What was the traveller told?",
    items: ItemKind::Dialogues,
    prompt: JudgePrompt::Shipped("booking-answers"),
    fields: FIELDS,
    about: None,
    parts: Some(parts),
};

/// The fields, by the keys of AutoTOD's questions with `_` for blanks.
const FIELDS: &[JudgeField] = &[
    text("hotel: The name of the hotel or guest house that the traveller took in the end."),
    text("restaurant: The name of the restaurant that the traveller took in the end."),
    text("attraction: The name of the attraction that the traveller took in the end."),
    text("reference_number: The reference number of the booking, as the agent told it."),
    text("area: The part of town in which it is."),
    text("type: What kind of hotel or attraction it is."),
    text("pricerange: Its price range."),
    text("food: The food that it serves."),
    text("stars: How many stars it has, as a number."),
    text("internet: Whether it has internet: `yes` or `no`."),
    text("parking: Whether it has parking: `yes` or `no`."),
    text("phone: Its phone number."),
    text("address: Its address."),
    text("postcode: Its postcode."),
    text("entrance_fee: What it costs to get in."),
    text("train_id: The id of the train."),
    text("leave_time: When the train or taxi leaves, as hh:mm."),
    text("arrive_time: When the train arrives, as hh:mm."),
    text("arrival_time: When the taxi arrives, as hh:mm."),
    text("price: The price of a ticket, in the agent's words."),
    text("duration: How long the journey takes, in the agent's words."),
    text("departure: The place where the taxi picks the traveller up."),
    text("destination: The place to which the taxi goes."),
    text("car_type: The colour and make of the taxi."),
    text("phone_number: The phone number of the taxi."),
];

/// A free-text field, from `name: criterion`.
const fn text(line: &'static str) -> JudgeField {
    let mut end = 0;
    while line.as_bytes()[end] != b':' {
        end += 1;
    }
    JudgeField { name: line.split_at(end).0, criteria: line.split_at(end + 2).1, answer: JudgeAnswer::Text }
}

/// The number of a domain among the parts of a dialogue.
pub(super) fn number(domain: Domain) -> u32 {
    domain as u32 + 1
}

/// The fields asked about a domain, each with the key of its answer: the venue, the reference of the booking, and the
/// requested slots; of a taxi only these. None if there is no question for one.
pub(super) fn fields(domain: Domain, wanted: &DomainGoal) -> Option<Vec<(&'static str, String)>> {
    let is_taxi = domain == Domain::Taxi;
    let venue = (!is_taxi && domain != Domain::Train).then(|| domain.as_str());
    let first = venue.into_iter().chain(wanted.booking().filter(|_| !is_taxi).map(|_| REFERENCE));
    let keys = wanted.info.keys().filter(|_| is_taxi).chain(wanted.requests()).map(|slot| answer_key(domain, slot));
    first
        .map(Some)
        .chain(keys)
        .map(|key| {
            let name = key?.replace(' ', "_");
            let field = FIELDS.iter().find(|field| field.name == name)?;
            Some((field.name, key?.to_owned()))
        })
        .collect()
}

/// A part for each domain of a goal: the goal and the texts without calls, as AutoTOD's judge reads it. None of
/// dialogues that it leaves out.
fn parts(log: &EpisodeLog<'_>) -> Vec<JudgePart> {
    let (Some(wanted), Some(played)) = (Wanted::of_log(log), Played::of(log)) else {
        return Vec::new();
    };
    let is_judged = |detail: &serde_json::Value| detail.get("left_out").is_none();
    if played.aborted.is_some() || !played.score.is_some_and(is_judged) {
        return Vec::new();
    }
    let goal = (Speaker::Task, wanted.message.join(" "));
    let said: Vec<(Speaker, String)> = played
        .turns
        .iter()
        .flat_map(|turn| {
            [Some((Speaker::User, turn.user.to_owned())), turn.said().map(|said| (Speaker::Agent, said.to_owned()))]
        })
        .flatten()
        .collect();
    wanted
        .goal
        .domains
        .iter()
        .filter_map(|(domain, wishes)| {
            let fields = fields(*domain, wishes)?.into_iter();
            let about = (Speaker::Note, format!("asked about: the {domain}"));
            Some(JudgePart {
                seq: number(*domain),
                lines: [goal.clone(), about].into_iter().chain(said.clone()).collect(),
                fields: fields.map(|(name, _)| name).collect(),
            })
        })
        .filter(|part| !part.fields.is_empty())
        .collect()
}

/// Question about the agent's reason to speak to the traveller (ReSpAct Table 9).
pub(super) const BEHAVIOUR: JudgeQuestion = JudgeQuestion {
    name: "booking_behaviour",
    text: "What does the agent say this to the traveller for?",
    items: ItemKind::Utterances,
    prompt: JudgePrompt::Shipped("booking-behaviour"),
    fields: &[JudgeField {
        name: "behaviour",
        criteria: "The one that fits best.",
        answer: JudgeAnswer::Words(&BEHAVIOURS),
    }],
    about: Some(|log| Played::of(log).map(|_| Vec::new())),
    parts: None,
};

/// The names of the behaviours, in order.
pub(super) const BEHAVIOURS: [&str; 7] = [
    "request facilitation",
    "missing information",
    "confirming what was said",
    "confirming what was inferred",
    "narrowing",
    "widening",
    "other",
];

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::made_up;
    use super::*;

    #[test]
    fn each_domain_is_asked_of_with_the_fields_of_its_goal() {
        let found = made_up::replied("Varsity, 01223356060. Your reference is AB12CD34.", parts);
        let fields: Vec<_> = found.iter().map(|part| (part.seq, part.fields.clone())).collect();
        assert_eq!(
            fields,
            [(2, vec!["restaurant", "reference_number"]), (5, vec!["leave_time", "car_type", "phone_number"]),]
        );
        let lines: Vec<_> =
            found[0].lines.iter().map(|(speaker, text)| format!("{}: {text}", speaker.label())).collect();
        assert_eq!(lines[1], "Note: asked about: the restaurant");
        assert_eq!(
            lines[2..4],
            ["User: A table in the centre for 2 please.", "Agent: Varsity, 01223356060. Your reference is AB12CD34."]
        );
        // No calls.
        assert!(!format!("{lines:?}").contains("book_restaurant"));
        assert!(made_up::elsewhere(parts).is_empty());
    }

    #[test]
    fn there_is_a_question_for_whatever_the_data_ask() {
        for (domain, slots) in [
            (Domain::Hotel, &["phone", "stars", "internet", "parking", "type", "pricerange"][..]),
            (Domain::Restaurant, &["food", "area", "postcode", "address"]),
            (Domain::Attraction, &["entrance fee", "type"]),
            (Domain::Train, &["leaveAt", "arriveBy", "price", "duration", "trainID"]),
            (Domain::Taxi, &["car type", "phone"]),
        ] {
            let wanted = json!({ "info": {}, "reqt": slots });
            let wanted: DomainGoal = serde_json::from_value(wanted).unwrap();
            assert!(fields(domain, &wanted).is_some(), "{domain}");
        }
        let odd: DomainGoal = serde_json::from_value(json!({ "reqt": ["moon"] })).unwrap();
        assert_eq!(fields(Domain::Hotel, &odd), None);
    }
}
