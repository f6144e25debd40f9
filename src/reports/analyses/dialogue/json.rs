//! The same for programs.

use serde_json::{Map, Value, json};

use super::{MOST_COMBINATIONS, REST};
use crate::evaluation::Overlap;
use crate::evaluation::analyses::{Dialogues, Row, Strategies};

/// What is said of each data set of a row; nothing if it played none.
fn by_dataset(row: &Row, said: impl Fn(&Dialogues) -> Value) -> Value {
    if row.dialogues.is_empty() {
        return Value::Null;
    }
    let all = row.dialogues.iter();
    Value::Object(all.map(|(name, own)| (name.clone(), said(own))).collect())
}

/// By data set: `n`, `mean` and `pooled` by metric (shares; null where there is no such figure), their
/// `signatures` and `pooled_signatures`, and `focus_script` with its three figures in its order.
pub(in super::super) fn responses_object(row: &Row) -> Value {
    by_dataset(row, |dialogues| {
        let corpus = &dialogues.corpus;
        let each = |value: &dyn Fn(Overlap) -> Value| {
            let all = Overlap::ALL.iter();
            let all = all.map(|overlap| (overlap.name().to_owned(), value(*overlap)));
            Value::Object(all.collect::<Map<String, Value>>())
        };
        json!({
            "n": corpus.responses(),
            "mean": each(&|overlap| corpus.mean(overlap).into()),
            "pooled": each(&|overlap| corpus.pooled(overlap).into()),
            "signatures": each(&|overlap| corpus.signature(overlap).into()),
            "pooled_signatures": each(&|overlap| corpus.pooled_signature(overlap).into()),
            "focus_script": corpus.focus_script(),
            "focus_signatures": corpus.focus_signatures(),
        })
    })
}

/// By data set: `planned` and `annotated` strategies, and of how many `samples` that can be compared as
/// many plans are the `same` strategies as annotated ones.
pub(in super::super) fn strategies_object(row: &Row) -> Value {
    by_dataset(row, |dialogues| {
        let (samples, same) = dialogues.agreeing;
        json!({
            "planned": of(&dialogues.planned),
            "annotated": of(&dialogues.annotated),
            "samples": samples,
            "same": same,
        })
    })
}

fn of(strategies: &Strategies) -> Value {
    let counted = |count: u64| json!({"n": count, "share": strategies.share(count)});
    let slices = strategies.distribution(MOST_COMBINATIONS);
    let slices = slices.iter().map(|slice| {
        let name = slice.combination.unwrap_or(REST);
        json!({
            "strategies": name, "rest": slice.combination.is_none(),
            "n": slice.count, "share": strategies.share(slice.count),
        })
    });
    let single = strategies.single();
    let single = single.map(|(name, count)| (name.to_owned(), counted(count)));
    let transitions = strategies.transitions();
    let transitions =
        transitions.map(|(one, next, count)| json!({"from": one, "to": next, "n": count}));
    json!({
        "responses": strategies.responses(),
        "combinations": slices.collect::<Vec<_>>(),
        "single": Value::Object(single.collect()),
        "several": counted(strategies.several()),
        "mean_length": strategies.mean_length(),
        "transitions": transitions.collect::<Vec<_>>(),
    })
}

/// By data set: a list of sources and ranks, in the words of the table.
pub(in super::super) fn retrieval_object(row: &Row) -> Value {
    by_dataset(row, |dialogues| {
        let depths = dialogues.retrievals.depths();
        let depths = depths.iter().map(|depth| {
            json!({
                "source": depth.source, "first": depth.most, "retrievals": depth.retrievals,
                "right": depth.correct, "samples_with_any": depth.samples,
                "right_texts": depth.gold, "found": depth.found,
            })
        });
        json!({
            "samples": dialogues.retrievals.samples(),
            "ranks": depths.collect::<Vec<_>>(),
        })
    })
}
