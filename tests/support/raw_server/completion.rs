//! One completion over the raw server.

use rolecall::models::{Attempt, Failed, FirstByte, openai};
use rolecall::ports::model::{ChatMessage, ChatRole, Completion, ModelRequest, ModelSettings, Prompt};

use crate::support::raw_server::{RawServer, Reply, Request, settings};

/// A conversation of one message.
pub(crate) fn completion() -> Completion {
    Completion {
        prompt: Prompt::Chat(vec![ChatMessage::new(ChatRole::User, "find the mug")]),
        max_tokens: Some(8),
        temperature: Some(0.5),
        seed: Some(7),
        ..Completion::default()
    }
}

/// What the client makes of the server's answer, and what the server saw.
pub(crate) async fn ask(
    change: impl Fn(&mut ModelSettings),
    request: Completion,
    answer: impl Fn(&Request) -> Reply + Send + Sync + 'static,
) -> (Result<Attempt, Failed>, Vec<Request>) {
    let server = RawServer::start(answer).await;
    let mut settings = settings(&server.url, None);
    change(&mut settings);
    let transport = openai::transport(&settings).unwrap();
    let request = transport.encode(&ModelRequest::Complete(request)).unwrap();
    let result = transport.attempt(&request, "a:0:0/seat/1/0/0", "4f", &FirstByte::default()).await;
    (result, server.seen())
}
