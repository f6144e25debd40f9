//! `rolecall schema`: the JSON Schema of configs, by which editors complete and check them.

use std::process::ExitCode;

use super::output::succeed;
use rolecall_run::config::config_schema;
use rolecall_run::registry::Registry;

/// Prints the schema.
pub(crate) fn execute(registry: &Registry) -> anyhow::Result<ExitCode> {
    succeed(&schema_text(registry))
}

/// The schema as the file `configs/rolecall.schema.json` has it.
pub fn schema_text(registry: &Registry) -> String {
    format!("{:#}\n", config_schema(registry))
}
