//! Reader of observations: pages of WebShop in rich text or as ReSpAct's notebook shows
//! them, and the products of ChatShop's lists.

use super::chatshop::Listing;

/// A product of a page: one of several results, or the one of the page with its options.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct ShownProduct {
    /// Its number; empty on its own page, which does not tell it.
    pub(super) asin: String,
    pub(super) title: String,
    /// The lowest price, in dollars.
    pub(super) price: Option<f64>,
    /// Its options with their values.
    pub(super) options: Vec<(String, Vec<String>)>,
    /// The values that are marked as chosen.
    pub(super) chosen: Vec<String>,
}

/// A page.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Shown {
    /// The first page, with the instruction.
    Index(String),
    /// Products that a search found.
    Results(Vec<ShownProduct>),
    /// A product.
    Item(ShownProduct),
    /// More about a product: a description, features and the like.
    Sub,
}

impl Shown {
    /// The page of an observation; none if that is a word about the last action.
    pub(super) fn read(observation: &str) -> Option<Self> {
        let lines = lines(observation);
        let at = |wanted: &dyn Fn(&str) -> bool| lines.iter().position(|line| wanted(line.text));
        let has = |wanted: &str| lines.iter().any(|line| line.text == wanted);
        let price = at(&|text| text.starts_with("Price: ")).filter(|_| has("Buy Now"));
        if let Some((before, [price, ..])) = price.and_then(|price| lines.split_at_checked(price)) {
            return Some(Self::Item(item(before, price)));
        }
        if at(&|text| text.starts_with("Page ") && text.contains("(Total results: ")).is_some() {
            return Some(Self::Results(lines.windows(3).filter_map(result).collect()));
        }
        match at(&|text| text.trim() == "Instruction:") {
            Some(before) if lines.first()?.text == "WebShop" => {
                let instruction = lines.get(before + 1).map_or("", |line| line.text);
                Some(Self::Index(instruction.to_owned()))
            }
            _ => has("< Prev").then_some(Self::Sub),
        }
    }
}

/// A line of a page.
struct Line<'a> {
    text: &'a str,
    is_button: bool,
    /// If it names an option: the name and the values, with whether each is chosen.
    name: &'a str,
    values: Vec<(&'a str, bool)>,
}

fn line(text: &str, is_button: bool) -> Line<'_> {
    Line { text, is_button, name: text, values: Vec::new() }
}

fn lines(observation: &str) -> Vec<Line<'_>> {
    let rich = observation.contains("[button] ");
    if !rich && observation.contains(" [SEP] ") {
        return observation.split(" [SEP] ").map(|text| line(text, false)).collect();
    }
    // Earlier pages stand before this one.
    let page = observation.rsplit(" [SEP] ").next().unwrap_or(observation);
    let filled = page.lines().filter(|line| !line.is_empty());
    if !rich {
        return filled.map(notebook_line).collect();
    }
    let mut lines: Vec<Line<'_>> = Vec::new();
    for text in filled {
        let bare = text.trim_start();
        let marked = |open: &str, close: &str| bare.strip_prefix(open)?.strip_suffix(close);
        let clicked = marked("[clicked button] ", " [clicked button_]");
        let button = marked("[button] ", " [button_]").or(clicked);
        match (button, lines.last_mut()) {
            (Some(value), Some(option)) if text.starts_with("  ") => {
                option.values.push((value, clicked.is_some()));
            }
            _ => lines.push(line(button.unwrap_or(text), button.is_some())),
        }
    }
    lines
}

/// A line as the notebook has it: `[a button]`, or an option with its values, `size [small][[large]]`.
fn notebook_line(text: &str) -> Line<'_> {
    let mut plain = line(text, false);
    let open = text.strip_suffix(']').unwrap_or_default();
    match (open.strip_prefix('['), open.split_once(" [")) {
        (Some(button), _) if !button.contains("][") => line(button, true),
        (_, Some((name, values))) => {
            plain.name = name;
            let bare = values.split("][").map(|value| (value, value.trim_matches(['[', ']'])));
            plain.values = bare.map(|(value, text)| (text, text != value)).collect();
            plain
        }
        _ => plain,
    }
}

