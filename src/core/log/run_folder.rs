//! The folder of a run that exists, kept for oneself: to put it right and to go on with it.

use std::fs;
use std::path::{Path, PathBuf};

use super::folder::{EVENTS, INDEX, RESULTS, RUN, RUNNING, TIMINGS};
use super::record::{MANY, with_many};
use super::repair::{self, Repair};
use super::running::Mark;
use super::segments::{self, SegmentForm, Series};
use super::{LogError, LogSettings, LogWriter, RunLog, RunRecord, Tail, index, is_free, lost};
use crate::files::{self, PART};

/// The folder of a run that nobody else writes as long as this lives.
#[derive(Debug)]
pub struct RunFolder {
    folder: PathBuf,
    mark: Mark,
}

impl RunFolder {
    /// Takes the lock of a run that exists. The end of this process gives it back, however it comes.
    ///
    /// Fails with [`LogError::Busy`] if another process (or another part of this one) has it, and
    /// with [`LogError::NoRun`] if there is no run.
    pub fn lock(folder: &Path) -> Result<Self, LogError> {
        let no_run = || LogError::NoRun { folder: folder.to_owned() };
        if !folder.is_dir() {
            return Err(no_run());
        }
        if !folder.join(RUN).exists() && folder.join(RUNNING).exists() && is_free(folder) {
            return Err(LogError::NotBegun { folder: folder.to_owned() });
        }
        let mut mark = Mark::set(folder)?;
        // Asked last: a run that is being made has the lock before it has this file.
        if !folder.join(RUN).exists() {
            return Err(no_run());
        }
        // It says what may be lost, until that is put right (`check_closed`).
        mark.keep();
        Ok(Self { folder: folder.to_owned(), mark })
    }

    /// The folder, as it was named.
    pub fn path(&self) -> &Path {
        &self.folder
    }

    /// Puts right what a killed process or a failed machine left behind, and says what that was.
    /// Nothing that was written whole is lost.
    ///
    /// Fails if a file cannot be changed, or if there are results but no events.
    pub fn repair(&mut self) -> Result<Vec<Repair>, LogError> {
        let mut repairs = Vec::new();
        for name in self.leftovers()? {
            repairs.extend(repair::remove_leftover(&self.folder.join(name))?);
        }
        self.repair_segments(&mut repairs)?;
        self.check_events()?;
        for name in [EVENTS, RESULTS, TIMINGS] {
            repairs.extend(repair::end_with_a_line(&self.folder.join(name))?);
        }
        repairs.extend(repair::remove_unreadable(&self.folder.join(TIMINGS))?);
        repairs.extend(self.repair_index());
        Ok(repairs)
    }

    /// Compares the episodes that were noted as closed with those that are, given the log of this
    /// folder. The last ends of episodes may be lost with a machine that failed: then these episodes
    /// are open again, and their digests are forgotten. [Repair](Self::repair) the folder first.
    ///
    /// Fails with [`LogError::Lost`] if nothing that this program knows of explains the loss, and if
    /// a file cannot be read or changed.
    pub fn check_closed(&mut self, log: &RunLog) -> Result<Option<Repair>, LogError> {
        let repair = match lost::find(&self.folder, log)? {
            None => None,
            Some(lost) if lost.is_tail && self.mark.machine_may_have_failed() => {
                let timings = lost::forget(&self.folder, &lost)?;
                self.replace(TIMINGS, &timings)?;
                Some(Repair::Ends { episodes: lost.episodes.len() as u64, first: lost.first })
            }
            Some(lost) => {
                return Err(LogError::Lost {
                    path: lost.file,
                    line: lost.line,
                    episodes: lost.episodes.len() as u64,
                    episode: lost.first,
                });
            }
        };
        self.mark.settle();
        Ok(repair)
    }

    /// Files that were never finished.
    fn leftovers(&self) -> Result<Vec<String>, LogError> {
        let read = |error| LogError::read(&self.folder, &error);
        let mut names = Vec::new();
        for entry in fs::read_dir(&self.folder).map_err(read)? {
            let name = entry.map_err(read)?.file_name().to_string_lossy().into_owned();
            let segment = segments::read_name(&name).is_some_and(|(_, _, form)| form == SegmentForm::Part);
            let parts = [RUN, RESULTS, TIMINGS].map(|name| format!("{name}{PART}"));
            if segment || index::is_left_over(&name) || parts.contains(&name) {
                names.push(name);
            }
        }
        names.sort_unstable();
        Ok(names)
    }

    fn repair_segments(&self, repairs: &mut Vec<Repair>) -> Result<(), LogError> {
        for (series, number) in self.plain_segments()? {
            let gone = segments::settle(&self.folder, series, number)?;
            repairs.extend(gone.map(|gone| Repair::Double { file: repair::name_of(&gone) }));
        }
        // Of what was compressed, every line is whole.
        for (series, number) in self.plain_segments()? {
            let path = segments::unpacked(&self.folder, series, number);
            repairs.extend(repair::end_with_a_line(&path)?);
        }
        Ok(())
    }

