//! News as server-sent events. They are made of snapshots of the log, so that a reader who was away gets
//! what it missed, and a slow one the newest.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Path, Query, State};
use axum::http::HeaderMap;
use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::Stream;
use futures_util::stream::unfold;
use serde::Deserialize;
use serde_json::json;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use tokio_util::task::task_tracker::TaskTrackerToken;

use super::episode::named;
use super::page::Problem;
use super::shared::Known;
use super::snapshot::{Snapshot, Watched};
use super::turns::turns;
use rolecall_core::domain::{EpisodeId, Visibility};
use rolecall_core::log::{LogError, recorded_visibility};
use rolecall_core::reports::{ending, percent};

/// The time after which a line without meaning keeps a connection open.
const QUIET: Duration = Duration::from_secs(15);

/// The run or episode that a reader looks at.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Watch {
    /// An episode; none: the run as a whole.
    episode: Option<String>,
    /// The last of its events that the reader has.
    after: Option<u32>,
}

/// A reader.
struct Reader {
    news: watch::Receiver<Option<Arc<Snapshot>>>,
    /// The run stays in memory as long as somebody looks.
    watched: Arc<Watched>,
    _open: TaskTrackerToken,
    stop: CancellationToken,
    looks_at: LooksAt,
    waiting: VecDeque<Event>,
    over: bool,
}

enum LooksAt {
    Run { version: Option<u64> },
    Episode { id: EpisodeId, next: u32 },
}

/// The stream of a run or an episode.
pub(super) async fn events(
    State(site): Known,
    Path(run): Path<String>,
    Query(watch): Query<Watch>,
    headers: HeaderMap,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Problem> {
    let watched = site.runs.of(&run)?;
    let looks_at = match &watch.episode {
        None => LooksAt::Run { version: None },
        Some(episode) => {
            let id = named(&*watched.fresh().await?, episode)?;
            let last = headers.get("last-event-id");
            let after: Option<u32> =
                last.and_then(|last| last.to_str().ok()?.rsplit_once('/')?.1.parse().ok()).or(watch.after);
            LooksAt::Episode { id, next: after.map_or(0, |after| after.saturating_add(1)) }
        }
    };
    let mut news = watched.follow();
    // The last look may have been the last of all.
    news.mark_changed();
    let reader = Reader {
        news,
        watched,
        _open: site.closing.open.token(),
        stop: site.closing.token.clone(),
        looks_at,
        waiting: VecDeque::new(),
        over: false,
    };
    Ok(Sse::new(unfold(reader, |mut reader| async move { Some((Ok(reader.next().await?), reader)) }))
        .keep_alive(KeepAlive::new().interval(QUIET)))
}

impl Reader {
    /// The next message; none once there is nothing more to come.
    async fn next(&mut self) -> Option<Event> {
        loop {
            if let Some(event) = self.waiting.pop_front() {
                return Some(event);
            }
            if self.over {
                return None;
            }
            tokio::select! {
                () = self.stop.cancelled() => self.end(),
                changed = self.news.changed() => {
                    // Few read at the same time, each what is newest then: memory does not grow with the crowd.
                    let watched = Arc::clone(&self.watched);
                    let _turn = watched.readers.acquire().await;
                    let snapshot = self.news.borrow_and_update().clone();
                    match (changed, snapshot) {
                        (Err(_), _) => self.end(),
                        (Ok(()), Some(snapshot)) => self.look(&snapshot).await,
                        (Ok(()), None) => {}
                    }
                }
            }
        }
    }

    fn end(&mut self) {
        self.over = true;
        self.waiting.push_back(Event::default().event("bye").data("{}"));
    }

    async fn look(&mut self, snapshot: &Arc<Snapshot>) {
        let running = snapshot.running;
        let closed = match &mut self.looks_at {
            LooksAt::Run { version } => {
                let now = snapshot.version();
                if version.replace(now) != Some(now) {
                    self.waiting.push_back(progress(snapshot));
                }
                false
            }
            LooksAt::Episode { id, next } => {
                let result = snapshot.result(id).map(|result| result.success);
                if snapshot.log.events_of(id) > u64::from(*next) {
                    let (known, episode, from) = (Arc::clone(snapshot), id.clone(), *next);
                    match tokio::task::spawn_blocking(move || episode_news(&known, &episode, from)).await {
                        Ok(Ok((events, seen))) => {
                            *next = seen;
                            self.waiting.extend(events);
                        }
                        // What cannot be read now is read again by the page.
                        _ => self.waiting.push_back(Event::default().event("gap").data("{}")),
                    }
                }
                result.is_some()
            }
        };
        if closed || !running {
            self.end();
        }
    }
}

/// How far a run is.
fn progress(snapshot: &Snapshot) -> Event {
    let tally = snapshot.tally;
    Event::default().event("progress").data(
        json!({
            "version": snapshot.version(), "closed": tally.closed, "open": snapshot.open.len(),
            "success": tally.success().map(percent), "running": snapshot.running,
        })
        .to_string(),
    )
}

/// The entries of an episode from an event on, its result if it is closed, and the number of the next event.
fn episode_news(snapshot: &Snapshot, id: &EpisodeId, from: u32) -> Result<(Vec<Event>, u32), LogError> {
    let episode = snapshot.log.episode(id)?;
    let log = episode.log();
    let user = log.opened().and_then(|opened| opened.user.as_deref());
    let visibility: Visibility = recorded_visibility(snapshot.log.folder(), &id.cell, user)?;
    let new = turns(&snapshot.name, &episode, &visibility, from);
    let event = |seq: u32, kind: &str, data: String| Event::default().id(format!("{id}/{seq}")).event(kind).data(data);
    let mut events: Vec<Event> = new.iter().map(|turn| event(turn.seq, "event", json!(turn).to_string())).collect();
    let last = episode.events.len().saturating_sub(1) as u32;
    if let Some(outcome) = log.outcome() {
        events.push(event(last, "result", json!({ "text": ending(outcome), "success": outcome.success }).to_string()));
    }
    Ok((events, last + 1))
}
