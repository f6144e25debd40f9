//! `rolecall rate`: labels of what agents said, by people and by models.

mod agreement;
mod arguments;
mod ask;
mod export;
mod import;
mod judge;
mod serve;
mod sheet;

use std::process::ExitCode;

pub(crate) use arguments::RateArguments;
use arguments::RateCommand;
use rolecall_run::registry::Registry;

/// Does what the arguments of `rate` say.
pub(crate) fn execute(arguments: &RateArguments, registry: &Registry) -> anyhow::Result<ExitCode> {
    match &arguments.command {
        RateCommand::Export(export) => export::execute(export, registry),
        RateCommand::Import(import) => import::execute(import, registry),
        RateCommand::Serve(serve) => serve::execute(serve, registry),
        RateCommand::Judge(judge) => judge::execute(judge, registry),
        RateCommand::Agreement(agreement) => agreement::execute(agreement, registry),
    }
}
