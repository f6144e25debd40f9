//! `rolecall branch`: copies episodes up to a turn and lets another cast finish them.

mod at;
mod control;
mod parent;

pub(crate) use self::at::{At, before_share, share};
pub(crate) use self::control::{control_of, line as control_line};

pub(crate) use self::parent::{folder_of, forked};

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::bail;
use clap::{Args, Command, FromArgMatches, ValueEnum};

use crate::beginning::begin;

use crate::choice::{self, ChoiceArguments};
use crate::config_arguments::{refuse_absent, setting};
use crate::playing::{PlayArguments, Playing};
use crate::progress::prepare;
use crate::reload_plan::reload_plan;
use crate::{output, runs};
use rolecall_core::domain::{EpisodeId, Steering};
use rolecall_core::log::{RunLog, RunRecord};
use rolecall_core::maps::ordered;
use rolecall_core::text::{counted, joined, shell_path, visible};
use rolecall_run::config::{Absent, ParentRecord, Record};
use rolecall_run::registry::Registry;
use rolecall_run::runtime::{ResumeState, misfit};

/// The most reasons for leaving out an episode that are printed.
const MOST_REASONS: usize = 3;

/// How episodes were chosen that were named one by one, in `run.toml`.
pub(crate) const NAMED: &str = "named";

/// Makes a new run of the episodes and plays it, and its control if that is asked for.
pub(crate) fn execute(arguments: &BranchArguments, verbose: u8, registry: &Registry) -> anyhow::Result<ExitCode> {
    let play = |(playing, _, compared): (Playing, Record, String)| {
        let code = playing.play(&arguments.play, verbose)?;
        if !arguments.play.json {
            output::emit(&compared)?;
        }
        anyhow::Ok(code)
    };
    if arguments.at.is_none() {
        return play(control::begin(arguments, &runs::folder(&arguments.run)?, registry)?);
    }
    let branch = begin_branch(arguments, false, registry)?;
    let folder = branch.0.writer.folder().to_owned();
    let code = play(branch)?;
    if !arguments.control {
        return Ok(code);
    }
    if runs::whole_results(&folder, &RunRecord::read(&folder)?).is_none() {
        let folder = shell_path(&folder);
        output::remark(&format!(
            "the control was not begun: when the branch is over (rolecall resume {folder}), give the command \
             rolecall branch {folder} --control"
        ));
        return Ok(code);
    }
    let control = play(control::begin(arguments, &folder, registry)?)?;
    Ok(if code == ExitCode::SUCCESS { control } else { code })
}

/// Makes the new run: it, its record, and how to compare it with its parent. People may sit in a browser if pages
/// are `served`.
pub(crate) fn begin_branch(
    arguments: &BranchArguments,
    served: bool,
    registry: &Registry,
) -> anyhow::Result<(Playing, Record, String)> {
    let Some(at) = arguments.at else {
        bail!("`--at` is missing: say where the episodes are left");
    };
    let run = runs::open(&arguments.run)?;
    let name = parent::name(&run);
    let ids = choice::chosen(&run, &arguments.episode, &arguments.choice(), registry)?;
    if ids.is_empty() {
        bail!(nobody(arguments));
    }
    let branch_name = arguments.name.clone().unwrap_or_else(|| format!("{name}-branch"));
    let making = Making {
        events: places(arguments, at, &run, &ids)?,
        at: at.to_string(),
        chosen: match arguments.episodes {
            None => NAMED.to_owned(),
            Some(_) => arguments.choice().in_words(),
        },
        by_outcome: arguments.choice().is_by_outcome(),
        steering: Steering {
            seed: arguments.control.then(|| control::seed(run.record(), &branch_name)),
            ..Steering::default()
        },
        settings: arguments.settings(&name),
        models: &arguments.models,
        // Said here, and not where the run was started.
        logs: arguments.logs.as_deref().map(Path::new),
        named: arguments.name.is_some(),
        served,
        quiet: arguments.play.quiet,
    };
    let folder = run.folder().to_owned();
    let (playing, record) = making.begin(run, registry)?;
    let compared = format!(
        "compare with {}: rolecall compare {} {}\n",
        visible(&name),
        shell_path(&folder),
        shell_path(playing.writer.folder())
    );
    Ok((playing, record, compared))
}

