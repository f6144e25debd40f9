//! What a product is found by.

use crate::environments::shop::catalogue::Product;

/// The text that is searched: title, description, first bullet and options, in small letters.
pub(super) fn document(product: &Product) -> String {
    let bullet = product.bullets.first().map_or("", String::as_str);
    let mut text = [&product.title, &product.description, bullet, ""].join(" ");
    for (place, option) in product.options.iter().enumerate() {
        text.push_str(if place == 0 { "" } else { ", and " });
        text.push_str(&option.name);
        text.push_str(": ");
        text.push_str(&option.values.join(", "));
    }
    text.to_lowercase()
}
