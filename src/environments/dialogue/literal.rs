//! Lists of texts as Python writes them: `['a', "b"]`.

/// The texts of a list literal; none if the text is something else.
pub(super) fn list(text: &str) -> Option<Vec<String>> {
    let mut rest = text.trim().strip_prefix('[')?.trim_start();
    let mut items = Vec::new();
    loop {
        if let Some(end) = rest.strip_prefix(']') {
            return end.is_empty().then_some(items);
        }
        let (item, after) = string(rest)?;
        items.push(item);
        let after = after.trim_start();
        rest = match after.strip_prefix(',') {
            Some(next) => next.trim_start(),
            None if after.starts_with(']') => after,
            None => return None,
        };
    }
}

/// The quoted text in front, and the rest after it.
fn string(text: &str) -> Option<(String, &str)> {
    let mut letters = text.chars();
    let quote = letters.next().filter(|quote| matches!(quote, '\'' | '"'))?;
    let mut item = String::new();
    loop {
        match letters.next()? {
            letter if letter == quote => return Some((item, letters.as_str())),
            '\\' => item.push_str(&escape(&mut letters)?),
            letter => item.push(letter),
        }
    }
}

/// The meaning of a backslash and the letters after it.
fn escape(letters: &mut std::str::Chars<'_>) -> Option<String> {
    let digits = match letters.next()? {
        'n' => return Some("\n".to_owned()),
        't' => return Some("\t".to_owned()),
        'r' => return Some("\r".to_owned()),
        '\n' => return Some(String::new()),
        'x' => 2,
        'u' => 4,
        'U' => 8,
        letter @ ('\'' | '"' | '\\') => return Some(letter.to_string()),
        // Python keeps the backslash of an escape that it does not know.
        letter => return Some(format!("\\{letter}")),
    };
    let mut code = 0_u32;
    for _ in 0..digits {
        code = code.checked_mul(16)? + letters.next()?.to_digit(16)?;
    }
    char::from_u32(code).map(String::from)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn lists_are_read_as_python_does() {
        let read = |text| list(text).map(|items| items.join("|"));
        let text = r#" ['l\' ("the")', "it's \"", '',"\u00e8\x41\q\n"] "#;
        assert_eq!(read(text).unwrap(), "l' (\"the\")|it's \"||èA\\q\n");
        assert_eq!(read("[]").unwrap(), "");
        assert_eq!(read("['a',]").unwrap(), "a");
        for other in [
            "",
            "[",
            "['a'",
            "['a' 'b']",
            "[a]",
            "['a'] x",
            "'a'",
            r"['\x4']",
            r"['\U99999999']",
        ] {
            assert_eq!(read(other), None, "{other}");
        }
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in r#"[\[\]'", \\xuU0-9a世]{0,40}"#) {
            let _ = list(&text);
        }
    }
}
