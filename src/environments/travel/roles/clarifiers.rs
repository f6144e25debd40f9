//! The clarifiers by rules: one who knows the questions of the data set; one who knows nothing but what tools show,
//! whose draws go on from turn to turn, so that it follows every turn in which it was briefed; and one who asks for
//! what is missing, and for what cannot be met as far as this turn's results tell. The last one knows the conversation
//! and the results, and puts no question again that was answered or brought nothing.

use super::{executors, truth_turn};
use crate::calls::Call;
use crate::env_only::Asker;
use crate::reader;
use crate::request::{Attribute, Request};
use crate::score::clarification::asks_for;
use crate::seen::Seen;
use rolecall_core::domain::{Brief, Message, Move, MoveKind, PublicTask, Seat};
use rolecall_core::ports::RoleFactory;
use rolecall_core::roles::{Knowledge, by_rules};

/// A factory of clarifiers who know the questions of the data set (registry entry `truth`).
pub(super) fn truth() -> RoleFactory {
    by_rules::<Seen>(None, |seen, brief| {
        let detail = truth_turn(seen).and_then(|turn| turn.detail);
        ask(detail.map(|detail| detail.question), brief)
    })
}

/// The judgement whether there is a question, and the question: both, or the one that says more of those that are open.
fn ask(question: Option<String>, brief: &Brief) -> Vec<Move> {
    let open = |kind: MoveKind| brief.open.contains(kind);
    let judgement = Move::Judge { clarify: question.is_some(), reason: None };
    match question {
        Some(question) if open(MoveKind::Speak) && open(MoveKind::Judge) && brief.several => {
            vec![judgement, Move::speak(question)]
        }
        Some(question) if open(MoveKind::Speak) => vec![Move::speak(question)],
        _ => vec![judgement],
    }
}

/// A factory of clarifiers who know nothing but what tools show (registry entry `environment-only`).
pub(super) fn environment_only() -> RoleFactory {
    by_rules::<Follower>(None, |follower, brief| ask(follower.question.clone(), brief))
}

/// The seat's view, and the question that follows from it.
#[derive(Default)]
struct Follower {
    seen: Seen,
    asker: Option<Asker>,
    /// The question of this turn, if there is one.
    question: Option<String>,
}

impl Knowledge for Follower {
    fn fold(&mut self, message: &Message, seat: &Seat) {
        self.seen.fold(message, seat);
        match message {
            Message::Begun(_) => self.asker = None,
            Message::Brief(brief) if brief.open.contains(MoveKind::Judge) => {
                let draws = || super::truth(&self.seen).map_or(0, |truth| truth.draws);
                let asker = self.asker.get_or_insert_with(|| Asker::new(draws()));
                let results = self
                    .seen
                    .results()
                    .iter()
                    .filter_map(|(call, shown)| Some((Call::read(call).ok()?.tool(), shown.as_str())));
                self.question = asker.ask(results).map(|found| found.question().to_owned());
            }
            _ => {}
        }
    }

    fn problem(&self, task: Option<&PublicTask>) -> Option<&'static str> {
        self.seen.problem(task)
    }
}

/// A factory of these clarifiers (registry entry `rules`).
pub(super) fn rules() -> RoleFactory {
    by_rules::<Seen>(None, |seen, brief| ask(need(seen).map(|(_, question)| question), brief))
}

/// The attributes that may be missing, in the order in which they are asked for, with the questions.
const MISSING: [(Attribute, &str); 6] = [
    (Attribute::Origin, "From which city do you start?"),
    (Attribute::Departure, "On which date does the trip begin?"),
    (Attribute::Days, "How many days shall the trip take?"),
    (Attribute::People, "How many people are travelling?"),
    (Attribute::Budget, "What budget do you have for the whole trip?"),
    (
        Attribute::Destination,
        "Which destinations do you want to visit, and on which day do you want to arrive at each?",
    ),
];

