//! Logs of short episodes, kept in `tests/logs/golden` and read by people when they change: for each, the
//! canonical log (`.jsonl`) and the transcript with its private parts (`.txt`).
//!
//! A change that is meant to change them writes them anew, and shows them in its diff:
//!
//! ```sh
//! UPDATE_GOLDEN=1 cargo test --test logs golden
//! ```

use std::fs;
use std::path::PathBuf;

use crate::support::binary::{rolecall, text};
use crate::support::shipped::root;

/// An episode: the name of its files, the shipped config (of a household game, where no folder is named), what
/// is set.
struct Golden {
    name: &'static str,
    config: &'static str,
    sets: &'static [&'static str],
}

const GOLDEN: [Golden; 54] = [
    Golden { name: "react", config: "react", sets: &["tasks.offset=2"] },
    Golden { name: "respact-helpful", config: "respact", sets: &["tasks.offset=11"] },
    Golden { name: "respact-perturbed", config: "respact-perturbed", sets: &["tasks.offset=6"] },
    Golden { name: "respact-unhelpful", config: "respact-unhelpful", sets: &["tasks.offset=2"] },
    Golden { name: "relay", config: "relay", sets: &["tasks.offset=11"] },
    Golden { name: "react-star", config: "react-star", sets: &["tasks.offset=9"] },
    Golden { name: "react-im", config: "react-im", sets: &["tasks.offset=94"] },
    Golden { name: "respact-im", config: "respact-im", sets: &["tasks.offset=17"] },
    Golden { name: "respact-schema", config: "respact-schema", sets: &["tasks.offset=39"] },
    // Two trials: the first of them too short.
    Golden {
        name: "react-reflexion",
        config: "react-reflexion",
        sets: &["tasks.offset=64", "limits.steps=12", "strategy.trials=3"],
    },
    Golden { name: "respact-reflexion", config: "respact-reflexion", sets: &["tasks.offset=2", "limits.steps=10"] },
    Golden { name: "aba", config: "aba", sets: &["tasks.offset=7"] },
    Golden { name: "aba-ambiguous", config: "aba-ambiguous", sets: &["tasks.offset=20"] },
    // It puts the wrong one there first.
    Golden { name: "react-ambiguous", config: "react-ambiguous", sets: &["tasks.offset=39"] },
    Golden { name: "aba-multi-round", config: "aba-multi-round", sets: &["tasks.offset=94", "strategy.rounds=3"] },
    Golden { name: "react-multi-round", config: "react-multi-round", sets: &["tasks.offset=94", "strategy.rounds=3"] },
    // A model that chooses by scores (ABA equation 4): the sum counts, and by token another one would
    // be chosen.
    Golden {
        name: "aba-score",
        config: "aba-model",
        sets: &[
            "tasks.offset=7",
            "models.agent.provider=scripted",
            "models.agent.script=tests/logs/golden/aba-score.replies.jsonl",
            "cache.mode=off",
            "roles.executor.shots=1",
        ],
    },
    // A model without exemplars.
    Golden {
        name: "respact-zero-shot",
        config: "respact-zero-shot",
        sets: &[
            "tasks.offset=11",
            "models.agent.provider=scripted",
            "models.agent.script=tests/logs/golden/respact-zero-shot.replies.jsonl",
            "cache.mode=off",
        ],
    },
    // A model that has to be mended once, and whose last answer is of no use.
    Golden {
        name: "model",
        config: "respact-model",
        sets: &[
            "tasks.offset=11",
            "models.agent.provider=scripted",
            "models.agent.script=tests/logs/golden/model.replies.jsonl",
            "cache.mode=off",
            "roles.executor.shots=1",
            "limits.attempts=2",
        ],
    },
    // Dialogue: each method once, over sources or over strategies.
    Golden { name: "dialogue-cot", config: "dialogue/cot", sets: &["environment.dataset=focus", "tasks.offset=3"] },
    Golden { name: "dialogue-react", config: "dialogue/react", sets: &["environment.dataset=cima", "tasks.offset=1"] },
    Golden { name: "dialogue-cue-cot", config: "dialogue/cue-cot", sets: &["environment.dataset=psyqa"] },
    Golden {
        name: "dialogue-chameleon",
        config: "dialogue/chameleon",
        sets: &["environment.dataset=cima", "tasks.offset=4"],
    },
    Golden { name: "dialogue-rewoo", config: "dialogue/rewoo", sets: &["environment.dataset=focus", "tasks.offset=8"] },
    Golden { name: "dialogue-tpe", config: "dialogue/tpe", sets: &["tasks.offset=5", "environment.top_k=2"] },
    Golden { name: "dialogue-tpe-merged", config: "dialogue/tpe-psyqa", sets: &["tasks.offset=2"] },
    // A conversation, in which the student leaves.
    Golden { name: "dialogue-tutor", config: "dialogue/tutor", sets: &[] },
    // Six actors, of whom one asks back.
    Golden { name: "dialogue-relay", config: "dialogue/relay", sets: &["tasks.offset=19"] },
    // The shop: each strategy and channel once.
    Golden { name: "shop-chatshop", config: "shop/chatshop", sets: &[] },
    Golden {
        name: "shop-chatshop-all",
        config: "shop/chatshop",
        sets: &["strategy.questions=all", "environment.channel=compare", "environment.questions=2"],
    },
    Golden {
        name: "shop-chatshop-interleave",
        config: "shop/chatshop",
        sets: &["strategy.questions=interleave", "strategy.reasoning=true", "environment.questions=2"],
    },
    Golden { name: "shop-webshop", config: "shop/webshop", sets: &[] },
    Golden { name: "shop-webshop-respact", config: "shop/webshop-respact", sets: &["tasks.offset=1"] },
    Golden { name: "shop-relay", config: "shop/relay", sets: &["environment.questions=2"] },
    // Booking: each profile, ReAct, and six actors.
    Golden { name: "booking-respact", config: "booking/booking-respact", sets: &["environment.taken=0.5"] },
    Golden { name: "booking-react", config: "booking/booking-react", sets: &["tasks.offset=1"] },
    Golden { name: "booking-reference", config: "booking/booking-reference", sets: &["tasks.offset=2"] },
    Golden { name: "booking-autotod", config: "booking/booking-autotod", sets: &["tasks.offset=3"] },
    Golden { name: "booking-relay", config: "booking/relay", sets: &["tasks.offset=4"] },
    // Travel: the cast by rules, each baseline by rules, each way of a model, and six actors.
    Golden { name: "travel-cep", config: "travel/cep", sets: &["tasks.offset=1"] },
    Golden { name: "travel-dynamic", config: "travel/cep", sets: &["tasks.offset=4", "strategy.execution=dynamic"] },
    Golden { name: "travel-truth", config: "travel/truth", sets: &["tasks.offset=5"] },
    Golden { name: "travel-brute-force", config: "travel/brute-force", sets: &["tasks.offset=6"] },
    Golden { name: "travel-environment-only", config: "travel/environment-only", sets: &["tasks.offset=6"] },
    Golden { name: "travel-greedy", config: "travel/greedy", sets: &["tasks.offset=4"] },
    Golden { name: "travel-relay", config: "travel/relay", sets: &["tasks.offset=6"] },
    Golden {
        name: "travel-direct",
        config: "travel/direct",
        sets: &[
            "tasks.offset=6",
            "models.agent.provider=scripted",
            "models.agent.script=tests/logs/golden/travel-direct.replies.jsonl",
            "cache.mode=off",
        ],
    },
    Golden {
        name: "travel-cot",
        config: "travel/cot",
        sets: &[
            "tasks.offset=4",
            "models.agent.provider=scripted",
            "models.agent.script=tests/logs/golden/travel-cot.replies.jsonl",
            "cache.mode=off",
        ],
    },
    Golden {
        name: "travel-react",
        config: "travel/react",
        sets: &[
            "tasks.offset=6",
            "models.agent.provider=scripted",
            "models.agent.script=tests/logs/golden/travel-react.replies.jsonl",
            "cache.mode=off",
        ],
    },
    Golden {
        name: "travel-reflexion",
        config: "travel/reflexion",
        sets: &[
            "tasks.offset=6",
            "models.agent.provider=scripted",
            "models.agent.script=tests/logs/golden/travel-reflexion.replies.jsonl",
            "cache.mode=off",
        ],
    },
    Golden {
        name: "travel-memory",
        config: "travel/memory",
        sets: &[
            "tasks.offset=6",
            "models.agent.provider=scripted",
            "models.agent.script=tests/logs/golden/travel-memory.replies.jsonl",
            "cache.mode=off",
        ],
    },
    Golden {
        name: "travel-proactive",
        config: "travel/proactive",
        sets: &[
            "tasks.offset=6",
            "models.agent.provider=scripted",
            "models.agent.script=tests/logs/golden/travel-proactive.replies.jsonl",
            "cache.mode=off",
        ],
    },
    Golden {
        name: "travel-procot",
        config: "travel/procot",
        sets: &[
            "tasks.offset=6",
            "models.agent.provider=scripted",
            "models.agent.script=tests/logs/golden/travel-procot.replies.jsonl",
            "cache.mode=off",
        ],
    },
    Golden {
        name: "travel-model",
        config: "travel/cep-model",
        sets: &[
            "tasks.offset=6",
            "models.agent.provider=scripted",
            "models.agent.script=tests/logs/golden/travel-model.replies.jsonl",
            "cache.mode=off",
        ],
    },
];

