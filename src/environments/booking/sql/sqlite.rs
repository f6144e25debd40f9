//! SQLite tables in memory, read-only, with a limit on the work of a statement, and rows as AutoTOD shows them: a table
//! in Markdown of a few lines.

use std::collections::HashSet;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use rusqlite::hooks::{AuthAction, AuthContext, Authorization};
use rusqlite::limits::Limit;
use rusqlite::types::{Value as Cell, ValueRef};
use rusqlite::{Connection, Error, ErrorCode, params_from_iter};
use serde_json::Value;

use crate::account::Outcome;
use crate::api::Domain;
use crate::database::{Database, Record};
use crate::desk::Done;
use crate::functions::columns;
use crate::score::clean_name;
use rolecall_core::text::{joined, python_float};

/// Steps of SQLite's virtual machine between two checks of a statement's cost.
const STEP: i32 = 1_000;

/// Most checks of a statement: so many thousand steps. A scan of all trains takes about forty.
const LOOKS: u32 = 1_000;

/// Limits of a statement and of its results.
const LIMITS: &[(Limit, i32)] = &[
    (Limit::SQLITE_LIMIT_SQL_LENGTH, 4_000),
    // Texts and rows, so that they do not fill the memory.
    (Limit::SQLITE_LIMIT_LENGTH, 4_000),
    (Limit::SQLITE_LIMIT_COLUMN, 100),
    (Limit::SQLITE_LIMIT_EXPR_DEPTH, 100),
    (Limit::SQLITE_LIMIT_COMPOUND_SELECT, 20),
    (Limit::SQLITE_LIMIT_VDBE_OP, 25_000),
    (Limit::SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 100),
    (Limit::SQLITE_LIMIT_ATTACHED, 0),
    (Limit::SQLITE_LIMIT_WORKER_THREADS, 0),
];

/// Functions that depend on the clock or on chance, or that reach outside.
const FORBIDDEN: &str = "current_date current_time current_timestamp date datetime julianday load_extension random \
                         randomblob strftime time timediff unixepoch";

/// The tables of a city, for all who play in it.
#[derive(Debug)]
pub struct Tables {
    connection: Mutex<Connection>,
    /// Checks of the running statement so far.
    looks: Arc<AtomicU32>,
}

impl Tables {
    /// The tables of databases.
    ///
    /// # Errors
    /// When SQLite does not make them.
    pub fn new(database: &Database) -> Result<Self, String> {
        let looks = Arc::default();
        let connection = filled(database)
            .and_then(|all| guarded(all, Arc::clone(&looks)))
            .map_err(|error| format!("SQLite has no tables: {error}"))?;
        Ok(Self { connection: Mutex::new(connection), looks })
    }

    /// Runs a statement over the table of a domain. Nothing is changed by it.
    pub fn select(&self, domain: Domain, sql: &str) -> Done {
        // A substring is enough, also within another word.
        if !sql.contains(domain.as_str()) {
            return (format!("Please query the {domain} table in the database."), Outcome::Refused);
        }
        // A thread that panicked has left no statement behind.
        let connection = self.connection.lock().unwrap_or_else(PoisonError::into_inner);
        self.looks.store(0, Ordering::Relaxed);
        listing(&connection, sql).map_or_else(|error| (problem(&error), Outcome::Refused), Listing::finish)
    }
}

/// Most rows that are shown.
const ROWS: usize = 5;

/// Most letters that are shown, each line with its end.
const LETTERS: usize = 500;

/// The rows of a result, of which only the first are shown and all are counted.
struct Listing {
    /// The head, a line below it, and the rows that are shown.
    lines: Vec<String>,
    letters: usize,
    rows: usize,
}

impl Listing {
    /// A result of these columns.
    fn new(columns: &[&str]) -> Self {
        let lines = vec![line(columns), line(&vec!["---"; columns.len()])];
        Self { letters: lines.iter().map(|line| line.chars().count() + 1).sum(), lines, rows: 0 }
    }

    /// Adds a row. Once there are enough rows, or one is too long, it and all later ones are only counted.
    ///
    /// # Errors
    /// When the values cannot be read.
    fn add<E>(&mut self, values: impl FnOnce() -> Result<Vec<String>, E>) -> Result<(), E> {
        let is_open = self.lines.len() == self.rows + 2 && self.rows < ROWS;
        self.rows += 1;
        if is_open {
            let line = line(&values()?);
            self.letters += line.chars().count() + 1;
            self.lines.extend((self.letters <= LETTERS).then_some(line));
        }
        Ok(())
    }

    /// The text, and the outcome.
    fn finish(self) -> Done {
        let shown = self.lines.len() - 2;
        let mut text = self.lines.join("\n");
        match self.rows - shown {
            _ if self.rows == 0 => "No results found.".clone_into(&mut text),
            0 => {}
            left => text.push_str(&format!("\n\n{left} more records ...")),
        }
        (text, Outcome::Found { count: shown, more: shown < self.rows })
    }
}

fn line<T: AsRef<str>>(cells: &[T]) -> String {
    let cells: Vec<&str> = cells.iter().map(AsRef::as_ref).collect();
    format!("| {} |", cells.join(" | "))
}

