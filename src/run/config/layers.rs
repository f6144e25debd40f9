//! From a config file to the merged tree: the files that it extends below it, environment
//! variables and options of the command line above it.
//!
//! The crate `config` merges: it lays each layer's tree over those below and carries along, as the
//! origin of each value, the place where it was written. Everything else is done here, because the
//! crate cannot do it. Its readers of files keep neither line numbers, which messages need, nor the
//! order of keys, which the axes of `[matrix]` need. Its reader of environment variables takes all as
//! texts or guesses their types; its overrides reach an item of a list by number and not by name
//! (`cells.NAME.limits.steps`). It knows no `extends`, and it cannot take a key away (`[[users]]` over
//! `[user]`).

use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};

use toml::de::{DeTable, DeValue};

use super::error::{ConfigError, ConfigErrors, quoted};
use super::matrix::{Axes, expand};
use super::merge::merge;
use super::mixture::{Mixture, Side};
use super::node::{Reader, Table};
use super::origin::{Origin, Problem, Sources, shown};
use super::overrides::{Flag, Misplaced, Override};
use super::search::{self, FileRecord, LARGEST_CONFIG, read_text};
use rolecall_core::files::shipped;

/// The most files that one config may extend, directly or not. Without a bound, files that each
/// name another one twice would be read for ever.
const MOST_FILES: usize = 100;

/// A config to be loaded, and everything besides the file that has a say.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// The config file.
    pub file: PathBuf,
    /// Config files that are laid over it, the later ones over the earlier.
    pub with: Vec<PathBuf>,
    /// Values of `--set`, as `key=value`.
    pub sets: Vec<String>,
    /// Options that stand for config values. They are the strongest.
    pub flags: Vec<Flag>,
    /// Environment variables; those named `ROLECALL__...` are used.
    pub variables: Vec<(OsString, OsString)>,
    /// Values of `--model`, as `ROLE=NAME`: the models of seats, in every cell.
    pub models: Vec<String>,
    /// The working folder, absolute.
    pub working: PathBuf,
    /// The `run.toml` of the run that is resolved again, if it is one: what a parameter meant when it was played
    /// ([`Parameter::before`](rolecall_core::ports::Parameter::before)).
    pub record: Option<toml::Table>,
    /// Persona cards are those of the nearest folder `agents` alone, as they were up to version 0.2: for runs
    /// of that time.
    pub nearest_agents_only: bool,
}

impl Request {
    /// A file of the request as it can be read: one on the disk from the working folder.
    pub(super) fn whole_path(&self, file: &Path) -> PathBuf {
        match shipped::is_shipped(file) {
            true => file.to_owned(),
            false => self.working.join(file),
        }
    }
}

/// A config with all its layers merged.
#[derive(Default)]
pub(super) struct Layered {
    /// The merged values.
    pub(super) root: Table,
    /// The sources of the values.
    pub(super) sources: Sources,
    /// The config's own file among them.
    pub(super) file: Origin,
    /// The files, the weakest first.
    pub(super) files: Vec<FileRecord>,
    /// Problems of values that could not be used.
    pub(super) problems: Vec<Problem>,
}

/// Reads and merges all layers. Fails only if a file cannot be read at all.
pub(super) fn read_layers(request: &Request) -> Result<Layered, ConfigErrors> {
    let mut chain = Chain { request, trail: Vec::new(), reads: 0, axes: Axes::default(), layered: Layered::default() };
    let mut read = |file| chain.read(&request.whole_path(file)).map_err(|error| ConfigErrors(vec![error]));
    let own_file = read(&request.file)?;
    for file in &request.with {
        read(file)?;
    }
    chain.layered.file = own_file;
    let (mut layered, axes) = (chain.layered, chain.axes);
    let of_made_cells = lay_overrides(request, &mut layered);
    if let Err(problems) = expand(&mut layered.root, &axes, &layered.sources) {
        // Without its cells, nothing else of the config can be looked at.
        return Err(errors(layered.problems.into_iter().chain(problems)));
    }
    for each in of_made_cells {
        lay(&mut layered, Ok(each));
    }
    mix(request, &mut layered)?;
    Ok(layered)
}

/// Puts the casts of a mixture in the place of the config's cells, if it has one.
fn mix(request: &Request, layered: &mut Layered) -> Result<(), ConfigErrors> {
    let one = |problem| errors([problem]);
    let Some(mixture) = Mixture::of(&mut layered.root, &layered.sources).map_err(one)? else {
        return Ok(());
    };
    let mut cast = |side: &Side| match &side.file {
        None => side.cast(&layered.root, &layered.sources).map_err(one),
        Some(file) => side.cast(&other_root(request, file, layered)?, &layered.sources).map_err(one),
    };
    let [first, second] = &mixture.sides;
    let casts = [cast(first)?, cast(second)?];
    mixture.lay_over(&mut layered.root, casts, &layered.sources).map_err(one)
}

fn errors(problems: impl IntoIterator<Item = Problem>) -> ConfigErrors {
    ConfigErrors(problems.into_iter().map(|(_, error)| error).collect())
}

/// The values of another config, whose sources are kept with those of this one.
fn other_root(request: &Request, file: &Path, layered: &mut Layered) -> Result<Table, ConfigErrors> {
    let working = &request.working;
    let found = search::config(file, working, working).map_err(|problem| {
        let problem = format!("names {}, which {problem}", quoted(&file.display().to_string()));
        ConfigErrors(vec![ConfigError::new("mixture.between", None, problem)])
    })?;
    let merged = std::mem::take(&mut layered.root);
    let mut chain =
        Chain { request, trail: Vec::new(), reads: 0, axes: Axes::default(), layered: std::mem::take(layered) };
    let read = chain.read(&request.whole_path(&found));
    *layered = chain.layered;
    let mut root = std::mem::replace(&mut layered.root, merged);
    read.map_err(|error| ConfigErrors(vec![error]))?;
    expand(&mut root, &chain.axes, &layered.sources).map_err(errors)?;
    Ok(root)
}