/// The refusal if no episode is chosen.
fn nobody(arguments: &BranchArguments) -> String {
    let what = match arguments.episodes {
        Some(Which::Broken) => "no broken episode",
        Some(Which::Failed) => "no failed episode (one that counts and was not solved)",
        Some(Which::All) | None => "no episode",
    };
    let among = if arguments.choice.is_everything() { "" } else { " among those that the options choose" };
    format!("the run has {what}{among}: nothing can be branched off")
}

/// The number of events of each episode that are copied. Episodes without that place are left out, but for
/// those that were named.
fn places(
    arguments: &BranchArguments,
    at: At,
    run: &RunLog,
    ids: &[EpisodeId],
) -> anyhow::Result<BTreeMap<EpisodeId, u32>> {
    let mut places = BTreeMap::new();
    let mut without = Vec::new();
    for id in ids {
        match at.copied(&run.episode(id)?.events) {
            Ok(events) => {
                places.insert(id.clone(), events);
            }
            Err(problem) => without.push(format!("episode `{id}` {problem}")),
        }
    }
    if let Some(problem) = without.first()
        && !arguments.episode.is_empty()
    {
        bail!("`--at {at}`: {problem}");
    }
    if places.is_empty() {
        bail!(
            "none of {} has that place (`--at {at}`){}",
            counted(ids.len() as u64, "chosen episode", "chosen episodes"),
            without.first().map_or(String::new(), |problem| format!(": {problem}"))
        );
    }
    if !without.is_empty() && !arguments.play.quiet {
        let left = counted(without.len() as u64, "episode is", "episodes are");
        let reasons = joined(without.iter().take(MOST_REASONS));
        let more = without.get(MOST_REASONS).map_or("", |_| ", ...");
        output::remark(&format!("{left} left out: {}{more}", visible(&reasons)));
    }
    Ok(places)
}

/// The arguments of `branch`.
#[derive(Args, Debug)]
// Said in one way here: `--episodes`.
#[command(mut_arg("failed", |option| option.hide(true)))]
#[command(mut_arg("broken", |option| option.hide(true)))]
pub(crate) struct BranchArguments {
    /// The run's folder, or its name below `logs`
    run: PathBuf,
    /// The episodes as cell:task:repeat, for instance main:12:0, or just 12 if that is enough
    #[arg(value_name = "EPISODE", required_unless_present_any = ["episodes", "control"])]
    episode: Vec<String>,
    /// These episodes, instead of naming them; the options below choose among them
    #[arg(long, value_name = "WHICH", value_enum, conflicts_with = "episode")]
    episodes: Option<Which>,
    /// Where the new cast takes over: at the last request at or before an event (its number, as `show
    /// --json` prints it), at the first question to the user (who answers it), at the turn of move
    /// N, at the turn after N % of the moves, or when a role or the user is asked for the last time
    #[arg(long, value_name = "SEQ|first-question|turn:N|N%|last", required_unless_present = "control")]
    at: Option<At>,
    /// Play the control, too: another branch at the same places, with the run's own cast; the seeds of both
    /// are fresh from there. Without --at, RUN is a branch that was played, and its control alone is
    #[arg(long)]
    control: bool,
    /// Change one key of the run's config; may be given several times
    #[arg(long = "set", value_name = "KEY=VALUE")]
    sets: Vec<String>,
    /// The model of a role, or of the user, in every cell; may be given several times
    #[arg(long = "model", value_name = "ROLE=NAME")]
    models: Vec<String>,
    /// Name of the new run; default: that of the run and `-branch`
    #[arg(long)]
    name: Option<String>,
    /// Folder under which the new run's folder is made
    #[arg(long, value_name = "DIR")]
    logs: Option<String>,
    #[command(flatten)]
    play: PlayArguments,
    #[command(flatten)]
    choice: ChoiceArguments,
}

