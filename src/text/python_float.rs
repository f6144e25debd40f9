//! Numbers as Python writes them.

/// A float as `repr` writes it: the fewest digits that read as the same number, `10.0`, `1e-05`, `1e+16`.
pub fn python_float(number: f64) -> String {
    if !number.is_finite() {
        return format!("{number}").to_lowercase();
    }
    let scientific = format!("{number:e}");
    let is_plain = number == 0.0 || (1e-4..1e16).contains(&number.abs());
    let (digits, exponent) = match scientific.split_once('e') {
        Some(parts) if !is_plain => parts,
        _ => return format!("{number:?}"),
    };
    let (sign, exponent) = match exponent.strip_prefix('-') {
        Some(exponent) => ('-', exponent),
        None => ('+', exponent),
    };
    format!("{digits}e{sign}{exponent:0>2}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_are_written_as_by_repr() {
        let cases = [
            (10.0, "10.0"),
            (10.99, "10.99"),
            (0.1 + 0.2, "0.30000000000000004"),
            (0.0001, "0.0001"),
            (0.00001, "1e-05"),
            (1.5e-7, "1.5e-07"),
            (1e15, "1000000000000000.0"),
            (123_456_789_012_345_680.0, "1.2345678901234568e+17"),
            (1e100, "1e+100"),
            (0.0, "0.0"),
            (-0.0, "-0.0"),
            (-2.5, "-2.5"),
            (f64::INFINITY, "inf"),
            (f64::NAN, "nan"),
        ];
        for (number, shown) in cases {
            assert_eq!(python_float(number), shown);
        }
    }
}
