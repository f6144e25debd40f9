//! The classic wording: published prompts and transcripts speak of `put X in/on Y` and do not show
//! arrivals, whatever the data release of the game (`docs/papers/respact.md`).

use std::borrow::Cow;

use super::{Command, Style};

/// The translations between the agent's and the game's wording.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Phrasing {
    /// The agent writes and reads `put`, the game knows `move`.
    translate_put: bool,
    /// The agent writes `toggle`, the game knows `use`.
    translate_toggle: bool,
    /// `You arrive at ... . ` is cut from observations.
    cut_arrivals: bool,
}

impl Phrasing {
    /// The phrasing for a game with that wording, where commands or observations may be classic.
    pub fn new(game: Style, classic_commands: bool, classic_observations: bool) -> Self {
        Self {
            translate_put: classic_commands && game == Style::New,
            translate_toggle: classic_commands,
            cut_arrivals: classic_observations,
        }
    }

    /// How the agent has to word putting, with `{object}` and `{receptacle}` as placeholders.
    pub fn put_template(self, game: Style) -> &'static str {
        if self.translate_put || game == Style::Old {
            "put {object} in/on {receptacle}"
        } else {
            "move {object} to {receptacle}"
        }
    }

    /// The agent's command as the game words it.
    pub fn to_game(self, command: &str) -> Cow<'_, str> {
        let trimmed = command.trim();
        if self.translate_put
            && trimmed.starts_with("put ")
            && let Command::Put { object, to } = Command::read(trimmed)
        {
            return Cow::Owned(format!("move {object} to {to}"));
        }
        match trimmed.strip_prefix("toggle ") {
            Some(lamp) if self.translate_toggle => Cow::Owned(format!("use {lamp}")),
            Some(_) | None => Cow::Borrowed(command),
        }
    }

    /// A command of the game as the agent words it.
    pub fn command_to_agent(self, command: &str) -> Cow<'_, str> {
        match Command::read(command) {
            Command::Put { object, to } if self.translate_put => Cow::Owned(format!("put {object} in/on {to}")),
            _ => command.into(),
        }
    }

    /// An observation of the game as the agent reads it.
    pub fn observation_to_agent(self, observation: String) -> String {
        if self.cut_arrivals
            && observation.starts_with("You arrive at ")
            && let Some((_, rest)) = observation.split_once(". ")
        {
            return rest.to_owned();
        }
        if self.translate_put {
            if let Some(rest) = observation.strip_prefix("You move the ") {
                return format!("You put the {}", rest.replacen(" to the ", " in/on the ", 1));
            }
            if observation.contains(HELP_MOVE) {
                return observation.replace(HELP_MOVE, HELP_PUT);
            }
        }
        observation
    }
}

/// How the game's help names putting.
const HELP_MOVE: &str = "move (object) to (receptacle):    ";

/// How the classic help names putting.
const HELP_PUT: &str = "put (object) in/on (receptacle):  ";

/// The first observation as agents read it: what stands after the first blank line, blank lines
/// folded to one line end.
pub fn first_observation(text: &str) -> String {
    let paragraphs: Vec<&str> = text.split("\n\n").skip(1).collect();
    if paragraphs.is_empty() {
        return text.to_owned();
    }
    paragraphs.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classic_wording_is_translated_both_ways() {
        let classic = Phrasing::new(Style::New, true, true);
        assert_eq!(classic.to_game("put mug 1 in/on desk 2"), "move mug 1 to desk 2");
        assert_eq!(classic.to_game("toggle desklamp 1"), "use desklamp 1");
        assert_eq!(classic.to_game("go to desk 1"), "go to desk 1");
        assert_eq!(classic.command_to_agent("move mug 1 to desk 2"), "put mug 1 in/on desk 2");
        let shown = |text: &str| classic.observation_to_agent(text.to_owned());
        assert_eq!(shown("You move the mug 1 to the desk 2."), "You put the mug 1 in/on the desk 2.");
        assert_eq!(shown("You arrive at loc 3. On the desk 1, you see nothing."), "On the desk 1, you see nothing.");
        assert_eq!(shown("Nothing happens."), "Nothing happens.");
    }

    #[test]
    fn as_the_game_says_is_left_alone() {
        let plain = Phrasing::new(Style::New, false, false);
        assert_eq!(plain.to_game("put mug 1 in/on desk 2"), "put mug 1 in/on desk 2");
        let text = "You arrive at desk 1. On the desk 1, you see nothing.";
        assert_eq!(plain.observation_to_agent(text.to_owned()), text);
        assert_eq!(plain.put_template(Style::New), "move {object} to {receptacle}");
        assert_eq!(plain.put_template(Style::Old), "put {object} in/on {receptacle}");
    }

    #[test]
    fn the_welcome_is_cut() {
        let text = "-= Welcome =-\n\nYou are here.\n\nYour task is to: x.";
        assert_eq!(first_observation(text), "You are here.\nYour task is to: x.");
    }
}
