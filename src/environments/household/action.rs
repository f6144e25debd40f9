//! Commands as typed actions: reading what a player types, and writing it.

use super::{Game, Treatment};

/// The effect of a command; numbers are things of the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Action {
    Look,
    Inventory,
    Help,
    Go(u16),
    Open(u16),
    Close(u16),
    /// Takes an object from a receptacle.
    Take(u16, u16),
    /// Puts an object into a receptacle.
    Put(u16, u16),
    /// Treats an object with a receptacle.
    Treat(Treatment, u16, u16),
    Use(u16),
    /// Slices an object with another one.
    Slice(u16, u16),
    Examine(u16),
}

/// Strips what Python's `str.strip` strips: Unicode blanks and the four separator controls.
pub(crate) fn strip(command: &str) -> &str {
    // Nearly every command has nothing to strip, which two bytes tell.
    if let [first, .., last] = command.as_bytes()
        && first.is_ascii_graphic()
        && last.is_ascii_graphic()
    {
        return command;
    }
    command.trim_matches(|symbol: char| symbol.is_whitespace() || matches!(symbol, '\u{1c}'..='\u{1f}'))
}

impl Game {
    /// Reads a command that is already stripped; `None` when no action of this game is worded so.
    pub(crate) fn parse(&self, command: &str) -> Option<Action> {
        let Some((verb, rest)) = command.split_once(' ') else {
            return match command {
                "look" => Some(Action::Look),
                "inventory" => Some(Action::Inventory),
                "help" if self.dialect.help.is_some() => Some(Action::Help),
                _ => None,
            };
        };
        let one = |name: &str| self.orders.table.find(&self.objects, name);
        let two = |link: &str, action: fn(u16, u16) -> Action| {
            let (first, second) = rest.split_once(link)?;
            Some(action(one(first)?, one(second)?))
        };
        let (put, into) = self.dialect.style.put();
        Some(match verb {
            "go" => Action::Go(one(rest.strip_prefix("to ")?)?),
            "open" => Action::Open(one(rest)?),
            "close" => Action::Close(one(rest)?),
            "use" => Action::Use(one(rest)?),
            "examine" => Action::Examine(one(rest)?),
            "take" => two(" from ", Action::Take)?,
            "slice" => two(" with ", Action::Slice)?,
            _ if verb == put => two(into, Action::Put)?,
            _ => {
                let (object, receptacle) = rest.split_once(" with ")?;
                let treatment = Treatment::ALL.into_iter().find(|known| known.verb() == verb)?;
                Action::Treat(treatment, one(object)?, one(receptacle)?)
            }
        })
    }

    /// Appends the command for an action.
    pub(crate) fn write_command(&self, action: Action, out: &mut String) {
        let mut words = |verb: &str, first: u16, rest: Option<(&str, u16)>| {
            out.push_str(verb);
            out.push(' ');
            out.push_str(self.objects.get(first));
            if let Some((link, second)) = rest {
                out.push_str(link);
                out.push_str(self.objects.get(second));
            }
        };
        match action {
            Action::Look => out.push_str("look"),
            Action::Inventory => out.push_str("inventory"),
            Action::Help => out.push_str("help"),
            Action::Go(receptacle) => words("go to", receptacle, None),
            Action::Open(receptacle) => words("open", receptacle, None),
            Action::Close(receptacle) => words("close", receptacle, None),
            Action::Take(object, receptacle) => words("take", object, Some((" from ", receptacle))),
            Action::Put(object, receptacle) => {
                let (put, into) = self.dialect.style.put();
                words(put, object, Some((into, receptacle)));
            }
            Action::Treat(treatment, object, receptacle) => {
                words(treatment.verb(), object, Some((" with ", receptacle)))
            }
            Action::Use(object) => words("use", object, None),
            Action::Slice(object, knife) => words("slice", object, Some((" with ", knife))),
            Action::Examine(thing) => words("examine", thing, None),
        }
    }
}
