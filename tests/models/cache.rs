//! The cache of replies: what was asked before costs nothing and gives the same log.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use crate::support::fake_model::cast::{calling, client, run, settings};
use crate::support::fake_model::{self, Does, FakeModel};
use rolecall::ports::model::{
    CacheMode, CacheUse, CallContext, CallTrace, Completion, ModelHealth, ModelSettings, Prices, Prompt, Waiting,
};
use rolecall::ports::{ModelClient, ModelError, ModelRequest};
use tokio_util::sync::CancellationToken;

fn cached(server: &FakeModel, folder: &Path, mode: CacheMode) -> ModelSettings {
    let mut settings = settings(&server.url());
    settings.cache.mode = mode;
    settings.cache.folder = folder.to_owned();
    settings.profile.prices = Some(Prices { input: 1.0, output: 2.0, cached_input: None, currency: "USD".to_owned() });
    settings
}

fn files(folder: &Path) -> Vec<PathBuf> {
    // Besides replies there is who was met.
    let is_shard = |shard: &io::Result<fs::DirEntry>| shard.as_ref().unwrap().file_name() != "served";
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .filter(is_shard)
        .flat_map(|shard| fs::read_dir(shard.unwrap().path()).unwrap())
        .map(|file| file.unwrap().path())
        .collect();
    files.sort();
    files
}

#[test]
fn the_second_run_asks_nothing_and_gives_the_same_log() {
    let (mut server, folder) = (FakeModel::friendly(), tempfile::tempdir().unwrap());
    let play = |mode| {
        let model = client(&cached(&server, folder.path(), mode));
        let ran = run(calling(&model, 40, 4));
        (ran, model.spent())
    };
    let (first, spent) = play(CacheMode::Both);
    first.assert_solved(40);
    assert_eq!((first.tally.requests, first.tally.cache_hits), (160, 0));
    assert!(spent > 0.0);
    assert_eq!(files(folder.path()).len(), 160);
    let (second, spent) = play(CacheMode::Both);
    assert_eq!((second.tally.requests, second.tally.cache_hits), (0, 160));
    assert_eq!(spent, 0.0);
    assert_eq!(server.requests(), 160);
    assert!(first.canonical() == second.canonical());
    // A run that writes asks again, and leaves the same.
    let (_, _) = play(CacheMode::Write);
    assert_eq!(server.requests(), 320);
    server.kill();
    let (third, _) = play_alone(&server, folder.path());
    assert_eq!((third.tally.requests, third.tally.cache_hits), (0, 160));
    assert!(first.canonical() == third.canonical());
}

fn play_alone(server: &FakeModel, folder: &Path) -> (fake_model::cast::Ran, ModelHealth) {
    let model = client(&cached(server, folder, CacheMode::Only));
    let ran = run(calling(&model, 40, 4));
    (ran, model.health())
}

#[test]
fn what_only_the_cache_may_answer_fails_if_it_does_not_hold_it() {
    let (server, folder) = (FakeModel::friendly(), tempfile::tempdir().unwrap());
    let (ran, health) = play_alone(&server, folder.path());
    assert_eq!(ran.endings().len(), 1);
    assert!(ran.endings().keys().all(|ending| ending.starts_with("Broken")));
    assert_eq!((server.requests(), health), (0, ModelHealth::Working));
    let log = String::from_utf8(ran.canonical()).unwrap();
    assert!(log.contains("not in the cache, which alone may answer: request "));
}

#[test]
fn a_damaged_or_changed_file_is_asked_again_and_mended() {
    let (server, folder) = (FakeModel::friendly(), tempfile::tempdir().unwrap());
    let play = || {
        let model = client(&cached(&server, folder.path(), CacheMode::Both));
        run(calling(&model, 5, 3))
    };
    let first = play();
    let files = files(folder.path());
    let whole = |number: usize| fs::read_to_string(&files[number]).unwrap();
    let wholes = [whole(0), whole(3)];
    fs::write(&files[0], &wholes[0][..wholes[0].len() / 2]).unwrap();
    fs::write(&files[1], "").unwrap();
    fs::write(&files[2], "{\"schema\":99}").unwrap();
    // It is whole JSON, and another reply.
    let changed = wholes[1].replace("\"completion\":16", "\"completion\":17");
    assert_ne!(changed, wholes[1]);
    fs::write(&files[3], changed).unwrap();
    let second = play();
    assert_eq!((second.tally.requests, second.tally.cache_hits), (4, 11));
    assert!(first.canonical() == second.canonical());
    assert_eq!([whole(0), whole(3)], wholes);
}

