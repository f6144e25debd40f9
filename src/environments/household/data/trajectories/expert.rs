//! The expert of ABA's imitation learning (section 3.2.2, appendices C and E): a policy that knows the
//! shortest plan and still asks, thinks and errs as the text of an agent should show it.

use std::collections::VecDeque;
use std::sync::Arc;

use anyhow::{Context, bail};
use serde::Deserialize;

use super::words;
use super::writer::{Heading, Origin, Record, TrajectoryWriter};
use crate::classic::first_observation;
use crate::language::{by_number, indefinite, placements_answer};
use crate::next_task::next_task;
use crate::variant::alternatives;
use crate::{
    Game, Goal, Phrasing, PlanLimits, TaskType, Treatment, Variant, Wish, World, class_of, dice, shortest_plan, traits,
};
use rolecall_core::domain::Seed;
use rolecall_core::text::{Dice, unique};

/// Moves of an episode of several rounds, thoughts and questions included (section 4.2).
const ROUNDS_END_AT: usize = 50;

/// No episode of one task needs more moves, unless nearly every one of them is noise.
const MOST_MOVES: usize = 2_000;

/// Questions to oneself about other objects that are inserted at each one that the episode needs.
/// The paper says "several" (appendix E).
pub(super) const QUERIES: usize = 2;

/// Classes of receptacles that a thought names.
const PLACES_NAMED: usize = 3;

/// How the expert gets to know where things are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Policy {
    /// It asks the owner of the room.
    #[default]
    Aba,
    /// It looks into one receptacle after the other.
    Search,
}

impl Policy {
    /// The words for all.
    pub(super) const WORDS: &'static [&'static str] = &["aba", "search"];
}

/// The settings that all episodes share.
#[derive(Clone, Copy, Debug)]
pub(super) struct ExpertSettings {
    /// How it gets to know where things are.
    pub(super) policy: Policy,
    /// The variant of the environment.
    pub(super) variant: Variant,
    /// The probability that a command drawn at random is performed instead of the expert's.
    pub(super) noise: f64,
    /// Commands and observations are worded as in published prompts.
    pub(super) classic: bool,
}

/// An episode of the expert.
pub(super) struct ExpertEpisode<'a> {
    /// The rows, in the order in which they came about.
    pub(super) records: Vec<Record<'a>>,
    /// Moves that were made.
    pub(super) moves: usize,
    /// Tasks that were solved.
    pub(super) solved: usize,
}

/// Plays a game; everything that is drawn comes from the seed.
///
/// # Errors
/// When the game cannot be played in this variant, or cannot be solved; the text does not name it.
pub(super) fn play<'a>(
    game: Arc<Game>,
    heading: Heading<'a>,
    settings: ExpertSettings,
    seed: Seed,
) -> anyhow::Result<ExpertEpisode<'a>> {
    let mut expert = Expert::new(game, heading, settings, seed)?;
    let mut solved = 0;
    loop {
        expert.find_out()?;
        expert.carry_out()?;
        solved += usize::from(expert.world.won());
        if !expert.world.won() || !expert.next()? {
            break;
        }
    }
    let TrajectoryWriter { records, moves, .. } = expert.writer;
    Ok(ExpertEpisode { records, moves, solved })
}

pub(super) struct Expert<'a> {
    pub(super) settings: ExpertSettings,
    phrasing: Phrasing,
    /// The room; its game is the task, in which what is meant alone counts.
    pub(super) world: World,
    /// The game in which the objects alone count that the expert knows of.
    pub(super) aim: Arc<Game>,
    /// The objects that are meant, if there is a choice.
    wish: Option<Vec<String>>,
    plan: VecDeque<String>,
    /// Remarks of this task, none of which is made twice.
    remarks: Vec<String>,
    pub(super) writer: TrajectoryWriter<'a>,
    pub(super) dice: Dice,
}

