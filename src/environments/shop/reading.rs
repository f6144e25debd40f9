//! Pages of WebShop as those read them who see them: in rich text, or as ReSpAct's notebook shows them.

use std::borrow::Cow;

/// A product in a list of results.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Offer {
    pub(super) asin: String,
    pub(super) title: String,
    /// The lowest price, in dollars.
    pub(super) price: Option<f64>,
}

/// A product's own page.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Item {
    pub(super) title: String,
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
    Index { instruction: String },
    /// What a search has found.
    Results(Vec<Offer>),
    /// A product.
    Item(Item),
    /// More about a product: the lines of a description or of features.
    Sub(Vec<String>),
    /// No page: a word about the last action.
    Word,
}

impl Shown {
    /// The page of an observation.
    pub(super) fn read(observation: &str) -> Self {
        let lines = lines(observation);
        let at = |wanted: &dyn Fn(&str) -> bool| lines.iter().position(|line| wanted(line.text()));
        if let Some(price) = at(&|text| text.starts_with("Price: "))
            .filter(|_| at(&|text| text == "Buy Now").is_some())
        {
            return Self::Item(item(&lines, price));
        }
        if at(&|text| text.starts_with("Page ") && text.contains("(Total results: ")).is_some() {
            return Self::Results(offers(&lines));
        }
        if let Some(first) = at(&|text| text.trim() == "Instruction:") {
            let instruction = lines.get(first + 1).map(Line::text).unwrap_or_default();
            if at(&|text| text == "WebShop") == Some(0) {
                let instruction = instruction.to_owned();
                return Self::Index { instruction };
            }
        }
        match at(&|text| text == "< Prev") {
            Some(prev) => Self::Sub(
                lines
                    .iter()
                    .skip(prev + 1)
                    .map(|line| line.text().trim().to_owned())
                    .collect(),
            ),
            None => Self::Word,
        }
    }
}

/// A line of a page.
enum Line<'a> {
    Plain(Cow<'a, str>),
    Button(&'a str),
    /// A value of the option named before; whether it is chosen.
    Value(&'a str, bool),
}

impl Line<'_> {
    fn text(&self) -> &str {
        match self {
            Self::Plain(text) => text,
            Self::Button(text) | Self::Value(text, _) => text,
        }
    }
}

fn lines(observation: &str) -> Vec<Line<'_>> {
    let rich = observation.contains("[button] ");
    if !rich && observation.contains(" [SEP] ") {
        let parts = observation.split(" [SEP] ");
        return parts.map(|part| Line::Plain(part.into())).collect();
    }
    // Earlier pages stand before this one.
    let page = observation.rsplit(" [SEP] ").next().unwrap_or(observation);
    let filled = page.lines().filter(|line| !line.is_empty());
    match rich {
        true => filled.map(rich_line).collect(),
        false => filled.flat_map(short_line).collect(),
    }
}

fn rich_line(line: &str) -> Line<'_> {
    let marked =
        |open: &str, close: &str| line.trim_start().strip_prefix(open)?.strip_suffix(close);
    let is_value = line.starts_with("  ");
    let button = marked("[button] ", " [button_]");
    let clicked = marked("[clicked button] ", " [clicked button_]");
    match (button, clicked) {
        (Some(text), _) if is_value => Line::Value(text, false),
        (None, Some(text)) if is_value => Line::Value(text, true),
        (Some(text), _) | (None, Some(text)) => Line::Button(text),
        (None, None) => Line::Plain(line.into()),
    }
}

/// A line as the notebook has it: `[a button]`, or an option with its values, `size [small][[large]]`.
fn short_line(line: &str) -> Vec<Line<'_>> {
    let inner = line
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(']'));
    if let Some(text) = inner.filter(|text| !text.contains("][")) {
        return vec![Line::Button(text)];
    }
    let option = line
        .split_once(" [")
        .and_then(|(name, rest)| Some((name, rest.strip_suffix(']')?)));
    let Some((name, values)) = option else {
        return vec![Line::Plain(line.into())];
    };
    let values = values.split("][").map(|value| {
        let text = value.trim_matches(['[', ']']);
        Line::Value(text, text.len() < value.len())
    });
    std::iter::once(Line::Plain(name.into()))
        .chain(values)
        .collect()
}

fn offers(lines: &[Line<'_>]) -> Vec<Offer> {
    let offer = |three: &[Line<'_>]| match three {
        [asin, title, price] if is_asin(asin.text()) && price.text().starts_with('$') => {
            Some(Offer {
                asin: asin.text().to_owned(),
                title: joined(title),
                price: dollars(price.text()),
            })
        }
        _ => None,
    };
    // A title in brackets reads as an option and its values.
    let whole: Vec<Line<'_>> = lines.iter().fold(Vec::new(), |mut whole, line| {
        match (line, whole.last_mut()) {
            (Line::Value(value, _), Some(Line::Plain(before))) => {
                before.to_mut().push_str(&format!(" [{value}]"))
            }
            _ => whole.push(match line {
                Line::Plain(text) => Line::Plain(text.clone()),
                other => Line::Plain(other.text().to_owned().into()),
            }),
        }
        whole
    });
    whole.windows(3).filter_map(offer).collect()
}

