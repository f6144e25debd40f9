//! The rule-based player and its users over official games.

use crate::support::recordings::data;
use crate::support::{shipped, toy};
use rolecall::config::Plan;
use rolecall::domain::{Event, Message, Move, Seed};
use rolecall::evaluation::EpisodeResult;
use rolecall::runtime::verify;

/// The casts that are compared; without a user it is ReAct.
const USERS: [Option<&str>; 4] = [None, Some("helpful"), Some("perturbed"), Some("unhelpful")];

/// The shipped config of the cast, with further settings.
fn plan(user: Option<&str>, settings: &[String]) -> Plan {
    let name = if user.is_some() { "respact" } else { "react" };
    let user = user.map(|kind| format!("user.kind={kind}"));
    let sets: Vec<String> = user.into_iter().chain(settings.iter().cloned()).collect();
    shipped::plan(&format!("household/{name}"), &sets)
}

/// The settings for a few built-in games.
fn builtin() -> Vec<String> {
    vec!["environment.games=24".to_owned()]
}

/// The settings for official games.
fn official(split: &str, wording: &str) -> Option<Vec<String>> {
    let data = data("household")?;
    let (folder, split) = match split {
        "old_style" => ("old_style", ""),
        split => ("json_2.1.1", split),
    };
    let path = data.join(folder);
    Some(vec![
        format!("environment.data='{}'", path.display()),
        format!("environment.split='{split}'"),
        format!("environment.commands={wording}"),
        format!("environment.observations={wording}"),
    ])
}

/// An episode: its result and its events.
type Episode = (EpisodeResult, Vec<Event>);

/// Plays the plan; the episodes come in the order of tasks.
fn play(plan: Plan) -> Vec<Episode> {
    toy::play(plan).in_order()
}

fn solved(episodes: &[Episode]) -> usize {
    let solved = episodes.iter().filter(|(result, _)| result.success);
    solved.count()
}

fn steps(episodes: &[Episode]) -> Vec<u32> {
    let steps = episodes.iter().map(|(result, _)| result.counts.steps);
    steps.collect()
}

fn mean_steps(episodes: &[Episode]) -> f64 {
    f64::from(steps(episodes).iter().sum::<u32>()) / episodes.len().max(1) as f64
}

fn thoughts(episodes: &[Episode]) -> usize {
    let events = episodes.iter().flat_map(|(_, events)| events);
    let thoughts = events.filter(|event| matches!(event.message, Message::Moved(Move::Think { .. })));
    thoughts.count()
}

/// Plays the games with each cast of [`USERS`], in that order.
fn play_cells(settings: &[String]) -> [Vec<Episode>; 4] {
    USERS.map(|user| play(plan(user, settings)))
}

/// Prints what `rolecall run` would print, for those who run the tests with `--nocapture`.
fn print_figures(title: &str, cells: &[Vec<Episode>; 4]) {
    for (user, episodes) in USERS.iter().zip(cells) {
        let count = episodes.len().max(1) as f64;
        let mean = |figure: fn(&EpisodeResult) -> u32| {
            let sum: u32 = episodes.iter().map(|(result, _)| figure(result)).sum();
            f64::from(sum) / count
        };
        let within = |limit| {
            let quick = |(result, _): &&Episode| result.success && result.counts.steps <= limit;
            episodes.iter().filter(quick).count()
        };
        println!(
            "{title:14} {:9} solved {}/{} (within 30: {}, 20: {}, 15: {}) steps {:.2} thoughts {:.2} questions {:.2} invalid {:.2}",
            user.unwrap_or("react"),
            solved(episodes),
            episodes.len(),
            within(30),
            within(20),
            within(15),
            mean_steps(episodes),
            thoughts(episodes) as f64 / count,
            mean(|result| result.counts.questions),
            mean(|result| result.counts.invalid),
        );
    }
}

#[test]
fn asking_a_helpful_user_pays_and_an_unhelpful_one_costs() {
    for split in ["valid_unseen", "valid_seen"] {
        let Some(settings) = official(split, "as-game") else {
            return;
        };
        let cells = play_cells(&settings);
        print_figures(split, &cells);
        let [react, helpful, perturbed, unhelpful] = &cells;
        assert!(solved(helpful) * 100 >= 95 * helpful.len());
        assert!(solved(react) < solved(helpful));
        assert!(solved(unhelpful) < solved(react));
        assert!(mean_steps(helpful) < mean_steps(perturbed));
        assert!(mean_steps(perturbed) < mean_steps(react));
        assert!(mean_steps(react) < mean_steps(unhelpful));
        let questions = |(result, _): &Episode| result.counts.questions;
        let most = unhelpful.iter().map(questions).max();
        assert!(most <= Some(10), "a user who does not help is not asked for ever: {most:?}");
        assert!(react.iter().all(|episode| questions(episode) == 0));
    }
}

#[test]
fn the_wording_of_the_game_makes_no_difference() {
    let (Some(own), Some(classic), Some(old)) =
        (official("valid_unseen", "as-game"), official("valid_unseen", "classic"), official("old_style", "as-game"))
    else {
        return;
    };
    for user in [None, Some("helpful")] {
        let played = |settings| play(plan(user, settings));
        assert_eq!(steps(&played(&own)), steps(&played(&classic)));
        let old = played(&old);
        assert_eq!(solved(&old), old.len());
    }
}

#[test]
fn a_fresh_player_goes_on_where_another_stopped() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    for user in USERS {
        let plan = plan(user, &builtin());
        for (result, events) in play(plan.clone()) {
            let again = runtime.block_on(verify(&plan, &result.episode, &events));
            assert_eq!(again, Ok(()), "{user:?} {}", result.episode);
        }
    }
}

#[test]
fn builtin_games_are_solved_with_a_user_who_knows() {
    let cells = play_cells(&builtin());
    print_figures("builtin", &cells);
    let [_, helpful, perturbed, _] = cells;
    for (result, events) in helpful.iter().chain(&perturbed) {
        assert!(result.success, "{}: {events:#?}", result.episode);
    }
}

#[test]
fn a_vague_user_never_says_a_number() {
    let episodes = play(plan(Some("perturbed"), &builtin()));
    let events = episodes.iter().flat_map(|(_, events)| events);
    let replies: Vec<&str> = events
        .filter_map(|event| match &event.message {
            Message::Replied(reply) => Some(reply.text.as_str()),
            _ => None,
        })
        .collect();
    assert!(replies.len() >= episodes.len(), "the user was hardly asked");
    for reply in replies {
        assert!(!reply.contains(|letter: char| letter.is_ascii_digit()), "{reply}");
    }
}

#[test]
fn another_seed_words_and_guesses_otherwise() {
    let mut plan = plan(Some("unhelpful"), &builtin());
    let first = play(plan.clone());
    assert_eq!(first, play(plan.clone()));
    plan.seed = Seed(2);
    let texts = |episodes: &[Episode]| -> Vec<String> {
        let events = episodes.iter().flat_map(|(_, events)| events);
        let said = events.filter_map(|event| match &event.message {
            Message::Told(said) | Message::Replied(said) => Some(said.text.clone()),
            _ => None,
        });
        said.collect()
    };
    assert_ne!(texts(&first), texts(&play(plan)));
}