impl<'a> Expert<'a> {
    fn new(game: Arc<Game>, heading: Heading<'a>, settings: ExpertSettings, seed: Seed) -> anyhow::Result<Self> {
        let classic = settings.classic;
        let phrasing = Phrasing::new(game.dialect().style, classic, classic);
        let mut world = World::new(game);
        let mut writer = TrajectoryWriter::new(heading)?;
        writer.begins(&first_observation(&world.reset_observation()))?;
        let mut dice = dice("expert", &[seed.0]);
        let mut wish = None;
        if settings.variant == Variant::Ambiguous {
            let drawn = Wish::draw(&world, Seed(dice.bits()))
                .context("no single object serves the task, so that it cannot be ambiguous")?;
            let choice = alternatives(&world) > drawn.objects.len();
            world.pursue(drawn.game);
            wish = choice.then_some(drawn.objects);
        }
        Ok(Self {
            settings,
            phrasing,
            aim: Arc::clone(world.game()),
            world,
            wish,
            plan: VecDeque::new(),
            remarks: Vec::new(),
            writer,
            dice,
        })
    }

    /// Whether there are moves left.
    fn is_open(&self) -> bool {
        let most = match self.settings.variant {
            Variant::MultiRound => ROUNDS_END_AT,
            Variant::Standard | Variant::Ambiguous => MOST_MOVES,
        };
        self.writer.moves < most
    }

    pub(super) fn think(&mut self, thought: &str) -> anyhow::Result<()> {
        if self.is_open() {
            self.writer.think(thought)?;
        }
        Ok(())
    }

    fn ask(&mut self, question: &str, answer: &str) -> anyhow::Result<()> {
        if self.is_open() {
            self.writer.ask(question, answer)?;
        }
        Ok(())
    }

    /// Asks where the things of a class are. The owner knows all that lie somewhere.
    fn ask_where(&mut self, class: &str) -> anyhow::Result<()> {
        let placements = self.world.placements();
        let of_class = placements.filter(|(object, _)| class_of(object) == class);
        let answer = placements_answer(by_number(of_class.collect()));
        self.ask(&format!("Where is the {class}?"), &answer)
    }

    /// Goes on to the next task of the room; false if there is none.
    fn next(&mut self) -> anyhow::Result<bool> {
        if self.settings.variant != Variant::MultiRound || !self.is_open() {
            return Ok(false);
        }
        let Some(game) = next_task(&self.world, Seed(self.dice.bits())) else {
            return Ok(false);
        };
        self.writer.begins(&format!("Your next task is to: {}", game.task_sentence()))?;
        self.world.pursue(Arc::clone(&game));
        self.aim = game;
        self.remarks.clear();
        Ok(true)
    }

    /// Gets to know what the task needs, and makes the plan.
    fn find_out(&mut self) -> anyhow::Result<()> {
        let goal = self.world.game().goal().clone();
        let mut classes = vec![goal.object_class()];
        if goal.task_type == TaskType::LookInLight {
            classes.push(goal.target_class());
        }
        match (self.settings.policy, self.settings.variant) {
            (Policy::Search, _) => self.search(&goal, &classes)?,
            (Policy::Aba, Variant::MultiRound) => self.recollect(&goal, &classes)?,
            (Policy::Aba, _) => self.inquire(&goal, &classes)?,
        }
        let plan = self.plan_for(&self.aim).context("the expert finds no plan")?;
        let way = words::way(&plan);
        self.plan = plan.into();
        self.think(&way)
    }

    /// Asks the owner for everything.
    fn inquire(&mut self, goal: &Goal, classes: &[&str]) -> anyhow::Result<()> {
        for (number, class) in classes.iter().enumerate() {
            let thought = if number == 0 {
                let game = Arc::clone(self.world.game());
                let unknown = words::unknown(class, &likely(&game));
                format!("{} {unknown}", words::outline(goal))
            } else {
                words::also_unknown(class)
            };
            self.think(&thought)?;
            self.ask_where(class)?;
        }
        if let Some(wish) = self.wish.clone() {
            let class = goal.object_class();
            self.think(&words::several(class))?;
            let question = format!("Which {class} do you prefer?");
            self.ask(&question, &words::meant(&wish))?;
        }
        Ok(())
    }

