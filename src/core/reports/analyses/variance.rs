//! Where the variance of success comes from.

use serde_json::{Value, json};

use super::super::Table;
use super::super::figures::NONE;
use super::super::json::figure;
use super::simulator::of_figure;
use super::tables::bar;
use super::{Analyses, AnalysisPart};
use crate::text::{counted, joined};

/// A row for each source.
pub(super) fn table(analyses: &Analyses) -> Table {
    let mut table = Table::new("Where the variance of success comes from")
        .key("source")
        .numbers(["levels", "variance", "%", "95 % interval"])
        .texts([""]);
    let found = analyses.variance.iter().flat_map(|variance| &variance.shares);
    for share in found {
        let levels = share.levels.map_or_else(|| NONE.to_owned(), |levels| levels.to_string());
        let component = format!("{:.4}", share.component);
        let mut texts = vec![share.source.clone(), levels, component];
        texts.extend(of_figure(Some(share.share)));
        texts.push(bar(share.share.value));
        table.row(texts);
    }
    table
}

/// Factors that are left out, or why there is no table.
pub(super) fn remarks(analyses: &Analyses) -> Option<String> {
    let shown = analyses.shows(AnalysisPart::Variance);
    let found = analyses.variance.as_ref().filter(|_| shown)?;
    let episodes = counted(found.episodes as u64, "episode", "episodes");
    let constant = match found.constant.is_empty() {
        true => String::new(),
        false => format!("; left out, as it does not vary: {}", joined(&found.constant)),
    };
    // With all parts, what cannot be divided is not missed.
    match (found.shares.is_empty(), analyses.parts.len()) {
        (false, _) => Some(format!("variance: of {episodes}{constant}")),
        (true, 1) => Some(format!(
            "variance: {episodes} do not tell its sources apart, or all came out alike; play several cells or \
             repeats of the same tasks (`repeats`){constant}"
        )),
        (true, _) => None,
    }
}

/// The division for programs; null if it was not asked for.
pub(super) fn object(analyses: &Analyses) -> Value {
    let Some(found) = &analyses.variance else {
        return Value::Null;
    };
    let shares = found.shares.iter().map(|share| {
        json!({
            "source": share.source,
            "levels": share.levels,
            "component": share.component,
            "share": figure(Some(share.share)),
        })
    });
    json!({
        "episodes": found.episodes,
        "left_out": found.constant,
        "sources": shares.collect::<Vec<_>>(),
    })
}
