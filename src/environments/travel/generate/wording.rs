//! Wording of requests, questions and answers, by templates.

use jiff::civil::Date;

use super::WORDS;
use super::details::Indefinite;
use crate::request::{Attribute, Operation, Request};
use rolecall_core::text::{Dice, joined_and};

/// A list of words for an attribute.
fn pick(list: &str, attribute: Attribute, dice: &mut Dice) -> &'static str {
    WORDS.pick(&format!("{list} {}", attribute.key()), dice)
}

/// The request in the user's words, without what is not known.
pub(super) fn query(request: &Request, dice: &mut Dice) -> String {
    let mut said = |attribute| {
        let value = spoken(request, attribute);
        let list = match attribute {
            Attribute::Transportation => format!("say transportation {value}"),
            _ => format!("say {}", attribute.key()),
        };
        let words = WORDS.pick(&list, dice);
        (!value.is_empty()).then(|| words.replace("{}", &value))
    };
    let mut trip = match request.days {
        Some(days) => format!("a {days}-day trip"),
        None => "a trip".to_owned(),
    };
    if request.people.is_some() {
        trip += &format!(" for {}", spoken(request, Attribute::People));
    }
    for (attribute, before) in [
        (Attribute::Origin, " "),
        (Attribute::Destination, " "),
        (Attribute::Departure, ", "),
        (Attribute::Budget, ", "),
    ] {
        trip += &said(attribute).map_or(String::new(), |said| format!("{before}{said}"));
    }
    let preferences = [Attribute::Housing, Attribute::Cuisine, Attribute::Transportation];
    let preferences: Vec<String> = preferences.into_iter().filter_map(said).collect();
    let opening = WORDS.pick("opening", dice).replace("{trip}", &trip);
    let sentences = [vec![opening], preferences].concat();
    sentences.join(" ")
}

/// A detail of a request in a sentence; empty if it has none.
pub(super) fn spoken(request: &Request, attribute: Attribute) -> String {
    let number = |number: Option<i64>| number.map_or(String::new(), |number| number.to_string());
    match attribute {
        Attribute::Origin => request.origin.clone(),
        Attribute::Destination => {
            let stops = request.stops.iter().map(|stop| format!("{} on day {}", stop.city, stop.day));
            joined_and(&stops.collect::<Vec<_>>())
        }
        Attribute::Days => number(request.days),
        Attribute::Departure => long_date(&request.departure),
        Attribute::People => match request.people {
            Some(1) => "1 person".to_owned(),
            people => people.map_or(String::new(), |people| format!("{people} people")),
        },
        Attribute::Housing => housing(&request.housing),
        Attribute::Cuisine => joined_and(&request.cuisine),
        Attribute::Transportation => request.transportation.clone(),
        Attribute::Budget => number(request.budget),
    }
}

/// Filters of accommodations in a sentence: `entire rooms that allow pets`.
fn housing(filters: &[String]) -> String {
    let (rooms, rules): (Vec<&String>, Vec<&String>) = filters.iter().partition(|filter| filter.ends_with("room"));
    let rooms = match rooms.first() {
        Some(room) => format!("{room}s"),
        None if rules.is_empty() => String::new(),
        None => "accommodations".to_owned(),
    };
    let rules: Vec<String> = rules.into_iter().cloned().collect();
    match rules.is_empty() {
        true => rooms,
        false => format!("{rooms} that allow {}", joined_and(&rules)),
    }
}

/// A date as people say it: `March 13th, 2022`.
fn long_date(date: &str) -> String {
    let Ok(date) = date.parse::<Date>() else {
        return String::new();
    };
    let day = date.day();
    let ending = match (day % 10, day / 10) {
        (1, 0 | 2 | 3) => "st",
        (2, 0 | 2) => "nd",
        (3, 0 | 2) => "rd",
        _ => "th",
    };
    format!("{} {day}{ending}, {}", date.strftime("%B"), date.year())
}

/// The city of the first request that is not in the other one.
fn other_city(request: &Request, than: &Request) -> String {
    request
        .stops
        .iter()
        .zip(&than.stops)
        .find(|(stop, other)| stop.city != other.city)
        .map_or(String::new(), |(stop, _)| stop.city.clone())
}

/// The question that asks for a detail. `made` is the request as the user makes it, `wanted` as it can be met.
pub(super) fn question(detail: &Indefinite, made: &Request, wanted: &Request, dice: &mut Dice) -> String {
    let about = match detail.attribute {
        Attribute::Destination => other_city(made, wanted),
        attribute => spoken(made, attribute),
    };
    ask(detail, "ask", "", dice).replace("{}", &about)
}

/// The value that settles a detail, in words.
pub(super) fn value(detail: &Indefinite, made: &Request, wanted: &Request) -> String {
    match (detail.attribute, detail.operation) {
        (Attribute::Destination, Operation::Replace) => other_city(wanted, made),
        (attribute, _) => spoken(wanted, attribute),
    }
}

/// The user's answer.
pub(super) fn answer(detail: &Indefinite, made: &Request, wanted: &Request, tone: &str, dice: &mut Dice) -> String {
    let value = match value(detail, made, wanted) {
        value if value.is_empty() => pick("any", detail.attribute, dice).to_owned(),
        value => value,
    };
    let answer = ask(detail, "answer", &format!(" {tone}"), dice).replace("{}", &value);
    let mut letters = answer.chars();
    letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect()
}

fn ask(detail: &Indefinite, list: &str, tone: &str, dice: &mut Dice) -> &'static str {
    let operation = match detail.operation {
        Operation::Add => "ADD",
        Operation::Replace => "REPLACE",
    };
    let attribute = detail.attribute.key();
    WORDS.pick(&format!("{list} {operation} {attribute}{tone}"), dice)
}
