//! Compares the shop with recordings of the original programs.

use crate::support::recordings::compared;
use rolecall::environments::shop::conformance::compare;

#[test]
fn every_recorded_value_is_reproduced() {
    compared("shop", compare, 22_000);
}
