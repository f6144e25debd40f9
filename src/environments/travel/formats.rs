//! The answer formats of Ask-before-Plan's methods: calls one a line, a step at a time, Yes or No and a question,
//! ProCoT's sentence, and plans as JSON.

use serde_json::{Map, Value};

use super::calls::{Call, Tool};
use super::score::clarification::{binary, conversation_only};
use super::score::plan::{self, Plan};
use super::words::TravelWords;
use rolecall_core::domain::{Move, MoveKind, MoveKinds, PlanStep};
use rolecall_core::ports::{Asked, Format, Mended, Unreadable, Words};
use rolecall_core::roles::reader::own_words;
use rolecall_core::text::json_repair::{self, Fix};
use rolecall_core::text::python::literal;

/// The formats, in the order in which they are listed.
pub const FORMATS: &[&dyn Format] = &[
    &TravelFormat::Chain,
    &TravelFormat::Thought,
    &TravelFormat::Action,
    &TravelFormat::Lesson,
    &TravelFormat::Need,
    &TravelFormat::Question,
    &TravelFormat::ClarifyOrAct,
    &TravelFormat::Trip,
    &TravelFormat::TripStep,
];

/// An answer format of travel. A text of any kind can be read in each, and none at all too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TravelFormat {
    /// A call a line.
    Chain,
    /// A thought of a step.
    Thought,
    /// The call of a step.
    Action,
    /// A lesson from a call that failed.
    Lesson,
    /// Yes or No: whether something has to be clarified.
    Need,
    /// The question.
    Question,
    /// The question after a fixed sentence, or that nothing is to be done; any other text is the question.
    ClarifyOrAct,
    /// A plan: a list of days as JSON, anywhere in the text.
    Trip,
    /// An enquiry of costs, or `Finish(...)` around the plan.
    TripStep,
}

rolecall_core::names! { TravelFormat, as_str:
    Chain => "tool-chain", Thought => "tool-thought", Action => "tool-action", Lesson => "tool-lesson",
    Need => "clarify-need", Question => "clarify-question", ClarifyOrAct => "clarify-or-act",
    Trip => "trip-plan", TripStep => "trip-step",
}

impl TravelFormat {
    /// The kinds of moves that it is about.
    fn kinds(self) -> &'static [MoveKind] {
        match self {
            Self::Chain => &[MoveKind::Plan],
            Self::Thought => &[MoveKind::Think],
            Self::Action => &[MoveKind::Act],
            Self::Lesson => &[MoveKind::Learn],
            Self::Need => &[MoveKind::Judge],
            Self::Question => &[MoveKind::Speak],
            Self::ClarifyOrAct => &[MoveKind::Judge, MoveKind::Speak],
            Self::Trip => &[MoveKind::Finish],
            Self::TripStep => &[MoveKind::Act, MoveKind::Finish],
        }
    }
}

