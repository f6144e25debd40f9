//! Shares as parts of one bar.

use maud::{Markup, html};

use super::super::super::figures;
use super::super::escape::Shown;
use super::scale::percent;
use crate::text::joined;

/// Height of a bar, in pixels.
const HEIGHT: u32 = 26;
/// The share from which a part has room for its figure.
const ROOM: f64 = 0.085;

/// One part of a bar.
#[derive(Clone, Debug, PartialEq)]
pub(in super::super) struct Segment {
    /// The class that colours it.
    pub(in super::super) tone: &'static str,
    /// Its share, 0 to 1.
    pub(in super::super) share: f64,
    /// Its figure, if there is room.
    pub(in super::super) text: String,
}

/// A bar of shares, 0 to 1, each with its class and its name.
pub(in super::super) fn shares<'a>(
    name: &str,
    parts: impl Iterator<Item = (&'static str, &'a str, f64)> + Clone,
) -> Markup {
    let said = parts
        .clone()
        .filter(|(_, _, share)| *share > 0.0)
        .map(|(_, label, share)| format!("{label} {} %", figures::percent(share)));
    let title = format!("{name}: {}", joined(said));
    let parts = parts.map(|(tone, _, share)| Segment { tone, share, text: format!("{} %", (share * 100.0).round()) });
    stack(&parts.collect::<Vec<_>>(), &title)
}

/// The bar. Parts of nothing are left out.
pub(in super::super) fn stack(parts: &[Segment], title: &str) -> Markup {
    let mut begin = 0.0;
    let placed = parts.iter().filter(|part| part.share > 0.0).map(|part| {
        let start = begin;
        begin += part.share;
        (start, part)
    });
    html! {
        svg.row role="img" aria-label=(Shown(title)) width="100%" height=(HEIGHT) {
            title { (Shown(title)) }
            @for (start, part) in placed {
                g class=(part.tone) {
                    rect.part x=(percent(start)) y="1" width=(percent(part.share)) height=(HEIGHT - 2) {}
                    @if part.share >= ROOM {
                        text.figure x=(percent(start + part.share / 2.0)) y="17" text-anchor="middle" {
                            (part.text)
                        }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_follow_each_other() {
        let part = |tone, share: f64| Segment { tone, share, text: format!("{share}") };
        let bar = stack(&[part("a", 0.25), part("b", 0.0), part("c", 0.75)], "t").into_string();
        assert!(bar.contains(r#"<rect class="part" x="25.00%" y="1" width="75.00%""#), "{bar}");
        assert!(bar.contains(">0.75</text>") && !bar.contains("class=\"b\""));
    }
}
