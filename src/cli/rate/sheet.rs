//! Sheets of raters: CSV files as spreadsheet programs write and read them.

use std::collections::BTreeMap;

use csv::{ReaderBuilder, Terminator, WriterBuilder};

use rolecall_core::evaluation::labels::{Item, What};
use rolecall_core::text::{joined, joined_by, visible};
use rolecall_run::rating::{label_names, what};
use rolecall_run::registry::Registry;

/// The most problems of a sheet that are told.
const MOST_PROBLEMS: usize = 20;
/// Marks with which a field would be a formula, those of full width in some languages.
const FORMULA: &[char] = &['=', '+', '-', '@', '＝', '＋', '－', '＠'];

/// A sheet: the items of one rater, with an empty column for the labels. Its head is the name of what is
/// labelled, by which the sheet is known again.
pub(super) fn write<'a>(
    what: &What,
    items: impl Iterator<Item = (&'a String, &'a Item)>,
) -> Result<Vec<u8>, csv::Error> {
    let mut writer = WriterBuilder::new().terminator(Terminator::CRLF).from_writer(Vec::new());
    let name = what.to_string();
    writer.write_record(["id", "context", "said", &name, "note"])?;
    for (id, item) in items {
        let lines = item.context.iter().map(|line| format!("{}: {}", line.speaker.label(), line.text));
        let context = shown(&joined_by("\n", lines));
        writer.write_record([id.as_str(), &context, &shown(&item.said.text), "", ""])?;
    }
    writer.into_inner().map_err(|error| error.into_error().into())
}

/// A text for a field: it steers no terminal, and no program takes it for a formula.
fn shown(text: &str) -> String {
    let text = joined_by("\n", text.lines().map(visible));
    match text.starts_with(FORMULA) {
        true => format!("'{text}"),
        false => text,
    }
}

/// A sheet that was filled in.
#[derive(Debug, PartialEq)]
pub(super) struct Filled {
    /// The labels that are chosen from.
    pub(super) what: What,
    /// Items with the place of their label and the line of the sheet.
    pub(super) labels: BTreeMap<String, (usize, u64)>,
    /// Items without a label.
    pub(super) empty: usize,
}

/// Reads a sheet: with a mark of the byte order or without, in UTF-8 or UTF-16, with commas, semicolons or
/// tabs, whatever the line ends. `known` says whether there is an item of that name. All problems are told, each
/// with its line, but no more than a few.
pub(super) fn read(bytes: &[u8], registry: &Registry, known: impl Fn(&str) -> bool) -> Result<Filled, Vec<String>> {
    // One kind of line ends, so that lines are counted as an editor does.
    let text = decoded(bytes).replace("\r\n", "\n").replace('\r', "\n");
    let (announced, text) = announced_delimiter(&text);
    let skipped = u64::from(announced.is_some());
    let delimiter = announced.unwrap_or_else(|| delimiter(text));
    let mut reader =
        ReaderBuilder::new().delimiter(delimiter).flexible(true).has_headers(false).from_reader(text.as_bytes());
    let mut records = reader.records();
    let head = match records.next() {
        Some(Ok(head)) => head,
        Some(Err(error)) => return Err(vec![format!("line 1: {error}")]),
        None => return Err(vec!["it is empty".to_owned()]),
    };
    let (id_column, label_column, what) = columns(&head, registry).map_err(|problem| vec![problem])?;
    let mut filled = Filled { what, labels: BTreeMap::new(), empty: 0 };
    let mut problems = Vec::new();
    let mut seen: BTreeMap<String, u64> = BTreeMap::new();
    for record in records {
        let record = match record {
            Ok(record) => record,
            Err(error) => {
                problems.push(error.to_string());
                break;
            }
        };
        let line = record.position().map_or(0, csv::Position::line) + skipped;
        let field = |column: usize| record.get(column).unwrap_or_default().trim();
        if record.iter().all(|field| field.trim().is_empty()) {
            continue;
        }
        let (id, label) = (field(id_column), field(label_column));
        let problem = match seen.get(id) {
            _ if id.is_empty() => Err("it has no id".to_owned()),
            _ if !known(id) => Err(format!("the run has no item `{}`", visible(id))),
            Some(before) => Err(format!("`{}` stands in line {before} as well", visible(id))),
            None => filled.take(id, label, line),
        };
        if let Err(problem) = problem {
            problems.push(format!("line {line}: {problem}"));
        }
        seen.insert(id.to_owned(), line);
    }
    if problems.is_empty() {
        return Ok(filled);
    }
    let more = problems.len().saturating_sub(MOST_PROBLEMS);
    problems.truncate(MOST_PROBLEMS);
    if more > 0 {
        problems.push(format!("and {more} more"));
    }
    Err(problems)
}

