//! `rolecall data generate travel`: writes a generated country with conversations in the official form.

use std::path::Path;

use super::files::{SPLITS, write_country, write_rows};
use crate::environments::travel::generate::{Builder, CONVERSATIONS, SEED, Tables};
use crate::ports::Parameters;
use crate::text::{harmless, shell_path, shell_word};
use crate::world::{Desk, Unfinished};

/// What is moved to its place when all of it is written.
const PARTS: [&str; 5] = ["database", "train.csv", "train.jsonl", "test.csv", "test.jsonl"];

/// Writes the files beside their places and moves them there when all are written.
pub(super) fn run(parameters: &Parameters, desk: &dyn Desk) -> anyhow::Result<String> {
    let out = parameters.path("out").unwrap_or(Path::new(""));
    let count = parameters.whole("count").unwrap_or(CONVERSATIONS);
    let seed = parameters.whole("seed").unwrap_or(SEED);
    let wanted = parameters.whole("flights").unwrap_or(0);
    let flights =
        Unfinished::parts(out, ".travel.unfinished", &PARTS, |folder| write_all(folder, count, seed, wanted, desk))?;
    let data = shell_word(&format!("environment.data={}", out.display()));
    Ok(format!(
        "{flights} flights and twice {count} conversations in {}\n\
         Play them:    rolecall run configs/travel/cep.toml --set {data}\n\
         Measure them: rolecall data statistics travel --data {}\n",
        harmless(&out.display().to_string()),
        shell_path(out),
    ))
}

/// Writes the files into a folder; tells how many flights there are.
pub(super) fn write_all(
    folder: &Path,
    count: usize,
    seed: u64,
    flights: usize,
    desk: &dyn Desk,
) -> anyhow::Result<usize> {
    let tables = Tables::new(seed);
    let country = tables.country();
    let builder = Builder::new(&country, tables.cities(), seed);
    let mut written = desk.progress(count * SPLITS.len(), "conversations");
    for split in SPLITS {
        let drafts = builder.drafts(split, count).map(|draft| {
            written();
            draft.map(|draft| draft.row())
        });
        let rows: Vec<_> = drafts.collect::<anyhow::Result<_>>()?;
        write_rows(folder, split, &rows)?;
    }
    write_country(&folder.join("database"), &tables, flights)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::environments::travel::country::Country;
    use crate::environments::travel::data::source::conversations;
    use crate::environments::travel::generate;

    #[test]
    fn the_built_in_country_is_what_is_written_by_default() {
        let folder = tempfile::tempdir().unwrap();
        write_all(folder.path(), CONVERSATIONS, SEED, 0, &()).unwrap();
        let read = Country::load(&folder.path().join("database"), &()).unwrap();
        assert_eq!(read.digest(), generate::builtin().digest());
        for split in SPLITS {
            let read = conversations(folder.path(), split).unwrap();
            assert_eq!(read, conversations(Path::new("builtin"), split).unwrap());
            assert_eq!(read.conversations.len(), CONVERSATIONS);
        }
    }
}
