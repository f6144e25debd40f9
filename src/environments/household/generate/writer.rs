//! Writes a drawn game as the files of an official one.

use std::collections::BTreeMap;

use serde_json::json;

use super::contents::Content;
use super::floor::Receptacle;
use super::task::sentence;
use super::{Chore, FloorPlan, TaskType};
use crate::dialect::{DOMAIN, GRAMMAR, TASK_MARK};

/// Everything that was drawn for a game.
#[derive(Debug)]
pub(super) struct Drawn<'a> {
    pub(super) plan: &'a FloorPlan,
    pub(super) chore: &'a Chore,
    pub(super) contents: &'a [Content],
    /// Id of the location where the agent starts.
    pub(super) start: &'a str,
    /// The name of the game, which is that of its folder.
    pub(super) trial: &'a str,
}

/// The folder of a task's games, as official ones are called.
pub(super) fn folder(drawn: &Drawn<'_>) -> String {
    let (chore, plan) = (drawn.chore, drawn.plan);
    let (task, object) = (chore.task.prefix(), chore.object.name);
    format!("{task}-{object}-None-{}-{}", chore.target, plan.number)
}

/// The text of `game.tw-pddl`; without `walkthrough` it is still to be planned.
pub(super) fn game(drawn: &Drawn<'_>, problem: &str, walkthrough: Option<&[String]>) -> String {
    let sentence = sentence(drawn.chore, drawn.chore.second_wording);
    let mut game = json!({
        "pddl_domain": DOMAIN,
        "grammar": GRAMMAR.replace(TASK_MARK, &sentence),
        "pddl_problem": problem,
        "solvable": true,
    });
    if let (Some(commands), Some(game)) = (walkthrough, game.as_object_mut()) {
        game.insert("walkthrough".to_owned(), json!(commands));
    }
    game.to_string()
}

/// The text of `traj_data.json`, as far as the original reads it for games of the text world.
pub(super) fn trajectory(drawn: &Drawn<'_>, walkthrough: &[String]) -> String {
    let (chore, number) = (drawn.chore, drawn.plan.number);
    let light = chore.task == TaskType::LookInLight;
    let when = |wanted: bool| if wanted { chore.target } else { "" };
    let description = |second| {
        let sentence = sentence(chore, second);
        let (first, rest) = sentence.split_at(1);
        json!({
            "task_desc": format!("{}{rest}.", first.to_uppercase()),
            "high_descs": walkthrough,
            "votes": [],
        })
    };
    let trajectory = json!({
        "task_id": drawn.trial,
        "task_type": chore.task.prefix(),
        "pddl_params": {
            "mrecep_target": "",
            "object_sliced": false,
            "object_target": chore.object.name,
            "parent_target": when(!light),
            "toggle_target": when(light),
        },
        "scene": { "floor_plan": format!("FloorPlan{number}"), "scene_num": number },
        "turk_annotations": { "anns": [description(false), description(true)] },
    });
    format!("{trajectory:#}\n")
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

/// The PDDL problem, which is also the text of `initial_state.pddl`.
pub(super) fn problem(drawn: &Drawn<'_>) -> String {
    let plan = drawn.plan;
    let location_of = |one: &Receptacle| plan.locations.get(one.location).map_or("", String::as_str);
    let mut problem = Problem::default();
    problem.declare("agent1", "agent");
    problem.declare(drawn.start, "location");
    for location in &plan.locations {
        problem.declare(location, "location");
    }
    problem.fact(&["atLocation", "agent1", drawn.start]);
    for one in &plan.receptacles {
        problem.declare(&one.id, "receptacle");
        problem.fact(&["receptacleType", &one.id, &type_of(one.class.name)]);
        problem.fact(&["receptacleAtLocation", &one.id, location_of(one)]);
        if one.class.openable {
            problem.fact(&["openable", &one.id]);
        }
    }
    for content in drawn.contents {
        if let Some(holder) = plan.receptacles.get(content.receptacle) {
            write_object(&mut problem, content, &holder.id, location_of(holder));
        }
    }
    write_types(&mut problem, drawn);
    let Problem { objects, facts } = problem;
    format!(
        "(define (problem {})\n  (:domain household)\n  (:objects{objects})\n  (:init{facts})\n  (:goal {}))\n",
        drawn.trial,
        goal(drawn.chore)
    )
}

fn type_of(class: &str) -> String {
    format!("{class}Type")
}

fn write_object(problem: &mut Problem, content: &Content, holder: &str, location: &str) {
    let (id, class) = (content.id.as_str(), content.class);
    problem.declare(id, "object");
    problem.fact(&["objectType", id, &type_of(class.name)]);
    problem.fact(&["inReceptacle", id, holder]);
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
fn write_types(problem: &mut Problem, drawn: &Drawn<'_>) {
    let receptacles = drawn.plan.receptacles.iter().map(|one| one.class);
    let objects = drawn.contents.iter().map(|content| content.class);
    let receptacles: BTreeMap<_, _> = receptacles.map(|class| (class.name, class)).collect();
    let objects: BTreeMap<_, _> = objects.map(|class| (class.name, class)).collect();
    for name in receptacles.keys() {
        problem.declare(&type_of(name), "rtype");
    }
    for name in objects.keys() {
        problem.declare(&type_of(name), "otype");
    }
    for (receptacle, class) in &receptacles {
        for (name, _) in objects.iter().filter(|(_, object)| class.accepts(object)) {
            problem.fact(&["canContain", &type_of(receptacle), &type_of(name)]);
        }
    }
}

/// The goal in its official form.
fn goal(chore: &Chore) -> String {
    let (object, target) = (type_of(chore.object.name), type_of(chore.target));
    let placed = |more: &str| {
        format!(
            "(exists (?o - object ?r - receptacle) (and (objectType ?o {object}) (receptacleType ?r {target}) \
             (inReceptacle ?o ?r){more}))"
        )
    };
    match chore.task {
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
