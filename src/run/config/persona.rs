//! Persona cards: `agents/<strategy>/<role>.toml`, and the texts that they name.

use std::collections::BTreeMap;
use std::path::Path;

use toml::de::DeTable;

use super::context::Context;
use super::error::quoted;
use super::layers::syntax_error;
use super::models::sampling;
use super::node::{Reader, is_key_letter};
use super::origin::Origin;
use super::record::PersonaRecord;
use super::search::{FileRecord, LARGEST_CONFIG, LARGEST_TEXT, read_text};
use super::walk::Section;
use rolecall_core::ports::{LeavingMarks, Persona};

/// The most exemplars of a kind that a card may propose to show.
const MOST_SHOTS: i64 = 20;

/// A persona as it was read.
#[derive(Clone, Debug, Default)]
pub(super) struct Card {
    /// The persona that the role is built from.
    pub(super) persona: Persona,
    /// The implementation that it proposes.
    pub(super) implementation: Option<String>,
    /// The number of its exemplars that it proposes to show.
    pub(super) shots: Option<i64>,
    /// The card for the record; nothing if there is no card.
    pub(super) record: Option<PersonaRecord>,
}

/// Whether a card can have this name.
///
/// # Errors
/// The rest of a message that begins with the key, if none can.
pub(super) fn check_name(name: &str) -> Result<(), String> {
    let part = |part: &str| !part.is_empty() && part.chars().all(is_key_letter);
    if name.len() > 200 || !name.split('/').all(part) {
        return Err(format!(
            "is {}; it must be the path of a card below the `agents` folder without its `.toml`, \
             such as `respact/executor`",
            quoted(name)
        ));
    }
    Ok(())
}

/// Reads a card and its texts. The error goes on from the key that named the card; problems in
/// the card itself are reported where they are.
pub(super) fn read_card(context: &Context, name: &str, file: &Path) -> Result<Card, String> {
    let label = context.shown(file);
    let text =
        read_text(file, LARGEST_CONFIG).map_err(|problem| format!("is {}: `{label}` {problem}", quoted(name)))?;
    let folder = file.parent().unwrap_or(Path::new(""));
    let source = context.add_source(&label, folder);
    let origin = Origin::of(source);
    let document = match DeTable::parse(&text) {
        Ok(document) => document,
        Err(error) => {
            context.report_as_is(origin, syntax_error(&error, &text, &label));
            return Ok(Card::default());
        }
    };
    let mut reader = Reader::of_file(source, &text);
    let table = reader.table(document.get_ref());
    for (origin, key, problem) in reader.unusable {
        context.report(origin, Some(&key), problem);
    }
    context.add_file(FileRecord::of("card", &label, text.as_bytes()));
    let mut section = Section::top(context, origin, &table, None);
    section.text("summary");
    let implementation = section.text("implementation").map(str::to_owned);
    let shots = section.integer("shots", 0, MOST_SHOTS);
    let mut texts = Texts { context, folder, hash: blake3::Hasher::new() };
    texts.add("card", &text);
    let prompt = section.text("prompt").map(str::to_owned);
    let prompt_file = prompt.as_ref().map(|file| context.shown(&folder.join(file)));
    let prompt = prompt.and_then(|file| texts.read(&section, "prompt", &file));
    let exemplars = texts.read_exemplars(&mut section);
    let (sampling, _) = sampling(&mut section.section("sampling"));
    let mut mark = |key| section.text(key).unwrap_or_default().to_owned();
    let leaving = LeavingMarks { leaving: mark("leaving"), satisfied: mark("satisfied") };
    section.finish();
    Ok(Card {
        persona: Persona {
            name: label.clone(),
            prompt: prompt.unwrap_or_default(),
            prompt_file: prompt_file.unwrap_or_default(),
            exemplars,
            sampling,
            leaving,
        },
        implementation,
        shots,
        record: Some(PersonaRecord {
            name: name.to_owned(),
            card: label,
            blake3: texts.hash.finalize().to_hex().to_string(),
        }),
    })
}

/// The texts that a card names, relative to the card.
struct Texts<'a> {
    context: &'a Context,
    folder: &'a Path,
    /// One hash over a card and all its texts.
    hash: blake3::Hasher,
}

impl Texts<'_> {
    /// Adds a text and its name to the hash.
    fn add(&mut self, name: &str, text: &str) {
        for part in [name, text] {
            self.hash.update(&(part.len() as u64).to_le_bytes());
            self.hash.update(part.as_bytes());
        }
    }

    fn read(&mut self, section: &Section<'_>, key: &'static str, file: &str) -> Option<String> {
        let path = self.folder.join(file);
        let label = self.context.shown(&path);
        match read_text(&path, LARGEST_TEXT) {
            Ok(text) => {
                self.add(file, &text);
                self.context.add_file(FileRecord::of(key, &label, text.as_bytes()));
                Some(text)
            }
            Err(problem) => {
                section.wrong(key, format!("names {}: `{label}` {problem}", quoted(file)));
                None
            }
        }
    }

    fn read_exemplars(&mut self, section: &mut Section<'_>) -> BTreeMap<String, String> {
        let mut exemplars = BTreeMap::new();
        for item in section.list("exemplars").unwrap_or_default() {
            let Some(file) = item.text() else {
                let found = item.kind.describe();
                section.wrong("exemplars", format!("holds {found}; every item must be the name of a file"));
                continue;
            };
            let text = self.read(section, "exemplars", file);
            if text.is_some_and(|text| exemplars.insert(file.to_owned(), text).is_some()) {
                section.wrong("exemplars", format!("names {} twice", quoted(file)));
            }
        }
        exemplars
    }
}
