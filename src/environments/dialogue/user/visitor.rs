//! A visitor who asks about a place, one question after the other.

use async_trait::async_trait;

use super::wording::{leave, one_of, said_and_talk};
use crate::domain::Utterance;
use crate::environments::dialogue::cues::{Talk, names, words};
use crate::ports::{Turn, UserError, UserSimulator};

/// A question for each thing one can want to know, and the words that show that it was asked or told.
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

/// A visitor: asks what it has not asked and was not told yet, answers when it is asked back, and leaves with
/// thanks after its last question.
#[derive(Clone, Copy, Debug)]
pub struct Visitor {
    /// The number of its questions besides that of the sample.
    pub questions: u32,
}

#[async_trait]
impl UserSimulator for Visitor {
    async fn reply(&mut self, turn: &Turn) -> Result<Utterance, UserError> {
        let (said, talk) = said_and_talk(turn)?;
        if turn.number >= self.questions {
            let thanks = [
                "Thank you, that is all I wanted to know.",
                "Thanks a lot, goodbye!",
            ];
            return Ok(leave(one_of(turn.seed, &thanks)));
        }
        if said.trim_end().ends_with('?') {
            return Ok(Utterance::text(choice(said, &talk)));
        }
        let Some(question) = next_question(said, &talk, turn.seed.0) else {
            return Ok(leave("Thank you, now I know all that I wanted to."));
        };
        let opening = one_of(turn.seed, &["", "I see. ", "Thanks! ", "Interesting. "]);
        Ok(Utterance::text(format!("{opening}{question}")))
    }
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
    let is_new = |name: &String| {
        name.contains(' ') && !of_place(name) && !asked.contains(&name.to_lowercase())
    };
    let named = names(said).into_iter().find(is_new);
    if let Some(name) = named.filter(|_| seed.is_multiple_of(2)) {
        return Some(format!("What about {name}?"));
    }
    let spoken = format!("{asked} {}", said.to_lowercase());
    let open = |keys: &[&str]| !words(&spoken).any(|word| keys.contains(&word));
    let left: Vec<_> = QUESTIONS.iter().filter(|(keys, _)| open(keys)).collect();
    let pick = usize::try_from(seed / 2 % left.len().max(1) as u64).ok()?;
    let (_, question) = left.get(pick)?;
    let name = place.map_or_else(|| "this place".to_owned(), |name| with_article(&name));
    Some(question.replace("{}", &name))
}

/// Names of several words that end in a common noun read better with an article.
fn with_article(name: &str) -> String {
    match name.split_whitespace().count() > 1 && !name.starts_with("The ") {
        true => format!("the {name}"),
        false => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::environments::dialogue::cues::TalkLine;

    #[test]
    fn a_visitor_asks_what_was_not_spoken_of() {
        let line = |user, text: &str| TalkLine {
            user,
            text: text.to_owned(),
        };
        let told = "It is on Veldmark island. It was first lit in 1863.";
        let lines = vec![
            line(true, "Where is the Orsa Lighthouse?"),
            line(false, told),
        ];
        let talk = Talk::new("focus", lines);
        for seed in 0..40 {
            let question = next_question(told, &talk, seed).unwrap();
            assert!(!question.starts_with("Where"), "{question}");
            assert!(
                question.contains("Orsa Lighthouse") || question.contains("Veldmark"),
                "{question}"
            );
        }
        assert!(choice("Its history, or its location?", &talk).contains("history of"));
    }
}
