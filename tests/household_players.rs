//! The rule-based player and its users over official games.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod players;

use std::path::PathBuf;
use std::sync::Arc;

use players::{Cast, Played, play, tasks};
use rolecall::ports::{ParameterValue, TaskSource};

const USERS: [Option<&str>; 4] = [None, Some("helpful"), Some("perturbed"), Some("unhelpful")];

fn official(split: &str, classic: bool) -> Option<Arc<dyn TaskSource>> {
    let Some(data) = std::env::var_os("ROLECALL_DATA") else {
        println!("skipped: ROLECALL_DATA is not set");
        return None;
    };
    let wording = if classic { "classic" } else { "as-game" };
    let (folder, split) = match split {
        "old_style" => ("household/old_style", ""),
        split => ("household/json_2.1.1", split),
    };
    Some(tasks(&[
        (
            "data",
            ParameterValue::Path(PathBuf::from(data).join(folder)),
        ),
        ("split", ParameterValue::Text(split.to_owned())),
        ("commands", ParameterValue::Text(wording.to_owned())),
        ("observations", ParameterValue::Text(wording.to_owned())),
    ]))
}

fn play_all(tasks: &dyn TaskSource, cast: &Cast) -> Vec<Played> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    let play_one = |index| runtime.block_on(play(&tasks.open(index).unwrap(), cast));
    (0..tasks.len()).map(play_one).collect()
}

fn tidy() -> bool {
    std::env::var_os("UNTIDY").is_none()
}

fn solved(played: &[Played]) -> usize {
    played.iter().filter(|episode| episode.success).count()
}

fn row(title: &str, played: &[Played]) -> String {
    let count = played.len().max(1) as f64;
    let mean = |figure: fn(&Played) -> u32| {
        let sum: u32 = played.iter().map(figure).sum();
        f64::from(sum) / count
    };
    format!(
        "{title:32} {:3}/{:3} steps {:5.2} thoughts {:4.2} questions {:4.2} invalid {:4.2}",
        solved(played),
        played.len(),
        mean(|episode| episode.steps),
        mean(|episode| episode.thoughts),
        mean(|episode| episode.questions),
        mean(|episode| episode.invalid),
    )
}

/// The figures of every cell; run with `--ignored --nocapture`.
#[test]
#[ignore = "prints figures; the assertions are in the other tests"]
fn figures_of_every_cell() {
    let show = std::env::var("SHOW_FAILED").ok();
    let seeds: u64 = std::env::var("SEEDS")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(1);
    for (split, classic) in [
        ("valid_unseen", false),
        ("valid_seen", false),
        ("train", false),
        ("valid_unseen", true),
        ("old_style", false),
    ] {
        let Some(tasks) = official(split, classic) else {
            return;
        };
        for user in USERS {
            let mut played = Vec::new();
            for seed in 1..=seeds {
                let mut cast = Cast::of_rules(user, tidy());
                cast.seed = rolecall::domain::Seed(seed);
                played.extend(play_all(&*tasks, &cast));
            }
            let user = user.unwrap_or("react");
            println!(
                "{}",
                row(&format!("{split} classic={classic} {user}"), &played)
            );
            let mut steps: Vec<u32> = played.iter().map(|episode| episode.steps).collect();
            steps.sort_unstable_by(|one, two| two.cmp(one));
            steps.truncate(24);
            println!("    longest: {steps:?}");
            let mut kinds: Vec<&str> = played.iter().map(|episode| &*episode.kind).collect();
            kinds.sort_unstable();
            kinds.dedup();
            if split == "valid_unseen" && !classic {
                for kind in kinds {
                    let of_kind: Vec<_> = played
                        .iter()
                        .filter(|episode| episode.kind == kind)
                        .cloned()
                        .collect();
                    println!("{}", row(&format!("    {kind}"), &of_kind));
                }
            }
            if show.as_deref() == Some(&format!("{split}/{user}")) {
                for episode in played.iter().filter(|episode| !episode.success) {
                    println!("-----\n{}", episode.transcript.join("\n"));
                }
            }
        }
    }
}

#[test]
#[ignore = "prints transcripts"]
fn transcripts() {
    let Some(tasks) = official("valid_unseen", false) else {
        return;
    };
    for user in USERS {
        let played = play_all(&*tasks, &Cast::of_rules(user, tidy()));
        for index in [3, 50, 77, 100, 120] {
            println!(
                "----- {user:?} {index}\n{}",
                played[index].transcript.join("\n")
            );
        }
    }
}
