//! Which of the details that are open a reply settles.

use std::sync::Arc;

use serde_json::Value;

use super::reader;
use super::request::{Attribute, Conversation, Detail, Request};

/// The details of a conversation, of which some are settled.
#[derive(Clone, Debug)]
pub struct Settling {
    conversation: Arc<Conversation>,
    /// The places of those that are open, in order.
    open: Vec<usize>,
    /// The questions with their replies.
    said: Vec<(String, String)>,
    /// The detail that each reply has settled, if any.
    settled: Vec<Option<Attribute>>,
}

impl Settling {
    /// A conversation of which only the request was made.
    pub fn new(conversation: Arc<Conversation>) -> Self {
        Self { open: (0..conversation.details.len()).collect(), conversation, said: Vec::new(), settled: Vec::new() }
    }

    /// Hears a reply: the exact answer to a detail settles it, of equal ones the first; otherwise what it says, read in
    /// the light of the question, has to be the value of a detail.
    pub fn hear(&mut self, question: &str, reply: &str) {
        self.said.push((question.to_owned(), reply.to_owned()));
        let is_answer = |detail: &Detail| detail.answer == reply;
        let found = self.position(is_answer).or_else(|| {
            let after = reader::request(&self.conversation.query, &self.said);
            let said_before = self.said.split_last().map_or(&[][..], |(_, before)| before);
            let before = reader::request(&self.conversation.query, said_before);
            let topic = reader::about(question);
            self.position(|detail| {
                let attribute = detail.attribute;
                let (is_asked, wanted) = (topic == Some(attribute), wanted(detail));
                let [old, new, wanted_value] = [&before, &after, &wanted].map(|request| value(request, attribute));
                new == wanted_value && (is_asked || old != new)
                    || is_asked && names_cities(reply, attribute, &before, &wanted)
            })
        });
        let detail = found.map(|found| self.open.remove(found)).and_then(|index| self.conversation.details.get(index));
        self.settled.push(detail.map(|detail| detail.attribute));
    }

    /// The detail that each reply has settled, in order.
    pub fn settled(&self) -> &[Option<Attribute>] {
        &self.settled
    }

    /// The details that are open, in order.
    pub fn open(&self) -> impl Iterator<Item = &Detail> {
        let details = &self.conversation.details;
        self.open.iter().filter_map(|index| details.get(*index))
    }

    /// The first open detail that fits, by its position among those.
    fn position(&self, fits: impl Fn(&Detail) -> bool) -> Option<usize> {
        self.open().position(fits)
    }
}

/// The value of an attribute; the order of rooms and cuisines says nothing.
fn value(request: &Request, attribute: Attribute) -> Value {
    let mut value = request.get(attribute);
    if let (Attribute::Housing | Attribute::Cuisine, Value::Array(items)) = (attribute, &mut value) {
        items.sort_by_key(Value::to_string);
    }
    value
}

/// A request that knows nothing but a detail.
fn wanted(detail: &Detail) -> Request {
    let mut request = Request::default();
    // A value that does not fit is not wanted; rows with one are not loaded.
    let _ = request.apply(detail);
    request
}

/// Whether a reply names the cities that are wanted of this attribute and were not known before.
fn names_cities(reply: &str, attribute: Attribute, before: &Request, wanted: &Request) -> bool {
    let (known, wanted) = match attribute {
        Attribute::Origin => (Vec::new(), vec![wanted.origin.as_str()]),
        Attribute::Destination => (before.cities(), wanted.cities()),
        _ => return false,
    };
    let mut missing = wanted.iter().filter(|city| !known.contains(city)).peekable();
    missing.peek().is_some() && missing.all(|city| has_name(reply, city))
}

/// Whether a text has a name in it, and not only as a part of another word.
fn has_name(text: &str, name: &str) -> bool {
    let is_letter = |letter: Option<char>| letter.is_some_and(char::is_alphanumeric);
    text.match_indices(name).any(|(start, name)| {
        let before = text.get(..start).and_then(|before| before.chars().next_back());
        let after = text.get(start + name.len()..).and_then(|after| after.chars().next());
        !name.is_empty() && !is_letter(before) && !is_letter(after)
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::request::Operation;

    fn settling(details: &[(Attribute, Value, &str)]) -> Settling {
        let detail = |(attribute, value, answer): &(Attribute, Value, &str)| Detail {
            attribute: *attribute,
            operation: Operation::Replace,
            value: value.clone(),
            priority: 0.0,
            question: "?".to_owned(),
            answer: (*answer).to_owned(),
        };
        Settling::new(Arc::new(Conversation {
            id: "a".to_owned(),
            level: "easy".to_owned(),
            query: "Please plan a 5-day trip from Troy to Bath on day 1 and Rome on day 3 without flights.".to_owned(),
            request: Request::default(),
            details: details.iter().map(detail).collect(),
        }))
    }

    #[test]
    fn what_is_said_in_other_words_settles_what_it_means() {
        let stops = json!(["Bath on day 1", "Oslo on day 3"]);
        let mut settling = settling(&[
            (Attribute::Budget, json!(2700), "$2700."),
            (Attribute::Departure, json!("2022-03-16"), "March 16th."),
            (Attribute::Destination, stops, "Oslo."),
            (Attribute::Transportation, Value::Null, "Anything."),
            (Attribute::People, json!(2), "2."),
        ]);
        for (question, reply) in [
            ("What is your budget?", "Not too much."),
            ("What is your budget?", "Say 2,700 dollars at most."),
            ("When do you leave?", "On the 16th of March, 2022."),
            ("Which destination shall it be in place of Rome?", "Make that Oslo, please."),
            ("Would you take a flight after all?", "2."),
            ("Is any transportation fine?", "Any transportation is fine."),
        ] {
            settling.hear(question, reply);
        }
        let settled: Vec<Option<&str>> = settling.settled().iter().map(|one| one.map(Attribute::key)).collect();
        let expected =
            [None, Some("budget"), Some("departure_date"), Some("dest"), Some("people_number"), Some("transportation")];
        assert_eq!(settled, expected);
        assert_eq!(settling.open().count(), 0);
    }
}
