//! The place at which a branch leaves its parent.

use std::fmt;
use std::str::FromStr;

use rolecall_core::domain::{Event, Message};

/// A place in an episode. What is copied ends with a request, so that the answer to it is the first
/// thing that the new cast does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum At {
    /// The last request at or before this event.
    Event(u32),
    /// The first time that the user is told something.
    FirstQuestion,
    /// The turn in which a role made this move, counted from 1 as transcripts do.
    Turn(u32),
    /// The turn of the move that comes after this share of the episode's moves, in percent.
    Share(u32),
    /// The last time that a role or the user is asked.
    Last,
}

const FIRST_QUESTION: &str = "first-question";
const LAST: &str = "last";
const TURN: &str = "turn:";

impl FromStr for At {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let turn = text.strip_prefix(TURN).map(str::parse::<u32>);
        match (text, turn) {
            (FIRST_QUESTION, _) => Ok(Self::FirstQuestion),
            (LAST, _) => Ok(Self::Last),
            (_, Some(Ok(number @ 1..))) => Ok(Self::Turn(number)),
            _ if text.ends_with('%') => share(text).map(Self::Share),
            _ => text
                .parse()
                .map(Self::Event)
                .map_err(|_| "write the number of an event, `first-question`, `turn:N`, `N%` or `last`".to_owned()),
        }
    }
}

impl fmt::Display for At {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Event(seq) => write!(formatter, "{seq}"),
            Self::FirstQuestion => formatter.write_str(FIRST_QUESTION),
            Self::Turn(number) => write!(formatter, "{TURN}{number}"),
            Self::Share(percent) => write!(formatter, "{percent}%"),
            Self::Last => formatter.write_str(LAST),
        }
    }
}

impl At {
    /// The number of events of the episode that are copied, or the reason for which there is no such place.
    pub(crate) fn copied(self, events: &[Event]) -> Result<u32, String> {
        let is_utterance = |event: &&Event| matches!(event.message, Message::Told(_));
        let is_brief = |event: &&Event| matches!(event.message, Message::Brief(_));
        let mut all = events.iter();
        let found = match self {
            Self::Event(seq) if seq as usize >= events.len() => {
                let last = events.len().saturating_sub(1);
                return Err(format!("has the events 0 to {last} and no event {seq}"));
            }
            Self::Event(seq) => {
                let (before, after) = events.split_at(seq as usize + 1);
                let before = before.iter().rev().find(|event| is_request(event));
                let first = after.iter().find(|event| is_request(event));
                if let (None, Some(Event { seq: first, .. })) = (before, first) {
                    return Err(format!("has no request at or before event {seq}: its first one is event {first}"));
                }
                before
            }
            Self::FirstQuestion => Some(all.find(is_utterance).ok_or("has no question to the user")?),
            Self::Turn(number) => turn(events, number)?,
            Self::Share(percent) => turn(events, number_at(events, percent))?,
            Self::Last => all.rfind(|event| is_brief(event) || is_utterance(event)),
        };
        Ok(found.ok_or("ended before anybody was asked anything")?.seq + 1)
    }
}

/// A share of an episode's moves, in percent, as it is written: `25%`.
///
/// # Errors
/// When it is written in another form.
pub(crate) fn share(text: &str) -> Result<u32, String> {
    text.strip_suffix('%')
        .and_then(|number| number.parse().ok())
        .filter(|number| *number < 100)
        .ok_or_else(|| "write a whole number of percent below 100, such as `25%`".to_owned())
}

fn moves(events: &[Event]) -> impl Iterator<Item = &Event> {
    events.iter().filter(|event| matches!(event.message, Message::Moved(_)))
}

/// The number of the move, from 1, that comes after a share of the moves.
fn number_at(events: &[Event], percent: u32) -> u32 {
    let before = moves(events).count() as u64 * u64::from(percent) / 100;
    u32::try_from(before + 1).unwrap_or(u32::MAX)
}

/// The number of events before a role is asked for the move that comes after a share of the moves, in percent; none
/// if the episode has no moves.
pub(crate) fn before_share(events: &[Event], percent: u32) -> Option<u32> {
    let mut brief = turn(events, number_at(events, percent)).ok()??;
    // A turn that failed was briefed once more; it begins with the first brief.
    while let Some(cause) = brief.cause.and_then(|cause| events.get(cause as usize))
        && matches!(cause.message, Message::Fault(_))
    {
        brief = events.get(cause.cause? as usize)?;
    }
    Some(brief.seq)
}

/// The brief that a move answers.
fn turn(events: &[Event], number: u32) -> Result<Option<&Event>, String> {
    let Some(made) = moves(events).nth(number as usize - 1) else {
        return Err(format!("has {} moves and no move {number}", moves(events).count()));
    };
    Ok(made.cause.and_then(|cause| events.get(cause as usize)))
}

/// Whether somebody owes an answer to the event.
fn is_request(event: &Event) -> bool {
    use Message::{Assess, Begun, Brief, Perform, Told};
    matches!(event.message, Begun(_) | Brief(_) | Perform(_) | Told(_) | Assess)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rolecall_core::domain::{Action, Brief, Move, Observation, Seat, Utterance};

    /// An entrusted part stands for the opening: it is no request.
    fn events() -> Vec<Event> {
        let messages = [
            (None, Message::Observed(Observation::text("opening"))),
            (None, Message::Brief(Brief::default())),
            (Some(1), Message::Moved(Move::think("hm"))),
            (Some(2), Message::Brief(Brief::default())),
            (Some(3), Message::Moved(Move::speak("where?"))),
            (Some(4), Message::Told(Utterance::text("where?"))),
            (Some(5), Message::Replied(Utterance::text("here"))),
            (Some(6), Message::Perform(Action::text("look"))),
            (Some(7), Message::Observed(Observation::text("dark"))),
            (Some(8), Message::Assess),
        ];
        let event = |(seq, (cause, message))| Event {
            seq: seq as u32,
            cause,
            from: Seat::Conductor,
            to: Seat::Conductor,
            message,
        };
        messages.into_iter().enumerate().map(event).collect()
    }

    #[test]
    fn what_is_copied_ends_with_a_request() {
        let copied = |at: &str| at.parse::<At>().unwrap().copied(&events());
        let places = [
            ("1", 2),
            ("2", 2),
            ("4", 4),
            ("6", 6),
            ("8", 8),
            ("9", 10),
            ("first-question", 6),
            ("turn:1", 2),
            ("turn:2", 4),
            ("0%", 2),
            ("49%", 2),
            ("50%", 4),
            ("last", 6),
        ];
        for (at, events) in places {
            assert_eq!(copied(at), Ok(events), "{at}");
            assert_eq!(at.parse::<At>().unwrap().to_string(), at);
        }
        let error = copied("0").unwrap_err();
        let expected = "has no request at or before event 0: its first one is event 1";
        assert_eq!(error, expected);
        let error = copied("10").unwrap_err();
        assert!(error.contains("events 0 to 9 and no event 10"), "{error}");
        let error = copied("turn:3").unwrap_err();
        assert!(error.contains("2 moves and no move 3"), "{error}");
        let silent = &events()[..3];
        assert!(At::FirstQuestion.copied(silent).is_err());
        assert!(At::Last.copied(&silent[..1]).is_err());
    }

    #[test]
    fn other_words_name_no_place() {
        for word in ["100%", "-1%", "%", "1.5%", "turn:0", "turn:", "-1", "first", "", "4294967296"] {
            assert!(word.parse::<At>().is_err(), "{word}");
        }
    }
}
