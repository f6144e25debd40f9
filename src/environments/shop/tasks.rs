//! The tasks of shops: goals of official files, or of the built-in catalogue.

use std::path::Path;
use std::sync::{Arc, OnceLock};

use serde_json::{Value, json};

use super::catalogue::LoadOptions;
use super::chatshop::{ChatShopEnvironment, Rules, Session, tools};
use super::environment::{Display, WebShopEnvironment};
use super::goal::{Goal, Instructions, Split, WeightedDraw};
use super::nouns::{RecordedNouns, RuleTagger, Tagger};
use super::score::Judge;
use super::session::Shop;
use super::simplify::disclosures;
use super::store::{Goals, Store, StoreOptions};
use super::underspecified::{DETAILS, PARAMETER, stripped};
use super::{actions, generate};
use rolecall_core::domain::{PrivateInfo, PublicTask, Task};
use rolecall_core::ports::model::ToolSpec;
use rolecall_core::ports::settings::parameters;
use rolecall_core::ports::{
    Environment, EnvironmentError, EnvironmentFactory, EnvironmentSetup, OpenTask, Parameter, Parameters, Progress,
    SetupError, TaskSource,
};
use rolecall_core::text::mt19937::PythonRandom;
use rolecall_core::text::shell_path;
use rolecall_core::world::underspecified::{self, Labels, WHAT};

/// The name in `environment.name`.
pub(super) const NAME: &str = "shop";

/// The environments that its entries are for.
pub(super) const NAMES: &[&str] = &[NAME];

/// The word for the catalogue that needs no data.
pub(crate) const BUILTIN: &str = "builtin";

/// The most products that are read where a config is only checked.
const MOST_AT_ONCE: i64 = 1_000_000_000;

/// The word for nouns that are found by rules.
const RULES: &str = "rules";

/// The parameters of the environment.
pub const PARAMETERS: &[Parameter] = parameters![
    path("data", Some(BUILTIN), &[BUILTIN]),
        "a folder of WebShop's official files (`items_shuffle.json`, `items_ins_v2.json`, \
            `items_human_ins.json`, or those with `_1000`), a file of products with the others beside it, or \
            `builtin`: 2,000 generated products";
    path("index", None, &[]).optional(),
        "the folder of an index on disk that `rolecall data index shop` has built, for catalogues that are too \
            large for memory";
    integer("first", Some(0), 0..=MOST_AT_ONCE),
        "only the first so many entries of the file of products; 0: all";
    integer("price_seed", Some(4), 0..=u32::MAX as i64),
        "draws prices within ranges, and the bounds on prices of goals (Python's generator)";
    path("nouns", Some(RULES), &[RULES]),
        "what finds the nouns of titles, by which rewards compare products: `rules`, or a JSON file of lists by ASIN, \
            such as a tagger wrote it";
    choice("game", &["webshop", "chatshop"]),
        "pages to search, click and buy on (WebShop), or lists of products, and a shopper who answers \
            questions (ChatShop)";
    choice("goals", &["human", "synthetic"]),
        "instructions that people wrote, or those that WebShop makes of attributes and options";
    choice("split", &["test", "dev", "train", "all"]),
        "goals 0-499, 500-1499, or those from 1500 on, as the code of WebShop has it (its paper says 500 \
            and 1,000)";
    integer("draws", Some(0), 0..=MOST_AT_ONCE),
        "so many goals drawn by weight as WebShop draws them for new sessions, instead of each once; 0: each \
            once";
    integer("draw_seed", Some(1), 0..=u32::MAX as i64), "draws them";
    choice("observations", &["text_rich", "text", "url", "html", "respact"]),
        "how pages of WebShop are shown: texts with marks, texts in a row, the address, a page of a \
            browser, or as ReSpAct's notebook shows them";
    flag("attributes_tab", false), "products have a page of their attributes";
    integer("previous", Some(0), 0..=100),
        "so many earlier observations, and the actions after them, stand before each observation";
    flag("list_admissible", false), "put what can be clicked into each observation's data";
    choice("disclosure", &["full", "part", "subject"]),
        "ChatShop: what the agent is told of the goal: all, all but attributes and options, or the kind \
            of product alone";
    choice("channel", &["none", "open", "compare", "mix"]),
        "ChatShop: what may be asked: nothing, questions, opinions on two products, or both";
    integer("questions", Some(5), 0..=1_000), "ChatShop: how many questions are answered";
    integer("products", Some(20), 1..=50), "ChatShop: the most products of a list";
    => PARAMETER,
       underspecified::PARAMETERS[0],
       underspecified::PARAMETERS[1],
       underspecified::PARAMETERS[2]
];

