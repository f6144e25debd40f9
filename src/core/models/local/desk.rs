//! Where calls wait for the model: a few threads each take what waits and compute it together.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, Once, PoisonError};
use std::thread;

use tokio::sync::oneshot;

use super::sampler::Draft;
use super::{Body, Wanted, Writing};
use crate::domain::{CandidateScore, Choice, ModelReply, Usage};
use crate::models::transport::Attempt;
use crate::ports::ModelError;
use crate::transformer::{Checkpoint, NOTHING, Player, Reading, Shape};

/// The most calls that are computed together.
const TOGETHER: usize = 32;
/// The most tokens of prompts that a thread has in hand, unless a single one is longer.
const IN_HAND: usize = 4096;
/// The most threads.
const THREADS: usize = 16;

type Reply = Result<Attempt, ModelError>;

/// A call that waits.
struct Job {
    body: Body,
    reply: oneshot::Sender<Reply>,
}

#[derive(Default)]
struct Queue {
    jobs: VecDeque<Job>,
    closed: bool,
}

struct Shared {
    checkpoint: Arc<Checkpoint>,
    queue: Mutex<Queue>,
    bell: Condvar,
    pool: Pool,
}

/// The queue of a model. Threads begin with the first call and end with the desk.
pub(super) struct Desk {
    shared: Arc<Shared>,
    begun: Once,
}

impl Desk {
    /// No thread yet.
    pub(super) fn new(checkpoint: Arc<Checkpoint>) -> Self {
        Self {
            shared: Arc::new(Shared {
                checkpoint,
                queue: Mutex::default(),
                bell: Condvar::new(),
                pool: Pool::default(),
            }),
            begun: Once::new(),
        }
    }

    /// The reply to a request.
    pub(super) async fn ask(&self, body: Body) -> Reply {
        self.begun.call_once(|| self.begin());
        let (reply, answer) = oneshot::channel();
        self.shared.queue().jobs.push_back(Job { body, reply });
        self.shared.bell.notify_one();
        let gone = |_| ModelError::Server("the local model failed, which is a fault of rolecall".to_owned());
        answer.await.map_err(gone)?
    }

    fn begin(&self) {
        let threads = thread::available_parallelism().map_or(1, usize::from).min(THREADS);
        for number in 0..threads {
            let shared = Arc::clone(&self.shared);
            let named = thread::Builder::new().name(format!("model-{number}"));
            // Without any thread, calls are told that the model failed when the desk is closed.
            if named.spawn(move || shared.work(threads)).is_err() && number == 0 {
                self.shared.close();
            }
        }
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        self.shared.close();
    }
}

impl Shared {
    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn close(&self) {
        let mut queue = self.queue();
        queue.closed = true;
        queue.jobs.clear();
        drop(queue);
        self.bell.notify_all();
    }

    /// Takes a fair part of what waits, until the desk is closed.
    fn work(&self, threads: usize) {
        loop {
            let mut queue = self.queue();
            while queue.jobs.is_empty() && !queue.closed {
                queue = self.bell.wait(queue).unwrap_or_else(PoisonError::into_inner);
            }
            if queue.closed {
                return;
            }
            let count = queue.jobs.len().div_ceil(threads).min(TOGETHER);
            let jobs: Vec<Job> = queue.jobs.drain(..count).collect();
            drop(queue);
            // Whoever waits is told by the sender that is dropped.
            let _ = catch_unwind(AssertUnwindSafe(|| self.answer(jobs)));
        }
    }

    fn answer(&self, jobs: Vec<Job>) {
        let wanted = jobs.into_iter().filter(|job| !job.reply.is_closed());
        let (mut calls, mut tokens) = (Vec::new(), 0);
        for job in wanted {
            match Call::new(job, &self.checkpoint) {
                Ok(call) => {
                    if tokens + call.prompt.len() > IN_HAND {
                        self.compute(std::mem::take(&mut calls));
                        tokens = 0;
                    }
                    tokens += call.prompt.len();
                    calls.push(call);
                }
                Err((reply, error)) => drop(reply.send(Err(error))),
            }
        }
        self.compute(calls);
    }

