//! Lines that look as [`EventEncoder`](super::EventEncoder) writes them, read without a JSON reader as far as
//! that goes.

use crate::domain::{EpisodeId, Event, Seat};

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
    use super::*;
    use crate::domain::SCHEMA;

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
