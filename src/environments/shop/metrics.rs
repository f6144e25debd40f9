//! The metrics of shops. All are left out on other tasks.

use serde_json::Value;

use super::account::{Wanted, game, parts};
use super::tasks::NAMES;
use rolecall_core::domain::Message;
use rolecall_core::evaluation::metrics::{Formula, talk};
use rolecall_core::evaluation::{holds, normalise};
use rolecall_core::ports::held::Secrets;
use rolecall_core::ports::{EpisodeLog, Measurement, Metric, MetricEntry};
use rolecall_core::world;

/// Words of a title in a row with which an answer names the product.
const RUN: usize = 3;
/// Letters of the name of a maker at least.
const MAKER: usize = 4;

/// The table of metrics.
pub(super) static METRICS: &[MetricEntry] = &[
    metric(
        "the factor of the reward for the kind of product: 1, 0.5, 0.1 or 0",
        &Formula::optional("r_type", |log| part(log, "r_type")),
    ),
    metric(
        "share of the wanted attributes that the product has",
        &Formula::optional("r_att", |log| part(log, "r_att")),
    ),
    metric("share of the wanted options that were chosen", &Formula::optional("r_option", |log| part(log, "r_option"))),
    metric("whether it costs no more than it may", &Formula::optional("r_price", |log| part(log, "r_price"))),
    metric(
        "share of the nouns of the wanted title that its title has",
        &Formula::optional("title_score", |log| part(log, "title_score")),
    ),
    metric("searches", &Formula::optional("searches", searches)),
    metric("questions that were left at the end (ChatShop)", &Formula::optional("questions_left", questions_left)),
    metric(
        "words of an answer of the shopper",
        &Formula::optional("answer_words", |log| in_shop(log, talk::answer_words)),
    ),
    metric(
        "share of answers that were too long, and were cut",
        &Formula::optional("cut_answers", |log| in_shop(log, talk::cut_answers)),
    ),
    metric(
        "share of answers that name the product: three words of its title in a row, or its maker",
        &Formula::optional("leaks", leaks),
    ),
    metric(
        "utterances to the shopper with a question mark (ReSpAct)",
        &Formula::optional("clarifications", |log| in_shop(log, talk::clarifications)),
    ),
    metric(
        "answers with `no`, `not`, `incorrect` or `wrong` anywhere (ReSpAct)",
        &Formula::optional("corrections", |log| in_shop(log, talk::corrections)),
    ),
    metric(
        "how content the shopper's last words are, from 1 to 5 (ReSpAct)",
        &Formula::optional("satisfaction", |log| in_shop(log, talk::satisfaction)),
    ),
];

const fn metric(summary: &'static str, metric: &'static dyn Metric) -> MetricEntry {
    world::metric(summary, metric).of(NAMES)
}

/// A part of the reward; absent where nothing was selected or bought, and where the goal has no such part.
fn part(log: &EpisodeLog<'_>, name: &str) -> Option<Measurement> {
    match parts(log)?.get(name)? {
        Value::Bool(yes) => Some(Measurement::Rate(*yes)),
        part => part.as_f64().map(Measurement::Value),
    }
}

/// Searches, those of nothing included.
fn searches(log: &EpisodeLog<'_>) -> Option<Measurement> {
    game(log)?;
    let searches = log
        .events
        .iter()
        .filter(|event| matches!(&event.message, Message::Perform(action) if action.text.starts_with("search")));
    Some(Measurement::Value(searches.count() as f64))
}

/// Questions that the shopper would still have answered; absent in WebShop.
fn questions_left(log: &EpisodeLog<'_>) -> Option<Measurement> {
    game(log)?;
    let left = log.events.iter().rev().find_map(|event| match &event.message {
        Message::Observed(seen) => seen.data.as_deref()?.get("questions_left")?.as_f64(),
        _ => None,
    });
    left.map(Measurement::Value)
}

fn in_shop(log: &EpisodeLog<'_>, of: fn(&EpisodeLog<'_>) -> Option<Measurement>) -> Option<Measurement> {
    game(log)?;
    of(log)
}

