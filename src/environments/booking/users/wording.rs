//! The words of the user.

use super::desire::Want;
use crate::environments::booking::language;

/// What is wanted, as the end of a sentence (` in the north`). What stands in a conversation was said.
pub(super) fn fragment(want: Want<'_>) -> String {
    let Want { slot, value, .. } = want;
    match slot {
        "food" => format!(" with {value} food"),
        _ => language::fragment(slot, value).unwrap_or_else(|| format!(" with the {slot} {value}")),
    }
}

/// Several of them. A name goes to the end, for it may hold any word.
pub(super) fn fragments(wants: &[Want<'_>]) -> String {
    let mut wants = wants.to_vec();
    wants.sort_by_key(|want| want.slot == "name");
    wants.into_iter().map(fragment).collect()
}
