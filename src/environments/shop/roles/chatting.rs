//! The next action of a session of ChatShop.

use super::asking::{ANYTHING, Asking, best};
use super::mind::{Mind, is_allowed};
use crate::domain::Brief;
use crate::environments::shop::chatshop::Channel;
use crate::environments::shop::language::searchable;

/// Words of a title that a search needs to find it again.
const TITLE: usize = 12;

/// What is worth asking now, by whoever asks; none where nobody may or nothing is open.
pub(super) fn due_question(mind: &Mind, brief: &Brief) -> Option<Asking> {
    let worth = mind.may_be_asked() && !mind.knows_more() && !mind.is_late(brief);
    worth.then(|| best(mind, mind.channel)).flatten()
}

/// The next action; with `asks` it may be a question.
pub(super) fn next_action(mind: &Mind, brief: &Brief, asks: bool) -> String {
    let allowed = |name: &str| is_allowed(brief, mind.channel, name);
    let can_ask =
        asks && mind.has_user && mind.left > 0 && (allowed("question") || allowed("opinion"));
    let channel = match (allowed("question"), allowed("opinion")) {
        (true, true) => Channel::Mix,
        (true, false) => Channel::Open,
        (false, true) => Channel::Compare,
        (false, false) => Channel::None,
    };
    let due = due_question(mind, brief);
    let own = can_ask
        .then(|| due.as_ref().and(best(mind, channel)))
        .flatten();
    // Where another role asks, nothing is decided before it has.
    let waits = due.is_some() && mind.has_clarifier;
    let search = |query: String| format!("search[{query}]");
    if (mind.listed.is_empty() || mind.knows_more() && !mind.is_late(brief)) && allowed("search") {
        return search(narrowed(mind));
    }
    if let Some(asking) = own {
        return worded(&asking);
    }
    if allowed("select") && !waits {
        if let Some(better) = mind
            .better_before()
            .filter(|_| allowed("search") && !mind.is_late(brief))
        {
            let title = searchable(&better.name);
            let words: Vec<&str> = title.split(' ').take(TITLE).collect();
            let query = words.join(" ");
            if mind.queries.last() != Some(&query) {
                return search(query);
            }
        }
        return format!(
            "select[{}]",
            mind.best_listed().map_or(0, |(_, listing)| listing.number)
        );
    }
    if allowed("search") {
        return search(mind.query());
    }
    match (best(mind, channel), mind.best_listed()) {
        (Some(asking), _) => worded(&asking),
        (None, Some((_, listing))) if channel == Channel::Compare => {
            format!("opinion[{}]", listing.number)
        }
        (None, _) => format!("question[{ANYTHING}]"),
    }
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

fn worded(asking: &Asking) -> String {
    match asking {
        Asking::Question(text) => format!("question[{text}]"),
        Asking::Opinion(numbers) => {
            let numbers: Vec<String> = numbers.iter().map(ToString::to_string).collect();
            format!("opinion[{}]", numbers.join(", "))
        }
    }
}

/// What is known and what is not, in a few sentences.
pub(super) fn summary(mind: &Mind) -> String {
    let price = mind.most.map_or(String::new(), |most| {
        format!(", for {most:.2} dollars at most")
    });
    let wanted: Vec<&str> = mind
        .wishes
        .wanted()
        .map(|wish| wish.text.as_str())
        .collect();
    let refused = mind.wishes.all.iter().filter(|wish| wish.weight < -0.4);
    let refused: Vec<&str> = refused.map(|wish| wish.text.as_str()).collect();
    let mut said = format!("The user is looking for {}{price}.", mind.goal);
    for (opening, texts) in [("It wants", wanted), ("It does not want", refused)] {
        if !texts.is_empty() {
            said += &format!(" {opening}: {}.", texts.join(", "));
        }
    }
    match (mind.listed.len(), best(mind, Channel::Open)) {
        (0, _) => said += " I have to search first.",
        (listed, Some(Asking::Question(open))) if mind.may_be_asked() => {
            said += &format!(" {listed} products are listed. Still open: {open}");
        }
        (listed, _) => {
            said += &format!(" {listed} products are listed, and the best one can be chosen.")
        }
    }
    said
}
