//! The check that a kind of user fits the tasks of an environment.

use std::sync::Arc;

use super::error::listed;
use super::parameters::{names, suits};
use super::walk::Section;
use crate::registry::Registry;
use rolecall_core::domain::UserSees;
use rolecall_core::ports::model::ToolSpec;
use rolecall_core::ports::{EnvironmentEntry, Parameter, ParameterKind, UserEntry, World};

/// The environment that users take part in, as far as it is known.
#[derive(Default)]
pub(super) struct UserContext {
    /// The environment; none if something is wrong with it.
    pub(super) environment: Option<&'static EnvironmentEntry>,
    /// The kinds of its tasks, where they matter to users.
    pub(super) kinds: Vec<&'static str>,
    /// The tools that it offers.
    pub(super) tools: Arc<[ToolSpec]>,
}

impl UserContext {
    /// The environment's name.
    pub(super) fn name(&self) -> Option<&'static str> {
        self.environment.map(|entry| entry.name)
    }

    /// The part of what a user would see that this world shows. A config that asks for more is told so.
    pub(super) fn seen(&self, section: &Section<'_>, sees: UserSees) -> UserSees {
        let most = self.environment.and_then(|entry| entry.words.user_sees_at_most());
        let Some(most) = most.filter(|most| sees > *most) else {
            return sees;
        };
        if section.has("sees") {
            let origin = section.origin_of("sees");
            let (path, most) = (section.path_to("sees", origin), most.as_str());
            let text = format!("`{path}` counts as \"{most}\": a user of this environment sees no more");
            section.context.remark(origin, &text);
        }
        most
    }

    /// The description of it that participants get.
    pub(super) fn world(&self, registry: &Registry) -> World {
        World { tools: Arc::clone(&self.tools), ..registry.world(self.name()) }
    }

    /// Reports a user that does not understand every kind of the tasks. It would continue dialogues that
    /// are not about what it can speak of, and nobody would notice.
    pub(super) fn check_user(&self, section: &Section<'_>, user: &UserEntry) {
        let fits = |entry: &UserEntry| self.kinds.iter().all(|kind| suits(entry.tasks, *kind));
        let here = |entry: &UserEntry| suits(entry.environments, self.name());
        let Some(environment) = self.environment.filter(|_| here(user) && !fits(user)) else {
            return;
        };
        let fitting = section.context.registry.users.iter().copied().filter(|entry| here(entry) && fits(entry));
        let problem = format!(
            "is `{}`, which goes on with tasks of {} only, and these are of {}; for them there are {}{}",
            user.name,
            listed(user.tasks.iter().copied()),
            listed(self.kinds.iter().copied()),
            listed(names(fitting)),
            chooses(environment, user.tasks),
        );
        section.wrong("kind", problem);
    }
}

/// Advice on how to have tasks of the kinds alone, if a parameter of the environment chooses.
fn chooses(environment: &EnvironmentEntry, kinds: &[&str]) -> String {
    let [kind] = kinds else {
        return String::new();
    };
    let chooses =
        |parameter: &&Parameter| matches!(parameter.kind, ParameterKind::Choice { words } if words.contains(kind));
    let parameter = environment.parameters.iter().find(chooses);
    parameter.map_or_else(String::new, |parameter| format!("; or write `environment.{} = \"{kind}\"`", parameter.name))
}
