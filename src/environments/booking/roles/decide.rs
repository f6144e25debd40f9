//! Next move of a role: a call, or words for the user.

use super::calls::{book, query};
use super::mind::{Mind, News};
use super::talk;
use super::topic::{Slots, Topic};
use crate::api::Domain;

/// The most calls before a reply; the strategy may allow fewer.
const CALLS: u32 = 5;

/// The next step.
#[derive(Clone, Debug, Default)]
pub(super) struct Step {
    /// The call that is due, if one is.
    pub(super) action: Option<String>,
    /// The words for the user.
    pub(super) text: String,
    /// The reason.
    pub(super) thought: String,
}

/// The next step. A role that `asks` confirms its assumptions and asks for missing slots; one that does not assumes and
/// acts.
pub(super) fn next(mind: &Mind, asks: bool, may_act: bool) -> Step {
    let domains = if mind.touched.is_empty() { mind.domain.as_slice() } else { &mind.touched };
    let topics: Vec<&Topic> = domains.iter().filter_map(|domain| mind.topics.get(domain)).collect();
    let mut due = topics.iter().filter_map(|topic| due(mind, topic, asks));
    if may_act
        && mind.calls < CALLS
        && let Some((call, thought)) = due.next()
    {
        return Step { action: Some(call), text: String::new(), thought };
    }
    let parts: Vec<String> =
        topics.iter().map(|topic| reply(mind, topic, asks)).filter(|part| !part.is_empty()).collect();
    let text = parts.join(" ");
    let (text, thought) = match text.as_str() {
        _ if topics.is_empty() => (talk::WHAT, "I do not know yet what the user is looking for."),
        "" => (talk::MORE, "Nothing is left to do."),
        text => (text, "The user has to hear this."),
    };
    Step { action: None, text: text.to_owned(), thought: thought.to_owned() }
}

/// The call that is due in a topic, and why.
fn due(mind: &Mind, topic: &Topic, asks: bool) -> Option<(String, String)> {
    let (profile, domain) = (mind.setting.profile, topic.domain);
    if domain != Domain::Taxi && !mind.has(domain, News::Refused) {
        let wishes = topic.info();
        let is_stale = topic.search.query.as_ref() != Some(&wishes);
        if is_stale && lacking(topic, asks).is_empty() {
            let call = query(profile, domain, &info(topic, asks))?;
            return Some((call, format!("I look for the {domain}.")));
        }
        // Nothing was found: what is there without one of the wishes?
        let is_found = topic.search.widened.iter().any(|(_, found)| !found.is_empty());
        let widens = asks && !is_found && mind.has(domain, News::Found) && mind.calls + 1 < CALLS;
        if let Some(slot) = topic.widening().filter(|_| widens && wishes.iter().count() > 1) {
            let call = query(profile, domain, &wishes.only(|other| other != slot))?;
            return Some((call, format!("There is none. I look for one whatever its {slot}.")));
        }
    }
    if !topic.books || topic.booked.is_some() || topic.refused.is_some() {
        return None;
    }
    let slots = booking(mind, topic, asks);
    let is_complete =
        topic.due().iter().all(|slot| slots.get(slot).is_some()) && (domain != Domain::Taxi || slots.has_time());
    if !is_complete || asks && !topic.confirmed {
        return None;
    }
    let name = match domain {
        Domain::Taxi => "",
        _ => topic.choice()?.name(),
    };
    let call = book(profile, domain, name, &slots)?;
    Some((call, format!("I have what I need to book the {domain}.")))
}

/// Constraints of a search. A role that does not ask takes a hotel for one of that type.
fn info(topic: &Topic, asks: bool) -> Slots {
    let mut info = topic.info();
    let is_vague = topic.domain == Domain::Hotel && !topic.slots.knows("type") && info.get("name").is_none();
    if !asks && topic.says_hotel && is_vague {
        info.set("type", "hotel");
    }
    info
}

/// The values for a booking. A role that does not ask fills the gaps from other bookings, or with a default.
fn booking(mind: &Mind, topic: &Topic, asks: bool) -> Slots {
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
            slots.set(slot, mind.carried(slot, topic.domain).unwrap_or(usual));
        }
    }
    if topic.domain == Domain::Taxi && !slots.has_time() {
        slots.set("leaveAt", "12:00");
    }
    slots
}

