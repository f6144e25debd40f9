//! JSON as it comes in, of which long texts are not kept to their end. Pure: no input or output.

use bytes::{Bytes, BytesMut};

/// Bytes of JSON that may stand for one byte of a text (`\u0041`).
pub(crate) const ESCAPED: usize = 6;

/// JSON that comes in pieces and is kept with its long texts cut.
#[derive(Debug)]
pub(crate) struct Squeezed {
    kept: BytesMut,
    /// The most bytes of a text, as they are written.
    text: usize,
    /// The most bytes of all.
    all: usize,
    place: Position,
}

/// The digits of `\u0041`.
const DIGITS: u8 = 4;
/// A `\` came before.
const ESCAPE: u8 = DIGITS + 1;

/// The place in the JSON at which the next byte stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Position {
    Outside,
    /// In a text of which so many bytes are kept. The letter goes on for so many digits, or with what
    /// stands behind a `\` ([`ESCAPE`]).
    Text {
        kept: usize,
        letter: u8,
    },
    /// In the rest of a text, which is not kept; a `\` came before.
    Rest {
        escaped: bool,
    },
}

/// More bytes than this, which may be kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TooMany(pub(crate) usize);

impl Squeezed {
    /// Keeps so many bytes of each text, and so many of all.
    pub(crate) fn new(text: usize, all: usize) -> Self {
        Self { kept: BytesMut::new(), text, all, place: Position::Outside }
    }

    /// Reads on.
    pub(crate) fn push(&mut self, piece: &[u8]) -> Result<(), TooMany> {
        if self.text >= self.all {
            return self.keep(piece);
        }
        let mut rest = piece;
        while !rest.is_empty() {
            let (length, place) = match self.place {
                Position::Outside => until_text(rest),
                Position::Text { kept, letter } => self.until_too_long(rest, kept, letter),
                Position::Rest { escaped } => until_end(rest, escaped),
            };
            let (part, after) = rest.split_at(length);
            if !matches!(self.place, Position::Rest { .. }) {
                self.keep(part)?;
            }
            (self.place, rest) = (place, after);
        }
        Ok(())
    }

    /// The kept JSON.
    pub(crate) fn end(self) -> Bytes {
        self.kept.freeze()
    }

    fn keep(&mut self, bytes: &[u8]) -> Result<(), TooMany> {
        if self.kept.len() + bytes.len() > self.all {
            return Err(TooMany(self.all));
        }
        self.kept.extend_from_slice(bytes);
        Ok(())
    }

    /// The bytes up to the end of the text, or up to the letter at which too many of it are kept.
    fn until_too_long(&self, bytes: &[u8], mut kept: usize, mut letter: u8) -> (usize, Position) {
        for (number, byte) in bytes.iter().enumerate() {
            if letter == 0 {
                let goes_on = (0x80..0xc0).contains(byte);
                match byte {
                    b'"' => return (number + 1, Position::Outside),
                    _ if kept >= self.text && !goes_on => {
                        return (number, Position::Rest { escaped: false });
                    }
                    b'\\' => letter = ESCAPE,
                    _ => {}
                }
            } else {
                letter = match byte {
                    b'u' if letter == ESCAPE => DIGITS,
                    _ if letter == ESCAPE => 0,
                    _ => letter - 1,
                };
            }
            kept += 1;
        }
        (bytes.len(), Position::Text { kept, letter })
    }
}

fn until_text(bytes: &[u8]) -> (usize, Position) {
    match bytes.iter().position(|byte| *byte == b'"') {
        Some(place) => (place + 1, Position::Text { kept: 0, letter: 0 }),
        None => (bytes.len(), Position::Outside),
    }
}

/// The bytes up to the `"` that ends the text, which is kept.
fn until_end(bytes: &[u8], mut escaped: bool) -> (usize, Position) {
    for (number, byte) in bytes.iter().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => {
                // The end is read once more, as that of a text that is kept.
                let end = Position::Text { kept: 0, letter: 0 };
                return (number, end);
            }
            _ => {}
        }
    }
    (bytes.len(), Position::Rest { escaped })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::*;

    fn squeezed(pieces: &[&[u8]], text: usize) -> Bytes {
        let mut squeezed = Squeezed::new(text, 1 << 20);
        for piece in pieces {
            squeezed.push(piece).unwrap();
        }
        squeezed.end()
    }

    #[test]
    fn long_texts_are_cut_between_letters_and_the_rest_stays() {
        let long = format!("{{\"a\":\"{}\",\"b\":[1,\"x\\\"y\"]}}", "\\u00fc\\\\é\\\"".repeat(9));
        for text in 6..20 {
            let kept = squeezed(&[long.as_bytes()], text);
            let value: Value = serde_json::from_slice(&kept).unwrap();
            assert_eq!(value["b"], json!([1, "x\"y"]));
            let cut = value["a"].as_str().unwrap();
            assert!("ü\\é\"".repeat(9).starts_with(cut), "{cut}");
            // Every byte of a text has at most so many in JSON.
            assert!(cut.len() >= text / ESCAPED, "{cut}");
        }
    }

    #[test]
    fn all_of_it_is_bounded() {
        let mut squeezed = Squeezed::new(10, 30);
        assert_eq!(squeezed.push(&[b'"'; 1]), Ok(()));
        for _ in 0..1000 {
            assert_eq!(squeezed.push(&[b'x'; 1000]), Ok(()));
        }
        assert_eq!(squeezed.push(b"\", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10"), Err(TooMany(30)));
        let mut whole = Squeezed::new(usize::MAX, 3);
        assert_eq!(whole.push(b"abc"), Ok(()));
        assert_eq!(whole.push(b"d"), Err(TooMany(3)));
    }

    fn any_json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![any::<i32>().prop_map(Value::from), "[a\"\\\\\n\u{1}ü🙂]{0,12}".prop_map(Value::from),];
        leaf.prop_recursive(3, 24, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                prop::collection::btree_map("[a-c]{1,2}", inner, 0..4)
                    .prop_map(|map| Value::Object(map.into_iter().collect())),
            ]
        })
    }

    /// Whether two values are equal but for the texts of the first, which are beginnings of the second's.
    fn is_cut(kept: &Value, whole: &Value, text: usize) -> bool {
        match (kept, whole) {
            (Value::String(kept), Value::String(whole)) => {
                whole.starts_with(kept) && (kept == whole || whole.len() * ESCAPED > text)
            }
            (Value::Array(kept), Value::Array(whole)) => {
                let mut pairs = kept.iter().zip(whole);
                kept.len() == whole.len() && pairs.all(|(kept, whole)| is_cut(kept, whole, text))
            }
            (Value::Object(kept), Value::Object(whole)) => {
                let mut keys = whole.iter();
                kept.len() == whole.len() && keys.all(|(key, whole)| is_cut(&kept[key], whole, text))
            }
            (kept, whole) => kept == whole,
        }
    }

    proptest! {
        #[test]
        fn however_it_comes_the_same_is_kept(
            value in any_json(),
            text in 3_usize..40,
            cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..8),
        ) {
            let json = value.to_string().into_bytes();
            let whole = squeezed(&[&json], text);
            let kept: Value = serde_json::from_slice(&whole).unwrap();
            prop_assert!(is_cut(&kept, &value, text), "{kept} of {value}");
            let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(json.len() + 1)).collect();
            cuts.extend([0, json.len()]);
            cuts.sort_unstable();
            let pieces: Vec<&[u8]> = cuts.windows(2).map(|cut| &json[cut[0]..cut[1]]).collect();
            prop_assert_eq!(&squeezed(&pieces, text), &whole);
        }
    }
}
