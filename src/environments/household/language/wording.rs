//! The two wordings of putting something somewhere, `move X to Y` and `put X in/on Y`, in whole
//! trajectories.

use std::borrow::Cow;

use crate::environments::household::Command;

/// A trajectory in the wording of a game: `put` is how the game wants putting to be said, with
/// `{object}` and `{receptacle}` in place of names. Commands are lines that begin with `> `; what
/// comes back stands in lines of its own. Everything else is left as it is.
pub fn worded(trajectory: &str, put: &str) -> String {
    let classic = put.starts_with("put ");
    let lines = trajectory.split_inclusive('\n');
    lines.map(|line| worded_line(line, put, classic)).collect()
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
