//! The shop beside recordings of the original programs.

mod goals;
mod rewards;
mod search;

use std::path::Path;

use anyhow::{Context, bail};

use crate::conformance::{Comparison, Tally, shown};

/// Compares one recording: the file, the folder of official data, and the tally that counts.
type Check = fn(&Path, &Path, &mut Tally) -> anyhow::Result<()>;

/// The recordings by name, each with its comparison.
const CHECKS: &[(&str, Check)] = &[
    ("prim_normalize_color.jsonl", rewards::colors),
    ("prim_price_parse.jsonl", goals::prices),
    ("prim_shuffle233.jsonl", goals::orders),
    ("prim_token_set_ratio.jsonl", rewards::ratios),
    ("rewards_catalog1k_human.jsonl", rewards::rewards),
    ("rewards_synth1k_human.jsonl", rewards::rewards),
    ("rewards_synth1k_synthgoal.jsonl", rewards::rewards),
    ("search_catalog1k_human.jsonl", search::searches),
    ("search_synth1k_human.jsonl", search::searches),
    ("world/catalog1k_human.json", goals::worlds),
    ("world/catalog1k_human_attrs.json", goals::worlds),
    ("world/catalog1k_human_prev.json", goals::worlds),
    ("world/chatshop.json", goals::worlds),
    ("world/synth1k_human.json", goals::worlds),
    ("world/synth1k_synthgoal.json", goals::worlds),
];

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_recorded_value_is_reproduced() {
        let folder = |variable| std::env::var_os(variable).map(std::path::PathBuf::from);
        let (Some(oracle), Some(data)) = (folder("ROLECALL_ORACLE"), folder("ROLECALL_DATA"))
        else {
            return;
        };
        let compared = compare(&oracle.join("shop"), &data.join("shop")).unwrap();
        println!("{}", compared.text);
        assert_eq!(compared.differing, 0, "{}", compared.text);
    }
}
