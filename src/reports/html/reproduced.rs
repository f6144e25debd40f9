//! A table of a paper with our figures, as a page.

use maud::html;

use super::super::Reproduction;
use super::super::reproduction::MARK;
use super::escape::Shown;
use super::page::frame;
use super::table::table;

/// The page. The same for the same figures, byte for byte.
pub fn reproduction(found: &Reproduction) -> String {
    let header = html! {
        header {
            p.kicker { "rolecall reproduce" }
            h1 { (Shown(&found.paper)) ": " (Shown(&found.title)) }
            dl.facts {
                div { dt { "run" } dd { (Shown(&found.run)) } }
                @for (seat, who) in &found.seats {
                    div { dt { (Shown(seat)) } dd { (Shown(who)) } }
                }
            }
        }
    };
    let body = html! {
        (table(&found.table()))
        p.note { (MARK) }
        @if !found.orders.is_empty() {
            section {
                h2 { "Order of the rows" }
                ul { @for sentence in found.sentences() { li { (Shown(&sentence)) } } }
            }
        }
        section {
            h2 { "Where our figures come from" }
            ul {
                @for row in &found.rows {
                    @if let Some(source) = &row.source {
                        li { (Shown(&row.label)) ": " (Shown(source)) }
                    }
                }
            }
        }
        @if !found.notes.is_empty() {
            section {
                h2 { "Notes" }
                ul { @for note in &found.notes { li { (Shown(note)) } } }
            }
        }
    };
    frame(&found.run, &header, &body)
}
