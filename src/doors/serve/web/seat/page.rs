//! The page of a seat: what its person may see, and what it may do.

use axum::Extension;
use axum::extract::State;
use maud::{Markup, html};
use tokio::time::Instant;

use super::{SeatPath, Visit, ended};
use crate::serve::web::page::{Page, Problem, encoded, of_episode};
use crate::serve::web::shared::{Known, Shared};
use crate::serve::{Grant, Lobby, OpenTurn};
use rolecall_core::domain::Seat;
use rolecall_core::people::{Line, Sheet};
use rolecall_core::reports::html::{Shown, lines};

/// Letters of one text that are shown.
const LONGEST: usize = 20_000;

/// The page.
pub(super) async fn page(
    State(site): Known,
    Extension(grant): Extension<Grant>,
    path: SeatPath,
) -> Result<Page, Problem> {
    render(&site, &site.visit(&path, grant)?, None)
}

/// The page, with a word about the last answer.
pub(super) fn render(site: &Shared, visit: &Visit, problem: Option<&str>) -> Result<Page, Problem> {
    let lobby = site.lobby()?;
    let Some(key) = &visit.key else {
        return Ok(waiting(lobby, visit));
    };
    let turn = lobby.turn(key);
    let main = match &turn {
        Some(turn) => open(turn, visit, problem),
        None => html! {
            @if let Some(problem) = problem { p role="alert" { (problem) } }
            @match lobby.result(&key.run, &key.episode) {
                Some(result) => p #over.end { "The episode is over: " (ended(&result)) "." },
                None => p { "The others are at it. Your turn comes by itself, or " a href=(visit.address) { "look again" } "." },
            }
        },
    };
    let now = turn.as_ref().map(number);
    let main = html! {
        div #seat data-live={ "/api" (visit.address) "/events" } data-turn=(now.unwrap_or_default()) { (main) }
    };
    let page = Page::new(format!("You are the {}", key.seat), main);
    Ok(if visit.blind {
        page.alone()
    } else {
        page.below(of_episode(&key.run, &key.episode), format!("{} {}", key.run, key.episode))
    })
}

/// The page while no seat is named: for the owner, all seats that wait.
fn waiting(lobby: &Lobby, visit: &Visit) -> Page {
    let open = if visit.blind { Vec::new() } else { lobby.open() };
    let main = html! {
        div #seat data-live={ "/api" (visit.address) "/events" } data-turn=(open.len()) {
            @if open.is_empty() { p { "Nobody waits for you at the moment. " a href=(visit.address) { "Look again" } "." } }
            ul {
                @for turn in &open {
                    @let key = &turn.key;
                    li {
                        a href={ "/seat/" (encoded(&key.run)) "/" (encoded(&key.episode.to_string())) "/" (encoded(key.seat.as_str())) } {
                            (Shown(key.seat.as_str())) " in " (Shown(&key.run)) " " (key.episode)
                        }
                    }
                }
            }
        }
    };
    let page = Page::new("Seats", main);
    if visit.blind { page.alone() } else { page }
}

/// The number of a turn as forms carry it.
pub(super) fn number(turn: &OpenTurn) -> String {
    let (turn, attempt) = turn.number();
    format!("{turn}.{attempt}")
}

