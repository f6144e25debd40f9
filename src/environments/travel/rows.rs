//! Conversations in the official form: rows of CSV or JSON lines, as they are or packed (`.gz`).

use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;

use jiff::civil::Date;
use serde_json::{Map, Value};

use super::DataError;
use super::request::{Attribute, Conversation, Detail, Request, clarification_order, shortened};
use rolecall_core::files;
use rolecall_core::text::json;
use rolecall_core::text::python::{is_missing, literal};

/// How much of a file is read.
const LARGEST: u64 = 1 << 30;
/// The longest trip.
pub(super) const MOST_DAYS: i64 = 99;
/// The columns that are no attribute of the request.
const OTHERS: [&str; 4] = ["task_id", "query", "level", "details"];

/// The content of a file of conversations.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rows {
    /// The conversations, in the order of the file.
    pub conversations: Vec<Conversation>,
    /// The fault of each row that was left out: file, line, column, and the remedy.
    pub remarks: Vec<String>,
}

/// Why a row is left out: its column, if it is one of them, and what is wrong.
type Defect = (&'static str, String);

/// Loads a file of conversations. A row that cannot be read is left out.
///
/// # Errors
/// When the file cannot be read, lacks a column, or has no row that can be read.
pub fn load(file: &Path) -> Result<Rows, DataError> {
    let mut bytes = Vec::new();
    files::unpacked(file)
        .and_then(|open| open.take(LARGEST).read_to_end(&mut bytes))
        .map_err(|source| DataError::io(file, source))?;
    let mut reader = Reader { file, rows: Rows::default(), lines: BTreeMap::new() };
    match bytes.trim_ascii_start().starts_with(b"{") {
        true => reader.json_lines(&bytes),
        false => reader.csv(&bytes)?,
    }
    let rows = reader.rows;
    match (rows.conversations.is_empty(), rows.remarks.first()) {
        (true, Some(remark)) => {
            let problem = format!("no row of it can be read; the first: {remark}");
            Err(DataError::data(file, problem))
        }
        (true, None) => Err(DataError::data(file, "it has no row; name a file of conversations")),
        (false, _) => Ok(rows),
    }
}

struct Reader<'f> {
    file: &'f Path,
    rows: Rows,
    /// The line of each task.
    lines: BTreeMap<String, u64>,
}

impl Reader<'_> {
    fn json_lines(&mut self, bytes: &[u8]) {
        for (line, number) in bytes.split(|byte| *byte == b'\n').zip(1..) {
            if line.trim_ascii().is_empty() {
                continue;
            }
            let row: serde_json::Result<Map<String, Value>> = serde_json::from_slice(line);
            match row {
                Ok(row) => self.take(number, |column| Ok(row.get(column).cloned().unwrap_or_default())),
                Err(error) => {
                    let problem = format!("{}; write one object on the line", json::reason(&error));
                    self.leave(number, ("", problem))
                }
            };
        }
    }

    fn csv(&mut self, bytes: &[u8]) -> Result<(), DataError> {
        let mut header = BTreeMap::new();
        let (mut rest, mut lines) = (bytes, 0);
        while let Some(swallowed) = self.records(rest, lines, &mut header)? {
            // A quotation mark that is not closed makes one row of many lines: the next line begins anew.
            rest = rest.get(swallowed.0..).unwrap_or_default();
            lines += swallowed.1;
        }
        Ok(())
    }

    /// Reads records. Where one takes in other lines, these are left: how many bytes and lines come before them.
    fn records(
        &mut self,
        bytes: &[u8],
        lines: u64,
        header: &mut BTreeMap<String, usize>,
    ) -> Result<Option<(usize, u64)>, DataError> {
        let mut builder = csv::ReaderBuilder::new();
        let mut reader = builder.has_headers(false).flexible(true).from_reader(bytes);
        let mut record = csv::ByteRecord::new();
        while let Ok(true) = reader.read_byte_record(&mut record) {
            let place = record.position().cloned().unwrap_or_else(csv::Position::new);
            let line = lines + place.line();
            if header.is_empty() {
                *header = self.header(&record)?;
                continue;
            }
            let (got, expected) = (record.len(), header.len());
            let is_kept = match got == expected {
                true => self.take(line, |column| {
                    let cell = header.get(column).and_then(|place| record.get(*place));
                    let cell = std::str::from_utf8(cell.unwrap_or_default())
                        .map_err(|_| "it is no UTF-8; convert the file".to_owned())?;
                    Ok(Some(cell).filter(|cell| !is_missing(cell)).into())
                }),
                false => {
                    let problem = format!(
                        "it has {got} columns instead of {expected}; write texts with commas in quotation marks, and \
                         double those within"
                    );
                    self.leave(line, ("", problem))
                }
            };
            if !is_kept && reader.position().line() > place.line() + 1 {
                let begin = usize::try_from(place.byte()).unwrap_or(usize::MAX);
                let length = bytes.iter().skip(begin).position(|byte| *byte == b'\n').unwrap_or(bytes.len());
                return Ok(Some((begin.saturating_add(length + 1), place.line())));
            }
        }
        Ok(None)
    }

    /// The place of each column.
    fn header(&self, record: &csv::ByteRecord) -> Result<BTreeMap<String, usize>, DataError> {
        let header: BTreeMap<String, usize> =
            record.iter().map(|name| String::from_utf8_lossy(name).trim().to_owned()).zip(0..).collect();
        let columns = || Attribute::ALL.map(Attribute::key).into_iter().chain(OTHERS);
        match columns().find(|column| !header.contains_key(*column)) {
            None => Ok(header),
            Some(lacking) => {
                let all: Vec<&str> = columns().collect();
                let problem = format!(
                    "it has no column `{lacking}`; name a file of conversations with the columns {}",
                    all.join(", ")
                );
                Err(DataError::data(self.file, problem))
            }
        }
    }

    /// Keeps a row, or remarks why it is left out; whether it is kept.
    fn take(&mut self, line: u64, cell: impl Fn(&str) -> Result<Value, String>) -> bool {
        let conversation = match conversation(cell) {
            Ok(conversation) => conversation,
            Err(defect) => return self.leave(line, defect),
        };
        if let Some(first) = self.lines.get(&conversation.id) {
            let problem = format!("line {first} has the same name; give each row its own");
            return self.leave(line, ("task_id", problem));
        }
        self.lines.insert(conversation.id.clone(), line);
        self.rows.conversations.push(conversation);
        true
    }

    fn leave(&mut self, line: u64, defect: Defect) -> bool {
        let (column, problem) = defect;
        let file = self.file.display();
        let column = match column {
            "" => String::new(),
            column => format!(", column `{column}`"),
        };
        let remark = format!("`{file}`, line {line}{column}: {problem}");
        self.rows.remarks.push(remark);
        false
    }
}

