//! Places of the values of a config: errors name them, and relative paths begin there.

use std::path::{Path, PathBuf};

use super::error::ConfigError;

/// The place of one value: which source, which line, and whether a `[[cells]]` table holds it.
///
/// Sources are ordered from the weakest to the strongest, a cell is stronger than all of what stands
/// outside the cells, and a point of a matrix is stronger than a cell: the derived order is the
/// order of precedence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Origin {
    /// The value belongs to a cell.
    pub(super) cell: bool,
    /// It belongs to a point of a matrix, which stands for cells of different casts: what one of
    /// them has no use for is left out.
    pub(super) point: bool,
    /// Index of its source.
    pub(super) source: usize,
    /// Its line, from 1; 0 where there are no lines.
    pub(super) line: u32,
}

impl Origin {
    /// A place in a source without lines, or of which only the source is known.
    pub(super) fn of(source: usize) -> Self {
        Self { source, ..Self::default() }
    }

    /// The rank that decides which of two values was laid over the other: everything but the line.
    pub(super) fn rank(self) -> (bool, bool, usize) {
        (self.cell, self.point, self.source)
    }

    /// The origin as the label that the `config` crate carries along with a value.
    pub(super) fn to_label(self) -> String {
        format!("{}:{}:{}:{}", u8::from(self.cell), u8::from(self.point), self.source, self.line)
    }

    /// Reads [`Origin::to_label`] back.
    pub(super) fn from_label(label: &str) -> Option<Self> {
        let mut parts = label.split(':');
        Some(Self {
            cell: parts.next()? == "1",
            point: parts.next()? == "1",
            source: parts.next()?.parse().ok()?,
            line: parts.next()?.parse().ok()?,
        })
    }
}

/// A problem and its place.
pub(super) type Problem = (Origin, ConfigError);

/// A file, a command-line option or an environment variable.
#[derive(Clone, Debug)]
struct Source {
    label: String,
    folder: PathBuf,
}

/// All sources of a config, the weakest first.
#[derive(Clone, Debug, Default)]
pub(super) struct Sources(Vec<Source>);

impl Sources {
    /// Adds a source that is stronger than the ones before. Paths that it names are relative to
    /// `folder`.
    pub(super) fn add(&mut self, label: impl Into<String>, folder: &Path) -> usize {
        self.0.push(Source { label: label.into(), folder: folder.to_owned() });
        self.0.len() - 1
    }

    /// The place in words: `configs/quickstart.toml:12`, or `--set`.
    pub(super) fn label(&self, origin: Origin) -> String {
        let label = self.0.get(origin.source).map_or("", |source| &source.label);
        match origin.line {
            0 => label.to_owned(),
            line => format!("{label}:{line}"),
        }
    }

    /// A problem at this place.
    pub(super) fn problem(&self, origin: Origin, key: Option<&str>, problem: impl Into<String>) -> Problem {
        (origin, ConfigError::new(self.label(origin), key, problem))
    }

    /// The folder to which paths of this origin are relative.
    pub(super) fn folder(&self, origin: Origin) -> PathBuf {
        self.0.get(origin.source).map(|source| source.folder.clone()).unwrap_or_default()
    }
}

/// A path as messages show it: relative to the working folder if it lies below.
pub(super) fn shown(path: &Path, working: &Path) -> String {
    let below = path.strip_prefix(working).ok();
    let path = below.filter(|below| !below.as_os_str().is_empty()).unwrap_or(path);
    path.display().to_string()
}
