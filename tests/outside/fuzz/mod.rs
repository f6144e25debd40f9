//! Plays the fuzz targets without libFuzzer: over their seeds, and over mutations of these that are the
//! same each time. `tests/long/fuzz/run.sh` looks for inputs that nobody thought of; this holds what is known.
//!
//! A failure names its input and leaves it in `fuzz/` below cargo's folder for tests. To keep it, copy it
//! to `seeds/TARGET` once it is mended.

pub(crate) mod libfuzzer;
mod mutations;

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use mutations::Mutations;

/// As long as `run.sh` lets one input take.
const LONGEST: Duration = Duration::from_secs(20);

macro_rules! targets {
    ($($test:ident: $target:ident, $file:literal, $mutations:literal;)*) => {
    $(
        #[path = $file]
        #[allow(unused_attributes, reason = "libFuzzer brings a `main` of its own")]
        mod $target;

        #[test]
        fn $test() {
            check(stringify!($target), $target::play_bytes, $mutations);
        }
    )*

        /// The targets that are played here.
        const TARGETS: &[&str] = &[$(stringify!($target)),*];
    };
}

// So many mutations take about one second each in a debug build.
targets! {
    any_text_is_a_call_and_any_file_a_city_or_an_error: booking, "../../long/fuzz/targets/booking.rs", 200;
    any_text_is_a_config_or_errors: config, "../../long/fuzz/targets/config.rs", 1_000;
    any_bytes_are_a_game_or_an_error: game, "../../long/fuzz/targets/game.rs", 400;
    any_text_is_json_or_none: json_repair, "../../long/fuzz/targets/json_repair.rs", 20_000;
    any_bytes_are_answered_and_any_answer_is_read_or_refused: mcp, "../../long/fuzz/targets/mcp.rs", 4_000;
    any_bytes_are_a_log_or_an_error: log, "../../long/fuzz/targets/log.rs", 1_000;
    any_text_is_a_message_of_a_trainer_or_refused: openenv, "../../long/fuzz/targets/openenv.rs", 5_000;
    any_text_is_read_or_refused: reader, "../../long/fuzz/targets/reader.rs", 5_000;
    any_bytes_are_a_shop_or_an_error: shop, "../../long/fuzz/targets/shop.rs", 200;
    any_cut_of_a_stream_gives_the_same_events: sse, "../../long/fuzz/targets/sse.rs", 10_000;
    any_text_is_a_prompt_file_or_an_error: template, "../../long/fuzz/targets/template.rs", 12_000;
    any_text_is_a_call_or_a_plan_and_any_file_a_country_or_an_error: travel, "../../long/fuzz/targets/travel.rs", 200;
    any_bytes_of_another_process_are_messages_or_errors: wire, "../../long/fuzz/targets/wire.rs", 5_000;
    any_text_stands_in_a_prompt_as_it_is: values, "../../long/fuzz/targets/values.rs", 12_000;
}

#[test]
fn every_target_is_played_here_and_by_libfuzzer() {
    let manifest = fs::read_to_string(folder().join("Cargo.toml")).unwrap();
    let manifest: toml::Table = manifest.parse().unwrap();
    let built = manifest["bin"].as_array().unwrap().iter();
    let built: BTreeSet<_> = built.map(|bin| bin["name"].as_str().unwrap()).collect();
    assert_eq!(built, TARGETS.iter().copied().collect());
    let script = fs::read_to_string(folder().join("run.sh")).unwrap();
    let (_, list) = script.split_once("|| targets=(").unwrap();
    let (list, _) = list.split_once(')').unwrap();
    assert_eq!(built, list.split(' ').collect());
    let files = fs::read_dir(folder().join("targets")).unwrap().count();
    assert_eq!(files, TARGETS.len());
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/long/fuzz")
}

/// The files of a folder by name: the same on every machine.
fn seeds(target: &str) -> Vec<(String, Vec<u8>)> {
    let entries = fs::read_dir(folder().join("seeds").join(target)).unwrap();
    let seed = |path: PathBuf| {
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        (name, fs::read(path).unwrap())
    };
    let mut seeds: Vec<_> = entries.map(|entry| seed(entry.unwrap().path())).collect();
    seeds.sort();
    seeds
}

/// What is played stands in a file first: it can be named even if the whole process ends.
struct Playing {
    play: fn(&[u8]) -> bool,
    file: File,
}

impl Playing {
    fn is_input(&mut self, bytes: &[u8]) -> bool {
        self.file.rewind().unwrap();
        self.file.write_all(bytes).unwrap();
        self.file.set_len(bytes.len() as u64).unwrap();
        (self.play)(bytes)
    }

    /// `went_on` is called after each input.
    fn all(&mut self, target: &str, mutations: usize, went_on: impl Fn()) {
        let seeds = seeds(target);
        for (name, seed) in &seeds {
            assert!(self.is_input(seed), "the seed `{name}` makes no input");
            went_on();
        }
        let words = fs::read_to_string(folder().join("words").join(target)).unwrap();
        let seeds = seeds.into_iter().map(|(_, seed)| seed).collect();
        let mut made = Mutations::new(target, seeds, mutations::words(&words));
        let tries = (0..mutations * 4).map(|_| made.one());
        let played = tries.filter(|input| self.is_input(input)).inspect(|_| went_on());
        assert_eq!(played.take(mutations).count(), mutations);
    }
}

/// What a target left behind for this process.
struct Left(PathBuf);

impl Drop for Left {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn check(target: &'static str, play: fn(&[u8]) -> bool, mutations: usize) {
    let name = format!("rolecall-fuzz-{target}-{}", std::process::id());
    let _left = Left(std::env::temp_dir().join(name));
    let kept = Path::new(env!("CARGO_TARGET_TMPDIR")).join("fuzz");
    fs::create_dir_all(&kept).unwrap();
    let kept = kept.join(target);
    let file = File::create(&kept).unwrap();
    let (went_on, hear) = channel();
    let player = thread::spawn(move || {
        let went_on = || went_on.send(()).unwrap_or_default();
        Playing { play, file }.all(target, mutations, went_on);
    });
    let failed = loop {
        match hear.recv_timeout(LONGEST) {
            Ok(()) => {}
            Err(RecvTimeoutError::Disconnected) if player.join().is_ok() => break None,
            Err(RecvTimeoutError::Disconnected) => break Some("fails".to_owned()),
            Err(RecvTimeoutError::Timeout) => break Some(format!("takes over {LONGEST:?}")),
        }
    };
    if let Some(how) = failed {
        let input = fs::read(&kept).unwrap();
        let shown = input.escape_ascii();
        panic!("the target `{target}` {how} for {kept:?}:\nb\"{shown}\"");
    }
    fs::remove_file(kept).unwrap();
}
