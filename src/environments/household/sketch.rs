//! A room reduced to what matters for its goal: the states and steps of the plan search.

use super::{Action, Game, NONE, TaskType, World, conditions, traits};

/// The part of a state that matters for the goal.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub(crate) struct Sketch {
    pub(crate) location: u16,
    pub(crate) holding: u16,
    /// Nothing was taken yet: what is held was held from the start and may have to be put away.
    pub(crate) fresh: bool,
    /// Receptacles opened by the plan, sorted.
    pub(crate) opened: Vec<u16>,
    /// Objects of the goal (and lamps) with the receptacles they are in, sorted.
    pub(crate) placements: Vec<(u16, u16)>,
    /// Objects that are treated as the goal asks (lamps: switched on), sorted.
    pub(crate) treated: Vec<u16>,
}

/// A step of the plan at a receptacle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Move {
    pub(crate) step: PlanStep,
    pub(crate) receptacle: u16,
}

impl Move {
    pub(crate) const fn new(step: PlanStep, receptacle: u16) -> Self {
        Self { step, receptacle }
    }
}

/// The action of a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PlanStep {
    Take(u16),
    Put(u16),
    Treat(u16),
    Use(u16),
    Arrive,
}

/// The fixed side of a search.
pub(crate) struct Planner<'w> {
    world: &'w World,
    pub(crate) game: &'w Game,
    pub(crate) task: TaskType,
    /// Receptacles the goal's object can go into.
    pub(crate) targets: Vec<u16>,
    /// Receptacles that treat as the goal asks.
    pub(crate) appliances: Vec<u16>,
}

impl<'w> Planner<'w> {
    /// A planner for the current state of a room.
    pub(crate) fn new(world: &'w World) -> Self {
        let game = &**world.game();
        let task = game.task_type();
        let treats = task.treatment().map_or(0, |treatment| treatment.traits().1);
        let with = |property: u16| {
            game.orders.receptacles.iter().copied().filter(|thing| game.has(*thing, property)).collect()
        };
        Self { world, game, task, targets: with(traits::GOAL_TARGET), appliances: with(treats) }
    }

    /// The sketch of the room as it is.
    pub(crate) fn start(&self) -> Sketch {
        let state = &self.world.state;
        let light = self.task == TaskType::LookInLight;
        let lamp = |object: u16| light && self.game.has(object, traits::GOAL_TARGET);
        let relevant = |object: u16| self.is_wanted(object) || lamp(object);
        let matters = |(object, receptacle): &(u16, u16)| relevant(*object) && self.game.location(*receptacle) != NONE;
        let placements = state.contents.iter().map(|(receptacle, object)| (object, receptacle));
        let mut placements: Vec<(u16, u16)> = placements.filter(matters).collect();
        placements.sort_unstable();
        let done = |object: &u16| match lamp(*object) {
            true => state.is(*object, conditions::TOGGLED),
            false => self.world.treated(*object),
        };
        let mut treated: Vec<u16> = placements.iter().map(|pair| pair.0).chain(state.held()).collect();
        treated.retain(|object| relevant(*object) && done(object));
        treated.sort_unstable();
        treated.dedup();
        Sketch {
            location: state.location,
            holding: state.holding,
            fresh: true,
            opened: Vec::new(),
            placements,
            treated,
        }
    }

    pub(crate) fn is_wanted(&self, object: u16) -> bool {
        self.game.has(object, traits::GOAL_OBJECT)
    }

    /// Whether a plan may take this object: it is wanted, movable and can be treated.
    pub(crate) fn is_useful(&self, object: u16) -> bool {
        let treatment = self.task.treatment();
        let able = treatment.map_or(traits::PICKUPABLE, |treatment| treatment.traits().0);
        self.is_wanted(object) && self.game.has(object, traits::PICKUPABLE) && self.game.has(object, able)
    }

    pub(crate) fn is_accessible(&self, sketch: &Sketch, receptacle: u16) -> bool {
        self.world.accessible(receptacle) || sketch.opened.binary_search(&receptacle).is_ok()
    }

