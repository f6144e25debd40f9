//! The agenda of a user: what it has said and heard of its goal, and what it says next. It is made anew of the
//! conversation in each turn.

use super::Traits;
use super::desire::Desire;
use super::wording::fragment;
use crate::domain::{Seed, Utterance};
use crate::environments::booking::api::Domain;
use crate::environments::booking::language::{
    Sentence, domain, is_failure, is_offer, last_domain, read, sentences,
};
use crate::environments::booking::private::Wanted;
use crate::text::Dice;

/// The agenda.
pub(super) struct Agenda<'g> {
    pub(super) traits: Traits,
    /// What is forgotten is drawn from it.
    pub(super) seed: Seed,
    desires: Vec<Desire<'g>>,
    /// The desire that is spoken of.
    focus: Option<usize>,
    /// What the agent said last.
    heard: Option<Vec<Sentence>>,
    /// Steps that were made, those up to the last reply, and replies in a row that made none.
    steps: u32,
    before: u32,
    idle: u32,
}

impl<'g> Agenda<'g> {
    pub(super) fn new(wanted: &'g Wanted, traits: Traits, seed: Seed) -> Self {
        let desires = wanted.goal.domains.iter().map(|(domain, goal)| {
            let is_open = |slot: &str| !goal.info.contains_key(slot);
            let ways = match domain {
                Domain::Taxi if is_open("departure") && is_open("destination") => ways(wanted),
                _ => Vec::new(),
            };
            Desire::new(*domain, goal, ways)
        });
        Self {
            traits,
            seed,
            desires: desires.collect(),
            focus: None,
            heard: None,
            steps: 0,
            before: 0,
            idle: 0,
        }
    }

    /// The first words of the data set.
    pub(super) fn began(&mut self, text: &str) {
        let mut current = None;
        let text = sentences(text);
        for sentence in &text {
            current = domain(sentence, current).or(current);
            let Some((place, desire)) = self.of(current) else {
                continue;
            };
            desire.began(&read(sentence, desire.domain));
            desire.is_opened = true;
            self.focus = Some(place);
        }
    }

    fn of(&mut self, domain: Option<Domain>) -> Option<(usize, &mut Desire<'g>)> {
        let mut desires = self.desires.iter_mut().enumerate();
        desires.find(|(_, desire)| Some(desire.domain) == domain)
    }

    /// What the user said itself.
    pub(super) fn said(&mut self, text: &str) {
        let current = self
            .focus
            .and_then(|place| Some(self.desires.get(place)?.domain));
        let spoken = last_domain(&sentences(text), current);
        let Some((place, desire)) = self.of(spoken) else {
            return;
        };
        desire.is_opened = true;
        let text = format!(" {}", text.to_lowercase());
        let mut count = 0;
        for want in desire.wants() {
            let phrase = fragment(&want).to_lowercase();
            let phrase = format!(" {}", phrase.trim_start_matches([',', ' ']));
            if text.contains(&phrase) && desire.told.insert(want.slot) {
                count += 1;
            }
        }
        self.steps += count;
        self.focus = Some(place);
    }

    /// What the agent said.
    pub(super) fn hear(&mut self, text: &str) {
        let text = sentences(text);
        if let Some(desire) = self.focus.and_then(|place| self.desires.get_mut(place)) {
            self.steps += desire.hear(&text);
        }
        let is_first = self.heard.is_none();
        self.idle = match self.steps > self.before || is_first {
            true => 0,
            false => self.idle + 1,
        };
        self.before = self.steps;
        self.heard = Some(text);
    }

    /// What the user says next; nothing if nothing was said to it.
    pub(super) fn reply(mut self, seed: Seed) -> Option<Utterance> {
        let heard = self.heard.take()?;
        let mut dice = Dice::new("rolecall booking 1", "agenda", &[seed.0]);
        let is_polite = dice.chance(self.traits.politeness);
        if self.idle >= self.traits.patience {
            let text = if is_polite {
                "I am sorry, but this leads nowhere. Goodbye."
            } else {
                "This leads nowhere. Goodbye."
            };
            return Some(Utterance::leaving(text, false));
        }
        let is_done = |desire: &Desire<'_>| desire.is_done(|want| self.forgets(desire, want));
        let focus = self.focus.filter(|place| {
            self.desires
                .get(*place)
                .is_some_and(|desire| !is_done(desire))
        });
        let answers = match self.focus.and_then(|place| self.desires.get(place)) {
            Some(desire) => self.answers(desire, &heard),
            None => Vec::new(),
        };
        let next = focus.or_else(|| self.desires.iter().position(|desire| !is_done(desire)));
        let is_corrected = answers.iter().any(|answer| answer.starts_with("No, "));
        let text = match next.and_then(|place| Some((place, self.desires.get(place)?))) {
            _ if !answers.is_empty() && (focus.is_some() || is_corrected) => answers.join(" "),
            None => {
                let text = if is_polite {
                    "Thank you, that is all I need. Goodbye."
                } else {
                    "That is all. Goodbye."
                };
                return Some(Utterance::leaving(text, true));
            }
            Some((_, desire)) => {
                let next = self.next(desire, is_polite, &heard);
                let thanks = is_polite && is_offer(&heard) && !is_failure(&heard);
                if thanks {
                    format!("Thank you. {next}")
                } else {
                    next
                }
            }
        };
        Some(Utterance::text(text))
    }
}

/// From where to where a taxi goes between two places: as the sentences of the goal have it, else from the first of
/// the other domains to the second.
fn ways(wanted: &Wanted) -> Vec<(&'static str, Domain)> {
    let places = wanted.goal.domains.iter().map(|(domain, _)| *domain);
    let places: Vec<Domain> = places
        .filter(|domain| !matches!(domain, Domain::Train | Domain::Taxi))
        .collect();
    let [first, second, ..] = places[..] else {
        return Vec::new();
    };
    let says = |verb: &str, place: Domain| {
        wanted
            .message
            .iter()
            .any(|line| line.to_lowercase().contains(&format!("{verb} the {place}")))
    };
    let is_back = says("leave", second) || says("arrives", first) || says("arrive at", first);
    let (from, to) = if is_back {
        (second, first)
    } else {
        (first, second)
    };
    vec![("departure", from), ("destination", to)]
}
