//! The words by which configs, logs and tables know the variants of an enum.

/// Gives an enum without fields the list of its variants, and the word for each: a method of the name that
/// is written here, and `named`, which reads the word.
#[macro_export]
macro_rules! names {
    ($type:ty, $method:ident: $($(#[$meta:meta])* $variant:ident => $word:literal),+ $(,)?) => {
        impl $type {
            /// Every variant, in order.
            pub const ALL: [Self; [$($(#[$meta])* $word),+].len()] =
                [$($(#[$meta])* Self::$variant),+];

            /// The variant's word.
            pub const fn $method(self) -> &'static str {
                match self {
                    $($(#[$meta])* Self::$variant => $word),+
                }
            }

            /// The variant of a word.
            pub fn named(word: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|one| one.$method() == word)
            }
        }
    };
}

/// Writes a type as the text that one of its methods gives.
#[macro_export]
macro_rules! shown_as {
    ($type:ty, $method:ident) => {
        impl std::fmt::Display for $type {
            fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str(self.$method())
            }
        }
    };
}