/// The files that extend each other.
struct Chain<'a> {
    request: &'a Request,
    /// Real paths of the files that are being read, and how messages show them.
    trail: Vec<(PathBuf, String)>,
    /// The number of files that were read because another one names them.
    reads: usize,
    axes: Axes,
    layered: Layered,
}

impl Chain<'_> {
    /// Reads a file after those that it extends, and says which source it is.
    fn read(&mut self, path: &Path) -> Result<Origin, ConfigError> {
        let label = shown(path, &self.request.working);
        let problem = |problem: String| ConfigError::new(&label, None, problem);
        let text = read_text(path, LARGEST_CONFIG).map_err(problem)?;
        let real = real(path).map_err(|error| problem(format!("cannot be found: {error}")))?;
        let document = DeTable::parse(&text).map_err(|error| syntax_error(&error, &text, &label))?;
        self.trail.push((real, label.clone()));
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        if let Some(base) = document.get_ref().get("extends") {
            let position = format!("{label}:{}", Reader::of_file(0, &text).origin(base.span().start).line);
            // Of several files, a later one is the stronger.
            match base.get_ref() {
                DeValue::Array(bases) => {
                    bases.iter().try_for_each(|base| self.read_base(base.get_ref(), &folder, &position))?
                }
                base => self.read_base(base, &folder, &position)?,
            }
        }
        self.trail.pop();
        self.axes.add(document.get_ref());
        let source = self.layered.sources.add(&label, &folder);
        let file = FileRecord::of("config", &label, text.as_bytes());
        if !self.layered.files.contains(&file) {
            self.layered.files.push(file);
        }
        let mut reader = Reader::of_file(source, &text);
        let mut table = reader.table(document.get_ref());
        table.remove("extends");
        for (origin, key, problem) in reader.unusable {
            self.layered.problems.push(self.layered.sources.problem(origin, Some(&key), problem));
        }
        let under = std::mem::take(&mut self.layered.root);
        self.layered.root = merge(under, table);
        Ok(Origin::of(source))
    }

    fn read_base(&mut self, base: &DeValue<'_>, folder: &Path, position: &str) -> Result<(), ConfigError> {
        let refuse = |problem: &str| ConfigError::new(position, Some("extends"), problem);
        let DeValue::String(base) = base else {
            return Err(refuse("must be a text, the path of another config file, or a list of such texts"));
        };
        self.reads += 1;
        if self.reads > MOST_FILES {
            return Err(refuse(&format!("leads to more than {MOST_FILES} files")));
        }
        let lost = |problem: String| refuse(&format!("names {}, which {problem}", quoted(base)));
        let path = search::config(Path::new(base.as_ref()), folder, &self.request.working).map_err(lost)?;
        let real = real(&path).map_err(|error| lost(format!("cannot be found: {error}")))?;
        if let Some(start) = self.trail.iter().position(|(earlier, _)| *earlier == real) {
            let mut names: Vec<String> = self.trail[start..].iter().map(|(_, label)| format!("`{label}`")).collect();
            names.extend(names.first().cloned());
            return Err(refuse(&format!("goes round in a circle: {}", names.join(" -> "))));
        }
        self.read(&real_or_written(path, real)).map(drop)
    }
}

/// The one path of a file that has several.
fn real(path: &Path) -> std::io::Result<PathBuf> {
    match shipped::is_shipped(path) {
        true => Ok(shipped::simplified(path)),
        false => path.canonicalize(),
    }
}

/// The path as it was written reads better in messages, unless it climbs up.
fn real_or_written(written: PathBuf, real: PathBuf) -> PathBuf {
    let climbs = written.components().any(|part| part == Component::ParentDir);
    if climbs { real } else { written }
}

/// The TOML parser's error, with line and column.
pub(super) fn syntax_error(error: &toml::de::Error, text: &str, label: &str) -> ConfigError {
    let reader = Reader::of_file(0, text);
    let position = match error.span().map(|span| span.start) {
        None => label.to_owned(),
        Some(at) => {
            let before = text.get(reader.line_start(at)..at).unwrap_or_default();
            format!("{label}:{}:{}", reader.origin(at).line, before.chars().count() + 1)
        }
    };
    ConfigError::new(position, None, format!("this is not TOML: {}", error.message()))
}

/// Lays environment variables (sorted by name), then `--set`s and flags over the files. Gives back
/// what is meant for cells that a matrix is yet to make.
fn lay_overrides(request: &Request, layered: &mut Layered) -> Vec<Override> {
    let working = &request.working;
    let mut variables = request.variables.clone();
    variables.sort();
    let sources = &mut layered.sources;
    let mut overrides: Vec<Result<Override, Misplaced>> =
        variables.iter().filter_map(|(name, value)| Override::from_variable(name, value, sources, working)).collect();
    overrides.extend(request.sets.iter().map(|set| Override::from_set(set, sources, working)));
    overrides.extend(request.flags.iter().map(|flag| Override::from_flag(flag, sources, working)));
    let mut of_made_cells = Vec::new();
    for each in overrides {
        match each {
            Ok(each) if each.waits_for_matrix(&layered.root) => of_made_cells.push(each),
            each => lay(layered, each),
        }
    }
    of_made_cells
}

/// Lays one value over the config, or notes why that is not possible.
fn lay(layered: &mut Layered, each: Result<Override, Misplaced>) {
    if let Err((origin, problem)) = each.and_then(|each| each.lay_over(&mut layered.root)) {
        layered.problems.push(layered.sources.problem(origin, None, problem));
    }
}
