//! Puts what models write around their answers into the plain form: marks of lists, tags, speakers' names, letters
//! without width. What was one line stays one.

use std::borrow::Cow;

use super::super::label::{Label, known, label};
use super::super::{Mended, Reading};
use crate::domain::MoveKind;
use crate::text::{hides, joined_by};

/// Names of speakers before what a model says itself.
const SPEAKERS: &[&str] = &["assistant", "executor", "agent", "ai", "bot", "robot", "model", "thinker", "planner"];

/// Characters as HTML writes them.
const ENTITIES: &[(&str, &str)] =
    &[("&gt;", ">"), ("&lt;", "<"), ("&quot;", "\""), ("&#39;", "'"), ("&apos;", "'"), ("&amp;", "&")];

/// Letters that hide nothing and mean nothing are left out, and entities and escaped line breaks read.
pub(super) fn letters(text: &str, mended: &mut Mended) -> String {
    let is_noise = |letter: char| hides(letter) && !matches!(letter, '\n' | '\r' | '\t');
    let mut plain: String = text.chars().filter(|letter| !is_noise(*letter)).collect();
    plain = plain.replace(['\u{a0}', '\u{202f}'], " ");
    if plain.contains('&') {
        for (entity, letter) in ENTITIES {
            plain = plain.replace(entity, letter);
        }
    }
    // Tokens of chat templates that servers leave in.
    while let Some(start) = plain.find("<|")
        && let Some(length) = plain[start..].find("|>")
    {
        plain.replace_range(start..start + length + 2, "\n");
    }
    let is_data = plain.trim_start().starts_with(['{', '[', '"']);
    if !is_data && !plain.contains('\n') {
        plain = plain.replace("\\n", "\n");
    }
    if plain != text {
        mended.insert("letters", "entities, escaped line breaks and letters without width were read as plain ones");
    }
    plain
}

/// The lines of a text with labels as they are asked for.
pub(super) fn lines(text: &str, reading: &Reading<'_>, mended: &mut Mended) -> String {
    let text = untagged(text, mended);
    let text = whole(&text);
    let mut lines: Vec<Cow<'_, str>> = Vec::new();
    for line in text.lines() {
        let plain = line_of(line, reading, mended);
        // `Action: open` and `Action Input: desk 1` are one.
        if let Some((verb, input)) = lines.last().and_then(|before| input_of(before, &plain)) {
            let merged = merged(verb, input, reading);
            mended.insert("action_input", "an action and its input on two lines were read as one command");
            lines.pop();
            lines.push(format!("Act: {merged}").into());
        } else {
            lines.push(plain);
        }
    }
    joined_by("\n", lines)
}

/// A text whose first and last letters are marks around all of it.
fn whole(text: &str) -> &str {
    let text = text.trim();
    [("**", "**"), ("\"", "\""), ("`", "`"), ("\u{201c}", "\u{201d}")]
        .into_iter()
        .find_map(|(open, close)| text.strip_prefix(open)?.strip_suffix(close).filter(|inner| !inner.contains(open)))
        .filter(|inner| label(inner).is_some())
        .unwrap_or(text)
}

/// `<action>look</action>` as `action: look`, for every tag that is a label.
pub(super) fn untagged<'a>(text: &'a str, mended: &mut Mended) -> Cow<'a, str> {
    let mut out = Cow::Borrowed(text);
    let mut from = 0;
    while let Some(place) = out.get(from..).and_then(|rest| rest.find('<')).map(|place| from + place) {
        from = place + 1;
        let Some((tag, after)) = out[from..].split_once('>') else { break };
        if !known(&tag.to_lowercase().replace('_', " ")).is_some_and(|(label, _)| label != Label::Foreign) {
            continue;
        }
        let close = format!("</{tag}>");
        let (inside, rest) = after.split_once(&*close).unwrap_or((after, ""));
        let shown = if inside.trim().is_empty() { String::new() } else { format!("\n{tag}: {}\n", inside.trim()) };
        mended.insert("tags", "tags around moves were read as labels");
        out = format!("{}{shown}{rest}", &out[..place]).into();
        from = (place + shown.len()).min(out.len());
    }
    out
}

