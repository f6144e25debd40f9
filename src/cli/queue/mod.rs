//! Runs that workers on several machines play: who plans and follows them, and who works.

mod files;
mod follow;

pub(crate) use files::{Unpacked, bundle};
pub(crate) use follow::{Followed, Queued, announce, asks_a_person, follow, record, refuse_taken};

/// The name of this machine, as far as the system says it.
pub(crate) fn host() -> String {
    let name = std::fs::read_to_string("/proc/sys/kernel/hostname").ok().or_else(|| std::env::var("HOSTNAME").ok());
    let name = name.unwrap_or_default();
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "-_.".contains(letter);
    let name: String = name.trim().chars().filter(|letter| plain(*letter)).collect();
    match name.is_empty() {
        true => "worker".to_owned(),
        false => name,
    }
}
