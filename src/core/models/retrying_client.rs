//! A model behind limits and retries: one call becomes as many attempts as it takes.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use tokio::time::{Instant, sleep};

use super::call::{Call, backoff};
use super::limits::{Hold, Permit, Permits, Rates, Reserved};
use super::meter::Meter;
use super::openai::shown_address;
use super::outage::{Failure, Outage, Probe};
use super::transport::{Attempt, Failed, FirstByte, Transport};
use crate::domain::{Limit, ModelReply, Usage};
use crate::ports::model::{
    CallContext, CallTrace, EarlierCalls, Embedding, EncodedRequest, ModelActivity, ModelHealth, ModelProfile,
    ModelSettings, ModelShare, Ranking, RetryReason, RetrySettings,
};
use crate::ports::{ModelClient, ModelError, ModelRequest};

/// The time in which a call to a lost model waits for the run to end before it fails: episodes that are
/// cancelled can be played later, broken ones are results.
const LAST_WAIT: Duration = Duration::from_secs(10);
/// A wait that a server asks for is told to whoever watches if it lasts longer than this.
const TOLD_WAIT: Duration = Duration::from_secs(10);
/// The longest wait before a server that has not answered yet is tried again.
const FIRST_WAIT: Duration = Duration::from_secs(1);
/// A server that is asked too often is asked so many times more often than one that fails.
const PATIENCE: u32 = 5;

/// A client that sends over a transport, with patience.
pub(crate) struct RetryingClient {
    transport: Arc<dyn Transport>,
    permits: Permits,
    rates: Rates,
    hold: Hold,
    outage: Outage,
    meter: Meter,
    retries: RetrySettings,
    /// The end of a message that says what to do if the key is refused.
    about_key: String,
}

/// Everything that an attempt needs to be sent.
struct Admission<'a> {
    probe: Option<Probe<'a>>,
    permit: Permit<'a>,
    reserved: Reserved<'a>,
}

/// The consequence of a failed attempt.
enum Verdict {
    Fails(ModelError),
    /// It is sent again after a wait.
    Again(Duration),
}

impl RetryingClient {
    /// Sends over the transport as the settings say.
    pub(crate) fn new(transport: Arc<dyn Transport>, settings: &ModelSettings) -> Self {
        let profile = transport.profile();
        let (name, prices) = (&profile.name, profile.prices.clone());
        Self {
            permits: Permits::new(settings.limits.in_flight, settings.limits.adaptive),
            rates: Rates::new(&settings.limits),
            hold: Hold::default(),
            outage: Outage::new(name, shown_address(&settings.base_url), settings.retries),
            meter: Meter::new(name, prices, settings.spend),
            retries: settings.retries,
            about_key: match (&settings.missing_key, &settings.api_key_env) {
                // The error names the variable.
                (Some(_), _) => String::new(),
                (None, Some(name)) => format!("; look at the environment variable `{name}`"),
                (None, None) => "; name the variable with the key as `api_key_env`".to_owned(),
            },
            transport,
        }
    }

