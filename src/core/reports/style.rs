//! Colour, or none.

use std::borrow::Cow;

use crate::text::visible;

/// The colours of texts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// Letters only: for files and pipes.
    #[default]
    Unstyled,
    /// With the escape sequences of terminals.
    Ansi,
}

/// The sort of a piece of text, by which it has its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Paint {
    /// Ordinary text.
    Text,
    /// A heading.
    Heading,
    /// Something that matters less.
    Dim,
    /// Reasoning of a role.
    Thought,
    /// Something done to the world.
    Action,
    /// Something said.
    Speech,
    /// Something that went well.
    Good,
    /// Something that went wrong.
    Bad,
}

impl Style {
    /// Colours a text that was made visible before; empty texts stay empty.
    pub fn paint<'a>(self, paint: Paint, text: &'a str) -> Cow<'a, str> {
        let code = match paint {
            Paint::Text => "",
            Paint::Heading => "1",
            Paint::Dim => "2",
            Paint::Thought => "35",
            Paint::Action => "36",
            Paint::Speech => "33",
            Paint::Good => "32",
            Paint::Bad => "31",
        };
        if self == Self::Unstyled || code.is_empty() || text.is_empty() {
            return text.into();
        }
        format!("\u{1b}[{code}m{text}\u{1b}[0m").into()
    }

    /// A whole line in colour, made visible.
    pub(super) fn line(self, paint: Paint, text: &str) -> String {
        format!("{}\n", self.paint(paint, &visible(text)))
    }
}

/// The width and the colours of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Colour or none.
    pub style: Style,
    /// Columns of the terminal or the page.
    pub width: usize,
}

impl Layout {
    /// The layout of lines that people search in: they may be wider than the screen.
    pub(super) fn unbroken(self) -> Self {
        Self { width: usize::MAX / 2, ..self }
    }
}

impl Default for Layout {
    /// No colour, 100 columns.
    fn default() -> Self {
        Self { style: Style::Unstyled, width: 100 }
    }
}