    /// Asks itself first, and the owner only for what it does not know (appendix E). The expert goes
    /// for objects that it knows of, although there may be nearer ones.
    fn recollect(&mut self, goal: &Goal, classes: &[&str]) -> anyhow::Result<()> {
        let held = self.world.state.holding;
        for class in classes {
            if !self.is_open() || self.serves(class, |thing| thing == held) {
                continue;
            }
            let others = self.others(class);
            let others: Vec<&str> = others.iter().map(String::as_str).collect();
            let thought = |class: &str| {
                let (outline, one) = (words::outline(goal), indefinite(class));
                format!("{outline} First I need to know where {one} is.")
            };
            self.writer.recall(thought, class, &others)?;
            if !self.serves(class, |thing| thing == held || self.knows(thing)) {
                self.think(&words::not_recalled(class))?;
                self.ask_where(class)?;
            }
        }
        let known = |thing| thing == held || self.knows(thing);
        let narrowed = Arc::new(self.world.game().narrowed(known));
        if self.plan_for(&narrowed).is_some() {
            self.aim = narrowed;
        }
        Ok(())
    }

    /// Whether the task can be solved if only these things of the class count.
    pub(super) fn serves(&self, class: &str, counts: impl Fn(u16) -> bool) -> bool {
        let game = self.world.game();
        let other = |thing| class_of(game.objects.get(thing)) != class;
        let narrowed = game.narrowed(|thing| other(thing) || counts(thing));
        self.plan_for(&Arc::new(narrowed)).is_some()
    }

    /// Whether the expert saw or was told where a thing is.
    pub(super) fn knows(&self, thing: u16) -> bool {
        let name = self.world.game().objects.get(thing);
        self.writer.memory.all().any(|(known, _)| known == name)
    }

    /// Classes of other objects of the room, drawn for inserted questions.
    fn others(&mut self, class: &str) -> Vec<String> {
        let others = self.world.placements().map(|(object, _)| class_of(object)).filter(|other| *other != class);
        let mut classes: Vec<String> = others.map(str::to_owned).collect();
        classes.sort_unstable();
        classes.dedup();
        self.dice.shuffle(&mut classes);
        classes.truncate(QUERIES);
        classes
    }

    /// A shortest plan from the room as it is, if only what counts in that game counts.
    fn plan_for(&self, aim: &Arc<Game>) -> Option<Vec<String>> {
        plan_in(self.world.clone(), aim)
    }

    /// Acts until the task is solved or no move is left.
    fn carry_out(&mut self) -> anyhow::Result<()> {
        while self.is_open() && !self.world.won() {
            let remark = self.remark();
            if let Some(remark) = remark.filter(|remark| !self.remarks.contains(remark)) {
                self.think(&remark)?;
                self.remarks.push(remark);
            } else if self.dice.chance(self.settings.noise) {
                self.disturb()?;
            } else {
                let command = self.plan.pop_front().context("the expert's plan does not solve the task")?;
                self.perform(&command, Origin::Expert)?;
            }
        }
        if self.settings.variant != Variant::MultiRound && !self.world.won() {
            bail!("the task is not solved within {MOST_MOVES} moves; choose less --noise");
        }
        Ok(())
    }

    pub(super) fn perform(&mut self, command: &str, origin: Origin) -> anyhow::Result<()> {
        let observation = self.world.perform(command);
        let observation = self.phrasing.observation_to_agent(observation);
        let command = self.phrasing.command_to_agent(command);
        self.writer.act(&command, &observation, origin)
    }

    /// Performs a command drawn from all that are admissible, and makes the plan anew. One after which
    /// the task could not be solved any more would be drawn again.
    pub(super) fn disturb(&mut self) -> anyhow::Result<()> {
        let mut commands = self.world.admissible();
        self.dice.shuffle(&mut commands);
        for command in commands {
            let mut after = self.world.clone();
            after.perform(&command);
            if let Some(plan) = plan_in(after, &self.aim) {
                self.plan = plan.into();
                return self.perform(&command, Origin::Noise);
            }
        }
        bail!("every command makes the task impossible")
    }

