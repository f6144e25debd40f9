//! Python packages of other people, which `tests/clients.sh` installs.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The Python interpreter that has them, unless there is none and none is needed.
pub(crate) fn python() -> Option<PathBuf> {
    let named = std::env::var_os("ROLECALL_CLIENTS").filter(|path| !path.is_empty() && path != "off");
    if named.is_none() {
        let needed = std::env::var_os("ROLECALL_ORACLE").is_some();
        assert!(!needed, "no clients: run `tests/clients.sh`, which installs them");
        println!("skipped: ROLECALL_CLIENTS is not set; `tests/clients.sh` installs clients");
    }
    named.map(PathBuf::from)
}

/// The command that runs a script of `tests/outside/clients`; the module `rolecall` of this checkout is found.
pub(crate) fn script(python: &Path, name: &str) -> Command {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut command = Command::new(python);
    command.arg("-B").arg(root.join("tests/outside/clients").join(name));
    command.env("PYTHONPATH", root.join("python/src"));
    command
}

/// What a finished command printed; stops the test with both streams if it failed.
pub(crate) fn printed(output: &Output) -> String {
    let [out, err] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
    assert!(output.status.success(), "{}\n{out}\n{err}", output.status);
    out.into_owned()
}
