//! Rows and pairs, from runs and from files of experts.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use rustc_hash::FxHashSet;
use serde_json::{Value, json};

use super::{Export, ExportArguments, Source};
use crate::output;
use rolecall_core::domain::EpisodeId;
use rolecall_core::files;
use rolecall_core::log::RUN;
use rolecall_core::text::{counted, visible};
use rolecall_doors::export::{
    ExpertRecord, Pair, PlayedEpisode, Provenance, Rendering, Row, RowFolder, RowMaker, VIEW_PROMPT, pair,
};

/// Rows of an episode, each with its task and its model.
#[derive(Default)]
struct Written {
    rows: Vec<(String, String, Value)>,
    /// Numbers of what was left out, by reason.
    left_out: Vec<(&'static str, u64)>,
    by_rules: bool,
}

impl Written {
    fn add_pair(&mut self, pair: &Pair, row: Value) {
        self.rows.push((pair.task.clone(), pair.model.clone(), row));
    }

    fn add(&mut self, row: &Row, values: Vec<Value>) {
        if values.is_empty() {
            self.left_out.push(("not to be told in this format", 1));
        }
        self.rows.extend(values.into_iter().map(|value| (row.task.clone(), row.model.clone(), value)));
    }
}

impl Export<'_> {
    /// Writes the folder, and says what is in it.
    pub(super) fn rows(&self, files: &[&PathBuf], folder: &Path) -> anyhow::Result<String> {
        let ExportArguments { rows, shape, format, .. } = self.arguments;
        let mut out = RowFolder::new(folder, rows.test_share, rows.dedupe);
        let mut by_rules = false;
        for source in self.sources {
            out.count_episodes(source.chosen.counted, source.chosen.solved);
            for (reason, count) in &source.chosen.refused {
                out.refuse(reason, *count);
            }
        }
        if shape.pairs {
            self.pairs(&mut out)?;
        } else {
            for source in self.sources {
                by_rules |= self.of_run(source, &mut out)?;
            }
            for file in files {
                self.of_experts(file, &mut out)?;
            }
        }
        if by_rules {
            fs::write(folder.join("prompt.md"), VIEW_PROMPT)?;
        }
        if let Some((name, text)) = format.rows().and_then(|rows| rows.settings(shape.pairs, shape.label)) {
            fs::write(folder.join(name), text)?;
        }
        let count = out.finish(&self.provenance(files)?)?;
        let (one, several) = if shape.pairs { ("pair", "pairs") } else { ("row", "rows") };
        Ok(counted(count, one, several))
    }

    fn rendering(&self) -> Option<Rendering> {
        Some(self.arguments.shape.rendering(self.arguments.format.rows()?))
    }

    /// Writes the rows of a run; whether some are of seats by rules.
    fn of_run(&self, source: &Source, out: &mut RowFolder) -> anyhow::Result<bool> {
        let maker = RowMaker::new(&source.run, source.marking(self.arguments)?, self.registry)?;
        let rendering = self.rendering();
        let prefix = match self.sources.len() {
            1 => String::new(),
            _ => format!("{}/", source.name()),
        };
        let work = |episode: PlayedEpisode| -> anyhow::Result<Written> {
            let mut written = Written::default();
            let Some(rendering) = rendering else {
                for (row, trajectory) in maker.trajectories(&episode)? {
                    written.add(&row, vec![trajectory]);
                }
                return Ok(written);
            };
            let made = maker.rows(&episode)?;
            written.left_out.push(("turns that are not trained", made.left_out));
            for mut row in made.rows {
                row.id.insert_str(0, &prefix);
                written.by_rules |= row.is_view();
                written.add(&row, rendering.rows(&row));
            }
            Ok(written)
        };
        let mut by_rules = false;
        source.run.over_episodes(&source.chosen.ids(), work, |made| {
            out.count_written();
            by_rules |= made.by_rules;
            self.progress.inc(1);
            take(out, made)
        })?;
        Ok(by_rules)
    }

