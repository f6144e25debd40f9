//! One event, one line: `{"schema":1,"episode":"main:12:0","seq":..,"message":{..}}`.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::{EncodeError, LogError};
use crate::domain::{EpisodeId, Event, Message, SCHEMA, Seat};
use crate::text::json::nests_deeper;

/// A chained hash of the event lines of one episode, in order, newlines included.
///
/// Finds out that a log was changed or mixed up, not that somebody meant to deceive: whoever can
/// change the lines can compute it again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Digest(pub(super) u64);

impl Digest {
    /// Adds the next line, newline included.
    pub fn add(&mut self, line: &[u8]) {
        self.0 = xxh3_64_with_seed(line, self.0);
    }
}

/// 16 digits.
impl fmt::Display for Digest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:016x}", self.0)
    }
}

/// A text that is no digest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a digest is 16 digits of base 16")]
pub struct InvalidDigest;

impl FromStr for Digest {
    type Err = InvalidDigest;

    fn from_str(text: &str) -> Result<Self, InvalidDigest> {
        let is_hex = text.len() == 16 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        u64::from_str_radix(text, 16).ok().filter(|_| is_hex).map(Self).ok_or(InvalidDigest)
    }
}

/// Levels of nesting in a line. JSON readers give up at 128 levels; what is written must be
/// readable.
const DEPTH_LIMIT: usize = 100;

/// Writes the events of one episode as lines.
///
/// Schema and episode are rendered once. Nothing else is kept, so an encoder may be made anew at
/// any time.
#[derive(Clone, Debug)]
pub struct EventEncoder {
    prefix: Box<str>,
}

/// The part of a line that differs from event to event.
#[derive(Serialize)]
struct Body<'a> {
    seq: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    cause: Option<u32>,
    from: &'a str,
    to: &'a str,
    message: &'a Message,
}

