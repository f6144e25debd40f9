//! A branch in the making: episodes of a run, with the beginnings that are taken over.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::bail;

use super::{parent, untouched};
use crate::beginning::begin;
use crate::config_arguments::refuse_absent;
use crate::playing::Playing;
use crate::progress::prepare;
use crate::reload_plan::{ReloadedPlan, reload_plan};
use rolecall_core::domain::{EpisodeId, Steering};
use rolecall_core::log::RunLog;
use rolecall_core::maps::ordered;
use rolecall_run::config::{Absent, ParentRecord, Record};
use rolecall_run::registry::Registry;
use rolecall_run::runtime::{ResumeState, misfit};

/// What a branch is made of, besides the run that it leaves.
pub(crate) struct Making<'a> {
    /// The episodes, each with the number of events that it takes over.
    pub(crate) events: BTreeMap<EpisodeId, u32>,
    /// The point where it leaves the run, as it was asked for.
    pub(crate) at: String,
    /// How the episodes were chosen, in words.
    pub(crate) chosen: String,
    /// The choice looked at what the episodes came to.
    pub(crate) by_outcome: bool,
    /// What happens where the episodes leave those of the run.
    pub(crate) steering: Steering,
    /// The settings that are laid over those of the run.
    pub(crate) settings: Vec<String>,
    /// The models of roles, or of the user.
    pub(crate) models: &'a [String],
    /// The folder of the new run's folder, seen from here.
    pub(crate) logs: Option<&'a Path>,
    /// Its name was asked for and must be free.
    pub(crate) named: bool,
    /// People may sit in a browser.
    pub(crate) served: bool,
    /// Nothing is printed meanwhile.
    pub(crate) quiet: bool,
}

impl Making<'_> {
    /// Makes the new run, and its record.
    pub(crate) fn begin(self, run: RunLog, registry: &Registry) -> anyhow::Result<(Playing, Record)> {
        let name = parent::name(&run);
        let reloaded = reload_plan(run.folder(), &self.settings, self.models, Absent::Refused, registry)?;
        let ReloadedPlan { mut resolved, .. } = reloaded;
        if !self.served {
            refuse_absent(&resolved)?;
        }
        resolved.plan.check_keys()?;
        if let Some(logs) = self.logs {
            resolved.plan.run.logs = logs.into();
        }
        prepare(&resolved.plan, self.quiet)?;
        untouched::as_written(&run, self.events.keys(), registry)?;
        if let Some(misfit) = misfit(&resolved.plan, &run, &self.events)? {
            bail!(
                "no episode can be gone on with: the new config differs in what was played before; \
                 `{}`: {}",
                misfit.episode,
                misfit.problem
            );
        }
        let episodes = self.events.iter().map(|(id, events)| (id.to_string(), u64::from(*events)));
        resolved.name_parent(ParentRecord {
            run: name.clone(),
            folder: parent::shown(run.folder(), &resolved.working),
            at: self.at,
            chosen: self.chosen,
            by_outcome: self.by_outcome,
            digests: untouched::pinned(&run, &self.events)?,
            steering: self.steering.clone(),
            episodes: ordered(episodes),
        })?;
        let writer = begin(&mut resolved, self.named)?;
        let mut playing = Playing::new(resolved.plan, writer, registry);
        let forked = ResumeState::default().forked(Some(run), &name, self.events);
        playing.resume_state = forked.steered(self.steering);
        Ok((playing, resolved.record))
    }
}