    /// Computes calls together.
    fn compute(&self, mut calls: Vec<Call>) {
        let shape = self.checkpoint.player.shape();
        for call in &mut calls {
            call.reading = self.pool.take(&call.prompt, shape);
            call.cached = call.reading.tokens().len();
        }
        let player = &self.checkpoint.player;
        let mut texts: Vec<(&mut Reading, &[u32])> = Vec::new();
        for call in &mut calls {
            let known = call.reading.tokens().len();
            texts.push((&mut call.reading, &call.prompt[known..]));
        }
        player.read(&mut texts);
        score(player, &mut calls);
        write(&self.checkpoint, &mut calls);
        for call in calls {
            let Call { reading, reply, answer, cached, .. } = call;
            let _ = reply.send(Ok(Attempt { requests: 1, cached_tokens: cached as u64, ..Attempt::of(answer) }));
            self.pool.keep(reading);
        }
    }
}

/// A call that is being computed.
struct Call {
    wanted: Wanted,
    prompt: Vec<u32>,
    texts: Vec<Vec<u32>>,
    reading: Reading,
    /// Tokens of the prompt that were read before.
    cached: usize,
    reply: oneshot::Sender<Reply>,
    answer: ModelReply,
}

impl Call {
    fn new(job: Job, checkpoint: &Checkpoint) -> Result<Self, (oneshot::Sender<Reply>, ModelError)> {
        let vocabulary = &checkpoint.vocabulary;
        let mut prompt = vocabulary.tokens(&job.body.prompt);
        if prompt.is_empty() {
            prompt.push(NOTHING);
        }
        let (texts, longest) = match &job.body.wanted {
            Wanted::Score(texts) => {
                let texts: Vec<Vec<u32>> = texts.iter().map(|text| vocabulary.tokens(text)).collect();
                let longest = texts.iter().map(Vec::len).max().unwrap_or(0);
                (texts, longest)
            }
            Wanted::Write(writing) => (Vec::new(), writing.max_tokens as usize),
        };
        let (length, most) = (prompt.len(), checkpoint.player.positions());
        if length + longest > most {
            let text = format!("{length} tokens of prompt and {longest} of answer; it reads {most}");
            return Err((job.reply, ModelError::Overflow(text)));
        }
        Ok(Self {
            wanted: job.body.wanted,
            texts,
            cached: 0,
            reading: Reading::default(),
            reply: job.reply,
            answer: ModelReply { usage: Usage { prompt: length as u64, ..Usage::default() }, ..ModelReply::default() },
            prompt,
        })
    }
}

/// Scores the candidates of those calls that want it.
fn score(player: &Player, calls: &mut [Call]) {
    let asked = calls.iter().filter(|call| matches!(call.wanted, Wanted::Score(_)));
    let asked: Vec<(&Reading, &[Vec<u32>])> = asked.map(|call| (&call.reading, &*call.texts)).collect();
    if asked.is_empty() {
        return;
    }
    let scored = player.score(&asked);
    let asked = calls.iter_mut().filter(|call| matches!(call.wanted, Wanted::Score(_)));
    for (call, scores) in asked.zip(scored) {
        let scores = scores.into_iter().zip(&call.texts);
        call.answer.scores = scores
            .map(|(logprob, text)| CandidateScore { logprob, tokens: u32::try_from(text.len()).unwrap_or(u32::MAX) })
            .collect();
    }
}

