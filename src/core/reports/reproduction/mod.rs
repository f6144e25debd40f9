//! A table of a paper with our figures beside the published ones: as text, Markdown and JSON. The
//! page is in [`html`](super::html).

mod parts;

use std::fmt::Write;

use serde_json::{Value, json};

pub use self::parts::{Held, OrderDifference, OurFigure, ReproducedFigure, ReproducedOrder, ReproducedRow};
use super::comparisons::signed;
use super::markdown::escaped;
use super::{Layout, Paint, Table};
use crate::text::visible;

/// The meaning of the mark.
pub(super) const MARK: &str = "* the published figure lies outside our 95 % interval";

/// A table of a paper, filled in.
#[derive(Clone, Debug, PartialEq)]
pub struct Reproduction {
    /// The run's name.
    pub run: String,
    /// The caption of the table.
    pub title: String,
    /// The paper in which it was published.
    pub paper: String,
    /// The headings of its columns.
    pub columns: Vec<String>,
    /// Its rows.
    pub rows: Vec<ReproducedRow>,
    /// The orders of rows that the paper reports.
    pub orders: Vec<ReproducedOrder>,
    /// Who sat on which seat.
    pub seats: Vec<(String, String)>,
    /// Remarks that a reader must know.
    pub notes: Vec<String>,
}

impl Reproduction {
    /// All figures: a row has a line for the paper, and below it lines for ours.
    pub fn table(&self) -> Table {
        let title = format!("{}: {}", self.paper, self.title);
        let mut table = Table::new(&title).keys_of(["row", "figures"]).numbers(self.columns.iter().map(String::as_str));
        for row in &self.rows {
            let paper = match &row.model {
                Some(model) => format!("paper, {model}"),
                None => "paper".to_owned(),
            };
            let published = row.figures.iter().map(|figure| figure.published.clone().unwrap_or_default());
            let heads = [row.label.clone(), paper];
            table.row(heads.into_iter().chain(published).collect());
            let mut line = |name: &str, shown: fn(&OurFigure) -> Option<String>| {
                let ours = row.figures.iter().map(|figure| figure.ours.as_ref());
                let ours = ours.map(|ours| ours.and_then(shown).unwrap_or_default());
                let heads = [String::new(), name.to_owned()];
                table.row(heads.into_iter().chain(ours).collect());
            };
            // Whose figures stand under the model of the paper; where nothing is ours, nobody's.
            let whose = self.whose().filter(|_| row.source.is_some());
            let ours = whose.map_or_else(|| "ours".to_owned(), |whose| format!("ours, {whose}"));
            line(&ours, |ours| {
                let mark = if ours.outside { "*" } else { "" };
                Some(ours.text.clone() + mark)
            });
            if row.source.is_some() {
                line("95 % of ours", OurFigure::shown_interval);
                line("ours - paper", |ours| Some(signed(ours.difference?, ours.decimals)));
                line("n", |ours| Some(ours.n.to_string()));
            }
        }
        table
    }

    /// The one player of all roles, in few words; none where several play.
    fn whose(&self) -> Option<&str> {
        let mut players = self.seats.iter().filter(|(seat, _)| seat != "user").map(|(_, who)| {
            let who = who.split(" (").next().unwrap_or_default();
            let who = who.strip_suffix(", no language model").unwrap_or(who);
            who.strip_prefix("model ").unwrap_or(who)
        });
        let first = players.next()?;
        (players.all(|other| other == first) && !first.contains(';')).then_some(first)
    }

    /// For a terminal.
    pub fn text(&self, layout: &Layout) -> String {
        let mut text = self.table().text(layout);
        let mut paragraph = |head: &str, lines: &[String]| {
            if lines.is_empty() {
                return;
            }
            // Writing to a text cannot fail.
            let _ = writeln!(text, "\n{}", layout.style.paint(Paint::Heading, head));
            for line in lines {
                let _ = writeln!(text, "  {}", visible(line));
            }
        };
        paragraph("order of the rows", &self.sentences());
        paragraph("who played", &self.seat_lines());
        let notes = [&[MARK.to_owned()][..], &self.notes].concat();
        paragraph("notes", &notes);
        text
    }

