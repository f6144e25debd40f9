//! How many connections calls take.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use rolecall::models::{FirstByte, openai};
use rolecall::ports::model::{ModelRequest, ModelSettings};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use crate::support::raw_server::completion::completion;

/// A server that closes each connection after so many answers without saying it. Gives its address and the
/// number of its connections.
async fn server(answers: u32) -> (String, Arc<AtomicU32>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let opened = Arc::new(AtomicU32::new(0));
    let counted = Arc::clone(&opened);
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            counted.fetch_add(1, Ordering::SeqCst);
            tokio::spawn(answer(stream, answers));
        }
    });
    (url, opened)
}

async fn answer(mut stream: TcpStream, answers: u32) {
    let body = r#"{"choices": [{"message": {"content": "hello"}, "finish_reason": "stop"}]}"#;
    let length = body.len();
    let whole = format!("HTTP/1.1 200 OK\r\nContent-Length: {length}\r\n\r\n{body}");
    for _ in 0..answers {
        let mut request = Vec::new();
        while !request.ends_with(b"}") {
            if stream.read_buf(&mut request).await.unwrap_or(0) == 0 {
                return;
            }
        }
        if stream.write_all(whole.as_bytes()).await.is_err() {
            return;
        }
    }
}

/// Two models ask one server in turn.
async fn asked_in_turn(url: &str, times: usize) {
    let settings = ["agent", "customer"].map(|name| ModelSettings::new(name, url));
    let models = settings.map(|settings| openai::transport(&settings).unwrap());
    let request = ModelRequest::Complete(completion());
    for model in models.iter().cycle().take(times) {
        let request = model.encode(&request).unwrap();
        model.attempt(&request, "key", "", &FirstByte::default()).await.unwrap();
    }
}

#[tokio::test]
async fn models_of_one_server_share_its_connections() {
    let (url, opened) = server(u32::MAX).await;
    asked_in_turn(&url, 10).await;
    assert_eq!(opened.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn a_connection_that_was_closed_is_opened_anew() {
    let (url, opened) = server(3).await;
    asked_in_turn(&url, 12).await;
    assert_eq!(opened.load(Ordering::SeqCst), 4);
}

#[test]
fn a_connection_is_used_by_the_runtime_only_that_drives_it() {
    let runtime = || {
        let mut builder = tokio::runtime::Builder::new_current_thread();
        builder.enable_all().build().unwrap()
    };
    let serving = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let (url, opened) = serving.block_on(server(u32::MAX));
    // The first one is there, but nothing drives it while the second asks.
    let (first, second) = (runtime(), runtime());
    first.block_on(asked_in_turn(&url, 2));
    second.block_on(asked_in_turn(&url, 2));
    assert_eq!(opened.load(Ordering::SeqCst), 2);
}
