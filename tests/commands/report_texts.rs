//! Reports as people and programs read them.

use crate::support::hostile::{HOSTILE, corrupt};
use crate::support::synthetic::{Story, events};
use rolecall::domain::{CellName, Ending, Limit, Message, Move, Seat};
use rolecall::evaluation::{EpisodeResult, Summary, measure};
use rolecall::log::RecordedEpisode;
use rolecall::ports::Metric;
use rolecall::reports::{
    self, EpisodeList, KINDS, Layout, LiveTranscript, Report, Selection, Style, TranscriptOptions, json, markdown,
    transcript, transcript_of,
};
use serde_json::{Value, json};

fn recorded(story: &Story) -> RecordedEpisode {
    RecordedEpisode { id: story.id.clone(), events: events(story) }
}

fn results(stories: &[Story]) -> Vec<EpisodeResult> {
    let metrics: Vec<&dyn Metric> = rolecall::worlds().metrics.into_iter().map(|entry| entry.metric).collect();
    stories.iter().map(|story| measure(&recorded(story).log(), &metrics)).collect()
}

fn summary(stories: &[Story]) -> Summary {
    let cells = ["react", "respact"].map(|name| CellName::new(name).unwrap());
    Summary::of(&results(stories), &cells).in_order(&["put", "puttwo"])
}

fn few() -> Vec<Story> {
    let out = Ending::OutOf { limit: Limit::Steps };
    let respact = |name, kind, ending| Story { user: Some("helpful"), questions: 1, ..Story::new(name, kind, ending) };
    vec![
        respact("respact:0:0", "puttwo", Ending::Solved),
        respact("respact:1:0", "put", Ending::Solved),
        respact("respact:2:0", "odd", Ending::Broken { by: Seat::User }),
        Story::new("react:0:0", "puttwo", out),
        Story { faults: 2, ..Story::new("react:1:0", "put", Ending::Solved) },
        Story::new("react:2:0", "odd", Ending::GaveUp),
    ]
}

#[test]
fn tables_read_as_they_should() {
    let text = reports::summary(&summary(&few()), &Layout::default());
    let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
    for row in [
        "react - 100.0 0.0 0.0 33.3",
        "respact helpful 100.0 100.0 - 100.0",
        "react - 3 33.3 6.1 to 79.2 0.33 4.00 0.00 0.00 0",
        "respact helpful 2 100.0 34.2 to 100.0 1.00 5.00 1.00 0.00 1",
        "react - 0 1 1 1",
        "respact helpful 1 0 0 2",
        "react - user panic 2",
    ] {
        assert!(rows.contains(&row.split(' ').collect()), "{row} in\n{text}");
    }
    assert!(text.contains("5 of 6"), "{text}");
}

#[test]
fn episodes_without_an_answer_count_and_figures_without_them_stand_beside() {
    let mut stories = few();
    stories.push(Story::new("react:3:0", "put", Ending::ContextFull));
    stories.push(Story::new("react:4:0", "put", Ending::Refused));
    let summary = summary(&stories);
    let text = reports::summary(&summary, &Layout::default());
    let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
    for row in [
        "react - 5 20.0 3.6 to 62.4 0.20 4.00 0.00 0.00 2",
        "react - 33.3 0",
        "respact helpful 2 100.0 34.2 to 100.0 1.00 5.00 1.00 0.00 0",
        "respact helpful 100.0 1",
    ] {
        assert!(rows.contains(&row.split(' ').collect()), "{row} in\n{text}");
    }
    let sentence = "without 2 episodes that ended at the window or a filter: success 60.0 %";
    assert!(text.lines().any(|line| line == sentence), "{text}");
    let object = json::object("one", &summary);
    assert_eq!((&object["withheld"], &object["broken"]), (&json!(2), &json!(1)));
    assert_eq!(object["success"]["rate"], json!(3.0 / 7.0));
    assert_eq!((&object["answered"]["success"]["rate"], &object["answered"]["episodes"]), (&json!(0.6), &json!(6)));
    let results = results(&stories);
    let cells = ["react", "respact"].map(|name| CellName::new(name).unwrap());
    let report = Report::without_transcripts(&results, &cells, summary);
    assert!(markdown::report(&report).contains(&format!("- **{sentence}**")));
    let page = reports::html::page(&report);
    assert!(page.contains("without 2 episodes that ended at the window or a filter: success 33.3 %"));
}

