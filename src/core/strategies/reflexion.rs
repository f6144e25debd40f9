//! Reflexion around another strategy (Shinn et al. 2023; ReSpAct section B.4 and Table 8):
//! who has not solved the task writes a lesson and tries again from the beginning.
//!
//! The rules:
//!
//! 1. A trial is an episode of the inner strategy, which is made anew for it and sees what it would
//!    see alone: neither the trials before nor the reflector.
//! 2. Where the inner strategy would close and the last round is not solved, the reflector is asked
//!    for a lesson; then the next trial begins in a fresh world. After the last trial nobody is asked:
//!    the lesson would be of no use.
//! 3. The inner strategy's briefs carry the last few lessons as the section `lessons`, one a line,
//!    the oldest first.
//! 4. A trial also ends when the same action is performed twice with nothing in between, as in
//!    Reflexion's program (`stop_on_repeat`). A thought in between is something.
//! 5. There is no further trial when the user has left, or when what the whole episode may spend is
//!    used up.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::sync::Arc;

use crate::domain::{Action, Brief, Ending, Event, Limit, Message, Move, MoveKind, MoveKinds, RoleName, Seat, Section};
use crate::ports::settings::parameters;
use crate::ports::{Directive, Parameter, Parameters, SetupError, Strategy, StrategyError, StrategyFactory};

/// The roles besides those of the strategy that a trial is played with.
pub const REFLEXION_ROLES: &[&str] = &["reflector"];

/// The parameters of the strategy.
pub const REFLEXION_PARAMETERS: &[Parameter] = parameters![
    text("around", Some("react")),
        "the strategy that a trial is played with; its parameters stand beside it";
    integer("trials", Some(10), 1..=1_000),
        "how often a task is played until it is solved, at most";
    integer("lessons", Some(3), 0..=1_000), "how many lessons are kept, the last ones";
    flag("stop_on_repeat", true), "a trial ends when the same action comes twice running";
];

/// The section with the lessons so far.
const LESSONS: &str = "lessons";

/// The section that says to the reflector how the trial ended.
const ENDING: &str = "ending";

/// Builds `reflexion` around the strategy that `make` makes anew for each trial.
pub fn reflexion(
    roles: &[RoleName],
    parameters: &Parameters,
    make: StrategyFactory,
) -> Result<StrategyFactory, SetupError> {
    let [.., reflector] = roles else {
        return Err(SetupError::at("roles", "there must be a reflector"));
    };
    let rules = Rules {
        make,
        reflector: reflector.clone(),
        trials: parameters.whole("trials").unwrap_or(10),
        kept: parameters.whole("lessons").unwrap_or(3),
        stops_on_repeat: parameters.flag("stop_on_repeat"),
    };
    let rules = Arc::new(rules);
    Ok(Arc::new(move || Box::new(Reflexion::new(Arc::clone(&rules)))))
}

/// The rules that all episodes share.
struct Rules {
    /// Makes the strategy of one trial.
    make: StrategyFactory,
    reflector: RoleName,
    trials: u32,
    /// How many lessons are kept.
    kept: usize,
    stops_on_repeat: bool,
}

struct Reflexion {
    rules: Arc<Rules>,
    /// The events before the first trial; every inner strategy sees them.
    opening: Vec<Event>,
    /// Number of the trial, from 0.
    number: u32,
    trial: Trial,
    /// The last lessons, the oldest first.
    lessons: VecDeque<String>,
}

/// The trial that is played.
struct Trial {
    inner: Box<dyn Strategy>,
    /// The action that was performed last, if nothing else was done since.
    last: Option<Action>,
    repeats: Repeats,
    /// The ending of its last round, once it has one.
    ending: Option<Ending>,
}

/// Whether the last action is the one before it.
#[derive(Clone, Copy, PartialEq)]
enum Repeats {
    No,
    /// It is, and the world has not answered yet.
    Asked,
    Seen,
}

impl Trial {
    fn new(inner: Box<dyn Strategy>) -> Self {
        Self { inner, last: None, repeats: Repeats::No, ending: None }
    }

    fn apply(&mut self, event: &Event) {
        match &event.message {
            Message::Begun(_) => (self.last, self.repeats) = (None, Repeats::No),
            Message::Perform(action) => {
                let last = self.last.as_ref();
                if last.is_some_and(|last| last.is_same_as(action)) {
                    self.repeats = Repeats::Asked;
                }
                self.last = Some(action.clone());
            }
            Message::Observed(_) if self.repeats == Repeats::Asked => self.repeats = Repeats::Seen,
            Message::Moved(Move::Act { .. }) => {}
            Message::Moved(_) => self.last = None,
            Message::Scored(scored) => self.ending = Some(scored.ending.clone()),
            _ => {}
        }
        self.inner.apply(&alone(event));
    }
}

