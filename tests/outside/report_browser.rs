//! The report as a real browser shows it: nothing runs, charts are painted, at every width and in
//! both colour schemes.
//!
//! The browser is that of `ROLECALL_BROWSER`, or the first of the usual names. Without one the test
//! says that it skips; where the conformance tests run (`ROLECALL_ORACLE`), that is a failure.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::support::binary::{rolecall, text};
use crate::support::hostile::{RUN_TOML, corrupt};
use crate::support::synthetic::{Story, encode, events, write_run};
use rolecall::domain::{Ending, Limit};
use rolecall::log::Batch;
use scraper::{Html, Selector};

const NAMES: [&str; 4] = ["chromium-headless-shell", "chrome-headless-shell", "chromium", "google-chrome"];

/// The browser, unless there is none and none is needed.
pub(crate) fn browser() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os("ROLECALL_BROWSER") {
        return Some(named.into());
    }
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = std::env::split_paths(&folders).collect();
    let places = NAMES.iter().chain(&["chromium-browser"]);
    let mut places = places.flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    let found = places.find(|place| place.is_file());
    if found.is_none() {
        let needed = std::env::var_os("ROLECALL_ORACLE").is_some();
        assert!(!needed, "no browser: install chromium or set ROLECALL_BROWSER");
        println!("skipped: no browser was found; set ROLECALL_BROWSER to one");
    }
    found
}

/// Opens the page with the options and waits for the browser's end.
fn open(browser: &Path, folder: &Path, page: &Path, options: &[&str]) -> Output {
    // A profile of its own: other tests use the same browser at the same time.
    let profile = tempfile::tempdir_in(folder).unwrap();
    let profile = format!("--user-data-dir={}", profile.path().display());
    let output = Command::new(browser)
        .args(["--headless", "--disable-gpu", "--no-sandbox", "--hide-scrollbars"])
        .args([&profile, "--force-prefers-reduced-motion", "--timeout=30000"])
        .args(options)
        .arg(format!("file://{}", page.display()))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output
}

/// A page with every kind of ending and move in which every foreign text is hostile.
fn hostile_page(folder: &Path) -> PathBuf {
    let stories = (0..12_u32).flat_map(|task| {
        ["react", "respact"].map(|cell| {
            let ending = match task % 4 {
                0 => Ending::OutOf { limit: Limit::Steps },
                1 if cell == "react" => Ending::GaveUp,
                _ => Ending::Solved,
            };
            Story {
                questions: task % 3,
                actions: 2 + task,
                invalid: task % 2,
                ..Story::new(&format!("{cell}:{task}:0"), "put", ending)
            }
        })
    });
    let batches = stories.map(|story| {
        let mut events = events(&story);
        events.iter_mut().for_each(corrupt);
        Batch::events(encode(&story.id, &events))
    });
    write_run(&folder.join("run"), RUN_TOML, batches.collect());
    let output = rolecall(folder, &["report", "run", "--write"]).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    folder.join("run/report.html")
}

#[test]
fn no_other_script_runs_and_hostile_texts_are_texts() {
    let Some(browser) = browser() else { return };
    let folder = tempfile::tempdir().unwrap();
    let page = hostile_page(folder.path());
    let shown = text(&open(&browser, folder.path(), &page, &["--dump-dom"]).stdout);
    let document = Html::parse_document(&shown);
    let select = |what: &str| document.select(&Selector::parse(what).unwrap()).count();
    let title = document.select(&Selector::parse("head > title").unwrap()).next();
    let title: String = title.unwrap().text().collect();
    assert_eq!(title, "run - rolecall", "a script changed the title");
    assert_eq!(select("img, iframe, base, object, embed, link"), 0);
    assert_eq!((select("script"), select("form")), (1, 1), "those of the page itself");
    assert_eq!(select("[onload], [onerror], [onmouseover], [style], [src]"), 0);
    let words: String = document.root_element().text().collect();
    assert!(words.matches("<script>document.title='taken'</script>").count() > 100);
}

