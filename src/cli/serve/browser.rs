//! Opening a page in the reader's browser. The address holds a token, which the arguments of a process would show to
//! everybody on the machine: the browser gets a file that leads there, which its owner alone may read.

use std::fs::OpenOptions;
use std::io::{IsTerminal, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use maud::{DOCTYPE, html};

/// Opens it, where there are a terminal and a screen. That there is no browser is no problem: the address was said.
pub(crate) fn open(link: &str) {
    let wanted = std::io::stderr().is_terminal() && has_screen();
    if !wanted {
        return;
    }
    let file = std::env::temp_dir().join(format!("rolecall-{}.html", std::process::id()));
    if lead(&file, link).is_ok() {
        let mut command = Command::new(opener());
        let quiet = command.arg(&file).stdin(Stdio::null()).stdout(Stdio::null());
        let _ = quiet.stderr(Stdio::null()).spawn();
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
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(file)?.write_all(page.into_string().as_bytes())
}
