//! Numbers of things, in words.

/// The number with the word for one thing, or with the word for several.
pub fn counted(number: u64, one: &str, several: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { several })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_one_is_singular() {
        let shown = [0, 1, 2].map(|number| counted(number, "reply", "replies"));
        assert_eq!(shown, ["0 replies", "1 reply", "2 replies"]);
    }
}
