//! Pages beside something else that this process does: a run, or a look at one.

use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::thread::JoinHandle;

use super::browser;
use super::program::OwnProgram;
use crate::playing::Playing;
use crate::runs::siblings;
use crate::{output, signals};
use rolecall_doors::serve::web::{Site, SiteSettings, of_run};
use rolecall_doors::serve::{Closing, Listener, Lobby};
use rolecall_run::config::Record;
use rolecall_run::registry::Registry;

/// Where pages are served if nothing is said: any free port of this machine.
pub(crate) const ANYWHERE: &str = "127.0.0.1:0";

/// Pages that are being served.
pub(crate) struct Beside {
    closing: Closing,
    serving: JoinHandle<()>,
}

impl Beside {
    /// Serves the runs of a folder, says where a page of them is, and opens it where there is a screen.
    pub(crate) fn open(address: &str, logs: &Path, page: &str, registry: &Registry) -> anyhow::Result<Self> {
        let (site, closing) = site(address, logs, None, registry)?;
        let link = site.link(page);
        let serving = site.serve()?;
        output::remark(&format!("look at it: {link}"));
        browser::open(&link);
        Ok(Self { closing, serving })
    }

    /// Plays a run beside its pages, on which its people take their seats.
    pub(crate) fn play(
        address: &str,
        playing: Playing,
        record: &Record,
        play: impl FnOnce(Playing) -> anyhow::Result<ExitCode>,
    ) -> anyhow::Result<ExitCode> {
        let people = usize::from(!record.web_seats().is_empty());
        Self::with_people(address, playing, record, people, play)
    }

    /// The same with so many links for people who take its seats.
    pub(crate) fn with_people(
        address: &str,
        playing: Playing,
        record: &Record,
        people: usize,
        play: impl FnOnce(Playing) -> anyhow::Result<ExitCode>,
    ) -> anyhow::Result<ExitCode> {
        let lobby = Lobby::default();
        let playing = match record.web_seats().is_empty() {
            true => playing,
            false => playing.in_lobby(&lobby, record)?,
        };
        let (logs, name) = siblings(playing.writer.folder());
        let (site, closing) = site(address, &logs, Some(lobby), &playing.registry)?;
        let link = site.link(&of_run(&name));
        let tickets = (0..people).map(|_| site.ticket());
        let tickets = tickets.collect::<Result<Vec<String>, _>>()?;
        let serving = site.serve()?;
        for ticket in &tickets {
            output::remark(&format!("take your seat: {ticket}"));
        }
        output::remark(&format!("look at it: {link}"));
        browser::open(tickets.first().filter(|_| people == 1).unwrap_or(&link));
        let code = play(playing)?;
        Self { closing, serving }.stay()?;
        Ok(code)
    }

    /// Serves on until Ctrl-C, if nobody has said it before.
    pub(crate) fn stay(self) -> anyhow::Result<()> {
        if !signals::was_interrupted() {
            output::remark("the pages are there until Ctrl-C");
            signals::expect_nothing_live();
            output::runtime()?.block_on(signals::interrupted());
        }
        self.closing.token.cancel();
        // It ends by itself, and before long.
        let _ = self.serving.join();
        Ok(())
    }
}

fn site(address: &str, logs: &Path, lobby: Option<Lobby>, registry: &Registry) -> anyhow::Result<(Site, Closing)> {
    let closing = Closing::default();
    let program = Arc::new(OwnProgram::new(registry));
    let settings = SiteSettings { logs: logs.to_owned(), program, lobby, registry: registry.clone() };
    let site = Site::new(Listener::bind(address, None)?, settings, closing.clone())?;
    Ok((site, closing))
}
