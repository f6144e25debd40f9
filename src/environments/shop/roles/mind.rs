//! The knowledge of one role: a fold over its view.

use std::collections::VecDeque;

use super::browsing::Browsing;
use super::wishes::Wishes;
use crate::domain::{Action, Brief, Event, Message, Move, Observation, Opened, Seat, ToolChoice};
use crate::environments::shop::chatshop::{Channel, Listing, tools};
use crate::environments::shop::language::{bounded, content, searchable, share, terms};
use crate::ports::{RoleError, Turn};

/// Searches, questions and the like after which a session is not put off any more: it ends by itself then.
const LATE: u32 = 18;

/// The knowledge of a role.
#[derive(Clone, Debug, Default)]
pub(super) struct Mind {
    /// Events before this position are folded.
    folded: usize,
    pub(super) is_chat: bool,
    pub(super) channel: Channel,
    pub(super) has_user: bool,
    /// Another role of the cast asks.
    pub(super) has_clarifier: bool,
    /// Another role of the cast plans.
    pub(super) has_planner: bool,
    questions: u32,
    /// Questions that are left.
    pub(super) left: u32,
    /// The last judgement was that nothing is to be asked.
    is_clear: bool,
    /// What is looked for, in words.
    pub(super) goal: String,
    /// The most that it may cost, in dollars.
    pub(super) most: Option<f64>,
    /// The products of the last search.
    pub(super) listed: Vec<Listing>,
    /// The best product of earlier searches with its value.
    best: Option<(f64, Listing)>,
    pub(super) queries: Vec<String>,
    pub(super) wishes: Wishes,
    /// Number of wishes at the last search.
    known: usize,
    /// What was asked.
    pub(super) asked: Vec<String>,
    /// The steps of another role's plan that are left.
    pub(super) plan: VecDeque<Action>,
    last: String,
    performed: u32,
    pub(super) browsing: Browsing,
}

impl Mind {
    /// One that sees these products.
    #[cfg(test)]
    pub(super) fn of(listed: Vec<Listing>) -> Self {
        Self {
            listed,
            ..Self::default()
        }
    }

    /// Takes note of what is new.
    ///
    /// # Errors
    /// When the task is none of the shop, or is shown in a way that these roles do not read.
    pub(super) fn catch_up(&mut self, turn: &Turn) -> Result<(), RoleError> {
        for event in turn.view.starting_at(self.folded) {
            self.fold(event, &turn.seat);
        }
        self.folded = turn.view.end();
        let game = turn.task().and_then(|task| task.data["game"].as_str());
        if game.is_none() {
            return Err(RoleError::Failed(
                "this role plays tasks of the shop only".to_owned(),
            ));
        }
        if !self.is_chat && self.browsing.is_lost {
            let why =
                "this role reads pages as texts; set environment.observations = \"text_rich\"";
            return Err(RoleError::Failed(why.to_owned()));
        }
        Ok(())
    }

    fn fold(&mut self, event: &Event, own: &Seat) {
        match &event.message {
            Message::Opened(opened) => self.opened(opened, own),
            Message::Begun(_) => {
                *self = Self {
                    is_chat: self.is_chat,
                    channel: self.channel,
                    has_user: self.has_user,
                    has_clarifier: self.has_clarifier,
                    has_planner: self.has_planner,
                    questions: self.questions,
                    left: self.questions,
                    ..Self::default()
                }
            }
            Message::Moved(Move::Plan { steps }) => {
                self.plan = steps.iter().map(|step| step.action.clone()).collect();
            }
            Message::Moved(Move::Judge { clarify, .. }) => self.is_clear = !clarify,
            Message::Perform(action) => self.performed(action),
            Message::Observed(seen) => self.observed(seen),
            Message::Told(said) => {
                self.left = self.left.saturating_sub(1);
                self.browsing.said(&said.text);
                self.asked.push(said.text.clone());
            }
            Message::Replied(reply) => {
                let question = self.asked.last().map_or("", String::as_str);
                match self.is_chat {
                    true => self.wishes.hear(question, &reply.text, &self.listed),
                    false => self.browsing.hear(&reply.text),
                }
            }
            _ => {}
        }
    }

    fn opened(&mut self, opened: &Opened, own: &Seat) {
        let data = &opened.task.data;
        let text = |name: &str| data[name].as_str().unwrap_or_default();
        self.is_chat = text("game") == "chatshop";
        self.channel = Channel::named(text("channel")).unwrap_or(Channel::None);
        self.questions = data["questions"]
            .as_u64()
            .unwrap_or(u64::from(u32::MAX))
            .try_into()
            .unwrap_or(u32::MAX);
        self.has_user = opened.user.is_some();
        let other = |name: &str| {
            let mut roles = opened.roles.iter();
            roles.any(|role| role.as_str() == name)
                && !matches!(own, Seat::Role(role) if role.as_str() == name)
        };
        (self.has_clarifier, self.has_planner) = (other("clarifier"), other("planner"));
    }

