//! The name of the answer format in which a role writes, where moves with labels are not what a
//! method has.

use super::InvalidName;
use super::name::{Name, written_as_name, written_as_text};
use super::seat::keep_name;

/// The name of an answer format, such as `source-plan`: the table of formats
/// ([`ports::Format`](crate::ports::Format)) says how it is written and read. A brief names it;
/// whoever has to read the answer refuses a name that the table does not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Notation(Name);

impl Notation {
    /// Checks a name (same letters as a role's) and wraps it.
    pub fn new(name: &str) -> Result<Self, InvalidName> {
        keep_name(name).map(Self)
    }
}

written_as_name!(Notation);
