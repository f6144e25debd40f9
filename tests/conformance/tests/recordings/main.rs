//! Compares every world with recordings of the original programs.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    unreachable_pub,
    reason = "a test may stop at once and say why it skips, and shares a module"
)]

mod booking;
#[path = "../../../support/recordings.rs"]
mod recordings;

use recordings::{data, oracle};
use rolecall_conformance::comparison_of;
use rolecall_conformance::kit::Comparison;

/// Compares a world with its recordings: nothing differs, and at least so many values are checked. Skipped where the
/// recordings or the data are not there.
fn compared(world: &str, least: usize) {
    let (Some(oracle), Some(data)) = (oracle(world), data(world)) else {
        return;
    };
    let compare = comparison_of(world).unwrap();
    let Comparison { text, differing } = compare(&oracle, &data).unwrap();
    println!("{text}");
    assert_eq!(differing, 0);
    let last = text.lines().last().unwrap();
    let checked: usize = last.split(' ').next().unwrap().parse().unwrap();
    assert!(checked >= least, "{last}");
}

mod household {
    #[test]
    fn every_recorded_step_is_reproduced() {
        crate::compared("household", 4_197);
    }
}

mod dialogue {
    #[test]
    fn every_recorded_value_is_reproduced() {
        crate::compared("dialogue", 15_000);
    }
}

mod shop {
    #[test]
    fn every_recorded_value_is_reproduced() {
        crate::compared("shop", 22_000);
    }
}

mod travel {
    #[test]
    fn every_recorded_value_is_reproduced() {
        crate::compared("travel", 24_000);
    }
}
