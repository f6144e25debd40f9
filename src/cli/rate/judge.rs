//! `rolecall rate judge`: a model labels what was said.

use std::collections::BTreeSet;
use std::io::IsTerminal;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::anyhow;
use futures_util::stream::{self, StreamExt};
use indicatif::ProgressBar;
use tokio_util::sync::CancellationToken;

use super::arguments::JudgeArguments;
use super::ask::Judge;
use super::names::rater;
use super::source::Wanted;
use super::store::{self, Appending};
use crate::cli::model_client::model_client;
use crate::cli::{output, progress, signals};
use crate::evaluation::labels::{Item, Label, LabelLine, What};
use crate::ports::ModelError;
use crate::ports::model::ModelHealth;
use crate::text::{counted, joined, visible};

/// Items that are in memory at the same time.
const AT_ONCE: usize = 512;
/// The time between two looks at the health of the model.
const TICK: Duration = Duration::from_millis(200);

/// Answers by what came of them.
#[derive(Debug, Default)]
struct Tally {
    labelled: u64,
    unreadable: u64,
    failed: u64,
    /// The reason for ending early.
    stopped: Option<String>,
}

/// Asks about everything that has no label yet.
pub(super) fn execute(arguments: &JudgeArguments) -> anyhow::Result<ExitCode> {
    let model = model_client(&arguments.config, &arguments.sets, &arguments.model)?;
    let what = &arguments.items.what;
    let judge = Judge::new(
        model,
        &arguments.items,
        arguments.prompt.as_deref(),
        arguments.question.as_deref(),
    )?;
    let name = match &arguments.rater {
        Some(name) => name.clone(),
        None => default_name(&arguments.model)?,
    };
    let wanted = Wanted::open(&arguments.items)?;
    let folder = wanted.run.folder();
    let parts = what.parts();
    let before = parts.iter().map(|part| {
        let lines = store::read(folder, part, &name)?.into_iter();
        Ok(lines.map(|(line, _)| line.id).collect())
    });
    let before: Vec<BTreeSet<String>> = before.collect::<anyhow::Result<_>>()?;
    let mut left = wanted.ids.clone();
    left.retain(|id| before.iter().any(|labelled| !labelled.contains(id)));
    left.sort_by_key(|id| wanted.places.get(id));
    let earlier = (wanted.ids.len() - left.len()) as u64;
    let files = parts.iter();
    let files = files.map(|part| Appending::open(folder, part, &name));
    let mut files: Vec<Appending> = files.collect::<anyhow::Result<_>>()?;
    let shown = !arguments.quiet && std::io::stderr().is_terminal();
    let judging = Judging {
        judge: &judge,
        wanted: &wanted,
        labels: parts.iter().map(What::labels).collect(),
        concurrency: arguments.concurrency as usize,
        bar: progress::bar(wanted.ids.len(), "labels", shown),
        cancel: CancellationToken::new(),
    };
    judging.bar.set_position(earlier);
    let tally = output::runtime()?.block_on(judging.all(&left, &mut files))?;
    tell(&tally, earlier, &files)?;
    let open = tally.unreadable + tally.failed > 0 || tally.stopped.is_some();
    Ok(ExitCode::from(u8::from(open)))
}

fn tell(tally: &Tally, earlier: u64, files: &[Appending]) -> anyhow::Result<()> {
    let mut text = format!(
        "{} in {}",
        counted(tally.labelled, "new label", "new labels"),
        joined(files.iter().map(|file| output::shown(file.path())))
    );
    let parts = [
        (earlier, "there before"),
        (tally.unreadable, "without a readable answer"),
        (tally.failed, "refused by the model"),
    ];
    for (count, what) in parts.iter().filter(|(count, _)| *count > 0) {
        text.push_str(&format!("; {count} {what}"));
    }
    output::emit(&format!("{text}\n"))?;
    if let Some(why) = &tally.stopped {
        output::remark(&format!("stopped: {why}; give the command again to go on"));
    }
    Ok(())
}

