//! The kinds of parts of a world: the folder of each, its table, and the templates that it is written from.

use anyhow::bail;

use super::PartName;
use super::change::{Change, place_of_entry, place_of_module};
use super::checkout::{Checkout, ROLECALL};
use super::environment;
use super::name::Name;
use rolecall_core::world::Starter;
use rolecall_run::registry::Registry;

/// One kind of part.
pub(super) struct PartKind {
    /// The folder of its modules where it serves any world.
    folder: &'static str,
    /// Folders of a world where it goes if there is one of them, else it stands beside them.
    rooms: &'static [&'static str],
    /// Its table in the registry, or in the `entries.rs` of a world.
    table: &'static str,
    entry: &'static str,
    /// The templates where the world has no better ones.
    usual: Starter,
    commands: [&'static str; 3],
    /// The page that explains it.
    pub(super) guide: &'static str,
}

const TEST: &str = "cargo test {{package}}{{module}}";
const RUN: &str = "cargo run {{profile}}-- run configs/{{name}}.toml";
const SHOW: &str = "cargo run {{profile}}-- show {{name}} 2";

const ROLE: PartKind = PartKind {
    folder: "src/core/roles",
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
    commands: [TEST, RUN, SHOW],
    guide: "docs/adding-a-role.md",
};

const USER: PartKind = PartKind {
    folder: "src/core/users",
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
    commands: [TEST, RUN, "cargo run {{profile}}-- show {{name}}"],
    guide: "docs/adding-a-user.md",
};

const STRATEGY: PartKind = PartKind {
    folder: "src/core/strategies",
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
    commands: [TEST, RUN, SHOW],
    guide: "docs/adding-a-strategy.md",
};

const METRIC: PartKind = PartKind {
    folder: "src/core/evaluation/metrics",
    rooms: &[],
    table: "METRICS",
    entry: include_str!("metric/entry.rs.txt"),
    usual: Starter { kind: "metric", summary: "", code: include_str!("metric/code.rs.txt"), config: "", script: None },
    commands: [
        TEST,
        "cargo run {{profile}}-- run configs/{{config}}.toml --quiet --name {{name}}",
        "cargo run {{profile}}-- report {{name}}",
    ],
    guide: "docs/adding-a-metric.md",
};

/// The folder and the table for a part, and its templates there.
pub(super) struct Destination {
    folder: String,
    /// The file that lists the modules of the folder.
    modules: String,
    /// The file of its table.
    entries: String,
    world: Option<String>,
    /// Name by which its code knows the crate with the prelude.
    prelude: &'static str,
    /// Package that it becomes a part of; none in a package of its own, where commands need not name it.
    package: Option<String>,
    starter: Starter,
}

