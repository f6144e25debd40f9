//! The episode that a name stands for while a run goes on.

use anyhow::bail;

use rolecall_core::domain::EpisodeId;
use rolecall_core::log::RunRecord;
use rolecall_core::text::{joined, visible};

/// The one episode that a name stands for in a run that goes on, whose episodes are not all known: what the name
/// leaves out must be clear from the config.
pub(super) fn expected(record: &RunRecord, name: &str) -> anyhow::Result<EpisodeId> {
    let once = record.repeats == Some(1);
    let whole = match (name.split(':').count(), &record.cells[..]) {
        (1, [cell]) if once => format!("{cell}:{name}:0"),
        (2, _) if once => format!("{name}:0"),
        _ => name.to_owned(),
    };
    let Ok(id) = whole.parse::<EpisodeId>() else {
        let name = visible(name);
        bail!("`{name}` may stand for several episodes of this run: write `cell:task:repeat`")
    };
    if !record.cells.is_empty() && !record.cells.contains(&id.cell) {
        let cells = joined(&record.cells);
        bail!("this run has no cell `{}`; it has {cells}", id.cell);
    }
    Ok(id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rolecall_core::domain::CellName;

    fn record(cells: &[&str], repeats: u64) -> RunRecord {
        RunRecord {
            schema: 1,
            id: None,
            name: "x".to_owned(),
            version: None,
            seed: None,
            repeats: Some(repeats),
            episodes: None,
            parent: None,
            workers: Vec::new(),
            external: Vec::new(),
            changes: Vec::new(),
            currency: None,
            cells: cells.iter().map(|name| CellName::new(name).unwrap()).collect(),
            seats: Vec::new(),
        }
    }

    #[test]
    fn a_name_is_completed_where_only_one_episode_can_be_meant() {
        let found =
            |cells: &[&str], repeats, name: &str| expected(&record(cells, repeats), name).map(|id| id.to_string());
        assert_eq!(found(&["main"], 1, "3").unwrap(), "main:3:0");
        assert_eq!(found(&["a", "b"], 1, "b:3").unwrap(), "b:3:0");
        assert_eq!(found(&["a", "b"], 5, "b:3:4").unwrap(), "b:3:4");
        for (cells, repeats, name) in
            [(&["a", "b"][..], 1, "3"), (&["a"], 2, "3"), (&["a"], 2, "a:3"), (&["a"], 1, "b:3:0"), (&["a"], 1, "x")]
        {
            assert!(found(cells, repeats, name).is_err(), "{name}");
        }
    }
}
