//! `rolecall data index shop`: lays the products of a large catalogue and their index on disk, once.

use std::path::Path;
use std::sync::{Mutex, PoisonError};

use crate::environments::shop::goal::Instructions;
use crate::environments::shop::store::{Goals, Store, StoreOptions};
use crate::environments::shop::tasks::load_options;
use crate::ports::settings::parameters;
use crate::ports::{Parameter, Parameters, Progress};
use crate::text::{shell_path, shell_word};
use crate::world::{DataTool, Desk};

pub(super) const TOOL: DataTool = DataTool {
    name: "index",
    summary: "Build the index of a catalogue that is too large for memory",
    parameters: PARAMETERS,
    examples: EXAMPLES,
    run,
};

const PARAMETERS: &[Parameter] = parameters![
    path("data", None, &[]), "The folder of official files, or the file of products";
    path("out", None, &[]), "The folder to which the index goes; one that is there is checked";
    integer("first", Some(0), 0..=1_000_000_000),
        "Only the first so many entries of the file of products; 0: all";
    integer("price_seed", Some(4), 0..=u32::MAX as i64), "Draws prices within ranges";
];

const EXAMPLES: &str = "\
  rolecall data index shop --data webshop --out webshop-index
      Then: rolecall run configs/shop/webshop.toml --set environment.data=webshop
            --set environment.index=webshop-index";

fn run(parameters: &Parameters, desk: &dyn Desk) -> anyhow::Result<String> {
    let data = parameters.path("data").unwrap_or(Path::new(""));
    let index = parameters.path("out").unwrap_or(Path::new(""));
    let options = StoreOptions {
        goals: Goals::WebShop(Instructions::Synthetic),
        load: load_options(parameters),
    };
    let shown = Shown {
        desk,
        bar: Mutex::default(),
    };
    let products = Store::build_index(data, index, &options, &shown)?;
    drop(shown);
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
        if bar.as_ref().is_none_or(|bar| bar.what != what) {
            let most = usize::try_from(of).unwrap_or(usize::MAX);
            // The bar before ends first.
            *bar = None;
            *bar = Some(Bar {
                what: what.to_owned(),
                done: 0,
                step: self.desk.progress(most, what),
            });
        }
        if let Some(bar) = &mut *bar {
            while bar.done < pieces {
                (bar.step)();
                bar.done += 1;
            }
        }
    }
}
