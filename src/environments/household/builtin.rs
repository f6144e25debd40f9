//! The built-in games: generated, as the config of an environment asks for them.

use std::str::FromStr;

use super::generate::{GenerateError, Span};
use super::{Generator, Split, Wishes};
use rolecall_core::ports::{Parameter, Parameters, SetupError};

/// The number of games unless a config says another: as many as in the official `valid_unseen`.
pub const GAMES: usize = 134;

/// The seed of the games unless a config says another.
pub const SEED: u32 = 1;

/// The most games of a run.
pub(super) const MOST_GAMES: i64 = 1_000_000;

/// The parameters of the built-in games, besides their split. Numbers have no default here, so that
/// [`refuse`] can tell whether they were given.
pub(super) const PARAMETERS: [Parameter; 6] = [
    Parameter::integer("games", None, 1..=MOST_GAMES, "built-in games only: how many are generated; absent: 134"),
    Parameter::integer(
        "games_seed",
        None,
        0..=u32::MAX as i64,
        "built-in games only: the seed that they are drawn from; absent: 1",
    ),
    Parameter::integer(
        "rooms",
        None,
        2..=Wishes::MOST_ROOMS as i64,
        "built-in games only: how many different floor plans; absent: 40",
    ),
    Parameter::text(
        "receptacles",
        Some(""),
        "built-in games only: receptacles in a room, as `A..B`; empty: as usual in its kind of room",
    ),
    Parameter::text(
        "objects",
        Some(""),
        "built-in games only: objects in a room, as `A..B`; empty: as usual in its kind of room",
    ),
    Parameter::text("plan", Some(""), "built-in games only: commands of the shortest plan, as `A..B`; empty: 3..10"),
];

/// The generator that the parameters ask for, and how many games.
pub(super) fn generator(parameters: &Parameters) -> Result<(Generator, usize), SetupError> {
    let split = match parameters.text("split").unwrap_or_default() {
        "" => Split::Unseen,
        word => Split::named(word).map_err(at_parameter)?,
    };
    let seed = parameters.whole("games_seed").unwrap_or(SEED);
    let mut wishes = Wishes::new(split, seed);
    wishes.rooms = parameters.whole("rooms").unwrap_or(wishes.rooms);
    wishes.receptacles = range_of(parameters, "receptacles")?;
    wishes.objects = range_of(parameters, "objects")?;
    wishes.plan = range_of(parameters, "plan")?.unwrap_or(wishes.plan);
    let games = parameters.whole("games").unwrap_or(GAMES);
    let generator = Generator::new(wishes).map_err(at_parameter)?;
    Ok((generator, games))
}

/// Refuses parameters of built-in games where games are read from files.
pub(super) fn refuse(parameters: &Parameters) -> Result<(), SetupError> {
    let is_given = |name: &&str| {
        let text = parameters.text(name).unwrap_or_default();
        parameters.integer(name).is_some() || !text.is_empty()
    };
    let problem = "it says how built-in games are generated, but `data` names games that exist; \
                   leave it out, or set data = \"builtin\"";
    match PARAMETERS.iter().map(|one| one.name).find(is_given) {
        Some(name) => Err(SetupError::at(name, problem)),
        None => Ok(()),
    }
}

/// The generator's error under the parameter that is to blame: a knob has the parameter's name.
fn at_parameter(error: GenerateError) -> SetupError {
    SetupError { key: error.knob.map(str::to_owned), problem: error.problem }
}

/// The range that a parameter gives as `A..B`; none if it is empty.
fn range_of(parameters: &Parameters, name: &str) -> Result<Option<Span>, SetupError> {
    parameters
        .text(name)
        .filter(|text| !text.is_empty())
        .map(Span::from_str)
        .transpose()
        .map_err(|error| SetupError::at(name, error))
}
