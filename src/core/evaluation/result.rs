//! The result of one episode: one line of `results.jsonl`.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize, Serializer};

use super::Measures;
use super::usage::{SeatUsage, usage};
use crate::domain::{Counts, Ending, EpisodeId, FaultKind, Message, Opened, SCHEMA, Seat};
use crate::log::Digest;
use crate::ports::{EpisodeLog, Measurement, Metric};

/// The group that every task is in by its type.
pub const KIND: &str = "kind";

/// The result of an episode. A function of its events alone.
///
/// Small, because a run may have a million of them: about 200 bytes with what it points to, where no model
/// was called.
#[derive(Clone, Debug, PartialEq)]
pub struct EpisodeResult {
    /// Which episode.
    pub episode: EpisodeId,
    /// Its words, which are in memory once for all results that have the same. A result is used as if
    /// they were its own fields.
    pub played: Arc<Played>,
    /// Why it ended; none if the run was interrupted before.
    pub ending: Option<Ending>,
    /// The task was solved.
    pub success: bool,
    /// The reward, in the environment's own scale; 0 if there is none, or no finite one.
    pub reward: f64,
    /// The counts of the episode.
    pub counts: Counts,
    /// Who failed how, by seat and kind.
    pub faults: Box<[FaultCount]>,
    /// Calls of models, by seat and model.
    pub usage: Box<[SeatUsage]>,
    /// The figures of the metrics, in the order of their table.
    pub measures: Measures,
}

impl Deref for EpisodeResult {
    type Target = Played;

    fn deref(&self) -> &Played {
        &self.played
    }
}

impl DerefMut for EpisodeResult {
    fn deref_mut(&mut self) -> &mut Played {
        Arc::make_mut(&mut self.played)
    }
}

/// A result as it is written.
#[derive(Serialize, Deserialize)]
struct Written<'a> {
    schema: u32,
    episode: Cow<'a, EpisodeId>,
    task: Cow<'a, str>,
    kind: Cow<'a, str>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    groups: Cow<'a, BTreeMap<String, String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    user: Option<Cow<'a, str>>,
    strategy: Cow<'a, str>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    ending: Option<Cow<'a, Ending>>,
    success: bool,
    reward: f64,
    counts: Counts,
    #[serde(default, skip_serializing_if = "<[_]>::is_empty")]
    faults: Cow<'a, [FaultCount]>,
    #[serde(default, skip_serializing_if = "<[_]>::is_empty")]
    usage: Cow<'a, [SeatUsage]>,
    measures: Cow<'a, Measures>,
}

impl Serialize for EpisodeResult {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let written = Written {
            schema: SCHEMA,
            episode: Cow::Borrowed(&self.episode),
            task: Cow::Borrowed(&self.task),
            kind: Cow::Borrowed(&self.kind),
            groups: Cow::Borrowed(&self.groups),
            user: self.user.as_deref().map(Cow::Borrowed),
            strategy: Cow::Borrowed(&self.strategy),
            ending: self.ending.as_ref().map(Cow::Borrowed),
            success: self.success,
            reward: self.reward,
            counts: self.counts,
            faults: Cow::Borrowed(&self.faults),
            usage: Cow::Borrowed(&self.usage),
            measures: Cow::Borrowed(&self.measures),
        };
        written.serialize(serializer)
    }
}

impl From<Written<'_>> for EpisodeResult {
    fn from(written: Written<'_>) -> Self {
        let played = Played {
            task: written.task.into_owned(),
            kind: written.kind.into_owned(),
            groups: written.groups.into_owned(),
            user: written.user.map(Cow::into_owned),
            strategy: written.strategy.into_owned(),
        };
        Self {
            episode: written.episode.into_owned(),
            played: played.shared(),
            ending: written.ending.map(Cow::into_owned),
            success: written.success,
            reward: written.reward,
            counts: written.counts,
            faults: written.faults.into(),
            usage: written.usage.into(),
            measures: written.measures.into_owned(),
        }
    }
}

/// How often a seat failed in one way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FaultCount {
    /// Who failed.
    pub seat: Seat,
    /// How.
    pub kind: FaultKind,
    /// How often.
    pub count: u64,
}

impl FaultCount {
    /// Counts a fault in a list that is kept in order.
    pub(super) fn add(list: &mut Vec<Self>, seat: &Seat, kind: FaultKind, count: u64) {
        match list.binary_search_by(|fault| (&fault.seat, fault.kind).cmp(&(seat, kind))) {
            Ok(place) => list[place].count += count,
            Err(place) => list.insert(place, Self { seat: seat.clone(), kind, count }),
        }
    }
}

