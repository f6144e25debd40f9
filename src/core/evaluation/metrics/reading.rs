//! The fate of models' answers: read as they were written, repaired, echoes of what was shown, cut, refused by
//! the world, unreadable; and how often seats were asked again. All are left out where no model was asked.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::domain::{Event, FaultKind, Finish, Message, Repair, Seat};
use crate::ports::{EpisodeLog, Measurement, Metric, Unreadable};

/// The answers of one seat.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Answers {
    /// Some attempt asked a model.
    asks_models: bool,
    /// Answers of attempts that asked a model, those included that were asked for again.
    given: u64,
    /// Answers that could not be read.
    unreadable: u64,
    /// Unreadable ones that repeat what was shown.
    echo: u64,
    /// Answers that ended at the limit of tokens.
    cut: u64,
    /// Answers that were mended, and how many of them in which way.
    repaired: u64,
    repairs: BTreeMap<String, u64>,
    /// Actions that the world did not understand or allow.
    refused: u64,
    /// How often the seat was asked again, for whatever reason.
    retries: u64,
    open: Attempt,
}

/// State of the attempt at a turn that is not over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Attempt {
    called: bool,
    again: u64,
    /// Something stands in place of its last answer, which could not be read either.
    given_up: bool,
    /// The newest answer was cut.
    cut: bool,
    /// The newest answer was mended.
    mended: bool,
}

impl Answers {
    /// The attempt is over. Its last answer was read, was not, or never came.
    fn end(&mut self, read: Option<bool>) {
        let Attempt { called, again, given_up, cut, mended } = std::mem::take(&mut self.open);
        self.retries += again;
        if called {
            self.cut += u64::from(cut && read.is_some());
            self.repaired += u64::from(mended && read == Some(true) && !given_up);
            let unread = u64::from(read == Some(false) || (read.is_some() && given_up));
            self.given += again + u64::from(read.is_some());
            self.unreadable += again + unread;
        }
    }
}

/// The answers of all seats of an episode that asked models.
#[derive(Clone, Debug, Default)]
struct Readings {
    seats: BTreeMap<Seat, Answers>,
    /// The role whose move was the last.
    acted: Option<Seat>,
}

impl Readings {
    fn of(log: &EpisodeLog<'_>) -> Self {
        log.once(|log| {
            let mut found = Self::default();
            // Faults after which the turn was tried once more, as far as is known.
            let mut tried: BTreeMap<u32, &Seat> = BTreeMap::new();
            for event in &log.events {
                found.add(event);
                // Nothing but another brief follows from such a fault.
                if !matches!(event.message, Message::Brief(_)) {
                    event.cause.and_then(|cause| tried.remove(&cause));
                }
                if let Message::Fault(fault) = &event.message {
                    tried.insert(event.seq, &fault.seat);
                }
            }
            if let Some(last) = log.events.last() {
                tried.remove(&last.seq);
            }
            for seat in tried.into_values() {
                found.of_seat(seat).retries += 1;
            }
            for answers in found.seats.values_mut() {
                answers.end(None);
            }
            found.seats.retain(|_, answers| answers.asks_models);
            found
        })
    }

    fn of_seat(&mut self, seat: &Seat) -> &mut Answers {
        self.seats.entry(seat.clone()).or_default()
    }

