//! Parameters: what an implementation can be told in a config, and why it cannot be built from that.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::path::PathBuf;

use serde_json::Value;

use crate::domain::RoleName;

/// A parameter that an implementation takes. The table of these is what configs are checked
/// against and what `rolecall list` prints.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// The key in the config.
    pub name: &'static str,
    /// Kind of value that may be written.
    pub kind: ParameterKind,
    /// Meaning, in one line.
    pub help: &'static str,
    /// Absent when nothing is written: it neither has a default nor must be given.
    pub optional: bool,
    /// Value for runs that were recorded before there was this parameter, or this default; none if they had it, or if
    /// the default is what they did.
    pub earlier: Option<Earlier>,
}

/// Value of a parameter for runs that were recorded before there was one.
#[derive(Clone, Copy, Debug)]
pub enum Earlier {
    /// Of a flag.
    Flag(bool),
    /// Of a choice.
    Word(&'static str),
    /// Of a number.
    Number(f64),
    /// Of a whole number.
    Whole(i64),
}

impl Earlier {
    /// Converts it into a value of the parameter.
    pub fn value(self) -> ParameterValue {
        match self {
            Self::Flag(flag) => ParameterValue::Flag(flag),
            Self::Word(word) => ParameterValue::Text(word.to_owned()),
            Self::Number(number) => ParameterValue::Number(number),
            Self::Whole(number) => ParameterValue::Integer(number),
        }
    }
}

type Name = &'static str;
type Words = &'static [&'static str];

/// One constructor for each [`ParameterKind`], with what that kind wants to know.
impl Parameter {
    const fn new(name: Name, kind: ParameterKind, help: &'static str) -> Self {
        Self { name, kind, help, optional: false, earlier: None }
    }

    /// Drops the default: absent when nothing is written.
    #[must_use]
    pub const fn optional(mut self) -> Self {
        self.optional = true;
        self
    }

    /// Marks a parameter that came later, with a default that runs did not have before: runs recorded without it
    /// are replayed and resumed with this value.
    #[must_use]
    pub const fn before(mut self, earlier: Earlier) -> Self {
        self.earlier = Some(earlier);
        self
    }

    /// The value when nothing is written, if there is one; a path as it is written.
    pub fn default(&self) -> Option<ParameterValue> {
        (!self.optional).then(|| self.kind.default()).flatten()
    }

    /// Any text; without a default it must be given.
    pub const fn text(name: Name, default: Option<&'static str>, help: &'static str) -> Self {
        Self::new(name, ParameterKind::Text { default }, help)
    }

    /// One of the words, of which the first is the default.
    pub const fn choice(name: Name, words: Words, help: &'static str) -> Self {
        Self::new(name, ParameterKind::Choice { words }, help)
    }

    /// A whole number within bounds, absent without a default.
    pub const fn integer(name: Name, default: Option<i64>, bounds: RangeInclusive<i64>, help: &'static str) -> Self {
        let (min, max) = (*bounds.start(), *bounds.end());
        Self::new(name, ParameterKind::Integer { default, min, max }, help)
    }

    /// A number within bounds.
    pub const fn number(name: Name, default: f64, bounds: RangeInclusive<f64>, help: &'static str) -> Self {
        let (min, max) = (*bounds.start(), *bounds.end());
        Self::new(name, ParameterKind::Number { default, min, max }, help)
    }

    /// True or false.
    pub const fn flag(name: Name, default: bool, help: &'static str) -> Self {
        Self::new(name, ParameterKind::Flag { default }, help)
    }

    /// A file or folder, or one of the words; without a default it must be given.
    pub const fn path(name: Name, default: Option<&'static str>, words: Words, help: &'static str) -> Self {
        Self::new(name, ParameterKind::Path { default, words }, help)
    }

    /// The name of a model, absent when nothing is written.
    pub const fn model(name: Name, help: &'static str) -> Self {
        Self::new(name, ParameterKind::Model, help)
    }

    /// The names of models; all that the config describes when nothing is written.
    pub const fn models(name: Name, help: &'static str) -> Self {
        Self::new(name, ParameterKind::Models, help)
    }

    /// A program with its arguments, absent when nothing is written.
    pub const fn command(name: Name, help: &'static str) -> Self {
        Self::new(name, ParameterKind::Command, help)
    }

    /// A table of anything, absent when nothing is written.
    pub const fn free(name: Name, help: &'static str) -> Self {
        Self::new(name, ParameterKind::Free, help)
    }

    /// A list of roles.
    pub const fn roles(name: Name, default: Words, help: &'static str) -> Self {
        Self::new(name, ParameterKind::Roles { default }, help)
    }

    /// A list of these words, or of any text if there is none.
    pub const fn list(name: Name, words: Words, help: &'static str) -> Self {
        Self::new(name, ParameterKind::List { words }, help)
    }

    /// A table with keys of the user's own.
    pub const fn table(name: Name, values: &'static ParameterKind, help: &'static str) -> Self {
        Self::new(name, ParameterKind::Table { values }, help)
    }
}

