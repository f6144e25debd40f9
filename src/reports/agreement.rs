//! How far raters agree: `rolecall rate agreement`.

use serde_json::{Value, json};

use super::figures::{NONE, or_none, percent, range};
use super::markdown::escaped;
use super::{Align, Layout, Paint, Table};
use crate::evaluation::labels::{Agreement, Between, Figure, What};

/// What was found, with the names of those whom it is about.
#[derive(Clone, Debug)]
pub struct Agreed {
    /// The run, as it was named.
    pub run: String,
    /// What was labelled.
    pub what: What,
    /// The raters.
    pub raters: Vec<String>,
    /// How many labels each of them gave.
    pub given: Vec<usize>,
    /// The figures.
    pub found: Agreement,
}

/// The figures as text.
pub fn text(agreed: &Agreed, layout: &Layout) -> String {
    let tables = tables(agreed);
    let shown = tables.iter().filter(|table| !table.is_empty());
    let texts: Vec<String> = shown.map(|table| table.text(layout)).collect();
    let mut text = texts.join("\n");
    text.push('\n');
    text.push_str(&layout.style.line(Paint::Dim, &remark(agreed)));
    text
}

/// The figures as Markdown. Everything is escaped.
pub fn markdown(agreed: &Agreed) -> String {
    let mut text = format!(
        "# Agreement on {} in {}\n",
        escaped(&agreed.what.to_string()),
        escaped(&agreed.run)
    );
    text.extend(tables(agreed).iter().map(Table::section));
    text + &format!(
        "
{}
",
        escaped(&remark(agreed))
    )
}

fn remark(agreed: &Agreed) -> String {
    let weights = match agreed.what.is_ordinal() {
        true => "kappa has quadratic weights, alpha is ordinal",
        false => "labels are taken without an order",
    };
    format!("intervals: 95 %, bootstrap over items; {weights}")
}

fn tables(agreed: &Agreed) -> Vec<Table> {
    let mut tables = vec![given(agreed), pairs(agreed), all(agreed), by_label(agreed)];
    tables.extend(compared(agreed).map(|pair| confusion(agreed, pair)));
    tables
}

/// The pairs of raters that labelled some of the same items.
fn compared(agreed: &Agreed) -> impl Iterator<Item = &Between> {
    agreed.found.pairs.iter().filter(|pair| pair.items > 0)
}

fn name(agreed: &Agreed, rater: usize) -> String {
    agreed.raters.get(rater).cloned().unwrap_or_default()
}

fn given(agreed: &Agreed) -> Table {
    let title = format!("Raters of {}", agreed.what);
    let mut table = Table::new(&title)
        .key("rater")
        .column("labels", Align::Right);
    for (rater, labels) in agreed.raters.iter().zip(&agreed.given) {
        table.row(vec![rater.clone(), labels.to_string()]);
    }
    table
}

fn pairs(agreed: &Agreed) -> Table {
    let mut table = Table::new("Agreement in pairs")
        .keys_of(["rater", "with"])
        .numbers([
            "items",
            "same label %",
            "95 % interval",
            "Cohen's kappa",
            "95 % interval",
        ]);
    for pair in compared(agreed) {
        let (one, other) = pair.raters;
        let mut texts = vec![
            name(agreed, one),
            name(agreed, other),
            pair.items.to_string(),
        ];
        texts.extend(shown(pair.raw, percent));
        texts.extend(shown(pair.kappa, short));
        table.row(texts);
    }
    table
}

fn all(agreed: &Agreed) -> Table {
    let mut table =
        Table::new("Agreement of all")
            .key("figure")
            .numbers(["items", "value", "95 % interval"]);
    let found = &agreed.found;
    for (figure, items, value) in [
        (
            "Fleiss' kappa (items with all labels)",
            found.complete,
            found.fleiss,
        ),
        (
            "Krippendorff's alpha (labels may be missing)",
            found.items,
            found.alpha,
        ),
    ] {
        let [value, interval] = shown(value, short);
        table.row(vec![figure.to_owned(), items.to_string(), value, interval]);
    }
    table
}

