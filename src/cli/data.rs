//! `rolecall data`: what worlds can do with their data sets. The verbs and their options are the
//! tables of the worlds' entries; several worlds may have a verb.

use std::collections::BTreeSet;
use std::mem;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::builder::PossibleValuesParser;
use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches, value_parser};
use indicatif::ProgressFinish;
use tokio_util::sync::CancellationToken;

use super::asking::{Asking, answered};
use super::model_client::keeping_client;
use super::{output, progress};
use rolecall_core::domain::{EpisodeId, Event, ModelReply, RoleName, Seed};
use rolecall_core::ports::{ModelClient, ModelError, OpenTask, Parameter, ParameterKind, ParameterValue, Parameters};
use rolecall_core::reports::Layout;
use rolecall_core::text::{joined_by, unique};
use rolecall_core::world::{Answers, DataTool, Desk, Inquiry, Rehearsal};
use rolecall_run::config::{Cell, Limits, PlannedRole, PlannedUser};
use rolecall_run::registry::Registry;
use rolecall_run::runtime::dry_run;

const ENVIRONMENT: &str = "environment";
/// The options that describe the model of a tool that asks one.
const CONFIG: &str = "config";
const SET: &str = "set";
/// Requests of a tool that are under way at the same time; the model's own limits hold besides.
const AT_ONCE: usize = 16;

/// The arguments of `data`: a verb, an environment, and the options of its tool.
#[derive(Debug)]
pub(crate) struct DataArguments {
    verb: String,
    options: ArgMatches,
}

