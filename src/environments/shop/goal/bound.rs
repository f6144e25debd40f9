//! How much a goal may cost: drawn above the product's price.

use crate::text::mt19937::PythonRandom;

/// The bound of a goal whose product is too expensive for one.
pub const NO_BOUND: f64 = 1_000_000.0;

/// The bound for a product of this price: the larger of two that are drawn from the next four multiples of ten
/// below a thousand dollars; [`NO_BOUND`], and nothing is drawn, where there are no two.
pub fn draw(price: f64, random: &mut PythonRandom) -> f64 {
    let above = (1..100).map(|tens| f64::from(tens) * 10.0);
    let next: Vec<f64> = above.filter(|bound| *bound > price).take(4).collect();
    if next.len() < 2 {
        return NO_BOUND;
    }
    let drawn = random.sample(&next, 2).into_iter();
    drawn.fold(0.0, f64::max)
}

/// The end of an instruction that says it: `, and price lower than 40.00 dollars`; empty for [`NO_BOUND`].
pub fn clause(bound: f64) -> String {
    if bound >= NO_BOUND {
        return String::new();
    }
    format!(", and price lower than {bound:.2} dollars")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_the_next_tens_above_the_price() {
        let mut random = PythonRandom::new(1);
        for (price, least, most) in [(0.0, 20.0, 40.0), (10.0, 30.0, 50.0), (975.5, 990.0, 990.0)] {
            for _ in 0..50 {
                let bound = draw(price, &mut random);
                assert!((least..=most).contains(&bound) && bound % 10.0 == 0.0, "{price}: {bound}");
            }
        }
        let before = random.clone();
        assert_eq!(draw(980.0, &mut random), NO_BOUND);
        assert_eq!(draw(5000.0, &mut random), NO_BOUND);
        assert_eq!(random, before, "nothing is drawn");
        assert_eq!(clause(990.0), ", and price lower than 990.00 dollars");
        assert_eq!(clause(NO_BOUND), "");
    }
}
