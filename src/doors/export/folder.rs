//! The folder of an export: files of rows by split, a manifest, and a card that says what is in it.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use rustc_hash::FxHashSet;
use serde_json::{Value, json};

use rolecall_core::evaluation::wilson;
use rolecall_core::text::joined;

/// Bytes after which another file is begun.
const FILE_BYTES: u64 = 512 << 20;

/// The part of a data set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Split {
    Train,
    Test,
}

impl Split {
    fn as_str(self) -> &'static str {
        match self {
            Self::Train => "train",
            Self::Test => "test",
        }
    }

    /// The split of a task: rows of one task are never in both.
    fn of(task: &str, test_share: f64) -> Self {
        let mut bytes = [0; 8];
        bytes.copy_from_slice(&blake3::hash(task.as_bytes()).as_bytes()[..8]);
        let point = (u64::from_le_bytes(bytes) >> 11) as f64 / (1_u64 << 53) as f64;
        if point < test_share { Self::Test } else { Self::Train }
    }
}

/// A folder that is being written.
pub struct RowFolder {
    path: PathBuf,
    test_share: f64,
    /// Hashes of the rows so far, if each is to be there once.
    seen: Option<FxHashSet<[u8; 16]>>,
    files: BTreeMap<Split, RowFile>,
    /// Counts of what was left out, by reason.
    refused: BTreeMap<String, u64>,
    tally: Tally,
}

/// The files of a split.
struct RowFile {
    output: BufWriter<File>,
    number: u32,
    bytes: u64,
    rows: u64,
}

/// Counts of episodes for the card.
#[derive(Debug, Default)]
struct Tally {
    episodes: u64,
    counted: usize,
    solved: usize,
    models: BTreeMap<String, u64>,
}

/// Origin of the rows, for the card and the manifest.
#[derive(Clone, Debug, Default)]
pub struct Provenance {
    /// The format.
    pub format: String,
    /// The runs, or files of experts, each as a manifest has it.
    pub sources: Vec<Value>,
    /// The environments.
    pub environments: Vec<String>,
    /// The options that chose and shaped the rows.
    pub options: Value,
}

impl RowFolder {
    /// Files in this folder, which is there; the share of the tasks goes to the split `test`.
    pub fn new(path: &Path, test_share: f64, dedupe: bool) -> Self {
        Self {
            path: path.to_owned(),
            test_share,
            seen: dedupe.then(FxHashSet::default),
            files: BTreeMap::new(),
            refused: BTreeMap::new(),
            tally: Tally::default(),
        }
    }

    /// Counts episodes that say something of the agents, and those that were solved; their rows may be left out.
    pub fn count_episodes(&mut self, counted: usize, solved: usize) {
        self.tally.counted += counted;
        self.tally.solved += solved;
    }

    /// Counts an episode of which rows are written.
    pub fn count_written(&mut self) {
        self.tally.episodes += 1;
    }

    /// Notes that something was left out.
    pub fn refuse(&mut self, reason: &str, count: u64) {
        if count > 0 {
            *self.refused.entry(reason.to_owned()).or_default() += count;
        }
    }

