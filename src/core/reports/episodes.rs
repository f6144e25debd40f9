//! The list of a run's episodes: `show RUN`.

use super::figures::or_none;
use super::table::{GAP, line, width};
use super::{Align, Layout, Paint, Table};
use crate::evaluation::EpisodeResult;

/// Number of columns.
const N: usize = 11;

/// The columns: the head of each, and the side on which its texts stand.
pub(super) const COLUMNS: [(&str, Align); N] = [
    ("episode", Align::Left),
    ("type", Align::Left),
    ("user", Align::Left),
    ("ending", Align::Left),
    ("reward", Align::Right),
    ("steps", Align::Right),
    ("questions", Align::Right),
    ("invalid", Align::Right),
    ("faults", Align::Right),
    ("cost", Align::Right),
    ("task", Align::Left),
];

const USER: usize = 2;
const COST: usize = 9;
const TASK: usize = 10;

/// The columns by what readers need first; the last ones are left out where they do not fit.
const FIRST: [usize; N] = [0, 3, 5, 1, 6, COST, 4, 7, USER, TASK, 8];

/// Columns that are always there.
const ALWAYS: usize = 3;

/// Characters of a task's name that must be left.
const SHORTEST_TASK: usize = 16;

/// The texts of an episode's line.
pub(super) fn texts(result: &EpisodeResult) -> [String; N] {
    let counts = &result.counts;
    [
        result.episode.to_string(),
        result.kind.clone(),
        or_none(result.user.clone()),
        result.ending_label(),
        result.reward.to_string(),
        counts.steps.to_string(),
        counts.questions.to_string(),
        counts.invalid.to_string(),
        counts.faults.to_string(),
        or_none(result.cost().map(|cost| format!("{cost:.4}"))),
        result.task.clone(),
    ]
}

/// Whether some episode has anything in a column.
fn is_wanted(column: usize, results: &[&EpisodeResult]) -> bool {
    match column {
        USER => results.iter().any(|result| result.user.is_some()),
        COST => results.iter().any(|result| result.cost().is_some()),
        _ => true,
    }
}

/// The columns in which some episode has anything.
pub(super) fn shown_columns(results: &[&EpisodeResult]) -> Vec<usize> {
    (0..N).filter(|column| is_wanted(*column, results)).collect()
}

/// The wanted columns that fit into `most` columns of the screen, in their order. The task may become narrower.
fn fitting(widths: &mut [usize; N], wanted: impl Fn(usize) -> bool, most: usize) -> Vec<usize> {
    let mut used = 0;
    let mut shown: Vec<usize> = Vec::new();
    for (rank, column) in FIRST.into_iter().enumerate() {
        if !wanted(column) {
            continue;
        }
        let gap = if shown.is_empty() { 0 } else { GAP.len() };
        let left = most.saturating_sub(used + gap);
        if column == TASK && left >= SHORTEST_TASK {
            widths[TASK] = widths[TASK].min(left);
        }
        if rank < ALWAYS || widths[column] <= left {
            used += gap + widths[column];
            shown.push(column);
        }
    }
    shown.sort_unstable();
    shown
}

/// The text, or its beginning if it is wider than `most`.
fn cut(text: &str, most: usize) -> String {
    if width(text) <= most {
        return text.to_owned();
    }
    let mut start = String::new();
    for letter in text.chars() {
        start.push(letter);
        if width(&start) >= most {
            start.pop();
            break;
        }
    }
    start + "…"
}

/// A list of episodes, one line each, in the order given. What does not fit the layout is left out or cut.
pub struct EpisodeList {
    layout: Layout,
    rows: Vec<[String; N]>,
    widths: [usize; N],
    shown: Vec<usize>,
    left_out: Vec<&'static str>,
}

