//! The roles of a cast that make moves of one kind only: the thinker, the planner, and the reflector, which writes down
//! what a failed trial has shown (Reflexion; ReSpAct section B.4), in sentences that the executor of the next trial can
//! use.

use async_trait::async_trait;

use super::speech::ranges;
use super::{Command, Fact, Goal, Mind, Need, brief, by_class, class_of, for_each_fact, split_name};
use rolecall_core::domain::{Action, Answer, Ending, Limit, Message, Move, MoveKind, Observation, PlanStep};
use rolecall_core::ports::{Role, RoleError, Turn};

/// A role that makes moves of one kind, each a function of what it knows and of the turn.
pub(super) struct Specialist<F> {
    mind: Mind,
    kind: MoveKind,
    /// The error where that kind is not open.
    closed: &'static str,
    choose: F,
}

impl<F: Fn(&Mind, &Turn) -> Move + Send + Sync> Specialist<F> {
    pub(super) fn new(kind: MoveKind, closed: &'static str, choose: F) -> Self {
        Self { mind: Mind::default(), kind, closed, choose }
    }
}

#[async_trait]
impl<F: Fn(&Mind, &Turn) -> Move + Send + Sync> Role for Specialist<F> {
    async fn take_turn(&mut self, turn: &Turn) -> Result<Answer, RoleError> {
        self.mind.catch_up(turn, false);
        self.mind.require_goal()?;
        if !brief(turn)?.open.contains(self.kind) {
            return Err(RoleError::Failed(self.closed.to_owned()));
        }
        Ok((self.choose)(&self.mind, turn).into())
    }
}

/// The thinker of a cast (TPE's Thinker, section 3): names the sub-goal that the others work on, as a
/// thought in plain English: `Sub-goal: find a mug.`
pub(crate) fn thinker() -> impl Role {
    let closed = "a thinker can only think, and that is not open";
    Specialist::new(MoveKind::Think, closed, |mind, _| {
        let sub_goal = mind.belief.own_sub_goal(&mind.talk.preferred);
        Move::think(match sub_goal {
            Some(sub_goal) => format!("Sub-goal: {sub_goal}."),
            None => "I see nothing that is left to be done.".to_owned(),
        })
    })
}

/// The planner of a cast (TPE's Planner, section 3): proposes the next actions towards the thinker's
/// sub-goal, or towards its own if there is none that it can read and work on. It uses what the user said,
/// and common sense about where things are kept. It closes again what was opened in vain if it is `tidy`,
/// and its plans have at most `longest` steps.
///
/// The steps follow from each other if every look is in vain and all else goes well; so a plan is
/// cut short by good news, or by something that nobody could know.
pub(super) fn planner(tidy: bool, longest: usize) -> impl Role {
    let closed = "a planner can only plan, and that is not open";
    Specialist::new(MoveKind::Plan, closed, move |mind, turn| {
        let decision = mind.decision(tidy, turn.seed);
        let steps = match mind.sub_goal(&decision) {
            Some(sub_goal) => decision.steps_towards(&sub_goal, longest, &mind.kind),
            None => decision.next_action().into_iter().collect(),
        };
        let steps = steps.into_iter().map(|step| PlanStep {
            description: String::new(),
            variable: None,
            action: Action::text(step),
        });
        Move::Plan { steps: steps.collect() }
    })
}

/// The most objects of a class whose place is told.
const MOST_OBJECTS: usize = 4;

/// The reflector: writes one lesson: why the trial ended, where the object was seen, where it was looked for
/// in vain, which objects were not meant, and what was refused.
pub(crate) fn reflector() -> impl Role {
    let closed = "a reflector can only write lessons, and that is not open";
    Specialist::new(MoveKind::Learn, closed, |mind, turn| {
        let goal = mind.belief.goal.as_ref();
        let lesson = goal.map(|goal| lesson(&Trial::last_of(turn), goal, mind));
        Move::Learn { lesson: lesson.unwrap_or_default() }
    })
}

/// The last trial, as it was seen.
#[derive(Debug, Default)]
struct Trial {
    /// Object and place, where each was seen first.
    found: Vec<(Box<str>, Box<str>)>,
    /// Receptacles whose contents were seen, in order.
    looked: Vec<Box<str>>,
    /// The action that was refused last.
    refused: Option<String>,
    /// The last two actions were the same.
    repeated: bool,
    last: Option<Action>,
    ending: Option<Ending>,
}

