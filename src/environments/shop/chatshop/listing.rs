//! How products are listed for the agent.

use crate::catalogue::Product;

/// The most letters of an option group's line.
const MOST_LETTERS: usize = 100;

/// A product's lines in a listing: name, price, attributes and options, of which long lines are cut (and then
/// lose their line break, as in the original program).
pub(super) fn describe(product: &Product) -> String {
    let title = &product.title;
    let price = product.pricing.first().copied().unwrap_or_default();
    let attributes = product.attributes.join(", ");
    let mut text = format!("{title}\nPrice: {price:?}, Attributes: {attributes}\n");
    // The search service hands options over in the order of their names.
    let mut groups: Vec<_> = product.options.iter().collect();
    groups.sort_by_key(|group| &group.name);
    for group in groups {
        let line = format!("{}: {}\n", group.name, group.values.join(", "));
        match line.char_indices().nth(MOST_LETTERS) {
            Some((end, _)) => text.extend([&line[..end], "..."]),
            None => text.push_str(&line),
        }
    }
    text
}

/// A product of a listing as somebody reads it again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listing {
    /// Its number.
    pub number: usize,
    /// Its name.
    pub name: String,
    /// Its price, as it is written.
    pub price: String,
    /// Its attributes.
    pub attributes: Vec<String>,
    /// Its options with as many values as are shown.
    pub options: Vec<(String, Vec<String>)>,
}

impl Listing {
    /// The products of an observation; none if it lists none.
    pub fn read(observation: &str) -> Vec<Self> {
        let mut all: Vec<Self> = Vec::new();
        for line in observation.lines() {
            // A title may begin with a number, too.
            let is_next = |number: &usize| {
                let fits = |last: &Self| *number > last.number && !last.price.is_empty();
                all.last().is_none_or(fits)
            };
            if let Some((number, name)) = line.split_once('.')
                && let Some(number) = number.parse().ok().filter(is_next)
            {
                all.push(Self { number, name: name.to_owned(), ..Self::default() });
            } else if let Some(last) = all.last_mut() {
                last.read_line(line);
            }
        }
        all.retain(|listing| !listing.price.is_empty());
        all
    }

    fn read_line(&mut self, line: &str) {
        let parts = line.strip_prefix("Price: ").and_then(|rest| rest.split_once(", Attributes: "));
        if let (Some((price, attributes)), true) = (parts, self.price.is_empty()) {
            self.price = price.to_owned();
            self.attributes = values(attributes);
            return;
        }
        // One line may hold several groups: a long one is cut and ends with `...`.
        let groups = line.split("...").filter_map(|part| part.split_once(": "));
        self.options.extend(groups.map(|(name, listed)| (name.to_owned(), values(listed))));
    }
}

fn values(text: &str) -> Vec<String> {
    text.split(", ").filter(|value| !value.is_empty()).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::OptionGroup;

    #[test]
    fn a_listing_is_written_and_read_again() {
        let long = OptionGroup { name: "color".to_owned(), values: (0..30).map(|n| format!("blue {n}")).collect() };
        let short = OptionGroup { name: "size".to_owned(), values: vec!["6 inch".to_owned()] };
        let product = Product {
            title: "Lamp".to_owned(),
            pricing: vec![12.0, 15.5],
            attributes: vec!["easy clean".to_owned(), "steel".to_owned()],
            options: vec![long, short],
            ..Product::default()
        };
        let described = describe(&product);
        let text = format!("\n\nProducts:\n0.{described}\n1.{described}");
        assert!(text.contains("Price: 12.0, Attributes: easy clean, steel\ncolor: blue 0"));
        assert!(text.contains("...size: 6 inch\n"), "{text}");
        let read = Listing::read(&text);
        assert_eq!(read.len(), 2);
        assert_eq!(read[1].number, 1);
        assert_eq!(read[1].attributes, product.attributes);
        assert_eq!(read[1].options[1], ("size".to_owned(), vec!["6 inch".to_owned()]));
        assert!(Listing::read("Not sure. (You have 0 questions left) ").is_empty());
    }
}
