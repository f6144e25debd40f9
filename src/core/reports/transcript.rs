//! One episode as a readable transcript: `show RUN EPISODE`.

use std::fmt::Write;

use super::entries::{EntryReader, staged};
use super::{Layout, Paint, Selection, Style, TranscriptEntry, is_private};
use crate::domain::{Ending, EpisodeId, Opened, Outcome, Scene};
use crate::log::RecordedEpisode;
use crate::text::wrap::{columns, lines};
use crate::text::{counted, joined, visible};

/// The form of a transcript.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TranscriptOptions {
    /// Width and colour.
    pub layout: Layout,
    /// Shows the private parts of the task and the model calls as well, marked as such.
    pub private: bool,
}

/// Lines of one text after which it is cut.
const LONGEST: usize = 40;

/// Columns of the panel at the side of a staged transcript.
const PANEL: usize = 32;
/// Columns of a terminal from which on there is room for it; on others it stands above.
const WIDE: usize = 96;

/// The transcript. Whatever a model, a user or a data set wrote is escaped.
pub fn transcript(episode: &RecordedEpisode, options: &TranscriptOptions) -> String {
    transcript_of(episode, options, &Selection::default())
}

/// The transcript with those events only that are wanted. Steps keep their numbers.
pub fn transcript_of(episode: &RecordedEpisode, options: &TranscriptOptions, selection: &Selection) -> String {
    let mut text = String::new();
    header(&episode.id, episode.log().opened(), options, &mut text);
    let mut reader = EntryReader::new(!selection.kinds.is_empty());
    let (mut entries, mut hidden, mut unwanted) = (Vec::new(), 0, 0);
    for event in &episode.events {
        // No event: it is not among what is chosen.
        let mark = reader.fork(event);
        entries.extend(mark.filter(|_| selection.is_everything()));
        let Some(entry) = reader.read(event) else {
            continue;
        };
        if !selection.takes(event) {
            unwanted += usize::from(options.private || !is_private(&event.message));
        } else if entry.private && !options.private {
            hidden += 1;
        } else {
            entries.push(entry);
        }
    }
    body(&entries, options, &mut text);
    let style = options.layout.style;
    footer(episode, hidden, style, &mut text);
    if !selection.is_everything() {
        let (shown, all) = (entries.len(), entries.len() + unwanted);
        let line = format!("{shown} of {all} entries match");
        let _ = writeln!(text, "{}", style.paint(Paint::Dim, &line));
    }
    text
}

