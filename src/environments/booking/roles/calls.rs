//! The calls of a role, as each profile takes them.

use serde_json::Value;

use super::topic::Slots;
use crate::api::{ANY, Api, Domain};
use crate::desk::Profile;
use crate::score::clean_name;

/// The call that queries a domain; none for taxis, of which there are no records.
pub(super) fn query(profile: Profile, domain: Domain, info: &Slots) -> Option<String> {
    let api = api(domain, false)?;
    if profile != Profile::AutoTod {
        return Some(in_full(api, |key| info.get(key)));
    }
    let conditions = info.iter().map(|(slot, value)| {
        let value = value.replace('\'', "''");
        match slot {
            // Names in these tables lack `the`, `hotel` and `restaurant`.
            "name" => format!("name LIKE '%{}%'", clean_name(&value)),
            "leaveAt" => format!("leaveAt >= '{value}'"),
            "arriveBy" => format!("arriveBy <= '{value}'"),
            slot => format!("{slot} = '{value}'"),
        }
    });
    let filter = match conditions.collect::<Vec<_>>().join(" AND ") {
        none if none.is_empty() => none,
        all => format!(" WHERE {all}"),
    };
    // Only the first rows are shown.
    let is_late = info.get("arriveBy").is_some() && info.get("leaveAt").is_none();
    let order = match domain {
        Domain::Train if is_late => " ORDER BY arriveBy DESC",
        Domain::Train => " ORDER BY leaveAt",
        _ => "",
    };
    let sql = format!("SELECT {} FROM {domain}{filter}{order}", columns(domain));
    Some(call(api, [("sql", sql.as_str())]))
}

/// The columns that are selected from the table of a domain.
fn columns(domain: Domain) -> &'static str {
    match domain {
        Domain::Hotel => "name, type, area, pricerange, stars, internet, parking, phone, address, postcode",
        Domain::Restaurant => "name, food, area, pricerange, phone, address, postcode",
        Domain::Attraction => "name, type, area, entrance_fee, phone, address, postcode",
        _ => "trainID, departure, destination, day, leaveAt, arriveBy, duration, price",
    }
}

/// The call that books. `name` is the venue or the train.
pub(super) fn book(profile: Profile, domain: Domain, name: &str, slots: &Slots) -> Option<String> {
    let api = api(domain, true)?;
    let value = |key: &str| match key {
        "name" | "trainID" => Some(name),
        key => slots.get(key),
    };
    // The functions of AutoTOD have keys of their own.
    let keys: &[(&str, &str)] = match (profile, api) {
        (Profile::AutoTod, Api::BuyTrainTickets) => &[("trainID", "train_id"), ("people", "tickets")],
        (Profile::AutoTod, Api::BookTaxi) => &[
            ("departure", "departure"),
            ("destination", "destination"),
            ("leaveAt", "leave_time"),
            ("arriveBy", "arrive_time"),
        ],
        _ => return Some(in_full(api, value)),
    };
    let pairs = keys.iter().filter_map(|(slot, key)| Some((*key, value(slot)?)));
    Some(call(api, pairs))
}

/// The call that queries or books a domain.
fn api(domain: Domain, books: bool) -> Option<Api> {
    Api::ALL.into_iter().find(|api| api.domain() == domain && api.books() == books)
}

/// A call with all of its keys; `any` for those that do not matter.
fn in_full<'s>(api: Api, value: impl Fn(&str) -> Option<&'s str>) -> String {
    call(api, api.keys().iter().map(|key| (*key, value(key).unwrap_or(ANY))))
}

/// A call as it is written.
fn call<'s>(api: Api, pairs: impl IntoIterator<Item = (&'static str, &'s str)>) -> String {
    let pairs = pairs.into_iter().map(|(key, value)| (key.to_owned(), value.into()));
    format!("{api} {}", Value::Object(pairs.collect()))
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
        assert_eq!(call, r#"query_restaurants {"area":"any","pricerange":"any","food":"o'food","name":"any"}"#);
        let call = query(Profile::AutoTod, Domain::Restaurant, &slots).unwrap();
        assert!(call.contains("FROM restaurant WHERE food = 'o''food'\""), "{call}");
        let mut slots = Slots::default();
        slots.set("people", "3");
        let call = book(Profile::AutoTod, Domain::Train, "TR1", &slots).unwrap();
        assert_eq!(call, r#"buy_train_tickets {"train_id":"TR1","tickets":"3"}"#);
        let call = book(Profile::Reference, Domain::Train, "TR1", &slots).unwrap();
        assert!(call.contains(r#""trainID":"TR1","people":"3""#), "{call}");
    }
}
