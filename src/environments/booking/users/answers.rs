//! Next words of a user: answers, corrections, and the next step of its agenda.

use super::agenda::Agenda;
use super::desire::{Desire, Want, fragments};
use crate::api::{Domain, PHRASES};
use crate::language::{Sentence, asked, capital, is_booked, is_failure, request};
use rolecall_core::text::{Dice, joined_and};

impl<'g> Agenda<'g> {
    /// Whether a wish is held back until the agent asks for it.
    pub(super) fn forgets(&self, desire: &Desire<'_>, want: Want<'_>) -> bool {
        let purpose = format!("forgets {} {}", desire.domain, want.slot);
        let is_open = !desire.asked.contains(want.slot) && !desire.told.contains(want.slot);
        let dice = || Dice::new("rolecall booking 1", &purpose, &[self.seed.0]);
        is_open && dice().chance(self.traits.forgetfulness)
    }

    /// Wishes still to be said about the venue, or the booking: as many as are said at a time.
    fn due(&self, desire: &Desire<'g>, books: bool) -> Vec<Want<'g>> {
        let mut wants = desire.wants();
        wants.retain(|want| {
            let is_due = want.books == books && !desire.told.contains(want.slot);
            is_due && !self.forgets(desire, *want)
        });
        wants.truncate(self.traits.most());
        wants
    }

    /// The answers to the agent's questions, and corrections of its mistakes.
    pub(super) fn answers(&self, desire: &Desire<'g>, reply: &[Sentence]) -> Vec<String> {
        let failing = is_failure(reply);
        let wrong = desire.wrong(reply, failing);
        let asked = asked(reply, desire.domain);
        let mut said = Vec::new();
        let mut right: Vec<Want<'_>> = wrong.iter().filter_map(|(_, want)| *want).collect();
        // A value for which nothing was found was right when it was asked for.
        right.retain(|want| !failing || desire.told.contains(want.slot));
        if !right.is_empty() {
            said.push(format!("No, I want it{}.", fragments(&right)));
        }
        let wants: Vec<Want<'_>> = asked.slots.iter().filter_map(|slot| desire.want(slot)).collect();
        let mut new = wants.clone();
        new.retain(|want| !right.contains(want));
        if !new.is_empty() {
            let text = fragments(&new);
            let text = capital(text.trim_start_matches([',', ' ']));
            said.push(format!("{text}."));
        }
        let is_ride = matches!(desire.domain, Domain::Train | Domain::Taxi);
        let is_booking = |slot: &str| is_booked(desire.domain, slot);
        let is_free = |slot: &&str| {
            let is_time = is_ride && matches!(*slot, "leaveAt" | "arriveBy");
            let is_other_time = is_time && !wants.is_empty();
            let is_open = desire.want(slot).is_none() && *slot != "name";
            is_open && !is_other_time && !is_booking(slot)
        };
        let free = asked.slots.iter().copied().filter(is_free);
        let idle = wrong.iter().filter(|(_, want)| want.is_none());
        let free: Vec<String> = free
            .chain(idle.map(|(slot, _)| *slot))
            .map(|slot| PHRASES.phrase("any", slot, "").unwrap_or(slot).to_owned())
            .collect();
        if !free.is_empty() {
            said.push(format!("Any {} is fine.", joined_and(&free)));
        } else if asked.slots.contains(&"name") && wants.is_empty() {
            said.push("I have no particular one in mind.".to_owned());
        }
        // Asked about something that does not matter, the user says what does.
        let due = self.due(desire, false);
        if !said.is_empty() && wants.is_empty() && right.is_empty() && !due.is_empty() {
            said.push(format!("I want one{}.", fragments(&due)));
        }
        if asked.slots.iter().any(|slot| is_booking(slot)) && !desire.books() {
            said.push("I do not need a booking.".to_owned());
        }
        if asked.which && said.is_empty() {
            said.push("Please choose one of them for me.".to_owned());
        }
        if asked.confirms && wrong.is_empty() && said.is_empty() && !failing {
            said.extend(self.confirmed(desire, reply));
        }
        said
    }

    /// The answer to a question for confirmation.
    fn confirmed(&self, desire: &Desire<'g>, reply: &[Sentence]) -> Option<String> {
        let is_booking = reply.iter().any(|sentence| {
            sentence.has_stem("book") || sentence.has_stem("reserv") || sentence.has_any("buy, tickets")
        });
        if !is_booking {
            return Some("Yes, that is right.".to_owned());
        }
        if desire.domain == Domain::Taxi {
            return Some("Yes, please book it.".to_owned());
        }
        // Requests and constraints go before the booking.
        let is_next = desire.books() && self.due(desire, false).is_empty();
        let book = fragments(&self.due(desire, true));
        is_next.then(|| format!("Yes, please book it{book}."))
    }

    /// The next step in a desire.
    pub(super) fn next(&self, desire: &Desire<'g>, is_polite: bool, reply: &[Sentence]) -> String {
        let (mut book, info) = (self.due(desire, true), self.due(desire, false));
        let noun = PHRASES.phrase("noun", desire.domain.as_str(), "").unwrap_or_default();
        let please = if is_polite { ", please" } else { "" };
        if !desire.is_opened {
            let verb = match desire.domain {
                Domain::Train | Domain::Taxi => "I need",
                _ => "I am looking for",
            };
            return format!("{verb} {noun}{}.", fragments(&info));
        }
        let failing = is_failure(reply);
        if !info.is_empty() {
            let want = if desire.is_fallen && failing { "Then I want one" } else { "I want one" };
            return format!("{want}{}.", fragments(&info));
        }
        let requests = desire.goal.requests().iter().map(String::as_str).filter(|slot| !desire.answered.contains(slot));
        let requests: Vec<String> =
            requests.map(|slot| request(slot).unwrap_or(slot).to_owned()).take(self.traits.most()).collect();
        if !desire.is_offered && (desire.domain != Domain::Taxi || requests.is_empty()) {
            if !failing {
                return format!("What do you have{please}?");
            }
            let mut all = desire.wants();
            all.retain(|want| !want.books && !self.forgets(desire, *want));
            return format!("I am looking for {noun}{}.", fragments(&all));
        }
        if !requests.is_empty() {
            return format!("Can you tell me its {}{please}?", joined_and(&requests));
        }
        if book.is_empty() {
            if failing {
                return "Then please try another one.".to_owned();
            }
            book = desire.wants();
            book.retain(|want| want.books);
        }
        format!("Please book it{}.", fragments(&book))
    }
}
