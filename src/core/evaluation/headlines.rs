//! The headline figures of a run that goes on.

use std::collections::BTreeMap;

use super::{EpisodeResult, Estimate, Standing, wilson};

/// The headline of tasks that name no other metric.
pub const SUCCESS: &str = "success";

/// Means of the headline metrics of the episodes that count.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Headlines(BTreeMap<&'static str, (f64, usize)>);

impl Headlines {
    /// Adds a result, whose type of task has these measures: the first that its run measured is its headline.
    pub fn add(&mut self, result: &EpisodeResult, measures: &[&'static str]) {
        if result.standing() != Standing::Counted {
            return;
        }
        let measured = |name: &&&'static str| result.measures.names().any(|known| known == **name);
        let (name, value) = match measures.iter().find(measured) {
            Some(name) if *name != SUCCESS => (*name, result.measures.get(name).number()),
            _ => (SUCCESS, Some(f64::from(u8::from(result.success)))),
        };
        if let Some(value) = value {
            let (sum, n) = self.0.entry(name).or_default();
            *sum += value;
            *n += 1;
        }
    }

    /// Each metric with its mean so far; only success has an interval.
    pub fn estimates(&self) -> impl Iterator<Item = (&'static str, Estimate)> {
        self.0.iter().map(|(name, (sum, n))| match *name {
            SUCCESS => (SUCCESS, wilson(*sum as usize, *n)),
            name => (name, Estimate::Mean { n: *n, mean: sum / *n as f64, interval: None }),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_world_names_its_headline_and_success_stands_in_where_it_was_not_measured() {
        let result = |ending: &str, success: bool, measures: &str| -> EpisodeResult {
            let line = format!(
                r#"{{"schema":1,"episode":"main:0:0","task":"t","kind":"k","strategy":"s","ending":{{"kind":"{ending}"}},
                "success":{success},"reward":0.5,"counts":{{"steps":1,"questions":0,"actions":0,"invalid":0,"faults":0}},
                "measures":{measures}}}"#
            );
            EpisodeResult::decode(line.replace('\n', "").as_bytes()).unwrap()
        };
        let mut headlines = Headlines::default();
        for (ending, f1) in [("solved", 0.2), ("context_full", 0.0), ("solved", 0.55), ("cancelled", 0.9)] {
            headlines.add(&result(ending, true, &format!(r#"{{"success":true,"f1":{f1}}}"#)), &["bleu", "f1"]);
        }
        headlines.add(&result("solved", true, r#"{"success":true,"f1":null}"#), &["f1"]);
        let found: Vec<_> = headlines.estimates().collect();
        assert_eq!(found, [("f1", Estimate::Mean { n: 3, mean: 0.25, interval: None })]);
        let mut headlines = Headlines::default();
        headlines.add(&result("solved", true, r#"{"success":true}"#), &["f1"]);
        headlines.add(&result("refused", false, r#"{"success":false}"#), &[]);
        assert_eq!(headlines.estimates().collect::<Vec<_>>(), [(SUCCESS, wilson(1, 2))]);
    }
}