/// Plays the episode and gives its canonical log and its transcript.
fn play(golden: &Golden) -> (String, String) {
    let folder = tempfile::tempdir().unwrap();
    let config = match golden.config.contains('/') {
        true => format!("configs/{}.toml", golden.config),
        false => format!("configs/household/{}.toml", golden.config),
    };
    let logs = folder.path().to_str().unwrap();
    let mut arguments = vec!["run", &config, "--limit", "1", "--no-report", "-q"];
    arguments.extend(["--logs", logs, "--name", "run"]);
    for set in golden.sets {
        arguments.extend(["--set", set]);
    }
    let played = rolecall(root(), &arguments).output().unwrap();
    let run = folder.path().join("run");
    assert!(run.join("results.jsonl").exists(), "{played:?}");
    let said = |arguments: &[&str]| {
        let output = rolecall(folder.path(), arguments).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        text(&output.stdout)
    };
    let run = run.to_str().unwrap();
    let canonical = said(&["logs", "canonical", run]);
    let transcript = said(&["show", run, "--transcripts", "--private", "--no-pager"]);
    (canonical, transcript)
}

/// Compares with the file, or writes it if that is wanted.
fn check(file: &str, now: &str, wrong: &mut Vec<String>) {
    let path: PathBuf = root().join("tests/logs/golden").join(file);
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(&path, now).unwrap();
        return;
    }
    let kept = fs::read_to_string(&path).unwrap_or_default();
    if kept != now {
        let mut lines = kept.lines().zip(now.lines()).enumerate();
        let first = lines.find(|(_, (kept, now))| kept != now);
        let told = match first {
            Some((line, (kept, now))) => format!("line {}\n  kept {kept}\n  now  {now}", line + 1),
            None => format!("{} lines kept, {} now", kept.lines().count(), now.lines().count()),
        };
        wrong.push(format!("{file}: {told}"));
    }
}

