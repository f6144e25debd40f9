//! Porter's stemmer ("An algorithm for suffix stripping", 1980) in two variants: with the two departures of its
//! author's own programs (`bli`, `logi`), as Lucene has it, and with the extensions that NLTK has by default, as
//! rouge-score uses it. Snowball's English stemmer is another one.

/// The stem of a word, in lower case, as NLTK's `PorterStemmer().stem` gives it.
pub fn stem(word: &str) -> String {
    Stemmer::default().stem(word).iter().collect()
}

/// Stems words as NLTK does, one after the other, in the same memory.
#[derive(Debug, Default)]
pub(super) struct Stemmer {
    word: Vec<char>,
}

impl Stemmer {
    /// The stem's letters.
    pub(super) fn stem(&mut self, word: &str) -> &[char] {
        let lower = word.to_lowercase();
        self.word.clear();
        if let Some(stem) = irregular(&lower) {
            self.word.extend(stem.chars());
            return &self.word;
        }
        self.word.extend(lower.chars());
        if word.chars().nth(2).is_some() {
            cut_to_stem(&mut self.word, true);
        }
        &self.word
    }
}

/// Words that NLTK looks up.
fn irregular(word: &str) -> Option<&'static str> {
    Some(match word {
        "sky" | "skies" => "sky",
        "dying" => "die",
        "lying" => "lie",
        "tying" => "tie",
        "news" => "news",
        "inning" | "innings" => "inning",
        "outing" | "outings" => "outing",
        "canning" | "cannings" => "canning",
        "howe" => "howe",
        "proceed" => "proceed",
        "exceed" => "exceed",
        "succeed" => "succeed",
        _ => return None,
    })
}

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

/// Cuts a word in small letters to its stem; in NLTK's variant, or as Lucene has it.
pub(super) fn cut_to_stem<U: Unit>(word: &mut Vec<U>, nltk: bool) {
    if word.len() < 3 {
        return;
    }
    plurals(word, nltk);
    participles(word, nltk);
    final_y(word, nltk);
    second(word, nltk);
    replace(word, THIRD);
    fourth(word);
    fifth(word, nltk);
}

/// How many letters stand before the suffix, if the word has it.
fn before<U: Unit>(word: &[U], suffix: &str) -> Option<usize> {
    let left = word.len().checked_sub(suffix.len())?;
    word[left..].iter().zip(suffix.bytes()).all(|(unit, letter)| *unit == U::from(letter)).then_some(left)
}

fn ends<U: Unit>(word: &[U], suffix: &str) -> bool {
    before(word, suffix).is_some()
}

/// Puts an ending behind the first letters.
fn put<U: Unit>(word: &mut Vec<U>, left: usize, ending: &str) {
    word.truncate(left);
    word.extend(ending.bytes().map(U::from));
}

/// Letters to cut behind `ie`: NLTK keeps both where only one letter stands before them.
fn behind_ie<U: Unit>(word: &[U], nltk: bool) -> usize {
    if nltk && word.len() == 4 { 1 } else { 2 }
}

/// Step 1a.
fn plurals<U: Unit>(word: &mut Vec<U>, nltk: bool) {
    let cut = if ends(word, "ies") {
        behind_ie(word, nltk)
    } else if ends(word, "sses") {
        2
    } else {
        usize::from(ends(word, "s") && !ends(word, "ss"))
    };
    word.truncate(word.len() - cut);
}

/// Step 1b.
fn participles<U: Unit>(word: &mut Vec<U>, nltk: bool) {
    if nltk && ends(word, "ied") {
        return word.truncate(word.len() - behind_ie(word, nltk));
    }
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
    if ["at", "bl", "iz"].iter().any(|ending| ends(word, ending)) {
        put(word, left, "e");
    } else if ends_double(word) {
        if !["l", "s", "z"].iter().any(|ending| ends(word, ending)) {
            word.pop();
        }
    } else if measure(word) == 1 && ends_short(word, nltk) {
        put(word, left, "e");
    }
}

/// Step 1c: behind a stem with a vowel; in NLTK's variant behind a consonant that is not the only letter.
fn final_y<U: Unit>(word: &mut Vec<U>, nltk: bool) {
    let Some(left) = before(word, "y") else {
        return;
    };
    let stem = &word[..left];
    let fits = if nltk { left > 1 && consonants(stem).last() == Some(true) } else { has_vowel(stem) };
    if fits {
        put(word, left, "i");
    }
}

/// Step 2.
fn second<U: Unit>(word: &mut Vec<U>, nltk: bool) {
    if nltk {
        while let Some(left) = before(word, "alli").filter(|left| measure(&word[..*left]) > 0) {
            word.truncate(left + 2);
        }
        replace(word, &[("fulli", "ful")]);
        // Here the `l` counts with what is left.
        if ends(word, "logi") {
            return replace(word, &[("ogi", "og")]);
        }
    }
    replace(word, SECOND);
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

/// Step 4.
fn fourth<U: Unit>(word: &mut Vec<U>) {
    let mut fitting = FOURTH.iter().filter_map(|suffix| Some((before(word, suffix)?, *suffix)));
    if let Some((left, suffix)) = fitting.next()
        && (suffix != "ion" || ends(word, "sion") || ends(word, "tion"))
        && measure(&word[..left]) > 1
    {
        word.truncate(left);
    }
}

/// Step 5.
fn fifth<U: Unit>(word: &mut Vec<U>, nltk: bool) {
    if let Some(left) = before(word, "e") {
        let measured = measure(word);
        if measured > 1 || measured == 1 && !ends_short(&word[..left], nltk) {
            word.truncate(left);
        }
    }
    if ends(word, "ll") && measure(word) > 1 {
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

/// Ends with consonant, vowel, and a consonant other than `w`, `x`, `y`; in NLTK's variant also is a vowel and a
/// consonant.
fn ends_short<U: Unit>(word: &[U], nltk: bool) -> bool {
    let [.., _, _, last] = word else {
        return nltk && word.len() == 2 && consonants(word).eq([false, true]);
    };
    consonants(word).skip(word.len() - 3).eq([true, false, true])
        && !b"wxy".iter().any(|letter| *last == U::from(*letter))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Expected stems are NLTK's.
    #[test]
    fn words_are_stemmed_as_nltk_does() {
        let cases = [
            ("ties", "tie"),
            ("Ponies", "poni"),
            ("caresses", "caress"),
            ("died", "die"),
            ("agreed", "agre"),
            ("hopping", "hop"),
            ("failing", "fail"),
            ("filing", "file"),
            ("enjoy", "enjoy"),
            ("happily", "happili"),
            ("generalizations", "gener"),
            ("radically", "radic"),
            ("geology", "geolog"),
            ("skies", "sky"),
            ("adoption", "adopt"),
            ("controlling", "control"),
            ("replacement", "replac"),
            ("yyying", "yy"),
            ("oed", "o"),
            ("is", "is"),
            ("città", "città"),
            ("1960s", "1960"),
        ];
        for (word, expected) in cases {
            assert_eq!(stem(word), expected, "{word}");
        }
    }

    fn stemmed(word: &str) -> String {
        let mut letters = word.as_bytes().to_vec();
        cut_to_stem(&mut letters, false);
        let mut units: Vec<u16> = word.encode_utf16().collect();
        cut_to_stem(&mut units, false);
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
    fn lucene_has_the_original_one() {
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
