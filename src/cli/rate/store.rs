//! The files of labels: `labels/<what>-<rater>.jsonl` in the folder of the run.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};

use super::names::rater as is_name;
use crate::evaluation::labels::{LabelLine, What};
use crate::files;

/// The folder of labels in that of a run.
const FOLDER: &str = "labels";
const ENDING: &str = ".jsonl";
/// The most bytes of labels that are read.
const LARGEST: u64 = 1 << 30;

/// The file of a rater's labels.
pub(crate) fn file(run: &Path, what: &What, rater: &str) -> PathBuf {
    run.join(FOLDER).join(format!("{what}-{rater}{ENDING}"))
}

/// The labels of a rater, each with its place among the labels; none if there is no file. The last line
/// counts only if it is whole.
pub(crate) fn read(
    run: &Path,
    what: &What,
    rater: &str,
) -> anyhow::Result<Vec<(LabelLine, usize)>> {
    let path = file(run, what, rater);
    let shown = || format!("the labels `{}` cannot be read", path.display());
    let bytes = match files::read(&path, LARGEST) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error).with_context(shown),
    };
    let text = String::from_utf8(bytes).with_context(shown)?;
    let lines = text.split_inclusive('\n').enumerate();
    let whole = lines.filter(|(_, line)| line.ends_with('\n'));
    let decoded = whole.map(|(number, line)| {
        LabelLine::decode(line.trim_end(), what)
            .map_err(|error| anyhow!("`{}` line {}: {error}", path.display(), number + 1))
    });
    let decoded = decoded.collect::<anyhow::Result<Vec<_>>>()?;
    // A label that was given later replaces an earlier one.
    let by_item = decoded.into_iter();
    let by_item = by_item.map(|label| ((label.0.episode.clone(), label.0.seq), label));
    let by_item: BTreeMap<_, _> = by_item.collect();
    Ok(by_item.into_values().collect())
}

/// The raters who labelled anything of that sort, by name.
pub(crate) fn raters(run: &Path, what: &What) -> anyhow::Result<Vec<String>> {
    let folder = run.join(FOLDER);
    let entries = match fs::read_dir(&folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => {
            return Err(error).with_context(|| format!("`{}` cannot be read", folder.display()));
        }
    };
    let start = format!("{what}-");
    let rater = |entry: fs::DirEntry| {
        let name = entry.file_name();
        let rater = name.to_str()?.strip_suffix(ENDING)?.strip_prefix(&start)?;
        // Files that somebody else put there are none of ours.
        is_name(rater).ok()
    };
    let mut raters: Vec<String> = entries.flatten().filter_map(rater).collect();
    raters.sort();
    Ok(raters)
}

/// All raters of the run, whatever they labelled.
pub(crate) fn all_raters(run: &Path) -> anyhow::Result<Vec<String>> {
    let mut all = raters(run, &What::Categories)?;
    all.extend(raters(run, &What::Acts)?);
    all.sort();
    all.dedup();
    Ok(all)
}

/// Puts labels into the place of all that the rater gave before.
pub(crate) fn write(
    run: &Path,
    what: &What,
    rater: &str,
    labels: &[LabelLine],
) -> anyhow::Result<PathBuf> {
    let path = file(run, what, rater);
    let lines: String = labels.iter().map(LabelLine::encode).collect();
    make_folder(run)
        .and_then(|()| files::replace(&path, lines.as_bytes()))
        .with_context(|| unwritable(&path))?;
    Ok(path)
}

fn unwritable(path: &Path) -> String {
    format!("the labels `{}` cannot be written", path.display())
}

fn make_folder(run: &Path) -> std::io::Result<()> {
    fs::create_dir_all(run.join(FOLDER))
}

/// Adds labels one by one, each as soon as it is there.
pub(super) struct Appending {
    path: PathBuf,
    file: File,
}

impl Appending {
    /// Goes on behind the labels that are there. Half a line that a killed process left is taken off.
    pub(super) fn open(run: &Path, what: &What, rater: &str) -> anyhow::Result<Self> {
        let path = file(run, what, rater);
        let opened = make_folder(run).and_then(|()| {
            let file = OpenOptions::new().append(true).create(true).open(&path)?;
            let bytes = fs::read(&path)?;
            let last = bytes.iter().rposition(|byte| *byte == b'\n');
            let whole = last.map_or(0, |at| at + 1);
            if whole < bytes.len() {
                file.set_len(whole as u64)?;
            }
            Ok(file)
        });
        let file = opened.with_context(|| unwritable(&path))?;
        Ok(Self { path, file })
    }

    /// Adds a label. It is with the operating system when this returns.
    pub(super) fn add(&mut self, label: &LabelLine) -> anyhow::Result<()> {
        let written = self.file.write_all(label.encode().as_bytes());
        written.with_context(|| unwritable(&self.path))
    }

    /// The file.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}
