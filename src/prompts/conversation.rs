//! Who said what so far.

use crate::domain::{Message, Seat, View};
use crate::ports::{Conversation, Words};
use crate::text::one_line;

/// Who said what, in order: the conversation that came with the task, then what the user was told and
/// replied in this trial, as far as the viewer may see it. Speakers are called as the task calls them.
pub fn utterances(view: &View, words: &dyn Words) -> Vec<(String, String)> {
    let mut conversation = Conversation::default();
    let mut given = 0;
    for event in view.all() {
        let Conversation { said, agent, user } = &mut conversation;
        match &event.message {
            Message::Opened(opened) => {
                conversation = words.conversation(&opened.task);
                given = conversation.said.len();
            }
            Message::Begun(begun) if !begun.keep_world => said.truncate(given),
            Message::Told(told) if event.to == Seat::User => {
                said.push((agent.clone(), told.text.clone()));
            }
            Message::Replied(reply) => said.push((user.clone(), reply.text.clone())),
            _ => {}
        }
    }
    conversation.said
}

/// Utterances as prompts show them: `USER: ...`, one a line.
pub fn lines(utterances: &[(String, String)]) -> String {
    let lines = utterances.iter().map(|(speaker, text)| {
        // Nobody can write a line for somebody else.
        format!("{}: {}", one_line(speaker), one_line(text))
    });
    lines.collect::<Vec<_>>().join("\n")
}