/// The conversation of a row that is an object.
///
/// # Errors
/// When it cannot be read; the text says why.
pub fn read_row(row: &Map<String, Value>) -> Result<Conversation, String> {
    let cell = |column: &str| Ok(row.get(column).cloned().unwrap_or_default());
    conversation(cell).map_err(|(column, problem)| format!("column `{column}`: {problem}"))
}

/// The conversation of a row, whose cells are null where they are empty.
fn conversation(cell: impl Fn(&str) -> Result<Value, String>) -> Result<Conversation, Defect> {
    let read = |column: &'static str| cell(column).map_err(|problem| (column, problem));
    let text = |column: &'static str| match read(column)? {
        Value::String(text) => Ok(text),
        Value::Number(number) => Ok(number.to_string()),
        Value::Null => Err((column, "it is empty; write a text".to_owned())),
        other => Err((column, format!("it is {}; write a text", shortened(&other)))),
    };
    let mut request = Request::default();
    for attribute in Attribute::ALL {
        let column = attribute.key();
        value(attribute, read(column)?)
            .and_then(|value| request.set(attribute, &value))
            .and_then(|()| possible(attribute, &request))
            .map_err(|problem| (column, problem))?;
    }
    let details = details(read("details")?, &request).map_err(|problem| ("details", problem))?;
    let level = text("level")?;
    if !["easy", "medium", "hard"].contains(&level.as_str()) {
        let problem = format!("it is {}; write easy, medium or hard", shortened(&level.into()));
        return Err(("level", problem));
    }
    Ok(Conversation { id: text("task_id")?, level, query: text("query")?, request, details })
}

/// The value of a cell: lists and numbers may be written as texts.
fn value(attribute: Attribute, cell: Value) -> Result<Value, String> {
    let Value::String(text) = cell else {
        return Ok(cell);
    };
    match attribute {
        Attribute::Destination | Attribute::Housing | Attribute::Cuisine => literal(&text)
            .ok_or_else(|| format!("{} is no list; write one such as `['a', 'b']`", shortened(&text.into()))),
        Attribute::Days | Attribute::People | Attribute::Budget => {
            let number = text.trim().parse::<f64>().ok();
            let number = number.filter(|number| number.is_finite());
            Ok(number.map_or_else(|| text.into(), Value::from))
        }
        Attribute::Origin | Attribute::Departure | Attribute::Transportation => Ok(text.into()),
    }
}

/// Whether the original program could use what is known of an attribute.
fn possible(attribute: Attribute, request: &Request) -> Result<(), String> {
    let is_day = |day: i64| (1..=MOST_DAYS).contains(&day);
    let (possible, form) = match attribute {
        Attribute::Days => (request.days.is_none_or(is_day), "a number of days from 1 to 99"),
        Attribute::Destination => (
            request.stops.len() as i64 <= MOST_DAYS && request.stops.iter().all(|stop| is_day(stop.day)),
            "at most 99 destinations with days of arrival from 1 to 99",
        ),
        Attribute::Departure => (
            request.departure.is_empty() || Date::strptime("%Y-%m-%d", &request.departure).is_ok(),
            "a day of the calendar as YYYY-MM-DD",
        ),
        Attribute::Transportation => (
            ["", "no flight", "no self-driving"].contains(&request.transportation.as_str()),
            "`no flight`, `no self-driving` or nothing",
        ),
        _ => return Ok(()),
    };
    let got = || shortened(&request.get(attribute));
    possible.then_some(()).ok_or_else(|| format!("{} cannot be met; write {form}", got()))
}

/// The details of a cell in the order of clarification, each of which can be applied to the request.
fn details(cell: Value, request: &Request) -> Result<Vec<Detail>, String> {
    let form = "write a list such as `[{'attribute': 'days', 'operation': 'ADD', 'value': 3, 'priority': 0, 'question': \
                '..', 'answer': '..'}]`";
    let list = match cell {
        Value::Null => Value::Array(Vec::new()),
        Value::String(text) => literal(&text).ok_or_else(|| format!("no Python reads it; {form}"))?,
        other => other,
    };
    let details: Vec<Detail> = serde_json::from_value(list).map_err(|error| format!("{error}; {form}"))?;
    let details = clarification_order(details);
    let mut request = request.clone();
    for detail in &details {
        request.apply(detail)?;
        possible(detail.attribute, &request)?;
    }
    Ok(details)
}

#[cfg(test)]
#[path = "rows_tests.rs"]
mod tests;
