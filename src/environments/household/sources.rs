//! The sources of the games of a run: files, or the generator.

use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use super::load::list;
use super::{Game, Generator, HouseholdError, Rules, Selection};
use rolecall_core::files::stamp;
use rolecall_core::ports::{EnvironmentError, load_shared};

/// The source of a game.
#[derive(Debug, Clone)]
pub enum Source {
    /// A game file.
    File {
        /// The task's id.
        id: String,
        /// The file.
        path: PathBuf,
        /// The rules that it is read by.
        rules: Rules,
    },
    /// One of the built-in games.
    Generated {
        /// Makes the games.
        generator: Arc<Generator>,
        /// The number of the game.
        index: usize,
    },
}

impl Source {
    /// The games that exist as files below `data`, in the order of the selection.
    ///
    /// # Errors
    /// As [`list`].
    pub fn files(data: &Path, selection: &Selection) -> Result<Vec<Self>, HouseholdError> {
        let sources = list(data, selection)?.into_iter().map(|path| Self::File {
            id: id_of(data, &path),
            path,
            rules: selection.rules,
        });
        Ok(sources.collect())
    }

    /// Built-in games of these numbers.
    pub fn generated(generator: Generator, numbers: impl IntoIterator<Item = usize>) -> Vec<Self> {
        let generator = Arc::new(generator);
        numbers.into_iter().map(|index| Self::Generated { generator: Arc::clone(&generator), index }).collect()
    }

    /// The task's id and the game, of which those who play a file at a time share one.
    ///
    /// # Errors
    /// When the game cannot be read, or cannot be made; the text names it.
    pub fn load(&self) -> Result<(String, Arc<Game>), EnvironmentError> {
        let data = |error: &dyn ToString| EnvironmentError::Data(error.to_string());
        match self {
            Self::File { id, path, rules } => {
                let key = format!("{} {rules:?}", stamp(path));
                let game = load_shared(&key, || Game::load_by(path, *rules));
                Ok((id.clone(), game.map_err(|error| data(&error))?))
            }
            Self::Generated { generator, index } => {
                let made = generator.game(*index).map_err(|error| data(&error))?;
                let game = Game::from_json(&made.id, made.game.as_bytes());
                Ok((made.id, Arc::new(game.map_err(|error| data(&error))?)))
            }
        }
    }

    /// Takes what this game is made of into a hash; false if the parameters of the environment say
    /// everything, as for generated games.
    pub(super) fn add_to(&self, hasher: &mut blake3::Hasher) -> bool {
        let Self::File { id, path, .. } = self else {
            return false;
        };
        hasher.update(id.as_bytes());
        // A file that cannot be read breaks the episodes of its own task, and nothing else.
        if let Ok(hash) = hash_of(path) {
            hasher.update(hash.as_bytes());
        }
        true
    }
}

fn hash_of(path: &Path) -> std::io::Result<blake3::Hash> {
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(rolecall_core::files::open(path)?)?;
    Ok(hasher.finalize())
}

/// A task's id: the folder of its game as seen from the root, or the name of that folder where the
/// root is the game itself.
fn id_of(root: &Path, file: &Path) -> String {
    let folder = file.parent().unwrap_or(file);
    let below = folder.strip_prefix(root).unwrap_or(Path::new(""));
    let words = |path: &Path| {
        path.components()
            .filter_map(|part| match part {
                Component::Normal(part) => Some(part.to_string_lossy().into_owned()),
                _ => None,
            })
            .collect::<Vec<_>>()
    };
    let below = words(below);
    if !below.is_empty() {
        return below.join("/");
    }
    words(folder).pop().unwrap_or_else(|| file.to_string_lossy().into_owned())
}
