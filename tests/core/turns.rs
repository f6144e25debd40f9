//! Turns that depend on a verdict, and Reflexion around any strategy.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::support::toy::cast::can_be_interrupted;
use crate::support::toy::play;
use rolecall::config::{Plan, Request, Resolved, load};
use rolecall::domain::UserSees;
use rolecall::ports::{
    Cast, EnvironmentEntry, NoWords, ParameterValue, RoleEntry, StrategyBuild, StrategyEntry, UserEntry, UserNeed,
};
use rolecall::prelude::*;
use rolecall::strategies::{TURN_LOOP_PARAMETERS, react};

/// A counter at which trains and hotels are asked for: both must be.
#[derive(Default)]
struct Counter(BTreeSet<String>);

#[async_trait]
impl Environment for Counter {
    async fn begin(&mut self, _: &Begun) -> Result<Observation, EnvironmentError> {
        self.0.clear();
        Ok(Observation::text("You stand at a counter."))
    }

    async fn perform(&mut self, action: &Action) -> Result<Observation, EnvironmentError> {
        self.0.insert(action.text.clone());
        Ok(Observation::text(format!("{}: some.", action.text)))
    }

    async fn assess(&mut self) -> Result<Score, EnvironmentError> {
        Ok(Score::all_or_nothing(self.0.len() > 1))
    }
}

/// The request of the first task is clear, that of the second is not.
struct Requests;

impl TaskSource for Requests {
    fn len(&self) -> usize {
        2
    }

    fn open(&self, index: usize) -> Result<OpenTask, EnvironmentError> {
        let text = ["a trip to Bern", "a trip"][index];
        let task = PublicTask::new(format!("trip-{index}"), "trip", text).into();
        let environment = Arc::new(|| Box::<Counter>::default() as Box<dyn Environment>);
        Ok(OpenTask { task, environment })
    }
}

static COUNTER: EnvironmentEntry = EnvironmentEntry {
    name: "counter",
    summary: "a counter",
    parameters: &[],
    words: &NoWords,
    build: |_| Ok(Arc::new(Requests)),
};

/// Does what its role is there for.
struct Clerk(RoleName);

#[async_trait]
impl Role for Clerk {
    async fn take_turn(&mut self, turn: &Turn) -> Result<Answer, RoleError> {
        let of = |wanted: fn(&Message) -> bool| turn.view.all().filter(|event| wanted(&event.message)).count();
        let clear = turn.task().is_some_and(|task| task.text.contains("Bern"))
            || of(|message| matches!(message, Message::Replied(_))) > 0;
        let begun = turn.view.all().filter(|event| matches!(event.message, Message::Begun(_)));
        let since = begun.last().map_or(0, |event| event.seq);
        let asked = turn.view.all().filter(|event| event.seq > since && matches!(event.message, Message::Observed(_)));
        let lessons = &turn.brief().unwrap().sections;
        let learned = lessons.iter().any(|section| section.name == "lessons");
        let finish = Move::Finish { answer: Box::default() };
        let (clarify, reason) = (!clear, None);
        Ok(match (self.0.as_str(), asked.count()) {
            ("clarifier", _) => Move::Judge { clarify, reason },
            ("asker", _) => Move::speak("Where to?"),
            ("reflector", _) => Move::Learn { lesson: "Ask for hotels too.".to_owned() },
            ("thorough" | "executor", 1) => Move::act("ask trains"),
            ("thorough", 2) => Move::act("ask hotels"),
            ("executor", 2) if learned => Move::act("ask hotels"),
            _ => finish,
        }
        .into())
    }
}

static CLERK: RoleEntry = RoleEntry {
    name: "clerk",
    summary: "works at the counter",
    roles: &[],
    environments: &["counter"],
    parameters: &[],
    build: |setup| {
        let role = setup.role.clone();
        Ok(Arc::new(move || Box::new(Clerk(role.clone()))))
    },
};

struct Traveller;

#[async_trait]
impl UserSimulator for Traveller {
    async fn reply(&mut self, _: &Turn) -> Result<Utterance, UserError> {
        Ok(Utterance::text("To Bern."))
    }
}