impl FromArgMatches for DataArguments {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let (verb, options) = matches.subcommand().ok_or(clap::Error::new(ErrorKind::MissingSubcommand))?;
        Ok(Self { verb: verb.to_owned(), options: options.clone() })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for DataArguments {
    fn augment_args(command: Command) -> Command {
        command.subcommand_required(true).arg_required_else_help(true)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

/// The command with the verbs of a registry's worlds.
pub(crate) fn with_verbs(command: Command, registry: &Registry) -> Command {
    let tools = tools(registry);
    let verbs = unique(tools.iter().map(|offered| offered.tool.name)).into_iter();
    command.subcommands(verbs.map(|name| verb(name, &tools)))
}

/// A tool of an environment.
struct Offered {
    environment: &'static str,
    tool: &'static DataTool,
}

/// Every tool of every world, in the order of the registry.
fn tools(registry: &Registry) -> Vec<Offered> {
    let of_world = registry.worlds.iter().copied().filter_map(|world| {
        let environment = world.environments.first()?.name;
        let tools = world.data.iter();
        Some(tools.map(move |tool| Offered { environment, tool }))
    });
    of_world.flatten().collect()
}

/// A subcommand with the options of all tools of that name.
fn verb(name: &'static str, tools: &[Offered]) -> Command {
    let named = || tools.iter().filter(|offered| offered.tool.name == name);
    let environments: Vec<&str> = named().map(|offered| offered.environment).collect();
    let environment =
        Arg::new(ENVIRONMENT).value_name("ENVIRONMENT").help(format!("The environment: {}", environments.join(" or ")));
    let examples = joined_by("\n  ", named().map(|offered| offered.tool.examples));
    let mut command = Command::new(name)
        .about(joined_by("; ", named().map(|offered| offered.tool.summary)))
        .after_help(format!("Examples:\n  {examples}"))
        .arg(environment.required(true));
    let all = || named().flat_map(|offered| offered.tool.parameters);
    if let Some(model) = all().find(|parameter| matches!(parameter.kind, ParameterKind::Model)) {
        command = command.args(description(model.name));
    }
    for name in unique(all().map(|parameter| parameter.name)) {
        let same: Vec<_> = all().filter(|other| other.name == name).collect();
        command = command.arg(option(&same, environments.len()));
    }
    command
}

/// The options that describe the model which the option of this name names.
fn description(model: &'static str) -> [Arg; 2] {
    let config = Arg::new(CONFIG)
        .long(CONFIG)
        .value_name("FILE")
        .help("The config that describes the model; what it answers is kept in its cache's folder");
    let set = Arg::new(SET)
        .long(SET)
        .value_name("KEY=VALUE")
        .help("Change one key of the config; may be given several times");
    [config.value_parser(value_parser!(PathBuf)).requires(model), set.action(ArgAction::Append).requires(CONFIG)]
}

/// The option of a parameter that one tool or several of a verb have.
fn option(same: &[&'static Parameter], tools: usize) -> Arg {
    let [parameter, ..] = same else {
        return Arg::new(ENVIRONMENT);
    };
    let mut helps: Vec<&str> = same.iter().map(|one| one.help).collect();
    helps.dedup();
    let mut help = helps.join("; ");
    let everywhere = same.len() == tools;
    let (value, default) = match parameter.kind {
        ParameterKind::Flag { .. } => ("", None),
        ParameterKind::Text { default } => ("TEXT", default.map(str::to_owned)),
        ParameterKind::Choice { words } => ("WORD", words.first().map(|word| (*word).to_owned())),
        ParameterKind::Integer { default, .. } => ("N", default.map(|number| number.to_string())),
        ParameterKind::Number { default, .. } => ("NUMBER", Some(default.to_string())),
        ParameterKind::Path { default, .. } => ("PATH", default.map(str::to_owned)),
        ParameterKind::Model => ("MODEL", None),
        ParameterKind::Roles { .. } => ("ROLES", None),
        ParameterKind::List { .. } | ParameterKind::Models => ("TEXT,...", None),
        ParameterKind::Table { .. } | ParameterKind::Free | ParameterKind::Command => ("", None),
    };
    if let Some(default) = default.as_ref().filter(|default| !default.is_empty()) {
        help.push_str(&format!(" [default: {default}]"));
    }
    let arg = Arg::new(parameter.name).long(parameter.name.replace('_', "-")).help(help);
    let must = default.is_none() && everywhere && !parameter.optional;
    match parameter.kind {
        ParameterKind::Flag { .. } => arg.action(ArgAction::SetTrue),
        // No option holds a table or a program.
        ParameterKind::Table { .. } | ParameterKind::Free | ParameterKind::Command => arg.hide(true),
        ParameterKind::Text { .. } => arg.value_name(value).required(must),
        ParameterKind::Path { .. } => arg.value_name(value).required(must).value_parser(value_parser!(PathBuf)),
        ParameterKind::Choice { words } if same.len() == 1 => {
            arg.value_name(value).value_parser(PossibleValuesParser::new(words))
        }
        ParameterKind::Model => arg.value_name(value).requires(CONFIG),
        _ => arg.value_name(value),
    }
}

/// Finds the tool, reads its options and prints what it says.
pub(crate) fn execute(arguments: &DataArguments, registry: &Registry) -> anyhow::Result<ExitCode> {
    output::succeed(&run(arguments, registry)?)
}

/// Has a tool write a file, by the words that follow `rolecall data` on a command line.
#[cfg(feature = "train")]
pub(crate) fn make(words: &str, out: &std::path::Path, registry: &Registry) -> anyhow::Result<String> {
    let words = ["data"].into_iter().chain(words.split_whitespace()).map(std::ffi::OsString::from);
    let words = words.chain(["--out".into(), out.into()]);
    let command = with_verbs(DataArguments::augment_args(Command::new("data")), registry);
    run(&DataArguments::from_arg_matches(&command.try_get_matches_from(words)?)?, registry)
}

fn run(arguments: &DataArguments, registry: &Registry) -> anyhow::Result<String> {
    let DataArguments { verb, options } = arguments;
    let mut tools = tools(registry);
    tools.retain(|offered| offered.tool.name == verb);
    let environment = options.get_one(ENVIRONMENT).map_or("", String::as_str);
    let Some(Offered { tool, .. }) = tools.iter().find(|offered| offered.environment == environment) else {
        let known: Vec<&str> = tools.iter().map(|offered| offered.environment).collect();
        bail!("there is no such data for `{environment}`{}", output::instead(environment, &known));
    };
    for Parameter { name, .. } in tools.iter().flat_map(|offered| offered.tool.parameters) {
        let has = tool.parameters.iter().any(|parameter| parameter.name == *name);
        if !has && options.value_source(name) == Some(ValueSource::CommandLine) {
            bail!("`{verb}` has no option --{} for `{environment}`", name.replace('_', "-"));
        }
    }
    (tool.run)(&parameters(tool.parameters, options)?, &Terminal { options, registry })
}

/// The values of a tool's options, checked against its table.
fn parameters(table: &'static [Parameter], options: &ArgMatches) -> anyhow::Result<Parameters> {
    let mut values = Vec::new();
    for parameter in table {
        let option = || format!("--{}", parameter.name.replace('_', "-"));
        if let Some(value) = value(parameter, options).with_context(option)? {
            values.push((parameter.name, value));
        }
    }
    Ok(Parameters::new(values))
}

fn value(parameter: &Parameter, options: &ArgMatches) -> anyhow::Result<Option<ParameterValue>> {
    let name = parameter.name;
    if parameter.optional && options.value_source(name) != Some(ValueSource::CommandLine) {
        return Ok(None);
    }
    let written = || options.get_one::<String>(name).map(String::as_str);
    Ok(Some(match parameter.kind {
        ParameterKind::Flag { default } => ParameterValue::Flag(options.get_flag(name) || default),
        ParameterKind::Path { default, .. } => {
            ParameterValue::Path(options.get_one(name).cloned().or(default.map(PathBuf::from)).context("is missing")?)
        }
        ParameterKind::Text { default } => {
            ParameterValue::Text(written().or(default).context("is missing")?.to_owned())
        }
        ParameterKind::Choice { words } => {
            let word = written().or(words.first().copied()).unwrap_or_default();
            if !words.contains(&word) {
                bail!("`{word}` is not known{}", output::instead(word, words));
            }
            ParameterValue::Text(word.to_owned())
        }
        ParameterKind::Integer { default, min, max } => {
            let Some(text) = written() else {
                return Ok(default.map(ParameterValue::Integer));
            };
            let number = text.parse().ok().filter(|number| (min..=max).contains(number));
            ParameterValue::Integer(number.with_context(|| format!("`{text}` is no whole number from {min} to {max}"))?)
        }
        ParameterKind::Number { default, min, max } => ParameterValue::Number(match written() {
            Some(text) => (text.parse().ok().filter(|number| (min..=max).contains(number)))
                .with_context(|| format!("`{text}` is no number from {min} to {max}"))?,
            None => default,
        }),
        ParameterKind::Roles { default } => {
            let names = written().map_or(default.to_vec(), |text| text.split(',').collect());
            ParameterValue::Roles(names.into_iter().map(RoleName::new).collect::<Result<_, _>>()?)
        }
        ParameterKind::List { .. } | ParameterKind::Models => {
            let texts = written().map(|text| text.split(',').map(str::to_owned));
            return Ok(texts.map(|texts| ParameterValue::List(texts.collect())));
        }
        ParameterKind::Table { .. } | ParameterKind::Free | ParameterKind::Command => return Ok(None),
        ParameterKind::Model => return Ok(written().map(|text| ParameterValue::Text(text.to_owned()))),
    }))
}

/// The terminal, as tools see it.
struct Terminal<'a> {
    /// The options that were written.
    options: &'a ArgMatches,
    registry: &'a Registry,
}

impl Desk for Terminal<'_> {
    fn layout(&self) -> Layout {
        output::layout()
    }

    fn progress(&self, most: usize, what: &str) -> Box<dyn FnMut() + Send> {
        let bar = progress::bar(most, what, false).with_finish(ProgressFinish::AndClear);
        Box::new(move || bar.inc(1))
    }

    fn dry_run(
        &self,
        rehearsal: &Rehearsal,
        episode: EpisodeId,
        seed: Seed,
        task: OpenTask,
    ) -> anyhow::Result<Vec<Event>> {
        let cell = Cell {
            name: episode.cell.clone(),
            environment: rehearsal.environment.to_owned(),
            tasks: rehearsal.tasks.clone(),
            strategy_name: rehearsal.strategy_name.to_owned(),
            strategy: rehearsal.strategy.clone(),
            roles: vec![PlannedRole {
                role: rehearsal.role.clone(),
                implementation: rehearsal.implementation.to_owned(),
                factory: rehearsal.player.clone(),
            }],
            users: vec![PlannedUser {
                kind: rehearsal.kind.to_owned(),
                weight: 1.0,
                sees: rehearsal.sees,
                factory: rehearsal.user.clone(),
            }],
            hidden_thoughts: BTreeSet::new(),
            limits: Limits::default(),
        };
        dry_run(&cell, episode, seed, task).context("no episode can be played")
    }

    fn ask(&self, model: &str, inquiry: &dyn Inquiry) -> anyhow::Result<Answers> {
        let config = self
            .options
            .get_one::<PathBuf>(CONFIG)
            .context("--config is missing: the file that describes the model")?;
        let sets = self.options.get_many(SET).unwrap_or_default().cloned();
        let (client, kept) = keeping_client(config, &sets.collect::<Vec<String>>(), model, self.registry)?;
        let (what, count) = (inquiry.what(), inquiry.count());
        let mut replies = vec![None; count];
        let open = output::runtime()?.block_on(async {
            let mut asking = Asking::new(&*client, AT_ONCE, progress::bar(count, what, false));
            let cancel = asking.cancel.clone();
            let asked = (0..count).map(|thing| one(&*client, inquiry, thing, &cancel));
            let take = |(thing, reply): (usize, ModelReply)| {
                replies[thing] = Some(reply);
                Ok(())
            };
            asking.all(asked, take).await?;
            anyhow::Ok(mem::take(&mut asking.open))
        })?;
        if let Some(why) = &open.stopped {
            bail!(
                "stopped: {why}; {} of {count} {what} have an answer, which is kept in `{}`: give the command again \
                 to go on",
                replies.iter().flatten().count(),
                output::shown(&kept)
            );
        }
        Ok(Answers { replies, missing: open.missing() })
    }
}

/// Asks about one thing of an inquiry.
async fn one(
    model: &dyn ModelClient,
    inquiry: &dyn Inquiry,
    thing: usize,
    cancel: &CancellationToken,
) -> Result<Option<(usize, ModelReply)>, ModelError> {
    let key = |attempt| format!("data/{}/{thing}/{attempt}/0", inquiry.what());
    let request = |attempt| inquiry.request(thing, attempt > 0, model);
    let read = |reply| inquiry.is_answer(thing, &reply).then_some((thing, reply));
    answered(model, cancel, key, request, read).await
}
