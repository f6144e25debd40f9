//! The answer formats of the methods of dialogue: from a text, or from structured answers, to moves. The
//! parsers are those of [`language`](super::language); their mends are told as elsewhere.
//!
//! `structured` brings answers by a schema, or calls of tools, into the same moves.

mod structured;

use crate::language::{
    CueCotMode, Dataset, FormatError, SourceAction, SourcePlan, Variable, Warning, Warnings, chameleon_modules,
    chameleon_strategies, cue_cot, plan_do, react_source, react_strategy, reasoned_response, response,
    source_of_module, source_plan, sub_response, thought,
};
use crate::words::{DialogueWords, dataset, tools};
use rolecall_core::domain::{Action, DialogueAct, InvalidName, Move, MoveKind, MoveKinds, Notation, PlanStep};
use rolecall_core::ports::{Asked, Format, Mended, Unreadable, Words};
use rolecall_core::roles::reader::{own_thought, own_words};
use rolecall_core::text::joined_by;

/// The formats, in the order in which they are listed.
pub const FORMATS: &[&dyn Format] = &[
    &DialogueFormat::Thought,
    &DialogueFormat::Status,
    &DialogueFormat::SourcePlan,
    &DialogueFormat::RewooPlan,
    &DialogueFormat::PlanDo,
    &DialogueFormat::ReactSource,
    &DialogueFormat::ReactStrategy,
    &DialogueFormat::Modules,
    &DialogueFormat::Strategies,
    &DialogueFormat::SubResponse,
    &DialogueFormat::ReasonedResponse,
    &DialogueFormat::Response,
];

/// An answer format, named by its content.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DialogueFormat {
    /// A thought: status and blueprint in free text (TPE section 3.1).
    Thought,
    /// The user's state, after `Status:` (Cue-CoT).
    Status,
    /// `Plan: ...` and `#So1 = SOURCE[input]` for each source (TPE section 3.2, Table 20).
    SourcePlan,
    /// `Plan: ...` and `#E1 = SOURCE[input]` for each source (ReWOO; TPE Table 18).
    RewooPlan,
    /// `Plan: <strategy>` and `Do: <words>` in turn (TPE Table 21).
    PlanDo,
    /// `Thought:` and `Action: SOURCE[input]` or `Finish[words]` (ReAct; TPE Table 16).
    ReactSource,
    /// `Thought:`, `Action: <strategy>` and `Observation: <words>` (ReAct; TPE Table 17).
    ReactStrategy,
    /// A list of modules (Chameleon; TPE Table 13).
    Modules,
    /// A list of strategies (Chameleon; TPE Table 14).
    Strategies,
    /// The words of one strategy, perhaps after its name (Chameleon; TPE Table 15).
    SubResponse,
    /// `Thought: ...` and `Response: ...`: reasoning, then the final words (CoT; TPE section 4.2).
    ReasonedResponse,
    /// The final words, perhaps after a label.
    Response,
}

rolecall_core::names! { DialogueFormat, as_str:
    Thought => "thought", Status => "status", SourcePlan => "source-plan",
    RewooPlan => "rewoo-plan", PlanDo => "plan-do", ReactSource => "react-source",
    ReactStrategy => "react-strategy", Modules => "modules", Strategies => "strategies",
    SubResponse => "sub-response", ReasonedResponse => "reasoned-response", Response => "response",
}

impl DialogueFormat {
    /// The kinds of its moves. `finish` is left out where it is not how the format answers: there it only says that
    /// nothing could be read. Spoken words declare their strategy, so that no plan has to stand beside them.
    pub fn answers(self) -> MoveKinds {
        use MoveKind::{Act, Finish, Plan, Speak, Think};
        MoveKinds::of(match self {
            Self::Thought | Self::Status => &[Think],
            Self::SourcePlan | Self::RewooPlan | Self::Modules | Self::Strategies => &[Plan],
            Self::PlanDo => &[Think, Speak],
            Self::ReactSource => &[Think, Act, Finish],
            Self::ReactStrategy => &[Think, Speak, Finish],
            Self::SubResponse => &[Speak],
            Self::ReasonedResponse => &[Think, Finish],
            Self::Response => &[Finish],
        })
    }

    /// Whether one answer holds the words of several strategies.
    pub fn speaks_by_many(self) -> bool {
        matches!(self, Self::PlanDo | Self::ReactStrategy)
    }

