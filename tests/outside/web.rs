//! `rolecall serve web` in a real browser, which the Python files of `tests/outside/web` drive.
//!
//! They need the packages of `tests/clients.sh` and the browser of `report_browser`; without, the tests say that
//! they skip. `ROLECALL_SHOTS` names a folder for pictures of every page, for people to look at.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::{Mutex, PoisonError};

use rolecall::domain::{Ending, Limit};
use rolecall::log::Batch;

use crate::report_browser::browser;
use crate::support::clients;
use crate::support::hostile::{RUN_TOML, corrupt};
use crate::support::synthetic::{Story, encode, events, write_run};

/// One at a time: a browser, a server and a run share two cores.
static ALONE: Mutex<()> = Mutex::new(());

/// Runs a file of cases over a folder with logs.
fn play(cases: &str, prepare: impl FnOnce(&Path)) {
    let (Some(python), Some(browser)) = (clients::python(), browser()) else {
        return;
    };
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = tempfile::tempdir().unwrap();
    let logs = folder.path().join("logs");
    fs::create_dir(&logs).unwrap();
    prepare(&logs);
    let axe = std::env::var_os("ROLECALL_AXE");
    if axe.is_none() {
        let needed = std::env::var_os("ROLECALL_ORACLE").is_some();
        assert!(!needed, "no axe-core: run `tests/clients.sh`, which fetches it by npm");
        println!("skipped in part: ROLECALL_AXE is not set; `tests/clients.sh` fetches axe-core by npm");
    }
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/outside/web");
    let output = Command::new(python)
        .arg("-B")
        .arg(here.join(cases))
        .arg(folder.path())
        .env("ROLECALL_BIN", env!("CARGO_BIN_EXE_rolecall"))
        .env("ROLECALL_BROWSER", browser)
        .env_remove("RUST_LOG")
        .output()
        .unwrap();
    println!("{}", clients::printed(&output));
}

fn write(folder: &Path, tasks: u32, change: fn(&mut rolecall::domain::Event)) {
    let stories = (0..tasks).flat_map(|task| {
        ["react", "respact"].map(|cell| {
            let ending = match task % 4 {
                0 => Ending::OutOf { limit: Limit::Steps },
                _ => Ending::Solved,
            };
            Story {
                questions: task % 3,
                actions: 2 + task % 8,
                invalid: task % 2,
                ..Story::new(&format!("{cell}:{task}:0"), "put", ending)
            }
        })
    });
    let batches = stories.map(|story| {
        let mut events = events(&story);
        events.iter_mut().for_each(change);
        Batch::events(encode(&story.id, &events))
    });
    write_run(folder, RUN_TOML, batches.collect());
}

#[test]
fn runs_that_are_over_are_read() {
    play("reading.py", |logs| write(&logs.join("many"), 2_500, |_| ()));
}

#[test]
fn a_run_appears_while_it_is_written() {
    play("live.py", |_| ());
}

#[test]
fn the_report_is_filtered_and_sorted_as_a_file() {
    play("report.py", |_| ());
}

#[test]
fn hostile_texts_are_texts_on_every_page() {
    play("hostile.py", |logs| {
        let name = "<script>document.title='taken'<script> \u{202e}\u{1b}[2J &lt;b&gt;";
        write(&logs.join(name), 12, corrupt);
    });
}

#[test]
fn people_rate_by_ticket() {
    play("rating.py", |_| ());
}

#[test]
fn people_take_seats() {
    play("seat.py", |_| ());
}

/// The whole is `tests/long/web_load.sh`.
#[test]
fn viewers_hear_of_a_run_from_another_process() {
    let Some(python) = clients::python() else {
        return;
    };
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/outside/web");
    let small = "--episodes 50 --viewers 20 --steps 8 --delay 20 --repeats 1";
    let output = Command::new(python)
        .arg("-B")
        .arg(here.join("load.py"))
        .arg(env!("CARGO_BIN_EXE_rolecall"))
        .args(small.split(' '))
        .env_remove("RUST_LOG")
        .output()
        .unwrap();
    let table = clients::printed(&output);
    println!("{table}");
    let refused = table.lines().find(|line| line.starts_with("viewers refused"));
    assert!(refused.unwrap().contains(" 0.00 "), "{table}");
}
