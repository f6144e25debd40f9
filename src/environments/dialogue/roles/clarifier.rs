//! The clarifier of a cast: judges whether a request is too vague to be answered, and asks one short question
//! (CEP's clarification agent, section 4: first whether, then what).

use async_trait::async_trait;

use super::landmark::{Wanted, wanted};
use super::scene::{Habits, Scene, answer};
use crate::cues::{Subject, Talk, asked_word, topic_words};
use rolecall_core::domain::{Answer, Move};
use rolecall_core::ports::{Role, RoleError, Turn};
use rolecall_core::text::has_word;

/// Characters that a worry in Chinese needs to say what it is about.
const ENOUGH: usize = 20;

/// Asks back when a request leaves its subject open, a limited number of times.
#[derive(Clone, Copy, Debug)]
pub struct Clarifier {
    /// The most questions that it asks.
    pub questions: usize,
}

#[async_trait]
impl Role for Clarifier {
    async fn take_turn(&mut self, turn: &Turn) -> Result<Answer, RoleError> {
        let scene = Scene::of(turn, Habits::default())?;
        let asked = turn.view.all().filter(|event| event.message.is_question()).count();
        let (reason, question) = match vague(&scene.talk) {
            None => ("It is clear what is asked for.", None),
            Some(_) if asked >= self.questions => ("No question is left.", None),
            Some((reason, question)) => (reason, Some(question)),
        };
        let open = |made: &Move| scene.brief.open.contains(made.kind());
        let question = question.map(Move::speak).filter(open);
        let judgement = Move::Judge { clarify: question.is_some(), reason: Some(reason.to_owned()) };
        let judges = scene.brief.several || question.is_none();
        let moves = Some(judgement).filter(|made| judges && open(made)).into_iter().chain(question).collect();
        answer(moves, "a clarifier can only judge and ask, and that is not open")
    }
}

/// The reason why the last request is too vague, and a question back, if it is.
fn vague(talk: &Talk) -> Option<(&'static str, &'static str)> {
    let request = talk.request();
    match talk.subject {
        // Vagueness in an unknown subject cannot be told.
        Subject::Other => None,
        Subject::Landmark => {
            const GENERAL: &str = "place special interesting anything landmark facts details information";
            let is_general = topic_words(request).iter().all(|word| has_word(GENERAL, word));
            (wanted(request) == Wanted::Anything && is_general).then_some((
                "The request says nothing about what it is to be about.",
                "Would you like to hear about its history, or about where it is?",
            ))
        }
        Subject::Tutoring => {
            let lost = asked_word(request).is_none() && talk.lessons().is_empty();
            (lost && topic_words(request).len() <= 2)
                .then_some(("The student does not say what is missing.", "Which word of the sentence are you missing?"))
        }
        Subject::Counselling => {
            let length: usize = talk.of_user().map(|text| text.chars().count()).sum();
            let question = "可以多说一点吗？是什么事让你有这样的感受？";
            (length < ENOUGH).then_some(("求助者说得很少。", question))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cues::TalkLine;

    #[test]
    fn only_what_is_vague_is_asked_back() {
        let talk = |dataset: &str, text: &str| {
            let line = TalkLine { user: true, text: text.to_owned() };
            Talk::new(dataset, vec![line])
        };
        for vaguely in ["Tell me more, please.", "What is special about this place?"] {
            assert!(vague(&talk("focus", vaguely)).is_some(), "{vaguely}");
        }
        for clear in ["Who designed it?", "What is this?", "What is the history of this house?"] {
            assert!(vague(&talk("focus", clear)).is_none(), "{clear}");
        }
        assert!(vague(&talk("cima", "Help me, please")).is_some());
        assert!(vague(&talk("cima", "How do you say tree?")).is_none());
        assert!(vague(&talk("psyqa", "我很难过。")).is_some());
        assert!(vague(&talk("psyqa", "我和室友吵架了，她已经一个星期没有和我说话，我很难过。")).is_none());
    }
}