/// The episodes that are branched off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Which {
    /// All that were begun
    All,
    /// Episodes that count and were not solved
    Failed,
    /// Episodes that something other than the agent broke
    Broken,
}

impl BranchArguments {
    /// The arguments of a command line, without the name of the command.
    ///
    /// # Errors
    /// When clap refuses the line.
    pub(crate) fn read(line: Vec<OsString>) -> Result<Self, clap::Error> {
        let command = Self::augment_args(Command::new("branch").no_binary_name(true));
        Self::from_arg_matches(&command.try_get_matches_from(line)?)
    }

    /// The choice, with what `--episodes` says.
    fn choice(&self) -> ChoiceArguments {
        let mut choice = self.choice.clone();
        choice.failed |= self.episodes == Some(Which::Failed);
        choice.broken |= self.episodes == Some(Which::Broken);
        choice
    }

    /// The settings that are laid over those of the run, which is called so.
    fn settings(&self, parent: &str) -> Vec<String> {
        let mut settings = vec![setting("name", format!("{parent}-branch"))];
        settings.extend(self.sets.iter().cloned());
        settings.extend(self.name.as_deref().map(|name| setting("name", name)));
        settings.extend(self.logs.as_deref().map(|folder| setting("run.logs", folder)));
        settings
    }
}

/// Parts of a branch in the making, besides the run that it leaves.
#[derive(Default)]
pub(crate) struct Making<'a> {
    /// The episodes, each with the number of events that it takes over.
    pub(crate) events: BTreeMap<EpisodeId, u32>,
    /// The point where it leaves the run, as it was asked for.
    pub(crate) at: String,
    /// How the episodes were chosen, in words.
    pub(crate) chosen: String,
    /// The choice looked at what the episodes came to.
    pub(crate) by_outcome: bool,
    /// Steering where the episodes leave those of the run.
    pub(crate) steering: Steering,
    /// The settings that are laid over those of the run.
    pub(crate) settings: Vec<String>,
    /// The models of roles, or of the user.
    pub(crate) models: &'a [String],
    /// The folder of the new run's folder, seen from here.
    pub(crate) logs: Option<&'a Path>,
    /// Its name was asked for and must be free.
    pub(crate) named: bool,
    /// People may sit in a browser.
    pub(crate) served: bool,
    /// Nothing is printed meanwhile.
    pub(crate) quiet: bool,
}

impl Making<'_> {
    /// Makes the new run, and its record.
    pub(crate) fn begin(self, run: RunLog, registry: &Registry) -> anyhow::Result<(Playing, Record)> {
        let name = parent::name(&run);
        let mut resolved = reload_plan(run.folder(), &self.settings, self.models, Absent::Refused, registry)?.resolved;
        if !self.served {
            refuse_absent(&resolved, false)?;
        }
        resolved.plan.check_keys()?;
        if let Some(logs) = self.logs {
            resolved.plan.run.logs = logs.into();
        }
        prepare(&resolved.plan, self.quiet)?;
        parent::check_closed(&run, self.events.keys(), registry)?;
        if let Some(misfit) = misfit(&resolved.plan, &run, &self.events)? {
            bail!(
                "no episode can be gone on with: the new config differs in what was played before; \
                 `{}`: {}",
                misfit.episode,
                misfit.problem
            );
        }
        resolved.name_parent(ParentRecord {
            run: name.clone(),
            folder: parent::shown(run.folder(), &resolved.working),
            at: self.at,
            chosen: self.chosen,
            by_outcome: self.by_outcome,
            digests: parent::digests(&run, &self.events)?,
            steering: self.steering.clone(),
            episodes: ordered(self.events.iter().map(|(id, events)| (id.to_string(), u64::from(*events)))),
        })?;
        let writer = begin(&mut resolved, self.named)?;
        let resume_state = ResumeState::default().forked(Some(run), &name, self.events).steered(self.steering);
        Ok((Playing { resume_state, ..Playing::new(resolved.plan, writer, registry) }, resolved.record))
    }
}
