//! Changes to the files of a checkout: new files, and lines put into existing ones.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::Path;

use anyhow::{Context, bail};

/// One change.
pub(super) struct Change {
    /// The file, from the checkout's root.
    pub(super) path: String,
    /// Its text before; none if it is new.
    before: Option<String>,
    /// Its text afterwards.
    after: String,
    /// The lines that are added.
    pub(super) added: String,
    /// The number of the line after which they stand, 0 for the top; nothing in a new file.
    pub(super) after_line: Option<usize>,
}

/// The reason for which lines have no place in a file.
#[derive(Debug, PartialEq)]
pub(super) enum Misfit {
    /// The lines are there already.
    Taken(String),
    /// The file is not as expected.
    Unknown(String),
}

impl Change {
    /// A new file. Fails if something is there.
    pub(super) fn file(root: &Path, path: String, text: String) -> anyhow::Result<Self> {
        if root.join(&path).symlink_metadata().is_ok() {
            bail!("`{path}` exists already; choose another name, or remove it");
        }
        Ok(Self { path, before: None, after: text.clone(), added: text, after_line: None })
    }

    /// Lines for an existing file. `find` says after which line of it they belong (0 is the top);
    /// if it does not know, the reader is told what to add by hand.
    pub(super) fn lines(
        root: &Path,
        path: &str,
        added: String,
        find: impl FnOnce(&[&str]) -> Result<usize, Misfit>,
    ) -> anyhow::Result<Self> {
        let by_hand = || format!("nothing was written; add to `{path}` by hand:\n{added}");
        let before =
            fs::read_to_string(root.join(path)).with_context(|| format!("`{path}` cannot be read; {}", by_hand()))?;
        let lines: Vec<&str> = before.split_inclusive('\n').collect();
        let line = match find(&lines) {
            Ok(line) => line.min(lines.len()),
            Err(Misfit::Taken(problem)) => bail!("`{path}` {problem}; choose another name"),
            Err(Misfit::Unknown(problem)) => bail!("`{path}` {problem}; {}", by_hand()),
        };
        let (upper, lower) = lines.split_at(line);
        // The lines end as those of the file do, and do not join the last one of it.
        let end = match lines.first() {
            Some(first) if first.ends_with("\r\n") => "\r\n",
            Some(_) | None => "\n",
        };
        let mut after = upper.concat();
        if !after.is_empty() && !after.ends_with('\n') {
            after.push_str(end);
        }
        after.push_str(&added.replace('\n', end));
        Ok(Self {
            path: path.to_owned(),
            after: after + &lower.concat(),
            before: Some(before),
            added,
            after_line: Some(line),
        })
    }

    fn write(&self, root: &Path) -> std::io::Result<()> {
        let path = root.join(&self.path);
        if self.before.is_some() {
            return fs::write(path, &self.after);
        }
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
        file.write_all(self.after.as_bytes())
    }

    /// Takes the change back; somebody is told already what went wrong, so a failure is not said.
    fn undo(&self, root: &Path) {
        let path = root.join(&self.path);
        let _ = match &self.before {
            Some(before) => fs::write(path, before),
            None => fs::remove_file(path),
        };
    }
}

/// Makes all changes, or none if one fails.
pub(super) fn apply(root: &Path, changes: &[Change]) -> anyhow::Result<()> {
    for (done, change) in changes.iter().enumerate() {
        if let Err(error) = change.write(root) {
            // A file that appeared in between is somebody else's.
            let mine = usize::from(error.kind() != std::io::ErrorKind::AlreadyExists);
            changes.iter().take(done + mine).for_each(|change| change.undo(root));
            return Err(error).with_context(|| format!("`{}` cannot be written; nothing was changed", change.path));
        }
    }
    Ok(())
}

fn taken(problem: String) -> Result<usize, Misfit> {
    Err(Misfit::Taken(problem))
}

fn unknown(problem: String) -> Result<usize, Misfit> {
    Err(Misfit::Unknown(problem))
}