    /// Waits until the request may be sent.
    async fn admit(&self, call: &mut Call<'_>) -> Result<Admission<'_>, ModelError> {
        loop {
            let probe = if self.outage.is_open() {
                None
            } else {
                let probe = call.wait(self.outage.over()).await??;
                if probe.is_none() {
                    call.renew(self.outage.successes());
                }
                probe
            };
            if !self.hold.is_over() {
                call.wait(self.hold.over()).await?;
            }
            if !self.meter.has_room() {
                call.wait(self.meter.room()).await?;
            }
            let permit = match self.permits.try_acquire() {
                Some(permit) => permit,
                None => call.wait(self.permits.acquire()).await?,
            };
            let reserved = self.rates.reserve(call.request.estimated_tokens);
            if !reserved.wait.is_zero() {
                call.wait(sleep(reserved.wait)).await?;
            }
            // What happened while it waited for its place counts for it, too.
            let may_be_sent = probe.is_some() || self.outage.is_open();
            if may_be_sent && self.hold.is_over() {
                return Ok(Admission { probe, permit, reserved });
            }
        }
    }

    /// Sends the request once.
    async fn attempt(&self, call: &mut Call<'_>) -> Result<Attempt, Failed> {
        let Call { request, context, trace, .. } = call;
        // Counted before it is sent: whoever drops the call does not undo it.
        let before = trace.requests;
        trace.requests += 1;
        let prices = self.profile().prices.as_ref();
        let lost = Usage { prompt: self.profile().tokens(request.body.len()), estimated: true, ..Usage::default() };
        let earlier = (trace.lost_tokens, trace.paid);
        trace.lost_tokens += lost.prompt;
        trace.paid = prices.map(|prices| earlier.1.unwrap_or_default() + prices.cost(&lost));
        let began = Instant::now();
        let on_its_way = self.meter.begin(lost);
        let first_byte = FirstByte::wait(&context.waiting);
        let attempt = self.transport.attempt(request, &context.key, &context.run, &first_byte).await;
        drop(first_byte);
        let is_lost = matches!(&attempt, Err(failed) if failed.is_cut());
        if is_lost {
            drop(on_its_way);
            self.check_spend(self.meter.add_earlier(0.0));
        } else {
            on_its_way.landed();
            (trace.lost_tokens, trace.paid) = earlier;
        }
        trace.latency += began.elapsed();
        let requests = match &attempt {
            Ok(attempt) => {
                trace.cached_tokens += attempt.cached_tokens;
                attempt.requests
            }
            Err(failed) => failed.requests,
        };
        trace.requests = before + requests;
        // A score takes many requests; a completion takes a second one only if the server had
        // closed the connection that the first one was sent over.
        if request.choices > 0 && requests > 1 {
            *trace.retries.entry(RetryReason::Cut).or_default() += u64::from(requests - 1);
        }
        attempt
    }

    /// Takes note of a reply.
    fn succeeded(&self, admission: &Admission<'_>, attempt: &Attempt, trace: &mut CallTrace) {
        admission.permit.answered();
        admission.reserved.correct(attempt.reply.usage.total());
        self.outage.succeeded(admission.probe.as_ref());
        trace.prompt_tokens += attempt.reply.usage.prompt;
        if let Some(prices) = &self.profile().prices {
            *trace.paid.get_or_insert_default() += prices.cost_of(&attempt.reply);
        }
        self.check_spend(self.meter.add(&attempt.reply));
    }

    fn check_spend(&self, reached: Option<String>) {
        if let Some(why) = reached {
            self.outage.lose(ModelError::OutOf(Limit::Cost), why);
        }
    }

    /// Takes note of a failure and says what follows.
    fn failed(&self, admission: Admission<'_>, failed: Failed, call: &mut Call<'_>) -> Verdict {
        let Failed { error, is_there, .. } = failed;
        let Some(reason) = failed.retry else {
            self.pointless(&error, admission.probe.as_ref());
            return Verdict::Fails(error);
        };
        let after = failed.after.map(|asked| self.hold_back(asked));
        let tries = self.count(&admission, reason, call);
        let allowed = self.retries.attempts.max(1);
        let exhausted = match reason {
            RetryReason::RateLimit => tries >= allowed.saturating_mul(PATIENCE),
            _ => tries >= allowed,
        };
        let waits = self.outage.failed(Failure {
            error: &error,
            reason,
            is_there,
            asks_to_wait: after.is_some(),
            alone: self.meter.activity().in_flight == 0,
            episode: call.context.episode(),
            exhausted: exhausted.then_some(call.successes),
        });
        call.retry_reason = Some(reason);
        if let Some(probe) = admission.probe {
            self.outage.probe_failed(probe, &error, reason);
            // A server that is there but fails for this call may fail for no other.
            call.probes += u32::from(reason != RetryReason::Unreachable);
            if call.probes >= allowed {
                return Verdict::Fails(error);
            }
        }
        if waits {
            return Verdict::Again(Duration::ZERO);
        }
        if exhausted {
            return Verdict::Fails(error);
        }
        let mut backoff = backoff(&self.retries, &call.context.key, call.attempts, tries);
        if !self.outage.is_there() {
            backoff = backoff.min(FIRST_WAIT);
        }
        Verdict::Again(after.unwrap_or_default().max(backoff))
    }

    /// Notes an error that would come again.
    fn pointless(&self, error: &ModelError, probe: Option<&Probe<'_>>) {
        match error {
            ModelError::Auth(_) => {
                let why = format!("{error}{}", self.about_key);
                self.outage.lose(error.clone(), why);
            }
            ModelError::BadRequest(_) | ModelError::Template(_) => self.outage.not_accepted(error, probe),
            _ => self.outage.answered(probe),
        }
    }

    /// Has all calls wait because the server asks for it, but no longer than the config allows. Gives the
    /// wait.
    fn hold_back(&self, asked: Duration) -> Duration {
        let allowed = self.retries.asked_wait.min(self.outage.patience());
        let wait = asked.min(allowed);
        if self.hold.extend(wait, asked) {
            let (model, seconds, waits) = (self.name(), asked.as_secs(), wait.as_secs());
            tracing::warn!(%model, seconds, waits, "the server asks to wait: calls wait");
        }
        wait
    }

    /// Counts a failed attempt; gives the number of its kind.
    fn count(&self, admission: &Admission<'_>, reason: RetryReason, call: &mut Call<'_>) -> u32 {
        // The others may have cost the server its tokens.
        if !matches!(reason, RetryReason::Timeout | RetryReason::Cut) {
            admission.reserved.correct(0);
        }
        let tries = match reason {
            RetryReason::RateLimit => {
                admission.permit.refused();
                &mut call.refusals
            }
            _ => &mut call.failures,
        };
        *tries += 1;
        *tries
    }

    /// Waits until somebody ends the run because the model is lost.
    async fn lost(&self, error: ModelError, call: &mut Call<'_>) -> ModelError {
        match self.outage.health() {
            ModelHealth::Lost(_) => {
                let waited = call.wait(sleep(LAST_WAIT)).await;
                waited.map_or_else(|cancelled| cancelled, |()| error)
            }
            _ => error,
        }
    }

    async fn persist(&self, call: &mut Call<'_>) -> Result<ModelReply, ModelError> {
        loop {
            // Boxed: waiting for the answer, which takes long, needs no room for it.
            let mut admission = Box::pin(self.admit(call)).await?;
            admission.reserved.sent();
            if let Some(reason) = call.retry_reason.take() {
                *call.trace.retries.entry(reason).or_default() += 1;
                self.meter.sent_again();
            }
            call.attempts += 1;
            let failed = match self.attempt(call).await {
                Ok(attempt) => {
                    self.succeeded(&admission, &attempt, call.trace);
                    return Ok(attempt.reply);
                }
                Err(failed) => failed,
            };
            match self.failed(admission, failed, call) {
                Verdict::Fails(error) => return Err(error),
                Verdict::Again(Duration::ZERO) => {}
                Verdict::Again(after) => Box::pin(call.wait(sleep(after))).await?,
            }
        }
    }
}

#[async_trait]
impl ModelClient for RetryingClient {
    fn profile(&self) -> &ModelProfile {
        self.transport.profile()
    }

