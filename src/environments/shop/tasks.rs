//! The tasks of shops: goals of official files, or of the built-in catalogue.

use std::path::Path;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::json;

use super::actions;
use super::catalogue::LoadOptions;
use super::chatshop::{Channel, ChatShopEnvironment, Rules, Session, tools};
use super::environment::{Display, WebShopEnvironment};
use super::goal::{Goal, Instructions, Split, WeightedDraw};
use super::nouns::{RecordedNouns, RuleTagger, Tagger};
use super::private;
use super::render::Rendering;
use super::score::Judge;
use super::session::Shop;
use super::simplify::disclosures;
use super::store::{Goals, Store, StoreOptions};
use crate::domain::{PublicTask, Task};
use crate::ports::model::ToolSpec;
use crate::ports::settings::parameters;
use crate::ports::{
    EnvironmentError, EnvironmentFactory, EnvironmentSetup, OpenTask, Parameter, Parameters,
    Progress, SetupError, TaskSource,
};
use crate::text::mt19937::PythonRandom;
use crate::text::shell_path;

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
    choice("observations", Rendering::WORDS),
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
];

/// The game that is played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Game {
    /// Pages to search, click and buy on.
    #[default]
    WebShop,
    /// Lists of products, and a shopper who answers questions.
    ChatShop,
}

/// Finds the goals, once per run.
pub fn build(setup: &EnvironmentSetup) -> Result<Arc<dyn TaskSource>, SetupError> {
    let parameters = &setup.parameters;
    let game: Game = parameters.choice("game");
    let store = store(parameters, game)?;
    let shop = Shop {
        catalogue: Arc::clone(&store.catalogue),
        search: Arc::clone(&store.search),
        tagger: tagger(parameters)?,
    };
    let all: Vec<usize> = (0..store.goals.len()).collect();
    let split = parameters.text("split").and_then(Split::named);
    let range = split.map_or(0..all.len(), |split| split.range(all.len()));
    let mut chosen = all.get(range).unwrap_or_default().to_vec();
    if chosen.is_empty() {
        let problem = format!(
            "leaves no goal: there are {} in all; take another one, or `all`",
            all.len()
        );
        return Err(SetupError::at("split", problem));
    }
    let draws = parameters.whole("draws").unwrap_or(0);
    if draws > 0 {
        let goals: Vec<Goal> = chosen
            .iter()
            .filter_map(|index| store.goals.get(*index))
            .cloned()
            .collect();
        let weighted = WeightedDraw::new(&goals);
        let mut random = PythonRandom::new(parameters.whole("draw_seed").unwrap_or(1));
        let drawn = (0..draws).filter_map(|_| chosen.get(weighted.draw(&mut random)?).copied());
        chosen = drawn.collect();
    }
    Ok(Arc::new(ShopTasks {
        is_builtin: is_builtin(parameters),
        store,
        shop,
        chosen,
        are_drawn: draws > 0,
        played: match game {
            Game::WebShop => Played::WebShop(Display {
                rendering: parameters.choice("observations"),
                attributes_tab: parameters.flag("attributes_tab"),
                previous: parameters.whole("previous").unwrap_or(0),
                list_admissible: parameters.flag("list_admissible"),
            }),
            Game::ChatShop => Played::ChatShop {
                disclosure: parameters.choice("disclosure"),
                channel: parameters.choice("channel"),
                rules: Rules {
                    questions: parameters.whole("questions").unwrap_or(0),
                    products: parameters.whole("products").unwrap_or(0),
                },
            },
        },
    }))
}

fn tagger(parameters: &Parameters) -> Result<Arc<dyn Tagger>, SetupError> {
    match parameters
        .path("nouns")
        .filter(|path| *path != Path::new(RULES))
    {
        None => Ok(Arc::new(RuleTagger)),
        Some(file) => {
            let nouns = RecordedNouns::read(file);
            Ok(Arc::new(
                nouns.map_err(|error| SetupError::at("nouns", error))?,
            ))
        }
    }
}

fn is_builtin(parameters: &Parameters) -> bool {
    parameters
        .path("data")
        .is_none_or(|data| data == Path::new(BUILTIN))
}

/// The data set, one copy for all who play in it.
pub(super) fn store(parameters: &Parameters, game: Game) -> Result<Arc<Store>, SetupError> {
    let instructions = match parameters.text("goals") {
        Some("synthetic") => Instructions::Synthetic,
        _ => Instructions::Human,
    };
    if is_builtin(parameters) {
        return Ok(Store::builtin(instructions));
    }
    let goals = match game {
        Game::ChatShop => Goals::ChatShop(Some(disclosures)),
        Game::WebShop => Goals::WebShop(instructions),
    };
    let load = load_options(parameters);
    let options = StoreOptions { goals, load };
    let data = parameters.path("data").unwrap_or(Path::new(BUILTIN));
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

/// The goals of a run as tasks.
struct ShopTasks {
    store: Arc<Store>,
    shop: Shop,
    /// The goals that are played, by their numbers in the official order.
    chosen: Vec<usize>,
    /// They were drawn, and may be there more than once.
    are_drawn: bool,
    is_builtin: bool,
    played: Played,
}

/// How a game is played.
#[derive(Clone, Copy)]
enum Played {
    WebShop(Display),
    ChatShop {
        disclosure: Disclosure,
        channel: Channel,
        rules: Rules,
    },
}

/// What ChatShop's agent is told of the goal, in the order of [`Goal::disclosures`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Disclosure {
    #[default]
    Full,
    Part,
    Subject,
}

