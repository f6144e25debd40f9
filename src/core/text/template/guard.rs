//! Has every operand in a template pass through a filter that counts it. The engine lets nobody look at
//! operators, and `x ~ x` over and over doubles a text with each step.

use std::collections::BTreeMap;

use super::budget::{HELD, NUMBER, REPEATS};

/// Steps that filling in one part may take. A prompt of 2,000 turns that writes each turn itself
/// takes about 50,000.
pub(super) const FUEL: u64 = 5_000_000;

/// Bytes of running text that one part may write into variables and macros.
const RAW: u64 = 1 << 30;

/// Operators whose operands are counted; `in` is one more.
const OPERATORS: [&str; 15] = ["~", "+", "-", "*", "/", "//", "%", "**", "==", "!=", "<", "<=", ">", ">=", "in"];

/// Words after which no operand has ended.
const WORDS: [&str; 12] = ["and", "elif", "else", "for", "if", "in", "is", "not", "or", "set", "with", "call"];

/// A template with filters at its operands.
pub(super) struct Guarded {
    pub(super) source: String,
    /// Its output may go into a variable.
    captures: bool,
    /// The longest running text between two tags.
    longest: usize,
}

impl Guarded {
    /// The steps that it may take.
    pub(super) fn fuel(&self) -> u64 {
        if self.captures { FUEL.min(RAW / (self.longest as u64).max(1)) } else { FUEL }
    }
}

#[derive(Clone, Copy)]
struct Token<'a> {
    text: &'a str,
    end: usize,
}

/// Writes the template anew.
pub(super) fn guarded(source: &str) -> Guarded {
    let (mut at, mut longest, mut captures) = (0, 0, false);
    let mut places = BTreeMap::new();
    while let Some(found) = find(source, at, "{") {
        let rest = source.get(found..).unwrap_or_default();
        let close = match rest.get(..2) {
            Some("{{") => "}}",
            Some("{%") => "%}",
            Some("{#") => {
                at = find(source, found, "#}").map_or(source.len(), |end| end + 2);
                continue;
            }
            _ => {
                at = found + 1;
                continue;
            }
        };
        longest = longest.max(found - at.min(found));
        // A mark that has blanks left out is no part of the code.
        let trims = matches!(rest.as_bytes().get(2), Some(b'-' | b'+'));
        let (tokens, end) = tokens(source, found + 2 + usize::from(trims), close);
        at = end;
        let statement = close == "%}";
        let word = tokens.first().filter(|_| statement).map_or("", |token| token.text);
        if word == "raw" {
            at = find(source, end, "endraw").unwrap_or(source.len());
            longest = longest.max(at - end);
            at = find(source, at, "%}").map_or(source.len(), |end| end + 2);
            continue;
        }
        captures |= ["macro", "call", "filter"].contains(&word);
        captures |= word == "set" && !tokens.iter().any(|token| token.text == "=");
        Code { tokens, statement }.places(&mut places);
    }
    longest = longest.max(source.len().saturating_sub(at));
    let mut guarded = String::with_capacity(source.len() + places.len() * 8);
    let mut from = 0;
    for (place, filter) in places {
        guarded.push_str(source.get(from..place).unwrap_or_default());
        guarded.push('|');
        guarded.push_str(&filter);
        from = place;
    }
    guarded.push_str(source.get(from..).unwrap_or_default());
    Guarded { source: guarded, captures, longest }
}

fn find(source: &str, from: usize, what: &str) -> Option<usize> {
    Some(from + source.get(from..)?.find(what)?)
}

