//! Who saw what in a run that was recorded, as far as its `run.toml` says it.

use std::fs;
use std::path::Path;

use toml::{Table, Value};

use super::{LogError, RUN};
use crate::domain::{CellName, RoleName, UserSees, Visibility};

/// The visibility in a cell of the run in this folder, with a user of this kind. Whether the environment hears
/// what is said is not recorded.
///
/// # Errors
/// When `run.toml` cannot be read.
pub fn recorded_visibility(folder: &Path, cell: &CellName, user: Option<&str>) -> Result<Visibility, LogError> {
    let path = folder.join(RUN);
    let text = fs::read_to_string(&path).map_err(|error| LogError::read(&path, &error))?;
    let table: Table =
        text.parse().map_err(|error: toml::de::Error| LogError::file(&path, LogError::USED, error.to_string()))?;
    Ok(of(&table, cell, user))
}

fn of(table: &Table, cell: &CellName, user: Option<&str>) -> Visibility {
    let list = |table: &Table, key: &str| {
        let tables = table.get(key).and_then(Value::as_array).cloned().into_iter().flatten();
        tables
            .filter_map(|value| match value {
                Value::Table(table) => Some(table),
                _ => None,
            })
            .collect::<Vec<Table>>()
    };
    let text = |table: &Table, key: &str| Some(table.get(key)?.as_str()?.to_owned());
    let mut named =
        list(table, "cells").into_iter().filter(|table| text(table, "name").as_deref() == Some(cell.as_str()));
    let Some(found) = named.next_back() else {
        return Visibility::default();
    };
    let hides = |role: &Table| role.get("hide_thoughts").and_then(Value::as_bool) == Some(true);
    let hidden =
        list(&found, "roles").into_iter().filter(hides).filter_map(|role| RoleName::new(&text(&role, "role")?).ok());
    let sees = list(&found, "users")
        .into_iter()
        .find(|table| text(table, "kind").as_deref() == user)
        .and_then(|table| UserSees::named(&text(&table, "sees")?));
    Visibility { user_sees: sees.unwrap_or_default(), hidden_thoughts: hidden.collect(), environment_hears: false }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_says_who_saw_what() {
        let text = "[[cells]]\nname = 'a'\nroles = [{ role = 'thinker', hide_thoughts = true }, \
                    { role = 'executor', hide_thoughts = false }]\n\
                    users = [{ kind = 'x', sees = 'question' }, { kind = 'y', sees = 'dialogue+observations' }]";
        let table: Table = text.parse().unwrap();
        let found = of(&table, &CellName::new("a").unwrap(), Some("y"));
        assert_eq!(found.user_sees, UserSees::DialogueAndObservations);
        let hidden: Vec<&str> = found.hidden_thoughts.iter().map(RoleName::as_str).collect();
        assert_eq!(hidden, ["thinker"]);
        let other = of(&table, &CellName::new("b").unwrap(), None);
        assert_eq!(other, Visibility::default());
    }
}
