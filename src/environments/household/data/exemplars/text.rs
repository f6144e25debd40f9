//! A trajectory as a prompt shows it (ReSpAct Tables 17 and 19, ABA appendices B and F): what the agent
//! does after `> `, then what comes back.

use super::monologue::{Monologue, TrajectoryStep};
use crate::domain::{Event, Message, Move};

/// How a trajectory is written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Form {
    /// What is said to the user.
    pub(super) speech: Speech,
    /// What is thought.
    pub(super) thoughts: Thoughts,
}

/// Whether and how what is said to the user, and the replies, are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Speech {
    /// As it was played: `> speak: ...`, `Human: ...`.
    Spoken,
    /// With the dialogue act that it is (ReSpAct Table 20).
    Declared,
    /// `> ask: ...`, and the answer as an observation (ABA appendix B).
    Asked,
    /// The same trajectory without speech (ReSpAct section 4.1).
    LeftOut,
}

/// Which thoughts are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Thoughts {
    /// Those of the player.
    Played,
    /// One after everything that comes back (inner monologue).
    Dense,
}

/// The trajectory, a line for each thing that happens, from the first observation on.
pub(super) fn rendered(events: &[Event], form: Form) -> String {
    match form.thoughts {
        Thoughts::Played => played(events, form.speech),
        Thoughts::Dense => dense(events, form.speech),
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
                if let Some(beat) = trajectory_step(message) {
                    text.push_str(&line(beat, speech));
                }
            }
        }
    }
    text
}

/// With a thought after everything that comes back, in place of those of the player.
fn dense(events: &[Event], speech: Speech) -> String {
    let beats = events
        .iter()
        .filter_map(|event| trajectory_step(&event.message));
    let is_shown = |step: &TrajectoryStep<'_>| {
        speech != Speech::LeftOut
            || matches!(step, TrajectoryStep::Seen(_) | TrajectoryStep::Done(_))
    };
    let beats: Vec<TrajectoryStep<'_>> = beats.filter(is_shown).collect();
    let mut monologue = Monologue::default();
    let mut text = String::new();
    let mut rest = beats.as_slice();
    while let Some((beat, ahead)) = rest.split_first() {
        text.push_str(&line(*beat, speech));
        if let Some(thought) = monologue.thought(*beat, ahead) {
            text.push_str(&format!("> think: {thought}\nOK.\n"));
        }
        rest = ahead;
    }
    text
}

/// What an event shows besides thoughts.
fn trajectory_step(message: &Message) -> Option<TrajectoryStep<'_>> {
    Some(match message {
        Message::Observed(seen) => TrajectoryStep::Seen(&seen.text),
        Message::Replied(reply) => TrajectoryStep::Replied(&reply.text),
        Message::Moved(Move::Act { action }) => TrajectoryStep::Done(&action.text),
        Message::Moved(Move::Speak { text, .. }) => TrajectoryStep::Said(text),
        _ => return None,
    })
}

fn line(step: TrajectoryStep<'_>, speech: Speech) -> String {
    match (step, speech) {
        (TrajectoryStep::Seen(text), _) => format!("{text}\n"),
        (TrajectoryStep::Done(command), _) => format!("> {command}\n"),
        (TrajectoryStep::Said(_) | TrajectoryStep::Replied(_), Speech::LeftOut) => String::new(),
        (TrajectoryStep::Said(text), Speech::Spoken) => format!("> speak: {text}\n"),
        (TrajectoryStep::Said(text), Speech::Declared) => {
            format!("> speak: <{}>: {text}\n", act(text))
        }
        (TrajectoryStep::Said(text), Speech::Asked) => format!("> ask: {text}\n"),
        (TrajectoryStep::Replied(text), Speech::Asked) => format!("{text}\n"),
        (TrajectoryStep::Replied(text), Speech::Spoken | Speech::Declared) => {
            format!("Human: {text}\n")
        }
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
    use crate::domain::{Begun, Brief, DialogueAct, Observation, Seat, Seed, Utterance};

    fn events() -> Vec<Event> {
        let observed = |text: &str| Message::Observed(Observation::text(text));
        let notice = Brief {
            notice: Some("OK.".into()),
            ..Brief::default()
        };
        let begun = |round| Begun {
            trial: 0,
            round,
            keep_world: round > 0,
            seed: Seed(0),
        };
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
        let of = |speech| {
            let thoughts = Thoughts::Played;
            rendered(&events(), Form { speech, thoughts })
        };
        let before =
            "You see a bed 1.\nYour task is to: put a book in bed.\n> think: Where is it?\nOK.\n";
        let after =
            "> go to desk 1\nYou arrive at desk 1. Your next task is to: put a pen in bed.\n";
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
            assert!(
                DialogueAct::SCHEMA
                    .iter()
                    .any(|(name, _)| *name == act(said))
            );
        }
    }
}
