//! Reads the grammar text of a game: text rules, and a command template and a feedback per action.
//!
//! The text is a list of `grammar :: """JSON""";` and `action NAME { key :: "…"; }` statements; the
//! rules of all grammar blocks form one table. What the rules mean is the matter of `wording`.

use std::borrow::Cow;

use rustc_hash::FxHashMap;
use serde::Deserialize;

use super::error::Defect;
use super::expression::excerpt;

/// Key of the text in a game file.
pub(crate) const PART: &str = "grammar";

/// One way a rule can be written out, used when its condition holds.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Alternative<'a> {
    /// Facts that must hold; absent: always.
    #[serde(borrow)]
    pub(crate) condition: Option<Cow<'a, str>>,
    /// The text, with names, lists and other rules in it.
    #[serde(borrow)]
    pub(crate) rhs: Cow<'a, str>,
}

/// What the player types for an action and what is answered.
#[derive(Debug, Clone, Default)]
pub(crate) struct ActionText<'a> {
    /// The action, lower case.
    pub(crate) name: String,
    /// The command.
    pub(crate) template: &'a str,
    /// The answer.
    pub(crate) feedback: &'a str,
}

/// The rules of a block by name.
type Rules<'a> = FxHashMap<Cow<'a, str>, Vec<Alternative<'a>>>;

/// A grammar as written.
#[derive(Debug, Clone, Default)]
pub(crate) struct Grammar<'a> {
    /// The rules of all blocks by name.
    pub(crate) rules: Rules<'a>,
    /// The actions in order.
    pub(crate) actions: Vec<ActionText<'a>>,
}

impl<'a> Grammar<'a> {
    /// Reads a grammar text.
    pub(crate) fn read(text: &'a str) -> Result<Self, Defect> {
        let mut grammar = Self::default();
        let mut scanner = Scanner { text, position: 0 };
        while let Some(word) = scanner.word() {
            match word {
                "grammar" => {
                    scanner.expect("::")?;
                    grammar.block(&mut scanner)?;
                    scanner.expect(";")?;
                }
                "action" => {
                    let action = grammar.action(&mut scanner)?;
                    if grammar
                        .actions
                        .iter()
                        .any(|known| known.name == action.name)
                    {
                        return Err(scanner.fail(&format!(
                            "action `{}` stands here twice",
                            excerpt(&action.name)
                        )));
                    }
                    grammar.actions.push(action);
                }
                other => {
                    let reason =
                        format!("expected `grammar` or `action`, found `{}`", excerpt(other));
                    return Err(scanner.fail(&reason));
                }
            }
        }
        Ok(grammar)
    }

    fn action(&mut self, scanner: &mut Scanner<'a>) -> Result<ActionText<'a>, Defect> {
        let name = scanner
            .word()
            .ok_or_else(|| scanner.fail("expected the name of an action"))?;
        let mut action = ActionText {
            name: name.to_lowercase(),
            ..ActionText::default()
        };
        scanner.expect("{")?;
        while !scanner.accept("}") {
            let key = scanner
                .word()
                .ok_or_else(|| scanner.fail("expected `}`; is the text complete?"))?;
            scanner.expect("::")?;
            match key {
                "template" => action.template = scanner.string()?,
                "feedback" => action.feedback = scanner.string()?,
                "grammar" => self.block(scanner)?,
                other => {
                    let reason = format!(
                        "expected `template`, `feedback` or `grammar`, found `{}`",
                        excerpt(other)
                    );
                    return Err(scanner.fail(&reason));
                }
            }
            scanner.expect(";")?;
        }
        Ok(action)
    }

    /// Reads one JSON block of rules and adds them.
    fn block(&mut self, scanner: &mut Scanner<'a>) -> Result<(), Defect> {
        scanner.skip();
        let start = scanner.line_of(scanner.position);
        let json = scanner.string()?;
        let rules: Rules<'a> = serde_json::from_str(json).map_err(|fault| {
            let line = start
                .saturating_add(u32::try_from(fault.line()).unwrap_or(1))
                .saturating_sub(1);
            Defect::Syntax {
                part: PART,
                line,
                reason: format!("rules are not valid JSON: {fault}"),
            }
        })?;
        for (name, alternatives) in rules {
            if self.rules.contains_key(&name) {
                return Err(scanner.fail(&format!("rule `{}` stands here twice", excerpt(&name))));
            }
            self.rules.insert(name, alternatives);
        }
        Ok(())
    }
}

