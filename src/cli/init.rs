//! `rolecall init`: writes the configs, persona cards and prompts inside the program into a folder, to be
//! changed there.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::Args;

use super::output::{self, shown};
use rolecall_core::files::{self, shipped};
use rolecall_core::text::{counted, shell_path};

/// The arguments of `init`.
#[derive(Args, Debug)]
pub(crate) struct InitArguments {
    /// The folder; it is made if it is not there
    #[arg(default_value = ".")]
    dir: PathBuf,
    /// Replace files that were changed
    #[arg(long)]
    force: bool,
}

/// The most files that a refusal names.
const MOST_NAMED: usize = 5;

/// Writes what is not there yet; refuses to write anything over something else unless that is asked for.
pub(crate) fn execute(arguments: &InitArguments) -> anyhow::Result<ExitCode> {
    let mut fresh = Vec::new();
    let mut changed = Vec::new();
    for (path, content) in shipped::all() {
        let file = arguments.dir.join(path);
        match fs::read(&file) {
            Ok(there) if there == content => {}
            Ok(_) => changed.push((file, content)),
            Err(_) if fs::symlink_metadata(&file).is_ok() => changed.push((file, content)),
            Err(_) => fresh.push((file, content)),
        }
    }
    if !changed.is_empty() && !arguments.force {
        let mut names: Vec<String> =
            changed.iter().take(MOST_NAMED).map(|(file, _)| format!("  {}", shown(file))).collect();
        if let Some(more) = changed.len().checked_sub(MOST_NAMED + 1) {
            names.push(format!("  and {} more", more + 1));
        }
        bail!(
            "nothing was written, for these files are there and differ from the shipped ones; \
             --force replaces them, and another folder keeps both:\n{}",
            names.join("\n")
        );
    }
    for (file, content) in fresh.iter().chain(&changed) {
        write(file, content).with_context(|| format!("`{}` cannot be written", shown(file)))?;
    }
    output::succeed(&message(&arguments.dir, fresh.len() + changed.len()))
}

fn write(file: &Path, content: &[u8]) -> std::io::Result<()> {
    fs::create_dir_all(file.parent().unwrap_or(Path::new("")))?;
    files::replace(file, content)
}

/// Message of how much was written, and how to go on.
fn message(dir: &Path, written: usize) -> String {
    let (into, change) = match dir == Path::new(".") {
        true => ("this folder".to_owned(), String::new()),
        false => (format!("`{}`", shown(dir)), format!("cd {}\n", shell_path(dir))),
    };
    if written == 0 {
        return format!("{into} has all of it already: configs, persona cards and prompts\n");
    }
    format!(
        "{} written to {into}: `configs` says what is played, `agents` what roles are told\n\n\
         {change}rolecall run configs/quickstart.toml\n",
        counted(written as u64, "file", "files")
    )
}
