//! Reads requests, questions and answers in plain English, by rules and a table of words. It knows the text and nothing
//! else: a city is a name with a capital, and no list says which there are.

mod dates;
#[cfg(test)]
mod tests;
mod text;

use super::request::{Attribute, Request, Stop};
use text::Text;

/// Reads what is known of a trip after a conversation: the request, and the questions with their answers in order.
pub fn request(query: &str, answers: &[(String, String)]) -> Request {
    let text = Text::new(query);
    let mut known = said(&text);
    let names = names(&text);
    known.origin = origin(&names).unwrap_or_default();
    known.stops = stops(&names, true);
    for (question, answer) in answers {
        hear(&mut known, question, answer);
    }
    known
}

/// The attribute that a question is about; none if it names nothing that a trip has.
pub fn about(question: &str) -> Option<Attribute> {
    about_text(&Text::new(question))
}

fn about_text(text: &Text) -> Option<Attribute> {
    text.find("about").and_then(|found| Attribute::named(found.of))
}

/// Takes in an answer. What it says itself is what it is about; the question decides where it says less: of a name, a
/// number, or that all is fine.
pub fn hear(known: &mut Request, question: &str, answer: &str) {
    let text = Text::new(answer);
    let asked = Text::new(question);
    let topic = about_text(&asked);
    let said = said(&text);
    let bare = (said == Request::default()).then(|| (0..text.len()).find_map(|at| text.number(at)));
    let bare = |attribute: Attribute| bare.flatten().filter(|_| topic == Some(attribute));
    known.days = said.days.or(bare(Attribute::Days)).or(known.days);
    known.people = said.people.or(bare(Attribute::People)).or(known.people);
    known.budget = said.budget.or(bare(Attribute::Budget)).or(known.budget);
    if !said.departure.is_empty() {
        known.departure = said.departure;
    }
    let free = text.find("any").and_then(|_| about_text(&text).or(topic));
    if !said.housing.is_empty() || free == Some(Attribute::Housing) {
        known.housing = said.housing;
    }
    if !said.cuisine.is_empty() || free == Some(Attribute::Cuisine) {
        known.cuisine = said.cuisine;
    }
    let free = free.or(topic.filter(|_| text.find("transportation").is_some()));
    if !said.transportation.is_empty() || free == Some(Attribute::Transportation) {
        known.transportation = said.transportation;
    }
    hear_names(known, &text, &asked, topic);
}

/// Reads all of a text but its cities.
fn said(text: &Text) -> Request {
    let number = |name: &str| {
        let found = text.find(name)?;
        found.of.parse().ok().or(Some(found.number))
    };
    let (departure, until) = dates::departure(text).unwrap_or_default();
    let rules = text.all("rule").filter(|rule| {
        let from = rule.at.saturating_sub(2)..rule.at;
        from.clone().all(|at| text.at("no", at).is_none())
    });
    let mut housing: Vec<String> =
        text.find("room").into_iter().chain(rules).map(|found| found.of.to_owned()).collect();
    housing.dedup();
    let mut cuisine: Vec<String> = Vec::new();
    for found in text.all("cuisine") {
        let mut letters = text.word(found.at).chars();
        let name: String = letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect();
        if !cuisine.contains(&name) {
            cuisine.push(name);
        }
    }
    let mut excluded = text.all("transportation").filter(|found| text.is_negated(found.at));
    Request {
        days: number("days").or(until),
        people: number("people"),
        budget: number("budget"),
        departure,
        housing,
        cuisine,
        transportation: excluded.next().map_or_else(String::new, |found| found.of.to_owned()),
        ..Request::default()
    }
}

/// The role of a city in the trip.
#[derive(Clone, Copy, PartialEq, Eq)]
enum CityRole {
    /// The city that it starts from.
    Origin,
    /// A city to be visited, and the day of arrival if it is said.
    Stop(Option<i64>),
    /// Not said.
    Unknown,
}

