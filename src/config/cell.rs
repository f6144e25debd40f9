//! One cell: an environment, a strategy, a cast and limits.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use super::parameters::{models_named, named, named_among, names, read, report_setup, suits};
use super::plan::{Cell, Limits};
use super::record::{CellRecord, NamedRecord, RoleRecord};
use super::seats::{Stage, check_environment, needed_users, roles, users};
use super::venue::Venue;
use super::walk::Section;
use crate::domain::{CellName, RoleName};
use crate::ports::{EnvironmentSetup, Parameters, StrategyFactory, TaskSource};
use crate::registry::{Cast, EnvironmentEntry, StrategyEntry};

/// The parameter of strategies that play several tasks in one world.
const ROUNDS: &str = "rounds";

/// The data sets that were opened so far. Equal environment tables share one.
#[derive(Default)]
pub(super) struct OpenedSources(Vec<OpenedSource>);

struct OpenedSource {
    environment: &'static str,
    parameters: Parameters,
    /// Nothing if it could not be opened.
    tasks: Option<Arc<dyn TaskSource>>,
}

impl OpenedSources {
    fn open(
        &mut self,
        section: &Section<'_>,
        entry: &'static EnvironmentEntry,
        parameters: &Parameters,
    ) -> Option<Arc<dyn TaskSource>> {
        let same = |source: &&OpenedSource| {
            source.environment == entry.name && source.parameters == *parameters
        };
        if let Some(source) = self.0.iter().find(same) {
            return source.tasks.clone();
        }
        let setup = EnvironmentSetup {
            parameters: parameters.clone(),
            models: section.context.models(),
        };
        let built = (entry.build)(&setup);
        let tasks = built.map_err(|error| report_setup(section, &error)).ok();
        self.0.push(OpenedSource {
            environment: entry.name,
            parameters: parameters.clone(),
            tasks: tasks.clone(),
        });
        tasks
    }
}

/// Checks a cell. Nothing comes back if something is wrong with it that leaves no cell.
pub(super) fn cell(
    top: &mut Section<'_>,
    name: &CellName,
    agents: Option<&std::path::Path>,
    opened: &mut OpenedSources,
) -> Option<(Cell, CellRecord)> {
    let limits = limits(&mut top.section("limits"));
    let context = top.context;
    let environment = environment(top, opened);
    let venue = venue(environment.as_ref());
    let swaps = context.swaps();
    let swapped = swaps.for_users(top.table());
    let users = users(&mut top.over(&swapped), &venue, agents);
    let mut section = top.section("strategy");
    let entries = &strategies_for(&context.registry.strategies, venue.name());
    let strategy = named_strategy(&mut section, entries, venue.name())?;
    let selector = section.origin_of("name");
    let parameters = read(&mut section, strategy, entries, selector);
    let stage = Stage {
        environment: venue.name(),
        strategy,
        around: strategy.around(&parameters),
        cast: strategy.cast(&parameters),
        selector,
        listed: match strategy.roles {
            Cast::Listed(parameter) => section.origin_of(parameter),
            Cast::Fixed(_) => selector,
        },
        agents,
    };
    let swapped = swaps.for_roles(top.table(), &stage.cast);
    let roles = roles(&mut top.over(&swapped), &stage);
    let (roles, role_records): (Vec<_>, Vec<_>) = roles.into_iter().unzip();
    let need = strategy.user_need(&parameters, entries);
    let users = needed_users(top, (strategy, &parameters, need), users);
    let (users, user_records): (Vec<_>, Vec<_>) = users.into_iter().unzip();
    // A strategy is built for its whole cast; with a gap the gap is the problem.
    if top.context.problem_count() > 0 {
        return None;
    }
    let factory = build_strategy(&section, strategy, &stage.cast, &parameters)?;
    let environment = environment?;
    check_rounds(&section, &parameters, &environment)?;
    let hidden_thoughts = hiding(&role_records, &stage.cast);
    let record = CellRecord {
        name: name.as_str().to_owned(),
        tasks: None,
        data_blake3: None,
        environment: NamedRecord::of(environment.entry.name, &environment.parameters),
        environment_models: environment.models,
        strategy: NamedRecord::of(strategy.name, &parameters),
        limits: (&limits).into(),
        roles: role_records,
        users: user_records,
    };
    let cell = Cell {
        name: name.clone(),
        environment: environment.entry.name.to_owned(),
        tasks: environment.tasks,
        strategy_name: strategy.name.to_owned(),
        strategy: factory,
        roles,
        users,
        hidden_thoughts,
        limits,
    };
    Some((cell, record))
}

