//! A world brings a part of the analyses, a metric, the response of an episode and the order of its kinds
//! of tasks: shared rooms show all of it without knowing the world.

use std::sync::Arc;

use rolecall::domain::*;
use rolecall::evaluation::analyses::{Collector, OwnPart, Row, Tagger, Tally};
use rolecall::evaluation::labels::{ItemKind, items};
use rolecall::evaluation::metrics::Formula;
use rolecall::evaluation::{Corpus, Overlap, Overlaps, Summary, measure};
use rolecall::ports::{EnvironmentEntry, EpisodeLog, Measurement, MetricEntry, Response, SetupError, Words};
use rolecall::registry::Registry;
use rolecall::reports::analyses::{self, Analyses, AnalysisEntry, Shares};
use rolecall::reports::{Align, Layout, Table, html};
use rolecall::world::WorldEntry;
use serde_json::{Value, json};

/// A shop: what is bought, and what a customer writes about it.
static SHOP: WorldEntry = WorldEntry {
    environments: &[EnvironmentEntry {
        name: "stall",
        summary: "things are bought",
        parameters: &[],
        words: &ShopWords,
        build: |_| Err(SetupError::at("environment", "the shop is always closed")),
    }],
    metrics: &[MetricEntry { summary: "things that were bought", metric: &BOUGHT, environments: &[] }],
    analyses: &[AnalysisEntry {
        part: OwnPart { name: "baskets", tally: || Box::new(Baskets::default()) },
        heading: "What is in the baskets",
        tables: |analyses| {
            let mut table = Table::new("Baskets").key("cell").column("things", Align::Right);
            for row in &analyses.rows {
                let things = row.tally::<Baskets>().map_or(0, |own| own.things);
                table.row(vec![analyses.name(row), things.to_string()]);
            }
            vec![table]
        },
        object: |row| row.tally::<Baskets>().map_or(Value::Null, |own| own.things.into()),
        shares: Some(|analyses| Shares {
            title: "Baskets",
            unit: "thing",
            labels: vec!["a thing of the shop".to_owned()],
            rows: analyses.rows.iter().map(|row| (analyses.name(row), vec![1])).collect(),
        }),
    }],
    ..WorldEntry::EMPTY
};

static BOUGHT: Formula = Formula::optional("bought", |log| bought(log).map(|things| Measurement::Value(things as f64)));

/// Things that were bought; none in another world.
fn bought(log: &EpisodeLog<'_>) -> Option<usize> {
    log.opened()?.task.data.get("shop")?;
    let all = log.events.iter();
    let all = all.filter(|event| matches!(&event.message, Message::Perform(_)));
    Some(all.count())
}

struct ShopWords;

impl Words for ShopWords {
    fn kinds(&self) -> &'static [&'static str] {
        &["large", "baskets of all sizes", "a little"]
    }

    fn response(&self, log: &EpisodeLog<'_>) -> Option<Response> {
        bought(log)?;
        let opened = log.opened()?;
        Some(Response {
            given: Some(1),
            text: "a fine basket".to_owned(),
            language: "en".to_owned(),
            references: vec!["A fine basket.".to_owned()],
            context: vec![("CLERK".to_owned(), opened.task.text.clone())],
            ..Response::default()
        })
    }
}

#[derive(Debug, Default)]
struct Baskets {
    things: usize,
}

impl Tally for Baskets {
    fn add(&mut self, log: &EpisodeLog<'_>, _: &rolecall::evaluation::analyses::Tagger) {
        self.things += bought(log).unwrap_or_default();
    }
}

struct Story {
    id: EpisodeId,
    events: Vec<Event>,
}

/// An episode in which so many things are bought; with none, in a world that has no baskets.
fn story(place: &str, kind: &str, things: Option<usize>) -> Story {
    let id: EpisodeId = place.parse().unwrap();
    let mut task = PublicTask::new(format!("t{}", id.task), kind, "How was it?");
    if things.is_some() {
        task.data = json!({"shop": true});
    }
    let opened = Message::Opened(Box::new(Opened {
        task: Arc::new(task),
        cell: id.cell.clone(),
        strategy: "react".to_owned(),
        roles: Vec::new(),
        user: None,
        fork: None,
        served: None,
    }));
    let closed =
        Message::Closed(Outcome { ending: Ending::Solved, success: true, reward: 0.0, counts: Counts::default() });
    let buy = || Message::Perform(Action::text("buy a pen"));
    let all = std::iter::once(opened).chain((0..things.unwrap_or(1)).map(|_| buy()));
    let event = |(seq, message)| Event { seq, cause: None, from: Seat::Conductor, to: Seat::Conductor, message };
    Story { events: (0..).zip(all.chain([closed])).map(event).collect(), id }
}

