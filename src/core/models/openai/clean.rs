//! A server's words about an error, made fit for the log: short, on one line, without secrets
//! and without what differs from one request to the next.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use crate::text::visible;

/// The most letters of a server's text that are kept.
const LONGEST: usize = 240;

/// Words that begin so name one request.
const NAMES: [&str; 9] = ["req_", "req-", "chatcmpl-", "chatcmpl_", "cmpl-", "call_", "resp_", "run_", "trace_"];

/// The shortest word of a secret that is hidden where it stands alone.
const SHORTEST: usize = 8;

/// The forms in which errors may repeat secrets, the longest first: as [`clean`] spaces them, as
/// JSON writes them, and their longer words alone (`Bearer KEY` is repeated as `KEY`).
pub(crate) fn forms_of<'a>(secrets: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut forms = BTreeSet::new();
    for secret in secrets {
        let words = || secret.split_whitespace();
        let whole = words().collect::<Vec<_>>().join(" ");
        let written = serde_json::Value::from(whole.as_str()).to_string();
        forms.insert(written.trim_matches('"').to_owned());
        forms.insert(whole);
        let longer = words().filter(|word| word.len() >= SHORTEST);
        forms.extend(longer.map(str::to_owned));
    }
    forms.remove("");
    let mut forms: Vec<_> = forms.into_iter().collect();
    // A part that is replaced first would leave the rest of the whole.
    forms.sort_by_key(|form| Reverse(form.len()));
    forms
}

/// Cleans the text of an error. `secrets` are the [forms](forms_of) of texts that must not be seen.
pub(crate) fn clean<'a>(text: &str, secrets: impl Iterator<Item = &'a str>) -> String {
    // Proxies explain their own settings after the first paragraph.
    let first = text.trim().split("\n\n").next().unwrap_or_default();
    let mut said = first.split_whitespace().collect::<Vec<_>>().join(" ");
    for secret in secrets.filter(|secret| !secret.is_empty()) {
        said = said.replace(secret, "(secret)");
    }
    let words = said.split(' ').map(steady).collect::<Vec<_>>();
    let said = words.join(" ");
    let shown = visible(&said);
    match shown.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &shown[..end]),
        None => shown.into_owned(),
    }
}

/// The text with its numbers left out, for errors whose numbers count what happened before.
pub(crate) fn without_numbers(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for letter in text.chars() {
        if !letter.is_ascii_digit() {
            shown.push(letter);
        } else if !shown.ends_with('#') {
            shown.push('#');
        }
    }
    shown.replace("#.#", "#")
}

/// The word, or `…` in place of a part of it that names a request or a time.
fn steady(word: &str) -> std::borrow::Cow<'_, str> {
    let letter = |letter: char| letter.is_alphanumeric() || "-_:.".contains(letter);
    let core = word.trim_matches(|other| !letter(other)).trim_matches(|other: char| !other.is_alphanumeric());
    if core.is_empty() || !changes(core) {
        return word.into();
    }
    word.replacen(core, "…", 1).into()
}

fn changes(word: &str) -> bool {
    if NAMES.iter().any(|name| word.starts_with(name)) || masked_key(word) {
        return true;
    }
    let digits = word.bytes().filter(u8::is_ascii_digit).count();
    let mut bytes = word.bytes();
    let hexadecimal = bytes.all(|byte| byte.is_ascii_hexdigit() || byte == b'-');
    if hexadecimal && digits > 0 && word.len() >= 16 {
        return true;
    }
    // 2026-11-20T12:00:30, 12:00:30 and 1795176868
    let mut bytes = word.bytes();
    let clock = bytes.all(|byte| byte.is_ascii_digit() || b"-:.TZ+".contains(&byte));
    clock && (word.contains(':') && digits >= 4 || word.len() >= 10 && digits >= 8)
}

/// A key, or what a server shows of one.
fn masked_key(word: &str) -> bool {
    word.starts_with("sk-") || word.starts_with("Bearer")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cleaned(text: &str) -> String {
        clean(text, ["geheim-7"].into_iter())
    }

    #[test]
    fn secrets_and_what_changes_are_left_out() {
        let text = "Key geheim-7 refused (request req_8f2e) at 2026-11-20T12:00:30Z";
        assert_eq!(cleaned(text), "Key (secret) refused (request …) at …");
        let text = "bad: 8fb7cabeaba23a3d5f74172f3c7fee3d, 0123abcd-1111-2222-3333-444455556666.";
        assert_eq!(cleaned(text), "bad: …, ….");
        let text = "Incorrect API key provided: sk-local-****cdef.";
        assert_eq!(cleaned(text), "Incorrect API key provided: ….");
    }

    #[test]
    fn secrets_are_hidden_in_every_form() {
        let secrets = ["Bearer geheim-77", " team  a ", "quote\"d", "geheim-77-more"];
        let forms = forms_of(secrets.into_iter());
        let hidden = |text: &str| clean(text, forms.iter().map(String::as_str));
        assert_eq!(hidden("token geheim-77 refused"), "token (secret) refused");
        assert_eq!(hidden("got [Bearer geheim-77]"), "got [(secret)]");
        assert_eq!(hidden("not geheim-77-more"), "not (secret)");
        assert_eq!(hidden("of team  a: no"), "of (secret): no");
        assert_eq!(hidden(r#"{"k": "quote\"d"}"#), r#"{"k": "(secret)"}"#);
        assert!(forms_of(["", " "].into_iter()).is_empty());
    }

    #[test]
    fn what_says_something_stays() {
        let text = "request (18013 tokens) exceeds the available context size (1024 tokens)";
        assert_eq!(cleaned(text), text);
        let text = "litellm.RateLimitError: model gpt-4o-2024-08-06 at 0.5\n\nLiteLLM: long";
        let first = "litellm.RateLimitError: model gpt-4o-2024-08-06 at 0.5";
        assert_eq!(cleaned(text), first);
        assert_eq!(cleaned("a\u{1b}[2J \n b"), r"a\u{1b}[2J b");
    }

    #[test]
    fn long_texts_are_cut_between_letters() {
        let cut = cleaned(&"ü".repeat(1000));
        assert_eq!(cut.chars().count(), LONGEST + 1);
    }

    #[test]
    fn numbers_can_be_left_out() {
        let text = without_numbers("limit=2, usage=14, in 1.25s");
        assert_eq!(text, "limit=#, usage=#, in #s");
    }
}