/// All records in tables of AutoTOD's form: names cleaned, letters compared without case.
fn filled(database: &Database) -> rusqlite::Result<Connection> {
    let connection = Connection::open_in_memory()?;
    connection.execute_batch("PRAGMA temp_store = MEMORY; BEGIN")?;
    for domain in Domain::ALL {
        let Some(table) = database.table(domain) else {
            continue;
        };
        let columns = columns(domain);
        let kinds = columns.iter().map(|column| match *column {
            "id" => "id INTEGER PRIMARY KEY".to_owned(),
            column => format!("{column} TEXT COLLATE NOCASE"),
        });
        connection.execute_batch(&format!("CREATE TABLE {domain} ({})", joined(kinds)))?;
        let marks = vec!["?"; columns.len()].join(", ");
        let mut insert = connection.prepare(&format!("INSERT INTO {domain} VALUES ({marks})"))?;
        let mut known = HashSet::new();
        let mut fresh_id = |record| id(record).filter(|id| domain != Domain::Train && known.insert(*id));
        let mut rows: Vec<(Option<i64>, &Record)> = table.records().iter().map(|one| (fresh_id(one), one)).collect();
        // Records without an id, such as trains, get the next free one.
        rows.sort_by_key(|(id, _)| id.is_none());
        for (id, record) in rows {
            let cells = columns.iter().map(|column| match *column {
                "id" => id.map_or(Cell::Null, Cell::Integer),
                column => cell(record, column),
            });
            insert.execute(params_from_iter(cells))?;
        }
    }
    connection.execute_batch("COMMIT")?;
    Ok(connection)
}

fn id(record: &Record) -> Option<i64> {
    match record.get("id")? {
        Value::String(text) => text.parse().ok(),
        other => other.as_i64(),
    }
}

fn cell(record: &Record, column: &str) -> Cell {
    let key = match column {
        "entrance_fee" => "entrance fee",
        other => other,
    };
    let text = record.get(key).and_then(Value::as_str);
    text.map_or(Cell::Null, |text| match column {
        "name" => Cell::Text(clean_name(text)),
        _ => Cell::Text(text.to_owned()),
    })
}

/// From here on statements can only read, within the limit.
fn guarded(mut connection: Connection, looks: Arc<AtomicU32>) -> rusqlite::Result<Connection> {
    for (limit, most) in LIMITS {
        connection.set_limit(*limit, *most)?;
    }
    connection.authorizer(Some(|context: AuthContext<'_>| {
        let allowed = match context.action {
            AuthAction::Select | AuthAction::Recursive => true,
            // Includes names that a statement defines itself; the tables hold nothing private.
            AuthAction::Read { table_name, .. } => !table_name.starts_with("pragma_"),
            AuthAction::Function { function_name } => {
                let mut forbidden = FORBIDDEN.split(' ');
                !forbidden.any(|name| name.eq_ignore_ascii_case(function_name))
            }
            _ => false,
        };
        if allowed { Authorization::Allow } else { Authorization::Deny }
    }))?;
    let too_much = move || looks.fetch_add(1, Ordering::Relaxed) >= LOOKS;
    connection.progress_handler(STEP, Some(too_much))?;
    Ok(connection)
}

fn listing(connection: &Connection, sql: &str) -> rusqlite::Result<Listing> {
    let mut statement = connection.prepare(sql)?;
    let count = statement.column_count();
    if count == 0 {
        // A comment or a change; SQLite asks about `VACUUM` only while it runs.
        return match statement.expanded_sql() {
            None => Ok(Listing::new(&[])),
            Some(_) => Err(Error::InvalidQuery),
        };
    }
    let names: Vec<&str> = statement.column_names().collect();
    let mut listing = Listing::new(&names);
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let cells = (0..count).map(|place| row.get_ref(place).map(shown));
        listing.add(|| cells.collect::<rusqlite::Result<_>>())?;
    }
    Ok(listing)
}

/// A value as Python writes it.
fn shown(value: ValueRef<'_>) -> String {
    match value {
        ValueRef::Null => "None".to_owned(),
        ValueRef::Integer(number) => number.to_string(),
        ValueRef::Real(number) => python_float(number),
        ValueRef::Text(text) => String::from_utf8_lossy(text).into_owned(),
        ValueRef::Blob(bytes) => format!("b'{}'", bytes.escape_ascii()),
    }
}

/// The text of an error: SQLite's, except for what is forbidden here.
fn problem(error: &Error) -> String {
    match (error.sqlite_error_code(), error) {
        (Some(ErrorCode::AuthorizationForStatementDenied), _) | (_, Error::InvalidQuery) => {
            "This statement is not allowed; write one SELECT over the tables.".to_owned()
        }
        (Some(ErrorCode::OperationInterrupted), _) => {
            "This statement takes too long; let it look at fewer records.".to_owned()
        }
        (_, Error::MultipleStatement) => "Write one statement at a time.".to_owned(),
        (_, Error::SqlInputError { msg, .. }) => msg.clone(),
        (_, Error::SqliteFailure(_, Some(text))) => text.clone(),
        (_, other) => other.to_string(),
    }
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