impl Format for TravelFormat {
    fn name(&self) -> &'static str {
        (*self).as_str()
    }

    fn stops(&self) -> &'static [&'static str] {
        match self {
            Self::Thought | Self::Action => &["Action", "Thought", "Observation", "\n"],
            Self::TripStep => &["\nThought", "\nAction", "\nObservation"],
            _ => &[],
        }
    }

    fn takes_nothing(&self) -> bool {
        true
    }

    fn offered(&self, open: MoveKinds) -> MoveKinds {
        self.kinds().iter().copied().filter(|kind| open.contains(*kind)).collect::<Vec<MoveKind>>().into()
    }

    fn read(&self, text: &str, asked: &Asked<'_>, _: &mut Mended) -> Result<Vec<Move>, Unreadable> {
        let text = text.trim();
        if asked.natural {
            return self.natural(text).map(|made| vec![made]);
        }
        Ok(vec![match self {
            Self::Chain => {
                let steps = text.lines().filter(|line| !line.trim().is_empty()).map(PlanStep::of).collect();
                Move::Plan { steps }
            }
            Self::Thought => Move::think(text),
            Self::Action => Move::act(text),
            Self::Lesson => Move::Learn { lesson: text.to_owned() },
            Self::Need => judged(binary(text), text),
            Self::Question => spoken(text),
            Self::ClarifyOrAct => spoken(conversation_only(text).unwrap_or_default()),
            Self::Trip => finished(text),
            Self::TripStep => match text.strip_prefix("Finish(") {
                Some(rest) => finished(rest),
                None => Move::act(text),
            },
        }])
    }

    fn of_moves(&self, moves: &[Move], asked: &Asked<'_>, mended: &mut Mended) -> Result<Vec<Move>, Unreadable> {
        let is_taken = |made: &&Move| self.kinds().contains(&made.kind());
        let mut taken: Vec<Move> = moves.iter().filter(is_taken).cloned().collect();
        for made in &mut taken {
            match made {
                // A schema asks for the plan as a text.
                Move::Finish { answer } => {
                    if let Some(text) = answer.as_str() {
                        **answer = read_plan(text);
                    }
                }
                Move::Plan { steps } if asked.natural => {
                    for step in steps {
                        if let [call] = &*calls(&step.action.text) {
                            step.action.text.clone_from(call);
                        }
                    }
                }
                _ => {}
            }
        }
        match taken.is_empty() {
            true => self.read("", asked, mended),
            false => Ok(taken),
        }
    }
}

impl TravelFormat {
    /// Reads texts that models write without being asked for them.
    fn natural(self, text: &str) -> Result<Move, Unreadable> {
        let text = if matches!(self, Self::Thought | Self::Action | Self::TripStep) { one_step(text) } else { text };
        let lacks = |problem: &str| Unreadable::Format(problem.to_owned());
        Ok(match self {
            Self::Chain => {
                let steps: Vec<PlanStep> = text.lines().flat_map(calls_or_other).map(PlanStep::of).collect();
                if steps.is_empty() || text.contains(") or ") {
                    return Err(lacks(
                        "no call was found; write calls, one a line, such as `AttractionSearch(\"Salem\")`",
                    ));
                }
                Move::Plan { steps }
            }
            Self::Action => Move::act(
                text.lines()
                    .flat_map(calls_or_other)
                    .next()
                    .ok_or_else(|| lacks("no call was found; write one, such as `AttractionSearch(\"Salem\")`"))?,
            ),
            Self::Thought | Self::Lesson => {
                let words = own_words(text, TravelWords.user_labels()).ok_or(Unreadable::Empty)?;
                if self == Self::Thought { Move::think(words) } else { Move::Learn { lesson: words } }
            }
            Self::Need => {
                let lower = text.to_lowercase();
                let word =
                    lower.split(|letter: char| !letter.is_alphanumeric()).find(|word| ["yes", "no"].contains(word));
                judged(word.ok_or_else(|| lacks("write Yes or No"))? == "yes", text)
            }
            Self::Question | Self::ClarifyOrAct => match conversation_only(text) {
                None => judged(false, ""),
                Some(question) => {
                    let question = question.trim_start_matches([':', ' ']);
                    Move::speak(own_words(question, TravelWords.user_labels()).ok_or(Unreadable::Empty)?)
                }
            },
            Self::TripStep if text.starts_with("CostEnquiry(") => Move::act(text),
            Self::TripStep if !text.contains("Finish(") && !text.contains('[') => Move::act(text),
            Self::Trip | Self::TripStep => {
                let read = Some(read_plan(text)).filter(|plan| !plan.is_null()).or_else(|| repaired_plan(text));
                let problem = "no plan was found; write it as a JSON list of days";
                Move::Finish { answer: Box::new(read.ok_or_else(|| lacks(problem))?) }
            }
        })
    }
}