fn open(turn: &OpenTurn, visit: &Visit, problem: Option<&str>) -> Markup {
    let question = &turn.question;
    let sheet = question.sheet(true);
    let new = question.sheet(false).news.len();
    let limit = question.limit();
    html! {
        @if !sheet.task.is_empty() { p.request { (lines(&sheet.task, LONGEST)) } }
        @if !sheet.private.is_empty() {
            section.private-part {
                h2 { "Only you know" }
                (list(&sheet.private))
            }
        }
        @if !sheet.conversation.is_empty() { section { h2 { "What was said before" } (list(&sheet.conversation)) } }
        section {
            h2 { "What happened" }
            ol #news.turns {
                @let before = sheet.news.len().saturating_sub(new);
                @for (index, line) in sheet.news.iter().enumerate() {
                    li.turn.new[index >= before] {
                        div.who { span.seat { (Shown(&line.from)) } @if index >= before { " " span.hidden-mark { "new" } } }
                        div.text { (lines(&line.text, LONGEST)) }
                    }
                }
                @if let Some(asked) = &sheet.question {
                    li.turn.new { div.who { span.seat { "agent" } " " span.hidden-mark { "asks you" } } div.text { (lines(asked, LONGEST)) } }
                }
            }
        }
        section #answer {
            h2 { "Your turn" }
            (clock(turn))
            p.note {
                @if let Some(left) = sheet.steps_left { (left) " steps left. " }
                @if let Some(left) = sheet.questions_left { (left) " questions left. " }
                @if let Some(limit) = limit { "At most " (limit) ". " }
            }
            @if let Some(notice) = &sheet.notice { p { (lines(notice, LONGEST)) } }
            @if !sheet.sections.is_empty() { (list(&sheet.sections)) }
            @if let Some(problem) = problem { p role="alert" { (Shown(problem)) } }
            (forms(turn, visit, &sheet))
        }
        (commands(&sheet))
    }
}

fn clock(turn: &OpenTurn) -> Markup {
    let left = turn.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()).as_secs());
    html! {
        @if let Some(left) = left {
            p { "Time left: " b #clock data-seconds=(left) { (left) " s" } }
        }
    }
}

fn list(all: &[Line]) -> Markup {
    html! {
        dl.facts-list {
            @for line in all {
                div { @if !line.from.is_empty() { dt { (Shown(&line.from)) } } dd { (lines(&line.text, LONGEST)) } }
            }
        }
    }
}

/// A form for each kind of move that is open; for the user, for its words.
fn forms(turn: &OpenTurn, visit: &Visit, sheet: &Sheet) -> Markup {
    let number = number(turn);
    let form = |kind: &str, body: Markup| {
        html! {
            form.move method="post" action=(visit.address) {
                input type="hidden" name="turn" value=(number);
                input type="hidden" name="kind" value=(kind);
                (body)
            }
        }
    };
    let user = turn.key.seat == Seat::User;
    html! {
        @if user {
            (form("say", html! {
                label for="say" { "say" }
                textarea #say name="text" rows="3" required autofocus {}
                button { "Say it" }
                label.choice { input type="radio" name="leave" value="" checked; "and stay" }
                label.choice { input type="radio" name="leave" value="/done"; "and leave with what I came for" }
                label.choice { input type="radio" name="leave" value="/quit"; "and leave without" }
            }))
        }
        @for (index, kind) in sheet.open.iter().enumerate() {
            (form(kind, html! {
                label for={ "m-" (kind) } { (kind) }
                @if *kind == "act" {
                    input #{ "m-" (kind) } name="text" list="admissible" autocomplete="off" required autofocus[index == 0];
                } @else {
                    textarea #{ "m-" (kind) } name="text" rows="2" required[*kind != "finish"] autofocus[index == 0] {}
                }
                @if *kind == "speak" && !sheet.acts.is_empty() {
                    select name="act" aria-label="dialogue act" { @for act in &sheet.acts { option { (Shown(act)) } } }
                }
                button { (kind) }
            }))
        }
        datalist #admissible { @for command in &sheet.admissible { option value=(command) {} } }
        @if !user {
            details {
                summary { "Give up" }
                (form("/quit", html! { button { "Give the task up" } }))
            }
        }
    }
}

fn commands(sheet: &Sheet) -> Markup {
    html! {
        @if !sheet.forms.is_empty() || !sheet.admissible.is_empty() {
            details {
                summary { "Commands" }
                @if !sheet.forms.is_empty() { (list(&sheet.forms)) }
                @if !sheet.admissible.is_empty() {
                    p { "Possible now: " }
                    ul.commands { @for command in &sheet.admissible { li { code { (Shown(command)) } } } }
                }
            }
        }
    }
}
