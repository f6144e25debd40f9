//! Any bytes as the files of a game, and a good game with one place written anew: an error, or a
//! world that can be played, the same each time.
#![no_main]

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use libfuzzer_sys::fuzz_target;
use rolecall::environments::household::generate::{Generator, Split, Wishes};
use rolecall::environments::household::load::{Selection, list};
use rolecall::environments::household::plan::{PlanLimits, shortest_plan};
use rolecall::environments::household::{Game, TaskType, World};
use serde_json::Value;

/// The parts of a game's file that hold texts.
const PARTS: [&str; 3] = ["pddl_problem", "grammar", "pddl_domain"];

fn good() -> &'static (Value, String) {
    static GAME: OnceLock<(Value, String)> = OnceLock::new();
    GAME.get_or_init(|| {
        let generator = Generator::new(Wishes::new(Split::Train, 1)).unwrap();
        let game = generator.game(0).unwrap();
        (serde_json::from_str(&game.game).unwrap(), game.trajectory)
    })
}

/// The good game with some bytes of one part replaced.
fn edited(part: usize, at: u16, length: u8, text: &str) -> Option<String> {
    let (mut game, _) = good().clone();
    let key = PARTS[part % PARTS.len()];
    let old = game[key].as_str().unwrap();
    let start = usize::from(at) % (old.len() + 1);
    let end = (start + usize::from(length)).min(old.len());
    let new = [old.get(..start)?, text, old.get(end..)?].concat();
    game[key] = new.into();
    Some(game.to_string())
}

/// Plays a little of a game; says what was shown.
fn play(game: Game) -> Vec<String> {
    let mut world = World::new(Arc::new(game));
    let mut shown = vec![world.reset_observation()];
    for choice in 0..8_usize {
        let commands = world.admissible();
        let Some(command) = commands.get(choice * 7 % commands.len().max(1)) else {
            break;
        };
        shown.push(world.perform(command));
    }
    shown.push(world.perform("go to {x} 1"));
    let plan = shortest_plan(&world, PlanLimits { nodes: 200 });
    if let Ok(plan) = plan {
        plan.commands
            .iter()
            .for_each(|command| shown.push(world.perform(command)));
        assert!(world.won());
    }
    shown
}

/// A folder of this process with one game.
fn folder() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let name = format!("rolecall-fuzz-game-{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&folder).unwrap();
        folder
    })
}

fn listed(game: &[u8], trajectory: &[u8]) {
    std::fs::write(folder().join("game.tw-pddl"), game).unwrap();
    std::fs::write(folder().join("traj_data.json"), trajectory).unwrap();
    let selection = Selection {
        task_types: TaskType::ALL.to_vec(),
        ..Selection::default()
    };
    if let Ok(found) = list(folder(), &selection) {
        assert_eq!(found.len(), 1);
    }
}

fuzz_target!(|input: (u8, u16, u8, &[u8])| {
    let (how, at, length, bytes) = input;
    let text = String::from_utf8_lossy(bytes);
    let file = match how % 5 {
        part @ 0..3 => edited(usize::from(part), at, length, &text),
        3 => {
            listed(bytes, good().1.as_bytes());
            Some(text.clone().into_owned())
        }
        _ => return listed(good().0.to_string().as_bytes(), bytes),
    };
    let Some(file) = file else { return };
    match Game::from_json("game", file.as_bytes()) {
        Ok(game) => {
            let again = Game::from_json("game", file.as_bytes()).unwrap();
            assert_eq!(play(game), play(again));
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
});
