//! The phrase that a student is to translate, where a dialogue says it in words of the course, and the language that
//! is taught.

use super::english::{is_common, sentences, words};
use super::grammar::{Phrase, relation_at};
use super::lessons::asked_word;
use super::talk::{Talk, TalkLine};
use super::vocabulary::{Kind, Language, Row, entry, is_foreign};
use rolecall_core::text::{has_word, unique};

/// Words that make a sentence mean something else than the phrase.
const UNCERTAIN: &str = "not no or if never isn't don't doesn't cannot can't nor wrong instead";

impl Talk {
    /// The phrase that is to be translated: the only one that the tutor says, or else the only relation, thing and
    /// colour mentioned, if they were taught or asked for. None if that is uncertain.
    pub fn phrase(&self) -> Option<Phrase> {
        let said = self.lines.iter().filter(|line| !line.user).flat_map(|line| sentences(&line.text)).flat_map(phrases);
        let said = said.collect::<Option<Vec<Phrase>>>()?;
        let spoken = Spoken::of(self.lines.iter().map(|line| line.text.as_str()));
        let phrase = match said.split_first() {
            Some((first, others)) => others.iter().all(|other| other == first).then_some(*first)?,
            None => spoken.alone().filter(|alone| self.is_about(alone))?,
        };
        spoken.qualities.iter().all(|quality| Some(*quality) == phrase.quality).then_some(phrase)
    }

    /// Whether every part of the phrase was taught or asked for: other words may be about grammar.
    fn is_about(&self, phrase: &Phrase) -> bool {
        let taught = self.lessons().into_iter().map(|lesson| lesson.word);
        let words = Vec::from_iter(taught.chain(self.of_user().filter_map(asked_word)));
        let spoken = Spoken::of(words.iter().map(String::as_str));
        let qualities = phrase.quality.iter().all(|quality| spoken.qualities.contains(quality));
        spoken.relations.contains(&phrase.relation) && spoken.things.contains(&phrase.thing) && qualities
    }

    /// The language that is taught: the one that the tutor names, or else somebody, or else the one whose words are
    /// used most. None if that is uncertain.
    pub fn language(&self) -> Option<Language> {
        let named = |user: &dyn Fn(&TalkLine) -> bool| {
            let lines: Vec<&TalkLine> = self.lines.iter().filter(|line| user(line)).collect();
            let is_named = |language: &Language| {
                let name = language.name().to_lowercase();
                lines.iter().map(|line| line.text.to_lowercase()).any(|text| words(&text).any(|word| word == name))
            };
            Vec::from_iter(Language::ALL.into_iter().filter(is_named))
        };
        let by_agent = named(&|line| !line.user);
        let by_any = if by_agent.is_empty() { named(&|_| true) } else { by_agent };
        match by_any[..] {
            [language] => return Some(language),
            [] => {}
            _ => return None,
        }
        let small: Vec<String> = self.lines.iter().map(|line| line.text.to_lowercase()).collect();
        let used = |language: Language| {
            let all = small.iter().flat_map(|line| words(line));
            let is_used = |word: &&str| {
                // Short words and common ones are English as well.
                let telling = word.chars().count() > 3 && !is_common(word) && entry(word).is_none();
                telling && is_foreign(word, Some(language))
            };
            all.filter(is_used).count()
        };
        let mut counts = Language::ALL.map(|language| (used(language), language));
        counts.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
        let [(most, language), (next, _), _] = counts;
        (most > next).then_some(language)
    }
}

/// Words in small letters and marks, in order.
fn tokens(text: &str) -> Vec<String> {
    let small = text.to_lowercase().replace('’', "'");
    let mut found: Vec<String> = Vec::new();
    let mut is_inside = false;
    for letter in small.chars() {
        let inside = letter.is_alphanumeric() || (letter == '\'' && is_inside) || letter == '-';
        match found.last_mut().filter(|_| inside && is_inside) {
            Some(word) => word.push(letter),
            None if letter.is_whitespace() => {}
            None => found.push(letter.to_string()),
        }
        is_inside = inside;
    }
    found
}

