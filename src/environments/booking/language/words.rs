//! Sentences and their words.

/// A sentence in words of small letters. Marks of lists are words of their own (`,`).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sentence {
    /// The words.
    pub words: Vec<String>,
    /// It ends with a question mark.
    pub asks: bool,
}

/// The most words of a text that are read.
const MOST: usize = 2_000;

/// Endings that the data set writes apart from their words.
const ENDINGS: &[&str] = &["'s", "'m", "'d", "'ll", "'re", "'ve", "n't", "'"];

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
        let is_abbreviated = letter == '.' && matches!(word.as_str(), "a.m" | "p.m" | "st");
        count += usize::from(push(&mut current, &mut word));
        match letter {
            ',' | '(' | ')' => current.words.push(",".to_owned()),
            '.' | '!' | '?' | ';' | '\n' if !is_abbreviated => {
                current.asks = letter == '?';
                if !current.words.is_empty() {
                    all.push(std::mem::take(&mut current));
                }
            }
            _ => {}
        }
        if count >= MOST {
            return all;
        }
    }
    push(&mut current, &mut word);
    if !current.words.is_empty() {
        all.push(current);
    }
    all
}

/// Puts a word into a sentence, or behind its last word if that was torn apart.
fn push(sentence: &mut Sentence, word: &mut String) -> bool {
    let mut word = std::mem::take(word);
    if ENDINGS.contains(&word.as_str()) {
        if let Some(last) = sentence.words.last_mut() {
            last.push_str(&word);
        }
        return false;
    }
    if word.starts_with('\'') {
        word = word.trim_matches('\'').to_owned();
    }
    match word.is_empty() {
        true => return false,
        false => sentence.words.push(word),
    }
    true
}

impl Sentence {
    /// The word at a place; empty beyond the ends.
    pub fn word(&self, place: usize) -> &str {
        self.words.get(place).map_or("", String::as_str)
    }

    /// The word so many places before another.
    pub fn before(&self, place: usize, back: usize) -> &str {
        place.checked_sub(back).map_or("", |place| self.word(place))
    }

    /// Where a phrase begins that stands in it.
    pub fn find(&self, phrase: &str) -> Option<usize> {
        let length = phrase.split(' ').count();
        let mut runs = self.words.windows(length);
        runs.position(|run| run.iter().map(String::as_str).eq(phrase.split(' ')))
    }

    /// Whether a phrase stands in it.
    pub fn has(&self, phrase: &str) -> bool {
        self.find(phrase).is_some()
    }

    /// Whether one of these phrases stands in it.
    pub fn any(&self, phrases: &[&str]) -> bool {
        phrases.iter().any(|phrase| self.has(phrase))
    }

    /// Whether a word that begins so stands in it.
    pub fn has_stem(&self, stem: &str) -> bool {
        self.words.iter().any(|word| word.starts_with(stem))
    }

    /// Where a name begins that is introduced as one (`called ...`).
    pub fn name_at(&self) -> Option<usize> {
        let after = ["called", "named", "name is", "name of"]
            .iter()
            .filter_map(|phrase| {
                let length = phrase.split(' ').count();
                self.find(phrase).map(|place| place + length)
            });
        after.min().filter(|place| *place < self.words.len())
    }

    /// Whether one of the few words before a place says no.
    pub fn negated(&self, place: usize) -> bool {
        let from = place.saturating_sub(6);
        let words = self.words.get(from..place).unwrap_or_default();
        let clause = words.rsplit(|word| word == "," || word == "but").next();
        let is_no = |word: &String| {
            matches!(word.as_str(), "no" | "not" | "without") || word.ends_with("n't")
        };
        clause.unwrap_or_default().iter().any(is_no)
    }
}

/// The words of small numbers, from 0.
pub const NUMBERS: &[&str] = &[
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
];

/// The number that a word is, below 1,000.
pub fn number(word: &str) -> Option<u32> {
    let written = word
        .parse()
        .ok()
        .filter(|_| word.len() <= 3 && word.is_ascii());
    let spelled = || NUMBERS.iter().position(|number| *number == word);
    written.or_else(|| u32::try_from(spelled()?).ok())
}

/// The time of day that stands at a place of a sentence, as hh:mm.
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
    let is_after = || {
        matches!(
            sentence.before(place, 1),
            "at" | "by" | "after" | "before" | "until" | "around"
        )
    };
    let (hours, minutes) = match digits.split_once(':') {
        Some(parts) => parts,
        None if matches!(digits.len(), 3 | 4)
            && (half.is_some() || is_after())
            && digits.is_ascii() =>
        {
            digits.split_at(digits.len() - 2)
        }
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
        let read = sentences(
            "I ca n't wait . Saint John 's college ?  It is 2.50 pounds, at 4:45 p.m. or so",
        );
        let words: Vec<String> = read.iter().map(|one| one.words.join(" ")).collect();
        assert_eq!(
            words,
            [
                "i can't wait",
                "saint john's college",
                "it is 2.50 pounds , at 4:45 p.m or so"
            ]
        );
        assert_eq!(
            read.iter().map(|one| one.asks).collect::<Vec<_>>(),
            [false, true, false]
        );
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
