//! The small part of Italian and Spanish grammar that one sentence of the course needs: `[the cat is] behind the green
//! tree`. It calls nothing right that it does not know for certain.

use super::lessons::Lesson;
use super::vocabulary::{Kind, Language, Row, entry, nouns, pieces, relations};
use rolecall_core::text::has_word;

/// A phrase that is to be translated, in words of the course.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Phrase {
    /// The thing that is somewhere; none if unknown, and then it may be any.
    pub(super) subject: Option<&'static Row>,
    pub(super) relation: &'static Row,
    /// The place where it is.
    pub(super) thing: &'static Row,
    /// The colour of the place, or another quality.
    pub(super) quality: Option<&'static Row>,
}

/// Relations that may be said in more than one way: English, Italian, Spanish.
const OTHER_WAYS: &[(&str, &[&str], &[&str])] = &[
    ("next to", &["vicino a"], &["junto a"]),
    ("in front of", &["davanti a"], &["enfrente de"]),
    ("on", &[], &["en", "encima de"]),
    ("above", &[], &["sobre"]),
];

/// Nouns of the course that do not end in -a and are feminine.
const FEMININE: &str = "ape flor";

fn is_feminine(noun: &str) -> bool {
    noun.ends_with('a') || has_word(FEMININE, noun)
}

/// The definite article of a noun as one piece; none in German, whose cases are not known here.
fn article(noun: &str, language: Language) -> Option<&'static str> {
    let feminine = is_feminine(noun);
    match language {
        Language::German => None,
        Language::Spanish => Some(if feminine { "la" } else { "el" }),
        Language::Italian => {
            let mut letters = noun.chars();
            let (first, second) = (letters.next()?, letters.next()?);
            let vowel = |letter| "aeiou".contains(letter);
            Some(match () {
                () if vowel(first) => "l",
                () if feminine => "la",
                () if first == 'z' || (first == 's' && !vowel(second)) => "lo",
                () => "il",
            })
        }
    }
}

/// A quality as it stands beside a noun: `rossa` beside `scatola`.
fn agreeing(quality: &str, noun: &str, language: Language) -> String {
    match quality.strip_suffix('o') {
        Some(stem) if is_feminine(noun) && language != Language::German => format!("{stem}a"),
        _ => quality.to_owned(),
    }
}

/// `a` and an article in one word, or `su` and an article.
fn melted(preposition: &str, article: &str) -> String {
    match article {
        "il" => format!("{preposition}l"),
        "l" => format!("{preposition}ll"),
        article => format!("{preposition}l{article}"),
    }
}

/// The ways of saying a relation, the usual one first.
fn ways(relation: &Row, language: Language) -> impl Iterator<Item = &'static str> {
    let others =
        OTHER_WAYS.iter().find(|(english, ..)| *english == relation.0).map_or(&[][..], |(_, italian, spanish)| {
            match language {
                Language::Italian => italian,
                Language::Spanish => spanish,
                Language::German => &[],
            }
        });
    std::iter::once(language.of(relation)).chain(others.iter().copied())
}

/// The pieces of a relation with the article of the thing behind it, in each right way.
fn relation_forms(relation: &Row, noun: &str, language: Language) -> Vec<Vec<String>> {
    let Some(article) = article(noun, language) else {
        return Vec::new();
    };
    let mut forms: Vec<String> = Vec::new();
    for way in ways(relation, language) {
        match (language, way.strip_suffix(" a"), way.strip_suffix(" de")) {
            (Language::Italian, Some(stem), _) => {
                forms.push(format!("{stem} {}", melted("a", article)));
            }
            (Language::Italian, None, _) if way == "su" => forms.push(melted("su", article)),
            (Language::Italian, None, _) => {
                forms.push(format!("{way} {article}"));
                forms.push(format!("{way} {}", melted("a", article)));
            }
            (_, _, Some(stem)) if article == "el" => forms.push(format!("{stem} del")),
            (_, Some(stem), _) if article == "el" => forms.push(format!("{stem} al")),
            _ => forms.push(format!("{way} {article}")),
        }
    }
    forms.iter().map(|form| pieces(form)).collect()
}

/// The verb of a place, as one piece.
fn copula(language: Language) -> &'static str {
    match language {
        Language::Italian => "e",
        Language::German => "ist",
        Language::Spanish => "está",
    }
}

