//! A visitor who asks about a place, one question after the other.

use async_trait::async_trait;

use super::{one_of, said_and_talk};
use crate::cues::{Talk, TalkLine, fits, names, topic_words, words};
use rolecall_core::domain::Utterance;
use rolecall_core::ports::{Turn, UserError, UserSimulator};

/// A question for each thing to know, and the words that show that it was asked or told.
#[rustfmt::skip]
const QUESTIONS: &[(&[&str], &str)] = &[
    (&["where", "located", "location"], "Where is {}?"),
    (&["when", "year", "built", "founded", "opened"], "When was {} built?"),
    (&["who", "designed", "architect", "founder"], "Who had {} built?"),
    (&["history"], "What is the history of {}?"),
    (&["special", "known", "famous"], "What is {} known for?"),
    (&["visitors", "visit", "open"], "What can visitors see at {}?"),
    (&["large", "big", "tall", "high"], "How large is {}?"),
];

/// A visitor: asks what it has not asked and was not told yet, answers questions, and leaves with thanks after its
/// last question.
#[derive(Clone, Copy, Debug)]
pub struct Visitor {
    /// The number of its questions besides that of the sample.
    pub questions: u32,
}

#[async_trait]
impl UserSimulator for Visitor {
    async fn reply(&mut self, turn: &Turn) -> Result<Utterance, UserError> {
        let (said, talk) = said_and_talk(turn)?;
        let replies = usize::try_from(turn.number).unwrap_or(usize::MAX);
        let leaving = |content: &str, disappointed: &str| {
            let satisfied = is_answered(&talk, replies);
            Utterance::leaving(if satisfied { content } else { disappointed }, satisfied)
        };
        if turn.number >= self.questions {
            let thanks = ["Thank you, that is all I wanted to know.", "Thanks a lot, goodbye!"];
            return Ok(leaving(
                one_of(turn.seed, &thanks),
                "Thank you, but that is not what I wanted to know. Goodbye.",
            ));
        }
        if said.trim_end().ends_with('?') {
            return Ok(Utterance::text(choice(said, &talk)));
        }
        let Some(question) = next_question(said, &talk, turn.seed.0) else {
            return Ok(leaving(
                "Thank you, now I know all that I wanted to.",
                "Thank you, I will look the rest up myself.",
            ));
        };
        let opening = one_of(turn.seed, &["", "I see. ", "Thanks! ", "Interesting. "]);
        Ok(Utterance::text(format!("{opening}{question}")))
    }
}

/// Whether every question, from the last one of the sample on, was answered: by something new that has to do with the
/// question and adds to it.
fn is_answered(talk: &Talk, replies: usize) -> bool {
    const IGNORANT: &[&str] =
        &["i do not know", "i don't know", "i am not sure", "i'm not sure", "no idea", "found nothing", "cannot say"];
    let lines = &talk.lines;
    // The agent's last words stand at the end, before the visitor's.
    let asked = |place: usize| lines.get(place).filter(|line| line.user && line.text.contains('?'));
    let questions = (0..lines.len()).filter_map(|place| Some((place, asked(place)?)));
    let is_own = |place: usize| lines.iter().skip(place).filter(|line| line.user).count() <= replies + 1;
    let mut questions = questions.filter(|(place, _)| is_own(*place)).peekable();
    let answers = |(place, question): (usize, &TalkLine)| {
        let answer = lines.get(place + 1).filter(|line| !line.user)?;
        let small = answer.text.to_lowercase();
        let mut before = lines.iter().take(place + 1).filter(|line| !line.user);
        let is_new = !before.any(|line| line.text == answer.text);
        let ignorant = IGNORANT.iter().any(|words| small.contains(words)) || small.trim_end().ends_with('?');
        let says_more = topic_words(&answer.text).iter().any(|word| !topic_words(&question.text).contains(word));
        (is_new && !ignorant && says_more && fits(&question.text, &answer.text) > 0).then_some(())
    };
    questions.peek().is_some() && questions.all(|one| answers(one).is_some())
}

