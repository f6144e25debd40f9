//! `rolecall data retrieval shop`: how far WebShop is solved by retrieval (ChatShop, appendix A).

use std::path::Path;
use std::sync::Arc;

use anyhow::bail;
use serde_json::json;

use crate::environments::shop::goal::{Instructions, Split};
use crate::environments::shop::nouns::{RuleTagger, Tagger};
use crate::environments::shop::retrieval::{CANDIDATES, Retrieved, retrieve};
use crate::environments::shop::store::{Goals, Store, StoreOptions};
use crate::environments::shop::tasks::BUILTIN;
use crate::evaluation::{Estimate, estimate_by_task};
use crate::ports::settings::parameters;
use crate::ports::{Measurement, Parameter, Parameters};
use crate::reports::Table;
use crate::world::{DataTool, Desk};

pub(super) const TOOL: DataTool = DataTool {
    name: "retrieval",
    summary: "Rank what the whole instruction finds, without an agent, beside ChatShop's appendix A",
    parameters: PARAMETERS,
    examples: EXAMPLES,
    run,
};

/// The words of all splits together.
const ALL: &str = "all";

const PARAMETERS: &[Parameter] = parameters![
    path("data", Some(BUILTIN), &[BUILTIN]), "A folder of WebShop's official files, or builtin";
    choice("split", &["dev", "test", "train", ALL]), "Which goals";
    choice("goals", &["human", "synthetic"]), "Instructions by people, or made of products' own options";
    flag("json", false), "Print the figures as JSON";
];

const EXAMPLES: &str = "\
  rolecall data retrieval shop --data webshop/data
      Print recall, success and reward over the goals of the development split.
  rolecall data retrieval shop --split all --json
      The same over all goals of the built-in catalogue, for programs.";

/// The figures that the paper prints, in percent: those of its ranking model, and of human experts.
const PUBLISHED: [(&str, &str, &str); 3] = [
    ("Recall@50", "86.8", ""),
    ("Success", "78.3", "59.6"),
    ("Reward", "87.2", "82.1"),
];

/// The figures of every goal of the split.
fn run(parameters: &Parameters, desk: &dyn Desk) -> anyhow::Result<String> {
    let store = store(parameters)?;
    let split = parameters.text("split").unwrap_or_default();
    let all = store.goals.len();
    let goals = match Split::named(split) {
        Some(split) => &store.goals[split.range(all)],
        None => &store.goals[..],
    };
    if goals.is_empty() {
        bail!(
            "the data set has {all} goals, none of them in split `{split}`; choose another --split, or {ALL}"
        );
    }
    let tagger: Arc<dyn Tagger> = Arc::new(RuleTagger);
    let mut next = desk.progress(goals.len(), "goals");
    let retrieved = goals.iter().map(|goal| {
        let retrieved = retrieve(&*store.catalogue, &*store.search, &tagger, goal);
        next();
        Ok((goal.asin.as_str(), retrieved?))
    });
    let retrieved: Vec<(&str, Retrieved)> = retrieved.collect::<anyhow::Result<_>>()?;
    let figures = figures(&retrieved);
    if parameters.flag("json") {
        return Ok(as_json(split, &figures));
    }
    let title = format!(
        "Retrieval: the first {CANDIDATES} hits of the instruction, options left out ({} goals of split {split})",
        goals.len()
    );
    let heads = ["here", "95 % interval", "paper", "human experts"];
    let mut table = Table::new(&title).key("in percent").numbers(heads);
    for ((name, paper, people), figure) in PUBLISHED.into_iter().zip(figures) {
        let percent = |share: f64| format!("{:.1}", share * 100.0);
        let value = figure.value().map_or(String::new(), percent);
        let interval = figure.interval().map_or(String::new(), |(low, high)| {
            format!("{} to {}", percent(low), percent(high))
        });
        table.row(vec![
            name.to_owned(),
            value,
            interval,
            paper.to_owned(),
            people.to_owned(),
        ]);
    }
    let note = "The paper ranks with a trained model of BERT's kind; here with BM25, shared words, attributes, options\n\
                and price. Nouns of titles are found by rules.\n";
    Ok(table.text(&desk.layout()) + note)
}

fn store(parameters: &Parameters) -> anyhow::Result<Arc<Store>> {
    let data = parameters.path("data").unwrap_or(Path::new(BUILTIN));
    let goals = match parameters.text("goals") {
        Some("synthetic") => Instructions::Synthetic,
        _ => Instructions::Human,
    };
    if data == Path::new(BUILTIN) {
        return Ok(Store::builtin(goals));
    }
    let options = StoreOptions {
        goals: Goals::WebShop(goals),
        ..StoreOptions::default()
    };
    Ok(Store::load(data, &options, &())?)
}

