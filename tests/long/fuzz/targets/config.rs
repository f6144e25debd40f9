//! Any text as a config: a plan whose record can be read, or errors of one line each, the same each
//! time.
#![no_main]

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use libfuzzer_sys::fuzz_target;
use rolecall::config::{Request, load};
use rolecall::log::RunRecord;

/// A folder of this process with the shipped personas, for the config and its record.
fn folder() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let name = format!("rolecall-fuzz-config-{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        // The manifest is the crate's where its tests play this.
        let above = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
        let shipped = above.map(|above| above.join("agents"));
        let shipped = shipped.filter(|agents| agents.is_dir()).last().unwrap();
        copy(&shipped, &folder.join("agents"));
        folder
    })
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let copied = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy(&path, &copied);
        } else {
            std::fs::copy(&path, &copied).unwrap();
        }
    }
}

/// Whether the text may lead out of the folder: looking for games in the whole system takes long.
fn leads_out(text: &str) -> bool {
    ["..", "\\u", "\"/", "'/", "\n/"]
        .iter()
        .any(|way| text.contains(way))
}

fuzz_target!(|text: &str| {
    if leads_out(text) {
        return;
    }
    let folder = folder();
    std::fs::write(folder.join("config.toml"), text).unwrap();
    let request = Request {
        file: "config.toml".into(),
        working: folder.to_owned(),
        ..Request::default()
    };
    match load(&request, rolecall::worlds()) {
        Ok(resolved) => {
            std::fs::write(folder.join("run.toml"), &resolved.plan.record).unwrap();
            let record = RunRecord::read(folder).unwrap();
            assert_eq!(record.name, resolved.plan.name);
            assert_eq!(record.cells.len(), resolved.plan.cells.len());
        }
        Err(errors) => {
            let told: Vec<String> = errors.0.iter().map(ToString::to_string).collect();
            assert!(!told.is_empty());
            assert!(told.iter().all(|told| !told.contains('\n')), "{told:?}");
            let again = load(&request, rolecall::worlds()).err();
            let again = again.map(|errors| errors.0.iter().map(ToString::to_string).collect());
            assert_eq!(again, Some(told));
        }
    }
});
