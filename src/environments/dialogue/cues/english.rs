//! Words and sentences, and sentences of the first person turned to the second.

use std::collections::HashSet;
use std::sync::LazyLock;

use rolecall_core::text::{has_word, unique};

/// Words of a question, of grammar and of talk, which say nothing about the subject of a text.
const STOP: &str = "a about above after again all also am an and another any are aren't as at be because been before \
    being but by can could did didn't do does doesn't doing don't else ever for from get give go \
    going good great had has have having he her here him his how i i'd i'll i'm i've if in into is \
    isn't it it's its just know like likes look looks love made make many may me more most much my \
    name nice no not now of oh ok okay on one only or other our out over please really remember same \
    see she should so some something such tell than thank thanks that that's the their them then \
    there these they thing things think this those to too up us very want was wasn't we well were \
    what what's when where which while who whose why will wish with would wow yes you your you're";

/// Short words with a full stop that end no sentence.
const ABBREVIATIONS: &str = "st mr mrs ms dr rev prof no vs etc approx mt ca jr sr inc co";

/// The words of a text without the marks around them; apostrophes and hyphens inside a word belong to it.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    let bare = text
        .split(|c: char| !(c.is_alphanumeric() || "'’-".contains(c)))
        .map(|part| part.trim_matches(|c: char| !c.is_alphanumeric()));
    bare.filter(|word| !word.is_empty())
}

/// The subject of a text: its words in small letters without those of grammar and talk, each once.
pub fn topic_words(text: &str) -> Vec<String> {
    let small = |word: &str| word.to_lowercase().replace('’', "'");
    let bare = |word: String| word.strip_suffix("'s").unwrap_or(&word).to_owned();
    unique(words(text).map(small).map(bare).filter(|word| !has_word(STOP, word) && word.chars().count() > 1))
}

/// The [`topic_words`] of a text cut down to stems, by which words are compared.
pub(super) fn content_words(text: &str) -> Vec<String> {
    unique(topic_words(text).iter().map(|word| stem(word).to_owned()))
}

/// The word without an ending of grammar, if enough is left of it.
fn stem(word: &str) -> &str {
    for ending in ["ings", "ing", "ies", "ied", "ed", "es", "ly", "s", "e", "y"] {
        if let Some(stem) = word.strip_suffix(ending)
            && stem.chars().count() >= 3
            && !(ending == "s" && stem.ends_with('s'))
        {
            return stem;
        }
    }
    word
}

/// Whether it is one of the most common English words, which no foreign phrase is made of.
pub(super) fn is_common(word: &str) -> bool {
    // These are words of other languages too.
    const SHARED: &str = "a in no me so on he an do die also was will";
    const TALK: &str = "correct right wrong close almost word words sentence answer noun adjective prepended used \
        following say said try hint help italian german spanish english sure maybe guess feminine \
        masculine before comes perfect got first last blank fill behind under";
    static COMMON: LazyLock<HashSet<&str>> =
        LazyLock::new(|| STOP.split(' ').chain(TALK.split(' ')).filter(|word| !has_word(SHARED, word)).collect());
    COMMON.contains(word.to_lowercase().as_str())
}

/// The number of the first's content words that the second has too.
pub fn fits(text: &str, other: &str) -> usize {
    let theirs = content_words(other);
    content_words(text).iter().filter(|word| theirs.contains(word)).count()
}

/// The sentences of a text, English or Chinese, each with its final mark.
pub fn sentences(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut start = 0;
    for (place, c) in text.char_indices() {
        let end = place + c.len_utf8();
        let (before, after) = (text.get(start..place), text.get(end..));
        let (before, after) = (before.unwrap_or_default(), after.unwrap_or_default());
        let ends = match c {
            '。' | '！' | '？' | '\n' => true,
            '!' | '?' => after.is_empty() || after.starts_with(char::is_whitespace),
            '.' => ends_with_stop(before, after),
            _ => false,
        };
        if ends {
            found.extend(text.get(start..end).map(str::trim));
            start = end;
        }
    }
    found.extend(text.get(start..).map(str::trim));
    found.retain(|sentence| sentence.chars().any(char::is_alphanumeric));
    found
}

