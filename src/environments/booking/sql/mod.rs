//! The databases as AutoTOD's agent sees them: tables that SQL selects from (spec sections 6.1 and 6.3).

#[cfg_attr(not(feature = "sql"), expect(dead_code, reason = "there are no rows to list"))]
mod listing;
#[cfg(feature = "sql")]
mod sqlite;
#[cfg(not(feature = "sql"))]
mod without;

use super::account::Outcome;
use super::api::Domain;
use super::desk::Done;

use listing::Listing;
#[cfg(feature = "sql")]
pub use sqlite::Tables;
#[cfg(not(feature = "sql"))]
pub use without::Tables;

impl Tables {
    /// Runs a statement over the table of a domain. Nothing is changed by it.
    pub fn select(&self, domain: Domain, sql: &str) -> Done {
        // A substring is enough, also within another word.
        if !sql.contains(domain.as_str()) {
            let problem = format!("Please query the {domain} table in the database.");
            return (problem, Outcome::Refused);
        }
        let listing = self.listing(sql);
        listing.map_or_else(|problem| (problem, Outcome::Refused), Listing::finish)
    }
}

#[cfg(feature = "sql")]
#[cfg(test)]
mod tests;
