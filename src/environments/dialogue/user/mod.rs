//! Rule-based users of dialogue tasks: the student who is tutored, the client who seeks help, the visitor who asks
//! about a place. They go by the words of the dialogue, know nothing of any reference, and leave when they are content
//! or have stayed long enough.

mod client;
mod student;
mod visitor;

use std::sync::Arc;

pub use client::Client;
pub use student::Student;
pub use visitor::Visitor;

use crate::cues::Talk;
use crate::words::{dialogue_task, talk};
use rolecall_core::domain::Seed;
use rolecall_core::ports::settings::parameters;
use rolecall_core::ports::{Parameter, SetupError, Turn, UserError, UserFactory, UserSetup, UserSimulator};

/// The parameters of the student.
pub const STUDENT_PARAMETERS: &[Parameter] = parameters![
    integer("tries", Some(5), 0..=1000),
        "replies before it leaves although nobody has confirmed its answer";
    number("slips", 0.3, 0.0..=1.0),
        "how likely it puts a colour before its thing when it first tries a sentence";
];

/// The parameters of the client.
pub const CLIENT_PARAMETERS: &[Parameter] = parameters![
    integer("replies", Some(2), 0..=1000), "replies before it says thanks and leaves";
];

/// The parameters of the visitor.
pub const VISITOR_PARAMETERS: &[Parameter] = parameters![
    integer("questions", Some(3), 0..=1000), "further questions before it says thanks and leaves";
];

/// Builds the student (registry entry `student`).
pub fn build_student(setup: &UserSetup) -> Result<UserFactory, SetupError> {
    Ok(made(Student {
        tries: setup.parameters.whole("tries").unwrap_or_default(),
        slips: setup.parameters.number("slips").unwrap_or_default(),
    }))
}

/// Builds the client (registry entry `client`).
pub fn build_client(setup: &UserSetup) -> Result<UserFactory, SetupError> {
    Ok(made(Client { replies: setup.parameters.whole("replies").unwrap_or_default() }))
}

/// Builds the visitor (registry entry `visitor`).
pub fn build_visitor(setup: &UserSetup) -> Result<UserFactory, SetupError> {
    Ok(made(Visitor { questions: setup.parameters.whole("questions").unwrap_or_default() }))
}

fn made(user: impl UserSimulator + Copy + Sync + 'static) -> UserFactory {
    Arc::new(move || Box::new(user))
}

/// The last words to the user, and the talk up to there.
fn said_and_talk(turn: &Turn) -> Result<(&str, Talk), UserError> {
    let failed = |why: &str| UserError::Failed(why.to_owned());
    let said = turn.question().ok_or_else(|| failed("nothing was said"))?;
    let task = dialogue_task(turn)
        .ok_or_else(|| failed("the task has no dialogue to go on with: this user is for dialogue tasks"))?;
    Ok((&said.text, talk(&turn.view, task)))
}

/// One of several ways of saying the same.
fn one_of<'a>(seed: Seed, ways: &[&'a str]) -> &'a str {
    let index = usize::try_from(seed.0 % ways.len().max(1) as u64);
    ways.get(index.unwrap_or_default()).copied().unwrap_or_default()
}
