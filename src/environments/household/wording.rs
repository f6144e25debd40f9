//! What a text of the grammar says, in a normal form: rules are written out in place, variables
//! become numbers and the order of facts in a condition does not matter.

use std::sync::Arc;

use super::error::Defect;
use super::expression::excerpt;
use super::grammar::{Alternative, Grammar, PART};
use super::pieces::{Condition, Piece, Text};

/// How many rules one text may write out; the official ones need a dozen.
const BUDGET: u32 = 2_000;

/// How deep rules may refer to each other.
const DEPTH_LIMIT: u32 = 16;

/// Variables in scope: name and normal form.
type Scope = Vec<(Arc<str>, Arc<str>)>;

/// Writes texts out with the rules of one grammar.
pub(crate) struct Writer<'g, 'a> {
    grammar: &'g Grammar<'a>,
    budget: u32,
}

impl<'g, 'a> Writer<'g, 'a> {
    /// A writer for the rules of `grammar`.
    pub(crate) fn new(grammar: &'g Grammar<'a>) -> Self {
        Self {
            grammar,
            budget: BUDGET,
        }
    }

    /// The normal form of `source`, in which `variables` are bound in this order.
    pub(crate) fn text(&mut self, source: &str, variables: &[&str]) -> Result<Text, Defect> {
        self.budget = BUDGET;
        let numbered =
            |(index, name): (usize, &&str)| (Arc::from(*name), format!("${index}").into());
        let scope: Scope = variables.iter().enumerate().map(numbered).collect();
        self.pieces(source, &scope, 0)
    }

    fn pieces(&mut self, source: &str, scope: &Scope, depth: u32) -> Result<Text, Defect> {
        let mut text = Text::new();
        let mut rest = source;
        while let Some(start) = rest.find(['{', '#', '[']) {
            let (words, marked) = rest.split_at(start);
            push_words(&mut text, words);
            rest = if let Some(list) = marked.strip_prefix("[{") {
                let (inner, after) = list.split_once("}]").ok_or_else(|| unclosed(marked))?;
                text.push(self.list(inner, scope, depth)?);
                after
            } else if let Some(expression) = marked.strip_prefix('{') {
                let (inner, after) = expression.split_once('}').ok_or_else(|| unclosed(marked))?;
                self.expression(inner, scope, depth)?
                    .into_iter()
                    .for_each(|piece| push(&mut text, piece));
                after
            } else if let Some(symbol) = marked.strip_prefix('#') {
                let (inner, after) = symbol.split_once('#').ok_or_else(|| unclosed(marked))?;
                self.rule(inner, scope, depth)?
                    .into_iter()
                    .for_each(|piece| push(&mut text, piece));
                after
            } else {
                push_words(&mut text, "[");
                marked.get(1..).unwrap_or_default()
            };
        }
        push_words(&mut text, rest);
        Ok(text)
    }

    /// `TEXT | CONDITION`: the text for every way the condition can hold.
    fn list(&mut self, inner: &str, scope: &Scope, depth: u32) -> Result<Piece, Defect> {
        let (item, condition) = inner.split_once('|').ok_or_else(|| {
            fail(format!(
                "expected `[{{TEXT | CONDITION}}]`, found `[{{{}}}]`",
                excerpt(inner)
            ))
        })?;
        let mut inside = scope.clone();
        let condition = condition_of(condition, &mut inside)?;
        Ok(Piece::List(
            condition,
            self.expression(item, &inside, depth)?,
        ))
    }

    /// Terms joined by `+`: quoted words, rules, and properties of variables.
    fn expression(&mut self, source: &str, scope: &Scope, depth: u32) -> Result<Text, Defect> {
        let mut text = Text::new();
        for term in terms(source) {
            let term = term.trim();
            let quoted = term
                .strip_prefix('\'')
                .and_then(|inner| inner.strip_suffix('\''));
            let symbol = term
                .strip_prefix('#')
                .and_then(|inner| inner.strip_suffix('#'));
            match (quoted, symbol) {
                (Some(words), _) => push_words(&mut text, words),
                (None, Some(name)) => {
                    self.rule(name, scope, depth)?
                        .into_iter()
                        .for_each(|piece| push(&mut text, piece));
                }
                (None, None) => push(&mut text, property(term, scope)?),
            }
        }
        Ok(text)
    }

