//! The figures of studies over made-up results.

use std::collections::BTreeMap;

use proptest::prelude::*;

use crate::support::synthetic::{Story, events};
use rolecall::domain::Ending;
use rolecall::evaluation::{EpisodeResult, Forked, Price, SeatShares, Timing, measure};
use rolecall::ports::EpisodeLog;
use rolecall::ports::held::FactKind;

/// Whether an episode was solved, its moves and its questions.
type Played = (bool, u32, u32);

fn result(task: usize, (solved, actions, questions): Played) -> EpisodeResult {
    let ending = if solved { Ending::Solved } else { Ending::GaveUp };
    let id = format!("main:{task}:0");
    let story = Story { actions, questions, user: Some("helpful"), ..Story::new(&id, "put", ending) };
    let events = events(&story);
    let log = EpisodeLog::new(&story.id, events.iter().collect());
    measure(&log, &rolecall::worlds().measured())
}

fn results(played: &[Played]) -> Vec<EpisodeResult> {
    let each = played.iter().enumerate();
    each.map(|(task, played)| result(task, *played)).collect()
}

fn steps(results: &[EpisodeResult]) -> f64 {
    results.iter().map(|result| f64::from(result.counts.steps)).sum()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn shares_add_up_and_seats_that_do_nothing_have_none(
        seats in 1_usize..5,
        figures in prop::collection::vec((any::<bool>(), 0_u32..30, 0_u32..4), 5 * 16),
    ) {
        let names: Vec<String> = (0..seats).map(|seat| format!("seat{seat}")).collect();
        // The last seat changes nothing.
        let of = |subset: usize| {
            let alike = subset & !(1 << (seats - 1));
            results(&figures[5 * alike..5 * alike + 5])
        };
        let casts: Vec<_> = (0..1 << seats).map(of).collect();
        let expected = (steps(&casts[casts.len() - 1]) - steps(&casts[0])) / 5.0;
        let shares = SeatShares::of(&names, &casts, "steps").unwrap();
        let share = |seat: usize| shares.seats[seat].share.value().unwrap();
        let sum: f64 = (0..seats).map(share).sum();
        prop_assert!((sum - expected).abs() < 1e-9);
        prop_assert!((shares.difference.value().unwrap() - expected).abs() < 1e-9);
        prop_assert!(share(seats - 1).abs() < 1e-12);
        prop_assert_eq!(shares.seats[seats - 1].mended.value().unwrap_or_default(), 0.0);
        prop_assert_eq!(shares.episodes, 5);
    }
}

#[test]
fn the_best_time_is_the_one_whose_price_is_paid_back() {
    let own = results(&[(false, 40, 3), (true, 30, 1), (true, 10, 1), (false, 40, 0)]);
    let fork = |percent, given: [Played; 4], silent: [Played; 4]| {
        let given = results(&given);
        let handed = given.iter().map(|result| (result.episode.clone(), FactKind::Input));
        Forked {
            percent,
            handed: handed.collect::<BTreeMap<_, _>>(),
            given,
            free: own.clone(),
            silent: results(&silent),
        }
    };
    let solved = |steps| (true, steps, 0);
    let early = fork(
        0,
        [solved(10), solved(10), solved(10), (false, 40, 0)],
        [(false, 40, 0), solved(50), solved(9), (false, 40, 0)],
    );
    let late = fork(
        50,
        [solved(30), solved(30), solved(10), solved(40)],
        [(false, 40, 0), solved(30), solved(10), (false, 40, 0)],
    );
    let timing = |question| {
        let price = Price { question, step: 0.0 };
        Timing::of("main", &own, &[early.clone(), late.clone()], price, vec![0.5, 0.1])
    };
    let cheap = timing(0.05);
    let best = cheap.best.unwrap();
    assert_eq!(best.percent, Some(50));
    let regret = best.regret.unwrap().difference.value().unwrap();
    // All four are solved with a question each; played, two were, with five questions.
    assert!((regret - (0.95 - (2.0 - 0.25) / 4.0)).abs() < 1e-9, "{regret}");
    assert_eq!(cheap.questions, [0.1, 0.5]);
    // Of three that asked, one was solved in no more moves without; of two that failed, both could be mended.
    assert_eq!(cheap.over.value(), Some(1.0 / 3.0));
    assert_eq!(cheap.under.value(), Some(1.0));
    let worth = cheap.points[0].worth.as_ref().unwrap();
    assert_eq!((worth.solved.first, worth.solved.second, worth.solved.both), (0, 1, 2));
    assert_eq!(cheap.points[0].kinds.len(), 1);
    // A question that costs more than it can bring is not worth it.
    assert_eq!(timing(0.9).best.unwrap().percent, None);
}