/// Kind of the values of a parameter. Nothing is converted: a text is no number.
#[derive(Clone, Copy, Debug)]
pub enum ParameterKind {
    /// Any text; without a default it must be given.
    Text {
        /// The value when nothing is written.
        default: Option<&'static str>,
    },
    /// One of the words.
    Choice {
        /// Words that are allowed; the first is the default.
        words: &'static [&'static str],
    },
    /// A whole number within bounds.
    Integer {
        /// The value when nothing is written; without it the parameter is absent.
        default: Option<i64>,
        /// The smallest value.
        min: i64,
        /// The largest value.
        max: i64,
    },
    /// A number within bounds.
    Number {
        /// The value when nothing is written.
        default: f64,
        /// The smallest value.
        min: f64,
        /// The largest value.
        max: f64,
    },
    /// True or false.
    Flag {
        /// The value when nothing is written.
        default: bool,
    },
    /// A file or folder, relative to the file that names it (or to the working folder when it is
    /// set on the command line). The words are taken as they are.
    Path {
        /// The value when nothing is written; without it the path must be given.
        default: Option<&'static str>,
        /// Values that are not paths, such as `builtin`.
        words: &'static [&'static str],
    },
    /// The name of a model (`[models.<name>]`); without one the parameter is absent.
    Model,
    /// A list of names of models; when nothing is written, every model that the config describes.
    Models,
    /// A program and its arguments, in a list of texts, which is started without a shell; when nothing is written,
    /// the parameter is absent.
    Command,
    /// A table of whatever the user likes; when nothing is written, the parameter is absent.
    Free,
    /// A list of roles in order; a role may come more than once.
    Roles {
        /// The roles when nothing is written, and then at least one must be; without any the parameter
        /// is absent and may be empty.
        default: &'static [&'static str],
    },
    /// A list of texts, which may be empty; when nothing is written, the parameter is absent.
    List {
        /// Words that are allowed; empty for any text.
        words: &'static [&'static str],
    },
    /// A table with keys of the user's own; when nothing is written, the parameter is absent.
    Table {
        /// Kind of the value of each key.
        values: &'static ParameterKind,
    },
}

impl ParameterKind {
    fn default(&self) -> Option<ParameterValue> {
        match *self {
            Self::Text { default } => Some(ParameterValue::Text(default?.to_owned())),
            Self::Choice { words } => {
                let first = words.first()?;
                Some(ParameterValue::Text((*first).to_owned()))
            }
            Self::Integer { default, .. } => default.map(ParameterValue::Integer),
            Self::Number { default, .. } => Some(ParameterValue::Number(default)),
            Self::Flag { default } => Some(ParameterValue::Flag(default)),
            Self::Path { default, .. } => Some(ParameterValue::Path(default?.into())),
            Self::Roles { default: [] } | Self::Model | Self::Models => None,
            Self::Command | Self::Free => None,
            Self::Roles { default } => {
                let roles = default.iter().flat_map(|name| RoleName::new(name));
                Some(ParameterValue::Roles(roles.collect()))
            }
            Self::List { .. } | Self::Table { .. } => None,
        }
    }
}

/// A checked value.
#[derive(Clone, Debug, PartialEq)]
pub enum ParameterValue {
    /// Of [`ParameterKind::Text`], [`ParameterKind::Choice`] or [`ParameterKind::Model`].
    Text(String),
    /// Of [`ParameterKind::Integer`].
    Integer(i64),
    /// Of [`ParameterKind::Number`].
    Number(f64),
    /// Of [`ParameterKind::Flag`].
    Flag(bool),
    /// Of [`ParameterKind::Path`].
    Path(PathBuf),
    /// Of [`ParameterKind::Roles`].
    Roles(Vec<RoleName>),
    /// Of [`ParameterKind::List`] or [`ParameterKind::Models`].
    List(Vec<String>),
    /// Of [`ParameterKind::Command`].
    Command(CommandLine),
    /// Of [`ParameterKind::Free`].
    Free(Value),
    /// Of [`ParameterKind::Table`].
    Table(BTreeMap<String, ParameterValue>),
}

/// A program that a config names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandLine {
    /// The program and its arguments; at least the program.
    pub arguments: Vec<String>,
    /// The folder that it is started in, which its relative paths begin at: the folder of the file that names it,
    /// or the working folder.
    pub folder: PathBuf,
}

/// Why something cannot be built from a config; the text says what to change.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{key}: {problem}", key = .key.as_deref().unwrap_or("it cannot be set up"))]
pub struct SetupError {
    /// The parameter that is to blame, if one is.
    pub key: Option<String>,
    /// Problem, and what to do about it.
    pub problem: String,
}

impl SetupError {
    /// A problem with one parameter.
    pub fn at(key: &str, problem: impl ToString) -> Self {
        Self { key: Some(key.to_owned()), problem: problem.to_string() }
    }
}