impl EventEncoder {
    /// An encoder for the episode.
    pub fn new(episode: &EpisodeId) -> Self {
        // The letters of a cell's name need no escaping (`CellName`).
        Self { prefix: format!(r#"{{"schema":{SCHEMA},"episode":"{episode}""#).into() }
    }

    /// Whether a line begins as that of the event of this number does.
    pub fn begins(&self, seq: u32, line: &[u8]) -> bool {
        let rest = line.strip_prefix(self.prefix.as_bytes());
        rest.is_some_and(|rest| rest.starts_with(format!(",\"seq\":{seq},").as_bytes()))
    }

    /// Appends the event as one line, newline included. On an error `lines` is as it was before.
    pub fn encode(&self, event: &Event, lines: &mut Vec<u8>) -> Result<(), EncodeError> {
        check_reward(event)?;
        let start = lines.len();
        lines.extend_from_slice(self.prefix.as_bytes());
        let body_start = lines.len();
        let body = Body {
            seq: event.seq,
            cause: event.cause,
            from: event.from.as_str(),
            to: event.to.as_str(),
            message: &event.message,
        };
        let written = serde_json::to_writer(&mut *lines, &body);
        let problem = match written {
            Err(error) => Some(format!("cannot be written as JSON: {error}")),
            Ok(()) if nests_deeper(&lines[body_start..], DEPTH_LIMIT) => {
                Some(format!("holds data nested deeper than {DEPTH_LIMIT} levels"))
            }
            Ok(()) => None,
        };
        if let Some(problem) = problem {
            lines.truncate(start);
            return Err(EncodeError { seq: event.seq, problem });
        }
        // The body opened an object of its own; it goes on in the one that the prefix opened.
        lines[body_start] = b',';
        lines.push(b'\n');
        Ok(())
    }
}

/// JSON writes such a number as `null`, which no reader would take for a reward.
fn check_reward(event: &Event) -> Result<(), EncodeError> {
    let reward = match &event.message {
        Message::Scored(scored) => scored.score.reward,
        Message::Closed(outcome) => outcome.reward,
        _ => return Ok(()),
    };
    match reward.is_finite() {
        true => Ok(()),
        false => Err(EncodeError {
            seq: event.seq,
            problem: format!("has the reward `{reward}`, which is no finite number"),
        }),
    }
}

#[derive(Deserialize)]
struct WholeLine {
    schema: u32,
    episode: EpisodeId,
    seq: u32,
    cause: Option<u32>,
    from: Seat,
    to: Seat,
    message: Message,
}

/// Whether a line, given without its newline, is what writing its event again gives. Whoever goes on
/// with the episode computes its digest from what it writes.
pub(super) fn is_as_written(line: &[u8], episode: &EpisodeId, event: &Event) -> bool {
    let mut again = Vec::with_capacity(line.len() + 1);
    let written = EventEncoder::new(episode).encode(event, &mut again);
    written.is_ok() && again.strip_suffix(b"\n") == Some(line)
}

/// The problem of a line of which that is not so.
pub(super) const OTHERWISE: &str =
    "the event is written in another way than this program writes it, so the line was edited";

/// The part of a line that an index needs.
#[derive(Deserialize)]
pub(super) struct Head {
    pub(super) schema: u32,
    pub(super) episode: EpisodeId,
    pub(super) seq: u32,
}

#[derive(Deserialize)]
struct SchemaOnly {
    schema: u32,
}

/// Reads a line that [`EventEncoder`] wrote; `path` and `number` (from 1) are for the message of
/// the error.
pub fn decode_event(path: &Path, number: u64, line: &[u8]) -> Result<(EpisodeId, Event), LogError> {
    if let Some(found) = plain_event(line) {
        return Ok(found);
    }
    let whole: WholeLine = parse(path, number, line)?;
    check_schema(path, number, whole.schema)?;
    let event = Event { seq: whole.seq, cause: whole.cause, from: whole.from, to: whole.to, message: whole.message };
    Ok((whole.episode, event))
}

/// Reads only which episode a line belongs to.
pub fn decode_episode(path: &Path, number: u64, line: &[u8]) -> Result<EpisodeId, LogError> {
    let plain = plain_head(line).and_then(|(id, _)| str::from_utf8(id).ok()?.parse().ok());
    if let Some(id) = plain {
        return Ok(id);
    }
    decode_head(path, number, line).map(|head| head.episode)
}

pub(super) fn decode_head(path: &Path, number: u64, line: &[u8]) -> Result<Head, LogError> {
    let head: Head = parse(path, number, line)?;
    check_schema(path, number, head.schema)?;
    Ok(head)
}

fn parse<'a, T: Deserialize<'a>>(path: &Path, number: u64, line: &'a [u8]) -> Result<T, LogError> {
    serde_json::from_slice(line).map_err(|error| {
        // A line of another schema may differ in anything; then that is what is wrong with it.
        match serde_json::from_slice::<SchemaOnly>(line) {
            Ok(SchemaOnly { schema }) if schema != SCHEMA => other_schema(path, number, schema),
            _ => LogError::damaged(path, number, format_args!("not an event: {}", said(&error))),
        }
    })
}

/// The JSON reader's words; the line it counts is always 1, so only the column is told.
fn said(error: &serde_json::Error) -> String {
    let whole = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    let what = whole.strip_suffix(&place).unwrap_or(&whole);
    format!("{what} at column {}", error.column())
}

fn check_schema(path: &Path, number: u64, schema: u32) -> Result<(), LogError> {
    if schema == SCHEMA {
        return Ok(());
    }
    Err(other_schema(path, number, schema))
}

fn other_schema(path: &Path, number: u64, schema: u32) -> LogError {
    let reason = format!("written in schema {schema}, but this version reads schema {SCHEMA}");
    LogError::line(path, number, reason)
}

/// The beginning of a line of this schema, up to the episode's name.
const PLAIN_START: &str = r#"{"schema":1,"episode":""#;

/// Episode (as it is written) and `seq` of a line that looks as the encoder writes it, without
/// reading the rest. A line that is damaged further on is found out when its episode is read.
pub(super) fn plain_head(line: &[u8]) -> Option<(&[u8], u32)> {
    let (episode, seq, rest) = plain_start(line)?;
    rest.ends_with(b"}}").then_some((episode.as_bytes(), seq))
}

/// The event of a line that looks as the encoder writes it, in half the time. None if it looks
/// otherwise, which need not be wrong.
pub(super) fn plain_event(line: &[u8]) -> Option<(EpisodeId, Event)> {
    let (episode, seq, rest) = plain_start(line)?;
    let (cause, rest) = match rest.strip_prefix(b",\"cause\":") {
        Some(rest) => plain_number(rest).map(|(cause, rest)| (Some(cause), rest))?,
        None => (None, rest),
    };
    let (from, rest) = plain_text(rest.strip_prefix(b",\"from\":\"")?)?;
    let (to, rest) = plain_text(rest.strip_prefix(b",\"to\":\"")?)?;
    let message = rest.strip_prefix(b",\"message\":")?.strip_suffix(b"}")?;
    let event = Event {
        seq,
        cause,
        from: Seat::new(from).ok()?,
        to: Seat::new(to).ok()?,
        message: serde_json::from_str(str::from_utf8(message).ok()?).ok()?,
    };
    Some((episode.parse().ok()?, event))
}

/// Episode and `seq` of such a line, and what comes after them.
fn plain_start(line: &[u8]) -> Option<(&str, u32, &[u8])> {
    let (episode, rest) = plain_text(line.strip_prefix(PLAIN_START.as_bytes())?)?;
    let (seq, rest) = plain_number(rest.strip_prefix(b",\"seq\":")?)?;
    Some((episode, seq, rest))
}

/// The text before a quotation mark, and the rest after it.
fn plain_text(line: &[u8]) -> Option<(&str, &[u8])> {
    let end = line.iter().position(|byte| *byte == b'"')?;
    let text = str::from_utf8(&line[..end]).ok()?;
    Some((text, &line[end + 1..]))
}

/// The number that stands before a comma, and what comes from that on.
fn plain_number(line: &[u8]) -> Option<(u32, &[u8])> {
    let end = line.iter().position(|byte| !byte.is_ascii_digit())?;
    let (digits, rest) = line.split_at(end);
    let is_plain = rest.starts_with(b",") && (end == 1 || digits.first() != Some(&b'0'));
    let number = str::from_utf8(digits).ok()?.parse().ok()?;
    is_plain.then_some((number, rest))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::domain::{Move, Outcome, SCHEMA, Score};

    fn id() -> EpisodeId {
        "main:12:0".parse().unwrap()
    }

    fn event(message: Message) -> Event {
        Event { seq: 4, cause: Some(3), from: Seat::User, to: Seat::Conductor, message }
    }

    fn closed(reward: f64) -> Message {
        let json = json!({
            "ending": {"kind": "solved"}, "success": true, "reward": 0.0,
            "counts": {"steps": 1, "questions": 0, "actions": 1, "invalid": 0, "faults": 0},
        });
        Message::Closed(Outcome { reward, ..serde_json::from_value(json).unwrap() })
    }

    #[test]
    fn a_line_is_flat_and_begins_with_schema_and_episode() {
        let mut lines = Vec::new();
        let encoder = EventEncoder::new(&id());
        encoder.encode(&event(Message::Moved(Move::think("a\nb"))), &mut lines).unwrap();
        let expected = concat!(
            r#"{"schema":1,"episode":"main:12:0","seq":4,"cause":3,"from":"user","#,
            r#""to":"conductor","message":{"moved":{"kind":"think","text":"a\nb"}}}"#,
            "\n"
        );
        assert_eq!(String::from_utf8(lines).unwrap(), expected);
    }

    #[test]
    fn a_line_that_was_written_in_another_way_is_read_as_well() {
        let mut lines = Vec::new();
        let written = event(Message::Moved(Move::think("\u{e9}\n")));
        EventEncoder::new(&id()).encode(&written, &mut lines).unwrap();
        let line = lines.strip_suffix(b"\n").unwrap();
        assert_eq!(plain_event(line), Some((id(), written.clone())));
        let text = std::str::from_utf8(line).unwrap();
        for (other, is_event) in [
            (text.replace(":4,", ": 4,"), true),
            (text.replace("user", "\\u0075ser"), true),
            (text.replace("}}}", "}},\"more\":{}}"), true),
            (text.replace(":4,", ":04,"), false),
            (text.replace("}}}", "}},\"seq\":{}}"), false),
            (text.replace("think", "thing"), false),
            (text.replace("user", "User"), false),
            (text.replace("main:", "main:x:"), false),
        ] {
            assert_eq!(plain_event(other.as_bytes()), None, "{other}");
            let read = decode_event(Path::new("x"), 1, other.as_bytes()).ok();
            assert_eq!(read, is_event.then(|| (id(), written.clone())), "{other}");
        }
    }

    #[test]
    fn what_could_not_be_read_back_is_not_written() {
        let mut lines = b"before\n".to_vec();
        let encoder = EventEncoder::new(&id());
        for reward in [f64::NAN, f64::INFINITY] {
            let error = encoder.encode(&event(closed(reward)), &mut lines).unwrap_err();
            assert!(error.seq == 4 && error.problem.contains("no finite number"));
        }
        let deep = (0..120).fold(Value::Null, |inner, _| json!([inner]));
        let finish = Message::Moved(Move::Finish { answer: Box::new(deep) });
        let error = encoder.encode(&event(finish), &mut lines);
        assert!(error.unwrap_err().problem.contains("nested deeper"));
        assert_eq!(lines, b"before\n");
    }

    #[test]
    fn brackets_in_a_text_are_not_nesting() {
        let mut lines = Vec::new();
        let message = Message::Moved(Move::think("\"[{\\".repeat(200)));
        let written = event(message);
        EventEncoder::new(&id()).encode(&written, &mut lines).unwrap();
        let (_, read) = decode_event(Path::new("x"), 1, &lines).unwrap();
        assert_eq!(read, written);
    }

    #[test]
    fn data_of_the_allowed_depth_is_read_back() {
        let deep = (0..90).fold(Value::Null, |inner, _| json!([inner]));
        let messages = [
            Message::Moved(Move::Finish { answer: Box::new(deep.clone()) }),
            Message::Scored(Box::new(crate::domain::Scored {
                trial: 0,
                round: 0,
                ending: crate::domain::Ending::Solved,
                score: Score { success: true, reward: 0.1 + 0.2, detail: deep },
            })),
        ];
        for message in messages {
            let mut lines = Vec::new();
            let written = event(message);
            EventEncoder::new(&id()).encode(&written, &mut lines).unwrap();
            let (_, read) = decode_event(Path::new("x"), 1, &lines).unwrap();
            assert_eq!(read, written);
        }
    }

    #[test]
    fn an_unreadable_line_is_named() {
        let path = Path::new("events.jsonl");
        let newer = br#"{"schema":7,"episode":3}"#;
        let error = decode_event(path, 9, newer).unwrap_err().to_string();
        assert_eq!(error, "`events.jsonl` line 9: written in schema 7, but this version reads schema 1");
        let error = decode_event(path, 2, b"{}").unwrap_err().to_string();
        assert!(error.starts_with("`events.jsonl` line 2: not an event: "), "{error}");
    }

    fn of(lines: &[&[u8]]) -> Digest {
        let mut digest = Digest::default();
        lines.iter().for_each(|line| digest.add(line));
        digest
    }

    #[test]
    fn every_line_and_their_order_count() {
        let all = of(&[b"one\n", b"two\n"]);
        // What was written once must be read by every later version.
        assert_eq!(all.to_string(), "c164290628f0bb11");
        for other in [
            of(&[b"two\n", b"one\n"]),
            of(&[b"one\n"]),
            of(&[b"one\ntwo\n"]),
            of(&[b"one\n", b"two"]),
            of(&[b"one\n", b"two\n", b"\n"]),
        ] {
            assert_ne!(other, all);
        }
    }

    #[test]
    fn it_is_read_as_it_is_written() {
        let digest = of(&[b"x\n"]);
        assert_eq!(digest.to_string().parse(), Ok(digest));
        assert_eq!(Digest(7).to_string(), "0000000000000007");
        for wrong in ["", "7", "00000000000000070", "+000000000000007", "000000000000000g"] {
            assert_eq!(wrong.parse::<Digest>(), Err(InvalidDigest), "{wrong}");
        }
    }

    #[test]
    fn the_head_of_a_written_line_is_found_without_reading_the_rest() {
        let text = concat!(
            r#"{"schema":1,"episode":"main:12:0","seq":4,"cause":3,"from":"user","#,
            r#""to":"conductor","message":{"moved":{"kind":"think","text":"a"}}}"#
        );
        let line = text.as_bytes();
        assert_eq!(plain_head(line), Some((&b"main:12:0"[..], 4)));
        assert!(PLAIN_START.contains(&format!(":{SCHEMA},")));
        for other in [
            text.replace("\"schema\":1", "\"schema\":2"),
            text.replace("\"seq\":4", "\"seq\":-4"),
            text.replace("\"seq\":4", "\"seq\":4.5"),
            text.replace("\"seq\":4", "\"seq\":4000000000000"),
            text[..text.len() - 2].to_owned(),
        ] {
            assert_eq!(plain_head(other.as_bytes()), None, "{other}");
        }
    }
}