#[test]
fn runs_at_the_same_time_share_a_folder() {
    let (server, folder) = (FakeModel::friendly(), tempfile::tempdir().unwrap());
    let logs: Vec<Vec<u8>> = std::thread::scope(|scope| {
        let play = || {
            let model = client(&cached(&server, folder.path(), CacheMode::Both));
            run(calling(&model, 30, 3)).canonical()
        };
        let runs: Vec<_> = (0..3).map(|_| scope.spawn(play)).collect();
        runs.into_iter().map(|run| run.join().unwrap()).collect()
    });
    assert!(logs.iter().all(|log| *log == logs[0]));
    let (alone, _) = play_after(&server, folder.path());
    assert_eq!(alone, 90);
}

fn play_after(server: &FakeModel, folder: &Path) -> (u64, u64) {
    let model = client(&cached(server, folder, CacheMode::Only));
    let tally = run(calling(&model, 30, 3)).tally;
    (tally.cache_hits, tally.requests)
}

/// A call of its own, outside any run.
struct Call {
    model: Arc<dyn ModelClient>,
    context: CallContext,
}

impl Call {
    fn new(model: &Arc<dyn ModelClient>, occurrence: u32) -> Self {
        Self {
            model: Arc::clone(model),
            context: CallContext {
                key: format!("a:{occurrence}:0/x/0/0/0"),
                run: Arc::default(),
                occurrence,
                cancel: CancellationToken::new(),
                waiting: Waiting::default(),
            },
        }
    }

    async fn send(&self) -> (Result<String, ModelError>, CallTrace) {
        let request = ModelRequest::Complete(Completion {
            prompt: Prompt::Chat(Vec::new()),
            seed: Some(1),
            ..Completion::default()
        });
        let encoded = self.model.encode(&request).unwrap();
        let mut trace = CallTrace::default();
        let reply = self.model.send(&encoded, &self.context, &mut trace).await;
        (reply.map(|reply| reply.choices[0].text.clone()), trace)
    }
}

#[tokio::test]
async fn equal_calls_at_the_same_time_become_one() {
    let server = FakeModel::start(Duration::from_millis(200), |_| Does::Replies);
    let folder = tempfile::tempdir().unwrap();
    let model = client(&cached(&server, folder.path(), CacheMode::Both));
    let calls: Vec<Call> = (0..20).map(|_| Call::new(&model, 0)).collect();
    let done = futures_util::future::join_all(calls.iter().map(Call::send)).await;
    let texts: Vec<_> = done.iter().map(|(reply, _)| reply.clone().unwrap()).collect();
    assert!(texts.iter().all(|text| *text == texts[0]));
    let hits = done.iter().filter(|(_, trace)| trace.cache == CacheUse::Hit);
    assert_eq!((hits.count(), server.requests()), (19, 1));
    // Whoever waited for another call was not slow, and nobody is while the answer has not begun.
    let waited = calls.iter().filter(|call| call.context.waiting.waited().as_millis() > 100);
    assert_eq!(waited.count(), 20);
    assert!(calls.iter().all(|call| !call.context.waiting.is_waiting()));
    // Another occurrence is another call.
    let (_, trace) = Call::new(&model, 1).send().await;
    assert_eq!((trace.cache, server.requests()), (CacheUse::Miss, 2));
}

#[tokio::test]
async fn a_call_that_is_given_up_or_fails_hands_over_to_the_next() {
    let server = FakeModel::start(Duration::from_millis(200), |asked| match asked.number {
        1 => Does::Refuses(400, Vec::new(), "{}".to_owned()),
        _ => Does::Replies,
    });
    let folder = tempfile::tempdir().unwrap();
    let model = client(&cached(&server, folder.path(), CacheMode::Both));
    let calls: Vec<Call> = (0..4).map(|_| Call::new(&model, 0)).collect();
    let given_up = async {
        tokio::time::sleep(Duration::from_millis(50)).await;
        calls[0].context.cancel.cancel();
    };
    let sending = futures_util::future::join_all(calls.iter().map(Call::send));
    let (done, ()) = tokio::join!(sending, given_up);
    let replies: Vec<_> = done.into_iter().map(|(reply, _)| reply).collect();
    assert_eq!(replies[0], Err(ModelError::Cancelled));
    assert!(matches!(replies[1], Err(ModelError::BadRequest(_))));
    assert!(replies[2].is_ok() && replies[2] == replies[3]);
    assert_eq!(server.requests(), 3);
}