impl Trial {
    fn last_of(turn: &Turn) -> Self {
        let mut trial = Self::default();
        for event in turn.view.all() {
            match &event.message {
                Message::Begun(begun) if !begun.keep_world => trial = Self::default(),
                Message::Perform(action) => {
                    let last = trial.last.as_ref();
                    trial.repeated = last.is_some_and(|last| last.is_same_as(action));
                    trial.last = Some(action.clone());
                }
                Message::Observed(observation) => trial.observe(observation),
                Message::Scored(scored) => trial.ending = Some(scored.ending.clone()),
                _ => {}
            }
        }
        trial
    }

    fn observe(&mut self, observation: &Observation) {
        if observation.invalid {
            self.refused = self.last.as_ref().map(|action| action.text.clone());
        }
        for_each_fact(&observation.text, |fact| {
            let Fact::Contents { receptacle, items } = fact else {
                return;
            };
            for item in items {
                if !self.found.iter().any(|(known, _)| **known == *item) {
                    self.found.push((item.into(), receptacle.into()));
                }
            }
            if !self.looked.iter().any(|known| **known == *receptacle) {
                self.looked.push(receptacle.into());
            }
        });
    }

    /// Where things of the class are, or where they are not. `more` says that those which were found did
    /// not do.
    fn whereabouts(&self, class: &str, more: bool) -> Option<String> {
        let found = self.found.iter();
        let found: Vec<_> = found.filter(|(name, _)| class_of(name) == class).collect();
        let holds_one = |place: &str| found.iter().any(|(_, with)| **with == *place);
        let in_vain: Vec<&str> = self.looked.iter().map(|place| &**place).filter(|place| !holds_one(place)).collect();
        let in_vain = listed(&in_vain);
        if found.is_empty() {
            return (!in_vain.is_empty()).then(|| format!("The {class} is not in {in_vain}."));
        }
        let known = found.iter().take(MOST_OBJECTS).map(|(name, place)| format!("The {name} was in {place}."));
        let mut said: Vec<String> = known.collect();
        if more && !in_vain.is_empty() {
            said.push(format!("There is no other {class} in {in_vain}."));
        }
        Some(said.join(" "))
    }
}

/// `drawer 1-3, 5, shelf 1`: receptacles by class, in the order in which the classes came.
fn listed(places: &[&str]) -> String {
    by_class(places.iter().filter_map(|place| split_name(place)))
        .into_iter()
        .map(|(class, numbers)| format!("{class} {}", ranges(numbers)))
        .collect::<Vec<_>>()
        .join(", ")
}

fn lesson(trial: &Trial, goal: &Goal, mind: &Mind) -> String {
    let belief = &mind.belief;
    let object = &*goal.object;
    let why = match &trial.ending {
        _ if trial.repeated => "I did the same thing twice.",
        Some(Ending::OutOf { limit: Limit::Steps }) => "I ran out of steps.",
        Some(Ending::GaveUp) => "I gave up too early.",
        _ => "I did not solve the task.",
    };
    let mut parts = vec![why.to_owned()];
    let more = belief.need() == Some(Need::Object);
    parts.extend(trial.whereabouts(object, more));
    if let Some(lamp) = goal.lamp() {
        parts.extend(trial.whereabouts(lamp, false));
    }
    if mind.talk.ambiguous {
        let tried = belief.tried.iter();
        parts.extend(tried.map(|name| format!("The {name} was not meant.")));
        let meant = belief.wanted.join(" and ");
        if !meant.is_empty() {
            parts.push(format!("The {meant} is meant."));
        }
    }
    parts.extend(trial.refused.as_deref().and_then(attempted));
    parts.join(" ")
}

/// The attempt with an object, without the receptacle, which a reader would take for a place to
/// look into; none for ways and doors.
fn attempted(action: &str) -> Option<String> {
    let (verb, object) = match Command::read(action) {
        Command::Take { object, .. } => ("take", object),
        Command::Put { object, .. } => ("put", object),
        Command::Treat { verb, object, .. } => (verb, object),
        Command::Use(object) => ("use", object),
        _ => return None,
    };
    Some(format!("It was no use to {verb} the {object} as I did."))
}
