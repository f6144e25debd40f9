//! The table of a paper.

use serde_json::{Value, json};

use super::shapes::{flag, object, properties, text, texts};
use crate::config::error::distinct;
use crate::config::table::{Figure, Take};
use crate::registry::Registry;

/// The schema of the key `table` (`rolecall reproduce`).
#[expect(clippy::too_many_lines, reason = "it is one table, a line or more for each key")]
pub(super) fn table(registry: &Registry) -> Value {
    let metrics: Vec<&str> = registry.metrics.iter().map(|entry| entry.metric.name()).collect();
    let column = properties([
        ("name", text("its heading")),
        ("kind", text("only tasks of this type")),
        ("cells", texts("only these cells of each row; `*` stands for anything")),
        ("metric", json!({"enum": distinct(metrics), "default": "success"})),
        ("part", text("a further figure of the metric, by its name")),
        ("figure", json!({"enum": Figure::WORDS, "default": Figure::WORDS[0]})),
        ("scale", json!({"type": "number", "minimum": 0, "maximum": 1e9})),
        ("combination", text("for `figure = \"combination\"`: the strategies")),
        ("rating", text("for `figure = \"rating\"`: what people rated")),
        ("lower_is_better", flag("the lower of two figures is the better one")),
    ]);
    let published = json!({"anyOf": [{"type": "number"}, {"type": "string", "pattern": "^(-|\\d+/\\d+|<.+)$"}]});
    let row = properties([
        ("label", text("its name in the paper")),
        ("model", text("who played for the published figures")),
        ("published", json!({"type": "array", "items": published, "description": "one a column"})),
        ("deviation", json!({"type": "array", "items": {"type": "number", "minimum": 0}})),
        ("cells", texts("the cells that stand for it; `*` stands for anything")),
        ("missing", text("why the config may be without these cells")),
        ("take", json!({"enum": Take::WORDS, "default": Take::WORDS[0]})),
    ]);
    let order = properties([
        ("better", text("the label of a row")),
        ("worse", text("the label of a row")),
        ("column", text("the last one if nothing is said")),
        ("otherwise", text("why it may not show here")),
        ("by_rules", text("why rules may not show it")),
    ]);
    let list =
        |item, about: &str| json!({"type": "array", "minItems": 1, "items": object(item, about), "description": about});
    let own = properties([
        ("title", text("its title")),
        ("paper", text("such as `ReSpAct, Table 1`")),
        ("columns", list(column, "which figure of which episodes")),
        ("rows", list(row, "what the paper says, and which cells say it here")),
        ("order", json!({"type": "array", "items": object(order, "which row the paper calls better")})),
        ("notes", texts("shown below the table")),
        ("by_rules", texts("shown if players by rules sit on all seats")),
    ]);
    object(own, "a table of a paper (docs/configs.md)")
}