    /// Whether the goal holds.
    pub(crate) fn is_goal(&self, sketch: &Sketch) -> bool {
        match self.task {
            TaskType::LookInLight => {
                let at_lamp = |(lamp, receptacle): &(u16, u16)| {
                    self.is_lit(sketch, *lamp) && self.game.location(*receptacle) == sketch.location
                };
                self.is_wanted(sketch.holding) && sketch.placements.iter().any(at_lamp)
            }
            TaskType::PickTwo => self.most_in_one(sketch) >= 2,
            _ => {
                let placed = |(object, receptacle): &(u16, u16)| {
                    self.game.has(*receptacle, traits::GOAL_TARGET) && is_treated(sketch, *object)
                };
                sketch.placements.iter().any(placed)
            }
        }
    }

    pub(crate) fn is_lit(&self, sketch: &Sketch, lamp: u16) -> bool {
        self.game.has(lamp, traits::GOAL_TARGET) && is_treated(sketch, lamp)
    }

    /// The largest number of wanted objects in one target.
    pub(crate) fn most_in_one(&self, sketch: &Sketch) -> u32 {
        let inside = |target: &u16| sketch.placements.iter().filter(|pair| pair.1 == *target).count();
        let most = self.targets.iter().map(inside).max().unwrap_or(0);
        u32::try_from(most).unwrap_or(u32::MAX)
    }

    /// Whether a step needs the walk to its receptacle, and whether it needs it opened.
    fn needs(&self, sketch: &Sketch, step: Move) -> (bool, bool) {
        let walk = self.game.location(step.receptacle) != sketch.location;
        let open = match step.step {
            PlanStep::Take(_) | PlanStep::Put(_) => !self.is_accessible(sketch, step.receptacle),
            PlanStep::Treat(_) | PlanStep::Use(_) | PlanStep::Arrive => false,
        };
        (walk, open)
    }

    /// The state after a step, and how many commands it takes.
    pub(crate) fn after(&self, sketch: &Sketch, step: Move) -> (Sketch, u32) {
        let (walk, open) = self.needs(sketch, step);
        let mut next = sketch.clone();
        next.location = self.game.location(step.receptacle);
        if open {
            insert(&mut next.opened, step.receptacle);
        }
        match step.step {
            PlanStep::Take(object) => {
                next.placements.retain(|pair| *pair != (object, step.receptacle));
                next.holding = object;
                next.fresh = false;
            }
            PlanStep::Put(object) => {
                let lamp = self.task == TaskType::LookInLight && self.game.has(object, traits::GOAL_TARGET);
                if self.is_wanted(object) || lamp {
                    insert(&mut next.placements, (object, step.receptacle));
                }
                next.holding = NONE;
            }
            PlanStep::Treat(object) | PlanStep::Use(object) => insert(&mut next.treated, object),
            PlanStep::Arrive => {}
        }
        let action = u32::from(step.step != PlanStep::Arrive);
        (next, u32::from(walk) + u32::from(open) + action)
    }

    /// Appends the commands of a step.
    pub(crate) fn commands(&self, sketch: &Sketch, step: Move, commands: &mut Vec<String>) {
        let (walk, open) = self.needs(sketch, step);
        let mut push = |action: Action| {
            let mut command = String::new();
            self.game.write_command(action, &mut command);
            commands.push(command);
        };
        let receptacle = step.receptacle;
        if walk {
            push(Action::Go(receptacle));
        }
        if open {
            push(Action::Open(receptacle));
        }
        match step.step {
            PlanStep::Take(object) => push(Action::Take(object, receptacle)),
            PlanStep::Put(object) => push(Action::Put(object, receptacle)),
            PlanStep::Use(object) => push(Action::Use(object)),
            PlanStep::Treat(object) => {
                if let Some(treatment) = self.task.treatment() {
                    push(Action::Treat(treatment, object, receptacle));
                }
            }
            PlanStep::Arrive => {}
        }
    }
}

pub(crate) fn is_treated(sketch: &Sketch, object: u16) -> bool {
    sketch.treated.binary_search(&object).is_ok()
}

/// Adds an item to a sorted list, once.
fn insert<T: Ord>(list: &mut Vec<T>, item: T) {
    if let Err(position) = list.binary_search(&item) {
        list.insert(position, item);
    }
}
