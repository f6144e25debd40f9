//! `rolecall show`: the runs that there are, a run, or one episode of it, for reading.

mod arguments;
mod find;
mod follow;
mod overview;
mod prompts;

use std::path::Path;
use std::process::ExitCode;

use anyhow::Context;

pub(crate) use arguments::ShowArguments;

use super::episodes::find;
use super::output::instead;
use super::pager::{Pager, page};
use super::runs::siblings;
use super::serve::beside::{ANYWHERE, Beside};
use super::{output, runs};
use rolecall_core::domain::{EpisodeId, Event, Seat};
use rolecall_core::evaluation::EpisodeResult;
use rolecall_core::log::{EventEncoder, RecordedEpisode, RunLog, RunRecord};
use rolecall_core::reports::{self, EpisodeList, Selection, TranscriptOptions, is_private, newest};
use rolecall_core::text::{counted, joined, visible};
use rolecall_doors::serve::web::{of_episode, of_run};
use rolecall_run::registry::Registry;

/// Prints the runs that there are, the episodes of a run, or transcripts.
pub(crate) fn execute(arguments: &ShowArguments, registry: &Registry) -> anyhow::Result<ExitCode> {
    let Some(run) = &arguments.run else {
        return overview::print(&arguments.logs, arguments, registry);
    };
    let folder = match runs::folder_below(run, &arguments.logs) {
        Ok(folder) => folder,
        Err(_) if !newest(run).is_empty() => return overview::print(run, arguments, registry),
        Err(error) => return Err(error),
    };
    if arguments.web {
        return look(&folder, arguments, registry);
    }
    if arguments.follow {
        return follow::follow(&folder, arguments, registry);
    }
    match &arguments.episode {
        Some(name) => {
            let run = runs::open(&folder)?;
            let id = find(&run, name)?;
            if arguments.prompts {
                return prompts::print(arguments, &run, &id, registry);
            }
            print_transcripts(arguments, &run, &[id], registry)?;
        }
        None if arguments.wants_events() => {
            let run = runs::open(&folder)?;
            // What the run wrote down is enough for choosing; the transcripts are of the events.
            let chosen = choose(arguments, runs::results_of(&run, registry)?, run.record())?;
            let ids: Vec<EpisodeId> = chosen.into_iter().map(|result| result.episode).collect();
            print_transcripts(arguments, &run, &ids, registry)?;
        }
        None => {
            let record = RunRecord::read(&folder)?;
            let results = runs::results_in(&folder, &record, registry)?;
            print_list(arguments, &choose(arguments, results, &record)?)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Shows the run or the episode in a browser until Ctrl-C.
fn look(folder: &Path, arguments: &ShowArguments, registry: &Registry) -> anyhow::Result<ExitCode> {
    let (logs, name) = siblings(folder);
    let page = match &arguments.episode {
        Some(episode) => of_episode(&name, &find(&RunLog::open(folder)?, episode)?),
        None => of_run(&name),
    };
    Beside::open(ANYWHERE, &logs, &page, registry)?.stay()?;
    Ok(ExitCode::SUCCESS)
}

impl ShowArguments {
    /// Whether events are asked for, and not the results of episodes.
    fn wants_events(&self) -> bool {
        let narrower = !self.events.seat.is_empty() || !self.events.kind.is_empty();
        self.transcripts || narrower || self.episode.is_some()
    }

    /// The events that are asked for. A seat that the run does not have is an error that names
    /// those it has.
    fn selection(&self, record: &RunRecord) -> anyhow::Result<Selection> {
        let known: Vec<&str> = record.seats.iter().map(Seat::as_str).collect();
        let seat = |name: &String| {
            record.seats.iter().find(|seat| seat.as_str() == name).cloned().with_context(|| {
                let (shown, instead) = (visible(name), instead(name, &known));
                format!("this run has no seat `{shown}`{instead}")
            })
        };
        let seats = self.events.seat.iter().map(seat);
        Ok(Selection { seats: seats.collect::<anyhow::Result<_>>()?, kinds: self.events.kind.clone() })
    }

    fn options(&self) -> TranscriptOptions {
        TranscriptOptions { layout: output::layout(), private: self.private }
    }
}

/// The episodes that are asked for; says so if there are none.
fn choose(
    arguments: &ShowArguments,
    results: Vec<EpisodeResult>,
    record: &RunRecord,
) -> anyhow::Result<Vec<EpisodeResult>> {
    let all = results.len();
    let chosen = arguments.choice.apply(results, record)?;
    if chosen.is_empty() {
        output::remark(&format!("none of the {all} episodes of this run matches"));
    }
    Ok(chosen)
}

fn print_list(arguments: &ShowArguments, results: &[EpisodeResult]) -> anyhow::Result<()> {
    if results.is_empty() {
        return Ok(());
    }
    if arguments.json {
        return output::emit(&json_results(results)?);
    }
    let list = EpisodeList::of(results, output::list_layout());
    page(&list.text(), !arguments.no_pager)?;
    if !list.left_out().is_empty() {
        let left = joined(list.left_out());
        output::remark(&format!("not shown, for want of width: {left} (--json has all)"));
    }
    Ok(())
}

/// The results as JSON lines.
fn json_results(results: &[EpisodeResult]) -> anyhow::Result<String> {
    let mut lines = Vec::new();
    for result in results {
        result.encode(&mut lines);
    }
    Ok(output::harmless_json(&String::from_utf8(lines)?).into_owned())
}

fn print_transcripts(
    arguments: &ShowArguments,
    run: &RunLog,
    ids: &[EpisodeId],
    registry: &Registry,
) -> anyhow::Result<()> {
    let selection = arguments.selection(run.record())?;
    let mut pager = Pager::new(!arguments.no_pager && !arguments.json);
    let (options, mut hidden, mut shown) = (arguments.options(), 0, 0);
    // Who asks for certain events, or for everything, gets them as they are.
    let is_whole = options.private || !selection.is_everything();
    let scene = |episode: &RecordedEpisode| match is_whole {
        true => None,
        false => registry.scene(&episode.log()),
    };
    for (place, id) in ids.iter().enumerate() {
        let episode = run.episode(id)?;
        let text = if arguments.json {
            let (private, open): (Vec<_>, Vec<_>) = episode
                .events
                .iter()
                .filter(|event| selection.takes(event))
                .partition(|event| is_private(&event.message) && !arguments.private);
            hidden += private.len();
            shown += open.len();
            let encoder = EventEncoder::new(&episode.id);
            open.into_iter().map(|event| json_event(&encoder, event)).collect::<anyhow::Result<String>>()?
        } else {
            let gap = if place == 0 { "" } else { "\n" };
            shown += 1;
            let text = match scene(&episode) {
                Some(scene) => reports::staged_transcript(&episode, &scene, &options.layout),
                None => reports::transcript_of(&episode, &options, &selection),
            };
            gap.to_owned() + &text
        };
        if !pager.write(&text)? {
            break;
        }
    }
    pager.finish()?;
    if hidden > 0 {
        let events = counted(hidden as u64, "private event", "private events");
        output::remark(&format!("not shown: {events} (--private)"));
    } else if shown == 0 && !ids.is_empty() {
        output::remark(&format!("no event of {} episodes matches", ids.len()));
    }
    Ok(())
}

/// An event as a line of the log that steers no terminal.
fn json_event(encoder: &EventEncoder, event: &Event) -> anyhow::Result<String> {
    let mut line = Vec::new();
    encoder.encode(event, &mut line)?;
    Ok(output::harmless_json(&String::from_utf8(line)?).into_owned())
}
