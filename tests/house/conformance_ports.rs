//! The conformance suites over every line of the registry.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use rolecall::config::{Plan, Request, load};
use std::sync::{Arc, Mutex};

use crate::support::puppet;
use crate::support::toy::{play, redriven};
use async_trait::async_trait;
use rolecall::domain::{Action, Answer, Message, Move, MoveKind, RoleName};
use rolecall::ports::{Cast, EnvironmentEntry, EnvironmentSetup, RoleEntry, StrategyBuild, StrategyEntry, UserNeed};
use rolecall::ports::{Parameters, Role, RoleError, Turn, conformance};
use rolecall::registry::Registry;

/// A role for every seat of every strategy: it makes whatever move is open.
struct Anybody;

#[async_trait]
impl Role for Anybody {
    async fn take_turn(&mut self, turn: &Turn) -> Result<Answer, RoleError> {
        let brief = turn.brief().unwrap();
        let open: Vec<MoveKind> = brief.open.iter().collect();
        let kind = open[turn.seed.0 as usize % open.len()];
        let mut made = conformance::sample_move(kind);
        if let Move::Speak { act, .. } = &mut made {
            *act = brief.acts.first().cloned();
        }
        Ok(made.into())
    }
}

static ANYBODY: RoleEntry = RoleEntry {
    name: "anybody",
    summary: "makes whatever move is open",
    roles: &[],
    environments: &[],
    parameters: &[],
    build: |_| Ok(Arc::new(|| Box::new(Anybody))),
};

fn registry() -> Registry {
    let mut registry = rolecall::worlds();
    registry.roles.push(&ANYBODY);
    registry.models.push(&puppet::PROVIDER);
    registry
}

fn fits(made_for: &[&str], name: &str) -> bool {
    made_for.is_empty() || made_for.contains(&name)
}

/// Whether an implementation of the name can take the seat there.
fn takes(implementation: &str, seat: &RoleName, environment: &str) -> bool {
    registry().roles.iter().any(|role| {
        let here = fits(role.environments, environment);
        role.name == implementation && here && fits(role.roles, seat.as_str())
    })
}

/// The parameters of a strategy whose table gives them no other value.
fn usual(entry: &StrategyEntry) -> Parameters {
    Parameters::defaults(entry.parameters)
}

#[test]
fn every_strategy_is_a_fold_and_closes() {
    let all = rolecall::worlds().strategies;
    for entry in &all {
        let parameters = usual(entry);
        let inner = entry.inner(&parameters, &all);
        let cast = entry.cast(&parameters, inner);
        assert!(!cast.is_empty(), "{}", entry.name);
        let factory = entry.factory(&cast, &parameters, inner).unwrap();
        conformance::strategy(&factory).unwrap_or_else(|error| panic!("{}: {error}", entry.name));
    }
}

