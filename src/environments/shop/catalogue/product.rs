//! One product.

/// A product as it is shown, searched and judged.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Product {
    /// Its number in the shop, at most ten letters and digits.
    pub asin: String,
    /// Its title.
    pub title: String,
    /// The long description; may be empty.
    pub description: String,
    /// The short descriptions, as they are listed.
    pub bullets: Vec<String>,
    /// `beauty`, `fashion`, `garden`, `grocery` or `electronics`.
    pub category: String,
    /// The query by which it was found when the catalogue was made, in small letters.
    pub query: String,
    /// The path of its category, with ` › ` between the parts.
    pub product_category: String,
    /// The price or the two ends of its range, in dollars.
    pub pricing: Vec<f64>,
    /// The price as it is shown: `$10.99`, `$10.0 to $12.5`.
    pub price_tag: String,
    /// The price that purchases are judged by, in dollars: drawn from the range where there is one.
    pub price: f64,
    /// The options to be chosen, in the order of the page.
    pub options: Vec<OptionGroup>,
    /// The attributes that people mined from its descriptions.
    pub attributes: Vec<String>,
}

/// An option of a product, such as its colour, with the values that can be chosen.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct OptionGroup {
    /// Its name, in small letters.
    pub name: String,
    /// Its values, in small letters.
    pub values: Vec<String>,
}