static TRAVELLER: UserEntry = UserEntry {
    name: "traveller",
    summary: "wants to go to Bern",
    environments: &["counter"],
    tasks: &[],
    sees: UserSees::Question,
    parameters: &[],
    build: |_| Ok(Arc::new(|| Box::new(Traveller))),
};

/// A strategy of a program's own.
static OWN: StrategyEntry = StrategyEntry {
    name: "own",
    summary: "think and act",
    environments: &["counter"],
    roles: Cast::Fixed(&["executor"]),
    user: UserNeed::None,
    parameters: TURN_LOOP_PARAMETERS,
    build: StrategyBuild::Alone(react),
};

fn resolve(strategy: &str, roles: &str) -> Result<Resolved, String> {
    let mut registry = rolecall::worlds();
    registry.environments.push(&COUNTER);
    registry.roles.push(&CLERK);
    registry.users.push(&TRAVELLER);
    registry.strategies.push(&OWN);
    let roles = roles.split(' ').map(|role| format!("roles.{role}.implementation = 'clerk'\n"));
    let roles: String = roles.collect();
    let text = format!(
        "environment.name = 'counter'\nuser.kind = 'traveller'\nlimits.steps = 40\n{roles}[strategy]\n{strategy}\n"
    );
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("run.toml"), text).unwrap();
    let request = Request { file: "run.toml".into(), working: folder.path().to_owned(), ..Request::default() };
    load(&request, registry).map_err(|errors| errors.to_string())
}

fn resolved(strategy: &str, roles: &str) -> Plan {
    let resolved = resolve(strategy, roles);
    resolved.unwrap_or_else(|errors| panic!("{errors}")).plan
}

/// Who moved how, in each of the two tasks, and whether it was solved.
fn moves(plan: Plan) -> [(String, bool); 2] {
    let played = play(plan);
    [0, 1].map(|task| {
        let moved = played.events(task).iter().filter_map(|event| match &event.message {
            Message::Moved(made) => Some(format!("{} {}", event.from, made.kind().as_str())),
            _ => None,
        });
        let moved: Vec<String> = moved.collect();
        (moved.join(", "), played.outcome(task).success)
    })
}

/// CEP: clarify until all is clear, act until done, then plan.
const CEP: &str = "name = 'relay'\norder = ['clarifier', 'asker', 'thorough', 'planner']\n\
    keep = ['thorough']\nskip_when_clear = ['asker']\nskip_when_unclear = ['thorough', 'planner']\n\
    open.clarifier = ['judge']\nopen.asker = ['speak']\nopen.planner = ['plan', 'finish']";
const CEP_ROLES: &str = "clarifier asker thorough planner";

#[test]
fn a_verdict_decides_who_is_passed_over_and_who_is_done_hands_on() {
    let work = "thorough act, thorough act, thorough finish, planner finish";
    let [clear, unclear] = moves(resolved(CEP, CEP_ROLES));
    assert_eq!(clear, (format!("clarifier judge, {work}"), true));
    let asking = "clarifier judge, asker speak, clarifier judge";
    assert_eq!(unclear, (format!("{asking}, {work}"), true));
}

#[test]
fn such_turns_can_be_gone_on_with_and_are_recorded() {
    let plan = resolved(CEP, CEP_ROLES);
    for line in ["keep = [\"thorough\"]", "planner = [\"plan\", \"finish\"]"] {
        assert!(plan.record.contains(line), "{}", plan.record);
    }
    let usual = resolved("name = 'relay'\norder = ['executor']", "executor");
    for key in ["keep", "skip_when", "open"] {
        assert!(!usual.record.contains(key), "{}", usual.record);
    }
    let mut one = plan;
    one.tasks.truncate(1);
    can_be_interrupted(one);
}

