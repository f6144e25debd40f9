//! `rolecall data underspecify household`: takes details out of tasks and decides by search in their rooms whether
//! each of them matters.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use anyhow::Context;
use serde_json::{Value, json};

use super::{MOST, at_option, seed, seed_option};
use crate::builtin::GAMES;
use crate::sources::Source;
use crate::tasks::BUILTIN;
use crate::underspecified::Detail;
use crate::underspecified::search::{Readings, Weight};
use crate::{Generator, Selection, Split, TaskType, Wishes, World};
use rolecall_core::ports::settings::parameters;
use rolecall_core::ports::{Parameter, Parameters};
use rolecall_core::reports::Table;
use rolecall_core::text::harmless;
use rolecall_core::world::{DataTool, Desk, Unfinished};

pub(super) const TOOL: DataTool = DataTool {
    name: "underspecify",
    summary: "Take details out of tasks, and find by search in their rooms whether each is critical, divergent or benign",
    parameters: PARAMETERS,
    examples: EXAMPLES,
    run,
};

const PARAMETERS: &[Parameter] = parameters![
    path("data", Some(BUILTIN), &[BUILTIN]),
        "A game, a tree of games such as json_2.1.1, or builtin";
    text("split", Some("")), "Only the games of this split";
    integer("limit", None, 1..=MOST).optional(), "Only the first so many games";
    flag("as_paper", false),
        "Take out what ALFWorld-Clarification does: the state is lost with the object, and with the receptacle";
    path("out", None, &[]).optional(), "The file to which a line of JSON for each detail goes";
    => seed_option("The seed of the built-in games")
];

const EXAMPLES: &str = "\
  rolecall data underspecify household --data json_2.1.1 --split valid_unseen --out details.jsonl
      Say of each detail of each official task whether it matters that it is missing.";

/// Details by task type and name of what is missing, and how many there are of each weight.
type Counts = BTreeMap<(TaskType, String), [usize; Weight::ALL.len()]>;

fn run(parameters: &Parameters, desk: &dyn Desk) -> anyhow::Result<String> {
    let sources = sources(parameters)?;
    let Some(out) = parameters.path("out") else {
        let counts = search(&sources, parameters, desk, &mut |_| Ok(()))?;
        return Ok(table(&counts).text(&desk.layout()));
    };
    let counts = Unfinished::file(out, |file| {
        let wrong = || format!("`{}` cannot be written", out.display());
        let mut lines = BufWriter::new(File::create(file).with_context(wrong)?);
        let mut write = |row: &Value| writeln!(lines, "{row}").with_context(wrong);
        let counts = search(&sources, parameters, desk, &mut write)?;
        lines.flush().with_context(wrong)?;
        Ok(counts)
    })?;
    let rows: usize = counts.values().flatten().sum();
    let shown = harmless(&out.display().to_string());
    let table = table(&counts).text(&desk.layout());
    Ok(format!("{table}\n{rows} details in {shown}\n"))
}

/// The games that are meant.
fn sources(parameters: &Parameters) -> anyhow::Result<Vec<Source>> {
    let data = parameters.path("data").unwrap_or(Path::new(BUILTIN));
    let split = parameters.text("split").filter(|split| !split.is_empty());
    let limit: Option<usize> = parameters.whole("limit");
    if data == Path::new(BUILTIN) {
        let split = Split::named(split.unwrap_or("unseen")).map_err(at_option)?;
        let generator = Generator::new(Wishes::new(split, seed(parameters))).map_err(at_option)?;
        return Ok(Source::generated(generator, 0..limit.unwrap_or(GAMES)));
    }
    let selection = Selection { split: split.map(str::to_owned), limit, ..Selection::default() };
    Ok(Source::files(data, &selection)?)
}

/// Searches for what else each task without each detail may mean.
fn search(
    sources: &[Source],
    parameters: &Parameters,
    desk: &dyn Desk,
    write: &mut dyn FnMut(&Value) -> anyhow::Result<()>,
) -> anyhow::Result<Counts> {
    let as_paper = parameters.flag("as_paper");
    let mut counts = Counts::new();
    let mut next = desk.progress(sources.len(), "games");
    for source in sources {
        let (id, game) = source.load()?;
        let (task, world) = (game.task_type(), World::new(game));
        for dropped in missing(task, as_paper) {
            let readings = Readings::of(&world, &dropped);
            let names: Vec<&str> = dropped.iter().map(|detail| detail.as_str()).collect();
            write(&row(&id, &world, &names, &readings))?;
            let of_weight = counts.entry((task, names.join(" + "))).or_default();
            of_weight[readings.weight() as usize] += 1;
        }
        next();
    }
    Ok(counts)
}

/// The details that are taken out of a task together.
fn missing(task: TaskType, as_paper: bool) -> Vec<Vec<Detail>> {
    if as_paper {
        let details = [Detail::Object, Detail::Receptacle];
        return details.map(|detail| detail.lost_with(task).to_vec()).to_vec();
    }
    Detail::ALL.into_iter().filter(|detail| detail.is_part_of(task)).map(|detail| vec![detail]).collect()
}

fn row(id: &str, world: &World, dropped: &[&str], readings: &Readings) -> Value {
    let others = readings.others.iter().map(|(goal, fulfils)| json!({ "goal": goal, "fulfils": fulfils }));
    json!({
        "task": id,
        "task_type": world.game().task_type().prefix(),
        "dropped": dropped,
        "goal": world.game().task_sentence(),
        "text": readings.text,
        "label": readings.weight().as_str(),
        "others": others.collect::<Vec<_>>(),
    })
}

fn table(counts: &Counts) -> Table {
    let weights = Weight::ALL.map(Weight::as_str);
    let mut table = Table::new("Missing details by how much they matter")
        .keys_of(["task", "missing"])
        .numbers(weights.into_iter().chain(["critical, %"]));
    for ((task, missing), of_weight) in counts {
        let all: usize = of_weight.iter().sum();
        let critical = of_weight[Weight::Critical as usize];
        let share = 100.0 * critical as f64 / all.max(1) as f64;
        let mut cells = vec![task.short().to_owned(), missing.clone()];
        cells.extend(of_weight.iter().map(usize::to_string));
        cells.push(format!("{share:.1}"));
        table.row(cells);
    }
    table
}
