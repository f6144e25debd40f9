//! What belongs to each kind: where it goes, and the templates that it is written from.

use std::path::Path;

use super::Kind;
use super::change::{Change, place_of_entry, place_of_module};
use super::name::Name;

/// One kind of part.
pub(super) struct Part {
    /// The folder of its modules.
    folder: &'static str,
    /// Its table in `registry.rs`.
    table: &'static str,
    code: &'static str,
    entry: &'static str,
    config: Option<&'static str>,
    /// The answers of a scripted role in the config.
    script: Option<&'static str>,
    commands: [&'static str; 3],
    /// The page that explains it.
    pub(super) guide: &'static str,
}

const TEST: &str = "cargo test --lib {{module}}";
const RUN: &str = "cargo run -- run configs/{{name}}.toml";
const SHOW: &str = "cargo run -- show {{name}} 2";

const ROLE: Part = Part {
    folder: "src/roles",
    table: "ROLES",
    code: include_str!("role/code.rs.txt"),
    entry: include_str!("role/entry.rs.txt"),
    config: Some(include_str!("role/config.toml.txt")),
    script: None,
    commands: [TEST, RUN, SHOW],
    guide: "docs/adding-a-role.md",
};

const USER: Part = Part {
    folder: "src/users",
    table: "USERS",
    code: include_str!("user/code.rs.txt"),
    entry: include_str!("user/entry.rs.txt"),
    config: Some(include_str!("user/config.toml.txt")),
    script: None,
    commands: [TEST, RUN, "cargo run -- show {{name}} {{name}}:4:0"],
    guide: "docs/adding-a-user.md",
};

const ENVIRONMENT: Part = Part {
    folder: "src/environments",
    table: "ENVIRONMENTS",
    code: include_str!("environment/code.rs.txt"),
    entry: include_str!("environment/entry.rs.txt"),
    config: Some(include_str!("environment/config.toml.txt")),
    script: Some(include_str!("environment/script.jsonl.txt")),
    commands: [TEST, RUN, SHOW],
    guide: "docs/adding-an-environment.md",
};

const STRATEGY: Part = Part {
    folder: "src/strategies",
    table: "STRATEGIES",
    code: include_str!("strategy/code.rs.txt"),
    entry: include_str!("strategy/entry.rs.txt"),
    config: Some(include_str!("strategy/config.toml.txt")),
    script: Some(include_str!("strategy/script.jsonl.txt")),
    commands: [TEST, RUN, SHOW],
    guide: "docs/adding-a-strategy.md",
};

const METRIC: Part = Part {
    folder: "src/evaluation/metrics",
    table: "METRICS",
    code: include_str!("metric/code.rs.txt"),
    entry: include_str!("metric/entry.rs.txt"),
    config: None,
    script: None,
    commands: [
        TEST,
        "cargo run -- run configs/quickstart.toml --quiet --name {{name}}",
        "cargo run -- report {{name}}",
    ],
    guide: "docs/adding-a-metric.md",
};

impl Part {
    /// What belongs to the kind.
    pub(super) fn of(kind: Kind) -> &'static Self {
        match kind {
            Kind::Role => &ROLE,
            Kind::User => &USER,
            Kind::Environment => &ENVIRONMENT,
            Kind::Strategy => &STRATEGY,
            Kind::Metric => &METRIC,
        }
    }

    /// Whether the type's name is a word that the template uses for something else.
    pub(super) fn mentions(&self, name: &Name) -> bool {
        let code = self.code.replace("{{Type}}", " ");
        let mut words = code.split(|letter: char| !letter.is_alphanumeric());
        words.any(|word| word == name.type_name)
    }

    /// Everything that is to be written; an error if any part of it cannot be.
    pub(super) fn changes(&self, root: &Path, name: &Name) -> anyhow::Result<Vec<Change>> {
        let module = &name.module;
        let folder = self.folder;
        let code = Change::file(root, format!("{folder}/{module}.rs"), name.fill(self.code))?;
        let list = format!("{folder}/mod.rs");
        let declared = format!("pub mod {module};\n");
        let declared = Change::lines(root, &list, declared, |lines| {
            place_of_module(lines, module)
        })?;
        let entry = name.fill(self.entry);
        let entry = Change::lines(root, "src/registry.rs", entry, |lines| {
            place_of_entry(lines, self.table, &name.text)
        })?;
        let mut changes = vec![code, declared, entry];
        for (template, ending) in [(self.config, "toml"), (self.script, "jsonl")] {
            if let Some(template) = template {
                let path = format!("configs/{}.{ending}", name.text);
                changes.push(Change::file(root, path, name.fill(template))?);
            }
        }
        Ok(changes)
    }

    /// What to do next.
    pub(super) fn commands(&self, name: &Name) -> [String; 3] {
        self.commands.map(|command| name.fill(command))
    }
}
