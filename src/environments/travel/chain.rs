//! A chain of calls that is performed as a whole (static execution; specification, section 3.1).

use std::collections::HashMap;

use super::calls::Call;
use super::country::Country;
use super::tools::{full, view};

/// What the results of a chain are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Who finds facts and who clarifies: the first rows of each table, by the call in its one form.
    Clarification,
    /// Who plans: all rows, by a description.
    Planning,
}

/// Results in their order, each behind the text that it is known by.
pub type Results = Vec<(String, String)>;

/// Performs the calls of lines. Lines that are no calls and calls that fail are passed over.
pub fn perform<'l>(country: &Country, lines: impl IntoIterator<Item = &'l str>, form: Form) -> Results {
    let calls = lines.into_iter().filter_map(|line| Call::read(line).ok());
    results(country, calls, form)
}

/// Performs calls; those that fail are passed over. Of calls that are known by the same text, the last one's result
/// stands where the first one was.
pub fn results(country: &Country, calls: impl IntoIterator<Item = Call>, form: Form) -> Results {
    let mut results = Results::new();
    let mut indices = HashMap::new();
    for call in calls {
        let (name, shown) = match form {
            Form::Clarification => (call.canonical(), view(country, &call)),
            Form::Planning => (call.description(), full(country, &call)),
        };
        let Ok(shown) = shown else {
            continue;
        };
        let index = *indices.entry(name.clone()).or_insert(results.len());
        match results.get_mut(index) {
            Some((_, earlier)) => *earlier = shown,
            None => results.push((name, shown)),
        }
    }
    results
}