    fn encode(&self, request: &ModelRequest) -> Result<EncodedRequest, ModelError> {
        self.transport.encode(request)
    }

    fn encode_embedding(&self, request: &Embedding) -> Result<EncodedRequest, ModelError> {
        self.transport.encode_embedding(request)
    }

    fn encode_ranking(&self, request: &Ranking) -> Result<EncodedRequest, ModelError> {
        self.transport.encode_ranking(request)
    }

    async fn send(
        &self,
        request: &EncodedRequest,
        context: &CallContext,
        trace: &mut CallTrace,
    ) -> Result<ModelReply, ModelError> {
        let call = &mut Call {
            request,
            context,
            trace,
            failures: 0,
            refusals: 0,
            attempts: 0,
            probes: 0,
            successes: self.outage.successes(),
            retry_reason: None,
        };
        match self.persist(call).await {
            Ok(reply) => Ok(reply),
            // Boxed for the same reason.
            Err(error) => Err(Box::pin(self.lost(error, call)).await),
        }
    }

    fn health(&self) -> ModelHealth {
        let health = self.outage.health();
        let is_lost = matches!(health, ModelHealth::Lost(_));
        self.hold.reason(TOLD_WAIT).filter(|_| !is_lost).map_or(health, ModelHealth::Paused)
    }

    fn earlier(&self, calls: &EarlierCalls) {
        if calls.answered {
            self.outage.was_there();
        }
        self.check_spend(self.meter.add_earlier(calls.paid));
    }

    fn share(&self, share: &ModelShare) -> Option<f64> {
        self.rates.share(share.workers);
        let (slice, reached) = self.meter.share(share);
        self.check_spend(reached);
        slice
    }

    fn spent(&self) -> f64 {
        self.meter.spent()
    }

    fn bound_answers(&self, bytes: usize) {
        self.transport.bound_answers(bytes);
    }

    fn activity(&self) -> ModelActivity {
        self.meter.activity()
    }
}

#[cfg(test)]
#[path = "retrying_client_tests.rs"]
mod tests;
