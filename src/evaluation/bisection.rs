//! Looking for a number between two others.

/// Halves what lies between the bounds until no number is left there, and gives the two that remain.
/// The number that is sought lies above another if `is_below` says so.
pub(super) fn bisect(mut low: f64, mut high: f64, is_below: impl Fn(f64) -> bool) -> (f64, f64) {
    loop {
        let middle = f64::midpoint(low, high);
        if middle <= low || middle >= high {
            return (low, high);
        }
        if is_below(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
}
