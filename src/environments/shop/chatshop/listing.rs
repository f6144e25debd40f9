//! How products are listed for the agent.

use std::fmt::Write;

use crate::environments::shop::catalogue::Product;

/// The most letters of an option group's line.
const MOST_LETTERS: usize = 100;

/// A product's lines in a listing: name, price, attributes and options, of which long lines are cut (and then
/// lose their line break, as in the original program).
pub fn describe(product: &Product, to: &mut String) {
    // Writing to a text cannot fail.
    let price = product.pricing.first().copied().unwrap_or_default();
    let attributes = product.attributes.join(", ");
    let _ = writeln!(
        to,
        "{}\nPrice: {price:?}, Attributes: {attributes}",
        product.title
    );
    // The search service hands options over in the order of their names.
    let mut groups: Vec<_> = product.options.iter().collect();
    groups.sort_by(|one, other| one.name.cmp(&other.name));
    for group in groups {
        let line = format!("{}: {}\n", group.name, group.values.join(", "));
        match line.char_indices().nth(MOST_LETTERS) {
            Some((end, _)) => {
                let _ = write!(to, "{}...", line.get(..end).unwrap_or_default());
            }
            None => to.push_str(&line),
        }
    }
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
            let numbered = line.split_once('.');
            let number = numbered.and_then(|(number, name)| Some((number.parse().ok()?, name)));
            if let Some((number, name)) = number.filter(|(number, _)| is_next(&all, *number)) {
                let name = name.to_owned();
                all.push(Self {
                    number,
                    name,
                    ..Self::default()
                });
                continue;
            }
            let Some(last) = all.last_mut() else { continue };
            match line
                .strip_prefix("Price: ")
                .and_then(|rest| rest.split_once(", Attributes: "))
            {
                Some((price, attributes)) if last.price.is_empty() => {
                    last.price = price.to_owned();
                    last.attributes = values(attributes);
                }
                _ => last.read_options(line),
            }
        }
        all.retain(|listing| !listing.price.is_empty());
        all
    }

    /// One line may hold several groups: a long one is cut and ends with `...`.
    fn read_options(&mut self, line: &str) {
        for part in line.split("...") {
            if let Some((name, listed)) = part.split_once(": ") {
                self.options.push((name.to_owned(), values(listed)));
            }
        }
    }
}

/// Whether a product of this number can follow: a title may begin with a number, too.
fn is_next(all: &[Listing], number: usize) -> bool {
    all.last()
        .is_none_or(|last| number > last.number && !last.price.is_empty())
}

fn values(text: &str) -> Vec<String> {
    let values = text.split(", ").filter(|value| !value.is_empty());
    values.map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::environments::shop::catalogue::OptionGroup;

    #[test]
    fn a_listing_is_written_and_read_again() {
        let long = OptionGroup {
            name: "color".to_owned(),
            values: (0..30).map(|n| format!("blue {n}")).collect(),
        };
        let short = OptionGroup {
            name: "size".to_owned(),
            values: vec!["6 inch".to_owned()],
        };
        let product = Product {
            title: "Lamp".to_owned(),
            pricing: vec![12.0, 15.5],
            attributes: vec!["easy clean".to_owned(), "steel".to_owned()],
            options: vec![long, short],
            ..Product::default()
        };
        let mut text = "\n\nProducts:\n0.".to_owned();
        describe(&product, &mut text);
        text.push_str("\n1.");
        describe(&product, &mut text);
        assert!(text.contains("Price: 12.0, Attributes: easy clean, steel\ncolor: blue 0"));
        assert!(text.contains("...size: 6 inch\n"), "{text}");
        let read = Listing::read(&text);
        assert_eq!(read.len(), 2);
        assert_eq!(read[1].number, 1);
        assert_eq!(read[1].attributes, product.attributes);
        assert_eq!(
            read[1].options[1],
            ("size".to_owned(), vec!["6 inch".to_owned()])
        );
        assert!(Listing::read("Not sure. (You have 0 questions left) ").is_empty());
    }
}
