//! Whether an answer can be used. Models, people and other processes may answer anything.

use serde_json::Value;

use super::protocol::{Asked, Failure, Reply, WorldStep};
use rolecall_core::domain::{Answer, Brief, DialogueAct, FaultKind, Move, MoveKind, Repair, Task};
use rolecall_core::ports::EnvironmentError;
use rolecall_core::text::joined;

/// Refuses answers that were not asked for, that are larger than `most` bytes of text, that hold
/// no move or one that is not open.
pub(super) fn check(asked: &Asked, reply: Reply, most: usize) -> Result<Reply, Failure> {
    match (asked, reply) {
        (Asked::Role(brief), Reply::Answer(answer)) => check_answer(answer, brief, most).map(Reply::Answer),
        (Asked::User, Reply::Utterance(utterance)) => {
            check_size("reply", utterance.text.len(), most)?;
            Ok(Reply::Utterance(utterance))
        }
        (Asked::World { step: WorldStep::Assess, .. }, Reply::Score(score)) => {
            check_depth("score", &score.detail)?;
            if !score.reward.is_finite() {
                return Err(unusable(format!("the reward {} is not a number", score.reward)));
            }
            Ok(Reply::Score(score))
        }
        (Asked::World { .. }, Reply::Observation(observation)) => {
            check_size("observation", observation.text.len(), most)?;
            check_depth("observation", observation.data.as_deref().unwrap_or(&Value::Null))?;
            Ok(Reply::Observation(observation))
        }
        (Asked::World { step: WorldStep::Hear(_), .. }, Reply::Nothing) => Ok(Reply::Nothing),
        (Asked::Role(_) | Asked::User | Asked::World { .. }, _) => {
            Err(unusable("the seat answered something that was not asked"))
        }
    }
}

fn unusable(text: impl Into<String>) -> Failure {
    Failure::new(FaultKind::Unusable, text)
}

fn check_answer(mut answer: Answer, brief: &Brief, most: usize) -> Result<Answer, Failure> {
    check_size("answer", answer.moves.iter().map(Move::text_bytes).sum(), most)?;
    for part in answer.moves.iter().flat_map(parts) {
        check_depth("answer", part)?;
    }
    if !brief.several {
        answer.keep(answer.one_turn(brief.open));
    }
    if answer.moves.is_empty() {
        return Err(unusable("it holds no move"));
    }
    if let Some(kind) = answer.moves.iter().map(Move::kind).find(|kind| !brief.open.contains(*kind)) {
        let (kind, open) = (kind.as_str(), joined(brief.open.iter().map(MoveKind::as_str)));
        return Err(unusable(format!("a move of kind `{kind}` is not open now; open are {open}")));
    }
    if let Some(problem) = answer.moves.iter().find_map(|made| undeclared(made, brief)) {
        return Err(unusable(problem));
    }
    cut_to_limits(&mut answer, brief);
    Ok(answer)
}

/// The problem of an utterance that has to declare a dialogue act.
fn undeclared(made: &Move, brief: &Brief) -> Option<String> {
    let Move::Speak { act, .. } = made else {
        return None;
    };
    if brief.acts.is_empty() || act.as_ref().is_some_and(|act| brief.acts.contains(act)) {
        return None;
    }
    let found = match act {
        None => "declares no dialogue act".to_owned(),
        Some(act) => format!("declares the dialogue act `{}`, which is none of them", act.as_str().escape_debug()),
    };
    let acts = joined(brief.acts.iter().map(DialogueAct::as_str));
    Some(format!("what is spoken must declare one of the dialogue acts {acts}, but it {found}"))
}

/// Leaves out the moves of a long answer that the steps and questions left do not allow: limits
/// hold in the middle of an answer as well. Its first move is always allowed.
fn cut_to_limits(answer: &mut Answer, brief: &Brief) {
    let most = |left: Option<u32>| left.map_or(usize::MAX, |left| left as usize);
    let all = answer.moves.len();
    let mut spoken = 0;
    answer.moves.retain(|made| {
        spoken += usize::from(made.kind() == MoveKind::Speak);
        made.kind() != MoveKind::Speak || spoken <= most(brief.questions_left)
    });
    let asked = answer.moves.len();
    // An utterance that is left out takes no step.
    answer.moves.truncate(most(brief.steps_left).max(1));
    let kept = answer.moves.len();
    let cut = [(all - asked, "moves_beyond_questions", "questions"), (asked - kept, "moves_beyond_steps", "steps")];
    for (moves, code, what) in cut {
        if moves > 0 {
            answer.repaired.push(Repair {
                code: code.to_owned(),
                note: format!("{moves} moves were left out: no more {what} are left"),
            });
        }
    }
}

