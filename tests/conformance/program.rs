//! The program `rolecall-conformance`: compares a world with recordings of the original program.

use std::io::{self, ErrorKind, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use rolecall_conformance::kit::Compare;
use rolecall_conformance::{WORLDS, comparison_of};
use rolecall_core::text::harmless;

/// The exit code of a comparison that could not start.
const COULD_NOT_START: u8 = 2;

/// Compares a world of rolecall with recordings of the original program. Prints the first differences and, as the
/// last line, how many values were checked and how many differ.
#[derive(Parser)]
#[command(
    version,
    after_help = "\
Example:
  rolecall-conformance household --oracle recordings --data games
      Replay the recordings and print every step that shows something else.

Exit codes: 0 if nothing differs, 1 if something does, 2 if the comparison could not start."
)]
struct Arguments {
    /// World to compare
    #[arg(value_parser = worlds())]
    world: Compare,
    /// Folder with recordings of the original program
    #[arg(long, value_name = "DIR")]
    oracle: PathBuf,
    /// Folder with the data that was played
    #[arg(long, value_name = "DIR")]
    data: PathBuf,
}

/// Reads the name of a world as its comparison.
fn worlds() -> impl TypedValueParser<Value = Compare> {
    let names = WORLDS.iter().map(|(name, _)| *name);
    PossibleValuesParser::new(names).try_map(|name| comparison_of(&name).ok_or("no such world"))
}

fn main() -> ExitCode {
    run(&Arguments::parse()).unwrap_or_else(|error| {
        let mut causes: Vec<String> = error.chain().map(ToString::to_string).collect();
        causes.dedup_by(|cause, before| before.contains(&*cause));
        // Nobody is left to be told if this fails.
        let _ = writeln!(io::stderr(), "error: {}", harmless(&causes.join(": ")));
        ExitCode::from(COULD_NOT_START)
    })
}

fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let comparison = (arguments.world)(&arguments.oracle, &arguments.data)?;
    match writeln!(io::stdout(), "{}", comparison.text) {
        // A reader that has gone away (`| head`) is no problem.
        Err(error) if error.kind() != ErrorKind::BrokenPipe => return Err(error.into()),
        _ => {}
    }
    Ok(ExitCode::from(u8::from(comparison.differing > 0)))
}