/// After which line `pub mod NAME;` belongs in a list of modules, which is kept in order.
pub(super) fn place_of_module(lines: &[&str], module: &str) -> Result<usize, Misfit> {
    let modules = lines.iter().enumerate().filter_map(|(index, line)| {
        let line = line.trim_end();
        let declared = line.strip_prefix("pub ").unwrap_or(line);
        let name = declared.strip_prefix("mod ")?.strip_suffix(';')?;
        Some((index, name))
    });
    let modules: Vec<(usize, &str)> = modules.collect();
    if modules.iter().any(|(_, name)| *name == module) {
        return taken(format!("has a module `{module}` already"));
    }
    let later = modules.iter().find(|(_, name)| *name > module);
    // Comments and attributes belong to the line below them.
    let belongs = |line: &&str| line.starts_with("///") || line.starts_with("#[");
    match (later, modules.last()) {
        (Some((index, _)), _) => {
            let above = lines.iter().take(*index).rev();
            Ok(index - above.take_while(|line| belongs(line)).count())
        }
        (None, Some((index, _))) => Ok(index + 1),
        (None, None) => unknown("has no line `mod NAME;` beside which the new one could stand".to_owned()),
    }
}

/// After which line a new entry of a table belongs: the last one before the bracket that closes the table.
pub(super) fn place_of_entry(lines: &[&str], table: &str, name: &str) -> Result<usize, Misfit> {
    let head = format!("static {table}: ");
    let opens = |line: &str| {
        let line = line.strip_prefix("pub ").unwrap_or(line);
        line.starts_with(&head) && line.trim_end().ends_with("&[")
    };
    let mut heads = lines.iter().enumerate().filter(|(_, line)| opens(line));
    let (Some((start, _)), None) = (heads.next(), heads.next()) else {
        return unknown(format!("has no line `{head}... = &[`"));
    };
    let rows = lines.iter().skip(start + 1).take_while(|line| line.starts_with(' ') || line.trim().is_empty());
    let rows: Vec<&&str> = rows.collect();
    let end = start + 1 + rows.len();
    if lines.get(end).is_none_or(|line| line.trim_end() != "];") {
        return unknown(format!("has no line `];` that closes the table `{table}`"));
    }
    let written = |row: &&&&str| !row.trim().is_empty() && !row.trim().starts_with("//");
    if let Some(last) = rows.iter().rev().find(written)
        && !last.trim_end().ends_with(',')
    {
        return unknown(format!("has no comma after the last entry of the table `{table}`"));
    }
    let named = format!("name: \"{name}\",");
    if rows.iter().any(|row| row.trim() == named) {
        return taken(format!("has an entry `{name}` in `{table}` already"));
    }
    Ok(end)
}

