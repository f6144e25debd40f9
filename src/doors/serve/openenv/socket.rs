//! A session over a WebSocket: one connection, one episode at a time.

use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade, close_code};
use axum::response::Response;
use serde_json::Value;
use tokio::time::{Interval, MissedTickBehavior, interval, timeout};

use super::play::{Play, state_line};
use super::wire::{ClientMessage, Code, Frame, WireError, error_line, read_message};
use super::{Current, Server};

/// The time between two signs of life of the server.
const PING_EVERY: Duration = Duration::from_secs(20);

/// The bytes that a connection reads and writes at once. It keeps buffers of this size as long as it is open.
const BUFFER: usize = 1024;

/// The time that somebody has to take the last word of a session.
const FAREWELL: Duration = Duration::from_secs(2);

/// Makes a connection a session.
pub(super) fn upgrade(upgrade: WebSocketUpgrade, server: Arc<Server>) -> Response {
    upgrade
        .read_buffer_size(BUFFER)
        .write_buffer_size(0)
        .max_message_size(server.longest)
        .max_frame_size(server.longest)
        .on_upgrade(|socket| session(socket, server))
}

/// Why a session ends.
enum End {
    /// The client is gone, or says so.
    Gone,
    /// It said something that ends a session: the code, and why.
    Closed(u16, &'static str),
}

/// Plays with a client until it goes.
async fn session(socket: WebSocket, server: Arc<Server>) {
    let _open = server.closing.open.token();
    let mut line = Line { socket, ahead: None, ticks: ticks(server.idle), quiet: 0 };
    let end = match server.let_in() {
        Ok(_connected) => line.serve(&server).await.unwrap_or_else(|end| end),
        Err(full) => match timeout(FAREWELL, line.send(error_line(&full), &server)).await {
            Ok(Ok(())) => End::Closed(close_code::AGAIN, "too many sessions"),
            _ => End::Gone,
        },
    };
    if let End::Closed(code, reason) = end {
        let frame = Message::Close(Some(CloseFrame { code, reason: reason.into() }));
        let _ = timeout(FAREWELL, async {
            // The client's own farewell ends the connection in order.
            line.socket.send(frame).await.is_ok() && line.socket.recv().await.is_some_and(|last| last.is_ok())
        })
        .await;
    }
}

/// A tick for each sign of life; sooner where sessions may do nothing for a shorter time.
fn ticks(idle: Duration) -> Interval {
    let mut ticks = interval(PING_EVERY.min(idle).max(Duration::from_millis(1)));
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    ticks
}

/// The connection of a session.
struct Line {
    socket: WebSocket,
    /// A message that came while another was being answered.
    ahead: Option<Message>,
    ticks: Interval,
    /// Ticks since the client's last message.
    quiet: u32,
}

impl Line {
    async fn serve(&mut self, server: &Server) -> Result<End, End> {
        let mut current = None;
        loop {
            let asked = match read_message(&self.next(server).await?) {
                Ok(ClientMessage::Close) => return Ok(End::Closed(close_code::NORMAL, "closed")),
                asked => asked,
            };
            let answer = self.meanwhile(Box::pin(answer(server, &mut current, asked))).await?;
            self.send(answer, server).await?;
        }
    }

    /// The next message.
    async fn next(&mut self, server: &Server) -> Result<axum::extract::ws::Utf8Bytes, End> {
        loop {
            let message = match self.ahead.take() {
                Some(message) => message,
                None => self.receive(server).await?,
            };
            self.quiet = 0;
            match message {
                Message::Text(text) => return Ok(text),
                Message::Binary(_) => {
                    self.send(error_line(&WireError::new(Code::InvalidJson, "messages are text")), server).await?;
                }
                Message::Close(_) => return Err(End::Gone),
                Message::Ping(_) | Message::Pong(_) => {}
            }
        }
    }

    async fn receive(&mut self, server: &Server) -> Result<Message, End> {
        loop {
            tokio::select! {
                biased;
                () = server.stopping().cancelled() => {
                    return Err(End::Closed(close_code::AWAY, "the server is stopping"));
                }
                message = self.socket.recv() => match message {
                    // Who only answers pings does nothing.
                    Some(Ok(Message::Pong(_) | Message::Ping(_))) => {}
                    message => return received(message),
                },
                _ = self.ticks.tick() => {
                    self.quiet += 1;
                    if self.ticks.period() * (self.quiet - 1) >= server.idle {
                        return Err(End::Closed(close_code::POLICY, "the session did nothing"));
                    }
                    self.ping().await?;
                }
            }
        }
    }

    /// Waits for an answer, and looks meanwhile whether the client is still there.
    async fn meanwhile(&mut self, answer: impl Future<Output = String>) -> Result<String, End> {
        let mut answer = pin!(answer);
        loop {
            tokio::select! {
                biased;
                answer = &mut answer => return Ok(answer),
                message = self.socket.recv(), if self.ahead.is_none() => match received(message)? {
                    Message::Close(_) => return Err(End::Gone),
                    Message::Pong(_) | Message::Ping(_) => {}
                    message => self.ahead = Some(message),
                },
                _ = self.ticks.tick() => self.ping().await?,
            }
        }
    }

    async fn ping(&mut self) -> Result<(), End> {
        match timeout(PING_EVERY, self.socket.send(Message::Ping(Default::default()))).await {
            Ok(Ok(())) => Ok(()),
            _ => Err(End::Gone),
        }
    }

    async fn send(&mut self, text: String, server: &Server) -> Result<(), End> {
        match timeout(server.idle, self.socket.send(Message::Text(text.into()))).await {
            Ok(Ok(())) => Ok(()),
            _ => Err(End::Gone),
        }
    }
}

fn received(message: Option<Result<Message, axum::Error>>) -> Result<Message, End> {
    match message {
        Some(Ok(message)) => Ok(message),
        // Nothing that came is kept: too much at once, or no frame at all.
        Some(Err(_)) => Err(End::Closed(close_code::SIZE, "a message was too long, or no message")),
        None => Err(End::Gone),
    }
}

/// Does what a message asks for, and gives the message that answers it.
async fn answer(server: &Server, current: &mut Current, asked: Result<ClientMessage, WireError>) -> String {
    let answered = match asked {
        Ok(asked) => answered(server, current, asked).await,
        Err(error) => Err(error),
    };
    answered.unwrap_or_else(|error| error_line(&error))
}

async fn answered(server: &Server, current: &mut Current, asked: ClientMessage) -> Result<String, WireError> {
    match asked {
        ClientMessage::Reset(order) => {
            // The episode before ends here.
            *current = None;
            let play = current.insert(Box::new(Play::begin(server, order).await?));
            Ok(play.line(server))
        }
        ClientMessage::Step(data) => {
            let play = current.as_mut().ok_or_else(WireError::no_episode)?;
            play.step(server, data).await?;
            Ok(play.line(server))
        }
        ClientMessage::State => state_line(current),
        ClientMessage::Mcp(message) => mcp(server, message).await,
        ClientMessage::Close => Ok(String::new()),
    }
}

async fn mcp(server: &Server, message: Value) -> Result<String, WireError> {
    let Some(handler) = &server.mcp else {
        return Err(WireError::new(Code::UnknownType, "this server speaks no MCP here: use `rolecall serve mcp`"));
    };
    Ok(Frame { r#type: "mcp", data: handler(message).await }.line())
}