impl Story {
    fn log(&self) -> EpisodeLog<'_> {
        EpisodeLog::new(&self.id, self.events.iter().collect())
    }
}

fn registry() -> Registry {
    let mut registry = rolecall::worlds();
    registry.add(&SHOP);
    registry
}

fn rows(stories: &[Story], names: &[&str]) -> Analyses {
    let registry = registry();
    let mut parts = registry.parts();
    parts.retain(|part| names.contains(&part.name()));
    let mut collector = Collector::of(&parts, &registry.measured());
    for story in stories {
        collector.add("run", &story.log(), &Tagger::default());
    }
    Analyses {
        runs: vec!["run".to_owned()],
        rows: collector.finish(None),
        parts,
        own: registry.analyses,
        variance: None,
        raters: (None, None),
    }
}

#[test]
fn parts_of_worlds_stand_before_costs() {
    let names: Vec<&str> = registry().parts().iter().map(|part| part.name()).collect();
    let known = [
        "responses",
        "strategies",
        "retrieval",
        "errors",
        "behaviours",
        "autotod",
        "fidelity",
        "booking-behaviours",
        "baskets",
        "costs",
    ];
    assert_eq!(names[names.len() - known.len()..], known);
    assert_eq!(names[..2], ["actions", "invalid"]);
}

#[test]
fn a_part_of_a_world_is_collected_and_shown_everywhere() {
    let stories =
        [story("one:0:0", "large", Some(2)), story("one:1:0", "large", Some(3)), story("two:0:0", "large", Some(0))];
    let found = rows(&stories, &["actions", "baskets"]);
    let text = analyses::text(&found, &Layout::default());
    let words: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
    assert!(words.contains(&vec!["one", "5"]) && words.contains(&vec!["two", "0"]), "{text}");
    let object = analyses::object(&found);
    assert_eq!((&object["rows"][0]["baskets"], &object["rows"][1]["baskets"]), (&json!(5), &json!(0)));
    assert!(analyses::markdown(&found).contains("Baskets"));
    let page = html::analyses_page(&found);
    for part in ["What is in the baskets", "a thing of the shop"] {
        assert!(page.contains(part), "{part}");
    }
}

#[test]
fn what_nobody_asked_for_is_not_collected() {
    let found = rows(&[story("one:0:0", "large", Some(2))], &["actions"]);
    let nothing = |row: &Row| row.tallies.is_empty() && row.tally::<Baskets>().is_none();
    assert!(found.rows.iter().all(nothing));
    assert!(analyses::object(&found)["rows"][0].get("baskets").is_none());
}

#[test]
fn the_first_world_that_knows_of_a_response_gives_it() {
    let registry = registry();
    let (own, other) = (story("one:0:0", "large", Some(1)), story("one:0:0", "put", None));
    assert_eq!(registry.response(&other.log()), None);
    let response = registry.response(&own.log()).unwrap();
    assert_eq!(Overlaps::of(&response).get(Overlap::F1), Some(1.0));
    let mut corpus = Corpus::new(&response.language);
    corpus.add(&response);
    assert_eq!((corpus.responses(), corpus.compared()), (1, 1));
    let found = items(&own.log(), ItemKind::Responses, |log| registry.response(log));
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].seq, found[0].context.len()), (1, 1));
}

#[test]
fn task_types_come_in_the_order_of_their_world() {
    let registry = registry();
    let metrics = registry.measured();
    let results: Vec<_> = ["a little", "zebra", "anything", "large"]
        .iter()
        .zip(0..)
        .map(|(kind, task)| measure(&story(&format!("one:{task}:0"), kind, Some(1)).log(), &metrics))
        .collect();
    let order = ["large", "a little", "anything", "zebra"];
    let summary = Summary::of(&results, &[]).in_order(&registry.kinds());
    assert_eq!(summary.kinds, order);
    let groups = summary.groups.iter().filter_map(|group| group.kind.as_deref());
    assert_eq!(groups.collect::<Vec<_>>(), order);
    assert_eq!(results[0].measures.get("bought"), Measurement::Value(1.0));
    // The figure is left out where there is no shop.
    let none = measure(&story("one:0:0", "put", None).log(), &metrics);
    assert!(!none.measures.names().any(|name| name == "bought"));
}
