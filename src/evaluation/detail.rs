//! Figures that a world reports in the detail of its scores.

use serde_json::Value;

use crate::domain::Message;
use crate::ports::{EpisodeLog, Measurement, Metric};

/// The figure under a key of the episode's last score's detail: a number, a yes or no, or a share
/// as `{"hits": 3, "n": 4}`. Absent without such a key, and then left out of results.
#[derive(Clone, Copy, Debug)]
pub struct Detail {
    /// The name under which the figure is reported.
    pub name: &'static str,
    /// The key in [`Score::detail`](crate::domain::Score::detail).
    pub key: &'static str,
}

impl Metric for Detail {
    fn name(&self) -> &'static str {
        self.name
    }

    fn measure(&self, log: &EpisodeLog<'_>) -> Measurement {
        let mut events = log.events.iter().rev();
        let score = events.find_map(|event| match &event.message {
            Message::Scored(scored) => Some(&scored.score),
            _ => None,
        });
        match score.and_then(|score| score.detail.get(self.key)) {
            Some(Value::Bool(yes)) => Measurement::Rate(*yes),
            Some(value) => {
                share(value).or_else(|| value.as_f64().map(Measurement::Value)).unwrap_or(Measurement::Absent)
            }
            None => Measurement::Absent,
        }
    }

    fn reads_replies(&self) -> bool {
        false
    }

    fn is_left_out_if_absent(&self) -> bool {
        true
    }
}

fn share(value: &Value) -> Option<Measurement> {
    Some(Measurement::Share { hits: value.get("hits")?.as_u64()?, n: value.get("n")?.as_u64()? })
}
