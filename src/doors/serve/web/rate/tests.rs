//! The pages of a rating, asked without a socket.

use std::collections::BTreeSet;

use axum::body::{Body, to_bytes};
use axum::http::Request;
use axum::http::header::{CONTENT_TYPE, LOCATION};
use tower_service::Service;

use super::*;
use rolecall_core::domain::Utterance;
use rolecall_core::evaluation::labels::{ContextLine, Item, Speaker};
use rolecall_run::rating::Asked;

/// Two raters of three items, one of which is the first rater's alone.
fn desk(folder: &std::path::Path, what: &str) -> Router {
    let items = (1..=3).map(|seq| {
        let id = format!("u{seq}");
        let turn = ("secretcell:0:0".parse().unwrap(), seq);
        let item = Item {
            seq,
            said: Utterance::text(format!("utterance {seq} <b>\u{202e}")),
            context: vec![ContextLine { speaker: Speaker::Task, text: format!("task {seq}") }],
            fields: None,
        };
        let asked = Asked { turn, item, against: None };
        (id, asked)
    });
    let list = |name: &str, ids: &[&str]| RaterList {
        name: name.to_owned(),
        ids: ids.iter().map(|id| (*id).to_owned()).collect(),
        swapped: BTreeSet::new(),
    };
    let raters = vec![list("rater-1", &["u3", "u1"]), list("rater-2", &["u1", "u2"])];
    let what = what.parse().unwrap();
    let question = "What is it for?".to_owned();
    let rating = Rating::new(folder, what, question, items.collect(), raters);
    let tickets = Tickets::default();
    // Somebody else holds the first ticket.
    tickets.issue().unwrap();
    let (desk, texts) = RatingDesk::new(rating, &tickets).unwrap();
    assert_eq!(texts.iter().collect::<BTreeSet<_>>().len(), 2);
    routes(Arc::new(desk))
}

async fn ask(desk: &Router, grant: Grant, path: &str, form: Option<&str>) -> (u16, String) {
    let request = match form {
        None => Request::get(path),
        Some(_) => Request::post(path).header(CONTENT_TYPE, "application/x-www-form-urlencoded"),
    };
    let body = Body::from(form.unwrap_or_default().to_owned());
    let mut request = request.body(body).unwrap();
    request.extensions_mut().insert(grant);
    let answer = desk.clone().call(request).await.unwrap();
    let status = answer.status().as_u16();
    if let Some(to) = answer.headers().get(LOCATION) {
        return (status, to.to_str().unwrap().to_owned());
    }
    let bytes = to_bytes(answer.into_body(), usize::MAX).await.unwrap();
    (status, String::from_utf8(bytes.to_vec()).unwrap())
}

#[tokio::test]
async fn a_rater_labels_item_after_item_goes_back_and_comes_again() {
    let folder = tempfile::tempdir().unwrap();
    let desk = desk(folder.path(), "categories");
    let (one, other) = (Grant::Ticket(1), Grant::Ticket(2));
    let to = |path: &str| (303, path.to_owned());
    assert_eq!(ask(&desk, one, "/rate", None).await, to("/rate/1"));
    let (status, first) = ask(&desk, one, "/rate/1", None).await;
    assert_eq!(status, 200);
    for part in [
        "<h1>1 of 2</h1>",
        "task 3",
        "utterance 3 &lt;b&gt;",
        "What is it for?",
        r#"type="radio" name="label" value="probing question" data-key="2""#,
        "0 of 2",
    ] {
        assert!(first.contains(part), "{part} in {first}");
    }
    for part in ["secretcell", "checked", "\u{202e}", "<nav", "utterance 2"] {
        assert!(!first.contains(part), "{part} in {first}");
    }
    let choose = "item=u3&label=status+update";
    assert_eq!(ask(&desk, one, "/rate/1", Some(choose)).await, to("/rate/2"));
    assert_eq!(ask(&desk, one, "/rate", None).await, to("/rate/2"));
    // Back, and another label.
    let (_, again) = ask(&desk, one, "/rate/1", None).await;
    let checked = r#"value="status update" data-key="3" checked"#;
    assert!(again.contains(checked) && again.contains("1 of 2 have"), "{again}");
    ask(&desk, one, "/rate/1", Some("item=u3&label=follow-up")).await;
    // Nothing is chosen: on it goes, and the end says so.
    assert_eq!(ask(&desk, one, "/rate/2", Some("item=u1")).await, to("/rate/end"));
    let (_, end) = ask(&desk, one, "/rate/end", None).await;
    assert!(end.contains(r#"<a href="/rate/2">2</a>"#), "{end}");
    ask(&desk, one, "/rate/2", Some("item=u1&label=follow-up")).await;
    assert_eq!(ask(&desk, one, "/rate", None).await, to("/rate/end"));
    let (_, end) = ask(&desk, one, "/rate/end", None).await;
    assert!(end.contains("Thank you") && end.contains("All 2 items"), "{end}");
    // The other rater sees nothing of it, and gives other labels.
    let (_, theirs) = ask(&desk, other, "/rate/1", None).await;
    assert!(theirs.contains("task 1") && !theirs.contains("checked"), "{theirs}");
    ask(&desk, other, "/rate/1", Some("item=u1&label=1")).await;
    let file = |name: &str| std::fs::read_to_string(folder.path().join("labels").join(name));
    let mine = file("categories-rater-1.jsonl").unwrap();
    assert_eq!(mine.lines().count(), 3, "{mine}");
    let theirs = file("categories-rater-2.jsonl").unwrap();
    assert!(theirs.contains("assumption verification"), "{theirs}");
    let (_, overview) = ask(&desk, Grant::Owner, "/rate", None).await;
    let row = |name: &str, done: u32| {
        let numbers = format!(r#"<td class="number">{done}</td><td class="number">2</td>"#);
        format!(r#"<th scope="row">{name}</th>{numbers}"#)
    };
    for row in [row("rater-1", 2), row("rater-2", 1)] {
        assert!(overview.contains(&row), "{row} in {overview}");
    }
}

#[tokio::test]
async fn nobody_else_is_let_in_and_wrong_forms_change_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let desk = desk(folder.path(), "scale:1-5");
    let others = [Grant::Ticket(0), Grant::Ticket(9), Grant::Stranger, Grant::Owner];
    for grant in others {
        assert_eq!(ask(&desk, grant, "/rate/1", None).await.0, 403, "{grant:?}");
        let posted = ask(&desk, grant, "/rate/1", Some("item=u3&label=3")).await;
        assert_eq!(posted.0, 403, "{grant:?}");
    }
    let one = Grant::Ticket(1);
    for path in ["/rate/0", "/rate/3", "/rate/18446744073709551615"] {
        assert_eq!(ask(&desk, one, path, None).await.0, 404, "{path}");
    }
    assert_eq!(ask(&desk, one, "/rate/x", None).await.0, 400);
    for (form, status) in [("item=u1&label=3", 409), ("label=3", 409), ("item=u3&label=9", 422)] {
        let (found, said) = ask(&desk, one, "/rate/1", Some(form)).await;
        assert_eq!(found, status, "{form}: {said}");
    }
    assert!(!folder.path().join("labels").exists());
    // A scale's points are their own keys.
    let (_, page) = ask(&desk, one, "/rate/1", None).await;
    assert!(page.contains(r#"value="5" data-key="5""#), "{page}");
}
