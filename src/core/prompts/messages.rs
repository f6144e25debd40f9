//! A part `--- turns ---` of a prompt file: a message for each move, observation and reply.

use std::ops::Range;

use super::line::{OBSERVATION, block, reads_as_anothers};
use super::script::{EntryKind, Script, observed};
use super::variables::{Sources, data_value};
use crate::domain::{Choice, Message, Move, Seat, View};
use crate::ports::Parameter;
use crate::ports::model::{CalledTool, ChatMessage, ChatRole, Prompt};
use crate::text::template::{PartSpeaker, Template, TemplateError, TemplateValue, lazy, with_turn};
use crate::text::{joined_by, one_line};

/// The answer to the call of a tool that had no effect.
const NOTHING: &str = "(nothing came of it)";

/// Whether messages of the same speaker that follow each other stay apart.
pub const SAME_SPEAKER: Parameter = Parameter::choice(
    "same_speaker",
    &["apart", "joined"],
    "messages of one speaker in a row, where a prompt has a part `--- turns ---`: as they are, or \
     as one, for servers whose models want speakers to alternate",
);

/// How turns are shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TurnOptions {
    /// One's own messages are the replies of one's model as they came.
    pub raw: bool,
    /// Messages of the same speaker that follow each other are one.
    pub joined: bool,
    /// The last line says what to write now.
    pub cue: bool,
    /// How many of the newest observations stay, and what stands for each older one.
    pub observations: Option<(usize, String)>,
}

impl TurnOptions {
    /// The entry before which observations are replaced, and by what.
    pub(super) fn old(&self, script: &Script) -> (usize, &str) {
        let Some((kept, text)) = &self.observations else {
            return (0, "");
        };
        let mut seen = script.entries().iter().enumerate().filter(|(_, entry)| entry.kind == EntryKind::Observation);
        let newest = match kept.checked_sub(1) {
            Some(others) => seen.nth_back(others).map_or(0, |(index, _)| index),
            None => usize::MAX,
        };
        (newest, text)
    }
}

/// A message with what it takes to leave it out.
pub(super) struct TurnMessage {
    /// The turn that it belongs to.
    pub(super) turn: u32,
    /// Whether it is an observation.
    pub(super) observation: bool,
    pub(super) message: ChatMessage,
}

impl Sources<'_> {
    /// The messages of the entries that are shown; `say` gives the text of an entry.
    pub(super) fn messages(
        &self,
        chat: bool,
        say: impl Fn(Option<TemplateValue>) -> Result<String, TemplateError>,
    ) -> Result<Vec<TurnMessage>, TemplateError> {
        let mut messages = Messages::default();
        if let Some(line) = self.summary_line() {
            messages.push(ChatMessage::new(ChatRole::User, line), 0, false);
        }
        for index in self.shown() {
            let Some(entry) = self.script.entries().get(index) else {
                continue;
            };
            let is_own = *entry.from == *self.turn.seat.as_str();
            let reply = if is_own && chat { self.reply(entry.answer) } else { None };
            if let Some(reply) = reply {
                let cut = self.script.moves_before(index);
                messages.reply(entry.answer, reply, entry.turn, cut);
                continue;
            }
            let text = match self.left_out(index) {
                Some(text) => text.to_owned(),
                None => say(self.entry(index, chat))?,
            };
            if text.is_empty() {
                continue;
            }
            let observation = entry.kind == EntryKind::Observation;
            messages.entry(is_own, text, entry.turn, observation);
        }
        Ok(messages.all)
    }

    /// The reply that an answer of the seat was read from, if it is to be shown.
    fn reply(&self, answer: u32) -> Option<&Choice> {
        let place = self.replies.binary_search_by_key(&answer, |reply| reply.answer);
        let reply = self.replies.get(place.ok()?)?;
        let event = self.turn.view.starting_at(reply.seq as usize).next()?;
        match &event.message {
            Message::ModelCalled(call) if event.seq == reply.seq => call.reply.choices.get(reply.choice),
            _ => None,
        }
    }

    /// An entry as templates see it. What it says by itself is its line; a user of a conversation says
    /// its text alone.
    pub(super) fn entry(&self, index: usize, chat: bool) -> Option<TemplateValue> {
        let entry = self.script.entries().get(index)?;
        let left_out = self.left_out(index);
        let text = left_out.unwrap_or_else(|| self.script.text_of(index));
        let text_value = TemplateValue::from(text);
        let fields = vec![
            ("from", (&*entry.from).into()),
            ("kind", entry.kind.as_str().into()),
            ("number", entry.turn.into()),
            ("place", (index - self.shown().start).into()),
            ("text", text_value.clone()),
        ];
        let line = left_out.unwrap_or_else(|| self.script.line_of(index)).to_owned();
        let bare = chat && self.turn.seat == Seat::User && !reads_as_anothers(text);
        let said = if bare { text.to_owned() } else { line.clone() };
        let view = left_out.is_none().then(|| self.turn.view.clone());
        let seq = entry.seq;
        let is_own = *entry.from == *self.turn.seat.as_str();
        let more = move |name: &str| match name {
            "line" => Some(line.as_str().into()),
            "said" => Some(said.as_str().into()),
            "whole" => {
                let whole = view.as_ref().and_then(|view| whole(view, seq, chat && is_own));
                Some(whole.map_or_else(|| text_value.clone(), TemplateValue::from))
            }
            "data" => observed(view.as_ref()?, seq)?.data.as_deref().map(data_value),
            _ => None,
        };
        Some(lazy(fields, more))
    }
}