/// The attribute to be clarified next, with the question, if there is one.
pub(super) fn need(seen: &Seen) -> Option<(Attribute, String)> {
    let talk = Talk::of(seen);
    MISSING
        .iter()
        .find(|(attribute, _)| is_missing(&talk.request, *attribute) && !talk.vain.contains(attribute))
        .map(|(attribute, question)| (*attribute, (*question).to_owned()))
        .or_else(|| {
            let facts = Facts::of(seen, &talk.request);
            facts.unfeasible().into_iter().flatten().find(|(attribute, _)| !talk.is_settled(*attribute))
        })
}

fn is_missing(request: &Request, attribute: Attribute) -> bool {
    match attribute {
        Attribute::Origin => request.origin.is_empty(),
        Attribute::Destination => request.stops.is_empty(),
        Attribute::Days => request.days.is_none(),
        Attribute::Departure => request.departure.is_empty(),
        Attribute::People => request.people.is_none(),
        Attribute::Budget => request.budget.is_none(),
        Attribute::Housing | Attribute::Cuisine | Attribute::Transportation => false,
    }
}

/// The conversation so far.
struct Talk {
    /// The request as far as it is known.
    request: Request,
    /// Attributes that were asked for in vain: the answer changed nothing.
    vain: Vec<Attribute>,
    /// Attributes whose known value an answer replaced.
    replaced: Vec<Attribute>,
}

impl Talk {
    fn of(seen: &Seen) -> Self {
        let mut request = reader::request(seen.query(), &[]);
        let (mut vain, mut replaced) = (Vec::new(), Vec::new());
        for one in seen.exchanges() {
            let before = request.clone();
            reader::hear(&mut request, &one.question, &one.answer);
            if before == request {
                vain.extend(reader::about(&one.question));
            }
            let is_new = |attribute: &Attribute| before.get(*attribute) != request.get(*attribute);
            let known = Attribute::ALL.into_iter().filter(|attribute| !is_missing(&before, *attribute));
            replaced.extend(known.filter(is_new));
        }
        Self { request, vain, replaced }
    }

    /// Whether it would be in vain to ask for something else. Another destination may be out of reach as well.
    fn is_settled(&self, attribute: Attribute) -> bool {
        let was_replaced = attribute != Attribute::Destination && self.replaced.contains(&attribute);
        was_replaced || self.vain.contains(&attribute)
    }
}

/// The facts that this turn's results tell about a request.
struct Facts<'a> {
    request: &'a Request,
    results: Vec<(Call, &'a str)>,
    /// Cities that tools refused.
    refused: Vec<String>,
}

/// A way from a city to the next, and whether it can be flown and driven, if that was looked up.
struct Leg {
    flight: Option<bool>,
    road: Option<bool>,
}

impl<'a> Facts<'a> {
    fn of(seen: &'a Seen, request: &'a Request) -> Self {
        let results = seen.results().iter().filter_map(|(call, text)| Some((Call::read(call).ok()?, text.as_str())));
        let results: Vec<(Call, &str)> = results.collect();
        let refused = executors::refused(seen);
        Self { request, results, refused }
    }

    /// The attributes that cannot be met, with the questions, in the order in which they are asked for.
    fn unfeasible(&self) -> [Option<(Attribute, String)>; 5] {
        let legs = self.legs();
        [
            self.unreachable(&legs).map(|question| (Attribute::Destination, question)),
            self.rooms().map(|question| (Attribute::Housing, question)),
            self.cuisine().map(|question| (Attribute::Cuisine, question)),
            self.transportation(&legs).map(|question| (Attribute::Transportation, question)),
            self.budget().map(|question| (Attribute::Budget, question)),
        ]
    }

    /// The ways from the origin over all stops and back.
    fn legs(&self) -> Vec<Leg> {
        let origin = self.request.origin.as_str();
        let stops = self.request.cities();
        let from = [origin].into_iter().chain(stops.iter().copied());
        let to = stops.iter().copied().chain([origin]);
        from.zip(to).map(|(from, to)| self.leg(from, to)).collect()
    }

