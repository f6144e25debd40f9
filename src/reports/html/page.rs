//! The page as a whole.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::super::shares::occurring;
use super::super::tables::{intervals, metrics};
use super::super::{Report, answers, models, servers, workers};
use super::actions::actions;
use super::compare::compare;
use super::endings::{endings, faults};
use super::episodes::{episodes, slowest, transcripts};
use super::escape::Shown;
use super::spread::spread;
use super::success::{glance, measured, success, tries};
use super::table::table;

const STYLE: &str = include_str!("style.css");

/// Nothing may be loaded and nothing may run, apart from the style inside the page.
const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/// The page. The same for the same report, byte for byte.
pub fn page(report: &Report<'_>) -> String {
    let body = if report.summary.total.episodes == 0 {
        html! { p { "No episodes were played." } }
    } else {
        sections(report)
    };
    frame(&report.name, &header(report), &body)
}

/// A page about a run: a header, the rest, and whose figures these are.
pub(super) fn frame(name: &str, header: &Markup, body: &Markup) -> String {
    let whole = html! {
        (header)
        main { (body) }
        footer {
            p {
                "Written by rolecall from the run's event log. Figures are over the episodes that \
                 count: broken, cancelled and unfinished ones are reported apart."
            }
        }
    };
    document(name, &whole)
}

/// A page that needs nothing else, around what it shows.
pub(super) fn document(title: &str, body: &Markup) -> String {
    let markup = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta name="referrer" content="no-referrer";
                title { (Shown(title)) " - rolecall" }
                style { (PreEscaped(STYLE)) }
            }
            body { (body) }
        }
    };
    let mut text = markup.into_string();
    text.push('\n');
    text
}

fn header(report: &Report<'_>) -> Markup {
    let remarks: Vec<String> = report.remarks().collect();
    html! {
        header {
            p.kicker { "rolecall run" }
            h1 { (Shown(&report.name)) }
            dl.facts {
                @for (name, value) in &report.facts {
                    div { dt { (Shown(name)) } dd { (Shown(value)) } }
                }
            }
            @if !remarks.is_empty() {
                ul.remarks { @for remark in &remarks { li { (Shown(remark)) } } }
            }
        }
    }
}

/// The parts of the report with the links to them, without a head.
pub(crate) fn sections(report: &Report<'_>) -> Markup {
    let summary = &report.summary;
    let asked = !(summary.models.calls.is_empty() && summary.models.servers.is_empty());
    let repeated = summary.rows.iter().any(|row| !row.passes.is_empty());
    let links = [
        ("#glance", "At a glance", true),
        ("#measures", "Measures", !summary.measures.is_empty()),
        ("#success", "Success", summary.success_counts()),
        ("#tries", "In k tries", repeated),
        ("#compare", "Compared", !report.comparisons.is_empty()),
        ("#actions", "Actions", !occurring(summary).is_empty()),
        ("#spread", "Per episode", true),
        ("#metrics", "Metrics", true),
        ("#models", "Models", asked),
        ("#workers", "Workers", !report.workers.is_empty()),
        ("#endings", "Endings", true),
        ("#faults", "Faults", true),
        ("#episodes", "Episodes", true),
        ("#transcripts", "Transcripts", true),
        ("#slowest", "Slowest", !report.slowest.is_empty()),
    ];
    html! {
        nav aria-label="Sections" {
            ul {
                @for (link, name, _) in links.iter().filter(|(_, _, shown)| *shown) {
                    li { a href=(link) { (name) } }
                }
            }
        }
        (glance(report))
        (measured(report))
        (success(report))
        (tries(report))
        (compare(report))
        (actions(report))
        (spread(report))
        section #metrics {
            h2 { "Every metric" }
            (table(&metrics(&report.summary)))
            (table(&intervals(&report.summary)))
        }
        @if asked {
            section #models {
                h2 { "Models" }
                (table(&answers(&report.summary)))
                (table(&models(&report.summary)))
                (table(&servers(&report.summary)))
            }
        }
        @if !report.workers.is_empty() {
            section #workers {
                h2 { "Workers" }
                (table(&workers::table(&report.workers)))
            }
        }
        (endings(report))
        (faults(report))
        (episodes(report))
        (transcripts(report))
        (slowest(report))
    }
}
