//! Bars of letters.

/// Columns of the longest bar.
const LONGEST: usize = 24;
/// Parts of a column, from none.
const PARTS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/// A bar that stands for a share, 0 to 1; anything above nothing can be seen.
pub(crate) fn bar(share: f64) -> String {
    if share.is_nan() || share <= 0.0 {
        return String::new();
    }
    let eighths = (share.min(1.0) * (LONGEST * PARTS.len()) as f64).round();
    let eighths = (eighths as usize).max(1);
    let (whole, rest) = (eighths / PARTS.len(), eighths % PARTS.len());
    format!("{}{}", "█".repeat(whole), PARTS[rest])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_as_long_as_their_shares() {
        assert_eq!(bar(0.0), "");
        assert_eq!(bar(f64::NAN), "");
        assert_eq!(bar(1e-9), "▏");
        assert_eq!(bar(0.5), "█".repeat(12));
        assert_eq!(bar(2.0), "█".repeat(24));
        assert_eq!(bar(1.5 / 24.0), "█▌");
    }
}
