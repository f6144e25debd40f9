//! Lists the configs, persona cards and prompts for `src/lib.rs`, which puts them into the program.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// What the program ships; editors leave other files behind.
const ENDINGS: [&str; 6] = ["json", "jsonl", "md", "safetensors", "toml", "txt"];

fn main() -> io::Result<()> {
    let variable = |name| env::var_os(name).map(PathBuf::from).unwrap_or_default();
    let (root, out) = (variable("CARGO_MANIFEST_DIR"), variable("OUT_DIR"));
    let mut files = Vec::new();
    for folder in ["agents", "configs"] {
        // New files below are seen as well.
        println!("cargo::rerun-if-changed={folder}");
        find(&root, Path::new(folder), &mut files)?;
    }
    files.sort();
    let mut table = String::from("&[\n");
    for file in files {
        // Writing to a text cannot fail.
        let _ = writeln!(table, "    ({file:?}, include_bytes!({:?})),", root.join(&file));
    }
    fs::write(out.join("shipped.rs"), table + "]\n")
}

/// The files below a folder, each as its path from the root with `/`.
fn find(root: &Path, folder: &Path, files: &mut Vec<String>) -> io::Result<()> {
    for entry in fs::read_dir(root.join(folder))? {
        let entry = entry?;
        let path = folder.join(entry.file_name());
        let ending = path.extension().and_then(|ending| ending.to_str());
        if entry.file_type()?.is_dir() {
            find(root, &path, files)?;
        } else if ending.is_some_and(|ending| ENDINGS.contains(&ending)) {
            files.push(path.to_string_lossy().replace('\\', "/"));
        }
    }
    Ok(())
}
