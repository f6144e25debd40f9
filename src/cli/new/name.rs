//! The name of something new, and what Rust calls it.

use anyhow::bail;

/// A name that can be used.
pub(super) struct Name {
    /// As configs write it: `my-role`.
    pub(super) text: String,
    /// As the module is called: `my_role`.
    pub(super) module: String,
    /// As the type is called: `MyRole`.
    pub(super) type_name: String,
}

/// The longest name, in letters.
const LONGEST: usize = 40;

/// Words that cannot be the name of a module, those included that Rust keeps for later.
const KEYWORDS: &[&str] = &[
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate", "do", "dyn", "else",
    "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop", "macro", "match", "mod",
    "move", "mut", "override", "priv", "pub", "ref", "return", "self", "static", "struct", "super", "trait", "true",
    "try", "type", "typeof", "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];

/// Names that files cannot have on Windows, whatever their ending.
const DEVICES: &[&str] = &["aux", "con", "nul", "prn"];

impl Name {
    /// Checks a name: words of lower-case letters and digits, joined by single `-` or `_`.
    pub(super) fn new(text: &str) -> anyhow::Result<Self> {
        let shown: String = text.chars().take(LONGEST).collect();
        let refuse = |why: &str| bail!("`{shown}` cannot be a name: {why}");
        if text.len() > LONGEST {
            return refuse("it is longer than 40 letters");
        }
        let words: Vec<&str> = text.split(['-', '_']).collect();
        let plain = |word: &&str| {
            let allowed = |letter: u8| letter.is_ascii_lowercase() || letter.is_ascii_digit();
            !word.is_empty() && word.bytes().all(allowed)
        };
        if !words.iter().all(plain) {
            return refuse("write words of lower-case letters and digits, as in `my-role`");
        }
        if !text.starts_with(|first: char| first.is_ascii_lowercase()) {
            return refuse("it must begin with a letter");
        }
        let module = words.join("_");
        if KEYWORDS.contains(&module.as_str()) {
            return refuse("it is a word of the Rust language");
        }
        if DEVICES.contains(&text) || is_port(text) {
            return refuse("Windows has no files of that name");
        }
        let capital = |word: &&str| {
            let (first, rest) = word.split_at(1);
            first.to_ascii_uppercase() + rest
        };
        Ok(Self { text: text.to_owned(), type_name: words.iter().map(capital).collect(), module })
    }

    /// Fails if templates use the type's name for something else.
    pub(super) fn check_unused<'a>(&self, templates: impl IntoIterator<Item = &'a str>) -> anyhow::Result<()> {
        let word = &self.type_name;
        let uses = |template: &str| template.split(|letter: char| !letter.is_alphanumeric()).any(|other| other == word);
        if templates.into_iter().any(uses) {
            bail!("`{}` cannot be the name: the file that is written uses `{word}` already", self.text);
        }
        Ok(())
    }

    /// A template with the name put in.
    pub(super) fn fill(&self, template: &str) -> String {
        template
            .replace("{{name}}", &self.text)
            .replace("{{module}}", &self.module)
            .replace("{{Type}}", &self.type_name)
    }
}

/// Whether the name is that of a port on Windows: `com1`, `lpt9`.
fn is_port(text: &str) -> bool {
    let number = text.strip_prefix("com").or_else(|| text.strip_prefix("lpt"));
    number.is_some_and(|number| matches!(number.as_bytes(), [b'0'..=b'9']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_three_forms() {
        let name = Name::new("my-2nd_role").unwrap();
        assert_eq!(name.fill("{{name}} {{module}} {{Type}}"), "my-2nd_role my_2nd_role My2ndRole");
    }

    #[test]
    fn what_cannot_be_a_module_or_a_name_in_configs_is_refused() {
        let long = "a".repeat(41);
        let wrong = [
            "", "A", "myRole", "-a", "a-", "a--b", "2nd", "a b", "é", "a.b", "../a", "match", "self", "gen", "con",
            "nul", "com1", "lpt9", &long,
        ];
        for text in wrong {
            assert!(Name::new(text).is_err(), "{text}");
        }
        for text in ["match-maker", "con-man", "com", "com10"] {
            assert!(Name::new(text).is_ok(), "{text}");
        }
    }
}
