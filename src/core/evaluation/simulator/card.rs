//! Faults of simulated users, and the card of one episode.

use std::collections::BTreeSet;

use crate::domain::{Event, Message, Utterance};
use crate::evaluation::normalise::{holds, normalise};
use crate::evaluation::question_detector::asks;
use crate::ports::held::{HeldFacts, Secrets, Statement};

/// Phrases of whoever serves.
const AS_AGENT: &str = include_str!("as_agent.txt");

/// Beginnings of lines in the form of an agent's moves.
const MOVES: [&str; 9] =
    ["thought:", "think:", "action:", "act:", "observation:", "search[", "click[", "select[", "finish["];

/// Words that put one step after the other.
const ORDER: [&str; 6] = ["first", "then", "next", "after that", "afterwards", "finally"];
/// So many of them are a plan.
const STEPS: usize = 3;
/// Words by which a question asks for steps.
const ASKS_STEPS: [&str; 6] = ["step", "steps", "plan", "how", "do", "next"];

/// Words of a reply from which saying it once more is a repetition.
const LENGTH: usize = 3;

/// The world's knowledge of the user of an episode.
#[derive(Clone, Copy, Default)]
pub struct Known<'a> {
    /// The facts that it holds.
    pub held: Option<&'a dyn HeldFacts>,
    /// Secrets that it was asked to keep.
    pub secrets: Option<&'a Secrets>,
}

/// Counts of what the user of an episode did. Facts that a study handed over in its name are not counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UserCard {
    /// Its replies.
    pub replies: u32,
    /// Their words.
    pub words: u32,
    /// Its answers to questions that ask for facts.
    pub answers: u32,
    /// Replies by fault, in the order of [`UserFault::ALL`]; of leaving 1 if it left early.
    counts: [u32; UserFault::ALL.len()],
    /// Whether the world knows what it holds.
    pub has_facts: bool,
    /// Whether it was asked to keep something to itself.
    pub has_secrets: bool,
    /// Questions of the agent.
    pub questions: u32,
    /// Questions that ask for a fact that it holds and has not said.
    pub hits: u32,
    /// Facts that it holds.
    pub held: u32,
    /// Facts that were asked for.
    pub asked_for: u32,
}

impl UserCard {
    /// The card of an episode with these events.
    pub fn of(events: &[Event], known: Known<'_>) -> Self {
        let mut reading = Reading::new(known);
        for (place, event) in events.iter().enumerate() {
            match &event.message {
                Message::Begun(_) => reading.begin(),
                Message::Told(said) => reading.hear(said),
                Message::Replied(reply) => {
                    reading.reply(reply, events.get(..place).unwrap_or_default());
                }
                Message::Perform(_) => reading.performed += 1,
                Message::Closed(outcome) if !outcome.success => reading.close(),
                _ => {}
            }
        }
        reading.card.asked_for = reading.asked_for.len() as u32;
        reading.card
    }

    /// In how many replies a fault is; of leaving 1 if it left early.
    pub fn count(&self, fault: UserFault) -> u32 {
        self.counts.get(fault as usize).copied().unwrap_or(0)
    }

    /// Whether the user spoiled the episode: it left early, contradicted, acted as the agent or leaked.
    pub fn is_faulty(&self) -> bool {
        UserFault::ALL.into_iter().any(|fault| fault.spoils() && self.count(fault) > 0)
    }

    fn add(&mut self, fault: UserFault, is_so: bool) {
        if let Some(count) = self.counts.get_mut(fault as usize) {
            *count += u32::from(is_so);
        }
    }
}

/// The last question to the user.
#[derive(Clone, Default)]
struct Question {
    /// Its words as [`normalise`] writes them.
    words: String,
    /// The facts that it asks for.
    asked: Vec<usize>,
    /// It asks something.
    asks: bool,
}

/// A reply with the question before it.
struct Reply {
    question: Question,
    words: String,
    /// Actions that were performed before.
    performed: u32,
}

/// An episode on the way.
struct Reading<'a> {
    card: UserCard,
    held: Option<&'a dyn HeldFacts>,
    facts: usize,
    secrets: Vec<String>,
    allowed: usize,
    question: Option<Question>,
    asked_for: BTreeSet<usize>,
    said: BTreeSet<usize>,
    /// Replies of the trial or round.
    replies: Vec<Reply>,
    performed: u32,
    left: bool,
}

