//! Prices as they stand in the official files, and as they are shown.

use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};

use crate::text::python_float;

/// The price of a product that has none.
const UNKNOWN: f64 = 100.0;

/// The price or the two ends of its range, in dollars: what follows each `$`, without all but digits and points.
///
/// # Errors
/// When there is no `$`, or no number behind one; the text says so.
pub fn parse(pricing: &str) -> Result<Vec<f64>, String> {
    if pricing.is_empty() {
        return Ok(vec![UNKNOWN]);
    }
    let prices = pricing.split('$').skip(1).map(number);
    let prices: Option<Vec<f64>> = prices.collect();
    let mut prices = prices.ok_or_else(|| format!("no number follows a `$` of the price `{pricing}`"))?;
    if prices.is_empty() {
        return Err(format!("the price `{pricing}` has no `$`"));
    }
    prices.truncate(2);
    Ok(prices)
}

/// The number of a part of a price.
fn number(part: &str) -> Option<f64> {
    // Digits of other scripts are none that are to be left out, and none that official files have.
    let is_digit = |letter: char| letter.general_category() == GeneralCategory::DecimalNumber;
    if part.chars().any(|it| !it.is_ascii() && is_digit(it)) {
        return None;
    }
    let digits = part.chars().filter(|it| *it == '.' || it.is_ascii_digit());
    let number: f64 = digits.collect::<String>().parse().ok()?;
    number.is_finite().then_some(number)
}

/// The price as pages show it: `$10.99`, `$10.0 to $12.5`.
pub fn tag(prices: &[f64]) -> String {
    let shown = prices.iter().map(|it| format!("${}", python_float(*it)));
    shown.collect::<Vec<_>>().join(" to ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prices_are_read_and_shown() {
        let cases: [(&str, &[f64], &str); 7] = [
            ("", &[100.0], "$100.0"),
            ("$1,234.56", &[1234.56], "$1234.56"),
            ("$12 - $15 - $19", &[12.0, 15.0], "$12.0 to $15.0"),
            ("USD $3", &[3.0], "$3.0"),
            ("$7.", &[7.0], "$7.0"),
            ("$ .5 each", &[0.5], "$0.5"),
            ("$1,000,000.10", &[1_000_000.1], "$1000000.1"),
        ];
        for (text, prices, shown) in cases {
            assert_eq!(parse(text).unwrap(), prices, "{text}");
            assert_eq!(tag(prices), shown);
        }
    }

    #[test]
    fn what_is_no_price_is_refused() {
        for text in ["12.50", "$", "$5.00 $", "$1.2.3", "$.", "free", "$\u{661}\u{662}", "$3 - $\u{663}"] {
            assert!(parse(text).unwrap_err().contains(text), "{text}");
        }
    }
}
