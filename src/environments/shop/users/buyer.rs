//! The user of WebShop by rules: sees the page that the agent sees, and guides it to buy one of the products there;
//! where none fits it names the closest one (ReSpAct Table 25).

use serde::Deserialize;

use super::made;
use super::question::{Meaning, meaning};
use super::target::{Target, Want};
use crate::language::{content, is_close, is_dear, names, ranked, share, terms, words};
use crate::reading::{Shown, ShownProduct};
use rolecall_core::domain::{Message, View};
use rolecall_core::ports::settings::parameters;
use rolecall_core::ports::{Parameter, SetupError, UserFactory, UserSetup};
use rolecall_core::text::{has_word, joined, joined_by};

/// The parameters of the buyer.
pub const PARAMETERS: &[Parameter] = parameters![
    choice("profile", &["guiding", "particular", "easygoing"]),
        "who it is (ReSpAct Table 25): names the product to buy, says besides what that one lacks, or leaves the \
            choice to the agent";
];

/// Loss of worth per place in the list, where titles say as much.
const RANK: f64 = 0.25;

/// Words that propose to buy.
const BUY: &str = "buy purchase proceed order checkout complete take go";

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
    let profile: Profile = setup.parameters.choice("profile");
    made(move |turn, said, target| match page(&turn.view) {
        Some(Shown::Results(offers)) if !offers.is_empty() => choose(profile, said, &offers, target),
        Some(Shown::Item(item)) => settle(profile, said, &item, target),
        _ => {
            let wanted = target.instruction.trim_end_matches('.');
            format!("Please search for this: {wanted}.")
        }
    })
}

/// The last page that was shown.
fn page(view: &View) -> Option<Shown> {
    view.all()
        .filter_map(|event| match &event.message {
            Message::Observed(seen) => Shown::read(&seen.text),
            _ => None,
        })
        .last()
}

/// One of the products of the page: of those that the agent names, if it names some.
fn choose(profile: Profile, said: &str, offers: &[ShownProduct], target: &Target) -> String {
    let is_named = |offer: &&ShownProduct| words(said).any(|word| word == offer.asin);
    let mut open: Vec<&ShownProduct> = offers.iter().filter(is_named).collect();
    if open.len() < 2 {
        open = offers.iter().collect();
    }
    let likely = ranked(open.into_iter().enumerate(), |(rank, offer)| {
        // What the shop finds first is likelier to be meant.
        worth(offer, target) - RANK * *rank as f64
    });
    let Some((_, (_, best))) = likely.first() else {
        return "Please search again.".to_owned();
    };
    let asin = &best.asin;
    match (profile, missing(best, target)) {
        (Profile::Easygoing, _) => "Take whichever seems closest to you.".to_owned(),
        (Profile::Particular, Some(want)) => {
            let wanted = &want.text;
            format!("I want {wanted}. If there is none, take the closest, {asin}.")
        }
        (_, Some(_)) => format!("None of them is quite right. Take the closest one, {asin}."),
        (_, None) if is_dear(best.price, target.budget) => {
            format!("They cost too much, but {asin} is the closest.")
        }
        (_, None) => format!("Let's take {asin}."),
    }
}

