//! The choice of games that are worth showing.

use std::collections::BTreeMap;

use super::Chosen;
use super::player::Setting;
use crate::TaskType;
use crate::memory::Query;
use rolecall_core::domain::{Counts, Event, Message, Move, PublicTask};
use rolecall_core::maps::ordered;

/// Moves of a trajectory that is worth showing, speech included: shorter ones show too little,
/// longer ones fill the prompt.
const STEPS: std::ops::RangeInclusive<usize> = 10..=25;

/// Moves of a trajectory of several tasks that is worth showing; the paper plays them for 50 moves.
const STEPS_OF_ROUNDS: std::ops::RangeInclusive<usize> = 25..=45;

/// The name of the trajectory of several tasks.
const ROUNDS: &str = "rounds";

/// Trajectories by task type, with the games' ids.
pub(super) struct Choice {
    per_type: usize,
    kinds: BTreeMap<String, Vec<(String, Vec<Event>)>>,
}

impl Choice {
    /// So many of each task type, or of trajectories of several tasks.
    pub(super) fn new(setting: Setting, per_type: usize) -> Self {
        let names = match setting {
            Setting::MultiRound => vec![ROUNDS],
            _ => TaskType::ALL.map(TaskType::short).to_vec(),
        };
        let kinds = names.into_iter().map(|name| (name.to_owned(), Vec::new()));
        let kinds = ordered(kinds);
        Self { per_type, kinds }
    }

    /// Whether there are enough.
    pub(super) fn is_complete(&self) -> bool {
        self.kinds.values().all(|taken| taken.len() >= self.per_type)
    }

    /// The cast that plays this game: the second of a type shows bad advice, which most prompts of two then have.
    pub(super) fn setting(&self, setting: Setting, task: &PublicTask) -> Setting {
        let taken = self.kinds.get(self.group(task)).map_or(0, Vec::len);
        match setting {
            Setting::Respact if taken == 1 => Setting::Misled,
            setting => setting,
        }
    }

    /// The group to which a game belongs.
    fn group<'a>(&'a self, task: &'a PublicTask) -> &'a str {
        match self.kinds.contains_key(ROUNDS) {
            true => ROUNDS,
            false => &task.kind,
        }
    }

    /// Whether one more of the type is wanted, and this one would show another thing, another
    /// place to put it (there is one class of lamp only) and another room than those taken.
    pub(super) fn wants(&self, task: &PublicTask) -> bool {
        let Some(taken) = self.kinds.get(self.group(task)) else {
            return false;
        };
        let one_target = task.kind == TaskType::LookInLight.short();
        let differs = |(other, _): &(String, _)| {
            let mut same = subject(&task.id).zip(subject(other)).map(|(here, there)| here == there);
            let [object, target, room] = [same.next(), same.next(), same.next()];
            object != Some(true) && room != Some(true) && (one_target || target != Some(true))
        };
        taken.len() < self.per_type && taken.iter().all(differs)
    }

    /// Takes a trajectory.
    pub(super) fn take(&mut self, task: &PublicTask, events: Vec<Event>) {
        let group = self.group(task).to_owned();
        self.kinds.entry(group).or_default().push((task.id.clone(), events));
    }

    /// The trajectories with their names: `put-1`, or `rounds` where there is one only.
    pub(super) fn named(self) -> Vec<Chosen> {
        let of_kind = |(kind, taken): (String, Vec<(String, Vec<Event>)>)| {
            let named = (1..).zip(taken).map(|(number, (_, events))| {
                let name = match &*kind {
                    ROUNDS => kind.clone(),
                    _ => format!("{kind}-{number}"),
                };
                (name, events)
            });
            named.collect::<Vec<_>>()
        };
        self.kinds.into_iter().flat_map(of_kind).collect()
    }
}

/// The subject of a game, from its id `SPLIT/TASKTYPE-Object-None-Target-Scene/TRIAL`: the object,
/// the target and the scene.
fn subject(id: &str) -> impl Iterator<Item = &str> {
    id.split('/')
        .nth(1)
        .unwrap_or_default()
        .split('-')
        .enumerate()
        .filter_map(|(place, part)| [1, 3, 4].contains(&place).then_some(part))
}

/// Solved, of moderate length, with a question, and without a command that the house refused; and
/// with what the setting is about.
pub(super) fn is_worth_showing(setting: Setting, events: &[Event]) -> bool {
    let solved = events.iter().any(|event| matches!(&event.message, Message::Closed(outcome) if outcome.success));
    let mut counts = Counts::default();
    for event in events {
        event.message.add_to(&mut counts);
    }
    let steps = usize::try_from(counts.steps).unwrap_or(usize::MAX);
    let (range, shows) = match setting {
        Setting::Respact | Setting::Aba => (STEPS, true),
        // Whoever sees through it asks again.
        Setting::Misled => (STEPS, counts.questions > 1),
        Setting::Ambiguous => (STEPS, states_a_preference(events)),
        Setting::MultiRound => (STEPS_OF_ROUNDS, recalls_and_asks(events)),
    };
    solved && range.contains(&steps) && counts.questions > 0 && counts.invalid == 0 && shows
}

/// Whether the owner says which thing is meant.
fn states_a_preference(events: &[Event]) -> bool {
    events.iter().any(|event| matches!(&event.message, Message::Replied(reply) if reply.text.starts_with("I mean ")))
}

/// Whether the player asks itself for what it knows and for what it does not know.
fn recalls_and_asks(events: &[Event]) -> bool {
    let known: Vec<bool> = events
        .iter()
        .filter_map(|event| match &event.message {
            Message::Moved(Move::Think { text }) => Query::read(text),
            _ => None,
        })
        .map(|query| query.is_known())
        .collect();
    known.contains(&true) && known.contains(&false)
}
