//! Costs: in one currency, and known where they are limited.

use crate::config::context::Context;
use crate::config::described::Described;
use crate::config::error::quoted;
use crate::config::record::CellRecord;

/// Costs are added up, so they must be in the same currency.
pub(in crate::config) fn one_currency(context: &Context, used: &[&Described]) {
    let mut priced = used.iter().filter_map(|model| {
        let prices = model.record.settings.profile.prices.as_ref();
        prices.map(|prices| (*model, prices.currency.as_str()))
    });
    let Some((first, currency)) = priced.next() else {
        return;
    };
    for (model, other) in priced.filter(|(_, other)| *other != currency) {
        let name = &first.record.name;
        let problem = format!(
            "are in {}, but those of `{name}` are in {}: the costs of a run are added up",
            quoted(other),
            quoted(currency)
        );
        model.wrong(context, "prices", problem);
    }
}

/// A limit on what an episode costs limits nothing if none of its models has prices.
pub(in crate::config) fn limited_costs_are_known(context: &Context, cells: &[CellRecord]) {
    let described = &context.model_tables().described;
    for cell in cells.iter().filter(|cell| cell.limits.has("cost")) {
        let mut models = cell
            .models()
            .filter_map(|name| described.get(name))
            .peekable();
        let Some(first) = models.peek().copied() else {
            continue;
        };
        if models.all(|model| model.record.settings.profile.prices.is_none()) {
            let problem = "are missing: `limits.cost` limits what an episode costs, but without \
                           `prices` nothing has a cost";
            first.wrong(context, "prices", problem.to_owned());
            return;
        }
    }
}
