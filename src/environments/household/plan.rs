//! The shortest plan that reaches the goal of a room, from any state of it.
//!
//! The search goes over steps (take, put, treat, switch on, arrive) instead of commands: walking to a
//! receptacle and opening it can always be put off until just before the step that needs it, so no
//! plan is missed. Deeds that cannot be part of a shortest plan are left out, see `moves`. Nodes are
//! expanded in the order of a lower bound of the number of commands (A*), so the first plan found is
//! a shortest one.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustc_hash::FxHashMap;
use thiserror::Error;

use super::{Move, Planner, Sketch, World};

/// Bounds of a search in time and memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlanLimits {
    /// At most so many states are kept; a state takes about 200 bytes. Official games need fewer than
    /// a thousand.
    pub nodes: usize,
}

impl Default for PlanLimits {
    fn default() -> Self {
        Self { nodes: 100_000 }
    }
}

/// Commands that lead from a state of a room to its goal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// The commands, in the wording of the game; none when the goal holds already.
    pub commands: Vec<String>,
    /// How many states the search kept.
    pub nodes: usize,
}

/// Why there is no plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PlanError {
    /// The goal cannot be reached from this state.
    #[error("the goal cannot be reached from this state of the room")]
    Unreachable,
    /// The search was given up.
    #[error("no plan was found within {nodes} states; raise the limit of the search")]
    LimitReached {
        /// The limit.
        nodes: usize,
    },
}

/// A state that the search reached.
struct Node {
    sketch: Sketch,
    /// Commands so far.
    cost: u32,
    /// Index of the state before, and the step that led here; none at the start.
    before: Option<(usize, Move)>,
}

/// Finds a plan with the fewest commands. The same state always gives the same plan.
///
/// # Errors
/// When the goal cannot be reached, or not within `limits`.
pub fn shortest_plan(world: &World, limits: PlanLimits) -> Result<Plan, PlanError> {
    let planner = Planner::new(world);
    let start = planner.start();
    let mut best: FxHashMap<Sketch, u32> = FxHashMap::default();
    let mut nodes = vec![Node { sketch: start.clone(), cost: 0, before: None }];
    // Ties go to the state that was reached first.
    let mut queue = BinaryHeap::from([Reverse((planner.bound(&start), 0_usize))]);
    best.insert(start, 0);
    let mut moves = Vec::new();
    while let Some(Reverse((_, index))) = queue.pop() {
        let Some(node) = nodes.get_mut(index) else {
            continue;
        };
        // Lent for the time in which nodes are added, and put back after it.
        let (sketch, cost) = (std::mem::take(&mut node.sketch), node.cost);
        if best.get(&sketch).is_some_and(|known| *known < cost) {
            continue;
        }
        if planner.is_goal(&sketch) {
            let commands = commands(&planner, &nodes, index);
            return Ok(Plan { commands, nodes: nodes.len() });
        }
        moves.clear();
        planner.moves(&sketch, &mut moves);
        for step in &moves {
            let (next, length) = planner.after(&sketch, *step);
            let reached = cost + length;
            if best.get(&next).is_some_and(|known| *known <= reached) {
                continue;
            }
            if nodes.len() >= limits.nodes {
                return Err(PlanError::LimitReached { nodes: limits.nodes });
            }
            queue.push(Reverse((reached + planner.bound(&next), nodes.len())));
            best.insert(next.clone(), reached);
            nodes.push(Node { sketch: next, cost: reached, before: Some((index, *step)) });
        }
        if let Some(node) = nodes.get_mut(index) {
            node.sketch = sketch;
        }
    }
    Err(PlanError::Unreachable)
}

/// The commands that lead to a node, from the start on.
fn commands(planner: &Planner<'_>, nodes: &[Node], last: usize) -> Vec<String> {
    let mut steps = Vec::new();
    let mut index = last;
    while let Some((before, step)) = nodes.get(index).and_then(|node| node.before) {
        steps.push((before, step));
        index = before;
    }
    let mut commands = Vec::new();
    for (before, step) in steps.into_iter().rev() {
        if let Some(node) = nodes.get(before) {
            planner.commands(&node.sketch, step, &mut commands);
        }
    }
    commands
}