    fn plain_segments(&self) -> Result<Vec<(Series, u32)>, LogError> {
        let mut plain = Vec::new();
        for series in Series::ALL {
            let listed =
                segments::list(&self.folder, series)?.into_iter().filter(|(_, form)| *form == SegmentForm::Unpacked);
            plain.extend(listed.map(|(number, _)| (series, number)));
        }
        Ok(plain)
    }

    /// A run whose process was killed at the very beginning has no events. One that has results had
    /// some, and to begin them anew would hide that they are lost.
    fn check_events(&self) -> Result<(), LogError> {
        let events = self.folder.join(EVENTS);
        if events.exists() || segments::is_there(&self.folder, Series::Events, 1) {
            return Ok(());
        }
        let results = fs::metadata(self.folder.join(RESULTS));
        if results.is_ok_and(|found| found.len() > 0) || segments::is_there(&self.folder, Series::Results, 1) {
            let reason = "it is missing, but there are results of its events".to_owned();
            return Err(LogError::file(&events, "changed", reason));
        }
        Ok(())
    }

    /// Has the index go as far as the events, if there is one. Whoever opens the run next has less
    /// to read then.
    fn repair_index(&self) -> Option<Repair> {
        let path = self.folder.join(INDEX);
        if !path.exists() {
            return None;
        }
        let run = RunLog::open(&self.folder);
        if run.as_ref().is_ok_and(|run| run.unindexed_bytes() == 0) {
            return None;
        }
        let written = run.and_then(|run| run.write_index());
        if written.is_err() {
            // Events that cannot be read are said where they are read; the index only helps.
            let _ = fs::remove_file(path);
        }
        Some(Repair::Index)
    }

    /// Closes `events.jsonl`, unless it is empty, compresses whatever is not compressed yet, and
    /// writes the index. The same with results where there are many. [Repair](Self::repair) the folder
    /// first.
    ///
    /// Fails if a file cannot be written; no event is lost then.
    pub fn compact(&mut self) -> Result<(), LogError> {
        self.close_tail(Series::Events)?;
        if self.has_many_results()? {
            self.close_tail(Series::Results)?;
        }
        for (series, number) in self.plain_segments()? {
            segments::pack_segment(&self.folder, series, number)?;
        }
        RunLog::open(&self.folder)?.write_index()
    }

    fn close_tail(&self, series: Series) -> Result<(), LogError> {
        let tail = self.folder.join(series.growing());
        let synced = files::open(&tail).and_then(|file| {
            file.sync_all()?;
            Ok(file.metadata()?.len())
        });
        if synced.map_err(|error| LogError::read(&tail, &error))? > 0 {
            let listed = segments::list(&self.folder, series)?;
            let last = listed.last().map_or(0, |(number, _)| *number);
            segments::close_tail(&self.folder, series, last + 1, true)?;
        }
        Ok(())
    }

    /// Whether results may be compressed: `run.toml` says so, which it does from now on if there are
    /// many.
    fn has_many_results(&self) -> Result<bool, LogError> {
        if RunRecord::read(&self.folder)?.has_many() {
            return Ok(true);
        }
        let (mut results, mut count) = (Tail::results(&self.folder), 0);
        while let Some(chunk) = results.grown()? {
            count += chunk.lines().count() as u64;
        }
        if count < MANY {
            return Ok(false);
        }
        let path = self.folder.join(RUN);
        let text = fs::read_to_string(&path).map_err(|error| LogError::read(&path, &error))?;
        self.replace_record(&with_many(&text))?;
        Ok(true)
    }

    /// Puts other lines into the place of all results. After a failure, some or all of them may be
    /// missing: they are computed from the events then.
    pub fn replace_results(&self, lines: &[u8]) -> Result<(), LogError> {
        let listed = segments::list(&self.folder, Series::Results)?;
        // The last first: results are never missing between others.
        for (number, _) in listed.into_iter().rev() {
            segments::remove(&self.folder, Series::Results, number)?;
        }
        self.replace(RESULTS, lines)
    }

    /// Puts another text into the place of `run.toml`: all of it or, after a failure, nothing.
    pub fn replace_record(&self, run_toml: &str) -> Result<(), LogError> {
        self.replace(RUN, run_toml.as_bytes())
    }

    fn replace(&self, name: &str, content: &[u8]) -> Result<(), LogError> {
        let path = self.folder.join(name);
        files::replace(&path, content).map_err(|error| LogError::change(&path, &error))
    }

    /// Goes on writing behind what is there. [Repair](Self::repair) it first: what follows a line
    /// that was cut off could not be read.
    pub fn writer(mut self, settings: &LogSettings) -> Result<LogWriter, LogError> {
        self.mark.settle();
        let settings = LogSettings { many: RunRecord::read(&self.folder)?.has_many(), ..*settings };
        LogWriter::append(&self.folder, self.mark, &settings)
    }
}
