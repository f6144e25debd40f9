//! `rolecall show`: the runs that there are, a run, or one episode of it, for reading.

mod follow;
mod overview;
mod prompts;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use crate::choice::{ChoiceArguments, find};
use crate::output::{self, instead};
use crate::pager::{Pager, page};
use crate::runs::{self, LOGS, siblings};
use crate::serve::beside::{ANYWHERE, Beside};
use rolecall_core::domain::{EpisodeId, Event, Seat};
use rolecall_core::evaluation::EpisodeResult;
use rolecall_core::log::{EventEncoder, RunLog, RunRecord};
use rolecall_core::reports::{self, EpisodeList, EventKind, KINDS, Selection, TranscriptOptions, is_private, newest};
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
        let EventArguments { seat, kind } = &self.events;
        self.transcripts || !seat.is_empty() || !kind.is_empty() || self.episode.is_some()
    }

    /// The events that are asked for. A seat that the run does not have is an error that names
    /// those it has.
    fn selection(&self, record: &RunRecord) -> anyhow::Result<Selection> {
        let known: Vec<&str> = record.seats.iter().map(Seat::as_str).collect();
        let seat = |name: &String| {
            record
                .seats
                .iter()
                .find(|seat| seat.as_str() == name)
                .cloned()
                .with_context(|| format!("this run has no seat `{}`{}", visible(name), instead(name, &known)))
        };
        let seats = self.events.seat.iter().map(seat).collect::<anyhow::Result<_>>()?;
        Ok(Selection { seats, kinds: self.events.kind.clone() })
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
        output::remark(&format!("not shown, for want of width: {} (--json has all)", joined(list.left_out())));
    }
    Ok(())
}

/// The results as JSON lines.
fn json_results(results: &[EpisodeResult]) -> anyhow::Result<String> {
    let mut lines = Vec::new();
    results.iter().for_each(|result| result.encode(&mut lines));
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
    let is_staged = !options.private && selection.is_everything();
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
            let text = match is_staged.then(|| registry.scene(&episode.log())).flatten() {
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

/// The arguments of `show`.
#[derive(Args, Debug)]
pub(crate) struct ShowArguments {
    /// The run's folder, or its name below `logs` (--logs); without it, the runs there are listed
    run: Option<PathBuf>,
    /// The episode as cell:task:repeat, for instance main:12:0, or just 12 if that is enough;
    /// without it, all are listed
    episode: Option<String>,
    /// Folder below which runs are looked for
    #[arg(long, value_name = "DIR", default_value = LOGS)]
    logs: PathBuf,
    /// Print the transcripts of the episodes, one after the other, and not their list
    #[arg(long, short)]
    transcripts: bool,
    /// Show what each model was sent in EPISODE, with its reply: requests are made again from the log,
    /// and compared with the hashes there. They hold what the seat may see, private parts too
    #[arg(long, requires = "episode", conflicts_with_all = ["follow", "transcripts", "kind"])]
    prompts: bool,
    /// With --prompts: give a value of the run's config again that may be a secret, so that `run.toml` does
    /// not have it; may be given several times
    #[arg(long = "set", value_name = "KEY=VALUE", requires = "prompts")]
    sets: Vec<String>,
    /// Show the private parts of the task as well, marked as such
    #[arg(long)]
    private: bool,
    /// Print JSON lines: results of episodes, events (with EPISODE or --transcripts), or calls of
    /// models (with --prompts)
    #[arg(long)]
    json: bool,
    /// Go on printing while the run goes on: results as episodes close, or events as they happen
    /// (with EPISODE or --transcripts)
    #[arg(long, short, conflicts_with_all = ["sort", "reverse", "limit"])]
    follow: bool,
    /// Show it in a browser, at a free port of this machine, until Ctrl-C
    #[arg(long, requires = "run")]
    #[arg(conflicts_with_all = ["follow", "json", "transcripts", "prompts"])]
    web: bool,
    /// Print everything at once, also if it is longer than the screen
    #[arg(long)]
    no_pager: bool,
    #[command(flatten)]
    events: EventArguments,
    #[command(flatten)]
    choice: ChoiceArguments,
}

/// Which events of an episode are shown.
#[derive(Args, Debug)]
#[command(next_help_heading = "Which events (of EPISODE, or of all with --transcripts)")]
struct EventArguments {
    /// Only what comes from this seat: a role such as executor, user, environment or conductor;
    /// may be given several times
    #[arg(long, value_name = "SEAT")]
    seat: Vec<String>,
    /// Only events of this kind; may be given several times
    #[arg(long, value_name = "KIND", value_parser = kinds())]
    kind: Vec<&'static EventKind>,
}

/// The kinds of events.
fn kinds() -> impl TypedValueParser<Value = &'static EventKind> {
    let value = |kind: &EventKind| {
        let alias = Some(kind.alias).filter(|alias| !alias.is_empty());
        PossibleValue::new(kind.word).help(kind.help).aliases(alias)
    };
    PossibleValuesParser::new(KINDS.iter().map(value)).try_map(|word| {
        KINDS.iter().find(|kind| kind.word == word || kind.alias == word).ok_or("there is no such kind")
    })
}
