//! The tools of `rolecall data` for booking.

mod generate;
mod statistics;

use super::city::BUILTIN;
use super::generate::{CONVERSATIONS, SEED};
use rolecall_core::ports::settings::parameters;
use rolecall_core::world::DataTool;

/// The tools.
pub(super) static TOOLS: &[DataTool] = &[
    DataTool {
        name: "generate",
        summary: "Generate a city with conversations in the official form; the same options always give the same files",
        parameters: parameters![
            integer("count", Some(CONVERSATIONS as i64), 1..=1_000_000),
                "How many conversations, 120 if nothing is said; fewer are the first of more";
            integer("seed", Some(SEED as i64), 0..=u32::MAX as i64),
                "The seed that everything is drawn from, 18 for booking";
            path("out", None, &[]), "The folder to which the files go";
        ],
        examples: "\
  rolecall data generate booking --count 200 --seed 7 --out city
      Write the databases of a city and 200 conversations, a sixth of them for development.",
        run: generate::run,
    },
    DataTool {
        name: "statistics",
        summary: "Print what the databases of a city hold, and what users want in its conversations",
        parameters: parameters![
            path("data", None, &[BUILTIN]), "A folder of MultiWOZ, or builtin";
            choice("split", &["all", "respact-100", "test", "dev"]), "Which conversations; of builtin always all";
            flag("json", false), "Print the figures as JSON";
        ],
        examples: "\
  rolecall data statistics booking --data multiwoz --split test
      Print how often each domain, slot, question and booking is wanted in the test set.",
        run: statistics::run,
    },
];