    /// Writes a rule out, `name` or `name(variable, …)`.
    fn rule(&mut self, symbol: &str, scope: &Scope, depth: u32) -> Result<Text, Defect> {
        if symbol == "task" {
            return Ok(vec![Piece::Task]);
        }
        self.budget = self.budget.saturating_sub(1);
        if depth == DEPTH_LIMIT || self.budget == 0 {
            return Err(fail(format!(
                "rule `{}` leads back to itself or grows without end",
                excerpt(symbol)
            )));
        }
        let (alternatives, bindings) = self.find(symbol)?;
        let mut inside = scope.clone();
        inside.extend(
            bindings
                .into_iter()
                .map(|(parameter, given)| (parameter, normal(&given, scope))),
        );
        if let [only] = alternatives
            && only.condition.is_none()
        {
            return self.pieces(&only.rhs, &inside, depth + 1);
        }
        let mut choices = Vec::with_capacity(alternatives.len());
        for alternative in alternatives {
            let condition = match &alternative.condition {
                Some(condition) => condition_of(condition, &mut inside.clone())?,
                None => Condition(Vec::new()),
            };
            choices.push((
                condition,
                self.pieces(&alternative.rhs, &inside, depth + 1)?,
            ));
        }
        Ok(vec![Piece::Choice(choices)])
    }

    /// The rule of that name, and what its parameters stand for.
    fn find(&self, symbol: &str) -> Result<(&'g [Alternative<'a>], Scope), Defect> {
        let unknown = || fail(format!("unknown rule `{}`", excerpt(symbol)));
        if let Some(alternatives) = self.grammar.rules.get(symbol) {
            return Ok((alternatives, Scope::new()));
        }
        let (name, given) = parts(symbol).ok_or_else(unknown)?;
        let mut fitting = self.grammar.rules.iter().filter_map(|(key, alternatives)| {
            let (rule, parameters) = parts(key)?;
            (rule == name && parameters.len() == given.len()).then_some((parameters, alternatives))
        });
        let (parameters, alternatives) = fitting.next().ok_or_else(unknown)?;
        if fitting.next().is_some() {
            return Err(fail(format!("several rules fit `{}`", excerpt(symbol))));
        }
        let bindings = parameters
            .iter()
            .zip(&given)
            .map(|(one, two)| (Arc::from(*one), Arc::from(*two)));
        Ok((alternatives, bindings.collect()))
    }
}

/// Splits `name(a, b)` into its name and arguments.
fn parts(symbol: &str) -> Option<(&str, Vec<&str>)> {
    let (name, arguments) = symbol.trim().strip_suffix(')')?.split_once('(')?;
    Some((name, arguments.split(',').map(str::trim).collect()))
}

/// Splits at the `+` that stand outside quotes.
fn terms(source: &str) -> impl Iterator<Item = &str> {
    let mut quoted = false;
    source.split(move |symbol| {
        quoted ^= symbol == '\'';
        symbol == '+' && !quoted
    })
}

/// `v`, `v.name`, `v.indefinite`; `v.name or v.id` is the name, since every entity has one.
fn property(term: &str, scope: &Scope) -> Result<Piece, Defect> {
    let first = term.split(" or ").next().unwrap_or_default().trim();
    let (variable, property) = first.split_once('.').unwrap_or((first, "name"));
    let word = |text: &str| {
        !text.is_empty()
            && text
                .chars()
                .all(|symbol| symbol.is_alphanumeric() || symbol == '_')
    };
    if word(variable) && word(property) {
        Ok(Piece::Property(
            normal(variable, scope),
            property.to_owned(),
        ))
    } else {
        Err(fail(format!(
            "expected a variable like `o.name`, found `{}`",
            excerpt(term)
        )))
    }
}

/// The normal form of a variable; one that nothing binds keeps its name.
fn normal(variable: &str, scope: &Scope) -> Arc<str> {
    let found = scope.iter().rev().find(|(name, _)| **name == *variable);
    found.map_or_else(
        || format!("?{variable}").into(),
        |(_, normal)| Arc::clone(normal),
    )
}