#[test]
fn episodes_are_played_and_shown_as_they_were() {
    let mut wrong = Vec::new();
    for golden in &GOLDEN {
        let (canonical, transcript) = play(golden);
        check(&format!("{}.jsonl", golden.name), &canonical, &mut wrong);
        check(&format!("{}.txt", golden.name), &transcript, &mut wrong);
    }
    assert!(
        wrong.is_empty(),
        "not as kept (UPDATE_GOLDEN=1 cargo test --test logs golden writes them anew):\n{}",
        wrong.join("\n")
    );
}

#[test]
fn nothing_is_kept_that_nobody_plays() {
    let mut names: Vec<String> = Vec::new();
    for entry in fs::read_dir(root().join("tests/logs/golden")).unwrap() {
        let entry = entry.unwrap();
        assert!(entry.metadata().unwrap().len() < 64 << 10, "{entry:?}");
        names.push(entry.file_name().to_string_lossy().into_owned());
    }
    names.sort();
    let mut known: Vec<String> = ["jsonl", "txt"]
        .iter()
        .flat_map(|kind| GOLDEN.iter().map(move |of| format!("{}.{kind}", of.name)))
        .chain(
            GOLDEN
                .iter()
                .filter(|of| of.sets.contains(&"models.agent.provider=scripted"))
                .map(|of| format!("{}.replies.jsonl", of.name)),
        )
        .collect();
    known.sort();
    assert_eq!(names, known);
}
