//! Counts of comparisons and the differences found.

use std::fmt;

/// Counts of values that were compared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Required values that were compared.
    pub checked: usize,
    /// Required values that differ.
    pub differing: usize,
    /// Optional values that were compared.
    pub optional: usize,
    /// Optional values that differ.
    pub optional_differing: usize,
    /// Every difference of a required value: where, what was recorded, what came out.
    pub differences: Vec<String>,
}

impl Tally {
    /// Compares a required value; `position` is asked for only if it differs.
    pub fn check<T: PartialEq + fmt::Debug>(&mut self, position: impl FnOnce() -> String, recorded: &T, found: &T) {
        self.agree(position, recorded == found, || (format!("{recorded:?}"), format!("{found:?}")));
    }

    /// Compares a required number with a relative tolerance; both may be no number.
    pub fn near(&mut self, position: impl FnOnce() -> String, recorded: f64, found: f64, tolerance: f64) {
        let agrees = near(recorded, found, tolerance);
        self.agree(position, agrees, || (recorded.to_string(), found.to_string()));
    }

    /// Counts a required value that agrees or does not.
    pub fn agree(&mut self, position: impl FnOnce() -> String, agrees: bool, texts: impl FnOnce() -> (String, String)) {
        self.checked += 1;
        if !agrees {
            self.differing += 1;
            let (recorded, found) = texts();
            let position = position();
            self.differences.push(format!("{position}: recorded {recorded}, got {found}"));
        }
    }

    /// Counts an optional value that agrees or does not.
    pub fn optionally(&mut self, agrees: bool) {
        self.optional += 1;
        self.optional_differing += usize::from(!agrees);
    }

    /// Nothing was compared.
    pub fn is_empty(&self) -> bool {
        self.checked == 0 && self.optional == 0
    }

    /// Adds what was compared elsewhere.
    pub fn add(&mut self, other: Self) {
        self.checked += other.checked;
        self.differing += other.differing;
        self.optional += other.optional;
        self.optional_differing += other.optional_differing;
        self.differences.extend(other.differences);
    }
}

/// Whether two numbers agree up to a relative tolerance.
fn near(one: f64, other: f64, tolerance: f64) -> bool {
    one == other
        || (one.is_nan() && other.is_nan())
        || (one - other).abs() <= tolerance * one.abs().max(other.abs()).max(f64::MIN_POSITIVE)
}

impl fmt::Display for Tally {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (checked, differing) = (self.checked, self.differing);
        write!(formatter, "{checked} values checked, {differing} differ")?;
        if self.optional > 0 {
            let (optional, differing) = (self.optional, self.optional_differing);
            write!(formatter, " (optional: {optional} checked, {differing} differ)")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn required_and_optional_values_are_counted_apart() {
        let mut tally = Tally::default();
        tally.check(|| "a".to_owned(), &1, &1);
        tally.near(|| "b".to_owned(), 1.0, 1.0 + 1e-12, 1e-9);
        tally.near(|| "c".to_owned(), 1.0, 1.1, 1e-9);
        tally.optionally(false);
        assert_eq!(tally.differences, ["c: recorded 1, got 1.1"]);
        let text = "3 values checked, 1 differ (optional: 1 checked, 1 differ)";
        assert_eq!(tally.to_string(), text);
    }
}
