//! The kinds of parts: the folder of each, its table, and the templates that it is written from.

use std::path::Path;

use anyhow::bail;

use super::PartName;
use super::change::{Change, place_of_entry, place_of_module};
use super::name::Name;
use crate::registry::Registry;
use crate::world::Starter;

/// One kind of part.
pub(super) struct PartKind {
    /// The folder of its modules.
    folder: &'static str,
    /// Folders of a world where it goes if there is one of them, else it stands beside them.
    rooms: &'static [&'static str],
    /// Its table in `registry.rs`, or in the `entries.rs` of a world.
    table: &'static str,
    entry: &'static str,
    /// The templates where the world has no better ones.
    usual: Starter,
    /// Files besides the code, in a folder of the name: only a world has some.
    besides: &'static [(&'static str, &'static str)],
    commands: [&'static str; 3],
    /// The page that explains it.
    pub(super) guide: &'static str,
}

const TEST: &str = "cargo test --lib {{module}}";
const RUN: &str = "cargo run --profile quick -- run configs/{{name}}.toml";
const SHOW: &str = "cargo run --profile quick -- show {{name}} 2";

const ROLE: PartKind = PartKind {
    folder: "src/roles",
    rooms: &["roles"],
    table: "ROLES",
    entry: include_str!("role/entry.rs.txt"),
    usual: Starter {
        kind: "role",
        summary: "does what the world lists as possible, or what the config says",
        code: include_str!("role/code.rs.txt"),
        config: include_str!("role/config.toml.txt"),
        script: None,
    },
    besides: &[],
    commands: [TEST, RUN, SHOW],
    guide: "docs/adding-a-role.md",
};

const USER: PartKind = PartKind {
    folder: "src/users",
    rooms: &["users", "user"],
    table: "USERS",
    entry: include_str!("user/entry.rs.txt"),
    usual: Starter {
        kind: "user",
        summary: "says yes or no",
        code: include_str!("user/code.rs.txt"),
        config: include_str!("user/config.toml.txt"),
        script: Some(include_str!("user/script.jsonl.txt")),
    },
    besides: &[],
    commands: [TEST, RUN, "cargo run --profile quick -- show {{name}}"],
    guide: "docs/adding-a-user.md",
};

const ENVIRONMENT: PartKind = PartKind {
    folder: "src/environments",
    rooms: &[],
    table: "WORLDS",
    entry: include_str!("environment/entry.rs.txt"),
    usual: Starter {
        kind: "environment",
        summary: "",
        code: include_str!("environment/mod.rs.txt"),
        config: include_str!("environment/config.toml.txt"),
        script: Some(include_str!("environment/script.jsonl.txt")),
    },
    besides: &[
        ("entries.rs", include_str!("environment/entries.rs.txt")),
        ("world.rs", include_str!("environment/world.rs.txt")),
    ],
    commands: [TEST, RUN, SHOW],
    guide: "docs/adding-an-environment.md",
};

const STRATEGY: PartKind = PartKind {
    folder: "src/strategies",
    rooms: &["strategies"],
    table: "STRATEGIES",
    entry: include_str!("strategy/entry.rs.txt"),
    usual: Starter {
        kind: "strategy",
        summary: "",
        code: include_str!("strategy/code.rs.txt"),
        config: include_str!("strategy/config.toml.txt"),
        script: Some(include_str!("strategy/script.jsonl.txt")),
    },
    besides: &[],
    commands: [TEST, RUN, SHOW],
    guide: "docs/adding-a-strategy.md",
};

const METRIC: PartKind = PartKind {
    folder: "src/evaluation/metrics",
    rooms: &[],
    table: "METRICS",
    entry: include_str!("metric/entry.rs.txt"),
    usual: Starter { kind: "metric", summary: "", code: include_str!("metric/code.rs.txt"), config: "", script: None },
    besides: &[],
    commands: [
        TEST,
        "cargo run --profile quick -- run configs/quickstart.toml --quiet --name {{name}}",
        "cargo run --profile quick -- report {{name}}",
    ],
    guide: "docs/adding-a-metric.md",
};

/// The folder and the table for a part, and its templates there.
pub(super) struct Destination {
    folder: String,
    /// The file of its table.
    entries: String,
    world: Option<String>,
    starter: Starter,
}

