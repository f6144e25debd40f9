//! Who can take part in an episode.

use super::name::{Name, written_as_name, written_as_text};

/// The name that a config gives to a role, such as `executor`.
///
/// Lower-case ASCII letters, digits, `_` and `-`, beginning with a letter, and not the name of
/// another seat. Every name is kept once while the process lives, and cloning copies a number.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RoleName(Name);

/// A name that cannot be used for a role, a cell or an episode.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{name}` is not a valid name: {reason}")]
pub struct InvalidName {
    /// The name as it was written.
    pub name: String,
    /// The reason why it is none.
    pub reason: &'static str,
}

impl RoleName {
    /// Checks a name and wraps it.
    pub fn new(name: &str) -> Result<Self, InvalidName> {
        if Seat::RESERVED.contains(&name) {
            return Err(InvalidName { name: name.to_owned(), reason: "this seat is not a role" });
        }
        keep_name(name).map(Self)
    }

    /// Whether this role learns from scores between trials (Reflexion) and may see them.
    pub fn is_reflector(&self) -> bool {
        self.as_str() == "reflector"
    }
}

/// Checks that a name consists of lower-case ASCII letters, digits, `_` and `-`.
fn check_name(name: &str) -> Result<(), InvalidName> {
    let refuse = |reason| Err(InvalidName { name: name.chars().take(80).collect(), reason });
    if name.len() > 64 {
        return refuse("it is longer than 64 characters");
    }
    if !name.starts_with(|first: char| first.is_ascii_lowercase()) {
        return refuse("it must begin with a lower-case letter");
    }
    let allowed = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || "_-".contains(letter);
    if !name.chars().all(allowed) {
        return refuse("only lower-case letters, digits, `_` and `-` are allowed");
    }
    Ok(())
}

/// Checks a name and keeps it.
pub(super) fn keep_name(name: &str) -> Result<Name, InvalidName> {
    if let Some(known) = Name::brought(name) {
        return Ok(known);
    }
    check_name(name)?;
    Name::new(name).ok_or_else(|| InvalidName { name: name.to_owned(), reason: "there are too many different names" })
}

written_as_name!(RoleName);

/// A place in an episode. Seats talk to the conductor only.
///
/// Written in logs as one word: `conductor`, `environment`, `user`, or the role's name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Seat {
    /// The episode itself: it asks the strategy and passes every message on.
    Conductor,
    /// The world.
    Environment,
    /// The person whom the agent may ask.
    User,
    /// An agent.
    Role(RoleName),
}

impl Seat {
    /// The words that name a seat which is not a role.
    pub const RESERVED: [&'static str; 3] = ["conductor", "environment", "user"];

    /// The seat of this word.
    pub(crate) fn new(word: &str) -> Result<Self, InvalidName> {
        match word {
            "conductor" => Ok(Self::Conductor),
            "environment" => Ok(Self::Environment),
            "user" => Ok(Self::User),
            name => RoleName::new(name).map(Self::Role),
        }
    }

    /// The word that logs and configs use for this seat.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Conductor => "conductor",
            Self::Environment => "environment",
            Self::User => "user",
            Self::Role(name) => name.as_str(),
        }
    }
}

written_as_text!(Seat, InvalidName, Seat::new);

shown_as!(Seat, as_str);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_role_cannot_take_the_name_of_another_seat() {
        for name in Seat::RESERVED {
            assert!(RoleName::new(name).is_err());
        }
        assert!(RoleName::new("executor").is_ok());
    }

    #[test]
    fn names_are_checked() {
        for name in ["", "Executor", "a b", "-a", "a:b", "é", &"a".repeat(65)] {
            assert!(RoleName::new(name).is_err(), "{name}");
        }
    }

    #[test]
    fn seats_are_written_as_one_word() {
        let seat = Seat::Role(RoleName::new("thinker").unwrap());
        let text = serde_json::to_string(&seat).unwrap();
        assert_eq!(text, "\"thinker\"");
        assert_eq!(serde_json::from_str::<Seat>(&text).unwrap(), seat);
    }
}
