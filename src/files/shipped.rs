//! The configs, persona cards and prompts inside the program, so that it works in an empty folder.
//!
//! They have paths like other files, below a folder that is on no disk: `rolecall:/configs/quickstart.toml`.

use std::path::{Component, Path, PathBuf};

/// The folder that all their paths begin with.
pub const ROOT: &str = "rolecall:";

/// Path below [`ROOT`] and content of each, sorted by path. The build script finds them.
static FILES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/shipped.rs"));

/// Each shipped file with its path below [`ROOT`], such as `configs/quickstart.toml`, sorted.
pub fn all() -> impl Iterator<Item = (&'static str, &'static [u8])> {
    FILES.iter().copied()
}

/// Path and content of the shipped files below a folder with this ending, the path from there and
/// without the ending: `quickstart` below `configs`.
pub fn below(folder: &str, ending: &str) -> impl Iterator<Item = (&'static str, &'static [u8])> {
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
    let at = FILES.binary_search_by(|(own, _)| own.cmp(&name));
    at.ok().and_then(|at| FILES.get(at)).map(|(_, content)| *content)
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
        let config = path("configs/papers/../quickstart.toml");
        let text = read(&config).map(String::from_utf8_lossy).unwrap();
        assert!(text.contains("name = \"quickstart\""), "{text}");
        assert!(FILES.is_sorted() && below("configs", ".toml").any(|(name, _)| name == "quickstart"));
        for none in ["configs", "configs/none.toml", "../configs/quickstart.toml", ""] {
            assert!(read(&path(none)).is_none(), "{none}");
        }
        assert!(!is_shipped(Path::new("configs/quickstart.toml")));
        assert_eq!(simplified(Path::new("/a/./b/../../c")), Path::new("/c"));
    }
}
