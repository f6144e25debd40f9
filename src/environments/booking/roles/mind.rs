//! Knowledge of a role: a fold over its view.

use std::collections::BTreeMap;

use super::results::{Outcome, outcome};
use super::topic::{Refusal, Topic};
use crate::api::{ANY, Api, Domain};
use crate::desk::Profile;
use crate::environment::request;
use crate::language::{
    Asked, Pair, Sentence, asked, domain, is_open, number, read, requested, sentences, slots_named, time,
};
use rolecall_core::domain::{Action, Message, Observation, PublicTask, Seat};
use rolecall_core::roles::Knowledge;
use rolecall_core::text::has_word;

/// Words that say yes.
const YES: &str = "yes yeah yep sure correct right ok okay please";
/// Words that ask for another one.
const OTHERS: &str = "another one, different one, something else, other one, try another";
/// Words that leave the choice to the agent.
const SETTLED: &str = "choose, pick, recommend, your choice, you decide, any of them, suggest";

/// The participants, and the notation of calls.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Setting {
    pub(super) profile: Profile,
    pub(super) has_user: bool,
}

/// Result of the last call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum News {
    Found,
    Booked,
    Refused,
}

/// The knowledge of a role.
#[derive(Clone, Debug, Default)]
pub(super) struct Mind {
    pub(super) setting: Setting,
    /// The domains mentioned so far.
    pub(super) topics: BTreeMap<Domain, Topic>,
    /// The present domain.
    pub(super) domain: Option<Domain>,
    /// The domains that the user mentioned last.
    pub(super) touched: Vec<Domain>,
    /// Slots that the user asked about.
    pub(super) requests: Vec<(Domain, &'static str)>,
    /// Results of the calls since the user spoke.
    news: Vec<(Domain, News)>,
    /// Calls since the user spoke.
    pub(super) calls: u32,
    /// Last question to the user.
    asked: Asked,
    /// A call that is not answered yet, with the slot that it leaves out.
    pending: Option<(Api, Option<&'static str>)>,
    /// The user has spoken.
    has_heard: bool,
}

impl Knowledge for Mind {
    fn fold(&mut self, message: &Message, _: &Seat) {
        match message {
            Message::Opened(opened) => {
                let profile = opened.task.data["profile"].as_str();
                self.setting = Setting {
                    profile: profile.and_then(Profile::named).unwrap_or_default(),
                    has_user: opened.user.is_some(),
                };
            }
            Message::Begun(_) => {
                *self = Self { setting: self.setting, ..Self::default() };
            }
            Message::Perform(action) => self.perform(action),
            Message::Observed(seen) => self.observe(seen),
            Message::Told(said) => self.tell(&said.text),
            Message::Replied(reply) if !reply.leaving => self.hear(&reply.text),
            _ => {}
        }
    }

    fn problem(&self, task: Option<&PublicTask>) -> Option<&'static str> {
        let is_own = task.is_some_and(|task| task.data["profile"].is_string());
        (!is_own).then_some("this role plays tasks of booking only")
    }
}

impl Mind {
    /// Whether a call since the user spoke had this result.
    pub(super) fn has(&self, domain: Domain, news: News) -> bool {
        self.news.contains(&(domain, news))
    }

    fn topic(&mut self, domain: Domain) -> &mut Topic {
        self.topics.entry(domain).or_insert_with(|| Topic::new(domain))
    }

    fn perform(&mut self, action: &Action) {
        self.calls += 1;
        let Some(api) = Api::named(request(&action.text).name) else {
            return;
        };
        let topic = self.topic(api.domain());
        let widened = topic.widening().filter(|_| !api.books());
        if !api.books() && widened.is_none() {
            topic.search.query = Some(topic.info());
            topic.search.widened.clear();
            topic.search.more = false;
        }
        self.pending = Some((api, widened));
    }

