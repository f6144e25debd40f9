//! Writes a room as the text of a `game.tw-pddl` file.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use serde_json::json;

use super::catalogue::{self, ObjectClass, ReceptacleClass};
use super::room::Room;
use crate::environments::household::TaskType;
use crate::environments::household::dialect::{DOMAIN, GRAMMAR, TASK_MARK};

/// The whole JSON text of a game in the new style; `walkthrough` is left out when there is none.
pub fn game_json(room: &Room, walkthrough: Option<&[String]>) -> String {
    let sentence = catalogue::sentence(
        room.task,
        room.object.name,
        room.target,
        room.second_wording,
    );
    let mut game = json!({
        "pddl_domain": DOMAIN,
        "grammar": GRAMMAR.replace(TASK_MARK, &sentence),
        "pddl_problem": problem(room),
        "solvable": true,
    });
    if let Some(commands) = walkthrough
        && let Some(game) = game.as_object_mut()
    {
        game.insert("walkthrough".to_owned(), json!(commands));
    }
    game.to_string()
}

/// Gives ids such that the first of a class in the room is number 1: numbers go down as ids go up.
#[derive(Default)]
struct Numbering {
    left: BTreeMap<&'static str, usize>,
}

impl Numbering {
    fn of(classes: impl Iterator<Item = &'static str>) -> Self {
        let mut numbering = Self::default();
        classes.for_each(|class| *numbering.left.entry(class).or_default() += 1);
        numbering
    }

    fn id(&mut self, class: &'static str) -> String {
        let left = self.left.entry(class).or_default();
        *left = left.saturating_sub(1);
        match class.strip_suffix("Basin") {
            Some(outer) => format!("{outer}_bar_{left:03}_bar_{class}"),
            None => format!("{class}_bar_{left:03}"),
        }
    }
}

/// Declarations and facts of a problem while they are written.
#[derive(Default)]
struct Problem {
    objects: String,
    facts: String,
}

impl Problem {
    fn declare(&mut self, id: &str, kind: &str) {
        self.objects.push_str(&format!("\n    {id} - {kind}"));
    }

    fn fact(&mut self, words: &[&str]) {
        self.facts.push_str(&format!("\n    ({})", words.join(" ")));
    }
}

fn location_id(index: usize) -> String {
    format!("loc_bar_{index:03}")
}

/// The PDDL problem of a room; the agent starts at a location of its own.
fn problem(room: &Room) -> String {
    let mut problem = Problem::default();
    problem.declare("agent1", "agent");
    for index in 0..=room.locations.len() {
        problem.declare(&location_id(index), "location");
    }
    problem.fact(&["atLocation", "agent1", &location_id(0)]);
    let mut places = Numbering::of(
        room.receptacles()
            .map(|(_, receptacle)| receptacle.class.name),
    );
    let things = room
        .receptacles()
        .flat_map(|(_, receptacle)| &receptacle.objects);
    let mut things = Numbering::of(things.map(|object| object.name));
    let mut place_classes: BTreeMap<&str, &ReceptacleClass> = BTreeMap::new();
    let mut thing_classes: BTreeMap<&str, &ObjectClass> = BTreeMap::new();
    for (index, receptacle) in room.receptacles() {
        let location = location_id(index + 1);
        let place = places.id(receptacle.class.name);
        place_classes.insert(receptacle.class.name, receptacle.class);
        write_receptacle(&mut problem, receptacle.class, &place, &location);
        for object in &receptacle.objects {
            let thing = things.id(object.name);
            thing_classes.insert(object.name, object);
            write_object(&mut problem, object, &thing, &place, &location);
        }
    }
    write_types(&mut problem, room, &place_classes, &thing_classes);
    let mut text = String::new();
    let Problem { objects, facts } = problem;
    // Writing into a string cannot fail.
    let _ = write!(
        text,
        "(define (problem {})\n  (:domain household)\n  (:objects{objects})\n",
        room.name
    );
    let _ = write!(text, "  (:init{facts})\n  (:goal {}))\n", goal(room));
    text
}

fn write_receptacle(problem: &mut Problem, class: &ReceptacleClass, id: &str, location: &str) {
    problem.declare(id, "receptacle");
    problem.fact(&["receptacleType", id, &format!("{}Type", class.name)]);
    problem.fact(&["receptacleAtLocation", id, location]);
    if class.openable {
        problem.fact(&["openable", id]);
    }
}

fn write_object(
    problem: &mut Problem,
    class: &ObjectClass,
    id: &str,
    receptacle: &str,
    location: &str,
) {
    problem.declare(id, "object");
    problem.fact(&["objectType", id, &format!("{}Type", class.name)]);
    problem.fact(&["inReceptacle", id, receptacle]);
    problem.fact(&["objectAtLocation", id, location]);
    for letter in class.properties.chars() {
        let property = match letter {
            'p' => "pickupable",
            'c' => "cleanable",
            'h' => "heatable",
            'l' => "coolable",
            's' => "sliceable",
            't' => "toggleable",
            _ => "isReceptacleObject",
        };
        problem.fact(&[property, id]);
    }
}

/// Declares the types and what fits where.
fn write_types(
    problem: &mut Problem,
    room: &Room,
    places: &BTreeMap<&str, &ReceptacleClass>,
    things: &BTreeMap<&str, &ObjectClass>,
) {
    let light = room.task == TaskType::LookInLight;
    let mut place_types: BTreeSet<&str> = places.keys().copied().collect();
    let mut thing_types: BTreeSet<&str> = things.keys().copied().collect();
    thing_types.insert(room.object.name);
    if light {
        thing_types.insert(room.target)
    } else {
        place_types.insert(room.target)
    };
    place_types
        .iter()
        .for_each(|name| problem.declare(&format!("{name}Type"), "rtype"));
    thing_types
        .iter()
        .for_each(|name| problem.declare(&format!("{name}Type"), "otype"));
    for (place, class) in places {
        for (thing, object) in things.iter().filter(|(_, object)| class.accepts(object)) {
            debug_assert_eq!(*thing, object.name);
            problem.fact(&[
                "canContain",
                &format!("{place}Type"),
                &format!("{thing}Type"),
            ]);
        }
    }
}

/// The goal in its official form.
fn goal(room: &Room) -> String {
    let (object, target) = (
        format!("{}Type", room.object.name),
        format!("{}Type", room.target),
    );
    let placed = |more: &str| {
        format!(
            "(exists (?o - object ?r - receptacle) (and (objectType ?o {object}) (receptacleType ?r {target}) \
             (inReceptacle ?o ?r){more}))"
        )
    };
    match room.task {
        TaskType::PickAndPlace => placed(""),
        TaskType::PickClean => placed(" (cleanable ?o) (isClean ?o)"),
        TaskType::PickHeat => placed(" (heatable ?o) (isHot ?o)"),
        TaskType::PickCool => placed(" (coolable ?o) (isCool ?o)"),
        TaskType::PickTwo => placed(&format!(
            " (exists (?o2 - object) (and (not (= ?o ?o2)) (objectType ?o2 {object}) (inReceptacle ?o2 ?r)))"
        )),
        TaskType::LookInLight => format!(
            "(and (exists (?l - object ?r - receptacle ?a - agent ?p - location) (and (objectType ?l {target}) \
             (toggleable ?l) (isToggled ?l) (inReceptacle ?l ?r) (receptacleAtLocation ?r ?p) (atLocation ?a ?p))) \
             (exists (?o - object ?a - agent) (and (objectType ?o {object}) (holds ?a ?o))))"
        ),
    }
}