#[test]
fn lists_and_tables_are_checked_like_other_parameters() {
    let problems = |strategy: &str| resolve(strategy, "executor").err().unwrap_or_default();
    let relay = "name = 'relay'\norder = ['executor']\n";
    let table = [
        ("open.executor = ['act', 'finsh']", "strategy.open.executor.1` is `finsh`"),
        ("open.executor = ['act', 'finsh']", "`finish`"),
        ("open.executor = ['act', 3]", "is the whole number `3`; it must be a text in quotes"),
        ("open.executor = 'act'", "strategy.open.executor` is the text `act`; it must be a list"),
        ("open = ['act']", "strategy.open` is a list; it must be a table"),
        ("open.planner = ['act']", "`planner` is not in `order`"),
        ("open.executor = []", "opens no move to `executor`"),
        ("keep = ['planner']", "strategy.keep` cannot be used: `planner` is not in `order`"),
        ("keep = 'executor'", "strategy.keep` is the text `executor`; it must be a list"),
    ];
    for (line, expected) in table {
        let found = problems(&format!("{relay}{line}"));
        assert!(found.contains(expected) && found.contains("run.toml:8"), "{line}: {found}");
    }
    assert_eq!(problems(&format!("{relay}keep = []\nopen = {{}}")), "");
}

#[test]
fn where_everybody_is_passed_over_the_trial_ends() {
    let plan = resolved(
        "name = 'relay'\norder = ['clarifier']\nskip_when_clear = ['clarifier']\nopen.clarifier = ['judge']",
        "clarifier",
    );
    let [clear, unclear] = moves(plan);
    assert_eq!(clear.0, "clarifier judge");
    assert_eq!(unclear.0, ["clarifier judge"; 40].join(", "));
}

#[test]
fn reflexion_plays_any_strategy_trial_after_trial() {
    let trial = "executor act, executor finish";
    let both = format!("{trial}, reflector learn, executor act, executor act, executor finish");
    for around in ["relay'\norder = ['executor']\n#", "own", "react"] {
        let strategy = format!("name = 'reflexion'\naround = '{around}'\ntrials = 3");
        let plan = resolved(&strategy, "executor reflector");
        let [first, second] = moves(plan.clone());
        assert_eq!(first, (both.clone(), true), "{around}");
        assert_eq!(second, first);
        let mut one = plan;
        one.tasks.truncate(1);
        can_be_interrupted(one);
    }
}

#[test]
fn reflexion_takes_the_parameters_and_roles_of_what_it_is_around() {
    let relay = "name = 'reflexion'\naround = 'relay'\ntrials = 2\n";
    let order = "order = ['clarifier', 'executor']\nopen.clarifier = ['judge']";
    let plan = resolved(&format!("{relay}{order}"), "clarifier executor reflector");
    let cast: Vec<&str> = plan.cells[0].roles.iter().map(|role| role.role.as_str()).collect();
    assert_eq!(cast, ["clarifier", "executor", "reflector"]);
    let [first, _] = moves(plan);
    assert!(
        first.0.starts_with("clarifier judge, executor act, clarifier judge, executor finish, reflector learn"),
        "{first:?}"
    );
    let plain = resolved("name = 'reflexion'", "executor reflector");
    assert!(plain.record.contains("rounds = 1"), "{}", plain.record);
}

#[test]
fn what_reflexion_cannot_go_around_is_refused() {
    let problems = |strategy: &str| {
        let strategy = format!("name = 'reflexion'\n{strategy}");
        resolve(&strategy, "executor reflector").err().unwrap_or_default()
    };
    let table = [
        ("around = 'reakt'", "strategy.around` is `reakt`, which is no strategy"),
        ("around = 'reakt'", "`react`"),
        ("around = 'reflexion'", "no strategy that is played by itself"),
        ("around = 'tpe'", "does not understand `counter`"),
        ("around = 'react'\norder = ['executor']", "strategy.order` is unknown"),
        ("around = 'relay'\norder = ['executor', 'reflector']", "has a `reflector` of its own"),
    ];
    for (line, expected) in table {
        let found = problems(line);
        assert!(found.contains(expected), "{line}: {found}");
    }
}

#[test]
fn lists_and_tables_are_read_back() {
    let list = ParameterValue::List(vec!["a".to_owned()]);
    let table = ParameterValue::Table([("k".to_owned(), ParameterValue::Integer(2))].into());
    let parameters = Parameters::new([("list", list), ("table", table)]);
    assert_eq!(parameters.list("list"), ["a"]);
    assert!(parameters.list("table").is_empty() && parameters.list("none").is_empty());
    let entries: Vec<_> = parameters.table("table").collect();
    assert_eq!(entries, [("k", &ParameterValue::Integer(2))]);
    assert_eq!(parameters.table("list").count(), 0);
}
