//! What an agent asks a shopper, and what the goal says to that.

use super::target::{Target, Want};
use crate::environments::shop::chatshop::Listing;
use crate::environments::shop::language::{Sort, alternatives, content, share, similarity, terms};
use crate::text::has_word;

/// What the goal says to a question.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Meaning<'a> {
    /// What was asked about is wanted.
    Yes,
    /// It is not.
    No,
    /// These are wanted.
    Wants(Vec<&'a Want>),
    /// The goal says nothing to it.
    Open,
    /// The most that it may cost, in dollars.
    Budget(f64),
    /// The product of this number is the closer one.
    Closer(usize),
    /// What was shown has all that is wanted.
    Fits,
    /// What was shown lacks this.
    Lacks(&'a Want),
    /// It is asked for the name of the product.
    Secret,
    /// It is no question that a shopper could answer.
    Unclear,
}

/// Words with which a question is answered by yes or no.
const AUXILIARIES: &str =
    "do does did is are was should would could can will must may have has need";
/// Words that ask for everything that matters.
const GENERAL: &str = "else other anything more further feature features requirement requirements detail details \
    important specific specifically describe matter matters preference preferences needs looking characteristics \
    attribute attributes criteria additional";
const PRICES: &str = "price prices budget cost costs spend dollar dollars expensive cheap pay usd";
const NAMES: &str = "name named called title brand exactly exact product";
/// Words after which a question names what it does not ask for.
const EXCEPTIONS: &[&str] = &[
    "besides",
    "other than",
    "apart from",
    "aside from",
    "in addition to",
    "except",
];

/// What the goal says to what was asked.
pub(super) fn meaning<'a>(question: &str, target: &'a Target) -> Meaning<'a> {
    let shown = Listing::read(question);
    if !shown.is_empty() {
        return compared(&shown, target);
    }
    let (asked, known) = without_exception(question);
    let small = asked.to_lowercase();
    let words: Vec<&str> = small
        .split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    let any = |list: &str| words.iter().any(|word| has_word(list, word));
    let named: Vec<&Want> = target
        .wants
        .iter()
        .filter(|want| names(&asked, want))
        .collect();
    let is_polar = words
        .first()
        .is_some_and(|word| has_word(AUXILIARIES, word));
    let listed = alternatives(small.trim_end_matches(" or not?")).len() > 1;
    match (named.is_empty(), is_polar && !listed) {
        (false, true) => return Meaning::Yes,
        (false, false) => return Meaning::Wants(named),
        (true, _) => {}
    }
    let sorts = asked_sorts(&asked, !is_polar);
    let of_sort = |want: &&Want| match &want.option {
        Some(name) => {
            share(&terms(name), &terms(&asked)) == 1.0
                || sorts.iter().any(|sort| want.sort == Some(*sort))
        }
        None => want.sort.is_some_and(|sort| sorts.contains(&sort)),
    };
    let wanted: Vec<&Want> = target.wants.iter().filter(of_sort).collect();
    let unsaid =
        |want: &&Want| share(&want.terms, &known) < 1.0 && !has_word(&known.join(" "), want.kind());
    if any(PRICES) {
        return price(&small, target);
    }
    if !wanted.is_empty() {
        return Meaning::Wants(wanted);
    }
    if !sorts.is_empty() {
        return Meaning::Open;
    }
    if any(GENERAL) {
        let rest: Vec<&Want> = target.wants.iter().filter(unsaid).collect();
        return if rest.is_empty() {
            Meaning::Open
        } else {
            Meaning::Wants(rest)
        };
    }
    match (is_polar, listed) {
        _ if any(NAMES) => Meaning::Secret,
        (true, false) if !content(&asked).is_empty() => Meaning::No,
        (_, true) => Meaning::Open,
        _ => Meaning::Unclear,
    }
}

