//! Compiles the three texts of a game into a [`Game`].

use rustc_hash::FxHashMap;

use super::facts::{Facts, InitialFact, Predicate};
use super::names::name_all;
use super::problem::{PART, Problem, fault};
use super::{Defect, Dialect, Game, Goal, NONE, Names, Orders, Rules, State, TaskType, entry, expression, traits};

/// The most things or locations of a room.
const LIMIT: usize = 60_000;

/// The most bits of the table of what fits where.
const FIT_LIMIT: usize = 1 << 26;

/// Compiles a game from its three texts: the PDDL domain, the grammar and the PDDL problem.
pub(crate) fn game(
    name: &str,
    [domain, grammar, problem]: [&str; 3],
    walkthrough: Option<Box<[String]>>,
    rules: Rules,
) -> Result<Game, Defect> {
    let (dialect, task) = Dialect::of(domain, grammar, rules)?;
    let lowered = expression::lower_case(problem);
    let tree = expression::read(&lowered, PART)?;
    let problem = Problem::read(&tree)?;
    let facts = Facts::read(&problem)?;
    let goal = Goal::compile(problem.goal)?;
    let index = Index::new(&facts, &problem)?;
    let mut room = Room::new(&index);
    for fact in &facts.list {
        room.add(fact, &index)?;
    }
    room.derive(&goal);
    room.finish(name, task, dialect, goal, walkthrough, &index)
}

/// Indices of things and locations by id, and their names.
#[derive(Default)]
struct Index<'a> {
    objects: FxHashMap<&'a str, u16>,
    locations: FxHashMap<&'a str, u16>,
    thing_names: Vec<String>,
    location_names: Vec<String>,
}

impl<'a> Index<'a> {
    fn new(facts: &Facts<'a>, problem: &Problem<'a, '_>) -> Result<Self, Defect> {
        if facts.ids.len() > LIMIT {
            return Err(Defect::TooLarge { what: "names in initial facts", count: facts.ids.len(), limit: LIMIT });
        }
        let mut index = Self::default();
        for (id, name) in facts.ids.iter().zip(name_all(&facts.ids)) {
            let (indices, names) = match problem.kinds.get(id).copied() {
                Some("object" | "receptacle") => (&mut index.objects, &mut index.thing_names),
                Some("location") => (&mut index.locations, &mut index.location_names),
                _ => continue,
            };
            indices.insert(id, u16::try_from(names.len()).unwrap_or(NONE));
            names.push(name);
        }
        Ok(index)
    }
}

/// Row per thing, and the rows as bits.
type FitTable = (Box<[u16]>, Box<[u64]>);

