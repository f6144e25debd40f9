//! State of a connection that callers and the thread that reads share.

use std::collections::{HashMap, HashSet, VecDeque};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard};
use std::task::Waker;
use std::time::Duration;

use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;
use tokio::sync::Notify;

use super::lines::{LineTooLong, MOST_BYTES};
use super::message::{self, Id, Message, RpcError};
use super::out::{Out, signal};
use super::rules::{Belongs, Gone, Rules, Signal};
use super::target::Target;
use super::time::thread;
use crate::locked;
use rolecall_core::text::{counted, joined_by, visible};

/// Requests of the other side that may be open within one call of ours.
const MOST_REQUESTS: u32 = 64;
/// The last lines of a program's standard error that are kept for messages.
const LAST_LINES: usize = 5;

/// A call that is open.
#[derive(Default)]
pub(super) struct Open {
    /// Signals that have come for it and nobody has taken.
    signals: VecDeque<Signal>,
    waker: Option<Waker>,
    answered: bool,
    /// Requests of the other side within it that are not answered.
    pub(super) requests: u32,
}

#[derive(Default)]
pub(super) struct State {
    /// The number of the last call.
    pub(super) calls: u64,
    pub(super) open: HashMap<u64, Open>,
    /// Calls that were taken back and are not answered, and how many in a row stayed so.
    pub(super) cancelled: HashSet<u64>,
    unanswered: u32,
    pub(super) gone: Option<Gone>,
    /// It ended by a breach while no call was open.
    pub(super) untold: bool,
    /// The way out, once there is one.
    pub(super) out: Option<Arc<Out>>,
    /// Bytes that wait to be written.
    pub(super) outbox: Vec<u8>,
    /// Somebody is writing bytes that stand before those of the outbox.
    pub(super) writing: bool,
    /// The program's group of processes, while it may be signalled.
    pub(super) group: Option<u32>,
    /// Somebody killed the program, which is no fault of its own.
    pub(super) killed: bool,
    /// The last lines of standard error.
    pub(super) last_lines: VecDeque<String>,
    /// The number of lines that were skipped, the last of them, and whether somebody was warned.
    skipped: u64,
    last_skipped: String,
    warned: bool,
}

/// State that callers and the thread that reads share.
pub(super) struct Shared {
    pub(super) target: Target,
    pub(super) rules: Rules,
    pub(super) state: Mutex<State>,
    pub(super) to_write: Notify,
    pub(super) closing: Notify,
}