    fn add(&mut self, event: &Event) {
        match &event.message {
            Message::ModelCalled(call) => {
                let answers = self.of_seat(&event.from);
                answers.asks_models = true;
                answers.open.called = true;
                if u64::from(call.again) > answers.open.again {
                    answers.cut += u64::from(answers.open.cut);
                    answers.echo += u64::from(call.unread.as_deref() == Some(Unreadable::ECHO));
                    answers.open.again = call.again.into();
                }
                answers.open.cut = call.reply.choices.first().is_some_and(|choice| choice.finish == Finish::Length);
            }
            Message::Repaired(repair) if repair.code == Repair::UNREADABLE => {
                self.of_seat(&event.from).open.given_up = true;
            }
            Message::Repaired(repair) if repair.code != Repair::LEFT_OUT => {
                let answers = self.of_seat(&event.from);
                if answers.open.called {
                    answers.open.mended = true;
                    *answers.repairs.entry(repair.code.clone()).or_default() += 1;
                }
            }
            Message::Observed(seen) if seen.invalid => {
                let refused = self.acted.take().and_then(|seat| self.seats.get_mut(&seat));
                if let Some(answers) = refused.filter(|answers| answers.asks_models) {
                    answers.refused += 1;
                }
            }
            // Of an answer with several moves, the first one ends the attempt.
            Message::Moved(_) | Message::Replied(_) => {
                self.acted = matches!(event.message, Message::Moved(_)).then(|| event.from.clone());
                let answers = self.of_seat(&event.from);
                if answers.open.called {
                    answers.end(Some(true));
                }
            }
            Message::Fault(fault) => {
                let unusable = matches!(fault.kind, FaultKind::Unusable | FaultKind::TooLarge | FaultKind::Refused);
                let answers = self.of_seat(&fault.seat);
                let is_echo = fault.message.contains(&Unreadable::Echo.to_string());
                answers.echo += u64::from(unusable && answers.open.called && is_echo);
                answers.end(unusable.then_some(false));
            }
            _ => {}
        }
    }

    /// A figure of all seats together, and of each under `NAME.SEAT`.
    fn figures(&self, name: &'static str, figure: Figure) -> (Measurement, Vec<(Cow<'static, str>, Measurement)>) {
        let mut all = Answers::default();
        let mut each = Vec::new();
        for (seat, answers) in &self.seats {
            all.given += answers.given;
            all.unreadable += answers.unreadable;
            all.retries += answers.retries;
            all.echo += answers.echo;
            all.cut += answers.cut;
            all.repaired += answers.repaired;
            all.refused += answers.refused;
            each.push((format!("{name}.{seat}").into(), figure.of(answers)));
            if name == REPAIRED.name {
                let share = |count: u64| Measurement::Share { hits: count, n: answers.given };
                let kinds = answers.repairs.iter();
                each.extend(kinds.map(|(code, count)| (format!("{name}.{seat}.{code}").into(), share(*count))));
            }
        }
        match self.seats.is_empty() {
            true => (Measurement::Absent, each),
            false => (figure.of(&all), each),
        }
    }
}

/// One of the figures.
pub struct Reading {
    name: &'static str,
    figure: Figure,
}

#[derive(Clone, Copy)]
enum Figure {
    /// Answers of which so many are counted.
    Share(fn(&Answers) -> u64),
    Retries,
}

const fn share(name: &'static str, hits: fn(&Answers) -> u64) -> Reading {
    Reading { name, figure: Figure::Share(hits) }
}

impl Figure {
    fn of(self, answers: &Answers) -> Measurement {
        match self {
            Self::Share(hits) => Measurement::Share { hits: hits(answers), n: answers.given },
            Self::Retries => Measurement::Value(answers.retries as f64),
        }
    }
}

/// The share of answers of models that could not be read or used: no move, a move that is not open, too
/// large. Each answer that was asked for again counts. By seat it is `unreadable.SEAT`.
pub static UNREADABLE: Reading = share("unreadable", |answers| answers.unreadable);

/// The share of answers that were mended to be read. By seat it is `repaired.SEAT`, and by kind `repaired.SEAT.CODE`.
pub static REPAIRED: Reading = share("repaired", |answers| answers.repaired);

/// The share of answers that repeat what the world showed last, and could not be read. By seat it is `echo.SEAT`.
pub static ECHO: Reading = share("echo", |answers| answers.echo);

/// The share of answers that ended at the limit of tokens, whether something was read of them or not. By seat it is
/// `cut.SEAT`.
pub static CUT: Reading = share("cut", |answers| answers.cut);

/// The share of answers whose action the world did not understand or allow. By seat it is `refused.SEAT`.
pub static REFUSED: Reading = share("refused", |answers| answers.refused);

/// How often seats that ask models were asked again, because an answer could not be read or because
/// they failed otherwise. Requests that a client repeats are not in it. By seat it is `retries.SEAT`.
pub static RETRIES: Reading = Reading { name: "retries", figure: Figure::Retries };

