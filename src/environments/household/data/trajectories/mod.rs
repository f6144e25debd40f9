//! `rolecall data trajectories`: what ABA's expert does in household games, as rows for training.

mod expert;
mod shares;
mod words;
mod writer;

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::sync_channel;
use std::thread::{available_parallelism, scope};

use anyhow::{Context, bail};

use self::expert::{ExpertSettings, Policy, play};
use self::shares::Shares;
use self::writer::Heading;
use super::{CLASSIC, MOST, at_option, seed, seed_option};
use crate::sources::Source;
use crate::tasks::BUILTIN;
use crate::{Generator, Selection, Split, Variant, Wishes, dice};
use rolecall_core::domain::Seed;
use rolecall_core::ports::{Parameter, Parameters};
use rolecall_core::text::harmless;
use rolecall_core::world::{DataTool, Desk, Unfinished};

/// The probability of noise unless something else is said (section 3.2.2, appendix C).
const NOISE: f64 = 0.2;

/// The most noise: with more of it, episodes hardly end.
const MOST_NOISE: f64 = 0.6;

pub(super) const TOOL: DataTool = DataTool {
    name: "trajectories",
    summary: "Write what an expert that asks does in games, with noise, as rows for training",
    parameters: PARAMETERS,
    examples: EXAMPLES,
    run,
};

const PARAMETERS: &[Parameter] = &[
    Parameter::choice(
        "expert",
        Policy::WORDS,
        "Whose policy plays: one that asks for what the task needs, then follows the shortest plan \
         (ABA, appendices C and E), or one that asks nobody and searches (standard games only)",
    ),
    Parameter::choice(
        "setting",
        Variant::WORDS,
        "What the games ask for: any objects of the task's class, one specific object, which the \
         expert asks for, or one task after the other in the same room, 50 moves in all; the expert \
         asks itself first",
    ),
    Parameter::number(
        "noise",
        NOISE,
        0.0..=MOST_NOISE,
        "How likely a random command is performed instead of the expert's, 0 to 0.6; such rows have \
         train 0",
    ),
    Parameter::integer("count", None, 1..=MOST, "How many trajectories [default: 1500, 500 of multi-round]"),
    seed_option("The seed of built-in games, of their order otherwise, of what is meant and of the noise"),
    Parameter::text("split", Some("train"), "Folder below --data; of built-in games train, seen or unseen"),
    Parameter::integer(
        "rooms",
        Some(Wishes::ROOMS as i64),
        2..=Wishes::MOST_ROOMS as i64,
        "How many different floor plans the built-in games have",
    ),
    Parameter::path("data", Some(BUILTIN), &[BUILTIN], "A tree of games such as json_2.1.1, or builtin"),
    CLASSIC,
    Parameter::path("out", None, &[], "The file to which the records go, one in a line, as JSON"),
];

const EXAMPLES: &str = "\
  rolecall data trajectories household --setting ambiguous --out ambiguous.jsonl
      Write 1500 trajectories in which a specific object is meant and asked for.
  rolecall data trajectories household --setting multi-round --noise 0.1 --out rounds.jsonl
      Write 500 trajectories of 50 moves, with less noise than ABA's.
  rolecall data trajectories household --data json_2.1.1 --count 100 --out official.jsonl
      Write 100 trajectories in official games of the training split.";

/// The trajectories to be written.
struct Order {
    settings: ExpertSettings,
    count: usize,
    seed: u32,
    sources: Vec<Source>,
}

/// Writes the records beside their place and moves them there when all are written.
fn run(parameters: &Parameters, desk: &dyn Desk) -> anyhow::Result<String> {
    let out = parameters.path("out").unwrap_or(Path::new(""));
    let variant: Variant = parameters.choice("setting");
    // How many the paper collects (section 4.2); of the plain games it collects none.
    let rounds = variant == Variant::MultiRound;
    let usual = if rounds { 500 } else { 1500 };
    let (mut shares, mut bytes) = (Shares::default(), 0);
    Unfinished::file(out, |file| {
        let count = parameters.whole("count").unwrap_or(usual);
        let order = Order {
            settings: ExpertSettings {
                policy: policy(parameters, variant)?,
                variant,
                noise: parameters.number("noise").unwrap_or(NOISE),
                classic: parameters.flag("classic"),
            },
            count,
            seed: seed(parameters),
            sources: sources(parameters, count)?,
        };
        let unwritten = || format!("`{}` cannot be written", out.display());
        shares = write(&order, file, desk).with_context(unwritten)?;
        bytes = fs::metadata(file)?.len();
        Ok(())
    })?;
    let name = harmless(&out.display().to_string());
    let size = bytes as f64 / 1e6;
    let title = format!("{name}: {}, {size:.1} MB", variant.as_str());
    let table = shares.table(&title, rounds);
    Ok(table.text(&desk.layout()))
}

