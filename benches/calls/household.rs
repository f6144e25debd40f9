//! Household games that many episodes play, that are played for long, or by a model.

use std::path::Path;

use rolecall::config::{Plan, Request, load};
use rolecall::domain::Move;
use rolecall::log::{LogWriter, Sync};
use rolecall::runtime::Launch;

use super::{Took, Watch};
use crate::measure::{measured, resident_bytes};
use crate::support::role;

fn plan(config: &str, sets: &[String]) -> Plan {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut all = vec!["environment.games=12".to_owned()];
    all.extend_from_slice(sets);
    let request = Request {
        file: root.join("configs/household").join(config),
        sets: all,
        working: root.to_owned(),
        ..Request::default()
    };
    load(&request, rolecall::worlds()).unwrap().plan
}

/// The shipped rule-based cast, over and over.
pub(crate) fn short(episodes: usize, sync: Sync) -> Took {
    let mut plan = plan("respact.toml", &[]);
    plan.repeats = u32::try_from(episodes.div_ceil(plan.episodes())).unwrap();
    plan.run.concurrency = 1_000;
    plan.run.log.sync = sync;
    run(plan)
}

/// An agent that walks about, asks the helpful user now and then, and never solves anything.
pub(crate) fn walking(steps: u32, episodes: usize) -> Took {
    let mut plan = plan("respact.toml", &[format!("limits.steps={steps}")]);
    plan.cells[0].roles[0] = role(|turn| match turn.number % 10 {
        0 => Move::speak("Where can I find the mug?").into(),
        1 => Move::think("I look on.").into(),
        number => Move::act(format!("go to shelf {number}")).into(),
    });
    plan.tasks.truncate(episodes);
    plan.repeats = u32::try_from(episodes.div_ceil(plan.episodes())).unwrap();
    plan.run.concurrency = 10;
    run(plan)
}

/// A model that thinks for ever, prompted as shipped. Its prompt holds everything, or what fits into
/// so many tokens.
pub(crate) fn prompted(base_url: &str, steps: u32, episodes: usize, tokens: Option<u32>) -> Took {
    let mut sets = vec![
        format!("limits.steps={steps}"),
        format!("models.agent.base_url=\"{base_url}\""),
        "models.agent.stream=false".to_owned(),
        "models.agent.limits.in_flight=100".to_owned(),
        "roles.executor.moves=\"text\"".to_owned(),
        "cache.mode=\"off\"".to_owned(),
    ];
    if let Some(tokens) = tokens {
        sets.push(format!("models.agent.context_tokens={tokens}"));
        sets.push("roles.executor.context=\"last\"".to_owned());
    }
    let mut plan = plan("respact-model.toml", &sets);
    plan.tasks.truncate(episodes);
    plan.repeats = u32::try_from(episodes.div_ceil(plan.episodes())).unwrap();
    plan.run.concurrency = 10;
    run(plan)
}

fn run(plan: Plan) -> Took {
    let folder = tempfile::tempdir().unwrap();
    let writer = LogWriter::create(&folder.path().join("run"), &plan.record, &plan.run.log).unwrap();
    let launch = Launch::new(plan, &writer, rolecall::worlds().measured());
    let mut watch = Watch::default();
    let before = resident_bytes();
    let (launched, spent) = measured(|| {
        let launched = launch.run(&mut watch).unwrap();
        writer.close().unwrap();
        launched
    });
    let steps = launched.results.iter().map(|result| result.counts.steps);
    Took {
        spent,
        memory: watch.resident.max(resident_bytes()) - before,
        events: launched.events,
        episodes: launched.results.len(),
        moves: steps.map(u64::from).sum(),
    }
}
