//! The user of WebShop by rules: sees the page that the agent sees, and guides it to buy one of the products there;
//! where none fits it names the closest one (ReSpAct Table 25).

use std::sync::Arc;

use async_trait::async_trait;
use serde::Deserialize;

use super::question::{Meaning, meaning};
use super::{Target, Want, asked};
use crate::domain::{Message, Utterance, View};
use crate::environments::shop::language::{content, share, similarity, terms};
use crate::environments::shop::reading::{Item, Offer, Shown, is_asin};
use crate::ports::settings::parameters;
use crate::ports::{Parameter, SetupError, Turn, UserError, UserFactory, UserSetup, UserSimulator};
use crate::text::has_word;

/// The parameters of the buyer.
pub const PARAMETERS: &[Parameter] = parameters![
    choice("profile", &["guiding", "particular", "easygoing"]),
        "who it is (ReSpAct Table 25): names the product to buy, says besides what that one lacks, or leaves the \
            choice to the agent";
];

/// What a product is worth less than the one before it, where titles say as much.
const RANK: f64 = 0.25;

/// Who it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Profile {
    #[default]
    Guiding,
    Particular,
    Easygoing,
}

/// Builds the buyer (registry entry `buyer`).
pub fn build(setup: &UserSetup) -> Result<UserFactory, SetupError> {
    let profile = setup.parameters.choice("profile");
    Ok(Arc::new(move || Box::new(Buyer { profile })))
}

struct Buyer {
    profile: Profile,
}

#[async_trait]
impl UserSimulator for Buyer {
    async fn reply(&mut self, turn: &Turn) -> Result<Utterance, UserError> {
        let (said, target) = asked(turn)?;
        let reply = match page(&turn.view) {
            Shown::Results(offers) if !offers.is_empty() => {
                self.choose(&said.text, &offers, &target)
            }
            Shown::Item(item) => self.settle(&said.text, &item, &target),
            _ => format!(
                "Please search for this: {}.",
                target.instruction.trim_end_matches('.')
            ),
        };
        Ok(Utterance::text(reply))
    }
}

/// The last page that was shown.
fn page(view: &View) -> Shown {
    let seen = view.all().filter_map(|event| match &event.message {
        Message::Observed(seen) => Some(Shown::read(&seen.text)),
        _ => None,
    });
    seen.filter(|page| *page != Shown::Word)
        .last()
        .unwrap_or(Shown::Word)
}

impl Buyer {
    /// One of the products of the page: of those that the agent names, if it names some.
    fn choose(&self, said: &str, offers: &[Offer], target: &Target) -> String {
        let names = |asin: &str| {
            said.split(|letter: char| !letter.is_alphanumeric())
                .any(|word| is_asin(word) && word == asin)
        };
        let named: Vec<&Offer> = offers.iter().filter(|offer| names(&offer.asin)).collect();
        let open = if named.len() > 1 {
            named
        } else {
            offers.iter().collect()
        };
        let scored = open.into_iter().enumerate().map(|(rank, offer)| {
            // What the shop finds first is likelier to be meant.
            let earlier = RANK * rank as f64;
            (value(&offer.title, offer.price, target) - earlier, offer)
        });
        let Some((_, best)) = scored.reduce(|best, next| if next.0 > best.0 { next } else { best })
        else {
            return "Please search again.".to_owned();
        };
        let lacking = missing(&best.title, target);
        let is_dear = dear(best.price, target);
        match (self.profile, lacking) {
            (Profile::Easygoing, _) => "Take whichever seems closest to you.".to_owned(),
            (Profile::Particular, Some(want)) => {
                format!(
                    "I want {}. If there is none, take the closest, {}.",
                    want.text, best.asin
                )
            }
            (_, Some(_)) => format!(
                "None of them is quite right. Take the closest one, {}.",
                best.asin
            ),
            (_, None) if is_dear => {
                format!("They cost too much, but {} is the closest.", best.asin)
            }
            (_, None) => format!("Let's take {}.", best.asin),
        }
    }

