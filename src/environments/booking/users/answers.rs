//! What a user says next: answers, corrections, and the next thing of its agenda.

use super::agenda::Agenda;
use super::desire::{Desire, Want};
use super::wording::{fragments, noun, slot_word, wish};
use crate::environments::booking::api::Domain;
use crate::environments::booking::language::{Asked, Sentence, asked, capital, is_failure, listed};
use crate::text::Dice;

impl Agenda<'_> {
    /// Whether a thing is left out until it is asked for.
    pub(super) fn forgets(&self, desire: &Desire<'_>, want: &Want) -> bool {
        let purpose = format!("forgets {} {}", desire.domain, want.slot);
        let is_open = !desire.asked.contains(&want.slot) && !desire.told.contains(&want.slot);
        is_open
            && Dice::new("rolecall booking 1", &purpose, &[self.seed.0])
                .chance(self.traits.forgetfulness)
    }

    /// What is still to be said of what is looked for, or of the booking.
    fn due(&self, desire: &Desire<'_>, books: bool) -> Vec<Want> {
        let mut wants = desire.wants();
        wants.retain(|want| {
            want.books == books && !desire.told.contains(&want.slot) && !self.forgets(desire, want)
        });
        wants
    }

    /// The answers to what the agent asked, and what it has wrong.
    pub(super) fn answers(&self, desire: &Desire<'_>, reply: &[Sentence]) -> Vec<String> {
        let failing = is_failure(reply);
        let wrong = desire.wrong(reply, failing);
        let Asked {
            slots,
            confirms,
            which,
            ..
        } = asked(reply, desire.domain);
        let mut said = Vec::new();
        let mut right: Vec<Want> = wrong.iter().filter_map(|(_, want)| want.clone()).collect();
        // What there is none of was right when it was asked for.
        right.retain(|want| !failing || desire.told.contains(&want.slot));
        if !right.is_empty() {
            let right: Vec<&Want> = right.iter().collect();
            said.push(format!("No, I want it{}.", fragments(&right)));
        }
        let wants: Vec<Want> = slots.iter().filter_map(|slot| desire.want(slot)).collect();
        let new: Vec<&Want> = wants.iter().filter(|want| !right.contains(want)).collect();
        if !new.is_empty() {
            let text = fragments(&new);
            said.push(format!("{}.", capital(text.trim_start_matches([',', ' ']))));
        }
        let is_ride = matches!(desire.domain, Domain::Train | Domain::Taxi);
        let is_booking = |slot: &str| match slot {
            "people" | "time" | "stay" => true,
            slot => slot == "day" && !is_ride,
        };
        let is_free = |slot: &str| {
            let is_other_time =
                is_ride && matches!(slot, "leaveAt" | "arriveBy") && !wants.is_empty();
            let is_open = desire.want(slot).is_none() && slot != "name";
            is_open && !is_other_time && !is_booking(slot)
        };
        let free = slots.iter().copied().filter(|slot| is_free(slot));
        let idle = wrong.iter().filter(|(_, want)| want.is_none());
        let free = free.chain(idle.map(|(slot, _)| *slot));
        let free: Vec<String> = free.map(|slot| slot_word(slot).to_owned()).collect();
        if !free.is_empty() {
            said.push(format!("Any {} is fine.", listed(&free)));
        } else if slots.contains(&"name") && wants.is_empty() {
            said.push("I have no particular one in mind.".to_owned());
        }
        // Who was asked for what does not matter says what does.
        if !said.is_empty() && wants.is_empty() && right.is_empty() {
            let due = self.due(desire, false);
            let due: Vec<&Want> = due.iter().take(self.traits.most()).collect();
            if !due.is_empty() {
                said.push(format!("I want one{}.", fragments(&due)));
            }
        }
        if slots.iter().any(|slot| is_booking(slot)) && !desire.books() {
            said.push("I do not need a booking.".to_owned());
        }
        if which && said.is_empty() {
            said.push("Please choose one of them for me.".to_owned());
        }
        if confirms && wrong.is_empty() && said.is_empty() && !failing {
            said.extend(self.confirmed(desire, reply));
        }
        said
    }

    /// The answer to a question whether something is right or is to be done.
    fn confirmed(&self, desire: &Desire<'_>, reply: &[Sentence]) -> Option<String> {
        let is_booking = reply.iter().any(|sentence| {
            sentence.has_stem("book")
                || sentence.has_stem("reserv")
                || sentence.has_any("buy, tickets")
        });
        if !is_booking {
            return Some("Yes, that is right.".to_owned());
        }
        if desire.domain == Domain::Taxi {
            return Some("Yes, please book it.".to_owned());
        }
        if !desire.books() {
            // There may be something to ask yet.
            return None;
        }
        // What is looked for goes before what is booked.
        let is_known = self.due(desire, false).is_empty();
        let book = self.due(desire, true);
        let book: Vec<&Want> = book.iter().take(self.traits.most()).collect();
        is_known.then(|| format!("Yes, please book it{}.", fragments(&book)))
    }

    /// The next thing of a desire.
    pub(super) fn next(&self, desire: &Desire<'_>, is_polite: bool, reply: &[Sentence]) -> String {
        let most = self.traits.most();
        let wants = desire.wants();
        let (book, info) = (self.due(desire, true), self.due(desire, false));
        let info: Vec<&Want> = info.iter().take(most).collect();
        let please = if is_polite { ", please" } else { "" };
        if !desire.is_opened {
            let noun = noun(desire.domain);
            let verb = if matches!(desire.domain, Domain::Train | Domain::Taxi) {
                "I need"
            } else {
                "I am looking for"
            };
            return format!("{verb} {noun}{}.", fragments(&info));
        }
        if !info.is_empty() {
            let then = if desire.is_fallen && is_failure(reply) {
                "Then I want one"
            } else {
                "I want one"
            };
            return format!("{then}{}.", fragments(&info));
        }
        let requests = desire
            .requests()
            .iter()
            .filter(|slot| !desire.answered.contains(*slot));
        let requests: Vec<String> = requests.take(most).map(|slot| wish(slot)).collect();
        let failing = is_failure(reply);
        if !desire.is_offered && (desire.domain != Domain::Taxi || requests.is_empty()) {
            if failing {
                let all: Vec<&Want> = wants
                    .iter()
                    .filter(|want| !want.books && !self.forgets(desire, want))
                    .collect();
                return format!(
                    "I am looking for {}{}.",
                    noun(desire.domain),
                    fragments(&all)
                );
            }
            return format!("What do you have{please}?");
        }
        if !requests.is_empty() {
            return format!("Can you tell me its {}{please}?", listed(&requests));
        }
        if failing && book.is_empty() {
            return "Then please try another one.".to_owned();
        }
        let due: Vec<&Want> = match book.is_empty() {
            true => wants.iter().filter(|want| want.books).collect(),
            false => book.iter().take(most).collect(),
        };
        format!("Please book it{}.", fragments(&due))
    }
}
