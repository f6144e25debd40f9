//! How pages are shown: texts, pages of browsers, the notebook, and what came before.

use proptest::prelude::*;

use super::actions::Asked;
use super::notebook::{self, Happened};
use super::render::{History, Rendering, render};
use super::session::{Page, Session};
use super::session_tests::{group, lamp, perform, rich, session, shop, shop_of};

#[test]
fn texts_of_blanks_are_one_blank_or_nothing() {
    let mut odd = lamp(0, vec![group("kind", &["", " | a"])]);
    odd.bullets = vec![String::new(), "\n".to_owned(), "two\nlines ".to_owned()];
    odd.description = " \t".to_owned();
    let (shop, mut session) = (shop_of(vec![odd]), session(false));
    perform(&mut session, &shop, &["search[lamp]", "click[b000]"]);
    assert!(rich(&session).contains("kind\n  [button]  | a [button_]\nLamp"));
    assert!(perform(&mut session, &shop, &["click[ | a]", "click[features]"]));
    let start = "Instruction:\ni want a lamp\n[button] Back to Search [button_]\n[button] < Prev [button_]\n";
    assert_eq!(rich(&session), format!("{start} \n two\nlines \n"));
    let row = render(&session, Rendering::Text);
    assert!(row.ends_with("< Prev [SEP]  [SEP] two\nlines"), "{row}");
    perform(&mut session, &shop, &["click[< prev]", "click[description]"]);
    assert_eq!(rich(&session), format!("{start} \n"));
}

#[test]
fn a_page_for_browsers_has_the_same_texts_escaped() {
    let mut odd = lamp(0, vec![group("a\"b", &["<i>", "x & y"])]);
    odd.title = "<script>alert('lamp')</script>".to_owned();
    let (shop, mut session) = (shop_of(vec![odd]), session(false));
    let page = render(&session, Rendering::Html);
    assert!(page.contains("id=\"search_input\"") && page.contains("<button class=\"btn\">Search</button>"));
    perform(&mut session, &shop, &["search[lamp]", "click[b000]"]);
    let page = render(&session, Rendering::Html);
    assert!(page.contains("<p>&lt;script&gt;alert('lamp')&lt;/script&gt;</p>"));
    assert!(page.contains("name=\"a&quot;b\" value=\"x &amp; y\">x &amp; y</label>"));
    assert!(!page.contains("<i>") && !page.contains("search_input"));
    assert_eq!(render(&session, Rendering::Url), session.url());
}

#[test]
fn earlier_observations_and_actions_stand_before_each_other() {
    let mut history = History::of(2);
    assert_eq!(history.state(None, "o0".to_owned()), "o0");
    assert_eq!(history.state(Some("a1"), "o1".to_owned()), "o0 [SEP] a1 [SEP] o1");
    history.state(Some("a2"), "o2".to_owned());
    let state = history.state(Some("a3"), "o3".to_owned());
    assert_eq!(state, "o1 [SEP] a2 [SEP] o2 [SEP] a3 [SEP] o3");
    assert_eq!(History::of(0).state(Some("a"), "o".to_owned()), "o");
}

