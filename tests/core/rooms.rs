//! The data tools that a world's entry brings.

use std::collections::BTreeMap;
use std::sync::Mutex;

use rolecall::domain::{EpisodeId, Event, Seed};
use rolecall::ports::{
    EnvironmentEntry, NoWords, OpenTask, Parameter, ParameterKind, ParameterValue, Parameters, SetupError,
};
use rolecall::reports::Layout;
use rolecall::world::{DataTool, Desk, Rehearsal, Unfinished, WorldEntry};

/// A world of marbles, which it can write.
static MARBLES: WorldEntry = WorldEntry {
    environments: &[EnvironmentEntry {
        name: "marbles",
        summary: "marbles in a bag",
        parameters: &[],
        words: &NoWords,
        build: |_| Err(SetupError::at("data", "there are no marbles")),
    }],
    data: &[DataTool {
        name: "generate",
        summary: "Write marbles",
        parameters: &[Parameter::integer("marble_count", Some(2), 1..=9, "how many")],
        examples: "  rolecall data generate marbles",
        run: marbles,
    }],
    ..WorldEntry::EMPTY
};

fn marbles(parameters: &Parameters, desk: &dyn Desk) -> anyhow::Result<String> {
    let count: usize = parameters.whole("marble_count").unwrap_or_default();
    let mut made = desk.progress(count, "marbles");
    (0..count).for_each(|_| made());
    Ok(format!("{} in {} columns", "o".repeat(count), desk.layout().width))
}

/// A desk that notes what it is asked for.
#[derive(Default)]
struct Noting(Mutex<Vec<String>>);

impl Desk for Noting {
    fn layout(&self) -> Layout {
        Layout::default()
    }

    fn progress(&self, most: usize, what: &str) -> Box<dyn FnMut() + Send> {
        self.0.lock().unwrap().push(format!("{most} {what}"));
        Box::new(|| {})
    }

    fn dry_run(&self, _: &Rehearsal, episode: EpisodeId, _: Seed, _: OpenTask) -> anyhow::Result<Vec<Event>> {
        anyhow::bail!("{episode} is not played here")
    }
}

#[test]
fn the_registry_finds_what_the_entry_of_a_world_brings() {
    let mut registry = rolecall::worlds();
    assert!(registry.world_of("marbles").is_none());
    registry.add(&MARBLES);
    let world = registry.world_of("marbles").unwrap();
    let desk = Noting::default();
    let values = BTreeMap::from([("marble_count", ParameterValue::Integer(3))]);
    let said = (world.data[0].run)(&Parameters::new(values), &desk).unwrap();
    assert_eq!(said, "ooo in 100 columns");
    assert_eq!(*desk.0.lock().unwrap(), ["3 marbles"]);
}

#[test]
fn a_file_is_whole_or_not_there() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("marbles.txt");
    let failed = Unfinished::file(&place, |file| {
        std::fs::write(file, "half")?;
        anyhow::bail!("no more marbles") as anyhow::Result<()>
    });
    assert_eq!(failed.unwrap_err().to_string(), "no more marbles");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    let bytes = Unfinished::file(&place, |file| Ok(std::fs::write(file, "all").map(|()| 3)?));
    assert_eq!(bytes.unwrap(), 3);
    assert_eq!(std::fs::read(&place).unwrap(), b"all");
    assert!(Unfinished::file(&place, |_| Ok(())).is_err());
}

/// Words of the command line, which tools share with it and with each other.
#[test]
fn options_of_shipped_tools_fit_the_command_line() {
    let taken = ["environment", "help", "verbose", "version"];
    let mut kinds: BTreeMap<(&str, &str), bool> = BTreeMap::new();
    for world in rolecall::worlds().worlds {
        for tool in world.data {
            assert!(tool.examples.contains(&format!("rolecall data {} ", tool.name)));
            for parameter in tool.parameters {
                assert!(!taken.contains(&parameter.name), "{}", parameter.name);
                let flag = matches!(parameter.kind, ParameterKind::Flag { .. });
                let before = kinds.insert((tool.name, parameter.name), flag);
                assert!(before.is_none_or(|other| other == flag), "{}", tool.name);
            }
        }
    }
    assert!(kinds.contains_key(&("exemplars", "per_type")));
}
