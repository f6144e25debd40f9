//! Shipped casts that call models, played by the program from start to end (config, prompts, parsing, users, log,
//! metrics, report), beside a bare loop over tokio and reqwest that sends the same bodies to the same server, and
//! beside the same loop in Python over aiohttp where `ROLECALL_PYTHON` names an interpreter that has it.
//! Run with `cargo bench --bench models` (`-- respact` for one cast, `-- 1008` for so many episodes only, `-- waiting`
//! for the memory of ten thousand episodes).
//!
//! The server is another process; so is everything that is measured. Processor time and time by the clock are
//! those of whole processes; instructions are what valgrind's callgrind counts, where it is installed, of the
//! calls that a longer run makes more than a shorter one.

#![allow(missing_docs, clippy::unwrap_used, clippy::print_stdout, clippy::expect_used)]

mod calls;
mod measure;
mod model_server;
#[path = "../tests/support/toy/mod.rs"]
mod support;

use std::path::{Path, PathBuf};
use std::process::Command;

use calls::bare::{self, Recorded};
use measure::{Spent, measured_child};
use model_server::Server;

const PROGRAM: &str = env!("CARGO_BIN_EXE_rolecall");

/// The argument behind which a bare loop's file and numbers stand.
const BARE: &str = "--bare";

/// Episodes of the two runs whose difference is counted in instructions.
const COUNTED: [usize; 2] = [24, 72];

/// A shipped cast, each of whose models answers in a voice of the server's.
struct Cast {
    name: &'static str,
    config: &'static str,
    sets: &'static [&'static str],
    models: &'static [&'static str],
    /// The most moves of an episode.
    steps: u32,
}

const CASTS: [Cast; 3] = [
    Cast {
        name: "respact",
        config: "configs/household/respact-model.toml",
        sets: &[
            "environment.games=12",
            "roles.executor.moves='text'",
            "user={kind='model',persona='users/helpful',model='user'}",
        ],
        models: &["agent", "user"],
        steps: 15,
    },
    Cast {
        name: "relay",
        config: "configs/household/relay.toml",
        sets: &[
            "environment.games=12",
            "roles.thinker={implementation='model',model='thinker',moves='text'}",
            "roles.clarifier={implementation='model',model='clarifier',moves='text'}",
            "roles.planner={implementation='model',model='planner',moves='text'}",
            "roles.executor={implementation='model',model='executor',moves='text'}",
        ],
        models: &["thinker", "clarifier", "planner", "executor"],
        steps: 20,
    },
    Cast {
        name: "tpe",
        config: "configs/dialogue/tpe-model.toml",
        sets: &[
            "environment.dataset='focus'",
            "roles.thinker.model='tpe-thinker'",
            "roles.planner.model='tpe-planner'",
            "roles.executor.model='tpe-executor'",
            "tasks.limit=12",
        ],
        models: &["tpe-thinker", "tpe-planner", "tpe-executor"],
        steps: 50,
    },
];

/// What is played: so many episodes, all at once, against a server that answers after so long.
#[derive(Clone, Copy)]
struct Size {
    episodes: usize,
    milliseconds: u64,
    /// The most moves of an episode.
    steps: u32,
}

/// What playing it took: calls of all episodes, and of the longest one; memory is the most that was resident.
struct Played {
    spent: Spent,
    memory: f64,
    calls: u64,
    longest: u64,
}

impl Cast {
    /// The command that plays it into a folder.
    fn command(&self, server: &Server, size: Size, logs: &Path) -> Vec<String> {
        let mut words: Vec<String> = ["run", self.config, "--quiet", "--name", "run"].map(str::to_owned).into();
        words.extend(["--logs".to_owned(), logs.display().to_string()]);
        words.extend(["--concurrency".to_owned(), size.episodes.to_string()]);
        let mut set = |set: String| words.extend(["--set".to_owned(), set]);
        self.sets.iter().for_each(|own| set((*own).to_owned()));
        set(format!("repeats={}", size.episodes.div_ceil(12)));
        set("cache.mode='off'".to_owned());
        set(format!("limits.steps={}", size.steps));
        for voice in self.models {
            let url = server.voice(size.milliseconds, voice);
            let in_flight = size.episodes;
            set(format!(
                "models.{voice}={{base_url='{url}',model='{voice}',stream=false,limits={{in_flight={in_flight}}}}}"
            ));
        }
        words
    }

