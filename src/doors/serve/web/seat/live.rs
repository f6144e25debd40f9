//! Tells the page of a seat that its turn has come, or is over.

use std::convert::Infallible;
use std::sync::Arc;

use axum::Extension;
use axum::extract::State;
use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::Stream;
use futures_util::stream::unfold;
use serde_json::json;

use super::page::number;
use super::{SeatPath, Visit, ended};
use crate::serve::Grant;
use crate::serve::web::page::Problem;
use crate::serve::web::shared::{Known, Shared};

/// The stream: `turn` when it is the person's turn, `wait` when it is not, `over` at the end.
pub(super) async fn events(
    State(site): Known,
    Extension(grant): Extension<Grant>,
    path: SeatPath,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Problem> {
    let changes = site.lobby()?.changes();
    let open = site.closing.open.token();
    let state = (site, path, changes, None::<String>, open);
    let stream = unfold(state, move |(site, path, mut changes, mut last, open)| async move {
        loop {
            let visit = site.visit(&path, grant).ok()?;
            let (kind, data) = state_of(&site, &visit)?;
            let now = format!("{kind}{data}");
            if last.as_ref() != Some(&now) {
                last = Some(now);
                return Some((Ok(Event::default().event(kind).data(data)), (site, path, changes, last, open)));
            }
            tokio::select! {
                () = site.closing.token.cancelled() => return None,
                changed = changes.changed() => changed.ok()?,
            }
        }
    });
    Ok(Sse::new(stream).keep_alive(KeepAlive::new()))
}

/// How a seat stands: the kind of message, and its data.
fn state_of(site: &Arc<Shared>, visit: &Visit) -> Option<(&'static str, String)> {
    let lobby = site.lobby().ok()?;
    let Some(key) = &visit.key else {
        // The owner's list of seats.
        let open = lobby.open().len().to_string();
        return Some(("turn", json!({ "turn": if visit.blind { String::new() } else { open } }).to_string()));
    };
    if let Some(turn) = lobby.turn(key) {
        let sheet = turn.question.sheet(false);
        return Some((
            "turn",
            json!({
                "turn": number(&turn),
                "brief": { "open": sheet.open, "steps_left": sheet.steps_left },
                "admissible": sheet.admissible,
            })
            .to_string(),
        ));
    }
    let result = lobby.result(&key.run, &key.episode);
    Some(match result {
        Some(result) => ("over", json!({ "turn": "", "text": ended(&result) }).to_string()),
        None => ("wait", json!({ "turn": "" }).to_string()),
    })
}
