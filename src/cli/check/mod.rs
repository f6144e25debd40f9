//! `rolecall check CONFIG`: is the config right, and who sits where?

mod models;

use std::fmt::Write as _;
use std::io;
use std::process::ExitCode;

use clap::Args;

use crate::cli::output::{emit, style};
use crate::cli::run::ConfigArguments;
use crate::cli::visibility_table::visibility_table;
use crate::config::{
    Cell, CellRecord, Limits, NamedRecord, Record, Resolved, RoleRecord, UserRecord, load,
};
use crate::registry::Registry;
use crate::reports::{Paint, Style, aligned};
use crate::text::visible;

/// The arguments of `check`.
#[derive(Args, Debug)]
pub(crate) struct CheckArguments {
    #[command(flatten)]
    pub(crate) config: ConfigArguments,
}

/// Checks the config and prints the resolved wiring.
pub(crate) fn execute(arguments: &CheckArguments) -> anyhow::Result<ExitCode> {
    let request = arguments.config.request(Vec::new())?;
    let resolved = load(&request, Registry::standard())?;
    emit(&with_headings(&resolved, style(&io::stdout())))?;
    Ok(ExitCode::SUCCESS)
}

/// What a config stands for, for reading: the run, and for each cell who sits where, who sees
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
    let machine = format!(
        "{} at a time on {}",
        count(run.concurrency, "episode"),
        count(run.arbiters, "thread"),
    );
    let sync = format!(
        "{}, a new file of events after {} MB",
        record.run.text("sync"),
        run.log.segment_bytes >> 20
    );
    let rows = [
        ("run", record.name.clone()),
        ("seed", record.seed.to_string()),
        ("tasks", tasks),
        ("episodes", episodes),
        ("machine", machine),
        ("logs", record.run.text("logs").to_owned()),
        ("sync", sync),
    ];
    let rows: Vec<_> = rows.map(|(key, value)| row(key, value)).into();
    aligned(&rows, "")
}

/// How many tasks there are, and what that comes to.
fn tasks_and_episodes(record: &Record) -> (String, String) {
    let own: Vec<usize> = record.cells.iter().filter_map(|cell| cell.tasks).collect();
    let cells = count(record.cells.len(), "cell");
    let (tasks, counted) = match own.iter().min() {
        None => {
            let tasks = record.tasks.to_string();
            (tasks, format!("{} x ", count(record.tasks, "task")))
        }
        Some(fewest) => {
            let all = own.iter().sum::<usize>();
            let tasks = format!("{fewest} to {} a cell", record.tasks);
            (tasks, format!("{} of {cells} x ", count(all, "task")))
        }
    };
    let repeats = count(record.repeats as usize, "repeat");
    let cells = if own.is_empty() {
        format!(" x {cells}")
    } else {
        String::new()
    };
    let tasks = match record.first_task {
        0 => tasks,
        first => format!("{tasks} from number {first} on"),
    };
    (
        tasks,
        format!("{counted}{repeats}{cells} = {}", record.episodes),
    )
}

fn cell_lines(cell: &Cell, record: &CellRecord) -> String {
    let named = |own: &NamedRecord| format!("{}{}", own.name, in_brackets(&own.parameters));
    let mut rows = vec![
        row("environment", named(&record.environment)),
        row("strategy", named(&record.strategy)),
    ];
    rows.extend(record.roles.iter().map(role_row));
    let several = record.users.len() > 1;
    rows.extend(record.users.iter().map(|user| user_row(user, several)));
    rows.push(row("limits", limits_words(&cell.limits)));
    let sight = aligned(&visibility_table(cell), "    ");
    format!("{}  who sees what\n{sight}", aligned(&rows, "  "))
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
    let mut words = format!(
        "{}{}, sees {}",
        user.kind,
        in_brackets(&user.parameters),
        user.sees
    );
    if several {
        let _ = write!(words, ", weight {}", user.weight);
    }
    row("seat user", words)
}

/// What the calls of models in one episode are limited to; nothing if they are not.
fn call_limits(limits: &Limits) -> String {
    let calls = limits.model_calls;
    let calls = calls.map(|calls| count(calls as usize, "model call"));
    let tokens = limits.tokens.map(|tokens| format!("{tokens} tokens"));
    let cost = limits.cost.map(|cost| format!("a cost of {cost}"));
    let words: Vec<String> = [calls, tokens, cost].into_iter().flatten().collect();
    match words.is_empty() {
        true => String::new(),
        false => format!(", {} an episode", words.join(", ")),
    }
}

fn limits_words(limits: &Limits) -> String {
    let questions = limits
        .questions
        .map_or("any number of questions".to_owned(), |questions| {
            count(questions as usize, "question")
        });
    let episode = limits.episode;
    let episode = episode.map_or(String::new(), |time| {
        format!(", {} s an episode", time.as_secs_f64())
    });
    format!(
        "{}, {questions}, {} s a turn{episode}, {} a turn, {} bytes an answer{}",
        count(limits.steps as usize, "step"),
        limits.turn.as_secs_f64(),
        count(limits.attempts as usize, "attempt"),
        limits.answer_bytes,
        call_limits(limits)
    )
}

fn in_brackets(parameters: &std::collections::BTreeMap<&'static str, toml::Value>) -> String {
    if parameters.is_empty() {
        return String::new();
    }
    let written = parameters.iter().map(|(name, value)| match value {
        toml::Value::String(text) if text.is_empty() => format!("{name} = \"\""),
        toml::Value::String(text) => format!("{name} = {text}"),
        value => format!("{name} = {value}"),
    });
    format!(" ({})", written.collect::<Vec<_>>().join(", "))
}
