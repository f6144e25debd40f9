//! `rolecall rate`: labels of what agents said, by people and by models.

mod agreement;
mod arguments;
mod ask;
mod export;
mod import;
mod judge;
mod names;
mod sheet;
mod source;
pub(crate) mod store;

use std::process::ExitCode;

pub(crate) use arguments::RateArguments;
use arguments::RateCommand;

/// Does what the arguments of `rate` say.
pub(crate) fn execute(arguments: &RateArguments) -> anyhow::Result<ExitCode> {
    match &arguments.command {
        RateCommand::Export(export) => export::execute(export),
        RateCommand::Import(import) => import::execute(import),
        RateCommand::Judge(judge) => judge::execute(judge),
        RateCommand::Agreement(agreement) => agreement::execute(agreement),
    }
}
