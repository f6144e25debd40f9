//! Compares the shop with recordings of the original programs.

use crate::support::recordings::{data, oracle};
use rolecall::conformance::Comparison;
use rolecall::environments::shop::conformance;

#[test]
fn every_recorded_value_is_reproduced() {
    let (Some(oracle), Some(data)) = (oracle("shop"), data("shop")) else {
        return;
    };
    let compared = conformance::compare(&oracle, &data);
    let Comparison { text, differing } = compared.unwrap();
    println!("{text}");
    assert_eq!(differing, 0);
    let last = text.lines().last().unwrap();
    let checked: usize = last.split(' ').next().unwrap().parse().unwrap();
    assert!(checked >= 22_000, "{last}");
}
