//! One cell: an environment, a strategy, a cast and limits.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::Value;

use super::node::is_key_letter;
use super::origin::Origin;
use super::parameters::{as_recorded, leave_out, models_named, named, named_among, names, read, set_up, suits, values};
use super::plan::Cell;
use super::record::{CellRecord, NamedRecord, RoleRecord};
use super::search::Agents;
use super::seats::{RoleList, SeatContext, check_environment, needed_users, roles, users};
use super::settings::limits;
use super::user_context::UserContext;
use super::walk::Section;
use rolecall_core::domain::{CellName, MoveKind, RoleName};
use rolecall_core::ports::model::ToolSpec;
use rolecall_core::ports::{EnvironmentEntry, EnvironmentSetup, Parameters, SetupError, StrategyEntry, TaskSource};

/// The parameter of strategies that play several tasks in one world.
const ROUNDS: &str = "rounds";

/// The data sets that were opened so far. Equal environment tables share one.
#[derive(Default)]
pub(super) struct OpenedSources(Vec<OpenedSource>);

/// An environment, its parameters, and its tasks; none if they could not be opened.
type OpenedSource = (&'static str, Parameters, Option<Arc<dyn TaskSource>>);

impl OpenedSources {
    fn open(
        &mut self,
        section: &Section<'_>,
        entry: &'static EnvironmentEntry,
        parameters: &Parameters,
        cell: &CellName,
    ) -> Option<Arc<dyn TaskSource>> {
        let same = |(name, known, _): &&OpenedSource| *name == entry.name && known == parameters;
        if let Some((.., tasks)) = self.0.iter().find(same) {
            return tasks.clone();
        }
        let setup = EnvironmentSetup {
            parameters: parameters.clone(),
            models: section.context.models(),
            recorded_tools: section.context.recorded_tools(cell),
        };
        let tasks = set_up(section, (entry.build)(&setup));
        self.0.push((entry.name, parameters.clone(), tasks.clone()));
        tasks
    }
}

/// Checks a cell. Nothing comes back if something is wrong with it that leaves no cell.
pub(super) fn cell(
    top: &mut Section<'_>,
    name: &CellName,
    agents: &Agents,
    opened: &mut OpenedSources,
) -> Option<(Cell, CellRecord)> {
    let (limits, limits_record) = limits(top, name);
    let context = top.context;
    let environment = environment(top, name, opened);
    let user_context = (environment.as_ref().map(Environment::user_context)).unwrap_or_default();
    let swapped = context.swaps().for_users(top.table());
    let users = users(&mut top.over(&swapped), &user_context, agents);
    let mut section = top.section("strategy");
    let entries = &strategies_for(&context.registry.strategies, user_context.name());
    let chosen = chosen(&mut section, entries, user_context.name())?;
    let (strategy, inner) = (chosen.strategy, chosen.inner);
    let table = [strategy.parameters, inner.map_or(&[][..], |inner| inner.parameters)].concat();
    let parameters = as_recorded(&section, &table, chosen.parameters, context.recorded(name, "strategy"));
    let seat_context = SeatContext {
        cell: name,
        environment: user_context.name(),
        world: user_context.world(&context.registry),
        strategy,
        around: inner,
        cast: strategy.cast(&parameters, inner),
        selector: chosen.selector,
        listed: (strategy.listing(inner)).map(|key| RoleList::of(&mut section, key)),
        ground_truth: environment.as_ref().map(|environment| environment.tasks.ground_truth()).unwrap_or_default(),
        agents,
    };
    let swapped = context.swaps().for_roles(top.table(), &seat_context.cast);
    let (roles, role_records): (Vec<_>, Vec<_>) = (roles(&mut top.over(&swapped), &seat_context).into_iter()).unzip();
    let (users, user_records): (Vec<_>, Vec<_>) = needed_users(top, strategy, inner, users).into_iter().unzip();
    // A strategy is built for its whole cast; with a gap the gap is the problem.
    if top.context.problem_count() > 0 {
        return None;
    }
    let factory = set_up(&section, strategy.factory(&seat_context.cast, &parameters, inner))?;
    let environment = environment?;
    check_tasks(&section, [Some(strategy), inner], &parameters, &environment)?;
    let cell = Cell {
        name: name.clone(),
        environment: environment.entry.name.to_owned(),
        tasks: environment.tasks,
        strategy_name: strategy.name.to_owned(),
        strategy: factory,
        roles,
        users,
        hidden_thoughts: hiding(&role_records, &seat_context.cast),
        limits,
    };
    let record = CellRecord {
        name: name.as_str().to_owned(),
        tasks: None,
        data_blake3: None,
        environment: NamedRecord::of(environment.entry.name, &environment.parameters),
        environment_models: environment.models,
        strategy: NamedRecord::of(strategy.name, &parameters),
        limits: limits_record,
        roles: role_records,
        users: user_records,
    };
    Some((cell, record))
}

/// A strategy may be made for another game of its world. Several rounds need a world that goes on with another
/// task: otherwise each solved one would break its episode.
fn check_tasks(
    section: &Section<'_>,
    strategies: [Option<&StrategyEntry>; 2],
    parameters: &Parameters,
    environment: &Environment,
) -> Option<()> {
    for strategy in strategies.into_iter().flatten() {
        if let Some(remedy) = environment.tasks.strategy_remedy(strategy.name) {
            section.wrong("name", format!("cannot be used: `{}` does not play this game; {remedy}", strategy.name));
            return None;
        }
    }
    let rounds = parameters.integer(ROUNDS).filter(|rounds| *rounds > 1);
    if let Some((rounds, remedy)) = rounds.zip(environment.tasks.rounds_remedy()) {
        section.wrong(ROUNDS, format!("is {rounds}, but there is one task a world; {remedy}, or write 1"));
        return None;
    }
    Some(())
}

/// The roles that hide their thoughts from the others.
fn hiding(records: &[RoleRecord], cast: &[RoleName]) -> BTreeSet<RoleName> {
    records.iter().zip(cast).filter(|(record, _)| record.hide_thoughts).map(|(_, role)| role.clone()).collect()
}

/// The strategy of a cell with its parameters.
struct ChosenStrategy {
    strategy: &'static StrategyEntry,
    /// The strategy that it is played around, if it is one around another.
    inner: Option<&'static StrategyEntry>,
    /// The place where the strategy was named, or what it is played around if that was written later.
    selector: Origin,
    /// Its own parameters, and those of the inner one.
    parameters: Parameters,
}

fn chosen(
    section: &mut Section<'_>,
    entries: &[&'static StrategyEntry],
    environment: Option<&str>,
) -> Option<ChosenStrategy> {
    let strategy = named_strategy(section, "name", "no strategy", entries, environment)?;
    let mut selector = section.origin_of("name");
    let mut parameters = values(section, strategy.parameters);
    let mut inner = None;
    if let Some(key) = strategy.around() {
        let mut single = entries.to_vec();
        single.retain(|entry| entry.around().is_none());
        inner = if section.has(key) {
            let origin = section.origin_of(key);
            selector = std::cmp::max_by_key(selector, origin, |origin| origin.rank());
            let what = "no strategy that is played by itself";
            Some(named_strategy(section, key, what, &single, environment)?)
        } else {
            strategy.inner(&parameters, &single)
        };
        for (name, value) in values(section, inner.map_or(&[], |inner| inner.parameters)).iter() {
            if strategy.parameters.iter().all(|known| known.name != name) {
                parameters = parameters.with(name, value.clone());
            }
        }
    }
    leave_out(section, strategy, entries, selector);
    Some(ChosenStrategy { strategy, inner, selector, parameters })
}

/// The strategy that a key names, if the environment can be played with it.
fn named_strategy<'a>(
    section: &mut Section<'a>,
    key: &'a str,
    what: &str,
    entries: &[&'static StrategyEntry],
    environment: Option<&str>,
) -> Option<&'static StrategyEntry> {
    let suitable = |entry: &&&StrategyEntry| suits(entry.environments, environment);
    let proposed = names(entries.iter().filter(suitable).copied());
    let strategy = named_among(section, key, entries, &proposed, what)?;
    check_environment(section, key, strategy.name, strategy.environments, environment);
    Some(strategy)
}

/// The strategies in the order in which a name means them in the environment: those that are made for
/// it, those that are for any, and the others, which are refused by name.
fn strategies_for(all: &[&'static StrategyEntry], environment: Option<&str>) -> Vec<&'static StrategyEntry> {
    let place = |entry: &StrategyEntry| match entry.environments {
        [] => 1,
        made_for if environment.is_some_and(|name| suits(made_for, name)) => 0,
        _ => 2,
    };
    let mut entries = all.to_vec();
    entries.sort_by_key(|entry| place(entry));
    entries
}

struct Environment {
    entry: &'static EnvironmentEntry,
    parameters: Parameters,
    models: Vec<String>,
    tasks: Arc<dyn TaskSource>,
    tools: Arc<[ToolSpec]>,
}

impl Environment {
    /// The environment as users see it.
    fn user_context(&self) -> UserContext {
        UserContext { environment: Some(self.entry), kinds: self.tasks.kinds(), tools: Arc::clone(&self.tools) }
    }
}

fn environment(top: &mut Section<'_>, cell: &CellName, opened: &mut OpenedSources) -> Option<Environment> {
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
    let parameters = as_recorded(&section, entry.parameters, parameters, context.recorded(cell, "environment"));
    let tasks = opened.open(&section, entry, &parameters, cell)?;
    let tools = tasks.tools();
    set_up(&section, check_tools(&tools))?;
    Some(Environment { entry, tools: tools.into(), models: models_named(entry, &parameters), parameters, tasks })
}

/// Refuses tools that models cannot call, or that nobody can tell from moves or from one another.
fn check_tools(tools: &[ToolSpec]) -> Result<(), SetupError> {
    for (index, tool) in tools.iter().enumerate() {
        let name = tool.name.as_str();
        let mut earlier = tools.iter().take(index);
        let problem = if MoveKind::ALL.iter().any(|kind| kind.as_str() == name) {
            "has the name of a kind of move; give it another name"
        } else if earlier.any(|other| other.name == name) {
            "is there twice; give each tool a name of its own"
        } else if !(1..=64).contains(&name.len()) || !name.chars().all(is_key_letter) {
            "has a name that models cannot call; use up to 64 letters, digits, `-` and `_`"
        } else if tool.parameters.get("type").and_then(Value::as_str) != Some("object") {
            "takes no object; write a JSON Schema with `\"type\": \"object\"` as its parameters"
        } else {
            continue;
        };
        return Err(SetupError { key: None, problem: format!("its tool `{name}` {problem}") });
    }
    Ok(())
}
