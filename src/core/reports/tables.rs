//! The tables of a run.

use std::fmt::Write;

use rustc_hash::FxHashMap;

use super::figures::{self, NONE, headline, interval, or_none, percent, range, value};
use super::{Layout, Paint, Report, Table, models, servers};
use crate::domain::CellName;
use crate::evaluation::analyses::ActionType;
use crate::evaluation::{Estimate, Group, Summary};
use crate::text::{counted, joined, unique};

/// The metrics whose means stand beside the success rate.
const MEANS: [&str; 4] = ["reward", "steps", "questions", "invalid"];

/// Success by task type, as ReSpAct Table 1 shows it: a row per cell and user, a column per type of which
/// success says something. Without such types the table has no rows.
pub fn by_task_type(summary: &Summary) -> Table {
    let kinds = summary.kinds.iter().filter(|kind| !summary.measures.contains_key(*kind));
    let kinds: Vec<String> = kinds.cloned().collect();
    by_value(summary, "Success by task type (%)", &kinds, &summary.groups)
}

/// The measures of the task types of which success says little, with their intervals: a row per cell, user and
/// type. Without such types the table has no rows.
pub fn by_measure(summary: &Summary) -> Table {
    let measures = unique(summary.measures.values().flatten());
    let mut table = keyed(summary, "Measures by task type").key("type").numbers(["n"]);
    for name in &measures {
        table = table.numbers([figures::measure_name(name).as_str(), "95 % interval"]);
    }
    let groups = by_row_and_value(&summary.groups);
    for row in &summary.rows {
        for (kind, of_kind) in &summary.measures {
            let Some(group) = groups.get(&(row.row(), Some(kind))) else {
                continue;
            };
            let mut texts = keys(summary, row);
            texts.extend([kind.clone(), group.counted.to_string()]);
            for name in &measures {
                let estimate = match of_kind.contains(name) {
                    true => summary.estimate(group, name),
                    false => Estimate::Empty,
                };
                texts.push(figures::measure(name, &estimate));
                texts.push(figures::measure_interval(name, &estimate));
            }
            table.row(texts);
        }
    }
    table
}

/// The success tables by each other group of the tasks.
pub fn by_groups(summary: &Summary) -> impl Iterator<Item = Table> {
    let breakdowns = summary.breakdowns.iter().filter(|_| summary.success_counts());
    breakdowns.map(|by| {
        let title = format!("Success by {} (%)", by.name);
        by_value(summary, &title, &by.values, &by.groups)
    })
}

/// The cell, user and value that a row has in common.
type RowKey<'a> = (Option<&'a CellName>, Option<&'a str>, Option<&'a str>);

/// Groups by their row and type, or value. Data sets may name a type per task: looking each one up in the list
/// would take minutes.
fn by_row_and_value(groups: &[Group]) -> FxHashMap<(RowKey<'_>, Option<&String>), &Group> {
    let groups = groups.iter().map(|group| ((group.row(), group.kind.as_ref()), group));
    groups.collect()
}

fn by_value(summary: &Summary, title: &str, values: &[String], groups: &[Group]) -> Table {
    let heads = values.iter().map(|name| match name.as_str() {
        "" => NONE,
        name => name,
    });
    let mut table = keyed(summary, title).numbers(heads).numbers(["All"]);
    let groups = by_row_and_value(groups);
    for row in summary.rows.iter().filter(|_| !values.is_empty()) {
        let mut texts = keys(summary, row);
        for name in values {
            let group = groups.get(&(row.row(), Some(name)));
            let success = group.map(|group| summary.estimate(group, "success"));
            texts.push(value(&success.unwrap_or_default()));
        }
        texts.push(value(&summary.estimate(row, "success")));
        table.row(texts);
    }
    table
}

