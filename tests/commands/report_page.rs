//! The report as a page: read by a real parser of HTML.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::support::binary::{rolecall, text};
use crate::support::hostile::{HOSTILE, RUN_TOML, corrupt};
use crate::support::synthetic::{Story, encode, events, write_run};
use rolecall::domain::{CellName, Ending, Limit};
use rolecall::evaluation::{EpisodeResult, Summary, measure};
use rolecall::log::{Batch, RecordedEpisode};
use rolecall::ports::Metric;
use rolecall::reports::{Report, html};
use scraper::{Html, Selector};

/// Everything that a page is made of.
const ELEMENTS: &str = "\
    a b body caption circle code dd details div dl dt figcaption figure footer form g h1 h2 h3 head \
    header html input label li line main meta nav ol option p rect script section select span strong \
    style summary svg table tbody td text th thead title tr ul";

const ATTRIBUTES: &str = "\
    aria-hidden aria-label charset class content cx cy data-column height hidden href http-equiv id lang \
    name r role scope tabindex text-anchor type value width x x1 x2 y y1 y2";

fn among(names: &str, name: &str) -> bool {
    names.split_whitespace().any(|known| known == name)
}

fn select<'a>(page: &'a Html, what: &str) -> Vec<scraper::ElementRef<'a>> {
    page.select(&Selector::parse(what).unwrap()).collect()
}

/// Checks what holds for every page, whatever is on it.
fn assert_sound(page: &str) -> Html {
    let steers = |letter: char| {
        (letter.is_control() && letter != '\n')
            || matches!(letter, '\u{202a}'..='\u{202e}' | '\u{2028}' | '\u{200b}'..='\u{200f}')
    };
    assert!(!page.contains(steers));
    let parsed = Html::parse_document(page);
    assert!(parsed.errors.is_empty(), "{:?}", parsed.errors);
    let mut ids = BTreeSet::new();
    for element in select(&parsed, "*") {
        let name = element.value().name();
        assert!(among(ELEMENTS, name), "an element `{name}`");
        for (attribute, value) in element.value().attrs() {
            assert!(among(ATTRIBUTES, attribute), "`{attribute}` of `{name}`");
            assert!(attribute != "href" || value.starts_with('#'), "{value}");
            let fresh = attribute != "id" || ids.insert(value.to_owned());
            assert!(fresh, "`{value}` is there twice");
        }
    }
    for link in select(&parsed, "a") {
        let target = link.value().attr("href").unwrap();
        assert!(ids.contains(&target[1..]), "{target} leads nowhere");
    }
    assert_accessible(&parsed);
    parsed
}

fn assert_accessible(page: &Html) {
    let levels = select(page, "h1, h2, h3");
    let levels = levels.iter().map(|heading| heading.value().name().as_bytes()[1] - b'0');
    let mut before = 0;
    for level in levels {
        assert!(level <= before + 1, "a heading {level} after {before}");
        before = level;
    }
    for picture in select(page, "svg") {
        let hidden = picture.value().attr("aria-hidden") == Some("true");
        let titled = picture.value().attr("role") == Some("img")
            && picture.value().attr("aria-label").is_some_and(|label| !label.is_empty());
        assert!(hidden || titled, "{}", picture.html());
    }
    for head in select(page, "th") {
        assert!(head.value().attr("scope").is_some());
    }
    let policy = select(page, "meta[http-equiv='Content-Security-Policy']");
    let policy = policy[0].value().attr("content").unwrap();
    assert!(policy.starts_with("default-src 'none'; style-src 'unsafe-inline'"), "{policy}");
}

fn metrics() -> Vec<&'static dyn Metric> {
    rolecall::worlds().metrics.into_iter().map(|entry| entry.metric).collect()
}

