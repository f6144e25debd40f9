//! Commands, in the wording of either data release, and the two wordings of putting something somewhere, `move X to Y`
//! and `put X in/on Y`, in whole trajectories.

use std::borrow::Cow;
/// A command, read from its text. Texts that are none of these are no command that changes what
/// a player or user has to remember.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Command<'a> {
    /// `go to R`
    Go(&'a str),
    /// `open R`
    Open(&'a str),
    /// `close R`
    Close(&'a str),
    /// `examine X`
    Examine(&'a str),
    /// `take O from R`
    Take {
        /// The object.
        object: &'a str,
        /// The receptacle.
        from: &'a str,
    },
    /// `move O to R` or `put O in/on R`
    Put {
        /// The object.
        object: &'a str,
        /// The receptacle.
        to: &'a str,
    },
    /// `clean O with R`, `heat O with R`, `cool O with R`
    Treat {
        /// The verb.
        verb: &'a str,
        /// The object.
        object: &'a str,
        /// The receptacle that does it.
        with: &'a str,
    },
    /// `use O` or `toggle O`
    Use(&'a str),
    /// Anything else, such as `look`.
    Other(&'a str),
}

impl<'a> Command<'a> {
    /// Reads a command.
    pub fn read(text: &'a str) -> Self {
        let text = text.trim();
        Self::known(text).unwrap_or(Self::Other(text))
    }

    fn known(text: &'a str) -> Option<Self> {
        let (verb, rest) = text.split_once(' ')?;
        let put = |(object, to)| Self::Put { object, to };
        let treat = |(object, with)| Self::Treat { verb, object, with };
        Some(match verb {
            "go" => Self::Go(rest.strip_prefix("to ")?),
            "open" => Self::Open(rest),
            "close" => Self::Close(rest),
            "examine" => Self::Examine(rest),
            "use" | "toggle" => Self::Use(rest),
            "move" => put(rest.split_once(" to ")?),
            "put" => put(rest.split_once(" in/on ")?),
            "clean" | "heat" | "cool" => treat(rest.split_once(" with ")?),
            "take" => {
                let (object, from) = rest.split_once(" from ")?;
                Self::Take { object, from }
            }
            _ => return None,
        })
    }

    /// The receptacle this goes to, if it goes somewhere.
    pub fn gone_to(self) -> Option<&'a str> {
        match self {
            Self::Go(receptacle) => Some(receptacle),
            _ => None,
        }
    }
}

/// A trajectory in the wording of a game: `put` is how the game wants putting to be said, with
/// `{object}` and `{receptacle}` in place of names. Commands are lines that begin with `> `; what
/// comes back stands in lines of its own. Everything else is left as it is.
pub fn worded(trajectory: &str, put: &str) -> String {
    let classic = put.starts_with("put ");
    trajectory.split_inclusive('\n').map(|line| worded_line(line, put, classic)).collect()
}

fn worded_line<'a>(line: &'a str, put: &str, classic: bool) -> Cow<'a, str> {
    let text = line.trim_end();
    let end = &line[text.len()..];
    let command = text.strip_prefix("> ").map(Command::read);
    if let Some(Command::Put { object, to }) = command {
        let worded = put.replace("{object}", object).replace("{receptacle}", to);
        return format!("> {worded}{end}").into();
    }
    let (from, between, verb, instead) = match classic {
        true => ("You move the ", " to the ", "You put the ", " in/on the "),
        false => ("You put the ", " in/on the ", "You move the ", " to the "),
    };
    let rest = text.strip_prefix(from);
    match rest.and_then(|rest| rest.split_once(between)) {
        Some((object, place)) => format!("{verb}{object}{instead}{place}{end}").into(),
        None => line.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_wordings_are_read() {
        let put = Command::Put { object: "mug 1", to: "desk 2" };
        assert_eq!(Command::read("move mug 1 to desk 2"), put);
        assert_eq!(Command::read(" put mug 1 in/on desk 2 "), put);
        assert_eq!(Command::read("toggle desklamp 1"), Command::Use("desklamp 1"));
        let take = Command::Take { object: "mug 1", from: "desk 2" };
        assert_eq!(Command::read("take mug 1 from desk 2"), take);
        let heat = Command::Treat { verb: "heat", object: "egg 1", with: "microwave 1" };
        assert_eq!(Command::read("heat egg 1 with microwave 1"), heat);
        assert_eq!(Command::read("look"), Command::Other("look"));
        assert_eq!(Command::read("open"), Command::Other("open"));
    }

    const NEW: &str = "move {object} to {receptacle}";

    const CLASSIC: &str = "put {object} in/on {receptacle}";

    const PLAYED: &str = "Your task is to: put a mug in desk.\n> think: I move on to the desk.\nOK.\n\
                          > move mug 1 to desk 2\nYou move the mug 1 to the desk 2.\n> go to bed 1";

    const WORDED: &str = "Your task is to: put a mug in desk.\n> think: I move on to the desk.\nOK.\n\
                          > put mug 1 in/on desk 2\nYou put the mug 1 in/on the desk 2.\n> go to bed 1";

    #[test]
    fn trajectories_are_worded_as_the_game_is_and_back() {
        assert_eq!(worded(PLAYED, CLASSIC), WORDED);
        assert_eq!(worded(WORDED, NEW), PLAYED);
        assert_eq!(worded(PLAYED, NEW), PLAYED);
        assert_eq!(worded("", NEW), "");
    }
}
