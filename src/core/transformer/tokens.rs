//! From texts to tokens and back. Names of things and numbers are tokens of their own; what stands between them is
//! one token where training saw it often, else one for each word; what no token is for is read byte by byte. A token
//! never crosses the end of a line, the prompt's `>` or the word that says which kind a move is (`think:`), so that
//! prompts and what may follow them meet on a border.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

/// The token that stands where there is none, such as before the first.
pub const NOTHING: u32 = 0;
/// The first of 256 tokens for bytes.
const BYTES: u32 = 1;
/// The first token that is no byte.
const PIECES: u32 = BYTES + 256;
/// Numbers below it are tokens of their own.
const NUMBERS: u32 = 100;

/// All tokens of a model.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "Written", into = "Written")]
pub struct Vocabulary {
    names: BTreeSet<String>,
    pieces: Vec<String>,
    ids: FxHashMap<String, u32>,
}

/// A vocabulary as it stands in a file.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    /// Names of things, which no longer piece may hold.
    names: BTreeSet<String>,
    /// The texts of the tokens after those of bytes.
    pieces: Vec<String>,
}

impl TryFrom<Written> for Vocabulary {
    type Error = String;

    fn try_from(written: Written) -> Result<Self, String> {
        let Written { names, pieces } = written;
        let ids: FxHashMap<String, u32> = pieces.iter().cloned().zip(PIECES..).collect();
        if ids.len() < pieces.len() || ids.contains_key("") {
            return Err("`pieces` must be texts, each of them once".to_owned());
        }
        Ok(Self { names, pieces, ids })
    }
}

impl From<Vocabulary> for Written {
    fn from(vocabulary: Vocabulary) -> Self {
        let Vocabulary { names, pieces, .. } = vocabulary;
        Self { names, pieces }
    }
}

