//! Understanding what the agent asks. Everything that is understood is in this file.

use crate::text::mention::{Mention, Word, mentions, words};

/// The subject of a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Asked {
    /// Where something is; without a class, whatever is needed next.
    Where {
        /// The class asked for.
        class: Option<String>,
        /// Another one of the class than before is meant.
        another: bool,
    },
    /// Where or with what to clean, heat or cool, or where to put something.
    WhereToDo {
        /// The verb: `clean`, `heat`, `cool` or `put`.
        verb: &'static str,
    },
    /// Which of several objects is meant.
    Which {
        /// Their class.
        class: String,
        /// Their numbers, in the order of the question.
        numbers: Vec<u32>,
        /// How many are needed, 1 or 2.
        count: usize,
    },
    /// The next step.
    Next,
    /// Nothing: a report or a courtesy.
    Nothing,
}

/// A question that was understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Question {
    /// The subject.
    pub(super) asked: Asked,
    /// Receptacles of which the question says that what is sought is not there.
    pub(super) ruled_out: Vec<Mention>,
}

impl Question {
    /// Reads a question. `is_object` and `is_receptacle` know the classes of the room.
    pub(super) fn read(
        text: &str,
        is_object: impl Fn(&str) -> bool,
        is_receptacle: impl Fn(&str) -> bool,
    ) -> Self {
        let words = words(text);
        let mentioned = mentions(&words, |word| is_object(word) || is_receptacle(word));
        let denied = |mention: &&Mention| is_denied(&words, mention.position);
        let receptacles = mentioned
            .iter()
            .filter(|mention| is_receptacle(&mention.class));
        let ruled_out = receptacles.filter(denied).cloned().collect();
        let start = question_start(&words, text.contains('?'));
        let asked = start.map_or(Asked::Nothing, |start| {
            asked(&words, start, &mentioned, &is_object)
        });
        Self { asked, ruled_out }
    }
}

/// Where the sentence begins that asks; none if nothing is asked.
fn question_start(words: &[Word], marked: bool) -> Option<usize> {
    const ASKING: [&str; 8] = [
        "where", "which", "what", "how", "should", "could", "suggest", "tell",
    ];
    const OPENERS: [&str; 9] = [
        "where", "which", "what", "how", "should", "could", "please", "tell", "can",
    ];
    let asks = |word: &Word| word.is_any(&ASKING);
    let start_of = |position: usize| {
        let before = words.get(..position).unwrap_or_default();
        let stop = before.iter().rposition(|word| *word == Word::Stop);
        stop.map_or(0, |stop| stop + 1)
    };
    let last = words.iter().rposition(asks);
    let position = last.or(marked.then_some(words.len().saturating_sub(1)))?;
    let start = start_of(position);
    // A sentence without a question mark asks if it begins with the asking word or a request.
    let opens = words.get(start).is_some_and(|word| word.is_any(&OPENERS));
    (marked || opens).then_some(start)
}

