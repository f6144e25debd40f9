//! What is known of the user's wishes, as the calls of an agent tell it (spec section 3.1).

use serde_json::{Map, Value};

use super::api::Domain;

/// The slots of a state.
const SLOTS: &[&str] = &[
    "attraction-name",
    "attraction-type",
    "attraction-area",
    "hotel-name",
    "hotel-type",
    "hotel-parking",
    "hotel-area",
    "hotel-bookday",
    "hotel-bookstay",
    "hotel-internet",
    "hotel-bookpeople",
    "hotel-stars",
    "hotel-pricerange",
    "restaurant-name",
    "restaurant-food",
    "restaurant-area",
    "restaurant-bookday",
    "restaurant-booktime",
    "restaurant-bookpeople",
    "restaurant-pricerange",
    "taxi-arriveby",
    "taxi-departure",
    "taxi-leaveat",
    "taxi-destination",
    "train-arriveby",
    "train-day",
    "train-leaveat",
    "train-destination",
    "train-departure",
    "train-bookpeople",
];

/// The order in which the name of a call is searched for what it is about.
const DOMAINS: [Domain; 5] = [
    Domain::Attraction,
    Domain::Hotel,
    Domain::Restaurant,
    Domain::Taxi,
    Domain::Train,
];

/// What a call is about by its name: the last domain that the name has in it.
pub fn domain_of(call: &str) -> Option<Domain> {
    let mut domains = DOMAINS.into_iter().rev();
    domains.find(|domain| call.contains(domain.as_str()))
}

/// The state of a conversation: slots with their last values.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BeliefState(Map<String, Value>);

impl BeliefState {
    /// Takes the values of a call. Nothing is taken of one whose name says not what it is about.
    pub fn take<'c>(&mut self, call: &str, pairs: impl Iterator<Item = (&'c str, Value)>) {
        let Some(domain) = domain_of(call) else {
            return;
        };
        let books = call.contains("book") || call.contains("buy");
        for (key, value) in pairs {
            let is_booking =
                books && domain != Domain::Taxi && !key.contains("name") && !key.contains("ID");
            let book = if is_booking { "book" } else { "" };
            let slot = format!("{domain}-{book}{key}").to_lowercase();
            if SLOTS.contains(&&*slot) {
                self.0.insert(slot, value);
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
        let pairs = |texts: &'static [(&'static str, &'static str)]| {
            texts.iter().map(|(key, value)| (*key, json!(value)))
        };
        state.take(
            "query_trains",
            pairs(&[("day", "monday"), ("leaveAt", "9:00")]),
        );
        state.take(
            "buy_train_tickets",
            pairs(&[("people", "2"), ("day", "friday"), ("trainID", "x")]),
        );
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
