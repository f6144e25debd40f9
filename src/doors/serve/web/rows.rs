//! The table of a run's episodes: filtered, sorted, and a part at a time, so that a browser holds what is in sight.

use std::sync::Arc;

use axum::extract::{Path, Query, State};
use axum::response::Json;
use serde::Serialize;
use serde_json::{Value, json};

use super::choice::{Choice, Part};
use super::page::{Problem, blocking, of_episode};
use super::shared::Known;
use super::snapshot::Snapshot;
use crate::capped;
use rolecall_core::domain::EpisodeId;
use rolecall_core::evaluation::{EpisodeResult, Standing};
use rolecall_core::log::LogError;
use rolecall_core::reports::{NONE, entries};
use rolecall_core::text::visible;

/// Rows of a page without the script.
pub(super) const PAGE: usize = 100;

/// The most rows of one answer.
const MOST: usize = 500;

/// A column: its head, and whether it holds numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Column {
    pub(super) head: &'static str,
    pub(super) number: bool,
}

impl Column {
    /// The class of its cells.
    pub(super) fn class(self) -> Option<&'static str> {
        match self.head {
            "ending" => Some("ending"),
            _ => self.number.then_some("number"),
        }
    }
}

const fn column(head: &'static str, number: bool) -> Column {
    Column { head, number }
}

const USER: usize = 3;
const COST: usize = 10;

/// All columns. Readers sort by their heads.
const COLUMNS: [Column; 11] = [
    column("episode", false),
    column("task", false),
    column("type", false),
    column("user", false),
    column("ending", false),
    column("reward", true),
    column("steps", true),
    column("questions", true),
    column("refused", true),
    column("faults", true),
    column("cost", true),
];

/// One row.
#[derive(Clone, Copy)]
pub(super) enum Row<'a> {
    Closed(&'a EpisodeResult),
    Open(&'a EpisodeId),
}

impl<'a> Row<'a> {
    fn at(snapshot: &'a Snapshot, index: u32) -> Option<Self> {
        let place = index as usize;
        let open = || snapshot.open.get(place.checked_sub(snapshot.closed.len())?);
        snapshot.closed.get(place).map(|result| Row::Closed(result)).or_else(|| open().map(Row::Open))
    }

    pub(super) fn id(self) -> &'a EpisodeId {
        match self {
            Self::Closed(result) => &result.episode,
            Self::Open(id) => id,
        }
    }

    fn ending(self, running: bool) -> String {
        match self {
            Self::Closed(result) => result.ending_label(),
            Self::Open(_) if running => "playing".to_owned(),
            Self::Open(_) => "unfinished".to_owned(),
        }
    }

    /// How it stands, for marks: a word that is a class as well.
    pub(super) fn mark(self) -> &'static str {
        match self {
            Self::Open(_) => "open",
            Self::Closed(result) => match result.standing() {
                Standing::Counted if result.success => "good",
                Standing::Counted => "bad",
                _ => "apart",
            },
        }
    }

    fn number(self, column: usize) -> f64 {
        let Self::Closed(result) = self else {
            return f64::NEG_INFINITY;
        };
        let counts = &result.counts;
        match COLUMNS.get(column).map_or("", |column| column.head) {
            "reward" => result.reward,
            "steps" => counts.steps.into(),
            "questions" => counts.questions.into(),
            "refused" => counts.invalid.into(),
            "faults" => counts.faults.into(),
            _ => result.cost().unwrap_or(f64::NEG_INFINITY),
        }
    }

    fn text(self, column: usize, running: bool) -> String {
        let result = match self {
            Self::Closed(result) => Some(result),
            Self::Open(_) => None,
        };
        let of = |text: fn(&EpisodeResult) -> String| result.map(text);
        let text = match column {
            0 => Some(self.id().to_string()),
            1 => of(|result| result.task.clone()),
            2 => of(|result| result.kind.clone()),
            USER => result.and_then(|result| result.user.clone()),
            4 => Some(self.ending(running)),
            COST => result.and_then(EpisodeResult::cost).map(|cost| format!("{cost:.4}")),
            _ => result.map(|_| self.number(column).to_string()),
        };
        text.unwrap_or_else(|| NONE.to_owned())
    }
}

/// The columns that have anything in them.
pub(super) fn columns(snapshot: &Snapshot) -> Vec<(usize, Column)> {
    let mut closed = snapshot.closed.iter();
    let mut others = closed.clone();
    let (user, cost) = (closed.any(|result| result.user.is_some()), others.any(|result| result.cost().is_some()));
    let shown = |place: usize| match place {
        USER => user,
        COST => cost,
        _ => true,
    };
    COLUMNS.into_iter().enumerate().filter(|(place, _)| shown(*place)).collect()
}

/// A row as pages show it.
#[derive(Debug, Serialize)]
pub(super) struct ShownRow {
    pub(super) href: String,
    pub(super) mark: &'static str,
    pub(super) texts: Vec<String>,
}

