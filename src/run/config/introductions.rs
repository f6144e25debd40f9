//! Participants in other processes, and what they say of themselves before a run begins.

use super::error::{ConfigError, ConfigErrors};
use super::plan::Plan;
use super::record::Record;
use rolecall_core::ports::{Introduction, absent_role, absent_user};

/// What becomes of participants in other processes that cannot be started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Absent {
    /// They are missing.
    Refused,
    /// What those did whose answers come from outside is taken from the log; others are missing.
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
            let ask = || (role.factory)().introduction();
            let (program, away) = asking.ask(seat, || ask().map_err(|error| error.to_string()));
            record.program = program;
            if let Some(why) = away {
                role.factory = absent_role(&why);
            }
        }
        for (user, record) in cell.users.iter_mut().zip(&mut record.users) {
            let seat = ("users", "kind", user.kind.as_str());
            let ask = || (user.factory)().introduction();
            let (program, away) = asking.ask(seat, || ask().map_err(|error| error.to_string()));
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
    /// What the seat's participant says of itself, and why it is away if that is no matter.
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
        let key = format!("{list}.{name}");
        let place = format!("cell `{}`", self.cell);
        let problem = format!("cannot be played with: {error}{remedy}");
        self.errors.push(ConfigError::new(place, Some(&key), problem));
        (None, None)
    }

    /// What it said when the run began.
    fn before(&self, seat: (&str, &str, &str)) -> Option<Introduction> {
        let (list, key, name) = seat;
        let cell = item(self.recorded?, "cells", "name", &self.cell)?;
        let program = item(cell, list, key, name)?.get("program")?.clone();
        program.try_into().ok()
    }
}

/// The item of a list of tables that has this name under the key.
fn item<'a>(table: &'a toml::Table, list: &str, key: &str, name: &str) -> Option<&'a toml::Table> {
    table
        .get(list)?
        .as_array()?
        .iter()
        .filter_map(|item| item.as_table())
        .find(|item| item.get(key).and_then(toml::Value::as_str) == Some(name))
}
