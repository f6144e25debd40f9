//! The shopper of ChatShop by rules: fewer than five words and at most ten tokens, never the product's name
//! (ChatShop section 4 and appendix B.3).

use std::sync::Arc;

use async_trait::async_trait;
use serde::Deserialize;

use super::question::{Meaning, meaning};
use super::{Target, Want, asked, draw};
use crate::domain::{Seed, Utterance};
use crate::environments::shop::language::{alternatives, content, share, terms};
use crate::ports::settings::parameters;
use crate::ports::{Parameter, SetupError, Turn, UserError, UserFactory, UserSetup, UserSimulator};
use crate::users::shortened;

/// The most words and tokens of an answer.
const MOST: (usize, usize) = (4, 10);

/// The parameters of the shopper.
pub const PARAMETERS: &[Parameter] = parameters![
    choice("manner", &["helpful", "vague", "contradictory"]),
        "how it answers: as the goal says, with half of that or nothing, or now and then the opposite";
];

/// How it answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Style {
    #[default]
    Helpful,
    Vague,
    Contradictory,
}

/// Builds the shopper (registry entry `shopper`).
pub fn build(setup: &UserSetup) -> Result<UserFactory, SetupError> {
    made(setup.parameters.choice("manner"))
}

/// Builds one who is always vague (registry entry `vague-shopper`).
pub fn build_vague(_: &UserSetup) -> Result<UserFactory, SetupError> {
    made(Style::Vague)
}

/// Builds one who contradicts (registry entry `contradictory-shopper`).
pub fn build_contradictory(_: &UserSetup) -> Result<UserFactory, SetupError> {
    made(Style::Contradictory)
}

fn made(style: Style) -> Result<UserFactory, SetupError> {
    Ok(Arc::new(move || Box::new(Shopper { style })))
}

struct Shopper {
    style: Style,
}

#[async_trait]
impl UserSimulator for Shopper {
    async fn reply(&mut self, turn: &Turn) -> Result<Utterance, UserError> {
        let (said, target) = asked(turn)?;
        Ok(Utterance::text(answer(
            &said.text, &target, self.style, turn.seed,
        )))
    }
}

/// The answer to a question.
fn answer(question: &str, target: &Target, style: Style, seed: Seed) -> String {
    let meant = meaning(question, target);
    let words = match style {
        Style::Helpful => worded(&meant, seed),
        Style::Vague => vague(&meant, seed),
        Style::Contradictory if draw(seed, "contradict", 10) < 6 => {
            opposite(&meant, question, target, seed)
        }
        Style::Contradictory => worded(&meant, seed),
    };
    let short = shortened(&words, MOST.0, MOST.1).trim_end_matches([',', ' ', '(', '-']);
    match leaks(short, &target.name) {
        true => "I can't say.".to_owned(),
        false => short.to_owned(),
    }
}

/// Whether an answer names the product.
fn leaks(answer: &str, name: &str) -> bool {
    let name = terms(name);
    !name.is_empty() && share(&name, &terms(answer)) == 1.0
}

fn worded(meant: &Meaning<'_>, seed: Seed) -> String {
    match meant {
        Meaning::Yes => "Yes.".to_owned(),
        Meaning::No => "No, not needed.".to_owned(),
        Meaning::Wants(wants) => listed(wants, seed),
        Meaning::Open => "No preference.".to_owned(),
        Meaning::Budget(most) => format!("At most {most:.0} dollars."),
        Meaning::Closer(number) => format!("Closer to {number}."),
        Meaning::Fits => "That fits well.".to_owned(),
        Meaning::Lacks(want) if want.sort.is_some() => {
            capital(&format!("{} differs.", want.kind()))
        }
        Meaning::Lacks(want) => capital(&format!("not {}.", want.text)),
        Meaning::Secret => "I can't say.".to_owned(),
        Meaning::Unclear => "Not sure.".to_owned(),
    }
}

