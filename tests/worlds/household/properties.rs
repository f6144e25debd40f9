//! Whatever the bytes, the readers answer with a game or a typed error; whatever the walk, the
//! admissible commands are exactly the accepted ones.

use std::sync::{Arc, LazyLock};

use proptest::prelude::*;
use rolecall::environments::household::generate::{Generator, Span, Split, Wishes};
use rolecall::environments::household::plan::{PlanLimits, shortest_plan};
use rolecall::environments::household::{Commands, Game, NOTHING_HAPPENS, World};
use serde_json::Value;

/// Small generated games as JSON values.
static GAMES: LazyLock<Vec<Value>> = LazyLock::new(|| {
    let small = Wishes {
        receptacles: Some(Span::new(12, 16)),
        objects: Some(Span::new(12, 20)),
        ..Wishes::new(Split::Train, 1)
    };
    let generator = Generator::new(small).unwrap();
    let game = |index| generator.game(index).unwrap().game.parse().unwrap();
    (0..12).map(game).collect()
});

/// Pieces that mean something to one of the readers.
fn snippet() -> impl Strategy<Value = String> {
    let known = [
        "(", ")", "()", ";", "\n", "{", "}", "#", "[{", "}]", "|", "+", "'", "\"", "\"\"\"", "::", "and", "or", "not",
        "exists", "-", "when", "forall", "(:action", ":effect", "action ", "grammar", "?o", "object", "_bar_", "basin",
        "\u{e9}",
    ];
    prop_oneof![prop::sample::select(known.to_vec()).prop_map(str::to_owned), ".{0,6}"]
}

/// Replaces a part of a text, at character boundaries.
fn mutate(text: &str, at: usize, length: usize, with: &str) -> String {
    let boundary = |mut index: usize| {
        while !text.is_char_boundary(index) {
            index -= 1;
        }
        index
    };
    let start = boundary(at % (text.len() + 1));
    let end = boundary((start + length).min(text.len())).max(start);
    format!("{}{with}{}", &text[..start], &text[end..])
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn arbitrary_bytes_give_a_typed_error(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        prop_assert!(Game::from_json("bytes", &bytes).is_err());
    }

    #[test]
    fn truncated_files_give_a_typed_error(game in 0_usize..12, cut in any::<prop::sample::Index>()) {
        let text = GAMES[game].to_string();
        let end = cut.index(text.len());
        prop_assert!(Game::from_json("cut", &text.as_bytes()[..end]).is_err());
    }

    #[test]
    fn mutated_texts_load_or_give_a_typed_error(
        game in 0_usize..12,
        key in prop::sample::select(vec!["pddl_domain", "grammar", "pddl_problem"]),
        at in any::<usize>(),
        length in 0_usize..40,
        with in snippet(),
    ) {
        let mut game = GAMES[game].clone();
        let changed = mutate(game[key].as_str().unwrap(), at, length, &with);
        game[key] = Value::from(changed);
        match Game::from_json("mutated", game.to_string().as_bytes()) {
            Ok(game) => {
                let world = World::new(Arc::new(game));
                prop_assert!(world.reset_observation().len() > 20);
                prop_assert!(!world.admissible().is_empty());
                let _ = shortest_plan(&world, PlanLimits { nodes: 2_000 });
            }
            Err(fault) => prop_assert!(!fault.to_string().is_empty()),
        }
    }

    #[test]
    fn texts_of_snippets_give_a_typed_error(
        key in prop::sample::select(vec!["pddl_domain", "grammar", "pddl_problem"]),
        snippets in prop::collection::vec(snippet(), 0..60),
    ) {
        let mut game = GAMES[0].clone();
        game[key] = Value::from(snippets.join(" "));
        prop_assert!(Game::from_json("snippets", game.to_string().as_bytes()).is_err());
    }

    #[test]
    fn admissible_commands_are_the_accepted_ones(
        game in 0_usize..12,
        picks in prop::collection::vec(any::<prop::sample::Index>(), 1..60),
        junk in ".{0,20}",
    ) {
        let game = Arc::new(Game::from_json("game", GAMES[game].to_string().as_bytes()).unwrap());
        let mut world = World::new(game);
        let mut commands = Commands::default();
        let mut seen: Vec<String> = vec![junk];
        for pick in picks {
            world.admissible_into(&mut commands);
            let list = world.admissible();
            prop_assert!(list.is_sorted() && commands.iter().eq(list.iter().map(String::as_str)));
            prop_assert!(list.windows(2).all(|pair| pair[0] != pair[1]));
            for command in &list {
                prop_assert_ne!(world.clone().perform(command), NOTHING_HAPPENS);
                if !seen.contains(command) {
                    seen.push(command.clone());
                }
            }
            for command in seen.iter().filter(|command| !list.contains(&command.trim().to_owned())) {
                let (mut copy, before) = (world.clone(), format!("{world:?}"));
                prop_assert_eq!(copy.perform(command), NOTHING_HAPPENS);
                prop_assert_eq!(format!("{copy:?}"), before);
            }
            world.perform(&list[pick.index(list.len())]);
        }
    }
}
