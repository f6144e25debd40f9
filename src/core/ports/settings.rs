//! Settings of the core: groups of parameters that belong to no implementation.

use std::path::PathBuf;
use std::time::Duration;

use super::{Parameter, Parameters};

/// A group of settings that is one table of a config. Its table of parameters is the only place that
/// says what may be written, with which default: configs are read by it, `run.toml` is written by it,
/// and `docs/settings.md` is made from it.
pub trait Settings: Sized {
    /// The settings, in the order in which records and documents list them.
    const PARAMETERS: &'static [Parameter];

    /// The group with these values, which were checked against the table.
    fn of(values: &Parameters) -> Self;

    /// The group when nothing is written.
    fn usual() -> Self {
        Self::of(&Parameters::defaults(Self::PARAMETERS))
    }
}

/// A type of a setting: how it is taken from checked values.
pub trait SettingValue {
    /// The value under the name; what the type has for nothing if it is absent.
    fn read(values: &Parameters, name: &str) -> Self;
}

/// Implements [`SettingValue`] for a type and for its option.
macro_rules! setting_values {
    ($($type:ty = $method:ident;)*) => {$(
        impl SettingValue for Option<$type> {
            fn read(values: &Parameters, name: &str) -> Self {
                values.$method(name).and_then(|value| value.try_into().ok())
            }
        }

        impl SettingValue for $type {
            fn read(values: &Parameters, name: &str) -> Self {
                Option::<$type>::read(values, name).unwrap_or_default()
            }
        }
    )*};
}

setting_values! {
    u32 = integer;
    u64 = integer;
    usize = integer;
    f64 = number;
    Duration = seconds;
    String = text;
    PathBuf = text;
}

impl SettingValue for bool {
    fn read(values: &Parameters, name: &str) -> Self {
        values.flag(name)
    }
}

impl SettingValue for Vec<String> {
    fn read(values: &Parameters, name: &str) -> Self {
        values.list(name).to_vec()
    }
}

/// A table of parameters, a row each: the constructor of [`Parameter`] with everything but the help,
/// then the help. Parameters that another table has too come last, behind `=>`.
#[macro_export]
macro_rules! parameters {
    ($($kind:ident($($argument:expr),*) $(.$more:ident($($value:expr)?))?, $help:expr;)* $(=> $($shared:expr),+)?) => {
        &[
            $($crate::ports::Parameter::$kind($($argument,)* $help) $(.$more($($value)?))?,)*
            $($($shared,)+)?
        ]
    };
}

/// A struct of settings with its table: each row is a field, its type, its parameter (as in
/// [`parameters`]), and what it means.
#[macro_export]
macro_rules! settings {
    (
        $(#[$about:meta])*
        $vis:vis struct $group:ident {
            $($field:ident: $type:ty = $kind:ident($name:literal $(, $argument:expr)*)
                $(.$more:ident($($value:expr)?))?, $help:literal;)*
        }
    ) => {
        $(#[$about])*
        $vis struct $group {
            $(#[doc = $help] $vis $field: $type,)*
        }

        impl $crate::ports::Settings for $group {
            const PARAMETERS: &'static [$crate::ports::Parameter] =
                $crate::ports::settings::parameters![
                    $($kind($name $(, $argument)*) $(.$more($($value)?))?, $help;)*
                ];

            fn of(values: &$crate::ports::Parameters) -> Self {
                Self {
                    $($field: $crate::ports::settings::SettingValue::read(values, $name),)*
                }
            }
        }

        impl Default for $group {
            fn default() -> Self {
                $crate::ports::Settings::usual()
            }
        }
    };
}

pub use {parameters, settings};
