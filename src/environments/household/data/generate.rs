//! `rolecall data generate household`: writes games in the official format.

use std::path::Path;
use std::{fs, io, slice};

use anyhow::Context;

use super::{MOST, at_option, seed, seed_option};
use crate::builtin::GAMES;
use crate::generate::{GeneratedGame, Span};
use crate::load::GAME_FILE;
use crate::{Generator, Split, TaskType, Wishes};
use rolecall_core::ports::{Parameter, Parameters};
use rolecall_core::text::{harmless, shell_path, shell_word};
use rolecall_core::world::{DataTool, Desk, Unfinished};

pub(super) const TOOL: DataTool = DataTool {
    name: "generate",
    summary: "Generate games in the official format; the same options always give the same files",
    parameters: PARAMETERS,
    examples: EXAMPLES,
    run,
};

const PARAMETERS: &[Parameter] = &[
    Parameter::text(
        "split",
        Some("unseen"),
        "train, seen (the rooms of train, other contents and tasks) or unseen (other rooms)",
    ),
    Parameter::integer(
        "count",
        Some(GAMES as i64),
        1..=MOST,
        "How many games; fewer games are the first of more games",
    ),
    seed_option("The seed that everything is drawn from"),
    Parameter::path("out", None, &[], "The folder to which the games go, in a folder of their split"),
    Parameter::integer("rooms", Some(Wishes::ROOMS as i64), 1..=MOST, "How many different floor plans"),
    Parameter::text(
        "receptacles",
        Some(""),
        "Receptacles in a room, A..B; as usual in its kind of room if nothing is said",
    ),
    Parameter::text("objects", Some(""), "Objects in a room, A..B; as usual in its kind of room if nothing is said"),
    Parameter::text("plan", Some("3..10"), "Commands of the shortest plan, A..B"),
];

const EXAMPLES: &str = "\
  rolecall data generate household --split train --count 500 --seed 7 --out games
      Write 500 games in the rooms of the training split.
  rolecall data generate household --objects 20..40 --out large
      Write games with many things in a room.";

/// Writes the games beside their place and moves them there when all are written.
fn run(parameters: &Parameters, desk: &dyn Desk) -> anyhow::Result<String> {
    let split = Split::named(parameters.text("split").unwrap_or_default()).map_err(at_option)?;
    let mut wishes = Wishes::new(split, seed(parameters));
    wishes.rooms = parameters.whole("rooms").unwrap_or(wishes.rooms);
    wishes.receptacles = span(parameters, "receptacles")?;
    wishes.objects = span(parameters, "objects")?;
    wishes.plan = span(parameters, "plan")?.unwrap_or(wishes.plan);
    let generator = Generator::new(wishes).map_err(at_option)?;
    let out = parameters.path("out").unwrap_or(Path::new(""));
    let count = parameters.whole("count").unwrap_or(GAMES);
    let folder = split.folder();
    let path = out.join(folder);
    let unfinished = out.join(format!(".{folder}.unfinished"));
    let unfinished = Unfinished::make(unfinished, slice::from_ref(&path))?;
    let types = write_all(&generator, count, unfinished.path(), desk)?;
    // An empty folder may be there.
    let _ = fs::remove_dir(&path);
    fs::rename(unfinished.path().join(folder), &path)
        .with_context(|| format!("`{}` cannot be made", path.display()))?;
    Ok(report(&types, out, split))
}

/// A range that an option gives.
fn span(parameters: &Parameters, name: &str) -> anyhow::Result<Option<Span>> {
    parameters
        .text(name)
        .filter(|text| !text.is_empty())
        .map(str::parse)
        .transpose()
        .with_context(|| format!("--{name}"))
}

/// Writes the games below a folder; tells the task type of each.
fn write_all(generator: &Generator, count: usize, folder: &Path, desk: &dyn Desk) -> anyhow::Result<Vec<TaskType>> {
    let mut written = desk.progress(count, "games");
    let mut types = Vec::new();
    for index in 0..count {
        let game = generator.game(index).map_err(at_option)?;
        write(&game, folder).with_context(|| format!("`{}` cannot be written", folder.display()))?;
        types.push(generator.task_type(index));
        written();
    }
    Ok(types)
}

fn write(game: &GeneratedGame, folder: &Path) -> io::Result<()> {
    let path = folder.join(&game.id);
    fs::create_dir_all(&path)?;
    fs::write(path.join(GAME_FILE), &game.game)?;
    fs::write(path.join("traj_data.json"), &game.trajectory)?;
    fs::write(path.join("initial_state.pddl"), &game.problem)
}

/// The report: the games written, and how to play them.
fn report(types: &[TaskType], out: &Path, split: Split) -> String {
    let count = |task: &TaskType| {
        let count = types.iter().filter(|made| *made == task).count();
        (count > 0).then(|| format!("{count} {}", task.short()))
    };
    let counts: Vec<String> = TaskType::ALL.iter().filter_map(count).collect();
    let data = format!("environment.data={}", out.display());
    format!(
        "{} games in {}: {}\n\
         Play them:    rolecall run configs/household/respact.toml --set {} --set environment.split={}\n\
         Measure them: rolecall data statistics household --data {}\n",
        types.len(),
        harmless(&out.join(split.folder()).display().to_string()),
        counts.join(", "),
        shell_word(&data),
        split.folder(),
        shell_path(out),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usual_plan_is_that_of_built_in_games() {
        let plan = PARAMETERS.iter().find(|parameter| parameter.name == "plan");
        let kind = format!("{:?}", plan.unwrap().kind);
        assert!(kind.contains(&format!("\"{}\"", Wishes::PLAN)), "{kind}");
    }
}