impl Metric for Reading {
    fn name(&self) -> &'static str {
        self.name
    }

    fn measure(&self, log: &EpisodeLog<'_>) -> Measurement {
        Readings::of(log).figures(self.name, self.figure).0
    }

    fn further(&self, log: &EpisodeLog<'_>) -> Vec<(Cow<'static, str>, Measurement)> {
        Readings::of(log).figures(self.name, self.figure).1
    }

    fn reads_replies(&self) -> bool {
        false
    }

    fn is_left_out_if_absent(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::*;

    const ROLE: &str = "executor";

    fn seat() -> Seat {
        Seat::Role(RoleName::new(ROLE).unwrap())
    }

    /// A call of an attempt after so many answers that could not be read.
    fn call(attempt: u32, asked_again: u32) -> (Option<u32>, Seat, Message) {
        let call = ModelCall {
            turn: 0,
            attempt,
            call: asked_again,
            again: asked_again,
            unread: None,
            model: "m".to_owned(),
            request: String::new(),
            reply: ModelReply::default(),
            cost: None,
            remembered: false,
        };
        (None, seat(), Message::ModelCalled(Box::new(call)))
    }

    fn moved() -> (Option<u32>, Seat, Message) {
        (None, seat(), Message::Moved(Move::think("x")))
    }

    fn fault(kind: FaultKind, attempt: u32) -> (Option<u32>, Seat, Message) {
        let fault = Fault::new(seat(), kind, "", attempt);
        (None, seat(), Message::Fault(fault))
    }

    fn by_conductor(cause: u32, message: Message) -> (Option<u32>, Seat, Message) {
        (Some(cause), Seat::Conductor, message)
    }

    fn closed(cause: u32) -> (Option<u32>, Seat, Message) {
        let outcome = Outcome { ending: Ending::Unusable, success: false, reward: 0.0, counts: Counts::default() };
        by_conductor(cause, Message::Closed(outcome))
    }

    /// The figures of both metrics, of all seats and of the role, which are the same.
    fn found(messages: Vec<(Option<u32>, Seat, Message)>) -> (Measurement, Measurement) {
        let event = |(seq, (cause, from, message))| Event { seq, cause, from, to: Seat::Conductor, message };
        let events: Vec<Event> = (0..).zip(messages).map(event).collect();
        let id = "main:0:0".parse().unwrap();
        let log = EpisodeLog::new(&id, events.iter().collect());
        for metric in [&UNREADABLE, &RETRIES] {
            let further = metric.further(&log).into_iter();
            let further: Vec<_> = further.map(|(name, further)| (name.into_owned(), further)).collect();
            let all = metric.measure(&log);
            let name = format!("{}.{ROLE}", metric.name());
            let expected = (all != Measurement::Absent).then_some((name, all));
            assert_eq!(further, Vec::from_iter(expected));
        }
        (UNREADABLE.measure(&log), RETRIES.measure(&log))
    }

    fn figures(hits: u64, n: u64, retries: f64) -> (Measurement, Measurement) {
        (Measurement::Share { hits, n }, Measurement::Value(retries))
    }

    #[test]
    fn every_answer_that_could_not_be_read_counts_once() {
        let brief = |cause| by_conductor(cause, Message::Brief(Brief::default()));
        // Read at once; of an answer with two moves there is one.
        let twice = vec![call(0, 0), moved(), moved(), call(0, 0), moved()];
        assert_eq!(found(twice), figures(0, 2, 0.0));
        // Read at the third try, within one attempt; several calls may ask for one answer.
        let third = vec![call(0, 0), call(0, 0), call(0, 1), call(0, 2), moved()];
        assert_eq!(found(third), figures(2, 3, 2.0));
        // Unreadable twice in each of two attempts, then the episode ends.
        let never = vec![
            call(0, 0),
            call(0, 1),
            fault(FaultKind::Unusable, 0),
            brief(2),
            call(1, 0),
            call(1, 1),
            fault(FaultKind::Unusable, 1),
            closed(6),
        ];
        assert_eq!(found(never), figures(4, 4, 3.0));
        // An empty response in place of what could not be read.
        let repair = Message::Repaired(Repair::new(Repair::UNREADABLE, "x"));
        let instead = vec![call(0, 0), call(0, 1), (None, seat(), repair), moved()];
        assert_eq!(found(instead), figures(2, 2, 1.0));
    }

    #[test]
    fn answers_are_repaired_echoes_cut_or_refused() {
        let cut = |mut event: (Option<u32>, Seat, Message), why: Option<&str>| {
            if let Message::ModelCalled(call) = &mut event.2 {
                call.reply.choices.push(Choice { finish: Finish::Length, ..Choice::default() });
                call.unread = why.map(Into::into);
            }
            event
        };
        let again = |event: (Option<u32>, Seat, Message), why: &str| {
            let (cause, from, mut message) = event;
            if let Message::ModelCalled(call) = &mut message {
                call.unread = Some(why.into());
            }
            (cause, from, message)
        };
        let mend = (None, seat(), Message::Repaired(Repair::new("label_form", "x")));
        let seen = Observation { invalid: true, ..Observation::text("No.") };
        let refused = (None, Seat::Environment, Message::Observed(seen));
        let echo = fault(FaultKind::Unusable, 1);
        let echo = match echo {
            (cause, from, Message::Fault(fault)) => {
                let message = format!("the answer cannot be used: {}", Unreadable::Echo);
                (cause, from, Message::Fault(Fault { message, ..fault }))
            }
            other => other,
        };
        let messages = vec![
            // An echo, then a repaired answer that was cut; the world refuses its action.
            call(0, 0),
            cut(again(call(0, 1), Unreadable::ECHO), Some(Unreadable::ECHO)),
            mend,
            moved(),
            refused,
            // A cut answer, then an echo with which the turn fails.
            cut(call(1, 0), None),
            again(call(1, 1), "cut"),
            echo,
        ];
        let event = |(seq, (cause, from, message))| Event { seq, cause, from, to: Seat::Conductor, message };
        let events: Vec<Event> = (0..).zip(messages).map(event).collect();
        let id = "main:0:0".parse().unwrap();
        let log = EpisodeLog::new(&id, events.iter().collect());
        let share = |metric: &Reading| match metric.measure(&log) {
            Measurement::Share { hits, n } => (hits, n),
            other => panic!("{other:?}"),
        };
        assert_eq!(
            [&UNREADABLE, &REPAIRED, &ECHO, &CUT, &REFUSED].map(share),
            [(3, 4), (1, 4), (2, 4), (2, 4), (1, 4)]
        );
        let further = REPAIRED.further(&log);
        let kind = further.iter().find(|(name, _)| name == "repaired.executor.label_form");
        assert_eq!(kind.map(|(_, share)| *share), Some(Measurement::Share { hits: 1, n: 4 }));
    }

    #[test]
    fn what_was_no_answer_is_none_and_other_seats_have_no_figures() {
        let brief = |cause| by_conductor(cause, Message::Brief(Brief::default()));
        // The server was away: asked again, without an answer that could not be read.
        let away = vec![fault(FaultKind::Unavailable, 0), brief(0), call(1, 0), moved()];
        assert_eq!(found(away), figures(0, 1, 1.0));
        // Nobody knows what became of a fault at the end of a log.
        let cut = vec![call(0, 0), fault(FaultKind::Unavailable, 0)];
        assert_eq!(found(cut), figures(0, 0, 0.0));
        // A mend is none; an attempt that a clock ends has no last answer.
        let mend = Message::Repaired(Repair::new("json_end", "x"));
        let cut = vec![call(0, 0), (None, seat(), mend), moved(), call(0, 0), call(0, 1)];
        assert_eq!(found(cut), figures(1, 2, 1.0));
        // No model was asked.
        let rules = vec![moved(), fault(FaultKind::Unusable, 0), brief(1), moved()];
        assert_eq!(found(rules), (Measurement::Absent, Measurement::Absent));
    }
}