/// Text of the event of an entry with its lines and the blanks around it, as far as one seat says it.
/// A thought of the seat itself needs no guard where it stands in a message of its own.
fn whole(view: &View, seq: u32, is_own: bool) -> Option<String> {
    let event = view.starting_at(seq as usize).next()?;
    if event.seq != seq {
        return None;
    }
    let text = match &event.message {
        Message::Observed(seen) => &seen.text,
        Message::Moved(Move::Think { text }) if is_own => return Some(text.clone()),
        Message::Moved(Move::Think { text }) => text,
        Message::Told(said) | Message::Replied(said) => &said.text,
        _ => return None,
    };
    let held = block(text);
    Some(if reads_as_anothers(held.trim_start()) { format!("{OBSERVATION}{held}") } else { held.into_owned() })
}

/// Messages as they are put together.
#[derive(Default)]
struct Messages {
    all: Vec<TurnMessage>,
    /// The answer that was shown last as the reply it was read from.
    answer: Option<u32>,
    /// From the message that answers its current call of a tool to the end of such messages.
    calls: Range<usize>,
    /// Nothing answers the current call so far.
    waiting: bool,
}

impl Messages {
    fn push(&mut self, message: ChatMessage, turn: u32, observation: bool) {
        self.all.push(TurnMessage { turn, observation, message });
    }

    /// One of the moves of an answer. The reply stands where the first of them would; each call of a
    /// tool is a move, and must be answered at once.
    fn reply(&mut self, answer: u32, reply: &Choice, turn: u32, cut: usize) {
        self.waiting = true;
        if self.answer.replace(answer) == Some(answer) {
            self.calls.start += 1;
            return;
        }
        let calls =
            reply.tool_calls.iter().enumerate().map(|(n, call)| CalledTool::new(format!("call_{answer}_{n}"), call));
        let tool_calls: Vec<CalledTool> = calls.collect();
        let ids: Vec<String> = tool_calls.iter().map(|call| call.id.clone()).collect();
        let said = ChatMessage::new(ChatRole::Assistant, reply.text.as_str());
        self.push(ChatMessage { tool_calls, ..said }, turn, false);
        let first = self.all.len();
        self.calls = first + cut..first + ids.len();
        for id in ids {
            let mut answer = ChatMessage::new(ChatRole::Tool, NOTHING);
            answer.tool_call_id = Some(id);
            self.push(answer, turn, false);
        }
    }

    fn entry(&mut self, is_own: bool, text: String, turn: u32, observation: bool) {
        if is_own {
            (self.answer, self.calls) = (None, 0..0);
            return self.push(ChatMessage::new(ChatRole::Assistant, text), turn, observation);
        }
        let waiting = std::mem::take(&mut self.waiting) && !self.calls.is_empty();
        match self.all.get_mut(self.calls.start).filter(|_| waiting) {
            Some(call) => {
                call.message.content = text;
                call.observation = observation;
            }
            None => self.push(ChatMessage::new(ChatRole::User, text), turn, observation),
        }
    }
}

/// The role of a message that a part of a file is; none for turns.
fn role(speaker: PartSpeaker) -> Option<ChatRole> {
    match speaker {
        PartSpeaker::System => Some(ChatRole::System),
        PartSpeaker::User => Some(ChatRole::User),
        PartSpeaker::Assistant => Some(ChatRole::Assistant),
        PartSpeaker::Turns => None,
    }
}

