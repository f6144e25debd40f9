//! The world of a session: searches, hands questions on to the shopper, and judges what was selected.

use std::sync::Arc;

use async_trait::async_trait;
use serde_json::{Value, json};

use super::game::Request;
use super::{Game, Listed};
use crate::ShopError;
use crate::catalogue::{Catalogue, Product};
use crate::score::Reward;
use crate::search::{self, Search};
use rolecall_core::domain::{Action, Begun, Observation, Score, Seed, Utterance};
use rolecall_core::ports::model::Calls;
use rolecall_core::ports::{Environment, EnvironmentError};

/// Judges a product with all its options chosen.
pub type Judged = Arc<dyn Fn(&Product) -> Reward + Send + Sync>;

/// The rules of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// The most questions.
    pub questions: u32,
    /// The most products of a listing.
    pub products: usize,
}

/// The parts of a session's world that all sessions of a goal share.
#[derive(Clone)]
pub struct Session {
    /// The products.
    pub catalogue: Arc<dyn Catalogue>,
    /// The search service.
    pub search: Arc<dyn Search>,
    /// The first observation.
    pub goal: Arc<str>,
    /// The judge of the goal.
    pub judge: Judged,
    /// The rules.
    pub rules: Rules,
}

impl Session {
    fn found(&self, keywords: &str, seed: Seed) -> Result<Vec<Listed>, ShopError> {
        let found = search::find(&*self.catalogue, &*self.search, keywords, seed)?;
        let listed = found.into_iter().flatten().take(self.rules.products).map(|id| {
            let product = self.catalogue.product(id)?;
            let reward = (self.judge)(&product).total;
            Ok(Listed { product, reward })
        });
        listed.collect()
    }
}

/// One session that is being played.
pub struct ChatShopEnvironment {
    session: Session,
    game: Game,
    /// The shopper was handed a question.
    asking: bool,
    /// Random products are drawn from it.
    seed: Seed,
    calls: Calls,
}

impl ChatShopEnvironment {
    /// A world that has not begun.
    pub fn new(session: Session) -> Self {
        Self {
            game: Game::new(session.rules.questions),
            session,
            asking: false,
            seed: Seed(0),
            calls: Calls::default(),
        }
    }

    /// The state of the session.
    pub fn game(&self) -> &Game {
        &self.game
    }

    async fn search(&self, keywords: Option<String>) -> Result<Vec<Listed>, EnvironmentError> {
        let Some(keywords) = keywords else {
            return Ok(Vec::new());
        };
        let session = self.session.clone();
        let steps = u32::try_from(self.game.scores().len()).unwrap_or(u32::MAX);
        let seed = self.seed.labelled("<r>", "", steps);
        let found = move || session.found(&keywords, seed);
        let found = if self.session.search.is_slow() { self.calls.off_thread(found).await? } else { found() };
        found.map_err(|error| EnvironmentError::Data(error.to_string()))
    }

    fn questions_left(&self) -> Value {
        json!({ "questions_left": self.game.budget() })
    }

    /// Completes an observation with its data.
    fn observation(&self, seen: Observation) -> Observation {
        Observation { data: Some(Box::new(self.questions_left())), done: self.game.done, ..seen }
    }

    /// Observation after a step.
    fn step(&mut self, seen: Observation) -> Observation {
        self.game.end_step();
        self.observation(seen)
    }
}

#[async_trait]
impl Environment for ChatShopEnvironment {
    async fn begin(&mut self, begun: &Begun) -> Result<Observation, EnvironmentError> {
        if begun.keep_world {
            let problem = "a session ends with its product and cannot go on with another task; \
                           set strategy.rounds = 1";
            return Err(EnvironmentError::OutOfOrder(problem.to_owned()));
        }
        self.game = Game::new(self.session.rules.questions);
        (self.asking, self.seed) = (false, begun.seed);
        Ok(self.observation(Observation::text(&*self.session.goal)))
    }

    async fn perform(&mut self, action: &Action) -> Result<Observation, EnvironmentError> {
        let text = match self.game.act(&action.text) {
            Some(Request::Search(keywords)) => {
                self.game.listed = self.search(keywords).await?;
                self.game.listing()
            }
            Some(Request::Ask(question)) => {
                self.asking = true;
                return Ok(self.observation(Observation::question(question)));
            }
            Some(Request::Show(text)) => text,
            None => {
                let refused = Observation::refused(self.game.refused());
                return Ok(self.step(refused));
            }
        };
        Ok(self.step(Observation::text(text)))
    }

    fn may_call(&mut self, calls: &Calls) {
        self.calls = calls.clone();
    }

    async fn hear(&mut self, _said: &Utterance, reply: &Utterance) -> Result<Option<Observation>, EnvironmentError> {
        if !std::mem::take(&mut self.asking) {
            // A question that was put otherwise than by an action is charged as well.
            self.game.asked();
            return Ok(None);
        }
        let (reply, left) = (&reply.text, self.game.budget());
        let answer = format!("{reply} (You have {left} questions left) ");
        Ok(Some(self.step(Observation::text(answer))))
    }

    async fn assess(&mut self) -> Result<Score, EnvironmentError> {
        let reward = if self.game.done { self.game.scores().last().copied().unwrap_or_default() } else { 0.0 };
        let mut detail = self.questions_left();
        if let Some(listed) = self.game.selected() {
            let judged = (self.session.judge)(&listed.product);
            detail["selected"] = json!(listed.product.asin);
            detail["reward"] = judged.parts();
        }
        Ok(Score { success: reward == 1.0, reward, detail })
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;
    use crate::catalogue::Shelf;
    use crate::search::MemoryIndex;

    #[test]
    fn categories_and_random_products_are_found_as_in_the_shop() {
        let product = |asin: &str, category: &str| Product {
            asin: asin.to_owned(),
            title: format!("Thing {asin}"),
            category: category.to_owned(),
            pricing: vec![1.0],
            ..Product::default()
        };
        let shelf = Shelf::new(vec![product("A", "beauty"), product("B", "garden")]);
        let index = MemoryIndex::new((0..).zip(shelf.products().iter().map(|one| &**one)));
        let session = Session {
            catalogue: Arc::new(shelf),
            search: Arc::new(index),
            goal: "Goal: thing".into(),
            judge: Arc::new(|_| Reward::default()),
            rules: Rules { questions: 0, products: 20 },
        };
        let mut world = ChatShopEnvironment::new(session);
        for (query, listed) in [("<c> beauty", 1), ("<c>", 0), ("<a> x", 0), ("<r>", 2), ("thing", 2)] {
            let action = Action::text(format!("search[{query}]"));
            world.perform(&action).now_or_never().unwrap().unwrap();
            assert_eq!(world.game().listed().len(), listed, "{query}");
        }
    }
}
