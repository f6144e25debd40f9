//! From a request to a plan: every name looked up, every file read, every problem found.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::cell::{OpenedSources, cell};
use super::context::Context;
use super::described::Swaps;
use super::error::{ConfigError, ConfigErrors, quoted};
use super::introductions::{Absent, introduce};
use super::invocation::{Invocation, working_folder};
use super::layers::{Request, read_layers};
use super::merge::merge;
use super::mixture::MIXTURE;
use super::models::model_tables;
use super::node::{CELL_KEYS, CELLS, MATRIX, Node, Table, is_key_letter};
use super::origin::{Origin, shown};
use super::plan::{Cell, Plan, QueueSettings, ServeSettings};
use super::record::{CellRecord, ModelRecord, ParentRecord, Record, ToolRecord};
use super::search::{self, Agents};
use super::settings::{Selection, run_settings, settings};
use super::table::{self, PaperTable};
use super::used_models::{clients, used_models};
use super::walk::Section;
use crate::registry::{REMOTE, Registry};
use rolecall_core::domain::{CellName, SCHEMA, Seed};
use rolecall_core::log::schema_of;
use rolecall_core::maps::ordered;

/// A config that was resolved.
pub struct Resolved {
    /// The run as the runtime needs it.
    pub plan: Plan,
    /// The run as it is recorded; [`Plan::record`] is its text.
    pub record: Record,
    /// Every model that the config describes, by name; [`Record::models`] are those in use.
    pub models: Vec<ModelRecord>,
    /// The table of a paper that the config describes.
    pub table: Option<PaperTable>,
    /// Notes on what was left out of the config, and why.
    pub notes: Vec<String>,
    /// The folder from which paths of the command line and of variables hold, absolute.
    pub working: PathBuf,
    /// The record of the run that is resolved again, if one is.
    recorded: Option<toml::Table>,
}

impl Resolved {
    /// Takes hashes of the data that the tasks are made of, so that a later process can tell
    /// whether it plays the same, and of participants in other processes what they say of themselves. May read
    /// every file of the tasks, and starts these processes.
    ///
    /// # Errors
    /// When data cannot be read, or a process cannot be started.
    pub fn pin(&mut self) -> Result<(), ConfigErrors> {
        self.pin_without(Absent::Refused)
    }

    /// As [`pin`](Self::pin), where participants in other processes may be away.
    ///
    /// # Errors
    /// As [`pin`](Self::pin).
    pub fn pin_without(&mut self, absent: Absent) -> Result<(), ConfigErrors> {
        introduce(&mut self.plan, &mut self.record, self.recorded.as_ref(), absent)?;
        for group in self.plan.groups() {
            let cell = &self.plan.cells[group[0]];
            let tasks: Vec<usize> = self.plan.tasks_of(cell).collect();
            let digest = cell.tasks.digest(&tasks).map_err(|error| cell.unusable(&error))?;
            for index in group {
                self.record.cells[index].data_blake3.clone_from(&digest);
            }
        }
        self.write_record()
    }

    /// Gives the run the id that it has or is to have.
    pub fn identify(&mut self, id: &str) -> Result<(), ConfigErrors> {
        self.plan.id = id.into();
        self.record.id = Some(id.to_owned());
        self.write_record()
    }

    /// Says in which folder the run is, for its record to name the working folder from there.
    pub fn locate(&mut self, run: &Path) -> Result<(), ConfigErrors> {
        self.record.invocation.folder = Some(working_folder(&self.working, &self.working.join(run)));
        self.write_record()
    }

    /// Names the run that it branches off from.
    pub fn name_parent(&mut self, parent: ParentRecord) -> Result<(), ConfigErrors> {
        self.record.parent = Some(parent);
        self.write_record()
    }

    fn write_record(&mut self) -> Result<(), ConfigErrors> {
        let branched = self.record.parent.as_ref().map(|parent| parent.episodes.len());
        self.record.schema = schema_of(branched.or(self.record.episodes));
        self.plan.record = toml::to_string(&self.record).map_err(|error| {
            let problem = format!("the record of the run cannot be written: {error}");
            ConfigErrors(vec![ConfigError::new("run.toml", None, problem)])
        })?;
        Ok(())
    }
}

/// Resolves a config, or says everything that is wrong with it.
///
/// Opens the data sets and reads the personas, but plays nothing and writes nothing.
pub fn load(request: &Request, registry: Registry) -> Result<Resolved, ConfigErrors> {
    let request = &located(request)?;
    let mut layered = read_layers(request)?;
    let (file, root) = (layered.file, std::mem::take(&mut layered.root));
    let context = Context::new(registry, request, layered);
    let resolved = check(&context, request, file, &root);
    let (errors, notes, files) = context.into_parts();
    let Some(mut resolved) = resolved.filter(|_| errors.0.is_empty()) else {
        return Err(errors);
    };
    resolved.record.files = files;
    resolved.notes = notes;
    resolved.write_record()?;
    Ok(resolved)
}

