//! `rolecall rate export`: blind sheets for raters.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, bail};
use serde_json::{Map, Value, json};

use super::arguments::ExportArguments;
use super::names::one_field;
use super::sheet;
use super::source::Wanted;
use crate::cli::output;
use crate::domain::Seed;
use crate::evaluation::labels::{Item, ItemKind, What, dealt};
use crate::text::{counted, visible};

/// The page for raters.
const INSTRUCTIONS: &str = "instructions.md";
/// The file that says what the ids mean.
const KEY: &str = "key.json";

/// Draws, and writes the sheets.
pub(super) fn execute(arguments: &ExportArguments) -> anyhow::Result<ExitCode> {
    one_field(&arguments.items.what)?;
    let wanted = Wanted::open(&arguments.items)?;
    let out = &arguments.out;
    fs::create_dir_all(out).with_context(|| format!("`{}` cannot be made", out.display()))?;
    if [INSTRUCTIONS, KEY]
        .iter()
        .any(|name| out.join(name).exists())
    {
        bail!(
            "`{}` holds sheets already: choose another folder",
            out.display()
        );
    }
    let mut items: BTreeMap<String, Item> = BTreeMap::new();
    wanted.read(&wanted.ids, |id, item| {
        items.insert(id, item);
        Ok(())
    })?;
    let seed = Seed(arguments.items.seed);
    let lists = dealt(&wanted.ids, arguments.raters, arguments.overlap, seed);
    let what = &arguments.items.what;
    for (number, list) in (1..).zip(&lists) {
        let own = list
            .iter()
            .filter_map(|id| Some((id.clone(), items.get(id)?.clone())));
        let bytes =
            sheet::write(what, &own.collect::<Vec<_>>()).context("a sheet cannot be made")?;
        put(out, &rater_file(number), &bytes)?;
    }
    put(out, INSTRUCTIONS, instructions(arguments).as_bytes())?;
    let key = format!("{:#}\n", key(arguments, &wanted, &lists));
    put(out, KEY, key.as_bytes())?;
    let (items, raters) = (wanted.ids.len() as u64, u64::from(arguments.raters));
    let shown = out.display().to_string();
    output::emit(&format!(
        "{} for {} in {}\nthe raters get {INSTRUCTIONS} and one {} each; {KEY} stays with you\n",
        counted(items, "item", "items"),
        counted(raters, "rater", "raters"),
        visible(&shown),
        rater_file(1).replace('1', "N"),
    ))?;
    Ok(ExitCode::SUCCESS)
}

fn rater_file(number: u32) -> String {
    format!("rater-{number}.csv")
}

fn put(folder: &Path, name: &str, bytes: &[u8]) -> anyhow::Result<()> {
    let file = folder.join(name);
    fs::write(&file, bytes).with_context(|| format!("`{}` cannot be written", file.display()))
}

/// What a rater must know.
fn instructions(arguments: &ExportArguments) -> String {
    let what = &arguments.items.what;
    let kind = arguments.items.kind();
    let (thing, column) = match kind {
        ItemKind::Dialogues => ("dialogue", "`context`"),
        ItemKind::Utterances => ("utterance", "`said`"),
        ItemKind::Responses => ("response", "`said`"),
    };
    let mut text = String::from("# Instructions for raters\n\n");
    // Writing to a text cannot fail, here and below.
    let _ = write!(
        text,
        "Every line of your sheet (`rater-N.csv`) holds one {thing} of a conversation between an agent \
         and a user; it stands in the column {column}."
    );
    text.push_str(match kind {
        ItemKind::Dialogues => "",
        ItemKind::Utterances => {
            " What happened before it stands in the column `context`: the task, what the agent did and \
             saw, and what the two said."
        }
        ItemKind::Responses => {
            " The dialogue that it goes on from stands in the column `context`. Responses to the same \
             dialogue come from different agents."
        }
    });
    let _ = write!(
        text,
        "\n\n{}\n\nWrite one label into the column `{what}` of each line, by its name or its number{}. \
         Leave it empty if you cannot decide, and say why in the column `note`. Change nothing else: \
         neither the ids nor the heads of the columns. Judge each line by itself, do not talk about them \
         with other raters before all have finished, and save the sheet as CSV.\n\n## Labels\n\n",
        question(what, arguments.question.as_deref(), thing),
        if what.is_ordinal() {
            " (they are the same)"
        } else {
            " in this list"
        },
    );
    for (number, label) in (1..).zip(what.labels()) {
        let (name, criteria) = (label.name, label.criteria);
        let _ = match what.is_ordinal() {
            true => writeln!(text, "- {name} {criteria}"),
            false => writeln!(text, "{number}. **{name}**: {criteria}"),
        };
    }
    text.push_str(
        "\nIf two labels fit, take the one that says what the user is to do with it: an answer that is \
         asked for counts more than what is told on the way.\n",
    );
    if what.is_ordinal() {
        let end = text.rfind("\nIf two").unwrap_or(text.len());
        text.truncate(end);
    }
    text
}

/// What is asked about each item.
pub(super) fn question(what: &What, own: Option<&str>, thing: &str) -> String {
    if let Some(own) = own {
        return visible(own).into_owned();
    }
    match what {
        What::Categories => "What is the utterance for? Choose its category.".to_owned(),
        What::Acts => "Which dialogue act does the utterance perform?".to_owned(),
        What::Scale { aspect, .. } => {
            let aspect = aspect.as_deref().unwrap_or("quality").replace('_', " ");
            format!("How do you rate the {aspect} of the {thing}?")
        }
        What::Question { question } => question.text.to_owned(),
        What::Field { question, field } => format!("{} {}", question.text, field.criteria),
    }
}

/// What the ids mean, and who got which.
fn key(arguments: &ExportArguments, wanted: &Wanted, lists: &[Vec<String>]) -> Value {
    let items = wanted.places.iter().map(|(id, (episode, seq))| {
        let place = json!({"episode": episode, "seq": seq});
        (id.clone(), place)
    });
    let items: Map<String, Value> = items.collect();
    let raters = (1..)
        .zip(lists)
        .map(|(number, list)| (rater_file(number), json!(list)));
    let raters: Map<String, Value> = raters.collect();
    json!({
        "run": wanted.run.record().name,
        "what": arguments.items.what.to_string(),
        "seed": arguments.items.seed,
        "overlap": arguments.overlap,
        "items": items,
        "sheets": raters,
    })
}
