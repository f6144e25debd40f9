//! Who may ask: one check of where a request comes from and of the token, for everything that the listener
//! serves. A page that somebody's browser has open elsewhere is not let in, nor is whoever lacks the token.

use std::fs::File;
use std::io::Read;
use std::net::IpAddr;
use std::path::Path;
use std::sync::{Arc, PoisonError, RwLock};

use axum::http::header::{AUTHORIZATION, COOKIE, HOST, HeaderMap, HeaderName, ORIGIN, UPGRADE};
use axum::http::{StatusCode, Uri};

use super::ListenError;

/// The cookie that may carry the token.
pub const COOKIE_NAME: &str = "rolecall";

/// The fewest characters of a token: 128 bits as hexadecimal digits.
const FEWEST: usize = 32;

/// The largest file that is read as a token, in bytes.
const LONGEST: u64 = 1024;

/// A secret that lets clients in. Only its hash is kept; comparing hashes takes the same time whatever they are.
#[derive(Clone, Debug)]
pub struct Token(blake3::Hash);

impl Token {
    /// Reads the token that a file holds.
    ///
    /// # Errors
    /// When the file cannot be read, or what it holds is too short or has other characters than tokens may have.
    pub fn read(file: &Path) -> Result<Self, ListenError> {
        let wrong = |problem: String| ListenError::Token { file: file.to_owned(), problem };
        let mut text = String::new();
        File::open(file)
            .and_then(|file| file.take(LONGEST).read_to_string(&mut text))
            .map_err(|error| wrong(format!("cannot be read: {error}")))?;
        let text = text.trim();
        if !text.chars().all(|letter| letter.is_ascii_alphanumeric() || "-_.~+/=".contains(letter)) {
            return Err(wrong("holds more than letters, digits and `-_.~+/=`".to_owned()));
        }
        let mut letters: Vec<char> = text.chars().collect();
        let length = letters.len();
        letters.sort_unstable();
        letters.dedup();
        if length < FEWEST || letters.len() < 8 {
            return Err(wrong(format!("is no secret: it needs {FEWEST} characters by chance, and has {length}")));
        }
        Ok(Self(blake3::hash(text.as_bytes())))
    }

    /// Makes a new one, and gives the text with which it is asked for.
    ///
    /// # Errors
    /// When the system has no random numbers.
    pub fn random() -> Result<(Self, String), ListenError> {
        let mut bytes = [0; 16];
        rustls::crypto::ring::default_provider().secure_random.fill(&mut bytes).map_err(|_| ListenError::Random)?;
        let text: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        Ok((Self(blake3::hash(text.as_bytes())), text))
    }

    fn is(&self, text: &str) -> bool {
        self.0 == blake3::hash(text.as_bytes())
    }
}

/// Tokens for some people, each of which opens a part of what is served. Clones are the same tickets.
#[derive(Clone, Debug, Default)]
pub struct Tickets(Arc<RwLock<Vec<Token>>>);

impl Tickets {
    /// Makes a ticket: its number, from 0, and the text with which it is asked for.
    ///
    /// # Errors
    /// When the system has no random numbers.
    pub fn issue(&self) -> Result<(usize, String), ListenError> {
        let (token, text) = Token::random()?;
        let mut all = self.0.write().unwrap_or_else(PoisonError::into_inner);
        all.push(token);
        Ok((all.len() - 1, text))
    }

    fn number(&self, text: &str) -> Option<usize> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).iter().position(|token| token.is(text))
    }
}

/// Who a request comes from, as far as its token says. Every request that is let in carries one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grant {
    /// Whoever has the token, or anybody where none is needed: everything is open.
    Owner,
    /// The holder of a ticket, by its number.
    Ticket(usize),
    /// Somebody without either, who asks for what is open to all.
    Stranger,
}

/// The rules of a listener.
#[derive(Clone, Debug)]
pub struct Access {
    /// The token that is needed; none: whoever reaches the listener may ask.
    pub token: Option<Token>,
    /// The tickets that let in as well.
    pub tickets: Tickets,
    /// Whether only this machine reaches the listener.
    pub loopback: bool,
    /// Paths for which neither is needed.
    pub open: &'static [&'static str],
}

impl Access {
    /// Lets a request in, or says why not.
    ///
    /// # Errors
    /// The status and the reason of a refusal.
    pub fn check(&self, headers: &HeaderMap, uri: &Uri) -> Result<Grant, (StatusCode, &'static str)> {
        let forbidden = |reason| Err((StatusCode::FORBIDDEN, reason));
        let host = text(headers, &HOST).unwrap_or_default();
        // A name of somebody else's that leads here is a page's way around the check of its origin.
        if self.loopback && !is_this_machine(host) {
            return forbidden("`Host` is not this machine");
        }
        if headers.contains_key(ORIGIN) && !is_own(text(headers, &ORIGIN), host) {
            return forbidden("`Origin` is another site");
        }
        let Some(token) = &self.token else {
            return Ok(Grant::Owner);
        };
        if given(headers, uri).any(|text| token.is(text)) {
            return Ok(Grant::Owner);
        }
        let mut tickets = given(headers, uri).filter_map(|text| self.tickets.number(text));
        match tickets.next() {
            Some(number) => Ok(Grant::Ticket(number)),
            None if self.open.contains(&uri.path()) => Ok(Grant::Stranger),
            None => Err((StatusCode::UNAUTHORIZED, "a token is needed: `Authorization: Bearer TOKEN`")),
        }
    }

    /// Whether the text is the token or a ticket.
    pub fn knows(&self, text: &str) -> bool {
        let token = self.token.as_ref();
        token.is_some_and(|token| token.is(text)) || self.tickets.number(text).is_some()
    }
}

fn text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    headers.get(name)?.to_str().ok()
}

