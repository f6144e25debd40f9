//! Fidelity of a simulated user to its goal: it said all of it, never contradicted it, invented nothing, and did not
//! leave early. By rules over the log, which know closed sets of values, numbers and times.

use serde_json::Value;

use super::api::Domain;
use super::goal::{Goal, Slots, Wanted};
use super::language::{NUMBERS, number};
use super::played::{Played, Turn};
use super::score::{OPEN_VALUES, Said, clean_name, was_told};
use rolecall_core::evaluation::{DetectedQuestion, holds, normalise};
use rolecall_core::ports::EpisodeLog;

/// Conduct of a simulated user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fidelity {
    /// It said every value of its goal, or accepted it from the agent, and asked for every requested slot that it was
    /// not told.
    pub complete: bool,
    /// It said no value that differs from its goal.
    pub consistent: bool,
    /// It said a value for something that its goal leaves open and that it was not offered.
    pub invented: bool,
    /// It left before it had said all of its goal, and not because the agent repeated itself or made it repeat itself.
    pub left_early: bool,
    /// The agent got stuck, so that nobody can say whether the user would have continued.
    pub stuck: bool,
}

impl Fidelity {
    /// The user of an episode; none of another world.
    pub fn of(log: &EpisodeLog<'_>) -> Option<Self> {
        log.once(|log| {
            let (wanted, played) = (Wanted::of_log(log)?, Played::of(log)?);
            let (left, stuck) = (played.left, is_stuck(&played));
            let heard = Listened::new(&played);
            let complete = heard.is_complete(&wanted.goal, &played);
            let (contradicts, invents) = heard.strays(&wanted.goal);
            Some(Self {
                complete,
                consistent: !contradicts,
                invented: invents,
                left_early: left && !complete && !stuck,
                stuck,
            })
        })
    }

    /// Whether it did its part in every respect.
    pub fn is_faithful(self) -> bool {
        (self.complete || self.stuck) && self.consistent && !self.invented && !self.left_early
    }
}

/// Whether one of the two repeated itself in the last turns.
fn is_stuck(played: &Played<'_>) -> bool {
    let last: Vec<_> = played.turns.iter().rev().take(3).map(|turn| (turn.user, turn.said())).collect();
    (0..last.len()).any(|index| {
        let (user, reply) = last[index];
        last[index + 1..].iter().any(|(other, said)| *other == user || (reply.is_some() && *said == reply))
    })
}

/// Cues of requests: a slot and its cues in a line.
const ASKED: &str = include_str!("fidelity/asked.txt");

/// Cues of the domain of a clause: a domain and its cues in a line.
const ABOUT: &str = include_str!("fidelity/about.txt");

/// Beginnings of a disagreeing answer.
const DENYING: &str = "no\nnope\nnot\nactually\nsorry\nwrong\nthat's not\nthat is not";

/// Words that reject a value or call it unimportant.
const OPEN: &str = "no\nnot\nany\neither\nor\nwithout\nmatter*\ncare\ndon't\ndoesn't\nisn't\nrather than\ninstead of";

/// The cues of a table for one of its keys; without any, the key itself.
fn cues(table: &str, key: &str) -> String {
    let entry = table.lines().filter_map(|line| line.split_once(": ")).find(|(name, _)| *name == key);
    entry.map_or(key, |(_, cues)| cues).replace(", ", "\n")
}

/// Conversation as the rules read it.
struct Listened<'a> {
    user: Said<'a>,
    /// Statements of the agent that the user did not contradict.
    agreed: Said<'a>,
    /// Each utterance of the user, with all replies before it.
    utterances: Vec<(&'a str, String)>,
}

impl<'a> Listened<'a> {
    fn new(played: &Played<'a>) -> Self {
        let (mut agreed, mut told, mut utterances) = (Vec::new(), String::new(), Vec::new());
        let mut before = None;
        for (user, reply) in played.user().zip(played.turns.iter().map(Turn::said).chain([None])) {
            utterances.push((user, told.clone()));
            agreed.extend(before.filter(|_| !DetectedQuestion::new(user).begins(DENYING)));
            told.push_str(reply.unwrap_or_default());
            told.push('\n');
            before = reply;
        }
        Self { user: Said::new(played.user()), agreed: Said::new(agreed), utterances }
    }