/// The choice of a subject that it is offered.
fn choice(said: &str, talk: &Talk) -> String {
    const SUBJECTS: [&str; 4] = ["history", "location", "architecture", "nature"];
    let small = said.to_lowercase();
    let subject = SUBJECTS.into_iter().find(|subject| small.contains(subject));
    let is_where = small.contains("where it is");
    match (subject, talk.landmark()) {
        (Some(subject), Some(name)) => {
            format!("I would like to hear about the {subject} of {name}.")
        }
        (Some(subject), None) => format!("I would like to hear about its {subject}."),
        (None, Some(name)) if is_where => {
            format!("I would like to hear about where to find {name}.")
        }
        (None, None) if is_where => "I would like to hear about where it is.".to_owned(),
        (None, _) => "Anything that is worth knowing about it.".to_owned(),
    }
}

/// The next question: about a name that was just mentioned, or a subject that was not. None if all were.
fn next_question(said: &str, talk: &Talk, seed: u64) -> Option<String> {
    let place = talk.landmark();
    let asked: String = talk.of_user().collect::<Vec<_>>().join(" ").to_lowercase();
    let of_place = |name: &str| {
        let is_part = |place: &String| place.contains(name) || name.contains(place.as_str());
        place.as_ref().is_some_and(is_part)
    };
    let is_new = |name: &String| name.contains(' ') && !of_place(name) && !asked.contains(&name.to_lowercase());
    if let Some(name) = names(said).into_iter().find(is_new).filter(|_| seed.is_multiple_of(2)) {
        return Some(format!("What about {name}?"));
    }
    let spoken = format!("{asked} {}", said.to_lowercase());
    let open = |keys: &[&str]| !words(&spoken).any(|word| keys.contains(&word));
    let left: Vec<_> = QUESTIONS.iter().filter(|(keys, _)| open(keys)).collect();
    let pick = usize::try_from(seed / 2 % left.len().max(1) as u64).ok()?;
    let (_, question) = left.get(pick)?;
    Some(question.replace("{}", &place.map_or_else(|| "this place".to_owned(), |name| with_article(&name))))
}

/// Names of several words that end in a common noun read better with an article.
fn with_article(name: &str) -> String {
    if name.split_whitespace().count() > 1 && !name.starts_with("The ") {
        format!("the {name}")
    } else {
        name.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_visitor_asks_what_was_not_spoken_of() {
        let line = |user, text: &str| TalkLine { user, text: text.to_owned() };
        let told = "It is on Veldmark island. It was first lit in 1863.";
        let lines = vec![line(true, "Where is the Orsa Lighthouse?"), line(false, told)];
        let talk = Talk::new("focus", lines);
        for seed in 0..40 {
            let question = next_question(told, &talk, seed).unwrap();
            assert!(!question.starts_with("Where"), "{question}");
            assert!(question.contains("Orsa Lighthouse") || question.contains("Veldmark"), "{question}");
        }
        assert!(choice("Its history, or its location?", &talk).contains("history of"));
    }

    #[test]
    fn a_visitor_is_content_if_each_of_its_questions_was_answered() {
        let talk = |lines: &[&str]| {
            let line = |(place, text): (usize, &&str)| TalkLine { user: place % 2 == 0, text: (*text).to_owned() };
            Talk::new("focus", lines.iter().enumerate().map(line).collect())
        };
        let known = "The lighthouse was built in 1863 by Marta Lindqvist.";
        let asked = "When was the lighthouse built?";
        let table: [(&[&str], usize, bool); 7] = [
            (&[asked, known], 0, true),
            (&[asked, "I do not know when the lighthouse was built."], 0, false),
            (&[asked, "Would you like to hear when the lighthouse was built?"], 0, false),
            (&[asked, "Bears like honey."], 0, false),
            (&[asked, known, "Who built the lighthouse?", known], 1, false),
            (&["What is it?", "Hm.", asked, known], 0, true),
            (&["What is it?", "Hm.", asked, known], 1, false),
        ];
        for (lines, replies, expected) in table {
            assert_eq!(is_answered(&talk(lines), replies), expected, "{lines:?} {replies}");
        }
    }
}
