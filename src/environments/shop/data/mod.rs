//! The tools of `rolecall data` for shops.

mod generate;
mod index;
mod official;
mod retrieval;
mod simplify;
mod statistics;
mod words;

use super::generate::{PRODUCTS, SEED};
use super::tasks::BUILTIN;
use rolecall_core::ports::Parameter;
use rolecall_core::ports::settings::parameters;
use rolecall_core::world::DataTool;

/// The most products, so that every one has a number of ten letters.
const MOST: i64 = 100_000_000;

/// Help of a parameter that several tools have.
const GOALS: &str = "A folder of WebShop's official files, a file chatshop_goals.json, or builtin";
const JSON: Parameter = Parameter::flag("json", false, "Print the figures as JSON");
/// How the products of an index are read.
const READ: [Parameter; 2] = [
    Parameter::integer(
        "first",
        Some(0),
        0..=1_000_000_000,
        "Only the first so many entries of the file of products; 0: all",
    ),
    Parameter::integer("price_seed", Some(4), 0..=u32::MAX as i64, "Draws prices within ranges"),
];

/// The tools.
pub static TOOLS: &[DataTool] = &[
    DataTool {
        name: "generate",
        summary: "Generate a catalogue in the official format; the same options always give the same files",
        parameters: parameters![
            integer("count", Some(PRODUCTS as i64), 1..=MOST),
                "How many products, 2000 if nothing is said; fewer products are the first of more products";
            integer("seed", Some(SEED as i64), 0..=u32::MAX as i64),
                "The seed that everything is drawn from, 17 for shops";
            path("out", None, &[]), "The folder to which the files go";
        ],
        examples: "\
  rolecall data generate shop --count 1000 --seed 7 --out shop
      Write 1,000 products with their goals.",
        run: generate::run,
    },
    DataTool {
        name: "index",
        summary: "Build the index of a catalogue that is too large for memory",
        parameters: parameters![
            path("data", None, &[]), "The folder of official files, or the file of products";
            path("out", None, &[]), "The folder to which the index goes; one that is there is checked";
            => READ[0], READ[1]
        ],
        examples: "\
  rolecall data index shop --data webshop --out webshop-index
      Then: rolecall run configs/shop/webshop.toml --set environment.data=webshop
            --set environment.index=webshop-index",
        run: index::run,
    },
    DataTool {
        name: "statistics",
        summary: "Print how much there is in a catalogue and its goals",
        parameters: parameters![path("data", None, &[BUILTIN]), GOALS; => JSON],
        examples: "\
  rolecall data statistics shop --data webshop/data
      Print how many products and goals there are, and how rich their instructions are (ChatShop Table 4).",
        run: statistics::run,
    },
    DataTool {
        name: "simplify",
        summary: "Write goals of ChatShop with their instructions made shorter, and compare these with recorded ones",
        parameters: parameters![
            path("data", None, &[BUILTIN]), GOALS;
            path("out", None, &[]), "The file to write, in the format of chatshop_goals.json";
            model("model"), "The model that makes them shorter, as the config names it, in place of rules";
        ],
        examples: "\
  rolecall data simplify shop --data webshop/data --out chatshop_goals.json
      Remove attributes from all instructions, and find the kind of product that each asks for.
  rolecall data simplify shop --data webshop/data --out chatshop_goals.json --model large --config my.toml
      The same by a model; after Ctrl-C give the command again to go on.",
        run: simplify::run,
    },
    DataTool {
        name: "retrieval",
        summary: "Rank what the whole instruction finds, without an agent, beside ChatShop's appendix A",
        parameters: parameters![
            path("data", Some(BUILTIN), &[BUILTIN]), "A folder of WebShop's official files, or builtin";
            path("index", None, &[]).optional(),
                "Its index on disk, as `rolecall data index shop` has built it; for large catalogues";
            choice("split", &["dev", "test", "train", retrieval::ALL]), "Which goals";
            choice("goals", &["human", "synthetic"]), "Instructions by people, or made of products' own options";
            model("model"), "The cross-encoder that ranks, as the config names it; its server has /v1/rerank";
            => JSON, READ[0], READ[1]
        ],
        examples: "\
  rolecall data retrieval shop --data webshop/data
      Print recall, success and reward over the goals of the development split.
  rolecall data retrieval shop --split all --json
      The same over all goals of the built-in catalogue, for programs.
  rolecall data retrieval shop --data webshop/data --index webshop-index --model reranker --config my.toml
      Ranked by a cross-encoder, over a catalogue whose index is on disk.",
        run: retrieval::run,
    },
];
