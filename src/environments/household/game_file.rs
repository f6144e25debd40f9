//! Reads a `game.tw-pddl` file: the JSON around the texts of a game.

use std::borrow::Cow;
use std::path::Path;

use serde::Deserialize;

use super::{Defect, Game, HouseholdError, Rules, compile};
use crate::files;
use crate::text::json;

/// The largest game file, in bytes; official ones take some 60 kB.
pub(crate) const BYTE_LIMIT: u64 = 16 << 20;

/// The JSON of a `game.tw-pddl` file.
#[derive(Deserialize)]
struct File<'a> {
    #[serde(borrow)]
    pddl_domain: Option<Cow<'a, str>>,
    #[serde(borrow)]
    grammar: Option<Cow<'a, str>>,
    #[serde(borrow)]
    pddl_problem: Option<Cow<'a, str>>,
    solvable: Option<bool>,
    walkthrough: Option<Vec<String>>,
}

impl Game {
    /// Compiles the bytes of a `game.tw-pddl` file; `name` stands for it in errors and logs.
    ///
    /// # Errors
    /// When the bytes are not a game, or one whose rules or goal are not supported.
    pub fn from_json(name: &str, bytes: &[u8]) -> Result<Self, HouseholdError> {
        Self::from_json_by(name, bytes, Rules::Recognise)
    }

    /// Compiles the bytes of a `game.tw-pddl` file by these rules.
    ///
    /// # Errors
    /// As [`Game::from_json`].
    pub fn from_json_by(name: &str, bytes: &[u8], rules: Rules) -> Result<Self, HouseholdError> {
        let name_of = || name.to_owned();
        let in_game = |defect| HouseholdError::NotPlayable { name: name_of(), defect };
        let unreadable = |fault: serde_json::Error| Defect::Json {
            line: fault.line(),
            column: fault.column(),
            reason: json::reason(&fault),
        };
        let file = serde_json::from_slice(bytes).map_err(unreadable);
        let file: File<'_> = file.map_err(in_game)?;
        let missing = |key| move || in_game(Defect::MissingKey { key });
        let domain = file.pddl_domain.ok_or_else(missing("pddl_domain"))?;
        let grammar = file.grammar.ok_or_else(missing("grammar"))?;
        let problem = file.pddl_problem.ok_or_else(missing("pddl_problem"))?;
        match file.solvable {
            Some(true) => {}
            Some(false) => {
                return Err(HouseholdError::NotSolvable { name: name_of() });
            }
            None => return Err(missing("solvable")()),
        }
        let walkthrough = file.walkthrough.map(Vec::into_boxed_slice);
        let texts = [&*domain, &*grammar, &*problem];
        compile::game(name, texts, walkthrough, rules).map_err(in_game)
    }

    /// Reads and compiles one game file.
    ///
    /// # Errors
    /// When the file cannot be read, or as [`Game::from_json`].
    pub fn load(path: &Path) -> Result<Self, HouseholdError> {
        Self::load_by(path, Rules::Recognise)
    }

    /// Reads and compiles one game file by these rules.
    ///
    /// # Errors
    /// As [`Game::load`].
    pub fn load_by(path: &Path, rules: Rules) -> Result<Self, HouseholdError> {
        let name = path.display().to_string();
        match files::read(path, BYTE_LIMIT) {
            Ok(bytes) => Self::from_json_by(&name, &bytes, rules),
            Err(source) => Err(HouseholdError::Read { path: name, source }),
        }
    }
}