#[test]
fn a_strategy_around_others_goes_around_all_that_are_none_themselves() {
    let all = rolecall::worlds().strategies;
    let (around, alone): (Vec<&'static StrategyEntry>, Vec<_>) =
        all.into_iter().partition(|entry| entry.around().is_some());
    for entry in around {
        assert!(matches!(entry.roles, Cast::Around(_)), "{}", entry.name);
        assert!(matches!(entry.build, StrategyBuild::Around(_)));
        assert!(entry.inner(&usual(entry), &alone).is_some());
        for inner in &alone {
            let mut parameters = usual(entry);
            for (name, value) in usual(inner).iter() {
                parameters = parameters.with(name, value.clone());
            }
            let cast = entry.cast(&parameters, Some(inner));
            let factory = entry.factory(&cast, &parameters, Some(inner)).unwrap();
            conformance::strategy(&factory).unwrap_or_else(|error| panic!("{} {error}", inner.name));
        }
    }
    for entry in alone {
        assert!(matches!(entry.build, StrategyBuild::Alone(_)), "{}", entry.name);
    }
}

#[test]
fn every_name_of_a_role_in_the_tables_is_valid_and_means_one_implementation() {
    let names = |cast: Cast| match cast {
        Cast::Fixed(names) | Cast::Around(names) => names,
        Cast::Listed(_) => &[],
    };
    let strategies = rolecall::worlds().strategies.into_iter().flat_map(|entry| names(entry.roles));
    let roles = rolecall::worlds().roles.into_iter().flat_map(|entry| entry.roles);
    for name in strategies.chain(roles) {
        assert!(RoleName::new(name).is_ok(), "{name}");
    }
    let meet = |one: &[&str], other: &[&str]| {
        one.is_empty() || other.is_empty() || one.iter().any(|name| other.contains(name))
    };
    for (index, one) in rolecall::worlds().roles.into_iter().enumerate() {
        for other in rolecall::worlds().roles[..index].iter().filter(|other| other.name == one.name) {
            let both = meet(one.roles, other.roles) && meet(one.environments, other.environments);
            assert!(!both, "two implementations could be meant by `{}`", one.name);
        }
    }
}

/// A script of moves that are open to the one role of the strategy.
fn script(strategy: &str, role: &str) -> String {
    let line = |made: &str| format!("{{\"moves\":[{made}]}}\n");
    if strategy == "cot" || strategy == "few-shot" {
        return line(r#"{"kind":"finish","answer":"Yes."}"#).repeat(60);
    }
    // After a few actions its agent has to answer the user.
    if strategy == "booking" {
        return line(r#"{"kind":"speak","text":"Here."}"#).repeat(60);
    }
    let moves = line(scripted_move(role));
    if strategy.ends_with("-im") {
        return (line(scripted_move("thinker")) + &moves).repeat(30);
    }
    moves.repeat(60)
}

/// A move, as scripts write it, that is open to a role of this name wherever it plays.
fn scripted_move(role: &str) -> &'static str {
    match role {
        "thinker" => r#"{"kind":"think","text":"Hm."}"#,
        "clarifier" => r#"{"kind":"judge","clarify":false}"#,
        "planner" => r#"{"kind":"plan","steps":[{"action":{"text":"look"}}]}"#,
        _ => r#"{"kind":"act","action":{"text":"look"}}"#,
    }
}

/// Whether the puppet cannot play with the strategy's own prompts: it does not read in them which moves
/// are open, or which acts it may declare.
fn misleads_puppet(strategy: &str) -> bool {
    strategy.ends_with("-im") || strategy.ends_with("-schema")
}

/// Whether some role of the cast has no card with a prompt, as roles of a new strategy.
fn lacks_cards(strategy: &str, cast: &[RoleName]) -> bool {
    let cards = Path::new(env!("CARGO_MANIFEST_DIR")).join("agents").join(strategy);
    let card = |role: &RoleName| std::fs::read_to_string(cards.join(format!("{role}.toml")));
    cast.iter().any(|role| !card(role).is_ok_and(|card| card.contains("prompt = ")))
}

/// A prompt that says to the puppet which sort of move is open.
const ANY_PROMPT: &str = "\
{% if 'learn' in open %}You are the reflector.
{% elif 'act' in open and 'think' not in open %}Act now.
{% elif 'act' in open %}Go on.
{% elif 'judge' in open %}You are a judge.
{% elif 'plan' in open %}You are the planner.
{% else %}You are the thinker.
{% endif %}";

/// Writes cards for these roles and for a user, in place of those that come along.
fn write_cards(folder: &Path, strategy: &str, cast: &[RoleName]) {
    let roles = cast.iter().map(|role| format!("{strategy}/{role}"));
    let roles = roles.map(|name| (name, ANY_PROMPT));
    let user = ("users/helpful".to_owned(), "The agent asks you something.\n");
    for (name, prompt) in roles.chain([user]) {
        let card = folder.join("agents").join(format!("{name}.toml"));
        std::fs::create_dir_all(card.parent().unwrap()).unwrap();
        std::fs::write(&card, "prompt = \"any.md\"\n").unwrap();
        std::fs::write(card.with_file_name("any.md"), prompt).unwrap();
    }
}

/// The strategy that a config means by the name in an environment.
fn meant(environment: &str, name: &str) -> Option<&'static StrategyEntry> {
    let named = || rolecall::worlds().strategies.into_iter().filter(|entry| entry.name == name);
    let made_for_it = named().find(|entry| entry.environments.contains(&environment));
    made_for_it.or_else(|| named().find(|entry| entry.environments.is_empty()))
}

/// A config that names the given parts, with what they need. Seats that the implementation cannot
/// take are anybody's.
fn plan(folder: &Path, environment: &str, strategy: &str, implementation: &str, user: &str) -> Plan {
    let entry = meant(environment, strategy).unwrap();
    let mut text = format!("environment.name = \"{environment}\"\nstrategy.name = \"{strategy}\"\ntasks.limit = 4\n");
    // Somebody who speaks of one kind of tasks has these.
    let speaks = rolecall::worlds().users.into_iter().find(|entry| entry.name == user);
    if let Some([kind]) = speaks.map(|entry| entry.tasks) {
        text += &format!("environment.dataset = \"{kind}\"\n");
    }
    // A strategy of one game of a world is played in that game.
    if strategy == "chatshop" {
        text += "environment.game = \"chatshop\"\n";
    }
    // Two trials and the lesson between them are enough.
    if entry.parameters.iter().any(|each| each.name == "trials") {
        text += "strategy.trials = 2\n";
    }
    // Whatever a model plays, this one does.
    text += "models.m = { provider = \"puppet\", base_url = \"http://localhost:1\", model = \"m\" }\n";
    let inner = entry.inner(&usual(entry), &rolecall::worlds().strategies);
    let cast = entry.cast(&usual(entry), inner);
    // The cards that come along speak of a household, and use what its users know.
    if environment != "household" || misleads_puppet(strategy) || lacks_cards(strategy, &cast) {
        write_cards(folder, strategy, &cast);
    }
    for role in cast {
        let able = takes(implementation, &role, environment);
        let implementation = if able { implementation } else { ANYBODY.name };
        text += &format!("[roles.{role}]\nimplementation = \"{implementation}\"\n");
        if implementation == "scripted" {
            let file = format!("{role}.jsonl");
            std::fs::write(folder.join(&file), script(strategy, role.as_str())).unwrap();
            text += &format!("file = \"{file}\"\n");
        }
        if implementation == "model" {
            // The puppet says the same in every world.
            text += "model = \"m\"\nreader = \"plain\"\n";
        }
    }
    if entry.user != UserNeed::None && !user.is_empty() {
        text += &format!("[user]\nkind = \"{user}\"\n");
        if user == "model" {
            text += "model = \"m\"\npersona = \"users/helpful\"\n";
        }
    }
    let file = folder.join("config.toml");
    std::fs::write(&file, text).unwrap();
    let request = Request { file, working: PathBuf::from(env!("CARGO_MANIFEST_DIR")), ..Request::default() };
    load(&request, registry()).unwrap_or_else(|errors| panic!("{errors}")).plan
}

/// Whether the tasks of an environment refuse a strategy of any world, or the one that it is played around: whoever
/// plays it answers nobody.
fn is_silent(environment: &EnvironmentEntry, strategy: &StrategyEntry) -> bool {
    let tasks = (environment.build)(&EnvironmentSetup {
        parameters: Parameters::defaults(environment.parameters),
        ..EnvironmentSetup::default()
    });
    let known = rolecall::worlds().strategies;
    let inner = strategy.inner(&usual(strategy), &known).unwrap_or(strategy);
    let refused = tasks.is_ok_and(|tasks| tasks.strategy_remedy(inner.name).is_some());
    refused && strategy.environments.is_empty()
}

/// Participants who are not in this process: `tests/doors` has them.
const ELSEWHERE: [&str; 4] = ["human", "remote", "process", "mcp"];

/// The environments of this process.
fn environments() -> Vec<&'static EnvironmentEntry> {
    let all = rolecall::worlds().environments.into_iter();
    all.filter(|entry| !ELSEWHERE.contains(&entry.name)).collect()
}

