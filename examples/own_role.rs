//! A role of one's own, in a program of one's own: rolecall is used as a library and not changed.
//!
//! ```sh
//! cargo run --example own_role
//! ```
//!
//! The role asks the user what to do before every action, and does that. It plays the built-in
//! household games beside the role `rules`, and the tables of the run are printed.

#![expect(clippy::print_stdout, reason = "an example prints what came of it")]

use std::error::Error;
use std::sync::Arc;

use rolecall::config::{Request, load};
use rolecall::domain::CellName;
use rolecall::evaluation::Summary;
use rolecall::log::LogWriter;
use rolecall::ports::RoleEntry;
use rolecall::prelude::*;
use rolecall::reports::{self, Layout};
use rolecall::runtime::Launch;

/// Asks before every action. It remembers nothing: what it answers is a function of its view.
struct Obedient;

#[async_trait]
impl Role for Obedient {
    async fn take_turn(&mut self, turn: &Turn) -> Result<Answer, RoleError> {
        let news = turn.view.new_events().filter_map(|event| match &event.message {
            Message::Replied(reply) => Some(reply.text.as_str()),
            _ => None,
        });
        let answer = match news.last() {
            Some(reply) => Move::act(command(reply)),
            None => Move::speak("What should I do next?"),
        };
        Ok(answer.into())
    }
}

/// The action in `Next you should go to the desk 1.` is `go to desk 1`.
fn command(reply: &str) -> String {
    let polite = ["Please ", "Next you should ", "You could "];
    let bare = polite.iter().find_map(|words| reply.strip_prefix(words));
    let bare = bare.unwrap_or(reply).trim_end_matches('.');
    let bare = bare.strip_suffix(" now").unwrap_or(bare);
    bare.replace(" the ", " ")
}

/// What configs can name: `implementation = "obedient"`.
static OBEDIENT: RoleEntry = RoleEntry {
    name: "obedient",
    summary: "asks before every action and does what it is told",
    roles: &["executor"],
    environments: &["household"],
    parameters: &[],
    build: |_| Ok(Arc::new(|| Box::new(Obedient))),
};

fn main() -> Result<(), Box<dyn Error>> {
    // The tables of the crate and one entry more.
    let mut registry = rolecall::worlds();
    registry.roles.push(&OBEDIENT);
    let measured = registry.measured();

    // A config is resolved against them; an error says everything that is wrong with it.
    let request = Request {
        file: "examples/own_role.toml".into(),
        working: env!("CARGO_MANIFEST_DIR").into(),
        ..Request::default()
    };
    let plan = load(&request, registry)?.plan;
    let cells: Vec<CellName> = plan.cells.iter().map(|cell| cell.name.clone()).collect();

    // Every run is written to a folder. This one goes away; keep yours.
    let folder = tempfile::tempdir()?;
    let log = LogWriter::create(&folder.path().join("run"), &plan.record, &plan.run.log)?;
    let launched = Launch::new(plan, &log, measured).run(&mut ())?;
    log.close()?;

    let summary = Summary::of(&launched.results, &cells);
    print!("{}", reports::summary(&summary, &Layout::default()));
    println!("\n{} events were logged", launched.events);
    Ok(())
}
