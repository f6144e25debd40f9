//! Aspects that are labelled, each by a set of labels or a scale.

use std::fmt;
use std::str::FromStr;

use super::{ItemKind, JudgeAnswer, JudgeField, JudgeQuestion};
use crate::domain::{DialogueAct, Utterance};
use crate::evaluation::analyses::{Category, act, category, declared};

/// The most points of a scale.
const MOST_POINTS: u32 = 21;
/// Letters of an answer that may be any text.
const LONGEST_TEXT: usize = 1_000;
/// The longest name of what a scale is about.
const LONGEST: usize = 40;

/// The labels of pairs.
const PAIR: [(&str, &str); 3] =
    [("A", "The first is better."), ("B", "The second is better."), ("tie", "Neither is better.")];

/// An aspect of an utterance that raters label.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// Its category (ReSpAct Table 5).
    Categories,
    /// Its dialogue act (ReSpAct Table 20).
    Acts,
    /// A point from the lowest to the highest, of something that is named or that the raters were told.
    Scale {
        /// The lowest.
        low: u32,
        /// The highest.
        high: u32,
        /// The aspect, in one word.
        aspect: Option<String>,
    },
    /// Everything that a question of a world asks.
    Question {
        /// The question.
        question: &'static JudgeQuestion,
    },
    /// One of its fields.
    Field {
        /// The question.
        question: &'static JudgeQuestion,
        /// The field.
        field: &'static JudgeField,
    },
    /// Which of two items is better by a scale.
    Pair {
        /// The scale, or a field that is one.
        scale: Box<Self>,
    },
}

/// One label.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// How it is written.
    pub name: String,
    /// When it is right.
    pub criteria: String,
}

/// A text that says nothing that could be labelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "write `categories`, `acts`, or a scale such as `scale:1-5` or `scale:1-5:usefulness` (at most 21 points; the \
     word in small letters, digits and `_`)"
)]
pub struct InvalidWhat;

impl What {
    /// The aspect of a name, where worlds have these questions: `name` is all of a question, `name.field` one
    /// field of it. Reads both what people write (`scale:1-5:usefulness`) and names in files.
    ///
    /// # Errors
    /// When it means nothing.
    pub fn among(text: &str, questions: &[&'static JudgeQuestion]) -> Result<Self, InvalidWhat> {
        let (name, field) = match text.split_once('.') {
            Some((name, field)) => (name, Some(field)),
            None => (text, None),
        };
        let Some(question) = questions.iter().copied().find(|each| each.name == name) else {
            return text.parse();
        };
        let Some(field) = field else {
            return Ok(Self::Question { question });
        };
        let field = question.fields.iter().find(|each| each.name == field).ok_or(InvalidWhat)?;
        Ok(Self::Field { question, field })
    }

    /// The comparison of two items by a scale; none if it is no scale of whole items.
    pub fn pair(&self) -> Option<Self> {
        let of_parts = self.question().is_some_and(|question| question.parts.is_some());
        let scale = self.points().filter(|_| !of_parts);
        scale.map(|_| Self::Pair { scale: Box::new(self.clone()) })
    }

    /// The aspects that are labelled one by one: the fields of a question, and else the aspect itself.
    pub fn parts(&self) -> Vec<Self> {
        match self {
            Self::Question { question } => {
                let part = |field| Self::Field { question, field };
                question.fields.iter().map(part).collect()
            }
            _ => vec![self.clone()],
        }
    }

    /// The question of a world that it is or belongs to.
    pub fn question(&self) -> Option<&'static JudgeQuestion> {
        match self {
            Self::Question { question } | Self::Field { question, .. } => Some(question),
            Self::Pair { scale } => scale.question(),
            Self::Categories | Self::Acts | Self::Scale { .. } => None,
        }
    }

    /// The items that it is about, where that is known.
    pub fn items(&self) -> Option<ItemKind> {
        self.question().map(|question| question.items)
    }