    /// What is to be done with the product that is shown.
    fn settle(&self, said: &str, item: &Item, target: &Target) -> String {
        let fits = |value: &&String| {
            let wanted = target.wants.iter().filter(|want| want.sort.is_some());
            wanted
                .into_iter()
                .any(|want| similarity(&want.terms, &terms(value)) > 0.7)
        };
        let asked = |(name, values): &&(String, Vec<String>)| {
            let named = values
                .iter()
                .filter(|value| share(&terms(value), &terms(said)) == 1.0);
            share(&terms(name), &terms(said)) == 1.0 || named.count() > 1
        };
        let groups: Vec<_> = item.options.iter().filter(asked).collect();
        if !groups.is_empty() {
            let values: Vec<&str> = groups
                .iter()
                .flat_map(|(_, values)| values)
                .filter(fits)
                .map(String::as_str)
                .collect();
            return match (values.is_empty(), self.profile) {
                (_, Profile::Easygoing) | (true, _) => "Any of them is fine.".to_owned(),
                (false, _) => format!("I would like {}.", values.join(" and ")),
            };
        }
        let small = said.to_lowercase();
        let any = |list: &str| {
            small
                .split(|letter: char| !letter.is_alphanumeric())
                .any(|word| has_word(list, word))
        };
        if any("buy purchase proceed order checkout complete take go") {
            return match (
                self.profile,
                dear(item.price, target),
                missing(&item.title, target),
            ) {
                (Profile::Particular, false, Some(want)) => {
                    format!("If it is {}, please buy it.", want.text)
                }
                (Profile::Particular, true, _) => {
                    "It costs more than I want, but please buy it.".to_owned()
                }
                _ => "Yes, please buy it.".to_owned(),
            };
        }
        match meaning(said, target) {
            Meaning::Yes => "Yes. Please buy it if it has that.".to_owned(),
            Meaning::Wants(wants) => {
                let wants: Vec<&str> = wants.iter().map(|want| want.text.as_str()).collect();
                format!("I would like {}.", wants.join(", "))
            }
            Meaning::Budget(most) => format!("It may cost {most:.2} dollars at most."),
            _ => "That does not matter. Please buy it.".to_owned(),
        }
    }
}

fn dear(price: Option<f64>, target: &Target) -> bool {
    price
        .zip(target.budget)
        .is_some_and(|(price, most)| price > most)
}

/// How close a product seems by its title and price.
fn value(title: &str, price: Option<f64>, target: &Target) -> f64 {
    let title = terms(title);
    let wanted = target
        .wants
        .iter()
        .map(|want| share(&want.terms, &title))
        .sum::<f64>();
    let words = share(&content(&target.instruction), &title);
    let price = if dear(price, target) { 1.0 } else { 0.0 };
    wanted + 2.0 * words - price
}

/// The first attribute that the title does not say.
fn missing<'a>(title: &str, target: &'a Target) -> Option<&'a Want> {
    let title = terms(title);
    target
        .wants
        .iter()
        .find(|want| want.sort.is_none() && share(&want.terms, &title) < 1.0)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn target() -> Target {
        let part = json!({
            "instruction": "i want a noise cancelling usb microphone in black, and price lower than 60.00 dollars",
            "attributes": ["noise cancelling"], "options": ["black"], "price_upper": 60.0,
        });
        Target::read("goal", &part).unwrap()
    }

    fn offer(asin: &str, title: &str, price: f64) -> Offer {
        Offer {
            asin: asin.to_owned(),
            title: title.to_owned(),
            price: Some(price),
        }
    }

    #[test]
    fn it_names_the_closest_product_of_the_page() {
        let mut offers = vec![
            offer("B000000001", "Car stereo", 12.0),
            offer("B000000002", "USB Microphone", 20.0),
        ];
        let says = |profile, said: &str, offers: &[Offer]| {
            Buyer { profile }.choose(said, offers, &target())
        };
        let closest = says(
            Profile::Guiding,
            "Nothing fits. Shall I search for another brand?",
            &offers,
        );
        assert_eq!(
            closest,
            "None of them is quite right. Take the closest one, B000000002."
        );
        offers.push(offer("B000000003", "Noise Cancelling USB Microphone", 30.0));
        assert_eq!(
            says(Profile::Guiding, "Which one?", &offers),
            "Let's take B000000003."
        );
        let named = says(Profile::Particular, "B000000001 or B000000002?", &offers);
        assert_eq!(
            named,
            "I want noise cancelling. If there is none, take the closest, B000000002."
        );
        offers[2].price = Some(99.0);
        offers.truncate(3);
        assert_eq!(
            says(Profile::Guiding, "Which?", &offers[2..]),
            "They cost too much, but B000000003 is the closest."
        );
    }

    #[test]
    fn it_chooses_options_and_confirms() {
        let item = Item {
            title: "Noise Cancelling USB Microphone".to_owned(),
            price: Some(20.0),
            options: vec![(
                "color".to_owned(),
                vec!["white".to_owned(), "black".to_owned()],
            )],
            chosen: Vec::new(),
        };
        let says = |said: &str| {
            Buyer {
                profile: Profile::Guiding,
            }
            .settle(said, &item, &target())
        };
        assert_eq!(
            says("Which color would you like: white or black?"),
            "I would like black."
        );
        assert_eq!(says("Shall I buy it?"), "Yes, please buy it.");
        assert_eq!(
            says("Should it be noise cancelling?"),
            "Yes. Please buy it if it has that."
        );
        assert_eq!(
            says("Is it for you?"),
            "That does not matter. Please buy it."
        );
    }
}