#[test]
fn the_test_would_see_a_script_that_runs() {
    let Some(browser) = browser() else { return };
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("page.html");
    let script = "<script>document.title='taken'</script>";
    fs::write(&page, format!("<!doctype html><title>free</title>{script}")).unwrap();
    let shown = text(&open(&browser, folder.path(), &page, &["--dump-dom"]).stdout);
    assert!(shown.contains("<title>taken</title>"), "{shown}");
    // The policy of the page alone stops it, were an escape ever forgotten.
    let report = fs::read_to_string(hostile_page(folder.path())).unwrap();
    let report = report.replace("</main>", &format!("{script}</main>"));
    fs::write(&page, report).unwrap();
    let shown = text(&open(&browser, folder.path(), &page, &["--dump-dom"]).stdout);
    assert!(shown.contains("<title>run - rolecall</title>"));
}

/// How many pixels of a picture have which colour.
fn colours(picture: &Path) -> (u32, u32, HashMap<[u8; 3], usize>) {
    let decoder = png::Decoder::new(BufReader::new(File::open(picture).unwrap()));
    let mut reader = decoder.read_info().unwrap();
    let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut bytes).unwrap();
    let samples = info.color_type.samples();
    let mut colours = HashMap::new();
    for pixel in bytes[..info.buffer_size()].chunks_exact(samples) {
        *colours.entry([pixel[0], pixel[1], pixel[2]]).or_default() += 1;
    }
    (info.width, info.height, colours)
}

/// The colours of parts that the page must show, from its style sheet.
const BLUE: [u8; 3] = [0x00, 0x72, 0xb2];
const ORANGE: [u8; 3] = [0xe6, 0x9f, 0x00];
const GREEN: [u8; 3] = [0x00, 0x9e, 0x73];
const RED: [u8; 3] = [0xd5, 0x5e, 0x00];
const PURPLE: [u8; 3] = [0xcc, 0x79, 0xa7];

#[test]
fn charts_are_painted_on_screens_of_every_width_and_scheme() {
    let Some(browser) = browser() else { return };
    let folder = tempfile::tempdir().unwrap();
    let page = hostile_page(folder.path());
    for (width, height) in [(1200, 4000), (390, 6000)] {
        // As the browser numbers them: 0 is dark, 1 is light.
        for (scheme, paper) in [(1, [0xff, 0xff, 0xff]), (0, [0x12, 0x16, 0x1b])] {
            let name = format!("{width}-{scheme}.png");
            let picture = folder.path().join(&name);
            let options = [
                format!("--window-size={width},{height}"),
                format!("--blink-settings=preferredColorScheme={scheme}"),
                format!("--screenshot={}", picture.display()),
            ];
            open(&browser, folder.path(), &page, &options.each_ref().map(String::as_str));
            let (wide, high, colours) = colours(&picture);
            assert_eq!((wide, high), (width, height));
            let of = |colour| colours.get(&colour).copied().unwrap_or_default();
            let all = (wide * high) as usize;
            let background = of(paper);
            assert!(background > all / 3 && background < all, "{name}: {background} of {all}");
            for colour in [BLUE, ORANGE, GREEN, RED, PURPLE] {
                assert!(of(colour) > 300, "{name}: {colour:?} {}", of(colour));
            }
            assert!(colours.len() > 100, "{name}: letters have soft edges");
        }
    }
}

/// The widest thing on the page is no wider than the phone: what is wider scrolls by itself. Every
/// chart says there what its lines are, too.
#[test]
fn a_phone_shows_the_page_without_scrolling_sideways() {
    let Some(browser) = browser() else { return };
    let folder = tempfile::tempdir().unwrap();
    let page = hostile_page(folder.path());
    let report = fs::read_to_string(&page).unwrap();
    // A copy without the policy, which would not let it run, measures itself.
    let policy = report.find("<meta http-equiv").unwrap();
    let end = policy + report[policy..].find('>').unwrap() + 1;
    let measure = "<script>document.querySelectorAll('details').forEach(d => d.open = true);\
        const lost = [...document.querySelectorAll('.label, .value')]\
            .filter(e => e.textContent.trim() && !e.getClientRects().length).length;\
        document.title = document.documentElement.scrollWidth + ' of ' + innerWidth + ', lost ' + lost\
        </script></body>";
    let copy = format!("{}{}", &report[..policy], &report[end..]).replace("</body>", measure);
    let place = folder.path().join("copy.html");
    fs::write(&place, copy).unwrap();
    for width in [390, 1200] {
        let size = format!("--window-size={width},800");
        let shown = text(&open(&browser, folder.path(), &place, &["--dump-dom", &size]).stdout);
        assert!(shown.contains(&format!("<title>{width} of {width}, lost 0</title>")), "{}", &shown[..2000]);
    }
}