    /// The key of the label in an answer in JSON.
    pub fn key(&self) -> &'static str {
        match self {
            Self::Field { field, .. } => field.name,
            Self::Categories | Self::Acts | Self::Scale { .. } | Self::Question { .. } | Self::Pair { .. } => "label",
        }
    }

    /// The lowest and the highest point, of a scale.
    pub fn points(&self) -> Option<(u32, u32)> {
        match self {
            Self::Scale { low, high, .. } => Some((*low, *high)),
            Self::Field { field, .. } => match field.answer {
                JudgeAnswer::Scale { low, high } => Some((low, high)),
                JudgeAnswer::Words(_) | JudgeAnswer::Flag | JudgeAnswer::Text => None,
            },
            Self::Categories | Self::Acts | Self::Question { .. } | Self::Pair { .. } => None,
        }
    }

    /// Whether any text is a label.
    pub fn is_text(&self) -> bool {
        matches!(self, Self::Field { field, .. } if field.answer == JudgeAnswer::Text)
    }

    /// The name of the label that somebody wrote: of a text all of it.
    pub fn label(&self, text: &str) -> Option<String> {
        if self.is_text() {
            return Some(text.trim().chars().take(LONGEST_TEXT).collect());
        }
        let place = self.read(text)?;
        self.labels().into_iter().nth(place).map(|label| label.name)
    }

    /// The labels, in their order; a whole question has none, nor has what is answered by any text.
    pub fn labels(&self) -> Vec<Label> {
        let label = |name: &str, criteria: &str| Label { name: name.to_owned(), criteria: criteria.to_owned() };
        match self {
            Self::Categories => Category::ALL.map(|category| label(category.label(), category.criteria())).into(),
            Self::Acts => {
                let label = |(name, purpose): (&str, &str)| label(name, &format!("To {purpose}."));
                DialogueAct::SCHEMA.map(label).into()
            }
            Self::Field { field, .. } => match field.answer {
                JudgeAnswer::Words(words) => words.iter().map(|word| label(word, "")).collect(),
                JudgeAnswer::Flag => ["true", "false"].map(|word| label(word, "")).into(),
                JudgeAnswer::Scale { low, high } => points(low, high),
                JudgeAnswer::Text => Vec::new(),
            },
            Self::Scale { low, high, .. } => points(*low, *high),
            Self::Question { .. } => Vec::new(),
            Self::Pair { .. } => PAIR.map(|(name, criteria)| label(name, criteria)).into(),
        }
    }

    /// Whether the labels have an order, so that neighbours differ less than others.
    pub fn is_ordinal(&self) -> bool {
        self.points().is_some()
    }

    /// The place of a label as somebody wrote it: its name whatever its case and marks, or, of a set, its
    /// number from 1; none if it is no label. Of texts each has the place 0.
    pub fn read(&self, text: &str) -> Option<usize> {
        let text = text.trim();
        if self.is_text() {
            return Some(0);
        }
        if let Some((low, high)) = self.points() {
            let value: f64 = text.parse().ok()?;
            let mut points = low..=high;
            return points.position(|point| f64::from(point) == value);
        }
        let labels = self.labels();
        let sought = squashed(text);
        labels.iter().map(|label| squashed(&label.name)).position(|name| name == sought).or_else(|| {
            let place = text.parse::<usize>().ok()?.checked_sub(1);
            place.filter(|place| *place < labels.len())
        })
    }

    /// Whether there are rules for it.
    pub fn has_rules(&self) -> bool {
        matches!(self, Self::Categories | Self::Acts)
    }

    /// The place of the label that the rules give, where there are rules.
    pub fn by_rules(&self, utterance: &Utterance) -> Option<usize> {
        match self {
            Self::Categories => Some(category(&utterance.text) as usize),
            Self::Acts => Some(declared(utterance).unwrap_or_else(|| act(&utterance.text))),
            Self::Scale { .. } | Self::Question { .. } | Self::Field { .. } | Self::Pair { .. } => None,
        }
    }
}