fn stories(tasks: u32) -> Vec<Story> {
    let mut stories = Vec::new();
    for task in 0..tasks {
        for cell in ["react", "respact"] {
            let ending = match (cell, task % 5) {
                ("react", 0 | 1) => Ending::OutOf { limit: Limit::Steps },
                (_, 2) => Ending::GaveUp,
                (_, 3) if task == 3 => Ending::Broken { by: rolecall::domain::Seat::User },
                _ => Ending::Solved,
            };
            let kind = if task % 2 == 0 { "put" } else { "heat" };
            stories.push(Story {
                user: (cell == "respact").then_some("helpful"),
                questions: if cell == "react" { 0 } else { task % 4 },
                actions: 2 + task % 9,
                invalid: task % 3,
                faults: u32::from(task == 4),
                ..Story::new(&format!("{cell}:{task}:0"), kind, ending)
            });
        }
    }
    stories
}

fn results(stories: &[Story]) -> Vec<EpisodeResult> {
    let measured = stories.iter().map(|story| {
        let recorded = RecordedEpisode { id: story.id.clone(), events: events(story) };
        measure(&recorded.log(), &metrics())
    });
    measured.collect()
}

/// A run folder with the stories, each event changed, and with timings.
fn write(folder: &Path, stories: &[Story], change: fn(&mut rolecall::domain::Event)) {
    let batches = stories.iter().map(|story| {
        let mut events = events(story);
        events.iter_mut().for_each(change);
        let timing =
            format!("{{\"schema\":1,\"episode\":\"{}\",\"wall_ms\":{}.5}}\n", story.id, (story.id.task * 7919) % 1009);
        Batch { timing: timing.into_bytes(), ..Batch::events(encode(&story.id, &events)) }
    });
    write_run(folder, RUN_TOML, batches.collect());
}

#[test]
fn a_page_holds_every_section_and_its_figures() {
    let folder = tempfile::tempdir().unwrap();
    write(&folder.path().join("run"), &stories(20), |_| {});
    let output = rolecall(folder.path(), &["report", "run", "--html", "-"]).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "two episodes are broken: {output:?}");
    let page = assert_sound(&text(&output.stdout));
    let sections: Vec<_> = select(&page, "section").iter().filter_map(|found| found.value().attr("id")).collect();
    assert_eq!(
        sections,
        [
            "glance",
            "success",
            "compare",
            "actions",
            "spread",
            "metrics",
            "endings",
            "faults",
            "episodes",
            "transcripts",
            "slowest"
        ]
    );
    let words = page.root_element().text().collect::<Vec<_>>().join(" ");
    for part in ["0.0078", "38 of 40", "out of steps", "Where is the mug?"] {
        assert!(words.contains(part), "`{part}` is missing");
    }
    // Every episode has its row, and those come first that did not end well.
    let rows = select(&page, "#all tbody tr");
    assert_eq!(rows.len(), 40);
    let first: String = rows[0].text().collect();
    assert!(first.contains("broken"), "{first}");
    // A dot for every cell: all types, `put`, `heat`; one for each of the two differences.
    assert_eq!(select(&page, "circle[r=\"5\"]").len(), 3 * 2 + 2);
    // And one after every task that both cells played.
    assert_eq!(select(&page, "circle[r=\"3\"]").len(), 19);
    assert!(select(&page, "rect.part").len() >= 8 && select(&page, "rect.bar").len() >= 10);
}

#[test]
fn the_same_log_gives_the_same_page_but_for_wall_times() {
    let folder = tempfile::tempdir().unwrap();
    let stories = stories(30);
    let reversed: Vec<Story> = stories.iter().rev().cloned().collect();
    let page = |name: &str, stories: &[Story]| {
        let place = folder.path().join(name).join("run");
        fs::create_dir(place.parent().unwrap()).unwrap();
        write(&place, stories, |_| {});
        let run = place.display().to_string();
        rolecall(folder.path(), &["report", &run, "--write"]).output().unwrap();
        let read = |name: &str| fs::read_to_string(place.join(name)).unwrap();
        (place.clone(), read("report.html"), read("report.md"))
    };
    let (_, one, one_text) = page("one", &stories);
    let (place, other, other_text) = page("other", &reversed);
    assert!(one == other && one_text == other_text);
    fs::remove_file(place.join("timings.jsonl")).unwrap();
    rolecall(folder.path(), &["report", place.to_str().unwrap(), "--write"]).output().unwrap();
    let without = fs::read_to_string(place.join("report.html")).unwrap();
    let timed = one.find("<section id=\"slowest\"").unwrap();
    let bare = one[..timed].replace("<li><a href=\"#slowest\">Slowest</a></li>", "");
    assert!(without.starts_with(&bare), "nothing else depends on wall times");
}