/// Finds the goals, once per run.
pub fn build(setup: &EnvironmentSetup) -> Result<Arc<dyn TaskSource>, SetupError> {
    let parameters = &setup.parameters;
    let draws = parameters.whole("draws").unwrap_or(0);
    let mut tasks = ShopTasks {
        store: OnceLock::new(),
        tagger: tagger(parameters)?,
        chosen: Vec::new(),
        labels: None,
        parameters: parameters.clone(),
    };
    let by_people = instructions(parameters) == Instructions::Human;
    let all = match is_builtin(parameters) && by_people && draws == 0 {
        true => generate::GOALS,
        false => {
            let store = store(parameters)?;
            tasks.store.get_or_init(|| store).goals.len()
        }
    };
    let split = parameters.text("split").and_then(Split::named);
    let range = split.map_or(0..all, |split| split.range(all));
    if range.is_empty() {
        let problem = format!("leaves no goal: there are {all} in all; take another one, or `all`");
        return Err(SetupError::at("split", problem));
    }
    tasks.chosen = match draws {
        0 => range.collect(),
        _ => {
            let goals = tasks.store().goals.get(range.clone()).unwrap_or_default();
            let weighted = WeightedDraw::new(goals);
            let mut random = PythonRandom::new(parameters.whole("draw_seed").unwrap_or(1));
            let drawn = (0..draws).filter_map(|_| Some(range.start + weighted.draw(&mut random)?));
            drawn.collect()
        }
    };
    tasks.labels = Labels::of(parameters, tasks.chosen.len(), false);
    if tasks.labels.is_some() && is_chatshop(parameters) {
        let problem = "it is for WebShop; in ChatShop set environment.disclosure instead, or game = \"webshop\"";
        return Err(SetupError::at(WHAT, problem));
    }
    Ok(Arc::new(tasks))
}

/// Whether the data set is the one that needs no files.
fn is_builtin(parameters: &Parameters) -> bool {
    let data = parameters.path("data").unwrap_or(Path::new(BUILTIN));
    data == Path::new(BUILTIN)
}

fn instructions(parameters: &Parameters) -> Instructions {
    parameters.text("goals").and_then(Instructions::named).unwrap_or_default()
}

/// Whether ChatShop is played, and not WebShop.
fn is_chatshop(parameters: &Parameters) -> bool {
    parameters.text("game") == Some("chatshop")
}

/// Tagger that finds the nouns of titles.
fn tagger(parameters: &Parameters) -> Result<Arc<dyn Tagger>, SetupError> {
    let file = parameters.path("nouns");
    let Some(file) = file.filter(|file| *file != Path::new(RULES)) else {
        return Ok(Arc::new(RuleTagger));
    };
    let nouns = RecordedNouns::read(file).map_err(|error| SetupError::at("nouns", error))?;
    Ok(Arc::new(nouns))
}

