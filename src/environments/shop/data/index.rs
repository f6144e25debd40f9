//! `rolecall data index shop`: lays the products of a large catalogue and their index on disk, once.

use std::path::Path;
use std::sync::{Mutex, PoisonError};

use crate::goal::Instructions;
use crate::store::{Goals, Store, StoreOptions};
use crate::tasks::load_options;
use rolecall_core::ports::{Parameters, Progress};
use rolecall_core::text::{shell_path, shell_word};
use rolecall_core::world::Desk;

/// Builds the index, or checks the one that is there.
pub(super) fn run(parameters: &Parameters, desk: &dyn Desk) -> anyhow::Result<String> {
    let data = parameters.path("data").unwrap_or(Path::new(""));
    let index = parameters.path("out").unwrap_or(Path::new(""));
    let options = StoreOptions { goals: Goals::WebShop(Instructions::Synthetic), load: load_options(parameters) };
    let bar = Mutex::default();
    let products = Store::build_index(data, index, &options, &Shown { desk, bar })?;
    Ok(format!(
        "{products} products in {}\nPlay them: add {} {}\n",
        shell_path(index),
        shell_word(&format!("--set=environment.data={}", data.display())),
        shell_word(&format!("--set=environment.index={}", index.display())),
    ))
}

/// A bar on the screen for each thing that is done one after the other.
struct Shown<'a> {
    desk: &'a dyn Desk,
    bar: Mutex<Option<Bar>>,
}

struct Bar {
    what: String,
    done: u64,
    step: Box<dyn FnMut() + Send>,
}

impl Progress for Shown<'_> {
    fn loaded(&self, what: &str, pieces: u64, of: u64) {
        let mut bar = self.bar.lock().unwrap_or_else(PoisonError::into_inner);
        // The bar before ends first.
        bar.take_if(|bar| bar.what != what);
        let bar = bar.get_or_insert_with(|| Bar {
            what: what.to_owned(),
            done: 0,
            step: self.desk.progress(of as usize, what),
        });
        for _ in bar.done..pieces {
            (bar.step)();
        }
        bar.done = bar.done.max(pieces);
    }
}