    fn observe(&mut self, seen: &Observation) {
        if !self.has_heard {
            self.has_heard = true;
            return self.hear(&seen.text);
        }
        let Some((api, widened)) = self.pending.take() else {
            return;
        };
        let topic = self.topic(api.domain());
        let search = &mut topic.search;
        let news = match (outcome(seen), widened) {
            (Outcome::Booked(row), _) => {
                (topic.booked, topic.refused) = (Some(row), None);
                News::Booked
            }
            (Outcome::Found(found, _), Some(slot)) => {
                search.widened.push((slot, found));
                News::Found
            }
            (Outcome::Refused(_), Some(slot)) => {
                search.widened.push((slot, Vec::new()));
                News::Found
            }
            (Outcome::Found(found, more), None) => {
                (search.found, search.more) = (found, more);
                search.told.clear();
                News::Found
            }
            (Outcome::Refused(why), None) => {
                let books = api.books();
                if !books {
                    search.found.clear();
                }
                topic.refused = Some(Refusal { why, books });
                News::Refused
            }
        };
        self.news.push((api.domain(), news));
    }

    /// Notes a text of the agent.
    fn tell(&mut self, text: &str) {
        self.calls = 0;
        self.news.clear();
        self.requests.clear();
        let Some(domain) = self.domain else {
            return;
        };
        self.asked = asked(&sentences(text), domain);
        for search in self.topics.values_mut().map(|topic| &mut topic.search) {
            let told =
                search.found.iter().map(|found| found.name()).filter(|name| !name.is_empty() && text.contains(name));
            search.told.extend(told.map(str::to_owned));
        }
        let slots = self.asked.slots.clone();
        self.topic(domain).asked.extend(slots);
    }

    /// Notes a text of the user.
    fn hear(&mut self, text: &str) {
        self.touched.clear();
        self.requests.clear();
        self.news.clear();
        self.calls = 0;
        for sentence in sentences(text) {
            self.domain = domain(&sentence, self.domain).or(self.domain);
            let Some(domain) = self.domain else {
                continue;
            };
            if !self.touched.contains(&domain) {
                self.touched.push(domain);
            }
            self.take(&sentence, domain);
        }
        self.asked = Asked::default();
    }

    /// Takes the values that a sentence gives for a domain.
    fn take(&mut self, sentence: &Sentence, domain: Domain) {
        let wanted = requested(sentence, domain);
        self.requests.extend(wanted.iter().map(|slot| (domain, *slot)));
        let mut pairs = read(sentence, domain);
        pairs.retain(|(slot, _)| !wanted.contains(slot));
        let resolved = self.resolved(&mut pairs);
        let Asked { slots, confirms, .. } = self.asked.clone();
        let topic = self.topic(domain);
        if pairs.is_empty() && wanted.is_empty() {
            let bare = |slot: &&'static str| Some((*slot, bare(sentence, slot, domain)?));
            pairs.extend(slots.iter().filter_map(bare));
        }
        if is_open(sentence) {
            leave_open(topic, sentence, &slots, &mut pairs);
        }
        // A slot may get two values; the first is the wish (`a hotel, not ...`).
        for (slot, value) in pairs.iter().rev() {
            topic.learn(slot, value);
        }
        topic.inferred.extend(resolved);
        if pairs.is_empty() {
            choose_by_name(topic, sentence);
        }
        let is_sure = pairs.iter().all(|(slot, _)| !topic.inferred.contains(slot));
        if confirms && is_sure && has_word(YES, sentence.word(0)) {
            topic.confirmed = true;
            topic.inferred.clear();
        }
        decide_what_to_do(topic, sentence);
    }

    /// Replaces references (`the hotel`) by names; gives the slots.
    fn resolved(&self, pairs: &mut [Pair]) -> Vec<&'static str> {
        let mut resolved = Vec::new();
        for (slot, value) in pairs {
            let mut articles = ["the ", "my ", "that "].iter();
            let domain = match articles.find_map(|article| value.strip_prefix(article)).unwrap_or(value) {
                "guesthouse" | "guest house" => Some(Domain::Hotel),
                word => Domain::named(word),
            };
            let is_way = matches!(*slot, "departure" | "destination");
            if let Some(name) = domain.filter(|_| is_way).and_then(|domain| self.place(domain)) {
                *value = name.to_owned();
                resolved.push(*slot);
            }
        }
        resolved
    }

