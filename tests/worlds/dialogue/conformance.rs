//! Compares dialogue with recordings of the libraries and flows that it reproduces.

use crate::support::recordings::compared;
use rolecall::environments::dialogue::conformance::compare;

#[test]
fn every_recorded_value_is_reproduced() {
    compared("dialogue", compare, 15_000);
}
