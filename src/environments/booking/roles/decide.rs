//! What a role does next: a call, or words for the user.

use super::calls::{book, query};
use super::mind::{Mind, News};
use super::talk;
use super::topic::{Slots, Topic};
use crate::environments::booking::api::Domain;

/// The most calls before a reply; the strategy may allow fewer.
const CALLS: u32 = 5;

/// The next step.
#[derive(Clone, Debug, Default)]
pub(super) struct Step {
    /// The call that is due, if one is.
    pub(super) action: Option<String>,
    /// The words for the user.
    pub(super) text: String,
    /// Why.
    pub(super) thought: String,
}

/// The next step. Who `asks` confirms what it assumes and asks for what is missing; who does not assumes and acts.
pub(super) fn next(mind: &Mind, asks: bool, may_act: bool) -> Step {
    let touched: &[Domain] = match (&mind.touched[..], &mind.domain) {
        ([], Some(domain)) => std::slice::from_ref(domain),
        (touched, _) => touched,
    };
    let topics: Vec<&Topic> = touched
        .iter()
        .filter_map(|domain| mind.topic(*domain))
        .collect();
    if may_act && mind.calls < CALLS {
        for topic in &topics {
            if let Some((action, thought)) = due(mind, topic, asks) {
                return Step {
                    action: Some(action),
                    text: String::new(),
                    thought,
                };
            }
        }
    }
    let parts = topics.iter().map(|topic| reply(mind, topic, asks));
    let parts: Vec<String> = parts.filter(|part| !part.is_empty()).collect();
    let (text, thought) = match (parts.is_empty(), topics.is_empty()) {
        (_, true) => (
            talk::WHAT.to_owned(),
            "I do not know yet what the user is looking for.",
        ),
        (true, _) => (talk::MORE.to_owned(), "Nothing is left to do."),
        (false, _) => (parts.join(" "), "The user has to hear this."),
    };
    Step {
        action: None,
        text,
        thought: thought.to_owned(),
    }
}

/// The call that is due in a topic, and why.
fn due(mind: &Mind, topic: &Topic, asks: bool) -> Option<(String, String)> {
    let profile = mind.setting.profile;
    let domain = topic.domain;
    let info = info(topic, asks);
    let is_refused = mind.news.contains(&(domain, News::Refused));
    if domain != Domain::Taxi && !is_refused {
        let is_stale = topic.query.as_ref() != Some(&topic.info());
        if is_stale && lacking(topic, asks).is_empty() {
            return Some((
                query(profile, domain, &info)?,
                format!("I look for the {domain}."),
            ));
        }
        // Nothing was found: what is there without one of the wishes?
        let tries = topic.widened.len();
        let is_tried = topic.widened.iter().any(|(_, found)| !found.is_empty());
        let wishes = topic.info();
        let has_news = mind.news.contains(&(domain, News::Found));
        let widens = asks
            && has_news
            && !is_stale
            && topic.found.is_empty()
            && !is_tried
            && mind.calls + 1 < CALLS;
        if let Some((slot, _)) = wishes
            .iter()
            .nth(tries)
            .filter(|_| widens && wishes.iter().count() > 1)
        {
            let call = query(profile, domain, &wishes.without(slot))?;
            return Some((
                call,
                format!("There is none. I look for one whatever its {slot}."),
            ));
        }
    }
    if !topic.books || topic.booked.is_some() || topic.refused.is_some() {
        return None;
    }
    let slots = booking(mind, topic, asks);
    let is_complete = topic.due().iter().all(|slot| slots.get(slot).is_some())
        && (domain != Domain::Taxi || has_time(&slots));
    if !is_complete || asks && !topic.confirmed {
        return None;
    }
    let name = match domain {
        Domain::Taxi => String::new(),
        _ => topic.choice()?.name().to_owned(),
    };
    Some((
        book(profile, domain, &name, &slots)?,
        format!("I have what I need to book the {domain}."),
    ))
}

/// What is looked for. Who does not ask takes a hotel for one of that type.
fn info(topic: &Topic, asks: bool) -> Slots {
    let mut info = topic.info();
    if !asks
        && topic.says_hotel
        && topic.domain == Domain::Hotel
        && !topic.slots.knows("type")
        && topic.slots.get("name").is_none()
    {
        info.set("type", "hotel");
    }
    info
}

/// The values for a booking. Who does not ask fills in what is missing: as in other bookings, or anything.
pub(super) fn booking(mind: &Mind, topic: &Topic, asks: bool) -> Slots {
    let mut slots = topic.slots.clone();
    if asks {
        return slots;
    }
    for slot in topic.due() {
        let usual = match *slot {
            "people" | "stay" => "1",
            "day" => "monday",
            "time" => "12:00",
            _ => continue,
        };
        if slots.get(slot).is_none() {
            let value = mind.carried(slot, topic.domain).unwrap_or(usual).to_owned();
            slots.set(slot, &value);
        }
    }
    if topic.domain == Domain::Taxi && !has_time(&slots) {
        slots.set("leaveAt", "12:00");
    }
    slots
}

