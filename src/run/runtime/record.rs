//! The record of one episode so far: the transcript and what is counted from it.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use super::hidden::Hidden;
use super::protocol::{Exchange, Reply, WorldStep};
use rolecall_core::domain::{Begun, Counts, Ending, Event, Message, Move, Seat, Transcript, Utterance};
use rolecall_core::ports::Strategy;

/// The transcript of an episode with the figures that follow from it.
pub(crate) struct Record {
    transcript: Transcript,
    hidden: Hidden,
    length: u32,
    counts: Counts,
    trial: u32,
    round: u32,
    steps_in_trial: u32,
    /// The round is over, and no other one has begun.
    scored: bool,
    /// Success of the last round, and the rewards of the last trial.
    success: bool,
    reward: f64,
    last_ending: Option<Ending>,
    /// The cost of the calls of models so far.
    cost: f64,
    /// The moves in this round of each role that asks a model.
    repeated: BTreeMap<Seat, Repeated>,
}

impl Record {
    pub(super) fn new(transcript: Transcript) -> Self {
        Self {
            transcript,
            hidden: Hidden::default(),
            length: 0,
            counts: Counts::default(),
            trial: 0,
            round: 0,
            steps_in_trial: 0,
            scored: false,
            success: false,
            reward: 0.0,
            last_ending: None,
            cost: 0.0,
            repeated: BTreeMap::new(),
        }
    }

    /// Whether a role has made the same moves so many times in a row; 0 never says so.
    pub(super) fn repeats(&self, most: u32) -> bool {
        most > 0 && self.repeated.values().any(|moves| moves.repeats(most))
    }

    pub(crate) fn transcript(&self) -> &Transcript {
        &self.transcript
    }

    /// The events from this one on, in order, those included that no seat sees. Whole, as long as
    /// they were not [logged](Self::logged).
    pub(crate) fn since(&self, seq: usize) -> Vec<&Event> {
        let mut events: Vec<&Event> = self.transcript.range(seq, self.len()).chain(self.hidden.whole(seq)).collect();
        events.sort_by_key(|event| event.seq);
        events
    }

    /// Has replies of models kept until the episode is over, for metrics that read them.
    pub(crate) fn keep_replies(&mut self) {
        self.hidden.keep();
    }

    /// Notes that all events so far are in the log, or on their way: what no seat sees is kept no
    /// longer than it is counted.
    pub(crate) fn logged(&mut self) {
        self.hidden.logged();
    }

    /// Shows the whole episode to somebody who counts: all events in order, without the replies of
    /// models that are kept no longer.
    pub(crate) fn measured<T>(&self, measure: impl FnOnce(Vec<&Event>) -> T) -> T {
        let digests = self.hidden.digests();
        let mut events = self.since(0);
        events.extend(&digests);
        events.sort_by_key(|event| event.seq);
        measure(events)
    }

    /// Number of events.
    pub(crate) fn len(&self) -> usize {
        self.length as usize
    }

    pub(super) fn counts(&self) -> &Counts {
        &self.counts
    }

    /// The cost of the calls of models so far, by the prices of the config.
    pub(super) fn cost(&self) -> f64 {
        self.cost
    }

    /// The steps that are left of a trial; none between two rounds, where nobody takes a step.
    pub(super) fn steps_left(&self, most: u32) -> Option<u32> {
        (!self.scored).then(|| most.saturating_sub(self.steps_in_trial))
    }

    /// Whether the round is over and no other one has begun.
    pub(super) fn is_scored(&self) -> bool {
        self.scored
    }

    /// The current trial and round.
    pub(super) fn trial_and_round(&self) -> (u32, u32) {
        (self.trial, self.round)
    }

    /// Success of the last round and the sum of the last trial's rewards.
    pub(super) fn result(&self) -> (bool, f64) {
        (self.success, self.reward)
    }

    pub(super) fn last_ending(&self) -> Option<&Ending> {
        self.last_ending.as_ref()
    }

    /// Notes that a round begins.
    pub(super) fn begin(&mut self, begun: &Begun) {
        if begun.trial != self.trial || (begun.round == 0 && !begun.keep_world) {
            self.steps_in_trial = 0;
            self.reward = 0.0;
        }
        self.repeated.clear();
        self.success = false;
        self.scored = false;
        (self.trial, self.round) = (begun.trial, begun.round);
    }

    /// Appends an event, folds it into the strategy and returns its position.
    pub(super) fn append(
        &mut self,
        strategy: &mut dyn Strategy,
        cause: Option<u32>,
        from: Seat,
        to: Seat,
        message: Message,
    ) -> u32 {
        let seq = self.length;
        let event = Event { seq, cause, from, to, message };
        self.count(&event.message);
        match &event.message {
            // Rules, people and trainers may do the same as long as they like.
            Message::ModelCalled(_) if !self.repeated.contains_key(&event.from) => {
                self.repeated.insert(event.from.clone(), Repeated::default());
            }
            Message::Moved(made) => {
                if let Some(moves) = self.repeated.get_mut(&event.from) {
                    moves.take(made);
                }
            }
            _ => {}
        }
        // Only the conductor appends, always at the end, where there is room.
        let appended = self.transcript.append(event);
        if appended.is_ok() {
            self.length += 1;
        }
        let event = match appended {
            Ok(Some(hidden)) => Some(self.hidden.push(hidden)),
            Ok(None) | Err(_) => self.transcript.get(seq as usize),
        };
        // Last of all: a strategy that panics here must leave a whole record behind.
        if let Some(event) = event {
            strategy.apply(event);
        }
        seq
    }

