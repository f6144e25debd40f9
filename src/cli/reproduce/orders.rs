//! The orders of rows that a paper reports, with our figures.

use super::figures::{Known, all_in};
use rolecall_core::reports::{Held, OurFigure, ReproducedOrder, ReproducedRow};
use rolecall_run::config::{Figure, PaperTable, TableOrder};

/// Every order of the table. What is said of players by rules is told only of rows whose cells are all
/// played by them.
pub(super) fn orders(known: &Known<'_>, rows: &[ReproducedRow]) -> Vec<ReproducedOrder> {
    let table = known.table;
    table
        .order
        .iter()
        .map(|order| {
            let figure = |row: usize| rows.get(row)?.figures.get(order.column)?.ours.as_ref();
            let label = |row: usize| rows.get(row).map(|row| row.label.clone());
            let column = table.columns.get(order.column);
            let ours = figure(order.better).zip(figure(order.worse));
            let both = [order.better, order.worse].map(|row| table.rows.get(row));
            let between = match (both, column, ours) {
                ([Some(better), Some(worse)], Some(column), Some(_)) => known.between(better, worse, column),
                _ => None,
            };
            let found = between.as_ref().and_then(|between| between.reason.clone());
            let mut reasons: Vec<String> = found.into_iter().collect();
            if both.iter().flatten().all(|row| all_in(row, known.by_rules)) {
                reasons.extend(order.by_rules.clone());
            }
            reasons.extend(order.otherwise.clone());
            if reasons.is_empty() && ours.is_none() {
                reasons.extend(lacking(order, table, rows));
            }
            ReproducedOrder {
                better: label(order.better).unwrap_or_default(),
                worse: label(order.worse).unwrap_or_default(),
                column: column.map_or_else(String::new, |column| column.name.clone()),
                held: held(ours, column.is_some_and(|column| column.lower_is_better)),
                ours: ours.map(|(better, worse)| (better.clone(), worse.clone())),
                difference: between.map(|between| between.difference),
                otherwise: (!reasons.is_empty()).then(|| reasons.join("; ")),
            }
        })
        .collect()
}

/// The reason for which one of the two figures is missing.
fn lacking(order: &TableOrder, table: &PaperTable, rows: &[ReproducedRow]) -> Option<String> {
    let mut both = [order.better, order.worse].into_iter();
    let row = both.find_map(|row| {
        let row = rows.get(row)?;
        row.figures.get(order.column)?.ours.is_none().then_some(row)
    })?;
    let label = &row.label;
    let figure = table.columns.get(order.column)?.figure;
    Some(match (&row.source, figure) {
        (None, _) => format!("{label} is not played"),
        (Some(_), Figure::BertScore) => {
            format!("no model gave vectors for {label} (--embeddings)")
        }
        (Some(_), Figure::Rating) => format!("nobody has rated the responses of {label}"),
        (Some(_), _) => format!("no episode of {label} says anything"),
    })
}

fn held(ours: Option<(&OurFigure, &OurFigure)>, lower_is_better: bool) -> Held {
    let Some((better, worse)) = ours else {
        return Held::Unknown;
    };
    // What is shown as the same is no difference, whatever stands beside it.
    let shown = |ours: &OurFigure| format!("{:.*}", ours.decimals, ours.value);
    if shown(better) == shown(worse) {
        return Held::Equal;
    }
    if (better.value > worse.value) == lower_is_better { Held::Fails } else { Held::Holds }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figure(text: &str, value: f64) -> OurFigure {
        OurFigure { text: text.to_owned(), value, ..OurFigure::default() }
    }

    #[test]
    fn an_order_holds_if_the_better_one_is_better_in_what_is_shown() {
        let (high, low) = (figure("2", 2.0), figure("1", 1.0));
        assert_eq!(held(Some((&high, &low)), false), Held::Holds);
        assert_eq!(held(Some((&high, &low)), true), Held::Fails);
        assert_eq!(held(Some((&low, &high)), true), Held::Holds);
        let same = figure("2 ± 1", 1.999);
        assert_eq!(held(Some((&high, &same)), false), Held::Equal);
        assert_eq!(held(Some((&same, &high)), true), Held::Equal);
        assert_eq!(held(None, false), Held::Unknown);
    }
}
