//! The clarifiers of a cast: they judge whether the user has to be asked before the others go on,
//! and ask (CEP's clarification agent, section 4: first whether, then what).

use async_trait::async_trait;

use super::talk::Silence;
use super::{Mind, Recall, SubGoal, Topic, Wording, brief, speech};
use rolecall_core::domain::{Answer, Brief, Move, MoveKind};
use rolecall_core::ports::{Role, RoleError, Turn};

/// A reason, and the question if one is to be asked.
type Verdict = (String, Option<String>);

fn go_on(reason: &str) -> Verdict {
    (reason.to_owned(), None)
}

/// The verdict and the question as moves, as far as they are open.
fn answer(verdict: Verdict, brief: &Brief) -> Result<Answer, RoleError> {
    let (reason, question) = verdict;
    let judgement = Move::Judge { clarify: question.is_some(), reason: Some(reason) };
    let judges = brief.several || question.is_none();
    let moves = [Some(judgement).filter(|_| judges), question.map(Move::speak)];
    let open = |made: &Move| brief.open.contains(made.kind());
    let moves: Vec<Move> = moves.into_iter().flatten().filter(open).collect();
    if moves.is_empty() {
        let why = "a clarifier can only judge and ask, and that is not open";
        return Err(RoleError::Failed(why.to_owned()));
    }
    Ok(moves.into())
}

/// Asks where asking is worth it: where to look, and which of several objects is meant. It does
/// not ask again what was answered, and stops asking a user whose answers lead nowhere. An eager one
/// asks before every search, whatever was said before.
#[derive(Clone, Debug)]
pub struct Clarifier {
    mind: Mind,
    eager: bool,
}

#[async_trait]
impl Role for Clarifier {
    async fn take_turn(&mut self, turn: &Turn) -> Result<Answer, RoleError> {
        self.mind.catch_up(turn, false);
        self.mind.require_goal()?;
        let brief = brief(turn)?;
        let sub_goal = self.mind.sub_goal(&self.mind.decision(false, turn.seed));
        let verdict = match self.eager {
            true => self.eager_verdict(brief, sub_goal),
            false => self.verdict(brief, sub_goal),
        };
        answer(verdict, brief)
    }
}

impl Clarifier {
    /// A clarifier that gives up asking after `patience` answers that led nowhere.
    pub fn new(patience: u8) -> Self {
        let mind = Mind::new(Wording::default(), Recall::default(), patience);
        Self { mind, eager: false }
    }

    /// A clarifier that asks before every search.
    pub fn eager() -> Self {
        let mind = Mind::default();
        Self { mind, eager: true }
    }

    fn verdict(&self, brief: &Brief, sub_goal: Option<SubGoal>) -> Verdict {
        let Mind { belief, talk, .. } = &self.mind;
        if talk.lacks_goal(belief) {
            let question = speech::question(Topic::Goal, &self.mind);
            let asked = ("The task leaves something out.".to_owned(), Some(question));
            let silence = talk.why_not_speak(brief);
            return silence.map_or(asked, |silence| go_on(self.reason(silence)));
        }
        if let Some(SubGoal::Find(what)) = &sub_goal {
            return match talk.why_not_ask_where(brief) {
                Some(silence) => go_on(self.reason(silence)),
                None => {
                    let reason = format!("The {} could be in many places.", what.class);
                    (reason, Some(where_to_look(&what.class, &self.mind)))
                }
            };
        }
        // A sub-goal that names one object leaves no choice.
        let open_choice = sub_goal.as_ref().and_then(SubGoal::object);
        let open_choice = open_choice.is_some_and(|object| object.number.is_none());
        if !open_choice || !talk.leaves_a_choice(belief) {
            return go_on("It is clear what is meant and where it is.");
        }
        match talk.why_not_ask_which(brief) {
            Some(silence) => go_on(self.reason(silence)),
            None => {
                let question = speech::question(Topic::Which, &self.mind);
                ("Several objects could be meant.".to_owned(), Some(question))
            }
        }
    }

    fn reason(&self, silence: Silence) -> &'static str {
        match silence {
            Silence::Closed if self.mind.advice.has_user => "No question is left.",
            Silence::Closed => "There is nobody to ask.",
            Silence::Advised => "The user has said what to do.",
            Silence::InVain => "Asking has led nowhere.",
            Silence::Late => "There are too few steps left to use an answer.",
        }
    }

    fn eager_verdict(&self, brief: &Brief, sub_goal: Option<SubGoal>) -> Verdict {
        match sub_goal {
            _ if !self.mind.advice.has_user => go_on("There is nobody to ask."),
            _ if !brief.open.contains(MoveKind::Speak) => go_on("No question is left."),
            Some(SubGoal::Find(what)) => {
                let reason = "Something has to be found, and a hint is worth having.";
                let question = where_to_look(&what.class, &self.mind);
                (reason.to_owned(), Some(question))
            }
            Some(_) | None => go_on("Nothing has to be found."),
        }
    }
}

fn where_to_look(class: &str, mind: &Mind) -> String {
    let question = |goal| speech::where_to_look(class, goal, &mind.talk, &mind.belief);
    mind.belief.goal.as_ref().map(question).unwrap_or_else(|| format!("Where should I look for the {class}?"))
}
