//! `rolecall check CONFIG`: checks a config and prints who sits where.

mod models;
mod prompt;

use std::fmt::Write as _;
use std::io;
use std::process::ExitCode;

use clap::Args;
use serde_json::json;

use crate::COULD_NOT_START;
use crate::config_arguments::ConfigArguments;
use crate::output::{emit_json, style, succeed};
use crate::visibility_table::visibility_table;
use rolecall_core::reports::{Paint, Style, aligned};
use rolecall_core::text::{joined, visible};
use rolecall_run::config::{
    Cell, CellRecord, ConfigErrors, Limits, NamedRecord, Record, Resolved, RoleRecord, UserRecord, load,
};
use rolecall_run::registry::Registry;

/// The arguments of `check`.
#[derive(Args, Debug)]
pub(crate) struct CheckArguments {
    #[command(flatten)]
    pub(crate) config: ConfigArguments,
    /// Print the first prompt that this seat would get for the first task; nobody is asked
    #[arg(long, value_name = "SEAT")]
    pub(crate) prompt: Option<String>,
    /// The cell whose prompt is printed, where there are several
    #[arg(long, value_name = "NAME", requires = "prompt")]
    pub(crate) cell: Option<String>,
    /// Print the resolved config, all that is wrong with it, or the prompt as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// Checks the config and prints the resolved wiring.
pub(crate) fn execute(arguments: &CheckArguments, registry: &Registry) -> anyhow::Result<ExitCode> {
    let request = arguments.config.request(Vec::new())?;
    let resolved = load(&request, registry.clone());
    if arguments.json && arguments.prompt.is_none() {
        return as_json(&resolved);
    }
    let resolved = resolved?;
    if let Some(seat) = &arguments.prompt {
        return prompt::print(&resolved, seat, arguments, registry);
    }
    succeed(&with_headings(&resolved, style(&io::stdout())))
}

/// What came of a config, for programs. Exit code 2 if something is wrong with it.
fn as_json(resolved: &Result<Resolved, ConfigErrors>) -> anyhow::Result<ExitCode> {
    let told = match resolved {
        Ok(resolved) => {
            let (config, notes) = (serde_json::to_value(&resolved.record)?, &resolved.notes);
            json!({"ok": true, "config": config, "notes": notes, "problems": []})
        }
        Err(errors) => {
            let problems = errors
                .0
                .iter()
                .map(|error| json!({"position": error.position, "key": error.key, "problem": error.problem}));
            json!({"ok": false, "problems": problems.collect::<Vec<_>>()})
        }
    };
    emit_json(&format!("{told:#}\n"))?;
    Ok(match resolved {
        Ok(_) => ExitCode::SUCCESS,
        Err(_) => ExitCode::from(COULD_NOT_START),
    })
}

/// The resolved config for reading: the run, and for each cell who sits where, who sees
/// what, and the limits.
pub fn describe(resolved: &Resolved) -> String {
    with_headings(resolved, Style::Unstyled)
}

fn with_headings(resolved: &Resolved, style: Style) -> String {
    let mut text = run_lines(resolved);
    for (cell, record) in resolved.plan.cells.iter().zip(&resolved.record.cells) {
        let heading = format!("cell {}", record.name);
        // Writing to a text cannot fail.
        let _ = writeln!(text, "\n{}", style.paint(Paint::Heading, &heading));
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
    let at_a_time = count(run.concurrency, "episode");
    let machine = format!("{at_a_time} at a time on {}", count(run.arbiters, "thread"));
    let (sync, size) = (record.run.text("sync"), run.log.segment_bytes >> 20);
    let sync = format!("{sync}, a new file of events after {size} MB");
    let rows = [
        row("run", record.name.clone()),
        row("seed", record.seed.to_string()),
        row("tasks", tasks),
        row("episodes", episodes),
        row("machine", machine),
        row("logs", record.run.text("logs").to_owned()),
        row("sync", sync),
    ];
    aligned(&rows, "")
}

/// The numbers of tasks and of episodes, in words.
fn tasks_and_episodes(record: &Record) -> (String, String) {
    let own: Vec<usize> = record.cells.iter().filter_map(|cell| cell.tasks).collect();
    let cells = count(record.cells.len(), "cell");
    let repeats = count(record.repeats as usize, "repeat");
    let (mut tasks, counted) = match own.iter().min() {
        None => {
            let tasks = count(record.tasks, "task");
            (record.tasks.to_string(), format!("{tasks} x {repeats} x {cells}"))
        }
        Some(fewest) => {
            let all = count(own.iter().sum(), "task");
            let tasks = format!("{fewest} to {} a cell", record.tasks);
            (tasks, format!("{all} of {cells} x {repeats}"))
        }
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
    let named = |own: &NamedRecord| format!("{}{}", own.name, in_brackets(&own.parameters));
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
    let parameters = in_brackets(&user.parameters);
    let mut words = format!("{}{parameters}, sees {}", user.kind, user.sees);
    if several {
        let _ = write!(words, ", weight {}", user.weight);
    }
    row("seat user", words)
}

/// The limits of an episode's calls of models; nothing if there are none.
fn call_limits(limits: &Limits) -> String {
    let calls = limits.model_calls;
    let calls = calls.map(|calls| count(calls as usize, "model call"));
    let tokens = limits.tokens.map(|tokens| format!("{tokens} tokens"));
    let cost = limits.cost.map(|cost| format!("a cost of {cost}"));
    match joined([calls, tokens, cost].into_iter().flatten()) {
        none if none.is_empty() => none,
        limits => format!(", {limits} an episode"),
    }
}

fn limits_words(limits: &Limits) -> String {
    let questions = limits.questions.map(|most| count(most as usize, "question"));
    let questions = questions.unwrap_or_else(|| "any number of questions".to_owned());
    let episode =
        limits.episode.map(|time| time.as_secs_f64()).map_or(String::new(), |time| format!(", {time} s an episode"));
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
