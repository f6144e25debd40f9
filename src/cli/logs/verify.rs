//! `rolecall logs verify`: checks that the log is as it was written.

use std::fmt::Write;

use std::path::Path;
use std::process::ExitCode;

use anyhow::bail;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::output;
use crate::progress::{bar, watched};
use rolecall_core::domain::EpisodeId;
use rolecall_core::evaluation::{EpisodeResult, ResultFiles, Seal, Standing, difference, measure};
use rolecall_core::log::{
    Check, IndexState, LogError, RESULTS, RecordedEpisode, RunLog, Tail, Verified, is_running, verify_and_open,
};
use rolecall_core::reports::{Align, Table};
use rolecall_core::text::{counted, visible};
use rolecall_run::registry::Registry;

/// The most problems that are printed.
const MOST_SHOWN: usize = 100;

/// Prints what was checked and what is wrong.
pub(super) fn execute(folder: &Path, registry: &Registry) -> anyhow::Result<ExitCode> {
    if is_running(folder) {
        bail!("the run is still being written; check it when it is over");
    }
    let checked = bar(0, "bytes of events checked", false);
    let (found, run) = verify_and_open(folder, |bytes, of| {
        checked.set_length(of);
        checked.set_position(bytes);
    })?;
    checked.finish_and_clear();
    let mut results = Results::default();
    results.check(folder, run.map(watched), registry)?;
    let wrong = found.wrong.values().sum::<u64>() + results.wrong.len() as u64;
    let mut text = table(&found, &results).text(&output::layout());
    text.push_str(&problems(&found, &results, wrong));
    output::emit(&text)?;
    output::exit_code(wrong > 0)
}

fn table(found: &Verified, results: &Results) -> Table {
    let mut table = Table::new("").key("checked").numbers(["number", "wrong"]).column("", Align::Left);
    let frames = counted(found.frames, "frame", "frames");
    let open = format!("{} not closed", found.episodes - found.closed);
    let without = format!("{} closed episodes have none", found.closed.saturating_sub(found.digests));
    let unknown = match results.unknown {
        0 => String::new(),
        figures => counted(figures, "figure", "figures") + " this program does not compute",
    };
    let (number, state) = match found.index {
        IndexState::Absent => (0, "there is none"),
        IndexState::Unused => (0, "of other events, so it is not used"),
        IndexState::Behind => (1, "does not go up to the last event"),
        IndexState::Whole => (1, "goes up to the last event"),
    };
    let rows = [
        (Some(Check::Files), "files of events", found.files, frames.as_str()),
        (Some(Check::Lines), "lines of events", found.lines, ""),
        (Some(Check::Episodes), "episodes", found.episodes, &open),
        (Some(Check::Digests), "digests", found.digests, &without),
        (None, "results", results.lines, &unknown),
        (Some(Check::Timings), "lines of timings", found.timings, ""),
        (Some(Check::Index), "index", number, state),
    ];
    for (check, name, number, remark) in rows {
        let wrong = match check {
            Some(check) => found.wrong.get(&check).copied().unwrap_or_default(),
            None => results.wrong.len() as u64,
        };
        table.row(vec![name.to_owned(), number.to_string(), wrong.to_string(), remark.to_owned()]);
    }
    table
}

fn problems(found: &Verified, results: &Results, wrong: u64) -> String {
    let mut text = String::from("\n");
    let in_log = found.problems.iter().map(|problem| (&*problem.file, problem.line, &*problem.what));
    let in_results = results.wrong.iter().map(|(line, what)| match line {
        Some(line) => {
            let (file, line) = results.files.locate(*line);
            let file = file.file_name().unwrap_or_default();
            (file.to_str().unwrap_or_default(), Some(line), what.as_str())
        }
        None => (RESULTS, None, what.as_str()),
    });
    let mut shown = 0;
    for (file, line, what) in in_log.chain(in_results).take(MOST_SHOWN) {
        let line = line.map_or(String::new(), |line| format!(" line {line}"));
        // Writing to a text cannot fail.
        let _ = writeln!(text, "`{}`{line}: {}", visible(file), visible(what));
        shown += 1;
    }
    match wrong.saturating_sub(shown) {
        0 if wrong == 0 => text.push_str("nothing is wrong\n"),
        0 => {}
        more => text.push_str(&format!("and {more} more\n")),
    }
    text
}

