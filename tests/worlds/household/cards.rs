//! The cards of users by rules: what they do that a user should not.

use crate::support::{shipped, toy};
use rolecall::evaluation::simulator::{Known, UserCard, UserFault};
use rolecall::ports::EpisodeLog;

/// The cards of the users of a config over the built-in games, with these settings.
fn cards(settings: &[&str]) -> Vec<UserCard> {
    let plan = shipped::resolved("household/respact", settings).unwrap().plan;
    let registry = rolecall::worlds();
    let episodes = toy::play(plan).in_order();
    let cards = episodes.iter().map(|(result, events)| {
        let log = EpisodeLog::new(&result.episode, events.iter().collect());
        let (held, secrets) = (registry.held(events), registry.secrets(&log));
        UserCard::of(events, Known { held: held.as_deref(), secrets: secrets.as_ref() })
    });
    cards.collect()
}

#[test]
fn users_who_know_do_not_contradict_and_those_who_guess_do() {
    let of = |cards: &[UserCard], fault| cards.iter().map(|card| card.count(fault)).sum::<u32>();
    for seed in 0..12 {
        let seed = format!("seed={seed}");
        for kind in ["helpful", "perturbed"] {
            let kind = format!("user.kind={kind}");
            let cards = cards(&[&seed, &kind, "tasks.limit=24"]);
            assert!(cards.iter().any(|card| card.replies > 0));
            assert!(cards.iter().all(|card| card.has_facts && !card.is_faulty()), "{seed} {kind}");
            for fault in [UserFault::Unasked, UserFault::Beside, UserFault::Overhelped] {
                assert_eq!(of(&cards, fault), 0, "{seed} {kind} {fault:?}");
            }
            let (asked, held) =
                cards.iter().fold((0, 0), |(asked, held), card| (asked + card.asked_for, held + card.held));
            assert!(asked * 10 > held * 8, "{seed} {kind}: {asked} of {held}");
        }
    }
    let guessing = cards(&["user.kind=unhelpful", "tasks.limit=24"]);
    assert!(of(&guessing, UserFault::Contradicted) > 0);
    assert_eq!(of(&guessing, UserFault::ActedAsAgent), 0);
}
