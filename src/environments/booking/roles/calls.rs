//! The calls of a role, as each profile takes them.

use serde_json::{Map, Value, json};

use super::topic::Slots;
use crate::environments::booking::api::{ANY, Api, Domain};
use crate::environments::booking::desk::Profile;
use crate::environments::booking::score::clean_name;

/// The call that queries a domain; none for taxis, of which there are no records.
pub(super) fn query(profile: Profile, domain: Domain, info: &Slots) -> Option<String> {
    let (api, table, columns) = match domain {
        Domain::Hotel => (
            Api::QueryHotels,
            "hotel",
            "name, type, area, pricerange, stars, internet, parking, phone, address, postcode",
        ),
        Domain::Restaurant => (
            Api::QueryRestaurants,
            "restaurant",
            "name, food, area, pricerange, phone, address, postcode",
        ),
        Domain::Attraction => (
            Api::QueryAttractions,
            "attraction",
            "name, type, area, entrance_fee, phone, address, postcode",
        ),
        Domain::Train => (
            Api::QueryTrains,
            "train",
            "trainID, departure, destination, day, leaveAt, arriveBy, duration, price",
        ),
        Domain::Taxi => return None,
    };
    if profile != Profile::AutoTod {
        return Some(written(api, |key| info.get(key)));
    }
    let conditions = info.iter().map(|(slot, value)| {
        let value = value.replace('\'', "''");
        match slot {
            // The names of these tables are without `the`, `hotel` and `restaurant`.
            "name" => format!("name LIKE '%{}%'", clean_name(&value)),
            "leaveAt" => format!("leaveAt >= '{value}'"),
            "arriveBy" => format!("arriveBy <= '{value}'"),
            slot => format!("{slot} = '{value}'"),
        }
    });
    let conditions = conditions.collect::<Vec<_>>().join(" AND ");
    let mut sql = format!("SELECT {columns} FROM {table}");
    if !conditions.is_empty() {
        sql.push_str(&format!(" WHERE {conditions}"));
    }
    // The first rows are the only ones that are shown.
    match (info.get("arriveBy"), info.get("leaveAt")) {
        (Some(_), None) if domain == Domain::Train => sql.push_str(" ORDER BY arriveBy DESC"),
        _ if domain == Domain::Train => sql.push_str(" ORDER BY leaveAt"),
        _ => {}
    }
    Some(format!("{} {}", api.as_str(), json!({ "sql": sql })))
}

/// The call that books. `name` is the venue or the train.
pub(super) fn book(profile: Profile, domain: Domain, name: &str, slots: &Slots) -> Option<String> {
    let api = match domain {
        Domain::Hotel => Api::BookHotel,
        Domain::Restaurant => Api::BookRestaurant,
        Domain::Train => Api::BuyTrainTickets,
        Domain::Taxi => Api::BookTaxi,
        Domain::Attraction => return None,
    };
    if profile != Profile::AutoTod || matches!(domain, Domain::Hotel | Domain::Restaurant) {
        return Some(written(api, |key| match key {
            "name" | "trainID" => Some(name),
            key => slots.get(key),
        }));
    }
    let keys: &[(&str, &str)] = match domain {
        Domain::Train => &[("people", "tickets")],
        _ => &[
            ("departure", "departure"),
            ("destination", "destination"),
            ("leaveAt", "leave_time"),
            ("arriveBy", "arrive_time"),
        ],
    };
    let mut input = Map::new();
    if domain == Domain::Train {
        input.insert("train_id".to_owned(), name.into());
    }
    for (slot, key) in keys {
        if let Some(value) = slots.get(slot) {
            input.insert((*key).to_owned(), value.into());
        }
    }
    Some(format!("{} {}", api.as_str(), Value::Object(input)))
}

/// A call with all of its keys; what does not matter is `any`.
fn written<'s>(api: Api, value: impl Fn(&str) -> Option<&'s str>) -> String {
    let pairs = api
        .keys()
        .iter()
        .map(|key| ((*key).to_owned(), value(key).unwrap_or(ANY).into()));
    let input: Map<String, Value> = pairs.collect();
    format!("{} {}", api.as_str(), Value::Object(input))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_profile_has_its_own_calls() {
        let mut slots = Slots::default();
        slots.set("food", "o'food");
        slots.set("area", ANY);
        let call = query(Profile::Strict, Domain::Restaurant, &slots).unwrap();
        assert_eq!(
            call,
            r#"query_restaurants {"area":"any","pricerange":"any","food":"o'food","name":"any"}"#
        );
        let call = query(Profile::AutoTod, Domain::Restaurant, &slots).unwrap();
        assert!(
            call.contains("FROM restaurant WHERE food = 'o''food'\""),
            "{call}"
        );
        let mut slots = Slots::default();
        slots.set("people", "3");
        let call = book(Profile::AutoTod, Domain::Train, "TR1", &slots).unwrap();
        assert_eq!(
            call,
            r#"buy_train_tickets {"train_id":"TR1","tickets":"3"}"#
        );
        let call = book(Profile::Reference, Domain::Train, "TR1", &slots).unwrap();
        assert!(call.contains(r#""trainID":"TR1","people":"3""#), "{call}");
    }
}