    fn play(&self, server: &Server, size: Size) -> Played {
        let folder = tempfile::tempdir().unwrap();
        let words = self.command(server, size, folder.path());
        let mut command = Command::new(PROGRAM);
        let (spent, memory) = measured_child(command.args(words));
        let (calls, longest) = calls_of(&folder.path().join("run"));
        Played { spent, memory, calls, longest }
    }

    fn size(&self, episodes: usize, milliseconds: u64) -> Size {
        Size { episodes, milliseconds, steps: self.steps }
    }

    /// The requests of its first episodes, in the order of their arrival.
    fn recorded(&self, folder: &Path) -> PathBuf {
        let file = folder.join(self.name);
        let server = Server::recording(&file);
        self.play(&server, self.size(12, 0));
        file
    }

    /// Instructions of a call: ours, and the bare loop's. None without valgrind.
    fn instructions(&self, server: &Server, recorded: &Path) -> Option<[f64; 2]> {
        let mut counts = [(0, 0, 0, 0); 2];
        for (episodes, count) in COUNTED.into_iter().zip(&mut counts) {
            let folder = tempfile::tempdir().unwrap();
            let size = self.size(episodes, 0);
            let ours = measure::instructions(Path::new(PROGRAM), &self.command(server, size, folder.path()))?;
            let (calls, _) = calls_of(&folder.path().join("run"));
            let this = std::env::current_exe().unwrap();
            let bare = measure::instructions(&this, &bare_words(server, recorded, size, calls))?;
            *count = (ours, bare, calls, bare_calls(size, calls));
        }
        let [less, more] = counts;
        Some([(more.0 - less.0) as f64 / (more.2 - less.2) as f64, (more.1 - less.1) as f64 / (more.3 - less.3) as f64])
    }

    fn bench(&self, server: &Server, only: Option<usize>) {
        let folder = tempfile::tempdir().unwrap();
        let recorded = self.recorded(folder.path());
        for milliseconds in [0, 200] {
            for episodes in [12, 120, 1_008, 10_008] {
                if only.is_some_and(|only| only.div_ceil(12) * 12 != episodes) {
                    continue;
                }
                self.line(server, &recorded, self.size(episodes, milliseconds));
            }
        }
        if let Some([ours, bare]) = self.instructions(server, &recorded) {
            println!(
                "{:<8} thousand user instructions a call: bare {:.1}, rolecall {:.1}, {:.2} times",
                self.name,
                bare / 1e3,
                ours / 1e3,
                ours / bare
            );
        }
    }

    /// Ten thousand episodes that wait for their models.
    fn waiting(&self, server: &Server) {
        let folder = tempfile::tempdir().unwrap();
        let recorded = self.recorded(folder.path());
        for steps in [1, self.steps] {
            let size = self.size(10_008, 1_000);
            self.line(server, &recorded, Size { steps, ..size });
        }
    }