    /// Whether every value of a goal was said, and every requested slot asked for or told.
    fn is_complete(&self, goal: &Goal, played: &Played<'_>) -> bool {
        let answers = played.score.and_then(|detail| detail.get("answers"));
        goal.domains.iter().all(|(domain, wanted)| {
            let answers = answers.and_then(|answers| answers.get(domain.as_str()));
            let book = wanted.book.as_ref();
            self.are_said(&wanted.info, wanted.fail_info.as_ref())
                && book.is_none_or(|book| self.are_said(book, wanted.fail_book.as_ref()))
                && wanted.requests().iter().all(|slot| was_told(*domain, slot, answers) || self.is_asked(slot))
        })
    }

    /// Whether all slots were said. A first choice will do, since the second may never come up.
    fn are_said(&self, slots: &Slots, first: Option<&Slots>) -> bool {
        slots.iter().all(|(slot, value)| {
            let mut values = [Some(value), first.and_then(|first| first.get(slot))].into_iter().flatten();
            values.any(|value| self.is_said(slot, value))
        })
    }

    fn is_said(&self, slot: &str, value: &Value) -> bool {
        let Some(value) = value.as_str().filter(|value| !OPEN_VALUES.contains(value)) else {
            return true;
        };
        forms(slot, value).into_iter().any(|form| self.user.has(&form) || self.agreed.has(&form))
    }

    fn is_asked(&self, slot: &str) -> bool {
        let cues = cues(ASKED, slot);
        self.utterances.iter().any(|(user, _)| DetectedQuestion::new(user).has(&cues))
    }

    /// Whether the user said values that differ from its goal, and values that its goal leaves open. It may choose
    /// among values that it was told before.
    fn strays(&self, goal: &Goal) -> (bool, bool) {
        let (mut contradicts, mut invents) = (false, false);
        for (user, told) in &self.utterances {
            for clause in clauses(user) {
                let heard = DetectedQuestion::new(clause);
                if heard.has(OPEN) {
                    continue;
                }
                let mut about = Domain::ALL.to_vec();
                about.retain(|domain| heard.has(&cues(ABOUT, domain.as_str())));
                // The domain of the clause if that is clear, else any.
                let about = match about.len() {
                    1 => &*about,
                    _ => &Domain::ALL,
                };
                let is_own = |(kind, value): &(&str, String)| {
                    wanted(goal, kind, &Domain::ALL).contains(value) || is_told(told, kind, value) || named(goal, value)
                };
                for (kind, _) in values(clause).into_iter().filter(|pair| !is_own(pair)) {
                    if wanted(goal, kind, about).is_empty() { invents = true } else { contradicts = true }
                }
            }
        }
        (contradicts, invents)
    }
}

/// Every slot of a goal with its value, of these domains.
fn slots<'g>(goal: &'g Goal, about: &[Domain]) -> impl Iterator<Item = (&'g str, &'g str)> {
    let domains = goal.domains.iter().filter(|(domain, _)| about.contains(domain));
    let slots = domains
        .flat_map(|(_, wishes)| {
            let others = [&wishes.fail_info, &wishes.book, &wishes.fail_book];
            others.into_iter().flatten().chain([&wishes.info])
        })
        .flatten();
    slots.filter_map(|(slot, value)| Some((slot.as_str(), value.as_str()?)))
}

/// The values of a kind in a goal, as clauses have them: times without a leading zero. A kind is a slot with few
/// values or with numbers, or any time of day.
fn wanted(goal: &Goal, kind: &str, about: &[Domain]) -> Vec<String> {
    let is_time = kind == "time";
    let values = slots(goal, about)
        .filter(|(slot, _)| *slot == kind || is_time && ["leaveAt", "arriveBy"].contains(slot))
        .map(|(_, value)| if is_time { value.strip_prefix('0').unwrap_or(value) } else { value });
    values.map(str::to_lowercase).collect()
}

/// Whether the agent has told a value before.
fn is_told(replies: &str, kind: &str, value: &str) -> bool {
    values(replies).into_iter().any(|(slot, other)| slot == kind && other == value) || {
        let said = Said::new([replies]);
        kind == "time" && forms(kind, value).iter().any(|form| said.has(form))
    }
}

/// Whether a name or place of the goal contains this value, such as `north` in `city centre north`.
fn named(goal: &Goal, value: &str) -> bool {
    slots(goal, &Domain::ALL)
        .any(|(slot, text)| ["name", "departure", "destination"].contains(&slot) && holds(&normalise(text), value))
}

