//! Effects of clicks and searches on a session.

use std::sync::Arc;

use super::actions::Asked;
use super::catalogue::{OptionGroup, Product, Shelf};
use super::goal::{Goal, GoalOptions};
use super::nouns::RecordedNouns;
use super::render::{Rendering, render};
use super::search::{Hit, Search};
use super::session::{Page, Session, Shop, Tab};
use super::{ShopError, environment};
use rolecall_core::domain::Seed;

/// Finds every product whose title has the query in it.
struct Titles(Arc<Shelf>);

impl Search for Titles {
    fn search(&self, query: &str, most: usize) -> Result<Vec<Hit>, ShopError> {
        let all = (0..).zip(self.0.products());
        let hits = all
            .filter(|(_, product)| product.title.to_lowercase().contains(query))
            .map(|(product, _)| Hit { product, score: 1.0 });
        Ok(hits.take(most).collect())
    }
}

pub(super) fn group(name: &str, values: &[&str]) -> OptionGroup {
    OptionGroup { name: name.to_owned(), values: values.iter().map(|value| (*value).to_owned()).collect() }
}

/// A lamp with these options.
pub(super) fn lamp(number: usize, options: Vec<OptionGroup>) -> Product {
    Product {
        asin: format!("B{number:03}"),
        title: format!("Lamp item_page search_results {number}"),
        description: "Bright.".to_owned(),
        bullets: vec![String::new(), "Warm light ".to_owned()],
        category: if number < 3 { "garden" } else { "beauty" }.to_owned(),
        query: "desk lamps".to_owned(),
        product_category: "Home › Lamps".to_owned(),
        pricing: vec![10.5],
        price_tag: "$10.5".to_owned(),
        price: 10.5,
        options,
        attributes: vec!["easy to use".to_owned()],
    }
}

pub(super) fn shop_of(products: Vec<Product>) -> Shop {
    let shelf = Arc::new(Shelf::new(products));
    Shop { search: Arc::new(Titles(Arc::clone(&shelf))), catalogue: shelf, tagger: Arc::new(RecordedNouns::default()) }
}

/// Forty lamps; the first one has options.
pub(super) fn shop() -> Shop {
    let odd = vec![
        group("size", &["small", "features", "search", "large"]),
        group("color", &["large", "12\" red", "rosé", "it's", "size"]),
        group("empty", &[]),
    ];
    let lamps = (0..40).map(|number| lamp(number, if number == 0 { odd.clone() } else { vec![] }));
    shop_of(lamps.collect())
}

fn goal() -> Arc<Goal> {
    Arc::new(Goal {
        asin: "B000".to_owned(),
        category: "garden".to_owned(),
        query: "desk lamps".to_owned(),
        name: "Lamp".to_owned(),
        product_category: "Home › Lamps".to_owned(),
        instruction: "i want a lamp".to_owned(),
        attributes: vec!["easy to use".to_owned()],
        price_upper: 20.0,
        options: GoalOptions::Values(vec!["large".to_owned()]),
        weight: 1.0,
        disclosures: None,
    })
}

pub(super) fn session(attributes_tab: bool) -> Session {
    Session::new("7", goal(), attributes_tab, Seed(1))
}

/// Performs all of them; whether the last one could be done.
pub(super) fn perform(session: &mut Session, shop: &Shop, actions: &[&str]) -> bool {
    let mut done = false;
    for action in actions {
        done = session.perform(shop, &Asked::in_words(action)).unwrap();
    }
    done
}

pub(super) fn rich(session: &Session) -> String {
    render(session, Rendering::TextRich)
}

