//! Porter's stemmer ("An algorithm for suffix stripping", 1980) with the two departures of its author's own programs
//! (`bli`, `logi`), as Lucene has it. [`overlap`](crate::text::overlap) has NLTK's, which is another one.

/// A suffix and what takes its place.
type Rule = (&'static str, &'static str);

/// Where the measure of what is left is positive.
#[rustfmt::skip]
const SECOND: &[Rule] = &[
    ("ational", "ate"), ("tional", "tion"), ("enci", "ence"), ("anci", "ance"), ("izer", "ize"), ("bli", "ble"),
    ("alli", "al"), ("entli", "ent"), ("eli", "e"), ("ousli", "ous"), ("ization", "ize"), ("ation", "ate"),
    ("ator", "ate"), ("alism", "al"), ("iveness", "ive"), ("fulness", "ful"), ("ousness", "ous"), ("aliti", "al"),
    ("iviti", "ive"), ("biliti", "ble"), ("logi", "log"),
];

/// Where the measure of what is left is positive.
const THIRD: &[Rule] =
    &[("icate", "ic"), ("ative", ""), ("alize", "al"), ("iciti", "ic"), ("ical", "ic"), ("ful", ""), ("ness", "")];

/// Where the measure of what is left exceeds one; `ion` only behind `s` and `t`.
const FOURTH: &[&str] = &[
    "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ion", "ou", "ism", "ate", "iti",
    "ous", "ive", "ize",
];

/// A letter, or half of one in UTF-16.
pub(super) trait Unit: Copy + PartialEq + From<u8> {}

impl<T: Copy + PartialEq + From<u8>> Unit for T {}

/// Cuts a word in small letters to its stem.
pub(super) fn stem<U: Unit>(word: &mut Vec<U>) {
    if word.len() < 3 {
        return;
    }
    plurals(word);
    participles(word);
    if let Some(left) = before(word, "y")
        && has_vowel(&word[..left])
    {
        put(word, left, "i");
    }
    replace(word, SECOND);
    replace(word, THIRD);
    fourth(word);
    fifth(word);
}

/// How many letters stand before the suffix, if the word has it.
fn before<U: Unit>(word: &[U], suffix: &str) -> Option<usize> {
    let left = word.len().checked_sub(suffix.len())?;
    let same = word[left..].iter().zip(suffix.bytes());
    same.into_iter().all(|(&unit, letter)| unit == U::from(letter)).then_some(left)
}

/// Puts an ending behind the first letters.
fn put<U: Unit>(word: &mut Vec<U>, left: usize, ending: &str) {
    word.truncate(left);
    word.extend(ending.bytes().map(U::from));
}

fn plurals<U: Unit>(word: &mut Vec<U>) {
    let cut = if before(word, "sses").is_some() || before(word, "ies").is_some() {
        2
    } else {
        usize::from(before(word, "s").is_some() && before(word, "ss").is_none())
    };
    word.truncate(word.len() - cut);
}

fn participles<U: Unit>(word: &mut Vec<U>) {
    if let Some(left) = before(word, "eed") {
        if measure(&word[..left]) > 0 {
            word.pop();
        }
        return;
    }
    let left = before(word, "ed").or_else(|| before(word, "ing"));
    let Some(left) = left.filter(|left| has_vowel(&word[..*left])) else {
        return;
    };
    word.truncate(left);
    if ["at", "bl", "iz"].iter().any(|ending| before(word, ending).is_some()) {
        put(word, left, "e");
    } else if ends_double(word) {
        if !["l", "s", "z"].iter().any(|ending| before(word, ending).is_some()) {
            word.pop();
        }
    } else if measure(word) == 1 && ends_short(word) {
        put(word, left, "e");
    }
}

/// Applies the first rule whose suffix the word has, and no other one.
fn replace<U: Unit>(word: &mut Vec<U>, rules: &[Rule]) {
    let mut fitting = rules.iter().filter_map(|(suffix, new)| Some((before(word, suffix)?, new)));
    if let Some((left, new)) = fitting.next()
        && measure(&word[..left]) > 0
    {
        put(word, left, new);
    }
}

fn fourth<U: Unit>(word: &mut Vec<U>) {
    let mut fitting = FOURTH.iter().filter_map(|suffix| Some((before(word, suffix)?, *suffix)));
    if let Some((left, suffix)) = fitting.next()
        && (suffix != "ion" || before(word, "sion").is_some() || before(word, "tion").is_some())
        && measure(&word[..left]) > 1
    {
        word.truncate(left);
    }
}

