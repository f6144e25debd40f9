//! `rolecall rate serve`: people label in a browser.

use std::fmt::Write;
use std::process::ExitCode;
use std::sync::Arc;

use super::ServeArguments;
use crate::output;
use crate::runs::siblings;
use crate::serve::{OwnProgram, stay};
use rolecall_core::text::counted;
use rolecall_doors::serve::Closing;
use rolecall_doors::serve::web::{Site, SiteSettings};
use rolecall_run::rating::{RaterList, Rating, question};
use rolecall_run::registry::Registry;

/// Serves until Ctrl-C.
pub(super) fn execute(arguments: &ServeArguments, registry: &Registry) -> anyhow::Result<ExitCode> {
    let (items, dealing) = (&arguments.items, &arguments.dealing);
    let choice = items.choice(arguments.pairwise, registry)?;
    let wanted = items.open(&choice, registry)?;
    let asked = question(&choice.what, dealing.question.as_deref(), choice.kind);
    let raters = RaterList::dealt(&wanted, dealing.raters, dealing.overlap, choice.seed);
    let names: Vec<String> = raters.iter().map(|rater| rater.name.clone()).collect();
    let rating = Rating::of(&wanted, choice.what, asked, raters)?;
    let closing = Closing::default();
    let settings = SiteSettings {
        logs: siblings(wanted.run.folder()).0,
        program: Arc::new(OwnProgram::new(registry)),
        lobby: None,
        registry: registry.clone(),
    };
    let site = Site::new(arguments.door.bind()?, settings, closing.clone())?;
    let (site, links) = site.rated(rating)?;
    let mut text = format!(
        "{} for {}, a link each (stop with Ctrl-C):\n",
        match arguments.pairwise {
            true => counted(wanted.ids.len() as u64, "pair", "pairs"),
            false => counted(wanted.ids.len() as u64, "item", "items"),
        },
        counted(dealing.raters.into(), "rater", "raters"),
    );
    for (name, link) in names.iter().zip(links) {
        // Writing to a text cannot fail.
        let _ = writeln!(text, "  {name} {link}");
    }
    let _ = writeln!(text, "how far they are: {}", site.link("/rate"));
    let serving = site.serve()?;
    output::emit(&text)?;
    stay(&closing, serving, || ())
}
