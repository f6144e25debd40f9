//! `rolecall data statistics household`: how large and how hard games are.

use std::path::Path;
use std::sync::Arc;

use anyhow::Context;
use serde_json::{Map, Value, json};

use super::at_option;
use crate::builtin::{GAMES, SEED};
use crate::load::list;
use crate::statistics::{Figures, MEASURES, Spread};
use crate::tasks::BUILTIN;
use crate::{Game, Generator, Selection, Split, Wishes};
use rolecall_core::ports::settings::parameters;
use rolecall_core::ports::{Parameter, Parameters};
use rolecall_core::reports::{Align, Table};
use rolecall_core::world::{DataTool, Desk};

/// The folders of official data that are measured when no split is named.
const OFFICIAL_SPLITS: [&str; 4] = ["train", "valid_train", "valid_seen", "valid_unseen"];

pub(super) const TOOL: DataTool = DataTool {
    name: "statistics",
    summary: "Print how large and how hard games are",
    parameters: PARAMETERS,
    examples: EXAMPLES,
    run,
};

const PARAMETERS: &[Parameter] = parameters![
    path("data", None, &[]), "A tree of games such as json_2.1.1, or builtin";
    text("split", Some("")), "Measure only the games of this split";
    flag("json", false), "Print the figures as JSON";
];

const EXAMPLES: &str = "\
  rolecall data statistics household --data games
      Print how large and how hard the games in a folder are (--json: for programs).";

/// The figures of each split side by side.
fn run(parameters: &Parameters, desk: &dyn Desk) -> anyhow::Result<String> {
    let data = parameters.path("data").unwrap_or(Path::new(BUILTIN));
    let split = parameters.text("split").filter(|split| !split.is_empty());
    let columns = match data == Path::new(BUILTIN) {
        true => builtin_columns(split)?,
        false => file_columns(data, split)?,
    };
    if parameters.flag("json") {
        return Ok(as_json(&columns));
    }
    let mut table = Table::new("Mean per game (least to most)").key("");
    for (name, _) in &columns {
        table = table.column(name, Align::Right);
    }
    let counts = columns.iter().map(|(_, games)| games.len().to_string());
    table.row(row("games", counts));
    let spreads: Vec<_> = columns.iter().map(|(_, games)| Spread::of(games)).collect();
    for (number, measure) in MEASURES.iter().enumerate() {
        let cells = spreads.iter().map(|spreads| match spreads {
            Some(spreads) => {
                let Spread { mean, least, most } = spreads[number];
                format!("{mean:.1} ({least} to {most})")
            }
            None => String::new(),
        });
        table.row(row(measure, cells));
    }
    Ok(table.text(&desk.layout()))
}

/// The figures by split.
fn as_json(columns: &[Column]) -> String {
    let splits = columns.iter().map(|(name, games)| {
        let mut figures = Map::from_iter([("games".to_owned(), json!(games.len()))]);
        if let Some(spreads) = Spread::of(games) {
            figures.extend(MEASURES.iter().zip(spreads).map(|(measure, spread)| {
                let Spread { mean, least, most } = spread;
                ((*measure).to_owned(), json!({"mean": mean, "least": least, "most": most}))
            }));
        }
        (name.clone(), Value::Object(figures))
    });
    format!("{:#}\n", Value::Object(splits.collect()))
}

fn row(head: &str, cells: impl Iterator<Item = String>) -> Vec<String> {
    std::iter::once(head.to_owned()).chain(cells).collect()
}

/// The name of a split, and the figures of its games.
type Column = (String, Vec<Figures>);

fn builtin_columns(split: Option<&str>) -> anyhow::Result<Vec<Column>> {
    let splits = match split {
        Some(word) => vec![Split::named(word).map_err(at_option)?],
        None => Split::ALL.to_vec(),
    };
    splits
        .into_iter()
        .map(|split| {
            let generator = Generator::new(Wishes::new(split, SEED))?;
            let games = (0..GAMES).map(|index| {
                let made = generator.game(index)?;
                measured(Game::from_json(&made.id, made.game.as_bytes())?)
            });
            let figures: anyhow::Result<Vec<Figures>> = games.collect();
            Ok((split.folder().to_owned(), figures?))
        })
        .collect()
}

fn file_columns(data: &Path, split: Option<&str>) -> anyhow::Result<Vec<Column>> {
    let present = |split: &&str| data.join(split).is_dir();
    let mut splits: Vec<Option<&str>> = match split {
        Some(split) => vec![Some(split)],
        None => OFFICIAL_SPLITS.into_iter().filter(present).map(Some).collect(),
    };
    if splits.is_empty() {
        splits.push(None);
    }
    splits
        .into_iter()
        .map(|split| {
            let selection = Selection { split: split.map(str::to_owned), ..Selection::default() };
            let files = list(data, &selection)?;
            let games = files.iter().map(|file| measured(Game::load(file)?));
            let figures: anyhow::Result<Vec<Figures>> = games.collect();
            Ok((split.unwrap_or("all games").to_owned(), figures?))
        })
        .collect()
}

fn measured(game: Game) -> anyhow::Result<Figures> {
    let name = game.name().to_owned();
    Figures::of(&Arc::new(game)).with_context(|| format!("`{name}` cannot be measured"))
}