/// The names of cities in a text, each with its role.
fn names<'a>(text: &Text<'a>) -> Vec<(&'a str, CityRole)> {
    let mut names: Vec<(&str, CityRole)> = Vec::new();
    let mut at = 0;
    let mut last_end = usize::MAX;
    while at < text.len() {
        let Some((name, end)) = text.name(at) else {
            at += 1;
            continue;
        };
        let day = text.at("on", end);
        let listed = (last_end..at).len() <= 2 && (last_end..at).all(|at| matches!(text.word(at), "," | "and"));
        let listed = listed.then(|| names.last().map(|(_, last)| *last)).flatten();
        let role = match (&day, listed) {
            (Some(day), _) => CityRole::Stop(Some(day.number)),
            (None, Some(CityRole::Stop(_))) => CityRole::Stop(None),
            _ if text.ends_at("from", at) => CityRole::Origin,
            _ if text.ends_at("to", at) => CityRole::Stop(None),
            _ => CityRole::Unknown,
        };
        names.push((name, role));
        at = day.map_or(end, |day| day.end);
        last_end = at;
    }
    names
}

/// The first city that is said to be the origin.
fn origin(names: &[(&str, CityRole)]) -> Option<String> {
    names.iter().find(|(_, role)| *role == CityRole::Origin).map(|(name, _)| (*name).to_owned())
}

/// The stops with days of arrival; if there are none and `undated` are taken, those without, two days each.
fn stops(names: &[(&str, CityRole)], undated: bool) -> Vec<Stop> {
    let stop = |(name, day): (&str, i64)| Stop { city: name.to_owned(), day };
    let found: Vec<Stop> = names
        .iter()
        .filter_map(|(name, role)| match role {
            CityRole::Stop(Some(day)) => Some((*name, *day)),
            _ => None,
        })
        .map(stop)
        .collect();
    if !found.is_empty() || !undated {
        return found;
    }
    names
        .iter()
        .filter(|(_, role)| *role == CityRole::Stop(None))
        .zip((1..).step_by(2))
        .map(|((name, _), day)| stop((name, day)))
        .collect()
}

/// Takes in the cities that an answer names.
fn hear_names(known: &mut Request, text: &Text, asked: &Text, topic: Option<Attribute>) {
    let mut names = names(text);
    if let Some(origin) = origin(&names) {
        known.origin = origin;
        names.retain(|(_, role)| *role != CityRole::Origin);
    }
    let dated = stops(&names, false);
    if !dated.is_empty() {
        return settle(known, dated, asked);
    }
    names.retain(|(name, _)| known.stops.iter().all(|stop| stop.city != *name));
    let whole = text.trimmed().len();
    let is_bare = matches!(names.as_slice(), [(name, _)] if name.len() + 2 >= whole);
    let of_trip = matches!(topic, Some(Attribute::Origin | Attribute::Destination) | None);
    let tells = matches!(about_text(text), Some(Attribute::Destination));
    let Some((first, role)) = names.first().copied().filter(|_| is_bare || of_trip || tells) else {
        return;
    };
    let is_stop = tells || topic == Some(Attribute::Destination) || role != CityRole::Unknown;
    let is_origin = topic == Some(Attribute::Origin) && !tells;
    if is_origin || (known.origin.is_empty() && !is_stop) {
        known.origin = first.to_owned();
        return;
    }
    let named: Vec<(&str, CityRole)> = names.iter().map(|(name, _)| (*name, CityRole::Stop(None))).collect();
    let mut stops = stops(&named, true);
    if stops.len() < known.stops.len() {
        // Of several stops it is the last one, unless the question says which.
        stops.truncate(1);
        stops.iter_mut().for_each(|stop| stop.day = 0);
    } else {
        let days = known.stops.iter().map(|stop| stop.day);
        stops.iter_mut().zip(days).for_each(|(stop, day)| stop.day = day);
    }
    settle(known, stops, asked);
}

/// Sets the stops, or the one that a question named, if fewer are said than there are.
fn settle(known: &mut Request, stops: Vec<Stop>, asked: &Text) {
    let [only] = stops.as_slice() else {
        known.stops = stops;
        return;
    };
    let position = |is_meant: &dyn Fn(&Stop) -> bool| known.stops.iter().position(is_meant);
    let place = position(&|stop| asked.mentions(&stop.city))
        .or_else(|| position(&|stop| asked.mentions(&format!("day {}", stop.day))))
        .or_else(|| position(&|stop| stop.day == only.day));
    let last = known.stops.len().checked_sub(1);
    match place.or(last).and_then(|place| known.stops.get_mut(place)) {
        Some(stop) => stop.city.clone_from(&only.city),
        None => known.stops = stops,
    }
}