impl EpisodeList {
    /// The list of these.
    pub fn of(results: &[EpisodeResult], layout: Layout) -> Self {
        let rows: Vec<[String; N]> = results.iter().map(texts).collect();
        let mut widths = COLUMNS.map(|(head, _)| head.len());
        for (column, text) in rows.iter().flat_map(|row| row.iter().enumerate()) {
            widths[column] = width(text).max(widths[column]);
        }
        let all: Vec<&EpisodeResult> = results.iter().collect();
        let wanted = |column: usize| is_wanted(column, &all);
        let shown = fitting(&mut widths, wanted, layout.width);
        let left_out = (0..N).filter(|column| wanted(*column) && !shown.contains(column));
        Self { left_out: left_out.map(|column| COLUMNS[column].0).collect(), layout, rows, widths, shown }
    }

    /// Its lines, below one with heads.
    pub fn text(&self) -> String {
        let mut table = Table::new("");
        for (place, column) in self.shown.iter().enumerate() {
            let (head, align) = COLUMNS[*column];
            table = match place {
                0 => table.key(head),
                _ => table.column(head, align),
            };
        }
        for row in &self.rows {
            let cells = self.shown.iter().map(|column| cut(&row[*column], self.widths[*column]));
            table.row(cells.collect());
        }
        table.text(&self.layout.unbroken())
    }

    /// The heads of the columns that do not fit.
    pub fn left_out(&self) -> &[&'static str] {
        &self.left_out
    }
}

/// A list of episodes that grows line by line during a run: a column becomes wider when something wide
/// comes.
#[derive(Clone, Debug)]
pub struct EpisodeLines {
    layout: Layout,
    widths: [usize; N],
    shown: Vec<usize>,
}

impl EpisodeLines {
    /// Columns that fit most lists; with costs if models have prices.
    pub fn new(layout: Layout, priced: bool) -> Self {
        let mut widths = COLUMNS.map(|(head, _)| head.len());
        for (width, usual) in widths.iter_mut().zip([14, 10, 10, 16]) {
            *width = usual;
        }
        widths[TASK] = usize::MAX;
        let wanted = |column: usize| column != COST || priced;
        let shown = fitting(&mut widths, wanted, layout.width);
        Self { layout, widths, shown }
    }

    /// The line above the list.
    pub fn head(&self) -> String {
        let heads = self.joined(&COLUMNS.map(|(head, _)| head.to_owned()));
        self.layout.style.paint(Paint::Dim, &heads).into_owned() + "\n"
    }

    /// The line of an episode.
    pub fn line(&mut self, result: &EpisodeResult) -> String {
        let mut texts = texts(result);
        texts[TASK] = cut(&texts[TASK], self.widths[TASK]);
        for (widest, text) in self.widths.iter_mut().zip(&texts) {
            *widest = width(text).max(*widest);
        }
        self.joined(&texts) + "\n"
    }

    fn joined(&self, texts: &[String; N]) -> String {
        line(self.shown.iter().map(|column| {
            // Nothing stands behind the task.
            let width = if *column == TASK { 0 } else { self.widths[*column] };
            (texts[*column].as_str(), width, COLUMNS[*column].1)
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_readers_need_first_stays_and_the_task_becomes_narrower() {
        let all = |_| true;
        let shown = |most| {
            let mut widths = [17, 7, 9, 12, 6, 5, 9, 7, 6, 6, 90];
            let shown = fitting(&mut widths, all, most);
            let wide: usize = shown.iter().map(|column| widths[*column] + GAP.len()).sum();
            assert!(wide <= most + GAP.len() || shown.len() <= ALWAYS, "{most}: {wide}");
            (shown, widths[TASK])
        };
        assert_eq!(shown(10).0, [0, 3, 5]);
        assert_eq!(shown(80).0, [0, 1, 3, 4, 5, 6, 9]);
        assert_eq!(shown(130), ((0..N).filter(|column| *column != 8).collect(), 34));
        assert_eq!(shown(1000), ((0..N).collect(), 90));
    }

    #[test]
    fn a_text_is_cut_by_its_width_on_the_screen() {
        assert_eq!(cut("a longer name", 5), "a lo…");
        assert_eq!(cut("世界世界", 5), "世界…");
        assert_eq!(cut("name", 4), "name");
    }
}
