/// The items, each once, in the order in which they first came. For short lists: each item is compared with
/// those before it.
pub fn unique<T: PartialEq>(items: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut kept = Vec::new();
    for item in items {
        if !kept.contains(&item) {
            kept.push(item);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_equal_items_stays() {
        assert_eq!(unique(["b", "a", "b", "c", "a"]), ["b", "a", "c"]);
    }
}