/// Per cell and user: how many episodes count, their success with its interval, and the means of
/// the other figures.
pub fn by_cell(summary: &Summary) -> Table {
    // Columns for failures are there when there are some.
    let broken = summary.total.broken > 0;
    let stopped = summary.total.cancelled + summary.total.unfinished > 0;
    let withheld = summary.total.answered.is_some();
    let solved = summary.success_counts();
    let mut table = keyed(summary, "Figures by cell")
        .numbers(["n"])
        .numbers(solved.then_some("success %"))
        .numbers(solved.then_some("95 % interval"))
        .numbers(MEANS)
        .numbers(withheld.then_some("window/filter"))
        .numbers((withheld && solved).then_some("success % without"))
        .numbers(broken.then_some("broken"))
        .numbers(stopped.then_some("not ended"));
    for row in &summary.rows {
        let success = summary.estimate(row, "success");
        let mut texts = keys(summary, row);
        texts.push(row.counted.to_string());
        if solved {
            texts.extend([value(&success), interval(&success)]);
        }
        texts.extend(MEANS.map(|name| value(&summary.estimate(row, name))));
        texts.extend(withheld.then(|| row.withheld().to_string()));
        let answered = row.answered.as_deref().unwrap_or(row);
        texts.extend((withheld && solved).then(|| value(&summary.estimate(answered, "success"))));
        texts.extend(broken.then(|| row.broken.to_string()));
        texts.extend(stopped.then(|| (row.cancelled + row.unfinished).to_string()));
        table.row(texts);
    }
    table
}

/// Every metric, one's own too: a row per metric, a column per cell and user, with the rate or mean
/// over the episodes that count.
pub fn metrics(summary: &Summary) -> Table {
    let table = Table::new("Every metric (rates in %, others as means)");
    by_metric(summary, table, |estimate, money| match estimate.value() {
        Some(mean) if money => Some(figures::money(mean)),
        _ => Some(value(estimate)),
    })
}

/// The intervals of the same, without those that have no width.
pub fn intervals(summary: &Summary) -> Table {
    let table = Table::new("Every metric: 95 % intervals");
    by_metric(summary, table, |estimate, money| {
        let ends = estimate.interval().filter(|(low, high)| low < high)?;
        Some(match money {
            true => range(ends, figures::money),
            false => interval(estimate),
        })
    })
}

/// A row per metric of which `shown` makes any text, a column per cell and user. It is told whether
/// the metric is an amount of money.
fn by_metric(summary: &Summary, table: Table, shown: impl Fn(&Estimate, bool) -> Option<String>) -> Table {
    let several = |row: &Group| summary.rows.iter().any(|other| other.cell == row.cell && other.user != row.user);
    let heads = summary.rows.iter().map(|row| {
        let cell = row.cell.as_ref().map_or(NONE, CellName::as_str);
        let user = row.user.as_deref().filter(|_| several(row));
        let value = summary.by.as_ref().map(|_| value_name(row));
        joined([Some(cell), user, value].into_iter().flatten())
    });
    let heads: Vec<String> = heads.collect();
    let mut table = table.key("metric");
    table = table.numbers(heads.iter().map(String::as_str));
    for name in &summary.metrics {
        let money = name == "cost";
        let texts = summary.rows.iter().map(|row| shown(&summary.estimate(row, name), money));
        let texts: Vec<Option<String>> = texts.collect();
        if texts.iter().any(Option::is_some) {
            let mut cells = vec![metric_label(summary, name)];
            cells.extend(texts.into_iter().map(or_none));
            table.row(cells);
        }
    }
    table
}

/// A metric's name, with the currency if it has one, and a word if it rests on estimates.
fn metric_label(summary: &Summary, name: &str) -> String {
    let currency = summary.models.currency.as_ref().filter(|_| name == "cost");
    let unit = currency.map_or(String::new(), |currency| format!(" ({currency})"));
    let resting = ["prompt_tokens", "completion_tokens", "cost"].contains(&name);
    let estimated = resting && summary.models.estimated();
    let mark = if estimated { ", partly estimated" } else { "" };
    format!("{name}{unit}{mark}")
}

/// The success of tasks in several tries: a row per cell, user and number of tries. Without repeats
/// the table has no rows.
pub fn passes(summary: &Summary) -> Table {
    let mut table = keyed(summary, "Solved in k tries (%)")
        .numbers(["k", "tasks"])
        .numbers(["pass@k", "95 % interval"])
        .numbers(["pass^k", "95 % interval"]);
    for row in summary.rows.iter().filter(|_| summary.shows_success()) {
        for pass in &row.passes {
            let mut texts = keys(summary, row);
            texts.extend([pass.tries.to_string(), pass.tasks.to_string()]);
            for share in [pass.any, pass.every] {
                texts.push(percent(share.value));
                texts.push(range((share.low, share.high), percent));
            }
            table.row(texts);
        }
    }
    table
}

