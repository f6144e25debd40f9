//! What holds of every call of a model: it is an event before its reply is used, its key and seed
//! follow from the turn, and an episode with calls can be played again from its log.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::support::toy::{Played, ToyTasks, executor, friend, plan, play};
use async_trait::async_trait;
use rolecall::config::{Plan, PlannedRole};
use rolecall::domain::{
    Answer, Choice, Ending, EpisodeId, Event, FaultKind, Limit, Message, ModelReply, Move, Seat, TokenLogprob, Usage,
};
use rolecall::evaluation::{EpisodeResult, measure_run};
use rolecall::log::{LogSettings, LogWriter, RunLog};
use rolecall::ports::model::{
    CallContext, CallTrace, Completion, EncodedRequest, ModelProfile, Prices, Prompt, RequestHash,
};
use rolecall::ports::{EpisodeLog, Measurement, Metric, ModelClient, ModelError, ModelRequest, Role, RoleError, Turn};
use rolecall::runtime::{Launch, verify};

/// Says the number of the request back, later the smaller it is.
struct Echo {
    profile: ModelProfile,
    /// The contexts of all calls, in the order of sending.
    seen: Mutex<Vec<CallContext>>,
    /// How long a reply takes, and whether the call says that it is only waiting.
    takes: Duration,
    waits: bool,
    /// The call of this key has no usable reply.
    refuses: &'static str,
}

impl Echo {
    fn new() -> Self {
        Self {
            profile: ModelProfile {
                name: "echo".to_owned(),
                prices: Some(Prices { input: 1e6, output: 0.0, cached_input: None, currency: "USD".to_owned() }),
                ..ModelProfile::default()
            },
            seen: Mutex::default(),
            takes: Duration::ZERO,
            waits: false,
            refuses: "",
        }
    }
}

#[async_trait]
impl ModelClient for Echo {
    fn name(&self) -> &str {
        &self.profile.name
    }

    fn counts_requests(&self) -> bool {
        true
    }

    fn profile(&self) -> &ModelProfile {
        &self.profile
    }

    fn encode(&self, request: &ModelRequest) -> Result<EncodedRequest, ModelError> {
        let ModelRequest::Complete(Completion { prompt, seed, .. }) = request else {
            return Err(ModelError::Unsupported("scores".to_owned()));
        };
        let Prompt::Text(text) = prompt else {
            return Err(ModelError::Unsupported("conversations".to_owned()));
        };
        Ok(EncodedRequest {
            choices: 1,
            hash: RequestHash::of(&[text.as_bytes(), format!("{seed:?}").as_bytes()]),
            endpoint: "echo",
            body: text.clone().into_bytes().into(),
            estimated_tokens: 1,
        })
    }

    async fn send(
        &self,
        request: &EncodedRequest,
        context: &CallContext,
        _: &mut CallTrace,
    ) -> Result<ModelReply, ModelError> {
        self.seen.lock().unwrap().push(context.clone());
        let text = String::from_utf8(request.body.to_vec()).unwrap();
        if let Ok(number) = text.parse::<u32>() {
            let later = 30_u32.saturating_sub(10 * number);
            tokio::time::sleep(Duration::from_millis(later.into())).await;
        }
        {
            let _waiting = self.waits.then(|| context.waiting.begin());
            tokio::time::sleep(self.takes).await;
        }
        if self.waits {
            context.waiting.add(self.takes);
        }
        let infinite = text == "infinite" || context.key == self.refuses;
        let token = infinite.then(|| TokenLogprob { token: "x".to_owned(), logprob: f64::NEG_INFINITY });
        let choice = Choice { text, tokens: token.into_iter().collect(), ..Choice::default() };
        Ok(ModelReply {
            choices: vec![choice],
            usage: Usage { prompt: 3, completion: 4, ..Usage::default() },
            ..ModelReply::default()
        })
    }
}

fn request(text: impl ToString) -> ModelRequest {
    ModelRequest::Complete(Completion { prompt: Prompt::Text(text.to_string()), ..Completion::default() })
}

type Behaviour = dyn Fn(&Turn) -> Vec<ModelRequest> + Send + Sync;

/// Makes its calls and then does what the first reply says; wins at the end.
struct Caller {
    model: Arc<Echo>,
    calls: Arc<Behaviour>,
    /// Where the run writes, to look what is on disk when a reply comes back.
    events: Option<PathBuf>,
}

