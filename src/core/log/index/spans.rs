//! The spans of an episode in few bytes: a run has about ten of them for each of its episodes.

use serde::{Deserialize, Serialize};

/// Events of one episode that follow each other in a file as well as in the episode: usually those
/// of one turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Span {
    /// Position of the first event in its episode.
    pub(crate) seq: u32,
    /// Number of events.
    pub(crate) count: u32,
    /// The start of the first line among all lines of the run, in bytes.
    pub(crate) offset: u64,
    /// Bytes of all lines, newlines included.
    pub(crate) length: u64,
    /// Number of the first line in its file, from 1.
    pub(crate) line: u64,
}

/// Spans in the order in which they were added.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Spans {
    /// Each by its distance from the end of the one before.
    #[serde(with = "whole")]
    packed: Vec<u8>,
    /// The last one while it may still grow.
    open: Option<Box<Open>>,
}

/// A span that is not packed yet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Open {
    /// The end of the one before.
    end: End,
    span: Span,
}

/// Bytes written and read as a whole rather than one by one.
mod whole {
    use std::fmt;

    use serde::de::{Error, Visitor};
    use serde::{Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(bytes)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
        deserializer.deserialize_bytes(Bytes)
    }

    struct Bytes;

    impl Visitor<'_> for Bytes {
        type Value = Vec<u8>;

        fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
            formatter.write_str("bytes")
        }

        fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Vec<u8>, E> {
            Ok(bytes.to_vec())
        }
    }
}

/// Where a span would go on that follows another one at once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct End {
    seq: u32,
    offset: u64,
    line: u64,
}

impl End {
    fn of(span: &Span) -> Self {
        Self {
            seq: span.seq.wrapping_add(span.count),
            offset: span.offset.wrapping_add(span.length),
            line: span.line.wrapping_add(span.count.into()),
        }
    }
}

impl Spans {
    /// The span that was added last.
    pub(crate) fn last(&self) -> Option<Span> {
        match &self.open {
            Some(open) => Some(open.span),
            None => self.iter().last(),
        }
    }

    /// The span that was added last, to let it grow.
    pub(super) fn last_mut(&mut self) -> Option<&mut Span> {
        if self.open.is_none() {
            // Only an index that is gone on with comes here.
            *self = self.iter().collect();
        }
        self.open.as_mut().map(|open| &mut open.span)
    }

    pub(super) fn push(&mut self, span: Span) {
        if let Some(open) = &mut self.open {
            write_span(&open.span, open.end, &mut self.packed);
            (open.end, open.span) = (End::of(&open.span), span);
            return;
        }
        let end = self.last().map_or_else(End::default, |last| End::of(&last));
        self.open = Some(Box::new(Open { end, span }));
    }

    /// All of them.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Span> {
        let (mut bytes, mut end) = (self.packed.as_slice(), End::default());
        let packed = std::iter::from_fn(move || {
            let span = next(&mut bytes, end)?;
            end = End::of(&span);
            Some(span)
        });
        packed.chain(self.open.as_ref().map(|open| open.span))
    }

    /// Puts the spans in the order of their events, and packs them all.
    pub(super) fn sorted(mut self) -> Self {
        let is_sorted = self.iter().is_sorted_by_key(|span| (span.seq, span.offset));
        if !is_sorted {
            let mut spans: Vec<Span> = self.iter().collect();
            spans.sort_by_key(|span| (span.seq, span.offset));
            self = spans.into_iter().collect();
        }
        if let Some(open) = self.open.take() {
            write_span(&open.span, open.end, &mut self.packed);
        }
        self.packed.shrink_to_fit();
        self
    }
}

impl FromIterator<Span> for Spans {
    fn from_iter<I: IntoIterator<Item = Span>>(spans: I) -> Self {
        let mut all = Self::default();
        spans.into_iter().for_each(|span| all.push(span));
        all
    }
}

fn write_span(span: &Span, end: End, bytes: &mut Vec<u8>) {
    for number in [
        span.seq.wrapping_sub(end.seq).into(),
        span.count.into(),
        span.offset.wrapping_sub(end.offset),
        span.length,
        span.line.wrapping_sub(end.line),
    ] {
        write(number, bytes);
    }
}

fn next(bytes: &mut &[u8], end: End) -> Option<Span> {
    let seq = u32::try_from(read(bytes)?).ok()?;
    let count = u32::try_from(read(bytes)?).ok()?;
    let (offset, length, line) = (read(bytes)?, read(bytes)?, read(bytes)?);
    Some(Span {
        seq: end.seq.wrapping_add(seq),
        count,
        offset: end.offset.wrapping_add(offset),
        length,
        line: end.line.wrapping_add(line),
    })
}

/// Seven bits a byte, the lowest first; the highest bit says that there are more.
fn write(mut number: u64, bytes: &mut Vec<u8>) {
    while number > 0x7f {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn read(bytes: &mut &[u8]) -> Option<u64> {
    let (mut number, mut shift) = (0, 0);
    loop {
        let (byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u64::from(byte & 0x7f).checked_shl(shift)?;
        if byte & 0x80 == 0 {
            return Some(number);
        }
        shift += 7;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_are_read_as_they_were_added() {
        let span = |seq, count, offset, line| Span { seq, count, offset, length: u64::from(count) * 100, line };
        let all = [
            span(0, 3, 1 << 40, 9),
            span(3, 1, (1 << 40) + 5_000, 12),
            // In another file, where lines are counted from 1 again.
            span(4, 2, (1 << 40) + 9_000, 1),
            // As only a foreign hand leaves them.
            span(2, 1, 7, u64::MAX),
            span(u32::MAX, u32::MAX, u64::MAX, 0),
            span(5, 1, 0, 3),
        ];
        for count in 0..=all.len() {
            let spans: Spans = all[..count].iter().copied().collect();
            assert!(spans.iter().eq(all[..count].iter().copied()));
            assert_eq!(spans.last(), all[..count].last().copied());
            let bytes = postcard::to_allocvec(&spans).unwrap();
            assert_eq!(postcard::from_bytes::<Spans>(&bytes).unwrap(), spans);
            let mut sorted = spans.sorted();
            let order: Vec<u32> = sorted.iter().map(|span| span.seq).collect();
            assert!(order.is_sorted() && order.len() == count);
            // One that is gone on with.
            let last = sorted.last();
            if let (Some(grown), Some(last)) = (sorted.clone().last_mut(), last) {
                assert_eq!(*grown, last);
            }
            sorted.push(span(7, 1, 3, 9));
            assert_eq!(sorted.iter().count(), count + 1);
            assert_eq!(sorted.last(), Some(span(7, 1, 3, 9)));
        }
    }
}
