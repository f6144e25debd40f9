//! Rule-based users of dialogue tasks: the student who is tutored, the client who seeks help, the visitor who
//! asks about a place. They go on from the sample's dialogue by what stands in it and what they were told, know
//! nothing of any reference, and leave when they are content or have stayed long enough.

mod client;
mod student;
mod visitor;
mod wording;

use std::sync::Arc;

pub use client::Client;
pub use student::Student;
pub use visitor::Visitor;

use crate::ports::{Parameter, Parameters, SetupError, UserFactory, UserSetup, UserSimulator};

/// What the student can be told.
pub const STUDENT_PARAMETERS: &[Parameter] = &[
    Parameter::integer(
        "tries",
        Some(5),
        0..=1000,
        "replies before it leaves although nobody has confirmed its answer",
    ),
    Parameter::number(
        "slips",
        0.3,
        0.0..=1.0,
        "how likely it puts a colour before its thing when it first tries a sentence",
    ),
];

/// What the client can be told.
pub const CLIENT_PARAMETERS: &[Parameter] = &[Parameter::integer(
    "replies",
    Some(2),
    0..=1000,
    "replies before it says thanks and leaves",
)];

/// What the visitor can be told.
pub const VISITOR_PARAMETERS: &[Parameter] = &[Parameter::integer(
    "questions",
    Some(3),
    0..=1000,
    "further questions before it says thanks and leaves",
)];

fn count(parameters: &Parameters, name: &str) -> u32 {
    let count = parameters.integer(name);
    count
        .and_then(|count| u32::try_from(count).ok())
        .unwrap_or_default()
}

/// Builds the student (registry entry `student`).
pub fn build_student(setup: &UserSetup) -> Result<UserFactory, SetupError> {
    let tries = count(&setup.parameters, "tries");
    let slips = setup.parameters.number("slips").unwrap_or_default();
    Ok(Arc::new(move || {
        Box::new(Student::new(tries, slips)) as Box<dyn UserSimulator>
    }))
}

/// Builds the client (registry entry `client`).
pub fn build_client(setup: &UserSetup) -> Result<UserFactory, SetupError> {
    let replies = count(&setup.parameters, "replies");
    Ok(Arc::new(move || {
        Box::new(Client::new(replies)) as Box<dyn UserSimulator>
    }))
}

/// Builds the visitor (registry entry `visitor`).
pub fn build_visitor(setup: &UserSetup) -> Result<UserFactory, SetupError> {
    let questions = count(&setup.parameters, "questions");
    Ok(Arc::new(move || {
        Box::new(Visitor::new(questions)) as Box<dyn UserSimulator>
    }))
}