impl Phrase {
    /// Whether the pieces are a right translation, as far as can be told; false wherever that is uncertain.
    pub(super) fn is_said_by(&self, pieces: &[String], language: Language) -> bool {
        let verb = copula(language);
        let (subject, rest) = match pieces.iter().position(|piece| piece == verb) {
            Some(place) => (pieces.get(..place), pieces.get(place + 1..)),
            None => (Some(&[][..]), Some(pieces)),
        };
        let (Some(subject), Some(rest)) = (subject, rest) else {
            return false;
        };
        (subject.is_empty() || self.is_subject(subject, language)) && self.is_place(rest, language)
    }

    fn is_subject(&self, said: &[String], language: Language) -> bool {
        nouns().filter(|row| self.subject.is_none_or(|subject| subject == *row)).any(|row| {
            let noun = language.of(row).to_lowercase();
            article(&noun, language).is_some_and(|article| said == [article, noun.as_str()])
        })
    }

    fn is_place(&self, said: &[String], language: Language) -> bool {
        let noun = language.of(self.thing);
        let forms = relation_forms(self.relation, noun, language).into_iter();
        let quality = self.quality.map(|quality| agreeing(language.of(quality), noun, language));
        let mut wanted = forms.map(|mut form| {
            form.push(noun.to_owned());
            form.extend(quality.clone());
            form
        });
        wanted.any(|wanted| wanted == said)
    }

    /// Lessons of it in a language: relation with article, thing, and quality as it stands there.
    pub fn lessons(&self, language: Language) -> Vec<Lesson> {
        let noun = language.of(self.thing);
        let Some(form) = relation_forms(self.relation, noun, language).into_iter().next() else {
            return Vec::new();
        };
        let verb = if language == Language::Italian { "è" } else { copula(language) };
        let relation = written(&form);
        let mut taught = vec![
            Lesson::new(&format!("is {} the", self.relation.0), &format!("{verb} {relation}")),
            Lesson::new(self.thing.0, noun),
        ];
        taught.extend(
            self.quality.map(|quality| Lesson::new(quality.0, &agreeing(language.of(quality), noun, language))),
        );
        taught
    }
}

/// Pieces of Italian or Spanish as they are written, up to where a noun follows.
fn written(pieces: &[String]) -> String {
    let text = pieces.join(" ");
    // Before a vowel the article loses its vowel.
    match pieces.last().map(String::as_str) {
        Some("l" | "all" | "sull") => text + "'",
        _ => text,
    }
}

/// Whether a pair of words is one of the course, in whichever form: with or without copula and article. Pairs of other
/// words may be as true, but nobody here can tell.
pub fn is_known_pair(lesson: &Lesson, language: Language) -> bool {
    let Some((kind, row)) = entry(&lesson.word) else {
        return false;
    };
    let said = pieces(&lesson.translation);
    let word = language.of(row).to_lowercase();
    let is_word = |said: &[String], word: &str| said == pieces(word);
    match kind {
        Kind::Quality => {
            let stem = word.strip_suffix('o').filter(|_| language != Language::German);
            is_word(&said, &word) || stem.is_some_and(|stem| is_word(&said, &format!("{stem}a")))
        }
        Kind::Thing => match said.split_first() {
            Some((first, rest)) if !rest.is_empty() => {
                is_word(rest, &word) && article(&word, language) == Some(first.as_str())
            }
            _ => is_word(&said, &word),
        },
        Kind::Relation => {
            let bare = match said.split_first() {
                Some((first, rest)) if first == copula(language) => rest,
                _ => &said,
            };
            let bare_ways = ways(row, language);
            let same = |way: &str| {
                let stem = way.strip_suffix(" a").unwrap_or(way);
                is_word(bare, way) || (language == Language::Italian && is_word(bare, stem))
            };
            let forms = nouns().flat_map(|thing| relation_forms(row, language.of(thing), language));
            bare_ways.into_iter().any(same) || forms.into_iter().any(|form| form == bare)
        }
    }
}

