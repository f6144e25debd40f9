//! Whether a user did what it was there for: said all of its goal, never contradicted it, invented nothing, and did not
//! leave before. By rules over the log; they know values that are few, numbers and times.

use serde_json::Value;

use super::api::Domain;
use super::goal::{Goal, Slots};
use super::language::{NUMBERS, number};
use super::played::{Played, Turn};
use super::private::Wanted;
use super::score::{OPEN_VALUES, Said, clean_name, was_told};
use crate::evaluation::{DetectedQuestion, holds, normalise};
use crate::ports::EpisodeLog;

/// What a user did of its part. All are right of a faithful one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fidelity {
    /// It said every value of its goal, or let it pass when the agent did, and asked for all that it wants to know and
    /// was not told.
    pub complete: bool,
    /// It said no value of something that its goal wants otherwise.
    pub consistent: bool,
    /// It said no value of something that its goal leaves open, but for those that it was offered.
    pub invented: bool,
    /// It left before it had said all of its goal, and not because the agent repeated itself or made it repeat itself.
    pub left_early: bool,
    /// The agent got stuck, so that nobody can say whether the user would have gone on.
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

    /// Whether nothing is wrong with it.
    pub fn is_faithful(self) -> bool {
        (self.complete || self.stuck) && self.consistent && !self.invented && !self.left_early
    }
}

/// Whether one of the two said the same twice in the last turns.
fn is_stuck(played: &Played<'_>) -> bool {
    let last = played.turns.iter().rev().take(3);
    let last: Vec<_> = last.map(|turn| (turn.user, turn.said())).collect();
    (0..last.len()).any(|index| {
        let (user, reply) = last[index];
        let mut before = last[index + 1..].iter();
        before.any(|(other, said)| *other == user || (reply.is_some() && *said == reply))
    })
}

/// The words for what is asked for: a slot and its cues in a line.
const ASKED: &str = include_str!("fidelity/asked.txt");

/// The words of which each says what a clause is about: a domain and its cues in a line.
const ABOUT: &str = include_str!("fidelity/about.txt");

/// The beginnings of an answer that does not agree.
const DENYING: &str = "no\nnope\nnot\nactually\nsorry\nwrong\nthat's not\nthat is not";

/// Words by which a value is not wanted, or does not matter.
const OPEN: &str = "no\nnot\nany\neither\nor\nwithout\nmatter*\ncare\ndon't\ndoesn't\nisn't\nrather than\ninstead of";

/// The cues of a table for one of its keys; without any, the key itself.
fn cues(table: &str, key: &str) -> String {
    let mut lines = table.lines().filter_map(|line| line.split_once(": "));
    let own = lines.find(|(own, _)| *own == key);
    own.map_or(key, |(_, cues)| cues).replace(", ", "\n")
}

/// What was said, as the rules read it.
struct Listened<'a> {
    user: Said<'a>,
    /// What the agent said and the user let pass.
    agreed: Said<'a>,
    /// Each utterance of the user, with all that it was told before.
    utterances: Vec<(&'a str, String)>,
}

impl<'a> Listened<'a> {
    fn new(played: &Played<'a>) -> Self {
        let (mut agreed, mut told, mut utterances) = (Vec::new(), String::new(), Vec::new());
        let mut before = None;
        let replies = played.turns.iter().map(Turn::said);
        for (user, reply) in played.user().zip(replies.chain([None])) {
            utterances.push((user, told.clone()));
            agreed.extend(before.filter(|_| !DetectedQuestion::new(user).begins(DENYING)));
            told.push_str(reply.unwrap_or_default());
            told.push('\n');
            before = reply;
        }
        Self { user: Said::new(played.user()), agreed: Said::new(agreed), utterances }
    }

    /// Whether every value of a goal was said, and everything asked for that was not told.
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

    /// Whether all slots were said. What is asked for first may do, and then nobody hears of the rest.
    fn are_said(&self, slots: &Slots, first: Option<&Slots>) -> bool {
        slots.iter().all(|(slot, value)| {
            let first = first.and_then(|first| first.get(slot));
            let mut values = [Some(value), first].into_iter().flatten();
            values.any(|value| self.is_said(slot, value))
        })
    }

    fn is_said(&self, slot: &str, value: &Value) -> bool {
        let Some(value) = value.as_str().filter(|value| !OPEN_VALUES.contains(value)) else {
            return true;
        };
        let mut forms = forms(slot, value).into_iter();
        forms.any(|form| self.user.has(&form) || self.agreed.has(&form))
    }

    fn is_asked(&self, slot: &str) -> bool {
        let cues = cues(ASKED, slot);
        let mut utterances = self.utterances.iter();
        utterances.any(|(user, _)| DetectedQuestion::new(user).has(&cues))
    }

