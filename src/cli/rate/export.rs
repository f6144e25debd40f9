//! `rolecall rate export`: blind sheets for raters.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;

use std::process::ExitCode;

use anyhow::{Context, bail};
use serde_json::{Map, Value, json};

use super::{ExportArguments, sheet};
use crate::output;
use rolecall_core::evaluation::labels::{Item, ItemKind, dealt};

use rolecall_core::text::counted;
use rolecall_run::rating::{ItemChoice, Wanted, noun, one_field, question};
use rolecall_run::registry::Registry;

/// The file of the page for raters.
const INSTRUCTIONS: &str = "instructions.md";
/// The file that says what the ids mean.
const KEY: &str = "key.json";

/// Draws, and writes the sheets.
pub(super) fn execute(arguments: &ExportArguments, registry: &Registry) -> anyhow::Result<ExitCode> {
    let choice = arguments.items.choice(false, registry)?;
    one_field(&choice.what)?;
    let wanted = arguments.items.open(&choice, registry)?;
    let out = &arguments.out;
    fs::create_dir_all(out).with_context(|| format!("`{}` cannot be made", out.display()))?;
    if out.join(INSTRUCTIONS).exists() || out.join(KEY).exists() {
        bail!("`{}` holds sheets already: choose another folder", out.display());
    }
    let items: BTreeMap<String, Item> = wanted.read(&wanted.ids)?.into_iter().collect();
    let lists = dealt(&wanted.ids, arguments.dealing.raters, arguments.dealing.overlap, choice.seed);
    for (number, list) in (1..).zip(&lists) {
        let dealt = list.iter().filter_map(|id| items.get_key_value(id));
        let bytes = sheet::write(&choice.what, dealt).context("a sheet cannot be made")?;
        output::save("", &out.join(rater_file(number)), bytes)?;
    }
    output::save("", &out.join(INSTRUCTIONS), instructions(arguments, &choice))?;
    output::save("", &out.join(KEY), format!("{:#}\n", key(arguments, &choice, &wanted, &lists)))?;
    output::succeed(&format!(
        "{} for {} in {}\nthe raters get {INSTRUCTIONS} and one rater-N.csv each; {KEY} stays with you\n",
        counted(wanted.ids.len() as u64, "item", "items"),
        counted(arguments.dealing.raters.into(), "rater", "raters"),
        output::shown(out),
    ))
}

fn rater_file(number: u32) -> String {
    format!("rater-{number}.csv")
}

/// The page for raters.
fn instructions(arguments: &ExportArguments, choice: &ItemChoice) -> String {
    let (what, kind) = (&choice.what, choice.kind);
    let column = match kind {
        ItemKind::Dialogues => "`context`",
        ItemKind::Utterances | ItemKind::Responses => "`said`",
    };
    let mut text = String::from("# Instructions for raters\n\n");
    // Writing to a text cannot fail, here and below.
    let _ = write!(
        text,
        "Every line of your sheet (`rater-N.csv`) holds one {} of a conversation between an agent \
         and a user; it stands in the column {column}.",
        noun(kind)
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
    if what.question().is_some_and(|asked| asked.about.is_some()) {
        text.push_str(
            " Lines that begin with `Note` are for you alone: neither agent nor user was told them like that.",
        );
    }
    let _ = write!(
        text,
        "\n\n{}\n\nWrite one label into the column `{what}` of each line, by its name or its number{}. \
         Leave it empty if you cannot decide, and say why in the column `note`. Change nothing else: \
         neither the ids nor the heads of the columns. Judge each line by itself, do not talk about them \
         with other raters before all have finished, and save the sheet as CSV.\n\n## Labels\n\n",
        question(what, arguments.dealing.question.as_deref(), kind),
        if what.is_ordinal() { " (they are the same)" } else { " in this list" },
    );
    for (number, label) in (1..).zip(what.labels()) {
        let (name, criteria) = (label.name, label.criteria);
        let _ = match what.is_ordinal() {
            true => writeln!(text, "- {name} {criteria}"),
            false => writeln!(text, "{number}. **{name}**: {criteria}"),
        };
    }
    if !what.is_ordinal() {
        text.push_str(
            "\nIf two labels fit, take the one that says what the user is to do with it: an answer that \
             is asked for counts more than what is told on the way.\n",
        );
    }
    text
}

/// The episodes of the ids, and the sheets that they are on.
fn key(arguments: &ExportArguments, choice: &ItemChoice, wanted: &Wanted, lists: &[Vec<String>]) -> Value {
    let items = wanted.places.iter().map(|(id, (episode, seq))| (id.clone(), json!({"episode": episode, "seq": seq})));
    let sheets = (1..).zip(lists).map(|(number, list)| (rater_file(number), json!(list)));
    json!({
        "run": wanted.run.record().name,
        "what": choice.what.to_string(),
        "seed": arguments.items.seed,
        "overlap": arguments.dealing.overlap,
        "items": items.collect::<Map<_, _>>(),
        "sheets": sheets.collect::<Map<_, _>>(),
    })
}