/// The request with the files that its names mean.
fn located(request: &Request) -> Result<Request, ConfigErrors> {
    let working = &request.working;
    let locate = |name: &PathBuf| {
        search::config(name, working, working).map_err(|problem| {
            ConfigErrors(vec![ConfigError::new(shown(&request.whole_path(name), working), None, problem)])
        })
    };
    Ok(Request {
        file: locate(&request.file)?,
        with: request.with.iter().map(locate).collect::<Result<_, _>>()?,
        ..request.clone()
    })
}

#[expect(clippy::too_many_lines, reason = "every part of a config in turn")]
fn check(context: &Context, request: &Request, file: Origin, root: &Table) -> Option<Resolved> {
    let mut top = Section::top(context, file, root, None);
    let name = run_name(&mut top, &request.file);
    let seed = (top.integer("seed", 0, i64::MAX)).map_or(1, i64::unsigned_abs);
    let repeats = top.count("repeats", 1, 1_000_000).unwrap_or(1);
    let (run, run_record) = run_settings(&mut top);
    let agents = agents(&mut top, request);
    let (selection, _): (Selection, _) = settings(&mut top.section("tasks"));
    let (serve, serve_record): (ServeSettings, _) = settings(&mut top.section("serve"));
    let (queue, queue_record): (QueueSettings, _) = settings(&mut top.section("queue"));
    context.set_models(model_tables(&mut top, &request.variables), Swaps::read(context, &request.models));
    let cells = cells(&mut top, root, &agents);
    context.swaps().finish(context);
    let (cells, mut records): (Vec<Cell>, Vec<CellRecord>) = cells.into_iter().unzip();
    let table = finish(&mut top, &cells);
    let tasks = selection.of(&top, root.get("tasks"), &cells)?;
    let used = used_models(context, &records);
    let plan = Plan {
        name: name.clone(),
        id: Arc::default(),
        seed: Seed(seed),
        repeats,
        tasks,
        cells,
        models: clients(context, &used),
        model_settings: context.model_tables().settings(),
        run,
        serve,
        queue,
        record: String::new(),
    };
    count_tasks(&plan, &mut records);
    let served = plan.seat_of(REMOTE).is_some();
    let record = Record {
        schema: SCHEMA,
        rolecall: env!("CARGO_PKG_VERSION"),
        name,
        id: None,
        seed: plan.seed.0,
        repeats,
        tasks: plan.tasks.len(),
        first_task: selection.offset,
        episodes: (!served).then(|| plan.planned()),
        invocation: Invocation::of(request),
        parent: None,
        run: run_record,
        serve: served.then_some(serve_record),
        queue: plan.queue.address.is_some().then_some(queue_record),
        cache: (!used.is_empty()).then(|| context.model_tables().cache_record.clone()),
        models: used.iter().map(|model| model.record.clone()).collect(),
        tools: ToolRecord::of(&plan.cells),
        cells: records,
        files: Vec::new(),
    };
    Some(Resolved {
        plan,
        record,
        models: context.model_tables().records(),
        table,
        notes: Vec::new(),
        working: request.working.clone(),
        recorded: request.record.clone(),
    })
}

/// Notes how many tasks each cell plays, where some play fewer than others.
fn count_tasks(plan: &Plan, records: &mut [CellRecord]) {
    let count = |cell| plan.tasks_of(cell).count();
    let all = plan.tasks.len();
    if plan.cells.iter().any(|cell| count(cell) != all) {
        for (record, cell) in records.iter_mut().zip(&plan.cells) {
            record.tasks = Some(count(cell));
        }
    }
}

/// Reads the table of a paper, and reports the keys at the top that nobody asked for.
fn finish(top: &mut Section<'_>, cells: &[Cell]) -> Option<PaperTable> {
    let names: Vec<CellName> = cells.iter().map(|cell| cell.name.clone()).collect();
    // With a problem, some cells may be missing.
    let whole = top.context.problem_count() == 0;
    let table = table::table(top, whole.then_some(&names));
    // Read elsewhere, but they are allowed here, and messages list what is allowed.
    for key in CELL_KEYS.into_iter().chain([CELLS, MATRIX, MIXTURE, "extends"]) {
        top.node(key);
    }
    top.finish();
    table
}

