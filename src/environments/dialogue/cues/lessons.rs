//! The lessons of a tutor, and the word that a student asks for.

use super::english::{is_common, words};
use super::vocabulary::{is_foreign, is_known, is_small};
use rolecall_core::text::has_word;

/// A word or phrase with its translation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lesson {
    /// In English, in small letters.
    pub word: String,
    /// In the language that is taught, as it was written.
    pub translation: String,
}

impl Lesson {
    /// A pair of words.
    pub(super) fn new(word: &str, translation: &str) -> Self {
        let [word, translation] = [word, translation].map(str::to_owned);
        Self { word, translation }
    }
}

/// A piece of an utterance: a word, a quotation, or a mark that ends a clause.
#[derive(Clone, Debug, PartialEq)]
enum Token {
    Word(String),
    Quoted(String),
    Mark,
}

impl Token {
    /// Whether it is one of the words of a list.
    fn is(&self, words: &str) -> bool {
        matches!(self, Self::Word(word) if has_word(words, &word.to_lowercase()))
    }

    fn text(&self) -> &str {
        match self {
            Self::Word(text) | Self::Quoted(text) => text,
            Self::Mark => "",
        }
    }
}

/// Words, quotations and marks, in order.
fn tokens(text: &str) -> Vec<Token> {
    let chars: Vec<char> = text.replace("\\'", "'").chars().collect();
    let mut found = Vec::new();
    let mut place = 0;
    while let Some(&c) = chars.get(place) {
        let rest = chars.get(place + 1..).unwrap_or_default();
        if let Some(length) = quotation(c, place.checked_sub(1).and_then(|before| chars.get(before)), rest) {
            let inner: String = rest.iter().take(length).collect();
            let inner = inner.trim_matches(|c: char| !c.is_alphanumeric() && c != '\'' && c != '’');
            found.push(Token::Quoted(inner.to_owned()));
            place += length + 2;
        } else if c.is_alphanumeric() {
            let inside = |c: &&char| c.is_alphanumeric() || ['\'', '’', '-'].contains(c);
            let word: String = chars.iter().skip(place).take_while(inside).collect();
            place += word.chars().count();
            found.push(Token::Word(word.trim_end_matches(['\'', '’', '-']).to_owned()));
        } else {
            if c == '=' {
                found.push(Token::Word(c.to_string()));
            } else if !c.is_whitespace() {
                found.push(Token::Mark);
            }
            place += 1;
        }
    }
    found
}

/// The length of the quotation that opens here, if one does.
fn quotation(opens: char, before: Option<&char>, rest: &[char]) -> Option<usize> {
    let closing: &[char] = match opens {
        '"' | '“' | '„' | '”' | '«' => &['"', '“', '”', '»'],
        '\'' | '‘' if before.is_none_or(|c| !c.is_alphanumeric()) => &['\'', '’'],
        _ => return None,
    };
    let single = closing.contains(&'\'');
    let ends = |at: usize| {
        let after = rest.get(at + 1);
        !single || after.is_none_or(|c| !c.is_alphanumeric())
    };
    let found = (0..rest.len()).find(|at| rest.get(*at).is_some_and(|c| closing.contains(c)) && ends(*at));
    found.filter(|length| *length > 0)
}

/// The pairs that an utterance teaches: `"box" is "scatola"`, `the word for red is rosso`, `tree = Baum`.
pub fn taught(text: &str) -> Vec<Lesson> {
    let tokens = tokens(text);
    let ends = |token: &Token| *token == Token::Mark || token.is("and but");
    tokens.split(ends).filter_map(lesson).collect()
}

fn lesson(clause: &[Token]) -> Option<Lesson> {
    let copula = clause.iter().rposition(|token| token.is("is means ="))?;
    let (left, right) = (clause.get(..copula)?, clause.get(copula + 1..)?);
    let (mut word, mut translation) = (named(left)?, said(right)?);
    if right.iter().any(|token| token.is("word")) || (is_known(&translation) && !is_known(&word)) {
        (word, translation) = (translation, word);
    }
    let word = word.to_lowercase();
    let small = translation.to_lowercase();
    let is_pair = !word.is_empty() && !small.is_empty() && word != small && !has_english(&small);
    is_pair.then_some(Lesson { word, translation })
}

/// Whether there is English in what should be a translation: `under the red chair`.
fn has_english(translation: &str) -> bool {
    const ENGLISH: &str = "the is it of and under on at with to";
    let is_english = |word| {
        let course = is_known(word) && !is_foreign(word, None);
        let common = is_common(word) && !is_foreign(word, None) && !is_small(word);
        course || common || has_word(ENGLISH, word)
    };
    words(translation).any(is_english)
}

/// The word that is taught, from the tokens before the copula: a quotation, or a few words without those that
/// only lead to them.
fn named(left: &[Token]) -> Option<String> {
    const NOT: &str = "this it that what which there here your answer how who where he she everything order you l \
        sentence one adjective noun i rest";
    const LEADING: &str = "hmm well ok okay yes no remember that the a an so actually again close almost think nice \
        try good great word italian german spanish as";
    if let Some(Token::Quoted(text)) = left.iter().rfind(|token| matches!(token, Token::Quoted(_))) {
        return Some(text.clone());
    }
    let left = left.rsplit(|token| token.is("for")).next()?;
    let until = left.iter().position(|token| token.is("in"));
    let is_language = |next: &Token| next.is("italian german spanish english");
    let until = until.filter(|place| left.get(place + 1).is_some_and(is_language));
    let left = left.get(..until.unwrap_or(left.len()))?;
    let skipped = left.iter().take_while(|token| token.is(LEADING)).count();
    let left = left.get(skipped..)?;
    let fits = !left.is_empty() && left.len() <= 5 && !left.iter().any(|token| token.is(NOT));
    fits.then(|| joined(left))
}