    fn leg(&self, from: &str, to: &str) -> Leg {
        let mut leg = Leg { flight: None, road: None };
        for (call, text) in &self.results {
            match call {
                Call::Flight { origin, destination, .. } if origin == from && destination == to => {
                    leg.flight = Some(!text.starts_with("There is no flight"));
                }
                Call::Distance { origin, destination, .. } if origin == from && destination == to => {
                    leg.road = Some(!text.contains("o valid information"));
                }
                _ => {}
            }
        }
        leg
    }

    /// Whether there is no way at all. Where flights are excluded and were not looked up, the estimate of the budget
    /// tells whether there are any.
    fn is_cut(&self, leg: &Leg) -> bool {
        let estimate = self.estimate().unwrap_or_default();
        let flies = leg.flight.unwrap_or(!estimate.starts_with("No valid transportation"));
        leg.road == Some(false) && !flies
    }

    /// The first stop that cannot be reached from the one before it, or that tools do not know.
    fn unreachable(&self, legs: &[Leg]) -> Option<String> {
        let refused = self.request.stops.iter().position(|stop| self.refused.contains(&stop.city));
        let cut = legs.iter().position(|leg| self.is_cut(leg));
        let last = self.request.stops.len().checked_sub(1)?;
        let stop = self.request.stops.get(refused.or(cut)?.min(last))?;
        let question = format!("There is no way to reach {}. Which other destination would you like?", stop.city);
        // Some names hold words of other details (`Seattle`).
        let is_clear = asks_for(&question, Attribute::Destination);
        let by_day = || format!("The destination of day {} is out of reach. Which other one would you like?", stop.day);
        Some(if is_clear { question } else { by_day() })
    }

    fn rooms(&self) -> Option<String> {
        let lacks = |(call, text): &(Call, &str)| {
            matches!(call, Call::Accommodation { filters, .. } if !filters.is_empty())
                && text.starts_with("There is no accommodation")
        };
        let question = "There are no rooms of the kind that you asked for. Which other rooms would do?";
        self.results.iter().any(lacks).then(|| question.to_owned())
    }

    /// A cuisine that one of the cities lacks. Another one may have it, but to ask costs a turn, and not to ask may
    /// cost the plan.
    fn cuisine(&self) -> Option<String> {
        let missing = self.request.cuisine.iter().find(|cuisine| {
            let remark = format!("There is no {cuisine} restaurant in this city.");
            self.results
                .iter()
                .filter(|(call, _)| matches!(call, Call::Restaurant { .. }))
                .any(|(_, text)| text.contains(&remark))
        })?;
        Some(format!("I found no restaurant with {missing} food. Which other cuisine would you like?"))
    }

    /// A preference that some leg does not allow: without flights it needs a road, without a car of one's own a flight
    /// (a taxi from city to city is none that the data set counts).
    fn transportation(&self, legs: &[Leg]) -> Option<String> {
        let mut legs = legs.iter().filter(|leg| !self.is_cut(leg));
        let lacks = match self.request.transportation.as_str() {
            "no flight" => legs.any(|leg| leg.road == Some(false)),
            "no self-driving" => legs.any(|leg| leg.flight == Some(false)),
            _ => false,
        };
        let question = "Your wish about transportation cannot be met on the whole way. Would you change or drop it?";
        lacks.then(|| question.to_owned())
    }

    fn budget(&self) -> Option<String> {
        let estimate = self.estimate().filter(|text| text.starts_with('$'))?;
        let least: i64 = estimate.trim_start_matches('$').replace(',', "").parse().ok()?;
        let question = format!("The trip costs {estimate} at least, which is more than your budget. Can you raise it?");
        (self.request.budget? < least).then_some(question)
    }

    fn estimate(&self) -> Option<&'a str> {
        self.results.iter().rev().find(|(call, _)| matches!(call, Call::Budget { .. })).map(|(_, text)| *text)
    }
}