impl<'a> Reading<'a> {
    fn new(known: Known<'a>) -> Self {
        let phrases = known.secrets.map_or(&[][..], |secrets| &secrets.phrases);
        let facts = known.held.map_or(0, |held| held.facts().len());
        let card = UserCard {
            has_facts: facts > 0,
            has_secrets: !phrases.is_empty(),
            held: facts as u32,
            ..UserCard::default()
        };
        Self {
            card,
            held: known.held,
            facts,
            secrets: phrases.iter().map(|phrase| normalise(phrase)).collect(),
            allowed: known.secrets.map_or(0, |secrets| secrets.allowed),
            question: None,
            asked_for: BTreeSet::new(),
            said: BTreeSet::new(),
            replies: Vec::new(),
            performed: 0,
            left: false,
        }
    }

    /// A trial or round begins: what was talked about before is another conversation.
    fn begin(&mut self) {
        self.question = None;
        self.replies.clear();
    }

    fn hear(&mut self, said: &Utterance) {
        let asks = !said.response && asks(&said.text);
        let asked = match self.held {
            Some(held) if asks => held.asked(&said.text),
            _ => Vec::new(),
        };
        if asks && !said.given {
            self.card.questions += 1;
            let is_new = asked.iter().any(|fact| !self.said.contains(fact));
            self.card.hits += u32::from(is_new);
            self.asked_for.extend(&asked);
        }
        self.question = Some(Question { words: normalise(&said.text), asked, asks });
    }

    fn reply(&mut self, reply: &Utterance, so_far: &[Event]) {
        let stated = self.held.map(|held| held.stated(&reply.text, so_far)).unwrap_or_default();
        let (truths, lies): (Vec<&Statement>, Vec<&Statement>) = stated.iter().partition(|statement| statement.is_true);
        let truths: BTreeSet<usize> = truths.iter().map(|statement| statement.fact).collect();
        if !reply.given {
            let words = normalise(&reply.text);
            self.card.replies += 1;
            self.card.words += reply.text.split_whitespace().count() as u32;
            self.left = reply.leaving && !reply.satisfied;
            self.compare_facts(&truths, &words);
            let contradicts = !lies.is_empty() || self.takes_back(&words);
            self.card.add(UserFault::Contradicted, contradicts);
            self.card.add(UserFault::Leaked, self.leaks(&words));
            self.card.add(UserFault::ActedAsAgent, acts_as_agent(&reply.text, &words));
            self.card.add(UserFault::Repeated, self.repeats(&words));
            self.replies.push(Reply {
                question: self.question.clone().unwrap_or_default(),
                words,
                performed: self.performed,
            });
        }
        self.said.extend(truths);
        self.question = None;
    }

    /// Compares the facts of a reply with those that were asked for. What is said without a question before it
    /// answers nothing; a question that asks for no fact in particular, such as what to do next, is open for one.
    fn compare_facts(&mut self, truths: &BTreeSet<usize>, words: &str) {
        let Some(question) = &self.question else {
            return;
        };
        let is_other = |fact: &usize| !question.asked.contains(fact);
        let new: Vec<&usize> = truths.difference(&self.said).collect();
        let is_open = question.asks && question.asked.is_empty();
        let answers = !question.asked.is_empty();
        let unasked = new.iter().any(|fact| is_other(fact)) && !(is_open && new.len() == 1);
        let beside = answers && !truths.is_empty() && truths.iter().all(is_other);
        let most = question.asked.len().max(usize::from(is_open));
        let overhelped = new.len() > most || is_plan(words, &question.words);
        self.card.answers += u32::from(answers);
        self.card.add(UserFault::Unasked, unasked);
        self.card.add(UserFault::Beside, beside);
        self.card.add(UserFault::Overhelped, overhelped);
    }

    /// Whether the reply says yes where the same question got a no, or the other way round, and nothing was done since.
    fn takes_back(&self, words: &str) -> bool {
        let Some((question, said_yes)) = self.question.as_ref().zip(is_yes(words)) else {
            return false;
        };
        let mut before = self.replies.iter().rev().take_while(|reply| reply.performed == self.performed);
        before.any(|reply| {
            reply.question.words == question.words && is_yes(&reply.words).is_some_and(|other| other != said_yes)
        })
    }

