//! How questions to the user are scored (Ask-before-Plan section 5.1), and how answers of clarifiers are read.

use crate::request::{Attribute, Detail};
use rolecall_core::text::overlap::{BleuCounts, Numbered, Rouge, RougeKind, Tokenisation};
use rolecall_core::text::python::strip;

/// The words of which one makes a question one about a detail, whatever stands around them.
const WORDS: [(Attribute, &str); 9] = [
    (Attribute::Origin, "origin"),
    (Attribute::Destination, "destination, arrive, reach, visit"),
    (Attribute::Departure, "date"),
    (Attribute::Days, "days, duration"),
    (Attribute::People, "people, group, person, individual, guest"),
    (Attribute::Budget, "budget, money, afford, cost, how much, expenditure, pay"),
    (Attribute::Transportation, "transport, vehicle, drive, fly, car, plane, driving, flight, taxi"),
    (Attribute::Housing, "housing, hotel, room, accommodation"),
    (Attribute::Cuisine, "food, cuisine, eat, restaurant, meal"),
];
/// Words of setting out: about the date where the question is about time, else about the origin.
const SETTING_OUT: &str = "depart, leave, start";

/// The details that a question is about, by its words.
pub fn rule_categories(question: &str) -> Vec<Attribute> {
    let question = question.to_lowercase();
    let has = |words: &str| words.split(", ").any(|word| question.contains(word));
    let of_time = has("when, what time");
    WORDS
        .iter()
        .filter(|(attribute, words)| match attribute {
            Attribute::Origin => !of_time && (has(words) || has(SETTING_OUT)),
            Attribute::Departure => has(words) || (of_time && has(SETTING_OUT)),
            _ => has(words),
        })
        .map(|(attribute, _)| *attribute)
        .collect()
}

/// Whether a question is about this detail and no other.
pub fn asks_for(question: &str, attribute: Attribute) -> bool {
    rule_categories(question) == [attribute]
}

/// How alike a question and another one are, from 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Similarity {
    /// BLEU of four orders without smoothing. It is 0 where the original divides by zero: without any token.
    pub bleu: f64,
    /// F1 of ROUGE-1.
    pub rouge_1: f64,
    /// F1 of ROUGE-2.
    pub rouge_2: f64,
    /// F1 of ROUGE-L.
    pub rouge_l: f64,
}

impl Similarity {
    /// The similarity of a question with the one of the data set.
    pub fn of(question: &str, reference: &str) -> Self {
        let pair = Numbered::new(Tokenisation::V13a, question, &[reference]);
        let bleu = BleuCounts::of(&pair).unsmoothed().unwrap_or_default();
        let pair = Numbered::new(Tokenisation::Rouge, question, &[reference]);
        let rouge = |kind| Rouge { kind, stem: false }.of(&pair).f1;
        Self { bleu, rouge_1: rouge(RougeKind::One), rouge_2: rouge(RougeKind::Two), rouge_l: rouge(RougeKind::L) }
    }

    /// The larger of both, of each figure.
    #[must_use]
    fn or(mut self, other: Self) -> Self {
        self.bleu = self.bleu.max(other.bleu);
        self.rouge_1 = self.rouge_1.max(other.rouge_1);
        self.rouge_2 = self.rouge_2.max(other.rouge_2);
        self.rouge_l = self.rouge_l.max(other.rouge_l);
        self
    }
}

/// The outcome of a turn of the clarifier.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clarified {
    /// Whether details were open.
    pub is_vague: bool,
    /// Whether it asked if and only if some were.
    pub is_right: bool,
    /// Where it asked and some were: whether the question is about one of them, and the best similarity with their
    /// questions.
    pub question: Option<(bool, Similarity)>,
}

/// Scores a turn: the question, if one was asked, and the details that are open.
pub fn clarified(question: Option<&str>, open: &[&Detail]) -> Clarified {
    let is_vague = !open.is_empty();
    let scored = question.filter(|_| is_vague).map(|question| {
        let about = rule_categories(question);
        let is_about = open.iter().any(|detail| about == [detail.attribute]);
        let alike = open
            .iter()
            .map(|detail| Similarity::of(question, &detail.question))
            .fold(Similarity::default(), Similarity::or);
        (is_about, alike)
    });
    Clarified { is_vague, is_right: question.is_some() == is_vague, question: scored }
}

/// Whether an answer says yes before no, also as parts of words such as `know`. No if it says neither.
pub fn binary(text: &str) -> bool {
    let text = text.to_lowercase();
    match (text.find("yes"), text.find("no")) {
        (Some(yes), Some(no)) => yes < no,
        (yes, _) => yes.is_some(),
    }
}

/// The question of an answer that says at once whether one is needed; none if it says that nothing is to be done. An
/// answer with neither mark is a question as a whole.
pub fn conversation_only(text: &str) -> Option<&str> {
    let marks = ["The clarifying question is", "the clarifying question is"];
    let question = marks.into_iter().find_map(|mark| text.split(mark).nth(1));
    match question {
        Some(question) => Some(strip(question)),
        None if text.to_lowercase().contains("no action should be taken") => None,
        None => Some(text),
    }
}
