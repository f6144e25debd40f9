//! The shopper of ChatShop by rules: fewer than five words and at most ten tokens, never the product's name
//! (ChatShop section 4 and appendix B.3).

use serde::Deserialize;

use super::made;
use super::question::{Meaning, meaning};
use super::target::{Target, Want};
use crate::language::{alternatives, content, names};
use rolecall_core::domain::Seed;
use rolecall_core::ports::settings::parameters;
use rolecall_core::ports::{Parameter, SetupError, UserFactory, UserSetup};
use rolecall_core::users::shortened;

/// The most words and tokens of an answer.
const MOST: (usize, usize) = (4, 10);

/// Replies that say nothing.
const NOTHING: &[&str] = &["Not sure yet.", "Something nice.", "You choose.", "Anything good.", "Hard to say."];

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
    of_style(setup.parameters.choice("manner"))
}

/// Builds one who is always vague (registry entry `vague-shopper`).
pub fn build_vague(_: &UserSetup) -> Result<UserFactory, SetupError> {
    of_style(Style::Vague)
}

/// Builds one who contradicts (registry entry `contradictory-shopper`).
pub fn build_contradictory(_: &UserSetup) -> Result<UserFactory, SetupError> {
    of_style(Style::Contradictory)
}

fn of_style(style: Style) -> Result<UserFactory, SetupError> {
    made(move |turn, said, target| answer(said, target, style, turn.seed))
}

/// The answer to a question.
fn answer(question: &str, target: &Target, style: Style, seed: Seed) -> String {
    let [helpful, vague, opposite] = answers(question, target, seed);
    let said = capital(match style {
        Style::Vague => &vague,
        Style::Contradictory if draw(seed, "contradict", 10) < 6 => &opposite,
        Style::Helpful | Style::Contradictory => &helpful,
    });
    let short = shortened(&said, MOST.0, MOST.1).trim_end_matches([',', ' ', '(', '-']);
    if names(short, &target.name) { "I can't say.".to_owned() } else { short.to_owned() }
}

/// A draw below `count` for one purpose; 0 if `count` is 0.
fn draw(seed: Seed, purpose: &str, count: usize) -> usize {
    let drawn = seed.labelled(purpose, "", 0).0 as usize;
    drawn.checked_rem(count).unwrap_or(0)
}

/// One of several items, drawn; none if there are none.
fn drawn<'a, T>(seed: Seed, purpose: &str, all: &'a [T]) -> Option<&'a T> {
    all.get(draw(seed, purpose, all.len()))
}

/// Replies in each style: as the goal says, half of that or nothing, and the opposite.
fn answers(question: &str, target: &Target, seed: Seed) -> [String; 3] {
    let nothing = drawn(seed, "nothing", NOTHING).copied().unwrap_or_default();
    let other = other(question, target, seed);
    let other = |or: &str| other.clone().unwrap_or_else(|| or.to_owned());
    let said = |helpful: &str, vague: &str, opposite: &str| [helpful, vague, opposite].map(str::to_owned);
    match meaning(question, target) {
        Meaning::Yes => said("Yes.", "Maybe.", "No."),
        Meaning::No => said("No, not needed.", "Maybe.", "Yes, please."),
        Meaning::Open => said("No preference.", nothing, &other("Not sure.")),
        Meaning::Fits => said("That fits well.", "Hard to say.", "Quite different."),
        Meaning::Secret => said("I can't say.", "I can't say.", "I can't say."),
        Meaning::Unclear => said("Not sure.", nothing, "Not sure."),
        Meaning::Closer(number) => said(&format!("Closer to {number}."), nothing, "Quite different."),
        Meaning::Budget(most) => {
            let at_most = |most: f64| format!("At most {most:.0} dollars.");
            said(&at_most(most), "Not too expensive.", &at_most(most * 2.0))
        }
        Meaning::Lacks(want) => {
            let lacks = match want.sort {
                Some(_) => format!("{} differs.", want.kind()),
                None => format!("not {}.", want.text),
            };
            said(&lacks, "Hard to say.", "That fits well.")
        }
        Meaning::Wants(wants) => {
            let one = drawn(seed, "first", &wants).map_or("", |want| want.text.as_str());
            let half = match one.split_whitespace().last() {
                Some(word) if draw(seed, "half", 2) == 0 => format!("Something {word}, maybe."),
                _ => nothing.to_owned(),
            };
            said(&listed(&wants, seed), &half, &other(&format!("not {one}.")))
        }
    }
}

/// As many of the wishes as an answer holds, beginning with any of them.
fn listed(wants: &[&Want], seed: Seed) -> String {
    let first = draw(seed, "first", wants.len());
    let mut said: Vec<&str> = Vec::new();
    for want in wants.iter().cycle().skip(first).take(wants.len()) {
        said.push(&want.text);
        let full = format!("{}.", said.join(", "));
        if said.len() > 1 && shortened(&full, MOST.0, MOST.1) != full {
            said.pop();
        }
    }
    format!("{}.", said.join(", "))
}

