//! Rooms as they are drawn up: places with receptacles, what lies in them, and a task.
//!
//! The text form has one block a room:
//!
//! ```text
//! room kitchen-breakfast
//! task heat egg diningtable
//! cabinet = plate, bowl
//! stoveburner = pan & stoveburner
//! ```
//!
//! A line is one location; `&` parts receptacles that share it. Receptacles and objects are numbered
//! in the order in which they stand there. A `*` after the task type asks for the second wording.

use thiserror::Error;

use super::catalogue::{self, ObjectClass, ReceptacleClass};
use crate::environments::household::TaskType;

/// Something wrong in the text of a room.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("line {line} of the rooms: {reason}")]
pub struct RoomError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong.
    pub reason: String,
}

/// A room with its task.
#[derive(Debug, Clone)]
pub struct Room {
    /// Its name, in kebab case.
    pub name: String,
    pub(crate) task: TaskType,
    pub(crate) object: &'static ObjectClass,
    /// Name of the target receptacle's or lamp's class.
    pub(crate) target: &'static str,
    /// Uses the second wording of the task sentence.
    pub(crate) second_wording: bool,
    pub(crate) locations: Vec<Vec<Receptacle>>,
}

/// A receptacle with what is in it.
#[derive(Debug, Clone)]
pub(crate) struct Receptacle {
    pub(crate) class: &'static ReceptacleClass,
    pub(crate) objects: Vec<&'static ObjectClass>,
}

impl Room {
    /// Reads the rooms of a text.
    ///
    /// # Errors
    /// For lines that are no room, task or location, unknown classes, and objects that do not fit.
    pub fn parse(text: &str) -> Result<Vec<Self>, RoomError> {
        let mut rooms: Vec<Self> = Vec::new();
        let mut name: Option<&str> = None;
        for (index, line) in text.lines().enumerate() {
            let fail = |reason: String| RoomError {
                line: index + 1,
                reason,
            };
            let line = line.split('#').next().unwrap_or_default().trim();
            if line.is_empty() {
                continue;
            }
            if let Some(found) = line.strip_prefix("room ") {
                name = Some(found.trim());
            } else if let Some(task) = line.strip_prefix("task ") {
                let name = name
                    .take()
                    .ok_or_else(|| fail("a task stands before its `room` line".to_owned()))?;
                rooms.push(Self::with_task(name, task).map_err(fail)?);
            } else {
                let room = rooms
                    .last_mut()
                    .ok_or_else(|| fail("a location stands before its `task` line".to_owned()))?;
                let receptacles: Result<Vec<_>, String> = line.split('&').map(receptacle).collect();
                room.locations.push(receptacles.map_err(fail)?);
            }
        }
        Ok(rooms)
    }

    fn with_task(name: &str, task: &str) -> Result<Self, String> {
        let words: Vec<&str> = task.split_whitespace().collect();
        let [kind, object, target] = words.as_slice() else {
            return Err(format!(
                "expected `task TYPE OBJECT TARGET`, found `task {task}`"
            ));
        };
        let short = kind.trim_end_matches('*');
        let task = TaskType::ALL
            .into_iter()
            .find(|known| known.short() == short);
        let task = task.ok_or_else(|| {
            format!("unknown task type `{short}`; use put, puttwo, clean, heat, cool or examine")
        })?;
        let object = catalogue::object_class(object)
            .ok_or_else(|| format!("unknown object class `{object}`"))?;
        let found = match task {
            TaskType::LookInLight => catalogue::object_class(target).map(|class| class.name),
            TaskType::PickAndPlace
            | TaskType::PickTwo
            | TaskType::PickClean
            | TaskType::PickHeat
            | TaskType::PickCool => catalogue::receptacle(target).map(|class| class.name),
        };
        let target = found.ok_or_else(|| format!("unknown target class `{target}`"))?;
        let second_wording = kind.ends_with('*');
        Ok(Self {
            name: name.to_owned(),
            task,
            object,
            target,
            second_wording,
            locations: Vec::new(),
        })
    }

    /// The task type.
    pub fn task_type(&self) -> TaskType {
        self.task
    }

    /// The receptacles in order, with the index of their location.
    pub(crate) fn receptacles(&self) -> impl Iterator<Item = (usize, &Receptacle)> {
        self.locations
            .iter()
            .enumerate()
            .flat_map(|(location, here)| here.iter().map(move |one| (location, one)))
    }
}

/// Reads `class` or `class = object, object`.
fn receptacle(text: &str) -> Result<Receptacle, String> {
    let (class, objects) = text.split_once('=').unwrap_or((text, ""));
    let class = class.trim();
    let class = catalogue::receptacle(class)
        .ok_or_else(|| format!("unknown receptacle class `{class}`"))?;
    let mut found = Vec::new();
    for object in objects
        .split(',')
        .map(str::trim)
        .filter(|object| !object.is_empty())
    {
        let object = catalogue::object_class(object)
            .ok_or_else(|| format!("unknown object class `{object}`"))?;
        if !class.accepts(object) {
            return Err(format!(
                "`{}` does not fit into `{}`",
                object.name, class.name
            ));
        }
        found.push(object);
    }
    Ok(Receptacle {
        class,
        objects: found,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_name_the_line() {
        let fault = Room::parse("room x\ntask heat egg shelf\ncabinet = egg").unwrap_err();
        assert_eq!(
            fault,
            RoomError {
                line: 3,
                reason: "`Egg` does not fit into `Cabinet`".to_owned()
            }
        );
        assert_eq!(Room::parse("cabinet").unwrap_err().line, 1);
        assert_eq!(
            Room::parse("room x\ntask boil egg shelf").unwrap_err().line,
            2
        );
    }

    #[test]
    fn locations_may_be_shared() {
        let rooms =
            Room::parse("room x\ntask put* mug shelf\nshelf = mug, cup & shelf # two\n\ncabinet\n")
                .unwrap();
        let places: Vec<usize> = rooms[0]
            .receptacles()
            .map(|(location, _)| location)
            .collect();
        assert_eq!(places, [0, 0, 1]);
        assert!(rooms[0].second_wording);
    }
}
