//! Preferences: two continuations of the same view, of which one came to more.

use super::row::{RowMessage, messages_of, reply_of, tools_of};
use super::turns::{SeatTurn, turns};
use super::{Marking, PlayedEpisode};
use rolecall_core::domain::{Choice, Message, Seat};
use rolecall_core::ports::model::{ChatRole, ModelRequest, Prompt};
use rolecall_core::text::unique;
use rolecall_run::runtime::{RebuiltCall, SentRequest};

/// Two answers to one prompt.
#[derive(Clone, Debug, PartialEq)]
pub struct Pair {
    /// The episode that both belong to.
    pub episode: String,
    /// Who answered.
    pub seat: String,
    /// The task, by which rows are split.
    pub task: String,
    /// The model that gave the better answer.
    pub model: String,
    /// The event of the call from which on they differ.
    pub at: u32,
    /// The conversation before both.
    pub prompt: Vec<RowMessage>,
    /// It was one text, that of its only message.
    pub is_text: bool,
    /// The tools that could be called.
    pub tools: Vec<serde_json::Value>,
    /// The answer that came to more.
    pub chosen: RowMessage,
    /// The other one.
    pub rejected: RowMessage,
    /// How much more, in the environment's reward.
    pub margin: f64,
}

/// The pair of two continuations of an episode, or why there is none. Both must have been proved.
///
/// # Errors
/// The reason in words.
pub fn pair(one: &PlayedEpisode, other: &PlayedEpisode, marking: &Marking) -> Result<Pair, &'static str> {
    let outcome = |episode: &PlayedEpisode| (episode.result.reward, episode.result.success);
    let ((reward, won), (others, other_won)) = (outcome(one), outcome(other));
    let (better, worse) = match reward.total_cmp(&others).then(won.cmp(&other_won)) {
        std::cmp::Ordering::Equal => return Err("same outcome"),
        std::cmp::Ordering::Less => (other, one),
        std::cmp::Ordering::Greater => (one, other),
    };
    let (good, bad, seat) = seats(better)
        .into_iter()
        .filter(|seat| marking.takes(seat))
        .filter_map(|seat| parting(better, worse, &seat))
        .min_by_key(|parting| parting.0.call.seq)
        .ok_or("no answers differ")?;
    if !good.turn.is_clean() || !marking.trains(&good.call.call.model) {
        return Err("the better answer is not trained");
    }
    let (sent, also) = (better.request(good.call.seq), worse.request(bad.call.seq));
    let (Some(sent), Some(also)) = (sent, also) else {
        return Err("of another run before its branch");
    };
    let (prompt, is_text) = prompt_of(sent).ok_or("no completion")?;
    if Some((&prompt, is_text)) != prompt_of(also).as_ref().map(|(prompt, text)| (prompt, *text))
        || tools_of(&sent.request) != tools_of(&also.request)
    {
        return Err("the prompts differ before the answers");
    }
    let result = &better.result;
    Ok(Pair {
        episode: better.id.to_string(),
        seat: seat.to_string(),
        task: result.task.clone(),
        model: good.call.call.model.clone(),
        at: good.call.seq,
        prompt,
        is_text,
        tools: tools_of(&sent.request),
        chosen: reply_of(good.choice, good.call.seq),
        rejected: reply_of(bad.choice, bad.call.seq),
        margin: better.result.reward - worse.result.reward,
    })
}

/// An answer of a seat.
struct Answer<'a> {
    turn: SeatTurn<'a>,
    call: &'a RebuiltCall,
    choice: &'a Choice,
}

/// The first answers of a seat that differ, if they answer the same event.
fn parting<'a>(
    one: &'a PlayedEpisode,
    other: &'a PlayedEpisode,
    seat: &Seat,
) -> Option<(Answer<'a>, Answer<'a>, Seat)> {
    let differs = |(one, other): &(Answer<'_>, Answer<'_>)| {
        let (one, other) = (one.choice, other.choice);
        (&one.text, &one.tool_calls) != (&other.text, &other.tool_calls)
    };
    let (answer, others) = answers(one, seat).zip(answers(other, seat)).find(differs)?;
    Some((answer, others, seat.clone()))
}

fn answers<'a>(episode: &'a PlayedEpisode, seat: &Seat) -> impl Iterator<Item = Answer<'a>> {
    turns(episode, seat).into_iter().filter_map(|turn| {
        let (call, choice) = turn.answer()?;
        Some(Answer { turn, call, choice })
    })
}

fn seats(episode: &PlayedEpisode) -> Vec<Seat> {
    unique(
        episode
            .events
            .iter()
            .filter(|event| matches!(event.message, Message::ModelCalled(_)))
            .map(|event| event.from.clone()),
    )
}

/// The prompt of a request for an answer, and whether it is one text.
fn prompt_of(sent: &SentRequest) -> Option<(Vec<RowMessage>, bool)> {
    let ModelRequest::Complete(completion) = &sent.request else {
        return None;
    };
    Some(match &completion.prompt {
        Prompt::Text(text) => (vec![RowMessage::new(ChatRole::User, text.as_str())], true),
        Prompt::Chat(messages) => (messages_of(messages), false),
    })
}
