//! The files of labels: `labels/<what>-<rater>.jsonl` in the folder of the run.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use super::RatingError;
use super::names::rater as is_name;
use rolecall_core::evaluation::labels::{LabelLine, What};
use rolecall_core::files;

/// The folder of labels in that of a run.
const FOLDER: &str = "labels";
const ENDING: &str = ".jsonl";
/// The most bytes of labels that are read.
const LARGEST: u64 = 1 << 30;

/// The file of a rater's labels.
pub fn file(run: &Path, what: &What, rater: &str) -> PathBuf {
    run.join(FOLDER).join(format!("{what}-{rater}{ENDING}"))
}

/// The labels of a rater, each with its place among the labels; none if there is no file. The last line
/// counts only if it is whole.
///
/// # Errors
/// When the file cannot be read, or a line is no label.
pub fn read(run: &Path, what: &What, rater: &str) -> Result<Vec<(LabelLine, usize)>, RatingError> {
    let path = file(run, what, rater);
    let bytes = match files::read_text(&path, LARGEST) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(unusable(&path, "read")(error)),
    };
    let text = String::from_utf8(bytes)
        .map_err(|error| io::Error::new(ErrorKind::InvalidData, error))
        .map_err(unusable(&path, "read"))?;
    let whole = text.split_inclusive('\n').enumerate().filter(|(_, line)| line.ends_with('\n'));
    let decoded = whole
        .map(|(number, line)| {
            LabelLine::decode(line.trim_end(), what).map_err(|error| RatingError::Line {
                path: path.clone(),
                line: number + 1,
                problem: error.to_string(),
            })
        })
        .collect::<Result<Vec<_>, RatingError>>()?;
    // A label that was given later replaces an earlier one.
    let by_item: BTreeMap<_, _> = decoded.into_iter().map(|label| (label.0.labelled(), label)).collect();
    Ok(by_item.into_values().collect())
}

/// The raters who labelled anything of that sort, by name.
///
/// # Errors
/// When the folder cannot be read.
pub fn raters(run: &Path, what: &What) -> Result<Vec<String>, RatingError> {
    let folder = run.join(FOLDER);
    let entries = match fs::read_dir(&folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(unusable(&folder, "read")(error)),
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
///
/// # Errors
/// When the folder cannot be read.
pub fn all_raters(run: &Path) -> Result<Vec<String>, RatingError> {
    let mut all = raters(run, &What::Categories)?;
    all.extend(raters(run, &What::Acts)?);
    all.sort();
    all.dedup();
    Ok(all)
}

/// Puts labels into the place of all that the rater gave before.
///
/// # Errors
/// When the file cannot be written.
pub fn write(run: &Path, what: &What, rater: &str, labels: &[LabelLine]) -> Result<PathBuf, RatingError> {
    let path = file(run, what, rater);
    let lines: String = labels.iter().map(LabelLine::encode).collect();
    make_folder(run).and_then(|()| files::replace(&path, lines.as_bytes())).map_err(unusable(&path, "written"))?;
    Ok(path)
}

/// Makes an error of the system's about a file of labels.
fn unusable(path: &Path, done: &'static str) -> impl Fn(io::Error) -> RatingError {
    let path = path.to_owned();
    move |source| RatingError::File { path: path.clone(), done, source }
}

fn make_folder(run: &Path) -> std::io::Result<()> {
    fs::create_dir_all(run.join(FOLDER))
}

/// Adds labels one by one, each as soon as it is there.
#[derive(Debug)]
pub struct Appending {
    path: PathBuf,
    file: File,
}

impl Appending {
    /// Goes on behind the labels that are there. Half a line that a killed process left is taken off.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn open(run: &Path, what: &What, rater: &str) -> Result<Self, RatingError> {
        let path = file(run, what, rater);
        let file = make_folder(run)
            .and_then(|()| {
                let file = OpenOptions::new().append(true).create(true).open(&path)?;
                let bytes = fs::read(&path)?;
                let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
                if whole < bytes.len() {
                    file.set_len(whole as u64)?;
                }
                Ok(file)
            })
            .map_err(unusable(&path, "written"))?;
        Ok(Self { path, file })
    }

    /// Adds a label. It is with the operating system when this returns.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn add(&mut self, label: &LabelLine) -> Result<(), RatingError> {
        self.file.write_all(label.encode().as_bytes()).map_err(unusable(&self.path, "written"))
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }
}