#[test]
fn options_with_texts_of_buttons_do_what_the_buttons_do() {
    let (shop, mut session) = (shop(), session(false));
    assert!(perform(&mut session, &shop, &["search[lamp]", "click[b000]", "click[features]"]));
    assert!(matches!(session.page(), Page::Sub(_, Tab::Features)));
    assert!(perform(&mut session, &shop, &["click[< prev]"]));
    assert_eq!(session.chosen().count(), 0);
    // Neither can an option be clicked that is called as the button of the first page.
    assert!(session.clickables().contains(&"search".to_owned()));
    assert!(!perform(&mut session, &shop, &["click[search]"]));
    // Nor is there a page of attributes, but an option of that name opens it.
    assert!(!perform(&mut session, &shop, &["click[attributes]"]));
    let shop = shop_of(vec![lamp(0, vec![group("kind", &["attributes", "buy now"])])]);
    let actions = ["search[lamp]", "click[b000]", "click[attributes]"];
    assert!(perform(&mut session, &shop, &actions));
    assert!(matches!(session.page(), Page::Sub(_, Tab::Attributes)));
}

#[test]
fn a_value_of_two_options_sets_the_later_one_and_shows_as_clicked_in_both() {
    let (shop, mut session) = (shop(), session(false));
    perform(&mut session, &shop, &["search[lamp]", "click[b000]", "click[large]"]);
    let chosen: Vec<_> = session.chosen().collect();
    assert_eq!(chosen, [("color", "large")]);
    let text = rich(&session);
    assert_eq!(text.matches("[clicked button] large").count(), 2, "{text}");
    assert!(text.starts_with("You have clicked large.\nYou have clicked large.\nInstruction:\n"));
    // A value that is the name of a chosen option shows as clicked as well; the later label is told first.
    perform(&mut session, &shop, &["click[small]"]);
    let chosen: Vec<_> = session.chosen().collect();
    assert_eq!(chosen, [("color", "large"), ("size", "small")], "in the order of clicks");
    let said = "You have clicked size.\nYou have clicked large.\nYou have clicked large.\nYou have clicked small.\n";
    assert!(rich(&session).starts_with(said), "{}", rich(&session));
    // Another value takes the place of the first.
    perform(&mut session, &shop, &["click[12\" red]"]);
    let url = session.url();
    assert!(url.ends_with(r#"/lamp/1/{"color": "12\" red", "size": "small"}"#), "{url}");
    assert!(!rich(&session).contains("clicked 12"), "quotes are escaped in the address");
    perform(&mut session, &shop, &["click[rosé]"]);
    assert!(session.url().ends_with(r#"{"color": "ros\u00e9", "size": "small"}"#));
    assert!(!rich(&session).contains("clicked rosé"));
    perform(&mut session, &shop, &["click[it's]", "click[buy now]"]);
    assert_eq!(session.url(), "http://127.0.0.1:3000/done/7/B000/{'color': \"it's\", 'size': 'small'}");
    let page = render(&session, Rendering::Text);
    let json = r#"options [SEP] {"color": "it\u0027s", "size": "small"} [SEP] attrs"#;
    assert!(page.contains(json), "sorted, and harmless in a page: {page}");
}

#[test]
fn words_of_addresses_in_a_query_lead_astray() {
    let (shop, mut session) = (shop(), session(false));
    let actions = ["search[search_results]", "click[b001]", "click[< prev]"];
    assert!(perform(&mut session, &shop, &actions));
    // The page before the first is empty, and has no way further back.
    let text = rich(&session);
    assert!(text.contains("Page 0 (Total results: 40)\n[button] Next > [button_]\n"), "{text}");
    assert_eq!(session.clickables(), ["back to search", "next >"]);
    assert!(session.url().ends_with("/search_results/7/search_results/0"));
    assert!(perform(&mut session, &shop, &["click[next >]"]));
    assert_eq!(session.clickables().len(), 12);
    // From a page of a product such a query leads back to the results, past the product.
    let actions = ["search[item_page]", "click[b001]", "click[description]", "click[< prev]"];
    assert!(perform(&mut session, &shop, &actions));
    assert!(matches!(session.page(), Page::Results(_)));
    let actions = ["search[lamp]", "click[b001]", "click[description]", "click[< prev]"];
    assert!(perform(&mut session, &shop, &actions));
    assert!(matches!(session.page(), Page::Item(_)));
}

#[test]
fn pages_go_on_beyond_the_last_product() {
    let (shop, mut session) = (shop(), session(false));
    perform(&mut session, &shop, &["search[lamp]"]);
    for _ in 0..6 {
        assert!(perform(&mut session, &shop, &["click[Next >]"]));
    }
    assert!(
        rich(&session).ends_with("Page 7 (Total results: 40)\n[button] < Prev [button_]\n[button] Next > [button_]\n")
    );
    perform(&mut session, &shop, &["click[< prev]", "click[< prev]", "click[< prev]"]);
    assert_eq!(session.clickables().last().unwrap(), "b039");
    // From a product back to the page of results that it was on, without the options.
    perform(&mut session, &shop, &["click[b039]", "click[< prev]"]);
    assert!(session.url().ends_with("/lamp/4"));
    assert!(rich(&session).contains("[clicked button] B039 [clicked button_]"));
    perform(&mut session, &shop, &["click[back to search]", "search[lamp 39]"]);
    assert!(!rich(&session).contains("clicked"), "what was visited is forgotten");
}

#[test]
fn queries_of_categories_and_of_the_catalogue_find_all_and_random_ones_are_drawn_anew() {
    let (shop, mut session) = (shop(), session(false));
    assert!(perform(&mut session, &shop, &["search[<c> Beauty]"]));
    assert!(rich(&session).contains("Total results: 37"));
    assert!(perform(&mut session, &shop, &["search[<q> Desk  lamps]"]));
    assert!(rich(&session).contains("Total results: 0"), "blanks count");
    assert!(perform(&mut session, &shop, &["search[<q>  desk lamps ]"]));
    assert!(rich(&session).contains("Total results: 40"));
    let before = rich(&session);
    for crash in ["search[<a>]", "search[<a> easy]", "search[<c>]", "search[]"] {
        assert!(!perform(&mut session, &shop, &[crash]), "{crash}");
        assert_eq!(rich(&session), before, "{crash}");
    }
    assert!(perform(&mut session, &shop, &["search[<r>]"]));
    let shown = |session: &Session| session.clickables();
    let first = shown(&session);
    assert!(rich(&session).contains("Total results: 40"));
    perform(&mut session, &shop, &["click[next >]", "click[< prev]"]);
    assert_ne!(shown(&session), first, "drawn for each page");
    let mut again = self::session(false);
    perform(&mut again, &shop, &["search[<r>]"]);
    assert_eq!(shown(&again), first, "by the seed of the episode alone");
}

#[test]
fn a_purchase_ends_the_session_until_something_is_searched() {
    let (shop, mut session) = (shop(), session(true));
    let actions = ["search[lamp]", "click[b000]", "click[large]", "click[Attributes]"];
    perform(&mut session, &shop, &actions);
    assert!(rich(&session).ends_with(" easy to use\ngarden\ndesk lamps\nHome › Lamps\n"));
    assert!(!perform(&mut session, &shop, &["click[buy now]"]), "not from there");
    perform(&mut session, &shop, &["click[< prev]", "click[buy now]"]);
    let score = environment::score(&session);
    assert_eq!(score.reward, session.purchase().unwrap().1.total);
    assert_eq!(score.detail["bought"]["asin"], "B000");
    assert_eq!(score.detail["bought"]["options"]["color"], "large");
    assert_eq!(score.detail["searches"], 1);
    assert!(score.detail["reward"]["r_type"].is_number());
    assert!(session.clickables().is_empty());
    assert!(!perform(&mut session, &shop, &["click[back to search]"]));
    assert!(session.is_done());
    assert!(perform(&mut session, &shop, &["search[lamp]"]));
    assert!(!session.is_done());
}
