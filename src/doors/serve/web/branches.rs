//! Runs that go on from others, as a tree.

use std::sync::Arc;

use maud::{Markup, html};

use super::address::{encoded, of_run};
use super::problem::Problem;
use super::shared::Shared;
use rolecall_core::reports::html::Shown;
use rolecall_core::reports::{NONE, RunOverview, percent};

/// The tree in which a run stands; nothing if it stands alone.
pub(super) async fn family(site: &Arc<Shared>, run: &str) -> Result<Markup, Problem> {
    let lines = site.overviews().await?;
    let root = root(&lines, run);
    let alone = !lines.iter().any(|line| parent(line) == Some(root));
    Ok(html! {
        @if !alone {
            section #branches {
                h2 { "Branches" }
                p { "Runs that go on from a turn of another one, with how many of their episodes are solved." }
                ul.tree { (branch(&lines, root, run, 0)) }
            }
        }
    })
}

fn parent(line: &RunOverview) -> Option<&str> {
    line.parent.as_ref().map(|parent| parent.run.as_str())
}

/// The run from which all others of the family come, as far as it is there.
fn root<'a>(lines: &'a [RunOverview], run: &'a str) -> &'a str {
    let mut root = run;
    // A folder that was renamed may be its own parent.
    for _ in 0..lines.len() {
        let line = lines.iter().find(|line| line.found.name == root);
        match line.and_then(parent) {
            Some(parent) if parent != run => root = parent,
            _ => break,
        }
    }
    root
}

fn branch(lines: &[RunOverview], name: &str, here: &str, depth: usize) -> Markup {
    let own = lines.iter().find(|line| line.found.name == name);
    let below = lines.iter().filter(|line| parent(line) == Some(name) && line.found.name != name);
    let below: Vec<&RunOverview> = below.filter(|_| depth < lines.len()).collect();
    let success = own.and_then(|own| own.tally.success()).map_or_else(|| NONE.to_owned(), percent);
    let fork = own.and_then(|own| own.parent.as_ref());
    html! {
        li {
            @match own {
                Some(_) => a href=(of_run(name)) aria-current=[(name == here).then_some("page")] { (Shown(name)) },
                None => span { (Shown(name)) " (not here)" },
            }
            @if own.is_some() { " " span.dim { (success) " %" } }
            @if let Some(fork) = fork {
                " " span.dim {
                    "left " (Shown(&fork.run)) " at " (Shown(&fork.at)) " in " (fork.episodes.len()) " episodes"
                }
                @if let Some((id, _)) = fork.episodes.iter().next() {
                    " "
                    a href={
                        "/compare?a=" (encoded(&format!("{}/{id}", fork.run))) "&b=" (encoded(&format!("{name}/{id}")))
                    } { "compare " (id) }
                }
            }
            @if !below.is_empty() {
                ul { @for line in below { (branch(lines, &line.found.name, here, depth + 1)) } }
            }
        }
    }
}
