//! Puts what models write around their answers into the plain form: marks of lists, tags, speakers' names, letters
//! without width. What was one line stays one.

use std::borrow::Cow;

use super::super::label::{Label, known, label};
use super::super::{Mended, Reading};
use super::words::labelled;
use crate::domain::MoveKind;
use crate::text::{hides, is_picture, joined_by};

/// Names of speakers before what a model says itself.
const SPEAKERS: &[&str] = &["assistant", "executor", "agent", "ai", "bot", "robot", "model", "thinker", "planner"];

/// Other words of labels.
const GERUNDS: &[(&str, &str)] =
    &[("Acting:", "Act:"), ("Speaking:", "Speak:"), ("Asking:", "Ask:"), ("Analysis:", "Think:")];

/// Characters as HTML writes them.
const ENTITIES: &[(&str, &str)] =
    &[("&gt;", ">"), ("&lt;", "<"), ("&quot;", "\""), ("&#39;", "'"), ("&apos;", "'"), ("&amp;", "&")];

/// Letters that hide nothing and mean nothing are left out, and entities and escaped line breaks read.
pub(super) fn letters(text: &str, mended: &mut Mended) -> String {
    let is_noise = |letter: char| hides(letter) && !matches!(letter, '\n' | '\r' | '\t');
    let mut plain: String = text.chars().filter(|letter| !is_noise(*letter)).collect();
    plain = plain.replace(['\u{a0}', '\u{202f}'], " ").replace("\\_", "_");
    if plain.contains('&') {
        for (entity, letter) in ENTITIES {
            plain = plain.replace(entity, letter);
        }
    }
    if let Some((_, answer)) = plain.split_once("[/INST]") {
        plain = answer.to_owned();
    }
    // What tools answer is for others to say.
    if let Some((before, _)) = plain.split_once("<tool_response>") {
        plain = before.to_owned();
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
    let act = |line: &str| label(line).is_some_and(|found| found.label == Label::Own(MoveKind::Act));
    // Where the action has a label, commands in lists before it are what was considered.
    let mut considers = text.lines().any(act);
    let mut lines: Vec<Cow<'_, str>> = Vec::new();
    for line in text.lines().skip(echoed(text)) {
        considers &= !act(line);
        if considers
            && unlisted(line).len() < line.trim().len()
            && !line.trim().starts_with('>')
            && label(unlisted(line)).is_none()
        {
            continue;
        }
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

/// Lines of a form that begins with the question of the task, which only then thinks and acts.
fn echoed(text: &str) -> usize {
    let is = |line: &str, wanted: &str| label(line).is_some_and(|found| found.words.to_lowercase().starts_with(wanted));
    match text.lines().next() {
        Some(first) if is(first, "question") => text.lines().position(|line| is(line, "thought")).unwrap_or(0),
        _ => 0,
    }
}

/// The words of a line that may be a label and nothing else.
fn label_alone(line: &str) -> Option<&str> {
    let words = line.trim_matches(['#', '*', ' ', ':', '_']);
    let is_letter = |letter: char| letter.is_ascii_alphabetic() || letter == ' ';
    let is_label = !words.is_empty() && words.split(' ').count() <= 2 && words.chars().all(is_letter);
    is_label.then_some(words)
}

/// Headings `### Act`, `**Act**` and rows `| Act | look |` as labels.
pub(super) fn headings(text: &str) -> String {
    let line_of = |line: &str| {
        let line = line.trim();
        if line.starts_with('|') {
            let cells: Vec<&str> = line.split('|').map(str::trim).filter(|cell| !cell.is_empty()).collect();
            let place = cells.iter().position(|cell| known(&cell.to_lowercase()).is_some())?;
            return Some(format!("{}: {}", cells[place], cells.get(place + 1)?.trim_matches('`')));
        }
        // `THINK` on a line of its own, `[ACT] look`, `SPEAK (to user): ...`.
        let is_word =
            |word: &str| known(&word.to_lowercase()).is_some_and(|(label, usual)| usual && label != Label::Foreign);
        if let Some((word, rest)) =
            line.strip_prefix('[').and_then(|line| line.split_once(']')).filter(|(word, _)| is_word(word))
        {
            return Some(format!("{word}: {}", rest.trim_start_matches([':', ' '])));
        }
        if let Some((word, (_, rest))) = line
            .split_once(" (")
            .and_then(|(word, rest)| Some((word, rest.split_once("):")?)))
            .filter(|(word, _)| is_word(word))
        {
            return Some(format!("{word}:{rest}"));
        }
        if let Some(gerund) = GERUNDS.iter().find(|(gerund, _)| line.starts_with(gerund)) {
            return Some(format!("{}{}", gerund.1, &line[gerund.0.len()..]));
        }
        let is_alone = is_word(line) && line.starts_with(|letter: char| letter.is_ascii_uppercase());
        let is_heading = is_alone || line.starts_with('#') || line.starts_with("**") && line.ends_with("**");
        label_alone(line).filter(|_| is_heading).map(|words| format!("{words}:"))
    };
    joined_by("\n", text.lines().map(|line| line_of(line).unwrap_or_else(|| line.to_owned())))
}

/// A text whose first and last letters are marks around all of it.
fn whole(text: &str) -> &str {
    // Markdown's marks of all of the text.
    let is_ornament = |letter: char| letter == ' ' || is_picture(letter);
    let text = if text.contains('\n') { text.trim() } else { text.trim().trim_matches(is_ornament) };
    [("**", "**"), ("\"", "\""), ("`", "`"), ("\u{201c}", "\u{201d}")]
        .into_iter()
        .find_map(|(open, close)| text.strip_prefix(open)?.strip_suffix(close).filter(|inner| !inner.contains(open)))
        .filter(|inner| label(inner).is_some())
        .unwrap_or(text)
}

/// `<action>look</action>` and `<move type="act">look</move>` as `act: look`, for every tag that is a label; the text of
/// other pairs of tags.
pub(super) fn untagged<'a>(text: &'a str, mended: &mut Mended) -> Cow<'a, str> {
    let mut out = Cow::Borrowed(text);
    let mut from = 0;
    while let Some(place) = out.get(from..).and_then(|rest| rest.find('<')).map(|place| from + place) {
        from = place + 1;
        let Some((tag, after)) = out[from..].split_once('>') else { break };
        let name = tag.split(' ').next().unwrap_or(tag);
        let is_name = !name.is_empty() && name.chars().all(|letter| letter.is_ascii_lowercase() || letter == '_');
        let close = format!("</{name}>");
        let is_label = |word: &&str| {
            known(&word.to_lowercase().replace('_', " ")).is_some_and(|(label, _)| label != Label::Foreign)
        };
        let in_tag = tag.split('"').nth(1);
        let word = in_tag.filter(is_label).or(Some(name).filter(is_label));
        if !is_name && word.is_none() || word.is_none() && !after.contains(&*close) {
            continue;
        }
        let (inside, rest) = after.split_once(&*close).unwrap_or((after, ""));
        let word = word.map_or_else(|| name.replace('_', " "), str::to_owned);
        let is_api = word.contains(' ');
        let shown = match inside.trim() {
            "" => String::new(),
            inside if is_api || is_label(&&*word) => format!("\n{word}: {inside}\n"),
            inside => format!("\n{inside}\n"),
        };
        mended.insert("tags", "tags around moves were read as labels");
        out = format!("{}{shown}{rest}", &out[..place]).into();
        from = place.min(out.len());
        if !shown.is_empty() && shown.contains('<') {
            continue;
        }
        from = (place + shown.len()).min(out.len());
    }
    out
}

fn line_of<'a>(line: &'a str, reading: &Reading<'_>, mended: &mut Mended) -> Cow<'a, str> {
    let rest = unlisted(line);
    let rest = speech_of(rest).unwrap_or(rest);
    let acts = reading.open.contains(MoveKind::Act) && !reading.open.contains(MoveKind::Plan);
    if acts && let Some((_, answer)) = labelled(rest).filter(|(label, _)| label.ends_with("answer")) {
        // Where one acts, an answer is an action or nothing.
        return format!("Act: {answer}").into();
    }
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
    let bare = line.trim().trim_start_matches(['>', ' ']);
    if speech_of(unlisted(line)).is_some() || rest.len() < bare.len() && label(rest).is_some() {
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
    let rest = numbered_step(rest).unwrap_or(rest);
    let inner = rest.strip_prefix('(').unwrap_or(rest);
    let digits = inner.trim_start_matches(|letter: char| letter.is_ascii_digit());
    if digits.len() == inner.len() {
        return rest;
    }
    digits.strip_prefix(['.', ')', ':']).map_or(rest, str::trim_start)
}

/// The text after `Step 1:`, bold or not.
fn numbered_step(line: &str) -> Option<&str> {
    let rest =
        line.trim_start_matches('*').strip_prefix("Step ")?.trim_start_matches(|letter: char| letter.is_ascii_digit());
    Some(rest.strip_prefix([':', '.', ')'])?.trim_start_matches(['*', ' ']))
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
    let rest = rest.trim_start_matches(|letter: char| letter.is_ascii_digit());
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
        None => vec![input.trim_matches(['"', '`', '\''])],
    };
    reading.commands.called(verb, &things).unwrap_or_else(|| format!("{verb} {}", things.join(" ")).trim().to_owned())
}
