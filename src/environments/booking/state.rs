//! Belief state of the user's wishes, taken from an agent's calls (spec section 3.1).

use serde_json::{Map, Value};

use super::api::Domain;

/// The slots of a state behind their domain, in the order in which the name of a call is searched.
const SLOTS: [&str; 5] = [
    "attraction name type area",
    "hotel name type parking area bookday bookstay internet bookpeople stars pricerange",
    "restaurant name food area bookday booktime bookpeople pricerange",
    "taxi arriveby departure leaveat destination",
    "train arriveby day leaveat destination departure bookpeople",
];

/// Domain in the name of a call, with its slots: the last domain that the name contains.
fn slots_of(call: &str) -> Option<(&'static str, &'static str)> {
    SLOTS.iter().rev().filter_map(|line| line.split_once(' ')).find(|(domain, _)| call.contains(domain))
}

/// Domain of a call by its name; none if the name has none.
pub fn domain_of(call: &str) -> Option<Domain> {
    Domain::named(slots_of(call)?.0)
}

/// The state of a conversation: slots with their last values.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BeliefState(Map<String, Value>);

impl BeliefState {
    /// Takes the values of a call. A call whose name has no domain gives none.
    pub fn take<'c>(&mut self, call: &str, pairs: impl Iterator<Item = (&'c str, Value)>) {
        let Some((domain, slots)) = slots_of(call) else {
            return;
        };
        let books = domain != "taxi" && (call.contains("book") || call.contains("buy"));
        for (key, value) in pairs {
            let is_booking = books && !key.contains("name") && !key.contains("ID");
            let book = if is_booking { "book" } else { "" };
            let slot = format!("{book}{key}").to_lowercase();
            if slots.split(' ').any(|known| known == slot) {
                self.0.insert(format!("{domain}-{slot}"), value);
            }
        }
    }

    /// The slots with their values, as observations show them.
    pub fn slots(&self) -> &Map<String, Value> {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn calls_tell_what_is_wanted() {
        let mut state = BeliefState::default();
        let pairs =
            |texts: &'static [(&'static str, &'static str)]| texts.iter().map(|(key, value)| (*key, json!(value)));
        state.take("query_trains", pairs(&[("day", "monday"), ("leaveAt", "9:00")]));
        state.take("buy_train_tickets", pairs(&[("people", "2"), ("day", "friday"), ("trainID", "x")]));
        state.take("book_taxi", pairs(&[("departure", "any")]));
        state.take("do_magic", pairs(&[("area", "west")]));
        state.take("query_taxis", pairs(&[("destination", "b")]));
        let expected = json!({
            "train-day": "monday", "train-leaveat": "9:00", "train-bookpeople": "2",
            "taxi-departure": "any", "taxi-destination": "b",
        });
        assert_eq!(Value::Object(state.slots().clone()), expected);
    }
}