/// Advice on the product that is shown: options to choose, to buy it or to go back.
fn settle(profile: Profile, said: &str, item: &ShownProduct, target: &Target) -> String {
    let is_asked = |(name, values): &&(String, Vec<String>)| {
        let named = values.iter().filter(|value| names(said, value));
        names(said, name) || named.count() > 1
    };
    let asked: Vec<_> = item.options.iter().filter(is_asked).collect();
    if !asked.is_empty() {
        let fits = |value: &&String| target.wants.iter().any(|want| want.sort.is_some() && is_close(&want.text, value));
        let values = joined_by(" and ", asked.iter().flat_map(|(_, values)| values).filter(fits));
        return if values.is_empty() || profile == Profile::Easygoing {
            "Any of them is fine.".to_owned()
        } else {
            format!("I would like {values}.")
        };
    }
    if words(&said.to_lowercase()).any(|word| has_word(BUY, word)) {
        let is_dear = is_dear(item.price, target.budget);
        return match missing(item, target) {
            _ if profile != Profile::Particular => "Yes, please buy it.".to_owned(),
            _ if is_dear => "It costs more than I want, but please buy it.".to_owned(),
            Some(want) => format!("If it is {}, please buy it.", want.text),
            None => "Yes, please buy it.".to_owned(),
        };
    }
    match meaning(said, target) {
        Meaning::Yes => "Yes. Please buy it if it has that.".to_owned(),
        Meaning::Wants(wants) => {
            let wants = joined(wants.iter().map(|want| &want.text));
            format!("I would like {wants}.")
        }
        Meaning::Budget(most) => format!("It may cost {most:.2} dollars at most."),
        _ => "That does not matter. Please buy it.".to_owned(),
    }
}

/// How close a product seems by its title and price.
fn worth(product: &ShownProduct, target: &Target) -> f64 {
    let title = terms(&product.title);
    // Titles do not say which options there are.
    let attributes = target.wants.iter().filter(|want| want.sort.is_none());
    let wanted: f64 = attributes.map(|want| share(&terms(&want.text), &title)).sum();
    let words = share(&content(&target.instruction), &title);
    let is_dear = is_dear(product.price, target.budget);
    wanted + 2.0 * words - if is_dear { 1.0 } else { 0.0 }
}

/// The first attribute that a product's title does not say.
fn missing<'a>(product: &ShownProduct, target: &'a Target) -> Option<&'a Want> {
    target.wants.iter().filter(|want| want.sort.is_none()).find(|want| !names(&product.title, &want.text))
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
        Target::read(&part).unwrap()
    }

    fn offer(asin: &str, title: &str, price: f64) -> ShownProduct {
        ShownProduct { asin: asin.to_owned(), title: title.to_owned(), price: Some(price), ..ShownProduct::default() }
    }

    #[test]
    fn it_names_the_closest_product_of_the_page() {
        let mut offers = vec![offer("B000000001", "Car stereo", 12.0), offer("B000000002", "USB Microphone", 20.0)];
        let says = |profile, said: &str, offers: &[ShownProduct]| choose(profile, said, offers, &target());
        let closest = says(Profile::Guiding, "Nothing fits. Shall I search for another brand?", &offers);
        assert_eq!(closest, "None of them is quite right. Take the closest one, B000000002.");
        offers.push(offer("B000000003", "Noise Cancelling USB Microphone", 30.0));
        assert_eq!(says(Profile::Guiding, "Which one?", &offers), "Let's take B000000003.");
        let named = says(Profile::Particular, "B000000001 or B000000002?", &offers);
        assert_eq!(named, "I want noise cancelling. If there is none, take the closest, B000000002.");
        offers[2].price = Some(99.0);
        offers.truncate(3);
        assert_eq!(
            says(Profile::Guiding, "Which?", &offers[2..]),
            "They cost too much, but B000000003 is the closest."
        );
    }

    #[test]
    fn it_chooses_options_and_confirms() {
        let item = ShownProduct {
            title: "Noise Cancelling USB Microphone".to_owned(),
            price: Some(20.0),
            options: vec![("color".to_owned(), vec!["white".to_owned(), "black".to_owned()])],
            ..ShownProduct::default()
        };
        let says = |said: &str| settle(Profile::Guiding, said, &item, &target());
        assert_eq!(says("Which color would you like: white or black?"), "I would like black.");
        assert_eq!(says("Shall I buy it?"), "Yes, please buy it.");
        assert_eq!(says("Should it be noise cancelling?"), "Yes. Please buy it if it has that.");
        assert_eq!(says("Is it for you?"), "That does not matter. Please buy it.");
    }
}
