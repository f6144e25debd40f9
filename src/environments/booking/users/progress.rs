//! How far a desire has come: what an agent's words bring.

use super::desire::{Desire, Want};
use crate::environments::booking::api::Domain;
use crate::environments::booking::language::{Sentence, asked, is_failure, is_offer, tells};

impl Desire<'_> {
    /// Takes note of what the agent said; says how much that brought.
    pub(super) fn hear(&mut self, text: &[Sentence]) -> u32 {
        let mut steps = 0;
        let failing = is_failure(text);
        let wrong = self.wrong(text, failing);
        let all = asked(text, self.domain);
        for slot in all.slots.iter().chain(wrong.iter().map(|(slot, _)| slot)) {
            steps += u32::from(self.asked.insert((*slot).to_owned()));
        }
        let is_booking = self.is_offered
            && self.books()
            && self
                .wants()
                .iter()
                .all(|want| !want.books || self.told.contains(&want.slot));
        if wrong
            .iter()
            .any(|(_, want)| want.as_ref().is_some_and(|want| want.books))
        {
            self.is_referenced = false;
        } else if tells(text, "reference") && self.books() && !self.is_referenced {
            (self.is_referenced, self.is_offered) = (true, true);
            steps += 1;
        } else if failing && wrong.is_empty() {
            steps += u32::from(if is_booking {
                self.rebook()
            } else {
                self.fall()
            });
        }
        let asks_more = all.slots.iter().any(|slot| !self.is_of_booking(slot));
        if !failing && !asks_more && !self.is_offered && is_offer(text) {
            self.is_offered = true;
            steps += 1;
        }
        for slot in self.requests().to_vec() {
            if tells(text, &slot) && self.answered.insert(slot) {
                steps += 1;
            }
        }
        steps
    }

    /// Everything was said, offered, told and booked.
    pub(super) fn is_done(&self, forgets: impl Fn(&Want) -> bool) -> bool {
        let said = self
            .wants()
            .iter()
            .all(|want| self.told.contains(&want.slot) || forgets(want));
        let is_found = self.is_offered || self.domain == Domain::Taxi;
        let known = self
            .requests()
            .iter()
            .all(|slot| self.answered.contains(slot));
        self.is_opened && said && is_found && known && (self.is_referenced || !self.books())
    }
}
