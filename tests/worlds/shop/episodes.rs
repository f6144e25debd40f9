//! WebShop as episodes use it: tasks, observations, tools, refusals, scores.

use std::sync::Arc;

use rolecall::domain::{Action, Begun, Call, Observation, Score, Seat, Seed};
use rolecall::environments::shop::ShopError;
use rolecall::environments::shop::environment::{Display, WebShopEnvironment};
use rolecall::environments::shop::generate;
use rolecall::environments::shop::goal::Goal;
use rolecall::environments::shop::nouns::RuleTagger;
use rolecall::environments::shop::search::{Hit, Search};
use rolecall::environments::shop::session::Shop;
use rolecall::environments::shop::store::Store;
use rolecall::environments::shop::tasks::{PARAMETERS, build};
use rolecall::ports::{Environment, EnvironmentSetup, OpenTask, ParameterValue, Parameters, SetupError, TaskSource};
use serde_json::{Value, json};

pub(super) fn text(value: &str) -> ParameterValue {
    ParameterValue::Text(value.to_owned())
}

pub(super) fn tasks_with(values: &[(&'static str, ParameterValue)]) -> Result<Arc<dyn TaskSource>, SetupError> {
    let mut parameters = Parameters::defaults(PARAMETERS);
    for (name, value) in values {
        parameters = parameters.with(name, value.clone());
    }
    build(&EnvironmentSetup { parameters, ..EnvironmentSetup::default() })
}

fn tasks(values: &[(&'static str, ParameterValue)]) -> Arc<dyn TaskSource> {
    tasks_with(values).unwrap()
}

pub(super) fn run<T>(future: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(future)
}

pub(super) const BEGUN: Begun = Begun { trial: 0, round: 0, keep_world: false, seed: Seed(3) };

/// A live world.
struct Live(Box<dyn Environment>);

impl Live {
    fn of(task: &OpenTask) -> (Self, Observation) {
        Self::begun((task.environment)())
    }

    fn begun(mut world: Box<dyn Environment>) -> (Self, Observation) {
        let first = run(world.begin(&BEGUN)).unwrap();
        (Self(world), first)
    }

    fn act(&mut self, action: &Action) -> Observation {
        run(self.0.perform(action)).unwrap()
    }

    fn say(&mut self, text: impl Into<String>) -> Observation {
        self.act(&Action::text(text))
    }

    fn score(&mut self) -> Score {
        run(self.0.assess()).unwrap()
    }
}

fn call(tool: &str, arguments: Value) -> Action {
    Action { text: tool.to_owned(), call: Some(Box::new(Call { tool: tool.to_owned(), arguments })) }
}

/// What the conductor knows of the goal.
fn target(task: &OpenTask) -> Value {
    let mut parts = task.task.private.iter();
    let known = parts.find(|part| part.audience == Seat::Conductor).unwrap();
    assert_eq!(known.label, "goal_product");
    Value::clone(&known.value)
}

/// The actions that buy the target with the wanted options, as far as the page lists it.
fn buy(live: &mut Live, goal: &Value) {
    let name = goal["name"].as_str().unwrap();
    assert!(!live.say(format!("search[{name}]")).invalid);
    let asin = goal["asin"].as_str().unwrap();
    assert!(!live.say(format!("click[{asin}]")).invalid);
    for option in goal["options"].as_array().into_iter().flatten() {
        live.say(format!("click[{}]", option.as_str().unwrap()));
    }
    assert!(live.say("click[Buy Now]").done);
}

#[test]
fn whoever_buys_what_is_wanted_solves_every_builtin_task() {
    let tasks = tasks(&[]);
    assert!(tasks.len() >= 100);
    assert_eq!(tasks.digest(&[0]).unwrap(), None);
    for index in 0..20 {
        let task = tasks.open(index).unwrap();
        let goal = target(&task);
        assert_eq!(task.task.public.kind, goal["category"]);
        assert_eq!(task.task.public.text, goal["instruction"]);
        let user = task.task.private.iter().find(|part| part.audience == Seat::User);
        let user = &user.unwrap().value;
        assert_eq!(user["attributes"], goal["attributes"]);
        assert_eq!((user.get("asin"), user.get("name")), (None, None));
        let (mut live, first) = Live::of(&task);
        assert!(first.text.contains(goal["instruction"].as_str().unwrap()));
        assert_eq!(live.score().reward, 0.0);
        buy(&mut live, &goal);
        let score = live.score();
        assert!(score.success, "{}: {}", task.task.public.id, score.detail);
        assert_eq!((score.reward, &score.detail["reward"]["r_type"]), (1.0, &json!(1.0)));
        assert_eq!(score.detail["bought"]["asin"], goal["asin"]);
    }
}

#[test]
fn tools_and_texts_do_the_same_and_what_is_refused_changes_nothing() {
    let tasks = tasks(&[("list_admissible", ParameterValue::Flag(true))]);
    let task = tasks.open(1).unwrap();
    let asin = target(&task)["asin"].as_str().unwrap().to_owned();
    let name = target(&task)["name"].as_str().unwrap().to_owned();
    let (mut worded, first) = Live::of(&task);
    let (mut called, _) = Live::of(&task);
    assert_eq!(first.data.unwrap()["admissible"], json!([]));
    for refused in ["click[search]", "look", "search[]", "click[buy now]", "search[<a> x]"] {
        let seen = worded.say(refused);
        assert!(seen.invalid && !seen.done && seen.text == first.text, "{refused}");
    }
    assert!(called.act(&call("search", json!({ "query": 3 }))).invalid);
    assert!(called.act(&call("buy", json!({}))).invalid);
    let both = [
        (format!("search[{name}]"), call("search", json!({ "query": name }))),
        (format!("click[{asin}]"), call("click", json!({ "target": asin }))),
        ("click[buy now]".to_owned(), call("buy", json!({}))),
    ];
    for (said, tool) in both {
        let one = worded.say(&*said);
        assert!(!one.invalid, "{said}");
        assert_eq!(one, called.act(&tool), "{said}");
        let listed = one.data.unwrap()["admissible"].as_array().unwrap().clone();
        let product = json!(format!("click[{}]", asin.to_lowercase()));
        assert_eq!(listed.contains(&product), said.starts_with("search"));
        assert_eq!(one.done, listed.is_empty());
    }
    assert_eq!(worded.score(), called.score());
    let names: Vec<String> = tasks.tools().into_iter().map(|tool| tool.name).collect();
    assert_eq!(names, ["search", "click", "buy"]);
    let mut kept = (task.environment)();
    let goes_on = Begun { keep_world: true, ..BEGUN };
    let error = run(kept.begin(&goes_on)).unwrap_err().to_string();
    assert!(error.contains("strategy.rounds = 1"), "{error}");
}

#[test]
fn earlier_observations_stand_before_later_ones() {
    let tasks = tasks(&[("previous", ParameterValue::Integer(1)), ("observations", text("url"))]);
    let (mut live, first) = Live::of(&tasks.open(0).unwrap());
    assert!(first.text.starts_with("http://127.0.0.1:3000/"));
    assert!(!first.text.contains("[SEP]"));
    let second = live.say("click[nothing]");
    let again = format!("{0} [SEP] click[nothing] [SEP] {0}", first.text);
    assert_eq!((second.text, second.invalid), (again, true));
    let third = live.say("search[lamp]").text;
    assert!(third.starts_with(&format!("{} [SEP] search[lamp] [SEP] http", first.text)), "{third}");
}

#[test]
fn the_notebooks_rules_end_an_episode_that_violates_them() {
    let tasks = tasks(&[("observations", text("respact"))]);
    let task = tasks.open(0).unwrap();
    let goal = target(&task);
    let (mut live, first) = Live::of(&task);
    assert!(first.text.starts_with("WebShop\nInstruction: \n"));
    let refused = live.say("sing[a song]");
    assert_eq!((&*refused.text, refused.invalid, refused.done), ("Invalid action!", true, false));
    let list = live.say(format!("search[{}]", goal["name"].as_str().unwrap()));
    assert!(!list.text.contains(goal["instruction"].as_str().unwrap()));
    let violated = live.say("click[Next >]");
    assert_eq!((&*violated.text, violated.invalid, violated.done), ("Invalid action!", true, true));
    assert_eq!(live.score().reward, 0.0);
    let (mut live, _) = Live::of(&task);
    buy(&mut live, &goal);
    assert!(live.score().success);
}

#[test]
fn parameters_choose_the_goals_and_say_what_leaves_none() {
    // Who holds the data set saves the others making it.
    let held = tasks(&[]);
    let count = |values: &[(&'static str, ParameterValue)]| tasks(values).len();
    let all = count(&[("split", text("all"))]);
    let parts = ["test", "dev", "train"].map(|split| count(&[("split", text(split))]));
    assert_eq!(parts.iter().sum::<usize>(), all);
    assert_eq!(parts[0], 500);
    let draw = |seed| {
        let seed = ("draw_seed", ParameterValue::Integer(seed));
        let drawn = tasks(&[("draws", ParameterValue::Integer(30)), seed]);
        let ids = (0..drawn.len()).map(|index| drawn.open(index).unwrap().task.public.id.clone());
        ids.collect::<Vec<_>>()
    };
    assert_eq!((draw(1).len(), draw(1) == draw(1), draw(1) == draw(2)), (30, true, false));
    let missing = ParameterValue::Path("no/such/folder".into());
    let error = tasks_with(&[("data", missing)]).err().unwrap();
    assert_eq!(error.key.as_deref(), Some("data"));
    assert!(error.problem.contains("no/such/folder"), "{error}");
    assert!(held.open(1_000_000).is_err());
}

/// An index that takes long.
struct Slow(Arc<dyn Search>);

impl Search for Slow {
    fn search(&self, query: &str, most: usize) -> Result<Vec<Hit>, ShopError> {
        if query == "broken" {
            return Err(ShopError::Missing { what: "disk".to_owned() });
        }
        self.0.search(query, most)
    }

    fn is_slow(&self) -> bool {
        true
    }
}

#[test]
fn a_slow_search_shows_the_same_and_its_errors_are_told() {
    let (products, mut goals) = generate::catalogue(50, 1);
    let goal: Goal = goals.remove(0);
    let store = Store::of(products, Vec::new());
    let world = |search: Arc<dyn Search>| {
        let shop = Shop { catalogue: Arc::clone(&store.catalogue), search, tagger: Arc::new(RuleTagger) };
        let goal = Arc::new(goal.clone());
        let made = WebShopEnvironment::new(shop, goal, "0".to_owned(), Display::default());
        Live::begun(Box::new(made)).0
    };
    let mut quick = world(Arc::clone(&store.search));
    let mut slow = world(Arc::new(Slow(Arc::clone(&store.search))));
    for said in [&*format!("search[{}]", goal.name), &format!("click[{}]", goal.asin), "sing"] {
        assert_eq!(slow.say(said), quick.say(said), "{said}");
    }
    let error = run(slow.0.perform(&Action::text("search[broken]"))).unwrap_err();
    assert!(error.to_string().contains("disk"), "{error}");
}
