//! Answers from the page of a seat: a form, or JSON for programs.

use std::time::Duration;

use axum::Extension;
use axum::extract::{Form, Json, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use serde::Deserialize;
use serde_json::{Value, json};

use super::page::render;
use super::{SeatPath, Visit};
use crate::serve::listener::Refusal;
use crate::serve::web::page::Problem;
use crate::serve::web::shared::Known;
use crate::serve::{Grant, Lobby, Refused, SeatKey};
use rolecall_core::people::{Question, Said};

/// The time for which the next turn is waited for, so that the page that follows shows it.
const NEXT: Duration = Duration::from_millis(1500);

/// The fields of a form.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Filled {
    turn: String,
    /// The kind of move; `say` for the user.
    kind: String,
    text: String,
    /// The dialogue act of something that is spoken.
    act: String,
    /// How the user leaves, if it does.
    leave: String,
}

impl Filled {
    /// The answer, read as what is typed at a terminal is.
    fn read(&self, question: &Question) -> Result<Said, String> {
        let text = self.text.trim();
        match &*self.kind {
            "say" => question.read(&format!("{text} {}", self.leave)),
            "/quit" => question.read("/quit"),
            "speak" if !self.act.is_empty() => {
                question.read_json(&json!({ "kind": "speak", "text": text, "act": self.act }))
            }
            kind => question.read(&format!("{kind}: {text}")),
        }
    }
}

/// Takes the answer of a form, and leads to the next turn.
pub(super) async fn form(
    State(site): Known,
    Extension(grant): Extension<Grant>,
    path: SeatPath,
    Form(filled): Form<Filled>,
) -> Result<Response, Problem> {
    let visit = site.visit(&path, grant)?;
    let lobby = site.lobby()?;
    let Visit { key: Some(key), .. } = &visit else {
        return Err(Problem::new(StatusCode::CONFLICT, "Nobody waits for you at the moment."));
    };
    let number = number(&filled.turn).unwrap_or((u32::MAX, 0));
    let taken = lobby.answer(key, number, |question| filled.read(question));
    let (status, why) = match taken {
        Ok(()) => {
            next(lobby, key, number).await;
            return Ok(Redirect::to(&visit.address).into_response());
        }
        Err(Refused::Late) => (StatusCode::CONFLICT, Refused::Late.to_string()),
        Err(Refused::Unusable(why)) => (StatusCode::UNPROCESSABLE_ENTITY, why),
    };
    Ok((status, render(&site, &visit, Some(&why))?).into_response())
}

/// Takes the answer of a program: `{"turn": 4, "moves": [...]}` or `{"turn": 4, "text": "..."}`, with `attempt` where
/// the turn was asked before.
pub(super) async fn json(
    State(site): Known,
    Extension(grant): Extension<Grant>,
    path: SeatPath,
    Json(data): Json<Value>,
) -> Result<Response, Problem> {
    let visit = site.visit(&path, grant)?;
    let lobby = site.lobby()?;
    let part = |name: &str| data.get(name).and_then(Value::as_u64).and_then(|part| u32::try_from(part).ok());
    let refused = |status, why: String| Ok(Refusal::new(status, why).into_response());
    let Some(turn) = part("turn") else {
        return refused(
            StatusCode::UNPROCESSABLE_ENTITY,
            "`turn` is missing: the number of the turn that is answered".to_owned(),
        );
    };
    let number = (turn, part("attempt").unwrap_or(0));
    let key = visit.key.as_ref().ok_or(Refused::Late);
    match key.and_then(|key| lobby.answer(key, number, |question| question.read_json(&data))) {
        Ok(()) => Ok(StatusCode::ACCEPTED.into_response()),
        Err(late @ Refused::Late) => refused(StatusCode::CONFLICT, late.to_string()),
        Err(Refused::Unusable(why)) => refused(StatusCode::UNPROCESSABLE_ENTITY, why),
    }
}

/// Reads the number of a turn.
fn number(text: &str) -> Option<(u32, u32)> {
    let (turn, attempt) = text.split_once('.')?;
    Some((turn.parse().ok()?, attempt.parse().ok()?))
}

/// Waits a moment for the next turn of the seat, or the end of the episode.
async fn next(lobby: &Lobby, key: &SeatKey, answered: (u32, u32)) {
    let mut changes = lobby.changes();
    let there = || {
        lobby.turn(key).is_some_and(|turn| turn.number() != answered) || lobby.result(&key.run, &key.episode).is_some()
    };
    let waited = async { while !there() && changes.changed().await.is_ok() {} };
    let _ = tokio::time::timeout(NEXT, waited).await;
}
