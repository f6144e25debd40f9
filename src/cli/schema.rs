//! `rolecall schema`: the JSON Schema of configs, by which editors complete and check them.

use std::process::ExitCode;

use super::output::succeed;
use crate::config::config_schema;
use crate::registry::Registry;

/// Prints the schema.
pub(crate) fn execute() -> anyhow::Result<ExitCode> {
    succeed(&schema_text())
}

/// The schema as the file `configs/rolecall.schema.json` has it.
pub fn schema_text() -> String {
    format!("{:#}\n", config_schema(&Registry::standard()))
}
