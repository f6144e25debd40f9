//! Recorded answers as moves, read by the parser of their notation.

use crate::domain::{Action, DialogueAct, Move, Notation, PlanStep};
use crate::text::dialogue::{
    CueCotMode, Dataset, FormatError, SourceAction, Variable, chameleon_modules,
    chameleon_strategies, cue_cot, plan_do, react_source, react_strategy, response, source_plan,
    sub_response, thought,
};

/// The moves of an answer in the notation; `strategy` is the one that speaks.
pub(super) fn moves(
    notation: Notation,
    text: &str,
    dataset: Dataset,
    strategy: &str,
) -> Result<Vec<Move>, FormatError> {
    Ok(match notation {
        Notation::Thought => vec![Move::think(thought(text))],
        Notation::Status => {
            let read = cue_cot(text, CueCotMode::Status, dataset)?;
            vec![Move::think(read.status.unwrap_or_default())]
        }
        Notation::SourcePlan => planned_sources(text, Variable::So)?,
        Notation::RewooPlan => planned_sources(text, Variable::E)?,
        Notation::Modules => {
            let modules = chameleon_modules(text)?.items.into_iter();
            let sources = modules.filter_map(|module| match module {
                "Persona_Retrieval" => Some("PERSONA[context]"),
                "Knowledge_Retrieval" => Some("DOCUMENT[context]"),
                _ => None,
            });
            vec![plan(sources)]
        }
        Notation::Strategies => vec![plan(chameleon_strategies(text, dataset)?.items)],
        Notation::SubResponse => vec![spoken(strategy, sub_response(text, dataset, strategy))],
        Notation::PlanDo => {
            let steps = plan_do(text, dataset)?.steps;
            let pairs = steps.into_iter().map(|step| (step.strategies, step.text));
            pairs
                .flat_map(|(strategies, text)| done(strategies, text))
                .collect()
        }
        Notation::ReactSource => {
            let step = react_source(text)?;
            let last = match step.action {
                SourceAction::Call { source, input, .. } => {
                    Move::act(format!("{}[{input}]", source.name()))
                }
                SourceAction::Finish { response } => finished(response.into()),
            };
            vec![Move::think(step.thought), last]
        }
        Notation::ReactStrategy => strategy_steps(text, dataset)?,
        // Whatever else there is ends in a response.
        _ => vec![finished(response(text).into())],
    })
}

/// Steps of ReAct over strategies. The parser knows whole texts; the answer that only ends them is read
/// after a step that stands for those before it.
fn strategy_steps(text: &str, dataset: Dataset) -> Result<Vec<Move>, FormatError> {
    let (read, earlier) = match react_strategy(text, dataset) {
        Err(FormatError::NoAction) => {
            let whole = format!("Action: Others\nObservation: -\nThought: {text}");
            (react_strategy(&whole, dataset)?, 1)
        }
        read => (read?, 0),
    };
    let steps = read.steps.into_iter().skip(earlier);
    let steps = steps.flat_map(|step| {
        let thought = Move::think(step.thought);
        std::iter::once(thought).chain(done(step.strategies, step.observation))
    });
    let end = read.finished.then(|| finished(serde_json::Value::Null));
    Ok(steps.chain(end).collect())
}

fn planned_sources(text: &str, letters: Variable) -> Result<Vec<Move>, FormatError> {
    let steps = source_plan(text, letters)?.steps.into_iter();
    let steps = steps.map(|step| PlanStep {
        description: step.desc,
        variable: Some(step.var),
        action: Action::text(format!("{}[{}]", step.source.name(), step.input)),
    });
    Ok(vec![Move::Plan {
        steps: steps.collect(),
    }])
}

fn plan<'a>(steps: impl IntoIterator<Item = &'a str>) -> Move {
    Move::Plan {
        steps: steps.into_iter().map(PlanStep::of).collect(),
    }
}

fn spoken(strategy: &str, text: String) -> Move {
    Move::Speak {
        text,
        act: Some(DialogueAct(strategy.to_owned())),
    }
}

fn done(strategies: Vec<&'static str>, text: String) -> [Move; 2] {
    let first = strategies.first().copied().unwrap_or_default();
    [plan(strategies.iter().copied()), spoken(first, text)]
}

fn finished(answer: serde_json::Value) -> Move {
    Move::Finish {
        answer: Box::new(answer),
    }
}
