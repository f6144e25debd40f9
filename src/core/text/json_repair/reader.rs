//! The reader of broken JSON.

use std::collections::BTreeSet;
use std::iter::Peekable;
use std::str::Chars;

use serde_json::{Map, Number, Value};

use super::super::json;
use super::{DEEPEST, Fix, NoJson};

/// Reads a value letter by letter, and mends on the way.
pub(super) struct Reader<'a> {
    rest: Peekable<Chars<'a>>,
    pub(super) fixes: BTreeSet<Fix>,
}

impl<'a> Reader<'a> {
    /// Reads this text from its beginning.
    pub(super) fn new(text: &'a str) -> Self {
        Self { rest: text.chars().peekable(), fixes: BTreeSet::new() }
    }

    /// Whether nothing but blanks is left.
    pub(super) fn is_at_end(&mut self) -> bool {
        self.blanks();
        self.rest.peek().is_none()
    }

    fn fix(&mut self, fix: Fix) {
        self.fixes.insert(fix);
    }

    /// Takes the character if it comes next.
    fn take(&mut self, wanted: char) -> bool {
        self.rest.next_if_eq(&wanted).is_some()
    }

    /// Passes over blanks and comments.
    fn blanks(&mut self) {
        loop {
            while self.rest.next_if(|next| next.is_whitespace()).is_some() {}
            let mut ahead = self.rest.clone();
            if ahead.next() != Some('/') {
                return;
            }
            match ahead.next() {
                Some('/') => while self.rest.next_if(|next| *next != '\n').is_some() {},
                Some('*') => self.long_comment(),
                _ => return,
            }
            self.fix(Fix::Comment);
        }
    }

    fn long_comment(&mut self) {
        let mut star = false;
        // The opening `/*`, whose star may not close it.
        self.rest.next();
        self.rest.next();
        for next in self.rest.by_ref() {
            if star && next == '/' {
                return;
            }
            star = next == '*';
        }
    }

    /// The next value.
    pub(super) fn value(&mut self, depth: usize) -> Result<Value, NoJson> {
        self.blanks();
        match self.rest.peek() {
            None => {
                self.fix(Fix::End);
                Ok(Value::Null)
            }
            Some('{') => self.object(depth + 1),
            Some('[') => self.list(depth + 1),
            Some(quote) if closing(*quote).is_some() => Ok(Value::String(self.text(false))),
            Some(_) => Ok(self.word()),
        }
    }

    fn object(&mut self, depth: usize) -> Result<Value, NoJson> {
        if depth > DEEPEST {
            return Err(NoJson::TooDeep);
        }
        self.rest.next();
        let mut fields = Map::new();
        loop {
            if self.separator('}', fields.is_empty()) {
                return Ok(Value::Object(fields));
            }
            let name = self.name();
            self.blanks();
            if !self.take(':') && !self.take('=') && self.rest.peek().is_some() {
                self.fix(Fix::Commas);
            }
            let value = self.value(depth)?;
            fields.insert(name, value);
        }
    }

    fn list(&mut self, depth: usize) -> Result<Value, NoJson> {
        if depth > DEEPEST {
            return Err(NoJson::TooDeep);
        }
        self.rest.next();
        let mut items = Vec::new();
        loop {
            if self.separator(']', items.is_empty()) {
                return Ok(Value::Array(items));
            }
            items.push(self.value(depth)?);
        }
    }

    /// Passes over what stands between two items; whether the end was there.
    fn separator(&mut self, end: char, first: bool) -> bool {
        self.blanks();
        let mut commas = 0;
        while self.take(',') || self.take(';') {
            commas += 1;
            self.blanks();
        }
        let usual = usize::from(!first);
        match self.rest.peek() {
            None => {
                self.fix(Fix::End);
                return true;
            }
            Some(next) if *next == end => {
                if commas > 0 {
                    self.fix(Fix::Commas);
                }
                self.rest.next();
                return true;
            }
            // Another bracket closes this as well; whoever opened it takes it.
            Some('}' | ']') => {
                self.fix(Fix::Commas);
                // Only if nobody waits for it is it passed over: a list within an object leaves
                // `}` to the object, an object within a list leaves `]` to the list.
                return true;
            }
            Some(_) => {}
        }
        if commas != usual {
            self.fix(Fix::Commas);
        }
        false
    }

    /// The name of a field.
    fn name(&mut self) -> String {
        match self.rest.peek() {
            Some(quote) if closing(*quote).is_some() => self.text(true),
            _ => {
                self.fix(Fix::Quotes);
                let mut name = String::new();
                while let Some(next) = self.rest.next_if(|next| !":=,{}[]\"'\n".contains(*next)) {
                    name.push(next);
                }
                // Something has to be taken, or nothing would ever end.
                if name.is_empty() && !matches!(self.rest.peek(), Some(':' | '=')) {
                    self.rest.next();
                }
                name.trim().to_owned()
            }
        }
    }

