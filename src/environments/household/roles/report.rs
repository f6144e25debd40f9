//! Reports to the user, which ask nothing, and the dialogue act of what it says
//! (ReSpAct section 5.3, Table 20).
//!
//! A player that talks freely reports nothing. Two ways of playing make it talkative, as the paper
//! found: with a schema of dialogue acts it confirms which object it was asked for and notifies of
//! failures (Table 11: more dialogue turns); under inner monologue it also answers every answer, and
//! reports whatever it does or sees (section B.3 and Table 12: interaction that leads nowhere).

use serde::Deserialize;

use super::{Mind, Report, Thought, Topic, speech};
use rolecall_core::domain::{Brief, DialogueAct, Move, MoveKind};

/// The reports of a player under inner monologue.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Chatter {
    /// Whatever it does or sees; and it thanks for each reply to that.
    #[default]
    EachAction,
    /// Progress and failures.
    EachSuccess,
}

/// The dialogue act of whatever has none of its own.
const OTHER: &str = "InformationOther";

/// The answer to a reply to a report.
const THANKS: &str = "Thank you. I will go on as I said, and tell you what comes of it.";

/// The report that is due, in words.
pub(super) fn due_report(mind: &Mind, brief: &Brief, chatter: Chatter) -> Option<Move> {
    let report = mind.talk.report?;
    let open = |kind| brief.open.contains(kind);
    if !open(MoveKind::Speak) || brief.questions_left == Some(0) {
        return None;
    }
    // Where thoughts have turns of their own, the player under inner monologue says what it can.
    let chatty = !open(MoveKind::Think) && open(MoveKind::Act);
    let due = match report {
        Report::Confirm(Topic::Which) | Report::Failure => chatty || !brief.acts.is_empty(),
        Report::Step | Report::Thanks => chatty && chatter == Chatter::EachAction,
        Report::Confirm(Topic::Where(_) | Topic::Goal) | Report::Progress(_) => chatty,
    };
    if !due {
        return None;
    }
    let (act, text) = match report {
        Report::Confirm(topic) => ("Affirm", confirmation(topic, mind)),
        Report::Failure => ("NotifyFailure", failure(mind)),
        Report::Progress(thought) => {
            let found = thought == Thought::Found;
            let act = if found { "InfoObjectLocAndOD" } else { OTHER };
            (act, speech::thought(thought, mind, None))
        }
        Report::Step => (OTHER, step(mind)),
        Report::Thanks => ("Affirm", THANKS.to_owned()),
    };
    Some(spoken(text, act, brief))
}

/// A question with the dialogue act that suits it.
pub(super) fn asked(topic: Topic, mind: &Mind, brief: &Brief) -> Move {
    let act = match topic {
        Topic::Where(_) => "ReqForObjLocAndOD",
        Topic::Which => "AlternateQuestions",
        Topic::Goal => "RequestOtherInfo",
    };
    spoken(speech::question(topic, mind), act, brief)
}

/// Something said, with its act where the brief asks for one: the fitting one, or else the first of
/// those that are allowed.
fn spoken(text: String, act: &str, brief: &Brief) -> Move {
    let act: Option<&DialogueAct> = brief.acts.iter().find(|allowed| allowed.as_str() == act).or(brief.acts.first());
    Move::Speak { text, act: act.cloned() }
}

fn step(mind: &Mind) -> String {
    let belief = &mind.belief;
    let seen = belief.just_seen.map(|index| belief.room.name(index));
    match (seen, belief.class_needed()) {
        (Some(place), Some(class)) => format!("There is no {class} in/on the {place}."),
        _ => "That has worked so far. I go on with the task.".to_owned(),
    }
}

fn confirmation(topic: Topic, mind: &Mind) -> String {
    let wanted = match (&*mind.belief.wanted, &*mind.talk.preferred) {
        ([], preferred) => preferred.join(" and "),
        (wanted, _) => wanted.join(" and "),
    };
    match topic {
        Topic::Which if wanted.is_empty() => "All right. I will take one of them.".to_owned(),
        Topic::Which => format!("Yes. I will take the {wanted}."),
        Topic::Where(_) => "Thank you. I will have a look there.".to_owned(),
        Topic::Goal => "Thank you. I will do that.".to_owned(),
    }
}

fn failure(mind: &Mind) -> String {
    let place = mind.talk.disappointed_by.map(|index| mind.belief.room.name(index));
    match (mind.belief.class_needed(), place) {
        (Some(class), Some(place)) => format!("I have not found the {class} in/on the {place}."),
        (Some(class), None) => format!("I have not found the {class} there."),
        (None, _) => "That has not worked as it was meant to.".to_owned(),
    }
}
