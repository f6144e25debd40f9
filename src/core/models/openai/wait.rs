//! The wait that a server asks for.

use std::time::Duration;

use jiff::fmt::rfc2822;
use reqwest::header::HeaderMap;

/// No server is waited for longer than this, whatever it says.
const LONGEST: Duration = Duration::from_secs(24 * 3600);

/// The wait that the headers of a failure with this status ask for. The clock is the server's own: a
/// date in `Retry-After` is compared with `Date`.
pub(crate) fn asked_wait(status: u16, headers: &HeaderMap) -> Option<Duration> {
    let text = |name: &str| headers.get(name)?.to_str().ok().map(str::trim);
    let milliseconds = |name: &str| seconds(text(name)?.parse::<f64>().ok()? / 1e3);
    let after = |name: &str| {
        let said = text(name)?;
        duration(said).or_else(|| between(text("date")?, said))
    };
    milliseconds("retry-after-ms")
        .or_else(|| after("retry-after"))
        .or_else(|| milliseconds("llm_provider-retry-after-ms"))
        .or_else(|| after("llm_provider-retry-after"))
        // Some servers count in every answer, also when they fail for another reason.
        .or_else(|| reset(headers).filter(|_| status == 429))
}

/// When what is used up comes back (`x-ratelimit-reset-requests`, `x-ratelimit-reset-tokens`).
fn reset(headers: &HeaderMap) -> Option<Duration> {
    let text = |name: &str, kind: &str| {
        let name = format!("x-ratelimit-{name}-{kind}");
        headers.get(name)?.to_str().ok().map(str::trim)
    };
    let kinds = ["requests", "tokens"];
    let waits = kinds.map(|kind| {
        let used_up = text("remaining", kind).is_none_or(|left| left.parse() == Ok(0.0));
        (used_up, text("reset", kind).and_then(duration))
    });
    let longest = waits.iter().filter(|(used_up, _)| *used_up).filter_map(|(_, wait)| *wait).max();
    longest.or_else(|| waits.iter().filter_map(|(_, wait)| *wait).max())
}

/// A number of seconds, or numbers with units: `2`, `0.5`, `1s`, `6m0s`, `20ms`.
fn duration(text: &str) -> Option<Duration> {
    if let Ok(number) = text.parse::<f64>() {
        return seconds(number);
    }
    let mut total = 0.0;
    let mut rest = text;
    while !rest.is_empty() {
        let end = rest.find(|letter: char| letter != '.' && !letter.is_ascii_digit())?;
        let (number, after) = rest.split_at(end);
        let letters = after.find(|letter: char| !letter.is_ascii_alphabetic());
        let (unit, after) = after.split_at(letters.unwrap_or(after.len()));
        let unit = match unit {
            "ms" => 1e-3,
            "s" => 1.0,
            "m" => 60.0,
            "h" => 3600.0,
            "d" => 86400.0,
            _ => return None,
        };
        total += number.parse::<f64>().ok()? * unit;
        rest = after;
    }
    (!text.is_empty()).then(|| seconds(total))?
}

fn seconds(number: f64) -> Option<Duration> {
    if number.is_nan() {
        return None;
    }
    Duration::try_from_secs_f64(number.min(LONGEST.as_secs_f64())).ok()
}

/// The time from one HTTP date to another; none for what is over.
fn between(now: &str, then: &str) -> Option<Duration> {
    let now = rfc2822::parse(now).ok()?.timestamp();
    let then = rfc2822::parse(then).ok()?.timestamp();
    seconds(then.duration_since(now).as_secs_f64().max(0.0))
}

#[cfg(test)]
mod tests {
    use reqwest::header::{HeaderName, HeaderValue};

    use super::*;

    fn wait(pairs: &[(&'static str, &'static str)]) -> Option<u128> {
        wait_of(429, pairs)
    }

    fn wait_of(status: u16, pairs: &[(&'static str, &'static str)]) -> Option<u128> {
        let mut headers = HeaderMap::new();
        for (name, value) in pairs {
            let name = HeaderName::from_static(name);
            headers.insert(name, HeaderValue::from_static(value));
        }
        asked_wait(status, &headers).map(|wait| wait.as_millis())
    }

    #[test]
    fn seconds_dates_and_milliseconds_are_read() {
        assert_eq!(wait(&[("retry-after", "7")]), Some(7_000));
        assert_eq!(wait(&[("retry-after", "0.25")]), Some(250));
        assert_eq!(wait(&[("retry-after-ms", "350"), ("retry-after", "1")]), Some(350));
        assert_eq!(wait(&[("llm_provider-retry-after", "60")]), Some(60_000));
        let date = ("date", "Fri, 20 Nov 2026 12:00:30 GMT");
        let later = ("retry-after", "Fri, 20 Nov 2026 12:01:00 GMT");
        assert_eq!(wait(&[date, later]), Some(30_000));
        let before = ("retry-after", "Fri, 20 Nov 2026 11:00:00 GMT");
        assert_eq!(wait(&[date, before]), Some(0));
        assert_eq!(wait(&[later]), None);
    }

    #[test]
    fn the_limit_that_is_used_up_decides() {
        let requests = [("x-ratelimit-reset-requests", "1s"), ("x-ratelimit-remaining-requests", "0")];
        let tokens = ("x-ratelimit-reset-tokens", "6m0s");
        let left = ("x-ratelimit-remaining-tokens", "149984");
        assert_eq!(wait(&[requests[0], requests[1], tokens, left]), Some(1_000));
        assert_eq!(wait(&[requests[0], tokens]), Some(360_000));
        assert_eq!(wait(&[("x-ratelimit-reset-tokens", "20ms")]), Some(20));
        assert_eq!(wait(&[("x-ratelimit-reset-tokens", "1h2m3.5s")]), Some(3_723_500));
    }

    #[test]
    fn what_is_counted_says_nothing_about_another_failure() {
        let counted = ("x-ratelimit-reset-tokens", "6m0s");
        assert_eq!(wait_of(500, &[counted]), None);
        assert_eq!(wait_of(503, &[counted, ("retry-after", "2")]), Some(2_000));
        assert_eq!(wait_of(429, &[counted]), Some(360_000));
    }

    #[test]
    fn nonsense_is_no_wait_and_a_long_one_is_bounded() {
        for bad in ["", "soon", "-3", "NaN", "1x", "s", "1s2", "1.2.3s"] {
            assert_eq!(wait(&[("retry-after", bad)]), None, "{bad}");
        }
        assert_eq!(wait(&[("retry-after", "1e300")]), Some(86_400_000));
        assert_eq!(wait(&[("retry-after", "inf")]), Some(86_400_000));
    }
}
