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

/// Does what the arguments of `rate` say.
pub(crate) fn execute(arguments: &RateArguments) -> anyhow::Result<ExitCode> {
    match &arguments.command {
        RateCommand::Export(export) => export::execute(export),
        RateCommand::Import(import) => import::execute(import),
        RateCommand::Serve(serve) => serve::execute(serve),
        RateCommand::Judge(judge) => judge::execute(judge),
        RateCommand::Agreement(agreement) => agreement::execute(agreement),
    }
}
