//! The words of booking.

use super::desk::Profile;
use super::{scene, tools, users};
use crate::domain::{PublicTask, Scene, UserSees, View};
use crate::ports::{EpisodeLog, Words};

/// The words of booking.
#[derive(Clone, Copy, Debug)]
pub struct BookingWords;

impl Words for BookingWords {
    fn forms(&self, task: &PublicTask) -> Option<Vec<(String, String)>> {
        let profile = Profile::named(task.data.get("profile")?.as_str()?)?;
        Some(tools::forms(profile))
    }

    fn wanted(&self, view: &View) -> Vec<String> {
        users::wanted(view)
    }

    fn scene(&self, log: &EpisodeLog<'_>) -> Option<Scene> {
        scene::scene(log)
    }

    fn user_sees_at_most(&self) -> Option<UserSees> {
        Some(UserSees::Dialogue)
    }

    fn user_labels(&self) -> &'static [&'static str] {
        &["guest", "customer", "tourist"]
    }

    fn agent_labels(&self) -> &'static [&'static str] {
        &["desk", "clerk"]
    }

    fn measures(&self, kind: &str) -> &'static [&'static str] {
        match self.kinds().contains(&kind) {
            true => &["success", "log_domain_inform", "log_domain_success", "log_domain_book"],
            false => &[],
        }
    }

    fn kinds(&self) -> &'static [&'static str] {
        &["1 domain", "2 domains", "3 domains"]
    }
}
