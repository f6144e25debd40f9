//! Which tasks are played.

use super::node::Node;
use super::plan::Cell;
use super::walk::Section;
use rolecall_core::ports::settings::settings;

settings! {
    /// The tasks that the config asks for.
    #[derive(Clone, Copy, Debug)]
    pub(super) struct Selection {
        limit: Option<usize> = integer("limit", None, 1..=u32::MAX as i64),
            "the number of tasks that are played";
        offset: usize = integer("offset", Some(0), 0..=u32::MAX as i64),
            "the number of tasks that are left out first";
    }
}

impl Selection {
    /// The tasks as indices into the sources of the cells, of which each plays those that it has:
    /// so limit and offset hold for each. Nothing if a cell is left without any.
    pub(super) fn of(&self, top: &Section<'_>, written: Option<&Node>, cells: &[Cell]) -> Option<Vec<usize>> {
        let fewest = cells.iter().min_by_key(|cell| cell.tasks.len())?;
        let most = cells.iter().map(|cell| cell.tasks.len()).max()?;
        let (count, offset) = (fewest.tasks.len(), self.offset);
        let whose = match count == most {
            true => String::new(),
            false => format!(" of the cell `{}`", fewest.name),
        };
        if count == 0 {
            let problem = format!("{whose} has no tasks");
            top.wrong("environment", problem.trim_start());
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
        let limit = self.limit.unwrap_or(most);
        let end = offset.saturating_add(limit).min(most);
        Some((offset..end).collect())
    }
}