/// A product of three lines of a list of results.
fn result(three: &[Line<'_>]) -> Option<ShownProduct> {
    match three {
        [asin, title, price] if is_asin(asin.text) && price.text.starts_with('$') => Some(ShownProduct {
            asin: asin.text.to_owned(),
            title: title.text.to_owned(),
            price: dollars(price.text),
            ..ShownProduct::default()
        }),
        _ => None,
    }
}

/// The product of a page, of which the last text before the price is the title.
fn item(before: &[Line<'_>], price: &Line<'_>) -> ShownProduct {
    let mut texts: Vec<&Line<'_>> = before.iter().filter(|line| !line.is_button).collect();
    let title = texts.pop().map(|line| line.text.to_owned());
    let mut item =
        ShownProduct { title: title.unwrap_or_default(), price: dollars(price.text), ..ShownProduct::default() };
    for option in texts.iter().filter(|line| !line.values.is_empty()) {
        let values = option.values.iter().map(|(value, _)| (*value).to_owned());
        item.options.push((option.name.to_owned(), values.collect()));
        let chosen = option.values.iter().filter(|(_, chosen)| *chosen);
        item.chosen.extend(chosen.map(|(value, _)| (*value).to_owned()));
    }
    item
}

/// Whether a text is the number of a product.
fn is_asin(text: &str) -> bool {
    let is_sign = |sign: u8| sign.is_ascii_digit() || sign.is_ascii_uppercase();
    text.len() == 10 && text.bytes().all(is_sign)
}

/// The first price of a tag, in dollars.
fn dollars(tag: &str) -> Option<f64> {
    let first = tag.split('$').nth(1)?.split_whitespace().next()?;
    first.replace(',', "").parse().ok()
}

/// The attributes of a product of ChatShop, and its options' values with the options' names.
pub(super) fn features(listing: &Listing) -> impl Iterator<Item = (Option<&str>, &str)> {
    let attributes = listing.attributes.iter().map(|text| (None, text.as_str()));
    let options = listing
        .options
        .iter()
        .flat_map(|(name, values)| values.iter().map(|value| (Some(name.as_str()), value.as_str())));
    attributes.chain(options)
}

#[cfg(test)]
mod tests {
    use super::*;

    const RICH: &str = "Instruction:\ni need a lamp\n[button] Back to Search [button_]\n";

    #[test]
    fn pages_are_read_in_rich_text() {
        let index = "WebShop\nInstruction: \ni need a lamp\n[button] Search [button_]\n";
        let instruction = "i need a lamp".to_owned();
        assert_eq!(Shown::read(index), Some(Shown::Index(instruction)));
        let results = format!(
            "{RICH}Page 1 (Total results: 2)\n[button] Next > [button_]\n\n[button] B000000001 [button_]\nA lamp\n$10.0\n\
             \n[clicked button] B000000002 [clicked button_]\nLamp [2 pack]\n$12.5 to $1,300.0\n"
        );
        let Some(Shown::Results(offers)) = Shown::read(&results) else { panic!() };
        let read: Vec<_> = offers.iter().map(|offer| (&*offer.asin, &*offer.title, offer.price)).collect();
        assert_eq!(read, [("B000000001", "A lamp", Some(10.0)), ("B000000002", "Lamp [2 pack]", Some(12.5))]);
        let item = format!(
            "You have clicked red.\n{RICH}[button] < Prev [button_]\ncolor\n  [clicked button] red [clicked button_]\n  \
             [button] blue [button_]\nsize\n  [button] one [button_]\nA lamp\nPrice: $10.0\nRating: N.A.\n[button] \
             Features [button_]\n[button] Buy Now [button_]\n"
        );
        let Some(Shown::Item(item)) = Shown::read(&item) else { panic!() };
        let options = vec![
            ("color".to_owned(), vec!["red".to_owned(), "blue".to_owned()]),
            ("size".to_owned(), vec!["one".to_owned()]),
        ];
        assert_eq!((item.options, &*item.title, item.chosen), (options, "A lamp", vec!["red".to_owned()]));
        let sub = format!("{RICH}[button] < Prev [button_]\n soft \n washable\n");
        assert_eq!(Shown::read(&sub), Some(Shown::Sub));
    }

    #[test]
    fn pages_are_read_as_the_notebook_shows_them() {
        let results = "[Back to Search]\nPage 1 (Total results: 50)\n[Next >]\n[B000000001]\nLamp [2 pack]\n$10.0";
        let Some(Shown::Results(offers)) = Shown::read(results) else { panic!() };
        assert_eq!((&*offers[0].title, offers.len()), ("Lamp [2 pack]", 1));
        let item = "[Back to Search]\n[< Prev]\ncolor [red][[blue]]\nsize [4 oz (2 pack)]\nLamp [new]\nPrice: $10.0\n\
                    Rating: N.A.\n[Description]\n[Features]\n[Reviews]\n[Buy Now]";
        let Some(Shown::Item(item)) = Shown::read(item) else { panic!() };
        assert_eq!((&*item.title, item.price), ("Lamp [new]", Some(10.0)));
        assert_eq!(item.options.len(), 2);
        assert_eq!(item.chosen, ["blue"]);
        assert_eq!(Shown::read("You have clicked blue."), None);
        assert_eq!(Shown::read("Invalid action!"), None);
    }
}