    /// For a repository or a wiki, everything in it escaped.
    pub fn markdown(&self) -> String {
        let mut text = format!("# {}: {}\n\n", escaped(&self.paper), escaped(&self.title));
        let _ = writeln!(text, "Run {}.\n", escaped(&self.run));
        text.push_str(&self.table().markdown());
        let _ = writeln!(text, "\n{}", escaped(MARK));
        let sources = self.rows.iter().filter_map(|row| {
            let source = row.source.as_ref()?;
            Some(format!("{}: {source}", row.label))
        });
        let parts = [
            ("Order of the rows", self.sentences()),
            ("Who played", self.seat_lines()),
            ("Where our figures come from", sources.collect()),
            ("Notes", self.notes.clone()),
        ];
        for (head, lines) in parts {
            if !lines.is_empty() {
                let _ = writeln!(text, "\n## {head}\n");
            }
            for line in lines {
                let _ = writeln!(text, "- {}", escaped(&line));
            }
        }
        text
    }

    /// For programs: `run`, `paper`, `title`, `columns`, `rows` with `label`, `model`, `source` and
    /// `figures` (`published` as a text; `ours` with `value`, `n`, `interval`, `deviation`,
    /// `difference`, `outside`), `orders` with `better`, `worse`, `column`, `n`, `difference`,
    /// its `interval` and `holds` (null if it cannot be said), `seats`, `notes`. What is not known is null.
    pub fn json(&self) -> Value {
        let order = |order: &ReproducedOrder| {
            let holds = (order.held != Held::Unknown).then_some(order.held == Held::Holds);
            let ours = order.ours.as_ref();
            let difference = order.difference;
            json!({
                "n": ours.map(|(better, worse)| [better.n, worse.n]),
                "difference": difference.map(|found| found.value),
                "interval": difference.and_then(|found| found.interval),
                "better": order.better, "worse": order.worse, "column": order.column,
                "holds": holds, "says": order.held.words(), "otherwise": order.otherwise,
            })
        };
        let seat = |(seat, who): &(String, String)| json!({"seat": seat, "who": who});
        json!({
            "run": self.run, "paper": self.paper, "title": self.title, "columns": self.columns,
            "rows": self.rows,
            "orders": self.orders.iter().map(order).collect::<Vec<_>>(),
            "seats": self.seats.iter().map(seat).collect::<Vec<_>>(),
            "notes": self.notes,
        })
    }

    /// The orders of rows as sentences.
    pub(super) fn sentences(&self) -> Vec<String> {
        self.orders.iter().map(ReproducedOrder::sentence).collect()
    }

