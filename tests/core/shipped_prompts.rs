//! The prompts that come with the crate, as a model reads them in household games.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use crate::support::binary;
use crate::support::puppet::{self, Puppet, reply, setup, user_setup};
use crate::support::shipped::{self, root};
use crate::support::toy;
use rolecall::environments::household::language::placements_in;
use rolecall::evaluation::Standing;
use rolecall::ports::Persona;
use rolecall::prompts::Exemplars;

/// The prompt of a card and its exemplars.
pub(super) fn persona(card: &str) -> Persona {
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

/// What is played: the config that it begins from, what is set, who reads which persona.
struct Case<'a> {
    config: &'a str,
    sets: &'a [&'a str],
    executor: &'a str,
    user: Option<&'a str>,
    steps: u32,
}

/// What everybody reads in the first built-in games, where the puppet says this.
fn read<S: AsRef<str>>(case: &Case<'_>, says: impl Fn(&str) -> S + Send + Sync + 'static) -> Vec<String> {
    let puppet = Puppet::new("m", move |asked| Ok(reply(says(&asked.prompt()).as_ref())));
    let puppet = puppet.with(|_| ());
    let mut plan = shipped::plan(&format!("household/{}", case.config), case.sets);
    for role in &mut plan.cells[0].roles {
        let mut played = setup(&[&puppet], "", &case.values());
        played.role = role.role.clone();
        played.persona = persona(match role.role.as_str() {
            "executor" => case.executor,
            _ => "reflexion/reflector",
        });
        role.factory = rolecall::roles::model::build(&played).unwrap();
    }
    if let Some(user) = case.user {
        let mut knows = user_setup(&[&puppet], "");
        knows.persona = persona(user);
        plan.cells[0].users[0].factory = rolecall::users::model::build(&knows).unwrap();
    }
    plan.cells[0].limits.steps = case.steps;
    plan.tasks.truncate(24);
    let played = toy::play(plan);
    for result in &played.launched.results {
        assert_ne!(result.standing(), Standing::Broken, "{result:?}");
    }
    puppet.asked().iter().map(|asked| asked.prompt()).collect()
}

impl Case<'_> {
    /// The parameters of the role: ABA's word for speaking.
    fn values(&self) -> Vec<(&'static str, serde_json::Value)> {
        let asks = self.executor.starts_with("aba");
        vec![("speech", if asks { "ask" } else { "speak" }.into())]
    }
}

/// What the executor and the user of ReSpAct and ReAct read: the executor asks, the user answers, the
/// executor looks.
fn prompts(strategy: &str, user: &str, settings: &[&str]) -> (Vec<String>, Vec<String>) {
    let speaks = strategy == "respact";
    let user = format!("users/{user}");
    let case = Case {
        config: strategy,
        sets: settings,
        executor: &format!("{strategy}/executor"),
        user: speaks.then_some(&*user),
        steps: 2,
    };
    let asked = read(&case, |prompt| {
        if prompt.contains("Agent Query:") {
            "Try the shelf 1."
        } else if prompt.contains("- SPEAK:") && !prompt.trim_end().ends_with("Human: Try the shelf 1.") {
            "Speak: Where is it?"
        } else {
            "Act: look"
        }
    });
    asked.into_iter().partition(|prompt| !prompt.contains("Agent Query:"))
}