/// Something that a question names and that is not wanted.
fn other(question: &str, target: &Target, seed: Seed) -> Option<String> {
    let mut others = alternatives(question);
    others.retain(|part| !target.wants.iter().any(|want| names(part, &want.text)));
    others.retain(|part| !content(part).is_empty());
    let is_list = question.contains([',', ':']) || others.len() > 1;
    let other = drawn(seed, "other", &others).filter(|_| is_list)?;
    Some(format!("{other}."))
}

fn capital(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect()
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
        Target::read(&part).unwrap()
    }

    fn says(question: &str, style: Style, seed: u64) -> String {
        answer(question, &target(), style, Seed(seed))
    }

    #[test]
    fn questions_of_many_forms_are_answered_from_the_goal() {
        let cases = [
            ("Do you prefer red or black?", "Black a34."),
            ("What size do you need?", "Xx-large."),
            ("Which size do you want: small, large, or xx-large?", "Xx-large."),
            ("Would you rather have white or pink?", "Black a34."),
            ("Is it machine washable?", "Yes."),
            ("Should it be easy to clean?", "Yes."),
            ("Do you need it waterproof?", "No, not needed."),
            ("Which of these do you need: non slip, machine washable, steel frame?", "Machine washable."),
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
        let general = ["Anything else?", "Which features matter?", "Besides color, what else is important to you?"];
        for question in general {
            let said = says(question, Style::Helpful, 1).to_lowercase();
            let wanted = ["machine washable", "easy clean", "black a34", "xx-large"];
            let parts: Vec<&str> = said.trim_end_matches('.').split(", ").collect();
            let fits = parts.len() == 2 && parts.iter().all(|part| wanted.contains(part));
            let excepted = question.contains("color") && said.contains("black");
            assert!(fits && !excepted, "{question} {said}");
        }
        let all = "Besides color, size, machine washable and easy clean, does anything else matter?";
        assert_eq!(says(all, Style::Helpful, 1), "No preference.");
    }

    #[test]
    fn products_are_compared_by_what_they_lack() {
        let listing = |color: &str, attributes: &str| {
            format!("A lamp\nPrice: 30.0, Attributes: {attributes}\ncolor: {color}\nsize: xx-large\n")
        };
        let opening = "Comparing to the product you have in mind, how do you think about the following products?";
        let both = "machine washable, easy clean";
        let cases = [
            (vec![listing("black a34", both)], "That fits well."),
            (vec![listing("red", both)], "Color differs."),
            (vec![listing("black a34", "easy clean")], "Not machine washable."),
            (vec![listing("red", both), listing("black a34", both)], "Closer to 1."),
        ];
        for (products, expected) in cases {
            let products = products.iter().enumerate().map(|(number, text)| format!("\n{number}. {text}"));
            let question = format!("{opening}{}", products.collect::<String>());
            assert_eq!(says(&question, Style::Helpful, 1), expected);
        }
    }

    #[test]
    fn who_is_vague_says_less_and_who_contradicts_says_other_things() {
        let question = "Which color do you want: red, black a34 or white?";
        let all = |style| (0..40).map(|seed| says(question, style, seed)).collect::<Vec<_>>();
        assert!(all(Style::Helpful).iter().all(|said| said == "Black a34."));
        assert!(!all(Style::Vague).iter().any(|said| said == "Black a34."));
        let said = all(Style::Contradictory);
        let count = |text: &str| said.iter().filter(|said| *said == text).count();
        assert!(count("Black a34.") > 5 && count("Red.") > 3 && count("White.") > 3, "{said:?}");
    }

    #[test]
    fn the_name_is_never_said() {
        let part = json!({ "name": "Red", "attributes": [], "options": ["red"], "budget": 5.0 });
        let target = Target::read(&part).unwrap();
        assert_eq!(answer("What color?", &target, Style::Helpful, Seed(1)), "I can't say.");
    }

    proptest! {
        #[test]
        fn no_answer_is_longer_than_allowed(
            question in "(what|is|which|do) [a-z ,:?]{0,40}", name in "[a-z0-9 -]{1,30}",
            wish in "[a-z0-9(),.\"' -]{1,40}", seed: u64,
        ) {
            let part = json!({ "name": name, "attributes": [wish], "options": [wish], "budget": 5.0 });
            let target = Target::read(&part).unwrap();
            for style in [Style::Helpful, Style::Vague, Style::Contradictory] {
                let said = answer(&question, &target, style, Seed(seed));
                prop_assert!(!said.is_empty());
                prop_assert!(said.split_whitespace().count() < 5, "{said}");
                prop_assert_eq!(shortened(&said, 4, 10), said.as_str());
            }
        }
    }
}
