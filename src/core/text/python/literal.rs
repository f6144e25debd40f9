//! Values as Python's source writes them: `['a', "b"]`, `{'day': 1}`, `(None, -2.5)`.

use std::str::Chars;

use serde_json::{Map, Number, Value};

use super::repr;

/// The longest text that is read.
const LONGEST: usize = 1 << 26;
/// How deep brackets may lie in each other, as Python has it.
const DEEPEST: usize = 200;

/// The value that a text writes, as `ast.literal_eval` reads it. Tuples become lists, and keys that are no texts
/// become what `repr` writes. None if Python reads no value, or one that data do not need: bytes, sets, texts in three
/// quotes or with a letter before them, whole numbers beyond 64 bits or with another base, infinite ones.
pub fn literal(text: &str) -> Option<Value> {
    let mut reader = Reader { rest: text, depth: 0 };
    let value = (text.len() <= LONGEST).then(|| reader.value())??;
    reader.skip();
    reader.rest.is_empty().then_some(value)
}

/// Text still to be read, and how many brackets are open.
struct Reader<'t> {
    rest: &'t str,
    depth: usize,
}

impl Reader<'_> {
    fn skip(&mut self) {
        let is_blank = [' ', '\t', '\n', '\r', '\u{c}'];
        self.rest = self.rest.trim_start_matches(is_blank);
    }

    /// Passes over blanks, and over this sign if it follows.
    fn takes(&mut self, sign: char) -> bool {
        self.skip();
        let behind = self.rest.strip_prefix(sign);
        self.rest = behind.unwrap_or(self.rest);
        behind.is_some()
    }

    fn value(&mut self) -> Option<Value> {
        self.skip();
        let words = [("None", Value::Null), ("True", true.into()), ("False", false.into())];
        if self.rest.starts_with(['\'', '"']) {
            return self.texts().map(Value::String);
        }
        for (word, value) in words {
            if let Some(rest) = self.rest.strip_prefix(word) {
                self.rest = rest;
                return Some(value);
            }
        }
        match ['[', '(', '{'].into_iter().find(|open| self.takes(*open)) {
            None => self.number().map(Value::Number),
            Some(open) => {
                self.depth += 1;
                let value = (self.depth <= DEEPEST).then(|| self.bracket(open))??;
                self.depth -= 1;
                Some(value)
            }
        }
    }

    /// A list, tuple, dict, or a value in round brackets, behind its first bracket.
    fn bracket(&mut self, open: char) -> Option<Value> {
        if open == '{' {
            return self.fields().map(Value::Object);
        }
        let end = if open == '[' { ']' } else { ')' };
        let mut items = Vec::new();
        while !self.takes(end) {
            items.push(self.value()?);
            if self.takes(',') {
                continue;
            }
            self.takes(end).then_some(())?;
            let is_tuple = open == '[' || items.len() > 1;
            return if is_tuple { Some(items.into()) } else { items.pop() };
        }
        Some(items.into())
    }

    fn fields(&mut self) -> Option<Map<String, Value>> {
        let mut fields = Map::new();
        while !self.takes('}') {
            let key = match self.value()? {
                Value::String(text) => text,
                Value::Array(_) | Value::Object(_) => return None,
                other => repr(&other),
            };
            let value = self.takes(':').then(|| self.value())??;
            fields.insert(key, value);
            if !self.takes(',') {
                return self.takes('}').then_some(fields);
            }
        }
        Some(fields)
    }

    fn number(&mut self) -> Option<Number> {
        let sign = ['-', '+'].into_iter().find(|sign| self.takes(*sign));
        self.skip();
        let mut before = None;
        let end = self.rest.find(|letter: char| {
            let is_power = matches!(before.replace(letter), Some('e' | 'E'));
            !(matches!(letter, '0'..='9' | '.' | '_' | 'e' | 'E') || is_power && matches!(letter, '+' | '-'))
        });
        let (word, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        self.rest = rest;
        let mut parts = word.split('_').peekable();
        let mut digits = String::from(if sign == Some('-') { "-" } else { "" });
        while let Some(part) = parts.next() {
            digits.push_str(part);
            // An underscore stands between two digits.
            let is_digit = |letter: char| letter.is_ascii_digit();
            let next = parts.peek().is_none_or(|next| part.ends_with(is_digit) && next.starts_with(is_digit));
            next.then_some(())?;
        }
        if digits.contains(['.', 'e', 'E']) {
            return Number::from_f64(digits.parse().ok()?);
        }
        let number: i128 = digits.parse().ok()?;
        let is_padded = number != 0 && word.starts_with('0');
        (!is_padded).then(|| Number::from_i128(number))?
    }

    /// Texts one behind the other, which Python makes one.
    fn texts(&mut self) -> Option<String> {
        let mut all = String::new();
        while let Some(quote) = self.rest.chars().next().filter(|sign| matches!(sign, '\'' | '"')) {
            let mut letters = self.rest.chars();
            letters.next();
            loop {
                match letters.next()? {
                    letter if letter == quote => break,
                    '\\' => push_escaped(&mut all, &mut letters)?,
                    '\n' | '\r' | '\0' => return None,
                    letter => all.push(letter),
                }
            }
            self.rest = letters.as_str();
            self.skip();
        }
        Some(all)
    }
}

