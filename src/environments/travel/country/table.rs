//! Reads an official table as pandas does: columns by name, missing values, whole numbers and others.

use std::io::Read;
use std::path::{Path, PathBuf};

use csv::{ErrorKind, StringRecord};

use super::cells::Column;
use crate::DataError;
use rolecall_core::files;
use rolecall_core::text::{counted, python};

/// A table while it is read, a row at a time.
pub(super) struct Table {
    file: PathBuf,
    reader: csv::Reader<Box<dyn Read>>,
    record: StringRecord,
    columns: &'static [Column],
    /// Where the columns are in a record, and how many fields it has.
    places: Vec<usize>,
    fields: usize,
    numbers: Vec<f64>,
    /// Which columns hold whole numbers alone, and none that is missing.
    pub(super) whole: Vec<bool>,
    left_out: Option<(u64, String)>,
}

/// A row of a table.
pub(super) struct TableRow<'t> {
    /// Whether none of its values is missing, also in columns that are not asked for.
    pub(super) is_complete: bool,
    table: &'t Table,
}

impl Table {
    /// Opens a table that has to have these columns.
    pub(super) fn open(file: &Path, columns: &'static [Column]) -> Result<Self, DataError> {
        let open = files::unpacked(file).map_err(|source| DataError::io(file, source))?;
        let mut reader = csv::ReaderBuilder::new().flexible(true).buffer_capacity(1 << 18).from_reader(open);
        let header = reader.byte_headers().map_err(|error| unreadable(file, &error))?;
        let place = |column: &Column| {
            let name = column.name;
            let found = header.iter().position(|one| one == name.as_bytes());
            let problem = format!(
                "line 1: it has no column `{name}`; take the official file, or write the column's name into its first line"
            );
            found.ok_or_else(|| DataError::data(file, problem))
        };
        let places: Result<Vec<usize>, DataError> = columns.iter().map(place).collect();
        Ok(Self {
            file: file.to_owned(),
            fields: header.len(),
            places: places?,
            reader,
            record: StringRecord::new(),
            columns,
            numbers: vec![0.0; columns.len()],
            whole: columns.iter().map(|column| column.is_number).collect(),
            left_out: None,
        })
    }

    /// The next row that can be read. Of the others the first is remembered.
    pub(super) fn next(&mut self) -> Result<Option<TableRow<'_>>, DataError> {
        loop {
            match self.reader.read_record(&mut self.record) {
                Ok(true) => (),
                Ok(false) => return Ok(None),
                Err(error) if matches!(error.kind(), ErrorKind::Utf8 { .. }) => {
                    self.record.set_position(error.position().cloned());
                    self.leave_out("it is no UTF-8 text; mend or remove it".to_owned());
                    continue;
                }
                Err(error) => return Err(unreadable(&self.file, &error)),
            }
            if self.record.len() == 1 && self.record[0].trim().is_empty() {
                continue;
            }
            match self.check() {
                Ok(is_complete) => {
                    let table = &*self;
                    return Ok(Some(TableRow { is_complete, table }));
                }
                Err(problem) => self.leave_out(problem),
            }
        }
    }

    /// Reads the numbers of the record, and tells whether it is complete.
    fn check(&mut self) -> Result<bool, String> {
        let (found, fields) = (self.record.len(), self.fields);
        if found != fields {
            return Err(format!("it has {found} fields and the first line {fields}; mend or remove it"));
        }
        for (column, place) in self.places.iter().enumerate() {
            let (field, Column { name, is_number, .. }) = (&self.record[*place], self.columns[column]);
            if !is_number {
                continue;
            }
            let (number, is_whole) = match is_missing(field) {
                true => (f64::NAN, false),
                false => number(field)
                    .ok_or_else(|| format!("column `{name}`: `{field}` is no number; mend or remove it"))?,
            };
            self.numbers[column] = number;
            self.whole[column] &= is_whole;
        }
        Ok(!self.record.iter().any(is_missing))
    }

    /// Leaves the row out that was given last.
    pub(super) fn leave_out(&mut self, problem: String) {
        let line = self.record.position().map_or(0, csv::Position::line);
        let (count, _) = self.left_out.get_or_insert_with(|| (0, format!("line {line}: {problem}")));
        *count += 1;
    }

    /// The remark on lines that were left out, if there are any.
    pub(super) fn remark(&self) -> Option<String> {
        let (count, first) = self.left_out.as_ref()?;
        let (file, count) = (self.file.display(), counted(*count, "line", "lines"));
        Some(format!("`{file}`: {count} cannot be read and will be left out, as {first}"))
    }

    /// The error for a table that has no row.
    pub(super) fn empty(&self) -> DataError {
        let why = self.left_out.as_ref().map_or(String::new(), |(_, first)| format!("; {first}"));
        let problem = format!("it has no complete row{why}; take the official file");
        DataError::data(&self.file, problem)
    }
}

impl<'t> TableRow<'t> {
    /// The text of a column; empty if it is missing.
    pub(super) fn text(&self, column: usize) -> &'t str {
        let field = &self.table.record[self.table.places[column]];
        if self.is_complete || !is_missing(field) { field } else { "" }
    }

    /// The number of a column.
    pub(super) fn number(&self, column: usize) -> f64 {
        self.table.numbers[column]
    }

    /// The number of a column that has to be a whole one.
    pub(super) fn whole_number(&self, column: usize) -> Result<i64, String> {
        let number = self.number(column);
        if number.fract() != 0.0 || number.abs() > 9e15 {
            let name = self.table.columns[column].name;
            return Err(format!("column `{name}`: {number} is no whole number; mend or remove it"));
        }
        Ok(number as i64)
    }
}

fn is_missing(field: &str) -> bool {
    let first = field.as_bytes().first();
    let may_be = field.len() < 10 && matches!(first, None | Some(b'#' | b'-' | b'1' | b'<' | b'N' | b'n'));
    may_be && python::is_missing(field)
}

/// A number, and whether it is written as a whole one. Blanks around it do not count.
fn number(field: &str) -> Option<(f64, bool)> {
    let text = field.trim_ascii();
    let number = text.parse().ok().filter(|number: &f64| number.is_finite())?;
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    Some((number, digits.bytes().all(|byte| byte.is_ascii_digit())))
}

fn unreadable(file: &Path, error: &csv::Error) -> DataError {
    DataError::data(file, format!("{error}; unpack or fetch it anew"))
}
