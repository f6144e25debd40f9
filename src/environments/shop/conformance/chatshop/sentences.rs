//! The sentences of prompts: those of the recordings are the original's and not in this program. Each is taken
//! from where it first stands, and ours is put in its place.

use super::recorded::Row;
use crate::environments::shop::strategies::{NEXT, REASON, THEN};

/// The words that stand for the kind of action in a sentence.
const KINDS: [&str; 4] = ["action", "question", "opinion", "search"];

/// Recorded sentences beside ours; `{}` is the kind of action.
#[derive(Default)]
pub(super) struct Sentences(Vec<(String, String)>);

impl Sentences {
    /// Those of a recording; `card` is the prompt that holds ours.
    pub(super) fn of(rows: &[Row], card: &str) -> Self {
        let mut own = Self::default();
        for row in rows {
            own.requests(row);
        }
        let between = |start: &str, end: &str| {
            let rest = card.split_once(start).map_or("", |(_, rest)| rest);
            rest.split_once(end).map_or("", |(text, _)| text).to_owned()
        };
        let note = between("{%- set note %}", "{%- endset");
        let note = note.trim_end();
        let cut = between("list)[0] }}", "\n{%- else");
        for row in rows {
            own.last(row, note);
            own.deleted(row, &cut);
        }
        // Longer ones first: one may be a part of another.
        own.0
            .sort_by_key(|(recorded, _)| std::cmp::Reverse(recorded.len()));
        own.0.dedup();
        own
    }

    fn learn(&mut self, recorded: &str, kind: &str, ours: &str) {
        let recorded = recorded.replacen(kind, "{}", 1);
        if !recorded.is_empty() && !self.0.iter().any(|(known, _)| *known == recorded) {
            self.0.push((recorded, ours.to_owned()));
        }
    }

    /// The request for the first action, and the one for the summary before it.
    fn requests(&mut self, row: &Row) {
        let Some([first, rest @ ..]) = row.steps.first().map(|step| &*step.agent_calls) else {
            return;
        };
        let Some(said) = first.messages.last() else {
            return;
        };
        let goal = said.content.lines().next().unwrap_or_default();
        let request = said
            .content
            .strip_prefix(goal)
            .unwrap_or_default()
            .trim_start_matches('\n');
        match rest.first().and_then(|next| next.messages.last()) {
            Some(then) => {
                self.learn(request, "action", REASON);
                self.learn(&then.content, "action", THEN);
            }
            None => self.learn(request, "action", NEXT),
        }
    }

    /// The note behind a request for a question.
    fn last(&mut self, row: &Row, ours: &str) {
        for step in &row.steps {
            let Some(said) = step
                .agent_calls
                .last()
                .and_then(|call| call.messages.last())
            else {
                continue;
            };
            let ends = self.0.iter().find_map(|(known, _)| {
                let request = known.replace("{}", "question");
                said.content.rsplit_once(&request).map(|(_, after)| after)
            });
            if let Some(note) = ends.filter(|note| !note.is_empty()) {
                let pair = (note.to_owned(), ours.to_owned());
                if !self.0.contains(&pair) {
                    self.0.push(pair);
                }
                return;
            }
        }
    }

    /// What stands for a listing that was cut.
    fn deleted(&mut self, row: &Row, ours: &str) {
        for (step, next) in row.steps.iter().zip(row.steps.iter().skip(1)) {
            let place = step
                .agent_calls
                .last()
                .map_or(0, |call| call.messages.len() + 1);
            let later = row.steps.iter().filter_map(|step| step.agent_calls.first());
            let cut = later
                .filter_map(|call| call.messages.get(place))
                .find(|said| {
                    step.obs.contains("\n\nProducts:") && !said.content.contains("\n\nProducts:")
                });
            if let (Some(said), true) = (cut, !next.agent_calls.is_empty()) {
                let pair = (said.content.clone(), ours.to_owned());
                if !self.0.contains(&pair) {
                    self.0.push(pair);
                }
                return;
            }
        }
    }

    /// A recorded message in our words.
    pub(super) fn ours(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for (recorded, ours) in &self.0 {
            if !recorded.contains("{}") {
                text = text.replace(recorded.as_str(), ours);
                continue;
            }
            for kind in KINDS {
                let (recorded, ours) = (recorded.replace("{}", kind), ours.replace("{}", kind));
                text = text.replace(&recorded, &ours);
            }
        }
        text
    }
}
