//! The goal of a conversation. TPE scores single responses and says nothing of whole conversations; each data set says
//! what its people talk for:
//!
//! - CIMA: the student says the right sentence (its picture in words: relation, thing and colour). One that has said it
//!   before the conversation begins, or of whose sentence nothing is known, is to leave with its answer confirmed.
//! - PsyQA: the client leaves because its concern is met; FoCus: the visitor leaves with its questions answered. They alone
//!   can tell, and say so as they leave ([`Utterance::satisfied`]).

use super::Sample;
use super::cues::says_in_a_row;
use crate::domain::Utterance;

/// Whether the user's words reach the goal of a conversation that goes on from the sample.
pub(super) fn is_reached_by(sample: &Sample, reply: &Utterance) -> bool {
    let said = |text: &str| sample.goals.iter().any(|goal| says_in_a_row(text, goal));
    let is_new = !sample.utterances().last().is_some_and(|text| said(text));
    (is_new && said(&reply.text)) || (reply.leaving && reply.satisfied && (!is_new || sample.goals.is_empty()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::environments::dialogue::Utterance as Said;
    use crate::environments::dialogue::language::Dataset;

    #[test]
    fn each_data_set_has_a_goal_of_its_own() {
        let lesson = |said: &str, goals: &[&str]| Sample {
            goals: goals.iter().map(|goal| (*goal).to_owned()).collect(),
            ..Sample::new("x".to_owned(), Dataset::Cima, vec![Said::new("Student", said)])
        };
        let goal = "dietro l'albero verde";
        let (open, known) = (lesson("What is tree?", &[goal]), lesson("\u{c8} dietro l'albero verde?", &[goal]));
        let unknown = lesson("What is tree?", &[]);
        let content = Utterance::leaving("Thank you!", true);
        let table = [
            (&open, Utterance::text("Is it il cane \u{e8} Dietro l\u{2019}albero verde?"), true),
            (&open, Utterance::text("dietro l'albero rosso, or dietro il verde"), false),
            (&open, Utterance::leaving("dietro l'albero verde, bye", false), true),
            // Whoever says the right sentence has reached it; whoever only believes so has not.
            (&open, content.clone(), false),
            (&known, Utterance::text("dietro l'albero verde?"), false),
            (&known, content.clone(), true),
            (&unknown, content.clone(), true),
            (&unknown, Utterance::leaving("Bye.", false), false),
            (&unknown, Utterance::text("Thank you!"), false),
        ];
        for (sample, reply, expected) in table {
            assert_eq!(is_reached_by(sample, &reply), expected, "{reply:?}");
        }
        let visitor = Sample::new("x".to_owned(), Dataset::Focus, vec![Said::new("USER", "What is this?")]);
        assert!(is_reached_by(&visitor, &content));
    }
}