/// After which line of a `Cargo.toml` a dependency belongs, which stand in the order of their names.
pub(super) fn place_of_dependency(lines: &[&str], dependency: &str) -> Result<usize, Misfit> {
    let Some(head) = lines.iter().position(|line| line.trim_end() == "[dependencies]") else {
        return unknown("has no line `[dependencies]`".to_owned());
    };
    let key = |line: &str| line.split([' ', '.', '=']).next().unwrap_or_default().to_owned();
    let rows = lines.iter().skip(head + 1).take_while(|line| !line.trim().is_empty() && !line.starts_with('['));
    let smaller = rows.clone().take_while(|line| key(line) < key(dependency)).count();
    if rows.clone().any(|line| key(line) == key(dependency)) {
        return taken(format!("has a dependency `{}` already", key(dependency)));
    }
    Ok(head + 1 + smaller)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<&str> {
        text.split_inclusive('\n').collect()
    }

    #[test]
    fn modules_stay_in_order() {
        let text = lines("//! Doc.\n\npub mod b;\n#[cfg(test)]\nmod d;\n\npub use d::D;\n");
        let place = |module| place_of_module(&text, module);
        assert_eq!(place("a"), Ok(2));
        assert_eq!(place("c"), Ok(3));
        assert_eq!(place("e"), Ok(5));
        assert!(matches!(place("d"), Err(Misfit::Taken(_))));
        let empty = place_of_module(&lines("//! Doc.\n"), "a");
        assert!(matches!(empty, Err(Misfit::Unknown(_))));
    }

    #[test]
    fn an_entry_goes_before_the_bracket_that_closes_its_table() {
        let text = "pub static A: &[X] = &[\n    X { name: \"a\" },\n\n    X {\n        name: \"b\",\n    },\n];\n\
                    pub static B: &[X] = &[\n];\n";
        let text = lines(text);
        assert_eq!(place_of_entry(&text, "A", "c"), Ok(6));
        assert_eq!(place_of_entry(&text, "B", "b"), Ok(8));
        let taken = place_of_entry(&text, "A", "b");
        assert!(matches!(taken, Err(Misfit::Taken(_))));
        let unknown = place_of_entry(&text, "C", "b");
        assert!(matches!(unknown, Err(Misfit::Unknown(_))));
        for odd in [
            "pub static A: &[X] = &[X {\n    a: 1,\n}];\n",
            "pub static A: &[X] = &[\n    x,\n",
            "pub static A: &[X] = &[\n    X {\n        a: 1,\n    }\n    // The end.\n\n];\n",
        ] {
            assert!(place_of_entry(&lines(odd), "A", "b").is_err(), "{odd}");
        }
    }

    #[test]
    fn a_dependency_stands_among_the_others_in_order() {
        let text = lines("[package]\n\n[dependencies]\na.workspace = true\n# For c.\nc = \"1\"\n\n[lints]\nz = 1\n");
        let place = |dependency| place_of_dependency(&text, dependency);
        assert_eq!((place("b = \"1\"\n"), place("d = \"1\"\n")), (Ok(5), Ok(6)));
        assert!(matches!(place("a = \"2\"\n"), Err(Misfit::Taken(_))));
        assert!(matches!(place_of_dependency(&lines("[package]\n"), "a = 1"), Err(Misfit::Unknown(_))));
    }

    #[test]
    fn added_lines_end_as_the_file_does_and_never_join_its_last_one() {
        let folder = tempfile::tempdir().unwrap();
        for (before, at, after) in [
            ("1\r\n3\r\n", 1, "1\r\n2\r\n2\r\n3\r\n"),
            ("1\r\n3", 2, "1\r\n3\r\n2\r\n2\r\n"),
            ("1\n3", 2, "1\n3\n2\n2\n"),
            ("1", 1, "1\n2\n2\n"),
            ("", 0, "2\n2\n"),
        ] {
            fs::write(folder.path().join("old"), before).unwrap();
            let added = "2\n2\n".to_owned();
            let change = Change::lines(folder.path(), "old", added, |_| Ok(at)).unwrap();
            assert_eq!(change.after, after);
        }
    }

    #[test]
    fn all_changes_are_made_or_none() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        fs::write(root.join("old"), "1\n3\n").unwrap();
        let add = |path: &str, at: usize| Change::lines(root, path, "2\n".to_owned(), |_| Ok(at)).unwrap();
        let file = |path: &str| Change::file(root, path.to_owned(), "new\n".to_owned()).unwrap();
        let (first, late) = (file("sub/first"), file("late"));
        fs::write(root.join("late"), "somebody else's").unwrap();
        let read = |path: &str| fs::read_to_string(root.join(path)).unwrap();
        assert!(apply(root, &[first, add("old", 1), late]).is_err());
        assert_eq!((read("old"), read("late")), ("1\n3\n".to_owned(), "somebody else's".to_owned()));
        assert!(!root.join("sub/first").exists());
        apply(root, &[file("sub/first"), add("old", 1)]).unwrap();
        assert_eq!((read("old"), read("sub/first")), ("1\n2\n3\n".to_owned(), "new\n".to_owned()));
        assert!(Change::file(root, "old".to_owned(), String::new()).is_err());
        let unknown = Change::lines(root, "old", "2\n".to_owned(), |_| Err(Misfit::Unknown("is odd".to_owned())));
        let told = unknown.err().unwrap().to_string();
        assert!(told.contains("`old` is odd; nothing was written; add to `old` by hand:\n2"), "{told}");
    }
}
