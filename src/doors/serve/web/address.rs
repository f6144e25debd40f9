//! The addresses of pages. Names of runs are those of folders, so that they may hold anything.

use std::fmt::Write;

use rolecall_core::domain::EpisodeId;

/// The text as a part of an address.
pub(super) fn encoded(text: &str) -> String {
    let mut part = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.~:".contains(&byte) {
            part.push(char::from(byte));
        } else {
            // Writing to a text cannot fail.
            let _ = write!(part, "%{byte:02X}");
        }
    }
    part
}

/// The page of a run.
pub fn of_run(run: &str) -> String {
    format!("/run/{}", encoded(run))
}

/// The page of an episode.
pub fn of_episode(run: &str, id: &EpisodeId) -> String {
    format!("{}/{}", of_run(run), encoded(&id.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_a_folder_is_called_its_name_is_one_part() {
        assert_eq!(of_run("a b/../?x#é\""), "/run/a%20b%2F..%2F%3Fx%23%C3%A9%22");
        let id: EpisodeId = "main:1:0".parse().unwrap();
        assert_eq!(of_episode("r", &id), "/run/r/main:1:0");
    }
}