/// The parts of a filled template as a conversation, or as one text.
pub fn prompt(parts: Vec<(PartSpeaker, String)>, chat: bool) -> Prompt {
    let messages = parts.into_iter().map(|(speaker, text)| {
        let role = role(speaker).unwrap_or(ChatRole::User);
        vec![ChatMessage::new(role, text)]
    });
    joined(messages.collect(), chat)
}

/// Parts of several messages as a conversation, or as one text.
fn joined(parts: Vec<Vec<ChatMessage>>, chat: bool) -> Prompt {
    if chat {
        return Prompt::Chat(parts.into_iter().flatten().collect());
    }
    let texts = parts.iter().map(|messages| joined_by("\n", messages.iter().map(|message| &message.content)));
    Prompt::Text(joined_by("\n\n", texts))
}

/// A prompt that was filled in, and the bytes of each message of its turns.
pub(super) struct Filled {
    pub(super) prompt: Prompt,
    /// The turn of each, whether it is an observation, and its bytes.
    pub(super) turns: Vec<(u32, bool, usize)>,
}

impl Filled {
    /// Fills a file in. One without a part for turns is taken as it is; of others, parts that come out
    /// empty are left out.
    pub(super) fn new(
        template: &Template,
        sources: &Sources<'_>,
        chat: bool,
        join: bool,
    ) -> Result<Self, TemplateError> {
        let values = sources.values(template);
        if !template.has_turns() {
            let prompt = prompt(template.fill(&values)?, chat);
            return Ok(Self { prompt, turns: Vec::new() });
        }
        let mut turns = Vec::new();
        let mut parts: Vec<Vec<ChatMessage>> = Vec::new();
        for part in template.parts() {
            let Some(role) = role(part.speaker) else {
                let say = |turn| template.fill_part(part, with_turn(&values, turn));
                let messages = sources.messages(chat, say)?.into_iter().map(|made| {
                    turns.push((made.turn, made.observation, made.message.bytes()));
                    made.message
                });
                parts.push(messages.collect());
                continue;
            };
            let text = template.fill_part(part, values.clone())?;
            if !text.trim().is_empty() {
                parts.push(vec![ChatMessage::new(role, text)]);
            }
        }
        parts.retain(|messages| !messages.is_empty());
        let mut prompt = joined(parts, chat);
        if let (true, Prompt::Chat(messages)) = (join, &mut prompt) {
            messages.dedup_by(|next, last| {
                let same = next.role == last.role && next.role != ChatRole::Tool;
                let same = same && next.tool_calls.is_empty() && last.tool_calls.is_empty();
                if same {
                    last.content.push('\n');
                    last.content.push_str(&next.content);
                }
                same
            });
        }
        Ok(Self { prompt, turns })
    }

    /// Bytes of what stands for turns before this one; of observations alone if so wanted.
    pub(super) fn bytes_before(&self, before: u32, observations: bool) -> usize {
        let older =
            self.turns.iter().filter(|(turn, observation, _)| *turn < before && (*observation || !observations));
        older.map(|(_, _, bytes)| bytes).sum()
    }
}

/// The prompt with the answers that could not be read and what was said to them.
///
/// A text goes on where it ended: after `>`, or in a notation after the label of its last line, or after that line where
/// it is `restated`: a model that goes on with texts says nothing behind a full stop.
pub fn corrected(prompt: Prompt, corrections: &[(String, String)], notation: bool, restated: bool) -> Prompt {
    match prompt {
        Prompt::Chat(mut messages) => {
            for (text, said) in corrections {
                messages.push(ChatMessage::new(ChatRole::Assistant, text.clone()));
                messages.push(ChatMessage::new(ChatRole::User, said.clone()));
            }
            Prompt::Chat(messages)
        }
        Prompt::Text(mut prompt) => {
            let last = prompt.lines().next_back().unwrap_or_default();
            let end = match last {
                label if notation && label.ends_with(':') => format!("\n{label}"),
                _ if prompt.ends_with('>') => "\n>".to_owned(),
                line if restated && notation => format!("\n{line}\n"),
                _ => "\n".to_owned(),
            };
            for (text, said) in corrections {
                prompt.push_str(&format!(" {}\n{said}{end}", one_line(text)));
            }
            Prompt::Text(prompt)
        }
    }
}