#[async_trait]
impl Role for Caller {
    async fn take_turn(&mut self, turn: &Turn) -> Result<Answer, RoleError> {
        let mut requests = (self.calls)(turn);
        let replies = if requests.len() == 1 {
            vec![turn.complete(&*self.model, requests.remove(0)).await?]
        } else {
            turn.ask_all(&*self.model, requests, false).await?
        };
        if let Some(events) = &self.events {
            let text = std::fs::read_to_string(events).unwrap();
            let calls = text.matches("\"model_called\"").count();
            assert_eq!(calls, turn.number as usize + 1, "a reply that is not on disk");
        }
        let texts: Vec<&str> = replies.iter().map(|reply| reply.choices[0].text.as_str()).collect();
        if let [question] = texts[..]
            && question.ends_with('?')
        {
            return Ok(Move::speak(question).into());
        }
        let win = turn.number == 3;
        Ok(Move::act(if win { "win".to_owned() } else { texts.join(" ") }).into())
    }
}

fn caller(
    model: &Arc<Echo>,
    events: Option<PathBuf>,
    calls: impl Fn(&Turn) -> Vec<ModelRequest> + Send + Sync + 'static,
) -> PlannedRole {
    let (model, calls) = (Arc::clone(model), Arc::new(calls));
    PlannedRole {
        role: executor(),
        implementation: "caller".to_owned(),
        factory: Arc::new(move || {
            Box::new(Caller { model: Arc::clone(&model), calls: calls.clone(), events: events.clone() })
        }),
    }
}

fn plan_with(role: PlannedRole) -> Plan {
    plan(ToyTasks::new(1), role, friend())
}

fn calls(played: &Played) -> Vec<(u32, u32, String)> {
    let calls = played.events(0).iter().filter_map(|event| match &event.message {
        Message::ModelCalled(call) => Some((call.turn, call.call, call.reply.choices[0].text.clone())),
        _ => None,
    });
    calls.collect()
}

#[test]
fn a_reply_is_on_disk_before_it_is_used() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    let role = caller(&Arc::new(Echo::new()), Some(path.join("events.jsonl")), |turn| {
        vec![request(format!("say {}", turn.number))]
    });
    let plan = plan_with(role);
    let writer = rolecall::log::LogWriter::create(&path, &plan.record, &rolecall::log::LogSettings::default()).unwrap();
    let launch = rolecall::runtime::Launch::new(plan, &writer, Vec::new());
    let launched = launch.run(&mut ()).unwrap();
    writer.close().unwrap();
    let result = &launched.results[0];
    assert_eq!(result.ending, Some(Ending::Solved), "{result:?}");
    assert_eq!((result.counts.model_calls, result.counts.tokens), (4, 28));
}

#[test]
fn calls_at_once_stand_in_the_order_of_asking() {
    let model = Arc::new(Echo::new());
    let role = caller(&model, None, |_| (0..4).map(request).collect());
    let played = play(plan_with(role));
    let expected: Vec<_> = (0..4).flat_map(|turn| (0..4).map(move |call| (turn, call, call.to_string()))).collect();
    assert_eq!(calls(&played), expected);
    let seen = model.seen.lock().unwrap();
    let keys: std::collections::BTreeSet<&str> = seen.iter().map(|one| &*one.key).collect();
    assert_eq!(keys.len(), 16, "every call has a key of its own");
    assert!(keys.contains("main:0:0/executor/2/0/3"), "{keys:?}");
}

#[test]
fn equal_requests_of_an_episode_are_counted() {
    assert_eq!(occurrences(Echo::new()), [0, 1, 2, 3]);
}

#[test]
fn calls_that_failed_are_not_counted_as_they_are_not_in_the_log() {
    let model = Echo { refuses: "main:0:0/executor/1/0/0", ..Echo::new() };
    assert_eq!(occurrences(model), [0, 1, 1, 2, 3]);
}

/// What an executor that always asks the same says of its calls.
fn occurrences(model: Echo) -> Vec<u32> {
    let model = Arc::new(model);
    // With a seed of its own each call would be another request.
    let role = caller(&model, None, |_| {
        let ModelRequest::Complete(completion) = request("same") else { unreachable!() };
        vec![ModelRequest::Complete(Completion { seed: Some(7), ..completion })]
    });
    play(plan_with(role));
    let seen = model.seen.lock().unwrap();
    seen.iter().map(|one| one.occurrence).collect()
}