impl Shared {
    pub(super) fn lock(&self) -> MutexGuard<'_, State> {
        // Nothing is left half done where the lock is held.
        locked(&self.state)
    }

    /// Writes a line, at once if that is possible without waiting.
    pub(super) fn send(&self, line: &[u8]) {
        let mut state = self.lock();
        if state.gone.is_some() {
            return;
        }
        let mut written = 0;
        if !state.writing && state.outbox.is_empty() {
            let out = state.out.clone();
            written = out.and_then(|out| out.try_write(line).ok()).unwrap_or(0);
        }
        if written < line.len() {
            state.outbox.extend_from_slice(&line[written..]);
            drop(state);
            self.to_write.notify_one();
        }
    }

    pub(super) fn notify(&self, method: &str, params: &impl Serialize) {
        if let Ok(line) = message::call(None, method, params) {
            self.send(&line);
        }
    }

    /// Answers a request of the other side.
    pub(super) fn answer<T: Serialize>(&self, id: &Id, result: Result<&T, &RpcError>) {
        let line = message::answer(id, result)
            .or_else(|error| message::answer::<Value>(id, Err(&RpcError::new(-32603, error.to_string()))));
        if let Ok(line) = line {
            self.send(&line);
        }
    }

    /// Answers a call of ours that cannot be written.
    pub(super) fn refuse(&self, id: u64, reason: &str) {
        if let Some(open) = self.lock().open.get_mut(&id) {
            open.answered = true;
            open.signals.push_back(Signal::Answer(Err(RpcError::bad_params(reason))));
        }
    }

    /// Takes the next signal of a call, or notes whom to wake when there is one.
    pub(super) fn take(&self, id: u64, waker: &Waker) -> Option<Signal> {
        let mut state = self.lock();
        let gone = state.gone.clone();
        let Some(open) = state.open.get_mut(&id) else {
            return Some(Signal::Gone(gone.unwrap_or_else(closed)));
        };
        if let Some(signal) = open.signals.pop_front() {
            if matches!(signal, Signal::Answer(_)) {
                state.open.remove(&id);
            }
            return Some(signal);
        }
        if let Some(gone) = gone {
            state.open.remove(&id);
            return Some(Signal::Gone(gone));
        }
        match &mut open.waker {
            Some(old) => old.clone_from(waker),
            none => *none = Some(waker.clone()),
        }
        None
    }

    /// Takes a call back.
    pub(super) fn cancel(self: &Arc<Self>, id: u64) {
        let mut state = self.lock();
        let Some(open) = state.open.remove(&id) else {
            return;
        };
        if open.answered || state.gone.is_some() {
            return;
        }
        state.cancelled.insert(id);
        let skipped = state.skipped > 0;
        drop(state);
        if skipped {
            tracing::warn!(program = %self.target, "a call was not answered{}", self.last_lines());
        }
        let (method, params) = (self.rules.cancel)(id);
        self.notify(method, &params);
        if let Some(within) = self.rules.answers_cancelled {
            self.look_later(within, id);
        }
    }

    /// Looks later whether a call that was taken back was answered.
    fn look_later(self: &Arc<Self>, within: Duration, id: u64) {
        let shared = Arc::downgrade(self);
        if let Some(thread) = thread() {
            thread.spawn(async move {
                tokio::time::sleep(within).await;
                if let Some(shared) = shared.upgrade() {
                    shared.overdue(id);
                }
            });
        }
    }

    /// A call that was taken back should have been answered by now.
    fn overdue(&self, id: u64) {
        let mut state = self.lock();
        if state.cancelled.contains(&id) {
            state.unanswered += 1;
            if state.unanswered >= 3 {
                drop(state);
                self.end(Gone::Died(format!("{} left three cancelled calls unanswered", self.target).into()));
            }
        }
    }

    /// Takes in the lines that have come; whoever waits for them is woken at the end.
    pub(super) fn hand_out(&self, line: &[u8], wakers: &mut Vec<Waker>) -> Result<(), Gone> {
        let handed = match message::read(line) {
            Ok(Message::Response { id, result }) => self.answered(id.as_ref(), result, line, wakers),
            Ok(Message::Request { id, method, params }) => self.asked(id, &method, params, line, wakers),
            Ok(Message::Notification { .. }) => Ok(()),
            Err(_) if self.rules.skips_lines && !is_meant_for_us(line) => {
                self.skip(line);
                Ok(())
            }
            Err(bad) => Err(self.breach(&bad)),
        };
        if self.rules.skips_lines {
            self.warn_of_skipped();
        }
        handed
    }

    /// Skips a line that is no message.
    fn skip(&self, line: &[u8]) {
        if line.trim_ascii().is_empty() {
            return;
        }
        let line = message::start(self.target.without_secrets(&String::from_utf8_lossy(line)).as_bytes());
        let mut state = self.lock();
        state.skipped += 1;
        state.last_skipped = line;
    }

    /// Warns once of skipped lines, as soon as warnings go anywhere: programs may be started before the run is.
    fn warn_of_skipped(&self) {
        let mut state = self.lock();
        if state.skipped > 0 && !state.warned && tracing::enabled!(tracing::Level::WARN) {
            state.warned = true;
            let line = state.last_skipped.clone();
            drop(state);
            tracing::warn!(program = %self.target, line, "a line of standard output is no message, and is skipped");
        }
    }

    fn answered(
        &self,
        id: Option<&Id>,
        result: Result<&RawValue, RpcError>,
        line: &[u8],
        wakers: &mut Vec<Waker>,
    ) -> Result<(), Gone> {
        let mut state = self.lock();
        let Some(Id::Number(number)) = id else {
            return Err(self.foreign(id, line));
        };
        if let Some(open) = state.open.get_mut(number)
            && !open.answered
        {
            open.answered = true;
            open.signals.push_back(Signal::Answer(result.map(ToOwned::to_owned)));
            wakers.extend(open.waker.take());
            return Ok(());
        }
        if state.cancelled.remove(number) {
            state.unanswered = 0;
            return Ok(());
        }
        // Whoever must not answer what was taken back may have done so before it learned of it.
        if self.rules.answers_cancelled.is_none() && *number <= state.calls {
            Ok(())
        } else {
            Err(self.foreign(id, line))
        }
    }

    fn asked(
        &self,
        id: Id,
        method: &str,
        params: Option<&RawValue>,
        line: &[u8],
        wakers: &mut Vec<Waker>,
    ) -> Result<(), Gone> {
        let answer = match (self.rules.belongs)(method, params) {
            Belongs::Answered(answer) => answer,
            Belongs::Call(number) => {
                let mut state = self.lock();
                match state.open.get_mut(&number) {
                    Some(open) if !open.answered => {
                        open.requests += 1;
                        if open.requests > MOST_REQUESTS {
                            return Err(self.breach(&shown(
                                &format!("more than {MOST_REQUESTS} requests are open within one call"),
                                line,
                            )));
                        }
                        let method = method.to_owned();
                        open.signals.push_back(Signal::Request { id, method, params: params.map(ToOwned::to_owned) });
                        wakers.extend(open.waker.take());
                        return Ok(());
                    }
                    _ => Err(RpcError::bad_params(format!("no call {number} is open"))),
                }
            }
        };
        if self.lock().outbox.len() > MOST_BYTES {
            return Err(self.breach(&shown("it asks and does not read the answers", line)));
        }
        self.answer(&id, answer.as_ref());
        Ok(())
    }

    fn foreign(&self, id: Option<&Id>, line: &[u8]) -> Gone {
        let text = match id {
            Some(id) => format!("it answers call {id}, which is not open"),
            None => "it answers no call".to_owned(),
        };
        self.breach(&shown(&text, line))
    }

    /// The end of a connection whose other side wrote a line that is too long.
    pub(super) fn too_long(&self, error: &LineTooLong, line: &[u8]) -> Gone {
        self.breach(&shown(&error.to_string(), line))
    }

    /// The end of a connection whose other side breaks the rules.
    fn breach(&self, problem: &impl fmt::Display) -> Gone {
        let target = &self.target;
        let text = format!(
            "{target} broke the protocol: {}; its standard output is for messages alone: \
             print to stderr",
            target.without_secrets(&problem.to_string())
        );
        Gone::Breach(text.into())
    }

    /// The connection is no more: everybody who waits learns why.
    pub(super) fn end(&self, gone: Gone) {
        let mut state = self.lock();
        let nobody = state.open.values().all(|open| open.answered);
        state.untold = state.gone.is_none() && nobody && matches!(gone, Gone::Breach(_));
        state.gone.get_or_insert(gone);
        state.out = None;
        state.outbox = Vec::new();
        let wakers: Vec<Waker> = state.open.values_mut().filter_map(|open| open.waker.take()).collect();
        drop(state);
        self.closing.notify_one();
        wakers.into_iter().for_each(Waker::wake);
    }

    pub(super) fn close(&self) {
        let group = self.lock().group;
        // At once, and not by the thread that reads: the process may end before that has a turn.
        signal(group, false);
        self.end(closed());
    }

    /// Keeps a line of standard error for messages.
    pub(super) fn keep_line(&self, line: String) {
        let mut state = self.lock();
        if state.last_lines.len() == LAST_LINES {
            state.last_lines.pop_front();
        }
        state.last_lines.push_back(line);
    }

    /// The last lines of standard error and the lines that were skipped, to be said behind a reason.
    pub(super) fn last_lines(&self) -> String {
        let state = self.lock();
        let said = match state.last_lines.is_empty() {
            true => String::new(),
            false => format!("; it said: {}", joined_by(" | ", &state.last_lines)),
        };
        if state.skipped == 0 {
            return said;
        }
        let (lines, last) = (counted(state.skipped, "line", "lines"), &state.last_skipped);
        format!("{said}; skipped on its standard output as no messages: {lines}, the last `{last}`")
    }
}

fn closed() -> Gone {
    Gone::Died("the connection is closed".into())
}

fn shown(problem: &str, line: &[u8]) -> String {
    format!("{}: `{}`", visible(problem), message::start(line))
}
/// Whether a line that is no message was to be one.
fn is_meant_for_us(line: &[u8]) -> bool {
    line.trim_ascii_start().starts_with(b"{") && line.windows(9).any(|word| word == b"\"jsonrpc\"")
}
