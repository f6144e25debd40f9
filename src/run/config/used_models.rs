//! The models that a run uses, of all that its config describes.

use std::collections::BTreeSet;

use super::context::Context;
use super::described::Described;
use super::error::quoted;
use super::record::CellRecord;
use rolecall_core::ports::Models;

/// The models that seats and environments of the cells name, by name.
pub(super) fn used_models<'a>(context: &'a Context, cells: &[CellRecord]) -> Vec<&'a Described> {
    let cells_models = cells.iter().flat_map(CellRecord::models);
    let worlds_models = cells.iter().flat_map(|cell| &cell.environment_models);
    let named: BTreeSet<&String> = cells_models.chain(worlds_models).collect();
    let described = &context.model_tables().described;
    let used: Vec<&Described> = named.into_iter().filter_map(|name| described.get(name)).collect();
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

/// Costs are added up, so they must be in the same currency.
fn one_currency(context: &Context, used: &[&Described]) {
    let mut priced = used.iter().filter_map(|model| {
        let prices = model.settings.profile.prices.as_ref()?;
        Some((*model, prices.currency.as_str()))
    });
    let Some((first, currency)) = priced.next() else {
        return;
    };
    for (model, other) in priced.filter(|(_, other)| *other != currency) {
        let (name, other, currency) = (&first.record.name, quoted(other), quoted(currency));
        let problem =
            format!("are in {other}, but those of `{name}` are in {currency}: the costs of a run are added up");
        model.wrong(context, "prices", problem);
    }
}

/// A limit on what an episode costs limits nothing if none of its models has prices.
fn limited_costs_are_known(context: &Context, cells: &[CellRecord]) {
    let described = &context.model_tables().described;
    for cell in cells.iter().filter(|cell| cell.limits.has("cost")) {
        let models: Vec<_> = cell.models().flat_map(|name| described.get(name)).collect();
        if let Some(first) = models.first()
            && models.iter().all(|model| model.record.prices.is_none())
        {
            let problem = "are missing: `limits.cost` limits what an episode costs, but without \
                           `prices` nothing has a cost";
            first.wrong(context, "prices", problem);
            return;
        }
    }
}
