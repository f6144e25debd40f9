//! Rule-based users of household games: helpful, helpful but vague, and uninformed (ReSpAct appendix
//! B.1 and E.3), and the owner who knows where everything is (ABA appendix A and G). They answer what
//! was asked and nothing more.

mod inquiry;
mod knowledge;
mod lexicon;
mod owner;
mod question;
mod reply;
mod unhelpful;
mod wording;

use std::sync::Arc;

pub use owner::{Owner, PARAMETERS as OWNER_PARAMETERS, build as build_owner};
pub use reply::{HelpfulUser, Precision};
pub use unhelpful::UnhelpfulUser;

use crate::ports::{SetupError, UserFactory, UserSetup, UserSimulator};

/// Builds the user who knows a plan and where everything is, and says it exactly.
pub fn build_helpful(_: &UserSetup) -> Result<UserFactory, SetupError> {
    Ok(Arc::new(|| {
        Box::new(HelpfulUser::new(Precision::Exact)) as Box<dyn UserSimulator>
    }))
}

/// Builds the user who knows the same and names classes only, never numbers.
pub fn build_perturbed(_: &UserSetup) -> Result<UserFactory, SetupError> {
    Ok(Arc::new(|| {
        Box::new(HelpfulUser::new(Precision::ClassOnly)) as Box<dyn UserSimulator>
    }))
}

/// Builds the user who knows nothing and guesses.
pub fn build_unhelpful(_: &UserSetup) -> Result<UserFactory, SetupError> {
    Ok(Arc::new(|| {
        Box::new(UnhelpfulUser::default()) as Box<dyn UserSimulator>
    }))
}
