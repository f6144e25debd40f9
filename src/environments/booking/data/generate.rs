//! `rolecall data generate booking`: writes a generated city as MultiWOZ lays its files out.

use std::fs;
use std::path::Path;

use serde_json::json;

use crate::api::Domain;
use crate::database::Table;
use crate::generate::{CONVERSATIONS, SEED, conversations, database, tests_of};
use rolecall_core::ports::Parameters;
use rolecall_core::text::{harmless, shell_path, shell_word};
use rolecall_core::world::{Desk, Listing, Unfinished};

/// Files that are moved to their place when all of them are written.
const PARTS: [&str; 4] = ["db", "data.json", "testListFile.json", "valListFile.json"];

/// Writes the files beside their places and moves them there when all are written.
pub(super) fn run(parameters: &Parameters, desk: &dyn Desk) -> anyhow::Result<String> {
    let out = parameters.path("out").unwrap_or(Path::new(""));
    let count = parameters.whole("count").unwrap_or(CONVERSATIONS);
    let seed = parameters.whole("seed").unwrap_or(SEED);
    Unfinished::parts(out, ".booking.unfinished", &PARTS, |folder| write_all(folder, count, seed, desk))?;
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
    let database = database(seed);
    fs::create_dir(folder.join("db"))?;
    for domain in Domain::ALL {
        let file = folder.join(format!("db/{domain}.json"));
        if let Some(records) = database.table(domain).map(Table::records) {
            let mut list = Listing::create(&file, false)?;
            records.iter().try_for_each(|record| list.add(&json!(record)))?;
            list.end()?;
        } else {
            let taxis = json!({
                "taxi_colors": database.taxi_colors,
                "taxi_types": database.taxi_types,
                "taxi_phone": ["^[0-9]{10}$"],
            });
            fs::write(file, taxis.to_string())?;
        }
    }
    let mut file = Listing::create(&folder.join("data.json"), true)?;
    let mut written = desk.progress(count, "conversations");
    let mut names = Vec::with_capacity(count);
    for (id, entry) in conversations(&database, count, seed) {
        let name = format!("{id}.json");
        file.add_under(&name, &entry)?;
        names.push(name + "\n");
        written();
    }
    file.end()?;
    let (tests, others) = names.split_at(tests_of(count));
    for (list, names) in [("testListFile.json", tests), ("valListFile.json", others)] {
        fs::write(folder.join(list), names.concat())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::city::City;

    #[test]
    fn the_built_in_city_is_what_is_written_by_default() {
        let folder = tempfile::tempdir().unwrap();
        write_all(folder.path(), CONVERSATIONS, SEED, &()).unwrap();
        let (read, built_in) = (City::load(folder.path(), "all").unwrap(), City::builtin());
        assert_eq!(read.dialogues, built_in.dialogues);
        for domain in Domain::ALL {
            let [read, made] = [&read, &built_in].map(|city| city.database.table(domain));
            assert_eq!(read.map(|table| table.records()), made.map(|table| table.records()));
        }
        assert_eq!(read.database.taxi_colors, built_in.database.taxi_colors);
        assert_eq!(read.database.taxi_types, built_in.database.taxi_types);
        assert_eq!(read.remarks(), [""; 0]);
        assert!(!read.digest.is_empty() && built_in.digest.is_empty());
        let count = |split| City::load(folder.path(), split).unwrap().dialogues.len();
        assert_eq!(["test", "dev", "respact-100"].map(count), [100, 20, 100]);
    }
}