/// Casts in which every strategy has each role and each user that the registry allows, but for
/// those who are elsewhere: each role with the first user, and each user with the first role.
fn casts() -> Vec<[&'static str; 4]> {
    let mut casts = Vec::new();
    for environment in environments() {
        let meant = |entry: &StrategyEntry| {
            let found = meant(environment.name, entry.name);
            found.is_some_and(|found| std::ptr::eq(found, entry))
        };
        for strategy in
            rolecall::worlds().strategies.into_iter().filter(|entry| meant(entry) && !is_silent(environment, entry))
        {
            let known = rolecall::worlds().strategies;
            let inner = strategy.inner(&usual(strategy), &known);
            let cast = strategy.cast(&usual(strategy), inner);
            let mut names: Vec<&str> = registry().roles.iter().map(|role| role.name).collect();
            // The script of the test does nothing but act.
            names.retain(|name| *name != "scripted" || cast.len() == 1);
            names.retain(|name| !ELSEWHERE.contains(name));
            names.retain(|name| cast.iter().any(|seat| takes(name, seat, environment.name)));
            // Different implementations for different seats may have one name.
            let mut seen = BTreeSet::new();
            names.retain(|name| seen.insert(*name));
            for (index, role) in names.into_iter().enumerate() {
                let mut users: Vec<_> = rolecall::worlds()
                    .users
                    .into_iter()
                    .filter(|user| fits(user.environments, environment.name))
                    .filter(|user| !ELSEWHERE.contains(&user.name))
                    .collect();
                // Who speaks of every kind of tasks comes first.
                users.sort_by_key(|user| !user.tasks.is_empty());
                let need = strategy.user_need(inner);
                let all = need != UserNeed::None && index == 0;
                let most = if all { rolecall::worlds().users.len() } else { 1 };
                for user in users.into_iter().take(most) {
                    casts.push([environment.name, strategy.name, role, user.name]);
                }
            }
        }
    }
    casts
}

