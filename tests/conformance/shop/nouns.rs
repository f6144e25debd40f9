//! Nouns of titles. The recorded ones come from a stand-in for the original's tagger, so that they only inform.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;

use super::world::World;
use crate::kit::{Tally, each_line, read};
use rolecall_shop::nouns::{RuleTagger, Tagger};
use rolecall_shop::store::{Store, StoreOptions};

#[derive(Deserialize)]
struct Tagged {
    title: String,
    tokens: Vec<(String, String)>,
}

/// Words of titles, with what they are.
pub(super) fn titles(file: &Path, _: &Path, tally: &mut Tally) -> anyhow::Result<()> {
    each_line(file, |case: Tagged| {
        let nouns = case.tokens.into_iter().filter(|(_, kind)| kind == "NOUN");
        let recorded = nouns.map(|(word, _)| word.to_lowercase()).collect();
        compare(&case.title, recorded, tally);
        Ok(())
    })
}

/// The nouns of all titles of a catalogue, which the name of the file names.
pub(super) fn catalogues(file: &Path, data: &Path, tally: &mut Tally) -> anyhow::Result<()> {
    let nouns: BTreeMap<String, Vec<String>> = read(file)?;
    let store = Store::load(&data.join(World::name(file)), &StoreOptions::default(), &())?;
    for (asin, recorded) in nouns {
        // Lists were made of entries that the shop leaves out, too.
        let Some(id) = store.catalogue.find(&asin)? else {
            continue;
        };
        compare(&store.catalogue.product(id)?.title, recorded, tally);
    }
    Ok(())
}

/// Every noun that either of the two finds in a title: whether both do.
fn compare(title: &str, mut recorded: Vec<String>, tally: &mut Tally) {
    for noun in RuleTagger.nouns("", title) {
        let found = recorded.iter().position(|it| *it == noun);
        tally.optionally(found.is_some());
        found.map(|at| recorded.swap_remove(at));
    }
    for _ in recorded {
        tally.optionally(false);
    }
}