/// The explanation of that table: its columns, and the episodes that do not count.
pub(super) fn about_passes(summary: &Summary) -> Option<String> {
    if !summary.shows_success() || summary.rows.iter().all(|row| row.passes.is_empty()) {
        return None;
    }
    let total = &summary.total;
    let apart = total.episodes - total.counted;
    let mut about = "pass@k: at least one of k tries solves the task; pass^k: all of them do".to_owned();
    if apart > 0 {
        about += &format!(
            "; {} not in it, and a task counts for as many tries as it has other episodes",
            counted(apart as u64, "episode is", "episodes are")
        );
    }
    Some(about)
}

/// The numbers of episodes by ending.
pub fn endings(summary: &Summary) -> Table {
    let labels = || summary.total.endings.keys();
    let mut table = keyed(summary, "Endings (episodes)").numbers(labels().map(String::as_str));
    for row in &summary.rows {
        let mut texts = keys(summary, row);
        let count = |label: &String| row.endings.get(label).copied().unwrap_or_default();
        texts.extend(labels().map(|label| count(label).to_string()));
        table.row(texts);
    }
    table
}

/// The faults of participants. Without faults the table has no rows.
pub fn faults(summary: &Summary) -> Table {
    let mut table = keyed(summary, "Faults").keys_of(["seat", "fault"]).numbers(["times"]);
    for row in &summary.rows {
        for fault in &row.faults {
            let mut texts = keys(summary, row);
            let (seat, kind) = (fault.seat.to_string(), figures::fault(fault.kind));
            texts.extend([seat, kind.to_owned(), fault.count.to_string()]);
            table.row(texts);
        }
    }
    table
}

/// The answers of models by seat: read as they were written, repaired, echoes of what was shown, refused by the world,
/// cut, unreadable, and how often the seat was asked again. Without models the table has no rows.
pub fn answers(summary: &Summary) -> Table {
    let mut table = keyed(summary, "Answers of models").key("seat").numbers([
        "answers",
        "as written",
        "repaired",
        "unreadable",
        "%",
        "95 % interval",
        "echoes",
        "cut",
        "refused by the world",
        "asked again",
    ]);
    for row in &summary.rows {
        for seat in seats(summary) {
            let unreadable = summary.estimate(row, &format!("unreadable.{seat}"));
            let Estimate::Pooled { hits, of, .. } = unreadable else {
                continue;
            };
            let hits_of = |name: &str| hits_of(summary, row, &format!("{name}.{seat}"));
            let count = |name: &str| or_none(hits_of(name).map(|hits| hits.to_string()));
            let again = summary.estimate(row, &format!("retries.{seat}"));
            let again = again.value().map(|mean| mean * again.n() as f64);
            let written = hits_of("repaired").map(|repaired| of.saturating_sub(hits + repaired).to_string());
            let mut texts = keys(summary, row);
            texts.extend([seat.to_owned(), of.to_string(), or_none(written), count("repaired")]);
            texts.extend([hits.to_string(), value(&unreadable), interval(&unreadable)]);
            texts.extend(["echo", "cut", "refused"].map(count));
            texts.push(or_none(again.map(|again| format!("{again:.0}"))));
            table.row(texts);
        }
    }
    table
}

/// The repairs of these answers by their kind, the most frequent first.
pub fn repairs(summary: &Summary) -> Table {
    let mut table = keyed(summary, "Repairs of answers").key("seat").keys_of(["repair"]).numbers(["answers", "%"]);
    for row in &summary.rows {
        for seat in seats(summary) {
            let prefix = format!("repaired.{seat}.");
            let kinds = summary.metrics.iter().filter_map(|name| Some((name, name.strip_prefix(&prefix)?)));
            let counted = kinds.filter_map(|(name, kind)| Some((hits_of(summary, row, name)?, kind)));
            let mut sorted: Vec<(u64, &str)> = counted.filter(|(hits, _)| *hits > 0).collect();
            sorted.sort_by(|one, other| other.0.cmp(&one.0).then(one.1.cmp(other.1)));
            // Episodes without such a repair have no figure for it, and answers all the same.
            let answers = answers_of(summary, row, seat).unwrap_or(0).max(1);
            for (hits, kind) in sorted {
                let percent = format!("{:.1}", 100.0 * hits as f64 / answers as f64);
                let mut texts = keys(summary, row);
                texts.extend([seat.to_owned(), kind.replace('_', " "), hits.to_string(), percent]);
                table.row(texts);
            }
        }
    }
    table
}