/// The data set, one copy for all who play in it.
pub(super) fn store(parameters: &Parameters) -> Result<Arc<Store>, SetupError> {
    let instructions = instructions(parameters);
    if is_builtin(parameters) {
        return Ok(Store::builtin(instructions));
    }
    let data = parameters.path("data").unwrap_or(Path::new(BUILTIN));
    let options = StoreOptions {
        goals: if is_chatshop(parameters) { Goals::ChatShop(Some(disclosures)) } else { Goals::WebShop(instructions) },
        load: load_options(parameters),
    };
    let Some(index) = parameters.path("index") else {
        return Store::load(data, &options, &()).map_err(|error| SetupError::at("data", error));
    };
    if !Store::is_indexed(index) {
        let problem = format!(
            "holds no index; build it once: `rolecall data index shop --data {} --out {}`",
            shell_path(data),
            shell_path(index)
        );
        return Err(SetupError::at("index", problem));
    }
    Store::indexed(data, index, &options, &()).map_err(|error| SetupError::at("index", error))
}

/// How products are read.
pub(super) fn load_options(parameters: &Parameters) -> LoadOptions {
    LoadOptions {
        products: parameters.whole("first").filter(|first| *first > 0),
        price_seed: parameters.whole("price_seed").unwrap_or(4),
    }
}

/// The parts of a task in which the games differ: what it says and shows of itself, what its user knows, its world.
type Opened = (String, Value, PrivateInfo, EnvironmentFactory);

/// The goals of a run as tasks.
struct ShopTasks {
    /// The data set. The built-in one is made once somebody needs it.
    store: OnceLock<Arc<Store>>,
    tagger: Arc<dyn Tagger>,
    /// The goals that are played, by their numbers in the official order.
    chosen: Vec<usize>,
    /// Which instructions leave something out; none where all say everything.
    labels: Option<Labels>,
    parameters: Parameters,
}

impl ShopTasks {
    fn store(&self) -> &Store {
        let builtin = || Store::builtin(instructions(&self.parameters));
        self.store.get_or_init(builtin)
    }

    fn shop(&self) -> Shop {
        let store = self.store();
        Shop {
            catalogue: Arc::clone(&store.catalogue),
            search: Arc::clone(&store.search),
            tagger: Arc::clone(&self.tagger),
        }
    }

    /// A task's goal, with its number in the official order.
    fn goal(&self, index: usize) -> Result<(usize, &Goal), EnvironmentError> {
        let number = self.chosen.get(index).copied();
        number.and_then(|number| Some((number, self.store().goals.get(number)?))).ok_or_else(|| {
            let all = self.chosen.len();
            EnvironmentError::Data(format!("there is no goal {index}: there are {all}"))
        })
    }

    /// The goal as it is asked for, and the private parts that say what is meant if something may be left out.
    fn underspecified(&self, index: usize, goal: &Goal) -> Result<(Goal, Option<[PrivateInfo; 2]>), EnvironmentError> {
        let mut asked = goal.clone();
        let Some(labels) = &self.labels else {
            return Ok((asked, None));
        };
        if labels.task(index)?.underspecified {
            asked.instruction = stripped(goal);
        }
        let needed = asked.instruction != goal.instruction;
        let dropped = needed.then_some(DETAILS);
        let parts = underspecified::parts(&goal.instruction, needed, dropped);
        Ok((asked, Some(parts)))
    }

    /// A task of WebShop, with the goal as its agent is told.
    fn webshop(&self, number: usize, goal: &Goal, asked: Goal) -> Opened {
        let parameters = &self.parameters;
        let data = json!({
            "game": "webshop",
            "goal": number,
            "observations": parameters.text("observations"),
            "tagger": self.tagger.name(),
        });
        let display = Display {
            rendering: parameters.choice("observations"),
            attributes_tab: parameters.flag("attributes_tab"),
            previous: parameters.whole("previous").unwrap_or(0),
            list_admissible: parameters.flag("list_admissible"),
        };
        let text = asked.instruction.clone();
        let (shop, shared) = (self.shop(), Arc::new(asked));
        let world = WebShopEnvironment::new(shop, shared, number.to_string(), display);
        let environment = Arc::new(move || -> Box<dyn Environment> { Box::new(world.clone()) });
        (text, data, goal.user_part(), environment)
    }

