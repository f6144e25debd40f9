//! `--model ROLE=NAME`: another model for a seat, in every cell.

use std::borrow::Cow;
use std::cell::RefCell;

use crate::config::context::Context;
use crate::config::described::{Swap, Swaps};
use crate::config::error::{instead, quoted};
use crate::config::merge::merge;
use crate::config::node::{Kind, Node, Table};
use crate::config::origin::Origin;
use crate::config::walk::Section;
use rolecall_core::domain::RoleName;
use rolecall_core::maps::ordered;
use rolecall_core::ports::{Parameter, ParameterKind};

/// The key that a seat's model is written under.
const MODEL: &str = "model";
/// The word for the user in `--model user=NAME`.
const USER: &str = "user";

impl Swaps {
    /// Reads the options; those that cannot be read are reported.
    pub(in crate::config) fn read(context: &Context, options: &[String]) -> Self {
        let mut swaps: Vec<Swap> = Vec::new();
        for option in options {
            let origin = Origin::of(context.add_source("`--model`", &context.working));
            let refuse = |problem: String| context.report(origin, None, problem);
            match option.split_once('=') {
                Some((seat, model)) if !seat.trim().is_empty() && !model.trim().is_empty() => {
                    let seat = seat.trim().to_owned();
                    if swaps.iter().any(|earlier| earlier.seat == seat) {
                        refuse(format!("names {} twice", quoted(&seat)));
                    }
                    swaps.push(Swap { seat, model: model.trim().to_owned(), origin });
                }
                _ => refuse(format!("{} is no ROLE=NAME; write for instance `executor=llama-cpp`", quoted(option))),
            }
        }
        Self { swaps, seats: RefCell::default() }
    }

    /// The table of a cell with the models of its roles swapped.
    pub(in crate::config) fn for_roles<'a>(&self, cell: &'a Table, cast: &[RoleName]) -> Cow<'a, Table> {
        self.seats.borrow_mut().extend(cast.iter().map(RoleName::to_string));
        let swaps = self.swaps.iter().filter(|swap| cast.iter().any(|role| role.as_str() == swap.seat));
        let roles: Table = ordered(swaps.map(|swap| (swap.seat.clone(), swap.table())));
        let Some(origin) = roles.values().next().map(|node| node.origin) else {
            return Cow::Borrowed(cell);
        };
        Cow::Owned(merge(cell.clone(), ordered([("roles".to_owned(), Node::of_table(origin, roles))])))
    }

    /// The table of a cell with the models of its users swapped.
    pub(in crate::config) fn for_users<'a>(&self, cell: &'a Table) -> Cow<'a, Table> {
        let mut users = ["user", "users"].into_iter();
        let Some(key) = users.find(|key| cell.contains_key(*key)) else {
            return Cow::Borrowed(cell);
        };
        self.seats.borrow_mut().insert(USER.to_owned());
        let Some(swap) = self.swaps.iter().find(|swap| swap.seat == USER) else {
            return Cow::Borrowed(cell);
        };
        let mut cell = cell.clone();
        match cell.get_mut(key) {
            Some(Node { kind: Kind::List(items), .. }) => items.iter_mut().for_each(|item| swap.lay_over(item)),
            Some(user) => swap.lay_over(user),
            None => {}
        }
        Cow::Owned(cell)
    }

    /// Whether a value was written by one of the options.
    fn wrote(&self, origin: Origin) -> bool {
        self.swaps.iter().any(|swap| swap.origin == origin)
    }

    /// Reports the seats that no cell has.
    pub(in crate::config) fn finish(&self, context: &Context) {
        let seats = self.seats.borrow();
        let seats: Vec<&str> = seats.iter().map(String::as_str).collect();
        for swap in &self.swaps {
            if !seats.is_empty() && !seats.contains(&swap.seat.as_str()) {
                let problem = format!("{} is no seat of any cell{}", quoted(&swap.seat), instead(&swap.seat, &seats));
                context.report(swap.origin, None, problem);
            }
        }
    }
}

impl Swap {
    /// The table of a seat with nothing but its model.
    fn table(&self) -> Node {
        Node::of_table(self.origin, ordered([(MODEL.to_owned(), Node::of_text(self.origin, &self.model))]))
    }

    fn lay_over(&self, item: &mut Node) {
        if let Kind::Table(table) = &mut item.kind {
            table.insert(MODEL.to_owned(), Node::of_text(self.origin, &self.model));
        }
    }
}

/// Reports a model that an option of the command line gives to an implementation that takes none.
/// Returns whether there was something to report.
pub(in crate::config) fn refused(
    section: &mut Section<'_>,
    name: &str,
    parameters: &[Parameter],
    selector: &str,
) -> bool {
    let model = |each: &Parameter| each.name == MODEL && matches!(each.kind, ParameterKind::Model);
    let origin = section.origin_of(MODEL);
    let written = section.has(MODEL) && section.context.swaps().wrote(origin);
    if !written || parameters.iter().any(model) {
        return false;
    }
    section.node(MODEL);
    let path = section.path_to(selector, origin);
    let problem = format!("gives a model to `{name}`, which takes none; add `--set {path}=model`");
    section.context.report(origin, None, problem);
    true
}
