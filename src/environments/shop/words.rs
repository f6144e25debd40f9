//! The knowledge of shops that prompts, metrics and reports need: the forms of actions, and the order of
//! categories.

use serde_json::Value;

use super::{actions, scene};
use crate::domain::{PublicTask, Scene};
use crate::ports::{EpisodeLog, Words};

/// The words of shops.
#[derive(Clone, Copy, Debug)]
pub struct ShopWords;

/// The categories of products, in the order of the official tables.
const KINDS: &[&str] = &["beauty", "fashion", "garden", "grocery", "electronics"];

impl Words for ShopWords {
    fn forms(&self, task: &PublicTask) -> Option<Vec<(String, String)>> {
        task.data.get("game")?;
        let rows = [
            ("search[{text}]", "search for products by words"),
            ("click[{text}]", "click a button, a product or an option of the page"),
        ];
        Some(rows.map(|(form, what)| (form.to_owned(), what.to_owned())).into())
    }

    fn call_text(&self, tool: &str, arguments: &Value) -> Option<String> {
        actions::call_text(tool, arguments)
    }

    fn kinds(&self) -> &'static [&'static str] {
        KINDS
    }

    fn scene(&self, log: &EpisodeLog<'_>) -> Option<Scene> {
        scene::scene(log)
    }

    fn measures(&self, kind: &str) -> &'static [&'static str] {
        match KINDS.contains(&kind) {
            true => &["reward", "success"],
            false => &[],
        }
    }
}