fn by_label(agreed: &Agreed) -> Table {
    let title = "Agreement by label (% of its uses with which another rater agrees)";
    let mut table = Table::new(title).key("label").column("all", Align::Right);
    let pairs: Vec<&Between> = compared(agreed).collect();
    for pair in &pairs {
        let (one, other) = pair.raters;
        let head = format!("{} / {}", name(agreed, one), name(agreed, other));
        table = table.column(&head, Align::Right);
    }
    let share = |share: Option<&Option<f64>>| or_none(share.copied().flatten().map(percent));
    for (place, label) in agreed.what.labels().into_iter().enumerate() {
        let own = share(agreed.found.by_label.get(place));
        let pairs = pairs.iter().map(|pair| share(pair.by_label.get(place)));
        table.row([label.name, own].into_iter().chain(pairs).collect());
    }
    table
}

/// Who called what how.
fn confusion(agreed: &Agreed, pair: &Between) -> Table {
    let (one, other) = (name(agreed, pair.raters.0), name(agreed, pair.raters.1));
    let mut table = Table::new(&format!("{one} (rows) and {other} (columns)")).key(&one);
    let labels = agreed.what.labels();
    let used = |place: usize| {
        let row = pair
            .confusion
            .get(place)
            .is_some_and(|row| row.iter().any(|count| *count > 0));
        row || pair.confusion.iter().any(|row| row.get(place) > Some(&0))
    };
    let used: Vec<usize> = (0..labels.len()).filter(|place| used(*place)).collect();
    let label = |place: usize| labels.get(place).map_or("", |label| &label.name);
    for place in &used {
        table = table.column(label(*place), Align::Right);
    }
    for place in &used {
        let row = pair.confusion.get(*place);
        let count = |other: &usize| row.and_then(|row| row.get(*other)).copied().unwrap_or(0);
        let counts = used.iter().map(|other| count(other).to_string());
        table.row(
            std::iter::once(label(*place).to_owned())
                .chain(counts)
                .collect(),
        );
    }
    table
}

fn short(value: f64) -> String {
    format!("{value:.3}")
}

fn shown(figure: Option<Figure>, written: impl Fn(f64) -> String) -> [String; 2] {
    let Some(figure) = figure else {
        return [NONE.to_owned(), NONE.to_owned()];
    };
    let interval = figure.interval.map(|ends| range(ends, &written));
    [written(figure.value), or_none(interval)]
}

/// The same for programs: `what`, `raters` with their `labels`, `pairs` (`raters`, `items`, `raw`, `kappa`,
/// `confusion`, `by_label`), `fleiss`, `alpha`, `by_label`. Shares are from 0 to 1; what is not known is null.
pub fn object(agreed: &Agreed) -> Value {
    let labels = agreed.what.labels().into_iter();
    let labels: Vec<String> = labels.map(|label| label.name).collect();
    let by_label = |shares: &[Option<f64>]| {
        let shares = shares.iter().map(|share| Value::from(*share));
        Value::Object(labels.iter().cloned().zip(shares).collect())
    };
    let pairs = agreed.found.pairs.iter().map(|pair| {
        json!({
            "raters": [name(agreed, pair.raters.0), name(agreed, pair.raters.1)],
            "items": pair.items,
            "raw": figure(pair.raw),
            "kappa": figure(pair.kappa),
            "confusion": pair.confusion,
            "by_label": by_label(&pair.by_label),
        })
    });
    let raters = agreed.raters.iter().zip(&agreed.given);
    let raters = raters.map(|(rater, labels)| json!({"name": rater, "labels": labels}));
    json!({
        "run": agreed.run,
        "what": agreed.what.to_string(),
        "labels": labels,
        "raters": raters.collect::<Vec<_>>(),
        "pairs": pairs.collect::<Vec<_>>(),
        "items": agreed.found.items,
        "complete": agreed.found.complete,
        "fleiss": figure(agreed.found.fleiss),
        "alpha": figure(agreed.found.alpha),
        "by_label": by_label(&agreed.found.by_label),
    })
}

fn figure(figure: Option<Figure>) -> Value {
    let ends = figure.and_then(|figure| figure.interval);
    json!({
        "value": figure.map(|figure| figure.value),
        "low": ends.map(|(low, _)| low),
        "high": ends.map(|(_, high)| high),
    })
}
