//! `rolecall train`: teaches a small model to go on as rows of episodes do.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, bail};
use clap::Args;
use indicatif::ProgressBar;

use super::{data, output, progress, signals};
use rolecall_core::files::{self, shipped};
use rolecall_core::reports::Table;
use rolecall_core::text::joined;
use rolecall_run::registry::Registry;
use rolecall_training::{Progress, TrainSettings, Trained, Training, Watch};

/// The most bytes that are read of settings.
const LARGEST: u64 = 1 << 20;
/// The exit code of a training that was stopped and can go on.
const STOPPED: u8 = 130;

/// The arguments of `train`.
#[derive(Args, Debug)]
pub(crate) struct TrainArguments {
    /// The settings of the training, a TOML file such as agents/local/train.toml
    settings: PathBuf,
    /// The folder of the model; a training that was stopped goes on in it
    #[arg(long)]
    out: PathBuf,
    /// Change one setting, for instance learning.tokens=1000000; may be given several times
    #[arg(long = "set", value_name = "KEY=VALUE")]
    sets: Vec<String>,
    /// Begin anew where a finished model is
    #[arg(long)]
    force: bool,
}

/// Trains, and prints how well the model foretells what was held out.
pub(crate) fn execute(arguments: &TrainArguments, registry: &Registry) -> anyhow::Result<ExitCode> {
    let settings = read(&arguments.settings, &arguments.sets)?;
    let out = &arguments.out;
    if out.join(rolecall_core::transformer::WEIGHTS).exists() && !arguments.force {
        bail!("`{}` holds a model already: choose another --out, or --force", output::shown(out));
    }
    fs::create_dir_all(out).with_context(|| format!("`{}` cannot be made", output::shown(out)))?;
    let files = rows(&settings, &arguments.settings, out, registry)?;
    let mut training = Training::new(settings, &files, out)?;
    let (learned, held_out) = training.sequences();
    let (shape, begun) = (training.shape(), training.begun());
    output::remark(&format!(
        "{learned} sequences to learn from, {held_out} held out; {} parameters, {} tokens",
        shape.parameters(),
        shape.vocabulary
    ));
    if begun > 0 {
        output::remark(&format!("goes on after {begun} tokens"));
    }
    let mut terminal = Terminal::new();
    let trained = training.run(&mut terminal)?;
    terminal.bar.finish_and_clear();
    let Some(trained) = trained else {
        output::remark("stopped; give the command again to go on");
        return Ok(ExitCode::from(STOPPED));
    };
    for (file, _) in files.iter().filter(|(file, _)| file.starts_with(out)) {
        let _ = fs::remove_file(file);
    }
    output::succeed(&table(&trained, out).text(&output::layout()))
}

/// The settings of a file or of one inside the program, with what the command line changes.
fn read(path: &Path, sets: &[String]) -> anyhow::Result<TrainSettings> {
    let shown = output::shown(path);
    let bytes = match shipped::read(&shipped::path("").join(path)) {
        Some(content) if !path.exists() => content.to_vec(),
        _ => files::read(path, LARGEST).with_context(|| format!("`{shown}` cannot be read"))?,
    };
    let text = String::from_utf8(bytes).with_context(|| format!("`{shown}` is no text"))?;
    let mut table: toml::Table = toml::from_str(&text).with_context(|| format!("`{shown}`"))?;
    for set in sets {
        change(&mut table, set).with_context(|| format!("--set {set}"))?;
    }
    let written = match sets {
        [] => text,
        _ => toml::to_string(&table)?,
    };
    let settings: TrainSettings = toml::from_str(&written).with_context(|| format!("`{shown}`"))?;
    settings.check().map_err(anyhow::Error::msg).with_context(|| format!("`{shown}`"))?;
    Ok(settings)
}

/// Changes one value.
fn change(table: &mut toml::Table, set: &str) -> anyhow::Result<()> {
    let (path, value) = set.split_once('=').context("write KEY=VALUE")?;
    let value = match toml::from_str::<toml::Table>(&format!("value = {value}")) {
        Ok(mut read) => read.remove("value").context("write KEY=VALUE")?,
        Err(_) => toml::Value::String(value.to_owned()),
    };
    let (parents, key) = path.rsplit_once('.').unwrap_or(("", path));
    let mut at = table;
    for part in parents.split('.').filter(|part| !part.is_empty()) {
        let inner = at.entry(part).or_insert_with(|| toml::Value::Table(toml::Table::new()));
        at = inner.as_table_mut().with_context(|| format!("`{part}` is no table"))?;
    }
    at.insert(key.to_owned(), value);
    Ok(())
}

/// The files of rows, each with what is written before its texts. What has to be made is made once.
fn rows(
    settings: &TrainSettings,
    path: &Path,
    out: &Path,
    registry: &Registry,
) -> anyhow::Result<Vec<(PathBuf, String)>> {
    let mut found = Vec::new();
    for data in &settings.data {
        let file = match (&data.file, &data.make) {
            (Some(file), _) => path.parent().unwrap_or(Path::new("")).join(file),
            (None, Some(make)) => {
                let hash = blake3::hash(make.as_bytes()).to_hex();
                let file = out.join(format!("rows-{}.jsonl", &hash[..12]));
                if !file.exists() {
                    output::remark(&format!("rolecall data {make}"));
                    data::make(make, &file, registry).with_context(|| format!("`rolecall data {make}`"))?;
                }
                file
            }
            (None, None) => continue,
        };
        found.push((file, data.prefix.clone()));
    }
    Ok(found)
}

/// A training as the terminal shows it.
struct Terminal {
    bar: ProgressBar,
    stop: Arc<AtomicBool>,
}

impl Terminal {
    fn new() -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let told = Arc::clone(&stop);
        std::thread::spawn(move || {
            if let Ok(runtime) = output::runtime() {
                runtime.block_on(signals::interrupted());
                told.store(true, Ordering::Relaxed);
            }
        });
        Self { bar: progress::bar(0, "tokens", false), stop }
    }
}

impl Watch for Terminal {
    fn step(&mut self, now: &Progress) {
        self.bar.set_length(now.of);
        self.bar.set_position(now.tokens);
        self.bar.set_message(format!("tokens, loss {:.3}", now.loss));
        let Some(held_out) = &now.held_out else {
            return;
        };
        let kinds = joined(held_out.iter().map(|(kind, of)| {
            let share = 100.0 * f64::from(of.exact) / f64::from(of.outputs.max(1));
            format!("{kind} {share:.1} %")
        }));
        let line = format!(
            "{} of {} tokens, {:.0} a second, loss {:.3}; exact of what is held out: {kinds}",
            now.tokens, now.of, now.rate, now.loss
        );
        self.bar.suspend(|| output::remark(&line));
    }

    fn stops(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

fn table(trained: &Trained, out: &Path) -> Table {
    let title = format!("{}: {} tokens in {:.0} s", output::shown(out), trained.tokens, trained.seconds);
    let mut table = Table::new(&title).key("held out").numbers(["outputs", "exact %", "mean loss"]);
    for (kind, outputs, exact, lost) in trained.lines() {
        table.row(vec![kind.to_owned(), outputs.to_string(), format!("{:.1}", 100.0 * exact), format!("{lost:.3}")]);
    }
    table
}
