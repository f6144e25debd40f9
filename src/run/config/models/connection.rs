//! Access to a model: its address, its key and its headers. Keys and headers are secrets: no
//! message, note or record shows more of them than the name of a variable.

use std::collections::BTreeMap;

use super::Variables;
use crate::config::error::{NOT_WRITTEN, quoted};
use crate::config::secrets::{HEADERS, VARIABLE};
use crate::config::walk::Section;
use rolecall_core::ports::model::Secret;

/// Headers that describe the connection or the body, which nobody but the client knows.
const OWN: [&str; 5] = ["connection", "content-length", "content-type", "host", "transfer-encoding"];

/// The keys and headers that were found.
#[derive(Default)]
pub(super) struct Access {
    pub(super) api_key: Option<Secret>,
    pub(super) headers: BTreeMap<String, Secret>,
    /// The first variable that is named but not set.
    pub(super) missing: Option<String>,
    /// The variable of the key.
    api_key_env: Option<String>,
    /// The headers for the record: variables by name, nothing else.
    pub(super) shown_headers: BTreeMap<String, String>,
}

/// Checks the address of a server.
pub(super) fn base_url(section: &mut Section<'_>, needed: bool) {
    let key = "base_url";
    let written = section.has(key);
    let Some(url) = section.text(key) else {
        if needed && !written {
            section.missing(key, "write where the server is, for instance `http://localhost:8080/v1`");
        }
        return;
    };
    if let Err(problem) = check_url(url) {
        section.wrong(key, problem);
    }
}

/// Whether requests can be sent below an address. An address with credentials is not repeated.
fn check_url(url: &str) -> Result<(), String> {
    let example = "it must look like `http://localhost:8080/v1`";
    let lower = url.to_ascii_lowercase();
    let scheme = ["http://", "https://"].into_iter().find(|scheme| lower.starts_with(scheme));
    let rest = scheme.and_then(|scheme| url.get(scheme.len()..));
    if url.contains('@') {
        return Err("holds an `@`; keys and passwords do not belong into an address: name an \
                    environment variable with `api_key_env`"
            .to_owned());
    }
    let shown = quoted(url);
    let Some(rest) = rest else {
        return Err(format!("is {shown}, which begins with neither `http://` nor `https://`; {example}"));
    };
    if url.contains(['?', '#']) {
        return Err(format!("has something after a `?` or `#`, which an address for requests cannot have; {example}"));
    }
    let host_letter = |letter: char| letter.is_ascii_alphanumeric() || "-._:[]%".contains(letter);
    let host = rest.split('/').next().unwrap_or_default();
    if host.is_empty() || host.starts_with(':') || !host.chars().all(host_letter) {
        return Err(format!("is {shown}, which names no host; {example}"));
    }
    let printable = |letter: char| letter.is_ascii_graphic() && !"\\\"<>^`{|}".contains(letter);
    if !rest.chars().all(printable) {
        return Err(format!("is {shown}, which holds a character that no address can have; {example}"));
    }
    match host.rsplit_once(':') {
        Some((_, port)) if !port.ends_with(']') && port.parse::<u16>().is_err() => {
            Err(format!("is {shown}, which has no port from 0 to 65535; {example}"))
        }
        _ => Ok(()),
    }
}

/// The key and the headers.
pub(super) fn access(section: &mut Section<'_>, variables: &Variables) -> Access {
    let mut access = Access::default();
    api_key(section, variables, &mut access);
    let mut table = section.section(HEADERS);
    for (name, _) in table.entries() {
        // What is no text is reported, and stays secret.
        let Some(text) = table.text(name) else {
            continue;
        };
        if let Err(problem) = check_header(name, &access) {
            table.wrong(name, problem);
            continue;
        }
        let (value, shown) = match text.strip_prefix(VARIABLE) {
            Some(variable) => {
                let variable = variable.trim();
                let found = secret_of(&table, name, variable, variables, &mut access.missing);
                (found, format!("{VARIABLE}{variable}"))
            }
            None => (sendable(&table, name, text), NOT_WRITTEN.to_owned()),
        };
        access.shown_headers.insert(name.to_owned(), shown);
        access.headers.extend(value.map(|value| (name.to_owned(), value)));
    }
    access
}

