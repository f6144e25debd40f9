//! The configs that come with the crate.

use std::path::{Path, PathBuf};

use rolecall::config::{Request, load};
use rolecall::registry::Registry;

use super::support::problems;

fn configs(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            configs(&path, found);
        } else if path
            .extension()
            .is_some_and(|extension| extension == "toml")
        {
            found.push(path);
        }
    }
}

#[test]
fn every_shipped_config_can_be_resolved_and_says_what_it_is() {
    let working = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    configs(&working.join("configs"), &mut found);
    assert!(found.len() >= 6, "{found:?}");
    for file in found {
        let text = std::fs::read_to_string(&file).unwrap();
        assert!(
            text.starts_with("# "),
            "{} begins with no comment",
            file.display()
        );
        let request = Request {
            file,
            working: working.clone(),
            ..Request::default()
        };
        let label = request.file.display().to_string();
        let problems = problems(load(&request, Registry::standard()));
        assert!(problems.is_empty(), "{label}: {problems:#?}");
    }
}
