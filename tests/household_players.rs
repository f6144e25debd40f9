//! The rule-based player and its users over official games.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test that cannot go on should stop; figures are for those who ask for them"
)]

mod players;

use std::path::PathBuf;
use std::sync::Arc;

use players::{Cast, Played, play, tasks};
use rolecall::domain::Seed;
use rolecall::ports::{ParameterValue, TaskSource};

/// The casts that are compared; without a user it is ReAct.
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

fn builtin() -> Arc<dyn TaskSource> {
    tasks(&[("data", ParameterValue::Path(PathBuf::from("builtin")))])
}

fn play_all(tasks: &dyn TaskSource, cast: &Cast) -> Vec<Played> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    let play_one = |index| runtime.block_on(play(&tasks.open(index).unwrap(), cast));
    (0..tasks.len()).map(play_one).collect()
}

fn solved(played: &[Played]) -> usize {
    played.iter().filter(|episode| episode.success).count()
}

fn mean_steps(played: &[Played]) -> f64 {
    let steps: u32 = played.iter().map(|episode| episode.steps).sum();
    f64::from(steps) / played.len().max(1) as f64
}

/// Plays all tasks with each cast of [`USERS`], in that order.
fn play_cells(tasks: &dyn TaskSource) -> [Vec<Played>; 4] {
    USERS.map(|user| play_all(tasks, &Cast::of_rules(user, true)))
}

/// Prints what `rolecall run` would print, for those who run the tests with `--nocapture`.
fn print_figures(title: &str, cells: &[Vec<Played>; 4]) {
    for (user, played) in USERS.iter().zip(cells) {
        let count = played.len().max(1) as f64;
        let mean = |figure: fn(&Played) -> u32| {
            let sum: u32 = played.iter().map(figure).sum();
            f64::from(sum) / count
        };
        let within = |limit| {
            let quick = |episode: &&Played| episode.success && episode.steps <= limit;
            played.iter().filter(quick).count()
        };
        println!(
            "{title:14} {:9} solved {}/{} (within 30: {}, 20: {}, 15: {}) steps {:.2} thoughts {:.2} questions {:.2} invalid {:.2}",
            user.unwrap_or("react"),
            solved(played),
            played.len(),
            within(30),
            within(20),
            within(15),
            mean_steps(played),
            mean(|episode| episode.thoughts),
            mean(|episode| episode.questions),
            mean(|episode| episode.invalid),
        );
    }
}

#[test]
fn asking_a_helpful_user_pays_and_an_unhelpful_one_costs() {
    for split in ["valid_unseen", "valid_seen"] {
        let Some(tasks) = official(split, false) else {
            return;
        };
        let cells = play_cells(&*tasks);
        print_figures(split, &cells);
        let [react, helpful, perturbed, unhelpful] = &cells;
        assert!(solved(helpful) * 100 >= 95 * tasks.len());
        assert!(solved(react) < solved(helpful));
        assert!(solved(unhelpful) < solved(react));
        assert!(mean_steps(helpful) < mean_steps(perturbed));
        assert!(mean_steps(perturbed) < mean_steps(react));
        assert!(mean_steps(react) < mean_steps(unhelpful));
        let most = unhelpful.iter().map(|episode| episode.questions).max();
        assert!(
            most <= Some(10),
            "a user who does not help is not asked for ever: {most:?}"
        );
        assert!(react.iter().all(|episode| episode.questions == 0));
    }
}

#[test]
fn the_wording_of_the_game_makes_no_difference() {
    let (Some(own), Some(classic), Some(old)) = (
        official("valid_unseen", false),
        official("valid_unseen", true),
        official("old_style", false),
    ) else {
        return;
    };
    for user in [None, Some("helpful")] {
        let cast = Cast::of_rules(user, true);
        let steps = |played: Vec<Played>| -> Vec<u32> {
            played.iter().map(|episode| episode.steps).collect()
        };
        assert_eq!(
            steps(play_all(&*own, &cast)),
            steps(play_all(&*classic, &cast))
        );
        let old = play_all(&*old, &cast);
        assert_eq!(solved(&old), old.len());
    }
}

#[test]
fn a_fresh_player_goes_on_where_another_stopped() {
    let tasks = builtin();
    for user in USERS {
        let cast = Cast::of_rules(user, true);
        let forgetful = Cast {
            forgetful: true,
            ..cast.clone()
        };
        for (one, other) in play_all(&*tasks, &cast)
            .iter()
            .zip(play_all(&*tasks, &forgetful))
        {
            assert_eq!(one.transcript, other.transcript);
        }
    }
}

#[test]
fn builtin_games_are_solved_with_a_user_who_knows() {
    let tasks = builtin();
    let cells = play_cells(&*tasks);
    print_figures("builtin", &cells);
    let [_, helpful, perturbed, _] = cells;
    for episode in helpful.iter().chain(&perturbed) {
        assert!(episode.success, "{}", episode.transcript.join("\n"));
    }
}

#[test]
fn a_vague_user_never_says_a_number() {
    let tasks = builtin();
    for episode in play_all(&*tasks, &Cast::of_rules(Some("perturbed"), true)) {
        let replies = episode
            .transcript
            .iter()
            .filter(|line| line.starts_with("Human: "));
        for reply in replies {
            assert!(
                !reply.contains(|letter: char| letter.is_ascii_digit()),
                "{reply}"
            );
        }
    }
}

#[test]
fn another_seed_words_and_guesses_otherwise() {
    let tasks = builtin();
    let mut cast = Cast::of_rules(Some("unhelpful"), true);
    let talks = |cast: &Cast| -> Vec<Vec<String>> {
        let played = play_all(&*tasks, cast);
        played
            .into_iter()
            .map(|episode| episode.transcript)
            .collect()
    };
    let first = talks(&cast);
    assert_eq!(first, talks(&cast));
    cast.seed = Seed(2);
    assert_ne!(first, talks(&cast));
}
