//! A trajectory as a prompt shows it (ReSpAct Tables 17 and 19): what the agent does after `> `, then
//! what comes back.

use crate::domain::{Event, Message, Move};

/// Whether what is said to the user, and the replies, are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Speech {
    /// As it was played.
    Shown,
    /// The same trajectory without speech (section 4.1).
    LeftOut,
}

/// The trajectory, a line for each thing that happens, from the first observation on.
pub(super) fn rendered(events: &[Event], speech: Speech) -> String {
    let lines = events
        .iter()
        .filter_map(|event| line(&event.message, speech));
    lines.collect()
}

fn line(message: &Message, speech: Speech) -> Option<String> {
    let shown = speech == Speech::Shown;
    Some(match message {
        Message::Observed(observation) => format!("{}\n", observation.text),
        Message::Moved(Move::Think { text }) => format!("> think: {text}\n"),
        Message::Moved(Move::Act { action }) => format!("> {}\n", action.text),
        Message::Moved(Move::Speak { text, .. }) if shown => format!("> speak: {text}\n"),
        Message::Replied(reply) if shown => format!("Human: {}\n", reply.text),
        // What is answered to a thought.
        Message::Brief(brief) => format!("{}\n", brief.notice.as_ref()?),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{Brief, Observation, Seat, Utterance};

    fn events() -> Vec<Event> {
        let observed = |text: &str| Message::Observed(Observation::text(text));
        let notice = Brief {
            notice: Some("OK.".to_owned()),
            ..Brief::default()
        };
        let messages = [
            observed("You see a bed 1.\nYour task is to: put a book in bed."),
            Message::Brief(Brief::default()),
            Message::Moved(Move::think("Where is it?")),
            Message::Brief(notice),
            Message::Moved(Move::speak("Where is the book?")),
            Message::Replied(Utterance::text("At the desk 1.")),
            Message::Moved(Move::act("go to desk 1")),
            observed("You arrive at desk 1."),
        ];
        let events = (0..).zip(messages).map(|(seq, message)| Event {
            seq,
            cause: None,
            from: Seat::Conductor,
            to: Seat::Conductor,
            message,
        });
        events.collect()
    }

    #[test]
    fn the_twin_lacks_speech_and_nothing_else() {
        let before =
            "You see a bed 1.\nYour task is to: put a book in bed.\n> think: Where is it?\nOK.\n";
        let said = "> speak: Where is the book?\nHuman: At the desk 1.\n";
        let after = "> go to desk 1\nYou arrive at desk 1.\n";
        assert_eq!(
            rendered(&events(), Speech::Shown),
            [before, said, after].concat()
        );
        assert_eq!(
            rendered(&events(), Speech::LeftOut),
            [before, after].concat()
        );
    }
}
