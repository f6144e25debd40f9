//! The thinker, the planner and the executor: each answers in the notation of its brief, or where there is none,
//! with the move that its part is.

use async_trait::async_trait;

use super::counsel::Counsellor;
use super::landmark::{self, Lookup, lookups};
use super::scene::{Habits, Scene, answer, section, source};
use super::tutor::Tutor;
use crate::cues::{Subject, fits};
use crate::environment::respond;
use crate::formats::{DialogueFormat, finish, said};
use crate::language::Tool;
use rolecall_core::domain::{Action, Answer, DialogueAct, Move, MoveKind, PlanStep};
use rolecall_core::ports::{Role, RoleError, Turn};
use rolecall_core::text::{joined, unique};

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
        let reading = Reading::of(&scene);
        let mut moves = match scene.brief.notation.and_then(DialogueFormat::of) {
            Some(format) => reading.in_format(format),
            None => reading.without_format(self.part),
        };
        moves.retain(|made| scene.brief.open.contains(made.kind()));
        answer(moves, "this role thinks, plans, acts, speaks or responds, and what is asked for is not open")
    }
}

/// The expert on the words of each strategy.
enum Guide<'a> {
    Tutor(Tutor<'a>),
    Counsellor(Counsellor),
    Newcomer(Newcomer<'a>),
}

impl<'a> Guide<'a> {
    /// None where sources are asked instead.
    fn of(scene: &'a Scene<'_>) -> Option<Self> {
        match scene.talk.subject {
            Subject::Landmark => None,
            Subject::Tutoring => Some(Self::Tutor(Tutor::new(scene))),
            Subject::Counselling => Some(Self::Counsellor(Counsellor::new(scene))),
            Subject::Other if scene.dataset.has_sources() => None,
            Subject::Other => Some(Self::Newcomer(Newcomer::new(scene))),
        }
    }

    /// The strategies that the dialogue suggests, in order.
    fn strategies(&self) -> Vec<&'static str> {
        match self {
            Self::Tutor(tutor) => tutor.strategies(),
            Self::Counsellor(counsellor) => counsellor.strategies(),
            Self::Newcomer(newcomer) => newcomer.strategies(),
        }
    }

    /// The words of a strategy.
    fn says(&self, strategy: &str) -> String {
        match self {
            Self::Tutor(tutor) => tutor.says(strategy),
            Self::Counsellor(counsellor) => counsellor.says(strategy),
            Self::Newcomer(newcomer) => newcomer.says(strategy),
        }
    }

    /// Status and blueprint.
    fn thought(&self) -> String {
        match self {
            Self::Tutor(tutor) => tutor.thought(),
            Self::Counsellor(counsellor) => counsellor.thought(),
            Self::Newcomer(newcomer) => newcomer.thought(),
        }
    }
}

/// Reading of the scene, made once a turn.
struct Reading<'a> {
    scene: &'a Scene<'a>,
    guide: Option<Guide<'a>>,
}

impl<'a> Reading<'a> {
    fn of(scene: &'a Scene<'a>) -> Self {
        Self { scene, guide: Guide::of(scene) }
    }

    /// The move of a part; of several that are open, the one that leads furthest.
    fn without_format(&self, part: CastMember) -> Vec<Move> {
        let open = |kind: MoveKind| self.scene.brief.open.contains(kind);
        match part {
            CastMember::Thinker if open(MoveKind::Think) => vec![Move::think(self.thought())],
            CastMember::Planner if open(MoveKind::Plan) => vec![self.plan()],
            _ if open(MoveKind::Act) => vec![self.act()],
            _ if open(MoveKind::Finish) => vec![finish(Some(self.response()))],
            _ if open(MoveKind::Speak) => vec![Move::speak(self.response())],
            _ => vec![Move::think(self.thought())],
        }
    }

    fn in_format(&self, format: DialogueFormat) -> Vec<Move> {
        let plan = |steps| vec![Move::Plan { steps }];
        match format {
            DialogueFormat::Thought | DialogueFormat::Status => vec![Move::think(self.thought())],
            DialogueFormat::SourcePlan => plan(self.sources(Some("So"))),
            DialogueFormat::RewooPlan => plan(self.sources(Some("E"))),
            DialogueFormat::Modules => plan(self.modules()),
            DialogueFormat::Strategies => plan(self.strategies()),
            DialogueFormat::SubResponse => self.sub_response(),
            DialogueFormat::PlanDo => self.plan_do(),
            DialogueFormat::ReactSource => self.react_source(),
            DialogueFormat::ReactStrategy => self.react_strategy(),
            DialogueFormat::ReasonedResponse => self.reasoned_response(),
            DialogueFormat::Response => vec![finish(Some(self.response()))],
        }
    }

