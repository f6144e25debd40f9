//! Settings of a participant in another process.

use std::time::Duration;

use crate::wire::{Address, Program, Target};
use rolecall_core::ports::{Parameter, Parameters, SetupError};

const COMMAND: Parameter =
    Parameter::command("command", "the program and its arguments, started without a shell in this file's folder");
const ADDRESS: Parameter =
    Parameter::text("address", None, "where it listens instead: \"host:port\" or \"unix:/path\"").optional();
const WORKERS: Parameter =
    Parameter::integer("workers", Some(1), 1..=64, "programs, or connections; an episode always uses the same one");
const ENV: Parameter =
    Parameter::list("env", &[], "names of variables that the program is given beside PATH, HOME and LANG; no secrets");
const PARAMETERS: Parameter = Parameter::free("parameters", "a table that it is handed");
const MODELS: Parameter = Parameter::models("models", "the models that it may ask");
const START_SECONDS: Parameter = Parameter::number(
    "start_seconds",
    30.0,
    0.01..=86_400.0,
    "how long it may take to start, and an environment to list and open tasks",
);

/// The parameters of roles and users.
pub(super) const SEAT: &[Parameter] = &[COMMAND, ADDRESS, WORKERS, ENV, PARAMETERS, MODELS, START_SECONDS];

/// The parameters of environments, which ask no models.
pub(super) const ENVIRONMENT: &[Parameter] = &[COMMAND, ADDRESS, WORKERS, ENV, PARAMETERS, START_SECONDS];

/// Where the other process is.
#[derive(Clone, Debug)]
pub struct Whereabouts {
    /// The program, or where it listens.
    pub target: Target,
    /// How many of them there are.
    pub workers: usize,
    /// How long each may take to start.
    pub start: Duration,
}

/// Whether a variable looks as if it held a secret. Models are asked through rolecall, so that no program needs
/// their keys.
pub fn is_secret_variable(name: &str) -> bool {
    let name = name.to_ascii_uppercase();
    ["KEY", "TOKEN", "SECRET", "PASSWORD"].iter().any(|word| name.contains(word))
}

impl Whereabouts {
    /// Reads the parameters.
    ///
    /// # Errors
    /// When they name neither a program nor an address, or both, or secrets.
    pub fn of(parameters: &Parameters) -> Result<Self, SetupError> {
        let env = parameters.list("env");
        if let Some(name) = env.iter().find(|name| is_secret_variable(name)) {
            return Err(SetupError::at(
                "env",
                format!(
                    "names `{name}`, which looks like a secret; models are asked with `complete`, and rolecall \
                 has their keys"
                ),
            ));
        }
        let target = match (parameters.command("command"), parameters.text("address")) {
            (Some(command), None) => Target::Program(Program {
                command: command.arguments.clone(),
                folder: command.folder.clone(),
                env: env.to_vec(),
            }),
            (None, Some(address)) => Target::Address(
                address
                    .parse::<Address>()
                    .map_err(|error| SetupError::at("address", format!("is no address: {error}")))?,
            ),
            (Some(_), Some(_)) => {
                return Err(SetupError::at("address", "stands beside `command`; write one of the two"));
            }
            (None, None) => {
                return Err(SetupError::at(
                    "command",
                    "is missing; write the program, such as [\"python3\", \"role.py\"], or an `address`",
                ));
            }
        };
        Ok(Self {
            target,
            workers: parameters.whole("workers").unwrap_or(1),
            start: parameters.seconds("start_seconds").unwrap_or(Duration::from_secs(30)),
        })
    }
}
