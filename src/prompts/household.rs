//! What prompts say about household games: the commands in the game's own wording.

use std::borrow::Cow;

use serde_json::Value;

use crate::text::household::worded;

/// The forms of the commands with what each does, if the public data is that of a household game.
pub(super) fn forms(data: &Value) -> Option<Vec<(String, String)>> {
    let put = data.get("put")?.as_str()?;
    let rows = [
        ("go to {receptacle}", "walk to a place"),
        (
            "take {object} from {receptacle}",
            "pick an object up; you carry one at a time",
        ),
        (put, "put down what you carry"),
        ("open {receptacle}", "open something that is closed"),
        ("close {receptacle}", "close it again"),
        ("clean {object} with {receptacle}", "clean what you carry"),
        ("heat {object} with {receptacle}", "heat what you carry"),
        ("cool {object} with {receptacle}", "cool what you carry"),
        ("use {object}", "switch a lamp on"),
        ("examine {object}", "look at something closely"),
        ("inventory", "see what you carry"),
        ("look", "see where you are"),
    ];
    let owned = rows.map(|(form, what)| (form.to_owned(), what.to_owned()));
    Some(owned.into())
}

/// Exemplars in the wording of the game that is played: those of a card are written once, and games
/// differ in how they want putting to be said.
pub(super) fn in_the_games_words<'a>(exemplars: &'a str, data: &Value) -> Cow<'a, str> {
    let put = data.get("put").and_then(Value::as_str).unwrap_or_default();
    let other = match put.split(' ').next() {
        Some("put") => "> move ",
        Some("move") => "> put ",
        _ => return exemplars.into(),
    };
    if exemplars.contains(other) {
        return worded(exemplars, put).into();
    }
    exemplars.into()
}
