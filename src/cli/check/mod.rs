//! `rolecall check CONFIG`: checks a config and prints who sits where.

mod models;

use std::fmt::Write as _;
use std::io;
use std::process::ExitCode;

use anyhow::bail;
use clap::Args;
use serde_json::json;

use crate::COULD_NOT_START;
use crate::config_arguments::ConfigArguments;
use crate::output::{emit, emit_json, instead, remark, style, succeed};
use crate::progress::prepare;
use crate::prompt_text::{request_json, request_text};
use crate::visibility_table::visibility_table;
use rolecall_core::reports::{Paint, Style, aligned};
use rolecall_core::text::{joined, visible};
use rolecall_run::config::{
    Cell, CellRecord, ConfigErrors, Limits, NamedRecord, Plan, Record, Resolved, RoleRecord, UserRecord, load,
};
use rolecall_run::registry::Registry;
use rolecall_run::runtime::first_prompt;

/// The arguments of `check`.
#[derive(Args, Debug)]
pub(crate) struct CheckArguments {
    #[command(flatten)]
    config: ConfigArguments,
    /// Print the first prompt that this seat would get for the first task; nobody is asked
    #[arg(long, value_name = "SEAT")]
    prompt: Option<String>,
    /// The cell whose prompt is printed, where there are several
    #[arg(long, value_name = "NAME", requires = "prompt")]
    cell: Option<String>,
    /// Print the resolved config, all that is wrong with it, or the prompt as JSON
    #[arg(long)]
    json: bool,
}

/// Checks the config and prints the resolved wiring.
pub(crate) fn execute(arguments: &CheckArguments, registry: &Registry) -> anyhow::Result<ExitCode> {
    let resolved = load(&arguments.config.request([])?, registry.clone());
    if arguments.json && arguments.prompt.is_none() {
        return as_json(&resolved);
    }
    let resolved = resolved?;
    if let Some(seat) = &arguments.prompt {
        return print_prompt(&resolved, seat, arguments, registry);
    }
    succeed(&with_headings(&resolved, style(&io::stdout())))
}

/// The resolved config or its problems, for programs. Exit code 2 if something is wrong with it.
fn as_json(resolved: &Result<Resolved, ConfigErrors>) -> anyhow::Result<ExitCode> {
    let (told, code) = match resolved {
        Ok(resolved) => {
            let config = serde_json::to_value(&resolved.record)?;
            (json!({"ok": true, "config": config, "notes": resolved.notes, "problems": []}), 0)
        }
        Err(errors) => {
            let problems = errors
                .0
                .iter()
                .map(|error| json!({"position": error.position, "key": error.key, "problem": error.problem}));
            (json!({"ok": false, "problems": problems.collect::<Vec<_>>()}), COULD_NOT_START)
        }
    };
    emit_json(format_args!("{told:#}"))?;
    Ok(ExitCode::from(code))
}

/// The resolved config for reading: the run, and for each cell who sits where, who sees
/// what, and the limits.
pub fn describe(resolved: &Resolved) -> String {
    with_headings(resolved, Style::Unstyled)
}

fn with_headings(resolved: &Resolved, style: Style) -> String {
    let mut text = run_lines(resolved);
    for (cell, record) in resolved.plan.cells.iter().zip(&resolved.record.cells) {
        // Writing to a text cannot fail.
        let _ = writeln!(text, "\n{}", style.paint(Paint::Heading, &format!("cell {}", record.name)));
        text.push_str(&cell_lines(cell, record));
    }
    text.push_str(&models::model_lines(resolved, style));
    if !resolved.notes.is_empty() {
        let _ = writeln!(text, "\n{}", style.paint(Paint::Heading, "notes"));
        for note in &resolved.notes {
            let _ = writeln!(text, "  {}", visible(note));
        }
    }
    text
}

fn row(key: &str, value: String) -> Vec<String> {
    vec![key.to_owned(), value]
}

fn count(number: usize, one: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {one}{plural}")
}

fn run_lines(resolved: &Resolved) -> String {
    let (record, run) = (&resolved.record, &resolved.plan.run);
    let (tasks, episodes) = tasks_and_episodes(record);
    let (at_a_time, threads) = (count(run.concurrency, "episode"), count(run.arbiters, "thread"));
    let (sync, size) = (record.run.text("sync"), run.log.segment_bytes >> 20);
    let rows = [
        row("run", record.name.clone()),
        row("seed", record.seed.to_string()),
        row("tasks", tasks),
        row("episodes", episodes),
        row("machine", format!("{at_a_time} at a time on {threads}")),
        row("logs", record.run.text("logs").to_owned()),
        row("sync", format!("{sync}, a new file of events after {size} MB")),
    ];
    aligned(&rows, "")
}

/// The numbers of tasks and of episodes, in words.
fn tasks_and_episodes(record: &Record) -> (String, String) {
    let by_cell: Vec<usize> = record.cells.iter().filter_map(|cell| cell.tasks).collect();
    let cells = count(record.cells.len(), "cell");
    let repeats = count(record.repeats as usize, "repeat");
    let (mut tasks, counted) = match by_cell.iter().min() {
        None => (record.tasks.to_string(), format!("{} x {repeats} x {cells}", count(record.tasks, "task"))),
        Some(fewest) => (
            format!("{fewest} to {} a cell", record.tasks),
            format!("{} of {cells} x {repeats}", count(by_cell.iter().sum(), "task")),
        ),
    };
    if record.first_task > 0 {
        tasks += &format!(" from number {} on", record.first_task);
    }
    let episodes = match record.episodes {
        Some(episodes) => match record.run.get("shard").and_then(toml::Value::as_str) {
            Some(shard) => format!("{episodes}: shard {shard} of {counted}"),
            None => format!("{counted} = {episodes}"),
        },
        None => "as clients ask for them".to_owned(),
    };
    (tasks, episodes)
}

