//! The rows of one seat of an episode.

use super::row::{Content, RowMessage, Tokens, messages_of, reply_of, tools_of};
use super::turns::{SeatTurn, turns};
use super::{Marking, PlayedEpisode};
use rolecall_core::domain::{Choice, Seat};
use rolecall_core::ports::model::{ModelRequest, Prompt};
use rolecall_run::runtime::RebuiltCall;

/// The rows of a seat that asks a model, and the number of its turns that are in none.
pub(super) fn model_rows(episode: &PlayedEpisode, seat: &Seat, marking: &Marking) -> (Vec<(String, Content)>, u64) {
    let mut rows = Rows::default();
    for turn in turns(episode, seat) {
        let begins = turn.is_clean() && turn.first >= episode.branch_point();
        // What failed is seen by nobody in later turns, and no part of the conversation.
        let answer = turn.answer().filter(|_| turn.is_answered());
        let Some((call, choice)) = answer else {
            let row = scored(episode, &turn).filter(|_| begins).filter(|(asked, _)| marking.trains(asked));
            rows.left_out += u64::from(row.is_none() && !turn.calls.is_empty());
            rows.all.extend(row);
            continue;
        };
        let Some(sent) = episode.request(call.seq) else {
            // It is the parent's of a branch.
            rows.left_out += 1;
            continue;
        };
        let asked = &call.call.model;
        let train = begins && marking.trains(asked);
        rows.left_out += u64::from(!train);
        let ModelRequest::Complete(completion) = &sent.request else {
            continue;
        };
        match &completion.prompt {
            Prompt::Text(prompt) if train => {
                rows.all.push((
                    asked.clone(),
                    Content::Text { prompt: prompt.clone(), completion: choice.text.clone(), train },
                ));
            }
            Prompt::Text(_) => {}
            Prompt::Chat(messages) => {
                let mut reply = reply_of(choice, call.seq);
                reply.mark(train);
                (reply.turn, reply.call) = (Some(turn.number), Some(call.call.call));
                reply.move_kind = turn.kind();
                reply.tokens = tokens_of(call, choice);
                if !tokens_extend(&rows.open, reply.tokens.as_deref()) {
                    rows.close();
                }
                rows.go_on(asked, messages_of(messages), tools_of(&sent.request));
                rows.open.push(reply);
            }
        }
    }
    rows.close();
    (rows.all, rows.left_out)
}

/// The model that scored what could be done, and its prompt with what was taken.
fn scored(episode: &PlayedEpisode, turn: &SeatTurn<'_>) -> Option<(String, Content)> {
    let (call, taken) = turn.taken()?;
    let ModelRequest::Score(scoring) = &episode.request(call.seq)?.request else {
        return None;
    };
    let mut candidates = scoring.candidates.iter();
    let (Prompt::Text(prompt), Some(candidate)) = (&scoring.prompt, candidates.find(|text| text.trim() == taken))
    else {
        return None;
    };
    let content = Content::Text {
        prompt: prompt.clone(),
        // As it would have been written, which ends with its line.
        completion: candidate.trim_end_matches('\n').to_owned(),
        train: true,
    };
    Some((call.call.model.clone(), content))
}

/// Rows as they are put together.
#[derive(Default)]
struct Rows {
    all: Vec<(String, Content)>,
    left_out: u64,
    model: String,
    open: Vec<RowMessage>,
    tools: Vec<serde_json::Value>,
}

impl Rows {
    /// Goes on with the open conversation if the prompt extends it, message by message, and with another one
    /// otherwise.
    fn go_on(&mut self, model: &str, mut prompt: Vec<RowMessage>, tools: Vec<serde_json::Value>) {
        let extends = !self.open.is_empty()
            && self.model == model
            && self.tools == tools
            && self.open.len() < prompt.len()
            && (self.open.iter().zip(&prompt)).all(|(known, sent)| known.says_the_same(sent));
        if extends {
            for (known, sent) in self.open.iter_mut().zip(&mut prompt) {
                // As the model saw its calls named.
                known.tool_calls = std::mem::take(&mut sent.tool_calls);
                *sent = known.clone();
            }
        } else {
            self.close();
        }
        self.model = model.to_owned();
        (self.open, self.tools) = (prompt, tools);
    }

    /// Ends the conversation; one that holds nothing to train is no row.
    fn close(&mut self) {
        let messages = std::mem::take(&mut self.open);
        let tools = std::mem::take(&mut self.tools);
        if messages.iter().any(RowMessage::is_trained) {
            self.all.push((self.model.clone(), Content::Chat { messages, tools }));
        }
    }
}

/// The tokens of a reply, where the server gave their ids.
fn tokens_of(call: &RebuiltCall, choice: &Choice) -> Option<Box<Tokens>> {
    let reply = &call.call.reply;
    if choice.token_ids.is_empty() || reply.prompt_token_ids.is_empty() {
        return None;
    }
    let logprobs: Vec<f64> = choice.tokens.iter().map(|token| token.logprob).collect();
    Some(Box::new(Tokens {
        prompt: reply.prompt_token_ids.clone(),
        // Without one for each token they say nothing.
        logprobs: Some(logprobs).filter(|logprobs| logprobs.len() == choice.token_ids.len()).unwrap_or_default(),
        reply: choice.token_ids.clone(),
    }))
}

/// Whether the tokens of a prompt go on with those of the conversation, where both are known.
fn tokens_extend(open: &[RowMessage], next: Option<&Tokens>) -> bool {
    let last = open.last().and_then(|last| last.tokens.as_deref());
    let (Some(last), Some(next)) = (last, next) else {
        return last.is_none() == next.is_none() || open.is_empty();
    };
    next.prompt.starts_with(&[&last.prompt[..], &last.reply].concat())
}