#[test]
fn a_report_has_every_metric() {
    let summary = summary(&few());
    let text = reports::figures(&summary, &Layout::default());
    assert!(text.starts_with(&reports::summary(&summary, &Layout::default()).lines().next().unwrap().to_owned()));
    let table = text.split_once("Every metric").unwrap().1;
    let names: Vec<&str> =
        table.lines().skip(3).map_while(|line| line.split(' ').next()).take_while(|name| !name.is_empty()).collect();
    assert_eq!(names, summary.metrics);
    let row = |name: &str| {
        let line = table.lines().find(|line| line.starts_with(name)).unwrap();
        line.split_whitespace().collect::<Vec<_>>()
    };
    assert_eq!(row("success"), ["success", "33.3", "100.0"]);
    assert_eq!(row("questions"), ["questions", "0.00", "1.00"]);
    let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
    for row in ["success 6.1 to 79.2 34.2 to 100.0", "reward 0.00 to 1.00 -", "faults 0.00 to 2.00 -"] {
        assert!(rows.contains(&row.split(' ').collect()), "{row} in\n{text}");
    }
    let object = json::object("r", &summary);
    assert_eq!(object["metrics"]["success"], object["success"]["rate"]);
    let of_metrics = object["groups"][0]["metrics"].as_object().unwrap();
    assert!(of_metrics.keys().eq(&summary.metrics));
}

#[test]
fn the_list_has_a_line_per_episode() {
    let list = EpisodeList::of(&results(&few()), Layout::default()).text();
    let lines: Vec<&str> = list.lines().filter(|line| line.starts_with("re")).collect();
    assert_eq!(lines.len(), 6, "{list}");
    let words: Vec<&str> = lines[3].split_whitespace().collect();
    assert_eq!(words[..6], ["react:0:0", "puttwo", "-", "out", "of", "steps"], "{list}");
}

#[test]
fn the_object_has_the_promised_keys() {
    let object = json::object("one", &summary(&few()));
    assert_eq!(object["run"], "one");
    assert_eq!((&object["episodes"], &object["broken"]), (&json!(6), &json!(1)));
    assert_eq!(object["success"]["rate"], json!(0.6));
    for key in ["low", "high"] {
        assert!(object["success"][key].is_f64() && object["reward"][key].is_f64());
    }
    assert_eq!(object["reward"]["mean"], json!(0.6));
    assert_eq!(object["steps"], json!(4.4));
    assert_eq!(object["questions"], json!(0.4));
    assert_eq!(object["invalid"], json!(0.0));
    let groups = object["groups"].as_array().unwrap();
    assert_eq!(groups.len(), 6);
    let broken = &groups[5];
    assert_eq!(
        (&broken["cell"], &broken["user"], &broken["kind"]),
        (&json!("respact"), &json!("helpful"), &json!("odd"))
    );
    assert_eq!((&broken["n"], &broken["success"]["rate"]), (&json!(0), &Value::Null));
}

#[test]
fn nothing_to_report_is_null_and_not_a_number() {
    let stories = [Story::new("react:0:0", "put", Ending::Cancelled)];
    for summary in [summary(&[]), summary(&stories)] {
        let object = json::object("none", &summary);
        let none = json!({"rate": null, "low": null, "high": null});
        assert_eq!(object["success"], none);
        assert_eq!(object["reward"]["mean"], Value::Null);
        assert_eq!(object["steps"], Value::Null);
        assert!(!object.to_string().contains("NaN"));
        let text = reports::summary(&summary, &Layout::default());
        assert!(!text.contains("NaN") && !text.is_empty(), "{text}");
    }
}

#[test]
fn a_transcript_reads_as_it_should() {
    let story = Story {
        user: Some("helpful"),
        questions: 1,
        actions: 1,
        invalid: 1,
        ..Story::new("respact:3:0", "put", Ending::Solved)
    };
    let shown = transcript(&recorded(&story), &TranscriptOptions::default());
    let words = shown.split_whitespace().collect::<Vec<_>>().join(" ");
    // Who did what, in its order.
    let mut rest = &*words;
    for part in [
        "respact:3:0",
        "task-3 (put)",
        "put a mug in the cabinet",
        "helpful",
        "environment observe You are in the middle of a room.",
        "1 executor think I must find a mug.",
        "2 executor speak Where is the mug?",
        "user reply In drawer 1.",
        "3 executor act go to drawer 1",
        "environment refused The drawer 1 is closed.",
        "solved",
        "3 steps",
        "1 question",
        "1 action",
        "--private",
    ] {
        let (_, after) = rest.split_once(part).unwrap_or_else(|| panic!("{part} in {shown}"));
        rest = after;
    }
}

#[test]
fn private_parts_are_shown_only_when_asked_for() {
    let story = Story::new("respact:3:0", "put", Ending::Solved);
    let options = TranscriptOptions::default();
    assert!(!transcript(&recorded(&story), &options).contains("SECRET"));
    let asked = TranscriptOptions { private: true, ..options };
    let shown = transcript(&recorded(&story), &asked);
    let line = shown.lines().find(|line| line.contains("SECRET")).unwrap();
    assert!(line.contains("user"), "{line}");
}

/// An episode in which everything that a participant or a data set writes is hostile.
fn hostile() -> RecordedEpisode {
    let mut episode = recorded(&Story::new("react:0:0", "put", Ending::Solved));
    for event in &mut episode.events {
        corrupt(event);
    }
    episode
}

