//! What the code had too much of may only become less: doc comments that name nothing, closures whose parameter is
//! `own`, chains that are cut in pieces, files that are too long or hold next to nothing.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use super::layering::{files, rust_files, source, without_tests};

/// Today's counts. Whoever makes one smaller writes it down here; none is raised.
const VAGUE_COMMENTS: usize = 0;
const OWN_CLOSURES: usize = 0;
const CUT_CHAINS: usize = 285;
const SMALL_FILES: usize = 165;

/// The fewest lines of code of a file that is not small, and the most of any.
const LINES: (usize, usize) = (60, 700);

/// Beginnings of doc comments that name nothing.
const VAGUE: [&str; 4] = ["What ", "That ", "Those ", "The same"];

/// Compares a count with what it was; the places are those of today, with how many each has.
fn hold(kind: &str, places: &BTreeMap<String, usize>, was: usize) {
    let now: usize = places.values().sum();
    assert!(now <= was, "{now} {kind}, at most {was} are allowed: {places:#?}");
    assert!(now == was, "{now} {kind} and no longer {was}: lower the constant in tests/house/ratchet.rs");
}

/// Counts something in each file below `src`, tests included.
fn count(of: impl Fn(&str) -> usize) -> BTreeMap<String, usize> {
    let counted = |path: &Path| of(&fs::read_to_string(path).unwrap());
    let places = rust_files(&source()).into_iter().map(|path| (path.display().to_string(), counted(&path)));
    places.filter(|(_, found)| *found > 0).collect()
}

/// Doc comments that begin with a word that names nothing.
fn vague_comments(text: &str) -> usize {
    let doc = |line: &'_ str| ["///", "//!"].iter().any(|mark| line.trim_start().starts_with(mark));
    let lines = [""].into_iter().chain(text.lines()).zip(text.lines());
    let begins = lines.filter(|(before, line)| doc(line) && !doc(before));
    begins.filter(|(_, line)| VAGUE.iter().any(|word| line.trim_start()[3..].trim_start().starts_with(word))).count()
}

/// Closures with a parameter `own`.
fn own_closures(text: &str) -> usize {
    let forms = [
        "|own|",
        "|own,",
        "|own:",
        "|&own|",
        "|&&own|",
        "|mut own|",
        "|(own,",
        "|&(own,",
        ", own|",
        ", own)|",
        ", &own|",
    ];
    forms.iter().map(|form| text.matches(form).count()).sum()
}

/// Bindings of a name to a chain of calls on the same name, which the statement before binds.
fn cut_chains(text: &str) -> usize {
    let mut count = 0;
    // The name that the last statement binds, by depth.
    let mut bound = BTreeMap::new();
    let mut lines = text.lines().filter(|line| !line.trim().is_empty()).peekable();
    while let Some(line) = lines.next() {
        let code = line.trim_start();
        let depth = line.len() - code.len();
        bound.retain(|other, _| *other <= depth);
        // Further lines of a statement begin with a sign.
        if !code.starts_with(char::is_alphabetic) {
            continue;
        }
        let (name, value) = code.strip_prefix("let ").and_then(|rest| rest.split_once(" = ")).unwrap_or(("", ""));
        let name = name.trim_start_matches("mut ").split(':').next().unwrap();
        let rest = value.strip_prefix(name).unwrap_or_default();
        let goes_on = lines.peek().is_some_and(|next| next.trim_start().starts_with('.'));
        let chain = rest.starts_with('.') || value == name && goes_on;
        let before = bound.insert(depth, name);
        count += usize::from(!name.is_empty() && chain && before == Some(name));
    }
    count
}

#[test]
fn doc_comments_name_the_thing() {
    hold("doc comments begin with What, That, Those or The same", &count(vague_comments), VAGUE_COMMENTS);
}

#[test]
fn parameters_of_closures_are_nouns() {
    hold("closures have a parameter `own`", &count(own_closures), OWN_CLOSURES);
}

#[test]
fn a_chain_is_a_chain() {
    hold("bindings go on with the one before them", &count(cut_chains), CUT_CHAINS);
}

#[test]
fn files_are_neither_too_long_nor_hold_next_to_nothing() {
    let (few, most) = LINES;
    let mut small = BTreeMap::new();
    for file in files().iter().filter(|file| !file.is_test()) {
        let lines = without_tests(&file.code).lines().filter(|line| !line.trim().is_empty()).count();
        assert!(lines <= most, "{} has {lines} lines of code, at most {most} are allowed", file.shown());
        if lines < few {
            small.insert(file.shown(), 1);
        }
    }
    hold(&format!("files have less than {few} lines of code"), &small, SMALL_FILES);
}

#[test]
fn what_may_only_become_less_is_found() {
    let text = "/// What it is.\n/// That is a line.\nfn a() {\n    //! Those two.\n    let b = c(|own, d| d);\n    let b = b.e()?;\n    \
                let f = g(|x| {\n        let f = f.h();\n        x\n    });\n    let f: Vec<u8> = f\n        .map(|&(own, _)| own);\n    \
                let f = g(f);\n}\n\n/// The same again.\nfn h() {}\n";
    assert_eq!((vague_comments(text), own_closures(text), cut_chains(text)), (3, 2, 2));
}