/// The text of one step, without its label and without the steps that follow.
fn one_step(text: &str) -> &str {
    const LABELS: [&str; 3] = ["Thought", "Action", "Observation"];
    let behind = |line: &str| {
        let after = LABELS.iter().find_map(|label| line.trim_start().strip_prefix(label))?;
        let rest = after.trim_start_matches([' ', '[', ']']).trim_start_matches(|letter: char| letter.is_ascii_digit());
        rest.trim_start_matches([']', ' ']).strip_prefix(':').map(str::len)
    };
    let text = text.trim();
    let text = behind(text).map_or(text, |length| &text[text.len() - length..]);
    let mut end = 0;
    for line in text.split_inclusive('\n') {
        if end > 0 && behind(line).is_some() {
            break;
        }
        end += line.len();
    }
    text[..end].trim()
}

/// A plan in JSON that has to be mended, if it is whole.
fn repaired_plan(text: &str) -> Option<Value> {
    let read = json_repair::repair(text).ok().filter(|read| !read.fixes.contains(&Fix::End))?;
    Plan::from_json(&read.value).ok().as_ref().map(Plan::to_json)
}

/// The calls in a line, or a whole line that calls what is no tool, which the world refuses.
fn calls_or_other(line: &str) -> Vec<String> {
    let found = calls(line);
    let line = line.trim();
    let name = line.strip_suffix(')').and_then(|line| line.split_once('('));
    let is_call = name.is_some_and(|(name, _)| {
        Tool::named(name).is_none()
            && name.starts_with(|letter: char| letter.is_ascii_uppercase())
            && name.chars().all(char::is_alphanumeric)
    });
    if found.is_empty() && is_call { vec![line.to_owned()] } else { found }
}

/// The calls in a line: each in its one form if it can be read, else as it is written, which the world refuses.
fn calls(line: &str) -> Vec<String> {
    let line = line.replace(['\u{201c}', '\u{201d}'], "\"");
    let mut found = Vec::new();
    let mut rest = &*line;
    let first = |rest: &str| {
        let lower = rest.to_ascii_lowercase();
        let place = |tool: Tool| Some((lower.find(&tool.as_str().to_ascii_lowercase())?, tool));
        let places = Tool::ALL.into_iter().filter_map(place);
        places.min_by_key(|(place, _)| *place)
    };
    while let Some((place, tool)) = first(rest) {
        rest = &rest[place + tool.as_str().len()..];
        let close = if rest.starts_with('(') { ')' } else { ']' };
        let Some(inside) = rest.strip_prefix(['(', '[']) else { continue };
        let is_open = |end: &usize| inside[..*end].matches('[').count() > inside[..*end].matches(']').count();
        let Some(end) = inside.match_indices(close).map(|(place, _)| place).find(|end| !is_open(end)) else { break };
        rest = &inside[end..];
        let inside = &inside[..end];
        let is_form = tool.parameters().iter().any(|(name, _)| inside.split(',').any(|part| part.trim() == *name));
        // `"[departure city]"`
        if is_form || inside.contains("\"[") || inside.contains("'[") {
            continue;
        }
        let written = format!("{}({inside})", tool.as_str());
        let by_name = || Call::from_native(tool.as_str(), &named(tool, inside)?).ok();
        let call = Call::read(&written).ok().or_else(by_name);
        found.push(call.map_or(written, |call| call.canonical()));
    }
    found
}

/// Values of parameters by their names: `origin="Boston"`, or `Boston, Austin` in their order.
fn named(tool: Tool, inside: &str) -> Option<Value> {
    let mut fields = Map::new();
    for (place, part) in outside_brackets(inside).into_iter().enumerate() {
        let (name, _) = tool.parameters().get(place)?;
        let (name, value) = part.split_once('=').map_or((*name, part), |(name, value)| (name.trim(), value));
        let value = value.trim();
        fields.insert(name.to_owned(), literal(value).unwrap_or_else(|| value.into()));
    }
    Some(fields.into())
}

