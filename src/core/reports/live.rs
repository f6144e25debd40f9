//! Transcripts of episodes that are still going on: `show --follow`.

use rustc_hash::FxHashMap;

use super::entries::EntryReader;
use super::transcript::{Margins, ending_line, header};
use super::{Paint, Selection, TranscriptEntry, TranscriptOptions};
use crate::domain::{EpisodeId, Event, Message};
use crate::text::visible;

/// Columns for seats and kinds: what comes later is not known.
const MARGINS: Margins = Margins { seat: 11, kind: 8 };

/// Renders events as they come, of one episode or of many mixed ones.
#[derive(Debug)]
pub struct LiveTranscript {
    options: TranscriptOptions,
    selection: Selection,
    /// Each line names its episode.
    many: bool,
    readers: FxHashMap<EpisodeId, EntryReader>,
}

impl LiveTranscript {
    /// For one episode, or for many.
    pub fn new(options: TranscriptOptions, selection: Selection, many: bool) -> Self {
        Self { options, selection, many, readers: FxHashMap::default() }
    }

    /// The next event of an episode as lines; empty if it is not shown.
    pub fn event(&mut self, id: &EpisodeId, event: &Event) -> String {
        let mut text = String::new();
        if let Message::Opened(opened) = &event.message {
            if !self.many {
                header(id, Some(opened), &self.options, &mut text);
            } else if self.selection.takes(event) {
                let task = &opened.task;
                let line = format!("opens: {} ({}): {}", task.id, task.kind, task.text);
                text.push_str(&self.named(id, &visible(&line)));
            }
        }
        let reader =
            self.readers.entry(id.clone()).or_insert_with(|| EntryReader::new(!self.selection.kinds.is_empty()));
        let mark = reader.fork(event).filter(|_| self.selection.is_everything());
        let entry = reader.read(event).filter(|_| self.selection.takes(event));
        // How it opens and ends is said in a line of its own.
        let is_inner = |entry: &TranscriptEntry| !["opened", "closed"].contains(&entry.kind);
        let entry = entry.filter(|entry| (self.options.private || !entry.private) && is_inner(entry));
        for entry in mark.into_iter().chain(entry) {
            let mut lines = String::new();
            MARGINS.entry(&entry, &self.narrower(id), &mut lines);
            text.push_str(&self.named(id, &lines));
        }
        if let Message::Closed(outcome) = &event.message {
            self.readers.remove(id);
            let line = ending_line(outcome, self.options.layout.style);
            if self.many && self.selection.takes(event) {
                text.push_str(&self.named(id, &line));
            } else if !self.many {
                text.push('\n');
                text.push_str(&line);
            }
        }
        text
    }

    /// The options for what stands to the right of the episode's name.
    fn narrower(&self, id: &EpisodeId) -> TranscriptOptions {
        let mut options = self.options;
        if self.many {
            let name = id.to_string().len() + 1;
            options.layout.width = options.layout.width.saturating_sub(name);
        }
        options
    }

    fn named(&self, id: &EpisodeId, lines: &str) -> String {
        if !self.many {
            return lines.to_owned();
        }
        let name = id.to_string();
        let name = self.options.layout.style.paint(Paint::Heading, &name);
        lines.lines().map(|line| format!("{name} {line}\n")).collect()
    }
}