/// As many of the wishes as an answer holds, beginning with any of them.
fn listed(wants: &[&Want], seed: Seed) -> String {
    let first = draw(seed, "first", wants.len());
    let (before, after) = wants.split_at_checked(first).unwrap_or((wants, &[]));
    let mut said = String::new();
    for want in after.iter().chain(before) {
        let longer = match said.is_empty() {
            true => want.text.clone(),
            false => format!("{said}, {}", want.text),
        };
        let full = format!("{longer}.");
        let fits = shortened(&full, MOST.0, MOST.1) == full;
        if said.is_empty() || fits {
            said = longer;
        }
    }
    capital(&format!("{said}."))
}

/// Half of an answer, or none.
fn vague(meant: &Meaning<'_>, seed: Seed) -> String {
    const NOTHING: &[&str] = &[
        "Not sure yet.",
        "Something nice.",
        "You choose.",
        "Anything good.",
        "Hard to say.",
    ];
    let nothing = || {
        NOTHING
            .get(draw(seed, "nothing", NOTHING.len()))
            .copied()
            .unwrap_or_default()
            .to_owned()
    };
    match meant {
        Meaning::Wants(wants) if draw(seed, "half", 2) == 0 => {
            let one = wants.get(draw(seed, "first", wants.len()));
            let words = one.and_then(|want| want.text.split_whitespace().last());
            words.map_or_else(nothing, |word| format!("Something {word}, maybe."))
        }
        Meaning::Yes | Meaning::No => "Maybe.".to_owned(),
        Meaning::Fits | Meaning::Lacks(_) => "Hard to say.".to_owned(),
        Meaning::Budget(_) => "Not too expensive.".to_owned(),
        Meaning::Secret => worded(meant, seed),
        _ => nothing(),
    }
}

/// What is not so.
fn opposite(meant: &Meaning<'_>, question: &str, target: &Target, seed: Seed) -> String {
    let wanted = |part: &str| {
        target
            .wants
            .iter()
            .any(|want| share(&want.terms, &terms(part)) == 1.0)
    };
    match meant {
        Meaning::Yes => "No.".to_owned(),
        Meaning::No => "Yes, please.".to_owned(),
        Meaning::Wants(_) | Meaning::Open => {
            let named = alternatives(question);
            let others: Vec<&str> = named
                .into_iter()
                .filter(|part| !wanted(part) && !content(part).is_empty())
                .collect();
            match (others.get(draw(seed, "other", others.len())), meant) {
                (Some(other), _) if question.contains([',', ':']) || others.len() > 1 => {
                    capital(&format!("{other}."))
                }
                (_, Meaning::Wants(wants)) => {
                    let one = wants.get(draw(seed, "first", wants.len()));
                    one.map_or_else(
                        || "Nothing.".to_owned(),
                        |want| capital(&format!("not {}.", want.text)),
                    )
                }
                _ => "Not sure.".to_owned(),
            }
        }
        Meaning::Budget(most) => format!("At most {:.0} dollars.", most * 2.0),
        Meaning::Closer(_) | Meaning::Fits => "Quite different.".to_owned(),
        Meaning::Lacks(_) => "That fits well.".to_owned(),
        Meaning::Secret | Meaning::Unclear => worded(meant, seed),
    }
}

