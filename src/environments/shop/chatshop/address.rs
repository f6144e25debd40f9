//! Keywords as they arrive at the search service of the original program, which puts them into an address as
//! they are: some signs end them or mean something else.

/// A query as the service reads it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sent {
    /// The keywords, in small letters.
    pub keywords: String,
    /// It still knows for which goal: after a `#` it does not, and finds nothing.
    pub known: bool,
}

/// Reads keywords as the service does: `#` ends the address, `&` the keywords, `+` is a blank, and `%41` a letter.
pub fn as_sent(keywords: &str) -> Sent {
    let before = keywords.split('#').next().unwrap_or_default();
    let first = before.split('&').next().unwrap_or_default();
    Sent {
        keywords: decoded(&first.replace('+', " ")).to_lowercase(),
        known: before.len() == keywords.len(),
    }
}

/// The text with the bytes that `%` and two digits stand for.
fn decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        let digit = |place: usize| {
            bytes
                .get(place)
                .and_then(|digit| (*digit as char).to_digit(16))
        };
        match (byte, digit(at + 1), digit(at + 2)) {
            (b'%', Some(high), Some(low)) => {
                // Two digits of 16 are a byte.
                decoded.push((high * 16 + low) as u8);
                at += 3;
            }
            _ => {
                decoded.push(*byte);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&decoded).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_of_addresses_change_the_query() {
        let sent = |keywords| as_sent(keywords);
        assert_eq!(sent("Blue shirt").keywords, "blue shirt");
        assert_eq!(sent("meat & seafood").keywords, "meat ");
        assert_eq!(sent("50%+more").keywords, "50% more");
        assert_eq!(sent("a%41%c3%a9%4").keywords, "aaé%4");
        assert!(sent("a & b").known);
        assert!(!sent("a & b #1").known);
    }
}