    /// A task of ChatShop. Its agent is told of the goal what is disclosed, with the bound on the price.
    fn chatshop(&self, number: usize, goal: &Goal) -> Opened {
        let parameters = &self.parameters;
        let rules = Rules {
            questions: parameters.whole("questions").unwrap_or(0),
            products: parameters.whole("products").unwrap_or(0),
        };
        let data = json!({
            "game": "chatshop",
            "goal": number,
            "channel": parameters.text("channel"),
            "questions": rules.questions,
            "products": rules.products,
            "tagger": self.tagger.name(),
        });
        let told = match (&goal.disclosures, parameters.text("disclosure")) {
            (None, _) => goal.instruction.clone(),
            (Some([_, part, _, price]), Some("part")) => format!("{part}{price}"),
            (Some([_, _, subject, price]), Some("subject")) => format!("{subject}{price}"),
            (Some([full, _, _, price]), _) => format!("{full}{price}"),
        };
        let judge = Judge::new(goal, Arc::clone(&self.tagger));
        let session = Session {
            catalogue: Arc::clone(&self.store().catalogue),
            search: Arc::clone(&self.store().search),
            goal: format!("Goal: {told}").into(),
            judge: Arc::new(move |product| judge.reward_of_any(product)),
            rules,
        };
        let environment =
            Arc::new(move || -> Box<dyn Environment> { Box::new(ChatShopEnvironment::new(session.clone())) });
        (told, data, goal.shopper_part(), environment)
    }
}

impl TaskSource for ShopTasks {
    fn len(&self) -> usize {
        self.chosen.len()
    }

    fn digest(&self, tasks: &[usize]) -> Result<Option<String>, EnvironmentError> {
        // The built-in data set needs none, and is not made for that.
        let store = self.store.get().filter(|store| !store.digest.is_empty());
        let Some(store) = store else {
            return Ok(None);
        };
        let mut hasher = blake3::Hasher::new();
        hasher.update(store.digest.as_bytes());
        for index in tasks {
            let (number, _) = self.goal(*index)?;
            hasher.update(&(number as u64).to_le_bytes());
        }
        Ok(Some(hasher.finalize().to_hex().to_string()))
    }

    fn tools(&self) -> Vec<ToolSpec> {
        if is_chatshop(&self.parameters) { tools::tools(self.parameters.choice("channel")) } else { actions::tools() }
    }

    fn hears(&self) -> bool {
        is_chatshop(&self.parameters)
    }

    fn rounds_remedy(&self) -> Option<&'static str> {
        Some("leave it out")
    }

    fn strategy_remedy(&self, strategy: &str) -> Option<&'static str> {
        let fits = strategy != "chatshop" || self.hears();
        (!fits).then_some("set `environment.game = \"chatshop\"`")
    }

    fn prepare(&self, progress: &dyn Progress) -> Result<(), EnvironmentError> {
        let faults = &self.store().faults;
        if !faults.is_empty() {
            progress.remark(&format!("catalogue: {faults}"));
        }
        Ok(())
    }

    fn open(&self, index: usize) -> Result<OpenTask, EnvironmentError> {
        let (number, goal) = self.goal(index)?;
        // What is drawn may be there more than once.
        let id = match self.parameters.integer("draws") {
            Some(1..) => format!("draw-{index}-goal-{number}"),
            _ => format!("goal-{number}"),
        };
        let (asked, parts) = self.underspecified(index, goal)?;
        let (text, data, user, environment) =
            if is_chatshop(&self.parameters) { self.chatshop(number, goal) } else { self.webshop(number, goal, asked) };
        let public = PublicTask { data, ..PublicTask::new(id, &*goal.category, text) };
        let mut private = vec![user, goal.judged_part()];
        private.extend(parts.into_iter().flatten());
        let task = Task { public: Arc::new(public), private };
        Ok(OpenTask { task, environment })
    }
}