    fn seat_lines(&self) -> Vec<String> {
        let line = |(seat, who): &(String, String)| format!("{seat}: {who}");
        self.seats.iter().map(line).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reproduction() -> Reproduction {
        let ours = OurFigure {
            text: "50.0".to_owned(),
            value: 50.0,
            n: 2,
            interval: Some((9.4, 90.6)),
            difference: Some(-45.0),
            outside: true,
            decimals: 1,
            ..OurFigure::default()
        };
        let figure = |published: &str, ours| ReproducedFigure { published: Some(published.to_owned()), ours };
        Reproduction {
            run: "r".to_owned(),
            title: "t|".to_owned(),
            paper: "P".to_owned(),
            columns: vec!["All".to_owned()],
            rows: vec![
                ReproducedRow {
                    label: "ask".to_owned(),
                    model: Some("m".to_owned()),
                    source: Some("cell ask".to_owned()),
                    figures: vec![figure("95", Some(ours))],
                },
                ReproducedRow {
                    label: "trained".to_owned(),
                    model: None,
                    source: None,
                    figures: vec![figure("40", None)],
                },
            ],
            orders: vec![ReproducedOrder {
                better: "ask".to_owned(),
                worse: "trained".to_owned(),
                column: "All".to_owned(),
                held: Held::Unknown,
                ours: None,
                difference: None,
                otherwise: Some("nobody trained it".to_owned()),
            }],
            seats: vec![("executor".to_owned(), "rules".to_owned())],
            notes: vec!["n<b>".to_owned()],
        }
    }

    #[test]
    fn ours_stands_beside_the_published_figure() {
        let text = reproduction().text(&Layout::default());
        let words = text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
        let found: Vec<String> = words.collect();
        assert_eq!(found[..2], ["P: t|", "row figures All"]);
        let rows = [
            "ask paper, m 95",
            "ours, rules 50.0*",
            "95 % of ours 9.4-90.6",
            "ours - paper -45.0",
            "n 2",
            "trained paper 40",
            "ours",
        ];
        assert_eq!(found[3..3 + rows.len()], rows, "{text}");
        assert!(text.contains("ask better than trained (All): cannot be said: nobody trained it"));
        assert!(text.contains("executor: rules") && text.contains(MARK));
    }

    #[test]
    fn an_order_says_how_sure_it_is_however_it_came_out() {
        let ours = |value: f64, interval| OurFigure {
            text: format!("{value:.1}"),
            value,
            n: 20,
            interval,
            decimals: 1,
            ..OurFigure::default()
        };
        let mut order = ReproducedOrder {
            better: "a".to_owned(),
            worse: "b".to_owned(),
            column: "c".to_owned(),
            held: Held::Fails,
            ours: Some((ours(1.0, Some((0.5, 2.0))), ours(3.0, Some((2.5, 4.0))))),
            difference: Some(OrderDifference { value: -2.0, interval: Some((-3.26, 0.5)) }),
            otherwise: None,
        };
        let told = "a better than b (c): does not hold (1.0 and 3.0; n 20 and 20; difference -2.0, 95 % -3.3 \
                    to +0.5, which has 0 in it)";
        assert_eq!(order.sentence(), told);
        order.held = Held::Holds;
        order.otherwise = Some("why".to_owned());
        order.difference = Some(OrderDifference { value: 0.031, interval: Some((0.011, 0.052)) });
        let told = "a better than b (c): holds (1.0 and 3.0; n 20 and 20; difference +0.031, 95 % +0.011 to \
                    +0.052)";
        assert_eq!(order.sentence(), told);
        order.ours = Some((ours(1.0, None), ours(1.0, None)));
        order.held = Held::Equal;
        order.difference = Some(OrderDifference { value: 0.0, interval: None });
        let told = "a better than b (c): does not show: equal (1.0 and 1.0; n 20 and 20; difference 0.0, \
                    without an interval): why";
        assert_eq!(order.sentence(), told);
    }

    #[test]
    fn nothing_has_no_sign() {
        let shown = [(-0.04, 1), (0.0, 2), (-0.05, 2), (12.0, 0)].map(|(by, to)| signed(by, to));
        assert_eq!(shown, ["0.0", "0.00", "-0.05", "+12"]);
    }

    #[test]
    fn every_form_says_the_same_and_none_is_markup() {
        let markdown = reproduction().markdown();
        assert!(markdown.contains("# P: t\\|") && markdown.contains("- n&lt;b>"), "{markdown}");
        let json = reproduction().json();
        assert_eq!(json["rows"][0]["figures"][0]["ours"]["outside"], true);
        assert_eq!(json["rows"][1]["figures"][0]["ours"], Value::Null);
        assert_eq!(json["orders"][0]["holds"], Value::Null);
        let page = super::super::html::reproduction(&reproduction());
        assert!(page.contains("n&lt;b&gt;") && page.contains("50.0*"), "{page}");
    }
}
