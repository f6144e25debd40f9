//! The addresses of a server's routes.

use reqwest::Url;

/// The base URL of a server: with and without `/v1`, with a path before it or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Address {
    /// The base of the routes of the OpenAI interface.
    versioned: String,
    /// Everything before the version.
    root: String,
    local: bool,
    /// Bytes before the path.
    origin: usize,
}

impl Address {
    /// Reads a base URL. The error says what is wrong with it.
    pub(crate) fn new(base_url: &str) -> Result<Self, String> {
        let url = Url::parse(base_url.trim()).map_err(|error| error.to_string())?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err("it starts with neither `http://` nor `https://`".to_owned());
        }
        let Some(host) = url.host_str() else {
            return Err("it names no host".to_owned());
        };
        if url.query().is_some() || url.fragment().is_some() {
            return Err("it has a query (`?`) or a fragment (`#`)".to_owned());
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err("it holds a user or a password; keys come from variables".to_owned());
        }
        let host = host.trim_start_matches('[').trim_end_matches(']');
        let address = host.parse::<std::net::IpAddr>();
        let local = host == "localhost" || address.is_ok_and(|address| address.is_loopback());
        let text = url.as_str().trim_end_matches('/');
        // Some companies have other versions (`/v4`), or go on behind it (`/v1beta/openai`).
        let (root, versioned) = match version_of(text) {
            Some(place) => (&text[..place], text.to_owned()),
            None => (text, format!("{text}/v1")),
        };
        let root = root.trim_end_matches('/').to_owned();
        Ok(Self { origin: url.origin().ascii_serialization().len(), versioned, root, local })
    }

    /// A route of the OpenAI interface, such as `chat/completions`.
    pub(crate) fn versioned(&self, route: &str) -> String {
        format!("{}/{route}", self.versioned)
    }

    /// A route of the server's own, such as `tokenize`.
    pub(crate) fn own(&self, route: &str) -> String {
        format!("{}/{route}", self.root)
    }

    /// The path of a route.
    pub(crate) fn path<'a>(&self, url: &'a str) -> &'a str {
        url.get(self.origin..).unwrap_or(url)
    }

    /// Host and port of a server that is asked without encryption.
    pub(crate) fn open_server(&self) -> Option<&str> {
        self.versioned.get(..self.origin)?.strip_prefix("http://")
    }

    /// Whether the server is on this machine.
    pub(crate) fn is_local(&self) -> bool {
        self.local
    }
}

/// A server's address for a message: without a user, a password, a query or a fragment.
pub fn shown_address(base_url: &str) -> String {
    let Ok(mut url) = Url::parse(base_url.trim()) else {
        return "the server".to_owned();
    };
    // Fails for addresses that cannot have a user.
    let _ = (url.set_username(""), url.set_password(None));
    url.set_query(None);
    url.set_fragment(None);
    url.into()
}

/// The start of the part of a URL's path that names a version, such as `v1` or `v1beta`.
fn version_of(url: &str) -> Option<usize> {
    let is_version = |part: &str| {
        let rest = part.strip_prefix('v');
        rest.is_some_and(|rest| rest.starts_with(|letter: char| letter.is_ascii_digit()))
    };
    let path = url.find("://").map_or(0, |scheme| scheme + 3);
    let mut place = path + url[path..].find('/')?;
    for part in url[place..].split('/').skip(1) {
        place += 1;
        if is_version(part) {
            return Some(place);
        }
        place += part.len();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_may_be_written_or_not() {
        for base in ["http://h:1", "http://h:1/", "http://h:1/v1", "http://h:1/v1/"] {
            let address = Address::new(base).unwrap();
            assert_eq!(address.versioned("models"), "http://h:1/v1/models");
            assert_eq!(address.own("tokenize"), "http://h:1/tokenize");
        }
        let address = Address::new("https://h/team/a/v1").unwrap();
        assert_eq!(address.versioned("x"), "https://h/team/a/v1/x");
        let address = Address::new("https://v2.h/team/vista").unwrap();
        assert_eq!(address.versioned("x"), "https://v2.h/team/vista/v1/x");
        for (base, route) in [("https://h/api/v4/", "https://h/api/x"), ("https://h/v1beta/openai", "https://h/x")] {
            let address = Address::new(base).unwrap();
            let base = base.trim_end_matches('/');
            assert_eq!(address.versioned("x"), format!("{base}/x"));
            assert_eq!(address.own("x"), route);
        }
    }

    #[test]
    fn what_is_no_address_is_refused_with_a_reason() {
        for bad in ["", "localhost:80", "ftp://h", "http://u:p@h/", "http://h/?key=1"] {
            assert!(Address::new(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn no_secret_of_an_address_is_shown() {
        for (base, shown) in [
            ("http://h:1/v1", "http://h:1/v1"),
            ("https://me:canary@h/a/v1?key=canary#canary", "https://h/a/v1"),
            ("canary", "the server"),
        ] {
            assert_eq!(shown_address(base), shown);
        }
    }

    #[test]
    fn servers_on_this_machine_are_known() {
        for local in ["http://localhost:1", "http://127.0.0.1/v1", "http://[::1]:8"] {
            assert!(Address::new(local).unwrap().is_local(), "{local}");
        }
        assert!(!Address::new("https://api.example.org/v1").unwrap().is_local());
    }
}
