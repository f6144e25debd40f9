//! The models that a run uses, of all that its config describes.

use std::collections::BTreeSet;

use super::context::Context;
use super::described::Described;
use super::models::{limited_costs_are_known, one_currency};
use super::record::CellRecord;
use rolecall_core::ports::Models;

/// The models that seats and environments of the cells name, by name.
pub(super) fn used_models<'a>(context: &'a Context, cells: &[CellRecord]) -> Vec<&'a Described> {
    let cells_models = cells.iter().flat_map(CellRecord::models);
    let worlds_models = cells.iter().flat_map(|cell| &cell.environment_models);
    let named = cells_models.chain(worlds_models).map(String::as_str);
    let named: BTreeSet<&str> = named.collect();
    let described = &context.model_tables().described;
    let used = named.into_iter().filter_map(|name| described.get(name));
    let used: Vec<&Described> = used.collect();
    used.iter().for_each(|model| model.remark(context));
    one_currency(context, &used);
    limited_costs_are_known(context, cells);
    used
}

/// Their clients.
pub(super) fn clients(context: &Context, used: &[&Described]) -> Models {
    let built = context.models();
    let mut models = Models::default();
    used.iter().filter_map(|model| built.get(&model.record.name)).for_each(|client| models.add(client));
    models
}