    /// The plan of a cast without notations: the steps that are left, and the response as the last one. The
    /// steps are performed as they stand, so no step refers to another.
    fn plan(&self) -> Move {
        let mut steps = match self.guide {
            Some(_) => self.strategies(),
            None => self.sources_left(),
        };
        steps.push(PlanStep::of("respond"));
        Move::Plan { steps }
    }

    /// The sources that were not asked yet.
    fn sources_left(&self) -> Vec<PlanStep> {
        self.sources(None).into_iter().skip(self.scene.lookups).collect()
    }

    /// The next step of the plan that asks a source; the response when none is left. Without a plan it follows
    /// the one that it would have made.
    fn act(&self) -> Move {
        let left: Vec<Action> = self
            .scene
            .plan
            .clone()
            .unwrap_or_else(|| self.sources_left().into_iter().map(|step| step.action).collect());
        let mut asking = left.iter().filter(|step| source(&step.text, self.scene.dataset).is_some());
        let action = match asking.next() {
            Some(step) if self.guide.is_none() => step.clone(),
            _ => respond(&self.planned_response(&left)),
        };
        Move::Act { action }
    }

    /// The response by the strategies of a plan, if it names any that the task has.
    fn planned_response(&self, plan: &[Action]) -> String {
        let named: Vec<String> = plan
            .iter()
            .map(|step| step.text.trim().to_owned())
            .filter(|name| self.scene.tools.contains(name))
            .collect();
        match &self.guide {
            Some(guide) if !named.is_empty() => self.joined(guide, &named),
            _ => self.response(),
        }
    }

    /// The sources to ask as steps. With the letters of a variable each step has one, and later inputs may use
    /// the first.
    fn sources(&self, letters: Option<&str>) -> Vec<PlanStep> {
        let variable = |number: usize| letters.map(|letters| format!("{letters}{number}"));
        let steps = lookups(self.scene, variable(1).as_deref());
        let steps = (1..).zip(steps).map(|(number, step)| PlanStep {
            description: step.why.to_owned(),
            variable: variable(number),
            action: Action::text(format!("{}[{}]", step.source, step.input)),
        });
        steps.collect()
    }

    /// The strategies in order; none where sources are asked.
    fn strategies(&self) -> Vec<PlanStep> {
        let guide = self.guide.iter();
        guide.flat_map(|guide| self.in_order(guide, &self.scene.thought)).map(PlanStep::of).collect()
    }

    /// The sources in the order of the plan, each with the dialogue alone (Chameleon).
    fn modules(&self) -> Vec<PlanStep> {
        let module = |step: Lookup| PlanStep::of(format!("{}[context]", step.source));
        lookups(self.scene, None).into_iter().map(module).collect()
    }

    fn sub_response(&self) -> Vec<Move> {
        let brief = self.scene.brief;
        let given = brief.acts.first().map(DialogueAct::as_str).unwrap_or_else(|| section(brief, "strategy"));
        let text = match &self.guide {
            Some(guide) => guide.says(given),
            None => self.response(),
        };
        vec![Move::Speak { text, act: Some(DialogueAct(given.to_owned())) }]
    }

    fn plan_do(&self) -> Vec<Move> {
        let Some(guide) = &self.guide else {
            return vec![finish(Some(self.response()))];
        };
        let thought = self.scene.thought.is_empty().then(|| Move::think(guide.thought()));
        let steps = self
            .in_order(guide, &self.scene.thought)
            .into_iter()
            .flat_map(|strategy| said(&[strategy.as_str()], &guide.says(&strategy)));
        thought.into_iter().chain(steps).collect()
    }

    /// A thought, and the response that follows from it.
    fn reasoned_response(&self) -> Vec<Move> {
        let thought = self.thought();
        let response = match &self.guide {
            Some(guide) => self.joined(guide, &self.in_order(guide, &thought)),
            None => landmark::response(&Scene { thought: thought.clone(), ..self.scene.clone() }),
        };
        vec![Move::think(thought), finish(Some(response))]
    }

