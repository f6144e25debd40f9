//! Any bytes as a log: an error, or episodes that are written out as they were read. A good log that
//! was cut anywhere: every whole line of it, and a note of the one that was cut.
#![no_main]

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use libfuzzer_sys::fuzz_target;
use rolecall::log::{EVENTS, RESULTS, RUN, RunLog, TIMINGS, Tail, read_timings, write_canonical};

/// Two episodes, their lines in each other's way.
const GOOD: &[u8] = include_bytes!("../seeds/log/good.jsonl");

/// A folder of this process with a run.
fn folder() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let name = format!("rolecall-fuzz-log-{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join(RUN), "schema = 1\nname = \"fuzz\"\n").unwrap();
        folder
    })
}

/// The run with these events.
fn opened(events: &[u8]) -> Result<RunLog, rolecall::log::LogError> {
    std::fs::write(folder().join(EVENTS), events).unwrap();
    RunLog::open(folder())
}

fn canonical(run: &RunLog) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    write_canonical(run, &mut bytes).ok()?;
    Some(bytes)
}

/// Whole lines that somebody gets who reads while the file grows.
fn followed() -> Option<usize> {
    let mut tail = Tail::new(&folder().join(EVENTS));
    let mut lines = 0;
    while let Some(chunk) = tail.grown().ok()? {
        lines += chunk.lines().count();
    }
    Some(lines)
}

fuzz_target!(|input: (u16, u8, &[u8])| {
    let (cut, how, bytes) = input;
    if how % 4 == 0 {
        let cut = usize::from(cut) % (GOOD.len() + 1);
        let whole = GOOD[..cut].iter().filter(|byte| **byte == b'\n').count();
        let run = opened(&GOOD[..cut]).unwrap();
        let is_whole = cut == 0 || GOOD[cut - 1] == b'\n' || GOOD[cut] == b'\n';
        assert_eq!(run.torn().is_none(), is_whole);
        let last = usize::from(is_whole && cut > 0 && GOOD[cut - 1] != b'\n');
        assert_eq!(run.event_count() as usize, whole + last);
        assert!(canonical(&run).is_some());
        assert_eq!(followed(), Some(whole));
        return;
    }
    let events = match how % 4 {
        // Something else in the middle of a good log.
        1 => {
            let cut = usize::from(cut) % (GOOD.len() + 1);
            let after = (cut + bytes.len()).min(GOOD.len());
            [&GOOD[..cut], bytes, &GOOD[after..]].concat()
        }
        2 => {
            std::fs::write(folder().join(TIMINGS), bytes).unwrap();
            std::fs::write(folder().join(RESULTS), bytes).unwrap();
            let _ = read_timings(folder());
            return;
        }
        _ => bytes.to_vec(),
    };
    let run = match opened(&events) {
        Ok(run) => run,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    let Some(first) = canonical(&run) else { return };
    let again = opened(&first).unwrap();
    assert_eq!(again.torn(), None);
    assert_eq!(canonical(&again), Some(first));
});