/// A room while its facts are gathered.
#[derive(Default)]
struct Room<'a> {
    traits: Box<[u16]>,
    location_of: Box<[u16]>,
    agent: &'a str,
    hand_is_full: bool,
    receptacle_types: Vec<(u16, &'a str)>,
    object_types: Vec<(u16, &'a str)>,
    fits: Vec<(&'a str, &'a str)>,
    inside: Vec<(u16, u16)>,
    contents: Vec<(u16, u16)>,
    objects_at: Vec<(u16, u16)>,
    state: State,
}

impl<'a> Room<'a> {
    fn new(index: &Index<'a>) -> Self {
        let count = index.thing_names.len();
        Self {
            traits: vec![0; count].into(),
            location_of: vec![NONE; count].into(),
            state: State { location: NONE, holding: NONE, conditions: vec![0; count].into(), ..State::default() },
            ..Self::default()
        }
    }

    /// Takes one fact in; things and locations in it are known, since `index` was made from the facts.
    fn add(&mut self, fact: &InitialFact<'a>, index: &Index<'a>) -> Result<(), Defect> {
        let thing = |id: &str| index.objects.get(id).copied().unwrap_or(NONE);
        let location = |id: &str| index.locations.get(id).copied().unwrap_or(NONE);
        let (first, second) = (fact.first, fact.second);
        match fact.predicate {
            Predicate::AtLocation => self.place_agent(first, location(second), fact.line)?,
            Predicate::ReceptacleAtLocation => self.place_receptacle(fact, thing(first), location(second))?,
            Predicate::ObjectAtLocation => self.objects_at.push((location(second), thing(first))),
            Predicate::InReceptacle => self.contents.push((thing(second), thing(first))),
            Predicate::InReceptacleObject => self.inside.push((thing(second), thing(first))),
            Predicate::ReceptacleType => self.receptacle_types.push((thing(first), second)),
            Predicate::ObjectType => self.object_types.push((thing(first), second)),
            Predicate::CanContain => self.fits.push((first, second)),
            Predicate::Trait(property) => self.mark(thing(first), property),
            Predicate::Condition(condition) => self.state.set(thing(first), condition, true),
            Predicate::Holds => self.fill_hand(thing(second), fact.line)?,
            Predicate::HoldsAny => self.hand_is_full = true,
            Predicate::Unread => {}
        }
        Ok(())
    }

    fn mark(&mut self, thing: u16, property: u16) {
        if let Some(traits) = self.traits.get_mut(usize::from(thing)) {
            *traits |= property;
        }
    }

    fn place_agent(&mut self, agent: &'a str, location: u16, line: u32) -> Result<(), Defect> {
        let elsewhere = self.state.location != NONE && self.state.location != location;
        if elsewhere || !(self.agent.is_empty() || self.agent == agent) {
            let reason = "a second agent, or a second place of it; one agent at one location is supported";
            return Err(fault(line, reason));
        }
        (self.agent, self.state.location) = (agent, location);
        Ok(())
    }

    fn place_receptacle(&mut self, fact: &InitialFact<'_>, receptacle: u16, location: u16) -> Result<(), Defect> {
        match self.location_of.get_mut(usize::from(receptacle)) {
            Some(known) if *known == NONE || *known == location => *known = location,
            _ => {
                let what = fact.first;
                let reason = format!("`{what}` stands at a second location; one is supported");
                return Err(fault(fact.line, reason));
            }
        }
        Ok(())
    }

    fn fill_hand(&mut self, thing: u16, line: u32) -> Result<(), Defect> {
        if self.state.holding != NONE && self.state.holding != thing {
            let reason = "a second object in the hand; one is supported";
            return Err(fault(line, reason));
        }
        self.state.holding = thing;
        Ok(())
    }

    /// Marks what follows from types: appliances, knives, and what the goal speaks of.
    fn derive(&mut self, goal: &Goal) {
        let light = goal.task_type == TaskType::LookInLight;
        let when = |holds: bool, property: u16| if holds { property } else { 0 };
        let receptacles = self.receptacle_types.iter().map(|(thing, kind)| {
            let appliance = match *kind {
                "sinkbasintype" | "sinktype" => traits::CLEANS,
                "microwavetype" => traits::HEATS,
                "fridgetype" => traits::COOLS,
                _ => 0,
            };
            let target = !light && **kind == *goal.target;
            (*thing, appliance | when(target, traits::GOAL_TARGET))
        });
        let objects = self.object_types.iter().map(|(thing, kind)| {
            let switchable = self.traits.get(usize::from(*thing)).copied().unwrap_or(0) & traits::TOGGLEABLE != 0;
            let knife = matches!(*kind, "knifetype" | "butterknifetype");
            let lamp = light && switchable && **kind == *goal.target;
            let of_goal = when(**kind == *goal.object, traits::GOAL_OBJECT) | when(lamp, traits::GOAL_TARGET);
            (*thing, of_goal | when(knife, traits::KNIFE))
        });
        let marks: Vec<(u16, u16)> = receptacles.chain(objects).collect();
        for (thing, properties) in marks {
            self.mark(thing, properties);
        }
    }

    /// Which receptacles may hold which things: row per thing, and the rows as bits.
    fn fit_table(&self) -> Result<FitTable, Defect> {
        let count = self.traits.len();
        let words = count.div_ceil(64);
        let mut rows = vec![NONE; count];
        let mut next = 0_u16;
        for (receptacle, _) in &self.receptacle_types {
            if let Some(row @ &mut NONE) = rows.get_mut(usize::from(*receptacle)) {
                *row = next;
                next += 1;
            }
        }
        let bits = usize::from(next) * words * 64;
        if bits > FIT_LIMIT {
            return Err(Defect::TooLarge { what: "pairs of receptacle and thing", count: bits, limit: FIT_LIMIT });
        }
        // Which things a type of receptacle may hold.
        let mut things_of: FxHashMap<&str, Vec<u16>> = FxHashMap::default();
        self.object_types.iter().for_each(|(thing, kind)| things_of.entry(kind).or_default().push(*thing));
        let mut held_by: FxHashMap<&str, Vec<u64>> = FxHashMap::default();
        for (receptacles, objects) in &self.fits {
            let held = held_by.entry(receptacles).or_insert_with(|| vec![0; words]);
            for thing in things_of.get(objects).into_iter().flatten() {
                if let Some(word) = held.get_mut(usize::from(*thing) / 64) {
                    *word |= 1 << (thing % 64);
                }
            }
        }
        let mut matrix = vec![0_u64; usize::from(next) * words];
        for (receptacle, kind) in &self.receptacle_types {
            let start = usize::from(entry(&rows, *receptacle)) * words;
            let held = held_by.get(kind).map(Vec::as_slice).unwrap_or_default();
            matrix
                .get_mut(start..start + words)
                .unwrap_or_default()
                .iter_mut()
                .zip(held)
                .for_each(|(word, bits)| *word |= bits);
        }
        Ok((rows.into(), matrix.into()))
    }

    /// Whether the facts about the agent fit together.
    fn check(&self) -> Result<(), Defect> {
        let reason = if self.state.location == NONE {
            "no fact `(atLocation AGENT LOCATION)` says where the agent starts"
        } else if self.hand_is_full != (self.state.holding != NONE) {
            "`holds` and `holdsAny` contradict each other"
        } else {
            return Ok(());
        };
        let reason = reason.to_owned();
        Err(Defect::Room { reason })
    }

    fn finish(
        mut self,
        name: &str,
        task: String,
        dialect: Dialect,
        goal: Goal,
        walkthrough: Option<Box<[String]>>,
        index: &Index<'_>,
    ) -> Result<Game, Defect> {
        self.check()?;
        let (accept_row, accepts) = self.fit_table()?;
        let objects = Names::new(index.thing_names.iter().map(String::as_str));
        let orders = Orders::new(&objects, &self.location_of);

        self.state.contents = self.contents.into_iter().collect();
        self.state.objects_at = self.objects_at.into_iter().collect();
        Ok(Game {
            name: name.into(),
            task: task.into(),
            dialect,
            goal,
            walkthrough,
            objects,
            orders,
            locations: Names::new(index.location_names.iter().map(String::as_str)),
            traits: self.traits,
            location_of: self.location_of,

            accept_row,
            accepts,
            inside: self.inside.into_iter().collect(),
            start: self.state,
        })
    }
}
