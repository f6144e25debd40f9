//! `rolecall completions` and `rolecall man`: made from the same table as the help.

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use clap::{Args, Command};
use clap_complete::Shell;

use super::output;

/// The arguments of `completions`.
#[derive(Args, Debug)]
pub(crate) struct CompletionsArguments {
    /// The shell
    shell: Shell,
}

/// The arguments of `man`.
#[derive(Args, Debug)]
pub(crate) struct ManArguments {
    /// Folder to which a page is written for the program and for each subcommand
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// Prints the completion of a shell.
pub(crate) fn completions(
    arguments: &CompletionsArguments,
    mut command: Command,
) -> anyhow::Result<ExitCode> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut command, "rolecall", &mut script);
    output::succeed(&String::from_utf8(script)?)
}

/// Prints the page of the program, or writes one for it and one for each subcommand.
pub(crate) fn man(arguments: &ManArguments, command: Command) -> anyhow::Result<ExitCode> {
    // The page of `help` would say what every page says.
    let command = command.disable_help_subcommand(true);
    let Some(folder) = &arguments.out else {
        let mut page = Vec::new();
        clap_mangen::Man::new(command).render(&mut page)?;
        return output::succeed(&String::from_utf8(page)?);
    };
    let made = fs::create_dir_all(folder);
    let written = made.and_then(|()| clap_mangen::generate_to(command, folder));
    written.with_context(|| format!("no pages can be written to `{}`", folder.display()))?;
    Ok(ExitCode::SUCCESS)
}