#[test]
fn an_episode_with_calls_is_played_again_from_its_log() {
    let model = Arc::new(Echo::new());
    let role = caller(&model, None, |turn| {
        let calls = 1 + turn.number % 3;
        (0..calls).map(|call| request(format!("{call}/{}", turn.seed.0))).collect()
    });
    let plan = plan_with(role);
    let played = play(plan.clone());
    let (id, events): (&EpisodeId, &Vec<Event>) = played.episodes.iter().next().unwrap();
    let sent = model.seen.lock().unwrap().len();
    let again = |log: &[Event]| {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        runtime.block_on(verify(&plan, id, log))
    };
    again(events).unwrap();
    assert_eq!(model.seen.lock().unwrap().len(), sent, "nothing is asked again");

    // A reply that was changed leads elsewhere, and a call that is missing is said.
    let mut changed = events.clone();
    let call = changed.iter_mut().find_map(|event| match &mut event.message {
        Message::ModelCalled(call) => Some(call),
        _ => None,
    });
    call.unwrap().reply.choices[0].text = "another".to_owned();
    again(&changed).unwrap_err();
    let mut other = events.clone();
    for event in &mut other {
        if let Message::ModelCalled(call) = &mut event.message {
            "0".repeat(32).clone_into(&mut call.request);
        }
    }
    let difference = again(&other).unwrap_err();
    assert!(difference.replayed.contains("another request"), "{difference}");
}

#[test]
fn a_deadline_does_not_count_waiting_but_counts_a_slow_answer() {
    let played = |waits| {
        let model = Echo { takes: Duration::from_millis(300), waits, ..Echo::new() };
        let mut plan = plan_with(caller(&Arc::new(model), None, |turn| vec![request(format!("say {}", turn.number))]));
        plan.cells[0].limits.turn = Duration::from_millis(100);
        play(plan)
    };
    let waited = played(true);
    assert_eq!(waited.outcome(0).ending, Ending::Solved);
    assert_eq!(waited.outcome(0).counts.faults, 0);
    let slow = played(false);
    let executor = Seat::Role(executor());
    assert_eq!(slow.outcome(0).ending, Ending::Broken { by: executor });
    let kinds = slow.events(0).iter().filter_map(|event| match &event.message {
        Message::Fault(fault) => Some(fault.kind),
        _ => None,
    });
    assert!(kinds.into_iter().all(|kind| kind == FaultKind::Deadline));
    assert!(calls(&slow).is_empty(), "what came too late is not recorded");
}

#[test]
fn an_episode_ends_where_its_calls_tokens_or_money_do() {
    let ending = |change: fn(&mut Plan)| {
        let role = caller(&Arc::new(Echo::new()), None, |turn| {
            (0..2).map(|call| request(format!("{call}/{}", turn.number))).collect()
        });
        let mut plan = plan_with(role);
        change(&mut plan);
        let played = play(plan);
        (played.outcome(0).ending.label(), calls(&played).len())
    };
    let out_of = |limit: Limit, calls| (format!("out of {}", limit.as_str()), calls);
    assert_eq!(ending(|_| {}), ("solved".to_owned(), 8));
    let limited = ending(|plan| plan.cells[0].limits.model_calls = Some(4));
    assert_eq!(limited, out_of(Limit::ModelCalls, 4));
    // Two calls of seven tokens a turn.
    let limited = ending(|plan| plan.cells[0].limits.tokens = Some(15));
    assert_eq!(limited, out_of(Limit::Tokens, 4));
    // Three dollars a call, six a turn.
    let limited = ending(|plan| plan.cells[0].limits.cost = Some(17.5));
    assert_eq!(limited, out_of(Limit::Cost, 6));
}

#[test]
fn nobody_is_asked_when_no_call_is_left() {
    let role = caller(&Arc::new(Echo::new()), None, |_| vec![request("where?")]);
    let mut plan = plan_with(role);
    plan.cells[0].limits.model_calls = Some(1);
    let played = play(plan);
    assert_eq!(played.outcome(0).ending.label(), "out of model calls");
    let counts = &played.outcome(0).counts;
    assert_eq!((counts.questions, counts.faults), (0, 0));
}

#[test]
fn what_could_not_be_read_back_is_no_reply() {
    let role = caller(&Arc::new(Echo::new()), None, |_| vec![request("infinite")]);
    let played = play(plan_with(role));
    let executor = Seat::Role(executor());
    assert_eq!(played.outcome(0).ending, Ending::Broken { by: executor });
    let fault = played.events(0).iter().find_map(|event| match &event.message {
        Message::Fault(fault) => Some(fault.message.as_str()),
        _ => None,
    });
    assert!(fault.unwrap().contains("no finite number"), "{fault:?}");
    assert!(calls(&played).is_empty());
}

