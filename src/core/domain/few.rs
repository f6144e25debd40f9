//! Lists that are nearly always empty.

use std::fmt;
use std::ops::Deref;

use serde::{Deserialize, Serialize, Serializer};

/// A list that is nearly always empty and takes no more room than a pointer then: events are kept as long
/// as their episode lives, ten thousand of which may live at once. It is read as a slice, and made of a
/// [`Vec`] or an iterator.
#[derive(Clone, PartialEq, Eq, Deserialize)]
#[serde(from = "Vec<T>")]
#[expect(clippy::box_collection, reason = "a boxed slice has two words, and this is to have one")]
pub struct Few<T>(Option<Box<Vec<T>>>);

impl<T> Few<T> {
    /// The items.
    pub fn as_slice(&self) -> &[T] {
        self.0.as_ref().map_or(&[], |items| items.as_slice())
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.as_slice().is_empty()
    }

    /// Takes all items away.
    pub fn clear(&mut self) {
        self.0 = None;
    }
}

impl<T> Default for Few<T> {
    fn default() -> Self {
        Self(None)
    }
}

impl<T> Deref for Few<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        self.as_slice()
    }
}

impl<T> From<Vec<T>> for Few<T> {
    fn from(mut items: Vec<T>) -> Self {
        items.shrink_to_fit();
        Self((!items.is_empty()).then(|| Box::new(items)))
    }
}

impl<T> From<Few<T>> for Vec<T> {
    fn from(few: Few<T>) -> Self {
        few.0.map(|items| *items).unwrap_or_default()
    }
}

impl<T> FromIterator<T> for Few<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        items.into_iter().collect::<Vec<T>>().into()
    }
}

impl<T> Extend<T> for Few<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, items: I) {
        let mut all = Vec::from(std::mem::take(self));
        all.extend(items);
        *self = all.into();
    }
}

impl<T> IntoIterator for Few<T> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        Vec::from(self).into_iter()
    }
}

impl<'a, T> IntoIterator for &'a Few<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.as_slice().iter()
    }
}

impl<T: fmt::Debug> fmt::Debug for Few<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_slice().fmt(formatter)
    }
}

impl<T: Serialize> Serialize for Few<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.as_slice().serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_one_word_and_what_was_put_in() {
        assert_eq!(size_of::<Few<String>>(), size_of::<usize>());
        let mut few: Few<u8> = vec![1, 2].into();
        few.extend([3]);
        assert_eq!(few.as_slice(), [1, 2, 3]);
        assert_eq!(serde_json::to_string(&few).unwrap(), "[1,2,3]");
        assert_eq!(serde_json::from_str::<Few<u8>>("[1,2,3]").unwrap(), few);
        assert_eq!(few.clone().into_iter().rev().collect::<Vec<_>>(), [3, 2, 1]);
        assert_eq!(few.iter().sum::<u8>(), 6);
        few.clear();
        assert!(few.is_empty());
        // However it came to be empty, it is the same.
        assert_eq!(few, Few::from(Vec::new()));
        assert_eq!(format!("{few:?}"), "[]");
    }

    #[test]
    fn an_event_in_its_place_takes_no_more_than_it_must() {
        let place = size_of::<std::sync::OnceLock<crate::domain::Event>>();
        assert!(place <= 96, "{place} bytes");
    }
}
