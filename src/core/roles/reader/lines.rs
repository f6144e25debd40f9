//! Cuts a text into labelled pieces, one for each move.

use std::ops::ControlFlow;

use super::label::{Label, inner_labels, label, own_label};
use super::piece::{AFTER_ACTION, Piece, command, step};
use super::speech::declared_line;
use super::{Mended, Reading, tidy};
use crate::domain::{MoveKind, MoveKinds};
use crate::text::joined_by;

/// Tokens with which chat templates end what somebody says.
const ENDS: &[&str] = &["<|im_end|>", "<|im_start|>", "<|endoftext|>", "<|eot_id|>", "<|end|>", "</s>"];

/// The note on what others would have said.
const CONTINUATION: &str = "what the model wrote in the place of others was left out";

/// Takes off what is around the answer: the model's hidden reasoning, tokens of chat templates,
/// fences.
pub(super) fn clean(text: &str, open: MoveKinds, mended: &mut Mended) -> String {
    // All that is taken off has one of these; most answers have none.
    if !text.bytes().any(|byte| matches!(byte, b'<' | b'`' | b'\r')) {
        return text.trim().to_owned();
    }
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let text = without_reasoning(text, open, mended);
    let end = ENDS.iter().filter_map(|end| text.find(end)).min();
    let kept = end.and_then(|end| text.get(..end)).unwrap_or(&text);
    if kept.len() < text.len() {
        let mend = "the text was cut at a token of a chat template";
        mended.insert("special_token", mend);
    }
    let is_fence = |line: &&str| line.trim_start().starts_with("```");
    if !kept.lines().any(|line| is_fence(&line)) {
        return kept.trim().to_owned();
    }
    mended.insert("code_fence", "the fences around the answer were left out");
    joined_by("\n", kept.lines().filter(|line| !is_fence(line))).trim().to_owned()
}

/// Leaves out `<think>...</think>`; if there is nothing else, what stands there is the thought.
fn without_reasoning(text: String, open: MoveKinds, mended: &mut Mended) -> String {
    const OPEN: &str = "<think>";
    const CLOSE: &str = "</think>";
    let mend = "the model's hidden reasoning was left out";
    let mut parts = text.split(CLOSE).peekable();
    let mut kept = String::new();
    while let Some(part) = parts.next() {
        kept.push_str(part);
        if parts.peek().is_some() {
            mended.insert("reasoning_block", mend);
            kept.truncate(kept.rfind(OPEN).unwrap_or(0));
        }
    }
    let mut text = kept;
    while let Some((before, inside)) = text.split_once(OPEN) {
        mended.insert("reasoning_block", mend);
        text = if before.trim().is_empty() && open.contains(MoveKind::Think) {
            let thought = inside.trim().lines().next().unwrap_or_default();
            format!("Think: {}", thought.trim_start_matches(OPEN))
        } else {
            before.to_owned()
        };
    }
    text
}

/// The pieces of a text; none if it holds nothing but what others say.
pub(super) fn pieces(text: &str, reading: &Reading<'_>, mended: &mut Mended) -> Vec<Piece> {
    let mut cutter = Cutter { reading, mended, pieces: Vec::new(), leading: Vec::new(), is_asked: false };
    let _ = text.lines().try_for_each(|line| cutter.whole_line(line));
    cutter.finish()
}

struct Cutter<'a, 'b> {
    reading: &'a Reading<'b>,
    mended: &'a mut Mended,
    pieces: Vec<Piece>,
    /// Lines before the first piece.
    leading: Vec<String>,
    /// A question was asked, and a blank line follows it.
    is_asked: bool,
}

impl Cutter<'_, '_> {
    /// A line, cut before each label within it. Breaks off where nothing more is to be read.
    fn whole_line(&mut self, line: &str) -> ControlFlow<()> {
        let mut rest = line;
        for place in inner_labels(line) {
            if self.is_step(rest) || self.is_whole_command(rest) {
                break;
            }
            let before = place.checked_sub(line.len() - rest.len());
            let cut = before.filter(|before| *before >= own_label(rest));
            let Some((now, later)) = cut.and_then(|cut| rest.split_at_checked(cut)) else {
                continue;
            };
            let mend = "a line that holds several moves was cut between them";
            self.mended.insert("inline_label", mend);
            self.line(now)?;
            rest = later;
        }
        self.line(rest)
    }