/// Whether an origin is that of pages which this listener itself serves.
fn is_own(origin: Option<&str>, host: &str) -> bool {
    let site = origin.and_then(|origin| origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://")));
    site.is_some_and(|site| site.eq_ignore_ascii_case(host))
}

fn is_this_machine(host: &str) -> bool {
    let name = match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => host.rsplit_once(':').map_or(host, |(name, _)| name),
    };
    let address: Option<IpAddr> = name.parse().ok();
    address.is_some_and(|address| address.is_loopback()) || name.eq_ignore_ascii_case("localhost")
}

/// The tokens that a request comes with.
fn given<'a>(headers: &'a HeaderMap, uri: &'a Uri) -> impl Iterator<Item = &'a str> {
    let bearer = text(headers, &AUTHORIZATION).and_then(|value| {
        let (scheme, token) = value.split_once(' ')?;
        scheme.eq_ignore_ascii_case("bearer").then_some(token.trim())
    });
    let cookie = headers
        .get_all(COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(';'))
        .filter_map(|cookie| {
            let (name, value) = cookie.trim().split_once('=')?;
            // Browsers send the cookies of a host to all its ports: pages have one for each (`rolecall-8000`).
            name.starts_with(COOKIE_NAME).then_some(value)
        });
    // Browsers can set no header for a socket. Elsewhere addresses end up in histories and logs.
    let socket = text(headers, &UPGRADE).is_some_and(|value| value.eq_ignore_ascii_case("websocket"));
    let query =
        uri.query().filter(|_| socket).unwrap_or_default().split('&').filter_map(|pair| pair.strip_prefix("token="));
    bearer.into_iter().chain(cookie).chain(query)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECRET: &str = "0123456789abcdef0123456789abcdef";

    fn access(token: bool, loopback: bool) -> Access {
        let token = token.then(|| Token(blake3::hash(SECRET.as_bytes())));
        Access { token, tickets: Tickets::default(), loopback, open: &["/login"] }
    }

    fn refusal(access: &Access, headers: &[(&'static str, &str)], uri: &str) -> Option<u16> {
        let mut all = HeaderMap::new();
        for (name, value) in headers {
            all.append(*name, value.parse().unwrap());
        }
        let checked = access.check(&all, &uri.parse().unwrap());
        checked.err().map(|(status, _)| status.as_u16())
    }

    #[test]
    fn only_this_machine_and_our_own_pages_ask_without_a_token() {
        let open = access(false, true);
        for host in ["127.0.0.1:80", "localhost", "[::1]:9", "LOCALHOST:1"] {
            assert_eq!(refusal(&open, &[("host", host)], "/"), None, "{host}");
        }
        for host in ["", "evil.example", "127.0.0.1.evil.example:80", "10.0.0.1"] {
            assert_eq!(refusal(&open, &[("host", host)], "/"), Some(403), "{host}");
        }
        let from = |origin| refusal(&open, &[("host", "localhost:9"), ("origin", origin)], "/");
        assert_eq!(from("http://localhost:9"), None);
        for origin in ["null", "http://localhost:8", "http://evil.example", ""] {
            assert_eq!(from(origin), Some(403), "{origin}");
        }
    }

    #[test]
    fn a_token_comes_as_header_or_cookie_and_for_sockets_in_the_address() {
        let closed = access(true, false);
        let bearer = format!("Bearer {SECRET}");
        let cookie = format!("a=b; rolecall={SECRET}");
        let uri = format!("/ws?x=1&token={SECRET}");
        let host = ("host", "lab.example");
        assert_eq!(refusal(&closed, &[host, ("authorization", &bearer)], "/"), None);
        assert_eq!(refusal(&closed, &[host, ("cookie", &cookie)], "/"), None);
        assert_eq!(refusal(&closed, &[host, ("upgrade", "websocket")], &uri), None);
        assert_eq!(refusal(&closed, &[host], &uri), Some(401));
        assert_eq!(refusal(&closed, &[host], "/"), Some(401));
        let wrong = [host, ("authorization", "Bearer 0123456789abcdef")];
        assert_eq!(refusal(&closed, &wrong, "/"), Some(401));
    }

    #[test]
    fn a_ticket_is_no_token_and_what_is_open_needs_neither() {
        let closed = access(true, true);
        let (first, one) = closed.tickets.issue().unwrap();
        let (second, other) = closed.tickets.clone().issue().unwrap();
        assert_eq!((first, second), (0, 1));
        assert_ne!(one, other);
        let granted = |text: &str, path: &str| {
            let mut headers = HeaderMap::new();
            headers.append("host", "localhost:9".parse().unwrap());
            let cookie = format!("rolecall-9={text}");
            headers.append("cookie", cookie.parse().unwrap());
            closed.check(&headers, &path.parse().unwrap()).ok()
        };
        assert_eq!(granted(SECRET, "/"), Some(Grant::Owner));
        assert_eq!(granted(&other, "/"), Some(Grant::Ticket(1)));
        assert_eq!(granted("", "/login"), Some(Grant::Stranger));
        assert_eq!(granted("", "/login/x"), None);
        assert!(closed.knows(&one) && closed.knows(SECRET) && !closed.knows(""));
    }

    #[test]
    fn what_is_no_secret_is_no_token() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("token");
        assert!(Token::read(&file).unwrap_err().to_string().contains("openssl rand"));
        for text in ["", "short", &"a".repeat(64), &format!("{SECRET} {SECRET}")] {
            std::fs::write(&file, text).unwrap();
            assert!(Token::read(&file).is_err(), "{text}");
        }
        std::fs::write(&file, format!("{SECRET}\n")).unwrap();
        assert!(Token::read(&file).unwrap().is(SECRET));
    }
}
