//! Rows of files as sequences: what an agent read and wrote in one episode, from beginning to end.

use std::io::BufRead;

use serde::Deserialize;

/// A part of a sequence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Segment {
    pub(super) text: String,
    pub(super) kind: Kind,
}

/// Kind of a segment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// The agent read it.
    Read,
    /// The agent wrote it: the kind of the move, and whether it is to be trained.
    Wrote(String, bool),
}

/// Texts that were read and written in one episode.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Sequence {
    pub(super) task: String,
    pub(super) segments: Vec<Segment>,
}

/// A row of `rolecall data trajectories`, or a neutral row of `rolecall export`.
#[derive(Deserialize)]
struct Row {
    episode: serde_json::Value,
    #[serde(default)]
    task: String,
    #[serde(alias = "prompt")]
    context: Option<String>,
    #[serde(alias = "completion")]
    output: Option<String>,
    messages: Option<Vec<Spoken>>,
    train: Option<serde_json::Value>,
    kind: Option<String>,
}

/// A message of a conversation.
#[derive(Deserialize)]
struct Spoken {
    role: String,
    content: String,
    #[serde(default)]
    train: bool,
}

/// Prefixes of the tasks of test splits; nothing is ever learned from them.
const TEST_SPLITS: [&str; 5] = ["valid_seen/", "valid_unseen/", "seen/", "unseen/", "test/"];

/// Reads a file of rows. Rows of an episode that go on from each other are one sequence; a row that does not, such as
/// a question to oneself that was put in, is one of its own.
///
/// # Errors
/// The line and what is wrong with it.
pub(super) fn read(file: impl BufRead, prefix: &str) -> Result<Vec<Sequence>, String> {
    let mut sequences: Vec<Sequence> = Vec::new();
    let mut last = (serde_json::Value::Null, String::new());
    for (number, line) in file.lines().enumerate() {
        let at = |problem: String| format!("line {}: {problem}", number + 1);
        let line = line.map_err(|error| at(error.to_string()))?;
        if line.trim().is_empty() {
            continue;
        }
        let row: Row = serde_json::from_str(&line).map_err(|error| at(error.to_string()))?;
        if TEST_SPLITS.iter().any(|split| row.task.starts_with(split)) {
            let task = &row.task;
            return Err(at(format!("`{task}` belongs to a split for tests, from which nothing is learned")));
        }
        if let Some(messages) = &row.messages {
            sequences.push(conversation(&row, messages, prefix));
            continue;
        }
        let (Some(context), Some(output)) = (row.context, row.output) else {
            let needed = "`context` and `output`, `prompt` and `completion`, or `messages`";
            return Err(at(format!("the row has none of {needed}")));
        };
        let whole = format!("{prefix}{context}");
        let goes_on = last.0 == row.episode && whole.starts_with(&last.1);
        if !goes_on {
            last.1.clear();
            sequences.push(Sequence { task: row.task, segments: Vec::new() });
        }
        let Some(sequence) = sequences.last_mut() else {
            continue;
        };
        sequence.segments.push(Segment { text: whole[last.1.len()..].to_owned(), kind: Kind::Read });
        // A blank stands between a prompt and what follows it.
        let blank = if whole.ends_with('>') && !output.starts_with(' ') { " " } else { "" };
        let written = format!("{blank}{}", output.trim_end_matches('\n'));
        let trained = row.train.is_none_or(|train| train != 0 && train != false);
        last = (row.episode, whole + &written);
        let kind = row.kind.filter(|kind| kind.len() < 20).unwrap_or_else(|| kind_of(&written));
        sequence.segments.push(Segment { text: written, kind: Kind::Wrote(kind, trained) });
    }
    Ok(sequences)
}

/// A conversation as a running text: what the agent says stands after a `>`.
fn conversation(row: &Row, messages: &[Spoken], prefix: &str) -> Sequence {
    let mut segments = Vec::new();
    let mut read = prefix.to_owned();
    for message in messages {
        if message.role != "assistant" {
            read.push_str(message.content.trim_end_matches('\n'));
            read.push('\n');
            continue;
        }
        segments.push(Segment { text: std::mem::take(&mut read) + ">", kind: Kind::Read });
        let text = format!(" {}", message.content.replace('\n', " "));
        segments.push(Segment { kind: Kind::Wrote(kind_of(&text), message.train), text });
        "\n".clone_into(&mut read);
    }
    Sequence { task: row.task.clone(), segments }
}

/// The kind of a move by the word before its colon; a command has none.
fn kind_of(output: &str) -> String {
    let label = output.trim_start().split_once(':').map(|(label, _)| label);
    label.filter(|label| label.bytes().all(|byte| byte.is_ascii_alphabetic())).unwrap_or("act").to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_that_go_on_from_each_other_are_one_sequence() {
        let rows = r#"
{"episode":0,"task":"train/a","kind":"ask","context":"room\n>","output":"ask: Where?","train":1}
{"episode":0,"task":"train/a","kind":"act","context":"room\n> ask: Where?\nThere.\n>","output":"go","train":0}
{"episode":0,"task":"train/a","kind":"act","context":"other\n>","output":"go","train":1}
{"episode":"e","task":"b","messages":[{"role":"user","content":"hi"},{"role":"assistant","content":"ask: What?","train":true}]}
{"episode":"f","task":"b","prompt":"p\n>","completion":" think: x","train":true}
"#;
        let sequences = read(rows.as_bytes(), "").unwrap();
        let texts =
            |sequence: &Sequence| -> String { sequence.segments.iter().map(|segment| segment.text.as_str()).collect() };
        assert_eq!(texts(&sequences[0]), "room\n> ask: Where?\nThere.\n> go");
        assert_eq!(sequences[0].segments[3].kind, Kind::Wrote("act".into(), false));
        assert_eq!(texts(&sequences[1]), "other\n> go");
        assert_eq!(texts(&sequences[2]), "hi\n> ask: What?");
        assert_eq!(sequences[3].segments[1].kind, Kind::Wrote("think".into(), true));
    }

    #[test]
    fn nothing_is_learned_from_splits_for_tests() {
        let row = r#"{"episode":0,"task":"valid_unseen/x","context":"a","output":"b","train":1}"#;
        let problem = read(row.as_bytes(), "").unwrap_err();
        assert!(problem.starts_with("line 1: `valid_unseen/x` belongs to a split for tests"), "{problem}");
    }
}
