//! Words as the tokenizer of NLTK cuts them (`word_tokenize`), as far as instructions need it, and the words that its
//! list of English stop words has.

/// The list of stop words.
const STOP: &str = "i me my myself we our ours ourselves you you're you've you'll you'd your yours yourself yourselves \
he him his himself she she's her hers herself it it's its itself they them their theirs themselves what which who whom \
this that that'll these those am is are was were be been being have has had having do does did doing a an the and but \
if or because as until while of at by for with about against between into through during before after above below to \
from up down in out on off over under again further then once here there when where why how all any both each few more \
most other some such no nor not only own same so than too very s t can will just don don't should should've now d ll m \
o re ve y ain aren aren't couldn couldn't didn didn't doesn doesn't hadn hadn't hasn hasn't haven haven't isn isn't ma \
mightn mightn't mustn mustn't needn needn't shan shan't shouldn shouldn't wasn wasn't weren weren't won won't wouldn \
wouldn't";

/// Marks that are words of their own wherever they stand.
const MARKS: &str = ";@#$%&?![](){}<>\"“”«»‘’„`";
/// Shortened words that stand for themselves at the end of a word.
const SHORTENED: [&str; 7] = ["n't", "'ll", "'re", "'ve", "'s", "'m", "'d"];
/// Words that are cut in two.
const JOINED: [(&str, usize); 4] = [("cannot", 3), ("gimme", 3), ("wanna", 3), ("gonna", 3)];

/// Whether the list has the word, in whatever letters.
pub(super) fn is_stop_word(word: &str) -> bool {
    let word = word.to_lowercase();
    STOP.split_ascii_whitespace().any(|own| own == word)
}

/// The words of a text. A sentence ends with a mark before a space; NLTK knows some abbreviations besides.
pub(super) fn words(text: &str) -> Vec<String> {
    let parts: Vec<&str> = text.split_whitespace().collect();
    let mut words = Vec::new();
    for (place, part) in parts.iter().enumerate() {
        let ends = place + 1 == parts.len() || part.ends_with(['.', '?', '!']);
        cut(part, ends, &mut words);
    }
    words
}

/// Cuts what stands between spaces; `ends` tells that a sentence ends with it.
fn cut(part: &str, ends: bool, words: &mut Vec<String>) {
    let letters: Vec<char> = part.chars().collect();
    let mut word = String::new();
    let mut at = 0;
    while let Some(letter) = letters.get(at).copied() {
        let run = letters[at..]
            .iter()
            .take_while(|other| **other == letter)
            .count();
        let next = letters.get(at + 1);
        let closes = |rest: &[char]| rest.iter().all(|letter| "])}>\"'»”’".contains(*letter));
        let length = match letter {
            '.' if run > 1 => run,
            '-' if run > 1 => 2,
            '.' if ends && closes(&letters[at + 1..]) => 1,
            ',' | ':' if next.is_none_or(|next| !next.is_ascii_digit()) => 1,
            _ if MARKS.contains(letter) => 1,
            _ => {
                word.push(letter);
                at += 1;
                continue;
            }
        };
        finish(&mut word, words);
        words.push(letters[at..at + length].iter().collect());
        at += length;
    }
    finish(&mut word, words);
}

/// Takes a word without marks, in two where it was made of two.
fn finish(word: &mut String, words: &mut Vec<String>) {
    let whole = std::mem::take(word);
    if whole.is_empty() {
        return;
    }
    let small = whole.to_lowercase();
    let joined = JOINED.iter().find(|(word, _)| *word == small);
    let shortened = SHORTENED.iter().find(|end| small.ends_with(*end));
    let at = match (joined, shortened) {
        (Some((_, at)), _) => *at,
        (_, Some(end)) => whole.len().saturating_sub(end.len()),
        _ if whole.ends_with('\'') => whole.len() - 1,
        _ => 0,
    };
    match whole.split_at_checked(at) {
        Some((before, end)) if at > 0 && !before.ends_with('\'') => {
            words.extend([before.to_owned(), end.to_owned()]);
        }
        _ => words.push(whole),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_cut_as_nltk_cuts_them() {
        let cut = |text| words(text).join("|");
        let cases = [
            ("i'm looking for it, ok.", "i|'m|looking|for|it|,|ok|."),
            ("it's 2.5 oz. i don't", "it|'s|2.5|oz|.|i|do|n't"),
            (
                "a 3,000 w (us) 12\" cannot",
                "a|3,000|w|(|us|)|12|\"|can|not",
            ),
            (
                "x-large -- l'eau... men's 'd",
                "x-large|--|l'eau|...|men|'s|'d",
            ),
            ("7:30, sizes: 8", "7:30|,|sizes|:|8"),
        ];
        for (text, expected) in cases {
            assert_eq!(cut(text), expected);
        }
        assert!(is_stop_word("The") && is_stop_word("don't") && !is_stop_word("sofa"));
    }
}
