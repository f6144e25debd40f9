//! Stopping workers in the middle of whatever they do, and letting them go on.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};

/// A worker that can be stopped and continued, as by signals.
#[derive(Default)]
pub(super) struct Gate {
    pub(super) is_closed: bool,
    waiting: Option<Waker>,
}

pub(super) struct Gated<F> {
    pub(super) inner: Pin<Box<F>>,
    pub(super) gate: Arc<Mutex<Gate>>,
}

impl<F: Future> Future for Gated<F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        let mut gate = self.gate.lock().unwrap();
        if gate.is_closed {
            gate.waiting = Some(context.waker().clone());
            return Poll::Pending;
        }
        drop(gate);
        self.inner.as_mut().poll(context)
    }
}

pub(super) fn open(gate: &Mutex<Gate>) {
    let mut gate = gate.lock().unwrap();
    gate.is_closed = false;
    if let Some(waker) = gate.waiting.take() {
        waker.wake();
    }
}
