//! The sentences of prompts: those of the recordings are the original's and not in this program. Each is taken
//! from where it first stands, and ours is put in its place.

use std::cmp::Reverse;

use super::recorded::{AgentCall, Row};
use rolecall_shop::strategies::{NEXT, REASON, THEN};

/// The words that stand for the kind of action in a sentence, the first of them in a first request.
const KINDS: [&str; 4] = ["action", "question", "opinion", "search"];
/// The beginning of what listings show.
const LISTING: &str = "\n\nProducts:";

/// Recorded sentences beside ours, longer ones first: one may be a part of another.
pub(super) struct Sentences(Vec<(String, String)>);

impl Sentences {
    /// Sentences of a recording; `card` is the prompt that holds ours.
    pub(super) fn of(rows: &[Row], card: &str) -> Self {
        let between = |start: &str, end: &str| {
            let rest = card.split_once(start).map_or("", |(_, rest)| rest);
            rest.split_once(end).map_or("", |(text, _)| text)
        };
        let requests = rows.iter().flat_map(|row| requests(row).into_iter().flatten());
        let mut all: Vec<(String, String)> = requests.collect();
        let note = rows.iter().flat_map(Row::calls).find_map(|call| note_of(call, &all));
        let cut = rows.iter().find_map(|row| {
            let pairs = row.calls().zip(row.calls().skip(1));
            pairs.into_iter().find_map(|(call, later)| cut(call, later))
        });
        let own_note = between("{%- set note %}", "{%- endset").trim_end();
        all.extend(note.map(|note| (note, own_note.to_owned())));
        let own_cut = between("list)[0] }}", "\n{%- else");
        all.extend(cut.map(|cut| (cut, own_cut.to_owned())));
        all.sort_by_key(|(recorded, _)| Reverse(recorded.len()));
        Self(all)
    }

    /// A recorded message in our words.
    pub(super) fn ours(&self, text: &str) -> String {
        let pairs = self.0.iter();
        pairs.fold(text.to_owned(), |text, (recorded, ours)| text.replace(recorded, ours))
    }
}

/// The request for the first action, and the one for the summary before it, for each kind of action.
fn requests(row: &Row) -> Option<Vec<(String, String)>> {
    let mut calls = row.steps.first()?.agent_calls.iter();
    let mut last = || Some(&*calls.next()?.messages.last()?.content);
    // The goal stands before it.
    let (_, first) = last()?.split_once('\n')?;
    let pairs = match last() {
        Some(then) => vec![(first, REASON), (then, THEN)],
        None => vec![(first, NEXT)],
    };
    let each = |(recorded, ours): (&str, &str)| {
        KINDS.map(|kind| (recorded.replacen(KINDS[0], kind, 1), ours.replace("{}", kind)))
    };
    Some(pairs.into_iter().flat_map(each).collect())
}

/// The note behind a request for a question.
fn note_of(call: &AgentCall, requests: &[(String, String)]) -> Option<String> {
    let said = &call.messages.last()?.content;
    let after = |request: &str| Some(said.rsplit_once(request)?.1.to_owned());
    let mut notes = requests.iter().filter_map(|(request, _)| after(request));
    notes.rfind(|note| !note.is_empty())
}

/// Text in place of a listing that was cut from the history.
fn cut(call: &AgentCall, later: &AgentCall) -> Option<String> {
    let pairs = call.messages.iter().zip(&later.messages);
    let mut pairs = pairs.map(|(shown, later)| (&shown.content, &later.content));
    let (_, cut) = pairs.find(|(shown, later)| shown.contains(LISTING) && !later.contains(LISTING))?;
    Some(cut.clone())
}