impl ShopTasks {
    /// A task's goal, with its number in the official order.
    fn goal(&self, index: usize) -> Result<(usize, &Goal), EnvironmentError> {
        let number = self.chosen.get(index).copied();
        let goal = number.and_then(|number| Some((number, self.store.goals.get(number)?)));
        goal.ok_or_else(|| {
            let all = self.chosen.len();
            EnvironmentError::Data(format!("there is no goal {index}: there are {all}"))
        })
    }

    fn task(&self, index: usize, number: usize, goal: &Goal) -> Task {
        let id = match self.are_drawn {
            true => format!("draw-{index}-goal-{number}"),
            false => format!("goal-{number}"),
        };
        let tagger = self.shop.tagger.name();
        let (data, text, user) = match self.played {
            Played::WebShop(display) => {
                let data = json!({
                    "game": "webshop",
                    "goal": number,
                    "observations": display.rendering.as_str(),
                    "tagger": tagger,
                });
                (data, goal.instruction.clone(), private::goal(goal))
            }
            Played::ChatShop {
                disclosure,
                channel,
                rules,
            } => {
                let data = json!({
                    "game": "chatshop",
                    "goal": number,
                    "channel": channel.as_str(),
                    "questions": rules.questions,
                    "products": rules.products,
                    "tagger": tagger,
                });
                (data, disclosed(goal, disclosure), private::target(goal))
            }
        };
        let public = PublicTask {
            data,
            ..PublicTask::new(id, &*goal.category, text)
        };
        Task {
            public: Arc::new(public),
            private: vec![user, private::goal_product(goal)],
        }
    }

    /// Makes the world of a goal.
    fn environment(&self, number: usize, goal: &Goal) -> EnvironmentFactory {
        let shop = self.shop.clone();
        match self.played {
            Played::WebShop(display) => {
                let goal = Arc::new(goal.clone());
                Arc::new(move || {
                    let (shop, goal, id) = (shop.clone(), Arc::clone(&goal), number.to_string());
                    Box::new(WebShopEnvironment::new(shop, goal, id, display))
                })
            }
            Played::ChatShop {
                disclosure, rules, ..
            } => {
                let judge = Judge::new(goal, Arc::clone(&shop.tagger));
                let session = Session {
                    catalogue: shop.catalogue,
                    search: shop.search,
                    goal: format!("Goal: {}", disclosed(goal, disclosure)).into(),
                    judge: Arc::new(move |product| judge.reward_of_any(product)),
                    rules,
                };
                Arc::new(move || Box::new(ChatShopEnvironment::new(session.clone())))
            }
        }
    }
}

/// What ChatShop's agent is told of a goal, with the bound on the price.
fn disclosed(goal: &Goal, disclosure: Disclosure) -> String {
    match &goal.disclosures {
        Some([full, part, subject, price]) => {
            let told = match disclosure {
                Disclosure::Full => full,
                Disclosure::Part => part,
                Disclosure::Subject => subject,
            };
            format!("{told}{price}")
        }
        None => goal.instruction.clone(),
    }
}

impl TaskSource for ShopTasks {
    fn len(&self) -> usize {
        self.chosen.len()
    }

    fn digest(&self, tasks: &[usize]) -> Result<Option<String>, EnvironmentError> {
        if self.is_builtin {
            return Ok(None);
        }
        let mut hasher = blake3::Hasher::new();
        hasher.update(self.store.digest.as_bytes());
        for index in tasks {
            let (number, _) = self.goal(*index)?;
            hasher.update(&(number as u64).to_le_bytes());
        }
        Ok(Some(hasher.finalize().to_hex().to_string()))
    }

    fn tools(&self) -> Vec<ToolSpec> {
        match self.played {
            Played::WebShop(_) => actions::tools(),
            Played::ChatShop { channel, .. } => tools::tools(channel),
        }
    }

    fn hears(&self) -> bool {
        matches!(self.played, Played::ChatShop { .. })
    }

    fn rounds_remedy(&self) -> Option<&'static str> {
        Some("leave it out")
    }

    fn prepare(&self, _: &dyn Progress) -> Result<(), EnvironmentError> {
        let faults = &self.store.faults;
        if !faults.is_empty() {
            tracing::warn!(%faults, "some entries of the catalogue cannot be used");
        }
        Ok(())
    }

    fn open(&self, index: usize) -> Result<OpenTask, EnvironmentError> {
        let (number, goal) = self.goal(index)?;
        Ok(OpenTask {
            task: self.task(index, number, goal),
            environment: self.environment(number, goal),
        })
    }
}
