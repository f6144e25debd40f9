//! The strategies that responses are made of: shares and counts beside recordings.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::Context;
use serde::Deserialize;

use crate::kit::Tally;
use rolecall_core::maps::ordered;
use rolecall_core::ports::Response;
use rolecall_core::text::json;
use rolecall_dialogue::analyses::Strategies;
use rolecall_dialogue::{Options, load};

/// The tolerance of shares.
const TOLERANCE: f64 = 1e-9;
/// Combinations that are named.
const MOST: usize = 6;
/// The official samples, relative to the folder of data, and the names of 200 of them.
const CIMA: &str = "cima/dataset.json";
const DRAWN: &str = "tasks/cima_sample200.json";

#[derive(Deserialize)]
struct Recording {
    combo_label_order: Vec<String>,
    all_3315_responses: Distribution,
    all_first_response_only: Distribution,
    our_sample200_first_response: Distribution,
    single_label_counts_all: BTreeMap<String, u64>,
    avg_labels_per_response: f64,
    synthetic_llm_sequences: Sequences,
}

#[derive(Deserialize)]
struct Distribution {
    n: u64,
    top: Vec<Slice>,
    rest: Rest,
}

#[derive(Deserialize)]
struct Slice {
    combo: String,
    count: u64,
    share: f64,
}

#[derive(Deserialize)]
struct Rest {
    count: u64,
    share: f64,
}

#[derive(Deserialize)]
struct Sequences {
    sequences: Vec<Vec<String>>,
    sequence_distribution_top6: Distribution,
    collapsed_adjacent_top6: Distribution,
    set_distribution_top6: Distribution,
    per_strategy_share: BTreeMap<String, f64>,
    multi_strategy_share: f64,
    transitions: BTreeMap<String, u64>,
    mean_len: f64,
}

/// Counts the sequences of the recording, and the labels of the official file.
pub(super) fn distributions(file: &Path, data: &Path, tally: &mut Tally) -> anyhow::Result<()> {
    let text = fs::read_to_string(file).context("cannot be read")?;
    let recording: Recording = json::read(&text)?;
    sequences(&recording, tally);
    annotations(&recording, data, tally)
}

/// The strategies in a fixed order, each once.
fn set(sequence: &[impl AsRef<str>], order: &[String]) -> Vec<String> {
    let holds = |name: &&String| sequence.iter().any(|label| label.as_ref() == name.as_str());
    order.iter().filter(holds).cloned().collect()
}

fn sequences(recording: &Recording, tally: &mut Tally) {
    let own = &recording.synthetic_llm_sequences;
    let counted = |name: &dyn Fn(&[String]) -> String| {
        let mut found = Strategies::default();
        for sequence in &own.sequences {
            found.add_as(sequence, name(sequence));
        }
        found
    };
    let raw = counted(&|sequence| sequence.join(" "));
    let once = counted(&|sequence| Response::collapsed(sequence).join(" "));
    let sets = counted(&|sequence| set(sequence, &recording.combo_label_order).join(" "));
    compare("sequences", &own.sequence_distribution_top6, &raw, tally);
    compare("collapsed", &own.collapsed_adjacent_top6, &once, tally);
    compare("sets", &own.set_distribution_top6, &sets, tally);
    for (name, share) in &own.per_strategy_share {
        let found = once.share(once.with(name));
        near(tally, &format!("share of {name}"), *share, found);
    }
    let several = once.share(once.several);
    let recorded = own.multi_strategy_share;
    near(tally, "multi_strategy_share", recorded, several);
    let transitions = once.transitions();
    let transitions = transitions.map(|(one, next, count)| (format!("{one}->{next}"), count));
    let transitions: BTreeMap<String, u64> = ordered(transitions);
    for name in own.transitions.keys().chain(transitions.keys()) {
        let (recorded, found) = (own.transitions.get(name), transitions.get(name));
        tally.check(|| name.clone(), &recorded, &found);
    }
    let length = once.mean_length().unwrap_or_default();
    near(tally, "mean_len", own.mean_len, length);
}

fn near(tally: &mut Tally, name: &str, recorded: f64, found: f64) {
    tally.near(|| name.to_owned(), recorded, found, TOLERANCE);
}

fn compare(what: &str, recorded: &Distribution, found: &Strategies, tally: &mut Tally) {
    let slices = found.distribution(MOST);
    tally.check(|| format!("{what}: n"), &recorded.n, &found.responses);
    for (place, slice) in recorded.top.iter().enumerate() {
        let own = slices.get(place);
        let own = own.and_then(|(combination, count)| Some(((*combination)?, *count)));
        let name = || format!("{what}: combination {place}");
        tally.check(name, &Some((slice.combo.as_str(), slice.count)), &own);
        let share = found.share(own.map_or(0, |(_, count)| count));
        near(tally, &format!("{what}: share {place}"), slice.share, share);
    }
    let rest = slices.iter().find(|(combination, _)| combination.is_none());
    let rest = rest.map_or(0, |(_, count)| *count);
    tally.check(|| format!("{what}: rest"), &recorded.rest.count, &rest);
    let name = format!("{what}: share of the rest");
    near(tally, &name, recorded.rest.share, found.share(rest));
}

#[derive(Deserialize)]
struct Drawn {
    ids: Vec<String>,
}

/// Counts the labels that people gave to the responses of the official file.
fn annotations(recording: &Recording, data: &Path, tally: &mut Tally) -> anyhow::Result<()> {
    let samples = load(&data.join(CIMA), &Options::default())?;
    let drawn = data.join(DRAWN);
    let text = fs::read_to_string(&drawn).with_context(|| format!("`{}`", drawn.display()))?;
    let drawn: Drawn = json::read(&text)?;
    let order = &recording.combo_label_order;
    let counted = |most: usize, wanted: &dyn Fn(&str) -> bool| {
        let mut found = Strategies::default();
        for sample in samples.iter().filter(|sample| wanted(&sample.id)) {
            for labels in sample.strategies.iter().take(most) {
                found.add(&set(labels, order));
            }
        }
        found
    };
    let all = counted(usize::MAX, &|_| true);
    let first = counted(1, &|_| true);
    let some = counted(1, &|id| drawn.ids.iter().any(|drawn| drawn == id));
    compare("all", &recording.all_3315_responses, &all, tally);
    compare("first", &recording.all_first_response_only, &first, tally);
    compare("200", &recording.our_sample200_first_response, &some, tally);
    for (name, count) in &recording.single_label_counts_all {
        tally.check(|| format!("label {name}"), count, &all.with(name));
    }
    let labels = all.mean_length().unwrap_or_default();
    let recorded = recording.avg_labels_per_response;
    near(tally, "avg_labels_per_response", recorded, labels);
    Ok(())
}
