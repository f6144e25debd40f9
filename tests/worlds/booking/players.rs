//! Casts by rules: the user with an agenda, and agents that ask or assume, over the built-in city and official goals.

use crate::support::recordings::data;
use crate::support::{shipped, toy};
use rolecall::domain::{Event, Message};
use rolecall::evaluation::EpisodeResult;

type Episode = (EpisodeResult, Vec<Event>);

/// Plays a shipped config with settings; nobody may be at fault.
fn played(config: &str, sets: &[&str]) -> Vec<Episode> {
    let episodes = toy::play(shipped::plan(&format!("booking/{config}"), sets)).in_order();
    for (result, events) in &episodes {
        let mut all = events.iter();
        let at_fault = all.any(|event| matches!(event.message, Message::Fault(_)));
        assert!(!at_fault, "{config} {sets:?} {}", result.episode);
    }
    episodes
}

/// In how many episodes the user left content.
fn content(episodes: &[Episode]) -> usize {
    let is_content = |events: &[Event]| {
        events.iter().any(|event| match &event.message {
            Message::Replied(said) => said.leaving && said.satisfied,
            _ => false,
        })
    };
    let all = episodes.iter();
    all.filter(|(_, events)| is_content(events)).count()
}

/// The mean of `combine`.
fn reward(episodes: &[Episode]) -> f64 {
    let sum: f64 = episodes.iter().map(|(result, _)| result.reward).sum();
    sum / episodes.len() as f64
}

const FEW: &str = "tasks.limit=40";

#[test]
fn rules_finish_conversations_of_the_built_in_city_in_every_profile() {
    for profile in ["strict", "reference"] {
        let profile = format!("environment.profile={profile}");
        for config in ["booking-respact", "booking-react"] {
            let episodes = played(config, &[FEW, &profile]);
            let (content, reward) = (content(&episodes), reward(&episodes));
            println!("{config} {profile} content {content}/40 combine {reward:.3}");
            assert!(content >= 36 && reward > 0.8, "{config} {profile}: {content} {reward}");
        }
    }
}

#[test]
fn asking_pays_where_users_leave_things_open() {
    const FORGETFUL: &str = "user.forgetfulness=0.6";
    let [asking, assuming] =
        ["booking-respact", "booking-react"].map(|config| reward(&played(config, &["tasks.limit=100", FORGETFUL])));
    println!("combine: {asking:.3} asking, {assuming:.3} assuming");
    assert!(asking > assuming, "{asking} {assuming}");
}

#[test]
fn rules_finish_official_conversations() {
    let Some(folder) = data("booking") else {
        return;
    };
    let folder = format!("environment.data={}", folder.display());
    for profile in ["strict", "reference"] {
        let profile = format!("environment.profile={profile}");
        let sets = ["tasks.limit=20", &folder, "environment.split=respact-100", &profile];
        let episodes = played("booking-respact", &sets);
        assert!(content(&episodes) >= 18, "{profile}: {}", content(&episodes));
    }
}

#[test]
fn a_relay_of_six_actors_finishes_conversations() {
    let episodes = played("relay", &["tasks.limit=20", "limits.steps=400"]);
    let count = content(&episodes);
    assert!(count >= 16, "{count}");
}
