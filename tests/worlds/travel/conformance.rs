//! Compares travel with recordings of the original programs.

use crate::support::recordings::compared;
use rolecall::environments::travel::conformance::compare;

#[test]
fn every_recorded_value_is_reproduced() {
    compared("travel", compare, 24_000);
}