/// Reads `p(a:t) & q(a:t, b:u)`; variables not in scope are numbered and added to it.
fn condition_of(source: &str, scope: &mut Scope) -> Result<Condition, Defect> {
    let mut facts = Vec::new();
    for fact in source.split('&') {
        let (predicate, arguments) = parts(fact).ok_or_else(|| {
            fail(format!(
                "expected `predicate(variable:type)`, found `{}`",
                excerpt(fact)
            ))
        })?;
        let bound = arguments.iter().map(|argument| {
            let name = argument.split(':').next().unwrap_or_default().trim();
            scope
                .iter()
                .rfind(|(known, _)| **known == *name)
                .map(|(_, normal)| Arc::clone(normal))
        });
        let bound: Vec<Option<Arc<str>>> = bound.collect();
        facts.push((predicate.trim().to_lowercase(), bound, arguments));
    }
    // Which variables are free does not depend on the order; their numbers do.
    facts.sort();
    let facts = facts.into_iter().map(|(predicate, _, arguments)| {
        let arguments = arguments.into_iter().map(|argument| {
            let (name, kind) = argument.split_once(':').unwrap_or((argument, "object"));
            let (name, kind) = (name.trim(), kind.trim());
            if !scope.iter().any(|(known, _)| **known == *name) {
                let numbered = format!("%{}:{kind}", next_number(scope));
                scope.push((name.into(), numbered.into()));
            }
            normal(name, scope)
        });
        (predicate, arguments.collect())
    });
    Ok(Condition(facts.collect()))
}

/// The number after the highest one in scope.
fn next_number(scope: &Scope) -> usize {
    let number = |normal: &str| {
        normal
            .strip_prefix('%')?
            .split(':')
            .next()?
            .parse::<usize>()
            .ok()
    };
    scope
        .iter()
        .filter_map(|(_, normal)| number(normal))
        .max()
        .map_or(0, |highest| highest + 1)
}

fn push_words(text: &mut Text, words: &str) {
    match text.last_mut() {
        _ if words.is_empty() => {}
        Some(Piece::Words(before)) => before.push_str(words),
        _ => text.push(Piece::Words(words.to_owned())),
    }
}

fn push(text: &mut Text, piece: Piece) {
    match piece {
        Piece::Words(words) => push_words(text, &words),
        other => text.push(other),
    }
}

fn fail(reason: String) -> Defect {
    Defect::Dialect {
        place: format!("the {PART}"),
        expected: "a readable text".to_owned(),
        found: reason,
    }
}

fn unclosed(marked: &str) -> Defect {
    fail(format!("`{}`, which is never closed", excerpt(marked)))
}

#[cfg(test)]
mod tests {
    use super::super::pieces::display;
    use super::*;

    fn normal_form(grammar: &str, source: &str, variables: &[&str]) -> Result<String, Defect> {
        let grammar = Grammar::read(grammar).unwrap();
        Writer::new(&grammar)
            .text(source, variables)
            .map(|text| display(&text))
    }

    #[test]
    fn names_of_variables_and_rules_do_not_matter() {
        let one = r#"grammar :: """{"x": [{"condition": "p(o:object) & q(l:location, o:object)", "rhs": "a {o.name}"}, {"rhs": "b"}], "item(o)": [{"rhs": "{o.indefinite} {o.name or o.id}"}]}""";"#;
        let two = r#"grammar :: """{"y": [{"condition": "q(place:location,  thing:object) & p(thing:object)", "rhs": "a {thing.name}"}, {"rhs": "b"}], "entry(t)": [{"rhs": "{t.indefinite + ' ' + t.name}"}]}""";"#;
        let first = normal_form(
            one,
            "#x#, [{#item(r)# | at(r:receptacle, l:location)}]",
            &["o"],
        );
        let second = normal_form(
            two,
            "#y#, [{#entry(k)# | at(k:receptacle, m:location)}]",
            &["thing"],
        );
        assert_eq!(first.unwrap(), second.unwrap());
    }

    #[test]
    fn endless_rules_are_refused() {
        let grammar = r##"grammar :: """{"a": [{"rhs": "#a##a#"}]}""";"##;
        assert!(normal_form(grammar, "#a#", &[]).is_err());
        assert!(normal_form("", "#unknown#", &[]).is_err());
        assert!(normal_form("", "{o.name", &[]).is_err());
    }
}
