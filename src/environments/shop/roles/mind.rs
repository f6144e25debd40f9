//! The knowledge of one role: a fold over its view.

use super::browsing::Browsing;
use super::ends_within;
use super::wishes::{Wish, Wishes};
use crate::chatshop::{Channel, Listing, tools};
use crate::language::{bounded, content, is_dear, ranked, searchable, share, terms};
use rolecall_core::domain::{Action, Brief, Message, Move, Observation, Opened, PublicTask, Seat, ToolChoice};
use rolecall_core::roles::Knowledge;

/// Searches, questions and the like after which a session is not put off any more: it ends by itself then.
const LATE: u32 = 18;

/// Setting of an episode, as its opening says it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Setting {
    pub(super) is_chat: bool,
    pub(super) channel: Channel,
    questions: u64,
    pub(super) has_user: bool,
    /// Another role of the cast asks.
    pub(super) has_clarifier: bool,
    /// Another role of the cast plans.
    pub(super) has_planner: bool,
}

impl Setting {
    fn of(opened: &Opened, seat: &Seat) -> Self {
        let data = &opened.task.data;
        let text = |name: &str| data[name].as_str().unwrap_or_default();
        let is_own = |name: &str| matches!(seat, Seat::Role(role) if role.as_str() == name);
        let has = |name: &str| opened.roles.iter().any(|role| role.as_str() == name);
        Self {
            is_chat: text("game") == "chatshop",
            channel: Channel::named(text("channel")).unwrap_or(Channel::None),
            questions: data["questions"].as_u64().unwrap_or(u64::MAX),
            has_user: opened.user.is_some(),
            has_clarifier: has("clarifier") && !is_own("clarifier"),
            has_planner: has("planner") && !is_own("planner"),
        }
    }
}

/// The knowledge of a role.
#[derive(Clone, Debug, Default)]
pub(super) struct Mind {
    pub(super) setting: Setting,
    /// Questions that are left.
    left: u64,
    /// The last judgement was that nothing is to be asked.
    is_clear: bool,
    /// The product wanted in ChatShop, and its highest price in dollars.
    pub(super) goal: String,
    pub(super) most: Option<f64>,
    /// The products of the last search.
    pub(super) listed: Vec<Listing>,
    /// The best product of earlier searches.
    best: Option<Listing>,
    pub(super) queries: Vec<String>,
    pub(super) wishes: Wishes,
    /// Number of wishes at the last search.
    known: usize,
    /// The questions that were asked.
    pub(super) asked: Vec<String>,
    /// The steps of another role's plan that are left.
    pub(super) plan: Vec<Action>,
    /// A search was performed, and nothing was seen since.
    is_searching: bool,
    performed: u32,
    pub(super) browsing: Browsing,
}

impl Knowledge for Mind {
    fn fold(&mut self, message: &Message, seat: &Seat) {
        match message {
            Message::Opened(opened) => self.setting = Setting::of(opened, seat),
            Message::Begun(_) => {
                *self = Self { setting: self.setting, left: self.setting.questions, ..Self::default() }
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
            Message::Replied(reply) if self.setting.is_chat => {
                let question = self.asked.last().map_or("", String::as_str);
                self.wishes.hear(question, &reply.text, &self.listed);
            }
            Message::Replied(reply) => self.browsing.hear(&reply.text),
            _ => {}
        }
    }

    /// The task is none of the shop, or is shown in a way that these roles do not read.
    fn problem(&self, task: Option<&PublicTask>) -> Option<&'static str> {
        let is_of_shop = |task: &PublicTask| task.data["game"].is_string();
        if !task.is_some_and(is_of_shop) {
            Some("this role plays tasks of the shop only")
        } else if !self.setting.is_chat && self.browsing.page.is_none() {
            Some("this role reads pages as texts; set environment.observations = \"text_rich\"")
        } else {
            None
        }
    }
}

impl Mind {
    /// One that sees these products.
    #[cfg(test)]
    pub(super) fn of(listed: Vec<Listing>) -> Self {
        Self { listed, ..Self::default() }
    }

