//! ChatShop beside recordings of its environment and its agent.

mod agent;
mod recorded;
mod sentences;

use std::path::Path;
use std::sync::Arc;

use anyhow::Context;

pub(super) use agent::agents;

use super::world::World;
use crate::kit::{Tally, at_once, each_line};
use recorded::{Row, Step};
use rolecall_core::domain::{Action, Begun, Observation, Seed, Utterance};
use rolecall_core::ports::Environment;
use rolecall_shop::chatshop::{ChatShopEnvironment, Rules, Session};
use rolecall_shop::goal::Goal;
use rolecall_shop::score::Judge;
use rolecall_shop::session::Shop;

/// The world of a recorded episode, in the original's numbers: `game_mode` 0 tells everything, 1 a part, 2 the kind.
fn environment(row: &Row, goals: &[Goal], shop: &Shop) -> anyhow::Result<ChatShopEnvironment> {
    let goal = goals.get(row.gid).context("there is no such goal")?;
    let told = goal.disclosures.as_ref().context("the goal has no texts")?;
    let judge = Judge::new(goal, Arc::clone(&shop.tagger));
    Ok(ChatShopEnvironment::new(Session {
        catalogue: Arc::clone(&shop.catalogue),
        search: Arc::clone(&shop.search),
        goal: format!("Goal: {}{}", told[row.game_mode.min(2)], told[3]).into(),
        judge: Arc::new(move |product| judge.reward_of_any(product)),
        rules: Rules { questions: row.num_question, products: row.num_products },
    }))
}

/// The environment: observations, rewards, budgets, selections, listed products, and what the shopper is asked.
pub(super) fn sessions(file: &Path, data: &Path, tally: &mut Tally) -> anyhow::Result<()> {
    let (_, store, shop) = World::beside(file, "chatshop", data)?;
    each_line(file, |row: Row| {
        let mut world = environment(&row, &store.goals, &shop)?;
        for (number, step) in row.steps.iter().enumerate() {
            let (asked, seen) = play(&mut world, step)?;
            let position = format!("{} step {number}", row.id);
            compare(tally, &position, step, &world, (asked, seen));
        }
        Ok(())
    })
}

/// Performs a step with the recorded reply: what the shopper is asked, and what is seen.
fn play(world: &mut ChatShopEnvironment, step: &Step) -> anyhow::Result<(Option<String>, Observation)> {
    if step.action == "reset" {
        let begun = Begun { trial: 0, round: 0, keep_world: false, seed: Seed(0) };
        return Ok((None, at_once(world.begin(&begun))??));
    }
    let seen = at_once(world.perform(&Action::text(step.action.as_str())))??;
    let Some(asked) = seen.asks.clone().map(String::from) else {
        return Ok((None, seen));
    };
    let call = step.shopper_calls.first();
    let reply = Utterance::text(&*call.context("the shopper was not asked")?.reply);
    let heard = at_once(world.hear(&Utterance::text(&*asked), &reply))??;
    let heard = heard.context("the world shows nothing of the reply")?;
    Ok((Some(asked), heard))
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
    let call = step.shopper_calls.first();
    let recorded = call.and_then(|call| Some(call.messages.last()?.content.clone()));
    tally.check(at("question"), &recorded, &asked);
    if let Some(done) = step.done {
        tally.check(at("done"), &done, &seen.done);
    }
    let game = world.game();
    let scores = game.scores().to_vec();
    if let Some(reward) = step.reward {
        tally.check(at("reward"), &Some(&reward), &scores.last());
    }
    if let Some(info) = &step.info {
        tally.check(at("questions left"), &info.question_budget, &game.budget());
        tally.check(at("rewards"), &info.scores, &scores);
        let selections = game.selections().to_vec();
        tally.check(at("selections"), &info.selections, &selections);
        let listed = game.listed().iter();
        let listed = listed.map(|one| (one.product.asin.clone(), one.reward));
        tally.check(at("products"), &info.products, &listed.collect());
    }
}
