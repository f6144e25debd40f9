//! The pieces that texts of a grammar are made of, once they are in normal form.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

/// A text as a sequence of pieces.
pub(crate) type Text = Vec<Piece>;

/// One piece of a text in normal form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Piece {
    /// Words as they stand.
    Words(String),
    /// A property (`name`, `indefinite`) of a variable.
    Property(Arc<str>, String),
    /// The text for every way the condition can hold, as a list.
    List(Condition, Text),
    /// The first alternative whose condition holds.
    Choice(Vec<(Condition, Text)>),
    /// The task sentence of the game.
    Task,
}

/// Facts that hold together: predicate and arguments, in sorted order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Condition(pub(crate) Vec<(String, Vec<Arc<str>>)>);

/// Adds the predicates that the conditions of a text read; `not_p` reads `p`.
pub(crate) fn predicates<'b>(text: &'b Text, into: &mut BTreeSet<&'b str>) {
    let mut read = |condition: &'b Condition| {
        into.extend(
            condition
                .0
                .iter()
                .map(|(name, _)| name.strip_prefix("not_").unwrap_or(name)),
        );
    };
    let mut inner: Vec<&'b Text> = Vec::new();
    for piece in text {
        match piece {
            Piece::Words(_) | Piece::Property(..) | Piece::Task => {}
            Piece::List(condition, item) => {
                read(condition);
                inner.push(item);
            }
            Piece::Choice(choices) => {
                for (condition, text) in choices {
                    read(condition);
                    inner.push(text);
                }
            }
        }
    }
    for text in inner {
        predicates(text, into);
    }
}

/// A text as one line for messages.
pub(crate) fn display(text: &Text) -> String {
    text.iter().map(ToString::to_string).collect()
}

impl fmt::Display for Condition {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (predicate, arguments)) in self.0.iter().enumerate() {
            let and = if index > 0 { " & " } else { "" };
            write!(formatter, "{and}{predicate}({})", arguments.join(", "))?;
        }
        Ok(())
    }
}

impl fmt::Display for Piece {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Words(words) => formatter.write_str(&words.escape_debug().to_string()),
            Self::Property(variable, property) => write!(formatter, "{{{variable}.{property}}}"),
            Self::List(condition, item) => {
                write!(formatter, "[{{{} | {condition}}}]", display(item))
            }
            Self::Choice(choices) => {
                for (index, (condition, text)) in choices.iter().enumerate() {
                    let mark = if index > 0 { " / " } else { "<" };
                    write!(formatter, "{mark}{condition} -> {}", display(text))?;
                }
                formatter.write_str(">")
            }
            Self::Task => formatter.write_str("#task#"),
        }
    }
}
