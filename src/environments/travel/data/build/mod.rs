//! `rolecall data build travel`: makes conversations about trips in any country of the official form, as those of
//! Ask-before-Plan were made (section 3.1 and appendix A).

mod wording;

use std::fs;
use std::path::Path;

use anyhow::{Context, ensure};

use super::generate::{SPLITS, write_rows};
use super::{country, states};
use crate::generate::{Builder, Draft};
use crate::rows;
use rolecall_core::ports::Parameters;
use rolecall_core::text::{harmless, shell_path};
use rolecall_core::world::{Desk, Unfinished};

/// The files that are moved to their place when all are written.
const PARTS: [&str; 5] = ["train.csv", "train.jsonl", "test.csv", "test.jsonl", "README.md"];
/// The data card beside them.
const CARD: &str = include_str!("card.md");

/// Writes the conversations of both splits beside their places and moves them there when all are written.
pub(super) fn run(parameters: &Parameters, desk: &dyn Desk) -> anyhow::Result<String> {
    let out = parameters.path("out").unwrap_or(Path::new(""));
    let model = parameters.text("model");
    let missing = Unfinished::parts(out, ".travel.unfinished", &PARTS, |folder| {
        let splits = drafts(parameters, desk)?;
        let mut missing = String::new();
        for (split, mut drafts) in SPLITS.into_iter().zip(splits) {
            if let Some(model) = model {
                missing += &wording::by(model, &mut drafts, desk)?;
            }
            let rows: Vec<_> = drafts.iter().map(Draft::row).collect();
            write_rows(folder, split, &rows)?;
            check(&folder.join(format!("{split}.csv")), &drafts)?;
            check(&folder.join(format!("{split}.jsonl")), &drafts)?;
        }
        let (count, seed) = parameters.integer("count").zip(parameters.integer("seed")).unwrap_or_default();
        let card = CARD.replace("{count}", &count.to_string()).replace("{seed}", &seed.to_string());
        let card = card
            .replace("{data}", &data(parameters).display().to_string())
            .replace("{by}", model.map_or("templates", |_| "a model"));
        fs::write(folder.join("README.md"), card)?;
        Ok(missing)
    })?;
    let shown = harmless(&out.display().to_string());
    let count = parameters.integer("count").unwrap_or_default();
    let mut text = format!("{count} conversations for training and {count} for tests in {shown}{missing}\n");
    if !missing.is_empty() {
        text += "Texts without an answer are those of the templates.\n";
    }
    text += &format!("Measure them: rolecall data statistics travel --data {}\n", shell_path(out));
    Ok(text)
}

fn data(parameters: &Parameters) -> &Path {
    parameters.path("data").unwrap_or(Path::new(""))
}

/// The conversations of each split.
fn drafts(parameters: &Parameters, desk: &dyn Desk) -> anyhow::Result<Vec<Vec<Draft>>> {
    let data = data(parameters);
    let country = country(data)?;
    let count = parameters.whole("count").unwrap_or(0);
    let cities = states(data, &country)?;
    let cities = cities.iter().map(|(city, state)| (&**city, &**state));
    let builder = Builder::new(&country, cities, parameters.whole("seed").unwrap_or(0));
    let mut made = desk.progress(count * SPLITS.len(), "conversations");
    SPLITS.iter().map(|split| builder.drafts(split, count).inspect(|_| made()).collect::<anyhow::Result<_>>()).collect()
}

/// Whether a file that was written is read as what was made.
fn check(file: &Path, drafts: &[Draft]) -> anyhow::Result<()> {
    let rows = rows::load(file)?;
    ensure!(rows.remarks.is_empty(), "{}", rows.remarks.join("\n"));
    let made = drafts.iter().map(Draft::conversation);
    let made: Option<Vec<_>> = made.collect();
    let made = made.context("a conversation that was made cannot be read")?;
    ensure!(made == rows.conversations, "what was written is not what is read back");
    Ok(())
}
