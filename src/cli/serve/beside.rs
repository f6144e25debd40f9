//! Pages beside something else that this process does: a run, or a look at one.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::JoinHandle;

use super::browser;
use super::program::OwnProgram;
use crate::cli::{output, signals};
use crate::serve::web::{Site, SiteSettings};
use crate::serve::{Closing, Listener};

/// Where pages are served if nothing is said: any free port of this machine.
pub(crate) const ANYWHERE: &str = "127.0.0.1:0";

/// Pages that are being served.
pub(crate) struct Beside {
    closing: Closing,
    serving: JoinHandle<()>,
}

impl Beside {
    /// Serves the runs of a folder, says where a page of them is, and opens it where there is a screen.
    pub(crate) fn open(address: &str, logs: &Path, page: &str) -> anyhow::Result<Self> {
        let listener = Listener::bind(address, None)?;
        let closing = Closing::default();
        let settings = SiteSettings {
            logs: logs.to_owned(),
            program: Arc::new(OwnProgram::default()),
        };
        let site = Site::new(listener, settings, closing.clone())?;
        let link = site.link(page);
        let serving = site.serve()?;
        output::remark(&format!("look at it: {link}"));
        browser::open(&link);
        Ok(Self { closing, serving })
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

/// The folder in which a run's folder is, among its siblings, and the run's name there.
pub(crate) fn siblings(run: &Path) -> (PathBuf, String) {
    let whole = run.canonicalize().unwrap_or_else(|_| run.to_owned());
    let name = whole.file_name().unwrap_or_default().to_string_lossy();
    let above = whole.parent().map_or_else(PathBuf::new, Path::to_owned);
    (above, name.into_owned())
}
