//! The configs that a command can name: those of the working folder, and the shipped ones.

use std::fs;
use std::path::{Path, PathBuf};

use rolecall_core::files::{self, shipped};

/// The folder of configs.
const FOLDER: &str = "configs";

/// The largest config whose first lines are looked at, in bytes.
const LARGEST: u64 = 1 << 20;

/// A config by the name that commands take, with what its first line says.
pub(crate) struct KnownConfig {
    /// A path in the working folder, or the name of a shipped one, such as `models/openai`.
    pub(crate) name: String,
    /// Whether it is a shipped one.
    pub(crate) shipped: bool,
    /// The comment at its top.
    pub(crate) about: String,
}

/// The configs below `configs/<below>` in the working folder, then the shipped ones of that folder that are not
/// there. What cannot be read is left out.
pub(crate) fn known(working: &Path, below: &str) -> Vec<KnownConfig> {
    let folder = match below {
        "" => FOLDER.to_owned(),
        below => format!("{FOLDER}/{below}"),
    };
    let mut here = Vec::new();
    find(working, Path::new(&folder), &mut here);
    here.sort();
    let own = here.iter().map(|file| KnownConfig {
        name: file.display().to_string(),
        shipped: false,
        about: first_comment(&files::read(&working.join(file), LARGEST).unwrap_or_default()),
    });
    let inside = shipped::below(&folder, ".toml").map(|(name, content)| (format!("{folder}/{name}.toml"), content));
    let named = inside.filter(|(file, _)| !here.iter().any(|own| own == Path::new(file))).map(|(file, content)| {
        let name = file.trim_start_matches(FOLDER).trim_start_matches('/');
        KnownConfig { name: name.trim_end_matches(".toml").to_owned(), shipped: true, about: first_comment(content) }
    });
    own.chain(named).collect()
}

/// The configs below a folder, as paths from the working folder.
fn find(working: &Path, folder: &Path, found: &mut Vec<PathBuf>) {
    let entries = fs::read_dir(working.join(folder)).into_iter().flatten();
    for entry in entries.flatten() {
        let path = folder.join(entry.file_name());
        // Links are not followed: they could lead in a circle.
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => find(working, &path, found),
            Ok(kind) if kind.is_file() && path.extension().is_some_and(|end| end == "toml") => {
                found.push(path);
            }
            _ => {}
        }
    }
}

/// The comment in the first line that does not speak to editors (`#:schema`); empty if there is none.
fn first_comment(content: &[u8]) -> String {
    let start = String::from_utf8_lossy(&content[..content.len().min(1000)]);
    let line = start.lines().find(|line| !line.starts_with("#:"));
    line.and_then(|line| line.strip_prefix('#')).unwrap_or_default().trim().to_owned()
}
