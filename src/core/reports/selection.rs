//! The events of an episode that somebody wants to see, and the words for it.

use crate::domain::{Event, Message, Seat};

/// A word that chooses events by what they are: a kind of message as the log writes it, or a kind
/// of move.
#[derive(Debug)]
pub struct EventKind {
    /// The word.
    pub word: &'static str,
    /// Another word for the same, as transcripts write it; empty if they write the same.
    pub alias: &'static str,
    /// The events that it stands for.
    pub help: &'static str,
}

const fn kind(word: &'static str, help: &'static str) -> EventKind {
    let alias = "";
    EventKind { word, alias, help }
}

impl EventKind {
    const fn or(self, alias: &'static str) -> Self {
        Self { alias, ..self }
    }
}

/// Every word there is: moves first, then the other messages in the order of an episode.
pub static KINDS: [EventKind; 23] = [
    kind("moved", "A move of any kind"),
    kind("think", "A thought"),
    kind("plan", "A plan"),
    kind("act", "An action that a role chose"),
    kind("speak", "Something that a role says to the user"),
    kind("judge", "A verdict: is the request clear?"),
    kind("learn", "A lesson for later"),
    kind("finish", "The final answer"),
    kind("opened", "The task and the cast"),
    kind("entrusted", "A private part of the task (with --private)").or("private"),
    kind("begun", "A trial or round begins").or("begin"),
    kind("brief", "What a role is told when it is asked"),
    kind("repaired", "An answer that had to be mended"),
    kind("perform", "An action as it was handed to the environment"),
    kind("observed", "What the environment shows").or("observe"),
    kind("refused", "An observation that refuses the action"),
    kind("told", "Words as they were handed to the user").or("tell"),
    kind("replied", "What the user replies").or("reply"),
    kind("model_called", "A model call (with --private)").or("model"),
    kind("assess", "The environment is asked for a score"),
    kind("scored", "How a trial or round ended").or("score"),
    kind("fault", "A participant failed"),
    kind("closed", "How the episode ended"),
];

impl EventKind {
    /// Whether the message is of this kind.
    pub fn covers(&self, message: &Message) -> bool {
        let narrower = match message {
            Message::Moved(made) => made.kind().as_str(),
            Message::Observed(observation) if observation.invalid => "refused",
            other => other.kind(),
        };
        self.word == narrower || self.word == message.kind()
    }
}

/// The events that are wanted: those that come from one of the seats and are of one of the kinds.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// The seats; none stands for all.
    pub seats: Vec<Seat>,
    /// The kinds; none stands for all.
    pub kinds: Vec<&'static EventKind>,
}

impl Selection {
    /// Whether the event is wanted.
    pub fn takes(&self, event: &Event) -> bool {
        let kind = |kind: &&EventKind| kind.covers(&event.message);
        (self.seats.is_empty() || self.seats.contains(&event.from))
            && (self.kinds.is_empty() || self.kinds.iter().any(kind))
    }

    /// Whether every event is wanted.
    pub fn is_everything(&self) -> bool {
        self.seats.is_empty() && self.kinds.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{Move, MoveKind, Observation, RoleName};

    fn named(word: &str) -> &'static EventKind {
        KINDS.iter().find(|kind| kind.word == word).unwrap()
    }

    #[test]
    fn every_kind_of_move_has_a_word_and_no_word_is_there_twice() {
        for kind in MoveKind::ALL {
            assert_eq!(named(kind.as_str()).word, kind.as_str());
        }
        let mut words: Vec<&str> =
            KINDS.iter().flat_map(|kind| [kind.word, kind.alias]).filter(|word| !word.is_empty()).collect();
        words.sort_unstable();
        let count = words.len();
        words.dedup();
        assert_eq!(words.len(), count);
    }

    #[test]
    fn seats_and_kinds_combine() {
        let executor = Seat::Role(RoleName::new("executor").unwrap());
        let event =
            |from: &Seat, message| Event { seq: 0, cause: None, from: from.clone(), to: Seat::Conductor, message };
        let thought = event(&executor, Message::Moved(Move::think("x")));
        let refused =
            event(&Seat::Environment, Message::Observed(Observation { invalid: true, ..Observation::default() }));
        let selection = |seats: &[&Seat], words: &[&str]| Selection {
            seats: seats.iter().map(|seat| (*seat).clone()).collect(),
            kinds: words.iter().copied().map(named).collect(),
        };
        assert!(Selection::default().takes(&thought));
        for (seats, words, expected) in [
            (&[&executor][..], &["think"][..], [true, false]),
            (&[&executor], &["moved"], [true, false]),
            (&[&executor], &["act", "observed"], [false, false]),
            (&[], &["act", "observed"], [false, true]),
            (&[&Seat::Environment], &["refused"], [false, true]),
            (&[&Seat::User], &[], [false, false]),
        ] {
            let selection = selection(seats, words);
            let found = [selection.takes(&thought), selection.takes(&refused)];
            assert_eq!(found, expected, "{seats:?} {words:?}");
        }
    }
}
