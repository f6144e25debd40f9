//! The configs, persona cards and prompts inside the program, so that it works in an empty folder. The package
//! that has them hands them in ([`provide`]).
//!
//! They have paths like other files, below a folder that is on no disk: `rolecall:/configs/quickstart.toml`.

use std::path::{Component, Path, PathBuf};
use std::sync::OnceLock;

/// The folder that all their paths begin with.
pub const ROOT: &str = "rolecall:";

/// Path below [`ROOT`] and content of a file.
pub type Shipped = (&'static str, &'static [u8]);

static FILES: OnceLock<&'static [Shipped]> = OnceLock::new();

/// Makes the files of a program readable, which are sorted by their paths. Only the first call of a process counts.
pub fn provide(files: &'static [Shipped]) {
    let _ = FILES.set(files);
}

fn files() -> &'static [Shipped] {
    FILES.get().copied().unwrap_or_default()
}

/// Each shipped file with its path below [`ROOT`], such as `configs/quickstart.toml`, sorted.
pub fn all() -> impl Iterator<Item = Shipped> {
    files().iter().copied()
}

/// Path and content of the shipped files below a folder with this ending, the path from there and
/// without the ending: `quickstart` below `configs`.
pub fn below(folder: &str, ending: &str) -> impl Iterator<Item = Shipped> {
    all().filter_map(move |(path, content)| {
        let name = path.strip_prefix(folder)?.strip_prefix('/')?;
        Some((name.strip_suffix(ending)?, content))
    })
}

/// The path of something shipped, such as `agents`.
pub fn path(below: &str) -> PathBuf {
    Path::new(ROOT).join(below)
}

/// Whether a path leads to shipped files and not to the disk.
pub fn is_shipped(path: &Path) -> bool {
    path.starts_with(ROOT)
}

/// The content of a shipped file; nothing if the path is of no such file.
pub fn read(path: &Path) -> Option<&'static [u8]> {
    let name = simplified(path);
    let name = name.strip_prefix(ROOT).ok()?.to_str()?;
    let at = files().binary_search_by(|(path, _)| path.cmp(&name)).ok()?;
    Some(files().get(at)?.1)
}

/// The path without `.` and `..`, as far as names alone can tell.
pub fn simplified(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if plain.file_name().is_some() => {
                plain.pop();
            }
            other => plain.push(other),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shipped_files_are_found_by_their_paths_and_nothing_else_is() {
        provide(&[("agents/a.toml", b"card"), ("configs/b.toml", b"config"), ("configs/papers/c.toml", b"table")]);
        assert_eq!(read(&path("configs/papers/../b.toml")), Some(&b"config"[..]));
        assert_eq!(read(&path("configs/papers/../../agents/a.toml")), Some(&b"card"[..]));
        assert_eq!(below("configs", ".toml").map(|(name, _)| name).collect::<Vec<_>>(), ["b", "papers/c"]);
        for none in ["configs", "configs/none.toml", "../agents/a.toml", ""] {
            assert!(read(&path(none)).is_none(), "{none}");
        }
        assert!(!is_shipped(Path::new("configs/quickstart.toml")));
        assert_eq!(simplified(Path::new("/a/./b/../../c")), Path::new("/c"));
    }
}