/// The event as the inner strategy would see it if there were no trials.
fn alone(event: &Event) -> Cow<'_, Event> {
    let trial = match &event.message {
        Message::Begun(begun) => begun.trial,
        Message::Scored(scored) => scored.trial,
        _ => 0,
    };
    let mut alone = Cow::Borrowed(event);
    if trial > 0 {
        match &mut alone.to_mut().message {
            Message::Begun(begun) => begun.trial = 0,
            Message::Scored(scored) => scored.trial = 0,
            _ => {}
        }
    }
    alone
}

/// Whether another trial may fare better than one that ended so.
fn is_worth_another(ending: &Ending) -> bool {
    match ending {
        Ending::Failed | Ending::GaveUp | Ending::Unusable | Ending::ContextFull | Ending::Refused => true,
        // Steps are counted anew, and who may not ask any more can still act.
        Ending::OutOf { limit } => matches!(limit, Limit::Steps | Limit::Questions | Limit::Turns),
        Ending::Solved | Ending::UserLeft => false,
        Ending::Broken { .. } | Ending::Cancelled => false,
    }
}

impl Reflexion {
    fn new(rules: Arc<Rules>) -> Self {
        Self { trial: Trial::new((rules.make)()), opening: Vec::new(), number: 0, lessons: VecDeque::new(), rules }
    }

    fn concerns_reflector(&self, event: &Event) -> bool {
        let is_reflector = |seat: &Seat| matches!(seat, Seat::Role(role) if *role == self.rules.reflector);
        is_reflector(&event.from) || is_reflector(&event.to)
    }

    /// Keeps a lesson, on one line, and goes on to the next trial.
    fn learned(&mut self, lesson: &str) {
        let words: Vec<&str> = lesson.split_whitespace().collect();
        if !words.is_empty() {
            self.lessons.push_back(words.join(" "));
        }
        while self.lessons.len() > self.rules.kept {
            self.lessons.pop_front();
        }
        self.number += 1;
        self.trial = Trial::new((self.rules.make)());
        for event in &self.opening {
            self.trial.inner.apply(event);
        }
    }

    /// The ending of a trial after which there is another one.
    fn to_learn_from(&self) -> Option<&Ending> {
        let more = self.number.saturating_add(1) < self.rules.trials;
        let ending = self.trial.ending.as_ref().filter(|_| more)?;
        is_worth_another(ending).then_some(ending)
    }

    fn lessons(&self) -> Option<Section> {
        let lines: Vec<&str> = self.lessons.iter().map(String::as_str).collect();
        (!lines.is_empty()).then(|| Section { name: LESSONS.to_owned(), text: lines.join("\n") })
    }

    fn reflection(&self, ending: &Ending) -> Brief {
        let text = match self.trial.repeats {
            Repeats::Seen => "the same action came twice running".to_owned(),
            Repeats::No | Repeats::Asked => ending.label(),
        };
        let ending = Section { name: ENDING.to_owned(), text };
        Brief {
            open: MoveKinds::of(&[MoveKind::Learn]),
            sections: self.lessons().into_iter().chain([ending]).collect(),
            ..Brief::default()
        }
    }

    /// Whether the trial ends although the inner strategy would go on.
    fn is_stopped(&self) -> bool {
        self.rules.stops_on_repeat && self.trial.repeats == Repeats::Seen
    }
}

impl Strategy for Reflexion {
    fn apply(&mut self, event: &Event) {
        if self.concerns_reflector(event) {
            if let Message::Moved(Move::Learn { lesson }) = &event.message {
                self.learned(lesson);
            }
            return;
        }
        if let Message::Opened(_) | Message::Entrusted(_) = event.message {
            self.opening.push(event.clone());
        }
        self.trial.apply(event);
    }

    fn next(&self) -> Result<Directive, StrategyError> {
        Ok(match self.trial.inner.next()? {
            Directive::Begin { round, keep_world, .. } => Directive::Begin { trial: self.number, round, keep_world },
            Directive::Brief(..) | Directive::Perform(_) | Directive::Tell(_) if self.is_stopped() => {
                Directive::Assess { unsolved: Ending::Failed }
            }
            Directive::Brief(role, mut brief) => {
                brief.sections.extend(self.lessons());
                Directive::Brief(role, brief)
            }
            Directive::Close => match self.to_learn_from() {
                Some(ending) => Directive::Brief(self.rules.reflector.clone(), self.reflection(ending)),
                None => Directive::Close,
            },
            directive @ (Directive::Perform(_) | Directive::Tell(_) | Directive::Assess { .. }) => directive,
        })
    }
}
