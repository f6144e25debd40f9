//! Scores of a conversation: AutoTOD's verdicts and their totals.

mod judge;
mod row;
mod said;
mod totals;
mod venues;
mod verdict;

pub use judge::{Judged, judge, was_told};
pub use row::{OPEN_VALUES, Row, Unjudged, clean_name, clean_time, columns, is_clock};
pub use said::Said;
pub use totals::{Part, Scope, Totals, Verdicts};
pub use venues::Venues;
pub use verdict::{Answers, Bookings, REFERENCE, Verdict, answer_key, verdict};
