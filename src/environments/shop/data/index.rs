//! `rolecall data index shop`: an index on disk for a catalogue that is too large for memory.

use std::path::Path;
use std::sync::mpsc::{Sender, channel};
use std::thread;

use anyhow::anyhow;

use crate::environments::shop::goal::Instructions;
use crate::environments::shop::store::{Goals, Store, StoreOptions};
use crate::environments::shop::tasks::load_options;
use crate::ports::settings::parameters;
use crate::ports::{Parameter, Parameters, Progress};
use crate::text::counted;
use crate::world::{DataTool, Desk};

pub(super) const TOOL: DataTool = DataTool {
    name: "index",
    summary: "Build the index on disk of a large catalogue",
    parameters: PARAMETERS,
    examples: EXAMPLES,
    run,
};

const PARAMETERS: &[Parameter] = parameters![
    path("data", None, &[]), "A folder of WebShop's official files, or a file of products with the others beside it";
    path("out", None, &[]), "The folder of the index, which is not there yet";
    integer("first", Some(0), 0..=1_000_000_000), "Only the first so many entries of the file of products; 0: all";
    integer("price_seed", Some(4), 0..=u32::MAX as i64), "Draws prices within ranges";
];

const EXAMPLES: &str = "\
  rolecall data index shop --data webshop/data/items_shuffle.json --out webshop/index
      Build an index; configs name it with `index`, and the same `first` and `price_seed`.";

fn run(parameters: &Parameters, desk: &dyn Desk) -> anyhow::Result<String> {
    let path = |name| parameters.path(name).unwrap_or(Path::new(""));
    let (data, out) = (path("data"), path("out"));
    let options = StoreOptions {
        goals: Goals::WebShop(Instructions::Synthetic),
        load: load_options(parameters),
    };
    let (sender, told) = channel();
    let store = thread::scope(|scope| {
        let building = scope.spawn(move || Store::indexed(data, out, &options, &Told(sender)));
        let mut bars: Vec<(String, u64, Box<dyn FnMut()>)> = Vec::new();
        for (what, pieces, of) in told {
            if bars.last().is_none_or(|(last, ..)| *last != what) {
                let most = usize::try_from(of).unwrap_or(usize::MAX);
                let bar = desk.progress(most, &what);
                bars = vec![(what, 0, bar)];
            }
            if let Some((_, shown, tick)) = bars.last_mut() {
                (*shown..pieces).for_each(|_| tick());
                *shown = pieces.max(*shown);
            }
        }
        building.join()
    });
    let store = store.map_err(|_| anyhow!("building the index ended with a panic"))??;
    let products = counted(store.catalogue.len() as u64, "product", "products");
    let mut text = format!("{products} in `{}`\n", out.display());
    if !store.faults.is_empty() {
        text.push_str(&format!("{}\n", store.faults));
    }
    Ok(text)
}

/// Passes on how far it is.
struct Told(Sender<(String, u64, u64)>);

impl Progress for Told {
    fn loaded(&self, what: &str, pieces: u64, of: u64) {
        // Whoever does not listen any more has ended.
        let _ = self.0.send((what.to_owned(), pieces, of));
    }
}
