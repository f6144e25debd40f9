//! The page as a whole.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::super::shares::occurring;
use super::super::tables::{intervals, metrics};
use super::super::text::apart;
use super::super::{Report, models, servers};
use super::actions::actions;
use super::compare::compare;
use super::endings::{endings, faults};
use super::episodes::{episodes, slowest, transcripts};
use super::escape::Shown;
use super::spread::spread;
use super::success::{glance, success, tries};
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
    let remarks = apart(&report.summary.total).into_iter();
    let remarks: Vec<String> = remarks.chain(report.notes.iter().cloned()).collect();
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

fn sections(report: &Report<'_>) -> Markup {
    let compared = !report.comparisons.is_empty();
    let acted = !occurring(&report.summary).is_empty();
    let models_used = &report.summary.models;
    let asked = !(models_used.calls.is_empty() && models_used.servers.is_empty());
    let timed = !report.slowest.is_empty();
    let repeated = report.summary.rows.iter().any(|row| !row.passes.is_empty());
    html! {
        nav aria-label="Sections" {
            ul {
                li { a href="#glance" { "At a glance" } }
                li { a href="#success" { "Success" } }
                @if repeated { li { a href="#tries" { "In k tries" } } }
                @if compared { li { a href="#compare" { "Compared" } } }
                @if acted { li { a href="#actions" { "Actions" } } }
                li { a href="#spread" { "Per episode" } }
                li { a href="#metrics" { "Metrics" } }
                @if asked { li { a href="#models" { "Models" } } }
                li { a href="#endings" { "Endings" } }
                li { a href="#faults" { "Faults" } }
                li { a href="#episodes" { "Episodes" } }
                li { a href="#transcripts" { "Transcripts" } }
                @if timed { li { a href="#slowest" { "Slowest" } } }
            }
        }
        (glance(report))
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
                (table(&models(&report.summary)))
                (table(&servers(&report.summary)))
            }
        }
        (endings(report))
        (faults(report))
        (episodes(report))
        (transcripts(report))
        (slowest(report))
    }
}