    fn line(&mut self, line: &str) -> ControlFlow<()> {
        let owned = self.owned(line);
        let said = declared_line(line, self.reading.acts());
        if let Some(said) = said.filter(|_| owned.is_none() && !self.is_whole_command(line)) {
            let mend = "a label was read that is written in another way than asked for";
            self.mended.insert("label_form", mend);
            self.push(MoveKind::Speak, said, false);
            return ControlFlow::Continue(());
        }
        let labelled = owned.is_none() && !self.is_step(line);
        if let Some(found) = label(line).filter(|_| labelled) {
            return match found.label {
                Label::Foreign => self.foreign(),
                Label::Own(kind) => {
                    if !found.usual {
                        let mend = "a label was read that is written in another way than asked for";
                        self.mended.insert("label_form", mend);
                    }
                    self.push(kind, found.rest, found.bracket);
                    ControlFlow::Continue(())
                }
            };
        }
        let trimmed = line.trim();
        if self.kind() == Some(MoveKind::Think) && ["OK.", "OK", "Ok."].contains(&trimmed) {
            return self.foreign();
        }
        match trimmed.strip_prefix('>') {
            Some(action) if owned.is_some() || self.is_action(action) => self.action(owned.unwrap_or(action).trim()),
            _ => self.unlabelled(owned.unwrap_or(line), owned.is_some()),
        }
    }