impl PartKind {
    /// The part of this kind; none for an environment, which is a whole crate.
    pub(super) fn of(kind: PartName) -> Option<&'static Self> {
        match kind {
            PartName::Role => Some(&ROLE),
            PartName::User => Some(&USER),
            PartName::Environment => None,
            PartName::Strategy => Some(&STRATEGY),
            PartName::Metric => Some(&METRIC),
        }
    }

    /// The destination in a source tree: beside what serves all worlds, or in the crate of one.
    pub(super) fn destination(
        &self,
        checkout: &Checkout,
        world: Option<&str>,
        registry: &Registry,
    ) -> anyhow::Result<Destination> {
        let packaged = checkout.own_world.as_deref();
        let (world, crate_folder, root_module, prelude) = match (packaged, world) {
            (None, None) => {
                return Ok(Destination {
                    folder: self.folder.to_owned(),
                    modules: format!("{}/mod.rs", self.folder),
                    entries: "src/run/registry.rs".to_owned(),
                    world: None,
                    prelude: "crate",
                    package: Some("rolecall-core".to_owned()),
                    starter: self.usual,
                });
            }
            (None, Some(world)) => (world, environment::folder(&world.replace('-', "_")), "lib.rs", "rolecall_core"),
            (Some(world), None) => (world, "src".to_owned(), "main.rs", ROLECALL),
            (Some(world), Some(_)) => bail!("this package has one environment, `{world}`: leave --environment out"),
        };
        if !checkout.root.join(&crate_folder).join("entries.rs").is_file() {
            bail!("there is no environment `{world}` here: `{crate_folder}/entries.rs` is missing");
        }
        let list = |room: &str| format!("{crate_folder}/{room}/mod.rs");
        let room = self.rooms.iter().find(|room| checkout.root.join(list(room)).is_file());
        let starters = registry.world_of(world).map_or(&[][..], |entry| entry.starters);
        Ok(Destination {
            folder: room.map_or(crate_folder.clone(), |room| format!("{crate_folder}/{room}")),
            modules: room.map_or_else(|| format!("{crate_folder}/{root_module}"), |room| list(room)),
            entries: format!("{crate_folder}/entries.rs"),
            world: Some(world.to_owned()),
            prelude,
            package: packaged.is_none().then(|| format!("rolecall-{world}")),
            starter: starters.iter().find(|starter| starter.kind == self.usual.kind).copied().unwrap_or(self.usual),
        })
    }

    /// Everything that is to be written, and the commands to give next; an error if any part of it cannot be.
    pub(super) fn changes(
        &self,
        checkout: &Checkout,
        name: &Name,
        destination: &Destination,
        registry: &Registry,
    ) -> anyhow::Result<(Vec<Change>, Vec<String>)> {
        let (root, starter, module) = (&checkout.root, &destination.starter, &name.module);
        name.check_unused([starter.code])?;
        let fill = |template: &str| name.fill(&destination.fill(template, module, registry));
        let code = format!("{}/{module}.rs", destination.folder);
        let declared = format!("pub mod {module};\n");
        let mut changes = vec![
            Change::file(root, code, fill(starter.code))?,
            Change::lines(root, &destination.modules, declared, |lines| place_of_module(lines, module))?,
            Change::lines(root, &destination.entries, fill(self.entry), |lines| {
                place_of_entry(lines, self.table, &name.text)
            })?,
        ];
        let config = Some(starter.config).filter(|config| !config.is_empty());
        for (template, ending) in [(config, "toml"), (starter.script, "jsonl")] {
            if let Some(template) = template {
                let path = format!("configs/{}.{ending}", name.text);
                changes.push(Change::file(root, path, fill(template))?);
            }
        }
        Ok((changes, self.commands.map(fill).into()))
    }
}

impl Destination {
    /// A template with what depends on the place put in.
    fn fill(&self, template: &str, module: &str, registry: &Registry) -> String {
        let room = self.folder.rsplit('/').next().unwrap_or_default();
        let beside = self.entries.rsplit_once('/').is_some_and(|(folder, _)| folder == self.folder);
        let in_world = |module: &str| match self.world {
            Some(_) => format!("{}::{module}::", self.prelude),
            None => String::new(),
        };
        let path = match &self.world {
            None => format!("{room}::{module}"),
            Some(_) if beside => format!("super::{module}"),
            Some(_) => format!("super::{room}::{module}"),
        };
        let usual = registry.environments.first().map_or("", |entry| entry.name);
        let world = self.world.as_deref();
        let environments = world.map_or(String::new(), |world| format!("{world:?}"));
        let package = self.package.as_ref().map_or(String::new(), |package| format!("-p {package} "));
        // A world that has no roles by rules yet has a script of its own.
        let by_rules =
            |world| registry.roles.iter().any(|entry| entry.name == "rules" && entry.environments.contains(&world));
        let executor = match world.filter(|world| !by_rules(*world)) {
            Some(world) => format!("\"scripted\"\nfile = \"{world}.jsonl\""),
            None => "\"rules\"".to_owned(),
        };
        template
            .replace("{{path}}", &path)
            .replace("{{summary}}", self.starter.summary)
            .replace("{{environments}}", &format!("&[{environments}]"))
            .replace("{{world}}", world.unwrap_or(usual))
            .replace("{{executor}}", &executor)
            .replace("{{crate}}", self.prelude)
            .replace("{{ports}}", &in_world("ports"))
            .replace("{{domain}}", &in_world("domain"))
            .replace("{{kit}}", &in_world("world"))
            .replace("{{package}}", &package)
            .replace("{{profile}}", if self.package.is_some() { "--profile quick " } else { "" })
            .replace("{{config}}", world.filter(|_| self.package.is_none()).unwrap_or("quickstart"))
    }
}
