//! What browsers are told with every answer, and what they must say.

use axum::extract::Request;
use axum::http::header::{
    AUTHORIZATION, CACHE_CONTROL, CONTENT_SECURITY_POLICY, HeaderMap, HeaderName, HeaderValue, ORIGIN, REFERRER_POLICY,
    X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::problem::Problem;

/// Nothing comes from elsewhere, nothing runs but our script, and no text is made markup.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
                      connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; \
                      require-trusted-types-for 'script'";

const ALL: [(HeaderName, &str); 4] = [
    (CONTENT_SECURITY_POLICY, POLICY),
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    // With `no-referrer` browsers hide the origin of our own forms.
    (REFERRER_POLICY, "same-origin"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
];

/// Adds the headers, and refuses what another site may have a browser send.
pub(super) async fn add(request: Request, next: Next) -> Response {
    let foreign = request.method() == Method::POST && !says_where_from(request.headers());
    let mut response = match foreign {
        true => Problem::new(StatusCode::FORBIDDEN, "`Origin` is missing").into_response(),
        false => next.run(request).await,
    };
    dress(&mut response);
    response
}

/// Adds the headers to an answer.
pub(super) fn dress(response: &mut Response) {
    let headers = response.headers_mut();
    for (name, value) in ALL {
        headers.insert(name, HeaderValue::from_static(value));
    }
    let usual = HeaderValue::from_static("no-store");
    headers.entry(CACHE_CONTROL).or_insert(usual);
}

/// Whether a request says which page it comes from (the listener has compared it), or is no browser's.
fn says_where_from(headers: &HeaderMap) -> bool {
    headers.contains_key(ORIGIN) || headers.contains_key(AUTHORIZATION)
}
