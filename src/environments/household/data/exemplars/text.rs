//! A trajectory as a prompt shows it (ReSpAct Tables 17 and 19, ABA appendices B and F): what the agent
//! does after `> `, then what comes back.

use super::monologue::Monologue;
use super::monologue::TrajectoryStep::{self, Done, Replied, Said, Seen};
use rolecall_core::domain::{Event, Message, Move};

/// Whether and how what is said to the user, and the replies, are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Speech {
    /// As it was played: `> speak: ...`, `Human: ...`.
    Spoken,
    /// With the dialogue act that it is (ReSpAct Table 20).
    Declared,
    /// `> ask: ...`, and the answer as an observation (ABA appendix B).
    Asked,
    /// Nothing of it: the trajectory without speech (ReSpAct section 4.1).
    LeftOut,
}

/// The thoughts that are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Thoughts {
    /// The thoughts of the player.
    Played,
    /// One after everything that comes back (inner monologue).
    Dense,
}

/// The trajectory, a line for each thing that happens, from the first observation on.
pub(super) fn rendered(events: &[Event], speech: Speech, thoughts: Thoughts) -> String {
    match thoughts {
        Thoughts::Played => played(events, speech),
        Thoughts::Dense => dense(events, speech),
    }
}

fn played(events: &[Event], speech: Speech) -> String {
    let mut text = String::new();
    let mut next_round = false;
    for event in events {
        match &event.message {
            Message::Begun(begun) => next_round = begun.keep_world,
            // The next task stands after what solved the last one.
            Message::Observed(seen) if std::mem::take(&mut next_round) => {
                text.truncate(text.trim_end().len());
                text.push_str(&format!(" {}\n", seen.text));
            }
            Message::Moved(Move::Think { text: thought }) => {
                text.push_str(&format!("> think: {thought}\n"));
            }
            // What is answered to a thought.
            Message::Brief(brief) => {
                if let Some(notice) = &brief.notice {
                    text.push_str(&format!("{notice}\n"));
                }
            }
            message => {
                if let Some(step) = trajectory_step(message) {
                    text.push_str(&line(step, speech));
                }
            }
        }
    }
    text
}

/// With a thought after everything that comes back, in place of those of the player.
fn dense(events: &[Event], speech: Speech) -> String {
    let steps = events.iter().map(|event| &event.message).filter_map(trajectory_step);
    let is_shown = |step: &TrajectoryStep<'_>| speech != Speech::LeftOut || matches!(step, Seen(_) | Done(_));
    let steps: Vec<TrajectoryStep<'_>> = steps.filter(is_shown).collect();
    let mut monologue = Monologue::default();
    let mut text = String::new();
    let mut rest = steps.as_slice();
    while let Some((step, ahead)) = rest.split_first() {
        text.push_str(&line(*step, speech));
        if let Some(thought) = monologue.thought(*step, ahead) {
            text.push_str(&format!("> think: {thought}\nOK.\n"));
        }
        rest = ahead;
    }
    text
}

/// The part of an event that is shown besides thoughts.
fn trajectory_step(message: &Message) -> Option<TrajectoryStep<'_>> {
    Some(match message {
        Message::Observed(seen) => Seen(&seen.text),
        Message::Replied(reply) => Replied(&reply.text),
        Message::Moved(Move::Act { action }) => Done(&action.text),
        Message::Moved(Move::Speak { text, .. }) => Said(text),
        _ => return None,
    })
}

fn line(step: TrajectoryStep<'_>, speech: Speech) -> String {
    match (step, speech) {
        (Said(_) | Replied(_), Speech::LeftOut) => String::new(),
        (Seen(text), _) | (Replied(text), Speech::Asked) => format!("{text}\n"),
        (Done(command), _) => format!("> {command}\n"),
        (Said(text), Speech::Spoken) => format!("> speak: {text}\n"),
        (Said(text), Speech::Declared) => format!("> speak: <{}>: {text}\n", act(text)),
        (Said(text), Speech::Asked) => format!("> ask: {text}\n"),
        (Replied(text), Speech::Spoken | Speech::Declared) => format!("Human: {text}\n"),
    }
}

/// The dialogue act of what the player says.
fn act(said: &str) -> &'static str {
    if said.contains("Which ") {
        "AlternateQuestions"
    } else if said.contains("Where ") {
        "ReqForObjLocAndOD"
    } else if said.ends_with('?') {
        "ReqForInstruction"
    } else {
        "InformationOther"
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rolecall_core::domain::{Begun, Brief, DialogueAct, Observation, Seat, Seed, Utterance};

    fn events() -> Vec<Event> {
        let observed = |text: &str| Message::Observed(Observation::text(text));
        let notice = Brief { notice: Some("OK.".into()), ..Brief::default() };
        let begun = |round| Begun { trial: 0, round, keep_world: round > 0, seed: Seed(0) };
        let messages = [
            Message::Begun(begun(0)),
            observed("You see a bed 1.\nYour task is to: put a book in bed."),
            Message::Brief(Brief::default()),
            Message::Moved(Move::think("Where is it?")),
            Message::Brief(notice),
            Message::Moved(Move::speak("Where is the book?")),
            Message::Replied(Utterance::text("At the desk 1.")),
            Message::Moved(Move::act("go to desk 1")),
            observed("You arrive at desk 1."),
            Message::Begun(begun(1)),
            observed("Your next task is to: put a pen in bed."),
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
    fn the_same_trajectory_is_written_in_several_forms() {
        let of = |speech| rendered(&events(), speech, Thoughts::Played);
        let before = "You see a bed 1.\nYour task is to: put a book in bed.\n> think: Where is it?\nOK.\n";
        let after = "> go to desk 1\nYou arrive at desk 1. Your next task is to: put a pen in bed.\n";
        let with = |said: &str| [before, said, after].concat();
        let said = "> speak: Where is the book?\nHuman: At the desk 1.\n";
        assert_eq!(of(Speech::Spoken), with(said));
        let said = "> speak: <ReqForObjLocAndOD>: Where is the book?\nHuman: At the desk 1.\n";
        assert_eq!(of(Speech::Declared), with(said));
        let said = "> ask: Where is the book?\nAt the desk 1.\n";
        assert_eq!(of(Speech::Asked), with(said));
        assert_eq!(of(Speech::LeftOut), with(""));
    }

    #[test]
    fn every_act_that_is_declared_is_one_of_the_schema() {
        for said in ["Which one?", "Where is it?", "What now?", "I am done."] {
            assert!(DialogueAct::SCHEMA.iter().any(|(name, _)| *name == act(said)));
        }
    }
}
