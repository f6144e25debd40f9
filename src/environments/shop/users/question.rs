//! Meaning of an agent's question to the shopper, given the goal.

use super::target::{Target, Want};
use crate::chatshop::Listing;
use crate::language::{Sort, alternatives, content, is_close, is_dear, names, share, terms, words};
use crate::reading::features;
use rolecall_core::text::has_word;

/// Answer of the goal to a question.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Meaning<'a> {
    /// The shopper wants what it is asked about.
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
    /// The product that was shown has all that is wanted.
    Fits,
    /// The product that was shown lacks this.
    Lacks(&'a Want),
    /// It is asked for the name of the product.
    Secret,
    /// It is no question that a shopper could answer.
    Unclear,
}

/// Words with which a question is answered by yes or no.
const AUXILIARIES: &str = "do does did is are was should would could can will must may have has need";
/// Words that ask for everything that matters.
const GENERAL: &str = "else other anything more further feature features requirement requirements detail details \
    important specific specifically describe matter matters preference preferences needs looking characteristics \
    attribute attributes criteria additional";
const PRICES: &str = "price prices budget cost costs spend dollar dollars expensive cheap pay usd";
const NAMES: &str = "name named called title brand exactly exact product";
/// Words after which a question names what it does not ask for.
const EXCEPTIONS: &str = "besides|other than|apart from|aside from|in addition to|except";
/// Where that ends.
const CLAUSES: &str = " does | what| which| is there| are there| do you|?|:";

/// Answers a question from the goal.
pub(super) fn meaning<'a>(question: &str, target: &'a Target) -> Meaning<'a> {
    let shown = Listing::read(question);
    if !shown.is_empty() {
        return compared(&shown, target);
    }
    let (asked, known) = without_exception(question);
    let small = asked.to_lowercase();
    let any = |list: &str| words(&small).any(|word| has_word(list, word));
    let is_polar = has_word(AUXILIARIES, words(&small).next().unwrap_or_default());
    let is_list = alternatives(small.trim_end_matches(" or not?")).len() > 1;
    let wants = |is_meant: &dyn Fn(&Want) -> bool| {
        let meant: Vec<&Want> = target.wants.iter().filter(|want| is_meant(want)).collect();
        Some(Meaning::Wants(meant)).filter(|meant| *meant != Meaning::Wants(Vec::new()))
    };
    match wants(&|want| is_named(&asked, want)) {
        Some(_) if is_polar && !is_list => return Meaning::Yes,
        Some(named) => return named,
        None => {}
    }
    if any(PRICES) {
        return price(&small, target);
    }
    let sorts = Sort::asked_by(&asked, !is_polar);
    if !sorts.is_empty() {
        let meant = wants(&|want| want.sort.is_some_and(|sort| sorts.contains(&sort)));
        return meant.unwrap_or(Meaning::Open);
    }
    if any(GENERAL) {
        let is_known =
            |want: &Want| share(&terms(&want.text), &known) == 1.0 || known.iter().any(|term| term == want.kind());
        return wants(&|want| !is_known(want)).unwrap_or(Meaning::Open);
    }
    match (is_polar, is_list) {
        _ if any(NAMES) => Meaning::Secret,
        (true, false) if !content(&asked).is_empty() => Meaning::No,
        (_, true) => Meaning::Open,
        _ => Meaning::Unclear,
    }
}

/// The question without what it excepts, and the terms of that.
fn without_exception(question: &str) -> (String, Vec<String>) {
    let small = question.to_lowercase();
    let Some((before, rest)) = EXCEPTIONS.split('|').find_map(|opening| small.split_once(opening)) else {
        return (question.to_owned(), Vec::new());
    };
    let ends = CLAUSES.split('|').filter_map(|clause| rest.find(clause));
    let (excepted, after) = rest.split_at(ends.min().unwrap_or(rest.len()));
    (format!("{before}{after}"), terms(excepted))
}

/// Whether a question names what is wanted, in whole or as the list of its values has it.
fn is_named(question: &str, want: &Want) -> bool {
    let is_part = |part: &str| share(&content(part), &terms(&want.text)) == 1.0;
    let is_listed = || alternatives(question).into_iter().any(is_part);
    names(question, &want.text) || want.sort.is_some() && is_listed()
}

fn price<'a>(question: &str, target: &Target) -> Meaning<'a> {
    let named = question
        .split(|letter: char| !letter.is_ascii_digit() && letter != '.')
        .find_map(|run| run.trim_matches('.').parse::<f64>().ok());
    match (target.budget, named) {
        (None, _) => Meaning::Open,
        (Some(most), Some(named)) if named <= most => Meaning::Yes,
        (Some(most), _) => Meaning::Budget(most),
    }
}

/// Whether a product that is listed has what is wanted.
fn has(listing: &Listing, want: &Want) -> bool {
    features(listing)
        .filter(|(option, _)| option.is_some() == want.sort.is_some())
        .any(|(_, text)| is_close(&want.text, text))
        || want.sort.is_none() && names(&listing.name, &want.text)
}

fn compared<'a>(shown: &[Listing], target: &'a Target) -> Meaning<'a> {
    let missing = |listing: &Listing| target.wants.iter().filter(|want| !has(listing, want)).collect::<Vec<_>>();
    let is_dear = |listing: &Listing| is_dear(listing.price.parse().ok(), target.budget);
    let faults = |listing: &&Listing| missing(listing).len() + usize::from(is_dear(listing));
    let least = shown.iter().map(|listing| faults(&listing)).min();
    let mut closest = shown.iter().filter(|one| Some(faults(one)) == least);
    let Some(best) = closest.next() else {
        return Meaning::Unclear;
    };
    if shown.len() > 1 && closest.next().is_none() {
        return Meaning::Closer(best.number);
    }
    match (missing(best).first(), target.budget) {
        (Some(want), _) => Meaning::Lacks(want),
        (None, Some(most)) if is_dear(best) => Meaning::Budget(most),
        (None, _) => Meaning::Fits,
    }
}