    /// Whether the reply holds more secrets than it may, without those that the agent named itself.
    fn leaks(&self, words: &str) -> bool {
        let named = self.question.as_ref().map_or("", |question| &question.words);
        let said = self.secrets.iter().filter(|secret| holds(words, secret) && !holds(named, secret));
        said.count() > self.allowed
    }

    /// Whether another question got the same words.
    fn repeats(&self, words: &str) -> bool {
        let Some(question) = &self.question else {
            return false;
        };
        let is_other = |other: &Question| match question.asked.is_empty() {
            true => other.words != question.words,
            false => other.asked != question.asked,
        };
        words.split(' ').count() >= LENGTH
            && self.replies.iter().any(|reply| reply.words == words && is_other(&reply.question))
    }

    /// The episode ends with its task not solved.
    fn close(&mut self) {
        let has_more = self.facts == 0 || self.said.len() < self.facts;
        self.card.add(UserFault::LeftEarly, self.left && has_more);
    }
}

/// Whether a reply is a yes or a no; none if it begins with neither.
fn is_yes(words: &str) -> Option<bool> {
    match words.split(' ').next()? {
        "yes" | "yeah" | "yep" => Some(true),
        "no" | "nope" => Some(false),
        _ => None,
    }
}

fn acts_as_agent(text: &str, words: &str) -> bool {
    let offers = AS_AGENT.lines().any(|phrase| holds(words, phrase));
    let is_move = |line: &str| {
        let line = line.trim_start_matches(['>', ' ']).to_lowercase();
        MOVES.iter().any(|begin| line.starts_with(begin))
    };
    offers || text.lines().any(is_move)
}

/// Whether a reply lays out steps, and the question does not ask for any.
fn is_plan(words: &str, question: &str) -> bool {
    ORDER.iter().filter(|word| holds(words, word)).count() >= STEPS
        && !ASKS_STEPS.iter().any(|word| holds(question, word))
}

/// Fault of a simulated user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UserFault {
    /// It left without what it came for: unsatisfied, the task not solved, and, where the world knows its facts, some
    /// of them unsaid.
    LeftEarly,
    /// It said what is not so by the facts that it holds; or yes and no to the same question, with no action between.
    Contradicted,
    /// It spoke as the agent: offered help, or wrote in the form of the agent's moves.
    ActedAsAgent,
    /// It said what it was asked to keep to itself.
    Leaked,
    /// It said a fact that its question does not ask for, and that it had not said before.
    Unasked,
    /// The question asks for facts, and it said others only.
    Beside,
    /// It said more new facts than were asked for, or laid out steps that nobody asked for.
    Overhelped,
    /// It said to a question what it had said to another one in the same words, three or more.
    Repeated,
}

impl UserFault {
    /// All of them, in the order of tables.
    pub const ALL: [Self; 8] = [
        Self::LeftEarly,
        Self::Contradicted,
        Self::ActedAsAgent,
        Self::Leaked,
        Self::Unasked,
        Self::Beside,
        Self::Overhelped,
        Self::Repeated,
    ];

    /// Its word in values for programs, and in questions to judges.
    pub const fn key(self) -> &'static str {
        match self {
            Self::LeftEarly => "left_early",
            Self::Contradicted => "contradicted",
            Self::ActedAsAgent => "acted_as_agent",
            Self::Leaked => "leaked",
            Self::Unasked => "unasked",
            Self::Beside => "beside",
            Self::Overhelped => "overhelped",
            Self::Repeated => "repeated",
        }
    }

    /// Its words in tables.
    pub const fn label(self) -> &'static str {
        match self {
            Self::LeftEarly => "left early",
            Self::Contradicted => "contradicted",
            Self::ActedAsAgent => "acted as agent",
            Self::Leaked => "leaked",
            Self::Unasked => "told unasked",
            Self::Beside => "not what was asked",
            Self::Overhelped => "over-helpful",
            Self::Repeated => "repeated",
        }
    }

    /// Whether an episode in which it happened says little about the agent.
    pub const fn spoils(self) -> bool {
        matches!(self, Self::LeftEarly | Self::Contradicted | Self::ActedAsAgent | Self::Leaked)
    }
}
