//! Official entries of products, as the files hold them.

use std::fmt;

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::{Map, Value};

use super::{OptionGroup, Product, price};
use crate::text::overlap::is_space;

/// The fields that are read.
const FIELDS: [&str; 10] = [
    "asin",
    "name",
    "full_description",
    "small_description",
    "pricing",
    "customization_options",
    "images",
    "product_category",
    "category",
    "query",
];

/// The fields of an entry that are read. Of a field that stands there twice the last value counts.
pub(super) struct Entry(Map<String, Value>);

impl<'de> Deserialize<'de> for Entry {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Fields)
    }
}

struct Fields;

impl<'de> Visitor<'de> for Fields {
    type Value = Entry;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a product")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Entry, A::Error> {
        let mut entry = Map::new();
        while let Some(name) = fields.next_key::<String>()? {
            if FIELDS.contains(&&*name) {
                entry.insert(name, fields.next_value()?);
            } else {
                fields.next_value::<IgnoredAny>()?;
            }
        }
        Ok(Entry(entry))
    }
}

impl Entry {
    /// The product's number.
    pub(super) fn asin(&self) -> Result<&str, String> {
        self.text("asin")
    }

    /// The product, with these attributes; its price is still to be drawn.
    pub(super) fn product(mut self, attributes: Vec<String>) -> Result<Product, String> {
        match self.0.get("images") {
            Some(Value::Array(images)) if !images.is_empty() => {}
            Some(Value::String(image)) if !image.is_empty() => {}
            _ => return Err("`images` has no image".to_owned()),
        }
        let pricing = self.pricing()?;
        Ok(Product {
            asin: self.asin()?.to_owned(),
            title: self.text("name")?.to_owned(),
            description: self.text("full_description")?.to_owned(),
            bullets: self.bullets()?,
            category: self.text("category")?.to_owned(),
            query: self
                .text("query")?
                .to_lowercase()
                .trim_matches(is_space)
                .to_owned(),
            product_category: self.text("product_category")?.to_owned(),
            price_tag: price::tag(&pricing),
            price: pricing.first().copied().unwrap_or_default(),
            pricing,
            options: self.options()?,
            attributes,
        })
    }

    fn text(&self, field: &str) -> Result<&str, String> {
        match self.0.get(field) {
            Some(Value::String(text)) => Ok(text),
            Some(_) => Err(format!("`{field}` is no text")),
            None => Err(format!("`{field}` is missing")),
        }
    }

    fn bullets(&mut self) -> Result<Vec<String>, String> {
        let texts = match self.0.remove("small_description") {
            Some(Value::String(bullet)) => Some(vec![bullet]),
            Some(bullets) => texts(bullets),
            None => return Err("`small_description` is missing".to_owned()),
        };
        texts.ok_or_else(|| "`small_description` is neither a text nor a list of texts".to_owned())
    }

    fn pricing(&self) -> Result<Vec<f64>, String> {
        match self.0.get("pricing") {
            Some(Value::String(pricing)) => price::parse(pricing),
            Some(value) if !is_falsy(value) => Err("`pricing` is no text".to_owned()),
            _ => price::parse(""),
        }
    }

    fn options(&self) -> Result<Vec<OptionGroup>, String> {
        let field = "`customization_options`";
        let groups = match self.0.get("customization_options") {
            Some(Value::Object(groups)) => groups,
            Some(value) if is_falsy(value) => return Ok(Vec::new()),
            Some(_) => return Err(format!("{field} is no object")),
            None => return Err(format!("{field} is missing")),
        };
        let mut options: Vec<OptionGroup> = Vec::new();
        for (name, contents) in groups {
            if contents.is_null() {
                continue;
            }
            let values = values(contents).ok_or_else(|| {
                format!("option `{name}` of {field} is no list of objects with a `value`")
            })?;
            let name = name.to_lowercase();
            match options.iter_mut().find(|group| group.name == name) {
                Some(group) => group.values = values,
                None => options.push(OptionGroup { name, values }),
            }
        }
        Ok(options)
    }
}

/// The values of an option.
fn values(contents: &Value) -> Option<Vec<String>> {
    let contents = match contents {
        Value::Array(contents) => contents,
        Value::String(text) if text.is_empty() => return Some(Vec::new()),
        Value::Object(map) if map.is_empty() => return Some(Vec::new()),
        _ => return None,
    };
    let value = |content: &Value| {
        let value = content.get("value")?.as_str()?;
        Some(
            value
                .trim_matches(is_space)
                .replace('/', " | ")
                .to_lowercase(),
        )
    };
    contents.iter().map(value).collect()
}

/// The texts of a list, if it is one and holds nothing else.
pub(in crate::environments::shop) fn texts(list: Value) -> Option<Vec<String>> {
    let Value::Array(list) = list else {
        return None;
    };
    let text = |value| match value {
        Value::String(text) => Some(text),
        _ => None,
    };
    list.into_iter().map(text).collect()
}

/// What Python takes for false.
fn is_falsy(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => true,
        Value::Bool(true) => false,
        Value::Number(number) => number.as_f64() == Some(0.0),
        Value::String(text) => text.is_empty(),
        Value::Array(list) => list.is_empty(),
        Value::Object(map) => map.is_empty(),
    }
}