/// The tokens of a tag, and where it ends.
fn tokens<'a>(source: &'a str, from: usize, close: &str) -> (Vec<Token<'a>>, usize) {
    let mut tokens = Vec::new();
    let (mut at, mut depth) = (from, 0_u32);
    while let Some(letter) = source.get(at..).and_then(|rest| rest.chars().next()) {
        let rest = source.get(at..).unwrap_or_default();
        let bare = rest.strip_prefix(['-', '+']).unwrap_or(rest);
        if depth == 0 && bare.starts_with(close) {
            return (tokens, at + rest.len() - bare.len() + close.len());
        }
        let length = match letter {
            _ if letter.is_whitespace() => {
                at += letter.len_utf8();
                continue;
            }
            '"' | '\'' => text_length(rest, letter),
            _ if is_word(letter) => rest.find(|letter| !is_word(letter)).unwrap_or(rest.len()),
            _ => match rest.get(..2) {
                Some("==" | "!=" | "<=" | ">=" | "**" | "//") => 2,
                _ => letter.len_utf8(),
            },
        };
        match letter {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        at += length;
        tokens.push(Token { text: rest.get(..length).unwrap_or_default(), end: at });
    }
    (tokens, source.len())
}

fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// The length of a text in quotation marks.
fn text_length(rest: &str, mark: char) -> usize {
    let mut escaped = false;
    for (at, letter) in rest.char_indices().skip(1) {
        match letter {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if letter == mark => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

/// The tokens of a tag.
struct Code<'a> {
    tokens: Vec<Token<'a>>,
    statement: bool,
}

impl Code<'_> {
    fn text(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", |token| token.text)
    }

    /// Adds the places after operands, lists and slices.
    fn places(&self, places: &mut BTreeMap<usize, String>) {
        let start = self.start();
        for at in start..self.tokens.len() {
            let text = self.text(at);
            let after = at > start && self.ends_operand(at - 1);
            let negated = text == "in" && at > start + 1 && self.text(at - 1) == "not";
            let left = if negated { self.ends_operand(at - 2).then(|| at - 2) } else { after.then(|| at - 1) };
            if let Some(left) = left.filter(|_| OPERATORS.contains(&text)) {
                let right = self.unit_end(at + 1);
                match (text, self.repeated(left, right)) {
                    ("*", Some(length)) => {
                        self.add(right, &format!("{REPEATS}({length})"), places);
                    }
                    ("*", None) => {
                        self.add(left + 1, NUMBER, places);
                        self.add(right, NUMBER, places);
                    }
                    // To compare with something short costs little, whatever it is.
                    ("==" | "!=" | "<" | "<=" | ">" | ">=", _) if self.is_short(left + 1) || self.is_short(right) => {}
                    _ => {
                        self.add(left + 1, HELD, places);
                        self.add(right, HELD, places);
                    }
                }
            }
            let literal = !after && ["[", "{", "("].contains(&text);
            let slice = after && text == "[" && self.is_slice(at);
            if literal {
                self.add(self.unit_end(at), HELD, places);
            } else if slice && !matches!(self.text(self.group_end(at)), "." | "[" | "(") {
                self.add(self.group_end(at), HELD, places);
            }
        }
    }

    fn add(&self, end: usize, filter: &str, places: &mut BTreeMap<usize, String>) {
        let Some(token) =
            end.checked_sub(1).and_then(|last| self.tokens.get(last)).filter(|_| filter != HELD || !self.is_short(end))
        else {
            return;
        };
        let place = places.entry(token.end).or_insert_with(|| filter.to_owned());
        if filter != HELD {
            filter.clone_into(place);
        }
    }

    /// Whether the operand that ends there is a number, or a text so short that nothing is gained by counting it.
    fn is_short(&self, end: usize) -> bool {
        const SHORT: usize = 64;
        let last = self.text(end.saturating_sub(1));
        let is_part = end.checked_sub(2).is_some_and(|before| self.text(before) == ".");
        let is_quoted = last.starts_with(['"', '\'']) && last.len() <= SHORT;
        !is_part && (is_quoted || last.starts_with(|first: char| first.is_ascii_digit()))
    }

    /// The length of the text in quotation marks that `*` at once repeats, and nothing else multiplies:
    /// `'-' * 40`.
    fn repeated(&self, left: usize, right: usize) -> Option<usize> {
        let text = self.text(left);
        let before = left.checked_sub(1).map_or("", |before| self.text(before));
        let multiplies = |text| ["*", "**", "/", "//", "%"].contains(&text);
        (text.starts_with(['"', '\'']) && !multiplies(before) && !multiplies(self.text(right)))
            .then(|| text.len().saturating_sub(2))
    }

    /// Where expressions begin: not before the names that a statement fills.
    fn start(&self) -> usize {
        let word = if self.statement { self.text(0) } else { "" };
        let after = |what: &str| {
            let mut at = 0;
            while at < self.tokens.len() {
                if self.text(at) == what {
                    return at + 1;
                }
                at = if matches!(self.text(at), "(" | "[" | "{") { self.group_end(at) } else { at + 1 };
            }
            self.tokens.len()
        };
        match word {
            "" => 0,
            "set" => after("="),
            "for" => after("in"),
            "macro" | "block" | "import" | "from" | "include" | "extends" => self.tokens.len(),
            "call" if self.text(1) == "(" => self.group_end(1),
            _ => 1,
        }
    }

    fn ends_operand(&self, at: usize) -> bool {
        let text = self.text(at);
        let last = text.chars().next_back().unwrap_or(' ');
        (is_word(last) && !WORDS.contains(&text)) || matches!(last, '"' | '\'' | ')' | ']' | '}')
    }

    /// The token after the bracket that closes the one here.
    fn group_end(&self, open: usize) -> usize {
        let mut depth = 0_u32;
        for at in open..self.tokens.len() {
            match self.text(at) {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth == 0 {
                return at + 1;
            }
        }
        self.tokens.len()
    }

    /// The token after the operand that begins here.
    fn unit_end(&self, from: usize) -> usize {
        let mut at = from;
        while matches!(self.text(at), "-" | "+" | "not") {
            at += 1;
        }
        at = match self.text(at) {
            "(" | "[" | "{" => self.group_end(at),
            _ => at + 1,
        };
        loop {
            at = match self.text(at) {
                "." | "|" => at + 2,
                "[" | "(" => self.group_end(at),
                _ => return at.min(self.tokens.len()),
            };
        }
    }

    fn is_slice(&self, open: usize) -> bool {
        let inside = open + 1..self.group_end(open).saturating_sub(1);
        inside.into_iter().any(|at| self.text(at) == ":")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operands_are_found_and_names_that_are_filled_are_not() {
        let table = [
            ("a ~ {{ x }} + {# a ~ b #}", "a ~ {{ x }} + {# a ~ b #}"),
            ("{{ a ~ b.c(1)[2] | f(x) ~ 'd }}' }}", "{{ a| ~ b.c(1)[2] | f(x)| ~ 'd }}' }}"),
            ("{%- set a, b = -x + 1 -%}", "{%- set a, b = -x| + 1 -%}"),
            ("{% for (k, v) in x if k not in ['a'] %}", "{% for (k, v) in x if k| not in ['a']| %}"),
            ("{{ f(*args, k=[1]) ** 2 }}", "{{ f(*args, k=[1]|)| ** 2 }}"),
            ("{% if not a == b and x is in c %}", "{% if not a| == b| and x is in c %}"),
            ("{% raw %}{{ a ~ b }}{% endraw %}", "{% raw %}{{ a ~ b }}{% endraw %}"),
            ("{% macro m(a=[1]) %}{{ {'a': {}} }}", "{% macro m(a=[1]) %}{{ {'a': {}|}| }}"),
            ("{{ s[1:] }}{{ s[0] }}", "{{ s[1:]| }}{{ s[0] }}"),
            ("{% if a == 'b' or a == b.0 or 1 < b %}", "{% if a == 'b' or a| == b.0| or 1 < b %}"),
            ("{{ '-' * a.b ~ '=' * 2 }}", "{{ '-' * a.b|(1) ~ '=' * 2|(1) }}"),
            ("{%- for x in y -%}{{- -x -}}", "{%- for x in y -%}{{- -x -}}"),
        ];
        for (source, expected) in table {
            let expected =
                expected.replace('|', "|_held").replace("|_held f(", "| f(").replace("|_held(1)", "|_repeats(1)");
            assert_eq!(guarded(source).source, expected);
        }
    }
}