/// The name under which a model's labels are kept.
fn default_name(model: &str) -> anyhow::Result<String> {
    let small = model.to_lowercase();
    let letter = |letter: char| match letter {
        letter if letter.is_ascii_alphanumeric() || letter == '_' => letter,
        _ => '-',
    };
    let name: String = small.chars().map(letter).collect();
    rater(&format!("judge-{name}")).map_err(|why| {
        anyhow!(
            "`{}` cannot be part of a file's name: {why}; use --rater",
            visible(model)
        )
    })
}

/// Everything that judging takes.
struct Judging<'a> {
    judge: &'a Judge,
    wanted: &'a Wanted,
    /// The labels of each part of what is asked for.
    labels: Vec<Vec<Label>>,
    concurrency: usize,
    bar: ProgressBar,
    cancel: CancellationToken,
}

impl Judging<'_> {
    /// Asks about the items, some at a time, and writes each label as soon as it is there. Ctrl-C ends it.
    async fn all(&self, ids: &[String], files: &mut [Appending]) -> anyhow::Result<Tally> {
        let mut tally = Tally::default();
        let mut signal = Box::pin(signals::interrupted());
        for some in ids.chunks(AT_ONCE) {
            let items = self.wanted.read(some)?.into_iter();
            let asking = items.map(|(id, item)| self.ask(id, item));
            let mut asking = stream::iter(asking).buffer_unordered(self.concurrency);
            loop {
                let found = tokio::select! {
                    biased;
                    () = &mut signal, if !self.cancel.is_cancelled() => {
                        self.stop(&mut tally, "interrupted".to_owned());
                        continue;
                    }
                    found = asking.next() => found,
                    () = tokio::time::sleep(TICK) => {
                        self.bar.set_message(self.state(&mut tally));
                        continue;
                    }
                };
                let Some(found) = found else {
                    break;
                };
                self.bar.inc(1);
                self.take(found, &mut tally, files)?;
            }
            if tally.stopped.is_some() {
                break;
            }
        }
        self.bar.finish_and_clear();
        Ok(tally)
    }

    /// Stops asking, for the first reason that is given.
    fn stop(&self, tally: &mut Tally, why: String) {
        tally.stopped.get_or_insert(why);
        self.cancel.cancel();
    }

    /// A line for each file; none if the model's answer could not be read.
    async fn ask(&self, id: String, item: Item) -> Result<Vec<LabelLine>, ModelError> {
        let Some(turn) = self.wanted.places.get(&id) else {
            return Ok(Vec::new());
        };
        let found = self.judge.labels(&id, turn, &item, &self.cancel).await?;
        let found = found.unwrap_or_default().into_iter().zip(&self.labels);
        let lines: Option<Vec<LabelLine>> = found
            .map(|(found, labels)| {
                let label = labels.get(found)?.name.clone();
                Some(LabelLine::new(id.clone(), turn.0.clone(), turn.1, label))
            })
            .collect();
        Ok(lines.unwrap_or_default())
    }

    /// The bar's message about the model; one that will not come back ends it.
    fn state(&self, tally: &mut Tally) -> String {
        match self.judge.model.health() {
            ModelHealth::Lost(why) => {
                self.stop(tally, why);
                String::new()
            }
            ModelHealth::Paused(why) => visible(&format!("paused: {why}")).into_owned(),
            _ => String::new(),
        }
    }

    /// Takes an answer.
    fn take(
        &self,
        found: Result<Vec<LabelLine>, ModelError>,
        tally: &mut Tally,
        files: &mut [Appending],
    ) -> anyhow::Result<()> {
        match found {
            Ok(lines) if lines.is_empty() => tally.unreadable += 1,
            Ok(lines) => {
                for (file, line) in files.iter_mut().zip(&lines) {
                    file.add(line)?;
                    tally.labelled += 1;
                }
            }
            Err(ModelError::Cancelled) => {}
            // An error of this item alone.
            Err(
                ModelError::Refused(_)
                | ModelError::TooLarge(_)
                | ModelError::Malformed(_)
                | ModelError::Overflow(_)
                | ModelError::NotCached(_),
            ) => tally.failed += 1,
            Err(error) => self.stop(tally, error.to_string()),
        }
        Ok(())
    }
}