/// Parts between commas that stand in no list.
fn outside_brackets(text: &str) -> Vec<&str> {
    let mut depth = 0_i32;
    text.split(|letter: char| {
        depth += i32::from(letter == '[') - i32::from(letter == ']');
        letter == ',' && depth == 0
    })
    .filter(|part| !part.trim().is_empty())
    .collect()
}

/// A verdict, with what was written besides it.
fn judged(clarify: bool, text: &str) -> Move {
    Move::Judge { clarify, reason: (text.len() > "Yes.".len()).then(|| text.to_owned()) }
}

/// A question; without one nothing has to be clarified.
fn spoken(text: &str) -> Move {
    match text.is_empty() {
        true => judged(false, ""),
        false => Move::speak(text),
    }
}

fn finished(text: &str) -> Move {
    Move::Finish { answer: Box::new(read_plan(text)) }
}

/// The plan within a text as a list of days, or null.
fn read_plan(text: &str) -> Value {
    plan::parse(text).ok().as_ref().map(Plan::to_json).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(format: TravelFormat, text: &str) -> Move {
        let read = format.read(text, &Asked::default(), &mut Mended::default());
        read.unwrap().remove(0)
    }

    #[test]
    fn a_chain_is_a_call_a_line() {
        let Move::Plan { steps } = read(TravelFormat::Chain, "A(1)\n\n  \nno call.\n") else { panic!("no plan") };
        assert_eq!(steps, [PlanStep::of("A(1)"), PlanStep::of("no call.")]);
        assert_eq!(read(TravelFormat::Chain, ""), Move::Plan { steps: Vec::new() });
    }

    #[test]
    fn the_first_yes_or_no_counts_wherever_it_stands() {
        for (text, clarify) in [("Yes.", true), ("Not sure. Yes", false), ("yes, I know", true), ("", false)] {
            let Move::Judge { clarify: found, .. } = read(TravelFormat::Need, text) else { panic!("no verdict") };
            assert_eq!(found, clarify, "{text}");
        }
    }

    #[test]
    fn a_question_stands_behind_its_opening_or_is_all_there_is() {
        let asked = |text| read(TravelFormat::ClarifyOrAct, text);
        assert_eq!(asked("So the clarifying question is When?"), Move::speak("When?"));
        assert_eq!(asked("When?"), Move::speak("When?"));
        let clear = Move::Judge { clarify: false, reason: None };
        assert_eq!(asked("It is clear. No action should be taken."), clear);
        assert_eq!(read(TravelFormat::Question, " "), clear);
    }

    #[test]
    fn a_step_of_a_planner_finishes_or_acts() {
        let days = r#"[{"current_city": "A"}, {"current_city": "B"}]"#;
        let list: Value = serde_json::from_str(days).unwrap();
        let finish = |answer: Value| Move::Finish { answer: Box::new(answer) };
        assert_eq!(read(TravelFormat::TripStep, &format!("Finish({days})")), finish(list.clone()));
        assert_eq!(read(TravelFormat::TripStep, "Finish(soon)"), finish(Value::Null));
        assert_eq!(read(TravelFormat::TripStep, "CostEnquiry({})"), Move::act("CostEnquiry({})"));
        assert_eq!(read(TravelFormat::Trip, &format!("Here it is: {days}.")), finish(list.clone()));
        // A schema asks for the plan as a text, and for verdicts as moves.
        let asked = Asked::default();
        let of = |format: TravelFormat, made: &[Move]| format.of_moves(made, &asked, &mut Mended::default());
        assert_eq!(of(TravelFormat::Trip, &[finish(days.into())]), Ok(vec![finish(list)]));
        assert_eq!(of(TravelFormat::Need, &[Move::think("x")]), Ok(vec![judged(false, "")]));
    }

    proptest! {
        #[test]
        fn any_text_is_read(text in "(yes|no|Finish\\(|[\\[\\]{}:, \"\n]|current_city|1|é){0,20}") {
            for format in FORMATS {
                prop_assert!(format.read(&text, &Asked::default(), &mut Mended::default()).is_ok());
            }
        }
    }
}