fn of_kind(word: &str, kind: Kind) -> Option<&'static Row> {
    entry(word).filter(|(found, _)| *found == kind).map(|(_, row)| row)
}

/// The phrases of a sentence; none for each that cannot be understood as a whole.
fn phrases(sentence: &str) -> Vec<Option<Phrase>> {
    let words = tokens(sentence);
    // `How do you say ...?` names the phrase; other questions may be about something else on purpose.
    let names = words.iter().any(|word| has_word("say translate write", word));
    let asks = sentence.trim_end().ends_with('?') && !names;
    let uncertain = asks || words.iter().any(|word| has_word(UNCERTAIN, word));
    let mut found = Vec::new();
    for at in 0..words.len() {
        let subject = words.get(..at).and_then(subject);
        if let (Some(subject), Some((relation, length))) = (subject, words.get(at..).and_then(relation_at)) {
            let behind = words.get(at + length..).and_then(thing_behind);
            if !uncertain {
                found.push(behind.map(|(thing, quality)| Phrase { subject: Some(subject), relation, thing, quality }));
            } else if behind.is_some() {
                found.push(None);
            }
        }
    }
    found
}

/// The thing before a relation, with its article, and a verb or none.
fn subject(before: &[String]) -> Option<&'static Row> {
    let [rest @ .., last] = before else {
        return None;
    };
    let before = if has_word("is sits stands lies", last) { rest } else { before };
    let [.., article, noun] = before else {
        return None;
    };
    has_word("the a an", article).then(|| of_kind(noun, Kind::Thing)).flatten()
}

/// The thing behind a relation with its colour, if the sentence ends there.
fn thing_behind(behind: &[String]) -> Option<(&'static Row, Option<&'static Row>)> {
    let behind = match behind {
        [of, rest @ ..] if of == "of" => rest,
        behind => behind,
    };
    let [article, rest @ ..] = behind else {
        return None;
    };
    let (quality, rest) = match rest {
        [first, rest @ ..] => match of_kind(first, Kind::Quality) {
            Some(quality) => (Some(quality), rest),
            None => (None, behind.get(1..)?),
        },
        [] => return None,
    };
    let [noun, rest @ ..] = rest else { return None };
    let ends = match rest {
        [] => true,
        [mark, ..] if ".,!;:\"'".contains(mark.as_str()) => true,
        [is_in, language, ..] => is_in == "in" && has_word("italian german spanish", language),
        _ => false,
    };
    (has_word("the a an", article) && ends).then_some((of_kind(noun, Kind::Thing)?, quality))
}

/// The words of the course that are mentioned in English, each once.
#[derive(Default)]
struct Spoken {
    relations: Vec<&'static Row>,
    things: Vec<&'static Row>,
    qualities: Vec<&'static Row>,
}