/// Slots that the user still has to give before a booking.
fn unsaid(topic: &Topic) -> Vec<&'static str> {
    let mut unsaid = topic.due().to_vec();
    unsaid.retain(|slot| topic.slots.get(slot).is_none());
    if topic.domain == Domain::Taxi && !topic.slots.has_time() {
        unsaid.extend(["leaveAt", "arriveBy"]);
    }
    unsaid
}

/// Slots that a search still needs. A role that does not ask searches at once.
fn lacking(topic: &Topic, asks: bool) -> Vec<&'static str> {
    let slots = &topic.slots;
    let is_open = |slot: &&'static str| !slots.knows(slot);
    let is_unasked = |slot: &&'static str| is_open(slot) && !topic.asked.contains(slot);
    let is_known = match topic.domain {
        Domain::Taxi => true,
        Domain::Train => slots.get("trainID").is_some(),
        _ => topic.settled || topic.search.query.is_some() || topic.info().iter().next().is_some(),
    };
    let open: &[&str] = match topic.domain {
        _ if is_known || !asks => &[],
        Domain::Attraction => &["type", "name", "area"],
        Domain::Restaurant => &["food", "area", "pricerange"],
        Domain::Hotel => &["area", "pricerange", "type"],
        Domain::Train | Domain::Taxi => {
            let way = ["departure", "destination", "day"].into_iter().filter(is_open);
            let is_timed = slots.knows("leaveAt") || slots.knows("arriveBy");
            let times = ["leaveAt", "arriveBy"].into_iter().filter(is_unasked);
            return way.chain(times.filter(|_| !is_timed)).collect();
        }
    };
    open.iter().copied().filter(is_unasked).collect()
}

/// Reply about a topic; empty if there is nothing to say.
fn reply(mind: &Mind, topic: &Topic, asks: bool) -> String {
    let domain = topic.domain;
    let is_booked = mind.has(domain, News::Booked);
    let lacking = lacking(topic, asks);
    let mut parts: Vec<String> = Vec::new();
    if is_booked {
        parts.push(talk::booked(topic, &booking(mind, topic, asks)));
    } else if mind.has(domain, News::Refused) {
        return talk::refused(topic, asks);
    } else if domain != Domain::Taxi {
        match (lacking.is_empty(), topic.search.query.is_some(), topic.choice()) {
            (false, ..) => return talk::asks_for(domain, &lacking),
            (true, false, _) => return String::new(),
            (true, true, None) => return talk::nothing(topic, &info(topic, asks), asks),
            (true, true, Some(_)) => {}
        }
    }
    let requests: Vec<&str> =
        mind.requests.iter().filter(|(about, _)| *about == domain).map(|(_, slot)| *slot).collect();
    let is_told = topic.search.told.iter().any(|told| told == topic.chosen());
    if domain != Domain::Taxi && !is_told && !is_booked {
        let narrowing = topic.narrowing();
        if asks && requests.is_empty() && !topic.books && !narrowing.is_empty() {
            return talk::narrows(topic, &narrowing);
        }
        parts.push(talk::offer(topic));
    }
    if !requests.is_empty() {
        parts.push(talk::tells(topic, &requests));
    }
    let offers = asks && !is_told && requests.is_empty();
    let more = || (asks && is_booked).then(|| talk::MORE.to_owned());
    parts.extend(about_booking(topic, offers).or_else(more));
    parts.retain(|part| !part.is_empty());
    parts.join(" ")
}

/// Question about a booking that is not made yet; who `offers` one asks whether it is wanted.
fn about_booking(topic: &Topic, offers: bool) -> Option<String> {
    let unsaid = unsaid(topic);
    match topic.books {
        _ if topic.booked.is_some() || topic.refused.is_some() => None,
        false => (offers && !topic.due().is_empty()).then(|| talk::BOOK.to_owned()),
        true if unsaid.is_empty() => Some(talk::confirms(topic)),
        true => Some(talk::asks_for(topic.domain, &unsaid)),
    }
}