/// The findings in results. Lines are numbered through all files.
#[derive(Default)]
struct Results {
    files: ResultFiles,
    lines: u64,
    /// Figures in it that this program does not compute.
    unknown: u64,
    wrong: Vec<(Option<u64>, String)>,
}

impl Results {
    /// Compares the results as they were written with those that the events give, if these can be read:
    /// otherwise, that is told already.
    fn check(&mut self, folder: &Path, run: Option<RunLog>, registry: &Registry) -> anyhow::Result<()> {
        let mut written = self.read(folder)?;
        let Some(run) = run else {
            return Ok(());
        };
        let metrics = registry.measured();
        let computed = |_: &_, episode: Result<RecordedEpisode, LogError>| {
            episode.map(|episode| measure(&episode.log(), &metrics))
        };
        run.over_episodes(run.ids(), computed, |computed| {
            if let Ok(computed) = computed {
                self.episode(written.remove(&computed.episode), &computed);
            }
            Ok::<_, LogError>(())
        })?;
        let known: FxHashSet<&EpisodeId> = run.ids().collect();
        let mut rest: Vec<_> = written.into_iter().collect();
        rest.sort_unstable_by_key(|(_, (line, _))| *line);
        for (id, (line, _)) in rest.into_iter().filter(|(id, _)| !known.contains(id)) {
            self.add(line, format!("`{id}` has a result but no events"));
        }
        Ok(())
    }

    fn episode(&mut self, written: Option<(u64, EpisodeResult)>, computed: &EpisodeResult) {
        let closed = computed.standing() != Standing::Unfinished;
        let id = &computed.episode;
        match written {
            Some((line, result)) if closed => self.compare(line, &result, computed),
            Some((line, _)) => self.add(line, format!("`{id}` is not closed, but has a result")),
            None if closed => self.wrong.push((None, format!("`{id}` is closed, but has no result"))),
            None => {}
        }
    }

    fn add(&mut self, line: u64, what: String) {
        self.wrong.push((Some(line), what));
    }

    fn read(&mut self, folder: &Path) -> anyhow::Result<FxHashMap<EpisodeId, (u64, EpisodeResult)>> {
        let mut written = FxHashMap::default();
        let mut tail = Tail::results(folder);
        while let Some(chunk) = tail.grown()? {
            for (number, line) in chunk.lines() {
                let number = self.files.add(chunk.path(), number, self.lines);
                self.lines += 1;
                let result = match EpisodeResult::decode(line) {
                    Ok(result) => result,
                    Err(error) => {
                        self.add(number, error.to_string());
                        continue;
                    }
                };
                let id = result.episode.clone();
                if Seal::of(line) == Seal::Broken {
                    self.add(number, format!("`{id}` was changed"));
                }
                if let Some((first, _)) = written.insert(id.clone(), (number, result)) {
                    let (_, first) = self.files.locate(first);
                    self.add(number, format!("`{id}` has a result in line {first} already"));
                }
            }
        }
        if let Some(torn) = tail.torn() {
            let line = self.files.add(&folder.join(RESULTS), torn.line, self.lines);
            self.add(line, "it was cut off".to_owned());
        }
        Ok(written)
    }

    fn compare(&mut self, line: u64, written: &EpisodeResult, computed: &EpisodeResult) {
        let is_computed = |name: &&str| computed.measures.names().any(|other| other == *name);
        self.unknown += written.measures.names().filter(|name| !is_computed(name)).count() as u64;
        if let Some(what) = difference(written, computed) {
            self.add(line, format!("the result of `{}`: {what}", written.episode));
        }
    }
}
