//! The words of a text, and the phrases of the table that stand in them.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use rolecall_core::text::has_word;

/// The table of phrases.
const TABLE: &str = include_str!("words.txt");

/// The most words of a text that are read.
const MOST: usize = 4_000;

/// A word or mark of a text.
struct Word {
    /// Where it begins.
    start: usize,
    /// Where it ends.
    end: usize,
    /// In small letters.
    low: String,
}

/// A text as its words; full stops, commas and the like are words too, hyphens are none.
pub(super) struct Text<'a> {
    source: &'a str,
    words: Vec<Word>,
}

/// A piece of a phrase.
enum Piece {
    Number,
    Money,
    Words(Vec<&'static str>),
}

/// A row of the table: its name, and its phrases.
struct Row {
    name: &'static str,
    phrases: Vec<Vec<Piece>>,
}

static ROWS: LazyLock<Vec<Row>> = LazyLock::new(|| {
    let rows = TABLE.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once(": "));
    let row =
        |(name, phrases): (&'static str, &'static str)| Row { name, phrases: phrases.split(';').map(pieces).collect() };
    rows.map(row).collect()
});

fn pieces(phrase: &'static str) -> Vec<Piece> {
    let piece = |word: &'static str| match word {
        "{n}" => Piece::Number,
        "{money}" => Piece::Money,
        _ => Piece::Words(word.split('|').collect()),
    };
    phrase.split_whitespace().map(piece).collect()
}

/// The words of a row that is a list of words.
pub(super) fn list(name: &str) -> &'static str {
    static LISTS: LazyLock<FxHashMap<&str, &str>> =
        LazyLock::new(|| TABLE.lines().rev().filter_map(|line| line.split_once(": ")).collect());
    LISTS.get(name).copied().unwrap_or_default()
}

/// The position of a word in a list.
fn position(words: &str, word: &str) -> Option<i64> {
    (0..).zip(words.split(' ')).find(|(_, listed)| *listed == word).map(|(at, _)| at)
}

/// A phrase that was found.
pub(super) struct Found {
    /// The name of its row behind the first word.
    pub of: &'static str,
    /// Where it begins.
    pub at: usize,
    /// Where it ends.
    pub end: usize,
    /// The sum of its numbers.
    pub number: i64,
}

impl<'a> Text<'a> {
    /// The words of a text.
    pub(super) fn new(source: &'a str) -> Self {
        let mut words: Vec<Word> = Vec::new();
        let mut letters = source.char_indices().peekable();
        let abbreviated = list("abbreviated");
        while let Some((start, letter)) = letters.next() {
            let is_mark = matches!(letter, '.' | '?' | '!' | ';' | ':' | '\n' | ',' | '(' | ')');
            if words.len() >= MOST {
                break;
            }
            if !letter.is_alphanumeric() && letter != '$' && !is_mark {
                continue;
            }
            let mut end = start + letter.len_utf8();
            while let Some((_, next)) = letters.peek().copied().filter(|_| !is_mark) {
                let after = source[end + next.len_utf8()..].chars().next();
                let digits = after.is_some_and(|after| after.is_ascii_digit());
                let belongs = match next {
                    '\'' | '’' => after.is_some_and(char::is_alphabetic),
                    ',' | '.' => digits && source[..end].ends_with(|last: char| last.is_ascii_digit()),
                    _ => next.is_alphanumeric(),
                };
                if !belongs {
                    break;
                }
                end += next.len_utf8();
                letters.next();
            }
            let mut low = source[start..end].to_lowercase().replace('’', "'");
            if has_word(abbreviated, &low) && letters.next_if(|(_, next)| *next == '.').is_some() {
                end += 1;
            }
            if is_mark && !matches!(letter, ',' | '(') {
                low = ".".to_owned();
            }
            words.push(Word { start, end, low });
        }
        Self { source, words }
    }

    /// How many words there are.
    pub(super) fn len(&self) -> usize {
        self.words.len()
    }

    /// The word at a place, in small letters; empty beyond the ends.
    pub(super) fn word(&self, at: usize) -> &str {
        self.words.get(at).map_or("", |word| word.low.as_str())
    }

