//! The way to models during one turn: every reply is recorded before the role or user gets it, and
//! an episode that is played again gets the replies of its log.

use std::fmt;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use futures_util::future::join_all;
use tokio_util::sync::CancellationToken;

use super::book::{CallBook, CallKey, NoBook, Waiting};
use super::{
    CacheUse, CallContext, CallTrace, Embedding, EncodedRequest, ModelClient, ModelError, ModelRequest, RequestHash,
};
use crate::domain::{Choice, ModelCall, ModelReply, Seat, TextVectors};
use crate::ports::Turn;
use crate::text::thinking_apart;

/// The calls of one turn.
#[derive(Clone)]
pub struct Calls(Arc<Shared>);

struct Shared {
    book: Arc<dyn CallBook>,
    request: u32,
    next: AtomicU32,
    /// Answers that could not be read.
    unread: AtomicU32,
    /// Why the last of them could not be.
    why: Mutex<Option<&'static str>>,
    waiting: Waiting,
}

impl Calls {
    /// The calls of the turn that the open request of this number asks for.
    pub fn new(book: Arc<dyn CallBook>, request: u32) -> Self {
        Self(Arc::new(Shared {
            book,
            request,
            next: AtomicU32::new(0),
            unread: AtomicU32::new(0),
            why: Mutex::new(None),
            waiting: Waiting::default(),
        }))
    }

    /// The waits of the turn in which it is not slow itself.
    pub fn waiting(&self) -> &Waiting {
        &self.0.waiting
    }

    /// Notes that the participant is in another process, which died and was started again within the turn.
    pub fn note_restart(&self) {
        self.0.book.restarted();
    }

    /// Asks for vectors of texts, for a world that is asked itself. The log holds nothing of it
    /// ([`ModelClient::embed`]), but what happened on the way stands with the model's calls in
    /// `timings.jsonl`. All of it is a wait, which no deadline of a turn counts: the model's own timeouts
    /// bound it.
    ///
    /// # Errors
    /// As [`ModelClient::embed`].
    pub async fn embed(
        &self,
        model: &dyn ModelClient,
        request: &Embedding,
        key: String,
    ) -> Result<Vec<TextVectors>, ModelError> {
        let Shared { book, waiting, .. } = &*self.0;
        book.allow_embedding()?;
        let context = CallContext {
            key,
            run: book.run(),
            occurrence: 0,
            // Whoever no longer wants the answer drops the call.
            cancel: CancellationToken::new(),
            waiting: waiting.clone(),
        };
        let mut noted =
            Noted { book: &**book, model: model.name(), request: None, trace: CallTrace::default(), failed: true };
        let wait = waiting.begin();
        let vectors = model.embed(request, &context, &mut noted.trace).await;
        // Waits for a permit or an outage were added where they were.
        waiting.add(noted.trace.latency);
        drop(wait);
        noted.failed = vectors.is_err();
        vectors
    }
}

impl Default for Calls {
    /// Calls that are recorded nowhere, for tests and tools.
    fn default() -> Self {
        Self::new(Arc::new(NoBook), 0)
    }
}

impl fmt::Debug for Calls {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let calls = self.0.next.load(Ordering::Relaxed);
        write!(formatter, "Calls({calls})")
    }
}

impl Turn {
    /// Notes that the model's answer could not be read: what is asked from now on in this turn asks again
    /// ([`ModelCall::again`]), and says why ([`ModelCall::unread`]).
    pub fn note_unreadable(&self, why: Option<&'static str>) {
        *self.calls.0.why.lock().unwrap_or_else(PoisonError::into_inner) = why;
        self.calls.0.unread.fetch_add(1, Ordering::Relaxed);
    }

