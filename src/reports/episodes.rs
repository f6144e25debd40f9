//! The list of a run's episodes: `show RUN`.

use super::figures::NONE;
use super::{Align, Layout, Table};
use crate::evaluation::EpisodeResult;

/// One line per episode, in the order given.
pub fn episodes(results: &[EpisodeResult], layout: &Layout) -> String {
    let users = results.iter().any(|result| result.user.is_some());
    let mut table = Table::new("").key("episode").column("type", Align::Left);
    if users {
        table = table.column("user", Align::Left);
    }
    table = table.column("ending", Align::Left);
    for head in ["reward", "steps", "questions", "invalid", "faults"] {
        table = table.column(head, Align::Right);
    }
    table = table.column("task", Align::Left);
    for result in results {
        let mut texts = vec![result.episode.to_string(), result.kind.clone()];
        if users {
            texts.push(result.user.clone().unwrap_or_else(|| NONE.to_owned()));
        }
        let counts = &result.counts;
        texts.push(result.ending_label());
        texts.push(result.reward.to_string());
        let figures = [
            counts.steps,
            counts.questions,
            counts.invalid,
            counts.faults,
        ];
        texts.extend(figures.map(|count| count.to_string()));
        texts.push(result.task.clone());
        table.row(texts);
    }
    // A line per episode is what people search in; it may be wider than the screen.
    let unbroken = Layout {
        width: usize::MAX / 2,
        ..*layout
    };
    table.text(&unbroken)
}
