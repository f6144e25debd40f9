//! Sentences and their words.

use rolecall_core::text::has_word;

/// A sentence in lower-case words. Commas are words of their own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sentence {
    /// The words.
    pub words: Vec<String>,
    /// It ends with a question mark.
    pub asks: bool,
}

/// Most words of a text that are read.
const MOST: usize = 2_000;

/// Endings that the data set writes apart from their words.
const ENDINGS: &str = "'s 'm 'd 'll 're 've n't '";

/// The phrases of a list with commas between them.
pub(super) fn phrases(list: &str) -> impl Iterator<Item = &str> {
    list.split(',').map(str::trim)
}

/// The sentences of a text.
pub fn sentences(text: &str) -> Vec<Sentence> {
    let mut all = Vec::new();
    let mut current = Sentence::default();
    let mut word = String::new();
    let mut count = 0;
    let mut letters = text.chars().peekable();
    let mut before = ' ';
    while let Some(letter) = letters.next() {
        let letter = if letter == '’' { '\'' } else { letter };
        let next = letters.peek().copied().unwrap_or(' ');
        let inside = before.is_alphanumeric() && next.is_alphanumeric();
        let belongs = match letter {
            '\'' => true,
            '-' | '&' | '/' => inside,
            '.' | ':' => inside && (before.is_numeric() || letter == '.'),
            _ => letter.is_alphanumeric(),
        };
        before = letter;
        if belongs {
            word.extend(letter.to_lowercase());
            continue;
        }
        let is_abbreviated = letter == '.' && has_word("a.m p.m st", &word);
        count += usize::from(current.push(std::mem::take(&mut word)));
        match letter {
            ',' | '(' | ')' => current.words.push(",".to_owned()),
            '.' | '!' | '?' | ';' | '\n' if !is_abbreviated => {
                current.asks = letter == '?';
                all.push(std::mem::take(&mut current));
            }
            _ => {}
        }
        if count >= MOST {
            break;
        }
    }
    if count < MOST {
        current.push(word);
        all.push(current);
    }
    all.retain(|sentence| !sentence.words.is_empty());
    all
}

impl Sentence {
    /// Appends a word, or joins it to the last one if the data set tore them apart. Says whether there is a word more.
    fn push(&mut self, word: String) -> bool {
        if has_word(ENDINGS, &word) {
            if let Some(last) = self.words.last_mut() {
                last.push_str(&word);
            }
            return false;
        }
        let word = if word.starts_with('\'') { word.trim_matches('\'').to_owned() } else { word };
        let is_word = !word.is_empty();
        self.words.extend(is_word.then_some(word));
        is_word
    }

    /// The word at a place; empty beyond the ends.
    pub fn word(&self, place: usize) -> &str {
        self.words.get(place).map_or("", String::as_str)
    }

    /// The word so many places before another.
    pub fn before(&self, place: usize, back: usize) -> &str {
        place.checked_sub(back).map_or("", |place| self.word(place))
    }

    /// The words from a place on.
    pub fn rest(&self, place: usize) -> &[String] {
        self.words.get(place..).unwrap_or_default()
    }

    /// The words from a place on, as long as they pass a test.
    pub fn run(&self, place: usize, is_kept: impl Fn(&str) -> bool) -> String {
        self.rest(place).iter().map(String::as_str).take_while(|word| is_kept(word)).collect::<Vec<_>>().join(" ")
    }

    /// The place of a phrase, if there is one.
    pub fn find(&self, phrase: &str) -> Option<usize> {
        let mut wanted = phrase.split(' ');
        let first = wanted.next()?;
        let stands_at = |place: &usize| {
            let mut next = self.rest(place + 1).iter();
            self.words[*place] == first
                && wanted.clone().all(|word| next.next().is_some_and(|following| following == word))
        };
        (0..self.words.len()).find(stands_at)
    }

    /// The place of the first of these phrases, which have commas between them.
    pub fn find_any(&self, list: &str) -> Option<usize> {
        phrases(list).filter_map(|phrase| self.find(phrase)).min()
    }

    /// Whether it contains a phrase.
    pub fn has(&self, phrase: &str) -> bool {
        self.find(phrase).is_some()
    }

    /// Whether it contains one of these phrases, which have commas between them.
    pub fn has_any(&self, list: &str) -> bool {
        phrases(list).any(|phrase| self.has(phrase))
    }

