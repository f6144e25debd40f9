//! Costs: in one currency, and known where they are limited.

use crate::config::context::Context;
use crate::config::described::Described;
use crate::config::error::quoted;
use crate::config::record::CellRecord;

/// Costs are added up, so they must be in the same currency.
pub(in crate::config) fn one_currency(context: &Context, used: &[&Described]) {
    let mut priced = used.iter().filter_map(|model| {
        let prices = model.settings.profile.prices.as_ref();
        prices.map(|prices| (*model, prices.currency.as_str()))
    });
    let Some((first, currency)) = priced.next() else {
        return;
    };
    for (model, other) in priced.filter(|(_, other)| *other != currency) {
        let name = &first.record.name;
        let (other, currency) = (quoted(other), quoted(currency));
        let problem =
            format!("are in {other}, but those of `{name}` are in {currency}: the costs of a run are added up");
        model.wrong(context, "prices", problem);
    }
}

/// A limit on what an episode costs limits nothing if none of its models has prices.
pub(in crate::config) fn limited_costs_are_known(context: &Context, cells: &[CellRecord]) {
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