/// Its translation, from the tokens behind the copula: a quotation, those after `the word for`, or some that are
/// not English.
fn said(right: &[Token]) -> Option<String> {
    if let Some(place) = right.iter().position(|token| token.is("for")) {
        let word = right.get(place + 1..)?;
        let about = right.iter().take(place).any(|token| token.is("word"));
        return (about && !word.is_empty() && word.len() <= 5).then(|| joined(word));
    }
    if let Token::Quoted(text) = right.first()? {
        return Some(text.clone());
    }
    let foreign = |token: &&Token| !is_common(token.text()) || is_known(token.text());
    let many = right.iter().filter(foreign).count();
    (right.len() <= 5 && many * 2 > right.len()).then(|| joined(right))
}

fn joined(tokens: &[Token]) -> String {
    let texts: Vec<&str> = tokens.iter().map(Token::text).collect();
    texts.join(" ")
}

/// Ways of asking for the translation of the words that follow.
const ASKING: &[&str] = &[
    "how do you say",
    "how do i say",
    "how would you say",
    "how can i say",
    "how to say",
    "word for",
    "italian for",
    "german for",
    "spanish for",
    "what is",
    "what's",
    "whats",
    "what about",
];

/// The English word or phrase whose translation is asked for, in small letters.
pub fn asked_word(text: &str) -> Option<String> {
    let tokens = tokens(text);
    let end = |at: usize, way: &str| {
        let mut rest = tokens.get(at..)?.iter();
        let is_there = way.split(' ').all(|word| rest.next().is_some_and(|token| token.is(word)));
        is_there.then(|| tokens.len() - rest.len())
    };
    let ends = |at| ASKING.iter().filter_map(move |way| end(at, way));
    let after = (0..tokens.len()).flat_map(ends).max()?;
    let clause = tokens.get(after..)?.split(|token| *token == Token::Mark).next()?;
    let is_quoted = |token: &&Token| matches!(token, Token::Quoted(_));
    if let Some(quoted) = clause.iter().find(is_quoted) {
        return Some(quoted.text().to_lowercase());
    }
    let clause = clause.get(clause.iter().take_while(|token| token.is("the a an")).count()..)?;
    // `in` belongs to a relation, and to `in Italian` only otherwise.
    let trailing = if clause.first().is_some_and(|token| token.is("is in")) {
        "italian german spanish again please"
    } else {
        "in italian german spanish again please then though word"
    };
    let kept: Vec<&str> = clause.iter().take_while(|token| !token.is(trailing)).map(Token::text).collect();
    let word = kept.join(" ").to_lowercase();
    const ABOUT_WORDS: &str = "answer sentence wrong correct right mean it this that";
    let lone = word == "next" || has_word(ABOUT_WORDS, &word) || kept.iter().any(|part| has_word(ABOUT_WORDS, part));
    (!word.is_empty() && kept.len() <= 5 && !lone).then_some(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(text: &str) -> Vec<(String, String)> {
        taught(text).into_iter().map(|one| (one.word, one.translation)).collect()
    }

    #[test]
    fn lessons_are_read_with_and_without_quotation_marks() {
        let table: [(&str, &[(&str, &str)]); 12] = [
            ("\"Box\" is \"scatola\". Please try.", &[("box", "scatola")]),
            ("Hmm... 'is in front of the' is 'e di fronte al'", &[("is in front of the", "e di fronte al")]),
            ("Hmm... is next to the is e accanto al", &[("is next to the", "e accanto al")]),
            ("box is \"scatola\" and yellow is \"gialla\".  Can you?", &[("box", "scatola"), ("yellow", "gialla")]),
            ("The word for red in Italian is rossa.", &[("red", "rossa")]),
            ("'gialla' is the word for \"yellow\"", &[("yellow", "gialla")]),
            ("Remember that “tree” is “l'albero”", &[("tree", "l'albero")]),
            ("OK, 'tree' is 'l'albero'", &[("tree", "l'albero")]),
            ("gialla is yellow", &[("yellow", "gialla")]),
            ("Tree = Baum", &[("tree", "Baum")]),
            ("l' (\"the\") is prepended to the following word when it begins with a vowel", &[]),
            ("This is right. It is behind the pole. What is it?", &[]),
        ];
        for (text, expected) in table {
            let found = pairs(text);
            let found: Vec<(&str, &str)> = found.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn the_word_that_is_asked_for_is_found() {
        let table = [
            ("Okay. What is tree again?", Some("tree")),
            ("How do you say \"behind\" in Italian?", Some("behind")),
            ("what is the word for is in front of?", Some("is in front of")),
            ("Yes, green is verde, but what's the Italian word for table?", Some("table")),
            ("Can you help tell me the word for red?", Some("red")),
            ("So what is the correct answer?", None),
            ("il cane e dietro", None),
            ("What is it?", None),
            ("", None),
        ];
        for (text, expected) in table {
            assert_eq!(asked_word(text).as_deref(), expected, "{text}");
        }
    }
}
