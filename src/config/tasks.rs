//! Which tasks are played.

use super::node::Node;
use super::plan::Cell;
use super::walk::Section;

/// The tasks that the config asks for.
pub(super) struct Selection {
    limit: Option<usize>,
    /// How many are left out first.
    pub(super) offset: usize,
}

/// Reads the table `tasks`.
pub(super) fn selection(top: &mut Section<'_>) -> Selection {
    let mut section = top.section("tasks");
    let most = i64::from(u32::MAX);
    let limit = section.integer("limit", 1, most);
    let offset = section.integer("offset", 0, most).unwrap_or(0);
    section.finish();
    Selection {
        limit: limit.and_then(|limit| usize::try_from(limit).ok()),
        offset: usize::try_from(offset).unwrap_or(0),
    }
}

impl Selection {
    /// The tasks as indices into the sources of the cells, of which each plays those that it has:
    /// so limit and offset hold for each. Nothing if a cell is left without any.
    pub(super) fn of(
        &self,
        top: &Section<'_>,
        written: Option<&Node>,
        cells: &[Cell],
    ) -> Option<Vec<usize>> {
        let fewest = cells.iter().min_by_key(|cell| cell.tasks.len())?;
        let most = cells.iter().map(|cell| cell.tasks.len()).max()?;
        let (count, offset) = (fewest.tasks.len(), self.offset);
        let whose = if count == most {
            String::new()
        } else {
            format!(" of the cell `{}`", fewest.name)
        };
        if count == 0 {
            let problem = match whose.as_str() {
                "" => "has no tasks".to_owned(),
                whose => format!("{whose} has no tasks").trim_start().to_owned(),
            };
            top.wrong("environment", problem);
            return None;
        }
        if offset >= count {
            let last = count - 1;
            let problem = format!(
                "is `{offset}`; it must be a whole number from 0 to {last}, for there are {count} \
                 tasks{whose}"
            );
            top.section_of("tasks", written).wrong("offset", problem);
            return None;
        }
        let end = self
            .limit
            .map_or(most, |limit| offset.saturating_add(limit).min(most));
        Some((offset..end).collect())
    }
}