/// Writes what a backslash and the letters behind it mean.
fn push_escaped(out: &mut String, letters: &mut Chars<'_>) -> Option<()> {
    let (mut code, count, base) = match letters.next()? {
        '\n' => return Some(()),
        letter @ ('\'' | '"' | '\\') => (letter.into(), 0, 16),
        'a' => (0x7, 0, 16),
        'b' => (0x8, 0, 16),
        't' => (0x9, 0, 16),
        'n' => (0xa, 0, 16),
        'v' => (0xb, 0, 16),
        'f' => (0xc, 0, 16),
        'r' => (0xd, 0, 16),
        'x' => (0, 2, 16),
        'u' => (0, 4, 16),
        'U' => (0, 8, 16),
        // A letter by its name would need a table of all names.
        'N' => return None,
        digit @ '0'..='7' => {
            let more = letters.as_str().bytes().take(2).take_while(|digit| matches!(digit, b'0'..=b'7'));
            (digit.to_digit(8)?, more.count(), 8)
        }
        letter => {
            // Python keeps the backslash of an escape that it does not know.
            out.extend(['\\', letter]);
            return Some(());
        }
    };
    for _ in 0..count {
        code = u32::checked_mul(code, base)?.checked_add(letters.next()?.to_digit(base)?)?;
    }
    out.push(char::from_u32(code)?);
    Some(())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[test]
    fn values_are_read_as_python_does() {
        for (text, value) in [
            (
                r#" ['l\' ("the")', "it's \"", '',"\u00e8\x41\q\n\101\08\a"] "#,
                json!(["l' (\"the\")", "it's \"", "", "èA\\q\nA\u{0}8\u{7}"]),
            ),
            (r"'\377\U0001f600\v\b\f\r\\'", json!("ÿ\u{1f600}\u{b}\u{8}\u{c}\r\\")),
            ("'a\\\nb' \"c\"\n''", json!("abc")),
            ("[]", json!([])),
            ("['a',]", json!(["a"])),
            ("['a' 'b']", json!(["ab"])),
            ("[\n1,\t-2 , + 3]\n", json!([1, -2, 3])),
            ("(1)", json!(1)),
            ("(1,)", json!([1])),
            ("()", json!([])),
            ("((1, 2), [None, True, False])", json!([[1, 2], [null, true, false]])),
            ("[00, 0_0, 1_000, 18446744073709551615]", json!([0, 0, 1000, u64::MAX])),
            ("[1., .5, 1e5, 1.E+2, 2e-1, 08.5, -0.0]", json!([1.0, 0.5, 1e5, 100.0, 0.2, 8.5, -0.0])),
            ("{'a': 1, 2: {}, None: [], 'a': 3,}", json!({ "a": 3, "2": {}, "None": [] })),
        ] {
            assert_eq!(literal(text), Some(value), "{text}");
        }
    }

    #[test]
    fn what_is_no_value_is_refused() {
        let others = [
            "",
            "[",
            "]",
            "['a'",
            "[a]",
            "['a'] x",
            "['a'",
            "'a",
            "1 2",
            "[1 2]",
            "[,]",
            "(,)",
            "{,}",
            "{'a'}",
            "{[1]: 2}",
            "{'a': }",
            "02",
            "-01",
            "1__0",
            "_1",
            "1_",
            "1_.5",
            "1_e5",
            ".",
            "e5",
            "1e",
            "--1",
            "- -1",
            "+",
            "-True",
            "True1",
            "0x1",
            "1j",
            "1e999",
            "99999999999999999999",
            "b'a'",
            "{1, 2}",
            "x",
            "set()",
            "'a\nb'",
            r"'\x4'",
            r"'\U99999999'",
            r"'\ud800'",
            "1.2.3",
            "1+2",
            "é",
            "\u{a0}1",
        ];
        for text in others {
            assert_eq!(literal(text), None, "{text}");
        }
        let deep = |levels: usize| ["[".repeat(levels), "]".repeat(levels)].concat();
        assert!(literal(&deep(200)).is_some());
        assert!(literal(&deep(201)).is_none());
        assert!(literal(&deep(1 << 20)).is_none());
        assert!(literal(&"(".repeat(1 << 20)).is_none());
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in r#"[\[\](){}'", :\\xuU0-9a_e+.世N-]{0,40}"#) {
            let _ = literal(&text);
        }

        #[test]
        fn what_repr_writes_is_read(text in any::<String>(), number in any::<i64>(), float in any::<f64>(), key in any::<String>()) {
            let value = json!([text, { key: [number, null, true] }, float]);
            prop_assert_eq!(literal(&repr(&value)), Some(value));
        }
    }
}
