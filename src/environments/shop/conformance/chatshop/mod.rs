//! ChatShop beside recordings of its environment and its agent.

mod agent;
mod recorded;
mod sentences;
mod session;

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use anyhow::Context;
use futures_util::FutureExt;
use serde::Deserialize;

pub(super) use agent::agents;

use crate::conformance::{Tally, each_line};
use crate::domain::{Action, Begun, Observation, Seed, Utterance};
use crate::environments::shop::catalogue::{Files, LoadOptions, Official, Shelf};
use crate::environments::shop::chatshop::{ChatShopEnvironment, Rules, Session};
use crate::environments::shop::goal::{Goal, read_chatshop};
use crate::environments::shop::nouns::RecordedNouns;
use crate::environments::shop::score::Judge;
use crate::environments::shop::search::MemoryIndex;
use crate::ports::Environment;
use crate::text::json;

/// The catalogue that the recordings were made with.
struct Shop {
    catalogue: Arc<Shelf>,
    search: Arc<MemoryIndex>,
    goals: Vec<Goal>,
    nouns: Arc<RecordedNouns>,
}

#[derive(Deserialize)]
struct Recorded {
    catalog: String,
    product_prices: HashMap<String, f64>,
}

impl Shop {
    /// Reads the catalogue with the prices and nouns that were recorded beside this file.
    fn beside(recording: &Path, data: &Path) -> anyhow::Result<Self> {
        let world = recording.with_file_name("world");
        let text = fs::read_to_string(world.join("chatshop.json"))?;
        let recorded: Recorded = json::read(&text)?;
        let folder = data.join(&recorded.catalog);
        let official = Official::open(Files::find(&folder)?)?;
        let mut products = Vec::new();
        official.each_product(&LoadOptions::default(), &(), |mut product| {
            let price = recorded.product_prices.get(&product.asin);
            product.price = price.copied().unwrap_or(product.price);
            products.push(product);
            Ok(())
        })?;
        let nouns = world.join(format!("nouns_{}.json", recorded.catalog));
        let catalogue = Shelf::new(products);
        let all = (0..).zip(catalogue.products());
        Ok(Self {
            search: Arc::new(MemoryIndex::new(all.map(|(id, product)| (id, &**product)))),
            catalogue: Arc::new(catalogue),
            goals: read_chatshop(&folder.join("chatshop_goals.json"))?,
            nouns: Arc::new(RecordedNouns::read(&nouns)?),
        })
    }

    /// The session of a goal, in the original's numbers: `mode` 0 tells everything, 1 a part, 2 the kind.
    fn session(
        &self,
        goal: usize,
        mode: usize,
        questions: u32,
        products: usize,
    ) -> anyhow::Result<Session> {
        let goal = self.goals.get(goal).context("there is no such goal")?;
        let told = goal.disclosures.as_ref().context("the goal has no texts")?;
        let judge = Judge::new(goal, Arc::clone(&self.nouns) as _);
        Ok(Session {
            catalogue: Arc::clone(&self.catalogue) as _,
            search: Arc::clone(&self.search) as _,
            goal: format!("Goal: {}{}", told[mode.min(2)], told[3]).into(),
            judge: Arc::new(move |product| judge.reward_of_any(product)),
            rules: Rules {
                questions,
                products,
            },
        })
    }
}

#[derive(Deserialize)]
struct Row {
    id: String,
    gid: usize,
    game_mode: usize,
    num_question: u32,
    num_products: usize,
    steps: Vec<Step>,
}

#[derive(Deserialize)]
struct Step {
    action: String,
    #[serde(default)]
    obs: String,
    reward: Option<f64>,
    done: Option<bool>,
    info: Option<Info>,
    #[serde(default)]
    shopper_calls: Vec<ShopperCall>,
    raises: Option<String>,
}

#[derive(Deserialize)]
struct Info {
    question_budget: u32,
    scores: Vec<f64>,
    selections: Vec<i64>,
    products: Vec<(String, f64)>,
}

#[derive(Deserialize)]
struct ShopperCall {
    messages: Vec<Said>,
    reply: String,
}

#[derive(Deserialize)]
struct Said {
    role: String,
    content: String,
}

/// The environment: observations, rewards, budgets, selections, listed products, and what the shopper is asked.
pub(super) fn sessions(file: &Path, data: &Path, tally: &mut Tally) -> anyhow::Result<()> {
    let shop = Shop::beside(file, data)?;
    each_line(file, |row: Row| {
        let session = shop.session(row.gid, row.game_mode, row.num_question, row.num_products)?;
        let mut world = ChatShopEnvironment::new(session);
        for (number, step) in row.steps.iter().enumerate() {
            let (asked, seen) = play(&mut world, step)?;
            compare(
                tally,
                &format!("{} step {number}", row.id),
                step,
                &world,
                (asked, seen),
            );
        }
        Ok(())
    })
}

/// Performs a step with the recorded reply: what the shopper is asked, and what is seen.
fn play(
    world: &mut ChatShopEnvironment,
    step: &Step,
) -> anyhow::Result<(Option<String>, Observation)> {
    let at_once = "the world waits although nothing is slow";
    if step.action == "reset" {
        let begun = Begun {
            trial: 0,
            round: 0,
            keep_world: false,
            seed: Seed(0),
        };
        return Ok((None, world.begin(&begun).now_or_never().context(at_once)??));
    }
    let action = Action::text(step.action.as_str());
    let seen = world.perform(&action).now_or_never().context(at_once)??;
    let Some(asked) = seen.asks.clone().map(String::from) else {
        return Ok((None, seen));
    };
    let reply = step
        .shopper_calls
        .first()
        .context("the shopper was not asked")?;
    let said = Utterance::text(asked.as_str());
    let reply = Utterance::text(reply.reply.as_str());
    let heard = world
        .hear(&said, &reply)
        .now_or_never()
        .context(at_once)??;
    Ok((
        Some(asked),
        heard.context("the world shows nothing of the reply")?,
    ))
}

fn compare(
    tally: &mut Tally,
    position: &str,
    step: &Step,
    world: &ChatShopEnvironment,
    came: (Option<String>, Observation),
) {
    let (asked, seen) = came;
    let at = |what: &'static str| move || format!("{position}, {what}");
    if step.raises.is_some() {
        // Where the original ends with an error, the action is refused.
        return tally.check(at("refused"), &true, &seen.invalid);
    }
    tally.check(at("observation"), &step.obs, &seen.text);
    let recorded = step
        .shopper_calls
        .first()
        .and_then(|call| call.messages.last());
    tally.check(
        at("question"),
        &recorded.map(|said| &said.content),
        &asked.as_ref(),
    );
    if let Some(done) = step.done {
        tally.check(at("done"), &done, &seen.done);
    }
    let game = world.game();
    if let Some(reward) = step.reward {
        tally.check(at("reward"), &Some(reward), &game.scores().last().copied());
    }
    if let Some(info) = &step.info {
        tally.check(at("questions left"), &info.question_budget, &game.budget());
        tally.check(at("rewards"), &info.scores, &game.scores().to_vec());
        tally.check(
            at("selections"),
            &info.selections,
            &game.selections().to_vec(),
        );
        let listed = game.listed().iter();
        let listed: Vec<_> = listed
            .map(|one| (one.product.asin.clone(), one.reward))
            .collect();
        tally.check(at("products"), &info.products, &listed);
    }
}
