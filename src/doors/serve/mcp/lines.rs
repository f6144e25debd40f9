//! MCP line by line, as over standard input and output.

use std::collections::HashMap;
use std::time::Duration;

use tokio::sync::mpsc::Receiver;
use tokio::task::{AbortHandle, JoinSet};

use super::McpServer;
use crate::mcp::{Reaction, Way};

/// The most calls that are performed at the same time; what comes then waits.
const MOST_CALLS: usize = 1024;

/// How long calls that are open when the client leaves have for their answers.
const ENDING: Duration = Duration::from_secs(5);

impl McpServer {
    /// Answers the lines that come, until there are no more or the server stops.
    pub async fn answer_lines(&self, mut lines: Receiver<Vec<u8>>, mut say: impl FnMut(String)) {
        let mut way = Way::Lines { greeted: false };
        let mut calls: JoinSet<String> = JoinSet::new();
        let mut open: HashMap<String, AbortHandle> = HashMap::new();
        loop {
            tokio::select! {
                () = self.0.closing.cancelled() => return,
                Some(answered) = calls.join_next(), if !calls.is_empty() => {
                    answered.into_iter().for_each(&mut say);
                    open.retain(|_, call| !call.is_finished());
                }
                line = lines.recv(), if calls.len() < MOST_CALLS => {
                    let Some(line) = line else {
                        break;
                    };
                    if line.trim_ascii().is_empty() {
                        continue;
                    }
                    match self.0.server.hear(&line, &mut way) {
                        Reaction::Answer(reply) => say(reply.line),
                        Reaction::Call(called) => {
                            let (own, id) = (self.clone(), called.id.to_string());
                            let call = async move {
                                let given = own.perform(&called).await;
                                called.answer(&given).line
                            };
                            open.insert(id, calls.spawn(call));
                        }
                        // Nobody waits for the answer any more; the move is made all the same.
                        Reaction::Cancelled(id) => {
                            open.remove(&id.to_string()).iter().for_each(AbortHandle::abort);
                        }
                        Reaction::Nothing => {}
                    }
                }
            }
        }
        let rest = async {
            while let Some(answered) = calls.join_next().await {
                answered.into_iter().for_each(&mut say);
            }
        };
        // Whoever takes longer is cut off.
        let _ = tokio::time::timeout(ENDING, rest).await;
    }
}