fn capital(words: &str) -> String {
    let mut letters = words.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn target() -> Target {
        let part = json!({
            "name": "Cozy Lamp", "attributes": ["machine washable", "easy clean"],
            "options": ["black a34", "xx-large"], "budget": 50.0, "instruction": "",
        });
        Target::read("target", &part).unwrap()
    }

    fn says(question: &str, style: Style, seed: u64) -> String {
        answer(question, &target(), style, Seed(seed))
    }

    #[test]
    fn questions_of_many_forms_are_answered_from_the_goal() {
        let cases = [
            ("Do you prefer red or black?", "Black a34."),
            ("What size do you need?", "Xx-large."),
            (
                "Which size do you want: small, large, or xx-large?",
                "Xx-large.",
            ),
            ("Would you rather have white or pink?", "Black a34."),
            ("Is it machine washable?", "Yes."),
            ("Should it be easy to clean?", "Yes."),
            ("Do you need it waterproof?", "No, not needed."),
            (
                "Which of these do you need: non slip, machine washable, steel frame?",
                "Machine washable.",
            ),
            ("What flavor would you like?", "No preference."),
            ("What is your budget?", "At most 50 dollars."),
            ("Is 30 dollars ok?", "Yes."),
            ("What is the product called?", "I can't say."),
            ("hi there?", "Not sure."),
            ("", "Not sure."),
        ];
        for (question, expected) in cases {
            assert_eq!(says(question, Style::Helpful, 1), expected, "{question}");
        }
        let general = [
            "Anything else?",
            "Which features matter?",
            "Besides color, what else is important to you?",
        ];
        for question in general {
            let said = says(question, Style::Helpful, 1).to_lowercase();
            let wanted = ["machine washable", "easy clean", "black a34", "xx-large"];
            let parts: Vec<&str> = said.trim_end_matches('.').split(", ").collect();
            let fits = parts.len() == 2 && parts.iter().all(|part| wanted.contains(part));
            let excepted = question.contains("color") && said.contains("black");
            assert!(fits && !excepted, "{question} {said}");
        }
        let all =
            "Besides color, size, machine washable and easy clean, does anything else matter?";
        assert_eq!(says(all, Style::Helpful, 1), "No preference.");
    }

    #[test]
    fn products_are_compared_by_what_they_lack() {
        let listing = |color: &str, attributes: &str| {
            format!(
                "A lamp\nPrice: 30.0, Attributes: {attributes}\ncolor: {color}\nsize: xx-large\n"
            )
        };
        let opening = "Comparing to the product you have in mind, how do you think about the following products?";
        let both = "machine washable, easy clean";
        let cases = [
            (vec![listing("black a34", both)], "That fits well."),
            (vec![listing("red", both)], "Color differs."),
            (
                vec![listing("black a34", "easy clean")],
                "Not machine washable.",
            ),
            (
                vec![listing("red", both), listing("black a34", both)],
                "Closer to 1.",
            ),
        ];
        for (products, expected) in cases {
            let products = products
                .iter()
                .enumerate()
                .map(|(number, text)| format!("\n{number}. {text}"));
            let question = format!("{opening}{}", products.collect::<String>());
            assert_eq!(says(&question, Style::Helpful, 1), expected);
        }
    }

    #[test]
    fn who_is_vague_says_less_and_who_contradicts_says_other_things() {
        let question = "Which color do you want: red, black a34 or white?";
        let all = |style| {
            (0..40)
                .map(|seed| says(question, style, seed))
                .collect::<Vec<_>>()
        };
        assert!(all(Style::Helpful).iter().all(|said| said == "Black a34."));
        assert!(!all(Style::Vague).iter().any(|said| said == "Black a34."));
        let said = all(Style::Contradictory);
        let count = |text: &str| said.iter().filter(|said| *said == text).count();
        assert!(
            count("Black a34.") > 5 && count("Red.") > 3 && count("White.") > 3,
            "{said:?}"
        );
    }

    #[test]
    fn the_name_is_never_said() {
        let part = json!({ "name": "Red", "attributes": [], "options": ["red"], "budget": 5.0 });
        let target = Target::read("target", &part).unwrap();
        assert_eq!(
            answer("What color?", &target, Style::Helpful, Seed(1)),
            "I can't say."
        );
    }

    proptest! {
        #[test]
        fn no_answer_is_longer_than_allowed(
            question in "(what|is|which|do) [a-z ,:?]{0,40}", name in "[a-z0-9 -]{1,30}",
            wish in "[a-z0-9(),.\"' -]{1,40}", seed: u64,
        ) {
            let part = json!({ "name": name, "attributes": [wish], "options": [wish], "budget": 5.0 });
            let target = Target::read("target", &part).unwrap();
            for style in [Style::Helpful, Style::Vague, Style::Contradictory] {
                let said = answer(&question, &target, style, Seed(seed));
                prop_assert!(!said.is_empty());
                prop_assert!(said.split_whitespace().count() < 5, "{said}");
                prop_assert_eq!(shortened(&said, 4, 10), said.as_str());
            }
        }
    }
}