    fn performed(&mut self, action: &Action) {
        match self.plan.iter().position(|step| step.is_same_as(action)) {
            Some(step) => drop(self.plan.drain(..=step)),
            None => self.plan.clear(),
        }
        self.is_searching = action.text.starts_with("search");
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
        if !self.setting.is_chat {
            return self.browsing.observed(&seen.text);
        }
        match seen.text.strip_prefix("Goal: ") {
            Some(goal) if self.goal.is_empty() => {
                (self.goal, self.most) = bounded(goal.lines().next().unwrap_or_default());
            }
            _ => {}
        }
        if self.is_searching && seen.asks.is_none() {
            self.is_searching = false;
            let listed = std::mem::replace(&mut self.listed, Listing::read(&seen.text));
            let before = listed.into_iter().chain(self.best.take());
            let before = ranked(before, |listing| self.value(listing));
            self.best = before.into_iter().next().map(|(_, listing)| listing);
        }
    }

    /// How good a product seems.
    pub(super) fn value(&self, listing: &Listing) -> f64 {
        let offered = format!("{} {}", listing.name, listing.attributes.join(" "));
        let kind = share(&content(&self.goal), &terms(&offered));
        let is_dear = is_dear(listing.price.parse().ok(), self.most);
        3.0 * self.wishes.fit(listing) + 4.0 * kind - if is_dear { 2.0 } else { 0.0 }
    }

    /// The best product of the list.
    pub(super) fn best_listed(&self) -> Option<&Listing> {
        let listed = ranked(&self.listed, |listing| self.value(listing));
        Some(listed.first()?.1)
    }

    /// A product of an earlier search that is better than all that are listed.
    pub(super) fn better_before(&self) -> Option<&Listing> {
        let here = self.best_listed().map_or(f64::MIN, |listing| self.value(listing));
        let before = self.best.as_ref();
        before.filter(|before| self.value(before) > here + 0.1)
    }

    /// Something was said since the last search that a search can use.
    pub(super) fn knows_more(&self) -> bool {
        self.wishes.all.iter().skip(self.known).any(Wish::is_wanted)
    }

    /// No time is left but for the end.
    pub(super) fn is_late(&self, brief: &Brief) -> bool {
        self.performed >= LATE || ends_within(brief, 2)
    }

    /// Texts of the wishes that the shopper stated.
    pub(super) fn wanted(&self) -> Vec<&str> {
        self.wishes.all.iter().filter(|wish| wish.is_wanted()).map(|wish| wish.text.as_str()).collect()
    }

    /// The words to search for: what is looked for, and what was said about it.
    pub(super) fn query(&self) -> String {
        searchable(&format!("{} {}", self.goal, self.wanted().join(" ")))
    }

    /// Whether there is a shopper who answers one more question.
    pub(super) fn has_listener(&self) -> bool {
        self.setting.has_user && self.left > 0
    }

    /// Whether somebody may ask the shopper one more question, other roles included.
    pub(super) fn may_be_asked(&self) -> bool {
        let is_closed = self.setting.has_clarifier && self.is_clear;
        self.has_listener() && self.setting.channel != Channel::None && !is_closed
    }

    /// Whether the channel has an action of this name.
    pub(super) fn has_tool(&self, name: &str) -> bool {
        tools::tools(self.setting.channel).into_iter().any(|tool| tool.name == name)
    }

    /// Whether a brief allows an action: the one that it forces, those of its section `allowed`, or all.
    pub(super) fn is_allowed(&self, brief: &Brief, name: &str) -> bool {
        if let Some(ToolChoice::Named(forced)) = brief.tool_choice.as_deref() {
            return forced == name;
        }
        let mut sections = brief.sections.iter();
        match sections.find(|section| section.name == "allowed") {
            Some(section) => section.text.split(" | ").any(|allowed| allowed == name),
            None => self.has_tool(name),
        }
    }
}
