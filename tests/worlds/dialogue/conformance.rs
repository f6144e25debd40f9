//! Compares dialogue with recordings of the libraries and flows that it reproduces.

use std::env;
use std::path::PathBuf;

use rolecall::conformance::Comparison;
use rolecall::environments::dialogue::conformance;

/// A folder named by an environment variable; says so when the test is skipped.
fn folder(variable: &str) -> Option<PathBuf> {
    let found = env::var_os(variable).map(|root| PathBuf::from(root).join("dialogue"));
    if found.is_none() {
        println!("skipped: `{variable}` is not set");
    }
    found
}

#[test]
fn every_recorded_value_is_reproduced() {
    let (Some(oracle), Some(data)) = (folder("ROLECALL_ORACLE"), folder("ROLECALL_DATA")) else {
        return;
    };
    let compared = conformance::compare(&oracle, &data);
    let Comparison { text, differing } = compared.unwrap();
    println!("{text}");
    assert_eq!(differing, 0);
    let last = text.lines().last().unwrap();
    let checked: usize = last.split(' ').next().unwrap().parse().unwrap();
    assert!(checked >= 15_000, "{last}");
}
