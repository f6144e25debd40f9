//! WebShop as an environment of episodes.

use std::sync::Arc;

use async_trait::async_trait;
use serde_json::{Map, Value, json};

use super::ShopError;
use super::actions::Asked;
use super::goal::Goal;
use super::notebook::{self, Happened, INVALID};
use super::render::{History, Rendering, render};
use super::session::{Session, Shop};
use rolecall_core::domain::{Action, Begun, Observation, Score, Seed};
use rolecall_core::ports::model::Calls;
use rolecall_core::ports::{Environment, EnvironmentError};

/// How a session is shown.
#[derive(Clone, Copy, Debug, Default)]
pub struct Display {
    /// How observations show pages.
    pub rendering: Rendering,
    /// Products have a button for their attributes.
    pub attributes_tab: bool,
    /// The number of earlier observations, and as many actions, that stand before each observation.
    pub previous: usize,
    /// Each observation's data names what can be clicked.
    pub list_admissible: bool,
}

/// One session that is being played.
#[derive(Clone)]
pub struct WebShopEnvironment {
    shop: Shop,
    session: Session,
    display: Display,
    /// The notebook's rules were violated, and it is over without a reward.
    is_violated: bool,
    history: History,
    /// The way to threads for slow work.
    calls: Calls,
}

impl WebShopEnvironment {
    /// A session that has not begun. Its name stands in addresses.
    pub fn new(shop: Shop, goal: Arc<Goal>, id: String, display: Display) -> Self {
        Self {
            shop,
            session: Session::new(id, goal, display.attributes_tab, Seed(0)),
            display,
            is_violated: false,
            history: History::of(display.previous),
            calls: Calls::default(),
        }
    }

    fn is_notebook(&self) -> bool {
        self.display.rendering == Rendering::Respact
    }

    /// The observation of the page, or of a text instead, with what was seen before it.
    fn observation(&mut self, action: Option<&str>, text: Option<String>) -> Observation {
        let seen = text.unwrap_or_else(|| render(&self.session, self.display.rendering));
        let text = self.history.state(action, seen);
        let data = self.display.list_admissible;
        Observation {
            data: data.then(|| Box::new(self.admissible())),
            done: self.session.is_done() || self.is_violated,
            ..Observation::text(text)
        }
    }

    /// Admissible actions: a search, or the clicks that the page offers.
    fn admissible(&self) -> Value {
        let clickables =
            if self.is_notebook() { notebook::clickables(&self.session) } else { self.session.clickables() };
        let actions: Vec<String> = clickables
            .iter()
            .filter(|text| !["", "search"].contains(&&***text))
            .map(|text| format!("click[{text}]"))
            .collect();
        json!({ "admissible": actions })
    }
}

#[async_trait]
impl Environment for WebShopEnvironment {
    async fn begin(&mut self, begun: &Begun) -> Result<Observation, EnvironmentError> {
        if begun.keep_world {
            return Err(EnvironmentError::OutOfOrder(
                "a shopping session is one task and cannot go on with another one; set \
                 strategy.rounds = 1"
                    .to_owned(),
            ));
        }
        self.is_violated = false;
        self.history = History::of(self.display.previous);
        self.session = self.session.anew(begun.seed);
        Ok(self.observation(None, None))
    }

    async fn perform(&mut self, action: &Action) -> Result<Observation, EnvironmentError> {
        let is_notebook = self.is_notebook();
        let happened = if self.shop.search.is_slow() {
            let (mut session, shop) = (self.session.clone(), self.shop.clone());
            let action = action.clone();
            let work = move || {
                let happened = step(&mut session, &shop, &action, is_notebook);
                (session, happened)
            };
            let happened;
            (self.session, happened) = self.calls.off_thread(work).await?;
            happened
        } else {
            step(&mut self.session, &self.shop, action, is_notebook)
        };
        let happened = happened.map_err(|error| EnvironmentError::Data(error.to_string()))?;
        self.is_violated = happened == Happened::Violated;
        let (text, invalid) = match happened {
            Happened::Page => (None, false),
            Happened::Text(text) => (Some(text), false),
            Happened::Refused | Happened::Violated => (is_notebook.then(|| INVALID.to_owned()), true),
        };
        Ok(Observation { invalid, ..self.observation(Some(&action.text), text) })
    }

    fn may_call(&mut self, calls: &Calls) {
        self.calls = calls.clone();
    }

    async fn assess(&mut self) -> Result<Score, EnvironmentError> {
        Ok(score(&self.session))
    }
}

/// Performs an action in a session, by the rules of the shop or of ReSpAct's notebook.
fn step(session: &mut Session, shop: &Shop, action: &Action, is_notebook: bool) -> Result<Happened, ShopError> {
    if is_notebook {
        let asked = Asked::of(action, notebook::in_words);
        return notebook::perform(session, shop, &asked);
    }
    Ok(if session.perform(shop, &Asked::of(action, Asked::in_words))? { Happened::Page } else { Happened::Refused })
}

/// The score of a session: the reward of what was bought with its parts, and counts of what was done.
pub fn score(session: &Session) -> Score {
    let mut detail = json!(session.counts);
    let Some((product, reward)) = session.purchase() else {
        return Score { detail, ..Score::default() };
    };
    let chosen: Map<String, Value> = session.chosen().map(|(name, value)| (name.into(), value.into())).collect();
    detail["bought"] = json!({ "asin": product.asin, "options": chosen });
    detail["reward"] = reward.parts();
    Score { success: reward.total >= 1.0, reward: reward.total, detail }
}
