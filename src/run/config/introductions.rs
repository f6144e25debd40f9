//! Participants in other processes, and what they say of themselves before a run begins.

use super::context::named;
use super::error::{ConfigError, ConfigErrors};
use super::plan::Plan;
use super::record::Record;
use rolecall_core::ports::{Introduction, absent_role, absent_user};

/// Treatment of participants in other processes that cannot be started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Absent {
    /// They are missing.
    Refused,
    /// The log stands in for those whose answers come from outside; others are missing.
    Taken,
    /// Nobody is asked: whatever they did is taken from the log.
    Unasked,
}

/// Asks every participant in another process what it is.
pub(super) fn introduce(
    plan: &mut Plan,
    record: &mut Record,
    recorded: Option<&toml::Table>,
    absent: Absent,
) -> Result<(), ConfigErrors> {
    let mut errors = Vec::new();
    for (cell, record) in plan.cells.iter_mut().zip(&mut record.cells) {
        let mut asking = Asking { cell: record.name.clone(), recorded, absent, errors: &mut errors };
        for (role, record) in cell.roles.iter_mut().zip(&mut record.roles) {
            let seat = ("roles", "role", role.role.as_str());
            let ask = || (role.factory)().introduction().map_err(|error| error.to_string());
            let (program, away) = asking.ask(seat, ask);
            record.program = program;
            if let Some(why) = away {
                role.factory = absent_role(&why);
            }
        }
        for (user, record) in cell.users.iter_mut().zip(&mut record.users) {
            let seat = ("users", "kind", user.kind.as_str());
            let ask = || (user.factory)().introduction().map_err(|error| error.to_string());
            let (program, away) = asking.ask(seat, ask);
            record.program = program;
            if let Some(why) = away {
                user.factory = absent_user(&why);
            }
        }
    }
    match errors.is_empty() {
        true => Ok(()),
        false => Err(ConfigErrors(errors)),
    }
}

struct Asking<'a> {
    cell: String,
    recorded: Option<&'a toml::Table>,
    absent: Absent,
    errors: &'a mut Vec<ConfigError>,
}

impl Asking<'_> {
    /// The introduction of the seat's participant, and why it is away if that is no matter.
    fn ask(
        &mut self,
        seat: (&str, &str, &str),
        ask: impl FnOnce() -> Result<Option<Introduction>, String>,
    ) -> (Option<Introduction>, Option<String>) {
        if self.absent == Absent::Unasked {
            return (self.before(seat), None);
        }
        let error = match ask() {
            Ok(program) => return (program, None),
            Err(error) => error,
        };
        let before = (self.absent == Absent::Taken).then(|| self.before(seat));
        let remedy = match before.flatten() {
            Some(before) if before.is_taken() => return (Some(before), Some(error)),
            Some(_) => {
                "; its answers can be had again and are not taken from the log, unless you ask for that (`--log`)"
            }
            None => "",
        };
        let (list, _, name) = seat;
        let problem = format!("cannot be played with: {error}{remedy}");
        self.errors.push(ConfigError::new(format!("cell `{}`", self.cell), Some(&format!("{list}.{name}")), problem));
        (None, None)
    }

    /// Its introduction when the run began.
    fn before(&self, seat: (&str, &str, &str)) -> Option<Introduction> {
        let (list, key, name) = seat;
        let cell = named(self.recorded?, "cells", "name", &self.cell)?;
        named(cell, list, key, name)?.get("program")?.clone().try_into().ok()
    }
}
