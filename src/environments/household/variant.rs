//! The variants of the household (ABA section 4.2), and what may be told of likely places (ReSpAct
//! section 5.2).

use serde::Deserialize;
use serde_json::Value;

use super::{Game, TaskType, World, class_of, traits};
use crate::text::unique;

/// The variant of a game: the demands besides its sentence.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Variant {
    /// The official game: any objects of the class will do.
    #[default]
    Standard,
    /// One specific object of the class counts (of two to be put somewhere: two), which the sentence
    /// does not say.
    Ambiguous,
    /// After a solved task there is another one in the same room.
    MultiRound,
}

impl Variant {
    /// The words of configs, the default first.
    pub const WORDS: &'static [&'static str] = &["standard", "ambiguous", "multi-round"];

    /// The word of configs.
    pub const fn as_str(self) -> &'static str {
        Self::WORDS[self as usize]
    }
}

/// The hints that an agent is given of where objects are (ReAct*).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Hints {
    /// Nothing.
    #[default]
    None,
    /// The classes of receptacles.
    Classes,
    /// The receptacles.
    Places,
}

impl Hints {
    /// The words of configs, the default first.
    pub const WORDS: &'static [&'static str] = &["none", "classes", "places"];
}

/// Where the objects of interest are at the start: a text such as `mug: countertop, cabinet` for each
/// class, in the order of the receptacles of the first observation.
///
/// Of interest are the class of the goal's object and the lamps of a goal with light; in a room with
/// many rounds everything that a later task may be about.
pub(super) fn likely_places(world: &World, variant: Variant, hints: Hints) -> Vec<Value> {
    let game = world.game();
    let mut classes: Vec<&str> = vec![game.goal().object_class()];
    if game.task_type() == TaskType::LookInLight {
        classes.push(game.goal().target_class());
    }
    if variant == Variant::MultiRound {
        let serving = world.state.contents.iter().map(|(_, object)| object);
        let serving = serving.filter(|object| game.has(*object, traits::PICKUPABLE) || is_lamp(game, *object));
        classes.extend(serving.map(|object| class_of(game.objects.get(object))));
    }
    let texts = unique(classes).into_iter().filter_map(|class| {
        let placed = world.placements();
        let placed = placed.filter(|(object, _)| class_of(object) == class);
        let places = unique(placed.map(|(_, place)| match hints {
            Hints::Classes => class_of(place),
            Hints::None | Hints::Places => place,
        }));
        (!places.is_empty()).then(|| Value::from(format!("{class}: {}", places.join(", "))))
    });
    texts.collect()
}

/// Whether a thing is a lamp that can be switched on.
pub(super) fn is_lamp(game: &Game, thing: u16) -> bool {
    let class = class_of(game.objects.get(thing));
    game.has(thing, traits::TOGGLEABLE) && class.ends_with("lamp")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ports::{ParameterValue, Parameters};

    #[test]
    fn every_word_means_its_variant() {
        let named = |word: &str| {
            let word = ParameterValue::Text(word.to_owned());
            Parameters::default().with("word", word)
        };
        for word in Variant::WORDS {
            assert_eq!(named(word).choice::<Variant>("word").as_str(), *word);
        }
        let hints: Vec<Hints> = Hints::WORDS.iter().map(|word| named(word).choice("word")).collect();
        assert_eq!(hints, [Hints::None, Hints::Classes, Hints::Places]);
        assert_eq!(named("other").choice::<Hints>("word"), Hints::None);
        assert_eq!(named("").choice::<Hints>("absent"), Hints::None);
    }
}