/// Whether a full stop between these ends a sentence: no abbreviation, initial or number.
fn ends_with_stop(before: &str, after: &str) -> bool {
    let last = before.rsplit(char::is_whitespace).next().unwrap_or_default();
    let last = last.trim_start_matches(|c: char| !c.is_alphanumeric());
    let initial = last.chars().count() == 1 && last.chars().all(char::is_uppercase) && last != "I";
    let short = has_word(ABBREVIATIONS, last.to_lowercase().as_str());
    let next = after.trim_start();
    let is_inside = !after.is_empty() && next.len() == after.len();
    !(is_inside || initial || short || next.starts_with(char::is_lowercase))
}

/// Text of the first person, addressed to its speaker: `I like my garden` becomes `you like your garden`.
pub fn addressed(text: &str) -> String {
    let mut said: Vec<String> = Vec::new();
    let mut after_i = false;
    for token in text.split_whitespace() {
        let start: String = token.chars().take_while(|c| !c.is_alphanumeric()).collect();
        let rest = token.strip_prefix(&start[..]).unwrap_or(token);
        let bare = rest.trim_end_matches(|c: char| !c.is_alphanumeric());
        let end = rest.strip_prefix(bare).unwrap_or_default();
        let turned = match bare.replace('’', "'").as_str() {
            "I" => "you".to_owned(),
            "I'm" | "i'm" => "you are".to_owned(),
            "I've" => "you have".to_owned(),
            "I'd" => "you would".to_owned(),
            "I'll" => "you will".to_owned(),
            "am" => "are".to_owned(),
            "was" if after_i => "were".to_owned(),
            "my" | "My" => "your".to_owned(),
            "mine" => "yours".to_owned(),
            "me" => "you".to_owned(),
            "myself" => "yourself".to_owned(),
            _ => bare.to_owned(),
        };
        after_i = bare == "I";
        said.push(format!("{start}{turned}{end}"));
    }
    said.join(" ")
}

/// Chinese text addressed to its speaker: 我 becomes 你. A sentence with 你 stays, since it would no longer be clear
/// who is who.
pub fn addressed_zh(text: &str) -> String {
    if text.contains('你') {
        return text.to_owned();
    }
    text.replace('我', "你")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_end_at_marks_but_not_at_abbreviations() {
        let text = "It honours St. Demetrius. Built in 1.5 years! Is it? J. Smith says so";
        let expected = ["It honours St. Demetrius.", "Built in 1.5 years!", "Is it?", "J. Smith says so"];
        assert_eq!(sentences(text), expected);
        assert_eq!(sentences("你好。最近很累！怎么办？"), ["你好。", "最近很累！", "怎么办？"]);
        assert_eq!(sentences(" … "), Vec::<&str>::new());
    }

    #[test]
    fn content_words_are_stems_without_grammar() {
        assert_eq!(content_words("When was the Abbey's tower built?"), ["abbe", "tower", "built"]);
        assert_eq!(fits("I like polar bears.", "A polar bear lives there."), 2);
        assert_eq!(fits("è così, perché?", "Perché no"), 1);
    }

    #[test]
    fn what_somebody_says_of_themselves_is_said_to_them() {
        let table = [
            ("I like my garden.", "you like your garden."),
            ("I'm afraid of “I” and me.", "you are afraid of “you” and you."),
            ("I was there myself, it was fun", "you were there yourself, it was fun"),
        ];
        for (said, theirs) in table {
            assert_eq!(addressed(said), theirs);
        }
        assert_eq!(addressed_zh("我们分手了，我很难过"), "你们分手了，你很难过");
        assert_eq!(addressed_zh("他说我不如你"), "他说我不如你");
    }
}