    /// The name as briefs carry it.
    ///
    /// # Errors
    /// Only when a process has seen more names than it can keep.
    pub fn notation(self) -> Result<Notation, InvalidName> {
        Notation::new(self.as_str())
    }

    /// The format that a brief names.
    pub fn of(notation: Notation) -> Option<Self> {
        Self::named(notation.as_str())
    }
}

/// Labels at the beginning of a line with which a model goes on to the next example of its prompt.
const NEXT_EXAMPLE: &[&str] = &["dialogue:", "source knowledge:", "evidence:"];

impl From<FormatError> for Unreadable {
    fn from(error: FormatError) -> Self {
        Self::Format(error.to_string())
    }
}

impl Format for DialogueFormat {
    fn name(&self) -> &'static str {
        (*self).as_str()
    }

    fn stops(&self) -> &'static [&'static str] {
        match self {
            Self::ReactSource => &["Observation:"],
            Self::ReactStrategy => &["\nThought:"],
            _ => &[],
        }
    }

    fn offered(&self, open: MoveKinds) -> MoveKinds {
        let answers = self.answers();
        MoveKinds::of(&answers.iter().filter(|kind| open.contains(*kind)).collect::<Vec<MoveKind>>())
    }

    fn commands(&self, asked: &Asked<'_>) -> Option<Vec<String>> {
        let input = match self {
            Self::Modules => "[context]",
            Self::Strategies => "",
            _ => return None,
        };
        Some(asked.task.map(tools).unwrap_or_default().into_iter().map(|tool| tool.name + input).collect())
    }

    /// The response is no step of a plan and no action between steps.
    fn offers(&self, form: &str) -> bool {
        !form.starts_with("respond[")
    }

    fn read(&self, text: &str, asked: &Asked<'_>, mended: &mut Mended) -> Result<Vec<Move>, Unreadable> {
        let dataset = dataset_of(asked);
        let plans = asked.natural && matches!(self, Self::SourcePlan | Self::RewooPlan);
        let natural = plans.then(|| natural(text));
        let text = natural.as_deref().unwrap_or(text);
        if asked.natural
            && let Some(moves) = self.natural(text, mended)
        {
            return moves;
        }
        Ok(match self {
            Self::Thought => vec![Move::think(filled(thought(text))?)],
            Self::Status => {
                let mut read = cue_cot(text, CueCotMode::Status, dataset)?;
                // Where the prompt ends with the label, none has to be written.
                read.warnings.remove(&Warning::NoLabel);
                record_mends(&read.warnings, mended);
                vec![Move::think(read.status.unwrap_or_default())]
            }
            Self::SourcePlan => vec![sources(text, Variable::So, dataset, mended)?],
            Self::RewooPlan => vec![sources(text, Variable::E, dataset, mended)?],
            Self::PlanDo => {
                let read = plan_do(text, dataset)?;
                record_mends(&read.warnings, mended);
                let steps = read.steps.iter().flat_map(|step| said(&step.strategies, &step.text));
                thinks(read.thought.as_deref()).chain(steps).collect()
            }
            Self::ReactSource => {
                let read = react_source(text, dataset)?;
                record_mends(&read.warnings, mended);
                let action = match read.action {
                    SourceAction::Call { source, input, .. } => Move::act(format!("{}[{input}]", source.name())),
                    SourceAction::Finish { response } => finish(Some(filled(response)?)),
                };
                thinks(Some(&read.thought)).chain([action]).collect()
            }
            Self::ReactStrategy => strategy_steps(text, dataset, mended)?,
            Self::Modules => {
                let read = chameleon_modules(text, dataset)?;
                record_mends(&read.warnings, mended);
                vec![modules(&read.items, dataset)]
            }
            Self::Strategies => {
                let read = chameleon_strategies(text, dataset)?;
                record_mends(&read.warnings, mended);
                vec![names(&read.items)]
            }
            Self::SubResponse => vec![part(text, asked, mended)?],
            Self::ReasonedResponse => {
                let read = reasoned_response(own_part(text, mended))?;
                record_mends(&read.warnings, mended);
                if read.thought.is_empty() && read.warnings.is_empty() {
                    mended.insert("missing_thought", "there was no thought before the response");
                }
                let response = finish(Some(filled(read.response)?));
                thinks(Some(&read.thought)).chain([response]).collect()
            }
            Self::Response => {
                let text = own_part(text, mended);
                vec![finish(Some(filled(response(after_reasoning(text, mended)))?))]
            }
        })
    }

    fn of_moves(&self, moves: &[Move], asked: &Asked<'_>, mended: &mut Mended) -> Result<Vec<Move>, Unreadable> {
        structured::made(moves, *self, asked, mended)
    }
}