    fn line(&self, server: &Server, recorded: &Path, size: Size) {
        let ours = self.play(server, size);
        let calls = ours.calls;
        let words = bare_words(server, recorded, size, calls);
        let mut bare = Command::new(std::env::current_exe().unwrap());
        let (bare, bare_memory) = measured_child(bare.args(&words));
        let python = std::env::var_os("ROLECALL_PYTHON").map(|interpreter| {
            let mut command = Command::new(interpreter);
            let script = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/aiohttp_loop.py");
            measured_child(command.arg(script).args(&words[1..])).0
        });
        let of = |spent: Spent, calls: u64| spent.processor / calls as f64 * 1e3;
        let (ours_per_call, bare_calls) = (of(ours.spent, calls), bare_calls(size, calls));
        let bare_per_call = of(bare, bare_calls);
        let python = python.map(|spent| format!("{:.3}", of(spent, bare_calls)));
        let python = python.unwrap_or("-".to_owned());
        let ideal = ours.longest as f64 * size.milliseconds as f64 / 1e3;
        let over = |wall: f64| match size.milliseconds {
            0 => "-".to_owned(),
            _ => format!("{:.2}", wall / ideal),
        };
        let kilobytes = |memory: f64| memory / size.episodes as f64 / 1e3;
        println!(
            "{:<8}{:>6}{:>9}{:>9}{:>9.3}{:>9}{:>9.3}{:>9.3}{:>9.2}{:>9.2}{:>7}{:>7}{:>9.1}{:>9.1}",
            self.name,
            size.milliseconds,
            size.episodes,
            calls,
            bare_per_call,
            python,
            ours_per_call,
            ours_per_call - bare_per_call,
            bare.wall,
            ours.spent.wall,
            over(bare.wall),
            over(ours.spent.wall),
            kilobytes(bare_memory),
            kilobytes(ours.memory),
        );
    }
}

/// The calls of a bare loop whose episodes make as many each, for so many.
fn bare_calls(size: Size, calls: u64) -> u64 {
    let episodes = size.episodes as u64;
    calls.div_ceil(episodes) * episodes
}

/// The arguments with which this program is a bare loop that makes so many calls, or a few more.
fn bare_words(server: &Server, recorded: &Path, size: Size, calls: u64) -> Vec<String> {
    vec![
        BARE.to_owned(),
        recorded.display().to_string(),
        server.base_url(size.milliseconds),
        size.episodes.to_string(),
        (bare_calls(size, calls) / size.episodes as u64).to_string(),
    ]
}

/// The calls of all episodes of a run, and those of the longest one. Fails if an episode broke.
fn calls_of(run: &Path) -> (u64, u64) {
    let results = rolecall::log::RunRecord::read(run).unwrap();
    let results = rolecall::evaluation::stored_results(run, &results).unwrap();
    assert!(results.iter().all(|result| result.counts.faults == 0), "{}", run.display());
    let calls = results.iter().map(|result| u64::from(result.counts.model_calls));
    (calls.clone().sum(), calls.max().unwrap())
}

fn play_bare_if_asked() {
    let arguments: Vec<String> = std::env::args().collect();
    let Some(place) = arguments.iter().position(|argument| argument == BARE) else {
        return;
    };
    let [file, base_url, episodes, calls] = &arguments[place + 1..] else {
        panic!("a bare loop has four arguments");
    };
    let recorded = Recorded::read(Path::new(file), base_url);
    bare::bare_loop(&recorded, episodes.parse().unwrap(), calls.parse().unwrap());
    std::process::exit(0);
}

fn main() {
    model_server::serve_if_asked();
    let _ = rustls::crypto::ring::default_provider().install_default();
    play_bare_if_asked();
    if !measure::is_possible() {
        return;
    }
    let arguments: Vec<String> = std::env::args().collect();
    let asked = |name: &str| arguments.iter().any(|argument| argument == name);
    let only: Option<usize> = arguments.iter().find_map(|argument| argument.parse().ok());
    let all = !CASTS.iter().any(|cast| asked(cast.name));
    let server = Server::start();
    println!(
        "ms of processor time per call; s by the clock, and its ratio to the delays of the longest episode; most kB \
         per episode\n"
    );
    println!(
        "cast     delay episodes    calls  bare ms  aiohttp  ours ms  more ms   bare s   ours s   bare   ours  \
         bare kB  ours kB"
    );
    for cast in CASTS.iter().filter(|cast| all || asked(cast.name)) {
        match asked("waiting") {
            true => cast.waiting(&server),
            false => cast.bench(&server, only),
        }
    }
}