/// The run's name: what the config says, and else the name of its file.
fn run_name(top: &mut Section<'_>, file: &Path) -> String {
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    let named = top.text("name");
    let name = named.unwrap_or(&stem).to_owned();
    let good = name.starts_with(|first: char| first.is_ascii_alphanumeric());
    if !(good && name.len() <= 100 && name.chars().all(is_key_letter)) {
        let allowed = "up to 100 letters, digits, `-` and `_`, beginning with a letter or digit";
        let is = match named {
            Some(_) => "is",
            None => "is missing, and the file's name would make it",
        };
        top.wrong("name", format!("{is} {}; it must be {allowed}", quoted(&name)));
    }
    name
}

/// Where persona cards are looked for.
fn agents(top: &mut Section<'_>, request: &Request) -> Agents {
    let (config, working) = (request.whole_path(&request.file), &request.working);
    let Some(written) = top.text("agents") else {
        return Agents::around(&config, working, request.nearest_agents_only);
    };
    let folder = top.context.folder(top.origin_of("agents")).join(written);
    if !folder.is_dir() {
        let shown = top.context.shown(&folder);
        top.wrong("agents", format!("is {}: there is no folder `{shown}`", quoted(written)));
    }
    Agents::named(folder, working, request.nearest_agents_only)
}

/// Every cell, resolved; without `[[cells]]` the config itself is one.
fn cells(top: &mut Section<'_>, root: &Table, agents: &Agents) -> Vec<(Cell, CellRecord)> {
    let mut opened = OpenedSources::default();
    let mut resolve = |name: &CellName, table: &Table, origin: Origin| {
        let mut section = Section::top(top.context, origin, table, Some(name.as_str()));
        cell(&mut section, name, agents, &mut opened)
    };
    if !top.has(CELLS) {
        let main = CellName::new("main").ok();
        return Vec::from_iter(main.and_then(|main| resolve(&main, root, top.origin)));
    }
    let mut cells = Vec::new();
    let mut names: Vec<CellName> = Vec::new();
    for (index, item) in cell_items(top).iter().enumerate() {
        let Some(name) = cell_name(top, index, item) else {
            continue;
        };
        if names.contains(&name) {
            let problem = format!("is `{name}`, like that of an earlier cell");
            top.context.report(item.origin, Some(&format!("cells.{index}.name")), problem);
        }
        cells.extend(resolve(&name, &over_common(root, item), item.origin));
        names.push(name);
    }
    note_equal(top, &cells);
    cells
}

/// Notes cells that nothing but their names tells apart: seeds do not know cells, so they play the same
/// episodes until another layer (`--with`, `--set`) makes them differ.
fn note_equal(top: &Section<'_>, cells: &[(Cell, CellRecord)]) {
    const MOST_NAMED: usize = 3;
    let mut seen: BTreeMap<String, String> = BTreeMap::new();
    let mut equal: Vec<String> = Vec::new();
    for (_, record) in cells {
        let nameless = CellRecord { name: String::new(), ..record.clone() };
        let Ok(text) = serde_json::to_string(&nameless) else {
            continue;
        };
        match seen.get(&text) {
            Some(first) => equal.push(format!("`{}` as `{first}`", record.name)),
            None => drop(seen.insert(text, record.name.clone())),
        }
    }
    let more = equal.len().saturating_sub(MOST_NAMED);
    equal.truncate(MOST_NAMED);
    if more > 0 {
        equal.push(format!("{more} more"));
    }
    if !equal.is_empty() {
        let equal = equal.join(", ");
        let text = format!("cells differ in nothing but their names and play the same episodes: {equal}");
        top.context.remark(top.origin_of(CELLS), &text);
    }
}

fn cell_items<'a>(top: &mut Section<'a>) -> &'a [Node] {
    let Some(items) = top.list("cells") else {
        return &[];
    };
    if items.is_empty() {
        top.wrong("cells", "is empty; leave it out to play one cell");
    }
    items
}

/// Checks the keys of a cell and gives its name.
fn cell_name(top: &Section<'_>, index: usize, item: &Node) -> Option<CellName> {
    let mut section = top.section_of("cells", None).section_of(&index.to_string(), Some(item));
    for key in CELL_KEYS {
        section.node(key);
    }
    section.needs("name", "every cell needs one, for results to be told apart");
    let name = section.text("name").map(CellName::new);
    section.finish();
    let wrong = |error| section.wrong("name", format!("is no name for a cell: {error}"));
    name?.map_err(wrong).ok()
}

/// A cell's own tables laid over what is common to all cells.
fn over_common(root: &Table, item: &Node) -> Table {
    let pick = |table: &Table| -> Table {
        let entry = |key: &str| Some((key.to_owned(), table.get(key)?.clone()));
        ordered(CELL_KEYS.into_iter().filter_map(entry))
    };
    let mut item = item.clone();
    item.mark(&|origin| origin.cell = true);
    match item.table() {
        Some(cell) => merge(pick(root), pick(cell)),
        None => pick(root),
    }
}