/// The points of a scale.
fn points(low: u32, high: u32) -> Vec<Label> {
    let label = |point: u32| Label {
        name: point.to_string(),
        criteria: match point {
            point if point == low => "The lowest.",
            point if point == high => "The highest.",
            _ => "",
        }
        .to_owned(),
    };
    (low..=high).map(label).collect()
}

/// Letters and digits in lower case.
fn squashed(text: &str) -> String {
    text.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The name in files and columns: `categories`, `acts`, `scale-1-5`, `scale-1-5_usefulness`, `question.field`, before
/// which `pairwise.` stands where two are compared. A file goes on with `-` and the rater, which no aspect, question or field holds.
impl fmt::Display for What {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Categories => formatter.write_str("categories"),
            Self::Acts => formatter.write_str("acts"),
            Self::Scale { low, high, aspect } => {
                write!(formatter, "scale-{low}-{high}")?;
                aspect.iter().try_for_each(|aspect| write!(formatter, "_{aspect}"))
            }
            Self::Question { question } => formatter.write_str(question.name),
            Self::Field { question, field } => {
                write!(formatter, "{}.{}", question.name, field.name)
            }
            Self::Pair { scale } => write!(formatter, "pairwise.{scale}"),
        }
    }
}

/// Reads both what people write (`scale:1-5:usefulness`) and names in files.
impl FromStr for What {
    type Err = InvalidWhat;

    fn from_str(text: &str) -> Result<Self, InvalidWhat> {
        match text {
            "categories" => return Ok(Self::Categories),
            "acts" => return Ok(Self::Acts),
            _ => {}
        }
        let rest = text.strip_prefix("scale").ok_or(InvalidWhat)?.strip_prefix([':', '-']).ok_or(InvalidWhat)?;
        let (low, rest) = rest.split_once('-').ok_or(InvalidWhat)?;
        let (high, aspect) = match rest.split_once([':', '_']) {
            Some((high, aspect)) => (high, Some(aspect)),
            None => (rest, None),
        };
        let point = |text: &str| text.parse::<u32>().map_err(|_| InvalidWhat);
        let (low, high) = (point(low)?, point(high)?);
        let letter = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '_';
        let good = |aspect: &&str| !aspect.is_empty() && aspect.len() <= LONGEST && aspect.chars().all(letter);
        if low >= high || high - low >= MOST_POINTS || aspect.is_some_and(|aspect| !good(&aspect)) {
            return Err(InvalidWhat);
        }
        Ok(Self::Scale { low, high, aspect: aspect.map(str::to_owned) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for text in ["categories", "acts", "scale:1-5", "scale:0-10:how_useful"] {
            let what: What = text.parse().unwrap();
            assert_eq!(what.to_string().parse(), Ok(what), "{text}");
        }
        for text in ["", "category", "scale", "scale:5", "scale:5-1", "scale:1-99", "scale:1-5:../x"] {
            assert_eq!(text.parse::<What>(), Err(InvalidWhat), "{text}");
        }
    }

    #[test]
    fn labels_are_read_as_people_write_them() {
        let read = |what: &str, text: &str| what.parse::<What>().unwrap().read(text);
        let table = [
            ("categories", " Follow Up ", Some(5)),
            ("categories", "PROBING-QUESTION", Some(1)),
            ("categories", "3", Some(2)),
            ("categories", "0", None),
            ("categories", "7", None),
            ("acts", "<Affirm>", Some(6)),
            ("acts", "affirmative", None),
            ("scale:1-5", "5", Some(4)),
            ("scale:1-5", "4.0", Some(3)),
            ("scale:1-5", "0", None),
            ("scale:1-5", "3.5", None),
            ("scale:1-5", "", None),
        ];
        for (what, text, expected) in table {
            assert_eq!(read(what, text), expected, "{what}: {text}");
        }
    }
}
