//! The words of travel for prompts and reports.

use serde_json::{Map, Value, json};

use super::calls::{Call, Tool};
use super::scene;
use super::seen::Seen;
use super::tools::{meaning, purpose};
use super::truth::details;
use super::users::held;
use rolecall_core::domain::{Event, PublicTask, Scene, View};
use rolecall_core::ports::held::HeldFacts;
use rolecall_core::ports::{EpisodeLog, Known, Words};
use rolecall_core::text::joined;
use rolecall_core::text::python::repr;

/// The variables that prompts may use.
const VARIABLES: &[&str] = &["conversation", "documentation", "trajectory", "results", "scratchpad"];

/// The mark of a text that is left out of a prompt.
const LEFT_OUT: &str = "(left out, for there is no room for it)";

/// Rows of a table that a prompt loses last.
const HEAD: usize = 6;

/// The words of travel.
#[derive(Clone, Copy, Debug)]
pub struct TravelWords;

impl Words for TravelWords {
    fn held(&self, events: &[Event]) -> Option<Box<dyn HeldFacts>> {
        Some(Box::new(held(events)?))
    }

    fn forms(&self, _: &PublicTask) -> Option<Vec<(String, String)>> {
        let form = |tool: Tool| {
            let text = if tool.parameters().is_empty() { "" } else { "{input}" };
            (format!("{}({text})", tool.as_str()), purpose(tool).to_owned())
        };
        Some(Tool::ALL.map(form).into())
    }

    fn call_text(&self, tool: &str, arguments: &Value) -> Option<String> {
        let call = Call::from_native(tool, arguments).ok()?;
        Some(call.canonical())
    }

    fn variables(&self) -> &'static [&'static str] {
        VARIABLES
    }

    fn variable(&self, name: &str, known: &Known<'_>) -> Option<Value> {
        let seen = Seen::of(known.view, known.view.viewer());
        match name {
            "documentation" => {
                let text = documentation("");
                Some(json!({ "lines": text.lines().collect::<Vec<&str>>() }))
            }
            "conversation" => Some(conversation(&seen).into()),
            "trajectory" => {
                let left = cut(seen.results(), known.left_out);
                let all: Map<String, Value> = left.map(|(call, text)| (call, text.into())).collect();
                Some(repr(&Value::Object(all)).into())
            }
            "results" => {
                let left = cut(seen.collected()?, known.left_out);
                let table = |(name, text)| json!({ "name": name, "text": text });
                Some(json!({ "tables": left.map(table).collect::<Vec<Value>>() }))
            }
            "scratchpad" => Some(json!({ "lines": scratchpad(&seen, known.left_out) })),
            _ => None,
        }
    }

    fn entries(&self, name: &str, known: &Known<'_>) -> Vec<usize> {
        let seen = Seen::of(known.view, known.view.viewer());
        match name {
            "trajectory" => sizes(seen.results()),
            "results" => sizes(seen.collected().unwrap_or_default()),
            "scratchpad" => {
                let lines = seen.run().lines();
                let of = |observed| lines.iter().filter(move |line| is_observation(line) == observed);
                of(true).chain(of(false)).map(|line| saved(line)).collect()
            }
            _ => Vec::new(),
        }
    }

    fn kinds(&self) -> &'static [&'static str] {
        &["easy", "medium", "hard"]
    }

    fn wanted(&self, view: &View) -> Vec<String> {
        details(view.all())
            .unwrap_or_default()
            .iter()
            .map(|detail| format!("{}: {}", detail.attribute.key(), detail.answer))
            .collect()
    }

    fn user_labels(&self) -> &'static [&'static str] {
        &["traveller", "traveler"]
    }

    fn scene(&self, log: &EpisodeLog<'_>) -> Option<Scene> {
        scene::scene(log)
    }
}

/// The documentation of the tool that an action names; of all where it names none.
pub fn documentation(action: &str) -> String {
    const KEYS: [&str; 7] = ["accommodation", "restaurant", "attraction", "distance", "flight", "budget", "finish"];
    let action = action.to_lowercase();
    let named = KEYS.iter().position(|key| action.contains(key));
    let tools = Tool::ALL.into_iter().enumerate().filter(|(place, _)| named.is_none_or(|named| named == *place));
    tools.map(|(_, tool)| described(tool)).collect::<Vec<_>>().join("\n")
}

/// A tool with its parameters, and what they mean, on one line.
fn described(tool: Tool) -> String {
    let parameters = tool.parameters().iter().map(|(name, _)| *name);
    let meanings = parameters.clone().map(|name| format!(" {name}: {}.", meaning(name)));
    let (name, meanings) = (tool.as_str(), meanings.collect::<String>());
    format!("{name}({}): {}{meanings}", joined(parameters), purpose(tool))
}

