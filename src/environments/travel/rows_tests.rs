//! Rows of conversations, good and bad.

use std::fs;
use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use proptest::prelude::*;

use super::*;

const HEADER: &str =
    "task_id,org,dest,days,departure_date,people_number,housing,cuisine,transportation,budget,query,level,details";

fn read(text: &[u8]) -> Result<Rows, String> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("rows.csv");
    fs::write(&file, text).unwrap();
    let folder = folder.path().display().to_string();
    let shown = |text: &str| text.replace(&format!("{folder}/"), "");
    let mut rows = load(&file).map_err(|error| shown(&error.to_string()))?;
    rows.remarks = rows.remarks.iter().map(|remark| shown(remark)).collect();
    Ok(rows)
}

fn csv(lines: &[&str]) -> Result<Rows, String> {
    read([&[HEADER], lines].concat().join("\n").as_bytes())
}

#[test]
fn rows_are_read_from_csv_packed_csv_and_json_lines() {
    let line = r#"a,Troy,"['Bath on day 1']",3.0,2022-03-16,,,NA,no flight,,"Go, please",easy,"[{'attribute': 'people_number', 'operation': 'ADD', 'value': 2.0, 'priority': 0, 'question': 'How many?', 'answer': 'Two.'}]""#;
    let rows = csv(&[line]).unwrap();
    let found = &rows.conversations[0];
    assert_eq!((rows.remarks.len(), found.turns()), (0, 2));
    assert_eq!((found.request.days, found.request.people), (Some(3), None));
    assert_eq!(found.state(1).people, Some(2));
    let mut row = found.request.to_json();
    row["days"] = Value::from("3");
    for (column, value) in [("task_id", "a"), ("query", "Go, please"), ("level", "easy")] {
        row[column] = value.into();
    }
    row["details"] = serde_json::to_value(&found.details).unwrap();
    assert_eq!(read(row.to_string().as_bytes()).unwrap(), rows);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("rows.csv.gz");
    let mut packed = GzEncoder::new(fs::File::create(&file).unwrap(), Compression::fast());
    packed.write_all(format!("\u{feff}{HEADER}\r\n{line}\r\n").as_bytes()).unwrap();
    packed.finish().unwrap();
    assert_eq!(load(&file).unwrap(), rows);
}

#[test]
fn a_bad_row_is_left_out_and_remarked_upon() {
    let good = |id: &str| format!("{id},,,,,,,,,,q,hard,[]");
    let long = "x".repeat(1 << 20);
    let long = format!("long,,\"['{long} on day 1']\",,,,,,,,{long},easy,[]");
    let lines = [
        &good("a"),
        "b,,\"['Bath'\",,,,,,,,q,easy,[]",
        "c,,,,2022-02-30,,,,,,q,easy,[]",
        "d,,,,,,,,by air,,q,easy,[]",
        "e,,,many,,,,,,,q,easy,[]",
        "f,,,,,,,,,,q,easy,\"[{'attribute': 'days'}]\"",
        "g,,,,,,,,,,q,simple,[]",
        "h,,\"['open,,,,,,,,q,easy,[]",
        &good("i"),
        &good("a"),
        &long,
        "short",
    ];
    let rows = csv(&lines).unwrap();
    let ids = rows.conversations.iter().map(|row| row.id.as_str());
    assert_eq!(ids.collect::<Vec<_>>(), ["a", "i", "long"]);
    let remarks = [
        "`rows.csv`, line 3, column `dest`: `\"['Bath'\"` is no list; write one such as `['a', 'b']`",
        "`rows.csv`, line 4, column `departure_date`: `\"2022-02-30\"` cannot be met; write a day of the calendar as \
         YYYY-MM-DD",
        "`rows.csv`, line 5, column `transportation`: `\"by air\"` cannot be met; write `no flight`, `no self-driving` \
         or nothing",
        "`rows.csv`, line 6, column `days`: `days` is `\"many\"`; write a number",
    ];
    assert_eq!(rows.remarks[..4], remarks);
    let places = [
        "line 7, column `details`",
        "line 8, column `level`",
        "line 9, column `dest`",
        "line 11, column `task_id`",
        "line 13:",
    ];
    for (remark, place) in rows.remarks[4..].iter().zip(places) {
        assert!(remark.contains(place), "{remark}");
    }
    assert_eq!(rows.remarks.len(), 9);
}

#[test]
fn a_file_without_rows_or_columns_is_refused() {
    let problem = read(b"task_id,org\na,b").unwrap_err();
    assert!(problem.contains("no column `dest`"), "{problem}");
    let problem = csv(&["a"]).unwrap_err();
    assert!(problem.contains("`rows.csv`, line 2: it has 1 columns instead of 13"), "{problem}");
    assert!(read(b"{\"task_id\": [").unwrap_err().contains("line 1"));
    assert!(csv(&[]).unwrap_err().contains("it has no row"));
}

proptest! {
    #[test]
    fn no_row_makes_it_panic(row in "[,\"'\\[\\]{}:a-e0-9\n-]{0,60}") {
        let _ = csv(&[&row]);
        let _ = details(Value::from(row), &Request::default());
    }
}