/// Nobody who asks nobody knows which object is meant, or that a further task comes.
fn policy(parameters: &Parameters, variant: Variant) -> anyhow::Result<Policy> {
    let policy = parameters.choice("expert");
    if policy == Policy::Search && variant != Variant::Standard {
        bail!("--expert search asks nobody and plays --setting standard only");
    }
    Ok(policy)
}

/// The games, in the order in which they are played; after the last one, the first comes again.
fn sources(parameters: &Parameters, count: usize) -> anyhow::Result<Vec<Source>> {
    let data = parameters.path("data").unwrap_or(Path::new(BUILTIN));
    let split = parameters.text("split").unwrap_or_default();
    let seed = seed(parameters);
    if data == Path::new(BUILTIN) {
        let split = Split::named(split).map_err(at_option)?;
        let mut wishes = Wishes::new(split, seed);
        wishes.rooms = parameters.whole("rooms").unwrap_or(wishes.rooms);
        let generator = Generator::new(wishes).map_err(at_option)?;
        return Ok(Source::generated(generator, 0..count));
    }
    let selection =
        Selection { split: Some(split.to_owned()).filter(|split| !split.is_empty()), ..Selection::default() };
    let mut sources = Source::files(data, &selection)?;
    dice("trajectories", &[u64::from(seed)]).shuffle(&mut sources);
    Ok(sources)
}

/// Plays every episode and writes its records to a file.
fn write(order: &Order, file: &Path, desk: &dyn Desk) -> anyhow::Result<Shares> {
    let mut played = desk.progress(order.count, "trajectories");
    let mut writer = BufWriter::new(File::create_new(file)?);
    let mut shares = Shares::default();
    let play = |episode| rows(order, episode);
    in_order(order.count, play, |(lines, of_one): (Vec<u8>, Shares)| {
        writer.write_all(&lines)?;
        shares.add(&of_one);
        played();
        Ok(())
    })?;
    writer.flush()?;
    Ok(shares)
}

/// The records of one episode as lines.
fn rows(order: &Order, episode: usize) -> anyhow::Result<(Vec<u8>, Shares)> {
    let (settings, games) = (order.settings, order.sources.len().max(1));
    let (id, game) = order.sources.get(episode % games).context("there is no game")?.load()?;
    let heading = Heading { episode, task: &id, setting: settings.variant.as_str() };
    let repeat = u32::try_from(episode / games)?;
    let seed = Seed(u64::from(order.seed)).labelled("trajectory", &id, repeat);
    let played = play(game, heading, settings, seed).with_context(|| format!("game `{id}`"))?;
    let mut lines = Vec::new();
    for record in &played.records {
        serde_json::to_writer(&mut lines, record)?;
        lines.push(b'\n');
    }
    Ok((lines, Shares::of(&played)))
}

/// Results that may wait to be handed on.
const WAITING: usize = 16;

/// Does the work of the numbers below `count`; `take` gets every result, the first number's first.
///
/// # Errors
/// The first error of `work`, by number, or of `take`; nothing is handed on after it.
fn in_order<T: Send>(
    count: usize,
    work: impl Fn(usize) -> anyhow::Result<T> + Sync,
    mut take: impl FnMut(T) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let next = AtomicUsize::new(0);
    let workers = available_parallelism().map_or(1, usize::from).min(count);
    scope(|threads| {
        let (results, done) = sync_channel(WAITING);
        for _ in 0..workers {
            let (results, next, work) = (results.clone(), &next, &work);
            threads.spawn(move || {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    // Nobody listens any more after an error.
                    if number >= count || results.send((number, work(number))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(results);
        let mut early = BTreeMap::new();
        let mut wanted = 0;
        for (number, result) in done {
            early.insert(number, result);
            while let Some(result) = early.remove(&wanted) {
                take(result?)?;
                wanted += 1;
            }
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order_up_to_the_first_error() {
        let mut taken = Vec::new();
        let square = |number: usize| {
            if number == 70 {
                anyhow::bail!("no {number}");
            }
            Ok(number * number)
        };
        let mut take = |result| {
            taken.push(result);
            Ok(())
        };
        in_order(50, square, &mut take).unwrap();
        let error = in_order(100, square, &mut take).unwrap_err();
        assert_eq!(error.to_string(), "no 70");
        let expected = (0..50).chain(0..70).map(|number| number * number);
        assert_eq!(taken, expected.collect::<Vec<_>>());
        in_order(0, square, |_| Ok(())).unwrap();
    }
}