fn joined(line: &Line<'_>) -> String {
    line.text().to_owned()
}

/// Whether a text is the number of a product.
pub(super) fn is_asin(text: &str) -> bool {
    text.len() == 10
        && text
            .bytes()
            .all(|letter| letter.is_ascii_digit() || letter.is_ascii_uppercase())
}

/// The first price of a tag, in dollars.
fn dollars(tag: &str) -> Option<f64> {
    let first = tag.split('$').nth(1)?;
    first
        .split_whitespace()
        .next()?
        .replace(',', "")
        .parse()
        .ok()
}

fn item(lines: &[Line<'_>], price: usize) -> Item {
    let tag = lines.get(price).map(Line::text).unwrap_or_default();
    let mut item = Item {
        price: dollars(tag),
        ..Item::default()
    };
    let before = lines.iter().take(price);
    for line in before {
        match line {
            Line::Plain(text) => {
                item.options.retain(|(_, values)| !values.is_empty());
                item.title = text.to_string();
                item.options.push((text.to_string(), Vec::new()));
            }
            Line::Value(value, chosen) => {
                if let Some((_, values)) = item.options.last_mut() {
                    values.push((*value).to_owned());
                }
                if *chosen {
                    item.chosen.push((*value).to_owned());
                }
            }
            Line::Button(_) => {}
        }
    }
    // The last text before the price is the title, brackets and all.
    if let Some((name, values)) = item.options.pop() {
        let brackets: String = values.iter().map(|value| format!(" [{value}]")).collect();
        item.title = name + &brackets;
    }
    item
}

#[cfg(test)]
mod tests {
    use super::*;

    const RICH: &str = "Instruction:\ni need a lamp\n[button] Back to Search [button_]\n";

    #[test]
    fn pages_are_read_in_rich_text() {
        let index = "WebShop\nInstruction: \ni need a lamp\n[button] Search [button_]\n";
        let instruction = "i need a lamp".to_owned();
        assert_eq!(Shown::read(index), Shown::Index { instruction });
        let results = format!(
            "{RICH}Page 1 (Total results: 2)\n[button] Next > [button_]\n\n[button] B000000001 [button_]\nA lamp\n$10.0\n\
             \n[clicked button] B000000002 [clicked button_]\nLamp [2 pack]\n$12.5 to $1,300.0\n"
        );
        let Shown::Results(offers) = Shown::read(&results) else {
            panic!()
        };
        let read: Vec<_> = offers
            .iter()
            .map(|offer| (&*offer.asin, &*offer.title, offer.price))
            .collect();
        assert_eq!(
            read,
            [
                ("B000000001", "A lamp", Some(10.0)),
                ("B000000002", "Lamp [2 pack]", Some(12.5))
            ]
        );
        let item = format!(
            "You have clicked red.\n{RICH}[button] < Prev [button_]\ncolor\n  [clicked button] red [clicked button_]\n  \
             [button] blue [button_]\nsize\n  [button] one [button_]\nA lamp\nPrice: $10.0\nRating: N.A.\n[button] \
             Features [button_]\n[button] Buy Now [button_]\n"
        );
        let Shown::Item(item) = Shown::read(&item) else {
            panic!()
        };
        let options = vec![
            (
                "color".to_owned(),
                vec!["red".to_owned(), "blue".to_owned()],
            ),
            ("size".to_owned(), vec!["one".to_owned()]),
        ];
        assert_eq!(
            (item.options, &*item.title, item.chosen),
            (options, "A lamp", vec!["red".to_owned()])
        );
        let sub = format!("{RICH}[button] < Prev [button_]\n soft \n washable\n");
        assert_eq!(
            Shown::read(&sub),
            Shown::Sub(vec!["soft".to_owned(), "washable".to_owned()])
        );
    }

    #[test]
    fn pages_are_read_as_the_notebook_shows_them() {
        let results = "[Back to Search]\nPage 1 (Total results: 50)\n[Next >]\n[B000000001]\nLamp [2 pack]\n$10.0";
        let Shown::Results(offers) = Shown::read(results) else {
            panic!()
        };
        assert_eq!((&*offers[0].title, offers.len()), ("Lamp [2 pack]", 1));
        let item = "[Back to Search]\n[< Prev]\ncolor [red][[blue]]\nsize [4 oz (2 pack)]\nLamp [new]\nPrice: $10.0\n\
                    Rating: N.A.\n[Description]\n[Features]\n[Reviews]\n[Buy Now]";
        let Shown::Item(item) = Shown::read(item) else {
            panic!()
        };
        assert_eq!((&*item.title, item.price), ("Lamp [new]", Some(10.0)));
        assert_eq!(item.options.len(), 2);
        assert_eq!(item.chosen, ["blue"]);
        assert_eq!(Shown::read("You have clicked blue."), Shown::Word);
        assert_eq!(Shown::read("Invalid action!"), Shown::Word);
    }
}