/// Recall, success and mean reward. Goals of one product are alike, so that a product is one sample.
fn figures(retrieved: &[(&str, Retrieved)]) -> [Estimate; 3] {
    let measures: [fn(&Retrieved) -> Measurement; 3] = [
        |it| Measurement::Rate(it.found),
        |it| Measurement::Rate(it.reward == 1.0),
        |it| Measurement::Value(it.reward),
    ];
    measures.map(|measure| {
        let measured = retrieved.iter().map(|(asin, it)| (*asin, measure(it)));
        estimate_by_task(&measured.collect::<Vec<_>>())
    })
}

fn as_json(split: &str, figures: &[Estimate]) -> String {
    let mut shown = json!({"split": split});
    for (name, figure) in ["recall_at_50", "success", "reward"]
        .into_iter()
        .zip(figures)
    {
        let value: Option<f64> = figure.value();
        shown[name] = json!({"n": figure.n(), "value": value, "interval": figure.interval()});
    }
    let paper = json!({"recall_at_50": 0.868, "success": 0.783, "reward": 0.872});
    shown["paper"] = paper;
    shown["human_experts"] = json!({"success": 0.596, "reward": 0.821});
    format!("{shown:#}\n")
}

#[cfg(test)]
mod tests {
    use std::fs;

    use serde_json::Value;

    use super::*;
    use crate::domain::{EpisodeId, Event, Seed};
    use crate::ports::{OpenTask, ParameterValue};
    use crate::reports::Layout;
    use crate::world::Rehearsal;

    struct Bare;

    impl Desk for Bare {
        fn layout(&self) -> Layout {
            Layout::default()
        }

        fn progress(&self, _: usize, _: &str) -> Box<dyn FnMut() + Send> {
            Box::new(|| {})
        }

        fn dry_run(
            &self,
            _: &Rehearsal,
            _: EpisodeId,
            _: Seed,
            _: OpenTask,
        ) -> anyhow::Result<Vec<Event>> {
            bail!("nothing is played here")
        }
    }

    /// A folder with two lamps; the one is wanted by its title, the other by a word that only the first has.
    fn folder() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let lamp = |asin: &str, name: &str| {
            json!({
                "name": name, "full_description": "", "small_description": "", "pricing": "$5", "query": "lamps",
                "customization_options": "", "images": ["i"], "product_category": "Home › Lamps", "asin": asin,
                "category": "garden",
            })
        };
        let wanted = |instruction: &str, attribute: &str| {
            json!([{"instruction": instruction, "instruction_attributes": [attribute],
                "instruction_options": ["purple"]}])
        };
        let files = [
            (
                "items_shuffle.json",
                json!([lamp("B1", "red lamp"), lamp("B2", "oak lamp")]),
            ),
            (
                "items_ins_v2.json",
                json!({"B1": {"attributes": ["dimmable"]}, "B2": {"attributes": ["waxed"]}}),
            ),
            (
                "items_human_ins.json",
                json!({"B1": wanted("a red lamp", "dimmable"), "B2": wanted("a red light", "waxed")}),
            ),
        ];
        for (name, content) in files {
            fs::write(folder.path().join(name), content.to_string()).unwrap();
        }
        folder
    }

    fn printed(folder: &Path, split: &str, json: bool) -> anyhow::Result<String> {
        let text = |text: &str| ParameterValue::Text(text.to_owned());
        let values = [
            ("data", ParameterValue::Path(folder.to_owned())),
            ("split", text(split)),
            ("goals", text("human")),
            ("json", ParameterValue::Flag(json)),
        ];
        run(&Parameters::new(values), &Bare)
    }

    #[test]
    fn figures_stand_beside_those_of_the_paper() {
        let folder = folder();
        let figures: Value =
            serde_json::from_str(&printed(folder.path(), "test", true).unwrap()).unwrap();
        // The second goal's words find the first lamp alone, which is not waxed but is a lamp at the right price.
        assert_eq!(figures["success"]["value"], 0.5);
        assert_eq!(figures["recall_at_50"]["value"], 0.5);
        assert_eq!(figures["reward"]["value"], 0.75);
        assert_eq!(figures["reward"]["n"], 2);
        let table = printed(folder.path(), "all", false).unwrap();
        for text in [
            "2 goals of split all",
            "Recall@50",
            "50.0",
            "86.8",
            "78.3",
            "59.6",
            "82.1",
        ] {
            assert!(table.contains(text), "{table}");
        }
    }

    #[test]
    fn a_split_without_goals_is_refused() {
        let folder = folder();
        let error = printed(folder.path(), "dev", false)
            .unwrap_err()
            .to_string();
        assert!(
            error.contains("has 2 goals, none of them in split `dev`"),
            "{error}"
        );
    }
}