fn line_of<'a>(line: &'a str, reading: &Reading<'_>, mended: &mut Mended) -> Cow<'a, str> {
    let rest = unlisted(line);
    let rest = speech_of(rest).unwrap_or(rest);
    let acts = reading.open.contains(MoveKind::Act) && !reading.open.contains(MoveKind::Plan);
    if acts && !reading.commands.is_empty() && label(rest).is_none() {
        let meant = reading.commands.meant(rest).filter(|_| !rest.trim().is_empty());
        if let Some(meant) = meant.or_else(|| reading.commands.announced(rest)) {
            if meant.command != rest.trim().trim_start_matches(['>', ' ']) {
                mended.insert("command_form", "a command was written as the environment reads it");
            }
            return format!("> {}", meant.command).into();
        }
    }
    if let Some(relabelled) = relabelled(rest) {
        mended.insert("label_form", "a label was read that is written in another way than asked for");
        return relabelled.into();
    }
    if rest.len() < line.trim().len() && label(rest).is_some() {
        mended.insert("list_mark", "marks before a move were left out");
        return rest.into();
    }
    line.into()
}

/// A line without what marks it as an item of a list.
fn unlisted(line: &str) -> &str {
    let mark = |letter: char| {
        matches!(letter, '-' | '*' | '\u{2022}' | '>' | ' ' | '\t') || !letter.is_ascii() && !letter.is_alphanumeric()
    };
    let line = line.trim();
    let rest = if line.starts_with("**") { line } else { line.trim_start_matches(mark) };
    let inner = rest.strip_prefix('(').unwrap_or(rest);
    let digits = inner.trim_start_matches(|letter: char| letter.is_ascii_digit());
    if digits.len() == inner.len() {
        return rest;
    }
    digits.strip_prefix(['.', ')', ':']).map_or(rest, str::trim_start)
}

/// The text after the name of a speaker who is the model itself.
fn speech_of(line: &str) -> Option<&str> {
    let start = line.trim_start_matches(['*', '_']);
    let (name, rest) = start.split_once(':')?;
    let name = name.trim_matches(['*', '_', ' ']).to_lowercase();
    SPEAKERS.contains(&&*name).then(|| rest.trim_start_matches(['*', '_', ' ']))
}

/// `ACT go to desk 1`, `Act - go to desk 1` with the usual label.
fn relabelled(line: &str) -> Option<String> {
    let (word, rest) = line.split_once(' ')?;
    let (Label::Own(_), true) = known(&word.to_lowercase())? else { return None };
    let dash = rest.trim_start().strip_prefix(['-', '\u{2013}', '\u{2014}', '=']);
    let capitals = word.len() > 2 && word.chars().all(|letter| letter.is_ascii_uppercase());
    let user = rest.strip_prefix("the user:").filter(|_| word.eq_ignore_ascii_case("ask"));
    let body = dash.or(user).or_else(|| capitals.then_some(rest))?;
    Some(format!("{word}: {}", body.trim()))
}

/// The verb of a line `Action: verb`, and the input of the next one.
fn input_of<'a>(before: &'a str, line: &'a str) -> Option<(&'a str, &'a str)> {
    let (word, input) = line.split_once(':')?;
    let is_input = ["action input", "input", "arguments"].contains(&&*word.trim().to_lowercase());
    let found = label(before).filter(|found| is_input && found.label == Label::Own(MoveKind::Act))?;
    Some((found.rest.trim(), input.trim()))
}

fn merged(verb: &str, input: &str, reading: &Reading<'_>) -> String {
    let object: Option<serde_json::Map<String, serde_json::Value>> = serde_json::from_str(input).ok();
    let things: Vec<&str> = match &object {
        Some(fields) => fields.values().filter_map(serde_json::Value::as_str).collect(),
        None => vec![input],
    };
    reading.commands.called(verb, &things).unwrap_or_else(|| format!("{verb} {input}").trim().to_owned())
}
