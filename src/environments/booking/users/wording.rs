//! The words of the user.

use super::desire::Want;
use crate::environments::booking::word_lists::PHRASES;

/// What is wanted, as the end of a sentence: `in the north`. What stands in a conversation was said.
pub(super) fn fragment(want: Want<'_>) -> String {
    let put = PHRASES.put("wish", want.slot, want.value);
    put.unwrap_or_else(|| format!("with the {} {}", want.slot, want.value))
}

/// Several of them behind other words. A name goes to the end, for it may hold any word.
pub(super) fn fragments(wants: &[Want<'_>]) -> String {
    let mut wants = wants.to_vec();
    wants.sort_by_key(|want| want.slot == "name");
    let fragments = wants.into_iter().map(fragment);
    let fragments = fragments.map(|one| match one.starts_with(',') {
        true => one,
        false => format!(" {one}"),
    });
    fragments.collect()
}
