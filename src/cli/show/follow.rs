//! `rolecall show --follow`: a run that goes on, as it goes on.

use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{anyhow, bail};

use super::{ShowArguments, json_event, json_results};
use crate::{output, runs};
use rolecall_core::domain::{EpisodeId, Message};
use rolecall_core::evaluation::{EpisodeResult, Standing, Stored};
use rolecall_core::log::{
    EventEncoder, LogError, RESULTS, RunLog, RunRecord, Tail, TornLine, decode_episode, decode_event, is_running,
};
use rolecall_core::reports::{EpisodeLines, LiveTranscript, Selection, Tally, is_private};
use rolecall_core::text::{joined, shell_path, visible};
use rolecall_run::registry::Registry;

/// Times to wait when nothing new has come: at first, and at most.
const WAITS: (Duration, Duration) = (Duration::from_millis(25), Duration::from_secs(1));

/// The time that a run may take from making its folder to saying what it plays.
const PATIENCE: Duration = Duration::from_secs(2);

/// Prints what happens until the run is over, or the episode is.
pub(super) fn follow(folder: &Path, arguments: &ShowArguments, registry: &Registry) -> anyhow::Result<ExitCode> {
    let record = begun(folder)?;
    let one = arguments.episode.as_deref().map(|name| expected(&record, name)).transpose()?;
    if arguments.wants_events() {
        if arguments.choice.is_narrow() {
            bail!(
                "events cannot be followed by what becomes of their episodes: leave out the \
                 options that choose episodes, or name one"
            );
        }
        let mut events = Events::new(folder, arguments, &record, one)?;
        if until_over(folder, || events.advance())? {
            events.finish(folder, &record, registry);
        }
    } else {
        arguments.choice.check_cells(&record)?;
        let mut results = Results::new(folder, arguments, &record);
        if until_over(folder, || results.advance())? {
            results.finish(folder, &record, registry)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The record of the run; waited for if its folder was made this moment.
fn begun(folder: &Path) -> Result<RunRecord, LogError> {
    let mut waited = Duration::ZERO;
    loop {
        match RunRecord::read(folder) {
            Err(LogError::NoRun { .. } | LogError::File { done: LogError::USED, .. })
                if is_running(folder) && waited < PATIENCE =>
            {
                wait(WAITS.0);
                waited += WAITS.0;
            }
            record => return record,
        }
    }
}

/// The state after everything was printed that was there.
#[derive(PartialEq, Eq)]
enum Progress {
    /// Something was printed.
    Grown,
    /// There was nothing new.
    Still,
    /// Nothing more is wanted.
    Enough,
}

/// Advances again and again until nothing can come any more; false if nothing more was wanted before. Waits
/// longer and longer while nothing comes.
fn until_over(folder: &Path, mut advance: impl FnMut() -> anyhow::Result<Progress>) -> anyhow::Result<bool> {
    let mut pause = WAITS.0;
    loop {
        // Asked first: what was written before the end is then seen by the next look at the file.
        let running = is_running(folder);
        match advance()? {
            Progress::Enough => return Ok(false),
            Progress::Grown => pause = WAITS.0,
            Progress::Still if !running => return Ok(true),
            Progress::Still => {
                wait(pause);
                pause = (pause * 2).min(WAITS.1);
            }
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "this process has no arbiter that could be held up")]
fn wait(pause: Duration) {
    std::thread::sleep(pause);
}

/// The results as episodes close.
struct Results<'a> {
    arguments: &'a ShowArguments,
    tail: Tail,
    lines: EpisodeLines,
    headed: bool,
    tally: Tally,
}

impl<'a> Results<'a> {
    fn new(folder: &Path, arguments: &'a ShowArguments, record: &RunRecord) -> Self {
        Self {
            arguments,
            tail: Tail::results(folder),
            lines: EpisodeLines::new(output::list_layout(), record.currency.is_some()),
            headed: false,
            tally: Tally::default(),
        }
    }

    fn advance(&mut self) -> anyhow::Result<Progress> {
        let Some(chunk) = self.tail.grown()? else {
            return Ok(Progress::Still);
        };
        let file = chunk.path().file_name().unwrap_or_default().to_string_lossy();
        let decoded =
            |(number, line)| EpisodeResult::decode(line).map_err(|error| anyhow!("`{file}` line {number}: {error}"));
        let results = chunk.lines().map(decoded).collect::<anyhow::Result<Vec<_>>>()?;
        self.print(results)
    }

    fn print(&mut self, mut results: Vec<EpisodeResult>) -> anyhow::Result<Progress> {
        self.tally.add(&results);
        results.retain(|result| self.arguments.choice.takes(result));
        if results.is_empty() {
            return Ok(Progress::Grown);
        }
        if self.arguments.json {
            return print(&json_results(&results)?);
        }
        let mut text = String::new();
        if !self.headed {
            self.headed = true;
            text.push_str(&self.lines.head());
        }
        text.extend(results.iter().map(|result| self.lines.line(result)));
        print(&text)
    }

    /// Says how the run ended.
    fn finish(mut self, folder: &Path, record: &RunRecord, registry: &Registry) -> anyhow::Result<()> {
        if self.tally.closed == 0 && !folder.join(RESULTS).exists() {
            // Somebody removed the file; the events say the same.
            let mut results = runs::results(&RunLog::open(folder)?, registry)?;
            results.retain(|result| result.standing() != Standing::Unfinished);
            self.print(results)?;
        }
        let Tally { closed, counted, solved, .. } = self.tally;
        let planned =
            record.episodes.filter(|all| *all != closed as u64).map_or(String::new(), |all| format!(" of {all}"));
        let (how, go_on) = ended(folder, record, registry);
        output::remark(&format!(
            "{how}: {closed}{planned} episodes are closed, {solved} of {counted} that count are solved"
        ));
        go_on.iter().for_each(|advice| output::remark(advice));
        Ok(())
    }
}

/// The events of one episode, or of all.
struct Events<'a> {
    arguments: &'a ShowArguments,
    one: Option<EpisodeId>,
    tail: Tail,
    live: LiveTranscript,
    selection: Selection,
    seen: bool,
}

impl<'a> Events<'a> {
    fn new(
        folder: &Path,
        arguments: &'a ShowArguments,
        record: &RunRecord,
        one: Option<EpisodeId>,
    ) -> anyhow::Result<Self> {
        let selection = arguments.selection(record)?;
        Ok(Self {
            arguments,
            tail: Tail::events(folder),
            live: LiveTranscript::new(arguments.options(), selection.clone(), one.is_none()),
            one,
            selection,
            seen: false,
        })
    }

    fn advance(&mut self) -> anyhow::Result<Progress> {
        let Some(chunk) = self.tail.grown()? else {
            return Ok(Progress::Still);
        };
        let mut text = String::new();
        let mut over = false;
        for (number, line) in chunk.lines() {
            if let Some(one) = &self.one
                && decode_episode(chunk.path(), number, line)? != *one
            {
                continue;
            }
            let (id, event) = decode_event(chunk.path(), number, line)?;
            self.seen = true;
            if !self.arguments.json {
                text.push_str(&self.live.event(&id, &event));
            } else if self.selection.takes(&event) && (self.arguments.private || !is_private(&event.message)) {
                text.push_str(&json_event(&EventEncoder::new(&id), &event)?);
            }
            if self.one.is_some() && matches!(event.message, Message::Closed(_)) {
                over = true;
                break;
            }
        }
        if !text.is_empty() && !output::offer(&text)? || over {
            return Ok(Progress::Enough);
        }
        Ok(Progress::Grown)
    }

    fn finish(&self, folder: &Path, record: &RunRecord, registry: &Registry) {
        let (how, go_on) = ended(folder, record, registry);
        output::remark(&match &self.one {
            Some(id) if !self.seen => format!("{how} and has no episode `{id}`"),
            Some(id) => format!("{how}; `{id}` has no end"),
            None => how.to_owned(),
        });
        go_on.iter().for_each(|advice| output::remark(advice));
        if let Some(TornLine { line, bytes }) = self.tail.torn() {
            output::remark(&format!("note: the last line of the events (line {line}, {bytes} bytes) was cut off"));
        }
    }
}

/// Whether episodes of a run that nobody writes are left to play.
fn is_unfinished(folder: &Path, record: &RunRecord, registry: &Registry) -> bool {
    let stored = Stored::read(folder, record).map(|stored| stored.results.len());
    let computed = || {
        let results = runs::results(&RunLog::open(folder).ok()?, registry).ok()?;
        Some(results.iter().filter(|result| result.standing() != Standing::Unfinished).count())
    };
    let closed = stored.or_else(computed).map(|closed| closed as u64);
    record.episodes.is_some_and(|planned| closed != Some(planned))
}

/// How a run came to its end, and how to go on with one that was interrupted.
fn ended(folder: &Path, record: &RunRecord, registry: &Registry) -> (&'static str, Option<String>) {
    if !is_unfinished(folder, record, registry) {
        return ("the run is over", None);
    }
    let advice = format!("go on with it: rolecall resume {}", shell_path(folder));
    ("the run was interrupted", Some(advice))
}

/// Prints; nothing more is wanted once nobody reads.
fn print(text: &str) -> anyhow::Result<Progress> {
    Ok(match output::offer(text)? {
        true => Progress::Grown,
        false => Progress::Enough,
    })
}

/// The one episode that a name stands for in a run that goes on, whose episodes are not all known: what the name
/// leaves out must be clear from the config.
fn expected(record: &RunRecord, name: &str) -> anyhow::Result<EpisodeId> {
    let once = record.repeats == Some(1);
    let whole = match (name.split(':').count(), &record.cells[..]) {
        (1, [cell]) if once => format!("{cell}:{name}:0"),
        (2, _) if once => format!("{name}:0"),
        _ => name.to_owned(),
    };
    let Ok(id) = whole.parse::<EpisodeId>() else {
        bail!("`{}` may stand for several episodes of this run: write `cell:task:repeat`", visible(name))
    };
    if !record.cells.is_empty() && !record.cells.contains(&id.cell) {
        bail!("this run has no cell `{}`; it has {}", id.cell, joined(&record.cells));
    }
    Ok(id)
}

#[cfg(test)]
mod tests {
    use rolecall_core::domain::CellName;

    use super::*;

    fn record(cells: &[&str], repeats: u64) -> RunRecord {
        RunRecord {
            schema: 1,
            id: None,
            name: "x".to_owned(),
            version: None,
            seed: None,
            repeats: Some(repeats),
            episodes: None,
            parent: None,
            workers: Vec::new(),
            external: Vec::new(),
            changes: Vec::new(),
            currency: None,
            cells: cells.iter().map(|name| CellName::new(name).unwrap()).collect(),
            seats: Vec::new(),
        }
    }

    #[test]
    fn a_name_is_completed_where_only_one_episode_can_be_meant() {
        let found =
            |cells: &[&str], repeats, name: &str| expected(&record(cells, repeats), name).map(|id| id.to_string());
        assert_eq!(found(&["main"], 1, "3").unwrap(), "main:3:0");
        assert_eq!(found(&["a", "b"], 1, "b:3").unwrap(), "b:3:0");
        assert_eq!(found(&["a", "b"], 5, "b:3:4").unwrap(), "b:3:4");
        for (cells, repeats, name) in
            [(&["a", "b"][..], 1, "3"), (&["a"], 2, "3"), (&["a"], 2, "a:3"), (&["a"], 1, "b:3:0"), (&["a"], 1, "x")]
        {
            assert!(found(cells, repeats, name).is_err(), "{name}");
        }
    }
}