/// Whether an episode says something about the agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It counts.
    Counted,
    /// Something other than the agent failed; reported apart.
    Broken,
    /// The run was stopped before it ended; reported apart.
    Cancelled,
    /// The log ends before the episode does; reported apart.
    Unfinished,
}

/// The end of a line.
const ENDING: &[u8] = b"}\n";
/// How the digests of a line begin.
const EVENTS_DIGEST: &str = ",\"events_digest\":\"";
const LINE_DIGEST: &str = ",\"line_digest\":\"";

/// The state of a line of `results.jsonl` by its digests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seal {
    /// It is as it was written, computed from events with this digest.
    Whole(Digest),
    /// It is not as it was written.
    Broken,
    /// Nothing: an earlier version wrote it, or another program.
    Absent,
}

impl Seal {
    /// Reads what a line, given without its newline, says of itself.
    pub fn of(line: &[u8]) -> Self {
        Self::read(line).unwrap_or_else(|| {
            let name = LINE_DIGEST.trim_start_matches(',').as_bytes();
            let named = line.windows(name.len()).any(|window| window == name);
            if named { Self::Broken } else { Self::Absent }
        })
    }

    fn read(line: &[u8]) -> Option<Self> {
        let digest = |line: &mut &[u8], name: &str| -> Option<Digest> {
            let (before, digits) = line.strip_suffix(b"\"")?.split_last_chunk::<16>()?;
            *line = before.strip_suffix(name.as_bytes())?;
            std::str::from_utf8(digits).ok()?.parse().ok()
        };
        let mut rest = line.strip_suffix(b"}")?;
        let noted = digest(&mut rest, LINE_DIGEST)?;
        let mut computed = Digest::default();
        computed.add(rest);
        let events = digest(&mut rest, EVENTS_DIGEST)?;
        Some(if computed == noted { Self::Whole(events) } else { Self::Broken })
    }
}

/// A line of `results.jsonl` that is no result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a result: {0}")]
pub struct InvalidResult(String);

impl Standing {
    /// Standing of an episode with this ending; no ending is an episode that its log does not end.
    pub fn of(ending: Option<&Ending>) -> Self {
        match ending {
            None => Self::Unfinished,
            Some(Ending::Cancelled) => Self::Cancelled,
            Some(ending) if ending.is_broken() => Self::Broken,
            Some(_) => Self::Counted,
        }
    }
}

impl EpisodeResult {
    /// Cost of its calls of models by the prices of the config; none without prices.
    pub fn cost(&self) -> Option<f64> {
        self.usage.iter().filter_map(|usage| usage.cost).reduce(|sum, cost| sum + cost)
    }

    /// Whether the episode counts.
    pub fn standing(&self) -> Standing {
        Standing::of(self.ending.as_ref())
    }

    /// Whether it ended at the window of a model or a filter.
    pub fn is_withheld(&self) -> bool {
        self.ending.as_ref().is_some_and(Ending::is_withheld)
    }

    /// The task's value of a group, which may be [`KIND`]; none if the task is not in it.
    pub fn group(&self, name: &str) -> Option<&str> {
        if name == KIND {
            return Some(&self.kind);
        }
        self.groups.get(name).map(String::as_str)
    }

    /// The ending as tables show it.
    pub fn ending_label(&self) -> String {
        self.ending.as_ref().map_or_else(|| "unfinished".to_owned(), Ending::label)
    }

    /// Appends the result as one line, newline included.
    pub fn encode(&self, lines: &mut Vec<u8>) {
        let start = lines.len();
        match serde_json::to_writer(&mut *lines, self) {
            Ok(()) => lines.push(b'\n'),
            // Names and figures always have a JSON form; half a line is never left behind.
            Err(_) => lines.truncate(start),
        }
    }

    /// Appends the result as a line of `results.jsonl`, newline included: with the digest of the
    /// events that it was computed from, and one of the line itself, which tells whether somebody
    /// changed it.
    pub fn encode_sealed(&self, events: Digest, lines: &mut Vec<u8>) {
        let start = lines.len();
        self.encode(lines);
        if lines.len() > start {
            lines.truncate(lines.len() - ENDING.len());
            let events = format!("{EVENTS_DIGEST}{events}\"");
            lines.extend(events.as_bytes());
            let mut line = Digest::default();
            line.add(&lines[start..]);
            let line = format!("{LINE_DIGEST}{line}\"");
            lines.extend(line.as_bytes());
            lines.extend(ENDING);
        }
    }

