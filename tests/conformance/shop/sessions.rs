//! Sessions step by step: what is shown, where it is, what can be clicked, and what a purchase is worth.

use std::path::Path;
use std::sync::Arc;

use anyhow::Context;
use serde::Deserialize;
use serde_json::{Value, json};

use super::world::World;
use crate::kit::{Tally, each_line};
use rolecall_core::domain::Seed;
use rolecall_shop::actions::{Asked, parse_action};
use rolecall_shop::render::{History, Rendering, render};
use rolecall_shop::session::{Page, Session, Shop};

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
    available_actions: Value,
    reward: f64,
    done: bool,
    state_returned: Option<String>,
}

/// Plays each session of a file again.
pub(super) fn sessions(file: &Path, data: &Path, tally: &mut Tally) -> anyhow::Result<()> {
    let (world, store, shop) = World::beside(file, &World::name(file), data)?;
    each_line(file, |recorded: Recorded| {
        let goal = store.goals.get(recorded.goal_index);
        let goal = goal.context("the world has no such goal")?.clone();
        let id = recorded.session_arg.to_string();
        let session = Session::new(id, Arc::new(goal), world.show_attrs, Seed(0));
        play(&recorded, &shop, session, tally)
    })
}

fn play(recorded: &Recorded, shop: &Shop, mut session: Session, tally: &mut Tally) -> anyhow::Result<()> {
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
        let found = json!({
            "has_search_bar": matches!(session.page(), Page::Index),
            "clickables": session.clickables(),
        });
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
