//! The knowledge of shops that prompts, metrics and reports need: the forms of actions, and the order of
//! categories.

use serde_json::Value;

use super::chatshop::tools;
use super::{actions, metrics, scene, users};
use rolecall_core::domain::{PublicTask, Scene, View};
use rolecall_core::ports::held::Secrets;
use rolecall_core::ports::{EpisodeLog, Known, Words};

/// The words of shops.
#[derive(Clone, Copy, Debug)]
pub struct ShopWords;

/// The categories of products, in the order of the official tables.
const KINDS: &[&str] = &["beauty", "fashion", "garden", "grocery", "electronics"];

impl Words for ShopWords {
    fn secrets(&self, log: &EpisodeLog<'_>) -> Option<Secrets> {
        metrics::kept_secret(log)
    }

    fn forms(&self, task: &PublicTask) -> Option<Vec<(String, String)>> {
        let rows: &[(&str, &str)] = match task.data.get("game")?.as_str()? {
            "chatshop" => &[
                ("search[{text}]", "search for products by words"),
                ("question[{text}]", "ask the shopper something"),
                ("opinion[{text}]", "ask the shopper about one or two of the listed products, such as `opinion[0,2]`"),
                ("candidates[{text}]", "keep only these of the listed products, such as `candidates[0,2,5]`"),
                ("select[{text}]", "recommend one of the listed products, such as `select[3]`"),
            ],
            _ => &[
                ("search[{text}]", "search for products by words"),
                ("click[{text}]", "click a button, a product or an option of the page"),
            ],
        };
        let channel = task.data["channel"].as_str().unwrap_or("mix");
        let open = |form: &str| match form.split('[').next() {
            Some("question") => matches!(channel, "open" | "mix"),
            Some("opinion") => matches!(channel, "compare" | "mix"),
            Some("candidates") => channel != "none",
            _ => true,
        };
        let rows = rows
            .iter()
            .filter(|(form, _)| open(form))
            .map(|(form, meaning)| ((*form).to_owned(), (*meaning).to_owned()));
        Some(rows.collect())
    }

    fn verbs(&self) -> &'static [(&'static str, &'static str)] {
        &[("search for", "search"), ("click on", "click"), ("buy now", "click[Buy Now]")]
    }

    fn call_text(&self, tool: &str, arguments: &Value) -> Option<String> {
        let text = actions::call_text(tool, arguments);
        Some(text.unwrap_or_else(|| tools::call_text(tool, arguments)))
    }

    fn variables(&self) -> &'static [&'static str] {
        &["channel"]
    }

    /// `channel`: how the shopper may be asked, `none`, `open`, `compare` or `mix`.
    fn variable(&self, name: &str, known: &Known<'_>) -> Option<Value> {
        match name {
            "channel" => Some(known.task?.data["channel"].clone()),
            _ => None,
        }
    }

    fn wanted(&self, view: &View) -> Vec<String> {
        users::wanted(view)
    }

    fn user_labels(&self) -> &'static [&'static str] {
        &["shopper", "buyer", "customer"]
    }

    fn kinds(&self) -> &'static [&'static str] {
        KINDS
    }

    fn scene(&self, log: &EpisodeLog<'_>) -> Option<Scene> {
        scene::scene(log)
    }

    fn measures(&self, kind: &str) -> &'static [&'static str] {
        if KINDS.contains(&kind) { &["reward", "success"] } else { &[] }
    }
}
