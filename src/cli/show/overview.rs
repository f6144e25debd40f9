//! The runs that there are: `rolecall show` without a run.

use std::path::Path;
use std::process::ExitCode;

use anyhow::bail;
use serde_json::json;

use super::ShowArguments;
use crate::output;
use crate::pager::page;
use crate::runs;
use rolecall_core::log::RunLog;
use rolecall_core::reports::{Align, NONE, RunOverview, RunState, Table, newest, percent};
use rolecall_run::registry::Registry;

/// Prints the runs below a folder, newest first.
pub(super) fn print(logs: &Path, arguments: &ShowArguments, registry: &Registry) -> anyhow::Result<ExitCode> {
    let choice = &arguments.choice;
    if arguments.follow || arguments.wants_events() || choice.is_narrow() || choice.sort.is_some() {
        bail!("name a run: `rolecall show RUN ...`; `rolecall show` lists those there are");
    }
    let mut found = newest(logs);
    if found.is_empty() {
        output::remark(&format!("there are no runs below `{}`; `rolecall run CONFIG` makes one", logs.display()));
        return Ok(ExitCode::SUCCESS);
    }
    if choice.reverse {
        found.reverse();
    }
    found.truncate(choice.limit.unwrap_or(usize::MAX));
    let lines: Vec<RunOverview> =
        found.into_iter().map(|run| RunOverview::of(run, &|log: &RunLog| runs::results(log, registry))).collect();
    if arguments.json {
        return output::succeed(&lines.iter().map(|line| output::json_line(json(line))).collect::<String>());
    }
    let mut table = Table::new("").key("run").column("began", Align::Left).numbers(["episodes", "success %"]);
    let costs = lines.iter().any(|line| line.cost.is_some());
    if costs {
        table = table.column("cost", Align::Right);
    }
    let parents = lines.iter().any(|line| line.parent.is_some());
    if parents {
        table = table.column("goes on from", Align::Left);
    }
    table = table.column("", Align::Left);
    for line in &lines {
        table.row(texts(line, costs, parents));
    }
    page(&table.text(&output::list_layout()), !arguments.no_pager)?;
    Ok(ExitCode::SUCCESS)
}

/// The cells of a row, with its cost and its parent if some run has one.
fn texts(line: &RunOverview, costs: bool, parents: bool) -> Vec<String> {
    let or_none = |text: Option<String>| text.unwrap_or_else(|| NONE.to_owned());
    let success = or_none(line.tally.success().map(percent));
    let mut texts = vec![line.found.name.clone(), line.began(), line.episodes(), success];
    texts.extend(costs.then(|| or_none(line.price())));
    texts.extend(parents.then(|| line.parent.as_ref().map_or(String::new(), |parent| parent.run.clone())));
    texts.push(if line.state == RunState::Finished { "" } else { line.state.as_str() }.to_owned());
    texts
}

fn json(line: &RunOverview) -> serde_json::Value {
    json!({
        "run": line.found.name,
        "began": format!("{:.0}", line.found.began),
        "episodes": line.tally.closed,
        "planned": line.planned,
        "counted": line.tally.counted,
        "success": line.tally.success(),
        "cost": line.cost,
        "currency": line.currency,
        "parent": line.parent.as_ref().map(|parent| &parent.run),
        "state": line.state.as_str(),
    })
}
