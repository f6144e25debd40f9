//! Server-sent events, read from chunks that are split anywhere. Pure: no input or output.

/// Takes events out of a stream of bytes, however it is split.
///
/// Lines end with `\n`, `\r\n` or `\r`; comments and fields other than `data` and `event` are left
/// out; an event ends at an empty line. What is kept of the stream is bounded.
#[derive(Debug, Default)]
pub struct SseParser {
    line: Vec<u8>,
    data: Vec<u8>,
    name: Vec<u8>,
    has_data: bool,
    after_return: bool,
    is_begun: bool,
    limit: usize,
}

/// An event of a stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SseEvent {
    /// Its name; empty if it has none.
    pub name: Vec<u8>,
    /// Its data: the lines joined with `\n`.
    pub data: Vec<u8>,
}

/// An event has more bytes than are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("an event of more than {0} bytes")]
pub struct EventTooLarge(pub usize);

const MARK: &[u8] = b"\xef\xbb\xbf";

impl SseParser {
    /// A parser at the start of a stream; an event may have `limit` bytes.
    pub fn new(limit: usize) -> Self {
        Self { limit, ..Self::default() }
    }

    /// Reads on, and adds the events that are complete now.
    pub fn push(&mut self, chunk: &[u8], events: &mut Vec<SseEvent>) -> Result<(), EventTooLarge> {
        let mut rest = chunk;
        if self.after_return && !rest.is_empty() {
            self.after_return = false;
            rest = rest.strip_prefix(b"\n").unwrap_or(rest);
        }
        while let Some(end) = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r')) {
            self.keep(&rest[..end])?;
            let was_return = rest[end] == b'\r';
            rest = &rest[end + 1..];
            if was_return {
                match rest.strip_prefix(b"\n") {
                    Some(after) => rest = after,
                    // Its `\n` may come with the next chunk.
                    None => self.after_return = rest.is_empty(),
                }
            }
            events.extend(self.end_line());
        }
        self.keep(rest)
    }

    /// Says that nothing more comes. Gives the event that only lacks its empty line: some servers
    /// end their last event with the stream.
    pub fn finish(&mut self) -> Option<SseEvent> {
        let ended = self.end_line();
        ended.or_else(|| self.take())
    }

    fn keep(&mut self, bytes: &[u8]) -> Result<(), EventTooLarge> {
        if self.line.len() + self.data.len() + bytes.len() > self.limit {
            return Err(EventTooLarge(self.limit));
        }
        self.line.extend_from_slice(bytes);
        Ok(())
    }

    fn end_line(&mut self) -> Option<SseEvent> {
        let mut line = self.line.as_slice();
        if !std::mem::replace(&mut self.is_begun, true) {
            line = line.strip_prefix(MARK).unwrap_or(line);
        }
        if line.is_empty() {
            self.line.clear();
            return self.take();
        }
        let colon = line.iter().position(|byte| *byte == b':');
        let (field, value) = match colon {
            Some(colon) => (&line[..colon], &line[colon + 1..]),
            None => (line, &line[line.len()..]),
        };
        let value = value.strip_prefix(b" ").unwrap_or(value);
        match field {
            b"data" => {
                if std::mem::replace(&mut self.has_data, true) {
                    self.data.push(b'\n');
                }
                self.data.extend_from_slice(value);
            }
            b"event" => {
                self.name.clear();
                self.name.extend_from_slice(value);
            }
            _ => {}
        }
        self.line.clear();
        None
    }

    /// The event so far; one without data is none.
    fn take(&mut self) -> Option<SseEvent> {
        let name = std::mem::take(&mut self.name);
        let data = std::mem::take(&mut self.data);
        std::mem::take(&mut self.has_data).then_some(SseEvent { name, data })
    }
}

/// All events of a stream that comes in these chunks; for fuzzing and tests.
pub fn events_of<'a>(chunks: impl IntoIterator<Item = &'a [u8]>, limit: usize) -> Result<Vec<SseEvent>, EventTooLarge> {
    let mut parser = SseParser::new(limit);
    let mut events = Vec::new();
    for chunk in chunks {
        parser.push(chunk, &mut events)?;
    }
    events.extend(parser.finish());
    Ok(events)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn data(stream: &str) -> Vec<String> {
        let events = events_of([stream.as_bytes()], 1 << 20).unwrap();
        let text = |event: SseEvent| String::from_utf8(event.data).unwrap();
        events.into_iter().map(text).collect()
    }

    #[test]
    fn events_end_at_empty_lines_of_every_kind() {
        assert_eq!(data("data: a\n\ndata: b\r\n\r\ndata: c\r\r"), ["a", "b", "c"]);
        assert_eq!(data("data: a\ndata:b\ndata:  c\n\n"), ["a\nb\n c"]);
        assert_eq!(data("\u{feff}data: a\n\n"), ["a"]);
    }

    #[test]
    fn comments_and_unknown_fields_are_left_out() {
        let stream = ": ping\n\nid: 7\nretry: 10\ndata: a\n: ping\ndata\n\nevent: x\n\n";
        assert_eq!(data(stream), ["a\n"]);
    }

    #[test]
    fn the_last_event_needs_no_empty_line() {
        assert_eq!(data("data: a\n\ndata: [DONE]"), ["a", "[DONE]"]);
        assert_eq!(data("data: a\n\ndata: [DONE]\n"), ["a", "[DONE]"]);
    }

    #[test]
    fn events_keep_their_names() {
        let events = events_of([b"event: error\ndata: {}\n\ndata: 1\n\n".as_slice()], 99);
        let names: Vec<Vec<u8>> = events.unwrap().into_iter().map(|event| event.name).collect();
        assert_eq!(names, [b"error".to_vec(), Vec::new()]);
    }

    #[test]
    fn an_event_is_bounded_and_a_stream_is_not() {
        let long = [b"data: 0123456789\n".as_slice(); 3];
        assert_eq!(events_of(long, 30), Err(EventTooLarge(30)));
        let many = [b"data: 0123456789\n\n".as_slice(); 100];
        assert_eq!(events_of(many, 30).unwrap().len(), 100);
    }

    proptest! {
        #[test]
        fn any_split_gives_the_same_events(
            pieces in proptest::collection::vec(
                prop_oneof!["data: ", "\n", "\r\n", "\r", ": ping", "event: e", "ü🙂", "[a-z:]{0,6}"],
                0..40,
            ),
            cuts in proptest::collection::vec(any::<prop::sample::Index>(), 0..12),
        ) {
            let stream: Vec<u8> = pieces.concat().into_bytes();
            let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(stream.len() + 1)).collect();
            cuts.extend([0, stream.len()]);
            cuts.sort_unstable();
            let split = cuts.windows(2).map(|cut| &stream[cut[0]..cut[1]]);
            let whole = events_of([stream.as_slice()], 1 << 20);
            prop_assert_eq!(&events_of(split, 1 << 20), &whole);
            prop_assert_eq!(&events_of(stream.chunks(1), 1 << 20), &whole);
        }
    }
}
