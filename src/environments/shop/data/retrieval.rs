//! `rolecall data retrieval shop`: how far WebShop is solved by retrieval (ChatShop, appendix A).

use std::sync::Arc;

use anyhow::{anyhow, bail};
use serde_json::json;

use crate::goal::{Goal, Split};
use crate::nouns::{RuleTagger, Tagger};
use crate::retrieval::{CANDIDATES, Candidate, Retrieved, candidates, relevance};
use crate::store::Store;
use crate::{ShopError, tasks};
use rolecall_core::evaluation::{Estimate, estimate_by_task};
use rolecall_core::ports::model::{EncodedRequest, Ranking};
use rolecall_core::ports::{Measurement, ModelClient, ModelError, Parameters};
use rolecall_core::reports::Table;
use rolecall_core::world::{Answers, Desk, Inquiry};

/// Name of the ranking by rules.
const RULES: &str = "BM25, shared words, attributes, options\nand price";
/// The word for all splits together.
pub(super) const ALL: &str = "all";

/// The figures: their names in tables and for programs, and the shares that the paper prints for its ranking model and
/// for human experts.
const PUBLISHED: [(&str, &str, f64, Option<f64>); 3] = [
    ("Recall@50", "recall_at_50", 0.868, None),
    ("Success", "success", 0.783, Some(0.596)),
    ("Reward", "reward", 0.872, Some(0.821)),
];

/// The figures of the goals of a split.
pub(super) fn run(parameters: &Parameters, desk: &dyn Desk) -> anyhow::Result<String> {
    let store =
        tasks::store(parameters).map_err(|error| anyhow!("--{}: {}", error.key.unwrap_or_default(), error.problem))?;
    let split = parameters.text("split").unwrap_or_default();
    let all = store.goals.len();
    let range = Split::named(split).map_or(0..all, |split| split.range(all));
    let goals = &store.goals[range];
    if goals.is_empty() {
        bail!("the data set has {all} goals, none of them in split `{split}`; choose another --split, or {ALL}");
    }
    let model = parameters.text("model");
    let answers = match model {
        Some(model) => desk.ask(model, &Ranked::new(&store, goals)?)?,
        None => Answers::default(),
    };
    let mut replies = answers.replies.into_iter();
    let tagger: Arc<dyn Tagger> = Arc::new(RuleTagger);
    let mut next = desk.progress(goals.len(), "goals");
    let mut retrieved = Vec::with_capacity(goals.len());
    for goal in goals {
        let found = found_for(&store, goal)?;
        let reply = (!found.is_empty()).then(|| replies.next().flatten());
        let relevance = match reply.flatten() {
            Some(reply) => reply.relevance,
            None => relevance(&goal.instruction, &found),
        };
        let judged = Retrieved::of(goal, &tagger, &found, &relevance);
        retrieved.push((&*goal.asin, judged));
        next();
    }
    let figures = figures(&retrieved);
    if parameters.flag("json") {
        let by = model.map(|model| (model, &*answers.missing));
        return Ok(as_json(split, &figures, by));
    }
    let title = format!(
        "Retrieval: the first {CANDIDATES} hits of the instruction, options left out ({} goals of split {split})",
        goals.len()
    );
    let by = match model {
        Some(model) => format!("`{model}`{}", answers.missing),
        None => RULES.to_owned(),
    };
    let rest = match &*answers.missing {
        "" => String::new(),
        _ => format!("Goals without an answer are ranked with {RULES}.\n"),
    };
    Ok(format!(
        "{}The paper ranks with a trained model of BERT's kind; here with {by}. Nouns of titles are found by rules.\n{rest}",
        table(&title, &figures).text(&desk.layout())
    ))
}

/// Candidates that an instruction finds.
fn found_for(store: &Store, goal: &Goal) -> Result<Vec<Candidate>, ShopError> {
    candidates(&*store.catalogue, &*store.search, &goal.instruction, CANDIDATES)
}

/// The candidates of each goal whose instruction finds any, for a cross-encoder.
struct Ranked<'s> {
    store: &'s Store,
    goals: Vec<&'s Goal>,
}

