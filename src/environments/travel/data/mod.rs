//! The tools of `rolecall data` for travel, and where they find countries and conversations: in official folders and
//! files, or in what is built in.

mod build;
mod generate;
mod statistics;
mod trajectories;

use std::io;
use std::path::Path;
use std::sync::Arc;

use anyhow::Context;

use crate::DataError;
use crate::country::{Country, load_shared};
use crate::generate::{CONVERSATIONS, SEED, Tables, builtin};
use crate::rows::{self, Rows};
use crate::tasks::{self, BUILTIN};
use generate::SPLITS;
use rolecall_core::files;
use rolecall_core::ports::settings::parameters;
use rolecall_core::ports::{Parameter, Parameters};
use rolecall_core::text::{harmless, shell_word};
use rolecall_core::world::{DataTool, Desk, Unfinished};

pub use trajectories::{Labels, Learner, Part, Tuning};

/// The most conversations, and the most flights.
const MOST: [i64; 2] = [1_000_000, 100_000_000];

/// The seed, in the same words everywhere.
const DRAWN: Parameter = Parameter::integer(
    "seed",
    Some(SEED as i64),
    0..=u32::MAX as i64,
    "The seed that everything is drawn from, 19 for travel",
);

/// The tools.
pub(super) static TOOLS: &[DataTool] = &[
    DataTool {
        name: "generate",
        summary: "Generate a country with conversations in the official form; the same options always give the same files",
        parameters: parameters![
            integer("count", Some(CONVERSATIONS as i64), 1..=MOST[0]),
                "How many conversations for training, and how many for tests; fewer are the first of more";
            integer("flights", None, 1..=MOST[1]).optional(),
                "How many flights, if that is more than there are in a month; the others are of the following months";
            path("out", None, &[]), "The folder to which the files go";
            => DRAWN
        ],
        examples: "\
  rolecall data generate travel --count 200 --seed 7 --out country
      Write the tables of a country, and 200 conversations each for training and tests.
  rolecall data generate travel --count 1 --flights 3850000 --out large
      Write as many flights as the official table has.",
        run: generate::run,
    },
    DataTool {
        name: "build",
        summary: "Build conversations about trips in a country as Ask-before-Plan's were built",
        parameters: parameters![
            path("data", Some(BUILTIN), &[BUILTIN]), "A folder of TravelPlanner's tables, or builtin";
            integer("count", Some(1000), 1..=MOST[0]),
                "How many conversations for training, and how many for tests; fewer are the first of more";
            path("out", None, &[]), "The folder to which the files go";
            model("model"), "The model that words questions and answers, as the config names it, in place of templates";
            => DRAWN
        ],
        examples: "\
  rolecall data build travel --count 1000 --seed 7 --data database --out conversations
      Write 1,000 conversations each for training and tests, with a data card.
  rolecall data build travel --out conversations --model large --config my.toml
      Worded by a model; after Ctrl-C give the command again to go on.",
        run: build::run,
    },
    DataTool {
        name: "statistics",
        summary: "Print how many conversations, turns and details there are (Ask-before-Plan, Table 1)",
        parameters: parameters![
            path("data", None, &[BUILTIN]),
                "A folder with train and test, as CSV or JSON lines, such a file, or builtin";
            flag("json", false), "Print the figures as JSON";
        ],
        examples: "\
  rolecall data statistics travel --data conversations
      Print the figures of both splits beside those of the paper.",
        run: statistics::run,
    },
    DataTool {
        name: "trajectories",
        summary: "Write what an executor or a clarifier should say in each turn, as rows for training (CEP)",
        parameters: parameters![
            choice("for", &["executor", "clarifier"]), "Whose turns are learnt";
            path("data", Some(BUILTIN), &[BUILTIN]),
                "A folder of TravelPlanner's tables with conversations, or builtin";
            path("conversations", None, &[]).optional(), "A file of conversations, if they are not in that folder";
            choice("split", &["train", "test"]), "Which conversations";
            choice("labels", &["intended", "head"]),
                "Whether a clarifier asks about all details, or never where the next one cannot be met, as the last \
                    version of the original program has it by mistake";
            flag("chat", false),
                "Write a list of messages for each turn; otherwise each answer with the prompt before it";
            path("out", None, &[]), "The file to which the rows go, one in a line, as JSON";
        ],
        examples: "\
  rolecall data trajectories travel --for clarifier --chat --data travel --out clarifier.jsonl
      Write messages by which a clarifier is tuned: one row for each turn of the training set.
  rolecall data trajectories travel --for executor --out executor.jsonl
      Write prompts and chains of calls of the built-in country.",
        run: trajectories::run,
    },
    DataTool {
        name: "prepare",
        summary: "Prepare a country with very many flights, so that it is loaded at once",
        parameters: parameters![
            path("data", None, &[]), "A folder of TravelPlanner's tables";
            path("out", None, &[]), "The file to write";
        ],
        examples: "\
  rolecall data prepare travel --data database --out country.prepared
      Then: rolecall run configs/travel/cep.toml --set environment.data=country.prepared",
        run: prepare,
    },
];

