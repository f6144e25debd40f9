//! Simulated users beside the score: the share of episodes that they spoiled, and success without these.

use super::analyses::simulator::scores;
use super::figures::NONE;
use super::{ReportedUser, Table};

/// A row for each cell and kind of user that spoke.
pub fn simulated(users: &[ReportedUser]) -> Table {
    let rows = users.iter().map(|((cell, user), own)| {
        let user = user.clone().unwrap_or_else(|| NONE.to_owned());
        (vec![cell.to_string(), user], own)
    });
    scores("Simulated user", ["cell", "user"], rows)
}