/// Whether relations of the course have these words, for whoever looks for a phrase: the longest first.
pub(super) fn relation_at(words: &[String]) -> Option<(&'static Row, usize)> {
    let length = |row: &Row| {
        let mut here = words.iter();
        let mut parts = row.0.split(' ');
        parts.all(|part| here.next().is_some_and(|word| word == part)).then(|| words.len() - here.len())
    };
    relations().filter_map(|row| Some((row, length(row)?))).max_by_key(|(_, length)| *length)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn phrase(parts: [&str; 4]) -> Phrase {
        let row = |english: &str| entry(english).map(|(_, row)| row);
        let [subject, relation, thing, quality] = parts;
        Phrase {
            subject: row(subject),
            relation: row(relation).unwrap(),
            thing: row(thing).unwrap(),
            quality: row(quality),
        }
    }

    fn is_right(phrase: &Phrase, language: Language, text: &str) -> bool {
        phrase.is_said_by(&pieces(text), language)
    }

    #[test]
    fn a_right_sentence_is_right_and_each_change_makes_it_wrong() {
        let chair = phrase(["cat", "under", "chair", "red"]);
        let tree = phrase(["", "next to", "tree", "green"]);
        let box_ = phrase(["dog", "behind", "box", ""]);
        let table: [(&Phrase, Language, &[&str], &[&str]); 4] = [
            (
                &chair,
                Language::Italian,
                &["Il gatto è sotto la sedia rossa", "e sotto la sedia rossa", "sotto alla sedia rossa"],
                &[
                    "il gatto è sotto la sedia rosso",
                    "il gatto è sotto la rossa sedia",
                    "il cane è sotto la sedia rossa",
                    "il gatto è sopra la sedia rossa",
                    "il gatto è sotto la sedia",
                    "la gatto è sotto la sedia rossa",
                    "il gatto è sotto il sedia rossa",
                    "el gato está debajo de la silla roja",
                    "il gatto sotto la sedia rossa",
                    "sotto la sedia rossa rossa",
                    "",
                    "il gatto è",
                    "un gatto è sotto la sedia rossa",
                ],
            ),
            (
                &chair,
                Language::Spanish,
                &["El gato está debajo de la silla roja"],
                &[
                    "el gato es debajo de la silla roja",
                    "el gato esta debajo de la silla roja",
                    "está debajo del silla roja",
                ],
            ),
            (
                &tree,
                Language::Italian,
                &["e accanto all'albero verde", "il cavallo è vicino all'albero verde"],
                &["e accanto al albero verde", "e accanto a l'albero verde", "la cavallo è vicino all'albero verde"],
            ),
            (&box_, Language::German, &[], &["der Hund ist hinter der Kiste", "ist hinter der Kiste"]),
        ];
        for (phrase, language, right, wrong) in table {
            for text in right {
                assert!(is_right(phrase, language, text), "{text}");
            }
            for text in wrong {
                assert!(!is_right(phrase, language, text), "{text}");
            }
        }
    }

    #[test]
    fn what_is_taught_of_a_phrase_makes_its_right_sentence() {
        for language in [Language::Italian, Language::Spanish] {
            for relation in relations() {
                for thing in nouns() {
                    for quality in ["red", "blue", ""] {
                        let phrase = phrase(["", relation.0, thing.0, quality]);
                        let lessons = phrase.lessons(language);
                        let parts: Vec<&str> = lessons.iter().map(|lesson| lesson.translation.as_str()).collect();
                        let said = parts.join(" ");
                        assert!(is_right(&phrase, language, &said), "{said}");
                        for lesson in &lessons {
                            assert!(is_known_pair(lesson, language), "{lesson:?}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn only_pairs_of_the_course_are_known() {
        let table = [
            ("box", "scatola", true),
            ("tree", "l'albero", true),
            ("is behind the", "e dietro il", true),
            ("red", "rossa", true),
            ("is next to the", "e vicino al", true),
            ("is next to the", "e vicino", true),
            ("tree", "il albero", false),
            ("cat", "under red chair", false),
            ("box", "caja", false),
            ("red", "rossi", false),
            ("nobody", "perfect", false),
            ("is behind the", "e sotto il", false),
            ("box", "", false),
            ("", "scatola", false),
        ];
        for (word, translation, expected) in table {
            let known = is_known_pair(&Lesson::new(word, translation), Language::Italian);
            assert_eq!(known, expected, "{word} = {translation}");
        }
    }
}
