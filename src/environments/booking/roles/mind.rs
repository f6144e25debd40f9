//! What a role knows: a fold over its view.

use super::results::{Outcome, outcome};
use super::topic::Topic;
use crate::domain::{Action, Message, Observation, Opened, PublicTask};
use crate::environments::booking::api::{ANY, Api, Domain};
use crate::environments::booking::desk::Profile;
use crate::environments::booking::environment::request;
use crate::environments::booking::language::{
    Sentence, asked, domain, is_open, number, read, requested, sentences, slots_named, time,
};
use crate::ports::{RoleError, Turn};

/// Who takes part, and how calls are written.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Setting {
    pub(super) profile: Profile,
    pub(super) has_user: bool,
}

/// What came of the last call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum News {
    Found,
    Booked,
    Refused,
}

/// The knowledge of a role.
#[derive(Clone, Debug)]
pub(super) struct Mind {
    /// Events before this position are folded.
    folded: usize,
    pub(super) setting: Setting,
    pub(super) topics: Vec<Topic>,
    /// The domain that is spoken of.
    pub(super) domain: Option<Domain>,
    /// The domains that the user spoke of last.
    pub(super) touched: Vec<Domain>,
    /// What the user wants to know.
    pub(super) requests: Vec<(Domain, &'static str)>,
    /// What came of the calls since the user spoke.
    pub(super) news: Vec<(Domain, News)>,
    /// Calls since the user spoke.
    pub(super) calls: u32,
    /// The domain and slots that the user was asked for last, and whether something was to be confirmed.
    asked: (Vec<&'static str>, bool),
    /// A call that was made and not answered yet.
    pending: Option<(Api, Option<&'static str>)>,
    /// The user has spoken.
    has_heard: bool,
}

impl Default for Mind {
    fn default() -> Self {
        Self {
            folded: 0,
            setting: Setting::default(),
            topics: Domain::ALL.into_iter().map(Topic::new).collect(),
            domain: None,
            touched: Vec::new(),
            requests: Vec::new(),
            news: Vec::new(),
            calls: 0,
            asked: (Vec::new(), false),
            pending: None,
            has_heard: false,
        }
    }
}

impl Mind {
    /// Takes note of what is new.
    ///
    /// # Errors
    /// When the task is none of booking.
    pub(super) fn catch_up(&mut self, turn: &Turn) -> Result<(), RoleError> {
        for event in turn.view.starting_at(self.folded) {
            self.fold(&event.message);
        }
        self.folded = turn.view.end();
        let is_own = |task: &PublicTask| task.data["profile"].is_string();
        match turn.task().is_some_and(is_own) {
            true => Ok(()),
            false => Err(RoleError::Failed(
                "this role plays tasks of booking only".to_owned(),
            )),
        }
    }

    pub(super) fn fold(&mut self, message: &Message) {
        match message {
            Message::Opened(opened) => self.setting = Setting::of(opened),
            Message::Begun(_) => {
                *self = Self {
                    setting: self.setting,
                    ..Self::default()
                };
            }
            Message::Perform(action) => self.perform(action),
            Message::Observed(seen) => self.observe(seen),
            Message::Told(said) => self.tell(&said.text),
            Message::Replied(reply) if !reply.leaving => self.hear(&reply.text),
            _ => {}
        }
    }

    pub(super) fn topic(&self, domain: Domain) -> Option<&Topic> {
        self.topics.iter().find(|topic| topic.domain == domain)
    }

    fn topic_mut(&mut self, domain: Domain) -> Option<&mut Topic> {
        self.topics.iter_mut().find(|topic| topic.domain == domain)
    }

    fn perform(&mut self, action: &Action) {
        let request = request(&action.text);
        self.calls += 1;
        let Some(api) = Api::named(request.name) else {
            return;
        };
        let domain = api.domain();
        let Some(topic) = self.topic_mut(domain) else {
            return;
        };
        let mut widened = None;
        if !api.books() {
            let info = topic.info();
            let failed = topic.query.as_ref() == Some(&info) && topic.found.is_empty();
            widened = failed
                .then(|| info.iter().nth(topic.widened.len()))
                .flatten()
                .map(|(slot, _)| slot);
            if widened.is_none() {
                topic.query = Some(info);
                topic.widened.clear();
                topic.more = false;
            }
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
        let domain = api.domain();
        let Some(topic) = self.topic_mut(domain) else {
            return;
        };
        let news = match (outcome(seen), widened) {
            (Outcome::Booked(row), _) => {
                (topic.booked, topic.refused) = (Some(row), None);
                News::Booked
            }
            (Outcome::Found(found, _), Some(slot)) => {
                topic.widened.push((slot, found));
                News::Found
            }
            (Outcome::Refused(_), Some(slot)) => {
                topic.widened.push((slot, Vec::new()));
                News::Found
            }
            (Outcome::Found(found, more), None) => {
                (topic.found, topic.more) = (found, more);
                topic.told.clear();
                News::Found
            }
            (Outcome::Refused(why), None) => {
                if !api.books() {
                    topic.found.clear();
                }
                topic.refused_books = api.books();
                topic.refused = Some(why);
                News::Refused
            }
        };
        self.news.push((domain, news));
    }

    fn tell(&mut self, text: &str) {
        let read = sentences(text);
        self.calls = 0;
        self.news.clear();
        self.requests.clear();
        let Some(domain) = self.domain else {
            return;
        };
        let question = asked(&read, domain);
        self.asked = (question.slots.clone(), question.confirms);
        for topic in &mut self.topics {
            let names = topic.found.iter().map(|found| found.name().to_owned());
            let told: Vec<String> = names
                .filter(|name| !name.is_empty() && text.contains(name.as_str()))
                .collect();
            topic.told.extend(told);
        }
        if let Some(topic) = self.topic_mut(domain) {
            topic.asked.extend(question.slots);
        }
    }

    /// What the user says.
    fn hear(&mut self, text: &str) {
        self.touched.clear();
        self.requests.clear();
        (self.calls, self.news) = (0, Vec::new());
        for sentence in sentences(text) {
            let spoken = domain(&sentence, self.domain).or(self.domain);
            let Some(domain) = spoken else {
                continue;
            };
            self.domain = Some(domain);
            if !self.touched.contains(&domain) {
                self.touched.push(domain);
            }
            self.take(&sentence, domain);
        }
        self.asked = (Vec::new(), false);
    }

    /// What a sentence says of a domain.
    fn take(&mut self, sentence: &Sentence, domain: Domain) {
        let wanted = requested(sentence, domain);
        self.requests
            .extend(wanted.iter().map(|slot| (domain, *slot)));
        let mut pairs = read(sentence, domain);
        pairs.retain(|(slot, _)| !wanted.contains(slot));
        let resolved = self.resolved(&mut pairs);
        let (slots, confirms) = self.asked.clone();
        let Some(topic) = self.topic_mut(domain) else {
            return;
        };
        let named = topic
            .found
            .iter()
            .map(|found| found.name().to_lowercase())
            .find(|name| {
                let is_meant = domain != Domain::Train && !name.is_empty() && sentence.has(name);
                is_meant && topic.slots.get("name") != Some(name)
            });
        if pairs.is_empty() && wanted.is_empty() {
            let bare = slots
                .iter()
                .filter_map(|slot| Some((*slot, bare(sentence, slot, domain)?)));
            pairs.extend(bare);
        }
        if is_open(sentence) {
            leave_open(topic, sentence, &slots, &mut pairs);
        }
        // A slot may be said to be two things; the first is what is wanted (`a hotel, not ...`).
        pairs.reverse();
        for (slot, value) in &pairs {
            topic.learn(slot, value);
        }
        topic.inferred.extend(resolved);
        if let Some(name) = named.filter(|_| pairs.is_empty()) {
            let others = topic.found.iter().map(|found| found.name().to_owned());
            topic.rejected = others
                .filter(|other| other.to_lowercase() != name)
                .collect();
        }
        if confirms
            && is_yes(sentence)
            && pairs.iter().all(|(slot, _)| !topic.inferred.contains(slot))
        {
            topic.confirmed = true;
            topic.inferred.clear();
        }
        decide_what_to_do(topic, sentence);
    }

    /// Puts names in place of what stands for them (`the hotel`); the slots that were so.
    fn resolved(&self, pairs: &mut [(&'static str, String)]) -> Vec<&'static str> {
        let mut resolved = Vec::new();
        let ways = pairs
            .iter_mut()
            .filter(|(slot, _)| matches!(*slot, "departure" | "destination"));
        for (slot, value) in ways {
            let place = ["the ", "my ", "that "]
                .iter()
                .find_map(|article| value.strip_prefix(article));
            let place = match place.unwrap_or(value) {
                "guesthouse" | "guest house" => Some(Domain::Hotel),
                word => Domain::named(word),
            };
            if let Some(name) = place.and_then(|domain| self.place(domain)) {
                *value = name;
                resolved.push(*slot);
            }
        }
        resolved
    }

    /// The venue that was found or booked of a domain.
    pub(super) fn place(&self, domain: Domain) -> Option<String> {
        let topic = self.topic(domain)?;
        let name = topic.choice().map(|found| found.name());
        name.or_else(|| topic.slots.get("name")).map(str::to_owned)
    }

    /// A value of another booking (`people`, `day`).
    pub(super) fn carried(&self, slot: &str, except: Domain) -> Option<&str> {
        let others = self.topics.iter().filter(|topic| topic.domain != except);
        others.filter_map(|topic| topic.slots.get(slot)).next()
    }
}

/// Takes what a sentence says does not matter: what it names, else what was asked for.
fn leave_open(
    topic: &mut Topic,
    sentence: &Sentence,
    asked: &[&'static str],
    pairs: &mut Vec<(&'static str, String)>,
) {
    let mut free = slots_named(sentence, topic.domain);
    if free.is_empty() {
        free.extend(asked);
    }
    // `Any parking is fine` names what it does not want.
    pairs.retain(|(slot, _)| !(matches!(*slot, "internet" | "parking") && free.contains(slot)));
    for slot in free {
        let is_short = sentence.words.len() < 12;
        let is_said = pairs.iter().any(|(own, _)| *own == slot);
        if !is_said && (is_short || topic.slots.get(slot).is_none()) {
            topic.learn(slot, ANY);
        }
    }
}

/// Whether a sentence begins with a yes.
fn is_yes(sentence: &Sentence) -> bool {
    matches!(
        sentence.word(0),
        "yes" | "yeah" | "yep" | "sure" | "correct" | "right" | "ok" | "okay" | "please"
    )
}

/// Takes what is to be done with what was found: to book it, to look for another, to choose one.
fn decide_what_to_do(topic: &mut Topic, sentence: &Sentence) {
    #[rustfmt::skip]
    const OTHERS: &[&str] =
        &["another one", "different one", "something else", "other one", "try another"];
    #[rustfmt::skip]
    const SETTLED: &[&str] =
        &["choose", "pick", "recommend", "your choice", "you decide", "any of them", "suggest"];
    let books = sentence.has_stem("book")
        || sentence.has_stem("reserv")
        || sentence.any(&["buy", "tickets"]);
    if books && (!sentence.asks || sentence.any(&["can you", "could you", "please"])) {
        let place = sentence.words.len();
        topic.books = !sentence.negated(place) || topic.domain == Domain::Taxi;
    }
    if sentence.any(OTHERS) {
        let name = topic.choice().map(|found| found.name().to_owned());
        topic.rejected.extend(name);
        (topic.refused, topic.confirmed) = (None, false);
    }
    topic.says_hotel |= sentence.any(&["hotel", "hotels"]);
    topic.settled |= sentence.any(SETTLED);
}

/// What a few words say of a slot that was asked for.
fn bare(sentence: &Sentence, slot: &str, domain: Domain) -> Option<String> {
    let words = &sentence.words;
    if words.len() > 6 || words.is_empty() {
        return None;
    }
    let any = |of: &[&'static str]| {
        of.iter()
            .copied()
            .find(|value| sentence.has(value))
            .map(str::to_owned)
    };
    match slot {
        "people" | "stay" | "stars" => words
            .iter()
            .find_map(|word| number(word))
            .map(|count| count.to_string()),
        "time" | "leaveAt" | "arriveBy" => (0..words.len()).find_map(|place| time(sentence, place)),
        "internet" | "parking" => any(&["yes", "no"]),
        "type" if domain == Domain::Hotel => any(&["hotel"]),
        slot if domain.values(slot).is_some() => any(domain.values(slot).unwrap_or_default()),
        "food" | "name" | "departure" | "destination" if words.len() <= 4 && !is_open(sentence) => {
            let is_answer = matches!(
                words[0].as_str(),
                "yes" | "no" | "i" | "please" | "thank" | "thanks" | "what"
            );
            (!is_answer).then(|| words.join(" "))
        }
        _ => None,
    }
}

impl Setting {
    fn of(opened: &Opened) -> Self {
        let profile = opened.task.data["profile"].as_str().unwrap_or_default();
        Self {
            profile: Profile::named(profile).unwrap_or_default(),
            has_user: opened.user.is_some(),
        }
    }
}