/// The delimiter that some programs write into a line of its own, and the text below that line.
fn announced_delimiter(text: &str) -> (Option<u8>, &str) {
    match text.split_once('\n') {
        Some((first, rest)) if first.trim_end().len() == 5 && first.starts_with("sep=") => {
            (first.as_bytes().get(4).copied(), rest)
        }
        _ => (None, text),
    }
}

impl Filled {
    fn take(&mut self, id: &str, label: &str, line: u64) -> Result<(), String> {
        if label.is_empty() {
            self.empty += 1;
            return Ok(());
        }
        let place = self.what.read(label).ok_or_else(|| {
            let names = joined(label_names(&self.what));
            format!("`{}` is no label; there is {names}", visible(label))
        })?;
        self.labels.insert(id.to_owned(), (place, line));
        Ok(())
    }
}

/// The columns of ids and labels, and what is labelled.
fn columns(head: &csv::StringRecord, registry: &Registry) -> Result<(usize, usize, What), String> {
    let is_id = |field: &str| field.trim().eq_ignore_ascii_case("id");
    let id = head.iter().position(is_id).ok_or("its first line names no column `id`")?;
    let whats = head
        .iter()
        .enumerate()
        .filter_map(|(column, field)| Some((column, what(&field.trim().to_lowercase(), registry).ok()?)));
    let problem = match &whats.collect::<Vec<(usize, What)>>()[..] {
        [(column, what)] => return Ok((id, *column, what.clone())),
        [] => {
            "its first line names no column of labels, such as `categories` or `scale-1-5`; leave the heads \
             as they were exported"
        }
        _ => "its first line names several columns of labels",
    };
    Err(problem.to_owned())
}

/// The mark between the fields of the first line.
fn delimiter(text: &str) -> u8 {
    let first = text.lines().next().unwrap_or_default();
    let count = |mark: u8| first.bytes().filter(|byte| *byte == mark).count();
    [b'\t', b';', b','].into_iter().max_by_key(|mark| count(*mark)).unwrap_or(b',')
}

