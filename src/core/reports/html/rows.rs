//! The rows of charts: a cell with a user, always in the same colour.

use maud::{Markup, html};

use super::super::Report;
use super::escape::Shown;
use crate::domain::CellName;
use crate::evaluation::Group;

/// Rows of a chart at most; the tables hold more.
const MOST: usize = 24;
/// Colours of rows and seats; further ones begin anew.
pub(super) const TONES: [&str; 7] = ["t0", "t1", "t2", "t3", "t4", "t5", "t6"];

/// One row.
#[derive(Clone, Copy)]
pub(super) struct ChartRow<'a> {
    /// The episodes of the row.
    pub(super) group: &'a Group,
    /// The class that colours it.
    pub(super) tone: &'static str,
    /// Its cell has other users too, so that the cell's name alone would not do.
    shared: bool,
}

impl ChartRow<'_> {
    /// The cell's name.
    pub(super) fn cell(&self) -> &str {
        self.group.cell.as_ref().map_or("", CellName::as_str)
    }

    /// The row as one text, for titles.
    pub(super) fn name(&self) -> String {
        match &self.group.user {
            Some(user) => format!("{}, user {user}", self.cell()),
            None => self.cell().to_owned(),
        }
    }

    /// The row with its colour.
    pub(super) fn label(&self) -> Markup {
        html! {
            span.swatch.(self.tone) {}
            " "
            (self.uncoloured())
        }
    }

    /// The row without its colour, for charts whose colours mean something else.
    pub(super) fn uncoloured(&self) -> Markup {
        html! {
            span.cell { (Shown(self.cell())) }
            @if let Some(user) = self.group.user.as_ref().filter(|_| self.shared) {
                " "
                span.dim { "user " (Shown(user)) }
            }
        }
    }
}

/// The rows of the run.
pub(super) fn rows<'a>(report: &'a Report<'_>) -> Vec<ChartRow<'a>> {
    let all = report.summary.rows.iter();
    let same_cell = |group: &Group| all.clone().filter(|row| row.cell == group.cell).count();
    let rows = all.clone().take(MOST).zip(TONES.into_iter().cycle()).map(|(group, tone)| ChartRow {
        group,
        tone,
        shared: same_cell(group) > 1,
    });
    rows.collect()
}

/// Says that charts leave rows out, if they do.
pub(super) fn left_out(report: &Report<'_>) -> Markup {
    let more = report.summary.rows.len().saturating_sub(MOST);
    html! {
        @if more > 0 {
            p.note { "Charts show the first " (MOST) " rows; " (more) " more are left out." }
        }
    }
}

/// One line of a chart: a label, a picture, a figure.
pub(super) fn line(label: &Markup, picture: &Markup, figure: &Markup) -> Markup {
    html! {
        div.line {
            div.label { (label) }
            div.track { (picture) }
            div.value { (figure) }
        }
    }
}

/// A mean beside a histogram.
pub(super) fn mean_figure(mean: f64) -> Markup {
    html! { b { (format!("{mean:.2}")) } " " span.dim { "mean" } }
}

/// The axis below such lines.
pub(super) fn axis_line(axis: &Markup) -> Markup {
    html! {
        div.line.axis {
            div.label {}
            div.track { (axis) }
            div.value {}
        }
    }
}