impl DialogueFormat {
    /// Reads texts that models write without being asked for them, where the format itself does not take them.
    fn natural(self, text: &str, mended: &mut Mended) -> Option<Result<Vec<Move>, Unreadable>> {
        Some(match self {
            Self::Response => {
                let text = after_reasoning(own_part(text, mended), mended);
                own_words(text, DialogueWords.user_labels())
                    .map(|words| vec![finish(Some(response(&words)))])
                    .ok_or(Unreadable::Empty)
            }
            Self::SourcePlan | Self::RewooPlan if text.contains("] or ") => {
                Err(Unreadable::Format("two sources are named, and none is chosen; write one".to_owned()))
            }
            Self::Thought => own_thought(text).map(|words| vec![Move::think(words)]).ok_or(Unreadable::Empty),
            _ => return None,
        })
    }
}

/// Calls of sources with round or pointed brackets, `DOCUMENT(x)` and `<DOCUMENT>[<x>]`, as they are asked for.
fn natural(text: &str) -> String {
    let call = |line: &str| {
        let (before, call) = line.split_once('=')?;
        let end = call.find(['(', '['])?;
        let name = call[..end].trim().trim_matches(['<', '>', '*', '`']);
        let is_name = !name.is_empty() && name.chars().all(|letter| letter.is_alphanumeric() || letter == '_');
        let inside =
            call[end..].trim().strip_prefix(['(', '['])?.trim_end_matches(['.', ' ']).strip_suffix([')', ']'])?;
        let bare = inside.strip_prefix('<').and_then(|inside| inside.strip_suffix('>')).unwrap_or(inside);
        is_name.then(|| format!("{before}= {name}[{bare}]"))
    };
    joined_by("\n", text.lines().map(|line| call(line).unwrap_or_else(|| line.to_owned())))
}

/// The dataset of the task, which has the strategies. A task without a known one has no strategies, and naming one is
/// an error.
fn dataset_of(asked: &Asked<'_>) -> Dataset {
    asked.task.and_then(dataset).unwrap_or(Dataset::Focus)
}

/// Steps of ReAct over strategies. The parser knows whole texts, of which this may be the end: the
/// turn that only says that the response is complete.
fn strategy_steps(text: &str, dataset: Dataset, mended: &mut Mended) -> Result<Vec<Move>, Unreadable> {
    match react_strategy(text, dataset) {
        Ok(read) => {
            record_mends(&read.warnings, mended);
            let steps = read
                .steps
                .iter()
                .flat_map(|step| thinks(Some(&step.thought)).chain(said(&step.strategies, &step.observation)));
            Ok(steps.chain(read.finished.then(|| finish(None))).collect())
        }
        Err(FormatError::NoAction) => {
            let before = dataset.strategies().first().map_or("", |tool| tool.name);
            match react_strategy(&format!("Action: {before}\nObservation: -\nThought: {text}"), dataset) {
                Ok(read) if read.finished => Ok(vec![finish(None)]),
                _ => Err(FormatError::NoAction.into()),
            }
        }
        Err(error) => Err(error.into()),
    }
}

/// The words of one strategy: the first of the acts that may be spoken.
fn part(text: &str, asked: &Asked<'_>, mended: &mut Mended) -> Result<Move, Unreadable> {
    let act = asked.acts.first();
    let text = sub_response(own_part(text, mended), dataset_of(asked), act.map_or("", DialogueAct::as_str));
    Ok(Move::Speak { text: filled(text)?, act: act.cloned() })
}

/// A plan over sources.
fn sources(text: &str, variable: Variable, dataset: Dataset, mended: &mut Mended) -> Result<Move, Unreadable> {
    let SourcePlan { steps, warnings } = source_plan(text, variable, dataset)?;
    record_mends(&warnings, mended);
    let steps = steps.into_iter().map(|step| PlanStep {
        description: step.desc,
        variable: Some(step.var),
        action: Action::text(format!("{}[{}]", step.source.name(), step.input)),
    });
    Ok(plan(steps))
}

fn plan(steps: impl Iterator<Item = PlanStep>) -> Move {
    Move::Plan { steps: steps.collect() }
}

/// A plan of modules; the one that generates the answer is not asked anything.
fn modules(items: &[&str], dataset: Dataset) -> Move {
    let sources = items.iter().filter_map(|item| source_of_module(item, dataset));
    plan(sources.map(|source| PlanStep::of(format!("{source}[context]"))))
}

