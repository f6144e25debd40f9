//! Samples of dialogue by every method, whose roles are a model that answers at once: what the runtime, the
//! prompts, the parsers, the retrieval and the metrics cost without a model.
//! Run with `cargo bench --bench dialogue_episodes`.
//!
//! Figures are processor time of the whole process, read from `/proc`, and time; elsewhere the bench says so and
//! stops. It does what `rolecall run` does once its config is read: opens tasks, plays, measures, writes the
//! log.

#![allow(missing_docs, clippy::unwrap_used, clippy::print_stdout, clippy::expect_used)]

mod measure;

use std::path::Path;
use std::sync::Arc;

use measure::{Spent, measured};
use rolecall::config::{Plan, Request, load};
use rolecall::log::{LogSettings, LogWriter};
use rolecall::runtime::{Launch, ResumeState};
use serde_json::json;
use tokio_util::sync::CancellationToken;

/// Samples that are played, and how often each.
const SAMPLES: usize = 25;
const REPEATS: usize = 8;

/// What all methods together are to stay below, by the clock.
const GOAL: &str = "0.3 s";

const RESPONSE: &str = "It was designed by the engineer Agatha Rowntree and finished in 1871.";

/// A method: its name, the moves of one sample (two in each answer of ReAct's), and its roles, each with its card (none: the strategy's own) and
/// what the model says at its turns.
type Method = (&'static str, u64, &'static [(&'static str, Option<&'static str>, &'static [&'static str])]);

const METHODS: [Method; 6] = [
    ("cot", 1, &[("executor", Some("cot-dialogue/executor"), &[RESPONSE])]),
    (
        "react",
        6,
        &[(
            "executor",
            Some("react-dialogue/executor"),
            &[
                "I need to know who built it.\nAction: DOCUMENT[who built it]",
                "I need to know what the user likes.\nAction: PERSONA[context]",
                "I can answer now.\nAction: Finish[It was designed by the engineer Agatha Rowntree.]",
            ],
        )],
    ),
    ("cue-cot", 2, &[("thinker", None, &["The user is curious about the place."]), ("executor", None, &[RESPONSE])]),
    (
        "chameleon",
        2,
        &[
            ("planner", None, &["[\"Persona_Retrieval\", \"Knowledge_Retrieval\", \"Answer_Generator\"]"]),
            ("executor", None, &[RESPONSE]),
        ],
    ),
    (
        "rewoo",
        2,
        &[
            (
                "planner",
                None,
                &[
                    "Plan: Find the builder.\n#E1 = DOCUMENT[who built it]\nPlan: Find what the user likes.\n#E2 = PERSONA[#E1]",
                ],
            ),
            ("executor", None, &[RESPONSE]),
        ],
    ),
    (
        "tpe",
        3,
        &[
            ("thinker", None, &["The user asks who built the bridge. I look for the builder."]),
            (
                "planner",
                None,
                &[
                    "Plan: Find the builder.\n#So1 = DOCUMENT[who built it]\nPlan: Find what the user likes.\n#So2 = PERSONA[So1]",
                ],
            ),
            ("executor", None, &[RESPONSE]),
        ],
    ),
];

/// The config of a method, with its script, in the folder.
fn plan(folder: &Path, (method, _, roles): &Method) -> Plan {
    let agents = Path::new(env!("CARGO_MANIFEST_DIR")).join("agents");
    let script = folder.join(format!("{method}.jsonl"));
    let mut text = format!(
        "name = \"{method}\"\nagents = '{}'\nseed = 1\nrepeats = {REPEATS}\ntasks.limit = {SAMPLES}\n\
         [environment]\nname = \"dialogue\"\ndataset = \"focus\"\n\
         [models.m]\nprovider = \"scripted\"\nscript = '{}'\n[strategy]\nname = \"{method}\"\n",
        agents.display(),
        script.display(),
    );
    let mut lines = String::new();
    for (role, card, says) in *roles {
        text += &format!("[roles.{role}]\nimplementation = \"model\"\nmodel = \"m\"\n");
        if let Some(card) = card {
            text += &format!("persona = \"{card}\"\n");
        }
        for said in *says {
            lines += &format!("{}\n", json!({ "seat": role, "text": said }));
        }
    }
    std::fs::write(&script, lines).unwrap();
    let file = folder.join(format!("{method}.toml"));
    std::fs::write(&file, text).unwrap();
    let request = Request { file, working: folder.to_owned(), ..Request::default() };
    let loaded = load(&request, rolecall::worlds());
    loaded.unwrap_or_else(|error| panic!("{error}")).plan
}

/// Plays all samples by one method; processor time and how many moves were made.
fn play(folder: &Path, method: &Method) -> (Spent, u64) {
    let plan = plan(folder, method);
    let writer =
        LogWriter::create(&folder.join(format!("{}-run", method.0)), &plan.record, &LogSettings::default()).unwrap();
    let launch = Launch {
        plan: Arc::new(plan),
        log: writer.handle(),
        metrics: rolecall::worlds().measured().into(),
        stop: CancellationToken::new(),
        resume_state: ResumeState::default(),
        orders: None,
    };
    let (launched, spent) = measured(|| {
        let launched = launch.run(&mut ()).unwrap();
        writer.close().unwrap();
        launched
    });
    assert_eq!(launched.results.len(), SAMPLES * REPEATS);
    assert!(launched.results.iter().all(|result| result.success));
    let steps = launched.results.iter();
    let steps = steps.map(|result| u64::from(result.counts.steps)).sum();
    (spent, steps)
}

fn main() {
    if !measure::is_possible() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let samples = SAMPLES * REPEATS;
    println!("{samples} samples of dialogue, a model that answers at once; seconds");
    println!("{:<12}{:>8}{:>12}{:>12}", "method", "moves", "CPU", "clock");
    let (mut wall, mut processor) = (0.0, 0.0);
    for method in &METHODS {
        let (spent, moves) = play(folder.path(), method);
        assert_eq!(moves, method.1 * samples as u64, "{}", method.0);
        println!("{:<12}{moves:>8}{:>12.2}{:>12.3}", method.0, spent.processor, spent.wall);
        processor += spent.processor;
        wall += spent.wall;
    }
    println!("all methods: {wall:.2} s by the clock (goal {GOAL}), {processor:.2} s of processor time");
}