fn fifth<U: Unit>(word: &mut Vec<U>) {
    if let Some(left) = before(word, "e") {
        let measured = measure(word);
        if measured > 1 || measured == 1 && !ends_short(&word[..left]) {
            word.truncate(left);
        }
    }
    if before(word, "ll").is_some() && measure(word) > 1 {
        word.pop();
    }
}

/// Whether each letter is a consonant: a `y` is one unless it follows one; digits and foreign letters are.
fn consonants<U: Unit>(word: &[U]) -> impl Iterator<Item = bool> {
    let vowels = [b'a', b'e', b'i', b'o', b'u'].map(U::from);
    let mut last = false;
    word.iter().map(move |letter| {
        last = if *letter == U::from(b'y') { !last } else { !vowels.contains(letter) };
        last
    })
}

fn has_vowel<U: Unit>(word: &[U]) -> bool {
    consonants(word).any(|consonant| !consonant)
}

/// How often a vowel is followed by a consonant.
fn measure<U: Unit>(word: &[U]) -> usize {
    let mut found = 0;
    let mut after_vowel = false;
    for consonant in consonants(word) {
        found += usize::from(after_vowel && consonant);
        after_vowel = !consonant;
    }
    found
}

fn ends_double<U: Unit>(word: &[U]) -> bool {
    matches!(word, [.., one, other] if one == other) && consonants(word).last() == Some(true)
}

/// Ends with consonant, vowel, and a consonant other than `w`, `x`, `y`.
fn ends_short<U: Unit>(word: &[U]) -> bool {
    let [.., _, _, last] = word else {
        return false;
    };
    let mut ending = consonants(word).skip(word.len() - 3);
    [true, false, true].iter().all(|wanted| ending.next() == Some(*wanted))
        && !b"wxy".iter().any(|letter| *last == U::from(*letter))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stemmed(word: &str) -> String {
        let mut letters = word.as_bytes().to_vec();
        stem(&mut letters);
        let mut units: Vec<u16> = word.encode_utf16().collect();
        stem(&mut units);
        let stem = String::from_utf8(letters).unwrap();
        assert_eq!(String::from_utf16(&units).unwrap(), stem);
        stem
    }

    #[test]
    fn the_examples_of_the_paper_come_out() {
        let pairs = "caresses caress ponies poni ties ti cats cat feed feed agreed agre plastered plaster bled bled \
            motoring motor sing sing conflated conflat troubled troubl sized size hopping hop tanned tan \
            falling fall hissing hiss fizzed fizz failing fail filing file happy happi sky sky \
            relational relat conditional condit rational ration valenci valenc hesitanci hesit digitizer digit \
            conformabli conform radicalli radic differentli differ vileli vile analogousli analog \
            vietnamization vietnam predication predic operator oper feudalism feudal decisiveness decis \
            hopefulness hope callousness callous formaliti formal sensitiviti sensit sensibiliti sensibl \
            triplicate triplic formative form formalize formal electriciti electr electrical electr hopeful hope \
            goodness good revival reviv allowance allow inference infer airliner airlin gyroscopic gyroscop \
            adjustable adjust defensible defens irritant irrit replacement replac adjustment adjust \
            dependent depend adoption adopt homologou homolog communism commun activate activ \
            angulariti angular homologous homolog effective effect bowdlerize bowdler probate probat rate rate \
            cease ceas controll control roll roll";
        let words: Vec<&str> = pairs.split_whitespace().collect();
        for pair in words.chunks(2) {
            assert_eq!(stemmed(pair[0]), pair[1], "{}", pair[0]);
        }
    }

    /// Where NLTK's variant and Snowball's English stemmer differ.
    #[test]
    fn it_is_the_original_one() {
        for (word, stem) in [
            ("soy", "soi"),
            ("dying", "dy"),
            ("skies", "ski"),
            ("news", "new"),
            ("as", "as"),
            ("ies", "i"),
            ("analogi", "analog"),
            ("generously", "gener"),
            ("days", "dai"),
            ("eing", "e"),
            ("x-y", "x-y"),
        ] {
            assert_eq!(stemmed(word), stem, "{word}");
        }
    }
}
