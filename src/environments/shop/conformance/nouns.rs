//! Nouns of titles. The recorded ones come from a stand-in for the original's tagger, so that they only inform.

use std::path::Path;

use serde::Deserialize;

use crate::conformance::{Tally, each_line};
use crate::environments::shop::nouns::{RuleTagger, Tagger};

#[derive(Deserialize)]
struct Tagged {
    title: String,
    tokens: Vec<(String, String)>,
}

/// Every noun that either of the two finds in a title: whether both do.
pub(super) fn titles(file: &Path, _: &Path, tally: &mut Tally) -> anyhow::Result<()> {
    each_line(file, |case: Tagged| {
        let nouns = case.tokens.into_iter().filter(|(_, kind)| kind == "NOUN");
        let mut recorded: Vec<String> = nouns.map(|(word, _)| word.to_lowercase()).collect();
        for noun in RuleTagger.nouns("", &case.title) {
            let found = recorded.iter().position(|it| *it == noun);
            tally.optionally(found.is_some());
            found.map(|at| recorded.swap_remove(at));
        }
        for _ in recorded {
            tally.optionally(false);
        }
        Ok(())
    })
}
