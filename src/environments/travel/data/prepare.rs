//! `rolecall data prepare travel`: makes one file of a country that is loaded at once.

use std::path::Path;

use crate::environments::travel::country::Country;
use crate::ports::Parameters;
use crate::text::{harmless, shell_word};
use crate::world::{Desk, Unfinished};

/// Writes the file beside its place and moves it there when it is whole.
pub(super) fn run(parameters: &Parameters, _: &dyn Desk) -> anyhow::Result<String> {
    let [data, out] = ["data", "out"].map(|name| parameters.path(name).unwrap_or(Path::new("")));
    let country = Unfinished::file(out, |file| Ok(Country::prepare(data, file, &())?))?;
    let set = shell_word(&format!("environment.data={}", out.display()));
    Ok(format!(
        "{} flights in {}\nPlay there: rolecall run configs/travel/cep.toml --set {set}\n",
        country.flight_count(),
        harmless(&out.display().to_string()),
    ))
}
