//! Where a server's routes are.

use reqwest::Url;

/// The base URL of a server: with and without `/v1`, with a path before it or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Address {
    /// Everything before `/v1`.
    root: String,
    local: bool,
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
        let root = text.strip_suffix("/v1").unwrap_or(text);
        let root = root.trim_end_matches('/').to_owned();
        Ok(Self { root, local })
    }

    /// A route of the OpenAI interface, such as `chat/completions`.
    pub(crate) fn versioned(&self, route: &str) -> String {
        format!("{}/v1/{route}", self.root)
    }

    /// A route of the server's own, such as `tokenize`.
    pub(crate) fn own(&self, route: &str) -> String {
        format!("{}/{route}", self.root)
    }

    /// Whether the server is on this machine.
    pub(crate) fn is_local(&self) -> bool {
        self.local
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_may_be_written_or_not() {
        for base in [
            "http://h:1",
            "http://h:1/",
            "http://h:1/v1",
            "http://h:1/v1/",
        ] {
            let address = Address::new(base).unwrap();
            assert_eq!(address.versioned("models"), "http://h:1/v1/models");
            assert_eq!(address.own("tokenize"), "http://h:1/tokenize");
        }
        let address = Address::new("https://h/team/a/v1").unwrap();
        assert_eq!(address.versioned("x"), "https://h/team/a/v1/x");
        assert_eq!(
            Address::new("http://h/v10").unwrap().own("x"),
            "http://h/v10/x"
        );
    }

    #[test]
    fn what_is_no_address_is_refused_with_a_reason() {
        for bad in [
            "",
            "localhost:80",
            "ftp://h",
            "http://u:p@h/",
            "http://h/?key=1",
        ] {
            assert!(Address::new(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn servers_on_this_machine_are_known() {
        for local in [
            "http://localhost:1",
            "http://127.0.0.1/v1",
            "http://[::1]:8",
        ] {
            assert!(Address::new(local).unwrap().is_local(), "{local}");
        }
        assert!(
            !Address::new("https://api.example.org/v1")
                .unwrap()
                .is_local()
        );
    }
}