    /// Asks a model. The reply is on disk when this returns.
    ///
    /// Later turns do not see it again: what is to be known later must show in the answer, or be
    /// asked for with [`Turn::remember`].
    pub fn complete<'a>(
        &'a self,
        model: &'a dyn ModelClient,
        request: ModelRequest,
    ) -> impl Future<Output = Result<ModelReply, ModelError>> + Send + 'a {
        self.ask(model, request, false)
    }

    /// Asks a model, as [`Turn::complete`] does, for something that later turns of this seat find in
    /// their views ([`Message::ModelCalled`](crate::domain::Message::ModelCalled)), such as a summary.
    pub fn remember<'a>(
        &'a self,
        model: &'a dyn ModelClient,
        request: ModelRequest,
    ) -> impl Future<Output = Result<ModelReply, ModelError>> + Send + 'a {
        self.ask(model, request, true)
    }

    /// The request is written down before anybody waits: ten thousand waiting calls need no room for it
    /// beside what is sent.
    fn ask<'a>(
        &'a self,
        model: &'a dyn ModelClient,
        request: ModelRequest,
        remembered: bool,
    ) -> impl Future<Output = Result<ModelReply, ModelError>> + Send + 'a {
        let begun = self.begin(model, request);
        async move {
            let fetched = match &begun {
                Ok(begun) => self.fetch(model, begun).await?,
                Err(error) => return Err(error.clone()),
            };
            // What was sent is not needed while the reply is written to the disk.
            drop(begun);
            let call = ModelCall { remembered, ..fetched };
            let reply = call.reply.clone();
            self.record(vec![call]).await?;
            Ok(reply)
        }
    }

    /// Asks a model several things at once. The replies stand in the log in the order of the requests;
    /// later turns find them if they are to be `remembered`, as with [`Turn::remember`]. Fails with the
    /// first error, after all have come back.
    pub async fn ask_all(
        &self,
        model: &dyn ModelClient,
        requests: Vec<ModelRequest>,
        remembered: bool,
    ) -> Result<Vec<ModelReply>, ModelError> {
        let begun: Vec<Begun> =
            requests.into_iter().map(|request| self.begin(model, request)).collect::<Result<_, _>>()?;
        let fetching = begun.iter().map(|begun| self.fetch(model, begun));
        let mut calls = Vec::new();
        let mut failure = None;
        for fetched in join_all(fetching).await {
            match fetched {
                Ok(call) => calls.push(ModelCall { remembered, ..call }),
                Err(error) => failure = failure.or(Some(error)),
            }
        }
        let replies = calls.iter().map(|call| call.reply.clone()).collect();
        // Also those of a turn that fails: they were paid.
        if !calls.is_empty() {
            self.record(calls).await?;
        }
        failure.map_or(Ok(replies), Err)
    }

    async fn record(&self, calls: Vec<ModelCall>) -> Result<(), ModelError> {
        let Shared { book, request, .. } = &*self.calls.0;
        book.record(*request, calls).await
    }

    /// Gives the call its number and seed, and writes the request down.
    fn begin(&self, model: &dyn ModelClient, mut request: ModelRequest) -> Result<Begun, ModelError> {
        let call = self.calls.0.next.fetch_add(1, Ordering::Relaxed);
        if let ModelRequest::Complete(completion) = &mut request {
            let seed = self.seed.labelled("model call", "", call);
            // Servers read seeds as signed numbers, some of them of 32 bits.
            let seed = (seed.0 & 0x7fff_ffff) as u32;
            completion.seed.get_or_insert(seed);
        }
        let encoded = model.encode(&request)?;
        let key = CallKey { seat: self.seat.clone(), turn: self.number, attempt: self.attempt, call };
        let book = &self.calls.0.book;
        book.asked(&key, model.name(), &request, &encoded);
        Ok(Begun { key, encoded })
    }

    async fn fetch(&self, model: &dyn ModelClient, Begun { key, encoded }: &Begun) -> Result<ModelCall, ModelError> {
        let book = &self.calls.0.book;
        let occurrence = if model.counts_requests() { book.occurrence(&self.seat, encoded.hash) } else { 0 };
        if let Some(call) = book.recorded(key) {
            if call.request == encoded.hash.to_string() {
                return Ok(ModelCall::clone(&call));
            }
            let text = "the log holds the reply to another request in this place";
            return Err(ModelError::NotRecorded(text.to_owned()));
        }
        book.allow()?;
        let context = CallContext {
            key: key.in_run(&self.episode),
            run: book.run(),
            occurrence,
            cancel: self.cancel.clone(),
            waiting: self.calls.0.waiting.clone(),
        };
        let mut noted = Noted {
            book: &**book,
            model: model.name(),
            request: Some((&self.seat, &encoded.hash)),
            trace: CallTrace::default(),
            failed: true,
        };
        let reply = tokio::select! {
            biased;
            () = self.cancel.cancelled() => Err(ModelError::Cancelled),
            reply = model.send(encoded, &context, &mut noted.trace) => reply,
        };
        let prices = model.profile().prices.as_ref();
        if noted.trace.cache != CacheUse::Hit
            && let (Ok(reply), Some(prices)) = (&reply, prices)
        {
            noted.trace.paid.get_or_insert_with(|| prices.cost_of(reply));
        }
        let reply = reply.and_then(|reply| check(&reply).map(|()| reply));
        noted.failed = reply.is_err();
        drop(noted);
        let mut reply = reply?;
        // Before it is recorded: whoever asked reads what the log holds.
        for choice in &mut reply.choices {
            set_thinking_apart(choice);
            choice.cut(book.answer_bytes());
        }
        Ok(ModelCall {
            turn: key.turn,
            attempt: key.attempt,
            call: key.call,
            again: self.calls.0.unread.load(Ordering::Relaxed),
            unread: self.calls.0.why.lock().unwrap_or_else(PoisonError::into_inner).map(Into::into),
            model: model.name().to_owned(),
            request: encoded.hash.to_string(),
            cost: prices.map(|prices| prices.cost_of(&reply)),
            remembered: false,
            reply,
        })
    }
}

/// Moves hidden thinking from the text of a completion to where it belongs.
fn set_thinking_apart(choice: &mut Choice) {
    let Some((thinking, answer)) = thinking_apart(&choice.text) else {
        return;
    };
    choice.text = answer;
    match choice.thinking.is_empty() {
        true => choice.thinking = thinking,
        false => choice.thinking.extend(["\n", &thinking]),
    }
}

/// Notes what happened on the way when it is dropped: also of a call whose turn is over before it
/// has an answer.
struct Noted<'a> {
    book: &'a dyn CallBook,
    model: &'a str,
    /// Who made which request, where equal ones are counted.
    request: Option<(&'a Seat, &'a RequestHash)>,
    trace: CallTrace,
    failed: bool,
}

impl Drop for Noted<'_> {
    fn drop(&mut self) {
        if let Some((seat, request)) = self.request.filter(|_| self.failed) {
            self.book.failed(seat, *request);
        }
        self.book.tally(self.model, &self.trace, self.failed);
    }
}

/// Refuses what could not be read back from the log.
fn check(reply: &ModelReply) -> Result<(), ModelError> {
    let mut logprobs = reply
        .choices
        .iter()
        .flat_map(|choice| &choice.tokens)
        .map(|token| token.logprob)
        .chain(reply.scores.iter().map(|score| score.logprob));
    if logprobs.any(|logprob| !logprob.is_finite()) {
        let text = "a log-probability is no finite number".to_owned();
        return Err(ModelError::Malformed(text));
    }
    Ok(())
}

/// A call that has its number.
struct Begun {
    key: CallKey,
    encoded: EncodedRequest,
}
