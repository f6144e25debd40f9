//! Products as they are made of official entries.

use serde::Deserialize;
use serde_json::{Map, Value, json};
use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};

use super::elements::{NO_TEXT, Object};
use super::{OptionGroup, Product};
use rolecall_core::text::python::strip;
use rolecall_core::text::{joined_by, python_float};

/// The short description.
#[derive(Deserialize)]
#[serde(untagged)]
enum Bullets {
    One(String),
    Many(Vec<String>),
}

/// The product of an entry, with these attributes; its price is still to be drawn.
pub(super) fn product(entry: &Object, attributes: Vec<String>) -> Result<Product, String> {
    let text = |field| entry.field::<String>(field, NO_TEXT);
    match entry.optional("images", "has no image")? {
        Some(images @ (Value::Array(_) | Value::String(_))) if !is_falsy(&images) => {}
        _ => return Err("`images` has no image".to_owned()),
    }
    let pricing = match entry.optional("pricing", NO_TEXT)? {
        Some(Value::String(pricing)) => price_of(&pricing)?,
        Some(value) if !is_falsy(&value) => return Err(format!("`pricing` {NO_TEXT}")),
        _ => price_of("")?,
    };
    let bullets = "is neither a text nor a list of texts";
    Ok(Product {
        asin: text("asin")?,
        title: text("name")?,
        description: text("full_description")?,
        bullets: match entry.field("small_description", bullets)? {
            Bullets::One(bullet) => vec![bullet],
            Bullets::Many(bullets) => bullets,
        },
        category: text("category")?,
        query: strip(&text("query")?.to_lowercase()).to_owned(),
        product_category: text("product_category")?,
        price_tag: price_tag(&pricing),
        price: pricing.first().copied().unwrap_or_default(),
        pricing,
        options: options(entry)?,
        attributes,
    })
}

/// The options to be chosen; of names that differ in large letters alone the last one counts.
fn options(entry: &Object) -> Result<Vec<OptionGroup>, String> {
    let field = "customization_options";
    let groups = match entry.field(field, "is no object")? {
        Value::Object(groups) => groups,
        value if is_falsy(&value) => Map::new(),
        _ => return Err(format!("`{field}` is no object")),
    };
    let mut options: Vec<OptionGroup> = Vec::new();
    for (name, contents) in groups.into_iter().filter(|(_, it)| !it.is_null()) {
        let values = values(&contents)
            .ok_or_else(|| format!("option `{name}` of `{field}` is no list of objects with a `value`"))?;
        let name = name.to_lowercase();
        match options.iter_mut().find(|group| group.name == name) {
            Some(group) => group.values = values,
            None => options.push(OptionGroup { name, values }),
        }
    }
    Ok(options)
}

/// The values of an option.
fn values(contents: &Value) -> Option<Vec<String>> {
    if *contents == json!("") || *contents == json!({}) {
        return Some(Vec::new());
    }
    contents
        .as_array()?
        .iter()
        .map(|content| {
            let value = strip(content.get("value")?.as_str()?);
            Some(value.replace('/', " | ").to_lowercase())
        })
        .collect()
}

/// Whether Python takes a value for false.
fn is_falsy(value: &Value) -> bool {
    let empty = [json!(null), json!(false), json!(""), json!([]), json!({})];
    empty.contains(value) || value.as_f64() == Some(0.0)
}

/// The price of a product that has none.
const UNKNOWN: f64 = 100.0;

/// The price or the two ends of its range, in dollars: what follows each `$`, without all but digits and points.
///
/// # Errors
/// When there is no `$`, or no number behind one; the text says so.
pub fn price_of(pricing: &str) -> Result<Vec<f64>, String> {
    if pricing.is_empty() {
        return Ok(vec![UNKNOWN]);
    }
    let prices: Option<Vec<f64>> = pricing.split('$').skip(1).map(number).collect();
    let mut prices = prices.ok_or_else(|| format!("no number follows a `$` of the price `{pricing}`"))?;
    if prices.is_empty() {
        return Err(format!("the price `{pricing}` has no `$`"));
    }
    prices.truncate(2);
    Ok(prices)
}

/// The number of a part of a price.
fn number(part: &str) -> Option<f64> {
    // Digits of other scripts are none that are to be left out, and none that official files have.
    let is_digit = |letter: char| letter.general_category() == GeneralCategory::DecimalNumber;
    if part.chars().any(|it| !it.is_ascii() && is_digit(it)) {
        return None;
    }
    let number: f64 = part.chars().filter(|it| *it == '.' || it.is_ascii_digit()).collect::<String>().parse().ok()?;
    number.is_finite().then_some(number)
}

/// The price as pages show it: `$10.99`, `$10.0 to $12.5`.
pub fn price_tag(prices: &[f64]) -> String {
    joined_by(" to ", prices.iter().map(|price| format!("${}", python_float(*price))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prices_are_read_and_shown() {
        let cases: [(&str, &[f64], &str); 7] = [
            ("", &[100.0], "$100.0"),
            ("$1,234.56", &[1234.56], "$1234.56"),
            ("$12 - $15 - $19", &[12.0, 15.0], "$12.0 to $15.0"),
            ("USD $3", &[3.0], "$3.0"),
            ("$7.", &[7.0], "$7.0"),
            ("$ .5 each", &[0.5], "$0.5"),
            ("$1,000,000.10", &[1_000_000.1], "$1000000.1"),
        ];
        for (text, prices, shown) in cases {
            assert_eq!(price_of(text).unwrap(), prices, "{text}");
            assert_eq!(price_tag(prices), shown);
        }
    }

    #[test]
    fn what_is_no_price_is_refused() {
        for text in ["12.50", "$", "$5.00 $", "$1.2.3", "$.", "free", "$\u{661}\u{662}", "$3 - $\u{663}"] {
            assert!(price_of(text).unwrap_err().contains(text), "{text}");
        }
    }
}
