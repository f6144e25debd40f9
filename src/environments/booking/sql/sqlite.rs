//! The tables in SQLite: in memory, only read, with a limit on the work of a statement.

use std::collections::HashSet;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use rusqlite::hooks::{AuthAction, AuthContext, Authorization};
use rusqlite::limits::Limit;
use rusqlite::types::{Value as Cell, ValueRef};
use rusqlite::{Connection, Error, ErrorCode, params_from_iter};
use serde_json::Value;

use super::Listing;
use crate::environments::booking::api::Domain;
use crate::environments::booking::database::{Database, Record};
use crate::environments::booking::functions::columns;
use crate::environments::booking::score::clean_name;
use crate::text::{joined, python_float};

/// Steps of SQLite's machine between two looks at what a statement has cost.
const STEP: i32 = 1_000;

/// The most looks at a statement: so many thousand steps. A look through all trains takes some forty.
const LOOKS: u32 = 1_000;

/// What a statement may be made of, and what it may make.
const LIMITS: &[(Limit, i32)] = &[
    (Limit::SQLITE_LIMIT_SQL_LENGTH, 4_000),
    // Texts and rows, so that no memory is filled with them.
    (Limit::SQLITE_LIMIT_LENGTH, 4_000),
    (Limit::SQLITE_LIMIT_COLUMN, 100),
    (Limit::SQLITE_LIMIT_EXPR_DEPTH, 100),
    (Limit::SQLITE_LIMIT_COMPOUND_SELECT, 20),
    (Limit::SQLITE_LIMIT_VDBE_OP, 25_000),
    (Limit::SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 100),
    (Limit::SQLITE_LIMIT_ATTACHED, 0),
    (Limit::SQLITE_LIMIT_WORKER_THREADS, 0),
];

/// Functions whose value depends on the clock or on chance, or that reach outside.
const FORBIDDEN: &str = "current_date current_time current_timestamp date datetime julianday load_extension random \
                         randomblob strftime time timediff unixepoch";

/// The tables of a city, for all who play in it.
#[derive(Debug)]
pub struct Tables {
    connection: Mutex<Connection>,
    /// Looks at the statement that runs.
    looks: Arc<AtomicU32>,
}

impl Tables {
    /// The tables of databases.
    ///
    /// # Errors
    /// When SQLite does not make them.
    pub fn new(database: &Database) -> Result<Self, String> {
        let looks = Arc::default();
        let connection = filled(database).and_then(|all| guarded(all, Arc::clone(&looks)));
        let connection = connection.map_err(|error| format!("SQLite has no tables: {error}"))?;
        Ok(Self { connection: Mutex::new(connection), looks })
    }

    /// The rows of a statement, or why there are none.
    pub(super) fn listing(&self, sql: &str) -> Result<Listing, String> {
        // Who panicked has left no statement behind.
        let connection = self.connection.lock();
        let connection = connection.unwrap_or_else(PoisonError::into_inner);
        self.looks.store(0, Ordering::Relaxed);
        listing(&connection, sql).map_err(|error| problem(&error))
    }
}

/// All records in tables of AutoTOD's form: names cleaned, letters compared without their case.
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
        let mut own = |record| id(record).filter(|id| domain != Domain::Train && known.insert(*id));
        let records = table.records().iter();
        let mut rows: Vec<(Option<i64>, &Record)> = records.map(|one| (own(one), one)).collect();
        // Who has none, as trains, gets one that nobody has: the next.
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

/// From here on statements can only read, and not for ever.
fn guarded(mut connection: Connection, looks: Arc<AtomicU32>) -> rusqlite::Result<Connection> {
    for (limit, most) in LIMITS {
        connection.set_limit(*limit, *most)?;
    }
    connection.authorizer(Some(|context: AuthContext<'_>| {
        let allowed = match context.action {
            AuthAction::Select | AuthAction::Recursive => true,
            // Also what a statement calls a table itself. Nothing is there that nobody may see.
            AuthAction::Read { table_name, .. } => !table_name.starts_with("pragma_"),
            AuthAction::Function { function_name } => {
                let mut forbidden = FORBIDDEN.split(' ');
                !forbidden.any(|name| name.eq_ignore_ascii_case(function_name))
            }
            _ => false,
        };
        match allowed {
            true => Authorization::Allow,
            false => Authorization::Deny,
        }
    }))?;
    let too_much = move || looks.fetch_add(1, Ordering::Relaxed) >= LOOKS;
    connection.progress_handler(STEP, Some(too_much))?;
    Ok(connection)
}

fn listing(connection: &Connection, sql: &str) -> rusqlite::Result<Listing> {
    let mut statement = connection.prepare(sql)?;
    let count = statement.column_count();
    if count == 0 {
        // A comment, or what changes something; SQLite asks about `VACUUM` only while it runs.
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

/// The text of an error: SQLite's, but for what is not allowed here.
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
