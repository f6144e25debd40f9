//! `rolecall data statistics travel`: how many conversations, turns and details there are (Ask-before-Plan, Table 1).

use std::path::Path;

use serde_json::{Value, json};

use super::all;
use crate::request::{Conversation, Operation};
use crate::rows::Rows;
use crate::tasks::BUILTIN;
use rolecall_core::ports::Parameters;
use rolecall_core::reports::Table;
use rolecall_core::world::Desk;

/// The counts, with those of Table 1 for the training and test set: all, or those of a level, of a number of days
/// or of details.
const CONVERSATIONS: [(&str, &str, [u32; 2]); 12] = [
    ("conversations", "", [1000, 1000]),
    ("turns", "", [2800, 2800]),
    ("level", "easy", [331, 348]),
    ("level", "medium", [336, 333]),
    ("level", "hard", [333, 319]),
    ("days", "3", [335, 308]),
    ("days", "5", [337, 351]),
    ("days", "7", [328, 341]),
    ("details", "0", [100, 100]),
    ("details", "1", [300, 300]),
    ("details", "2", [300, 300]),
    ("details", "3", [300, 300]),
];
/// Missing details, or those that cannot be met, of an attribute or of all.
const DETAILS: [(&str, &str, [u32; 2]); 13] = [
    ("missing", "org", [219, 192]),
    ("missing", "dest", [379, 360]),
    ("missing", "people_number", [200, 204]),
    ("missing", "days", [199, 201]),
    ("missing", "departure_date", [199, 213]),
    ("missing", "budget", [384, 401]),
    ("missing", "", [1204, 1183]),
    ("unfeasible", "dest", [189, 176]),
    ("unfeasible", "housing", [182, 185]),
    ("unfeasible", "cuisine", [18, 20]),
    ("unfeasible", "transportation", [20, 24]),
    ("unfeasible", "budget", [187, 212]),
    ("unfeasible", "", [596, 617]),
];
/// The mean number of words, of which the paper says nothing.
const WORDS: [&str; 3] = ["query", "question", "answer"];
/// The counts by level and duration.
const COUNTS: [&str; 4] = ["conversations", "turns", "missing", "unfeasible"];

/// The figures of each split that there is.
pub(super) fn run(parameters: &Parameters, desk: &dyn Desk) -> anyhow::Result<String> {
    let splits = all(parameters.path("data").unwrap_or(Path::new(BUILTIN)))?;
    if parameters.flag("json") {
        let shown = splits.iter().map(|(split, rows)| (split.clone(), in_json(rows)));
        return Ok(format!("{:#}\n", shown.collect::<Value>()));
    }
    let heads = splits.iter().map(|(split, _)| &**split);
    let title = "Conversations, turns and details (Ask-before-Plan, Table 1)";
    let heads = heads.chain(["paper, train", "paper, test"]);
    let mut table = Table::new(title).keys_of(["", "of"]).numbers(heads);
    for (group, of, published) in CONVERSATIONS.into_iter().chain(DETAILS) {
        let counts = splits.iter().map(|(_, rows)| count(group, of, &rows.conversations).to_string());
        let names = [group, of].map(str::to_owned).into_iter();
        table.row(names.chain(counts).chain(published.map(|number| number.to_string())).collect());
    }
    for of in WORDS {
        let means = splits.iter().map(|(_, rows)| format!("{:.1}", words(of, &rows.conversations)));
        let names = ["words, mean", of].map(str::to_owned).into_iter();
        table.row(names.chain(means).chain([String::new(), String::new()]).collect());
    }
    let mut text = table.text(&desk.layout());
    text += "The paper's missing destinations and budgets contain the unfeasible ones, as its sums show.\n";
    for (split, rows) in &splits {
        let title = format!("{split}, by level and duration");
        let mut table = Table::new(&title).keys_of(["level", "days"]).numbers(COUNTS);
        for (level, days, counts) in by_level(&rows.conversations) {
            let names = [level, days].map(str::to_owned).into_iter();
            table.row(names.chain(counts.map(|count| count.to_string())).collect());
        }
        text += &format!("\n{}", table.text(&desk.layout()));
        for remark in &rows.remarks {
            text += &format!("Left out: {remark}\n");
        }
    }
    Ok(text)
}

fn in_json(rows: &Rows) -> Value {
    let all = &rows.conversations;
    let mut shown = json!({ "left_out": rows.remarks.len() });
    for (group, of, _) in CONVERSATIONS.into_iter().chain(DETAILS) {
        match (of, group) {
            ("", "missing" | "unfeasible") => shown[group]["all"] = count(group, of, all).into(),
            ("", _) => shown[group] = count(group, of, all).into(),
            _ => shown[group][of] = count(group, of, all).into(),
        }
    }
    shown["words"] = WORDS.iter().map(|of| (*of, json!(words(of, all)))).collect();
    for (level, days, counts) in by_level(all) {
        shown["by_level"][level][days] = COUNTS.iter().zip(counts).map(|(key, count)| (*key, count)).collect();
    }
    shown
}

/// How many conversations, turns or details there are.
fn count(group: &str, of: &str, conversations: &[Conversation]) -> usize {
    let all = conversations.iter();
    let details = |operation| {
        conversations
            .iter()
            .flat_map(|one| &one.details)
            .filter(|detail| detail.operation == operation)
            .filter(|detail| of.is_empty() || detail.attribute.key() == of)
            .count()
    };
    match group {
        "level" => all.filter(|one| one.level == of).count(),
        "days" => all.filter(|one| length(one).to_string() == of).count(),
        "details" => all.filter(|one| one.details.len().to_string() == of).count(),
        "turns" => all.map(Conversation::turns).sum(),
        "missing" => details(Operation::Add),
        "unfeasible" => details(Operation::Replace),
        _ => conversations.len(),
    }
}

/// The mean number of words of queries, questions or answers.
fn words(of: &str, conversations: &[Conversation]) -> f64 {
    let details = || conversations.iter().flat_map(|one| &one.details);
    let texts: Vec<&str> = match of {
        "query" => conversations.iter().map(|one| &*one.query).collect(),
        "question" => details().map(|detail| &*detail.question).collect(),
        _ => details().map(|detail| &*detail.answer).collect(),
    };
    texts.iter().map(|text| text.split_whitespace().count()).sum::<usize>() as f64 / texts.len().max(1) as f64
}

/// How long a trip is when all is clarified; 0 if this is never said.
fn length(conversation: &Conversation) -> i64 {
    conversation.state(conversation.details.len()).days.unwrap_or_default()
}

/// The conversations, turns and details of each level and duration.
fn by_level(all: &[Conversation]) -> impl Iterator<Item = (&'static str, &'static str, [usize; 4])> {
    let of = |group| CONVERSATIONS.into_iter().filter(move |row| row.0 == group).map(|row| row.1);
    of("level").flat_map(move |level| {
        of("days").map(move |days| {
            let counted = all.iter().filter(|one| one.level == level && length(one).to_string() == days);
            let counted: Vec<Conversation> = counted.cloned().collect();
            (level, days, COUNTS.map(|group| count(group, "", &counted)))
        })
    })
}
