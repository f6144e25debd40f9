//! Replays the recordings of the original program.

use crate::support::recordings::{data, oracle};
use rolecall::environments::household::conformance;

#[test]
fn every_recorded_step_is_reproduced() {
    let (Some(oracle), Some(data)) = (oracle("household"), data("household")) else {
        return;
    };
    let report = conformance::replay(&oracle, &data).unwrap();
    for difference in report.differences.iter().take(10) {
        println!("{difference}");
    }
    println!("{} files, {} steps checked, {} differ", report.files, report.steps, report.differing);
    assert_eq!(report.differing, 0);
    assert!(report.steps >= 4_197);
}