/// Refuses a task whose structured parts could not be read back from the log.
pub(super) fn check_task(task: &Task) -> Result<(), EnvironmentError> {
    let private = task.private.iter().map(|part| &*part.value);
    std::iter::once(&task.public.data)
        .chain(private)
        .try_for_each(|part| check_depth("task's data", part))
        .map_err(|failure| EnvironmentError::Data(failure.message))
}

/// Structured parts must be readable again: JSON readers give up at 128 levels.
fn check_depth(what: &str, value: &Value) -> Result<(), Failure> {
    const MOST: usize = 64;
    if depth_within(value, MOST) {
        return Ok(());
    }
    Err(unusable(format!("the {what} is nested deeper than {MOST} levels")))
}

fn depth_within(value: &Value, most: usize) -> bool {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => true,
        _ if most == 0 => false,
        Value::Array(items) => items.iter().all(|item| depth_within(item, most - 1)),
        Value::Object(fields) => fields.values().all(|field| depth_within(field, most - 1)),
    }
}

/// The structured parts of a move.
fn parts(made: &Move) -> Vec<&Value> {
    match made {
        Move::Act { action } => action.call.iter().map(|call| &call.arguments).collect(),
        Move::Plan { steps } => {
            steps.iter().filter_map(|step| step.action.call.as_ref()).map(|call| &call.arguments).collect()
        }
        Move::Finish { answer } => vec![answer],
        Move::Think { .. } | Move::Speak { .. } | Move::Judge { .. } | Move::Learn { .. } => Vec::new(),
    }
}

fn check_size(what: &str, bytes: usize, most: usize) -> Result<(), Failure> {
    if bytes <= most {
        return Ok(());
    }
    Err(Failure::new(FaultKind::TooLarge, format!("the {what} has {bytes} bytes; limits.answer_bytes allows {most}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rolecall_core::domain::MoveKinds;

    #[test]
    fn what_is_spoken_declares_one_of_the_acts() {
        let brief =
            Brief { open: MoveKinds::of(&MoveKind::ALL), acts: DialogueAct::schema().into(), ..Brief::default() };
        let said =
            |act: Option<&str>| Move::Speak { text: "x".to_owned(), act: act.map(|act| DialogueAct(act.to_owned())) };
        let problem = |made| check_answer(Answer::from(made), &brief, 1000).err();
        assert!(problem(said(Some("Affirm"))).is_none());
        assert!(problem(Move::think("x")).is_none());
        for (act, told) in [(None, "declares no"), (Some("Agree"), "`Agree`, which")] {
            let failure = problem(said(act)).unwrap();
            assert!(failure.message.contains(told) && failure.message.contains("NotifyFailure"));
        }
    }

    #[test]
    fn a_long_answer_ends_where_the_limits_do() {
        let kept = |steps_left, questions_left| {
            let brief = Brief {
                open: MoveKinds::of(&MoveKind::ALL),
                several: true,
                steps_left: Some(steps_left),
                questions_left,
                ..Brief::default()
            };
            let moves = vec![Move::think("a"), Move::speak("b"), Move::speak("c"), Move::act("d")];
            let repaired = Vec::new();
            let checked = check_answer(Answer { moves, repaired }, &brief, 100).unwrap();
            let codes: Vec<String> = checked.repaired.into_iter().map(|mend| mend.code).collect();
            let kinds: Vec<&str> = checked.moves.iter().map(|made| made.kind().as_str()).collect();
            (kinds.join(" "), codes.join(" "))
        };
        let row = |kinds: &str, codes: &str| (kinds.to_owned(), codes.to_owned());
        assert_eq!(kept(9, None), row("think speak speak act", ""));
        assert_eq!(kept(3, None), row("think speak speak", "moves_beyond_steps"));
        assert_eq!(kept(9, Some(1)), row("think speak act", "moves_beyond_questions"));
        assert_eq!(kept(3, Some(1)), row("think speak act", "moves_beyond_questions"));
        assert_eq!(kept(2, Some(1)), row("think speak", "moves_beyond_questions moves_beyond_steps"));
        assert_eq!(kept(1, None), row("think", "moves_beyond_steps"));
    }
}
