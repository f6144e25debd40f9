//! The dialogue acts of ReSpAct's schema (Table 20) of what was said without declaring one, by rules.

use super::super::question_detector::DetectedQuestion;
use super::cues;
use crate::domain::{DialogueAct, Utterance};

/// Places in [`DialogueAct::SCHEMA`].
const REQ_FOR_INSTRUCTION: usize = 0;
const REQUEST_OTHER_INFO: usize = 1;
const INFO_OBJECT_LOC: usize = 2;
const REQ_FOR_OBJ_LOC: usize = 3;
const INFORMATION_OTHER: usize = 4;
const ALTERNATE_QUESTIONS: usize = 5;
const AFFIRM: usize = 6;
const DENY: usize = 7;
const OTHER_INTERFACE_COMMENT: usize = 8;
const NOTIFY_FAILURE: usize = 9;

/// The place in [`DialogueAct::SCHEMA`] of the act that the speaker declared; none if it declared none of
/// them.
pub fn declared(utterance: &Utterance) -> Option<usize> {
    let act = utterance.act.as_ref()?.as_str();
    DialogueAct::SCHEMA.iter().position(|(name, _)| name.eq_ignore_ascii_case(act))
}

/// The place in [`DialogueAct::SCHEMA`] of the act that an utterance performs, by rules.
///
/// A question counts as one whatever stands before it, since that is what is to be answered: where things are
/// before options to choose from, these before what to do, and all before other information. Of what does not
/// ask: a failure before an answer of yes or no, before a remark on commands, before where something is;
/// the rest is other information.
pub fn act(text: &str) -> usize {
    let detected = DetectedQuestion::new(text);
    if detected.asks() {
        return asked(&detected);
    }
    if detected.begins(cues::NO) {
        return DENY;
    }
    if detected.has(cues::FAILURE) {
        return NOTIFY_FAILURE;
    }
    let informs = detected.has(cues::PLACED);
    if detected.begins(cues::YES) && !(informs && detected.length() > LONG) {
        return AFFIRM;
    }
    if detected.has(cues::INTERFACE) {
        return OTHER_INTERFACE_COMMENT;
    }
    match informs {
        true => INFO_OBJECT_LOC,
        false => INFORMATION_OTHER,
    }
}

/// Words from which on an answer says more than yes.
const LONG: usize = 5;

fn asked(question: &DetectedQuestion) -> usize {
    if question.has(cues::LOCATION) {
        return REQ_FOR_OBJ_LOC;
    }
    if question.has(cues::CHOICE) {
        return ALTERNATE_QUESTIONS;
    }
    if question.has(cues::INSTRUCTION) {
        return REQ_FOR_INSTRUCTION;
    }
    match question.has(cues::WHERE) {
        true => REQ_FOR_OBJ_LOC,
        false => REQUEST_OTHER_INFO,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn utterances_have_the_act_that_they_perform() {
        let table = [
            ("What should I do next?", "ReqForInstruction"),
            ("How should I heat the egg?", "ReqForInstruction"),
            ("How many plates do you need?", "RequestOtherInfo"),
            ("Do you like your tea hot?", "RequestOtherInfo"),
            ("The mug 1 is in the cabinet 4.", "InfoObjectLocAndOD"),
            ("I found a clean pan on stoveburner 2.", "InfoObjectLocAndOD"),
            ("Where can I find the soap bar?", "ReqForObjLocAndOD"),
            ("There is no cup in drawer 1. Where else could it be?", "ReqForObjLocAndOD"),
            ("Is the fridge the place where the lettuce is kept?", "ReqForObjLocAndOD"),
            ("Is there a second key?", "ReqForObjLocAndOD"),
            ("I will clean it first.", "InformationOther"),
            ("", "InformationOther"),
            ("I found cd 1 and cd 2. Which one should I take?", "AlternateQuestions"),
            ("Should I use the red or the blue one?", "AlternateQuestions"),
            ("Yes, thank you.", "Affirm"),
            ("Okay, I will do that.", "Affirm"),
            ("No, I have not done that yet.", "Deny"),
            ("The command for opening takes one name.", "OtherInterfaceComment"),
            ("I could not open the safe.", "NotifyFailure"),
            ("Nothing happens when I turn on desklamp 1.", "NotifyFailure"),
        ];
        let name = |text: &str| DialogueAct::SCHEMA[act(text)].0;
        let wrong: Vec<_> = table
            .iter()
            .map(|(text, expected)| (text, name(text), expected))
            .filter(|(_, found, expected)| found != *expected)
            .collect();
        assert!(wrong.is_empty(), "{wrong:#?}");
    }

    #[test]
    fn what_is_declared_counts() {
        let said =
            |act: Option<&str>| Utterance { act: act.map(|act| DialogueAct(act.to_owned())), ..Utterance::text("No.") };
        assert_eq!(declared(&said(Some("affirm"))), Some(AFFIRM));
        assert_eq!(declared(&said(Some("Sing"))), None);
        assert_eq!(declared(&said(None)), None);
        for place in [REQUEST_OTHER_INFO, DENY, NOTIFY_FAILURE] {
            let utterance = said(Some(DialogueAct::SCHEMA[place].0));
            assert_eq!(declared(&utterance), Some(place));
        }
    }

    proptest! {
        #[test]
        fn any_text_has_one_act(text in any::<String>()) {
            prop_assert!(act(&text) < DialogueAct::SCHEMA.len());
        }
    }
}
