//! The page as a whole.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::super::tables::{intervals, metrics, occurring};
use super::super::{Report, answers, models, repairs, servers, setup};
use super::actions::{actions, endings, faults};
use super::compare::compare;
use super::episodes::{episodes, slowest, transcripts};
use super::escape::Shown;
use super::spread::spread;
use super::success::{detection, glance, measured, success, tries};
use super::table::table;

/// The style of pages and of parts of them that others show.
pub const STYLE: &str = include_str!("style.css");

/// The script of the table of episodes. It makes no markup of texts.
const SCRIPT: &str = include_str!("table.js");

/// The SHA-256 of the script in base64, by which the policy knows it (a test computes it).
const SCRIPT_HASH: &str = "JAgiwuCYYSArwdwvfbEYmOF0RqKl/HJIfjQTXD7UGaQ=";

/// Nothing may be loaded, and nothing may run but the script inside the page.
fn policy() -> String {
    format!(
        "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{SCRIPT_HASH}'; base-uri 'none'; \
         form-action 'none'; require-trusted-types-for 'script'"
    )
}

/// The page. The same for the same report, byte for byte, but for the day on which the run began.
pub fn page(report: &Report<'_>) -> String {
    let body = if report.summary.total.episodes == 0 {
        html! { p { "No episodes were played." } }
    } else {
        html! {
            (links(report, true))
            (figures(report))
            (episodes(report))
            (transcripts(report))
            (slowest(report))
            script { (PreEscaped(SCRIPT)) }
        }
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
                meta http-equiv="Content-Security-Policy" content=(policy());
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
                @if let Some(began) = &report.began { div { dt { "began" } dd { (began) } } }
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

/// The parts of the report without its episodes, which a site has elsewhere, and without a head.
pub fn sections(report: &Report<'_>) -> Markup {
    html! {
        (links(report, false))
        (figures(report))
    }
}

/// The links to the parts.
fn links(report: &Report<'_>, whole: bool) -> Markup {
    let summary = &report.summary;
    let asked = asks(report);
    let repeated = summary.rows.iter().any(|row| !row.passes.is_empty());
    let links = [
        ("#setup", "What was measured", !report.setup.is_empty()),
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
        ("#episodes", "Episodes", whole),
        ("#transcripts", "Transcripts", whole),
        ("#slowest", "Slowest", whole && !report.slowest.is_empty()),
    ];
    html! {
        nav aria-label="Sections" {
            ul {
                @for (link, name, _) in links.iter().filter(|(_, _, shown)| *shown) {
                    li { a href=(link) { (name) } }
                }
            }
        }
    }
}

/// Whether models were called.
fn asks(report: &Report<'_>) -> bool {
    let models = &report.summary.models;
    !(models.calls.is_empty() && models.servers.is_empty())
}

/// The figures of the run.
fn figures(report: &Report<'_>) -> Markup {
    html! {
        @if !report.setup.is_empty() {
            section #setup {
                h2 { "What was measured" }
                @for found in &report.setup { (table(found)) }
            }
        }
        (glance(report))
        (measured(report))
        (detection(report))
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
        @if asks(report) {
            section #models {
                h2 { "Models" }
                (table(&answers(&report.summary)))
                (table(&repairs(&report.summary)))
                (table(&models(&report.summary)))
                (table(&servers(&report.summary)))
            }
        }
        @if !report.workers.is_empty() {
            section #workers {
                h2 { "Workers" }
                (table(&setup::workers(&report.workers)))
            }
        }
        (endings(report))
        (faults(report))
    }
}

#[cfg(test)]
mod tests {
    use base64::Engine;
    use base64::engine::general_purpose::STANDARD;
    use sha2::{Digest, Sha256};

    use super::*;

    #[test]
    fn the_policy_knows_the_script_of_the_page() {
        assert_eq!(STANDARD.encode(Sha256::digest(SCRIPT)), SCRIPT_HASH);
        assert!(SCRIPT.len() < 6_000 && !SCRIPT.contains("</"));
        for word in ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("] {
            assert!(!SCRIPT.contains(word), "{word}");
        }
    }
}
