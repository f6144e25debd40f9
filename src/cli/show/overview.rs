//! The runs that there are: `rolecall show` without a run.

use std::path::Path;
use std::process::ExitCode;
use std::time::SystemTime;

use anyhow::bail;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde_json::json;

use super::ShowArguments;
use crate::cli::output;
use crate::cli::pager::page;
use crate::cli::runs::{self, FoundRun, Tally};
use crate::evaluation::{EpisodeResult, stored_results};
use crate::log::{RunLog, RunRecord, is_running};
use crate::reports::{Align, NONE, Table, percent};

/// A run of the list.
struct RunLine {
    name: String,
    began: SystemTime,
    planned: Option<u64>,
    tally: Tally,
    state: &'static str,
    /// The run that it goes on from.
    parent: Option<String>,
    /// What its episodes cost so far, and in which currency.
    cost: Option<f64>,
    currency: Option<String>,
}

/// Prints the runs below a folder, newest first.
pub(super) fn print(logs: &Path, arguments: &ShowArguments) -> anyhow::Result<ExitCode> {
    let choice = &arguments.choice;
    if arguments.follow || arguments.wants_events() || choice.is_narrow() || choice.sort.is_some() {
        bail!("name a run: `rolecall show RUN ...`; `rolecall show` lists those there are");
    }
    let mut found = runs::newest(logs);
    if found.is_empty() {
        output::remark(&format!(
            "there are no runs below `{}`; `rolecall run CONFIG` makes one",
            logs.display()
        ));
        return Ok(ExitCode::SUCCESS);
    }
    if choice.reverse {
        found.reverse();
    }
    found.truncate(choice.limit.unwrap_or(usize::MAX));
    let lines: Vec<RunLine> = found.into_iter().map(look).collect();
    if arguments.json {
        let lines = lines.iter().map(|line| format!("{}\n", line.json()));
        return output::succeed(&output::harmless_json(&lines.collect::<String>()));
    }
    let mut table = Table::new("")
        .key("run")
        .column("began", Align::Left)
        .numbers(["episodes", "success %"]);
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
        table.row(line.texts(costs, parents));
    }
    page(&table.text(&output::list_layout()), !arguments.no_pager)?;
    Ok(ExitCode::SUCCESS)
}

/// Looks into a run. One that cannot be read is listed as such: the others are still of interest.
fn look(found: FoundRun) -> RunLine {
    let mut line = RunLine {
        name: found.name,
        began: found.began,
        planned: None,
        tally: Tally::default(),
        state: "unreadable",
        parent: None,
        cost: None,
        currency: None,
    };
    let Ok(record) = RunRecord::read(&found.folder) else {
        return line;
    };
    line.planned = record.episodes;
    line.parent = record.parent.as_ref().map(|parent| parent.run.clone());
    let stored = stored_results(&found.folder, &record);
    let computed = || runs::results(&RunLog::open(&found.folder)?);
    let Ok(results) = stored.map_or_else(computed, Ok) else {
        return line;
    };
    line.tally.add(&results);
    line.cost = (results.iter().filter_map(EpisodeResult::cost)).reduce(|sum, cost| sum + cost);
    line.currency = record.currency;
    let closed = line.tally.closed as u64;
    line.state = match line.planned {
        _ if is_running(&found.folder) => "running",
        Some(planned) if closed < planned => "interrupted",
        _ => "",
    };
    line
}

impl RunLine {
    /// The share of the counted episodes that were solved.
    fn success(&self) -> Option<f64> {
        let (counted, solved) = (self.tally.counted, self.tally.solved);
        (counted > 0).then(|| solved as f64 / counted as f64)
    }

    /// The cells of its row, with its cost and its parent if some run has one.
    fn texts(&self, costs: bool, parents: bool) -> Vec<String> {
        let closed = self.tally.closed;
        let episodes = match self.planned.filter(|planned| *planned != closed as u64) {
            Some(planned) => format!("{closed} of {planned}"),
            None => closed.to_string(),
        };
        let success = self.success().map(percent);
        let success = success.unwrap_or_else(|| NONE.to_owned());
        let parent = parents.then(|| self.parent.clone().unwrap_or_default());
        let mut texts = vec![self.name.clone(), local(self.began), episodes, success];
        let cost = self.cost.map(|cost| {
            let currency = self.currency.as_deref().unwrap_or_default();
            format!("{cost:.2} {currency}").trim_end().to_owned()
        });
        texts.extend(costs.then(|| cost.unwrap_or_else(|| NONE.to_owned())));
        texts.extend(parent);
        texts.push(self.state.to_owned());
        texts
    }

    fn json(&self) -> serde_json::Value {
        let began = Timestamp::try_from(self.began).ok();
        let state = Some(self.state).filter(|state| !state.is_empty());
        json!({
            "run": self.name,
            "began": began.map(|began| format!("{began:.0}")),
            "episodes": self.tally.closed,
            "planned": self.planned,
            "counted": self.tally.counted,
            "success": self.success(),
            "cost": self.cost,
            "currency": self.currency,
            "parent": self.parent,
            "state": state.unwrap_or("finished"),
        })
    }
}

/// Date and time of day where the reader is.
fn local(time: SystemTime) -> String {
    Timestamp::try_from(time).map_or(NONE.to_owned(), |time| {
        let time = time.to_zoned(TimeZone::system());
        time.strftime("%Y-%m-%d %H:%M").to_string()
    })
}