fn asked(
    words: &[Word],
    start: usize,
    mentioned: &[Mention],
    is_object: &impl Fn(&str) -> bool,
) -> Asked {
    let sentence = words.get(start..).unwrap_or_default();
    let has = |options: &[&str]| sentence.iter().any(|word| word.is_any(options));
    let objects = || mentioned.iter().filter(|mention| is_object(&mention.class));
    let in_sentence = |mention: &&Mention| mention.position >= start;
    let prefers = has(&["prefer", "preference", "mean"]) && !has(&["where"]);
    if prefers || has(&["which"]) {
        let class = objects().next_back().map(|mention| mention.class.clone());
        if let Some(class) = class {
            let same = objects().filter(|mention| mention.class == class);
            let numbers = same.flat_map(|mention| mention.numbers.clone()).collect();
            let count = if has(&["two", "both"]) { 2 } else { 1 };
            return Asked::Which {
                class,
                numbers,
                count,
            };
        }
    }
    let seeks = has(&[
        "look", "find", "search", "check", "is", "are", "located", "start", "get",
    ]);
    if has(&["where", "which", "what"]) && !seeks {
        let verbs: [(&'static str, &[&str]); 4] = [
            ("clean", &["clean", "wash", "rinse"]),
            ("heat", &["heat", "warm", "microwave"]),
            ("cool", &["cool", "chill"]),
            ("put", &["put", "place", "move", "bring", "leave"]),
        ];
        if let Some((verb, _)) = verbs.iter().find(|(_, options)| has(options)) {
            return Asked::WhereToDo { verb };
        }
    }
    if has(&["next", "now", "do", "proceed"]) && !has(&["where", "look", "find"]) {
        return Asked::Next;
    }
    let class = objects()
        .rfind(in_sentence)
        .or_else(|| objects().next_back())
        .or_else(|| mentioned.iter().rfind(in_sentence))
        .map(|mention| mention.class.clone());
    let others = ["second", "another", "other"];
    let another = words.iter().any(|word| word.is_any(&others));
    Asked::Where { class, another }
}

/// Whether the clause before a word says that something is not there.
fn is_denied(words: &[Word], position: usize) -> bool {
    let before = words.get(..position).unwrap_or_default();
    let clause = before.rsplit(|word| *word == Word::Stop).next();
    let denies = |word: &Word| {
        let contracted = word.letters().is_some_and(|word| word.ends_with("n't"));
        contracted || word.is_any(&["no", "not", "nothing", "none"])
    };
    clause.unwrap_or_default().iter().any(denies)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Question {
        let objects = ["creditcard", "mug", "desklamp"];
        let receptacles = ["drawer", "countertop", "dresser", "sinkbasin"];
        Question::read(
            text,
            |word| objects.contains(&word),
            |word| receptacles.contains(&word),
        )
    }

    fn receptacle(class: &str, another: bool) -> Asked {
        Asked::Where {
            class: Some(class.to_owned()),
            another,
        }
    }

    #[test]
    fn questions_are_understood_in_many_wordings() {
        let which = |numbers: &[u32], count| Asked::Which {
            class: "creditcard".to_owned(),
            numbers: numbers.to_vec(),
            count,
        };
        let table = [
            (
                "Where should I look for the mug first?",
                receptacle("mug", false),
            ),
            (
                "A creditcard is more likely in drawer (1-2), countertop (1). Where do you suggest \
                 I should look for the creditcard first?",
                receptacle("creditcard", false),
            ),
            (
                "Do you know where the second credit card is?",
                receptacle("creditcard", true),
            ),
            ("where is the desk lamp", receptacle("desklamp", false)),
            ("Is the mug on the countertop?", receptacle("mug", false)),
            (
                "I need a mug. Where should I look first?",
                receptacle("mug", false),
            ),
            ("Where is the dresser?", receptacle("dresser", false)),
            (
                "Can you suggest another location?",
                Asked::Where {
                    class: None,
                    another: true,
                },
            ),
            (
                "I found creditcard (4), creditcard (3). Which two should I put in the dresser?",
                which(&[4, 3], 2),
            ),
            (
                "I see creditcard 1, creditcard 2. Which one should I take?",
                which(&[1, 2], 1),
            ),
            (
                "Where should I clean this mug?",
                Asked::WhereToDo { verb: "clean" },
            ),
            ("Where should I put it?", Asked::WhereToDo { verb: "put" }),
            ("I have heated the mug. What should I do next?", Asked::Next),
            ("I have heated the mug.", Asked::Nothing),
            (
                "Thank you! If you need more help, feel free to ask.",
                Asked::Nothing,
            ),
            ("", Asked::Nothing),
        ];
        for (text, asked) in table {
            assert_eq!(read(text).asked, asked, "{text}");
        }
    }

    #[test]
    fn what_somebody_prefers_or_means_is_asked_for() {
        let table = [
            ("Which creditcard do you prefer?", vec![], 1),
            ("Do you mean credit card 2 or 3?", vec![2, 3], 1),
            ("Which two creditcard do you prefer?", vec![], 2),
        ];
        for (text, numbers, count) in table {
            let class = "creditcard".to_owned();
            let which = Asked::Which {
                class,
                numbers,
                count,
            };
            assert_eq!(read(text).asked, which, "{text}");
        }
        let meant = read("Where is the mug that you mean?").asked;
        assert_eq!(meant, receptacle("mug", false));
    }

    #[test]
    fn what_was_tried_in_vain_is_ruled_out() {
        let question =
            read("There is no mug in/on the drawer 2. I could try dresser (1). Where else?");
        let ruled_out: Vec<_> = question
            .ruled_out
            .iter()
            .map(|mention| (&*mention.class, &*mention.numbers))
            .collect();
        assert_eq!(ruled_out, [("drawer", [2].as_slice())]);
    }
}
