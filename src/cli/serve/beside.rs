//! Pages beside something else that this process does: a run, or a look at one.

use std::fs::OpenOptions;
use std::io::{IsTerminal, Write};
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::sync::Arc;
use std::thread::JoinHandle;

use maud::{DOCTYPE, html};

use super::program::OwnProgram;
use crate::playing::{PlayArguments, Playing};
use crate::runs::siblings;
use crate::{output, signals};
use rolecall_doors::serve::web::{Site, SiteSettings, of_run};
use rolecall_doors::serve::{Closing, Listener, Lobby};
use rolecall_run::config::Record;
use rolecall_run::registry::Registry;

/// Default address of pages: any free port of this machine.
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
        open_browser(&link);
        Ok(Self { closing, serving })
    }

    /// Plays a run, and with an address beside its pages, on which its people take their seats.
    pub(crate) fn play(
        address: Option<&str>,
        playing: Playing,
        record: &Record,
        play: &PlayArguments,
        verbose: u8,
    ) -> anyhow::Result<ExitCode> {
        let people = usize::from(!record.web_seats().is_empty());
        match address {
            Some(address) => Self::with_people(address, playing, record, people, play, verbose),
            None => playing.play(play, verbose),
        }
    }

    /// Plays a run beside its pages, with so many links for people who take its seats.
    pub(crate) fn with_people(
        address: &str,
        playing: Playing,
        record: &Record,
        people: usize,
        play: &PlayArguments,
        verbose: u8,
    ) -> anyhow::Result<ExitCode> {
        let lobby = Lobby::default();
        let playing = match record.web_seats().is_empty() {
            true => playing,
            false => playing.in_lobby(&lobby, record)?,
        };
        let (logs, name) = siblings(playing.writer.folder());
        let (site, closing) = site(address, &logs, Some(lobby), &playing.registry)?;
        let link = site.link(&of_run(&name));
        let tickets = (0..people).map(|_| site.ticket()).collect::<Result<Vec<String>, _>>()?;
        let serving = site.serve()?;
        for ticket in &tickets {
            output::remark(&format!("take your seat: {ticket}"));
        }
        output::remark(&format!("look at it: {link}"));
        open_browser(tickets.first().filter(|_| people == 1).unwrap_or(&link));
        let code = playing.play(play, verbose)?;
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
    Ok((Site::new(Listener::bind(address, None)?, settings, closing.clone())?, closing))
}

/// Opens a page in the reader's browser, where there are a terminal and a screen. That there is no browser is no
/// problem: the address was said. It holds a token, which the arguments of a process would show to everybody on the
/// machine: the browser gets a file that leads there, which its owner alone may read.
fn open_browser(link: &str) {
    if !std::io::stderr().is_terminal() || !has_screen() {
        return;
    }
    let file = std::env::temp_dir().join(format!("rolecall-{}.html", std::process::id()));
    if lead(&file, link).is_ok() {
        let mut command = Command::new(opener());
        let _ = command.arg(&file).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    }
}

fn has_screen() -> bool {
    let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    cfg!(any(target_os = "macos", windows)) || set("DISPLAY") || set("WAYLAND_DISPLAY")
}

fn opener() -> &'static str {
    if cfg!(target_os = "macos") {
        "open"
    } else if cfg!(windows) {
        "explorer"
    } else {
        "xdg-open"
    }
}

fn lead(file: &Path, link: &str) -> std::io::Result<()> {
    let page = html! { (DOCTYPE) meta http-equiv="refresh" content={ "0;url=" (link) }; };
    write_private(file, &page.into_string())
}

/// Writes a new file that only its owner can read.
pub(super) fn write_private(file: &Path, text: &str) -> std::io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(file)?.write_all(text.as_bytes())
}
