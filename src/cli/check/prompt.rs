//! `rolecall check CONFIG --prompt SEAT`: the first prompt of a seat, before anything is paid.

use std::io;
use std::process::ExitCode;

use anyhow::bail;
use serde_json::json;

use super::CheckArguments;
use crate::output::{emit, emit_json, instead, remark, style};
use crate::progress::prepare;
use crate::prompt_text::{request_json, request_text};
use rolecall_core::text::{joined, visible};
use rolecall_run::config::{Cell, Plan, Resolved};
use rolecall_run::registry::Registry;
use rolecall_run::runtime::first_prompt;

/// Prints the prompt.
pub(super) fn print(
    resolved: &Resolved,
    seat: &str,
    arguments: &CheckArguments,
    registry: &Registry,
) -> anyhow::Result<ExitCode> {
    let plan = &resolved.plan;
    let cell = cell(plan, arguments.cell.as_deref())?;
    prepare(plan, false)?;
    let first = first_prompt(plan, cell, seat, &registry.formats)?;
    let (sent, name) = (&first.request, visible(seat));
    if arguments.json {
        let mut object = request_json(&sent.request, &sent.settings);
        object["cell"] = cell.name.as_str().into();
        object["seat"] = seat.into();
        object["model"] = sent.model.as_str().into();
        object["stand_ins"] = first.stand_ins.iter().map(|own| json!(own.as_str())).collect();
        emit_json(&format!("{object}\n"))?;
    } else {
        let text = request_text(&sent.request, &sent.settings, style(&io::stdout()));
        emit(&text)?;
    }
    if !first.stand_ins.is_empty() {
        let others = joined(&first.stand_ins);
        remark(&format!(
            "note: nobody was asked: what {others} said before is made up, as in `(what the {} says)`, so that \
             the prompt of `{name}` will be another one in a run",
            first.stand_ins[0]
        ));
    }
    Ok(ExitCode::SUCCESS)
}

/// The cell of that name, or the only one.
fn cell<'a>(plan: &'a Plan, name: Option<&str>) -> anyhow::Result<&'a Cell> {
    let names: Vec<&str> = plan.cells.iter().map(|cell| cell.name.as_str()).collect();
    match (name, &plan.cells[..]) {
        (None, [only]) => Ok(only),
        (None, _) => {
            bail!("the config has {} cells: choose one with `--cell`; there is {}", names.len(), joined(&names))
        }
        (Some(name), cells) => match cells.iter().find(|cell| cell.name.as_str() == name) {
            Some(cell) => Ok(cell),
            None => bail!("the config has no cell `{}`{}", visible(name), instead(name, &names)),
        },
    }
}
