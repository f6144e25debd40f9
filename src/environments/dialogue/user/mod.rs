//! Rule-based users of dialogue tasks: the student who is tutored, the client who seeks help, the visitor who
//! asks about a place. They go on from the sample's dialogue by its words and those of the agent, know nothing of
//! any reference, and leave when they are content or have stayed long enough.

mod client;
mod student;
mod visitor;
mod wording;

use std::sync::Arc;

pub use client::Client;
pub use student::Student;
pub use visitor::Visitor;

use crate::ports::settings::parameters;
use crate::ports::{Parameter, SetupError, UserFactory, UserSetup, UserSimulator};

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
    let replies = setup.parameters.whole("replies").unwrap_or_default();
    Ok(made(Client { replies }))
}

/// Builds the visitor (registry entry `visitor`).
pub fn build_visitor(setup: &UserSetup) -> Result<UserFactory, SetupError> {
    let questions = setup.parameters.whole("questions").unwrap_or_default();
    Ok(made(Visitor { questions }))
}

fn made(user: impl UserSimulator + Copy + Sync + 'static) -> UserFactory {
    Arc::new(move || Box::new(user))
}
