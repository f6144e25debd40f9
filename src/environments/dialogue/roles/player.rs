//! The thinker, the planner and the executor: each answers in the notation of its brief, or where there is none,
//! with the move that its part is.

use async_trait::async_trait;

use super::counsel::Counsellor;
use super::landmark::{self, Lookup, lookups};
use super::newcomer::Newcomer;
use super::scene::{Habits, Scene, answer, section, source};
use super::tutor::Tutor;
use crate::domain::{Action, Answer, DialogueAct, Move, MoveKind, PlanStep};
use crate::environments::dialogue::cues::Subject;
use crate::environments::dialogue::environment::respond;
use crate::environments::dialogue::formats::{DialogueFormat, finish, said};
use crate::environments::dialogue::language::Dataset;
use crate::ports::{Role, RoleError, Turn};
use crate::text::unique;

/// Which part of a cast it plays, where the brief names no notation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CastMember {
    /// States the user's state and the way to answer.
    Thinker,
    /// Lays out which sources to ask, or by which strategies to speak.
    Planner,
    /// Performs the plan and gives the response.
    Executor,
}

/// A role of a dialogue method that goes by surface cues (TPE section 3).
#[derive(Clone, Copy, Debug)]
pub struct DialoguePlayer {
    /// Its part.
    pub part: CastMember,
    /// Its habits.
    pub habits: Habits,
}

#[async_trait]
impl Role for DialoguePlayer {
    async fn take_turn(&mut self, turn: &Turn) -> Result<Answer, RoleError> {
        let scene = Scene::of(turn, self.habits)?;
        let mut moves = match scene.brief.notation.and_then(DialogueFormat::of) {
            Some(format) => in_format(format, &scene),
            None => self.without_format(&scene),
        };
        moves.retain(|made| scene.brief.open.contains(made.kind()));
        let problem =
            "this role thinks, plans, acts, speaks or responds, and what is asked for is not open";
        answer(moves, problem)
    }
}

impl DialoguePlayer {
    /// The move of its part; of several that are open, the one that leads furthest.
    fn without_format(&self, scene: &Scene<'_>) -> Vec<Move> {
        let open = |kind: MoveKind| scene.brief.open.contains(kind);
        match self.part {
            CastMember::Thinker if open(MoveKind::Think) => vec![Move::think(thought(scene))],
            CastMember::Planner if open(MoveKind::Plan) => vec![plan(scene)],
            _ if open(MoveKind::Act) => vec![act(scene)],
            _ if open(MoveKind::Finish) => vec![finish(Some(response(scene)))],
            _ if open(MoveKind::Speak) => vec![Move::speak(response(scene))],
            _ => vec![Move::think(thought(scene))],
        }
    }
}

/// The plan of a cast without notations: the steps that are left, and the response as the last one. The steps
/// are performed as they stand, so no step refers to another.
fn plan(scene: &Scene<'_>) -> Move {
    let mut steps = match Strategies::of(scene) {
        Some(_) => strategies(scene),
        None => sources_left(scene),
    };
    steps.push(PlanStep::of("respond"));
    Move::Plan { steps }
}

/// The sources that were not asked yet.
fn sources_left(scene: &Scene<'_>) -> Vec<PlanStep> {
    let steps = sources(scene, None).into_iter();
    steps.skip(scene.lookups).collect()
}

/// The next step of the plan that asks a source; the response when none is left. Without a plan it follows the
/// one that it would have made.
fn act(scene: &Scene<'_>) -> Move {
    let left: Vec<Action> = scene.plan.clone().unwrap_or_else(|| {
        let steps = sources_left(scene).into_iter();
        steps.map(|step| step.action).collect()
    });
    let mut asking = left
        .iter()
        .filter(|step| source(&step.text, scene.dataset).is_some());
    let action = match asking.next() {
        Some(step) if Strategies::of(scene).is_none() => step.clone(),
        _ => respond(&planned_response(scene, &left)),
    };
    Move::Act { action }
}