/// A part of a text that tokens are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part<'a> {
    /// The end of a line, `>`, a number, or the word for the kind of a move: a token that joins no other.
    Alone(&'a str),
    /// A word or sign, with the blank before it.
    Word(&'a str),
    /// Anything else: a byte at a time.
    Other(&'a str),
}

impl Vocabulary {
    /// The number of tokens.
    pub fn len(&self) -> usize {
        PIECES as usize + self.pieces.len()
    }

    /// The tokens of each name: without a blank before it, and with one.
    pub fn names(&self) -> impl Iterator<Item = [u32; 2]> + '_ {
        let id = |text: &str| self.ids.get(text).copied();
        self.names.iter().filter_map(move |name| Some([id(name)?, id(&format!(" {name}"))?]))
    }

    /// Whether it has no tokens but those of bytes.
    pub fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// The tokens of a text.
    pub fn tokens(&self, text: &str) -> Vec<u32> {
        let mut tokens = Vec::with_capacity(text.len() / 6);
        let mut run: Option<(usize, usize)> = None;
        let mut at = 0;
        for part in parts(text) {
            let (Part::Alone(piece) | Part::Word(piece) | Part::Other(piece)) = part;
            let end = at + piece.len();
            let joins = matches!(part, Part::Word(_)) && !self.names.contains(piece.trim_start());
            match (&mut run, joins) {
                (Some((_, last)), true) => *last = end,
                (None, true) => run = Some((at, end)),
                (_, false) => {
                    if let Some((start, last)) = run.take() {
                        self.join(&text[start..last], &mut tokens);
                    }
                    self.piece(piece, &mut tokens);
                }
            }
            at = end;
        }
        if let Some((start, last)) = run {
            self.join(&text[start..last], &mut tokens);
        }
        tokens
    }

    /// Words between names: one token if there is one for all of them.
    fn join(&self, run: &str, tokens: &mut Vec<u32>) {
        match self.ids.get(run) {
            Some(id) => tokens.push(*id),
            None => parts(run).for_each(|part| {
                let (Part::Alone(piece) | Part::Word(piece) | Part::Other(piece)) = part;
                self.piece(piece, tokens);
            }),
        }
    }

    fn piece(&self, text: &str, tokens: &mut Vec<u32>) {
        match self.ids.get(text) {
            Some(id) => tokens.push(*id),
            None => tokens.extend(text.bytes().map(|byte| BYTES + u32::from(byte))),
        }
    }

    /// The text of tokens. Bytes that are no text become the sign for that.
    pub fn text(&self, tokens: &[u32]) -> String {
        let mut bytes = Vec::new();
        for token in tokens {
            match token.checked_sub(PIECES) {
                Some(piece) => {
                    let piece = self.pieces.get(piece as usize).map_or("", String::as_str);
                    bytes.extend_from_slice(piece.as_bytes());
                }
                None => bytes.extend(token.checked_sub(BYTES).and_then(|byte| u8::try_from(byte).ok())),
            }
        }
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

/// Collects the vocabulary of texts.
#[derive(Clone, Debug, Default)]
pub struct VocabularyCounter {
    names: BTreeSet<String>,
    runs: BTreeMap<String, usize>,
    texts: Vec<String>,
}

impl VocabularyCounter {
    /// Names that are known to be some, whether or not a text has them.
    pub fn names(&mut self, names: impl IntoIterator<Item = String>) {
        self.names.extend(names);
    }

    /// Counts a text. What stands before a number is a name.
    pub fn count(&mut self, text: &str) {
        let mut last = None;
        for part in parts(text) {
            if let (Some(Part::Word(word)), Part::Alone(number)) = (last, part)
                && is_number(number)
                && word.trim_start().len() > 2
                && word.bytes().all(|byte| byte == b' ' || byte.is_ascii_lowercase())
            {
                self.names.insert(word.trim_start().to_owned());
            }
            last = Some(part);
        }
        self.texts.push(text.to_owned());
    }

    /// The tokens: all that stands alone, all names and words, and runs of words that were there that often.
    pub fn vocabulary(mut self, least: usize) -> Vocabulary {
        let mut pieces: BTreeSet<String> = (0..NUMBERS).map(|number| format!(" {number}")).collect();
        for name in &self.names {
            pieces.extend([name.clone(), format!(" {name}")]);
        }
        for text in std::mem::take(&mut self.texts) {
            self.runs_of(&text, &mut pieces);
        }
        let often = self.runs.into_iter().filter(|(_, times)| *times >= least);
        pieces.extend(often.map(|(run, _)| run));
        let pieces: Vec<String> = pieces.into_iter().collect();
        Vocabulary { ids: pieces.iter().cloned().zip(PIECES..).collect(), names: self.names, pieces }
    }

    fn runs_of(&mut self, text: &str, pieces: &mut BTreeSet<String>) {
        let mut run = String::new();
        let end = |run: &mut String, runs: &mut BTreeMap<String, usize>| {
            if !run.is_empty() {
                *runs.entry(std::mem::take(run)).or_default() += 1;
            }
        };
        for part in parts(text) {
            match part {
                Part::Word(word) if !self.names.contains(word.trim_start()) => {
                    run.push_str(word);
                    pieces.insert(word.to_owned());
                }
                Part::Alone(piece) if !is_number(piece) => {
                    end(&mut run, &mut self.runs);
                    pieces.insert(piece.to_owned());
                }
                _ => end(&mut run, &mut self.runs),
            }
        }
        end(&mut run, &mut self.runs);
    }
}

fn is_number(text: &str) -> bool {
    text.ends_with(|last: char| last.is_ascii_digit())
}

/// Cuts a text into parts, which together are the text.
fn parts(text: &str) -> impl Iterator<Item = Part<'_>> {
    let mut rest = text;
    let mut opens = true;
    std::iter::from_fn(move || {
        let (part, length) = first(rest, opens)?;
        opens = matches!(part, Part::Alone(">"));
        rest = &rest[length..];
        Some(part)
    })
}

/// The first part of a text; `opens` where a move may begin.
fn first(text: &str, opens: bool) -> Option<(Part<'_>, usize)> {
    let bytes = text.as_bytes();
    let blank = usize::from(*bytes.first()? == b' ');
    let run = |of: fn(&u8) -> bool| bytes[blank..].iter().take_while(|byte| of(byte)).count();
    let part = |length: usize| &text[..blank + length];
    let found = match bytes.get(blank) {
        Some(b'\n' | b'>') if blank == 0 => Part::Alone(part(1)),
        Some(byte) if byte.is_ascii_digit() => Part::Alone(part(run(u8::is_ascii_digit))),
        Some(byte) if byte.is_ascii_alphabetic() => {
            let letters = run(u8::is_ascii_alphabetic);
            match bytes.get(blank + letters) {
                Some(b':') if opens && blank == 1 => Part::Alone(part(letters + 1)),
                _ => Part::Word(part(letters)),
            }
        }
        Some(byte) if byte.is_ascii_graphic() && *byte != b'>' => Part::Word(part(1)),
        _ => {
            let length = text.chars().next().map_or(0, char::len_utf8);
            return Some((Part::Other(&text[..length]), length));
        }
    };
    let (Part::Alone(piece) | Part::Word(piece) | Part::Other(piece)) = found;
    Some((found, piece.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vocabulary() -> Vocabulary {
        let mut counter = VocabularyCounter::default();
        counter.names(["mug".to_owned()]);
        for _ in 0..3 {
            counter.count("You see a desk 1.\n> think: I look for it.\nOK.\n> go to desk 1\n");
        }
        counter.vocabulary(3)
    }

    #[test]
    fn names_numbers_and_phrases_are_tokens() {
        let vocabulary = vocabulary();
        let pieces = |text: &str| {
            let tokens = vocabulary.tokens(text);
            assert_eq!(vocabulary.text(&tokens), text);
            tokens.iter().map(|token| vocabulary.text(&[*token])).collect::<Vec<_>>()
        };
        assert_eq!(pieces(" go to desk 1\n"), [" go to", " desk", " 1", "\n"]);
        assert_eq!(pieces("> think: I look for it."), [">", " think:", " I look for it."]);
        assert_eq!(pieces(" go to mug 7"), [" go to", " mug", " 7"]);
        assert_eq!(pieces(" look go"), [" look", " go"]);
    }

    #[test]
    fn what_is_unknown_is_read_byte_by_byte() {
        let vocabulary = vocabulary();
        for text in ["  a\tö→ 1234 zebra 1 >x>", "", "\r\n", "think: a", " > think:"] {
            assert_eq!(vocabulary.text(&vocabulary.tokens(text)), text);
        }
        assert_eq!(vocabulary.tokens(" zebra").len(), 6);
    }

    #[test]
    fn texts_meet_on_borders() {
        let vocabulary = vocabulary();
        let (prompt, next) = ("You see a desk 1.\n>", " go to desk 1\n");
        let mut both = vocabulary.tokens(prompt);
        both.extend(vocabulary.tokens(next));
        assert_eq!(both, vocabulary.tokens(&format!("{prompt}{next}")));
    }
}
