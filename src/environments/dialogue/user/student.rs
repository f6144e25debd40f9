//! A student who is to translate a phrase and tries with the words that it is taught.

use async_trait::async_trait;
use chacha20::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

use super::{one_of, said_and_talk};
use crate::cues::{Attempt, Kind, Language, Lesson, Talk, asked_word, kind_of, taught, words};
use rolecall_core::domain::Utterance;
use rolecall_core::ports::{Turn, UserError, UserSimulator};
use rolecall_core::text::has_word;

/// A student: tries the sentence with the words that it was given, asks for those that it lacks, and leaves
/// with thanks when its answer is confirmed.
#[derive(Clone, Copy, Debug)]
pub struct Student {
    /// Replies before it gives up.
    pub tries: u32,
    /// The share of its first sentences in which it slips.
    pub slips: f64,
}

#[async_trait]
impl UserSimulator for Student {
    async fn reply(&mut self, turn: &Turn) -> Result<Utterance, UserError> {
        let (said, talk) = said_and_talk(turn)?;
        if confirms(said) {
            let thanks = ["Thank you, now I have got it!", "Great, thanks for your help!"];
            return Ok(Utterance::leaving(one_of(turn.seed, &thanks), true));
        }
        if turn.number >= self.tries {
            return Ok(Utterance::leaving("Thank you for your help, I have to go now.", false));
        }
        let mut dice = ChaCha8Rng::seed_from_u64(turn.seed.0);
        Ok(Utterance::text(answer(said, &talk, dice.random_bool(self.slips.clamp(0.0, 1.0)), turn)))
    }
}

/// Whether the tutor says that all is well.
fn confirms(said: &str) -> bool {
    const GOOD: &str = "correct right perfect perfectly exactly bravo congratulations";
    const BUT: &str = "almost not but close closer nearly wrong except incorrect isn't remember";
    let small = said.to_lowercase();
    let holds = |list: &str| words(&small).any(|word| has_word(list, word));
    let good = holds(GOOD) || small.contains("well done") || small.contains("very good");
    good && !holds(BUT) && !said.contains('?')
}

fn answer(said: &str, talk: &Talk, slips: bool, turn: &Turn) -> String {
    let lessons = talk.lessons();
    let before = talk.of_user().next().unwrap_or_default();
    let earlier = Attempt::of(before, &lessons);
    if let Some(word) = asked_word(said)
        && !lessons.iter().any(|lesson| lesson.word == word)
    {
        let asked = talk.of_user().filter_map(asked_word).any(|other| other == word);
        return match sentence(talk, &lessons, earlier.as_ref(), false) {
            _ if !asked => match talk.language() {
                Some(language) => {
                    format!("I don't know. What is \"{word}\" in {}?", language.name())
                }
                None => format!("I don't know. What is \"{word}\"?"),
            },
            Some(tried) => format!("I can only say this: {tried}"),
            None => "I really don't know, can you give me a hint?".to_owned(),
        };
    }
    // A student that was told where a colour belongs puts it there, and so does one that has tried before.
    let first = earlier.is_none() && !taught(said).is_empty();
    let Some(tried) = sentence(talk, &lessons, earlier.as_ref(), slips && first) else {
        return lacking(talk, &lessons);
    };
    if earlier.is_some_and(|earlier| earlier.text == tried) {
        return "I don't see what is wrong. Can you give me a hint?".to_owned();
    }
    let ways = ["Is it \"{}\"?", "{}", "Let me try: {}", "{}?"];
    one_of(turn.seed, &ways).replace("{}", &tried)
}

/// Asks for the word that it has asked for before, or for the first step.
fn lacking(talk: &Talk, lessons: &[Lesson]) -> String {
    let is_known = |word: &String| lessons.iter().any(|lesson| lesson.word == *word);
    let mut asked = talk.of_user().filter_map(asked_word);
    match asked.find(|word| !is_known(word)) {
        Some(word) => format!("I am missing the word for \"{word}\"."),
        None => "I am not sure how to begin. Can you give me a hint?".to_owned(),
    }
}

/// All lessons as one sentence, after the lead of the attempt before: the relation, the thing, its colour. With a
/// slip the colour comes before the thing, as in English. None without a lesson.
fn sentence(talk: &Talk, lessons: &[Lesson], earlier: Option<&Attempt>, slip: bool) -> Option<String> {
    lessons.first()?;
    let german = talk.language() == Some(Language::German);
    let place = |lesson: &Lesson| match kind_of(&lesson.word) {
        Kind::Relation => 0,
        Kind::Thing if slip || german => 2,
        Kind::Thing => 1,
        Kind::Quality if slip || german => 1,
        Kind::Quality => 2,
    };
    let parts = (0..3).flat_map(|rank| lessons.iter().filter(move |one| place(one) == rank));
    let lead = earlier.map(|earlier| earlier.lead(lessons));
    let mut said = Vec::from_iter(lead.filter(|lead| !lead.is_empty()));
    said.extend(parts.map(|lesson| lesson.translation.trim()).map(str::to_lowercase));
    Some(said.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cues::TalkLine;

    #[test]
    fn confirmation_is_not_mistaken_for_encouragement() {
        for yes in ["Yes, that is correct: \"e dietro il gatto\".", "Well done!", "Perfect."] {
            assert!(confirms(yes), "{yes}");
        }
        for no in [
            "Almost right!",
            "That is not correct.",
            "You are getting closer.",
            "Right, and what is box?",
            "Good idea.",
        ] {
            assert!(!confirms(no), "{no}");
        }
    }

    #[test]
    fn a_sentence_is_made_of_what_was_taught() {
        let line = |user, text: &str| TalkLine { user, text: text.to_owned() };
        let lines = vec![
            line(false, "\"green\" is \"verde\". \"tree\" is \"albero\"."),
            line(true, "il cane verde"),
            line(false, "'is behind the' is 'e dietro il'"),
        ];
        let talk = Talk::new("cima", lines);
        let lessons = talk.lessons();
        let earlier = Attempt::of("il cane verde", &lessons);
        let made = |slip| sentence(&talk, &lessons, earlier.as_ref(), slip).unwrap();
        assert_eq!(made(false), "il cane e dietro il albero verde");
        assert_eq!(made(true), "il cane e dietro il verde albero");
        assert_eq!(sentence(&talk, &[], None, false), None);
    }
}