impl PartKind {
    /// The entry of the kind.
    pub(super) fn of(kind: PartName) -> &'static Self {
        match kind {
            PartName::Role => &ROLE,
            PartName::User => &USER,
            PartName::Environment => &ENVIRONMENT,
            PartName::Strategy => &STRATEGY,
            PartName::Metric => &METRIC,
        }
    }

    /// The destination in a checkout: beside what serves all worlds, or in the folder of one.
    pub(super) fn destination(&self, root: &Path, world: Option<&str>) -> anyhow::Result<Destination> {
        let shared = Destination {
            folder: self.folder.to_owned(),
            entries: "src/registry.rs".to_owned(),
            world: None,
            starter: self.usual,
        };
        let Some(world) = world else {
            return Ok(shared);
        };
        let folder = format!("{}/{}", ENVIRONMENT.folder, world.replace('-', "_"));
        if self.table == ENVIRONMENT.table {
            bail!("an environment is in no other one: leave --environment out");
        }
        if !root.join(&folder).join("entries.rs").is_file() {
            bail!("there is no environment `{world}` here: `{folder}/entries.rs` is missing");
        }
        let mut rooms = self.rooms.iter().map(|room| format!("{folder}/{room}"));
        let there = |room: &String| root.join(room).join("mod.rs").is_file();
        let own = Registry::standard().world_of(world);
        let own = own.map_or(&[][..], |entry| entry.starters);
        let own = own.iter().find(|own| own.kind == self.usual.kind);
        Ok(Destination {
            folder: rooms.find(there).unwrap_or(folder.clone()),
            entries: format!("{folder}/entries.rs"),
            world: Some(world.to_owned()),
            starter: own.copied().unwrap_or(self.usual),
        })
    }

    /// Everything that is to be written; an error if any part of it cannot be.
    pub(super) fn changes(&self, root: &Path, name: &Name, destination: &Destination) -> anyhow::Result<Vec<Change>> {
        let (module, folder) = (&name.module, &destination.folder);
        let fill = |template: &str| name.fill(&destination.fill(template, module));
        let code = match self.besides {
            [] => format!("{folder}/{module}.rs"),
            _ => format!("{folder}/{module}/mod.rs"),
        };
        let mut changes = vec![Change::file(root, code, fill(destination.starter.code))?];
        for (file, template) in self.besides {
            let path = format!("{folder}/{module}/{file}");
            changes.push(Change::file(root, path, fill(template))?);
        }
        let list = format!("{folder}/mod.rs");
        let declared = format!("pub mod {module};\n");
        changes.push(Change::lines(root, &list, declared, |lines| place_of_module(lines, module))?);
        let entry = fill(self.entry);
        changes.push(Change::lines(root, &destination.entries, entry, |lines| {
            place_of_entry(lines, self.table, &name.text)
        })?);
        let config = Some(destination.starter.config).filter(|config| !config.is_empty());
        for (template, ending) in [(config, "toml"), (destination.starter.script, "jsonl")] {
            if let Some(template) = template {
                let path = format!("configs/{}.{ending}", name.text);
                changes.push(Change::file(root, path, fill(template))?);
            }
        }
        Ok(changes)
    }

    /// The commands to give next.
    pub(super) fn commands(&self, name: &Name) -> [String; 3] {
        self.commands.map(|command| name.fill(command))
    }
}

impl Destination {
    /// A template with what depends on the place put in.
    fn fill(&self, template: &str, module: &str) -> String {
        let room = self.folder.rsplit('/').next().unwrap_or_default();
        let beside = self.entries.rsplit_once('/');
        let beside = beside.map_or("", |(folder, _)| folder);
        let in_world = |text: &'static str| self.world.as_ref().map_or("", |_| text);
        let path = match &self.world {
            None => format!("{room}::{module}"),
            Some(_) if beside == self.folder => format!("super::{module}"),
            Some(_) => format!("super::{room}::{module}"),
        };
        let usual = Registry::standard().environments;
        let usual = usual.first().map_or("", |entry| entry.name);
        let world = self.world.as_deref();
        let environments = world.map_or(String::new(), |world| format!("{world:?}"));
        template
            .replace("{{path}}", &path)
            .replace("{{summary}}", self.starter.summary)
            .replace("{{environments}}", &format!("&[{environments}]"))
            .replace("{{world}}", world.unwrap_or(usual))
            .replace("{{ports}}", in_world("crate::ports::"))
            .replace("{{domain}}", in_world("crate::domain::"))
            .replace("{{kit}}", in_world("crate::world::"))
    }

    /// Whether the type's name is a word that the template uses for something else.
    pub(super) fn mentions(&self, name: &Name) -> bool {
        let code = self.starter.code.replace("{{Type}}", " ");
        let mut words = code.split(|letter: char| !letter.is_alphanumeric());
        words.any(|word| word == name.type_name)
    }
}
