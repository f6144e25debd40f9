//! `rolecall data simplify shop`: writes ChatShop's goals with their simplified instructions (appendices B.1, D.3, D.4).

use std::path::Path;

use anyhow::bail;

use super::official::{BUILTIN, CHATSHOP, Goals, write_goals};
use super::words::words;
use crate::environments::shop::goal::read_chatshop;
use crate::environments::shop::simplify::disclosures;
use crate::ports::settings::parameters;
use crate::ports::{Parameter, Parameters};
use crate::reports::Table;
use crate::text::harmless;
use crate::text::overlap::F1;
use crate::world::{DataTool, Desk, Unfinished};

pub(super) const TOOL: DataTool = DataTool {
    name: "simplify",
    summary: "Write goals of ChatShop with their instructions made shorter by rules, and compare these with recorded ones",
    parameters: PARAMETERS,
    examples: EXAMPLES,
    run,
};

const PARAMETERS: &[Parameter] = parameters![
    path("data", None, &[BUILTIN]),
        "A folder of WebShop's official files, a file chatshop_goals.json, or builtin";
    path("out", None, &[]), "The file to write, in the format of chatshop_goals.json";
];

const EXAMPLES: &str = "\
  rolecall data simplify shop --data webshop/data --out chatshop_goals.json
      Remove attributes from all instructions, and find the kind of product that each asks for.";

fn run(parameters: &Parameters, desk: &dyn Desk) -> anyhow::Result<String> {
    let data = parameters.path("data").unwrap_or(Path::new(BUILTIN));
    let out = parameters.path("out").unwrap_or(Path::new(""));
    let mut goals = Goals::read(data, false, &mut |_| {})?.goals;
    if goals.is_empty() {
        bail!(
            "`{}` has no instructions",
            harmless(&data.display().to_string())
        );
    }
    let beside = data.join(CHATSHOP);
    let recorded = match beside.is_file() {
        true => read_chatshop(&beside)?,
        // Those of a file of goals alone, and the built-in ones, come with theirs.
        false if !data.is_dir() => goals.clone(),
        false => Vec::new(),
    };
    let mut next = desk.progress(goals.len(), "instructions");
    for goal in &mut goals {
        goal.disclosures = Some(disclosures(goal));
        next();
    }
    Unfinished::file(out, |file| write_goals(file, &goals))?;
    let mut text = format!(
        "{} goals in {}\n",
        goals.len(),
        harmless(&out.display().to_string())
    );
    let compared = [("without attributes", 1), ("kind alone", 2)].map(|(name, which)| {
        let pairs = recorded.iter().filter_map(|goal| {
            let own = disclosures(goal);
            let [whole, ..] = goal.disclosures.as_ref()?;
            let theirs = &goal.disclosures.as_ref()?[which];
            Some((Agreed::of(&own[which], theirs), Agreed::of(whole, theirs)))
        });
        (name, pairs.collect::<Vec<(Agreed, Agreed)>>())
    });
    if !recorded.is_empty() {
        let title = format!("As the {} recorded instructions", recorded.len());
        let heads = [
            "the same, %",
            "F1 of words, %",
            "F1 of the whole instruction, %",
        ];
        let mut table = Table::new(&title).key("").numbers(heads);
        for (name, pairs) in compared {
            let mean = |figure: fn(&(Agreed, Agreed)) -> f64| {
                let sum: f64 = pairs.iter().map(figure).sum();
                format!("{:.1}", 100.0 * sum / pairs.len().max(1) as f64)
            };
            table.row(vec![
                name.to_owned(),
                mean(|(own, _)| f64::from(u8::from(own.same))),
                mean(|(own, _)| own.f1),
                mean(|(_, whole)| whole.f1),
            ]);
        }
        text = format!("{text}\n{}", table.text(&desk.layout()));
    }
    Ok(text)
}

/// How far two texts agree.
struct Agreed {
    /// In all words and their order.
    same: bool,
    /// In words, whatever their order.
    f1: f64,
}

impl Agreed {
    fn of(own: &str, theirs: &str) -> Self {
        Self {
            same: words(own) == words(theirs),
            f1: F1::SQUAD.sentence(own, &[theirs]).f1,
        }
    }
}