/// Plays a cast, and has everybody in it say again what they said.
fn plays_and_says_it_again([environment, strategy, role, user]: [&str; 4]) {
    let folder = tempfile::tempdir().unwrap();
    let plan = plan(folder.path(), environment, strategy, role, user);
    let played = play(plan.clone());
    assert_eq!(played.episodes.len(), 4);
    for (id, events) in &played.episodes {
        let faults = events.iter().filter(|event| matches!(event.message, Message::Fault(_)));
        assert_eq!(faults.count(), 0, "{environment} {strategy} {role} {user} {id}");
    }
    redriven(&plan, &played.episodes);
}

#[test]
fn every_role_and_user_is_a_function_of_its_view() {
    let casts = casts();
    assert!(casts.len() >= 18, "{casts:?}");
    let left = Mutex::new(casts.into_iter());
    let next = || left.lock().unwrap().next();
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(cast) = next() {
                    plays_and_says_it_again(cast);
                }
            });
        }
    });
}

#[tokio::test]
async fn every_environment_shows_the_same_for_the_same_actions() {
    for entry in environments() {
        let folder = tempfile::tempdir().unwrap();
        let at_home = rolecall::worlds().roles.into_iter().find(|role| role.environments.contains(&entry.name));
        let role = at_home.unwrap_or(&ANYBODY).name;
        let users = rolecall::worlds().users.into_iter();
        let mut users = users.filter(|user| user.environments.contains(&entry.name));
        let own = rolecall::worlds().strategies.into_iter();
        let mut own = own.filter(|own| own.environments == [entry.name]);
        let (strategy, user) = match is_silent(entry, meant(entry.name, "react").unwrap()) {
            true => (own.next().unwrap().name, users.next().unwrap().name),
            false => ("react", ""),
        };
        let plan = plan(folder.path(), entry.name, strategy, role, user);
        let to_play = plan.clone();
        let played = tokio::task::spawn_blocking(move || play(to_play)).await.unwrap();
        for (id, events) in &played.episodes {
            let performed = events.iter().filter_map(|event| match &event.message {
                Message::Perform(action) => Some(action.clone()),
                _ => None,
            });
            let performed: Vec<Action> = performed.collect();
            let opened = plan.cells[0].tasks.open(id.task as usize).unwrap();
            let checked = conformance::environment(&opened.environment, &performed).await;
            checked.unwrap_or_else(|error| panic!("{} {id}: {error}", entry.name));
        }
    }
}

#[test]
fn every_seat_is_swapped_by_one_name() {
    let folder = tempfile::tempdir().unwrap();
    let kinds = |plan: &Plan| {
        let played = play(plan.clone());
        let events = played.episodes.values().next().unwrap();
        events.iter().map(|event| format!("{:?}", event.message)).collect::<Vec<_>>()
    };
    let base = kinds(&plan(folder.path(), "household", "respact", "rules", "helpful"));
    let other_user = kinds(&plan(folder.path(), "household", "respact", "rules", "unhelpful"));
    let other_role = kinds(&plan(folder.path(), "household", "respact", "scripted", "helpful"));
    let other_strategy = kinds(&plan(folder.path(), "household", "react", "rules", "helpful"));
    assert!(base != other_user && base != other_role && base != other_strategy);
}