/// Whether it is known when a ride leaves or arrives.
fn has_time(slots: &Slots) -> bool {
    ["leaveAt", "arriveBy"]
        .iter()
        .any(|slot| slots.get(slot).is_some())
}

/// What the user has to say yet before a booking.
fn unsaid(topic: &Topic) -> Vec<&'static str> {
    let mut unsaid = topic.due().to_vec();
    unsaid.retain(|slot| topic.slots.get(slot).is_none());
    if topic.domain == Domain::Taxi && !has_time(&topic.slots) {
        unsaid.extend(["leaveAt", "arriveBy"]);
    }
    unsaid
}

/// What has to be known before anything can be looked for. Who does not ask looks at once.
fn lacking(topic: &Topic, asks: bool) -> Vec<&'static str> {
    let missing = |slots: &[&'static str]| -> Vec<&'static str> {
        let open = slots.iter().filter(|slot| !topic.slots.knows(slot));
        open.copied().collect()
    };
    match topic.domain {
        Domain::Taxi => Vec::new(),
        Domain::Train if topic.slots.get("trainID").is_some() => Vec::new(),
        Domain::Train if asks => {
            let mut slots = missing(&["departure", "destination", "day"]);
            if missing(&["leaveAt", "arriveBy"]).len() == 2 {
                slots.extend(["leaveAt", "arriveBy"]);
            }
            slots.retain(|slot| {
                !topic.asked.contains(slot) || matches!(*slot, "departure" | "destination" | "day")
            });
            slots
        }
        Domain::Train => Vec::new(),
        _ if !asks || topic.slots.get("name").is_some() || topic.query.is_some() => Vec::new(),
        _ if topic.info().iter().next().is_some() || topic.settled => Vec::new(),
        domain => {
            let mut slots = missing(match domain {
                Domain::Attraction => &["type", "name", "area"],
                Domain::Restaurant => &["food", "area", "pricerange"],
                _ => &["area", "pricerange", "type"],
            });
            slots.retain(|slot| !topic.asked.contains(slot));
            slots
        }
    }
}

/// What the user is told about a topic; nothing if there is nothing to say.
fn reply(mind: &Mind, topic: &Topic, asks: bool) -> String {
    let domain = topic.domain;
    let is_new = |news: News| mind.news.contains(&(domain, news));
    let mut parts: Vec<String> = Vec::new();
    let lacking = lacking(topic, asks);
    let is_looked_for = topic.query.is_some() && lacking.is_empty();
    if is_new(News::Booked) {
        parts.push(talk::booked(topic, &booking(mind, topic, asks)));
    } else if is_new(News::Refused) {
        return talk::refused(topic, asks);
    } else if domain != Domain::Taxi && !is_looked_for {
        return match lacking.is_empty() {
            true => String::new(),
            false => talk::asks_for(domain, &lacking),
        };
    } else if domain != Domain::Taxi && topic.choice().is_none() {
        return talk::nothing(topic, &info(topic, asks), asks);
    }
    let own = mind.requests.iter().filter(|(own, _)| *own == domain);
    let requests: Vec<&str> = own.map(|(_, slot)| *slot).collect();
    let name = topic.choice().map_or("", |found| found.name());
    let is_told = topic.told.iter().any(|told| told == name);
    if domain != Domain::Taxi && !is_told && !is_new(News::Booked) {
        if asks && requests.is_empty() && !topic.books {
            let narrowing = topic.narrowing();
            if !narrowing.is_empty() {
                return talk::narrows(topic, narrowing.get(..3).unwrap_or(&narrowing));
            }
        }
        parts.push(talk::offer(topic));
    }
    if !requests.is_empty() {
        parts.push(talk::tells(topic, &requests));
    }
    let offers = asks && !is_told && requests.is_empty();
    parts.extend(about_booking(topic, offers).or_else(|| {
        let is_done = asks && is_new(News::Booked);
        is_done.then(|| talk::MORE.to_owned())
    }));
    parts.retain(|part| !part.is_empty());
    parts.join(" ")
}

/// What the user is asked for a booking that is not made yet; who `offers` one asks whether it is wanted.
fn about_booking(topic: &Topic, offers: bool) -> Option<String> {
    if topic.booked.is_some() || topic.refused.is_some() {
        return None;
    }
    if !topic.books {
        return (offers && !topic.due().is_empty()).then(|| talk::BOOK.to_owned());
    }
    let unsaid = unsaid(topic);
    Some(match unsaid.is_empty() {
        true => talk::confirms(topic),
        false => talk::asks_for(topic.domain, &unsaid),
    })
}
