//! Conversations in which two speakers alternate, as LLaMA-Factory wants them: it drops all others.

use serde_json::{Map, Value};

use super::message;
use crate::export::row::RowMessage;
use rolecall_core::ports::model::ChatRole;

/// The messages with those of one side in a row made one; none if they do not come out as they must, which
/// begins with the other side and ends with the assistant.
pub(super) fn alternating(messages: &[RowMessage]) -> Option<Vec<Map<String, Value>>> {
    let mut merged: Vec<RowMessage> = Vec::new();
    for own in messages {
        let mut own = own.clone();
        if own.role == ChatRole::System && !merged.is_empty() {
            own.role = ChatRole::User;
        }
        match merged.last_mut() {
            Some(last) if side(last.role) == side(own.role) => {
                last.content.push('\n');
                last.content.push_str(&own.content);
                last.tool_calls.append(&mut own.tool_calls);
            }
            _ => merged.push(own),
        }
    }
    let roles: Vec<ChatRole> = merged.iter().map(|own| own.role).collect();
    let written = merged.iter().map(|own| message(own, true));
    alternates(&roles).then(|| written.collect())
}

/// 0 for the system, 1 for the assistant, 2 for whoever it answers.
fn side(role: ChatRole) -> u8 {
    match role {
        ChatRole::System => 0,
        ChatRole::Assistant => 1,
        ChatRole::User | ChatRole::Tool => 2,
    }
}

/// Whether a conversation is one that LLaMA-Factory keeps: after the system, users or tools and the assistant in
/// turn, as many of the ones as of the other.
pub fn alternates(roles: &[ChatRole]) -> bool {
    let roles = match roles.split_first() {
        Some((ChatRole::System, rest)) => rest,
        _ => roles,
    };
    let pairs = roles.chunks(2);
    !roles.is_empty()
        && pairs.into_iter().all(|pair| match pair {
            [one, other] => side(*one) == 2 && side(*other) == 1,
            _ => false,
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_one_side_says_in_a_row_becomes_one_message() {
        let said = |role, text: &str| RowMessage::new(role, text);
        let messages = [
            said(ChatRole::System, "s"),
            said(ChatRole::User, "task"),
            said(ChatRole::Assistant, "a"),
            said(ChatRole::Assistant, "b"),
            said(ChatRole::Tool, "seen"),
            said(ChatRole::User, "yes"),
            said(ChatRole::Assistant, "c"),
        ];
        let merged = alternating(&messages).unwrap();
        let told: Vec<_> =
            merged.iter().map(|own| (own["role"].as_str().unwrap(), own["content"].as_str().unwrap())).collect();
        assert_eq!(
            told,
            [("system", "s"), ("user", "task"), ("assistant", "a\nb"), ("tool", "seen\nyes"), ("assistant", "c")]
        );
        assert!(alternating(&messages[..6]).is_none());
        assert!(alternating(&messages[2..]).is_none());
        assert!(!alternates(&[]) && !alternates(&[ChatRole::System]));
    }
}