    /// A text in quotation marks.
    fn text(&mut self, is_name: bool) -> String {
        let open = self.rest.next().unwrap_or('"');
        let close = closing(open).unwrap_or('"');
        if open != '"' {
            self.fix(Fix::Quotes);
        }
        let mut text = String::new();
        loop {
            match self.rest.next() {
                None => {
                    self.fix(Fix::End);
                    return text;
                }
                Some('\\') => self.escape(&mut text),
                Some(next) if next == close => {
                    if self.ends_here(is_name) {
                        return text;
                    }
                    // A quotation mark within the text, such as the apostrophe of `don't`.
                    self.fix(Fix::Quotes);
                    text.push(next);
                }
                Some(next) => {
                    if next < ' ' {
                        self.fix(Fix::Escapes);
                    }
                    text.push(next);
                }
            }
        }
    }

    /// Whether a text can end before what comes next.
    fn ends_here(&self, is_name: bool) -> bool {
        let mut ahead = self.rest.clone();
        match ahead.find(|next| !next.is_whitespace()) {
            None => true,
            Some(':') => is_name,
            Some('=' | '/') => true,
            Some(',' | ';' | '}' | ']') => !is_name,
            // The comma is missing.
            Some('"') => true,
            Some(_) => false,
        }
    }

    fn escape(&mut self, text: &mut String) {
        let Some(next) = self.rest.next() else {
            return self.fix(Fix::End);
        };
        match next {
            '"' | '\\' | '/' => text.push(next),
            'b' => text.push('\u{8}'),
            'f' => text.push('\u{c}'),
            'n' => text.push('\n'),
            'r' => text.push('\r'),
            't' => text.push('\t'),
            'u' => self.unicode(text),
            '\'' => {
                self.fix(Fix::Escapes);
                text.push('\'');
            }
            other => {
                self.fix(Fix::Escapes);
                text.push('\\');
                text.push(other);
            }
        }
    }

    /// After `\u`: one character, which may be written as two halves.
    fn unicode(&mut self, text: &mut String) {
        let Some(first) = self.four_digits() else {
            self.fix(Fix::Escapes);
            return text.push_str("\\u");
        };
        let mut code = first;
        if (0xd800..0xdc00).contains(&first) {
            let before = self.rest.clone();
            let second = if self.take('\\') && self.take('u') { self.four_digits() } else { None };
            match second {
                Some(second) if (0xdc00..0xe000).contains(&second) => {
                    code = 0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00);
                }
                _ => self.rest = before,
            }
        }
        text.push(char::from_u32(code).unwrap_or_else(|| {
            self.fixes.insert(Fix::Escapes);
            char::REPLACEMENT_CHARACTER
        }));
    }

    fn four_digits(&mut self) -> Option<u32> {
        let mut ahead = self.rest.clone();
        let mut code = 0;
        for _ in 0..4 {
            code = code * 16 + ahead.next()?.to_digit(16)?;
        }
        self.rest = ahead;
        Some(code)
    }

    /// A number, `true`, `false`, `null`, what other languages write for them, or a bare text.
    fn word(&mut self) -> Value {
        let mut word = String::new();
        while let Some(next) = self.rest.next_if(|next| !",;{}[]\n".contains(*next)) {
            word.push(next);
        }
        if word.is_empty() {
            // A bracket that closes nothing.
            self.fix(Fix::Commas);
            if !matches!(self.rest.peek(), Some('}' | ']')) {
                self.rest.next();
            }
            return Value::Null;
        }
        let word = word.trim();
        if let Ok(value) = json::read::<Value>(word) {
            return value;
        }
        self.fix(Fix::Words);
        match word {
            "True" | "TRUE" => Value::Bool(true),
            "False" | "FALSE" => Value::Bool(false),
            "None" | "undefined" | "NaN" | "nan" | "NULL" | "nil" => Value::Null,
            _ => number(word).unwrap_or_else(|| {
                self.fixes.insert(Fix::Quotes);
                Value::String(word.to_owned())
            }),
        }
    }
}

/// Numbers such as `+1`, `.5` and `1_000`.
fn number(word: &str) -> Option<Value> {
    let digits: String = word.chars().filter(|letter| *letter != '_').collect();
    let digits = digits.strip_prefix('+').unwrap_or(&digits);
    if !digits.starts_with(|first: char| first.is_ascii_digit() || "-.".contains(first)) {
        return None;
    }
    if let Ok(whole) = digits.parse::<i64>() {
        return Some(whole.into());
    }
    let number = digits.parse::<f64>().ok()?;
    Number::from_f64(number).map(Value::Number)
}

/// The quotation mark that closes a text which this one opens.
fn closing(open: char) -> Option<char> {
    match open {
        '"' | '\'' | '`' => Some(open),
        '\u{201c}' | '\u{201d}' => Some('\u{201d}'),
        '\u{2018}' | '\u{2019}' => Some('\u{2019}'),
        _ => None,
    }
}
