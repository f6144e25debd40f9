//! The purpose of an utterance, in the six categories of ReSpAct Table 5, by rules.
//!
//! The rules follow the table's criteria from the narrowest to the widest; the first that fits decides, and
//! what fits none is a status update. So every utterance has exactly one category.

use super::super::question_detector::DetectedQuestion;
use super::cues;

/// A category of what agents say (ReSpAct Table 5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Category {
    /// A belief or a likelihood, or something found or planned that the user is to confirm.
    AssumptionVerification,
    /// A question for information that the agent does not have.
    ProbingQuestion,
    /// A report of the work, or of how things stand.
    StatusUpdate,
    /// A question about what is known but not clear: which of several is meant.
    ClarificationRequest,
    /// After a failure: something else is proposed or asked for.
    AlternativeSuggestion,
    /// After the work: pleasantries, offers of further help.
    FollowUp,
}

names! { Category, label:
    AssumptionVerification => "assumption verification", ProbingQuestion => "probing question",
    StatusUpdate => "status update", ClarificationRequest => "clarification request",
    AlternativeSuggestion => "alternative suggestion", FollowUp => "follow-up",
}

impl Category {
    /// By what raters know it.
    pub fn criteria(self) -> &'static str {
        match self {
            Self::AssumptionVerification => {
                "The speaker says what it believes, expects or holds likely, or names something that it \
                 has found or is about to do and wants a yes for it. It does not merely report."
            }
            Self::ProbingQuestion => {
                "A question for information that the speaker does not have: where, what, how many, what \
                 the listener likes. It may offer options, but it assumes and proposes nothing."
            }
            Self::StatusUpdate => {
                "The speaker reports what it has done, what it is doing or how things stand. It asks \
                 nothing and proposes nothing."
            }
            Self::ClarificationRequest => {
                "A question about something that is known already but is not clear enough to go on: \
                 which of several things at hand is meant, whether what was found is what was wanted."
            }
            Self::AlternativeSuggestion => {
                "Something failed or is not to be had, the speaker says so, and proposes something else \
                 or asks for another way."
            }
            Self::FollowUp => "The task at hand is over: thanks, wishes, a farewell, or an offer of further help.",
        }
    }
}

/// The category of an utterance by rules.
///
/// In this order: an offer of further help or a bare pleasantry is a follow-up; a failure together with
/// something else to do is an alternative suggestion. Of what asks: which of several is meant is a
/// clarification, unless it is about what the user likes; something to be confirmed or a belief is an
/// assumption; anything else is a probing question. Of what does not ask: a belief is an assumption, the
/// rest a status update.
pub fn category(text: &str) -> Category {
    let detected = DetectedQuestion::new(text);
    let polite = !detected.asks() && detected.begins(cues::PLEASANTRIES) && detected.length() <= MOST_POLITE;
    if detected.has(cues::FURTHER_HELP) || polite {
        return Category::FollowUp;
    }
    if detected.has(cues::FAILURE) && detected.has(cues::ALTERNATIVE) {
        return Category::AlternativeSuggestion;
    }
    let believes = detected.has(cues::BELIEF);
    if !detected.asks() {
        return match believes {
            true => Category::AssumptionVerification,
            false => Category::StatusUpdate,
        };
    }
    if detected.has(cues::UNCLEAR) && !detected.has(cues::PREFERENCE) {
        return Category::ClarificationRequest;
    }
    if believes || detected.has(cues::CONFIRM) {
        return Category::AssumptionVerification;
    }
    Category::ProbingQuestion
}

/// Words of an utterance that is nothing but polite.
const MOST_POLITE: usize = 4;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::Category::*;
    use super::*;

    const TABLE: &[(&str, Category)] = &[
        // A house.
        ("I would expect a plate in cabinets 1 to 4 or on a countertop.", AssumptionVerification),
        ("I think the spoon is in drawer 2. Should I look there?", AssumptionVerification),
        ("At which place can this lettuce be washed?", ProbingQuestion),
        ("Where is the soap bar?", ProbingQuestion),
        ("Please tell me where the knife is.", ProbingQuestion),
        ("The potato is hot now.", StatusUpdate),
        ("I have put the pen on the desk.", StatusUpdate),
        ("Here are mug 1 and mug 3. Which one do you mean?", ClarificationRequest),
        ("I found two keys on the shelf. Which of them should I take?", ClarificationRequest),
        ("I could not open safe 1. Is there another place where I could look?", AlternativeSuggestion),
        ("There is no cup in drawer 3. Where else should I look for it?", AlternativeSuggestion),
        ("All is in place. Is there anything else I can do?", FollowUp),
        ("Thank you!", FollowUp),
        // Bookings.
        ("A guest house near the station would probably suit you.", AssumptionVerification),
        ("Would you prefer Indian or Thai food?", ProbingQuestion),
        ("How many people will come along?", ProbingQuestion),
        ("Your taxi is ordered for 9:15.", StatusUpdate),
        ("Did you want the bus at 8:10 or the one at 8:40?", ClarificationRequest),
        ("That hotel is fully booked. Shall we take the Ivy House instead?", AlternativeSuggestion),
        ("Your room is reserved. Would you also like a table for tonight?", FollowUp),
        // Products.
        ("Here is a blue lamp for 20 dollars. Would you like me to buy it?", AssumptionVerification),
        ("I could not find any vegan cheese. Are you allergic to milk?", ProbingQuestion),
        ("I have found a lamp that is cheap enough.", StatusUpdate),
        ("It comes in 50 ml, and you wrote 75 ml. Do you want to proceed with this size or not?", ClarificationRequest),
        ("There are no green shoes below that price. Should I search for other colours?", AlternativeSuggestion),
        ("If you need more, feel free to ask!", FollowUp),
        // Anything at all.
        ("", StatusUpdate),
        ("WHERE IS IT", ProbingQuestion),
        ("你好。钥匙在哪里？", ProbingQuestion),
    ];

    #[test]
    fn utterances_of_every_domain_have_the_category_of_their_criteria() {
        let wrong: Vec<_> = TABLE
            .iter()
            .map(|(text, expected)| (text, category(text), expected))
            .filter(|(_, found, expected)| found != *expected)
            .collect();
        assert!(wrong.is_empty(), "{wrong:#?}");
    }

    proptest! {
        #[test]
        fn any_text_has_one_category(text in any::<String>()) {
            let found = category(&text);
            prop_assert_eq!(Category::ALL.iter().filter(|known| **known == found).count(), 1);
            // Case and marks at the ends say nothing.
            if text.is_ascii() {
                prop_assert_eq!(category(&format!(" {} ", text.to_uppercase())), found);
            }
        }
    }
}