/// A position in the text.
struct Scanner<'a> {
    text: &'a str,
    position: usize,
}

impl<'a> Scanner<'a> {
    fn rest(&self) -> &'a str {
        self.text.get(self.position..).unwrap_or_default()
    }

    fn line_of(&self, position: usize) -> u32 {
        let before = self
            .text
            .as_bytes()
            .get(..position.min(self.text.len()))
            .unwrap_or_default();
        u32::try_from(before.iter().filter(|byte| **byte == b'\n').count()).unwrap_or(u32::MAX - 1)
            + 1
    }

    fn fail(&self, reason: &str) -> Defect {
        Defect::Syntax {
            part: PART,
            line: self.line_of(self.position),
            reason: reason.to_owned(),
        }
    }

    /// Skips blanks and comments, which reach from `#` or `//` to the end of the line.
    fn skip(&mut self) {
        loop {
            let rest = self.rest();
            let trimmed = rest.trim_start();
            self.position += rest.len() - trimmed.len();
            if !trimmed.starts_with('#') && !trimmed.starts_with("//") {
                return;
            }
            self.position += trimmed.find('\n').unwrap_or(trimmed.len());
        }
    }

    /// The next word of letters, digits and underscores; none at the end of the text.
    fn word(&mut self) -> Option<&'a str> {
        self.skip();
        let rest = self.rest();
        let first = rest.chars().next()?;
        let part_of_word = |symbol: char| symbol.is_alphanumeric() || symbol == '_';
        let length = rest
            .find(|symbol| !part_of_word(symbol))
            .unwrap_or(rest.len())
            .max(first.len_utf8());
        self.position += length;
        rest.get(..length)
    }

    fn accept(&mut self, symbol: &str) -> bool {
        self.skip();
        let found = self.rest().starts_with(symbol);
        if found {
            self.position += symbol.len();
        }
        found
    }

    fn expect(&mut self, symbol: &str) -> Result<(), Defect> {
        if self.accept(symbol) {
            return Ok(());
        }
        let found = excerpt(self.rest().lines().next().unwrap_or_default());
        Err(self.fail(&format!("expected `{symbol}`, found `{found}`")))
    }

    /// A string between `"""` or `"` marks, as it stands.
    fn string(&mut self) -> Result<&'a str, Defect> {
        self.skip();
        let rest = self.rest();
        let mark = if rest.starts_with("\"\"\"") {
            "\"\"\""
        } else {
            "\""
        };
        let body = rest
            .strip_prefix(mark)
            .ok_or_else(|| self.fail("expected a string"))?;
        let length = body
            .find(mark)
            .ok_or_else(|| self.fail("the string never ends; is the text complete?"))?;
        self.position += length + 2 * mark.len();
        Ok(body.get(..length).unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# rules\ngrammar :: \"\"\"{\"a\": [{\"rhs\": \"x\\ny\"}]}\"\"\";\n\
        action Look { template :: \"look\"; // typed\n feedback :: \"#a#\";\n\
        grammar :: \"\"\"{\"b\": [{\"condition\": \"p(x:t)\", \"rhs\": \"\"}]}\"\"\"; }\n";

    #[test]
    fn reads_rules_and_actions() {
        let grammar = Grammar::read(TEXT).unwrap();
        assert_eq!(grammar.rules["a"][0].rhs, "x\ny");
        assert_eq!(grammar.rules["b"][0].condition.as_deref(), Some("p(x:t)"));
        assert_eq!(
            (
                grammar.actions[0].name.as_str(),
                grammar.actions[0].template
            ),
            ("look", "look")
        );
    }

    #[test]
    fn every_truncation_is_an_error_or_a_shorter_grammar() {
        let whole = TEXT.trim_end().len();
        for end in 0..whole {
            if let Ok(grammar) = Grammar::read(&TEXT[..end]) {
                assert!(grammar.actions.is_empty(), "cut at {end}");
            }
        }
        assert_eq!(Grammar::read(&TEXT[..whole]).unwrap().actions.len(), 1);
    }

    #[test]
    fn faults_name_the_line() {
        let fault = Grammar::read("\n\nverb x").unwrap_err();
        assert!(matches!(fault, Defect::Syntax { line: 3, .. }), "{fault}");
        let fault = Grammar::read("grammar :: \"\"\"\n{\"a\": 1}\"\"\";").unwrap_err();
        assert!(matches!(fault, Defect::Syntax { line: 2, .. }), "{fault}");
    }
}
