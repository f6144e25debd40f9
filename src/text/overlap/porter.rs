//! The Porter stemmer ("An algorithm for suffix stripping", 1980) with the extensions that NLTK has by
//! default, as rouge-score uses it. Snowball's English stemmer is another one.

/// The stem of a word, in lower case, as NLTK's `PorterStemmer().stem` gives it.
pub fn stem(word: &str) -> String {
    Stemmer::default().stem(word).iter().collect()
}

/// Stems words, one after the other, in the same memory.
#[derive(Debug, Default)]
pub(super) struct Stemmer {
    word: Vec<char>,
}

/// A suffix and what takes its place.
type Rule = (&'static str, &'static str);

/// Where the measure of what is left is positive.
#[rustfmt::skip]
const SECOND: &[Rule] = &[
    ("ational", "ate"), ("tional", "tion"), ("enci", "ence"), ("anci", "ance"), ("izer", "ize"),
    ("bli", "ble"), ("alli", "al"), ("entli", "ent"), ("eli", "e"), ("ousli", "ous"), ("ization", "ize"),
    ("ation", "ate"), ("ator", "ate"), ("alism", "al"), ("iveness", "ive"), ("fulness", "ful"),
    ("ousness", "ous"), ("aliti", "al"), ("iviti", "ive"), ("biliti", "ble"), ("fulli", "ful"),
];

/// Where the measure of what is left is positive.
#[rustfmt::skip]
const THIRD: &[Rule] = &[
    ("icate", "ic"), ("ative", ""), ("alize", "al"), ("iciti", "ic"), ("ical", "ic"), ("ful", ""),
    ("ness", ""),
];

/// Where the measure of what is left exceeds one; `ion` only behind `s` and `t`.
#[rustfmt::skip]
const FOURTH: &[Rule] = &[
    ("al", ""), ("ance", ""), ("ence", ""), ("er", ""), ("ic", ""), ("able", ""), ("ible", ""), ("ant", ""),
    ("ement", ""), ("ment", ""), ("ent", ""), ("ion", ""), ("ou", ""), ("ism", ""), ("ate", ""), ("iti", ""),
    ("ous", ""), ("ive", ""), ("ize", ""),
];

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
            self.plurals();
            self.participles();
            self.final_y();
            self.second();
            self.replace(THIRD, |stem, _| measure(stem) > 0);
            self.replace(FOURTH, |stem, suffix| {
                measure(stem) > 1 && (suffix != "ion" || matches!(stem.last(), Some('s' | 't')))
            });
            self.final_e();
            if self.ends("ll") && measure(self.without(1)) > 1 {
                self.word.pop();
            }
        }
        &self.word
    }

    fn ends(&self, suffix: &str) -> bool {
        let mut letters = self.word.iter().rev();
        let mut suffix = suffix.chars().rev();
        suffix.all(|letter| letters.next() == Some(&letter))
    }

    /// The word without its last letters.
    fn without(&self, letters: usize) -> &[char] {
        let left = self.word.len().saturating_sub(letters);
        self.word.get(..left).unwrap_or_default()
    }

    fn cut(&mut self, letters: usize) {
        let left = self.word.len().saturating_sub(letters);
        self.word.truncate(left);
    }

    /// Applies the first rule whose suffix the word has, if what is left fulfils the condition; no
    /// other rule is tried then.
    fn replace(&mut self, rules: &[Rule], holds: impl Fn(&[char], &str) -> bool) {
        let Some((suffix, new)) = rules.iter().find(|(suffix, _)| self.ends(suffix)) else {
            return;
        };
        // Suffixes are ASCII: bytes are letters.
        if holds(self.without(suffix.len()), suffix) {
            self.cut(suffix.len());
            self.word.extend(new.chars());
        }
    }

    /// Step 1a.
    fn plurals(&mut self) {
        if self.ends("ies") {
            self.cut(if self.word.len() == 4 { 1 } else { 2 });
        } else if self.ends("sses") {
            self.cut(2);
        } else if self.ends("s") && !self.ends("ss") {
            self.cut(1);
        }
    }

    /// Step 1b.
    fn participles(&mut self) {
        if self.ends("ied") {
            self.cut(if self.word.len() == 4 { 1 } else { 2 });
            return;
        }
        if self.ends("eed") {
            if measure(self.without(3)) > 0 {
                self.cut(1);
            }
            return;
        }
        let suffix = ["ed", "ing"].into_iter().find(|suffix| self.ends(suffix));
        let Some(suffix) = suffix else {
            return;
        };
        if !has_vowel(self.without(suffix.len())) {
            return;
        }
        self.cut(suffix.len());
        if ["at", "bl", "iz"].iter().any(|ending| self.ends(ending)) {
            self.word.push('e');
        } else if ends_double_consonant(&self.word) {
            if !matches!(self.word.last(), Some('l' | 's' | 'z')) {
                self.cut(1);
            }
        } else if measure(&self.word) == 1 && ends_cvc(&self.word) {
            self.word.push('e');
        }
    }

    /// Step 1c: only behind a consonant that is not the only letter.
    fn final_y(&mut self) {
        let stem = self.without(1);
        if self.ends("y") && stem.len() > 1 && is_consonant(stem, stem.len() - 1) {
            self.cut(1);
            self.word.push('i');
        }
    }

    fn second(&mut self) {
        while self.ends("alli") && measure(self.without(4)) > 0 {
            self.cut(2);
        }
        // Here the `l` counts with what is left; no other suffix ends like this one.
        if self.ends("logi") {
            if measure(self.without(3)) > 0 {
                self.cut(1);
            }
            return;
        }
        self.replace(SECOND, |stem, _| measure(stem) > 0);
    }

    /// Step 5a.
    fn final_e(&mut self) {
        if self.ends("e") {
            let stem = self.without(1);
            let measured = measure(stem);
            if measured > 1 || (measured == 1 && !ends_cvc(stem)) {
                self.cut(1);
            }
        }
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

/// Whether each letter is a consonant. A `y` is one unless it follows one; digits and foreign letters
/// are.
fn consonants(word: &[char]) -> impl Iterator<Item = bool> {
    let mut before = false;
    word.iter().map(move |letter| {
        before = match letter {
            'a' | 'e' | 'i' | 'o' | 'u' => false,
            'y' => !before,
            _ => true,
        };
        before
    })
}

fn is_consonant(word: &[char], index: usize) -> bool {
    consonants(word).nth(index).unwrap_or(false)
}

fn has_vowel(word: &[char]) -> bool {
    consonants(word).any(|consonant| !consonant)
}

/// How often a vowel is followed by a consonant.
fn measure(word: &[char]) -> usize {
    let mut after_vowel = false;
    let mut found = 0;
    for consonant in consonants(word) {
        found += usize::from(after_vowel && consonant);
        after_vowel = !consonant;
    }
    found
}

fn ends_double_consonant(word: &[char]) -> bool {
    match word {
        [.., one, other] => one == other && is_consonant(word, word.len() - 1),
        _ => false,
    }
}

/// Ends with consonant, vowel, consonant other than `w`, `x`, `y`; or is a vowel and a consonant.
fn ends_cvc(word: &[char]) -> bool {
    let consonant = |back: usize| is_consonant(word, word.len() - back);
    match word {
        [_, _] => !consonant(2) && consonant(1),
        [.., _, _, last] => consonant(3) && !consonant(2) && consonant(1) && !matches!(last, 'w' | 'x' | 'y'),
        _ => false,
    }
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
}
