//! The page of an event: as it stands in the log, who saw it, and of a model's call the prompt.

use axum::extract::{Path, State};
use maud::{Markup, html};
use serde_json::Value;

use super::episode::{named, read};
use super::page::{Page, Problem, blocking, of_episode, of_run};
use super::shared::Known;
use super::turns::{saw, viewers};
use rolecall_core::domain::{Event, Message, ModelCall, Seat};
use rolecall_core::log::recorded_visibility;
use rolecall_core::ports::ModelRequest;
use rolecall_core::ports::model::Prompt;
use rolecall_core::reports::html::{Shown, lines};
use rolecall_core::text::harmless;
use rolecall_run::runtime::RebuiltCall;

/// Letters of one text of a prompt that are shown.
const LONGEST: usize = 200_000;

/// The page.
pub(super) async fn page(
    State(site): Known,
    Path((run, episode, seq)): Path<(String, String, u32)>,
) -> Result<Page, Problem> {
    let snapshot = site.runs.of(&run)?.fresh().await?;
    let id = named(&snapshot, &episode)?;
    let episode = read(&snapshot.log, &id).await?;
    let event =
        episode.events.get(seq as usize).ok_or_else(|| Problem::missing(format!("{id} has no event {seq} so far.")))?;
    let user = episode.log().opened().and_then(|opened| opened.user.clone());
    let visibility = recorded_visibility(snapshot.log.folder(), &id.cell, user.as_deref())?;
    let all = viewers(&episode);
    let seen: Vec<&str> = all.iter().filter(|viewer| saw(&visibility, event, viewer)).map(Seat::as_str).collect();
    let prompt = match &event.message {
        Message::ModelCalled(call) => {
            let (program, log) = (site.program.clone(), snapshot.log.clone());
            let (id, seq) = (id.clone(), event.seq);
            Some(model_call(call, blocking(move || Ok(program.request(&log, &id, seq))).await?))
        }
        _ => None,
    };
    let main = html! {
        (facts(event, &seen, &of_episode(&run, &id)))
        @if let Some(prompt) = prompt { (prompt) }
        section {
            h2 { "As it stands in the log" }
            pre.raw tabindex="0" { (raw(event)) }
        }
    };
    Ok(Page::new(format!("Event {seq}"), main)
        .below(of_run(&run), &run)
        .below(format!("{}#e{seq}", of_episode(&run, &id)), id.to_string()))
}

fn facts(event: &Event, seen: &[&str], episode: &str) -> Markup {
    html! {
        dl.pairs {
            div { dt { "kind" } dd { (event.message.kind()) } }
            div { dt { "from" } dd { (Shown(event.from.as_str())) } }
            div { dt { "to" } dd { (Shown(event.to.as_str())) } }
            @if let Some(cause) = event.cause {
                div { dt { "brought about by" } dd { a href={ (episode) "/event/" (cause) } { "event " (cause) } } }
            }
            div { dt { "seen by" } dd { @if seen.is_empty() { "nobody of the cast" } @else { (Shown(&seen.join(", "))) } } }
        }
    }
}

fn raw(event: &Event) -> String {
    harmless(&serde_json::to_string_pretty(event).unwrap_or_else(|error| error.to_string()))
}

/// The call: what was sent, what came back, and what it took.
fn model_call(call: &ModelCall, rebuilt: Result<RebuiltCall, String>) -> Markup {
    let usage = call.reply.usage;
    html! {
        section #call {
            h2 { "Call of " (Shown(&call.model)) }
            dl.pairs {
                div { dt { "tokens in" } dd { @if usage.estimated { "about " } (usage.prompt) } }
                div { dt { "tokens out" } dd { (usage.completion) } }
                @if let Some(cost) = call.cost { div { dt { "cost" } dd { (format!("{cost:.6}")) } } }
                div { dt { "turn" } dd { (call.turn + 1) } }
                div { dt { "attempt" } dd { (call.attempt + 1) } }
            }
            h3 { "Prompt" }
            @match rebuilt {
                Err(why) => p role="note" { "The prompt cannot be shown: " (Shown(&why)) },
                Ok(rebuilt) => (request(&rebuilt)),
            }
            h3 { "Reply" }
            @for choice in &call.reply.choices {
                pre.said tabindex="0" { (lines(&choice.text, LONGEST)) }
                @for tool in &choice.tool_calls {
                    pre.said tabindex="0" { "calls " (Shown(&tool.name)) " " (lines(&tool.arguments.to_string(), LONGEST)) }
                }
            }
            @if !call.reply.scores.is_empty() {
                ol { @for score in &call.reply.scores { li { (score.logprob) } } }
            }
        }
    }
}

fn request(rebuilt: &RebuiltCall) -> Markup {
    let sent = match &rebuilt.request {
        Ok(sent) => sent,
        Err(why) => {
            return html! { p role="note" { "The prompt cannot be shown: " (Shown(&why.to_string())) } };
        }
    };
    let prompt = match &sent.request {
        ModelRequest::Complete(completion) => &completion.prompt,
        ModelRequest::Score(scoring) => &scoring.prompt,
    };
    html! {
        p.note {
            @if rebuilt.agrees() { "As it was sent: its hash is that of the log." }
            @else { "Not what was sent: the config, as it is now, makes another prompt." }
        }
        @match prompt {
            Prompt::Text(text) => pre.said tabindex="0" { (lines(text, LONGEST)) },
            Prompt::Chat(messages) => @for message in messages {
                h4 { (Shown(&role(&message.role))) }
                pre.said tabindex="0" { (lines(&message.content, LONGEST)) }
            },
        }
        details {
            summary { "Settings" }
            pre.raw tabindex="0" { (harmless(&format!("{:#}", Value::Object(sent.settings.clone())))) }
        }
    }
}

fn role(role: &impl serde::Serialize) -> String {
    serde_json::to_value(role).unwrap_or_default().as_str().unwrap_or_default().to_owned()
}