/// The text of a file. What is no letter of its encoding is replaced: ids and labels have none such.
fn decoded(bytes: &[u8]) -> String {
    let wide = |from: fn([u8; 2]) -> u16, bytes: &[u8]| {
        let units: Vec<u16> = bytes.chunks_exact(2).map(|pair| from([pair[0], pair[1]])).collect();
        String::from_utf16_lossy(&units)
    };
    match bytes {
        [0xff, 0xfe, rest @ ..] => wide(u16::from_le_bytes, rest),
        [0xfe, 0xff, rest @ ..] => wide(u16::from_be_bytes, rest),
        [0xef, 0xbb, 0xbf, rest @ ..] => String::from_utf8_lossy(rest).into_owned(),
        _ => String::from_utf8_lossy(bytes).into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use rolecall_core::domain::Utterance;
    use rolecall_core::evaluation::labels::{ContextLine, Speaker};

    fn read(bytes: &[u8], known: impl Fn(&str) -> bool) -> Result<Filled, Vec<String>> {
        super::read(bytes, &Registry::of([]), known)
    }

    fn item(context: &str, said: &str) -> Item {
        Item {
            seq: 1,
            said: Utterance::text(said),
            context: vec![ContextLine { speaker: Speaker::User, text: context.to_owned() }],
            fields: None,
        }
    }

    #[test]
    fn sheets_of_spreadsheets_are_read() {
        let sheets: [Vec<u8>; 6] = [
            b"id,said,categories\nu1,\"a, \"\"b\"\"\nc\",status update\nu2,x,2\n".to_vec(),
            b"\xef\xbb\xbfid;said;categories\r\nu1;a, b;STATUS UPDATE\r\nu2;\"x\r\ny\";probing-question\r\n".to_vec(),
            b"sep=;\r\nid;said;categories\r\nu1;a;3\r\nu2;b;2\r\n;;\r\n".to_vec(),
            b"said\tCategories\tID\nx\t 3 \tu1\ny\t2\tu2".to_vec(),
            b"id,said,categories,note\nu1,M\xfcll,3\nu2,x,2,done\n".to_vec(),
            [0xff, 0xfe]
                .into_iter()
                .chain("id\tcategories\r\nu1\t3\r\nu2\t2\r\n".encode_utf16().flat_map(u16::to_le_bytes))
                .collect(),
        ];
        for bytes in sheets {
            let shown = String::from_utf8_lossy(&bytes).into_owned();
            let filled = read(&bytes, |_| true).unwrap_or_else(|error| panic!("{shown}: {error:?}"));
            let labels: Vec<_> = filled.labels.iter().map(|(id, (place, _))| (id.as_str(), *place)).collect();
            assert_eq!(labels, [("u1", 2), ("u2", 1)], "{shown}");
        }
    }

    #[test]
    fn problems_are_told_with_their_lines() {
        let sheet = b"id,said,categories\nu1,\"two\nlines\",3\nu1,x,3\n,x,3\nu9,x,3\nu2,x,funny\nu3,x,\n";
        let problems = read(sheet, |id| id != "u9").unwrap_err();
        let expected = [
            "line 4: `u1` stands in line 2 as well",
            "line 5: it has no id",
            "line 6: the run has no item `u9`",
            "line 7: `funny` is no label; there is assumption verification,",
        ];
        assert_eq!(problems.len(), expected.len(), "{problems:?}");
        for (problem, start) in problems.iter().zip(expected) {
            assert!(problem.starts_with(start), "{problem}");
        }
        // Lines are counted alike, whatever ends them.
        let text = String::from_utf8_lossy(sheet);
        for end in ["\r\n", "\r"] {
            let other = text.replace('\n', end);
            assert_eq!(read(other.as_bytes(), |id| id != "u9"), Err(problems.clone()));
        }
        for (sheet, word) in [("", "empty"), ("id,said\n", "no column of labels"), ("acts\n", "`id`")] {
            let problems = read(sheet.as_bytes(), |_| true).unwrap_err();
            assert!(problems[0].contains(word), "{problems:?}");
        }
    }

    proptest! {
        #[test]
        fn whatever_was_said_comes_back_as_one_row(
            texts in proptest::collection::vec((any::<String>(), any::<String>()), 1..6),
        ) {
            let items: Vec<(String, Item)> = texts
                .iter()
                .enumerate()
                .map(|(place, (context, said))| (format!("u{place}"), item(context, said)))
                .collect();
            let pairs = items.iter().map(|(id, item)| (id, item));
            let bytes = write(&What::Acts, pairs).unwrap();
            let filled = read(&bytes, |_| true).unwrap();
            prop_assert_eq!((filled.what, filled.empty), (What::Acts, items.len()));
            let mut reader = csv::Reader::from_reader(&bytes[..]);
            for (record, (_, item)) in reader.records().zip(&items) {
                let record = record.unwrap();
                prop_assert_eq!(&record[2], shown(&item.said.text));
                prop_assert!(!record[1].starts_with(FORMULA) && !record[2].starts_with(FORMULA));
            }
        }
    }
}