    /// Reads a line.
    pub fn decode(line: &[u8]) -> Result<Self, InvalidResult> {
        let written: Written<'_> = serde_json::from_slice(line).map_err(|error| InvalidResult(error.to_string()))?;
        if written.schema == SCHEMA {
            return Ok(written.into());
        }
        let text = format!("schema {}, but this version reads {SCHEMA}", written.schema);
        Err(InvalidResult(text))
    }
}

/// Computes the result of an episode with the given metrics.
pub fn measure(log: &EpisodeLog<'_>, metrics: &[&dyn Metric]) -> EpisodeResult {
    let opened = log.opened();
    let outcome = log.outcome();
    let reward = outcome.map(|outcome| outcome.reward);
    // No log holds another one, but episodes are also measured before they are written.
    let reward = reward.filter(|reward| reward.is_finite());
    let mut measures = Measures::default();
    for metric in metrics {
        let main = std::iter::once((metric.name().into(), metric.measure(log)));
        for (name, measurement) in main.chain(metric.further(log)) {
            if measurement.sound() != Measurement::Absent || !metric.is_left_out_if_absent() {
                measures.add(name, measurement);
            }
        }
    }
    let mut faults = Vec::new();
    for event in &log.events {
        if let Message::Fault(fault) = &event.message {
            FaultCount::add(&mut faults, &fault.seat, fault.kind, 1);
        }
    }
    EpisodeResult {
        episode: log.id.clone(),
        played: opened.map_or_else(Played::default, Played::of).shared(),
        ending: outcome.map(|outcome| outcome.ending.clone()),
        success: outcome.is_some_and(|outcome| outcome.success),
        reward: reward.unwrap_or_default(),
        counts: log.counts(),
        faults: faults.into(),
        usage: usage(log.events.iter().copied()).into(),
        measures: measures.complete(),
    }
}

/// Most entries that are kept: a run may have as many tasks as episodes.
const KNOWN: usize = 4096;

thread_local! {
    /// Entries of the last results of this thread.
    static SHARED: RefCell<FxHashSet<Arc<Played>>> = RefCell::default();
}

/// The words of a result: what was played, and with whom.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Played {
    /// The task's name in its data set.
    pub task: String,
    /// The task's type.
    pub kind: String,
    /// The task's other groups, by name.
    pub groups: BTreeMap<String, String>,
    /// The kind of user, if there was one.
    pub user: Option<String>,
    /// Name of the strategy.
    pub strategy: String,
}

impl Played {
    /// Takes the words of an episode that was opened.
    pub(super) fn of(opened: &Opened) -> Self {
        Self {
            task: opened.task.id.clone(),
            kind: opened.task.kind.clone(),
            groups: opened.task.groups.clone(),
            user: opened.user.clone(),
            strategy: opened.strategy.clone(),
        }
    }

    /// Shares equal words among results, as long as there are not too many different ones.
    pub(super) fn shared(self) -> Arc<Self> {
        SHARED.with_borrow_mut(|shared| {
            if let Some(same) = shared.get(&self) {
                return Arc::clone(same);
            }
            if shared.len() >= KNOWN {
                shared.clear();
            }
            let new = Arc::new(self);
            shared.insert(Arc::clone(&new));
            new
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_tells_whether_it_is_as_it_was_written() {
        let id = "main:0:0".parse().unwrap();
        let result = measure(&EpisodeLog::new(&id, Vec::new()), &[]);
        let mut events = Digest::default();
        events.add(b"x\n");
        let mut line = Vec::new();
        result.encode_sealed(events, &mut line);
        let line = line.strip_suffix(b"\n").unwrap();
        assert_eq!(Seal::of(line), Seal::Whole(events));
        assert_eq!(EpisodeResult::decode(line).unwrap(), result);
        // Wherever a byte is another one, or one is missing.
        for place in 0..line.len() {
            let mut other = line.to_vec();
            other[place] ^= 1;
            assert_ne!(Seal::of(&other), Seal::Whole(events), "{place}");
            other.remove(place);
            assert_ne!(Seal::of(&other), Seal::Whole(events), "{place}");
        }
        let changed = String::from_utf8(line.to_vec()).unwrap().replace("\"success\":false", "\"success\":true");
        assert_eq!(Seal::of(changed.as_bytes()), Seal::Broken);
        let mut plain = Vec::new();
        result.encode(&mut plain);
        assert_eq!(Seal::of(&plain[..plain.len() - 1]), Seal::Absent);
    }
}