    /// The command in a line that seems to begin with a label, whose word is a verb of the world's.
    fn owned<'l>(&self, line: &'l str) -> Option<&'l str> {
        let Reading { open, commands, .. } = self.reading;
        let found = label(line)?;
        let wanted = open.contains(MoveKind::Act) || self.kind() == Some(MoveKind::Plan);
        (wanted && commands.owns(found.words)).then_some(found.words)
    }

    /// Whether all of a line is one command, whose text may hold what looks like a label.
    fn is_whole_command(&self, line: &str) -> bool {
        let commands = self.reading.commands;
        // Nonsense may have a label every few letters: each rest of it must not be read through.
        commands.begins_text(line) && step(line, commands).is_some_and(|step| commands.has(&step.action.text))
    }

    /// Whether the line is a step of the plan before it.
    fn is_step(&self, line: &str) -> bool {
        self.kind() == Some(MoveKind::Plan) && is_item(line)
    }

    fn kind(&self) -> Option<MoveKind> {
        self.pieces.last().map(|piece| piece.kind)
    }

    /// Whether what follows `>` is an action: in the papers' style it is.
    fn is_action(&self, text: &str) -> bool {
        let text = text.trim();
        !text.is_empty() && (self.reading.bare_commands || self.is_command(text))
    }

    fn is_command(&self, text: &str) -> bool {
        let Reading { open, commands, .. } = self.reading;
        open.contains(MoveKind::Act) && command(text, commands).is_some()
    }

    /// An action without a label.
    fn action(&mut self, text: &str) -> ControlFlow<()> {
        if !self.reading.bare_commands {
            self.missing_label();
        }
        self.push(MoveKind::Act, text, false);
        ControlFlow::Continue(())
    }

    fn missing_label(&mut self) {
        let mend = "a move without a label was taken for what it looks like";
        self.mended.insert("missing_label", mend);
    }

    /// A line that only others say: the model has gone on without waiting for them.
    fn foreign(&mut self) -> ControlFlow<()> {
        if self.pieces.is_empty() {
            self.left_out_before();
            return ControlFlow::Continue(());
        }
        self.mended.insert("continuation", CONTINUATION);
        ControlFlow::Break(())
    }

    fn left_out_before(&mut self) {
        let mend = "the text before the first move was left out";
        self.mended.insert("leading_text", mend);
    }

    fn unlabelled(&mut self, line: &str, owned: bool) -> ControlFlow<()> {
        let is_command = owned || self.is_command(line.trim());
        let Some(last) = self.pieces.last_mut() else {
            if is_command {
                return self.action(line.trim());
            }
            self.leading.push(line.to_owned());
            return ControlFlow::Continue(());
        };
        if line.trim().is_empty() {
            // After a question and a blank line the model goes on with something else.
            let asked = last.kind == MoveKind::Speak && last.body.trim_end().ends_with('?');
            if self.reading.natural && asked {
                last.body.push('\n');
                self.is_asked = true;
            }
            return ControlFlow::Continue(());
        }
        if self.is_asked && last.kind == MoveKind::Speak && !is_command {
            self.mended.insert("trailing_text", "what stands after a question was left out");
            return ControlFlow::Break(());
        }
        let is_remark = line.trim().starts_with('(') && line.trim().ends_with(')');
        if self.reading.natural && is_remark && last.kind == MoveKind::Speak && !last.body.trim().is_empty() {
            self.mended.insert("trailing_text", "a remark after what was said was left out");
            return ControlFlow::Break(());
        }
        if last.body.trim().is_empty() {
            last.body = line.to_owned();
            return ControlFlow::Continue(());
        }
        if is_command && last.kind != MoveKind::Plan {
            return self.action(line.trim());
        }
        if last.kind == MoveKind::Act && !last.bracket {
            self.mended.insert("trailing_text", AFTER_ACTION);
            return ControlFlow::Break(());
        }
        last.body.push('\n');
        last.body.push_str(line);
        ControlFlow::Continue(())
    }

    fn push(&mut self, kind: MoveKind, body: &str, bracket: bool) {
        if self.reading.natural
            && kind == MoveKind::Act
            && let Some(last) = self.pieces.last_mut().filter(|last| last.kind == MoveKind::Speak)
            && let Some(end) = last.body.find("?\n")
        {
            self.mended.insert("continuation", CONTINUATION);
            last.body.truncate(end + 1);
        }
        if self.pieces.is_empty() && self.leading.iter().any(|line| !line.trim().is_empty()) {
            self.left_out_before();
        }
        self.pieces.push(Piece { kind, body: body.to_owned(), bracket });
    }

    /// The pieces; if there are none, the whole text is one.
    fn finish(mut self) -> Vec<Piece> {
        let body = std::mem::take(&mut self.leading).join("\n").trim().to_owned();
        if self.pieces.is_empty() && !body.is_empty() {
            let kind = self.kind_of_all(&body);
            if let Some(kind) = kind {
                if kind != MoveKind::Act || !self.reading.bare_commands {
                    self.missing_label();
                }
                self.push(kind, &body, false);
            }
        }
        self.pieces
    }

    /// The kind of a text without any label: the only open kind; in the papers' style an action if it
    /// could be one; a question is spoken; anything else is a thought.
    fn kind_of_all(&self, body: &str) -> Option<MoveKind> {
        let open = self.reading.open;
        let mut kinds = open.iter();
        if let (Some(only), None) = (kinds.next(), kinds.next()) {
            return Some(only);
        }
        let first = body.lines().next().unwrap_or_default();
        let first = tidy(first, MoveKind::Act, &mut Mended::default());
        let is_short = first.split_whitespace().count() <= 8;
        let is_sentence = first.ends_with(['.', '!', '?', '\u{3002}']);
        let mut order = Vec::new();
        let may_act = !self.reading.natural || self.reading.commands.is_empty();
        if self.reading.bare_commands && is_short && !is_sentence && may_act {
            order.push(MoveKind::Act);
        }
        let end = body.trim_end_matches(['"', '*', ' ']);
        if end.ends_with(['?', '\u{ff1f}']) {
            order.push(MoveKind::Speak);
        }
        order.push(MoveKind::Think);
        if self.reading.commands.is_empty() {
            order.push(MoveKind::Act);
        }
        order.extend([MoveKind::Speak, MoveKind::Plan, MoveKind::Learn]);
        order.into_iter().find(|kind| open.contains(*kind))
    }
}

/// Whether a line is an item of a list.
fn is_item(line: &str) -> bool {
    let trimmed = line.trim_start();
    let rest = trimmed.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let numbered = rest.len() < trimmed.len() && rest.starts_with(['.', ')', ':']);
    numbered || trimmed.starts_with(['-', '*', '\u{2022}', '(', '#'])
}
