//! The state that the checks of one config share: the registry to check against, and the lists of what was
//! found.

use std::cell::{Cell, OnceCell, RefCell};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::described::{ModelTables, Swaps};
use super::error::{ConfigError, ConfigErrors};
use super::layers::{Layered, Request};
use super::origin::{Origin, Problem, Sources, shown};
use super::search::FileRecord;
use crate::registry::Registry;
use rolecall_core::domain::CellName;
use rolecall_core::ports::model::ToolSpec;
use rolecall_core::ports::{ModelClient, Models};

/// Collects problems instead of stopping at the first one.
pub(super) struct Context {
    /// The names that can be given.
    pub(super) registry: Registry,
    /// The working folder.
    pub(super) working: PathBuf,
    /// The record of the run that is resolved again.
    record: Option<toml::Table>,
    tables: OnceCell<ModelTables>,
    swaps: OnceCell<Swaps>,
    models: RefCell<Models>,
    sources: RefCell<Sources>,
    problems: RefCell<Vec<Problem>>,
    seen: RefCell<Vec<ConfigError>>,
    reports: Cell<usize>,
    notes: RefCell<Vec<String>>,
    files: RefCell<Vec<FileRecord>>,
}

impl Context {
    /// A context for the config whose layers were read.
    pub(super) fn new(registry: Registry, request: &Request, layered: Layered) -> Self {
        Self {
            registry,
            working: request.working.clone(),
            record: request.record.clone(),
            tables: OnceCell::new(),
            swaps: OnceCell::new(),
            models: RefCell::default(),
            sources: RefCell::new(layered.sources),
            seen: RefCell::default(),
            reports: Cell::new(layered.problems.len()),
            problems: RefCell::new(layered.problems),
            notes: RefCell::default(),
            files: RefCell::new(layered.files),
        }
    }

    /// A part of a cell in the record of the run that is resolved again.
    pub(super) fn recorded(&self, cell: &CellName, part: &str) -> Option<&toml::Table> {
        self.recorded_cell(cell)?.get(part)?.as_table()
    }

    /// The parameters of a role of a cell in that record, if it had this implementation.
    pub(super) fn recorded_role(&self, cell: &CellName, role: &str, implementation: &str) -> Option<&toml::Table> {
        let entry = named(self.recorded_cell(cell)?, "roles", "role", role)?;
        entry.get("implementation").filter(|recorded| recorded.as_str() == Some(implementation))?;
        entry.get("parameters")?.as_table()
    }

    /// The tools that a cell's environment had asked for in that record.
    pub(super) fn recorded_tools(&self, cell: &CellName) -> Vec<ToolSpec> {
        let all = self.record.as_ref().and_then(|record| record.get("tools")?.as_array());
        let tool = |tool: &toml::Value| {
            let text = |key| tool.get(key)?.as_str();
            tool.get("cells")?.as_array()?.iter().find(|name| name.as_str() == Some(cell.as_str()))?;
            Some(ToolSpec {
                name: text("name")?.to_owned(),
                description: text("description")?.to_owned(),
                parameters: serde_json::from_str(text("parameters")?).ok()?,
            })
        };
        all.into_iter().flatten().filter_map(tool).collect()
    }

    /// The table of a model in that record.
    pub(super) fn recorded_model(&self, name: &str) -> Option<&toml::Table> {
        named(self.record.as_ref()?, "models", "name", name)
    }

    fn recorded_cell(&self, cell: &CellName) -> Option<&toml::Table> {
        named(self.record.as_ref()?, "cells", "name", cell.as_str())
    }

    /// Makes known what the config and the command line say about models, once.
    pub(super) fn set_models(&self, tables: ModelTables, swaps: Swaps) {
        let _ = self.tables.set(tables);
        let _ = self.swaps.set(swaps);
    }

    /// The models that the config describes; none before they were read.
    pub(super) fn model_tables(&self) -> &ModelTables {
        self.tables.get_or_init(ModelTables::default)
    }

    /// The models that the command line swaps; none before it was read.
    pub(super) fn swaps(&self) -> &Swaps {
        self.swaps.get_or_init(Swaps::default)
    }

    /// Adds the client of a model that a seat names.
    pub(super) fn add_model(&self, client: Arc<dyn ModelClient>) {
        self.models.borrow_mut().add(client);
    }

    /// The models that seats named so far.
    pub(super) fn models(&self) -> Models {
        self.models.borrow().clone()
    }

    /// Notes a problem. The text goes on from the key: "is missing", "is the text `x`; ...".
    pub(super) fn report(&self, origin: Origin, key: Option<&str>, problem: impl Into<String>) {
        let (origin, error) = self.sources.borrow().problem(origin, key, problem);
        self.report_as_is(origin, error);
    }

    /// Notes a problem that knows its place; `origin` decides where it is listed.
    pub(super) fn report_as_is(&self, origin: Origin, error: ConfigError) {
        self.reports.set(self.reports.get() + 1);
        // What stands outside the cells is checked once for each cell.
        let mut seen = self.seen.borrow_mut();
        if !seen.contains(&error) {
            seen.push(error.clone());
            self.problems.borrow_mut().push((origin, error));
        }
    }

    /// Whether something was found to be wrong with the key.
    pub(super) fn is_wrong(&self, key: &str) -> bool {
        self.seen.borrow().iter().any(|error| error.key.as_deref() == Some(key))
    }

    /// Notes something that is no problem, but not obvious either.
    pub(super) fn remark(&self, origin: Origin, text: &str) {
        let note = format!("{}: {text}", self.sources.borrow().label(origin));
        let mut notes = self.notes.borrow_mut();
        if !notes.contains(&note) {
            notes.push(note);
        }
    }

    /// Notes that a file is part of the run.
    pub(super) fn add_file(&self, file: FileRecord) {
        let mut files = self.files.borrow_mut();
        if !files.contains(&file) {
            files.push(file);
        }
    }

    /// Adds a file whose values are checked, and says what its origins look like.
    pub(super) fn add_source(&self, label: &str, folder: &Path) -> usize {
        self.sources.borrow_mut().add(label, folder)
    }

    /// The folder to which paths of this origin are relative.
    pub(super) fn folder(&self, origin: Origin) -> PathBuf {
        self.sources.borrow().folder(origin)
    }

    /// A path as messages show it.
    pub(super) fn shown(&self, path: &Path) -> String {
        shown(path, &self.working)
    }

    /// The number of problems that were found so far, those counted too that were found before in another
    /// cell.
    pub(super) fn problem_count(&self) -> usize {
        self.reports.get()
    }

    /// All problems by place, the notes, and the files.
    pub(super) fn into_parts(self) -> (ConfigErrors, Vec<String>, Vec<FileRecord>) {
        let mut problems = self.problems.into_inner();
        problems.sort_by_key(|(origin, _)| (origin.source, origin.line));
        let errors = problems.into_iter().map(|(_, error)| error).collect();
        (ConfigErrors(errors), self.notes.into_inner(), self.files.into_inner())
    }
}

/// The item of a record's list that has this name under the key.
pub(super) fn named<'a>(table: &'a toml::Table, list: &str, key: &str, name: &str) -> Option<&'a toml::Table> {
    let mut items = table.get(list)?.as_array()?.iter().filter_map(toml::Value::as_table);
    items.find(|item| item.get(key).and_then(toml::Value::as_str) == Some(name))
}
