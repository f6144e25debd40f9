//! Calls of a model in a bare loop over tokio and reqwest: what they cost at least.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;

use crate::measure::resident_bytes;

/// Requests in their order: the address and the body of each.
pub(crate) struct Recorded(pub(crate) Arc<[(Arc<str>, Bytes)]>);

impl Recorded {
    /// The requests that a server wrote down, for the server of this base URL, which ends with `/<delay>/v1`.
    pub(crate) fn read(file: &Path, base_url: &str) -> Self {
        let text = std::fs::read_to_string(file).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        let base = base_url.strip_suffix("/v1").unwrap();
        let requests = lines.chunks_exact(2).map(|request| {
            let (_, route) = request[0][1..].split_once('/').unwrap();
            (format!("{base}/{route}").into(), Bytes::from(request[1].to_owned()))
        });
        Self(requests.collect())
    }
}

/// One task an episode on two threads, as many as the runtime has arbiters. Gives the most resident memory that
/// was seen.
pub(crate) fn bare_loop(recorded: &Recorded, episodes: usize, calls: usize) -> f64 {
    let client = reqwest::Client::builder().http1_only().tcp_nodelay(true).build().unwrap();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let all = async {
        let mut episodes: Vec<_> = (0..episodes)
            .map(|episode| {
                let (client, recorded) = (client.clone(), Arc::clone(&recorded.0));
                runtime.spawn(async move {
                    for call in 0..calls {
                        let (url, body) = &recorded[(episode * calls + call) % recorded.len()];
                        // A copy, as if it had been written for this call.
                        exchange(&client, url, body.to_vec().into()).await;
                    }
                })
            })
            .collect();
        let mut most: f64 = 0.0;
        let mut ticks = tokio::time::interval(Duration::from_millis(100));
        while let Some(episode) = episodes.last_mut() {
            tokio::select! {
                done = episode => { done.unwrap(); episodes.pop(); }
                _ = ticks.tick() => most = most.max(resident_bytes()),
            }
        }
        most
    };
    runtime.block_on(all)
}

async fn exchange(client: &reqwest::Client, url: &str, body: Bytes) {
    let sent = client.post(url).header("content-type", "application/json").body(body).send();
    let reply = sent.await.unwrap().bytes().await.unwrap();
    let reply: serde_json::Value = serde_json::from_slice(&reply).unwrap();
    assert!(reply["choices"][0]["message"]["content"].is_string());
}
