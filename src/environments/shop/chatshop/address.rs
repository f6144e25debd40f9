//! Keywords as they arrive at the search service of the original program, which puts them into an address as
//! they are: some signs end them or mean something else.

/// Reads keywords as the service does: `&` ends them, `+` is a blank, and `%41` a letter. None with a `#`, which ends the
/// address: the service does not know for which goal then, and finds nothing.
pub(super) fn as_sent(keywords: &str) -> Option<String> {
    if keywords.contains('#') {
        return None;
    }
    let first = keywords.split('&').next().unwrap_or_default();
    let blank = first.replace('+', " ");
    let mut parts = blank.split('%');
    let mut decoded = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        let digits = part.get(..2);
        match digits.map(|digits| u8::from_str_radix(digits, 16)) {
            Some(Ok(byte)) => {
                decoded.push(byte);
                decoded.extend_from_slice(&part.as_bytes()[2..]);
            }
            _ => {
                decoded.push(b'%');
                decoded.extend_from_slice(part.as_bytes());
            }
        }
    }
    Some(String::from_utf8_lossy(&decoded).to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_of_addresses_change_the_query() {
        let cases = [
            ("Blue shirt", Some("blue shirt")),
            ("meat & seafood", Some("meat ")),
            ("50%+more", Some("50% more")),
            ("a%41%c3%a9%4", Some("aaé%4")),
            ("%%41%", Some("%a%")),
            ("%é", Some("%é")),
            ("a & b #1", None),
        ];
        for (keywords, sent) in cases {
            assert_eq!(as_sent(keywords).as_deref(), sent, "{keywords}");
        }
    }
}