/// The response by the strategies of a plan, if it names any that the task has.
fn planned_response(scene: &Scene<'_>, plan: &[Action]) -> String {
    let named = plan.iter().map(|step| step.text.trim().to_owned());
    let named: Vec<String> = named.filter(|name| scene.tools.contains(name)).collect();
    match Strategies::of(scene) {
        Some(strategies) if !named.is_empty() => strategies.response(&named),
        _ => response(scene),
    }
}

/// The sources to ask as steps. With the letters of a variable each step has one, and later inputs may use the
/// first.
fn sources(scene: &Scene<'_>, letters: Option<&str>) -> Vec<PlanStep> {
    let variable = |number: usize| letters.map(|letters| format!("{letters}{number}"));
    let steps = lookups(scene, variable(1).as_deref());
    let steps = (1..).zip(steps).map(|(number, step)| PlanStep {
        description: step.why.to_owned(),
        variable: variable(number),
        action: Action::text(format!("{}[{}]", step.source, step.input)),
    });
    steps.collect()
}

fn in_format(format: DialogueFormat, scene: &Scene<'_>) -> Vec<Move> {
    let plan = |steps| vec![Move::Plan { steps }];
    match format {
        DialogueFormat::Thought | DialogueFormat::Status => vec![Move::think(thought(scene))],
        DialogueFormat::SourcePlan => plan(sources(scene, Some("So"))),
        DialogueFormat::RewooPlan => plan(sources(scene, Some("E"))),
        DialogueFormat::Modules => plan(modules(scene)),
        DialogueFormat::Strategies => plan(strategies(scene)),
        DialogueFormat::SubResponse => sub_response(scene),
        DialogueFormat::PlanDo => plan_do(scene),
        DialogueFormat::ReactSource => react_source(scene),
        DialogueFormat::ReactStrategy => react_strategy(scene),
        DialogueFormat::ReasonedResponse => reasoned_response(scene),
        DialogueFormat::Response => vec![finish(Some(response(scene)))],
    }
}

/// The strategies in order; none where sources are asked.
fn strategies(scene: &Scene<'_>) -> Vec<PlanStep> {
    let strategies = Strategies::of(scene).map(|own| own.in_order());
    let steps = strategies.into_iter().flatten();
    steps.map(PlanStep::of).collect()
}

/// The sources in the order of the plan, each with the dialogue alone (Chameleon).
fn modules(scene: &Scene<'_>) -> Vec<PlanStep> {
    let module = |step: Lookup| PlanStep::of(format!("{}[context]", step.source));
    lookups(scene, None).into_iter().map(module).collect()
}

fn sub_response(scene: &Scene<'_>) -> Vec<Move> {
    let given = scene.brief.acts.first().map(DialogueAct::as_str);
    let given = given.unwrap_or_else(|| section(scene.brief, "strategy"));
    let text = match Strategies::of(scene) {
        Some(strategies) => strategies.says(given),
        None => response(scene),
    };
    let act = Some(DialogueAct(given.to_owned()));
    vec![Move::Speak { text, act }]
}

fn plan_do(scene: &Scene<'_>) -> Vec<Move> {
    let Some(strategies) = Strategies::of(scene) else {
        return vec![finish(Some(response(scene)))];
    };
    let new = scene.thought.is_empty();
    let thought = new.then(|| Move::think(strategies.thought()));
    let order = strategies.in_order().into_iter();
    let steps = order.flat_map(|strategy| said(&[strategy.as_str()], &strategies.says(&strategy)));
    thought.into_iter().chain(steps).collect()
}

/// A thought, and the response that follows from it.
fn reasoned_response(scene: &Scene<'_>) -> Vec<Move> {
    let thought = thought(scene);
    let scene = Scene {
        thought: thought.clone(),
        ..scene.clone()
    };
    vec![Move::think(thought), finish(Some(response(&scene)))]
}

/// One source after the other, then the response.
fn react_source(scene: &Scene<'_>) -> Vec<Move> {
    let lines = section(scene.brief, "scratchpad").lines();
    let asked = lines.filter_map(|line| source(line.strip_prefix("Action: ")?, scene.dataset));
    let next = lookups(scene, None).into_iter().nth(asked.count());
    match next.filter(|_| scene.brief.notice.is_none()) {
        Some(step) => vec![
            Move::think(step.why),
            Move::act(format!("{}[{}]", step.source, step.input)),
        ],
        None => vec![
            Move::think("I can answer from what was found."),
            finish(Some(response(scene))),
        ],
    }
}

