//! `rolecall new KIND NAME --python`: a role, a user or an environment in Python, in any folder.

use std::path::Path;

use anyhow::bail;

use super::PartName;
use super::change::Change;
use super::name::Name;

/// The templates of one kind: what plays, the config that plays it, and its test.
struct Templates {
    code: &'static str,
    config: &'static str,
    test: &'static str,
}

/// Modules of Python that the package or a test imports, so that no file beside them may have their name; and
/// words of its language that Rust has not.
const TAKEN: &str = "abc and argparse ast assert base64 bisect calendar class code codecs collections contextlib copy \
                     dataclasses datetime decimal def del difflib dis elif email enum errno except finally from functools \
                     gettext global hashlib heapq http import inspect io is itertools json keyword lambda linecache \
                     locale logging math nonlocal not numbers opcode operator or os pass pathlib pickle platform pprint \
                     queue quopri raise random re rolecall secrets select selectors shutil signal site socket ssl stat \
                     statistics string struct subprocess symtable sys sysconfig tempfile test textwrap threading time \
                     token tokenize traceback types typing unittest urllib uuid warnings weakref with zlib";

fn templates(kind: PartName) -> anyhow::Result<Templates> {
    macro_rules! of {
        ($kind:literal) => {
            Templates {
                code: include_str!(concat!("python/", $kind, ".py.txt")),
                config: include_str!(concat!("python/", $kind, ".toml.txt")),
                test: include_str!(concat!("python/", $kind, "_test.py.txt")),
            }
        };
    }
    Ok(match kind {
        PartName::Role => of!("role"),
        PartName::User => of!("user"),
        PartName::Environment => of!("environment"),
        PartName::Strategy | PartName::Metric => {
            bail!("roles, users and environments can be written in Python; leave --python out")
        }
    })
}

/// The files that are to be written into the folder.
pub(super) fn changes(root: &Path, kind: PartName, name: &Name) -> anyhow::Result<Vec<Change>> {
    if !root.is_dir() {
        bail!("`{}` is no folder", root.display());
    }
    let templates = templates(kind)?;
    let module = &name.module;
    if TAKEN.split_whitespace().any(|word| word == module) {
        bail!("`{module}` cannot be the name: Python uses it already");
    }
    name.check_unused([templates.code, templates.test])?;
    let files = [
        (format!("{module}.py"), templates.code),
        (format!("{module}.toml"), templates.config),
        (format!("test_{module}.py"), templates.test),
    ];
    let change = |(path, template)| Change::file(root, path, name.fill(template));
    files.into_iter().map(change).collect()
}

/// The commands to give next.
pub(super) fn commands(name: &Name) -> Vec<String> {
    let module = &name.module;
    vec![
        "python3 -m pip install rolecall        # from a checkout: python3 -m pip install ./python".to_owned(),
        format!("python3 -m unittest test_{module}"),
        format!("rolecall run {module}.toml"),
    ]
}
