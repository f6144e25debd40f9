//! Where people mention things: `the drawers`, `cabinet 3`, `drawer (1-4)`, `credit card 2 and 3`.

/// A piece of a text: a word in lower case, a number, or the end of a clause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Word {
    /// Letters, in lower case; an apostrophe stays inside (`don't`).
    Letters(String),
    /// A whole number.
    Number(u32),
    /// A dash, as in `1-4`.
    Dash,
    /// A comma or bracket.
    Pause,
    /// A full stop, semicolon, colon, question mark, exclamation mark or line end.
    Stop,
}

impl Word {
    /// The letters; none if it is something else.
    pub fn letters(&self) -> Option<&str> {
        match self {
            Self::Letters(letters) => Some(letters),
            Self::Number(_) | Self::Dash | Self::Pause | Self::Stop => None,
        }
    }

    /// Whether it is one of these words.
    pub fn is_any(&self, options: &[&str]) -> bool {
        self.letters().is_some_and(|word| options.contains(&word))
    }
}

/// A class of things that a text mentions, with the numbers that follow it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mention {
    /// The class, in the singular.
    pub class: String,
    /// The numbers; none if only the class was named.
    pub numbers: Vec<u32>,
    /// Position of the first word in the list of words.
    pub position: usize,
}

/// Splits a text into words. Numbers that are too large are left out.
pub fn words(text: &str) -> Vec<Word> {
    let mut found = Vec::new();
    let mut letters = text.char_indices().peekable();
    while let Some((start, letter)) = letters.next() {
        if letter.is_alphanumeric() {
            let digit = letter.is_ascii_digit();
            let same = |next: char| {
                next.is_ascii_digit() == digit && (next.is_alphanumeric() || (!digit && (next == '\'' || next == '’')))
            };
            let mut end = start + letter.len_utf8();
            while let Some((at, next)) = letters.next_if(|(_, next)| same(*next)) {
                end = at + next.len_utf8();
            }
            let part = &text[start..end];
            if digit {
                found.extend(part.parse().ok().map(Word::Number));
            } else if part.is_ascii() {
                found.push(Word::Letters(part.to_ascii_lowercase()));
            } else {
                found.push(Word::Letters(part.to_lowercase().replace('’', "'")));
            }
        } else {
            match letter {
                '-' | '–' => found.push(Word::Dash),
                ',' | '(' | ')' | '/' | '[' | ']' => found.push(Word::Pause),
                '.' | ';' | ':' | '?' | '!' | '\n' => found.push(Word::Stop),
                _ => {}
            }
        }
    }
    found
}

/// Finds the classes that the words mention. `is_class` says whether a word in the singular is a
/// class; two words are tried as one first (`counter top`, `desk lamp`).
pub fn mentions(words: &[Word], is_class: impl Fn(&str) -> bool) -> Vec<Mention> {
    let mut found = Vec::new();
    let mut position = 0;
    let mut joined = String::new();
    while let Some(word) = words.get(position) {
        let class = word.letters().and_then(|first| {
            let second = words.get(position + 1).and_then(Word::letters);
            second
                .and_then(|second| {
                    joined.clear();
                    joined.push_str(first);
                    joined.push_str(second);
                    Some((class_in(&joined, &is_class)?, 2))
                })
                .or_else(|| Some((class_in(first, &is_class)?, 1)))
        });
        let Some((class, length)) = class else {
            position += 1;
            continue;
        };
        let (numbers, after) = numbers(words, position + length);
        found.push(Mention { class, numbers, position });
        position = after;
    }
    found
}

/// The class that a word names, in the singular or in the plural.
fn class_in(word: &str, is_class: &impl Fn(&str) -> bool) -> Option<String> {
    if is_class(word) {
        return Some(word.to_owned());
    }
    // Every plural ends so, and most words do not.
    let stem = word.strip_suffix('s')?;
    if let Some(stem) = word.strip_suffix("ves") {
        let mut singulars = ["f", "fe"].into_iter().map(|end| [stem, end].concat());
        if let Some(singular) = singulars.find(|word| is_class(word)) {
            return Some(singular);
        }
    }
    word.strip_suffix("es").into_iter().chain([stem]).find(|word| is_class(word)).map(str::to_owned)
}

/// The numbers from a position on, with ranges spelled out, and the position after them.
fn numbers(words: &[Word], start: usize) -> (Vec<u32>, usize) {
    /// A range longer than this is no list of receptacles.
    const LONGEST: u32 = 100;
    let mut numbers: Vec<u32> = Vec::new();
    let mut after = start;
    let mut position = start;
    let mut range = false;
    while let Some(word) = words.get(position) {
        match word {
            Word::Number(number) => {
                match (range, numbers.last().copied()) {
                    (true, Some(low)) if low < *number && number - low < LONGEST => {
                        numbers.extend(low + 1..=*number);
                    }
                    _ => numbers.push(*number),
                }
                range = false;
                after = position + 1;
            }
            Word::Dash => range = true,
            Word::Pause => {}
            Word::Letters(word) if matches!(word.as_str(), "and" | "or" | "number") => {}
            Word::Letters(word) if word == "to" && !numbers.is_empty() => range = true,
            Word::Letters(_) | Word::Stop => break,
        }
        position += 1;
    }
    (numbers, after)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<(String, Vec<u32>)> {
        let classes = ["drawer", "countertop", "shelf", "creditcard", "cabinet", "bus", "desk", "desklamp"];
        mentions(&words(text), |word| classes.contains(&word))
            .into_iter()
            .map(|mention| (mention.class, mention.numbers))
            .collect()
    }

    /// A text and the classes with numbers in it.
    type Row = (&'static str, &'static [(&'static str, &'static [u32])]);

    #[test]
    fn mentions_are_found_in_many_ways_of_writing() {
        let table: [Row; 10] = [
            ("Can you check drawer 3?", &[("drawer", &[3])]),
            ("the Drawers, perhaps", &[("drawer", &[])]),
            ("drawer (1-3), shelf (2)", &[("drawer", &[1, 2, 3]), ("shelf", &[2])]),
            ("on a counter top", &[("countertop", &[])]),
            ("credit cards 2 and 3", &[("creditcard", &[2, 3])]),
            ("creditcard (4), creditcard (3)", &[("creditcard", &[4]), ("creditcard", &[3])]),
            ("shelves or cabinet number 4.", &[("shelf", &[]), ("cabinet", &[4])]),
            ("desk lamp 2 on the desk 1", &[("desklamp", &[2]), ("desk", &[1])]),
            ("drawer 1. 2 of them", &[("drawer", &[1])]),
            ("nothing here 99999999999999", &[]),
        ];
        for (text, expected) in table {
            let found = read(text);
            let found: Vec<(&str, &[u32])> =
                found.iter().map(|(class, numbers)| (class.as_str(), numbers.as_slice())).collect();
            assert_eq!(found, expected, "{text}");
        }
    }
}