    /// The venue of a domain that was found or booked.
    fn place(&self, domain: Domain) -> Option<&str> {
        let topic = self.topics.get(&domain)?;
        topic.choice().map(|found| found.name()).or_else(|| topic.slots.get("name"))
    }

    /// A value of another booking (`people`, `day`).
    pub(super) fn carried(&self, slot: &str, except: Domain) -> Option<&str> {
        self.topics.values().filter(|topic| topic.domain != except).find_map(|topic| topic.slots.get(slot))
    }
}

/// Notes slots that do not matter: those that a sentence names, else those asked for.
fn leave_open(topic: &mut Topic, sentence: &Sentence, asked: &[&'static str], pairs: &mut Vec<Pair>) {
    let mut free = slots_named(sentence, topic.domain);
    if free.is_empty() {
        free.extend(asked);
    }
    // `Any parking is fine` names a facility without wanting it.
    pairs.retain(|(slot, _)| !(matches!(*slot, "internet" | "parking") && free.contains(slot)));
    let is_short = sentence.words.len() < 12;
    for slot in free {
        if !pairs.iter().any(|(said, _)| *said == slot) && (is_short || topic.slots.get(slot).is_none()) {
            topic.learn(slot, ANY);
        }
    }
}

/// Chooses the venue that a sentence names from those found.
fn choose_by_name(topic: &mut Topic, sentence: &Sentence) {
    let wanted = topic.slots.get("name");
    let names = topic.search.found.iter().map(|found| found.name());
    let mut small = names.clone().map(str::to_lowercase);
    let is_meant = |name: &String| !name.is_empty() && sentence.has(name) && wanted != Some(name);
    if topic.domain != Domain::Train
        && let Some(meant) = small.find(is_meant)
    {
        topic.search.rejected = names.filter(|name| name.to_lowercase() != meant).map(str::to_owned).collect();
    }
}

/// Takes the user's answer to an offer: to book it, to look for another, to leave the choice.
fn decide_what_to_do(topic: &mut Topic, sentence: &Sentence) {
    let stems = ["book", "reserv"].iter().any(|stem| sentence.has_stem(stem));
    let is_plea = !sentence.asks || sentence.has_any("can you, could you, please");
    if is_plea && (stems || sentence.has_any("buy, tickets")) {
        topic.books = !sentence.negated(sentence.words.len()) || topic.domain == Domain::Taxi;
    }
    if sentence.has_any(OTHERS) {
        let name = topic.choice().map(|found| found.name().to_owned());
        topic.search.rejected.extend(name);
        (topic.refused, topic.confirmed) = (None, false);
    }
    topic.says_hotel |= sentence.has_any("hotel, hotels");
    topic.settled |= sentence.has_any(SETTLED);
}

/// Value that a few words give for a requested slot.
fn bare(sentence: &Sentence, slot: &str, domain: Domain) -> Option<String> {
    let words = &sentence.words;
    if words.len() > 6 || words.is_empty() {
        return None;
    }
    let any = |of: &[&str]| of.iter().find(|value| sentence.has(value)).map(|value| (*value).to_owned());
    match slot {
        "people" | "stay" | "stars" => {
            let count = words.iter().find_map(|word| number(word))?;
            Some(count.to_string())
        }
        "time" | "leaveAt" | "arriveBy" => (0..words.len()).find_map(|place| time(sentence, place)),
        "internet" | "parking" => any(&["yes", "no"]),
        "type" if domain == Domain::Hotel => any(&["hotel"]),
        "food" | "name" | "departure" | "destination" => {
            let is_other = has_word("yes no i please thank thanks what", sentence.word(0));
            let is_name = words.len() <= 4 && !is_other && !is_open(sentence);
            is_name.then(|| words.join(" "))
        }
        _ => any(domain.values(slot)?),
    }
}