/// The transcript as the episode's world stages it: long observations in short, and what the user knew at the
/// side, or above where there is no room.
pub fn staged_transcript(episode: &RecordedEpisode, scene: &Scene, layout: &Layout) -> String {
    let mut options = TranscriptOptions { layout: *layout, private: false };
    let mut text = String::new();
    header(&episode.id, episode.log().opened(), &options, &mut text);
    let entries = super::entries(episode).into_iter().filter(|entry| !entry.private).collect();
    let entries = staged(entries, scene);
    if layout.width < WIDE {
        for line in panel(scene, layout.width, layout.style) {
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text.push('\n');
        body(&entries, &options, &mut text);
    } else {
        options.layout.width = layout.width - PANEL - 2;
        let mut middle = String::new();
        body(&entries, &options, &mut middle);
        beside(&panel(scene, PANEL, layout.style), &middle, &mut text);
    }
    footer(episode, 0, layout.style, &mut text);
    let hint = "in short; every event as it is: --private, or --kind";
    let _ = writeln!(text, "{}", layout.style.paint(Paint::Dim, hint));
    text
}

/// The lines of the panel, each of that many columns.
fn panel(scene: &Scene, width: usize, style: Style) -> Vec<String> {
    let mut panel = Vec::new();
    let mut add = |text: &str, paint: Paint| {
        for line in lines(text, width, LONGEST) {
            let blanks = " ".repeat(width.saturating_sub(columns(&line)));
            panel.push(style.paint(paint, &line).into_owned() + &blanks);
        }
    };
    add(&scene.title, Paint::Heading);
    for (name, value) in &scene.facts {
        add(&format!("{name}:"), Paint::Dim);
        add(value, Paint::Text);
    }
    panel
}

/// Writes both side by side.
fn beside(panel: &[String], middle: &str, text: &mut String) {
    let mut panel = panel.iter();
    let mut middle = middle.lines();
    loop {
        let (left, right) = (panel.next(), middle.next());
        if left.is_none() && right.is_none() {
            break;
        }
        let blank = " ".repeat(PANEL);
        let left = left.unwrap_or(&blank);
        let line = format!("{left}  {}", right.unwrap_or_default());
        text.push_str(line.trim_end());
        text.push('\n');
    }
}

fn body(entries: &[TranscriptEntry], options: &TranscriptOptions, text: &mut String) {
    let margins = Margins::of(entries.iter());
    for entry in entries {
        margins.entry(entry, options, text);
    }
}

pub(super) fn header(id: &EpisodeId, opened: Option<&Opened>, options: &TranscriptOptions, text: &mut String) {
    let style = options.layout.style;
    let title = format!("Episode {id}");
    // Writing to a text cannot fail, here and below.
    let _ = writeln!(text, "{}", style.paint(Paint::Heading, &title));
    let Some(opened) = opened else {
        text.push_str("the log does not hold how it opened\n\n");
        return;
    };
    for (name, value) in facts(opened) {
        if value.is_empty() {
            continue;
        }
        let width = options.layout.width.saturating_sub(10);
        let names = std::iter::once(name).chain(std::iter::repeat(""));
        for (name, line) in names.zip(lines(&value, width, LONGEST)) {
            let name = format!("{name:<10}");
            let _ = writeln!(text, "{}{line}", style.paint(Paint::Dim, &name));
        }
    }
    text.push('\n');
}

fn facts(opened: &Opened) -> [(&'static str, String); 5] {
    let task = format!("{} ({})", opened.task.id, opened.task.kind);
    [
        ("task", task),
        ("request", opened.task.text.clone()),
        ("strategy", opened.strategy.clone()),
        ("roles", joined(&opened.roles)),
        ("user", opened.user.clone().unwrap_or_default()),
    ]
}

/// Widths of the columns left of the texts.
pub(super) struct Margins {
    pub(super) seat: usize,
    pub(super) kind: usize,
}

impl Margins {
    fn of<'a>(entries: impl Iterator<Item = &'a TranscriptEntry>) -> Self {
        entries.fold(Self { seat: 0, kind: 0 }, |margins, entry| Self {
            seat: margins.seat.max(columns(&entry.seat)),
            kind: margins.kind.max(entry.kind.len()),
        })
    }

    pub(super) fn entry(&self, entry: &TranscriptEntry, options: &TranscriptOptions, text: &mut String) {
        let style = options.layout.style;
        let step = entry.step.map_or_else(String::new, |step| step.to_string());
        let (seat, kind) = (visible(&entry.seat), entry.kind);
        let (seat_width, kind_width) = (self.seat, self.kind);
        let margin = format!("{step:>4}  {seat:<seat_width$}  {kind:<kind_width$}  ");
        let width = options.layout.width.saturating_sub(margin.len());
        let mut left = style.paint(Paint::Dim, &margin).into_owned();
        for line in lines(&entry.text, width, LONGEST) {
            let whole = left + &style.paint(entry.paint, &line);
            let _ = writeln!(text, "{}", whole.trim_end());
            left = " ".repeat(margin.len());
        }
    }
}

fn footer(episode: &RecordedEpisode, hidden: usize, style: Style, text: &mut String) {
    text.push('\n');
    text.push_str(&match episode.log().outcome() {
        Some(outcome) => ending_line(outcome, style),
        None => {
            let line = "the log ends here: the run was interrupted";
            style.paint(Paint::Bad, line).into_owned() + "\n"
        }
    });
    if hidden > 0 {
        let entries = counted(hidden as u64, "private entry", "private entries");
        let line = format!("not shown: {entries} (--private)");
        let _ = writeln!(text, "{}", style.paint(Paint::Dim, &line));
    }
}

/// The ending with its figures, in one line.
pub fn ending(outcome: &Outcome) -> String {
    let counts = &outcome.counts;
    let otherwise = outcome.success && outcome.ending != Ending::Solved;
    let solved = if otherwise { " (solved)" } else { "" };
    format!(
        "{}{solved} after {}: reward {}, {}, {} ({} refused), {}",
        outcome.ending.label(),
        counted(counts.steps.into(), "step", "steps"),
        outcome.reward,
        counted(counts.questions.into(), "question", "questions"),
        counted(counts.actions.into(), "action", "actions"),
        counts.invalid,
        counted(counts.faults.into(), "fault", "faults"),
    )
}

/// The line of an ending, in its colour.
pub(super) fn ending_line(outcome: &Outcome, style: Style) -> String {
    let paint = if outcome.success { Paint::Good } else { Paint::Bad };
    style.paint(paint, &ending(outcome)).into_owned() + "\n"
}