/// Counts the bytes that models said.
struct Said(bool);

impl Metric for Said {
    fn name(&self) -> &'static str {
        "said"
    }

    fn measure(&self, log: &EpisodeLog<'_>) -> Measurement {
        let said = log.events.iter().filter_map(|event| match &event.message {
            Message::ModelCalled(call) => call.reply.choices.first(),
            _ => None,
        });
        Measurement::Value(said.map(|choice| choice.text.len()).sum::<usize>() as f64)
    }

    fn reads_replies(&self) -> bool {
        self.0
    }
}

/// The result of a played episode, and the one that its log gives.
fn results(metrics: Vec<&'static dyn Metric>) -> (EpisodeResult, EpisodeResult) {
    let role =
        caller(&Arc::new(Echo::new()), None, |turn| (0..turn.number + 1).map(|number| request(30 + number)).collect());
    let plan = plan_with(role);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    let writer = LogWriter::create(&path, &plan.record, &LogSettings::default()).unwrap();
    let launched = Launch::new(plan, &writer, metrics.clone());
    let launched = launched.run(&mut ()).unwrap();
    writer.close().unwrap();
    let read = measure_run(&RunLog::open(&path).unwrap(), &metrics).unwrap();
    let one = |results: Vec<EpisodeResult>| <[_; 1]>::try_from(results).unwrap();
    let ([live], [read]) = (one(launched.results), one(read));
    (live, read)
}

#[test]
fn what_is_kept_of_replies_is_enough_for_every_metric() {
    let mut standard = rolecall::worlds().measured();
    standard.retain(|metric| !metric.reads_replies());
    for name in ["prompt_tokens", "completion_tokens", "model_calls", "cost"] {
        assert!(standard.iter().any(|metric| metric.name() == name), "{name}");
    }
    let (live, read) = results(standard.clone());
    assert_eq!(live, read);
    assert_eq!(live.counts.model_calls, 10);
    assert_eq!(live.measures.get("cost"), Measurement::Value(30.0));

    let with = |said: &'static dyn Metric| {
        let mut all = standard.clone();
        all.push(said);
        results(all)
    };
    let (live, read) = with(&Said(true));
    assert_eq!(live, read);
    assert_eq!(live.measures.get("said"), Measurement::Value(20.0));
    // One that does not say what it reads finds nothing there while the episode is played.
    let (live, read) = with(&Said(false));
    assert_eq!(live.measures.get("said"), Measurement::Value(0.0));
    assert_eq!(read.measures.get("said"), Measurement::Value(20.0));
}

#[test]
fn later_turns_see_again_what_was_to_be_remembered() {
    let model = Arc::new(Echo::new());
    let seen = Arc::new(Mutex::new(Vec::new()));
    let (noted, asked) = (Arc::clone(&seen), Arc::clone(&model));
    let role = PlannedRole {
        role: executor(),
        implementation: "caller".to_owned(),
        factory: Arc::new(move || Box::new(Remembers(Arc::clone(&asked), Arc::clone(&noted)))),
    };
    let played = play(plan_with(role));
    assert_eq!(played.outcome(0).ending, Ending::Solved);
    let remembered = ["remember 0", "remember 1", "remember 2"];
    let expected: Vec<Vec<&str>> = (0..4).map(|turn| remembered[..turn.min(3)].to_vec()).collect();
    assert_eq!(*seen.lock().unwrap(), expected);
    // The log holds everything.
    assert_eq!(calls(&played).len(), 7);
}

/// Asks two things a turn and wants to see one of them again; notes what it sees.
struct Remembers(Arc<Echo>, Arc<Mutex<Vec<Vec<String>>>>);

#[async_trait]
impl Role for Remembers {
    async fn take_turn(&mut self, turn: &Turn) -> Result<Answer, RoleError> {
        let seen = turn.view.all().filter_map(|event| match &event.message {
            Message::ModelCalled(call) => Some(call.reply.choices[0].text.clone()),
            _ => None,
        });
        self.1.lock().unwrap().push(seen.collect());
        if turn.number == 3 {
            turn.complete(&*self.0, request("won")).await?;
            return Ok(Move::act("win").into());
        }
        let text = request(format!("remember {}", turn.number));
        turn.remember(&*self.0, text).await?;
        let reply = turn.complete(&*self.0, request(format!("act {}", turn.number)));
        Ok(Move::act(reply.await?.choices[0].text.clone()).into())
    }
}
