//! Sessions step by step: what is shown, where it is, what can be clicked, and what a purchase is worth.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use anyhow::Context;
use serde::Deserialize;
use serde_json::Value;

use crate::conformance::{Tally, each_line};
use crate::domain::Seed;
use crate::environments::shop::actions::{Asked, parse_action};
use crate::environments::shop::catalogue::{Files, LoadOptions, Official, Shelf};
use crate::environments::shop::goal::{Goal, from_json};
use crate::environments::shop::nouns::RecordedNouns;
use crate::environments::shop::render::{History, Rendering, render};
use crate::environments::shop::search::MemoryIndex;
use crate::environments::shop::session::{Page, Session, Shop};
use crate::text::json;

#[derive(Deserialize)]
struct Parsed {
    id: String,
    action: String,
    name: String,
    arg: Option<String>,
}

/// How actions are read.
pub(super) fn actions(file: &Path, _: &Path, tally: &mut Tally) -> anyhow::Result<()> {
    each_line(file, |case: Parsed| {
        let recorded = (&*case.name, case.arg.as_deref());
        tally.check(|| case.id, &recorded, &parse_action(&case.action));
        Ok(())
    })
}

/// What a recorded process drew at random.
#[derive(Deserialize)]
struct World {
    catalog: String,
    show_attrs: bool,
    product_prices: HashMap<String, f64>,
    #[serde(default)]
    goals: Option<Vec<Value>>,
    #[serde(default)]
    goals_used: HashMap<usize, Value>,
}

#[derive(Deserialize)]
struct Recorded {
    id: String,
    session_arg: usize,
    goal_index: usize,
    steps: Vec<Step>,
}

#[derive(Deserialize)]
struct Step {
    action: String,
    obs_text: String,
    obs_text_rich: String,
    url: String,
    available_actions: Available,
    reward: f64,
    done: bool,
    state_returned: Option<String>,
}

#[derive(Debug, Deserialize, PartialEq)]
struct Available {
    has_search_bar: bool,
    clickables: Vec<String>,
}

/// Plays each session of a file again.
pub(super) fn sessions(file: &Path, data: &Path, tally: &mut Tally) -> anyhow::Result<()> {
    let tag = file.file_stem().unwrap_or_default().to_string_lossy();
    let tag = tag.strip_prefix("sessions_").unwrap_or(&tag);
    let folder = file.parent().unwrap_or(Path::new("")).join("world");
    let path = folder.join(format!("{tag}.json"));
    let text = std::fs::read_to_string(&path);
    let text = text.with_context(|| format!("`{}`", path.display()))?;
    let world: World = json::read(&text).with_context(|| format!("`{}`", path.display()))?;
    let nouns = folder.join(format!("nouns_{}.json", world.catalog));
    let mut products = Vec::new();
    let official = Official::open(Files::find(&data.join(&world.catalog))?)?;
    official.each_product(&LoadOptions::default(), &(), |mut product| {
        if let Some(price) = world.product_prices.get(&product.asin) {
            product.price = *price;
        }
        products.push(product);
        Ok(())
    })?;
    let search = MemoryIndex::new((0..).zip(&products));
    let shop = Shop {
        catalogue: Arc::new(Shelf::new(products)),
        search: Arc::new(search),
        tagger: Arc::new(RecordedNouns::read(&nouns)?),
    };
    each_line(file, |recorded: Recorded| {
        let index = recorded.goal_index;
        let all = world.goals.as_ref().and_then(|goals| goals.get(index));
        let goal = all.or_else(|| world.goals_used.get(&index));
        let goal = goal.with_context(|| format!("the world has no goal {index}"))?;
        let goal = from_json(goal.clone()).map_err(anyhow::Error::msg)?;
        play(&recorded, &shop, goal, world.show_attrs, tally)
    })
}

fn play(
    recorded: &Recorded,
    shop: &Shop,
    goal: Goal,
    attributes_tab: bool,
    tally: &mut Tally,
) -> anyhow::Result<()> {
    let id = recorded.session_arg.to_string();
    let mut session = Session::new(id, Arc::new(goal), attributes_tab, Seed(0));
    let mut history = History::of(1);
    for (number, step) in recorded.steps.iter().enumerate() {
        let first = number == 0;
        let bought = session.is_done();
        let is_done = !first && session.perform(shop, &Asked::in_words(&step.action))?;
        // The reward and the end stand at the step that brought them.
        let purchase = session.purchase().filter(|_| is_done && !bought);
        let reward = purchase.map_or(0.0, |(_, reward)| reward.total);
        let at = |what: &str| format!("{} step {number}: {what}", recorded.id);
        let shown = |rendering| render(&session, rendering);
        tally.check(|| at("text"), &step.obs_text, &shown(Rendering::Text));
        let rich = shown(Rendering::TextRich);
        tally.check(|| at("text_rich"), &step.obs_text_rich, &rich);
        tally.check(|| at("url"), &step.url, &session.url());
        let found = Available {
            has_search_bar: matches!(session.page(), Page::Index),
            clickables: session.clickables(),
        };
        tally.check(|| at("actions"), &step.available_actions, &found);
        tally.near(|| at("reward"), step.reward, reward, 1e-12);
        tally.check(|| at("done"), &step.done, &purchase.is_some());
        let action = (!first).then_some(&*step.action);
        let state = history.state(action, rich);
        if let Some(recorded) = &step.state_returned {
            tally.check(|| at("state"), recorded, &state);
        }
    }
    Ok(())
}