    fn count(&mut self, message: &Message) {
        message.add_to(&mut self.counts);
        match message {
            Message::ModelCalled(call) => self.cost += call.cost.unwrap_or_default(),
            Message::Moved(_) => self.steps_in_trial += u32::from(!self.scored),
            Message::Scored(scored) => {
                self.scored = true;
                self.success = scored.score.success;
                self.reward += scored.score.reward;
                self.last_ending = Some(scored.ending.clone());
            }
            _ => {}
        }
    }

    /// The steps of the environment since its world was last set up, with what it showed: enough
    /// to rebuild it after a fault.
    pub(super) fn world_so_far(&self) -> Vec<(WorldStep, Reply)> {
        let hears = self.transcript.visibility().environment_hears;
        let (mut steps, mut open, mut spoken) = (Vec::new(), None, None);
        for event in self.transcript.events(self.len()) {
            // Whoever is asked next was asked after the world had heard: it had nothing to show.
            let asks = matches!(event.to, Seat::Role(_) | Seat::User | Seat::Environment);
            if asks && let Some(hearing @ WorldStep::Hear(_)) = open {
                steps.push((hearing, Reply::Nothing));
                open = None;
            }
            match &event.message {
                Message::Begun(begun) => {
                    if !begun.keep_world {
                        steps.clear();
                    }
                    open = Some(WorldStep::Begin(begun.clone()));
                }
                Message::Perform(action) => open = Some(WorldStep::Perform(action.clone())),
                Message::Observed(observation) => {
                    steps.extend(open.take().map(|step| (step, Reply::Observation(observation.clone()))));
                }
                Message::Told(said) => spoken = Some(said),
                Message::Replied(reply) => {
                    let exchange = |said: &Utterance| Exchange { said: said.clone(), reply: reply.clone() };
                    open = spoken.filter(|_| hears).map(|said| WorldStep::Hear(Box::new(exchange(said))));
                }
                Message::Opened(_) | Message::Entrusted(_) | Message::Brief(_) => {}
                Message::Moved(_) | Message::Repaired(_) | Message::ModelCalled(_) => {}
                Message::Assess | Message::Scored(_) => {}
                Message::Fault(_) | Message::Closed(_) => {}
            }
        }
        steps
    }
}

/// The most moves that are made in turn.
const PERIODS: usize = 3;

/// The latest moves of a role: models that write the same line, or the same few in turn, never stop by themselves; and for how long they have been those of so many moves before.
#[derive(Clone, Copy, Debug, Default)]
struct Repeated {
    /// Hashes of the latest moves, the newest first. 0: none.
    latest: [u64; PERIODS],
    /// For each period, how many moves in a row were the same as the one that long before.
    same: [u32; PERIODS],
}

impl Repeated {
    fn take(&mut self, made: &Move) {
        let mut hasher = DefaultHasher::new();
        made.kind().hash(&mut hasher);
        match made {
            Move::Think { text } | Move::Speak { text, .. } | Move::Learn { lesson: text } => text.hash(&mut hasher),
            Move::Act { action } => action.text.hash(&mut hasher),
            // Plans, verdicts and answers are few, and have forms that no text tells apart.
            Move::Plan { .. } | Move::Judge { .. } | Move::Finish { .. } => return *self = Self::default(),
        }
        let hash = hasher.finish() | 1;
        for (period, same) in self.same.iter_mut().enumerate() {
            *same = if self.latest[period] == hash { same.saturating_add(1) } else { 0 };
        }
        self.latest.rotate_right(1);
        self.latest[0] = hash;
    }

    /// Whether the same moves were made so many times in a row.
    fn repeats(&self, most: u32) -> bool {
        let times = most.saturating_sub(1);
        (1..).zip(self.same).any(|(period, same)| same >= times.saturating_mul(period) && same > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_counted_in_turns_of_up_to_three_moves() {
        let of = |texts: &[&str]| {
            let mut moves = Repeated::default();
            texts.iter().for_each(|text| moves.take(&Move::act(*text)));
            moves
        };
        assert!(of(&["a", "a", "a"]).repeats(3) && !of(&["a", "a", "a"]).repeats(4));
        assert!(!of(&["a", "a", "b", "a"]).repeats(3));
        assert!(of(&["a", "b", "a", "b", "a", "b"]).repeats(3) && !of(&["a", "b", "a", "b", "a"]).repeats(3));
        assert!(of(&["x", "a", "b", "c", "a", "b", "c"]).repeats(2));
        assert!(!of(&["a", "b", "c", "d", "a", "b", "c", "d"]).repeats(2));
        let mut moves = of(&["a", "a"]);
        moves.take(&Move::think("a"));
        assert!(!moves.repeats(3) && !of(&["a"]).repeats(1) && !Repeated::default().repeats(1));
    }
}
