//! `rolecall show RUN EPISODE --prompts`: what each model was sent, played again from the log.

use std::process::ExitCode;

use serde_json::json;

use super::ShowArguments;
use crate::output;
use crate::pager::Pager;
use crate::progress::prepare;
use crate::prompt_text::{reply_text, request_json, request_text};
use crate::reload_plan::{ReloadedPlan, reload_plan};
use crate::replay::print_changes;
use rolecall_core::domain::EpisodeId;
use rolecall_core::log::RunLog;
use rolecall_core::reports::{Paint, Style};
use rolecall_core::text::{counted, visible};
use rolecall_run::config::Absent;
use rolecall_run::registry::Registry;
use rolecall_run::runtime::{RebuiltCall, rebuild_requests};

/// Prints every call of a model of the episode, of the seats that are asked for.
pub(super) fn print(
    arguments: &ShowArguments,
    run: &RunLog,
    id: &EpisodeId,
    registry: &Registry,
) -> anyhow::Result<ExitCode> {
    let seats = arguments.selection(run.record())?.seats;
    let events = run.episode(id)?.events;
    let ReloadedPlan { resolved, changes } = reload_plan(run.folder(), &arguments.sets, &[], Absent::Taken, registry)?;
    print_changes(&changes);
    prepare(&resolved.plan, false)?;
    let mut pager = Pager::new(!arguments.no_pager && !arguments.json);
    let style = output::layout().style;
    let (mut calls, mut agree) = (0_u64, 0_u64);
    let mut written = Ok(true);
    rebuild_requests(&resolved.plan, id, &events, &mut |call: RebuiltCall| {
        let is_wanted = seats.is_empty() || seats.contains(&call.seat);
        if !is_wanted || !matches!(written, Ok(true)) {
            return;
        }
        calls += 1;
        agree += u64::from(call.agrees());
        written = pager.write(&match arguments.json {
            true => output::json_line(as_json(id, &call)),
            false => as_text(&call, style),
        });
    });
    written?;
    pager.finish()?;
    if calls == 0 {
        output::remark("no model was called");
    } else if agree < calls {
        let of = counted(calls, "call of a model", "calls of models");
        output::remark(&format!("{of}, of which {agree} could be shown as sent: the others say why"));
    }
    Ok(ExitCode::SUCCESS)
}

fn as_text(call: &RebuiltCall, style: Style) -> String {
    let logged = &call.call;
    let retry = match logged.attempt {
        0 => String::new(),
        attempt => format!(", attempt {}", attempt + 1),
    };
    let title = format!(
        "event {}: {}, turn {}{retry}, call {} of {}",
        call.seq,
        visible(call.seat.as_str()),
        logged.turn + 1,
        logged.call + 1,
        visible(&logged.model)
    );
    let mut text = format!("{}\n", style.paint(Paint::Good, &title));
    let verdict = match &call.request {
        Ok(sent) => {
            text.push_str(&request_text(&sent.request, &sent.settings, style));
            match call.agrees() {
                true => format!("hash {} agrees with the log", sent.hash),
                false => format!(
                    "hash {} DIFFERS from that of the log ({}): this was not sent; it is what the config \
                     sends as it is now",
                    sent.hash,
                    visible(&logged.request)
                ),
            }
        }
        Err(why) => format!("the prompt cannot be shown: {why}"),
    };
    text.push_str(&reply_text(&logged.reply, style));
    let paint = if call.agrees() { Paint::Dim } else { Paint::Bad };
    for line in output::harmless(&verdict).lines() {
        text.push_str(&style.paint(paint, line));
        text.push('\n');
    }
    text.push('\n');
    text
}

/// One call as an object. `agrees` says whether the request is the one that was sent; `problem` is why there
/// is none.
fn as_json(id: &EpisodeId, call: &RebuiltCall) -> serde_json::Value {
    let logged = &call.call;
    let mut object = json!({
        "episode": id.to_string(),
        "seq": call.seq,
        "seat": call.seat.as_str(),
        "turn": logged.turn,
        "attempt": logged.attempt,
        "call": logged.call,
        "model": logged.model,
        "hash": logged.request,
        "agrees": call.agrees(),
        "request": null,
        "problem": null,
        "reply": logged.reply,
    });
    match &call.request {
        Ok(sent) => object["request"] = request_json(&sent.request, &sent.settings),
        Err(why) => object["problem"] = why.to_string().into(),
    }
    object
}