    /// Whether it contains a word with this beginning.
    pub fn has_stem(&self, stem: &str) -> bool {
        self.words.iter().any(|word| word.starts_with(stem))
    }

    /// The place of a name after words that introduce one (`called ...`).
    pub fn name_at(&self) -> Option<usize> {
        phrases("called, named, name is, name of")
            .filter_map(|phrase| {
                let length = phrase.split(' ').count();
                self.find(phrase).map(|place| place + length)
            })
            .min()
            .filter(|place| *place < self.words.len())
    }

    /// Whether one of the few words before a place negates it.
    pub fn negated(&self, place: usize) -> bool {
        let words = self.words.get(place.saturating_sub(6)..place).unwrap_or_default();
        let mut clause = words.rsplit(|word| word == "," || word == "but");
        let is_no = |word: &String| has_word("no not without", word) || word.ends_with("n't");
        clause.next().is_some_and(|clause| clause.iter().any(is_no))
    }
}

/// The words of small numbers, from 0.
pub const NUMBERS: &[&str] = &["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];

/// The number that a word is, below 1,000.
pub fn number(word: &str) -> Option<u32> {
    let is_short = word.len() <= 3 && word.is_ascii();
    let written = word.parse().ok().filter(|_| is_short);
    let spelled = || (0..).zip(NUMBERS).find(|(_, name)| **name == word);
    written.or_else(|| spelled().map(|(number, _)| number))
}

/// The time of day at a place of a sentence, as hh:mm.
pub fn time(sentence: &Sentence, place: usize) -> Option<String> {
    let word = sentence.word(place);
    if matches!(word, "noon" | "midday") {
        return Some("12:00".to_owned());
    }
    let digits = word.trim_end_matches(|letter: char| letter.is_alphabetic() || letter == '.');
    let ending = match &word[digits.len()..] {
        "" => sentence.word(place + 1),
        ending => ending,
    };
    let half = match ending.replace('.', "").as_str() {
        "am" => Some(0),
        "pm" => Some(12),
        _ => None,
    };
    let is_time = || half.is_some() || has_word("at by after before until around", sentence.before(place, 1));
    let is_run = matches!(digits.len(), 3 | 4) && digits.is_ascii();
    let (hours, minutes) = match digits.split_once(':') {
        Some(parts) => parts,
        None if is_run && is_time() => digits.split_at(digits.len() - 2),
        None if half.is_some() => (digits, "00"),
        None => return None,
    };
    let is_pair = hours.len() <= 2 && minutes.len() == 2;
    let (hours, minutes): (u32, u32) = (hours.parse().ok()?, minutes.parse().ok()?);
    let hours = match half {
        Some(half) if hours <= 12 => hours % 12 + half,
        _ => hours,
    };
    (is_pair && hours <= 24 && minutes < 60).then(|| format!("{hours:02}:{minutes:02}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_put_together_as_the_data_set_tears_them_apart() {
        let read = sentences("I ca n't wait . Saint John 's college ?  It is 2.50 pounds, at 4:45 p.m. or so");
        let words: Vec<String> = read.iter().map(|one| one.words.join(" ")).collect();
        assert_eq!(words, ["i can't wait", "saint john's college", "it is 2.50 pounds , at 4:45 p.m or so"]);
        assert_eq!(read.iter().map(|one| one.asks).collect::<Vec<_>>(), [false, true, false]);
        // A mark without words before it does not count.
        let read = sentences("Really?? Fine");
        assert!(read[0].asks && !read[1].asks);
    }

    #[test]
    fn times_of_many_forms_are_read() {
        let cases = [
            ("at 17:15", Some("17:15")),
            ("by 4:45 PM", Some("16:45")),
            ("arriving by 2030", Some("20:30")),
            ("9am", Some("09:00")),
            ("12 pm", Some("12:00")),
            ("12:30 a.m.", Some("00:30")),
            ("at 24:30", Some("24:30")),
            ("at noon", Some("12:00")),
            ("99:99", None),
            ("17:5", None),
            ("room 2030", None),
            ("１７:00", None),
        ];
        for (text, expected) in cases {
            let read = sentences(text);
            let found = (0..read[0].words.len()).find_map(|place| time(&read[0], place));
            assert_eq!(found.as_deref(), expected, "{text}");
        }
    }
}