impl Spoken {
    fn of<'a>(texts: impl Iterator<Item = &'a str>) -> Self {
        let mut spoken = Self::default();
        for text in texts {
            let words = tokens(text);
            let mut at = 0;
            while let Some(rest) = words.get(at..).filter(|rest| !rest.is_empty()) {
                let relation = relation_at(rest).filter(|(row, length)| {
                    // `on` is a word of many other phrases.
                    row.0 != "on" || rest.get(*length).is_some_and(|next| has_word("the a an", next))
                });
                at += relation.map_or(1, |(_, length)| length);
                spoken.relations.extend(relation.map(|(row, _)| row));
                if let (None, Some(word)) = (relation, rest.first()) {
                    spoken.things.extend(of_kind(word, Kind::Thing));
                    spoken.qualities.extend(of_kind(word, Kind::Quality));
                }
            }
        }
        Self { relations: unique(spoken.relations), things: unique(spoken.things), qualities: unique(spoken.qualities) }
    }

    /// The phrase, if there is one of each.
    fn alone(&self) -> Option<Phrase> {
        match (&self.relations[..], &self.things[..], &self.qualities[..]) {
            (&[relation], &[thing], &[quality]) => {
                Some(Phrase { subject: None, relation, thing, quality: Some(quality) })
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Utterances, and whether the student's.
    type Lines = &'static [(bool, &'static str)];

    fn talk(lines: &[(bool, &str)]) -> Talk {
        let line = |(user, text): &(bool, &str)| TalkLine { user: *user, text: (*text).to_owned() };
        Talk::new("cima", lines.iter().map(line).collect())
    }

    fn english(phrase: Option<Phrase>) -> String {
        let Some(phrase) = phrase else {
            return String::new();
        };
        let name = |row: Option<&'static Row>| row.map_or("-", |row| row.0);
        let parts = [phrase.subject, Some(phrase.relation), phrase.quality, Some(phrase.thing)];
        parts.map(name).join("/")
    }

    #[test]
    fn the_phrase_is_what_the_tutor_says_or_what_alone_is_spoken_of() {
        let table: [(&[(bool, &str)], &str); 16] = [
            (&[(false, "Please try: the cat is under the red chair.")], "cat/under/red/chair"),
            (&[(false, "The picture shows a cat behind a tree. Say it in Italian.")], "cat/behind/-/tree"),
            (&[(false, "Write: the frog is inside of the green bag in Spanish.")], "frog/inside/green/bag"),
            (&[(false, "How do you say \"the cat is on the box\"?")], "cat/on/-/box"),
            (
                &[(false, "\"Box\" is \"scatola\"."), (true, "What is blue?"), (false, "is behind the is e dietro la")],
                "-/behind/blue/box",
            ),
            // Nothing of it may be guessed.
            (&[(false, "The cat is under the red chair."), (false, "The dog is under the red chair.")], ""),
            (&[(false, "The bird is above the ____ house (blue).")], ""),
            (&[(false, "The bird is above the house (blue).")], ""),
            (&[(false, "The cat is behind the tree. The tree is green.")], ""),
            (&[(false, "The cat is not under the red chair.")], ""),
            (&[(false, "Is the cat above the chair or under the chair?")], ""),
            (&[(false, "\"red\" is \"rosso\". \"box\" is \"scatola\". A colour comes behind the thing.")], ""),
            (&[(false, "The black cat is under the chair.")], ""),
            (&[(false, "The cat is under the chair in the garden.")], ""),
            (
                &[(
                    false,
                    "\"tree\" is \"albero\", \"cat\" is \"gatto\", \"red\" is \"rosso\", \"behind\" is \"dietro\".",
                )],
                "",
            ),
            (&[], ""),
        ];
        for (lines, expected) in table {
            assert_eq!(english(talk(lines).phrase()), expected, "{lines:?}");
        }
    }

    #[test]
    fn the_language_is_the_one_that_is_named_or_used() {
        let table: [(Lines, Option<Language>); 8] = [
            (&[(false, "Say it in Spanish."), (true, "Is it like Italian?")], Some(Language::Spanish)),
            (&[(false, "Say it, please."), (true, "I like italian!")], Some(Language::Italian)),
            (&[(false, "Where is it?"), (true, "I think it is al lado de la mesa.")], Some(Language::Spanish)),
            (&[(true, "Il gufo è sul sedia rosa.")], Some(Language::Italian)),
            (&[(false, "Not in Italian, in Spanish.")], None),
            (&[(false, "There is a bird in front of a house."), (true, "With the bird, so do not die alt!")], None),
            (&[(true, "I am tired of the old box, can we stop?")], None),
            (&[], None),
        ];
        for (lines, expected) in table {
            assert_eq!(talk(lines).language(), expected, "{lines:?}");
        }
    }
}
