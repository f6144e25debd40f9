//! The cost of a model.

use std::sync::{Mutex, PoisonError};

use crate::domain::Usage;
use crate::ports::model::Prices;

/// Adds up what was spent on one model.
#[derive(Debug)]
pub(crate) struct Meter {
    model: String,
    prices: Option<Prices>,
    most: Option<f64>,
    spent: Mutex<f64>,
}

impl Meter {
    pub(crate) fn new(model: &str, prices: Option<Prices>, most: Option<f64>) -> Self {
        Self {
            model: model.to_owned(),
            prices,
            most,
            spent: Mutex::new(0.0),
        }
    }

    /// Adds a call. Says what to do if the limit is reached.
    pub(crate) fn add(&self, usage: &Usage) -> Option<String> {
        let prices = self.prices.as_ref()?;
        let mut spent = self.spent.lock().unwrap_or_else(PoisonError::into_inner);
        *spent += prices.cost(usage);
        let most = self.most.filter(|most| *spent >= *most)?;
        let (model, currency) = (&self.model, &prices.currency);
        let (spent, most) = (money(*spent), money(most));
        Some(format!(
            "the run has spent {spent} {currency} of {most}; raise `models.{model}.spend` to go on"
        ))
    }

    /// The amount spent.
    pub(crate) fn spent(&self) -> f64 {
        *self.spent.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// An amount with as many places as it takes to be seen.
fn money(amount: f64) -> String {
    if amount.abs() < 0.1 && amount != 0.0 {
        format!("{amount:.6}")
    } else {
        format!("{amount:.2}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_is_told_when_it_is_reached() {
        let prices = Prices {
            input: 1.0,
            output: 10.0,
            currency: "USD".to_owned(),
        };
        let usage = Usage {
            prompt: 1_000_000,
            completion: 150_000,
            estimated: false,
        };
        let meter = Meter::new("large", Some(prices.clone()), Some(5.0));
        assert_eq!(meter.add(&usage), None);
        let told = "the run has spent 5.00 USD of 5.00; raise `models.large.spend` to go on";
        assert_eq!(meter.add(&usage).as_deref(), Some(told));
        assert_eq!(meter.spent(), 5.0);
        let free = Meter::new("large", None, Some(5.0));
        assert_eq!(free.add(&usage), None);
        let endless = Meter::new("large", Some(prices), None);
        assert_eq!(endless.add(&usage), None);
        assert_eq!(endless.spent(), 2.5);
    }
}