/// A plan of strategies.
fn names(strategies: &[&str]) -> Move {
    plan(strategies.iter().map(|strategy| PlanStep::of(*strategy)))
}

/// A thought, if there is one.
fn thinks(thought: Option<&str>) -> impl Iterator<Item = Move> {
    thought.filter(|thought| !thought.is_empty()).map(Move::think).into_iter()
}

/// A plan of strategies, and the words that follow it.
pub(super) fn said(strategies: &[&str], text: &str) -> [Move; 2] {
    let act = strategies.first().map(|act| DialogueAct((*act).to_owned()));
    [names(strategies), Move::Speak { text: text.to_owned(), act }]
}

/// The end, with the response if one is stated.
pub(super) fn finish(response: Option<String>) -> Move {
    Move::Finish { answer: Box::new(response.into()) }
}

/// A text that must not be empty.
fn filled(text: String) -> Result<String, Unreadable> {
    if text.trim().is_empty() {
        return Err(Unreadable::Empty);
    }
    Ok(text)
}

/// The text up to where the model goes on with the next example of its prompt.
fn own_part<'a>(text: &'a str, mended: &mut Mended) -> &'a str {
    let is_next = |line: &str| {
        let line = line.trim_start_matches(['*', '#', ' ', '\t']);
        let lower = line.to_lowercase();
        NEXT_EXAMPLE.iter().any(|label| lower.starts_with(label))
    };
    let Some((start, _)) = lines(text).skip(1).find(|(_, line)| is_next(line)) else {
        return text;
    };
    mended.insert("continuation", CONTINUATION);
    text.get(..start).unwrap_or(text).trim_end()
}

/// The lines of a text, each with the byte at which it begins.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split_inclusive('\n').scan(0, |end, line| {
        *end += line.len();
        Some((*end - line.len(), line))
    })
}

/// The text behind the label of the response, where reasoning is written down before it.
fn after_reasoning<'a>(text: &'a str, mended: &mut Mended) -> &'a str {
    let after_label = |line: &'a str| {
        let line = line.trim_start_matches(['*', '#', '-', '>', ' ', '\t']);
        let (word, rest) = line.split_at_checked("response".len())?;
        let rest = rest.trim_start_matches(['*', '_', ' ']).strip_prefix([':', '：'])?;
        word.eq_ignore_ascii_case("response").then_some(rest.len())
    };
    for (start, line) in lines(text) {
        if let Some(length) = after_label(line) {
            if start > 0 {
                mended.insert("leading_text", "the reasoning before the response was left out");
            }
            return text.get(start + line.len() - length..).unwrap_or(text).trim_start_matches(['*', '_', ' ']);
        }
    }
    text
}

/// The words for a model that goes on with the next example of its prompt.
const CONTINUATION: &str = "what the model wrote after its answer was left out";

/// Counts the warnings of parsers as mends.
fn record_mends(warnings: &Warnings, mended: &mut Mended) {
    for warning in warnings {
        mended.insert(warning.code(), warning_text(*warning));
    }
}

fn warning_text(warning: Warning) -> &'static str {
    match warning {
        Warning::EmptyInput => "a source was asked nothing; the dialogue is the query",
        Warning::ExtraDo => "a second part for one plan was appended to the first",
        Warning::ExtraStepsIgnored => "what follows the first action was left out",
        Warning::GeneratorNotLast => "modules after the answer generator were left out",
        Warning::HallucinatedObservation => {
            "an observation that the model wrote in the place of the source was left out"
        }
        Warning::ImplicitVariable => "a call without a variable got the one of its place",
        Warning::MissingAnswerGenerator => "the answer generator was missing and was appended",
        Warning::MissingThought => "there was no thought before the action",
        Warning::NoBrackets => "a list without brackets was read",
        Warning::NoLabel => "a text without its label was read",
        Warning::SourceAlias => "`KNOWLEDGE` was read as `DOCUMENT`",
        Warning::TruncatedAtDialogue => CONTINUATION,
        Warning::UnclosedBracket => "a bracket that was not closed was closed",
    }
}

/// The error of a move that the notation needs and that is missing or empty.
fn lacks(kind: MoveKind, problem: &str) -> Unreadable {
    Unreadable::Incomplete { kind: kind.as_str(), problem: problem.to_owned() }
}

#[cfg(test)]
mod tests;
