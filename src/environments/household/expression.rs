//! A tolerant reader of Lisp expressions, as PDDL texts are written.
//!
//! Official problem files carry a surplus `)`, comments and mixed case:
//! the text is lower-cased first, comments are dropped and closing parentheses without partner are
//! ignored. What is left open at the end is an error, since it means a truncated text.

use std::fmt;

use super::Defect;

/// Nesting beyond this is refused: real texts stay below ten.
const DEPTH_LIMIT: usize = 64;

/// An atom or a list of expressions; atoms borrow from the lower-cased text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Expression<'a> {
    /// A word, with its line from 1.
    Atom(&'a str, u32),
    /// A parenthesised list, with the line it opens on.
    List(Vec<Expression<'a>>, u32),
}

impl<'a> Expression<'a> {
    /// The line the expression starts on, from 1.
    pub(crate) fn line(&self) -> u32 {
        match self {
            Self::Atom(_, line) | Self::List(_, line) => *line,
        }
    }

    /// The word, if it is one.
    pub(crate) fn atom(&self) -> Option<&'a str> {
        match self {
            Self::Atom(text, _) => Some(text),
            Self::List(..) => None,
        }
    }

    /// The items, if it is a list.
    pub(crate) fn list(&self) -> Option<&[Expression<'a>]> {
        match self {
            Self::Atom(..) => None,
            Self::List(items, _) => Some(items),
        }
    }

    /// Its start as it is written, short enough for a message.
    pub(crate) fn excerpt(&self) -> String {
        excerpt(&self.to_string())
    }

    /// The leading word of a list and the items after it.
    pub(crate) fn call(&self) -> Option<(&'a str, &[Expression<'a>])> {
        let (first, rest) = self.list()?.split_first()?;
        Some((first.atom()?, rest))
    }
}

impl fmt::Display for Expression<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Atom(text, _) => formatter.write_str(text),
            Self::List(items, _) => {
                formatter.write_str("(")?;
                for (index, item) in items.iter().enumerate() {
                    if index > 0 {
                        formatter.write_str(" ")?;
                    }
                    item.fmt(formatter)?;
                }
                formatter.write_str(")")
            }
        }
    }
}

/// Lower-cases a text the way the original reader does.
pub(crate) fn lower_case(text: &str) -> String {
    if text.is_ascii() { text.to_ascii_lowercase() } else { text.to_lowercase() }
}

/// Reads the first list of a lower-cased text; `part` names the text in errors.
pub(crate) fn read<'a>(text: &'a str, part: &'static str) -> Result<Expression<'a>, Defect> {
    let fail = |line: u32, reason: String| Defect::Syntax { part, line, reason };
    // Items of all open lists, and for each list where its items begin and its line.
    let mut items: Vec<Expression<'a>> = Vec::with_capacity(64);
    let mut open: Vec<(usize, u32)> = Vec::new();
    let mut tokens = Tokens { text, position: 0, line: 1 };
    while let Some((token, line)) = tokens.next() {
        match token {
            "(" if open.len() == DEPTH_LIMIT => {
                let reason = format!("parentheses nest deeper than {DEPTH_LIMIT}");
                return Err(fail(line, reason));
            }
            "(" => open.push((items.len(), line)),
            ")" => {
                let Some((start, opened)) = open.pop() else {
                    continue;
                };
                let list = Expression::List(items.drain(start..).collect(), opened);
                if open.is_empty() {
                    return Ok(list);
                }
                items.push(list);
            }
            word if open.is_empty() => {
                let reason = format!("expected `(`, found `{}`", excerpt(word));
                return Err(fail(line, reason));
            }
            word => items.push(Expression::Atom(word, line)),
        }
    }
    let (line, reason) = match open.first() {
        Some((_, line)) => (*line, "the `(` opened here is never closed; is the text complete?"),
        None => (tokens.line, "expected `(`, found the end of the text"),
    };
    Err(fail(line, reason.to_owned()))
}

/// The start of a text, short enough for a message.
pub(crate) fn excerpt(text: &str) -> String {
    let mut short: String = text.chars().take(40).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

/// Whether a byte ends a word.
const ENDS_WORD: [bool; 256] = {
    let mut table = [false; 256];
    let ends = b"();\t\n\x0b\x0c\r ";
    let mut index = 0;
    while index < ends.len() {
        table[ends[index] as usize] = true;
        index += 1;
    }
    table
};

/// Cuts a text into parentheses and words; skips blanks and `;` comments.
struct Tokens<'a> {
    text: &'a str,
    position: usize,
    line: u32,
}

impl<'a> Tokens<'a> {
    fn next(&mut self) -> Option<(&'a str, u32)> {
        let bytes = self.text.as_bytes();
        loop {
            match bytes.get(self.position)? {
                b'\n' => self.line += 1,
                b' ' | b'\t' | b'\r' | 0x0b | 0x0c => {}
                b';' => {
                    let rest = bytes.get(self.position..)?;
                    self.position += rest.iter().position(|byte| *byte == b'\n')?;
                    continue;
                }
                _ => break,
            }
            self.position += 1;
        }
        let start = self.position;
        let rest = bytes.get(start..)?;
        let length = rest.iter().position(|byte| ENDS_WORD[usize::from(*byte)]).unwrap_or(rest.len()).max(1);
        self.position += length;
        Some((self.text.get(start..self.position)?, self.line))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_nested_lists_without_comments() {
        let text = "; head\n(a (b c) ; note )\n ())";
        assert_eq!(read(text, "grammar").unwrap().to_string(), "(a (b c) ())");
    }

    #[test]
    fn ignores_what_follows_the_first_list() {
        assert_eq!(read("(a))\n)", "grammar").unwrap().to_string(), "(a)");
        assert_eq!(read(")(a)", "grammar").unwrap().to_string(), "(a)");
    }

    #[test]
    fn reports_the_line_of_what_stays_open() {
        let fault = read("\n(a (b)", "pddl_domain").unwrap_err();
        assert!(matches!(fault, Defect::Syntax { line: 2, .. }), "{fault}");
    }

    #[test]
    fn refuses_deep_nesting_and_bare_words() {
        assert!(read(&"(".repeat(100_000), "pddl_domain").is_err());
        assert!(read("word", "pddl_domain").is_err());
        assert!(read("", "pddl_domain").is_err());
    }
}