    /// Adds a row of a task, which this model wrote.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn add(&mut self, task: &str, model: &str, row: &Value) -> io::Result<()> {
        let mut line = row.to_string().into_bytes();
        line.push(b'\n');
        if let Some(seen) = &mut self.seen {
            let mut hash = [0; 16];
            hash.copy_from_slice(&blake3::hash(&line).as_bytes()[..16]);
            if !seen.insert(hash) {
                self.refuse("there already", 1);
                return Ok(());
            }
        }
        let split = Split::of(task, self.test_share);
        let file = match self.files.remove(&split) {
            Some(file) if file.bytes < FILE_BYTES => file,
            full => RowFile::after(full, &self.path, split)?,
        };
        let file = self.files.entry(split).or_insert(file);
        file.output.write_all(&line)?;
        file.bytes += line.len() as u64;
        file.rows += 1;
        *self.tally.models.entry(model.to_owned()).or_default() += 1;
        Ok(())
    }

    /// Writes what stands beside the rows, and gives their number.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn finish(mut self, from: &Provenance) -> io::Result<u64> {
        // A data set without a row has its file.
        if self.files.is_empty() {
            self.files.insert(Split::Train, RowFile::after(None, &self.path, Split::Train)?);
        }
        let mut rows = 0;
        let mut splits = serde_json::Map::new();
        for (split, file) in &mut self.files {
            file.output.flush()?;
            rows += file.rows;
            splits.insert(split.as_str().to_owned(), file.rows.into());
        }
        let manifest = json!({
            "format": from.format,
            "rolecall": env!("CARGO_PKG_VERSION"),
            "sources": from.sources,
            "options": from.options,
            "episodes": self.tally.episodes,
            "rows": splits,
            "left_out": self.refused,
        });
        fs::write(self.path.join("MANIFEST.json"), format!("{manifest:#}\n"))?;
        fs::write(self.path.join("README.md"), self.card(from, rows))?;
        Ok(rows)
    }

    fn card(&self, from: &Provenance, rows: u64) -> String {
        let files = joined(self.files.keys().map(|split| {
            let split = split.as_str();
            format!("{{split: {split}, path: data/{split}-*.jsonl}}")
        }));
        let mut text = format!(
            "---\nlicense: other\ntask_categories: [text-generation]\ntags: [agents, dialogue, tool-use, \
             rolecall]\nconfigs: [{{config_name: default, data_files: [{files}]}}]\n---\n\n# Rows for training\n\n\
             {rows} rows in the format `{}`, written by rolecall {}. `MANIFEST.json` says from which runs and how.\n\n",
            from.format,
            env!("CARGO_PKG_VERSION"),
        );
        // Writing to a text cannot fail, here and below.
        let Tally { episodes, counted, solved, models } = &self.tally;
        if *counted > 0 {
            let _ = write!(text, "- Episodes: {episodes}; of {counted} that there were, {solved} were solved");
            let estimate = wilson(*solved, *counted);
            if let (Some(value), Some((low, high))) = (estimate.value(), estimate.interval()) {
                let [value, low, high] = [value, low, high].map(|share| share * 100.0);
                let _ = write!(text, " ({value:.1} %, 95 % interval {low:.1} to {high:.1})");
            }
            text.push_str(".\n");
        }
        let _ = writeln!(text, "- Environments: {}.", named(&from.environments));
        let _ = writeln!(text, "- What is trained was written by: {}.", named(models.keys()));
        for (reason, count) in &self.refused {
            let _ = writeln!(text, "- Left out: {count} ({reason}).");
        }
        text.push_str(
            "\nThe licences of the environments' data and of the models hold for these texts too: look there \
             before you hand them on.\n",
        );
        text
    }
}

/// Names as code, which no text of theirs leaves.
fn named<'a>(names: impl IntoIterator<Item = &'a String>) -> String {
    joined(names.into_iter().map(|name| {
        let plain = name.replace(|letter: char| letter == '`' || letter.is_control(), " ");
        format!("`{plain}`")
    }))
}

impl RowFile {
    /// The file after the last one of a split.
    fn after(last: Option<Self>, folder: &Path, split: Split) -> io::Result<Self> {
        let (mut number, mut rows) = (0, 0);
        if let Some(mut last) = last {
            last.output.flush()?;
            (number, rows) = (last.number + 1, last.rows);
        }
        let folder = folder.join("data");
        fs::create_dir_all(&folder)?;
        Ok(Self {
            output: BufWriter::new(File::create_new(folder.join(format!("{}-{number:05}.jsonl", split.as_str())))?),
            number,
            bytes: 0,
            rows,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_task_is_in_one_split_and_the_share_is_kept() {
        let tasks: Vec<String> = (0..10_000).map(|number| format!("t-{number}")).collect();
        let count = tasks.iter().filter(|task| Split::of(task, 0.2) == Split::Test).count();
        assert!((1_900..2_100).contains(&count), "{count}");
        assert!(tasks.iter().all(|task| Split::of(task, 0.0) == Split::Train));
        assert!(tasks.iter().all(|task| Split::of(task, 1.0) == Split::Test));
    }

    #[test]
    fn equal_rows_are_written_once_and_counted() {
        let folder = tempfile::tempdir().unwrap();
        let mut rows = RowFolder::new(folder.path(), 0.0, true);
        for text in ["a", "b", "a"] {
            rows.add("t", "m`x", &json!({"text": text})).unwrap();
        }
        let from = Provenance { format: "rows".to_owned(), ..Provenance::default() };
        assert_eq!(rows.finish(&from).unwrap(), 2);
        let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
        assert_eq!(read("data/train-00000.jsonl"), "{\"text\":\"a\"}\n{\"text\":\"b\"}\n");
        let manifest: Value = serde_json::from_str(&read("MANIFEST.json")).unwrap();
        assert_eq!(manifest["rows"], json!({"train": 2}));
        assert_eq!(manifest["left_out"], json!({"there already": 1}));
        assert!(read("README.md").contains("`m x`"));
    }
}
