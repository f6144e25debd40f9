//! Participants in other processes, and what they say of themselves before a run begins.

use std::sync::Arc;

use async_trait::async_trait;

use super::error::{ConfigError, ConfigErrors};
use super::plan::Plan;
use super::record::Record;
use crate::domain::{Answer, Utterance};
use crate::ports::{Introduction, Role, RoleError, Turn, UserError, UserSimulator};

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
        let mut asking = Asking {
            cell: record.name.clone(),
            recorded,
            absent,
            errors: &mut errors,
        };
        for (role, record) in cell.roles.iter_mut().zip(&mut record.roles) {
            let seat = ("roles", "role", role.role.as_str());
            let ask = || (role.factory)().introduction();
            let (program, away) = asking.ask(seat, || ask().map_err(|error| error.to_string()));
            record.program = program;
            if let Some(why) = away {
                role.factory = Arc::new(move || Box::new(Away(Arc::clone(&why))));
            }
        }
        for (user, record) in cell.users.iter_mut().zip(&mut record.users) {
            let seat = ("users", "kind", user.kind.as_str());
            let ask = || (user.factory)().introduction();
            let (program, away) = asking.ask(seat, || ask().map_err(|error| error.to_string()));
            record.program = program;
            if let Some(why) = away {
                user.factory = Arc::new(move || Box::new(Away(Arc::clone(&why))));
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
    ) -> (Option<Introduction>, Option<Arc<str>>) {
        let before = self.before(seat);
        if self.absent == Absent::Unasked {
            return (before, None);
        }
        let error = match ask() {
            Ok(program) => return (program, None),
            Err(error) => error,
        };
        let taken = before.filter(|_| self.absent == Absent::Taken);
        if let Some(before) = taken.clone().filter(Introduction::is_taken) {
            return (Some(before), Some(error.into()));
        }
        let remedy = match taken {
            Some(_) => {
                "; its answers can be had again and are not taken from the log, unless you ask for that \
                        (`--log`)"
            }
            None => "",
        };
        let (list, _, name) = seat;
        let key = format!("{list}.{name}");
        let place = format!("cell `{}`", self.cell);
        let problem = format!("cannot be played with: {error}{remedy}");
        self.errors
            .push(ConfigError::new(place, Some(&key), problem));
        (None, None)
    }

    /// What it said when the run began.
    fn before(&self, seat: (&str, &str, &str)) -> Option<Introduction> {
        let (list, key, name) = seat;
        let named = |table: &toml::Value, list: &str, key: &str, name: &str| {
            let mut items = table.get(list)?.as_array()?.iter();
            let item = items.find(|item| item.get(key).and_then(|own| own.as_str()) == Some(name));
            item.cloned()
        };
        let record = toml::Value::Table(self.recorded?.clone());
        let cell = named(&record, "cells", "name", &self.cell)?;
        let program = named(&cell, list, key, name)?.get("program")?.clone();
        program.try_into().ok()
    }
}

/// Somebody who is not there and whose answers are taken from the log.
struct Away(Arc<str>);

#[async_trait]
impl Role for Away {
    async fn take_turn(&mut self, _: &Turn) -> Result<Answer, RoleError> {
        Err(RoleError::Unavailable(self.0.to_string()))
    }

    fn is_external(&self) -> bool {
        true
    }
}

#[async_trait]
impl UserSimulator for Away {
    async fn reply(&mut self, _: &Turn) -> Result<Utterance, UserError> {
        Err(UserError::Unavailable(self.0.to_string()))
    }

    fn is_external(&self) -> bool {
        true
    }
}
