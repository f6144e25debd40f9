//! A small town for tests.

use std::sync::Arc;

use serde_json::{Value, json};

use super::city::City;
use super::database::{Database, Record};

fn records(records: Value) -> Vec<Record> {
    serde_json::from_value(records).unwrap()
}

/// A restaurant, of which there are a dozen.
fn chain(number: usize) -> Value {
    json!({"id": (100 + number).to_string(), "name": format!("burger corner {number:02}"), "area": "south",
        "pricerange": "cheap", "food": "american", "phone": null, "postcode": "cb9", "address": format!("{number} south road")})
}

/// A town with few venues, and with trains of which two have the same ID. One record lacks most fields.
pub(super) fn town() -> Arc<City> {
    let hotels = json!([
        {"id": "0", "name": "acorn guest house", "type": "guesthouse", "area": "north", "internet": "yes", "parking": "yes",
            "pricerange": "moderate", "stars": "4", "phone": "01223000001", "address": "1 north road", "postcode": "cb1"},
        {"id": "1", "name": "Gonville Hotel", "type": "hotel", "area": "centre", "internet": "yes", "parking": "no",
            "pricerange": "expensive", "stars": "3", "phone": "01223000002", "address": "2 park way", "postcode": "cb2"},
        {"id": "x"},
    ]);
    let mut restaurants = vec![
        json!({"id": "7", "name": "the varsity restaurant", "area": "centre", "pricerange": "moderate", "food": "international",
            "phone": "01223000003", "postcode": "cb3", "address": "3 high street"}),
        json!({"id": "5", "name": "curry garden", "area": "centre", "pricerange": "expensive", "food": "indian",
            "phone": "01223000004", "postcode": "cb4", "address": "4 high street"}),
    ];
    restaurants.extend((1..=12).map(chain));
    let attractions = json!([
        {"id": "1", "name": "castle galleries", "type": "museum", "area": "centre", "phone": "01223000005",
            "postcode": "cb5", "address": "5 castle hill", "entrance fee": "free"},
    ]);
    let train = |id: &str, day: &str, from: &str, to: &str, leave: &str, arrive: &str| {
        json!({"trainID": id, "day": day, "departure": from, "destination": to, "leaveAt": leave, "arriveBy": arrive,
            "duration": "50 minutes", "price": "10.10 pounds"})
    };
    let trains = json!([
        train("TR0001", "monday", "cambridge", "ely", "09:00", "09:50"),
        train("TR0001", "friday", "ely", "cambridge", "11:00", "11:50"),
        train("TR0002", "monday", "cambridge", "london kings cross", "10:00", "24:10"),
    ]);
    let words = |words: [&str; 2]| words.map(str::to_owned).to_vec();
    let database = Database::new(
        [records(hotels), records(Value::Array(restaurants)), records(attractions), records(trains)],
        words(["red", "grey"]),
        words(["audi", "volvo"]),
    );
    Arc::new(City::new(database, Vec::new()))
}