/// The conversation so far, as Python writes a list of dictionaries.
fn conversation(seen: &Seen) -> String {
    let mut said = vec![json!({ "user": seen.query() })];
    for exchange in seen.exchanges() {
        said.push(json!({ "assistant": exchange.question }));
        said.push(json!({ "user": exchange.answer }));
    }
    repr(&Value::Array(said))
}

/// The scratchpad up to where the answer begins, part by part.
fn scratchpad(seen: &Seen, left_out: usize) -> Vec<String> {
    shortened(seen.run().lines(), left_out).chain(seen.to_be_written()).collect()
}

/// Steps of which the first so many parts are left out: the observations, and after all of these the others.
fn shortened(lines: &[String], left_out: usize) -> impl Iterator<Item = String> {
    let observations = lines.iter().filter(|line| is_observation(line)).count();
    let mut ranks = [0, observations];
    lines.iter().map(move |line| {
        let rank = &mut ranks[usize::from(!is_observation(line))];
        *rank += 1;
        match line.split_once(':').filter(|_| *rank <= left_out) {
            Some((label, _)) => format!("{label}: {LEFT_OUT}"),
            None => line.clone(),
        }
    })
}

fn is_observation(line: &str) -> bool {
    line.starts_with("Observation")
}

/// Results of which the first so many entries are left out: of each table in turn all but its head, and after that
/// the heads in turn.
fn cut(results: &[(String, String)], left_out: usize) -> impl Iterator<Item = (String, String)> {
    let all = results.len();
    results.iter().enumerate().map(move |(place, (name, text))| {
        let text = match left_out {
            left if left > all + place && saved(&head(text)) > 0 => LEFT_OUT.to_owned(),
            left if left > place => head(text),
            _ => text.clone(),
        };
        (name.clone(), text)
    })
}

/// The bytes that each of these entries saves.
fn sizes(results: &[(String, String)]) -> Vec<usize> {
    let tails = results.iter().map(|(_, text)| text.len().saturating_sub(head(text).len()));
    let heads = results.iter().map(|(_, text)| saved(&head(text)));
    tails.chain(heads).collect()
}

fn saved(text: &str) -> usize {
    text.len().saturating_sub(LEFT_OUT.len())
}

/// The first rows of a table, and how many are left out.
fn head(text: &str) -> String {
    let rows: Vec<&str> = text.lines().collect();
    match rows.split_at_checked(HEAD) {
        Some((first, rest)) if rest.iter().map(|row| row.len()).sum::<usize>() > LEFT_OUT.len() => {
            format!("{}\n({} more rows are left out)", first.join("\n"), rest.len())
        }
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_lose_their_tails_before_their_heads() {
        let table = (0..10).map(|row| format!("row {row} of a table")).collect::<Vec<_>>().join("\n");
        let results = [("a".to_owned(), table.clone()), ("b".to_owned(), "one row".to_owned())];
        let left = |left_out| cut(&results, left_out).map(|(_, text)| text).collect::<Vec<_>>();
        assert_eq!(left(0), [table.clone(), "one row".to_owned()]);
        assert!(left(1)[0].ends_with("row 5 of a table\n(4 more rows are left out)"));
        assert_eq!(left(2), left(1));
        assert_eq!(left(3), [LEFT_OUT, "one row"]);
        // What is shorter than the word for it stays.
        assert_eq!(left(9), [LEFT_OUT, "one row"]);
        // Each entry saves what it says.
        let bytes = |left_out| left(left_out).iter().map(String::len).sum::<usize>();
        for (entry, saves) in sizes(&results).into_iter().enumerate().take(3) {
            assert_eq!(bytes(entry) - bytes(entry + 1), saves, "{entry}");
        }
    }

    #[test]
    fn steps_lose_their_observations_before_their_thoughts() {
        let lines = ["Thought 0: a", "Observation 0: b", "Thought 1: c", "Observation 1: d"];
        let lines = lines.map(str::to_owned);
        let left = |count| shortened(&lines, count).collect::<Vec<String>>();
        assert_eq!(left(0), lines);
        let gone = |line: &str| line.contains(LEFT_OUT);
        for (count, expected) in [(1, [1].as_slice()), (2, &[1, 3]), (3, &[0, 1, 3]), (9, &[0, 1, 2, 3])] {
            let left = left(count);
            let found: Vec<usize> = (0..4).filter(|at| gone(&left[*at])).collect();
            assert_eq!(found, expected, "{count}");
        }
    }

    #[test]
    fn the_documentation_is_of_the_tool_that_an_action_names() {
        let one = documentation("flightsearch(1)");
        assert!(one.starts_with("FlightSearch(origin, destination, date): "), "{one}");
        assert_eq!(one.lines().count(), 1);
        assert_eq!(documentation("x").lines().count(), Tool::ALL.len());
    }
}
