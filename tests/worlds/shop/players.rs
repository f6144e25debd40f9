//! Casts by rules over the built-in catalogue: what asking is worth, and whom one asks.

use rolecall::config::Plan;
use rolecall::domain::{Ending, Event, Message};
use rolecall::evaluation::EpisodeResult;

use crate::support::{shipped, toy};

/// An episode: its result and its events.
type Episode = (EpisodeResult, Vec<Event>);

fn play(plan: Plan) -> Vec<Episode> {
    toy::play(plan).in_order()
}

/// Plays the shipped config with settings.
fn played(config: &str, sets: &[&str]) -> Vec<Episode> {
    let episodes = play(shipped::plan(&format!("shop/{config}"), sets));
    for (result, events) in &episodes {
        let faults = events.iter().filter(|event| matches!(event.message, Message::Fault(_)));
        assert_eq!(faults.count(), 0, "{config} {sets:?} {}", result.episode);
    }
    episodes
}

fn reward(episodes: &[Episode]) -> f64 {
    let sum: f64 = episodes.iter().map(|(result, _)| result.reward).sum();
    sum / episodes.len() as f64
}

fn questions(episodes: &[Episode]) -> f64 {
    let sum: u32 = episodes.iter().map(|(result, _)| result.counts.questions).sum();
    f64::from(sum) / episodes.len() as f64
}

fn solved(episodes: &[Episode]) -> usize {
    episodes.iter().filter(|(result, _)| result.success).count()
}

/// Prints the figures of a cast, for those who run the tests with `--nocapture`.
fn print(name: &str, episodes: &[Episode]) {
    println!(
        "{name:24} reward {:.3} solved {}/{} questions {:.2}",
        reward(episodes),
        solved(episodes),
        episodes.len(),
        questions(episodes),
    );
}

#[test]
fn asking_pays_and_more_so_with_a_helpful_shopper() {
    const FEW: &str = "tasks.limit=50";
    let silent = played("chatshop", &["roles.executor.asks=false", FEW]);
    let [helpful, vague, contradictory] = ["helpful", "vague", "contradictory"].map(|manner| {
        let episodes = played("chatshop", &[&format!("user.manner={manner}"), FEW]);
        print(manner, &episodes);
        episodes
    });
    print("never asks", &silent);
    assert_eq!(silent.len(), 50);
    assert_eq!(questions(&silent), 0.0);
    assert!(questions(&helpful) > 2.0);
    assert!(reward(&helpful) > reward(&silent) + 0.1);
    assert!(solved(&helpful) > 2 * solved(&silent));
    assert!(reward(&helpful) > reward(&vague) + 0.05);
    assert!(reward(&vague) > reward(&contradictory));
}

#[test]
fn every_way_of_asking_is_played_to_the_end() {
    const FEW: &str = "tasks.limit=12";
    let silent = reward(&played("chatshop", &["roles.executor.asks=false", FEW]));
    for questions in ["all", "interleave"] {
        let episodes = played("chatshop", &[&format!("strategy.questions={questions}"), FEW]);
        print(questions, &episodes);
        assert!(reward(&episodes) > silent, "{questions}");
    }
    for channel in ["compare", "mix"] {
        let episodes = played("chatshop", &[&format!("environment.channel={channel}"), FEW]);
        print(channel, &episodes);
        assert!(reward(&episodes) > silent, "{channel}");
    }
    let none = played("chatshop", &["environment.channel=none", FEW]);
    assert_eq!(questions(&none), 0.0);
    let reasoned = played("chatshop", &["strategy.reasoning=true", FEW]);
    let plain = played("chatshop", &[FEW]);
    assert_eq!(reward(&reasoned), reward(&plain));
}

#[test]
fn a_relay_of_six_actors_asks_and_selects() {
    const FEW: &str = "tasks.limit=25";
    let relay = played("relay", &[FEW]);
    print("relay", &relay);
    let silent = reward(&played("chatshop", &["roles.executor.asks=false", FEW]));
    assert!(reward(&relay) > silent + 0.1);
    let broken = |(result, _): &&Episode| matches!(result.ending, Some(Ending::Broken { .. }));
    assert_eq!(relay.iter().filter(broken).count(), 0);
    let everybody = |events: &[Event]| {
        let spoke = |name: &str| events.iter().any(|event| event.from.as_str() == name);
        ["thinker", "clarifier", "planner", "executor", "environment", "user"].into_iter().all(spoke)
    };
    assert!(relay.iter().all(|(_, events)| everybody(events)));
}

#[test]
fn webshop_is_played_by_clicks_with_a_buyer_who_is_asked_and_without() {
    let react = played("webshop", &[]);
    print("react, rich text", &react);
    let alone = played("webshop-respact", &["roles.executor.asks=false"]);
    print("respact, silent", &alone);
    let asks = played("webshop-respact", &[]);
    print("respact", &asks);
    let bought = |(result, _): &&Episode| result.reward > 0.0;
    assert!(react.iter().filter(bought).count() > 90);
    assert!(questions(&asks) > 0.5);
    assert_eq!(questions(&alone), 0.0);
    assert!(reward(&alone) > 0.8 && reward(&asks) > 0.8);
    for profile in ["particular", "easygoing"] {
        let episodes = played("webshop-respact", &[&format!("user.profile={profile}")]);
        print(profile, &episodes);
    }
}