/// The question without what it excepts, and the terms of that.
fn without_exception(question: &str) -> (String, Vec<String>) {
    let small = question.to_lowercase();
    let found = EXCEPTIONS
        .iter()
        .find_map(|opening| Some((small.find(opening)?, opening.len())));
    let Some((start, length)) = found else {
        return (question.to_owned(), Vec::new());
    };
    let rest = small.get(start + length..).unwrap_or_default();
    let clause = [
        " what",
        " which",
        " is there",
        " are there",
        " do you",
        "?",
        ":",
    ];
    let end = clause
        .iter()
        .filter_map(|mark| rest.find(mark))
        .min()
        .unwrap_or(rest.len());
    let (excepted, after) = rest.split_at_checked(end).unwrap_or((rest, ""));
    let before = small.get(..start).unwrap_or_default();
    (format!("{before}{after}"), terms(excepted))
}

/// Whether a question names what is wanted, in whole or as the list of its values has it.
fn names(question: &str, want: &Want) -> bool {
    let is_part = |part: &&str| {
        let part = content(part);
        !part.is_empty() && share(&part, &want.terms) == 1.0 && want.sort.is_some()
    };
    share(&want.terms, &terms(question)) == 1.0 || alternatives(question).iter().any(is_part)
}

/// The sorts of options that a question asks for: by their names, or by values to choose from.
fn asked_sorts(question: &str, open: bool) -> Vec<Sort> {
    let before = question.split(':').next().unwrap_or_default();
    let mut sorts = Sort::asked_by(before, open);
    let small = question.to_lowercase();
    let values = alternatives(&small);
    if sorts.is_empty() && values.len() > 1 {
        let of_values = values.into_iter().map(Sort::of_value);
        sorts.extend(of_values.filter(|sort| *sort != Sort::Other));
    }
    sorts
}

fn price<'a>(question: &str, target: &Target) -> Meaning<'a> {
    let runs = question.split(|letter: char| !letter.is_ascii_digit() && letter != '.');
    let named = runs
        .filter_map(|run| run.trim_matches('.').parse::<f64>().ok())
        .next();
    match (target.budget, named) {
        (None, _) => Meaning::Open,
        (Some(most), Some(named)) if named <= most => Meaning::Yes,
        (Some(most), _) => Meaning::Budget(most),
    }
}

/// Whether a product that is listed has what is wanted.
pub(super) fn has(listing: &Listing, want: &Want) -> bool {
    let fits = |text: &String| similarity(&want.terms, &terms(text)) > 0.7;
    let offered = || {
        listing
            .options
            .iter()
            .flat_map(|(_, values)| values)
            .any(fits)
    };
    let listed =
        || listing.attributes.iter().any(fits) || share(&want.terms, &terms(&listing.name)) == 1.0;
    if want.sort.is_some() {
        offered()
    } else {
        listed()
    }
}

fn compared<'a>(shown: &[Listing], target: &'a Target) -> Meaning<'a> {
    let lacking = |listing: &Listing| {
        target
            .wants
            .iter()
            .filter(|want| !has(listing, want))
            .count()
    };
    let dear = |listing: &Listing| {
        let price = listing.price.parse::<f64>().ok();
        usize::from(
            price
                .zip(target.budget)
                .is_some_and(|(price, most)| price > most),
        )
    };
    let faults = |listing: &&Listing| lacking(listing) + dear(listing);
    let Some(best) = shown.iter().min_by_key(faults) else {
        return Meaning::Unclear;
    };
    let others = shown.iter().filter(|other| other.number != best.number);
    if others.clone().next().is_some()
        && others
            .map(|other| faults(&other))
            .all(|other| other > faults(&best))
    {
        return Meaning::Closer(best.number);
    }
    let missing = target.wants.iter().find(|want| !has(best, want));
    match (missing, dear(best), target.budget) {
        (Some(want), _, _) => Meaning::Lacks(want),
        (None, 1.., Some(most)) => Meaning::Budget(most),
        (None, ..) => Meaning::Fits,
    }
}
