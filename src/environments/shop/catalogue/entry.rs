//! Products as they are made of official entries.

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::elements::{NO_TEXT, Object};
use super::{OptionGroup, Product, price};
use crate::text::python::strip;

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
        Some(Value::String(pricing)) => price::parse(&pricing)?,
        Some(value) if !is_falsy(&value) => return Err(format!("`pricing` {NO_TEXT}")),
        _ => price::parse("")?,
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
        price_tag: price::tag(&pricing),
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
    let values = contents.as_array()?.iter().map(|content| {
        let value = strip(content.get("value")?.as_str()?);
        Some(value.replace('/', " | ").to_lowercase())
    });
    values.collect()
}

/// Whether Python takes a value for false.
fn is_falsy(value: &Value) -> bool {
    let empty = [json!(null), json!(false), json!(""), json!([]), json!({})];
    empty.contains(value) || value.as_f64() == Some(0.0)
}
