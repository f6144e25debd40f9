//! The agenda of a user: what it has said and heard of its goal, and what it says next. It is rebuilt from the
//! conversation in each turn.

use super::Traits;
use super::desire::{Desire, Want};
use crate::api::Domain;
use crate::goal::Wanted;
use crate::language::{Sentence, domain, is_failure, is_offer, last_domain, read, sentences};
use rolecall_core::domain::{Seed, Utterance};
use rolecall_core::text::Dice;

/// The agenda.
pub(super) struct Agenda<'g> {
    pub(super) traits: Traits,
    /// Seed of the forgetting.
    pub(super) seed: Seed,
    desires: Vec<Desire<'g>>,
    /// Domain of the conversation at the moment.
    focus: Option<Domain>,
    /// Last text of the agent.
    heard: Option<Vec<Sentence>>,
    /// Steps that the last text brought, and the number of texts in a row that brought none.
    steps: u32,
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
        Self { traits, seed, desires: desires.collect(), focus: None, heard: None, steps: 0, idle: 0 }
    }

    /// Moves the conversation to a domain, if the goal has it.
    fn turn_to(&mut self, domain: Option<Domain>) -> Option<&mut Desire<'g>> {
        let desire = self.desires.iter_mut().find(|desire| Some(desire.domain) == domain)?;
        self.focus = domain;
        desire.is_opened = true;
        Some(desire)
    }

    /// The first words of the data set.
    pub(super) fn began(&mut self, text: &str) {
        let mut current = None;
        for sentence in &sentences(text) {
            current = domain(sentence, current).or(current);
            if let Some(desire) = self.turn_to(current) {
                desire.began(&read(sentence, desire.domain));
            }
        }
    }

    /// Notes a text of the user.
    pub(super) fn said(&mut self, text: &str) {
        let Some(desire) = self.turn_to(last_domain(&sentences(text), self.focus)) else {
            return;
        };
        let text = format!(" {}", text.to_lowercase());
        let mut steps = 0;
        for want in desire.wants() {
            let phrase = want.fragment().to_lowercase();
            let phrase = format!(" {}", phrase.trim_start_matches([',', ' ']));
            steps += u32::from(text.contains(&phrase) && desire.told.insert(want.slot));
        }
        self.steps += steps;
    }

    /// Notes a text of the agent.
    pub(super) fn hear(&mut self, text: &str) {
        let text = sentences(text);
        let mut desires = self.desires.iter_mut();
        if let Some(desire) = desires.find(|desire| Some(desire.domain) == self.focus) {
            self.steps += desire.hear(&text);
        }
        self.idle = if self.steps == 0 && self.heard.is_some() { self.idle + 1 } else { 0 };
        self.steps = 0;
        self.heard = Some(text);
    }

    /// Next reply of the user; none if nothing was said to it.
    pub(super) fn reply(self, seed: Seed) -> Option<Utterance> {
        let heard = self.heard.as_ref()?;
        let mut dice = Dice::new("rolecall booking 1", "agenda", &[seed.0]);
        let is_polite = dice.chance(self.traits.politeness);
        if self.idle >= self.traits.patience {
            let text =
                if is_polite { "I am sorry, but this leads nowhere. Goodbye." } else { "This leads nowhere. Goodbye." };
            return Some(Utterance::leaving(text, false));
        }
        let is_open = |desire: &&Desire<'g>| !desire.is_done(|want| self.forgets(desire, want));
        let spoken = self.desires.iter().find(|desire| Some(desire.domain) == self.focus);
        let focus = spoken.filter(is_open);
        let answers = spoken.map(|desire| self.answers(desire, heard)).unwrap_or_default();
        let is_corrected = answers.iter().any(|answer| answer.starts_with("No, "));
        if is_corrected || focus.is_some() && !answers.is_empty() {
            return Some(Utterance::text(answers.join(" ")));
        }
        let Some(desire) = focus.or_else(|| self.desires.iter().find(is_open)) else {
            let text = if is_polite { "Thank you, that is all I need. Goodbye." } else { "That is all. Goodbye." };
            return Some(Utterance::leaving(text, true));
        };
        let next = self.next(desire, is_polite, heard);
        let thanks = is_polite && is_offer(heard) && !is_failure(heard);
        Some(Utterance::text(if thanks { format!("Thank you. {next}") } else { next }))
    }
}

/// The two ends of a taxi ride between venues: as the sentences of the goal have it, else from the first of the
/// other domains to the second.
fn ways(wanted: &Wanted) -> Vec<Want<'static>> {
    let places: Vec<&'static str> = wanted
        .goal
        .domains
        .iter()
        .filter_map(|(domain, _)| match domain {
            Domain::Hotel => Some("the hotel"),
            Domain::Restaurant => Some("the restaurant"),
            Domain::Attraction => Some("the attraction"),
            Domain::Train | Domain::Taxi => None,
        })
        .take(2)
        .collect();
    let [first, second] = places[..] else {
        return Vec::new();
    };
    let message = wanted.message.join("\n").to_lowercase();
    let says = |verb: &str, place: &str| message.contains(&format!("{verb} {place}"));
    let is_back = says("leave", second) || says("arrives", first) || says("arrive at", first);
    let (from, to) = if is_back { (second, first) } else { (first, second) };
    [("departure", from), ("destination", to)].map(|(slot, value)| Want { slot, value, books: false }).into()
}
