//! How well a conversation went: AutoTOD's verdicts and what they are summed up to.

mod clean;
mod judge;
mod row;
mod said;
mod totals;
mod venues;
mod verdict;

pub use clean::{clean_name, clean_time, is_clock};
pub use judge::{Judged, judge, was_told};
pub use row::{OPEN_VALUES, Row, Unjudged, columns};
pub use said::Said;
pub use totals::{Part, Scope, Totals, Verdicts};
pub use venues::Venues;
pub use verdict::{Answers, Bookings, REFERENCE, Verdict, answer_key, verdict};