#[test]
fn hostile_texts_stay_text() {
    let folder = tempfile::tempdir().unwrap();
    let name = "<script>alert(1)<b \"onload='x'";
    write(&folder.path().join(name), &stories(12), corrupt);
    let output = rolecall(folder.path(), &["report", name, "--html", "page.html"]).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let page = assert_sound(&fs::read_to_string(folder.path().join("page.html")).unwrap());
    assert_eq!(select(&page, "style").len(), 1);
    assert_eq!(select(&page, "script").len(), 1);
    // Links lead to the page's sections and transcripts only, and the texts are all there.
    let words: String = page.root_element().text().collect();
    assert!(words.matches("<script>document.title='taken'</script>").count() > 100);
    assert!(words.contains("\\u{202e}") && words.contains("&lt;b&gt;&#60;") && words.contains(name));
    assert!(words.contains("javascript:document.title") && words.contains("]]>--><!--"));
    for kind in ["think", "plan", "act", "speak", "judge", "learn", "finish"] {
        let kinds = select(&page, ".turn .kind");
        assert!(kinds.iter().any(|found| found.text().eq([kind])), "{kind}");
    }
}

#[test]
fn private_parts_are_on_no_page() {
    let folder = tempfile::tempdir().unwrap();
    write(&folder.path().join("run"), &stories(6), |_| {});
    rolecall(folder.path(), &["report", "run", "--write"]).output().unwrap();
    for file in ["report.html", "report.md"] {
        let text = fs::read_to_string(folder.path().join("run").join(file)).unwrap();
        assert!(!text.contains("SECRET"), "{file}");
    }
}

#[test]
fn a_page_is_bounded_however_much_there_is() {
    let cells: Vec<CellName> = (0..40).map(|cell| CellName::new(&format!("c{cell}")).unwrap()).collect();
    let mut results = results(&stories(30));
    let few: Vec<EpisodeResult> = results.clone();
    for (place, cell) in cells.iter().enumerate() {
        results.extend(few.iter().cloned().map(|mut result| {
            result.episode.cell = cell.clone();
            result.kind = format!("{}{place}{}", "kind ".repeat(500), result.episode.task);
            result.task = "task ".repeat(2_000);
            result
        }));
    }
    let report = Report::without_transcripts(&results, &cells, Summary::of(&results, &cells));
    let page = html::page(&report);
    assert_sound(&page);
    assert!(page.len() < 3_000_000, "{} bytes", page.len());
    assert!(page.matches("left out").count() >= 2);
}

#[test]
fn a_transcript_is_bounded_and_says_what_is_missing() {
    let folder = tempfile::tempdir().unwrap();
    let talkative = Story { questions: 2_000, user: Some("u"), ..Story::new("react:0:0", "put", Ending::Solved) };
    write(&folder.path().join("run"), &[talkative], |event| {
        if let rolecall::domain::Message::Replied(said) = &mut event.message {
            said.text = HOSTILE.repeat(20);
        }
    });
    let output = rolecall(folder.path(), &["report", "run", "--html", "-"]).output().unwrap();
    let page = text(&output.stdout);
    let parsed = assert_sound(&page);
    assert!(page.len() < 400_000, "{} bytes", page.len());
    let words: String = parsed.root_element().text().collect();
    assert!(words.contains("left out") && words.contains("more characters"));
}

#[test]
fn an_empty_run_has_a_page() {
    let page = html::page(&Report::without_transcripts(&[], &[], Summary::of(&[], &[])));
    assert_sound(&page);
    let unfinished = Story { ending: None, ..Story::new("react:0:0", "", Ending::Solved) };
    let results = results(&[unfinished]);
    let page = html::page(&Report::without_transcripts(&results, &[], Summary::of(&results, &[])));
    assert_sound(&page);
    assert!(!page.contains("NaN") && !page.contains("inf%"));
}