/// The share of answers that name the product (ChatShop's shopper is told not to). What the agent named itself just
/// before is no secret, nor is what the shopper may speak of: the goal, and the wanted attributes and options.
fn leaks(log: &EpisodeLog<'_>) -> Option<Measurement> {
    talk::telling(log, &kept_secret(log)?.phrases)
}

/// The phrases that give the product away; none of other worlds.
pub(super) fn kept_secret(log: &EpisodeLog<'_>) -> Option<Secrets> {
    game(log)?;
    let wanted = Wanted::of(log)?;
    let goal = &log.opened()?.task.text;
    let mut open = vec![&*wanted.instruction, goal];
    let values = wanted.attributes.iter().chain(&wanted.options);
    open.extend(values.map(String::as_str));
    Some(Secrets { phrases: secrets(&wanted.name, &open.join("\n")), allowed: 0 })
}

/// The phrases that give a title away, if an open text does not hold their words: so many of its words in a row (all
/// of a shorter title), and its first one, where titles name the maker.
fn secrets(title: &str, open: &str) -> Vec<String> {
    let (title, open) = (normalise(title), normalise(open));
    let words: Vec<&str> = title.split(' ').filter(|word| !word.is_empty()).collect();
    let is_open = |word: &&str| holds(&open, word);
    let runs =
        words.windows(RUN.min(words.len()).max(1)).filter(|run| !run.iter().all(is_open)).map(|run| run.join(" "));
    let maker = words
        .first()
        .filter(|word| word.chars().count() >= MAKER && word.chars().all(char::is_alphabetic) && !is_open(word));
    runs.chain(maker.map(|word| (*word).to_owned())).collect()
}

#[cfg(test)]
mod tests {
    use super::super::analyses::made_up::{self, Line};
    use super::*;

    fn figure(name: &str, lines: &[Line<'_>]) -> Option<f64> {
        let metric = METRICS.iter().map(|entry| entry.metric).find(|metric| metric.name() == name).unwrap();
        made_up::with(lines, |log| metric.measure(log).number())
    }

    #[test]
    fn secrets_are_what_nobody_may_speak_of() {
        let title = "Tamvane Men's Loafers, Blue 9 Wide";
        assert_eq!(secrets(title, "men's loafers\nblue\n9 wide"), ["tamvane men's loafers", "tamvane"]);
        // A title that begins with the kind of product has no maker.
        assert_eq!(secrets("Loafers", "loafers for men"), Vec::<String>::new());
        assert_eq!(secrets("USB Hub", "a hub"), ["usb hub"]);
    }

    #[test]
    fn an_answer_leaks_what_it_names() {
        let session = |answer: &str, question: &str| figure("leaks", &[Line::Ask(question), Line::Answer(answer)]);
        assert_eq!(session("The Fenlume one", "Which?"), Some(1.0));
        assert_eq!(session("Clip on desk, please", "Which?"), Some(1.0));
        assert_eq!(session("Yes, Fenlume", "From Fenlume?"), Some(0.0));
        assert_eq!(session("Dark blue, dimmable", "Which?"), Some(0.0));
        assert_eq!(figure("leaks", &[Line::Search("lamp")]), None);
    }

    #[test]
    fn searches_questions_and_parts_are_counted() {
        let lines = [
            Line::Search("lamp"),
            Line::Ask("Which color?"),
            Line::Answer("Not sure"),
            Line::Search("blue lamp"),
            Line::Select(0),
        ];
        let of = |name: &str| figure(name, &lines);
        assert_eq!((of("searches"), of("questions_left")), (Some(2.0), Some(4.0)));
        assert_eq!((of("answer_words"), of("corrections")), (Some(2.0), Some(1.0)));
        assert_eq!((of("clarifications"), of("cut_answers")), (Some(1.0), Some(0.0)));
        assert_eq!((of("r_att"), of("r_price")), (Some(0.5), Some(1.0)));
        assert_eq!(of("r_option"), Some(0.0));
        let other = |metric: &dyn Metric| made_up::elsewhere(&lines, |log| metric.measure(log));
        for metric in METRICS.iter().map(|entry| entry.metric) {
            assert_eq!(other(metric), Measurement::Absent, "{}", metric.name());
            assert!(metric.is_left_out_if_absent());
        }
    }
}