#[test]
fn an_executor_reads_two_exemplars_of_its_tasks_type_in_the_games_wording() {
    for (wording, put, other) in [("as-game", "> move ", "> put "), ("classic", "> put ", "> move ")] {
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
                for label in ["1. Action Types:", "2. Response Format:", "4. Grammar Rules"] {
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
fn every_household_card_says_the_form_that_the_schema_demands() {
    for (strategy, card) in [
        ("respact", "respact"),
        ("react", "react"),
        ("respact-im", "respact-im"),
        ("react-im", "react-im"),
        ("respact-schema", "respact-schema"),
        ("aba", "aba"),
        ("aba", "aba-ambiguous"),
        ("aba", "aba-multi-round"),
        ("react", "react-multi-round"),
    ] {
        for moves in ["text", "json", "tools"] {
            let puppet = Puppet::new("m", |_| Ok(reply(r#"{"move": {"kind": "think", "text": "I look."}}"#)));
            let puppet = puppet.with(|_| ());
            let mut plan = shipped::plan(&format!("household/{strategy}"), &[] as &[&str]);
            let mut told = setup(&[&puppet], "", &[("moves", moves.into())]);
            told.persona = persona(&format!("{card}/executor"));
            plan.cells[0].roles[0].factory = rolecall::roles::model::build(&told).unwrap();
            plan.cells[0].limits.steps = 1;
            plan.tasks.truncate(1);
            toy::play(plan);
            let prompt = puppet.asked()[0].prompt();
            let lines = prompt.contains("ONE line") || prompt.contains("is one of three:");
            assert_eq!(lines, moves == "text", "{card}: {prompt}");
            let json = prompt.contains(r#"{"move":{"kind":"think","text":"[what you consider]"}}"#);
            assert_eq!(json, moves == "json", "{card}: {prompt}");
            assert_eq!(prompt.contains("Answer by calling"), moves == "tools", "{card}: {prompt}");
            assert!(!prompt.contains("finish"), "{card}: {prompt}");
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
            let plan = mine.lines().find_map(|line| line.strip_prefix("Oracle Information: "));
            plans.entry(user).or_insert_with(Vec::new).push(plan.map(str::to_owned));
        }
    }
    assert!(plans.remove("unhelpful").unwrap().iter().all(Option::is_none));
    // Episodes are played in any order.
    let sorted = |user| {
        let mut known: Vec<String> = plans[user].iter().flatten().cloned().collect();
        known.sort();
        known
    };
    let exact = sorted("helpful");
    assert_eq!(exact.len(), 24);
    assert!(exact.iter().all(|plan| plan.starts_with("['go to ") && numbers(plan)));
    let mut expected: Vec<String> = exact.iter().map(|plan| without_numbers(plan)).collect();
    expected.sort();
    assert_eq!(sorted("perturbed"), expected);
}

/// `['take mug from desk']` for `['take mug 1 from desk 2']`.
fn without_numbers(plan: &str) -> String {
    let mut text = String::new();
    for word in plan.split(' ') {
        let rest = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
        if rest.len() == word.len() && !text.is_empty() {
            text.push(' ');
        }
        text.push_str(rest);
    }
    text
}

#[test]
fn permutations_are_six_different_prompts() {
    let exemplars = persona("respact/executor").exemplars;
    let chosen = (0..6).map(|permutation| Exemplars::new(&exemplars, 2, permutation));
    let seen: BTreeSet<String> = chosen.map(|chosen| chosen.of("heat").to_string()).collect();
    assert_eq!(seen.len(), 6);
}

/// What the executor of a strategy without a user played by a model reads.
fn executors(strategy: &str, says: fn(&str) -> &'static str) -> Vec<String> {
    let speaks = !strategy.starts_with("react");
    let case = Case {
        config: if speaks { "respact" } else { "react" },
        sets: &[&format!("strategy.name={strategy}")],
        executor: &format!("{strategy}/executor"),
        user: None,
        steps: 3,
    };
    read(&case, says)
}

#[test]
fn an_inner_monologue_is_asked_for_its_next_thought() {
    for strategy in ["react-im", "respact-im"] {
        let asked = executors(strategy, |prompt| {
            if prompt.ends_with("> think:") { "I stand in a room. Sub-goal now: look around." } else { "look" }
        });
        let thoughts = asked.iter().filter(|prompt| prompt.ends_with("\n> think:"));
        assert_eq!((thoughts.count(), asked.len()), (2 * 24, 3 * 24));
        for prompt in asked {
            let ends = ["\n> think:", "\nOK.\n>"];
            assert!(ends.iter().any(|end| prompt.ends_with(end)), "{prompt}");
            assert_eq!(prompt.matches("Your task is to: ").count(), 3);
            let speaks = strategy == "respact-im";
            assert_eq!(prompt.contains("\n- SPEAK: "), speaks);
            assert_eq!(prompt.contains("\n> speak: "), speaks);
            let written = prompt.matches("\n> think: ").count();
            assert_eq!(prompt.matches("Sub-goal now: ").count(), written);
        }
    }
}

#[test]
fn the_schema_is_shown_with_the_purpose_and_an_example_of_each_act() {
    let asked = executors("respact-schema", |prompt| {
        if prompt.contains("Sir, where is it?") { "Act: look" } else { "Speak: [ReqForObjLocAndOD]: Sir, where is it?" }
    });
    assert_eq!(asked.len(), 3 * 24);
    for prompt in &asked {
        for (act, purpose) in rolecall::domain::DialogueAct::SCHEMA {
            let shown = format!("\n<{act}>: {purpose}\nExample: Speak: <{act}>: ");
            assert_eq!(prompt.matches(&shown).count(), 1, "{act}: {prompt}");
        }
        assert!(prompt.contains("\n> speak: <ReqForObjLocAndOD>: I am looking for "));
        assert!(!prompt.contains("\n\n\n"), "{prompt}");
    }
    let own = "\n> speak: <ReqForObjLocAndOD>: Sir, where is it?\nHuman: ";
    let later = asked.iter().filter(|prompt| prompt.contains(own));
    assert_eq!(later.count(), 2 * 24);
}

/// The last message, or what follows the exemplars in a prompt of one message.
fn own_part(prompt: &str) -> &str {
    let (_, last) = prompt.rsplit_once("\n---\n").unwrap_or(("", prompt));
    let parts = last.rsplit_once("Now this is your task, and what happened so far:");
    parts.map_or(last, |(_, own)| own)
}

#[test]
fn the_owner_reads_placements_and_wish_and_nobody_else_does() {
    for (variant, executor, wishes) in [
        ("standard", "aba/executor", false),
        ("ambiguous", "aba-ambiguous/executor", true),
        ("multi-round", "aba-multi-round/executor", false),
    ] {
        let case = Case {
            config: "respact",
            sets: &["strategy.name=aba", &format!("environment.variant={variant}")],
            executor,
            user: Some("users/owner"),
            steps: 2,
        };
        let asked = read(&case, |prompt| {
            if prompt.contains("Answer from this paragraph.") {
                "I wonder."
            } else if prompt.ends_with("\nI wonder.\n>") {
                "> look"
            } else {
                "> ask: Where is the thing?"
            }
        });
        let is_owners = |prompt: &String| prompt.contains("Answer from this paragraph.");
        let (owner, executor): (Vec<_>, Vec<_>) = asked.into_iter().partition(is_owners);
        assert_eq!((owner.len(), executor.len()), (24, 2 * 24), "{variant}");
        for prompt in &owner {
            let own = own_part(prompt);
            assert!(placements_in(own).count() > 10, "{own}");
            assert!(own.ends_with("\n\nQuestion: Where is the thing?"), "{own}");
            assert_eq!(own.contains(" You are looking for "), wishes, "{own}");
            assert_eq!(prompt.contains("I mean "), wishes, "{prompt}");
            assert_eq!(prompt.matches("\n---\n").count(), 9);
        }
        let rounds = variant == "multi-round";
        for prompt in &executor {
            let own = own_part(prompt);
            assert_eq!(placements_in(own).count(), 0, "{own}");
            assert!(!prompt.contains("You are looking for "), "{prompt}");
            assert!(prompt.ends_with("\n>") && !prompt.contains("Human:"), "{prompt}");
            let tasks = if rounds { 2 } else { 3 };
            assert_eq!(prompt.matches("Your task is to: ").count(), tasks);
            assert_eq!(prompt.contains("\nI mean "), wishes);
            assert_eq!(prompt.contains("### query: "), rounds);
        }
    }
}

/// Two trials of a strategy, with a lesson in between and likely places.
fn trials(around: &str) -> Vec<String> {
    let case = Case {
        config: if around.starts_with("react") { "react" } else { "respact" },
        sets: &[
            "strategy.name=reflexion",
            &format!("strategy.around={around}"),
            "strategy.trials=2",
            "environment.hints=classes",
            "roles.executor.persona=react/executor",
        ],
        executor: &format!("{around}/executor"),
        user: None,
        steps: 2,
    };
    read(&case, |prompt| {
        if prompt.ends_with("Write the lesson.") {
            "Learn: Do look into the safe."
        } else if prompt.ends_with("> think:") {
            "I stand in a room."
        } else if prompt.trim_end_matches(['>', '\n']).ends_with(" see nothing.") {
            "inventory"
        } else {
            "look"
        }
    })
}

#[test]
fn executors_are_told_lessons_and_likely_places_before_their_task() {
    let taught = "\n\nDo look into the safe.\n\n";
    for around in ["react", "respact", "react-im", "respact-im", "respact-schema", "aba"] {
        let reflects = |prompt: &String| prompt.ends_with("Write the lesson.");
        let (reflector, executor): (Vec<_>, Vec<_>) = trials(around).into_iter().partition(reflects);
        assert_eq!(reflector.len(), 24, "{around}");
        for prompt in &reflector {
            assert!(prompt.contains("\n[executor] > look\n"), "{prompt}");
            assert!(prompt.contains("\nStatus: not solved\n"), "{prompt}");
            // What the executor was entrusted with is its own.
            assert!(!prompt.contains("likely to be found"), "{prompt}");
        }
        let is_later = |prompt: &&String| prompt.contains(taught);
        let (later, first): (Vec<_>, Vec<_>) = executor.iter().partition(is_later);
        assert_eq!(later.len(), first.len(), "{around}");
        for prompt in later {
            let parts = [taught, "likely to be found in or on: ", "what happened so far:"];
            let order = parts.map(|part| prompt.rfind(part));
            assert!(order.is_sorted() && order[0].is_some(), "{order:?} {prompt}");
        }
        assert!(first.iter().all(|prompt| !prompt.contains("learned then")));
    }
}

/// The rows of the first trajectory of the expert that were played, an answer to oneself with what
/// asked for it: what is read, and what is written.
fn trajectory(setting: &str) -> Vec<(String, String)> {
    let folder = tempfile::tempdir().unwrap();
    let arguments = "data trajectories household --count 1 --out rows.jsonl --setting";
    let arguments: Vec<&str> = arguments.split(' ').chain([setting]).collect();
    let made = binary::rolecall(folder.path(), &arguments).output().unwrap();
    assert!(made.status.success(), "{made:?}");
    let rows = fs::read_to_string(folder.path().join("rows.jsonl")).unwrap();
    let mut played: Vec<(String, String)> = Vec::new();
    for row in rows.lines() {
        let row: serde_json::Value = serde_json::from_str(row).unwrap();
        let [context, output] = ["context", "output"].map(|key| row[key].as_str().unwrap());
        match played.last_mut() {
            _ if row["source"] == "query" => {}
            Some((before, first)) if context == format!("{before} {first}") => {
                *first = format!("{first} {output}");
            }
            _ => played.push((context.to_owned(), output.to_owned())),
        }
    }
    played
}

#[test]
fn a_trajectory_of_the_expert_is_what_a_model_reads_that_plays_it() {
    for (variant, executor) in [("standard", "aba/executor"), ("multi-round", "aba-multi-round/executor")] {
        let rows = trajectory(variant);
        let rounds = variant == "multi-round";
        let case = Case {
            config: "respact",
            sets: &[
                "strategy.name=aba",
                &format!("strategy.rounds={}", if rounds { 3 } else { 1 }),
                &format!("environment.variant={variant}"),
                "environment.split=train",
                "environment.games=1",
                "user.kind=owner",
                "user.placements=current",
                "user.sees=dialogue+observations",
            ],
            executor,
            user: None,
            steps: 50,
        };
        let written: BTreeMap<String, String> = rows.iter().cloned().collect();
        let asked = read(&case, move |prompt| {
            let output = written.get(own_part(prompt).trim_start_matches('\n'));
            output.cloned().unwrap_or_else(|| "look".to_owned())
        });
        // The next tasks are drawn by other seeds.
        let next = ". Your next task is to: ";
        let until = rows.iter().position(|(context, _)| context.contains(next));
        assert_eq!(until.is_some(), rounds, "{variant}");
        let shown = until.map_or(rows.len(), |until| until + 1);
        assert!(shown > 5 && asked.len() >= shown, "{variant}");
        for (prompt, (context, _)) in asked.iter().zip(&rows).take(shown) {
            let prompt = own_part(prompt).trim_start_matches('\n');
            let cut = |text: &str| text.split_inclusive(next).next().unwrap().to_owned();
            assert_eq!(cut(prompt), cut(context), "{variant}");
            for text in [prompt, context] {
                let after = text.split_once(next).map(|(_, after)| after);
                assert!(after.is_none_or(|after| after.find('\n') == Some(after.len() - 2)), "{text}");
            }
        }
    }
}

#[test]
fn react_reads_the_trajectory_of_several_rounds_that_aba_reads_without_speech() {
    let table = fs::read_to_string(root().join("configs/papers/aba-fig3.toml")).unwrap();
    let table: toml::Table = table.parse().unwrap();
    let method = &table["matrix"]["method"];
    let [react, aba] = ["react", "aba"].map(|name| {
        let executor = &method[name]["roles"]["executor"];
        assert_eq!(executor["shots"].as_integer(), Some(1));
        executor["persona"].as_str().unwrap()
    });
    let strategies = [(react, "react", false), (aba, "respact", true)];
    for (executor, config, asks) in strategies {
        let case = Case {
            config,
            sets: &[
                "environment.variant=multi-round",
                "strategy.rounds=3",
                if asks { "strategy.name=aba" } else { "strategy.name=react" },
            ],
            executor,
            user: None,
            steps: 1,
        };
        for prompt in read(&case, |_| "look") {
            assert_eq!(prompt.matches(". Your next task is to: ").count(), 3, "{prompt}");
            assert_eq!(prompt.matches("Your task is to: ").count(), 2, "{prompt}");
            assert_eq!(prompt.contains("\n> ask: "), asks, "{prompt}");
        }
    }
}
