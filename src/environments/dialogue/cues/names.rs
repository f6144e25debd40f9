//! Names of places and people, by their capitals.

use super::english::{content_words, words};
use rolecall_core::text::has_word;

/// Small words inside a name.
const INSIDE: &str = "of de da del della di la du des van der the and";

/// Words with a capital that begin a sentence and no name.
const OPENING: &str = "a then first next finally an the this that these those there here it its it's he she they we you your my our i i'm i've \
    i'd i'll if in on at as is are was were wow yes no oh ok okay well hello hi hey please thanks \
    thank what what's where when who why how which whose can could do does did tell and but so for \
    since because great nice good sorry maybe perhaps would will has have had from user system \
    persona document after before during although while today now also";

/// The names in an English text, in order: words with capitals in a row, and small words between them. A word
/// that begins a sentence alone is none.
pub fn names(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut run = Run::default();
    for token in text.split_whitespace() {
        let opens = token.trim_start_matches(|c: char| !c.is_alphanumeric());
        let bare = opens.trim_end_matches(|c: char| !c.is_alphanumeric());
        let bare = bare.strip_suffix("'s").or_else(|| bare.strip_suffix("’s")).unwrap_or(bare);
        if opens.len() != token.len() {
            run.close(&mut found);
        }
        let small = bare.to_lowercase();
        let capital = bare.starts_with(char::is_uppercase) && !has_word("i i'm i've i'd i'll", &small);
        if capital && !(run.parts.is_empty() && has_word(OPENING, &small)) {
            run.parts.append(&mut run.between);
            run.parts.push(bare.to_owned());
        } else if !run.parts.is_empty() && has_word(INSIDE, &small) {
            run.between.push(bare.to_owned());
        } else {
            run.close(&mut found);
            run.inside = true;
        }
        if token.ends_with("'s") || token.ends_with("’s") {
            run.close(&mut found);
        }
        if closes(token) {
            run.close(&mut found);
            run.inside = !token.ends_with(['.', '!', '?']);
        }
    }
    run.close(&mut found);
    found
}

/// Whether something ends behind the token: a mark that is not the full stop of a short title or an initial.
fn closes(token: &str) -> bool {
    let is_short = |word: &str| word.chars().count() <= 2 && word.starts_with(char::is_uppercase);
    token.ends_with(|c: char| !c.is_alphanumeric()) && !token.strip_suffix('.').is_some_and(is_short)
}

/// Words in a row that may be a name.
#[derive(Default)]
struct Run {
    parts: Vec<String>,
    /// Small words behind them, which belong to the name if another capital follows.
    between: Vec<String>,
    /// It does not begin a sentence.
    inside: bool,
}

impl Run {
    /// Ends the run; its words are a name unless a lone one begins a sentence.
    fn close(&mut self, found: &mut Vec<String>) {
        self.between.clear();
        let parts = std::mem::take(&mut self.parts);
        if parts.is_empty() {
            return;
        }
        let lone = !std::mem::replace(&mut self.inside, true) && parts.len() == 1;
        let name = parts.join(" ");
        if !lone && !found.contains(&name) {
            found.push(name);
        }
    }
}

/// The subject of an English sentence, if it is a name: the words before `is`, `was`, `has` and the like.
pub fn subject(sentence: &str) -> Option<String> {
    const VERBS: &str = "is was are were has had lies stands became opened began covers contains houses hosts offers \
        rises serves originated";
    let mut before: Vec<&str> = Vec::new();
    for token in sentence.split_whitespace().take(9) {
        let bare = token.trim_matches(|c: char| !c.is_alphanumeric() && c != '.');
        // A remark between the name and the verb belongs to neither.
        let is_after_mark = before.last().is_some_and(|last| last.ends_with([',', '(']));
        if has_word(VERBS, bare) || is_after_mark || token.starts_with('(') {
            break;
        }
        before.push(token);
    }
    let before = before.join(" ");
    let before = before.trim_end_matches([',', ' ']);
    let bare = before.strip_prefix("The ").unwrap_or(before);
    let all: Vec<&str> = words(bare).collect();
    let first = all.first()?;
    let proper = first.starts_with(char::is_uppercase)
        && !has_word(OPENING, &first.to_lowercase())
        && all.len() <= 7
        && bare.len() < sentence.trim_end_matches('.').len();
    let is_capital = |word: &&&str| word.starts_with(char::is_uppercase);
    let capitals = all.iter().filter(is_capital).count();
    // `The tower` is no name, and a lone word only if it stands without an article.
    let named = capitals >= 2 || (capitals == 1 && bare == before && all.len() == 1);
    (proper && named && !content_words(bare).is_empty()).then(|| before.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_capitals_in_a_row() {
        let text = "This is the Orsa Lighthouse on Veldmark, which you like. Is the Bay of Kotor near?";
        assert_eq!(names(text), ["Orsa Lighthouse", "Veldmark", "Bay of Kotor"]);
        assert_eq!(names("Wow, what is this? Then I see. Can I?"), Vec::<String>::new());
        assert_eq!(
            names("Engineer Marta Lindqvist designed St. Paul's tower."),
            ["Engineer Marta Lindqvist", "St Paul"]
        );
        assert_eq!(names("I saw Città Alta and Łódź."), ["Città Alta and Łódź"]);
    }

    #[test]
    fn the_subject_of_a_sentence_is_a_name_or_nothing() {
        let table = [
            ("The Orsa Lighthouse is a granite tower.", Some("The Orsa Lighthouse")),
            ("Newton is a small suburb.", Some("Newton")),
            ("The tower was built in 1904.", None),
            ("It is a church.", None),
            ("Two chapels stand there.", None),
            ("", None),
        ];
        for (sentence, expected) in table {
            assert_eq!(subject(sentence).as_deref(), expected, "{sentence}");
        }
    }
}
