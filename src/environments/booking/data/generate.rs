//! `rolecall data generate booking`: writes a generated city as MultiWOZ lays its files out.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;

use anyhow::Context;
use serde_json::{Value, json};

use crate::environments::booking::database::{Database, Record};
use crate::environments::booking::generate::{
    CONVERSATIONS, Records, SEED, conversations, tests_of,
};
use crate::ports::Parameters;
use crate::text::{harmless, shell_path, shell_word};
use crate::world::{Desk, Unfinished};

/// What is moved to its place when all of it is written.
const PARTS: [&str; 4] = ["db", "data.json", "testListFile.json", "valListFile.json"];

/// Writes the files beside their places and moves them there when all are written.
pub(super) fn run(parameters: &Parameters, desk: &dyn Desk) -> anyhow::Result<String> {
    let out = parameters.path("out").unwrap_or(Path::new(""));
    let count = parameters.whole("count").unwrap_or(CONVERSATIONS);
    let seed = parameters.whole("seed").unwrap_or(SEED);
    let places = PARTS.map(|part| out.join(part));
    let unfinished = Unfinished::make(out.join(".booking.unfinished"), &places)?;
    write_all(unfinished.path(), count, seed, desk)
        .with_context(|| format!("`{}` cannot be written", out.display()))?;
    for (part, place) in PARTS.iter().zip(&places) {
        fs::rename(unfinished.path().join(part), place)
            .with_context(|| format!("`{}` cannot be made", place.display()))?;
    }
    let data = shell_word(&format!("environment.data={}", out.display()));
    Ok(format!(
        "{count} conversations in {}, {} of them the test set\n\
         Play them:    rolecall run configs/booking/booking-respact.toml --set {data} --set environment.split=all\n\
         Measure them: rolecall data statistics booking --data {}\n",
        harmless(&out.display().to_string()),
        tests_of(count),
        shell_path(out),
    ))
}

fn write_all(folder: &Path, count: usize, seed: u64, desk: &dyn Desk) -> anyhow::Result<()> {
    let records = Records::new(seed);
    fs::create_dir(folder.join("db"))?;
    let names = ["hotel", "restaurant", "attraction", "train"];
    for (name, table) in names.iter().zip(&records.tables) {
        write_list(&folder.join(format!("db/{name}.json")), table)?;
    }
    let taxis = json!({
        "taxi_colors": records.colours,
        "taxi_types": records.makes,
        "taxi_phone": ["^[0-9]{10}$"],
    });
    fs::write(folder.join("db/taxi.json"), taxis.to_string())?;
    let names = write_conversations(
        &folder.join("data.json"),
        &records.database(),
        count,
        seed,
        desk,
    )?;
    let (tests, others) = names.split_at(tests_of(count));
    for (list, names) in [("testListFile.json", tests), ("valListFile.json", others)] {
        fs::write(folder.join(list), names.concat())?;
    }
    Ok(())
}

/// A list with a record on each line.
fn write_list(file: &Path, records: &[Record]) -> anyhow::Result<()> {
    let lines: Vec<String> = records
        .iter()
        .map(|record| json!(record).to_string())
        .collect();
    fs::write(file, format!("[\n{}\n]\n", lines.join(",\n")))?;
    Ok(())
}

/// Writes one conversation after the other; gives their names as the lists have them, a line each.
fn write_conversations(
    file: &Path,
    database: &Database,
    count: usize,
    seed: u64,
    desk: &dyn Desk,
) -> anyhow::Result<Vec<String>> {
    let mut file = BufWriter::new(File::create(file)?);
    let mut written = desk.progress(count, "conversations");
    let mut names = Vec::with_capacity(count);
    let mut before = "{\n";
    for (id, entry) in conversations(database, count, seed) {
        let name = format!("{id}.json");
        write!(file, "{before}{}: {entry}", Value::from(name.as_str()))?;
        names.push(format!("{name}\n"));
        before = ",\n";
        written();
    }
    file.write_all(b"\n}\n")?;
    file.flush()?;
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::environments::booking::api::Domain;
    use crate::environments::booking::city::City;

    #[test]
    fn the_built_in_city_is_what_is_written_by_default() {
        let folder = tempfile::tempdir().unwrap();
        write_all(folder.path(), CONVERSATIONS, SEED, &()).unwrap();
        let (read, built_in) = (City::load(folder.path(), "all").unwrap(), City::builtin());
        assert_eq!(read.dialogues, built_in.dialogues);
        for domain in Domain::ALL {
            let [read, made] = [&read, &built_in].map(|city| city.database.table(domain));
            assert_eq!(
                read.map(|table| table.records()),
                made.map(|table| table.records())
            );
        }
        assert_eq!(read.database.taxi_colors, built_in.database.taxi_colors);
        assert_eq!(read.database.taxi_types, built_in.database.taxi_types);
        assert_eq!(read.remarks(), [""; 0]);
        assert!(!read.digest.is_empty() && built_in.digest.is_empty());
        let count = |split| City::load(folder.path(), split).unwrap().dialogues.len();
        assert_eq!(["test", "dev", "respact-100"].map(count), [100, 20, 100]);
    }
}
