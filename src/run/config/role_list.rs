//! The list of roles that some strategies take (`strategy.order`), with the place of each.

use super::error::{did_you_mean, quoted};
use super::node::Node;
use super::origin::Origin;
use super::walk::Section;

/// A parameter that lists roles.
pub(super) struct RoleList {
    /// Its name.
    pub(super) parameter: &'static str,
    /// The place where it was written.
    pub(super) origin: Origin,
    /// Each role with its place and its path from the top of the file.
    pub(super) items: Vec<(String, Origin, String)>,
}

impl RoleList {
    /// The list, as the section of the strategy has it.
    pub(super) fn of(section: &mut Section<'_>, parameter: &'static str) -> Self {
        let origin = section.origin_of(parameter);
        let items = section.node(parameter).and_then(Node::list).unwrap_or_default().iter().enumerate();
        let item = |(index, item): (usize, &Node)| {
            let path = section.path_to(parameter, item.origin);
            Some((item.text()?.to_owned(), item.origin, format!("{path}.{index}")))
        };
        Self { parameter, origin, items: items.filter_map(item).collect() }
    }

    /// Reports a role of the list of which nothing else is known. False if the list was not written.
    pub(super) fn report(&self, section: &Section<'_>, role: &str, known: &[&str]) -> bool {
        let Some((_, origin, path)) = self.items.iter().find(|(name, ..)| name == role) else {
            return false;
        };
        let near = did_you_mean(role, known.iter().copied());
        let problem = format!(
            "is {}, of which nothing is said{near}; write a table `[roles.{role}]` with an \
             `implementation`",
            quoted(role)
        );
        section.context.report(*origin, Some(path), problem);
        true
    }
}