/// The seats whose answers models gave.
fn seats(summary: &Summary) -> impl Iterator<Item = &str> {
    summary.metrics.iter().filter_map(|name| name.strip_prefix("unreadable."))
}

/// The answers that a share counts.
fn hits_of(summary: &Summary, row: &Group, name: &str) -> Option<u64> {
    match summary.estimate(row, name) {
        Estimate::Pooled { hits, .. } => Some(hits),
        _ => None,
    }
}

/// Number of answers of a seat.
fn answers_of(summary: &Summary, row: &Group, seat: &str) -> Option<u64> {
    match summary.estimate(row, &format!("unreadable.{seat}")) {
        Estimate::Pooled { of, .. } => Some(of),
        _ => None,
    }
}

/// Advice where more than a fifth of a seat's answers is lost.
fn advice(summary: &Summary) -> Vec<String> {
    const LOST: f64 = 0.2;
    let mut lines = Vec::new();
    for row in &summary.rows {
        for seat in seats(summary) {
            let Some(of) = answers_of(summary, row, seat).filter(|of| *of > 0) else { continue };
            let cell = row.cell.as_ref().map(|cell| format!(" of `{cell}`")).unwrap_or_default();
            let share = |name: &str| hits_of(summary, row, &format!("{name}.{seat}")).unwrap_or(0) as f64 / of as f64;
            let mut advise = |name: &str, what: &str| {
                let share = share(name);
                if share > LOST {
                    lines.push(format!("{:.0} % of the answers of `{seat}`{cell} {what}", share * 100.0));
                }
                share > LOST
            };
            let is_cut = advise(
                "cut",
                &format!(
                    "were cut at the limit of tokens: raise `max_tokens` in `[models.NAME.sampling]` of the model that plays `{seat}`"
                ),
            );
            let echoes = advise(
                "echo",
                "repeat what was shown: the model may be too small, or its prompt lacks exemplars (`shots`)",
            );
            if !is_cut && !echoes {
                advise(
                    "unreadable",
                    "could not be read: `rolecall show RUN EPISODE` shows their texts; try another `moves` for its role",
                );
            }
            advise("refused", "were refused by the world: check that the prompt lists its commands (`{{ grammar }}`)");
        }
    }
    lines
}

fn has_users(summary: &Summary) -> bool {
    summary.rows.iter().any(|row| row.user.is_some())
}

/// A table whose rows are about a cell, about a user if there are any, and about a value of the
/// group by which rows are told apart.
pub(super) fn keyed(summary: &Summary, title: &str) -> Table {
    Table::new(title).key("cell").keys_of(has_users(summary).then_some("user")).keys_of(summary.by.as_deref())
}

/// The first texts of a row in such a table.
pub(super) fn keys(summary: &Summary, row: &Group) -> Vec<String> {
    let cell = row.cell.as_ref().map_or(NONE, CellName::as_str);
    let mut keys = vec![cell.to_owned()];
    keys.extend(has_users(summary).then(|| or_none(row.user.clone())));
    keys.extend(summary.by.as_ref().map(|_| value_name(row).to_owned()));
    keys
}

fn value_name(row: &Group) -> &str {
    row.value.as_deref().unwrap_or(NONE)
}

/// The mean number of actions of a type in an episode of the group.
fn mean(kind: ActionType, summary: &Summary, group: &Group) -> f64 {
    let of = |metric| summary.estimate(group, metric).value().unwrap_or(0.0);
    match kind {
        ActionType::Think => of("thoughts"),
        ActionType::Plan => of("plans"),
        ActionType::Judge => of("judgements"),
        ActionType::Speak => of("questions"),
        ActionType::Act => (of("actions") - of("invalid")).max(0.0),
        ActionType::Refused => of("invalid"),
        ActionType::Learn => of("lessons"),
        ActionType::Finish => of("finishes"),
    }
}

