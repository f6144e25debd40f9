//! Cleaning of texts before any format is read, and small helpers over texts.

use rolecall_core::text::overlap::is_space;

/// The text with line ends as `\n`, lines that only open or close a code block blank, and without
/// backticks and `**`.
pub(super) fn cleaned(text: &str) -> String {
    let text = text.replace("\r\n", "\n");
    let text = text.split('\n').map(|line| if is_fence(line) { "" } else { line }).collect::<Vec<_>>().join("\n");
    text.replace('`', "").replace("**", "")
}

/// Whether a line only opens or closes a code block: three backticks, maybe the name of a language.
fn is_fence(line: &str) -> bool {
    let of_name = |letter: char| letter.is_alphanumeric() || "_+-.#".contains(letter);
    let name = trimmed(line).strip_prefix("```").map(trimmed);
    name.is_some_and(|name| name.chars().all(of_name))
}

/// The text without white space around it.
pub(super) fn trimmed(text: &str) -> &str {
    text.trim_matches(is_space)
}

/// The text without blanks in front of it on its first line.
pub(super) fn after_blanks(text: &str) -> &str {
    text.trim_start_matches(|letter| letter != '\n' && is_space(letter))
}

/// The text with each run of white space as one blank, and none around it.
pub(super) fn collapsed(text: &str) -> String {
    text.split(is_space).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Text without line breaks, as a script without blanks between words wants it.
pub(super) fn unbroken(text: &str) -> String {
    text.split(['\n', '\r']).map(collapsed).collect()
}

/// The first line that is not blank; an empty text if there is none.
pub(super) fn first_line(text: &str) -> &str {
    trimmed(text).split('\n').next().map_or("", trimmed)
}

/// The line without a bullet or a number in front (`- `, `* `, `• `, `1.`, `1)`), and without blanks there.
pub(super) fn after_bullet(line: &str) -> &str {
    let line = after_blanks(line);
    if let Some(rest) = line.strip_prefix(['-', '*', '•']) {
        let item = after_blanks(rest);
        return if item.len() < rest.len() { item } else { line };
    }
    let rest = line.trim_start_matches(|letter: char| letter.is_ascii_digit());
    match rest.strip_prefix(['.', ')']) {
        Some(item) if rest.len() < line.len() => after_blanks(item),
        _ => line,
    }
}

/// The rest after a word in front of the text, whatever its case.
pub(super) fn after_word<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let (front, rest) = text.split_at_checked(word.len())?;
    front.eq_ignore_ascii_case(word).then_some(rest)
}

/// Opening and closing quotes.
const QUOTES: [(char, char); 6] = [('"', '"'), ('\'', '\''), ('“', '”'), ('‘', '’'), ('「', '」'), ('『', '』')];

/// The trimmed text without the pair of quotes around it. Quotes that open and close separate words
/// (`'a' and 'b'`) stay.
pub(super) fn unquoted(text: &str) -> &str {
    let text = trimmed(text);
    QUOTES
        .iter()
        .find_map(|(open, close)| {
            let inner = text.strip_prefix(*open)?.strip_suffix(*close)?;
            (!closes_early(inner, *close)).then(|| trimmed(inner))
        })
        .unwrap_or(text)
}

/// Whether the first such quote within the text ends the words that a quote before the text began: it comes
/// after a letter and before something else.
fn closes_early(inner: &str, quote: char) -> bool {
    inner.split_once(quote).is_some_and(|(before, after)| {
        before.ends_with(|last| !is_space(last)) && !after.starts_with(char::is_alphanumeric)
    })
}

/// The start of a text, for an error that quotes it: at most 80 letters.
pub(super) fn excerpt(text: &str) -> String {
    const LETTERS: usize = 80;
    let shown: String = text.chars().take(LETTERS).collect();
    let end = if text.chars().nth(LETTERS).is_some() { "..." } else { "" };
    rolecall_core::text::visible(&shown).into_owned() + end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_blocks_bold_and_line_ends_go() {
        let text = "```python\r\n**Plan:** `a`\r\n ``` \r\n```x y```\n***b";
        assert_eq!(cleaned(text), "\nPlan: a\n\nx y\n*b");
    }

    #[test]
    fn bullets_and_numbers_go_if_they_are_some() {
        let lines = ["- a", "  * a", "• a", "1. a", "12)a", " a", "-a", "1 a", "*a", ".a", "3"];
        let found = lines.map(after_bullet);
        let expected = ["a", "a", "a", "a", "a", "a", "-a", "1 a", "*a", ".a", "3"];
        assert_eq!(found, expected);
    }

    #[test]
    fn one_pair_of_quotes_goes_unless_it_is_two_words() {
        let texts = [
            "\"a\"",
            " ' a' ",
            "“a”",
            "\"",
            "\"\"",
            "'a' is 'b'",
            "\"He said \"ciao\" to you\"",
            "'It's here'",
            "a\"",
            "「世界」",
        ];
        let expected = ["a", "a", "a", "\"", "", "'a' is 'b'", "He said \"ciao\" to you", "It's here", "a\"", "世界"];
        assert_eq!(texts.map(unquoted), expected);
    }

    #[test]
    fn white_space_is_gathered() {
        assert_eq!(collapsed(" a\n\tb\u{3000}c "), "a b c");
        assert_eq!(unbroken(" 你好 \n 世界  ok\n"), "你好世界 ok");
        assert_eq!(first_line("\n\n a \nb"), "a");
    }
}