    /// A remark on the state of the task.
    fn remark(&self) -> Option<String> {
        let goal = self.world.game().goal();
        let Some(held) = self.world.state.held() else {
            let two = goal.task_type == TaskType::PickTwo && self.one_is_in_place();
            let class = goal.object_class();
            return two.then(|| format!("One {class} is in place. Now I get the other one."));
        };
        let name = self.world.holding()?;
        if !self.aim.has(held, traits::GOAL_OBJECT) {
            let useless = format!("I hold the {name}, which this task does not need.");
            return Some(format!("{useless} I put it away first."));
        }
        let treatment = goal.task_type.treatment().filter(|_| self.world.treated(held));
        let now = match treatment.map(Treatment::state) {
            Some(state) => format!("The {name} is {state} now."),
            None => format!("I have the {name} now."),
        };
        let rest = words::rest(goal, treatment.is_some());
        Some(format!("{now} Next {rest}."))
    }

    /// Whether one of the two objects is where both belong.
    fn one_is_in_place(&self) -> bool {
        self.world.state.contents.iter().any(|(receptacle, object)| {
            self.aim.has(receptacle, traits::GOAL_TARGET) && self.aim.has(object, traits::GOAL_OBJECT)
        })
    }
}

fn plan_in(mut world: World, aim: &Arc<Game>) -> Option<Vec<String>> {
    world.pursue(Arc::clone(aim));
    shortest_plan(&world, PlanLimits::default()).ok().map(|plan| plan.commands)
}

/// Classes of receptacles that can hold the task's object, in the order of the first observation.
pub(super) fn likely(game: &Game) -> Vec<&str> {
    let mut all = (0..).zip(&*game.traits);
    let object = all.find(|(_, traits)| *traits & traits::GOAL_OBJECT != 0);
    let fitting = game
        .orders
        .receptacles
        .iter()
        .copied()
        .filter(|place| object.is_some_and(|(object, _)| game.accepts(*place, object)));
    let mut classes = unique(fitting.map(|place| class_of(game.objects.get(place))));
    classes.truncate(PLACES_NAMED);
    classes
}

/// How often a receptacle is looked into at most, before the search is given up.
const LOOKS: usize = 4;

impl Expert<'_> {
    /// Looks into receptacles until it has seen what the task needs: first into those of the classes where it is
    /// likely, in the order in which the room lists them.
    pub(super) fn search(&mut self, goal: &Goal, classes: &[&str]) -> anyhow::Result<()> {
        let game = Arc::clone(self.world.game());
        let likely = likely(&game);
        let thought = words::searched(goal.object_class(), &likely);
        self.think(&format!("{} {thought}", words::outline(goal)))?;
        let mut places: Vec<&str> = game.orders.receptacles.iter().map(|place| game.objects.get(*place)).collect();
        let rank = |place: &&str| likely.iter().position(|class| *class == class_of(place));
        places.sort_by_key(|place| rank(place).unwrap_or(likely.len()));
        // Noise may hide what was seen: then it looks once more, also where it knows of something.
        let first = places.len();
        let mut looks = places.into_iter().cycle().enumerate().take(LOOKS * first);
        let at_hand = |expert: &Self, thing| expert.world.state.holding == thing || expert.knows(thing);
        while !classes.iter().all(|class| self.serves(class, |thing| at_hand(self, thing))) {
            let (look, place) = looks.next().context("the expert has looked everywhere")?;
            self.look_into(place, look >= first)?;
        }
        self.aim = Arc::new(game.narrowed(|thing| at_hand(self, thing)));
        Ok(())
    }

    /// Goes to a receptacle, unless it knows of something there already, and opens it if it is closed. Noise may take
    /// it away from there.
    fn look_into(&mut self, receptacle: &str, anew: bool) -> anyhow::Result<()> {
        while self.dice.chance(self.settings.noise) {
            self.disturb()?;
        }
        let known = |(_, place): (&str, &str)| place == receptacle;
        if !anew && self.writer.memory.all().any(known) {
            return Ok(());
        }
        // One that stands where the last one stands is looked at from there.
        let ways = ["go to", "examine"].map(|verb| format!("{verb} {receptacle}"));
        let admissible = self.world.admissible();
        if let Some(way) = ways.iter().find(|way| admissible.contains(way)) {
            self.perform(way, Origin::Expert)?;
        }
        if self.world.is_closed(receptacle) {
            self.perform(&format!("open {receptacle}"), Origin::Expert)?;
        }
        Ok(())
    }
}