    /// One source after the other, then the response.
    fn react_source(&self) -> Vec<Move> {
        let scene = self.scene;
        let asked = section(scene.brief, "scratchpad")
            .lines()
            .filter_map(|line| source(line.strip_prefix("Action: ")?, scene.dataset));
        match lookups(scene, None).into_iter().nth(asked.count()).filter(|_| scene.brief.notice.is_none()) {
            Some(step) => vec![Move::think(step.why), Move::act(format!("{}[{}]", step.source, step.input))],
            None => vec![Move::think("I can answer from what was found."), finish(Some(self.response()))],
        }
    }

    /// One strategy after the other, then their words as one response.
    fn react_strategy(&self) -> Vec<Move> {
        let Some(guide) = &self.guide else {
            return vec![finish(Some(self.response()))];
        };
        let brief = self.scene.brief;
        let order = self.in_order(guide, &self.scene.thought);
        let used = section(brief, "scratchpad").lines().filter(|line| line.starts_with("Action: ")).count();
        match order.get(used).filter(|_| brief.notice.is_none()) {
            Some(strategy) => {
                let thought = Move::think(format!("The next strategy is {strategy}."));
                std::iter::once(thought).chain(said(&[strategy.as_str()], &guide.says(strategy))).collect()
            }
            None if used == 0 => vec![finish(Some(self.joined(guide, &order)))],
            None => vec![Move::think("All that was planned is said."), finish(None)],
        }
    }

    /// The internal status and the blueprint, whatever the subject.
    fn thought(&self) -> String {
        match &self.guide {
            Some(guide) => guide.thought(),
            None => landmark::thought(self.scene),
        }
    }

    /// The whole response, whatever the subject.
    fn response(&self) -> String {
        match &self.guide {
            Some(guide) => self.joined(guide, &self.in_order(guide, &self.scene.thought)),
            None => landmark::response(self.scene),
        }
    }

    /// The strategies in order, as the task names them: those that the thought names, or else those of the guide.
    fn in_order(&self, guide: &Guide<'_>, thought: &str) -> Vec<String> {
        let tools = &self.scene.tools;
        let mut chosen = named(tools, thought);
        if chosen.is_empty() {
            let further = guide.strategies().into_iter().map(str::to_owned);
            chosen.extend(further.filter(|name| tools.is_empty() || tools.contains(name)));
        }
        // A task may offer none of these: then any of its own.
        if chosen.is_empty() {
            chosen.extend(tools.first().cloned());
        }
        chosen
    }

    /// Several strategies' words as one response: with blanks between, and none in Chinese.
    fn joined(&self, guide: &Guide<'_>, strategies: &[String]) -> String {
        self.scene.dataset.joined(&unique(strategies.iter().map(|strategy| guide.says(strategy))))
    }
}

/// The strategies that a thought names, in its order, as they are written in the task.
fn named(tools: &[String], thought: &str) -> Vec<String> {
    let place = |tool: &String| thought.find(tool.as_str());
    let mut found = tools.to_vec();
    found.retain(|tool| place(tool).is_some());
    found.sort_by_cached_key(|tool| (place(tool), tool.clone()));
    found
}

/// A role in a subject of which only the strategies in the data are known: it takes the one whose purpose or example
/// shares most words with the last request, in the words of its example.
struct Newcomer<'a> {
    tools: &'static [Tool],
    request: &'a str,
}

impl<'a> Newcomer<'a> {
    fn new(scene: &'a Scene<'_>) -> Self {
        Self { tools: scene.dataset.tools(), request: scene.talk.request() }
    }

    /// The strategy that fits best; the first of equal ones.
    fn strategies(&self) -> Vec<&'static str> {
        let score = |tool: &Tool| fits(self.request, &format!("{} {} {}", tool.name, tool.description, tool.example));
        // `max_by_key` takes the last of equal ones.
        self.tools.iter().rev().max_by_key(|tool| score(tool)).map(|tool| tool.name).into_iter().collect()
    }

    /// The example of a strategy; where the task shows none, its purpose, and else its name.
    fn says(&self, strategy: &str) -> String {
        let tool = self.tools.iter().find(|tool| tool.name == strategy);
        let mut texts = tool.map(|tool| [tool.example, tool.description]).into_iter().flatten();
        texts.find(|text| !text.trim().is_empty()).unwrap_or(strategy).to_owned()
    }

    fn thought(&self) -> String {
        format!("The last words are: {} What fits them best is {}.", self.request, joined(self.strategies()))
    }
}
