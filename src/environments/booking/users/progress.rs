//! How far a desire has come: what an agent's words bring.

use super::desire::{Desire, Want};
use crate::environments::booking::api::Domain;
use crate::environments::booking::language::{
    Sentence, asked, is_booked, is_failure, is_offer, tells,
};

impl<'g> Desire<'g> {
    /// Takes note of what the agent said; says how much that brought.
    pub(super) fn hear(&mut self, text: &[Sentence]) -> u32 {
        let failing = is_failure(text);
        let wrong = self.wrong(text, failing);
        let asked = asked(text, self.domain).slots;
        let mut steps = 0;
        for slot in asked.iter().chain(wrong.iter().map(|(slot, _)| slot)) {
            steps += u32::from(self.asked.insert(slot));
        }
        let mut booked = self.wants().into_iter().filter(|want| want.books);
        let is_said = booked.all(|want| self.told.contains(want.slot));
        let is_booking = self.is_offered && self.books() && is_said;
        let mut wanted = wrong.iter().filter_map(|(_, want)| *want);
        if wanted.any(|want| want.books) {
            self.is_referenced = false;
        } else if tells(text, "reference") && self.books() && !self.is_referenced {
            (self.is_referenced, self.is_offered) = (true, true);
            steps += 1;
        } else if failing && wrong.is_empty() {
            steps += u32::from(self.fall(is_booking));
        }
        let asks_more = asked.iter().any(|slot| !is_booked(self.domain, slot));
        if !failing && !asks_more && !self.is_offered && is_offer(text) {
            self.is_offered = true;
            steps += 1;
        }
        for slot in self.goal.requests() {
            steps += u32::from(tells(text, slot) && self.answered.insert(slot));
        }
        steps
    }

    /// Everything was said, offered, told and booked.
    pub(super) fn is_done(&self, forgets: impl Fn(Want<'g>) -> bool) -> bool {
        let mut wants = self.wants().into_iter();
        let mut requests = self.goal.requests().iter();
        self.is_opened
            && wants.all(|want| self.told.contains(want.slot) || forgets(want))
            && (self.is_offered || self.domain == Domain::Taxi)
            && requests.all(|slot| self.answered.contains(slot.as_str()))
            && (self.is_referenced || !self.books())
    }
}