/// The rows of a part.
pub(super) fn shown(snapshot: &Snapshot, view: &[u32], part: Part) -> Vec<ShownRow> {
    let columns = columns(snapshot);
    let rows = view
        .iter()
        .skip(part.offset)
        .take(part.limit.unwrap_or(PAGE).min(MOST))
        .filter_map(|place| Row::at(snapshot, *place));
    rows.map(|row| ShownRow {
        href: of_episode(&snapshot.name, row.id()),
        mark: row.mark(),
        texts: (columns.iter()).map(|(place, _)| visible(&row.text(*place, snapshot.running)).into_owned()).collect(),
    })
    .collect()
}

impl Snapshot {
    /// The places of the rows that are chosen, in their order. May read every episode: call it where that harms
    /// nobody.
    pub(super) fn view(&self, choice: &Choice) -> Result<Arc<Vec<u32>>, LogError> {
        if let Some(view) = self.views.get(choice) {
            return Ok(view);
        }
        let view = Arc::new(self.chosen(choice)?);
        self.views.keep(choice, &view);
        Ok(view)
    }

    fn chosen(&self, choice: &Choice) -> Result<Vec<u32>, LogError> {
        let all = capped(self.closed.len() + self.open.len());
        let mut rows: Vec<(u32, Row<'_>)> = (0..all)
            .filter_map(|place| Some((place, Row::at(self, place)?)))
            .filter(|(_, row)| self.takes(choice, *row))
            .collect();
        if !choice.said.is_empty() {
            let mut found = self.holding(rows.iter().map(|(_, row)| row.id()), &choice.said)?.into_iter();
            rows.retain(|_| found.next() == Some(true));
        }
        match COLUMNS.iter().position(|column| column.head == choice.sort) {
            None => rows.sort_by_cached_key(|(_, row)| self.usual(*row)),
            Some(column) if COLUMNS[column].number => {
                let order = |one: Row<'_>, other: Row<'_>| one.number(column).total_cmp(&other.number(column));
                rows.sort_by(|(_, one), (_, other)| order(*one, *other));
            }
            Some(0) => rows.sort_by_cached_key(|(_, row)| self.canonical(*row)),
            Some(column) => rows.sort_by_cached_key(|(_, row)| row.text(column, self.running)),
        }
        if !choice.down.is_empty() {
            rows.reverse();
        }
        Ok(rows.into_iter().map(|(place, _)| place).collect())
    }

    fn canonical(&self, row: Row<'_>) -> (usize, u32, u32) {
        let id = row.id();
        (self.log.record().position(&id.cell), id.task, id.repeat)
    }

    /// The default order: episodes being played, then failures.
    fn usual(&self, row: Row<'_>) -> (u8, (usize, u32, u32)) {
        let rank = match row.mark() {
            "open" => 0,
            "apart" => 1,
            "bad" => 2,
            _ => 3,
        };
        (rank, self.canonical(row))
    }

    fn takes(&self, choice: &Choice, row: Row<'_>) -> bool {
        let is = |wanted: &String, value: &str| wanted.is_empty() || wanted == value;
        let holds = |text: &str| text.to_lowercase().contains(&choice.q.to_lowercase());
        let id = row.id();
        let (kind, user, task) = match row {
            Row::Closed(result) => (&*result.kind, result.user.as_deref(), &*result.task),
            Row::Open(_) => ("", None, ""),
        };
        let ending = match &*choice.ending {
            "" => true,
            "solved" => row.mark() == "good",
            "failed" => row.mark() == "bad",
            other => row.ending(self.running) == other,
        };
        ending
            && is(&choice.cell, id.cell.as_str())
            && is(&choice.kind, kind)
            && is(&choice.user, user.unwrap_or_default())
            && (choice.q.is_empty() || holds(&id.to_string()) || holds(task))
    }

    /// Which of these episodes have an entry that is not private and holds the text.
    fn holding<'a>(&self, ids: impl IntoIterator<Item = &'a EpisodeId>, text: &str) -> Result<Vec<bool>, LogError> {
        let wanted = text.to_lowercase();
        let mut found = Vec::new();
        let holds = |_: &EpisodeId, episode: Result<_, LogError>| {
            let entries = entries(&episode?);
            let mut open = entries.iter().filter(|entry| !entry.private);
            Ok::<bool, LogError>(open.any(|entry| entry.text.to_lowercase().contains(&wanted)))
        };
        self.log.over_episodes(ids, holds, |held: Result<bool, LogError>| {
            found.push(held?);
            Ok::<(), LogError>(())
        })?;
        Ok(found)
    }
}

/// The rows of a part, for the script.
pub(super) async fn answer(
    State(site): Known,
    Path(run): Path<String>,
    Query(choice): Query<Choice>,
    Query(part): Query<Part>,
) -> Result<Json<Value>, Problem> {
    let snapshot = site.runs.of(&run)?.fresh().await?;
    let made = blocking(move || {
        let view = snapshot.view(&choice)?;
        let rows = shown(&snapshot, &view, part);
        Ok(json!({ "total": view.len(), "version": snapshot.version(), "offset": part.offset, "rows": rows }))
    });
    made.await.map(Json)
}
