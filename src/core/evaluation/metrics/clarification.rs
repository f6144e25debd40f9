//! Asking as detection ("Uncertainty Decomposition for Clarification Seeking in LLM Agents", arXiv 2606.19559): a
//! question is a claim that something is missing, and the task's label says whether that is so.

use std::borrow::Cow;

use crate::domain::{Message, Seat};
use crate::ports::{EpisodeLog, Measurement, Metric};

/// The private part of the conductor that says under `needed` whether a question is called for.
pub const LABEL: &str = "clarification";

/// The F1 of asking over episodes, with a bootstrap interval by task; beside it precision, recall and accuracy with
/// Wilson intervals, and the success of episodes in which was asked, or was not.
///
/// Whoever says anything to the user that is no response to a dialogue has asked. Absent where tasks have no label.
/// Where the paper writes 0 for a figure whose denominator is 0, that figure is absent: precision of agents that
/// never ask, recall where nothing is missing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Clarification;

/// An episode's label, and whether the agent asked.
#[derive(Clone, Copy, Debug)]
struct Detection {
    needed: bool,
    asked: bool,
}

impl Detection {
    fn of(log: &EpisodeLog<'_>) -> Option<Self> {
        let needed = log.events.iter().find_map(|event| match &event.message {
            Message::Entrusted(part) if part.audience == Seat::Conductor && part.label == LABEL => {
                part.value.get("needed")?.as_bool()
            }
            _ => None,
        })?;
        let asked = log.events.iter().any(|event| event.message.is_question());
        Some(Self { needed, asked })
    }

    /// 2 TP over 2 TP + FP + FN: summed over episodes that is the F1.
    fn f1(self) -> Measurement {
        let (asked, needed) = (u64::from(self.asked), u64::from(self.needed));
        Measurement::Sum { sum: (2 * asked * needed) as f64, n: asked + needed }.sound()
    }
}

impl Metric for Clarification {
    fn name(&self) -> &'static str {
        "clarification"
    }

    fn measure(&self, log: &EpisodeLog<'_>) -> Measurement {
        Detection::of(log).map_or(Measurement::Absent, Detection::f1)
    }

    fn further(&self, log: &EpisodeLog<'_>) -> Vec<(Cow<'static, str>, Measurement)> {
        let Some(Detection { needed, asked }) = Detection::of(log) else {
            return Vec::new();
        };
        let success = log.outcome().map(|outcome| outcome.success);
        let figures = [
            ("precision", asked.then_some(needed)),
            ("recall", needed.then_some(asked)),
            ("accuracy", Some(needed == asked)),
            ("success_if_asked", success.filter(|_| asked)),
            ("success_if_not_asked", success.filter(|_| !asked)),
        ];
        figures
            .into_iter()
            .filter_map(|(name, rate)| {
                let name = format!("{}.{name}", self.name());
                Some((name.into(), Measurement::Rate(rate?)))
            })
            .collect()
    }

    fn reads_replies(&self) -> bool {
        false
    }

    fn is_left_out_if_absent(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use serde_json::json;

    use super::*;
    use crate::domain::{Counts, Ending, Event, Outcome, PrivateInfo, Utterance};

    /// All figures of an episode with this label, or none, in which was asked or not.
    fn figures(needed: Option<bool>, asked: bool) -> Vec<(String, Measurement)> {
        let label = needed.map(|needed| {
            Message::Entrusted(Box::new(PrivateInfo {
                audience: Seat::Conductor,
                label: LABEL.to_owned(),
                value: Arc::new(json!({ "needed": needed })),
            }))
        });
        let question = asked.then(|| Message::Told(Utterance::text("What?")));
        let closed =
            Message::Closed(Outcome { ending: Ending::Solved, success: true, reward: 1.0, counts: Counts::default() });
        let messages = label.into_iter().chain(question).chain([closed]);
        let events = Event::numbered(messages);
        let id = "main:0:0".parse().unwrap();
        let log = EpisodeLog::new(&id, events.iter().collect());
        let main = (Clarification.name().to_owned(), Clarification.measure(&log));
        let further = Clarification.further(&log).into_iter().map(|(name, figure)| (name.into_owned(), figure));
        std::iter::once(main).chain(further).collect()
    }

    #[test]
    fn figures_are_those_of_a_detector() {
        // Three of four that needed it asked, one that did not need it asked as well, two did not ask.
        let episodes =
            [(true, true), (true, true), (true, true), (true, false), (false, true), (false, false), (false, false)];
        let all = episodes.map(|(needed, asked)| figures(Some(needed), asked));
        let mean = |name: &str| {
            let (sum, n) =
                all.iter().flatten().filter(|(known, _)| known == name).fold((0.0, 0), |(sum, n), (_, figure)| {
                    match figure {
                        Measurement::Rate(yes) => (sum + f64::from(u8::from(*yes)), n + 1),
                        Measurement::Sum { sum: hits, n: more } => (sum + hits, n + more),
                        _ => (sum, n),
                    }
                });
            sum / n as f64
        };
        assert_eq!(mean("clarification.precision"), 0.75);
        assert_eq!(mean("clarification.recall"), 0.75);
        assert_eq!(mean("clarification.accuracy"), 5.0 / 7.0);
        assert_eq!(mean("clarification"), 0.75);
        assert_eq!(mean("clarification.success_if_asked"), 1.0);
        assert_eq!(mean("clarification.success_if_not_asked"), 1.0);
    }

    #[test]
    fn nothing_is_said_of_tasks_without_a_label() {
        assert_eq!(figures(None, true), [("clarification".to_owned(), Measurement::Absent)]);
        // A question that nobody needed and that nobody asked is no part of the F1.
        assert_eq!(figures(Some(false), false)[0].1, Measurement::Absent);
    }
}