    fn performed(&mut self, action: &Action) {
        match self.plan.iter().position(|step| step.is_same_as(action)) {
            Some(step) => drop(self.plan.drain(..=step)),
            None => self.plan.clear(),
        }
        self.last.clone_from(&action.text);
        self.performed += 1;
        if let Some(query) = action.text.strip_prefix("search[") {
            self.queries.push(query.trim_end_matches(']').to_owned());
            self.known = self.wishes.all.len();
        }
        self.browsing.performed(&action.text);
    }

    fn observed(&mut self, seen: &Observation) {
        if seen.invalid {
            self.plan.clear();
        }
        if !self.is_chat {
            if let Some(instruction) = self.browsing.observed(&seen.text) {
                self.aim(&instruction);
            }
            return;
        }
        if let Some(goal) = seen
            .text
            .strip_prefix("Goal: ")
            .filter(|_| self.goal.is_empty())
        {
            self.aim(goal);
        }
        if self.last.starts_with("search") && seen.asks.is_none() {
            let new = Listing::read(&seen.text);
            let old = std::mem::replace(&mut self.listed, new);
            let old = old
                .into_iter()
                .chain(self.best.take().map(|(_, listing)| listing));
            let valued = old
                .map(|listing| (self.value(&listing), listing))
                .collect::<Vec<_>>();
            self.best = valued
                .into_iter()
                .reduce(|best, next| if next.0 > best.0 { next } else { best });
            self.last.clear();
        }
    }

    /// Takes what is looked for.
    fn aim(&mut self, goal: &str) {
        let (words, most) = bounded(goal.lines().next().unwrap_or_default());
        (self.goal, self.most) = (words.to_owned(), most);
    }

    /// How good a product seems.
    pub(super) fn value(&self, listing: &Listing) -> f64 {
        let offered = format!("{} {}", listing.name, listing.attributes.join(" "));
        let kind = share(&content(&self.goal), &terms(&offered));
        let price = listing.price.parse::<f64>().ok();
        let dear = price
            .zip(self.most)
            .is_some_and(|(price, most)| price > most);
        3.0 * self.wishes.fit(listing) + 4.0 * kind - if dear { 2.0 } else { 0.0 }
    }

    /// The best product of the list.
    pub(super) fn best_listed(&self) -> Option<(f64, &Listing)> {
        let valued = self
            .listed
            .iter()
            .map(|listing| (self.value(listing), listing));
        valued.reduce(|best, next| if next.0 > best.0 { next } else { best })
    }

    /// A product of an earlier search that is better than all that are listed.
    pub(super) fn better_before(&self) -> Option<&Listing> {
        let (_, before) = self.best.as_ref()?;
        let here = self.best_listed().map_or(f64::MIN, |(value, _)| value);
        (self.value(before) > here + 0.1).then_some(before)
    }

    /// Something was said since the last search that a search can use.
    pub(super) fn knows_more(&self) -> bool {
        self.wishes
            .all
            .iter()
            .skip(self.known)
            .any(|wish| wish.weight > 0.4)
    }

    /// No time is left but for the end.
    pub(super) fn is_late(&self, brief: &Brief) -> bool {
        self.performed >= LATE || brief.steps_left.is_some_and(|steps| steps <= 2)
    }

    /// The words to search for: what is looked for, and what was said about it.
    pub(super) fn query(&self) -> String {
        let wanted = self.wishes.wanted().map(|wish| wish.text.as_str());
        let all: Vec<&str> = std::iter::once(self.goal.as_str()).chain(wanted).collect();
        searchable(&all.join(" "))
    }

    /// Whether somebody may ask the shopper one more question, other roles included.
    pub(super) fn may_be_asked(&self) -> bool {
        let closed = self.has_clarifier && self.is_clear;
        self.has_user && self.left > 0 && self.channel != Channel::None && !closed
    }
}

/// The actions that a brief allows: those of its section `allowed`, the one that it forces, or all.
pub(super) fn is_allowed(brief: &Brief, channel: Channel, name: &str) -> bool {
    if let Some(ToolChoice::Named(forced)) = brief.tool_choice.as_deref() {
        return forced == name;
    }
    let section = brief
        .sections
        .iter()
        .find(|section| section.name == "allowed");
    match section {
        Some(section) => section.text.split(" | ").any(|allowed| allowed == name),
        None => tools::tools(channel).iter().any(|tool| tool.name == name),
    }
}

/// The brief of a turn.
pub(super) fn brief(turn: &Turn) -> Result<&Brief, RoleError> {
    turn.brief()
        .ok_or_else(|| RoleError::Failed("there is no brief".to_owned()))
}