/// One strategy after the other, then their words as one response.
fn react_strategy(scene: &Scene<'_>) -> Vec<Move> {
    let Some(strategies) = Strategies::of(scene) else {
        return vec![finish(Some(response(scene)))];
    };
    let order = strategies.in_order();
    let used = section(scene.brief, "scratchpad").lines();
    let used = used.filter(|line| line.starts_with("Action: ")).count();
    match order.get(used).filter(|_| scene.brief.notice.is_none()) {
        Some(strategy) => {
            let thought = Move::think(format!("The next strategy is {strategy}."));
            let says = said(&[strategy.as_str()], &strategies.says(strategy));
            std::iter::once(thought).chain(says).collect()
        }
        None if used == 0 => vec![finish(Some(strategies.response(&order)))],
        None => vec![Move::think("All that was planned is said."), finish(None)],
    }
}

/// The internal status and the blueprint, whatever the subject.
fn thought(scene: &Scene<'_>) -> String {
    match Strategies::of(scene) {
        Some(strategies) => strategies.thought(),
        None => landmark::thought(scene),
    }
}

/// The whole response, whatever the subject.
fn response(scene: &Scene<'_>) -> String {
    match Strategies::of(scene) {
        Some(strategies) => strategies.response(&strategies.in_order()),
        None => landmark::response(scene),
    }
}

/// The one who knows the words of each strategy.
enum Guide<'a> {
    Tutor(Tutor<'a>),
    Counsellor(Counsellor),
    Newcomer(Newcomer<'a>),
}

/// The strategies of one response.
struct Strategies<'a> {
    guide: Guide<'a>,
    dataset: Dataset,
    tools: &'a [String],
    thought: &'a str,
}

impl<'a> Strategies<'a> {
    /// None where sources are asked instead.
    fn of(scene: &'a Scene<'_>) -> Option<Self> {
        let guide = match scene.talk.subject {
            Subject::Landmark => return None,
            Subject::Tutoring => Guide::Tutor(Tutor::new(scene)),
            Subject::Counselling => Guide::Counsellor(Counsellor::new(scene)),
            Subject::Other if scene.dataset.has_sources() => return None,
            Subject::Other => Guide::Newcomer(Newcomer::new(scene)),
        };
        Some(Self {
            guide,
            dataset: scene.dataset,
            tools: &scene.tools,
            thought: &scene.thought,
        })
    }

    /// The strategies in order, as the task names them: those that the thought names, or else those that its
    /// own look at the dialogue suggests.
    fn in_order(&self) -> Vec<String> {
        let mut chosen = self.named();
        if chosen.is_empty() {
            let own = match &self.guide {
                Guide::Tutor(tutor) => tutor.strategies(),
                Guide::Counsellor(counsellor) => counsellor.strategies(),
                Guide::Newcomer(newcomer) => newcomer.strategies(),
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
        let mut found = self.tools.to_vec();
        found.retain(|tool| place(&tool).is_some());
        found.sort_by_cached_key(|tool| (place(&tool), tool.clone()));
        found
    }

    /// The words of a strategy.
    fn says(&self, strategy: &str) -> String {
        match &self.guide {
            Guide::Tutor(tutor) => tutor.says(strategy),
            Guide::Counsellor(counsellor) => counsellor.says(strategy),
            Guide::Newcomer(newcomer) => newcomer.says(strategy),
        }
    }

    /// Status and blueprint.
    fn thought(&self) -> String {
        match &self.guide {
            Guide::Tutor(tutor) => tutor.thought(),
            Guide::Counsellor(counsellor) => counsellor.thought(),
            Guide::Newcomer(newcomer) => newcomer.thought(),
        }
    }

    /// Several strategies' words as one response: with blanks between, and none in Chinese.
    fn response(&self, strategies: &[String]) -> String {
        let words = strategies.iter().map(|strategy| self.says(strategy));
        self.dataset.joined(&unique(words))
    }
}
