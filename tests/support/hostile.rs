//! Episodes in which everything that a participant or a data set writes is hostile.
#![allow(dead_code, reason = "each test binary uses a part")]
#![allow(clippy::unwrap_used, unreachable_pub, reason = "made-up episodes of tests, shared by several binaries")]

use std::sync::Arc;

use rolecall::domain::*;
use serde_json::json;

pub const HOSTILE: &str = "\u{1b}]0;title\u{7}\u{1b}[2J\r\u{8}\u{9b}31m\u{202e}\
    <script>document.title='taken'</script>\" onload=\"document.title='taken'\" x=\"\
    ' onmouseover='document.title=1' </style></title></textarea></svg></details>]]>--><!--\
    <img src=http://evil.example/x onerror=document.title='taken'>\
    <svg/onload=document.title='taken'><a href=\"javascript:document.title='taken'\">a</a>\
    <iframe src=//evil.example></iframe><base href=http://evil.example/>\
    <meta http-equiv=refresh content=0;url=http://evil.example>&lt;b&gt;&#60;|`x`|\u{2028}\u{200b}{{7*7}}";

/// Replaces every text of the event that comes from outside.
pub fn corrupt(event: &mut Event) {
    let text = || HOSTILE.to_owned();
    match &mut event.message {
        Message::Opened(opened) => {
            let task = Arc::make_mut(&mut opened.task);
            task.id = text();
            task.kind = text();
            task.text = text();
            opened.user = Some(text());
            opened.strategy = text();
        }
        Message::Entrusted(part) => part.value = Arc::new(json!({ "key": text() })),
        Message::Brief(brief) => {
            brief.notice = Some(text().into());
            brief.sections = vec![Section { name: text(), text: text() }].into();
        }
        Message::Moved(made) => corrupt_move(made, event.seq),
        Message::Perform(action) => *action = Action::text(HOSTILE),
        Message::Observed(observation) => observation.text = text(),
        Message::Told(said) | Message::Replied(said) => *said = Utterance::text(HOSTILE),
        Message::Fault(fault) => fault.message = text(),
        _ => {}
    }
}

/// Every kind of move in turn.
fn corrupt_move(made: &mut Move, seq: u32) {
    let text = || HOSTILE.to_owned();
    let action = Action::text(HOSTILE);
    *made = match seq % 7 {
        0 => Move::Think { text: text() },
        1 => Move::Plan { steps: vec![PlanStep { description: text(), variable: Some(text()), action }] },
        2 => Move::Act { action },
        3 => Move::Speak { text: text(), act: Some(DialogueAct(text())) },
        4 => Move::Judge { clarify: true, reason: Some(text()) },
        5 => Move::Learn { lesson: text() },
        _ => Move::Finish { answer: Box::new(json!({ "plan": [text()] })) },
    };
}

pub const RUN_TOML: &str = "schema = 1\nrolecall = \"<script>x</script>\"\nseed = 7\n[[cells]]\nname = \"react\"\n[[cells]]\nname = \"respact\"\n";
