//! Calls, tokens and cost of models: by seat, model and cell from the log, and what it took from the
//! timings.

use std::path::Path;

use crate::support::binary::rolecall;
use crate::support::hostile::HOSTILE;
use crate::support::synthetic::{Story, events, role};
use rolecall::domain::*;
use rolecall::evaluation::{EpisodeResult, measure};
use rolecall::log::{EventEncoder, RecordedEpisode};
use rolecall::ports::{Measurement, Metric};
use rolecall::reports::{Selection, TranscriptOptions, transcript, transcript_of};

const RECORD: &str = "schema = 1\nname = \"r\"\nseed = 1\nrepeats = 1\nepisodes = 3\n\
    [[models]]\nname = \"free\"\n[[models]]\nname = \"large\"\n\
    prices = { input = 2.0, output = 10.0, currency = \"EUR\" }\n\
    [[cells]]\nname = \"react\"\n[[cells.roles]]\nrole = \"executor\"\n\
    [[cells]]\nname = \"respact\"\n[[cells.roles]]\nrole = \"executor\"\n\
    [[cells.users]]\nkind = \"helpful\"\n";

fn call(model: &str, prompt: u64, completion: u64, cost: Option<f64>) -> ModelCall {
    ModelCall {
        turn: 0,
        attempt: 0,
        call: 0,
        again: 0,
        unread: None,
        model: model.to_owned(),
        request: "00".to_owned(),
        reply: ModelReply {
            choices: vec![Choice { text: "think: where is the mug?".to_owned(), ..Choice::default() }],
            usage: Usage { prompt, completion, ..Usage::default() },
            ..ModelReply::default()
        },
        cost,
        remembered: false,
    }
}

/// The episode of a story, with calls after its opening.
fn episode(story: &Story, calls: Vec<(Seat, ModelCall)>) -> RecordedEpisode {
    let mut events = events(story);
    let made = calls.into_iter().map(|(from, call)| Event {
        seq: 0,
        cause: Some(0),
        from,
        to: Seat::Conductor,
        message: Message::ModelCalled(Box::new(call)),
    });
    let shift = u32::try_from(made.len()).unwrap();
    for event in events.iter_mut().skip(1) {
        event.cause = event.cause.map(|cause| if cause == 0 { 0 } else { cause + shift });
    }
    events.splice(1..1, made);
    for (seq, event) in (0..).zip(&mut events) {
        event.seq = seq;
    }
    RecordedEpisode { id: story.id.clone(), events }
}

fn result(episode: &RecordedEpisode) -> EpisodeResult {
    let metrics: Vec<&dyn Metric> = rolecall::worlds().metrics.into_iter().map(|entry| entry.metric).collect();
    measure(&episode.log(), &metrics)
}

/// Two cells; `respact` calls two models from two seats, and one server did not count tokens.
fn episodes() -> Vec<RecordedEpisode> {
    let story = |id: &str| Story::new(id, "put", Ending::Solved);
    let executor = role("executor");
    let estimated = |mut call: ModelCall| {
        call.reply.usage.estimated = true;
        call
    };
    vec![
        episode(&story("react:0:0"), vec![]),
        episode(
            &story("respact:0:0"),
            vec![
                (executor.clone(), call("large", 1000, 10, Some(0.0021))),
                (executor.clone(), call("large", 2000, 20, Some(0.0042))),
                (Seat::User, estimated(call("free", 70, 7, None))),
            ],
        ),
        episode(&story("respact:1:0"), vec![(executor, call("large", 500, 0, Some(0.001)))]),
    ]
}

fn write(folder: &Path, episodes: &[RecordedEpisode], timings: &str) {
    let run = folder.join("logs/r");
    std::fs::create_dir_all(&run).unwrap();
    let (mut lines, mut results) = (Vec::new(), Vec::new());
    for episode in episodes {
        let encoder = EventEncoder::new(&episode.id);
        for event in &episode.events {
            encoder.encode(event, &mut lines).unwrap();
        }
        result(episode).encode(&mut results);
    }
    std::fs::write(run.join("run.toml"), RECORD).unwrap();
    std::fs::write(run.join("events.jsonl"), lines).unwrap();
    std::fs::write(run.join("results.jsonl"), results).unwrap();
    std::fs::write(run.join("timings.jsonl"), timings).unwrap();
}

const TIMINGS: &str = r#"{"schema":1,"episode":"respact:0:0","wall_ms":9,"models":{"large":{"calls":3,"failed":1,"cache_hits":1,"requests":5,"retries":{"rate_limit":2,"cut":1},"waited_ms":1500,"latency_ms":300,"cached_tokens":4,"paid":0.0042},"free":{"calls":1,"failed":0,"cache_hits":0,"requests":1,"waited_ms":0,"latency_ms":30,"cached_tokens":0}}}
{"schema":1,"episode":"respact:1:0","wall_ms":9,"models":{"large":{"calls":1,"failed":0,"cache_hits":0,"requests":1,"waited_ms":0,"latency_ms":60,"cached_tokens":0,"paid":0.001}}}
"#;

fn report(folder: &Path, arguments: &[&str]) -> String {
    let arguments = [&["report", "logs/r"], arguments].concat();
    let output = rolecall(folder, &arguments).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

fn table<'a>(text: &'a str, title: &str) -> Vec<&'a str> {
    let lines = text.lines().skip_while(|line| *line != title);
    lines.take_while(|line| !line.is_empty()).collect()
}

