//! WebShop as an environment of episodes.

use std::sync::Arc;

use async_trait::async_trait;
use serde_json::{Map, Value, json};

use super::ShopError;
use super::actions::{Asked, call_text};
use super::goal::Goal;
use super::notebook::{self, Happened, INVALID};
use super::render::{History, Rendering, render};
use super::session::{Session, Shop};
use crate::domain::{Action, Begun, Observation, Score};
use crate::ports::model::Calls;
use crate::ports::{Environment, EnvironmentError};

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
pub struct WebShopEnvironment {
    shop: Shop,
    goal: Arc<Goal>,
    /// The session's name in addresses.
    id: String,
    display: Display,
    /// The live session; none until it is set up.
    session: Option<Session>,
    /// The notebook's rules were violated, and it is over without a reward.
    is_violated: bool,
    history: History,
    /// The way to threads for slow work.
    calls: Calls,
}

impl WebShopEnvironment {
    /// A session that has not begun.
    pub fn new(shop: Shop, goal: Arc<Goal>, id: String, display: Display) -> Self {
        Self {
            shop,
            goal,
            id,
            display,
            session: None,
            is_violated: false,
            history: History::of(display.previous),
            calls: Calls::default(),
        }
    }

    /// The observation of the page, or of a text instead, with what was seen before it.
    fn observation(
        &mut self,
        session: &Session,
        action: Option<&str>,
        text: Option<String>,
    ) -> Observation {
        let seen = text.unwrap_or_else(|| render(session, self.display.rendering));
        let text = self.history.state(action, seen);
        let data = self.display.list_admissible;
        Observation {
            data: data.then(|| Box::new(admissible(session, self.display.rendering))),
            done: session.is_done() || self.is_violated,
            ..Observation::text(text)
        }
    }
}

/// What can be clicked, as actions.
fn admissible(session: &Session, rendering: Rendering) -> Value {
    let clickables = match rendering {
        Rendering::Respact => notebook::clickables(session),
        _ => session.clickables(),
    };
    let useless = |text: &String| text.is_empty() || text == "search";
    let usable = clickables.iter().filter(|text| !useless(text));
    let actions: Vec<String> = usable.map(|text| format!("click[{text}]")).collect();
    json!({ "admissible": actions })
}

/// Does what an action asks for.
fn step(
    session: &mut Session,
    shop: &Shop,
    action: &Action,
    rendering: Rendering,
) -> Result<Happened, ShopError> {
    if rendering == Rendering::Respact {
        let call = action.call.as_deref();
        let worded = call.map(|call| call_text(&call.tool, &call.arguments).unwrap_or_default());
        return notebook::perform(session, shop, worded.as_deref().unwrap_or(&action.text));
    }
    Ok(match session.perform(shop, &Asked::of(action))? {
        true => Happened::Page,
        false => Happened::Refused,
    })
}

fn not_begun() -> EnvironmentError {
    EnvironmentError::OutOfOrder("the shop was asked for something before it began".to_owned())
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
        let (goal, tab) = (Arc::clone(&self.goal), self.display.attributes_tab);
        let session = Session::new(self.id.clone(), goal, tab, begun.seed);
        let seen = self.observation(&session, None, None);
        self.session = Some(session);
        Ok(seen)
    }

    async fn perform(&mut self, action: &Action) -> Result<Observation, EnvironmentError> {
        let mut session = self.session.take().ok_or_else(not_begun)?;
        let rendering = self.display.rendering;
        let happened = if self.shop.search.is_slow() {
            let (shop, action) = (self.shop.clone(), action.clone());
            let work = move || {
                let happened = step(&mut session, &shop, &action, rendering);
                (session, happened)
            };
            let (back, happened) = self.calls.off_thread(work).await?;
            session = back;
            happened
        } else {
            step(&mut session, &self.shop, action, rendering)
        };
        let happened = match happened {
            Ok(happened) => happened,
            Err(error) => {
                self.session = Some(session);
                return Err(EnvironmentError::Data(error.to_string()));
            }
        };
        self.is_violated = happened == Happened::Violated;
        let is_refused = matches!(happened, Happened::Refused | Happened::Violated);
        let text = match happened {
            Happened::Text(text) => Some(text),
            Happened::Refused | Happened::Violated if rendering == Rendering::Respact => {
                Some(INVALID.to_owned())
            }
            Happened::Page | Happened::Refused | Happened::Violated => None,
        };
        let seen = self.observation(&session, Some(&action.text), text);
        self.session = Some(session);
        Ok(Observation {
            invalid: is_refused,
            ..seen
        })
    }

    fn may_call(&mut self, calls: &Calls) {
        self.calls = calls.clone();
    }

    async fn assess(&mut self) -> Result<Score, EnvironmentError> {
        let session = self.session.as_ref().ok_or_else(not_begun)?;
        Ok(score(session))
    }
}

/// The score of a session: the reward of what was bought with its parts, and counts of what was done.
pub fn score(session: &Session) -> Score {
    let counts = session.counts();
    let mut detail = json!({
        "searches": counts.searches,
        "products": counts.products,
        "options": counts.options,
        "tabs": counts.tabs,
    });
    let Some((product, reward)) = session.purchase() else {
        return Score {
            detail,
            ..Score::default()
        };
    };
    let chosen = session.chosen();
    let chosen: Map<String, Value> = chosen
        .map(|(name, value)| (name.into(), value.into()))
        .collect();
    detail["bought"] = json!({ "asin": product.asin, "options": chosen });
    detail["reward"] = reward.parts();
    Score {
        success: reward.total >= 1.0,
        reward: reward.total,
        detail,
    }
}
