//! Goals as sentences, and the first words of a user.

use serde_json::Value;

use super::TABLES;
use crate::api::Domain::{self, Attraction, Hotel, Restaurant, Taxi};
use crate::database::text;
use crate::goal::{DomainGoal, Goal};
use rolecall_core::text::{Dice, joined_and};

/// The sentences of a goal, without final stops.
pub(super) fn message(goal: &Goal, dice: &mut Dice) -> Vec<String> {
    let mut said = vec![TABLES.pick("openings", dice).to_owned()];
    for (place, (domain, wanted)) in goal.domains.iter().enumerate() {
        let before = &goal.domains[..place];
        match domain {
            Taxi if !before.is_empty() => said.extend(commute(wanted, before)),
            _ => said.extend(wishes(*domain, wanted, before, dice)),
        }
        if wanted.booking().is_some() {
            said.extend(booking(*domain, wanted, before, dice));
        }
        let asked: Vec<String> = wanted
            .requests()
            .iter()
            .map(|slot| format!("[{}]", TABLES.put("asked", slot, domain.as_str()).as_deref().unwrap_or(slot)))
            .collect();
        if !asked.is_empty() {
            said.push(format!("Find out the {}", joined_and(&asked)));
        }
    }
    said.iter().map(|sentence| marked(sentence)).collect()
}

/// Text with its brackets as markup, as the official sentences mark everything that counts.
fn marked(text: &str) -> String {
    text.replace('[', "<span class='emphasis'>").replace(']', "</span>")
}

/// Noun of a domain.
fn noun(domain: Domain) -> &'static str {
    match domain {
        Hotel => "place to stay",
        Restaurant => "place to eat",
        Attraction => "sight to see",
        _ => domain.as_str(),
    }
}

/// Clause that states a wish.
fn clause(slot: &str, value: &Value) -> String {
    TABLES.put("goal", slot, value.as_str().unwrap_or_default()).unwrap_or_default()
}

/// Sentences of the constraints, two a sentence, and of their alternatives.
fn wishes(domain: Domain, wanted: &DomainGoal, before: &[(Domain, DomainGoal)], dice: &mut Dice) -> Vec<String> {
    let also = if before.is_empty() { "" } else { "also " };
    let first = wanted.first_info();
    let name = text(first, "name");
    if !name.is_empty() {
        return vec![format!("You {also}want to find the {domain} that is called [{name}]")];
    }
    let mut parts: Vec<String> = Vec::new();
    for (slot, value) in first {
        let same = before.iter().find(|(_, other)| other.info.get(slot) == Some(value));
        parts.push(match same {
            Some((other, _)) if slot == "area" && dice.percent(60) => {
                format!("be [in the same area as the {other}]")
            }
            _ => clause(slot, value),
        });
    }
    dice.shuffle(&mut parts);
    let mut said: Vec<String> =
        parts.chunks(2).map(|pair| pair.join(" and ")).map(|pair| format!("The {domain} should {pair}")).collect();
    if let Some(begin) = said.first_mut() {
        *begin = format!("You {also}want to find a [{}]. {begin}", noun(domain));
    }
    let mut others = wanted.info.iter();
    if let Some((slot, value)) = others.find(|(slot, value)| first.get(*slot) != Some(value)) {
        let clause = clause(slot, value);
        said.push(format!("If there is no such {domain}, it may {clause} instead"));
    }
    said
}

/// Sentences of the booking, and of the one that is tried first.
fn booking(domain: Domain, wanted: &DomainGoal, before: &[(Domain, DomainGoal)], dice: &mut Dice) -> Vec<String> {
    let booked = |slot: &str, value: &str| TABLES.put("booked", slot, value).unwrap_or_else(|| value.to_owned());
    let first = wanted.first_booking();
    let mut sentence = TABLES.put("booking", domain.as_str(), "").unwrap_or_default();
    for (slot, value) in &first {
        let Some(value) = value.as_str() else {
            continue;
        };
        let mut others = before.iter().filter_map(|(_, wanted)| wanted.booking());
        let is_same = slot == "people" && others.any(|other| text(other, slot) == value);
        let value = if is_same && dice.percent(60) { "the same group".to_owned() } else { booked(slot, value) };
        sentence = sentence.replace(&format!("{{{slot}}}"), &format!("[{value}]"));
    }
    let mut said = vec![sentence];
    let mut slots = wanted.book.iter().flatten();
    if let Some((slot, value)) = slots.find(|(slot, value)| first.get(*slot) != Some(value)) {
        let other = booked(slot, value.as_str().unwrap_or_default());
        said.push(format!("If that cannot be booked, try [{other}]"));
    }
    said.push("Ask for the [reference number]".to_owned());
    said
}

/// A taxi between the two places mentioned before.
fn commute(wanted: &DomainGoal, before: &[(Domain, DomainGoal)]) -> Vec<String> {
    let table = before.iter().find(|(domain, wanted)| *domain == Restaurant && wanted.booking().is_some());
    let to = table.or(before.last()).map_or(Taxi, |(domain, _)| *domain);
    let from = before.iter().map(|(domain, _)| *domain).find(|domain| *domain != to).unwrap_or(Taxi);
    let booked = match table {
        Some(_) => ", the time of the booking",
        None => "",
    };
    let mut said = vec![format!("You also want a [taxi] from the {from} to the {to}")];
    let clauses = wanted.info.iter().map(|(slot, value)| clause(slot, value));
    said.extend(clauses.map(|clause| format!("The taxi should {clause}{booked}")));
    said
}

/// First text of the user: some of its first constraints, or none of them.
pub(super) fn first(goal: &Goal, dice: &mut Dice) -> String {
    let Some((domain, wanted)) = goal.domains.first().filter(|_| !dice.percent(6)) else {
        return TABLES.pick("vague", dice).to_owned();
    };
    let mut wishes = wanted.first_info().clone();
    let name = text(&wishes, "name");
    if !name.is_empty() {
        return TABLES.pick("names", dice).replace("{name}", name);
    }
    let mut slots: Vec<String> = wishes.keys().cloned().collect();
    dice.shuffle(&mut slots);
    slots.truncate(dice.between(1, 3));
    wishes.retain(|slot, _| slots.contains(slot));
    let kind = match (domain, text(&wishes, "type")) {
        (Hotel | Attraction, "") => noun(*domain).to_owned(),
        (Attraction, kind @ ("architecture" | "boat" | "entertainment" | "multiple sports")) => {
            format!("sight of the type {kind}")
        }
        (Hotel | Attraction, kind) => kind.to_owned(),
        _ => domain.to_string(),
    };
    let mut it = match text(&wishes, "pricerange") {
        "" | "moderate" => format!("a {kind}"),
        "expensive" => format!("an expensive {kind}"),
        price => format!("a {price} {kind}"),
    };
    for (slot, value) in &wishes {
        if let Some(tail) = TABLES.put("first", slot, value.as_str().unwrap_or_default()) {
            it = format!("{it} {tail}");
        }
    }
    TABLES.pick("starts", dice).replace("{it}", &it)
}