impl<'s> Ranked<'s> {
    fn new(store: &'s Store, all: &'s [Goal]) -> Result<Self, ShopError> {
        let mut goals = Vec::new();
        for goal in all {
            if !found_for(store, goal)?.is_empty() {
                goals.push(goal);
            }
        }
        Ok(Self { store, goals })
    }
}

impl Inquiry for Ranked<'_> {
    fn what(&self) -> &str {
        "goals"
    }

    fn count(&self) -> usize {
        self.goals.len()
    }

    fn request(&self, thing: usize, _: bool, model: &dyn ModelClient) -> Result<EncodedRequest, ModelError> {
        let goal = self.goals[thing];
        let found = found_for(self.store, goal).map_err(|error| ModelError::BadRequest(error.to_string()))?;
        model.encode_ranking(&Ranking {
            query: goal.instruction.clone(),
            texts: found.iter().map(Candidate::text).collect(),
        })
    }
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

fn table(title: &str, figures: &[Estimate; 3]) -> Table {
    let heads = ["here", "95 % interval", "paper", "human experts"];
    let mut table = Table::new(title).key("in percent").numbers(heads);
    let percent = |share: f64| format!("{:.1}", share * 100.0);
    for ((name, _, paper, people), figure) in PUBLISHED.iter().zip(figures) {
        let interval = figure.interval().map(|(low, high)| format!("{} to {}", percent(low), percent(high)));
        table.row(vec![
            (*name).to_owned(),
            figure.value().map(percent).unwrap_or_default(),
            interval.unwrap_or_default(),
            percent(*paper),
            people.map(percent).unwrap_or_default(),
        ]);
    }
    table
}

/// The figures for programs; `by` is the model that ranks, with what it gave no answer to.
fn as_json(split: &str, figures: &[Estimate; 3], by: Option<(&str, &str)>) -> String {
    let mut shown = json!({"split": split});
    if let Some((model, missing)) = by {
        shown["model"] = json!(model);
        shown["missing"] = json!(missing.trim_start_matches("; "));
    }
    for ((_, name, ..), figure) in PUBLISHED.iter().zip(figures) {
        shown[name] = json!({"n": figure.n(), "value": figure.value(), "interval": figure.interval()});
    }
    for (_, name, paper, people) in PUBLISHED {
        shown["paper"][name] = json!(paper);
        if let Some(people) = people {
            shown["human_experts"][name] = json!(people);
        }
    }
    format!("{shown:#}\n")
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use serde_json::Value;

    use super::*;
    use rolecall_core::ports::ParameterValue;

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
            ("items_shuffle.json", json!([lamp("B1", "red lamp"), lamp("B2", "oak lamp")])),
            ("items_ins_v2.json", json!({"B1": {"attributes": ["dimmable"]}, "B2": {"attributes": ["waxed"]}})),
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
        run(&Parameters::new(values), &())
    }

    #[test]
    fn figures_stand_beside_those_of_the_paper() {
        let folder = folder();
        let figures: Value = serde_json::from_str(&printed(folder.path(), "test", true).unwrap()).unwrap();
        // The second goal's words find the first lamp alone, which is not waxed but is a lamp at the right price.
        assert_eq!(figures["success"]["value"], 0.5);
        assert_eq!(figures["recall_at_50"]["value"], 0.5);
        assert_eq!(figures["reward"]["value"], 0.75);
        assert_eq!(figures["reward"]["n"], 2);
        let table = printed(folder.path(), "all", false).unwrap();
        for text in ["2 goals of split all", "Recall@50", "50.0", "86.8", "78.3", "59.6", "82.1"] {
            assert!(table.contains(text), "{table}");
        }
    }

    #[test]
    fn a_split_without_goals_is_refused() {
        let folder = folder();
        let error = printed(folder.path(), "dev", false).unwrap_err().to_string();
        assert!(error.contains("has 2 goals, none of them in split `dev`"), "{error}");
    }
}