    /// Whether the user said values that its goal has not, where it has others, and where it has none. What it was told
    /// before it may choose.
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
                // Of the domain that the clause is about, if that is clear, and else of any.
                let about = match about.len() {
                    1 => &*about,
                    _ => &Domain::ALL,
                };
                let is_own = |(kind, value): &(&str, String)| {
                    wanted(goal, kind, &Domain::ALL).contains(value) || is_told(told, kind, value) || named(goal, value)
                };
                for (kind, _) in values(clause).into_iter().filter(|pair| !is_own(pair)) {
                    match wanted(goal, kind, about).is_empty() {
                        true => invents = true,
                        false => contradicts = true,
                    }
                }
            }
        }
        (contradicts, invents)
    }
}

/// Every slot of a goal with its value, of these domains.
fn slots<'g>(goal: &'g Goal, about: &[Domain]) -> impl Iterator<Item = (&'g str, &'g str)> {
    let domains = goal.domains.iter();
    let domains = domains.filter(|(domain, _)| about.contains(domain));
    let parts = domains.flat_map(|(_, own)| {
        let others = [&own.fail_info, &own.book, &own.fail_book];
        others.into_iter().flatten().chain([&own.info])
    });
    let slots = parts.flatten();
    slots.filter_map(|(slot, value)| Some((slot.as_str(), value.as_str()?)))
}

/// The values of a kind that a goal has, as clauses have them: times without a zero in front. Such a kind is a slot
/// that has few values, or numbers; and any time of day.
fn wanted(goal: &Goal, kind: &str, about: &[Domain]) -> Vec<String> {
    let is_time = kind == "time";
    let own = slots(goal, about).filter(|(slot, _)| *slot == kind || is_time && ["leaveAt", "arriveBy"].contains(slot));
    let values = own.map(|(_, value)| match is_time {
        true => value.strip_prefix('0').unwrap_or(value),
        false => value,
    });
    values.map(str::to_lowercase).collect()
}

/// Whether the agent has named a value before.
fn is_told(replies: &str, kind: &str, value: &str) -> bool {
    let mut told = values(replies).into_iter();
    told.any(|(own, other)| own == kind && other == value) || {
        let said = Said::new([replies]);
        kind == "time" && forms(kind, value).iter().any(|form| said.has(form))
    }
}

/// Whether a name or place of the goal has this value in it, such as `north` in `city centre north`.
fn named(goal: &Goal, value: &str) -> bool {
    slots(goal, &Domain::ALL)
        .any(|(slot, own)| ["name", "departure", "destination"].contains(&slot) && holds(&normalise(own), value))
}

/// The values that a clause has of slots that have few, or numbers, and times.
fn values(text: &str) -> Vec<(&'static str, String)> {
    let normal = normalise(text).replace("center", "centre");
    let mut found = Vec::new();
    for (domain, slot) in [(Domain::Hotel, "area"), (Domain::Hotel, "pricerange"), (Domain::Train, "day")] {
        let values = domain.values(slot).unwrap_or_default().iter();
        let said = values.filter(|value| holds(&normal, value));
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

/// Times of day, without a zero in front.
fn times(text: &str) -> impl Iterator<Item = String> {
    let lower = text.to_lowercase();
    let is_late = lower.contains("pm") || lower.contains("p.m");
    let tokens = text.split(|letter: char| !letter.is_ascii_digit() && letter != ':');
    tokens.filter_map(move |token| {
        let (hour, minutes) = token.trim_matches(':').split_once(':')?;
        let hour: u32 = hour.parse().ok().filter(|hour| *hour < 25)?;
        let half = if is_late && hour < 12 { 12 } else { 0 };
        (minutes.len() == 2).then(|| format!("{}:{minutes}", hour + half))
    })
}

/// The ways in which a user says a value of its goal.
fn forms(slot: &str, value: &str) -> Vec<String> {
    let texts = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
    let mut forms: Vec<String> = match slot {
        "internet" => return texts(&["internet", "wifi", "wi-fi"]),
        "parking" => return texts(&["parking"]),
        "leaveAt" | "arriveBy" | "time" => forms_of_time(value),
        "people" if value == "1" => texts(&["one", "just me", "myself", "only me", "alone", "a ticket"]),
        "people" | "stay" | "stars" => {
            let number = value.parse().ok();
            let spelled = number.and_then(|number: usize| NUMBERS.get(number).copied());
            texts(spelled.as_slice())
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

/// The clauses of an utterance: what ends with a mark and a blank.
fn clauses(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let mut pairs = rest.char_indices().zip(rest.chars().skip(1));
        let end =
            pairs.find(|((_, letter), next)| ['.', '!', '?', ';', '\n', ','].contains(letter) && next.is_whitespace());
        let end = end.map_or(rest.len(), |((at, _), _)| at + 1);
        let (clause, after) = rest.split_at(end);
        rest = after;
        (!clause.is_empty()).then_some(clause)
    })
}

/// Whether a text has a value of something that has few, a number of something, or a time.
pub(super) fn has_values(text: &str) -> bool {
    !values(text).is_empty()
}

/// Whether a text has such a value that another one has not, but that was said before.
pub(super) fn new_values(text: &str, other: &str, before: &str) -> bool {
    let (other, before) = (values(other), values(before));
    let mut own = values(text).into_iter();
    own.any(|value| !other.contains(&value) && before.contains(&value))
}

#[cfg(test)]
#[path = "fidelity_tests.rs"]
mod tests;