fn api_key(section: &mut Section<'_>, variables: &Variables, access: &mut Access) {
    let key = "api_key_env";
    if section.has("api_key") {
        section.node("api_key");
        let problem = "is not taken: a config is read by many; put the key into an environment \
                       variable and name that with `api_key_env`";
        section.wrong("api_key", problem);
    }
    let Some(variable) = section.text(key) else {
        return;
    };
    access.api_key = secret_of(section, key, variable, variables, &mut access.missing);
    access.api_key_env = Some(variable.to_owned());
}

fn check_header(name: &str, access: &Access) -> Result<(), &'static str> {
    let letter = |letter: char| letter.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(letter);
    let same = |other: &str| other.eq_ignore_ascii_case(name);
    if name.is_empty() || !name.chars().all(letter) {
        return Err("is no name of a header: letters, digits and `-`");
    }
    if OWN.into_iter().any(same) {
        return Err("is a header that the client writes itself");
    }
    if same("authorization") && access.api_key_env.is_some() {
        return Err("stands beside `api_key_env`, which writes the same header");
    }
    if access.shown_headers.keys().any(|other| same(other)) {
        return Err("is a header that is written twice");
    }
    Ok(())
}

/// The value of a variable. An unset one is noted as missing, for the cache may do without; an empty
/// one counts as unset.
fn secret_of(
    section: &Section<'_>,
    key: &str,
    variable: &str,
    variables: &Variables,
    missing: &mut Option<String>,
) -> Option<Secret> {
    let letter = |letter: char| letter.is_ascii_uppercase() || letter.is_ascii_digit() || letter == '_';
    let begins = variable.starts_with(|first: char| !first.is_ascii_digit());
    // Somebody may have written the key itself: it must not be repeated.
    if !(begins && variable.len() <= 100 && variable.chars().all(letter)) {
        let problem = "names no environment variable; it must be the variable's name in capital \
                       letters, digits and `_`, never the key itself";
        section.wrong(key, problem);
        return None;
    }
    let value = variables.iter().find(|(name, _)| name == variable);
    let Some(value) = value.map_or(Some(""), |(_, value)| value.to_str()) else {
        section.wrong(key, format!("names `{variable}`, whose value is not UTF-8"));
        return None;
    };
    let secret = sendable(section, key, value)?;
    if secret.reveal().is_empty() {
        missing.get_or_insert_with(|| variable.to_owned());
        return None;
    }
    Some(secret)
}

/// A text that can be sent as a header, without the space around it.
fn sendable(section: &Section<'_>, key: &str, text: &str) -> Option<Secret> {
    let text = text.trim();
    if text.chars().all(|letter| (' '..='~').contains(&letter)) {
        return Some(Secret::new(text));
    }
    let problem = "stands for a text that cannot be sent as a header: it may hold only ASCII \
                   letters, digits and signs, on one line";
    section.wrong(key, problem);
    None
}

#[cfg(test)]
mod tests {
    use super::check_url;

    #[test]
    fn addresses_are_checked() {
        for good in [
            "http://localhost:8080",
            "https://api.openai.com/v1",
            "HTTP://10.0.0.1/x/y/",
            "http://[::1]:8080/v1",
            "http://[::1]/v1",
        ] {
            assert_eq!(check_url(good), Ok(()), "{good}");
        }
        for wrong in [
            "",
            "localhost:8080",
            "ftp://x",
            "http://",
            "http:///v1",
            "http://:80",
            "http://a:b",
            "http://a:99999",
            "http://a/?key=1",
            "http://a/#b",
            "http://a b/",
            "http://a/\n",
            "http://é/",
        ] {
            assert!(check_url(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn credentials_in_an_address_are_refused_and_not_repeated() {
        let problem = check_url("https://me:canary@host/v1").unwrap_err();
        assert!(!problem.contains("canary"), "{problem}");
    }
}
