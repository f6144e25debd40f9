//! The prompts that come with the crate, as a model reads them in household games.

#![allow(clippy::unwrap_used)]

mod puppet;
mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use puppet::{Puppet, reply, setup, user_setup};
use rolecall::config::{Request, load};
use rolecall::evaluation::Standing;
use rolecall::ports::Persona;
use rolecall::prompts::Exemplars;
use rolecall::registry::Registry;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The prompt of a card and its exemplars.
fn persona(card: &str) -> Persona {
    let card = root().join("agents").join(format!("{card}.toml"));
    let folder = card.parent().unwrap();
    let card: toml::Table = fs::read_to_string(&card).unwrap().parse().unwrap();
    let read = |file: &str| fs::read_to_string(folder.join(file)).unwrap();
    let files = card["exemplars"].as_array().unwrap().iter();
    let files = files.map(|file| file.as_str().unwrap());
    Persona {
        prompt: read(card["prompt"].as_str().unwrap()),
        exemplars: files.map(|file| (file.to_owned(), read(file))).collect(),
        ..puppet::persona("")
    }
}

/// What the executor and the user read in the first built-in games: the executor asks, the user
/// answers, the executor looks.
fn prompts(strategy: &str, user: &str, settings: &[&str]) -> (Vec<String>, Vec<String>) {
    let speaks = strategy == "respact";
    let puppet = Puppet::new("m", move |asked| {
        let prompt = asked.prompt();
        Ok(reply(if prompt.contains("Agent Query:") {
            "Try the shelf 1."
        } else if speaks && !prompt.trim_end().ends_with("Human: Try the shelf 1.") {
            "Speak: Where is it?"
        } else {
            "Act: look"
        }))
    });
    let puppet = puppet.with(|_| ());
    let request = Request {
        file: root().join(format!("configs/household/{strategy}.toml")),
        sets: settings.iter().map(|set| (*set).to_owned()).collect(),
        working: root().to_owned(),
        ..Request::default()
    };
    let mut plan = load(&request, Registry::standard()).unwrap().plan;
    let mut role = setup(&[&puppet], "", &[]);
    role.persona = persona(&format!("{strategy}/executor"));
    plan.cells[0].roles[0].factory = rolecall::roles::model::build(&role).unwrap();
    if speaks {
        let mut knows = user_setup(&[&puppet], "");
        knows.persona = persona(&format!("users/{user}"));
        plan.cells[0].users[0].factory = rolecall::users::model::build(&knows).unwrap();
    }
    plan.cells[0].limits.steps = 2;
    plan.tasks.truncate(24);
    let played = support::play(plan);
    for result in &played.launched.results {
        assert_ne!(result.standing(), Standing::Broken, "{result:?}");
    }
    let asked: Vec<String> = puppet.asked().iter().map(|asked| asked.prompt()).collect();
    asked
        .into_iter()
        .partition(|prompt| !prompt.contains("Agent Query:"))
}

#[test]
fn an_executor_reads_two_exemplars_of_its_tasks_type_in_the_games_wording() {
    for (wording, put, other) in [
        ("as-game", "> move ", "> put "),
        ("classic", "> put ", "> move "),
    ] {
        for strategy in ["respact", "react"] {
            let settings = format!("environment.commands={wording}");
            let (executor, _) = prompts(strategy, "helpful", &[&settings]);
            assert_eq!(executor.len(), 2 * 24);
            let mut types = BTreeSet::new();
            for prompt in &executor {
                assert_eq!(prompt.matches("Your task is to: ").count(), 3, "{prompt}");
                assert_eq!(prompt.contains("\n> speak: "), strategy == "respact");
                assert!(!prompt.contains(&format!("\n{other}")), "{prompt}");
                let form = put.trim_start_matches("> ");
                assert!(prompt.contains(&format!("\n{form}{{object}}")), "{prompt}");
                for label in [
                    "1. Action Types:",
                    "2. Response Format:",
                    "4. Grammar Rules",
                ] {
                    assert!(prompt.contains(label), "{label}");
                }
                types.insert(prompt.matches(&format!("\n{put}")).count().min(4));
            }
            // Looking under a lamp puts nothing, two things are put twice an exemplar.
            assert_eq!(types, BTreeSet::from([0, 2, 4]), "{strategy} {wording}");
        }
    }
}

#[test]
fn users_read_what_they_know_and_no_more() {
    let read = |user| prompts("respact", user, &[]).1;
    let numbers = |text: &str| text.chars().any(|letter| letter.is_ascii_digit());
    let mut plans = BTreeMap::new();
    for user in ["helpful", "perturbed", "unhelpful"] {
        let all = read(user);
        assert_eq!(all.len(), 24);
        for prompt in all {
            assert!(prompt.contains("Agent Query: Where is it?"), "{prompt}");
            let (_, mine) = prompt.rsplit_once("\n---\n").unwrap();
            let plan = mine
                .lines()
                .find_map(|line| line.strip_prefix("Oracle Information: "));
            plans
                .entry(user)
                .or_insert_with(Vec::new)
                .push(plan.map(str::to_owned));
        }
    }
    assert!(plans["unhelpful"].iter().all(Option::is_none));
    let known = plans["helpful"].iter().zip(&plans["perturbed"]);
    for (exact, vague) in known {
        let (exact, vague) = (exact.as_deref().unwrap(), vague.as_deref().unwrap());
        assert!(exact.starts_with("['go to ") && numbers(exact), "{exact}");
        assert!(!numbers(vague), "{vague}");
        // Names are numbered `class number`.
        let words = exact.split(' ').map(|word| {
            let end = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
            (word.len() == end.len(), end)
        });
        let mut expected = String::new();
        for (is_word, text) in words {
            if is_word && !expected.is_empty() {
                expected.push(' ');
            }
            expected.push_str(text);
        }
        assert_eq!(vague, expected);
    }
}

#[test]
fn permutations_are_six_different_prompts() {
    let exemplars = persona("respact/executor").exemplars;
    let chosen = (0..6).map(|permutation| Exemplars::new(&exemplars, 2, permutation));
    let seen: BTreeSet<String> = chosen.map(|chosen| chosen.of("heat").to_string()).collect();
    assert_eq!(seen.len(), 6);
}
