//! The share of a run's episodes that a process plays.

use std::fs;
use std::path::Path;

use anyhow::{Context, bail};
use toml::Table;

use rolecall_core::log::RUN;
use rolecall_core::text::visible;
use rolecall_run::config::Plan;

/// Refuses another share of the episodes: what is in the log would not be of it.
pub(crate) fn check(folder: &Path, plan: &Plan) -> anyhow::Result<()> {
    let path = folder.join(RUN);
    let was: Table =
        fs::read_to_string(&path).with_context(|| format!("`{}` cannot be read", path.display()))?.parse()?;
    let was = was.get("run").and_then(|run| run.get("shard")?.as_str());
    let is = plan.run.shard.map(|shard| shard.to_string());
    if was == is.as_deref() {
        return Ok(());
    }
    let named = |shard: Option<&str>| shard.map_or("all episodes".to_owned(), |own| format!("shard {own}"));
    bail!(
        "the run plays {}, but is to play {}: give the shard back that it has, or play the other in a run of its \
         own and merge both (`rolecall merge RUN PART...`)",
        visible(&named(was)),
        named(is.as_deref())
    )
}