/// The values in a text of slots with few values or with numbers, and its times.
fn values(text: &str) -> Vec<(&'static str, String)> {
    let normal = normalise(text).replace("center", "centre");
    let mut found = Vec::new();
    for (domain, slot) in [(Domain::Hotel, "area"), (Domain::Hotel, "pricerange"), (Domain::Train, "day")] {
        let said = domain.values(slot).unwrap_or_default().iter().filter(|value| holds(&normal, value));
        found.extend(said.map(|value| (slot, (*value).to_owned())));
    }
    let words: Vec<&str> = normal.split(' ').collect();
    for pair in words.windows(2) {
        let slot = match pair[1] {
            "star" | "stars" => "stars",
            "people" | "persons" | "guests" | "tickets" => "people",
            "night" | "nights" => "stay",
            _ => continue,
        };
        let number: Option<u32> = pair[0].parse().ok().or_else(|| number(pair[0]));
        found.extend(number.map(|number| (slot, number.to_string())));
    }
    found.extend(times(text).map(|time| ("time", time)));
    found
}

/// Times of day, without a leading zero.
fn times(text: &str) -> impl Iterator<Item = String> {
    let lower = text.to_lowercase();
    let is_late = lower.contains("pm") || lower.contains("p.m");
    text.split(|letter: char| !letter.is_ascii_digit() && letter != ':').filter_map(move |token| {
        let (hour, minutes) = token.trim_matches(':').split_once(':')?;
        let hour: u32 = hour.parse().ok().filter(|hour| *hour < 25)?;
        let half = if is_late && hour < 12 { 12 } else { 0 };
        (minutes.len() == 2).then(|| format!("{}:{minutes}", hour + half))
    })
}

/// The forms in which a user says a value of its goal.
fn forms(slot: &str, value: &str) -> Vec<String> {
    let texts = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
    let mut forms: Vec<String> = match slot {
        "internet" => return texts(&["internet", "wifi", "wi-fi"]),
        "parking" => return texts(&["parking"]),
        "leaveAt" | "arriveBy" | "time" => forms_of_time(value),
        "people" if value == "1" => texts(&["one", "just me", "myself", "only me", "alone", "a ticket"]),
        "people" | "stay" | "stars" => {
            let number = value.parse().ok();
            texts(number.and_then(|number: usize| NUMBERS.get(number).copied()).as_slice())
        }
        "type" => vec![value.replace("mutliple", "multiple")],
        "name" | "departure" | "destination" => vec![clean_name(value)],
        _ => Vec::new(),
    };
    forms.push(value.to_owned());
    forms
}

fn forms_of_time(value: &str) -> Vec<String> {
    let mut forms = vec![value.trim_start_matches('0').to_owned()];
    if let Some((hour, minutes)) = value.split_once(':') {
        let hour = hour.parse().unwrap_or(0_u32);
        let half = if hour < 12 { "am" } else { "pm" };
        let hour = (hour % 12 + 11) % 12 + 1;
        forms.push(format!("{hour}:{minutes} {half}"));
        if minutes == "00" {
            forms.extend([format!("{hour} {half}"), format!("{hour} o'clock")]);
        }
    }
    forms
}

/// The clauses of an utterance, which end with a mark and a blank.
fn clauses(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let end = rest
            .char_indices()
            .zip(rest.chars().skip(1))
            .find(|((_, letter), next)| ['.', '!', '?', ';', '\n', ','].contains(letter) && next.is_whitespace());
        let (clause, after) = rest.split_at(end.map_or(rest.len(), |((at, _), _)| at + 1));
        rest = after;
        (!clause.is_empty()).then_some(clause)
    })
}

/// Whether a text has a value of a slot with few values, a number of something, or a time.
pub(super) fn has_values(text: &str) -> bool {
    !values(text).is_empty()
}

/// Whether a text has such a value that the other one lacks, but that was said before.
pub(super) fn new_values(text: &str, other: &str, before: &str) -> bool {
    let (other, before) = (values(other), values(before));
    values(text).into_iter().any(|value| !other.contains(&value) && before.contains(&value))
}

#[cfg(test)]
#[path = "fidelity_tests.rs"]
mod tests;
