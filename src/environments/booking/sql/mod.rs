//! The databases as AutoTOD's agent sees them: tables that SQL selects from (spec sections 6.1 and 6.3).

#[cfg(feature = "sql")]
mod sqlite;

#[cfg(feature = "sql")]
pub use sqlite::Tables;
#[cfg(not(feature = "sql"))]
pub use without::Tables;

/// Stand-in for the tables where the crate is built without SQLite.
#[cfg(not(feature = "sql"))]
mod without {
    use crate::api::Domain;
    use crate::database::Database;
    use crate::desk::Done;

    /// There are no tables.
    #[derive(Debug)]
    pub enum Tables {}

    impl Tables {
        /// No tables.
        ///
        /// # Errors
        /// Always; the text names the remedy.
        pub fn new(_: &Database) -> Result<Self, String> {
            let remedy = "install with `cargo install --path . --features sql`, or take another profile";
            Err(format!("this build has no SQL: {remedy}"))
        }

        /// Never called.
        pub fn select(&self, _: Domain, _: &str) -> Done {
            match *self {}
        }
    }
}