/// Several rounds need a world that goes on with another task: otherwise each solved one would break
/// its episode.
fn check_rounds(
    section: &Section<'_>,
    parameters: &Parameters,
    environment: &Environment,
) -> Option<()> {
    let rounds = parameters.integer(ROUNDS).filter(|rounds| *rounds > 1);
    let (Some(rounds), Some(remedy)) = (rounds, environment.tasks.rounds_remedy()) else {
        return Some(());
    };
    let problem = format!("is {rounds}, but there is one task a world; {remedy}, or write 1");
    section.wrong(ROUNDS, problem);
    None
}

/// The roles that hide their thoughts from the others.
fn hiding(records: &[RoleRecord], cast: &[RoleName]) -> BTreeSet<RoleName> {
    let both = records.iter().zip(cast);
    let hiding = both.filter(|(record, _)| record.hide_thoughts);
    hiding.map(|(_, role)| role.clone()).collect()
}

fn build_strategy(
    section: &Section<'_>,
    strategy: &StrategyEntry,
    cast: &[RoleName],
    parameters: &Parameters,
) -> Option<StrategyFactory> {
    let built = (strategy.build)(cast, parameters);
    built.map_err(|error| report_setup(section, &error)).ok()
}

/// The strategy that is named, if the environment can be played with it.
fn named_strategy(
    section: &mut Section<'_>,
    entries: &[&'static StrategyEntry],
    environment: Option<&str>,
) -> Option<&'static StrategyEntry> {
    let suitable = |entry: &&&StrategyEntry| {
        environment.is_none_or(|environment| suits(entry.environments, environment))
    };
    let proposed = names(entries.iter().filter(suitable).copied());
    let strategy = named_among(section, "name", entries, &proposed, "no strategy")?;
    let made_for = (strategy.name, strategy.environments);
    check_environment(section, "name", made_for, environment);
    Some(strategy)
}

/// The strategies in the order in which a name means them in the environment: those that are made for
/// it, those that are for any, and the others, which are refused by name.
fn strategies_for(
    all: &[&'static StrategyEntry],
    environment: Option<&str>,
) -> Vec<&'static StrategyEntry> {
    let mut entries = all.to_vec();
    entries.sort_by_key(|entry| match entry.environments {
        [] => 1,
        made_for if environment.is_some_and(|name| suits(made_for, name)) => 0,
        _ => 2,
    });
    entries
}

struct Environment {
    entry: &'static EnvironmentEntry,
    parameters: Parameters,
    models: Vec<String>,
    tasks: Arc<dyn TaskSource>,
}

/// Where users take part.
fn venue(environment: Option<&Environment>) -> Venue {
    let venue = environment.map(|found| Venue {
        environment: Some(found.entry),
        kinds: found.tasks.kinds(),
    });
    venue.unwrap_or_default()
}

fn environment(top: &mut Section<'_>, opened: &mut OpenedSources) -> Option<Environment> {
    let mut section = top.section("environment");
    let context = section.context;
    let entries = &context.registry.environments;
    let entry = named(&mut section, "name", entries, "no environment")?;
    let selector = section.origin_of("name");
    let problems = context.problem_count();
    let parameters = read(&mut section, entry, entries, selector);
    // Data sets are large: they are opened only with parameters that are right.
    if context.problem_count() > problems {
        return None;
    }
    let tasks = opened.open(&section, entry, &parameters)?;
    Some(Environment {
        entry,
        models: models_named(entry, &parameters),
        parameters,
        tasks,
    })
}

fn limits(section: &mut Section<'_>) -> Limits {
    let usual = Limits::default();
    let mut count = |key, min, max| {
        let number = section.integer(key, min, max);
        number.and_then(|number| u32::try_from(number).ok())
    };
    let steps = count("steps", 1, 1_000_000);
    let questions = count("questions", 0, 1_000_000);
    let model_calls = count("model_calls", 1, 1_000_000_000);
    let attempts = count("attempts", 1, 100);
    let answer_bytes = count("answer_bytes", 1, 64 * 1024 * 1024);
    let tokens = section.integer("tokens", 1, i64::MAX);
    let cost = section.number("cost", 1e-9, 1e9);
    let mut seconds = |key| {
        let number = section.number(key, 0.001, 1e7);
        number.and_then(|number| Duration::try_from_secs_f64(number).ok())
    };
    let limits = Limits {
        steps: steps.unwrap_or(usual.steps),
        questions: questions.or(usual.questions),
        model_calls,
        tokens: tokens.and_then(|tokens| u64::try_from(tokens).ok()),
        cost,
        turn: seconds("turn_seconds").unwrap_or(usual.turn),
        episode: seconds("episode_seconds").or(usual.episode),
        attempts: attempts.unwrap_or(usual.attempts),
        answer_bytes: answer_bytes.map_or(usual.answer_bytes, |bytes| bytes as usize),
    };
    section.finish();
    limits
}