/// Writes the texts of those calls that want some, a token of each at a time.
fn write(checkpoint: &Checkpoint, calls: &mut [Call]) {
    let (player, vocabulary) = (&checkpoint.player, &checkpoint.vocabulary);
    let wanted: Vec<(usize, Writing)> = (0..)
        .zip(&*calls)
        .filter_map(|(index, call)| match &call.wanted {
            Wanted::Write(writing) => Some((index, writing.clone())),
            Wanted::Score(_) => None,
        })
        .collect();
    let mut drafts: Vec<(usize, Draft<'_>, Reading)> = Vec::new();
    for (index, writing) in &wanted {
        for number in 0..writing.n {
            let draft = Draft::new(vocabulary, writing, number);
            let reading = &mut calls[*index].reading;
            let start = match number + 1 == writing.n {
                true => std::mem::take(reading),
                false => reading.clone(),
            };
            drafts.push((*index, draft, start));
        }
    }
    let mut open: Vec<usize> = (0..drafts.len()).collect();
    while !open.is_empty() {
        let readings: Vec<&Reading> = open.iter().map(|draft| &drafts[*draft].2).collect();
        let logits = player.next(&readings);
        let rows = logits.chunks_exact(player.shape().vocabulary);
        let written: Vec<(usize, u32)> =
            open.iter().zip(rows).filter_map(|(draft, row)| Some((*draft, drafts[*draft].1.write(row)?))).collect();
        open = written.iter().map(|(draft, _)| *draft).collect();
        let tokens: Vec<[u32; 1]> = written.iter().map(|(_, token)| [*token]).collect();
        let mut texts: Vec<(&mut Reading, &[u32])> = drafts
            .iter_mut()
            .enumerate()
            .filter(|(draft, _)| open.contains(draft))
            .zip(&tokens)
            .map(|((_, draft), token)| (&mut draft.2, &token[..]))
            .collect();
        player.read(&mut texts);
    }
    for (index, draft, reading) in drafts {
        let call = &mut calls[index];
        let (choice, tokens): (Choice, usize) = draft.finished();
        call.answer.choices.push(choice);
        call.answer.usage.completion += tokens as u64;
        call.reading = reading;
    }
}

/// Bytes that all readings may take.
const MOST_BYTES: usize = 80 << 20;
/// Readings after which one is thought to be of an episode that has ended.
const STALE: u64 = 512;
/// Tokens of a common beginning that are worth copying.
const WORTH: usize = 16;

/// Readings by how long ago they were used: the latest stands last.
#[derive(Default)]
pub(super) struct Pool {
    held: Mutex<Held>,
}

#[derive(Default)]
struct Held {
    /// Each with the number under which it was kept.
    readings: Vec<(u64, Reading)>,
    bytes: usize,
    /// Readings that were ever kept.
    kept: u64,
}

impl Pool {
    /// The longest beginning of these tokens that was read. At least one token is left to be read, since what follows
    /// the whole is not known of a beginning.
    pub(super) fn take(&self, tokens: &[u32], shape: &Shape) -> Reading {
        let mut held = self.held.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let common = |reading: &Reading| {
            reading
                .tokens()
                .iter()
                .zip(tokens)
                .take_while(|(held, new)| held == new)
                .count()
                .min(tokens.len().saturating_sub(1))
        };
        let Some((length, index)) =
            held.readings.iter().enumerate().map(|(index, (_, reading))| (common(reading), index)).max()
        else {
            return Reading::default();
        };
        let whole = held.readings[index].1.tokens().len();
        // An episode that goes on takes its own; what several episodes share stays for the others.
        if whole <= length + 1 {
            let (_, mut reading) = held.readings.remove(index);
            held.bytes -= reading.bytes();
            reading.cut(length, shape);
            return reading;
        }
        match length < WORTH {
            true => Reading::default(),
            false => held.readings[index].1.beginning(length, shape),
        }
    }

    /// Keeps a reading for the next prompt. If there is no room, stale ones go; if there are none, this one is not kept:
    /// where more episodes take turns than have room, forgetting the oldest would serve none of them.
    pub(super) fn keep(&self, reading: Reading) {
        let mut held = self.held.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        held.kept += 1;
        let number = held.kept;
        while held.bytes + reading.bytes() > MOST_BYTES {
            match held.readings.first() {
                Some((kept, _)) if kept + STALE < number => {
                    let (_, oldest) = held.readings.remove(0);
                    held.bytes -= oldest.bytes();
                }
                _ => return,
            }
        }
        held.bytes += reading.bytes();
        held.readings.push((number, reading));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHAPE: Shape = Shape { vocabulary: 1, width: 1024, layers: 1, heads: 1, before: 0 };

    /// A reading of 1,000 tokens (8 MB) of an episode.
    fn reading(episode: u32) -> Reading {
        Reading::sample(&vec![episode; 1000], &SHAPE)
    }

    /// Whether what was read of the episode is there, as its next turn would find out.
    fn goes_on(pool: &Pool, episode: u32) -> bool {
        let found = pool.take(&vec![episode; 1001], &SHAPE).tokens().len() == 1000;
        pool.keep(reading(episode));
        found
    }

    #[test]
    fn where_more_episodes_take_turns_than_have_room_some_are_served_and_ended_ones_make_room() {
        let pool = Pool::default();
        let round = |episodes: std::ops::Range<u32>| episodes.filter(|episode| goes_on(&pool, *episode)).count();
        assert_eq!(round(1..41), 0);
        assert!((6..=10).contains(&round(1..41)));
        assert!((6..=10).contains(&round(1..41)));
        assert_eq!(round(50..60), 0);
        for _ in 0..60 {
            round(50..60);
        }
        assert_eq!(round(50..60), 10);
    }
}