#[test]
fn the_notebook_shows_three_products_and_the_instruction_once() {
    let (shop, mut session) = (shop(), session(true));
    let shown = |session: &Session| render(session, Rendering::Respact);
    let act = |session: &mut Session, text: &str| notebook::perform(session, &shop, &notebook::in_words(text)).unwrap();
    assert_eq!(shown(&session), "WebShop\nInstruction: \ni want a lamp\n[Search]");
    assert_eq!(act(&mut session, "click[B000]"), Happened::Page, "shown again");
    assert_eq!(act(&mut session, "sing"), Happened::Refused);
    assert_eq!(act(&mut session, "click[Back to Search]"), Happened::Violated);
    assert_eq!(act(&mut session, "search[lamp]"), Happened::Page);
    let product = |number: usize| format!("[B00{number}]\nLamp item_page search_results {number}\n$10.5");
    let list = [0, 1, 2].map(product).join("\n");
    let page = format!("[Back to Search]\nPage 1 (Total results: 40)\n[Next >]\n{list}");
    assert_eq!(shown(&session), page);
    for wrong in ["click[Next >]", "click[< Prev]", "click[Buy Now]", "click[b000]", "search[x]"] {
        assert_eq!(act(&mut session, wrong), Happened::Violated, "{wrong}");
        assert_eq!(shown(&session), page, "{wrong}");
    }
    assert_eq!(act(&mut session, "click[B009]"), Happened::Page, "it is on the page, if hidden");
    act(&mut session, "click[Back to Search]");
    act(&mut session, "search[lamp]");
    act(&mut session, "click[B000]");
    for wrong in ["click[< Prev]", "click[huge]"] {
        assert_eq!(act(&mut session, wrong), Happened::Violated, "{wrong}");
    }
    let said = Happened::Text("You have clicked large.".to_owned());
    assert_eq!(act(&mut session, "click[large]"), said);
    let item = "[Back to Search]\n[< Prev]\nsize [small][features][search][[large]]\n\
                color [[large]][12\" red][rosé][it's][size]\nempty\nLamp item_page search_results 0\n\
                Price: $10.5\nRating: N.A.\n[Description]\n[Features]\n[Reviews]\n[Attributes]\n[Buy Now]";
    assert_eq!(shown(&session), item);
    assert_eq!(act(&mut session, "click[Features]"), Happened::Page);
    assert_eq!(shown(&session), "[Back to Search]\n[< Prev]\n Warm light ");
    assert_eq!(act(&mut session, "click[< Prev]"), Happened::Page, "shown again");
    assert!(matches!(session.page(), Page::Sub(..)));
    assert_eq!(act(&mut session, "click[Buy Now]"), Happened::Violated);
    act(&mut session, "click[Back to Search]");
    act(&mut session, "search[lamp]");
    act(&mut session, "click[B000]");
    assert_eq!(act(&mut session, "click[Buy Now]"), Happened::Page);
    assert!(shown(&session).starts_with("Your score (min 0.0, max 1.0): "));
}

/// Values among which are all that buttons say, blanks, quotes and letters of other scripts.
const VALUES: &[&str] = &[
    "red",
    "a \"b\"",
    "it's",
    "é",
    "next >",
    "< prev",
    "buy now",
    "attributes",
    "search",
    "",
    "back to search",
    " | x",
];

proptest! {
    #[test]
    fn whatever_is_done_pages_and_clickables_hold_together(
        values in prop::collection::vec(0..VALUES.len(), 0..8),
        tab: bool,
        steps in prop::collection::vec((0..10_usize, 0..1000_usize), 1..60),
    ) {
        let options = |number: usize| {
            let values: Vec<&str> = values.iter().skip(number % 3).map(|place| VALUES[*place]).collect();
            let (one, two) = values.split_at(values.len() / 2);
            vec![group("size", one), group("red", two)]
        };
        let shop = shop_of((0..25).map(|number| lamp(number, options(number))).collect());
        let queries = [
            "lamp", "item_page", "search_results", "item_sub_page", "<r>", "<c>", "<a> x", "<q> desk lamps", "\"red\"", " ",
        ];
        let (mut one, mut two) = (session(tab), session(tab));
        for (kind, number) in steps {
            let clickables = one.clickables();
            let action = match clickables.get(number % clickables.len().max(1)) {
                Some(text) if kind > 1 => format!("click[{}]", text.to_uppercase()),
                _ => format!("search[{}]", queries[number % queries.len()]),
            };
            let before = (one.url(), rich(&one));
            let asked = Asked::in_words(&action);
            let done = one.perform(&shop, &asked).unwrap();
            prop_assert_eq!(two.perform(&shop, &asked).unwrap(), done);
            for rendering in [Rendering::Text, Rendering::TextRich, Rendering::Url, Rendering::Html, Rendering::Respact] {
                prop_assert_eq!(render(&one, rendering), render(&two, rendering));
            }
            let usable = |text: &str| !text.is_empty() && text != "search";
            match asked {
                // Whatever can be clicked does something.
                Asked::Click(text) => prop_assert_eq!(done, usable(&text.to_lowercase()), "{}", action),
                Asked::Search(query) => prop_assert_eq!(done, !["<c>", "<a> x"].contains(&&*query)),
                Asked::Nothing => prop_assert!(action.ends_with("[]")),
            }
            if !done {
                prop_assert_eq!(before, (one.url(), rich(&one)));
            }
            prop_assert_eq!(one.is_done(), one.purchase().is_some());
        }
        prop_assert!(shop.catalogue.len() == 25);
    }
}
