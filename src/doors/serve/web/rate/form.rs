//! The pages of a rating: an item with its form, the end, and how far everybody is.

use maud::{Markup, html};

use super::{ITEM, address};
use crate::serve::web::page::Page;
use rolecall_core::evaluation::labels::{Item, Speaker, What};
use rolecall_core::reports::html::{Shown, lines};
use rolecall_run::rating::{Answers, Asked};

/// Letters of one text that are shown.
const LONGEST: usize = 20_000;

/// A page of a rater's.
pub(super) struct Sheet<'a> {
    /// Its number in the rater's order, from 1.
    pub(super) number: usize,
    /// The number of the rater's items.
    pub(super) of: usize,
    pub(super) id: &'a str,
    pub(super) asked: Asked,
    /// The questions about it.
    pub(super) parts: Vec<What>,
}

/// The page of an item, with what was answered before.
pub(super) fn page(question: &str, sheet: &Sheet<'_>, given: Option<&Answers>, done: usize) -> Page {
    let (number, of) = (sheet.number, sheet.of);
    let back = (number > 1).then(|| address(number - 1));
    let answer = |part: &What| Some(given?.get(part.key())?.as_str());
    let main = html! {
        p.progress {
            label for="done" { (done) " of " (of) " have an answer" }
            " " progress #done max=(of) value=(done) {}
        }
        (shown(&sheet.asked))
        form #rate method="post" action=(address(number)) {
            input type="hidden" name=(ITEM) value=(sheet.id);
            @if let [part] = &*sheet.parts {
                (field(part, answer(part), question))
            } @else {
                p.question { (Shown(question)) }
                @for part in &sheet.parts { (field(part, answer(part), criteria(part))) }
            }
            p.ways {
                @if let Some(back) = back { a #back href=(back) { "Back" } " " }
                button { "Next" }
            }
            p.note.keys { "Keys: 1 to 9 choose, Enter goes on, the left arrow goes back." }
        }
    };
    Page::new(format!("{number} of {of}"), main).alone()
}

/// The item to be labelled, after its context; two of them side by side.
fn shown(asked: &Asked) -> Markup {
    let item = &asked.item;
    let Some((_, other)) = &asked.against else {
        return html! {
            section #item { (context(item, "")) (said(item, "What is to be judged")) }
        };
    };
    // What both responses go on from is shown once.
    let same = !item.said.text.is_empty() && item.context == other.context;
    html! {
        section #item {
            @if same { (context(item, "")) }
            div.sides {
                @for (name, item) in [("A", item), ("B", other)] {
                    section {
                        @if !same { (context(item, &format!("{name}: "))) }
                        (said(item, name))
                    }
                }
            }
        }
    }
}

fn context(item: &Item, side: &str) -> Markup {
    let head = if item.said.text.is_empty() { "what happened" } else { "what came before" };
    html! {
        h2.head { (side) (head) }
        @if item.context.is_empty() { p { "Nothing." } }
        ol.turns {
            @for line in &item.context {
                li class={ "turn " (tone(line.speaker)) } {
                    div.who { span.seat { (line.speaker.label()) } }
                    div.text { (lines(&line.text, LONGEST)) }
                }
            }
        }
    }
}

fn said(item: &Item, head: &str) -> Markup {
    let text = &item.said.text;
    html! {
        @if !text.is_empty() {
            h2 { (head) }
            p.said { (lines(text, LONGEST)) }
        }
    }
}

fn tone(speaker: Speaker) -> &'static str {
    match speaker {
        Speaker::Task => "conductor",
        Speaker::Agent => "t0 said",
        Speaker::User => "user said",
        Speaker::Action => "t0 done",
        Speaker::Result => "world",
        Speaker::Note => "yellow",
    }
}

fn criteria(part: &What) -> &str {
    match part {
        What::Field { field, .. } => field.criteria,
        _ => "",
    }
}

/// The labels to choose from, or a box for any text.
fn field(part: &What, answer: Option<&str>, question: &str) -> Markup {
    let key = part.key();
    html! {
        fieldset {
            legend { (Shown(question)) }
            @if part.is_text() {
                textarea name=(key) rows="2" maxlength="1000" aria-label="Your answer" { (answer.unwrap_or_default()) }
            } @else {
                @for (place, label) in part.labels().iter().enumerate() {
                    @let digit = digit(part, place, &label.name);
                    label.choice {
                        input type="radio" name=(key) value=(label.name) data-key=[digit.as_deref()]
                            checked[answer == Some(&label.name)];
                        @if let Some(digit) = digit.as_deref().filter(|digit| *digit != label.name) {
                            " " kbd { (digit) }
                        }
                        " " b { (Shown(&label.name)) }
                        @if !label.criteria.is_empty() { " " span.dim { (Shown(&label.criteria)) } }
                    }
                }
            }
        }
    }
}

/// The key that chooses a label: a point of a scale is its own.
fn digit(part: &What, index: usize, name: &str) -> Option<String> {
    let digit = if part.is_ordinal() { name.to_owned() } else { (index + 1).to_string() };
    Some(digit).filter(|digit| digit.len() == 1)
}

/// The last page: thanks, and which items have no answer.
pub(super) fn end(open: &[usize], of: usize) -> Page {
    let title = match open {
        [] => "Thank you",
        _ => "The last item",
    };
    Page::new(
        title,
        html! {
            p role="status" {
                @match open.len() {
                    0 => { "All " (of) " items have an answer, and all of them are kept. You may close this page." },
                    left => { (of - left) " of " (of) " items have an answer, and all of them are kept." },
                }
            }
            @if !open.is_empty() {
                p {
                    "Without an answer:"
                    @for number in open { " " a href=(address(*number)) { (number) } }
                }
            }
            p { a href=(address(of.max(1))) { "Back" } }
        },
    )
    .alone()
}

/// How far the raters are.
pub(super) fn overview(raters: &[(&str, usize, usize)]) -> Page {
    Page::new(
        "Raters",
        html! {
            table {
                thead { tr { th { "rater" } th.number { "answered" } th.number { "items" } } }
                tbody {
                    @for (name, done, of) in raters {
                        tr { th scope="row" { (Shown(name)) } td.number { (done) } td.number { (of) } }
                    }
                }
            }
        },
    )
}