fn cell_lines(cell: &Cell, record: &CellRecord) -> String {
    let named = |entry: &NamedRecord| format!("{}{}", entry.name, in_brackets(&entry.parameters));
    let mut rows = vec![row("environment", named(&record.environment)), row("strategy", named(&record.strategy))];
    rows.extend(record.roles.iter().map(role_row));
    let several = record.users.len() > 1;
    rows.extend(record.users.iter().map(|user| user_row(user, several)));
    let entrusted = cell.tasks.ground_truth();
    if !entrusted.is_empty() {
        let roles = joined(entrusted.iter().map(|truth| truth.role));
        rows.push(row("ground truth", format!("entrusted to {roles}")));
    }
    rows.push(row("limits", limits_words(&cell.limits)));
    let visibility = aligned(&visibility_table(cell), "    ");
    format!("{}  who sees what\n{visibility}", aligned(&rows, "  "))
}

fn role_row(role: &RoleRecord) -> Vec<String> {
    let mut words = format!("{}{}", role.implementation, in_brackets(&role.parameters));
    match &role.persona {
        Some(persona) => {
            let hash: String = persona.blake3.chars().take(12).collect();
            let _ = write!(words, ", persona {} (blake3 {hash})", persona.card);
        }
        None => words.push_str(", no persona"),
    }
    if role.hide_thoughts {
        words.push_str(", hides its thoughts");
    }
    row(&format!("seat {}", role.role), words)
}

fn user_row(user: &UserRecord, several: bool) -> Vec<String> {
    let mut words = format!("{}{}, sees {}", user.kind, in_brackets(&user.parameters), user.sees);
    if several {
        let _ = write!(words, ", weight {}", user.weight);
    }
    row("seat user", words)
}

/// The limits of an episode's calls of models; nothing if there are none.
fn call_limits(limits: &Limits) -> String {
    let calls = limits.model_calls.map(|calls| count(calls as usize, "model call"));
    let tokens = limits.tokens.map(|tokens| format!("{tokens} tokens"));
    let cost = limits.cost.map(|cost| format!("a cost of {cost}"));
    match joined([calls, tokens, cost].into_iter().flatten()) {
        none if none.is_empty() => none,
        limits => format!(", {limits} an episode"),
    }
}

fn limits_words(limits: &Limits) -> String {
    let questions =
        limits.questions.map_or("any number of questions".to_owned(), |most| count(most as usize, "question"));
    let episode = limits.episode.map_or(String::new(), |time| format!(", {} s an episode", time.as_secs_f64()));
    format!(
        "{}, {questions}, {} s a turn{episode}, {} a turn, {} bytes an answer{}",
        count(limits.steps as usize, "step"),
        limits.turn.as_secs_f64(),
        count(limits.attempts as usize, "attempt"),
        limits.answer_bytes,
        call_limits(limits)
    )
}

fn in_brackets(parameters: &toml::Table) -> String {
    let written = parameters.iter().map(|(name, value)| match value {
        toml::Value::String(text) if text.is_empty() => format!("{name} = \"\""),
        toml::Value::String(text) => format!("{name} = {text}"),
        value => format!("{name} = {value}"),
    });
    match parameters.is_empty() {
        true => String::new(),
        false => format!(" ({})", joined(written)),
    }
}

/// Prints the first prompt of a seat, before anything is paid.
fn print_prompt(
    resolved: &Resolved,
    seat: &str,
    arguments: &CheckArguments,
    registry: &Registry,
) -> anyhow::Result<ExitCode> {
    let plan = &resolved.plan;
    let cell = cell_of(plan, arguments.cell.as_deref())?;
    prepare(plan, false)?;
    let first = first_prompt(plan, cell, seat, &registry.formats)?;
    let (sent, name) = (&first.request, visible(seat));
    if arguments.json {
        let mut object = request_json(&sent.request, &sent.settings);
        object["cell"] = cell.name.as_str().into();
        object["seat"] = seat.into();
        object["model"] = sent.model.as_str().into();
        object["stand_ins"] = first.stand_ins.iter().map(|seat| json!(seat.as_str())).collect();
        emit_json(object)?;
    } else {
        emit(&request_text(&sent.request, &sent.settings, style(&io::stdout())))?;
    }
    if let Some(one) = first.stand_ins.first() {
        let others = joined(&first.stand_ins);
        remark(&format!(
            "note: nobody was asked: what {others} said before is made up, as in `(what the {one} says)`, so that \
             the prompt of `{name}` will be another one in a run"
        ));
    }
    Ok(ExitCode::SUCCESS)
}

/// The cell of that name, or the only one.
fn cell_of<'a>(plan: &'a Plan, name: Option<&str>) -> anyhow::Result<&'a Cell> {
    let names: Vec<&str> = plan.cells.iter().map(|cell| cell.name.as_str()).collect();
    match (name, &plan.cells[..]) {
        (None, [only]) => Ok(only),
        (None, _) => {
            bail!("the config has {} cells: choose one with `--cell`; there is {}", names.len(), joined(&names))
        }
        (Some(name), cells) => match cells.iter().find(|cell| cell.name.as_str() == name) {
            Some(cell) => Ok(cell),
            None => bail!("the config has no cell `{}`{}", visible(name), instead(name, &names)),
        },
    }
}
