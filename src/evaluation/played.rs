//! The words of results: most results of a run share them with others.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use rustc_hash::FxHashSet;

use crate::domain::Opened;

/// Those that are known at most: a run may have as many tasks as episodes.
const KNOWN: usize = 4096;

thread_local! {
    /// Those of the last results of this thread.
    static SHARED: RefCell<FxHashSet<Arc<Played>>> = RefCell::default();
}

/// The words of a result: what was played, and with whom.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Played {
    /// The task's name in its data set.
    pub task: String,
    /// The task's type.
    pub kind: String,
    /// The task's other groups, by name.
    pub groups: BTreeMap<String, String>,
    /// The kind of user, if there was one.
    pub user: Option<String>,
    /// Name of the strategy.
    pub strategy: String,
}

impl Played {
    /// Those of an episode that was opened.
    pub(super) fn of(opened: &Opened) -> Self {
        Self {
            task: opened.task.id.clone(),
            kind: opened.task.kind.clone(),
            groups: opened.task.groups.clone(),
            user: opened.user.clone(),
            strategy: opened.strategy.clone(),
        }
    }

    /// The same in one place with those of other results, as long as there are not too many different ones.
    pub(super) fn shared(self) -> Arc<Self> {
        SHARED.with_borrow_mut(|shared| {
            if let Some(same) = shared.get(&self) {
                return Arc::clone(same);
            }
            if shared.len() >= KNOWN {
                shared.clear();
            }
            let new = Arc::new(self);
            shared.insert(Arc::clone(&new));
            new
        })
    }
}
