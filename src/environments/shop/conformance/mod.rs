//! The shop beside recordings of the original programs.

mod chatshop;
mod goals;
mod nouns;
mod rewards;
mod search;
mod sessions;

use std::path::Path;

use anyhow::{Context, bail};

use crate::conformance::{Comparison, Tally, shown};

/// Compares one recording: the file, the folder of official data, and the tally that counts.
type Check = fn(&Path, &Path, &mut Tally) -> anyhow::Result<()>;

/// The recordings by name, each with its comparison.
const CHECKS: &[(&str, Check)] = &[
    ("chatshop_agent.jsonl", chatshop::agents),
    ("chatshop_env.jsonl", chatshop::sessions),
    ("prim_normalize_color.jsonl", rewards::colors),
    ("prim_parse_action.jsonl", sessions::actions),
    ("prim_pos_stub.jsonl", nouns::titles),
    ("prim_price_parse.jsonl", goals::prices),
    ("prim_shuffle233.jsonl", goals::orders),
    ("prim_token_set_ratio.jsonl", rewards::ratios),
    ("rewards_catalog1k_human.jsonl", rewards::rewards),
    ("rewards_synth1k_human.jsonl", rewards::rewards),
    ("rewards_synth1k_synthgoal.jsonl", rewards::rewards),
    ("sessions_catalog1k_human.jsonl", sessions::sessions),
    ("sessions_catalog1k_human_attrs.jsonl", sessions::sessions),
    ("sessions_catalog1k_human_prev.jsonl", sessions::sessions),
    ("sessions_synth1k_human.jsonl", sessions::sessions),
    ("sessions_synth1k_synthgoal.jsonl", sessions::sessions),
    ("search_catalog1k_human.jsonl", searches),
    ("world/catalog1k_human.json", goals::worlds),
    ("world/catalog1k_human_attrs.json", goals::worlds),
    ("world/catalog1k_human_prev.json", goals::worlds),
    ("world/chatshop.json", goals::worlds),
    ("world/synth1k_human.json", goals::worlds),
    ("world/synth1k_synthgoal.json", goals::worlds),
];

/// The searches of all catalogues, whose recordings lie beside this file.
fn searches(file: &Path, data: &Path, tally: &mut Tally) -> anyhow::Result<()> {
    tally.add(search::compare(
        file.parent().unwrap_or(Path::new("")),
        data,
    )?);
    Ok(())
}

/// Compares every recording, and the parts of the real data set that are there.
///
/// # Errors
/// When a recording cannot be read, or the folder holds none that is known.
pub fn compare(oracle: &Path, data: &Path) -> anyhow::Result<Comparison> {
    let mut text = String::new();
    let mut all = Tally::default();
    let recordings = CHECKS
        .iter()
        .map(|(name, check)| (*name, oracle.join(name), *check));
    let real = "real/chatshop_goals.json";
    let real = (real, data.join(real), goals::real as Check);
    for (name, file, check) in recordings.chain([real]) {
        if !file.is_file() {
            continue;
        }
        let mut tally = Tally::default();
        check(&file, data, &mut tally).with_context(|| format!("`{}`", file.display()))?;
        text.push_str(&format!("{name}: {tally}\n"));
        all.add(tally);
    }
    if all.is_empty() {
        bail!("`{}` holds no recording that is known", oracle.display());
    }
    text.push_str(&shown(all.differences.iter().cloned()));
    text.push_str(&all.to_string());
    Ok(Comparison {
        text,
        differing: all.differing,
    })
}