/// Line breaks are ours; every other control and every mark of direction would be theirs.
fn assert_harmless(text: &str) {
    let harmful = |letter: char| (letter.is_control() && letter != '\n') || matches!(letter, '\u{202e}' | '\u{2028}');
    assert!(!text.contains(harmful), "{text:?}");
}

#[test]
fn hostile_texts_reach_no_terminal_and_no_page() {
    let episode = hostile();
    let private = TranscriptOptions { private: true, ..TranscriptOptions::default() };
    assert_harmless(&transcript(&episode, &private));
    let metrics: Vec<&dyn Metric> = rolecall::worlds().metrics.into_iter().map(|entry| entry.metric).collect();
    let results = vec![measure(&episode.log(), &metrics)];
    let summary = Summary::of(&results, &[]);
    assert_harmless(&reports::summary(&summary, &Layout::default()));
    assert_harmless(&EpisodeList::of(&results, Layout::default()).text());
    let report = Report {
        name: HOSTILE.to_owned(),
        facts: vec![(HOSTILE.to_owned(), HOSTILE.to_owned())],
        notes: vec![HOSTILE.to_owned()],
        ..Report::without_transcripts(&results, &[], summary)
    };
    let page = markdown::report(&report);
    assert_harmless(&page);
    assert!(!page.contains("<script"), "{page}");
    // A cell border inside a text is escaped: every row of a table has as many as its head.
    let borders = |line: &str| line.replace("\\|", "").matches('|').count();
    let rows: Vec<usize> = page.lines().filter(|line| line.starts_with('|')).map(borders).collect();
    assert!(rows.len() > 6 && rows[0] == rows[2], "{page}");
}

#[test]
fn colour_changes_no_letter() {
    let episode = recorded(&few()[4]);
    let colourful = TranscriptOptions {
        layout: Layout { style: Style::Ansi, ..Layout::default() },
        ..TranscriptOptions::default()
    };
    let coloured = transcript(&episode, &colourful);
    assert!(coloured.contains('\u{1b}'));
    let mut stripped = String::new();
    for (place, part) in coloured.split('\u{1b}').enumerate() {
        let rest = if place == 0 { part } else { part.split_once('m').unwrap().1 };
        stripped.push_str(rest);
    }
    assert_eq!(stripped, transcript(&episode, &TranscriptOptions::default()));
}

#[test]
fn a_huge_text_is_cut() {
    let mut episode = recorded(&few()[4]);
    episode.events[5].message = Message::Moved(Move::think("word ".repeat(200_000)));
    let text = transcript(&episode, &TranscriptOptions::default());
    assert!(text.len() < 20_000, "{}", text.len());
}

#[test]
fn the_page_holds_the_tables() {
    let results = results(&few());
    let cells = ["react", "respact"].map(|name| CellName::new(name).unwrap());
    let summary = Summary::of(&results, &cells).in_order(&["put", "puttwo"]);
    let report = Report {
        name: "first_run".to_owned(),
        facts: vec![("seed".to_owned(), "7".to_owned())],
        ..Report::without_transcripts(&results, &cells, summary)
    };
    let page = markdown::report(&report);
    for part in [
        "first_run",
        "seed: 7",
        // Task 0 only respact solved, task 1 both.
        "| respact − react | 2 | 1 | 1 | 0 | 0 | +50.0 |",
        "| respact − react | 2 | 5.00 | 4.00 | +1.00 |",
        "Action types",
        "Steps per episode",
        "not solved",
        "| put | puttwo | odd |",
        "Faults",
        "5 of 6",
    ] {
        assert!(page.contains(part), "{part} in {page}");
    }
}

/// What is printed while an episode goes on is what its transcript says afterwards.
#[test]
fn a_live_transcript_says_the_same() {
    let words = |text: &str| -> Vec<String> { text.split_whitespace().map(str::to_owned).collect() };
    for story in few() {
        let episode = recorded(&story);
        let options = TranscriptOptions::default();
        for selection in [
            Selection::default(),
            Selection {
                kinds: KINDS.iter().filter(|kind| ["act", "told"].contains(&kind.word)).collect(),
                ..Selection::default()
            },
        ] {
            let mut live = LiveTranscript::new(options, selection.clone(), false);
            let events = episode.events.iter();
            let printed: String = events.map(|event| live.event(&episode.id, event)).collect();
            let whole = transcript_of(&episode, &options, &selection);
            let about = |line: &&str| line.contains("not shown: ") || line.contains("entries match");
            let interrupted = "the log ends here: the run was interrupted";
            let whole: Vec<&str> = whole.lines().filter(|line| !about(line) && *line != interrupted).collect();
            assert_eq!(words(&printed), words(&whole.join("\n")), "{}", story.id);
        }
    }
}