/// The country of a folder, or the built-in one.
fn country(data: &Path) -> Result<Arc<Country>, DataError> {
    match data == Path::new(BUILTIN) {
        true => Ok(builtin()),
        false => load_shared(data, &()),
    }
}

/// The conversations of a split of a folder, of the built-in country, or of a file.
fn conversations(data: &Path, split: &str) -> Result<Arc<Rows>, DataError> {
    if data == Path::new(BUILTIN) {
        return Ok(tasks::builtin(split));
    }
    let file = match data.is_file() {
        true => data.to_owned(),
        false => tasks::find(data, split)?,
    };
    Ok(Arc::new(rows::load(&file)?))
}

/// The conversations of both splits, or of the only one that there is, with their names; of a file, those of the file.
fn all(data: &Path) -> anyhow::Result<Vec<(String, Arc<Rows>)>> {
    if data.is_file() {
        let name = data.file_stem().unwrap_or_default().to_string_lossy();
        return Ok(vec![(name.into_owned(), conversations(data, "")?)]);
    }
    let is_there = |split: &&str| data == Path::new(BUILTIN) || tasks::find(data, split).is_ok();
    let splits: Vec<&str> = SPLITS.into_iter().filter(is_there).collect();
    let splits = if splits.is_empty() { SPLITS.to_vec() } else { splits };
    splits
        .into_iter()
        .map(|split| {
            let rows = conversations(data, split)?;
            Ok((split.to_owned(), rows))
        })
        .collect()
}

/// Every city of a country with its state; all are of one state if the tables do not say.
fn states(data: &Path, country: &Country) -> anyhow::Result<Vec<(String, String)>> {
    let pair = |(city, state): (&str, &str)| (city.trim().to_owned(), state.trim().to_owned());
    if data == Path::new(BUILTIN) {
        return Ok(Tables::new(SEED).cities().map(pair).collect());
    }
    let files = ["database/background", "background"];
    let files = files.map(|folder| data.join(folder).join("citySet_with_states.txt"));
    let Some(file) = files.iter().find(|file| file.is_file()) else {
        return Ok(country.cities().iter().map(|city| pair((city, ""))).collect());
    };
    let text = files::unpacked(file)
        .and_then(io::read_to_string)
        .with_context(|| format!("`{}` cannot be read", file.display()))?;
    let lines = text.lines().filter_map(|line| line.split_once('\t'));
    Ok(lines.map(pair).collect())
}

/// Writes the file beside its place and moves it there when it is whole.
fn prepare(parameters: &Parameters, _: &dyn Desk) -> anyhow::Result<String> {
    let [data, out] = ["data", "out"].map(|name| parameters.path(name).unwrap_or(Path::new("")));
    let country = Unfinished::file(out, |file| Ok(Country::prepare(data, file, &())?))?;
    let set = shell_word(&format!("environment.data={}", out.display()));
    Ok(format!(
        "{} flights in {}\nPlay there: rolecall run configs/travel/cep.toml --set {set}\n",
        country.flight_count(),
        harmless(&out.display().to_string()),
    ))
}