    /// Writes the rows of a file of an expert.
    fn of_experts(&self, path: &Path, out: &mut RowFolder) -> anyhow::Result<()> {
        let shown = output::shown(path);
        let unreadable = || format!("`{shown}` cannot be read");
        let Some(rendering) = self.rendering() else {
            bail!("`{shown}` holds no run, of which alone there are trajectories");
        };
        let file = BufReader::new(files::unpacked(path).with_context(unreadable)?);
        for (number, line) in (1..).zip(file.lines()) {
            let record: ExpertRecord = serde_json::from_str(&line.with_context(unreadable)?)
                .with_context(|| format!("`{shown}` line {number} is no record of `rolecall data trajectories`"))?;
            let row = record.row(number);
            let mut written = Written::default();
            match row.trainable {
                true => written.add(&row, rendering.rows(&row)),
                false => written.left_out.push(("turns that are not trained", 1)),
            }
            take(out, written)?;
        }
        Ok(())
    }

    /// Writes pairs of the first run and those that branched off it.
    fn pairs(&self, out: &mut RowFolder) -> anyhow::Result<()> {
        let (Some((parent, branches)), Some(rendering)) = (self.sources.split_first(), self.rendering()) else {
            return Ok(());
        };
        let marking = parent.marking(self.arguments)?;
        let ids: Vec<FxHashSet<EpisodeId>> =
            branches.iter().map(|branch| branch.chosen.ids().into_iter().collect()).collect();
        let wanted = |place: usize, id: &EpisodeId| -> anyhow::Result<Option<PlayedEpisode>> {
            let branch = &branches[place];
            if !ids[place].contains(id) {
                return Ok(None);
            }
            let episode = branch.run.episode(id)?;
            let fork = episode.as_ref().and_then(|episode| episode.opened()?.fork.as_ref());
            if fork.is_none_or(|fork| fork.run != parent.name()) {
                bail!(
                    "episode `{id}` of `{}` did not branch off the run `{}`: name that run first",
                    visible(branch.name()),
                    visible(parent.name())
                );
            }
            Ok(episode)
        };
        let work = |episode: PlayedEpisode| -> anyhow::Result<Written> {
            let mut written = Written::default();
            let id = episode.id.clone();
            let mut all = vec![episode];
            for place in 0..branches.len() {
                all.extend(wanted(place, &id)?);
            }
            for episode in &all {
                episode.prove()?;
            }
            for (index, one) in all.iter().enumerate() {
                for other in &all[index + 1..] {
                    match pair(one, other, &marking) {
                        Ok(found) => match rendering.pair(&found) {
                            Some(row) => written.add_pair(&found, row),
                            None => written.left_out.push(("not to be told in this format", 1)),
                        },
                        Err(reason) => written.left_out.push((reason, 1)),
                    }
                }
            }
            Ok(written)
        };
        parent.run.over_episodes(&parent.chosen.ids(), work, |made| {
            out.count_written();
            self.progress.inc(1);
            take(out, made)
        })
    }

    fn provenance(&self, files: &[&PathBuf]) -> anyhow::Result<Provenance> {
        let ExportArguments { rows, shape, format, episode, choice, .. } = self.arguments;
        let mut sources = Vec::new();
        let mut environments = BTreeSet::new();
        for source in self.sources {
            let record = source.run.log().record();
            let config = fs::read(source.run.log().folder().join(RUN))?;
            sources.push(json!({
                "run": record.name, "id": record.id, "episodes": source.chosen.results.len(),
                "config": blake3::hash(&config).to_hex().as_str(),
            }));
            environments.extend(source.run.plan().cells.iter().map(|cell| cell.environment.clone()));
        }
        for file in files {
            let mut hasher = blake3::Hasher::new();
            std::io::copy(&mut File::open(file)?, &mut hasher)?;
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            sources.push(json!({"file": name, "blake3": hasher.finalize().to_hex().as_str()}));
        }
        Ok(Provenance {
            format: format.name(),
            sources,
            environments: environments.into_iter().collect(),
            options: json!({
                "seat": rows.seat, "model": rows.model, "success": rows.success,
                "min_reward": rows.min_reward, "best_of": rows.best_of, "dedupe": rows.dedupe,
                "test_share": rows.test_share, "pairs": shape.pairs, "whole": shape.whole,
                "label": shape.label, "episode": episode, "choice": choice.in_words(),
            }),
        })
    }
}

fn take(out: &mut RowFolder, made: Written) -> anyhow::Result<()> {
    for (task, model, row) in &made.rows {
        out.add(task, model, row)?;
    }
    for (reason, count) in made.left_out {
        out.refuse(reason, count);
    }
    Ok(())
}
