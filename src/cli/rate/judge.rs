//! `rolecall rate judge`: a model labels what was said.

use std::collections::BTreeSet;
use std::io::IsTerminal;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, anyhow};
use futures_util::stream::{self, StreamExt};
use tokio_util::sync::CancellationToken;

use super::arguments::JudgeArguments;
use super::ask::Judge;
use super::names::rater;
use super::source::{TurnId, Wanted};
use super::store::{self, Appending};
use crate::cli::model_client::model_client;
use crate::cli::{output, progress, signals};
use crate::evaluation::labels::{Item, ItemKind, Label, LabelLine, What};
use crate::ports::ModelError;
use crate::ports::model::ModelHealth;
use crate::text::{counted, visible};

/// Items that are in memory at the same time.
const AT_ONCE: usize = 512;
/// How often it is looked whether the model has gone.
const TICK: Duration = Duration::from_millis(200);

/// What came of it.
#[derive(Debug, Default)]
struct Tally {
    labelled: u64,
    unreadable: u64,
    failed: u64,
    /// Why it ended early.
    stopped: Option<String>,
}

/// Asks about everything that has no label yet.
pub(super) fn execute(arguments: &JudgeArguments) -> anyhow::Result<ExitCode> {
    let model = model_client(&arguments.config, &arguments.sets, &arguments.model)?;
    let what = &arguments.items.what;
    let thing = match arguments.items.kind() {
        ItemKind::Utterances => "utterance",
        ItemKind::Dialogues => "dialogue",
        ItemKind::Responses => "response",
    };
    let asked = (arguments.prompt.as_deref(), arguments.question.as_deref());
    let judge = Judge::new(model, what, asked, thing)?;
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
    let lacks = |id: &&String| before.iter().any(|labelled| !labelled.contains(*id));
    let left = wanted.ids.iter().filter(lacks);
    let mut left: Vec<String> = left.cloned().collect();
    left.sort_by_cached_key(|id| wanted.places.get(id).cloned());
    let earlier = (wanted.ids.len() - left.len()) as u64;
    let files = parts
        .iter()
        .map(|part| Appending::open(folder, part, &name));
    let mut files: Vec<Appending> = files.collect::<anyhow::Result<_>>()?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("no runtime for requests")?;
    let judging = Judging {
        judge: &judge,
        wanted: &wanted,
        labels: parts.iter().map(What::labels).collect(),
        concurrency: arguments.concurrency as usize,
        seen: !arguments.quiet && std::io::stderr().is_terminal(),
    };
    let tally = runtime.block_on(judging.all(&left, earlier, &mut files))?;
    tell(&tally, earlier, &files)?;
    let open = tally.unreadable + tally.failed > 0 || tally.stopped.is_some();
    Ok(ExitCode::from(u8::from(open)))
}

fn tell(tally: &Tally, earlier: u64, files: &[Appending]) -> anyhow::Result<()> {
    let files = files.iter().map(|file| file.path().display().to_string());
    let files: Vec<String> = files.collect();
    let mut text = format!(
        "{} in {}",
        counted(tally.labelled, "new label", "new labels"),
        visible(&files.join(", "))
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
    /// The labels of each thing that is asked for.
    labels: Vec<Vec<Label>>,
    concurrency: usize,
    seen: bool,
}

impl Judging<'_> {
    /// Asks about the items, some at a time, and writes each label as soon as it is there. Ctrl-C ends it.
    async fn all(
        &self,
        ids: &[String],
        earlier: u64,
        files: &mut [Appending],
    ) -> anyhow::Result<Tally> {
        let cancel = CancellationToken::new();
        let bar = progress::bar(ids.len() + earlier as usize, "labels  {msg}", self.seen);
        bar.set_position(earlier);
        let mut tally = Tally::default();
        let mut signal = Box::pin(signals::interrupted());
        for some in ids.chunks(AT_ONCE) {
            let mut items: Vec<(String, Item)> = Vec::new();
            self.wanted.read(some, |id, item| {
                items.push((id, item));
                Ok(())
            })?;
            let asking = items
                .into_iter()
                .map(|(id, item)| self.ask(id, item, &cancel));
            let mut asking = stream::iter(asking).buffer_unordered(self.concurrency);
            loop {
                let found = tokio::select! {
                    biased;
                    () = &mut signal, if !cancel.is_cancelled() => {
                        tally.stopped = Some("interrupted".to_owned());
                        cancel.cancel();
                        continue;
                    }
                    found = asking.next() => found,
                    () = tokio::time::sleep(TICK) => {
                        bar.set_message(self.state(&mut tally, &cancel));
                        continue;
                    }
                };
                let Some((id, place, found)) = found else {
                    break;
                };
                bar.inc(1);
                self.take((id, place), found, &mut tally, &cancel, files)?;
            }
            if tally.stopped.is_some() {
                break;
            }
        }
        bar.finish_and_clear();
        Ok(tally)
    }

    async fn ask(
        &self,
        id: String,
        item: Item,
        cancel: &CancellationToken,
    ) -> (
        String,
        Option<TurnId>,
        Result<Option<Vec<usize>>, ModelError>,
    ) {
        let place = self.wanted.places.get(&id).cloned();
        let found = match &place {
            Some(place) => self.judge.labels((&id, place), &item, cancel).await,
            None => Ok(None),
        };
        (id, place, found)
    }

    /// What the bar says of the model; one that will not come back ends it.
    fn state(&self, tally: &mut Tally, cancel: &CancellationToken) -> String {
        match self.judge.model.health() {
            ModelHealth::Lost(why) => {
                tally.stopped.get_or_insert(why);
                cancel.cancel();
                String::new()
            }
            ModelHealth::Paused(why) => visible(&format!("paused: {why}")).into_owned(),
            _ => String::new(),
        }
    }

    /// Takes an answer.
    fn take(
        &self,
        (id, place): (String, Option<TurnId>),
        found: Result<Option<Vec<usize>>, ModelError>,
        tally: &mut Tally,
        cancel: &CancellationToken,
        files: &mut [Appending],
    ) -> anyhow::Result<()> {
        match found {
            Ok(found) => match (found, place) {
                (Some(found), Some(place)) => {
                    let parts = files.iter_mut().zip(&self.labels).zip(found);
                    for ((file, labels), found) in parts {
                        if let Some(label) = labels.get(found) {
                            let (episode, seq) = place.clone();
                            let name = label.name.clone();
                            file.add(&LabelLine::new(id.clone(), episode, seq, name))?;
                            tally.labelled += 1;
                        }
                    }
                }
                _ => tally.unreadable += 1,
            },
            Err(ModelError::Cancelled) => {}
            // What is wrong with this item alone.
            Err(
                ModelError::Refused(_)
                | ModelError::TooLarge(_)
                | ModelError::Malformed(_)
                | ModelError::Overflow(_)
                | ModelError::NotCached(_),
            ) => tally.failed += 1,
            Err(error) => {
                tally.stopped.get_or_insert(error.to_string());
                cancel.cancel();
            }
        }
        Ok(())
    }
}