#[test]
fn an_episode_knows_who_called_which_model_and_what_it_cost() {
    let episodes = episodes();
    let result = result(&episodes[1]);
    let rows: Vec<_> = result
        .usage
        .iter()
        .map(|row| {
            let tokens = (row.prompt, row.completion);
            (row.seat.to_string(), &*row.model, row.calls, tokens, row.estimated)
        })
        .collect();
    let executor = ("executor".to_owned(), "large", 2, (3000, 30), 0);
    assert_eq!(rows, [("user".to_owned(), "free", 1, (70, 7), 1), executor]);
    assert!((result.usage[1].cost.unwrap() - 0.0063).abs() < 1e-12);
    assert_eq!(result.usage[0].cost, None);
    assert_eq!(result.measures.get("model_calls"), Measurement::Value(3.0));
    assert_eq!(result.measures.get("prompt_tokens"), Measurement::Value(3070.0));
    assert_eq!(result.measures.get("completion_tokens"), Measurement::Value(37.0));
    assert!(matches!(result.measures.get("cost"), Measurement::Value(cost) if (cost - 0.0063).abs() < 1e-12));
    let mut line = Vec::new();
    result.encode(&mut line);
    assert_eq!(EpisodeResult::decode(&line).unwrap(), result);
}

#[test]
fn an_episode_without_models_is_written_as_it_always_was() {
    let mut line = Vec::new();
    result(&episodes()[0]).encode(&mut line);
    let line = String::from_utf8(line).unwrap();
    for word in ["usage", "model_calls", "tokens", "cost"] {
        assert!(!line.contains(word), "{word}: {line}");
    }
    assert!(line.contains("\"first_question\":null"), "{line}");
}

#[test]
fn the_report_adds_up_by_cell_seat_and_model() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), &episodes(), TIMINGS);
    let text = report(folder.path(), &[]);
    // What stands below the title, the names of the columns and a rule.
    let rows = |title: &str| -> Vec<String> {
        let words = |line: &&str| line.split_whitespace().collect::<Vec<_>>().join(" ");
        table(&text, title)[3..].iter().map(words).collect()
    };
    assert_eq!(rows("Models"), ["respact user free 1 1 ~70 ~7 -", "respact executor large 2 3 3500 30 0.007300"]);
    assert_eq!(
        rows("Models: what it took (not deterministic)"),
        ["respact free 1 0 0.0 1 0 - 30.0 0.0", "respact large 4 1 25.0 6 3 0.005200 120.0 1.5"]
    );
    let metrics = table(&text, "Every metric (rates in %, others as means)");
    let metric = |name: &str| {
        let line = metrics.iter().find(|line| line.starts_with(name)).unwrap();
        line.split_whitespace().next_back().unwrap()
    };
    assert_eq!(metric("model_calls"), "2.00");
    assert_eq!(metric("prompt_tokens"), "1785.00");
    assert_eq!(metric("cost"), "0.003650");
}

#[test]
fn every_form_of_a_report_has_the_same_figures() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), &episodes(), TIMINGS);
    let object: serde_json::Value = serde_json::from_str(&report(folder.path(), &["--json"])).unwrap();
    assert_eq!(object["currency"], "EUR");
    assert_eq!(object["models"][1]["seat"], "executor");
    assert_eq!(object["models"][1]["prompt_tokens"], 3500);
    assert_eq!(object["models"][0]["estimated_calls"], 1);
    assert_eq!(object["models"][0]["cost"], serde_json::Value::Null);
    assert_eq!(object["servers"][1]["retries"]["rate_limit"], 2);
    assert_eq!(object["servers"][1]["mean_latency_ms"], 120.0);
    let markdown = report(folder.path(), &["--markdown"]);
    assert!(markdown.contains("EUR"), "{markdown}");
    let page = report(folder.path(), &["--html", "-"]);
    for part in ["EUR", "0.007300"] {
        assert!(page.contains(part), "{part}");
    }
}

#[test]
fn runs_without_models_say_nothing_of_models() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), &episodes()[..1], "");
    for arguments in [&[][..], &["--json"], &["--markdown"], &["--html", "-"]] {
        let text = report(folder.path(), arguments);
        for word in ["Models", "model_calls", "tokens", "cost", "currency", "servers"] {
            assert!(!text.contains(word), "{word} {arguments:?}: {text}");
        }
    }
}

#[test]
fn calls_are_private_entries_of_a_transcript_and_are_escaped() {
    let mut hostile = call(HOSTILE, 12, 3, Some(0.5));
    hostile.reply.choices[0].text = HOSTILE.to_owned();
    hostile.reply.choices[0].finish = Finish::Length;
    hostile.reply.scores = vec![CandidateScore { logprob: -36.0, tokens: 1 }];
    let story = Story::new("react:0:0", "put", Ending::Solved);
    let episode = episode(&story, vec![(role("executor"), hostile)]);
    let options = TranscriptOptions::default();
    let text = transcript(&episode, &options);
    assert!(text.contains("--private"), "{text}");
    assert!(!text.contains("0.5000") && !text.contains("-36.0000"), "{text}");
    let options = TranscriptOptions { private: true, ..options };
    let text = transcript_of(&episode, &options, &Selection::default());
    for part in ["12", "0.5000", "-36.0000"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(!text.chars().any(|letter| letter.is_control() && letter != '\n'), "{text:?}");
}
