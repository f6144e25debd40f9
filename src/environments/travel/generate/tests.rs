use std::collections::{BTreeSet, HashSet};

use super::*;
use crate::calls::Call;
use crate::roles::planner_search;
use crate::score::clarification::rule_categories;
use crate::score::plan::Plan;
use crate::score::{Quirks, judge};
use crate::{answers, labels, reader, tools};

/// Whether the tools find nothing for a detail of a complete request.
fn fails(country: &Country, request: &Request, attribute: Attribute) -> bool {
    let shown = |call: &str| tools::view(country, &Call::read(call).unwrap()).unwrap();
    let cities = request.cities();
    let way: Vec<&str> = [&*request.origin].into_iter().chain(cities.clone()).collect();
    let legs = way.iter().zip(way.iter().skip(1).chain(&way[..1])).zip(labels::dates(request));
    let legs: Vec<[bool; 2]> = legs
        .map(|((from, to), date)| {
            let flights = shown(&format!(r#"FlightSearch("{from}", "{to}", "{date}")"#));
            let road = shown(&format!(r#"DistanceMatrix("{from}", "{to}", "taxi")"#));
            let is_closed = road.to_lowercase().contains("no valid information");
            [flights.starts_with("There is no flight"), is_closed]
        })
        .collect();
    let quoted = |items: &[String]| format!("{items:?}");
    match attribute {
        Attribute::Destination => legs.contains(&[true, true]),
        Attribute::Transportation => match &*request.transportation {
            "no flight" => legs.iter().any(|leg| leg[1]),
            "no self-driving" => legs.iter().any(|leg| leg[0]),
            _ => false,
        },
        Attribute::Housing => cities.iter().any(|city| {
            let filters = quoted(&request.housing);
            shown(&format!(r#"AccommodationSearch("{city}", {filters})"#)).starts_with("There is no accommodation")
        }),
        Attribute::Cuisine => request.cuisine.iter().any(|cuisine| {
            cities.iter().all(|city| {
                shown(&format!(r#"RestaurantSearch("{city}", ["{cuisine}"])"#))
                    .contains(&format!("There is no {cuisine} restaurant"))
            })
        }),
        Attribute::Budget => {
            let stops: Vec<String> = cities.iter().map(|city| (*city).to_owned()).collect();
            let (stops, dates) = (quoted(&stops), quoted(&labels::dates(request)));
            let (origin, people) = (&request.origin, request.people.unwrap());
            let least = shown(&format!(r#"BudgetEstimator("{origin}", {stops}, {dates}, {people})"#));
            let least: i64 = least.replace(['$', ','], "").parse().unwrap();
            request.budget.unwrap() < least
        }
        _ => false,
    }
}

/// The first conversations of a country's splits as they are made.
fn drafts(seed: u64, count: usize) -> Vec<Draft> {
    let tables = Tables::new(seed);
    let country = tables.country();
    let builder = Builder::new(&country, tables.cities(), seed);
    let both = ["train", "test"].into_iter();
    let drafts = both.flat_map(|split| builder.drafts(split, count).collect::<Vec<_>>());
    let drafts: Vec<Draft> = drafts.map(Result::unwrap).collect();
    for draft in &drafts {
        let replaced = draft.details.iter().filter(|detail| detail.operation == Operation::Replace);
        for attribute in replaced.map(|detail| detail.attribute) {
            let mut request = draft.wanted.clone();
            request.set(attribute, &draft.made.get(attribute)).unwrap();
            assert!(fails(&country, &request, attribute), "{draft:?}");
        }
        for attribute in Attribute::ALL {
            assert!(!fails(&country, &draft.wanted, attribute), "{draft:?}");
        }
    }
    drafts
}

#[test]
fn every_seed_makes_another_country_of_different_names() {
    let tables = Tables::new(SEED);
    let cities: BTreeSet<&str> = tables.cities().map(|(city, _)| city).collect();
    assert_eq!(cities.len(), 48);
    let homes = tables.rows.accommodations.iter().map(|row| &*row.name);
    let restaurants = tables.rows.restaurants.iter().map(|row| &*row.name);
    let names: Vec<&str> = homes.chain(restaurants).collect();
    assert_eq!(names.iter().collect::<HashSet<_>>().len(), names.len());
    assert!(names.iter().all(|name| !name.contains([',', '(', ';'])));
    for city in &cities {
        let names: HashSet<&str> =
            tables.rows.attractions.iter().filter(|row| row.city == *city).map(|row| &*row.name).collect();
        assert!(names.len() >= 7, "{city}");
    }
    assert_ne!(Tables::new(1).rows.accommodations[0], Tables::new(2).rows.accommodations[0]);
}

#[test]
fn more_flights_begin_with_fewer_and_are_of_other_months() {
    let tables = Tables::new(3);
    let month: Vec<Flight> = tables.flights(0).collect();
    assert!((15_000..40_000).contains(&month.len()), "{}", month.len());
    assert!(month.iter().all(|flight| flight.date.starts_with("2022-03")));
    let more: Vec<Flight> = tables.flights(month.len() + 2_000).collect();
    assert_eq!(more.len(), month.len() + 2_000);
    assert_eq!(more[..month.len()], month);
    let others = &more[month.len()..];
    assert!(others.iter().all(|flight| flight.date.starts_with("2022-04")));
    let numbers: HashSet<&str> = more.iter().map(|flight| &*flight.number).collect();
    assert_eq!(numbers.len(), more.len());
}

#[test]
fn conversations_lack_what_they_should_and_can_be_met_in_the_end() {
    let drafts = drafts(SEED, 200);
    let mut kinds = BTreeSet::new();
    for draft in &drafts {
        let conversation = draft.conversation().unwrap();
        assert_eq!(conversation.request, draft.made, "{}", draft.id);
        assert_eq!(conversation.state(draft.details.len()), draft.wanted, "{}", draft.id);
        let order = conversation.details.iter().map(|detail| detail.priority);
        assert!(order.is_sorted(), "{}", draft.id);
        let preferences = ["housing", "cuisine", "transportation"];
        let wanted = preferences.map(|key| {
            let attribute = Attribute::named(key).unwrap();
            usize::from(!details::value(&draft.wanted, attribute).is_null())
        });
        let wanted: usize = wanted.iter().sum();
        match draft.level {
            "easy" => assert_eq!((wanted, draft.wanted.people), (0, Some(1))),
            "medium" => assert_eq!(wanted, 1),
            _ => assert!((2..=3).contains(&wanted)),
        }
        for detail in &draft.details {
            kinds.insert((detail.attribute, detail.operation == Operation::Add));
            assert_eq!(rule_categories(&detail.question), [detail.attribute], "{}", detail.question);
            assert!(!detail.answer.contains(['{', '}']) && !detail.answer.is_empty());
        }
    }
    assert_eq!(kinds.len(), 11, "{kinds:?}");
    for ten in drafts.chunks(10) {
        let counts = [0, 1, 2, 3].map(|count| ten.iter().filter(|draft| draft.details.len() == count).count());
        assert_eq!(counts, [1, 3, 3, 3]);
    }
}

#[test]
fn fewer_conversations_are_the_first_of_more() {
    let [few, more] = [5, 12].map(|count| drafts(4, count));
    assert_eq!(few[..5], more[..5]);
    assert_eq!(few[5..], more[12..17]);
    assert_ne!(few[..5], drafts(5, 5)[..5]);
}

#[test]
fn what_is_said_can_be_read() {
    let wrong = drafts(SEED, 150).into_iter().filter_map(|draft| {
        let conversation = draft.conversation()?;
        let said = conversation.details.iter().map(|detail| (detail.question.clone(), detail.answer.clone()));
        let read = reader::request(&conversation.query, &said.collect::<Vec<_>>());
        let said = format!("{} {:?}\n{}", draft.query, draft.details, read.to_json());
        (read != draft.wanted).then_some(said)
    });
    let wrong: Vec<String> = wrong.collect();
    assert_eq!(wrong, [""; 0], "{}", wrong.join("\n\n"));
}

#[test]
fn what_is_wanted_in_the_end_can_be_planned() {
    let country = builtin();
    for draft in drafts(SEED, 60) {
        let calls = labels::brute_force(&draft.wanted);
        let results = answers::results(&country, calls, answers::Form::Planning);
        let shown = |call: &Call| {
            let found = results.iter().find(|(name, _)| **name == call.description());
            found.map(|(_, text)| &**text)
        };
        let planned = planner_search::plan(&draft.wanted, &shown, 100_000).unwrap();
        let plan = Plan::from_json(&planned.days).unwrap();
        for quirks in [Quirks::Reference, Quirks::Worded] {
            let verdict = judge(&country, &draft.wanted, &plan, quirks);
            assert!(verdict.passes(), "{} {} {}", draft.id, planned.days, verdict.to_json());
        }
    }
}