    /// The text without blanks around it.
    pub(super) fn trimmed(&self) -> &'a str {
        self.source.trim()
    }

    /// Whether a name stands in it.
    pub(super) fn mentions(&self, name: &str) -> bool {
        self.source.contains(name)
    }

    /// The number that the word at a place is.
    pub(super) fn number(&self, at: usize) -> Option<i64> {
        let word = self.word(at);
        let spelled = || position(list("numbers"), word);
        digits(word).or_else(spelled)
    }

    /// The number that the word at a place counts with (`3rd`).
    pub(super) fn ordinal(&self, at: usize) -> Option<i64> {
        let word = self.word(at);
        let endings = ["st", "nd", "rd", "th"];
        endings
            .iter()
            .filter_map(|ending| word.strip_suffix(ending))
            .find_map(digits)
            .or_else(|| position(list("ordinals"), word))
    }

    /// The month that the word at a place is.
    pub(super) fn month(&self, at: usize) -> Option<i64> {
        let word = self.word(at);
        let months = list("months").split(' ');
        let is_month = |month: &str| word.len() >= 3 && month.starts_with(word);
        (1..).zip(months).find(|(_, month)| is_month(month)).map(|(at, _)| at)
    }

    /// The dollars at a place, and the place behind them.
    fn money(&self, at: usize) -> Option<(i64, usize)> {
        if let Some(sum) = self.word(at).strip_prefix('$') {
            let (sum, next) = match sum {
                "" => (self.word(at + 1), at + 2),
                sum => (sum, at + 1),
            };
            let (sum, times) = sum.strip_suffix('k').map_or((sum, 1), |sum| (sum, 1000));
            return Some((digits(sum)?.checked_mul(times)?, next));
        }
        let number = self.number(at)?;
        has_word("dollars usd bucks", self.word(at + 1)).then_some((number, at + 2))
    }

    /// The name of a city that begins at a place, and the place behind it.
    pub(super) fn name(&self, at: usize) -> Option<(&'a str, usize)> {
        let begins = |at: usize| {
            let word = self.words.get(at)?;
            let text = self.source.get(word.start..word.end)?;
            let is_name = text.strip_prefix("d'").unwrap_or(text).starts_with(char::is_uppercase)
                && !has_word(list("common"), &word.low);
            is_name.then_some(word)
        };
        let first = begins(at)?;
        let (mut end, mut next) = (first.end, at + 1);
        loop {
            let joined = usize::from(has_word("of de du la", self.word(next)));
            let Some(word) = begins(next + joined) else {
                break;
            };
            (end, next) = (word.end, next + joined + 1);
        }
        let name = self.source.get(first.start..end)?;
        let name = name.strip_suffix("'s").unwrap_or(name);
        let is_other = has_word(list("elsewhere"), &name.to_lowercase().replace(' ', "-"));
        (!is_other).then_some((name, next))
    }

    /// The phrase of the rows with this name, or with it as their first word, that is found: of the first such row
    /// the first one in the text.
    pub(super) fn find(&self, name: &str) -> Option<Found> {
        self.all(name).next()
    }

    /// All phrases of such rows: row by row, in the order of the text.
    pub(super) fn all(&self, name: &str) -> impl Iterator<Item = Found> {
        let places = 0..self.words.len();
        rows(name).flat_map(move |(of, row)| places.clone().filter_map(move |at| self.row_at(row, of, at)))
    }

    /// The phrase of such rows that begins at a place.
    pub(super) fn at(&self, name: &str, at: usize) -> Option<Found> {
        rows(name).find_map(|(of, row)| self.row_at(row, of, at))
    }

    /// Whether a phrase of such rows ends at a place.
    pub(super) fn ends_at(&self, name: &str, at: usize) -> bool {
        let starts = at.saturating_sub(4)..at;
        starts.rev().any(|start| {
            rows(name).any(|(_, row)| {
                row.phrases.iter().any(|phrase| self.phrase_at(phrase, start).is_some_and(|(end, _)| end == at))
            })
        })
    }

    fn row_at(&self, row: &Row, of: &'static str, at: usize) -> Option<Found> {
        let (end, number) = row.phrases.iter().filter_map(|phrase| self.phrase_at(phrase, at)).next()?;
        Some(Found { of, at, end, number })
    }

    /// The end of a phrase that begins at a place, and the sum of its numbers.
    fn phrase_at(&self, phrase: &[Piece], start: usize) -> Option<(usize, i64)> {
        phrase.iter().try_fold((start, 0_i64), |(at, sum), piece| {
            let (number, next) = match piece {
                Piece::Words(words) => words.contains(&self.word(at)).then_some((0, at + 1)),
                Piece::Number => self.number(at).map(|number| (number, at + 1)),
                Piece::Money => self.money(at),
            }?;
            Some((next, sum.saturating_add(number)))
        })
    }

    /// Whether the clause of a place says no to what stands there: up to eight words before it, or right behind it.
    pub(super) fn is_negated(&self, at: usize) -> bool {
        let ends = |word: &str| matches!(word, "," | "." | "but");
        let before = (at.saturating_sub(8)..at).rev();
        let before = before.take_while(|place| !ends(self.word(*place)));
        let after = (at + 1..at + 4).take_while(|place| !ends(self.word(*place)));
        let is_no = |place: usize| self.at("no", place).is_some() && self.at("neutral", place + 1).is_none();
        before.chain(after).any(is_no)
    }
}

/// The rows with this name, or with it as their first word, and the rest of their names.
fn rows(name: &str) -> impl Iterator<Item = (&'static str, &'static Row)> {
    ROWS.iter().filter_map(move |row| {
        let of = row.name.strip_prefix(name)?;
        let of = if of.is_empty() { of } else { of.strip_prefix(' ')? };
        Some((of, row))
    })
}

/// The number that digits write, with commas between thousands; cents are left out.
fn digits(word: &str) -> Option<i64> {
    let whole = word.split_once('.').map_or(word, |(whole, _)| whole);
    let is_number = whole.len() <= 15 && whole.starts_with(|first: char| first.is_ascii_digit());
    is_number.then(|| whole.replace(',', "").parse().ok())?
}
