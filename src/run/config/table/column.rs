//! Reading a column of a table.

use super::parts::{meaning, named_cells, required};
use super::{Figure, TableColumn};
use crate::config::error::{instead, quoted};
use crate::config::walk::Section;
use rolecall_core::domain::CellName;

/// The metric of a column that names none.
const SUCCESS: &str = "success";
/// The largest factor of a column.
const LARGEST: f64 = 1e9;

/// A column: which figure of which episodes.
pub(super) fn column(section: &mut Section<'_>, cells: Option<&[CellName]>) -> Option<TableColumn> {
    let name = required(section, "name");
    let kind = section.text("kind").map(str::to_owned);
    let own = named_cells(section, cells, false);
    let metric = section.text("metric").unwrap_or(SUCCESS).to_owned();
    let known = section.context.registry.metrics.iter();
    let known: Vec<&str> = known.map(|entry| entry.metric.name()).collect();
    if section.has("metric") && !known.contains(&metric.as_str()) {
        let (shown, instead) = (quoted(&metric), instead(&metric, &known));
        section.wrong("metric", format!("is {shown}, which is no metric{instead}"));
    }
    // A further figure of the metric stands under its own name among the results.
    let part = section.text("part").map(str::to_owned);
    let figure = meaning(section, "figure", &Figure::WORDS);
    let lower_is_better = section.flag("lower_is_better").unwrap_or(false);
    let scale = section.number("scale", 0.0, LARGEST);
    let combination = of_figure(section, "combination", figure == Figure::Combination);
    let rating = of_figure(section, "rating", figure == Figure::Rating);
    Some(TableColumn {
        name: name?,
        kind,
        cells: own,
        metric: part.unwrap_or(metric),
        figure,
        scale,
        combination,
        rating,
        lower_is_better,
    })
}

/// A text that columns of one figure must have, and others may not. The key is called like the figure.
fn of_figure<'a>(section: &mut Section<'a>, key: &'a str, needed: bool) -> Option<String> {
    match (section.has(key), needed) {
        (false, true) => {
            section.missing(key, &format!("`figure = \"{key}\"` needs a text"));
        }
        (true, false) => {
            section.wrong(key, format!("is for `figure = \"{key}\"` only"));
        }
        _ => {}
    }
    section.text(key).map(str::to_owned)
}