/// The share of each type in all that the group's agent did, in the order of [`ActionType::ALL`];
/// none if it did nothing.
pub(super) fn shares(summary: &Summary, group: &Group) -> Option<[f64; 8]> {
    let means = ActionType::ALL.map(|kind| mean(kind, summary, group));
    let total: f64 = means.iter().sum();
    (total > 0.0).then(|| means.map(|mean| mean / total))
}

/// The types that occur anywhere in the run.
pub(super) fn occurring(summary: &Summary) -> Vec<ActionType> {
    let occurs = |kind: &ActionType| summary.rows.iter().any(|row| mean(*kind, summary, row) > 0.0);
    ActionType::ALL.into_iter().filter(occurs).collect()
}

/// A row per cell and user, a column per type that occurs.
pub(super) fn action_shares(report: &Report<'_>) -> Table {
    let summary = &report.summary;
    let types = occurring(summary);
    let mut table = keyed(summary, "Action types (% of all)").numbers(types.iter().map(|kind| kind.label()));
    if types.is_empty() {
        return table;
    }
    for row in &summary.rows {
        let shares = shares(summary, row);
        let text = |kind: &ActionType| or_none(shares.map(|all| percent(all[*kind as usize])));
        let mut texts = keys(summary, row);
        texts.extend(types.iter().map(text));
        table.row(texts);
    }
    table
}

/// The main tables of a run as text, with a last paragraph about what does not count, if anything.
pub fn summary(summary: &Summary, layout: &Layout) -> String {
    text(summary, &[], layout)
}

/// The tables of [`summary`], and two with every metric and its interval.
pub fn figures(summary: &Summary, layout: &Layout) -> String {
    text(summary, &[metrics(summary), intervals(summary)], layout)
}

fn text(summary: &Summary, more: &[Table], layout: &Layout) -> String {
    if summary.total.episodes == 0 {
        return "no episodes were played\n".to_owned();
    }
    let mut tables = vec![by_measure(summary), by_task_type(summary)];
    tables.extend(by_groups(summary));
    tables.extend([
        by_cell(summary),
        passes(summary),
        endings(summary),
        faults(summary),
        answers(summary),
        repairs(summary),
        models(summary),
        servers(summary),
    ]);
    let texts: Vec<String> =
        tables.iter().chain(more).filter(|table| !table.is_empty()).map(|table| table.text(layout)).collect();
    let mut text = texts.join("\n");
    if let Some(about) = about_passes(summary) {
        // Writing to a text cannot fail, here and below.
        let _ = writeln!(text, "\n{}", layout.style.paint(Paint::Dim, &about));
    }
    for remark in remarks(summary) {
        let _ = writeln!(text, "\n{}", layout.style.paint(Paint::Bad, &remark));
    }
    text
}

/// Sentences about a run's figures: those without episodes that ended at the window or a filter, the episodes that do not
/// count, and advice about answers.
pub(super) fn remarks(summary: &Summary) -> impl Iterator<Item = String> {
    without_withheld(summary, &summary.total).into_iter().chain(apart(&summary.total)).chain(advice(summary))
}

/// The headline figures of a group without the episodes that ended at the window of a model or a filter; none
/// without such episodes.
pub(super) fn without_withheld(summary: &Summary, group: &Group) -> Option<String> {
    let answered = group.answered.as_deref()?;
    let figures = summary.headlines().into_iter().map(|name| headline(name, &summary.estimate(answered, name)));
    let episodes = counted(group.withheld() as u64, "episode", "episodes");
    Some(format!("without {episodes} that ended at the window or a filter: {}", joined(figures)))
}

/// A sentence about the episodes that do not count; none if all count.
fn apart(total: &Group) -> Option<String> {
    let parts = [(total.broken, "broken"), (total.cancelled, "cancelled"), (total.unfinished, "unfinished")];
    let parts = parts.iter().filter(|(count, _)| *count > 0);
    let parts = joined(parts.map(|(count, word)| format!("{count} {word}")));
    let (counted, all) = (total.counted, total.episodes);
    let text = format!("{counted} of {all} episodes count; not in any figure: {parts}");
    (!parts.is_empty()).then_some(text)
}
