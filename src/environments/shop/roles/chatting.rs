//! The next action of a session of ChatShop.

use super::asking::{ANYTHING, best};
use super::mind::Mind;
use super::{bound, first_words};
use crate::language::searchable;
use rolecall_core::domain::Brief;

/// Words of a title that a search needs to find it again.
const TITLE: usize = 12;

/// Question worth asking now, by whoever asks; none where nobody may or nothing is open.
pub(super) fn due_question(mind: &Mind, brief: &Brief) -> Option<String> {
    let worth = mind.may_be_asked() && !mind.knows_more() && !mind.is_late(brief);
    worth.then(|| best(mind, |name| mind.has_tool(name))).flatten()
}

/// The next action; with `asks` it may be a question.
pub(super) fn next_action(mind: &Mind, brief: &Brief, asks: bool) -> String {
    let allowed = |name: &str| mind.is_allowed(brief, name);
    let is_late = mind.is_late(brief);
    let search = |query: String| format!("search[{query}]");
    if allowed("search") && (mind.listed.is_empty() || mind.knows_more() && !is_late) {
        return search(narrowed(mind));
    }
    let is_due = || due_question(mind, brief).is_some();
    if asks
        && mind.has_listener()
        && is_due()
        && let Some(asking) = best(mind, allowed)
    {
        return asking;
    }
    let best_listed = mind.best_listed().map(|listing| listing.number);
    // Where another role asks, nothing is decided before it has.
    if allowed("select") && !(mind.setting.has_clarifier && is_due()) {
        let better = mind.better_before();
        if let Some(better) = better.filter(|_| allowed("search") && !is_late) {
            let query = first_words(&searchable(&better.name), TITLE);
            if mind.queries.last() != Some(&query) {
                return search(query);
            }
        }
        return format!("select[{}]", best_listed.unwrap_or_default());
    }
    if allowed("search") {
        return search(mind.query());
    }
    let only_compares = allowed("opinion") && !allowed("question");
    let opinion = best_listed.filter(|_| only_compares);
    best(mind, allowed).unwrap_or_else(|| match opinion {
        Some(number) => format!("opinion[{number}]"),
        None => ANYTHING.to_owned(),
    })
}

/// The words to search for; fewer where these have found nothing before.
fn narrowed(mind: &Mind) -> String {
    if mind.queries.is_empty() || !mind.listed.is_empty() {
        return mind.query();
    }
    // What is looked for is named last.
    let goal = searchable(&mind.goal);
    let words: Vec<&str> = goal.split(' ').collect();
    let from = mind.queries.len().min(words.len().saturating_sub(1));
    words.get(from..).unwrap_or_default().join(" ")
}

/// Summary of what is known and what is not, in a few sentences.
pub(super) fn summary(mind: &Mind) -> String {
    let refused = mind.wishes.all.iter().filter(|wish| wish.weight < -0.4).map(|wish| wish.text.as_str()).collect();
    let mut said = format!("The user is looking for {}{}.", mind.goal, bound(mind.most));
    for (opening, texts) in [("It wants", mind.wanted()), ("It does not want", refused)] {
        if !texts.is_empty() {
            said += &format!(" {opening}: {}.", texts.join(", "));
        }
    }
    let listed = mind.listed.len();
    let open = best(mind, |name| name == "question").filter(|_| mind.may_be_asked());
    let open = open.as_deref().and_then(in_words);
    said + &match open {
        _ if listed == 0 => " I have to search first.".to_owned(),
        Some(open) => format!(" {listed} products are listed. Still open: {open}"),
        None => format!(" {listed} products are listed, and the best one can be chosen."),
    }
}

/// The question that an action asks, if it asks one in words.
pub(super) fn in_words(action: &str) -> Option<&str> {
    action.strip_prefix("question[")?.strip_suffix(']')
}
