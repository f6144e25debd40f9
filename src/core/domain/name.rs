//! Names that come again and again: of roles and cells. Each is kept once, for as long as the process
//! lives, and is handed about as a number, because every event names two seats.

use std::cell::RefCell;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Mutex, OnceLock, PoisonError};

use rustc_hash::FxHashMap;
use serde::de::Visitor;

/// Names of one block.
const BLOCK: usize = 256;

/// The names by number. Read without a lock: what is there never changes.
static NAMES: [OnceLock<Box<Block>>; BLOCK] = [const { OnceLock::new() }; BLOCK];

/// The numbers by name, for those who bring a name.
static NUMBERS: Mutex<BTreeMap<&'static str, u16>> = Mutex::new(BTreeMap::new());

type Block = [OnceLock<&'static str>; BLOCK];

thread_local! {
    /// Names that this thread has brought: a reader of a log brings the same few for every line.
    static BROUGHT: RefCell<FxHashMap<&'static str, Name>> = RefCell::default();
}

/// A name that is kept once. Ordered by its text.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Name(u16);

impl Name {
    /// The name, if this thread has brought it before.
    pub(super) fn brought(text: &str) -> Option<Self> {
        BROUGHT.with_borrow(|brought| brought.get(text).copied())
    }

    /// Keeps the name. None if there are 65,536 others, which no config and no sound log needs.
    pub(super) fn new(text: &str) -> Option<Self> {
        let name = Self::keep(text)?;
        BROUGHT.with_borrow_mut(|brought| brought.insert(name.as_str(), name));
        Some(name)
    }

    fn keep(text: &str) -> Option<Self> {
        let mut numbers = NUMBERS.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(number) = numbers.get(text) {
            return Some(Self(*number));
        }
        let number = u16::try_from(numbers.len()).ok()?;
        let (block, place) = Self(number).block_and_index();
        let kept: &'static str = Box::leak(text.into());
        let block = NAMES[block].get_or_init(|| Box::new([const { OnceLock::new() }; BLOCK]));
        // Numbers are given once, under the lock.
        block[place].set(kept).ok()?;
        numbers.insert(kept, number);
        Some(Self(number))
    }

    /// The name.
    pub(super) fn as_str(self) -> &'static str {
        let (block, place) = self.block_and_index();
        let block = NAMES[block].get();
        // There are no numbers without a name.
        let name = block.and_then(|block| block[place].get());
        name.copied().unwrap_or_default()
    }

    fn block_and_index(self) -> (usize, usize) {
        let number = usize::from(self.0);
        (number / BLOCK, number % BLOCK)
    }
}

impl Ord for Name {
    fn cmp(&self, other: &Self) -> Ordering {
        self.as_str().cmp(other.as_str())
    }
}

impl PartialOrd for Name {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_str().fmt(formatter)
    }
}

/// Reads a type from a text, which is not copied.
pub(super) struct FromText<T, E>(pub(super) fn(&str) -> Result<T, E>);

impl<T, E: fmt::Display> Visitor<'_> for FromText<T, E> {
    type Value = T;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a string")
    }

    fn visit_str<R: serde::de::Error>(self, text: &str) -> Result<T, R> {
        (self.0)(text).map_err(R::custom)
    }
}

/// Logs and configs write a type as one text: `$parse` reads it, `Display` writes it.
macro_rules! written_as_text {
    ($type:ty, $error:ty, $parse:expr) => {
        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(reader: D) -> Result<Self, D::Error> {
                reader.deserialize_str(crate::domain::name::FromText($parse))
            }
        }

        impl TryFrom<String> for $type {
            type Error = $error;

            fn try_from(text: String) -> Result<Self, $error> {
                $parse(&text)
            }
        }

        impl From<$type> for String {
            fn from(value: $type) -> Self {
                value.to_string()
            }
        }
    };
}

/// A type around a [`Name`], with the constructor `new`, that is written as its text.
macro_rules! written_as_name {
    ($type:ty) => {
        written_as_text!($type, InvalidName, <$type>::new);

        impl $type {
            /// The name as text.
            pub fn as_str(&self) -> &'static str {
                self.0.as_str()
            }
        }

        shown_as!($type, as_str);
    };
}

pub(super) use {written_as_name, written_as_text};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_names_are_one_and_the_order_is_that_of_texts() {
        let (later, earlier) = (Name::new("zebra").unwrap(), Name::new("aardvark").unwrap());
        assert_eq!(Name::new("zebra"), Some(later));
        assert_ne!(later, earlier);
        assert!(earlier < later);
        assert_eq!((earlier.as_str(), later.as_str()), ("aardvark", "zebra"));
    }

    #[test]
    fn threads_that_bring_names_at_once_agree_on_them() {
        let threads: Vec<_> = (0..4)
            .map(|_| {
                std::thread::spawn(|| {
                    let names = (0..600).map(|number| Name::new(&format!("name-{number}")));
                    names.collect::<Option<Vec<Name>>>().unwrap()
                })
            })
            .collect();
        let mut named = threads.into_iter().map(|thread| thread.join().unwrap());
        let first = named.next().unwrap();
        assert!(named.all(|names| names == first));
        assert_eq!(first[599].as_str(), "name-599");
    }
}
