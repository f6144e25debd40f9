//! Letting a browser in: the token is swapped for a cookie, which no script and no other site gets. Headers of every
//! answer.

use std::sync::Arc;

use axum::extract::{Form, Query, Request, State};
use axum::http::header::{
    AUTHORIZATION, CACHE_CONTROL, CONTENT_SECURITY_POLICY, HeaderMap, HeaderName, HeaderValue, ORIGIN, REFERRER_POLICY,
    SET_COOKIE, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use axum::{Extension, Router};
use maud::html;
use serde::Deserialize;

use super::page::{Page, Problem, SCRIPT_PATH, STYLE_PATH, encoded};
use super::shared::{Known, Shared};
use crate::serve::{COOKIE_NAME, Grant};

/// Where the token is given.
const LOGIN: &str = "/login";

/// Paths that strangers may ask for.
pub(super) const OPEN: &[&str] = &[LOGIN, STYLE_PATH, SCRIPT_PATH, "/favicon.ico"];

pub(super) fn routes() -> Router<Arc<Shared>> {
    let ask = |Query(wanted): Query<Wanted>| async move { form(None, &wanted.back) };
    Router::new().route(LOGIN, get(ask).post(login))
}

/// The answer to who is not let in. Who wants to look at a page is led to the form; browsers keep what stands behind
/// `#`, where the script finds the token.
pub(super) fn refuse(request: &Request, status: StatusCode, reason: &'static str) -> Response {
    let looks = request.method() == Method::GET && !request.uri().path().starts_with("/api/");
    let mut refused = match status {
        StatusCode::UNAUTHORIZED if looks => {
            let back = request.uri().path_and_query().map_or("/", |all| all.as_str());
            Redirect::to(&format!("{LOGIN}?back={}", encoded(back))).into_response()
        }
        _ => Problem::new(status, reason).into_response(),
    };
    dress(&mut refused);
    refused
}

/// Where somebody wants to go.
#[derive(Deserialize)]
struct Wanted {
    #[serde(default)]
    back: String,
}

fn form(problem: Option<&str>, back: &str) -> Page {
    Page::new(
        "Who is there?",
        html! {
            @if let Some(problem) = problem { p role="alert" { (problem) } }
            p {
                "This page is for whoever started the server: the terminal has printed an address with a token, \
                 behind " code { "#t=" } "."
            }
            form #login method="post" action=(LOGIN) {
                input type="hidden" name="back" value=(back);
                label for="token" { "Token" }
                input #token name="token" type="password" autocomplete="off" required;
                button { "Open" }
            }
        },
    )
    .alone()
}

#[derive(Deserialize)]
struct Given {
    token: String,
    #[serde(default)]
    back: String,
}

/// Takes the token, and leads back to where the stranger wanted to go.
async fn login(State(site): Known, Form(given): Form<Given>) -> Response {
    let token = given.token.trim();
    if !site.access.knows(token) {
        return (StatusCode::UNAUTHORIZED, form(Some("That is not the token of this server."), &given.back))
            .into_response();
    }
    let back = Some(given.back).filter(|back| is_own(back));
    let port = site.address.port();
    (
        [(SET_COOKIE, format!("{COOKIE_NAME}-{port}={token}; HttpOnly; SameSite=Strict; Path=/"))],
        Redirect::to(back.as_deref().unwrap_or("/")),
    )
        .into_response()
}

/// Whether an address leads to a page of this site.
fn is_own(address: &str) -> bool {
    address.starts_with('/')
        && !address.starts_with("//")
        && address.chars().all(|letter| letter.is_ascii_graphic() && letter != '\\')
}

/// Keeps holders of tickets to what their tickets are for.
pub(super) async fn owners_only(grant: Option<Extension<Grant>>, request: Request, next: Next) -> Response {
    match grant {
        Some(Extension(Grant::Owner)) => next.run(request).await,
        _ => Problem::new(StatusCode::FORBIDDEN, "Your ticket does not open this page.").alone().into_response(),
    }
}

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
pub(super) async fn headers(request: Request, next: Next) -> Response {
    let mut response = if request.method() == Method::POST && !says_where_from(request.headers()) {
        Problem::new(StatusCode::FORBIDDEN, "`Origin` is missing").into_response()
    } else {
        next.run(request).await
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
    headers.entry(CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
}

/// Whether a request says which page it comes from (the listener has compared it), or is no browser's.
fn says_where_from(headers: &HeaderMap) -> bool {
    headers.contains_key(ORIGIN) || headers.contains_key(AUTHORIZATION)
}

#[cfg(test)]
mod tests {
    use super::is_own;

    #[test]
    fn nobody_is_led_elsewhere() {
        for address in ["/", "/run/a?x=1", "/run/a/main:0:0"] {
            assert!(is_own(address), "{address}");
        }
        for other in ["", "//x.example", "https://x.example", "/\\x.example", "/a b", "/\r\nSet-Cookie: a"] {
            assert!(!is_own(other), "{other}");
        }
    }
}
