//! Strategies of a response: their choice, their order, and their words.

use super::counsel::Counsellor;
use super::landmark;
use super::scene::Scene;
use super::tutor::Tutor;
use crate::environments::dialogue::cues::Subject;

/// The internal status and the blueprint, whatever the subject.
pub(super) fn thought(scene: &Scene<'_>) -> String {
    match Strategies::of(scene) {
        Some(strategies) => strategies.thought(),
        None => landmark::thought(scene),
    }
}

/// The whole response, whatever the subject.
pub(super) fn response(scene: &Scene<'_>) -> String {
    match Strategies::of(scene) {
        Some(strategies) => strategies.response(&strategies.in_order()),
        None => landmark::response(scene),
    }
}

/// The one who knows the words of each strategy.
enum Guide<'a> {
    Tutor(Tutor<'a>),
    Counsellor(Counsellor),
}

/// The strategies of one response.
pub(super) struct Strategies<'a> {
    guide: Guide<'a>,
    tools: &'a [String],
    thought: &'a str,
}

impl<'a> Strategies<'a> {
    /// None where sources are asked instead.
    pub(super) fn of(scene: &'a Scene<'_>) -> Option<Self> {
        let guide = match scene.talk.subject {
            Subject::Landmark => return None,
            Subject::Tutoring => Guide::Tutor(Tutor::new(scene)),
            Subject::Counselling => Guide::Counsellor(Counsellor::new(scene)),
        };
        Some(Self {
            guide,
            tools: &scene.tools,
            thought: &scene.thought,
        })
    }

    /// The strategies in order, as the task names them: those that the thought names, or else those that its
    /// own look at the dialogue suggests.
    pub(super) fn in_order(&self) -> Vec<String> {
        let mut chosen = self.named();
        if chosen.is_empty() {
            let own = match &self.guide {
                Guide::Tutor(tutor) => tutor.strategies(),
                Guide::Counsellor(counsellor) => counsellor.strategies(),
            };
            chosen = own.into_iter().map(str::to_owned).collect();
            chosen.retain(|name| self.tools.is_empty() || self.tools.contains(name));
        }
        // A task may offer none of those: then any of its own.
        if chosen.is_empty() {
            chosen.extend(self.tools.first().cloned());
        }
        chosen
    }

    /// The strategies that the thought names, in its order, as they are written in the task.
    fn named(&self) -> Vec<String> {
        let place = |tool: &&String| self.thought.find(tool.as_str());
        let mut found: Vec<&String> = self
            .tools
            .iter()
            .filter(|tool| place(tool).is_some())
            .collect();
        found.sort_by_key(|tool| (place(tool), *tool));
        found.into_iter().cloned().collect()
    }

    /// The words of a strategy.
    pub(super) fn says(&self, strategy: &str) -> String {
        match &self.guide {
            Guide::Tutor(tutor) => tutor.says(strategy),
            Guide::Counsellor(counsellor) => counsellor.says(strategy),
        }
    }

    /// Status and blueprint.
    pub(super) fn thought(&self) -> String {
        match &self.guide {
            Guide::Tutor(tutor) => tutor.thought(),
            Guide::Counsellor(counsellor) => counsellor.thought(),
        }
    }

    /// Several strategies' words as one response: with blanks between, and none in Chinese.
    pub(super) fn response(&self, strategies: &[String]) -> String {
        let words = strategies.iter().map(|strategy| self.says(strategy));
        words.collect::<Vec<_>>().join(match self.guide {
            Guide::Tutor(_) => " ",
            Guide::Counsellor(_) => "",
        })
    }
}
