//! Labels that people and models give to what was said, and how far they agree.
//!
//! Nothing here knows an environment: an utterance, or a whole dialogue, gets one label of a set, a point
//! on a scale, or a text.

mod agreement;
mod answer;
mod items;
mod line;
mod pairwise;
mod question;
mod what;

pub use agreement::{Agreement, Between, Figure, Ratings, agreement, alpha, fleiss, kappa};
pub use answer::{in_answer, names_in_object};
pub use items::{ContextLine, Item, ItemKind, Speaker, chosen, dealt, id_of, items, items_of};
pub use line::{Against, InvalidLabel, LabelLine};
pub use pairwise::{Preference, Preferred, WinRate, win_rates};
pub use question::{About, JudgeAnswer, JudgeField, JudgePart, JudgePrompt, JudgeQuestion, Parts, USER_FAULTS};
pub use what::{InvalidWhat, Label, What};
