use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::country::{Accommodation, Attraction, Country, Flight, Restaurant, Road, Rows};
use crate::request::Request;

fn country() -> Country {
    let restaurant = |name: &str, cuisines: &str, city: &str| Restaurant {
        name: name.to_owned(),
        average_cost: 10,
        cuisines: cuisines.to_owned(),
        rating: 4.0,
        city: city.to_owned(),
    };
    let attraction = |name: &str| Attraction {
        name: name.to_owned(),
        latitude: 0.0,
        longitude: 0.0,
        address: "Street".to_owned(),
        phone: "1".to_owned(),
        website: "w".to_owned(),
        city: "Bath".to_owned(),
    };
    let flight = |number: &str, date: &str, origin: &str, destination: &str| Flight {
        number: number.to_owned(),
        price: 100,
        departs: "08:00".to_owned(),
        arrives: "09:00".to_owned(),
        elapsed: "1 hours 0 minutes".to_owned(),
        date: date.to_owned(),
        origin: origin.to_owned(),
        destination: destination.to_owned(),
        distance: 200.0,
    };
    let road = |from: &str, to: &str| {
        let road = Road { duration: "2 hours".to_owned(), distance: "200 km".to_owned() };
        (from.to_owned(), to.to_owned(), road)
    };
    let meals = ["Big Inn", "Bar", "Grill", "Cafe", "Pub", "Deli", "Diner"];
    let meals = meals.map(|name| restaurant(name, "Thai, French", "Bath"));
    Country::of_rows(Rows {
        cities: vec!["Troy".to_owned(), "Bath".to_owned()],
        accommodations: vec![Accommodation {
            name: "Loft".to_owned(),
            price: 50.0,
            room_type: "Private room".to_owned(),
            house_rules: "No pets".to_owned(),
            minimum_nights: 2.0,
            maximum_occupancy: 2,
            review_rate: 4.0,
            city: "Bath".to_owned(),
        }],
        restaurants: meals.into_iter().chain([restaurant("Halt", "Indian", "Troy")]).collect(),
        attractions: ["Pump Room", "Abbey"].map(attraction).to_vec(),
        roads: vec![road("Troy", "Bath"), road("Bath", "Troy")],
        flights: vec![flight("F1", "2022-03-05", "Troy", "Bath"), flight("F2", "2022-03-07", "Bath", "Troy")],
    })
}

fn request() -> Request {
    let request = json!({
        "org": "Troy", "dest": ["Bath on day 1"], "days": 3, "departure_date": "2022-03-05", "people_number": 3,
        "housing": [], "cuisine": [], "transportation": "", "budget": 2000,
    });
    Request::from_json(&request).unwrap()
}

fn plan() -> Value {
    let day = |number: i64, city: &str, way: &str, meals: [&str; 3], seen: &str, room: &str| {
        json!({
            "day": number, "current_city": city, "transportation": way, "breakfast": meals[0], "attraction": seen,
            "lunch": meals[1], "dinner": meals[2], "accommodation": room,
        })
    };
    let (out, back) = ("from Troy to Bath", "from Bath to Troy");
    let flights = ["F1", "F2"].map(|number| format!("Flight Number: {number}, "));
    json!([
        day(1, out, &format!("{}{out}", flights[0]), ["-", "Big Inn, Bath", "Bar, Bath"], "-", "Loft, Bath"),
        day(2, "Bath", "-", ["Grill, Bath", "Cafe, Bath", "Pub, Bath"], "Abbey, Bath;", "Loft, Bath"),
        day(3, back, &format!("{}{back}", flights[1]), ["Deli, Bath", "-", "-"], "Pump Room, Bath;", "-"),
    ])
}

fn judged(request: &Request, plan: &Value, quirks: Quirks) -> Verdict {
    let plan = Plan::from_json(plan).unwrap();
    judge(&country(), request, &plan, quirks)
}

/// Judges a plan in which one field is another one, in both ways: whether all of common sense is met.
fn sense(day: usize, field: &str, text: &str) -> (bool, bool) {
    let mut plan = plan();
    plan[day][field] = text.into();
    let has_sense = |quirks| judged(&request(), &plan, quirks).has_sense();
    (has_sense(Quirks::Reference), has_sense(Quirks::Worded))
}

#[test]
fn a_good_plan_passes_both_ways() {
    for quirks in [Quirks::Reference, Quirks::Worded] {
        let verdict = judged(&request(), &plan(), quirks);
        assert!(verdict.passes(), "{:#?}", verdict.to_json());
        // Two flights of three, six meals of three, two nights in two rooms.
        assert_eq!(verdict.cost, Ok(600.0 + 180.0 + 200.0));
    }
    let poor = Request { budget: Some(979), ..request() };
    let verdict = judged(&poor, &plan(), Quirks::Reference);
    assert_eq!((verdict.has_sense(), verdict.fits()), (true, Some(false)));
}

#[test]
fn faults_of_the_original_are_left_out_as_it_is_worded() {
    for (day, field, text, expected) in [
        // The last attraction without `;` is not looked at.
        (1, "attraction", "Castle, Bath", (true, false)),
        (1, "attraction", "Abbey, Bath; Pump Room, Bath", (true, false)),
        // A part of a name is enough.
        (1, "lunch", "a, Bath", (true, false)),
        // A blank makes another text.
        (1, "lunch", "Bar, Bath ", (true, false)),
        // One letter of the city is enough.
        (1, "dinner", "Halt, Troy", (true, false)),
        // The date of a flight does not count, nor which way something unknown leads.
        (2, "transportation", "Flight Number: F1, from Troy to Bath", (true, false)),
        (2, "transportation", "Train, from Bath to Troy", (true, false)),
        (2, "transportation", "Taxi, from Bath to Troy", (true, true)),
        (0, "transportation", "Self-driving, from Troy to Bath", (false, false)),
        (0, "transportation", "Flight Number: F7, from Troy to Bath", (false, false)),
        (0, "current_city", "from Bath", (false, false)),
        (0, "accommodation", "Shed, Bath", (false, false)),
        (1, "accommodation", "-", (false, false)),
    ] {
        assert_eq!(sense(day, field, text), expected, "{field}: {text}");
    }
}

#[test]
fn wishes_count_as_they_are_worded() {
    let with = |change: fn(&mut Request), quirks| {
        let mut request = request();
        change(&mut request);
        judged(&request, &plan(), quirks).fits()
    };
    let twice = |request: &mut Request| request.cuisine = vec!["Thai".into(), "Thai".into()];
    assert_eq!(with(twice, Quirks::Reference), Some(false));
    assert_eq!(with(twice, Quirks::Worded), Some(true));
    let pets = |request: &mut Request| request.housing = vec!["pets".into()];
    let shared = |request: &mut Request| request.housing = vec!["not shared room".into()];
    let no_flight = |request: &mut Request| request.transportation = "no flight".into();
    for quirks in [Quirks::Reference, Quirks::Worded] {
        assert_eq!(with(pets, quirks), Some(false));
        assert_eq!(with(shared, quirks), Some(true));
        assert_eq!(with(no_flight, quirks), Some(false));
    }
}

#[test]
fn what_crashes_fails_with_the_reason() {
    let mut days = Plan::from_json(&plan()).unwrap();
    days.days[2].clear();
    let verdict = judge(&country(), &request(), &days, Quirks::Reference);
    assert_eq!(verdict.crash(), Some(&Crash("KeyError: 'current_city'".into())));
    assert!(!verdict.passes() && verdict.counted().is_none());
    let shown = verdict.to_json();
    let reason = "the original stops: KeyError: 'current_city'";
    assert_eq!(shown["commonsense"]["city_route"], json!([false, reason]));
    let worded = judge(&country(), &request(), &days, Quirks::Worded);
    assert_eq!(worded.crash(), None);
    assert!(!worded.passes());
    for days in [Some(0), None, Some(-3), Some(i64::MAX)] {
        let request = Request { days, ..request() };
        assert!(!judged(&request, &plan(), Quirks::Reference).passes());
    }
}

proptest! {
    #[test]
    fn no_plan_panics(
        day in 0_usize..3,
        key in "current_city|transportation|breakfast|attraction|accommodation",
        text in "(from|to|Bath|Troy|Taxi|Flight Number: F1|[ ,;()é\n-])*",
    ) {
        let mut plan = plan();
        plan[day][&key] = text.into();
        for quirks in [Quirks::Reference, Quirks::Worded] {
            let _ = judged(&request(), &plan, quirks).to_json();
        }
    }

    #[test]
    fn no_value_panics(key in "current_city|lunch|attraction", depth in 0_usize..50) {
        let value = (0..depth).fold(json!(1), |value, _| json!([value]));
        let mut days = Plan::from_json(&plan()).unwrap();
        days.days[1].insert(key, value);
        for quirks in [Quirks::Reference, Quirks::Worded] {
            prop_assert!(!judge(&country(), &request(), &days, quirks).passes());
        }
    }
}

#[test]
fn long_texts_take_bounded_work() {
    for part in ["from ", " to ", "Bath;", "a,", "(", "é", "from Troy to Bath"] {
        let text = part.repeat(200_000 / part.len());
        for field in Field::ALL {
            let mut plan = plan();
            plan[1][field.key()] = (*text).into();
            let _ = judged(&request(), &plan, Quirks::Reference);
            let _ = judged(&request(), &plan, Quirks::Worded);
        }
    }
}

#[test]
fn questions_are_about_what_their_words_say() {
    use super::clarification::{binary, clarified, conversation_only, rule_categories};
    use crate::request::{Attribute, Detail, Operation};
    assert_eq!(rule_categories("When do you leave?"), [Attribute::Departure]);
    assert_eq!(rule_categories("Where do you leave from?"), [Attribute::Origin]);
    assert!(!binary("I know. Yes"));
    assert_eq!(conversation_only("No action should be taken."), None);
    let detail = |attribute, question: &str| Detail {
        attribute,
        operation: Operation::Add,
        value: Value::Null,
        priority: 0.0,
        question: question.to_owned(),
        answer: String::new(),
    };
    let (days, people) =
        (detail(Attribute::Days, "How many days will it last?"), detail(Attribute::People, "Who comes?"));
    let found = clarified(Some("How many days will it last?"), &[&people, &days]);
    let (is_about, alike) = found.question.unwrap();
    assert!(found.is_vague && found.is_right && is_about && alike.bleu == 1.0);
    let missed = clarified(None, &[&people]);
    assert!(!missed.is_right && missed.question.is_none());
    let needless = clarified(Some("Days?"), &[]);
    assert!(!needless.is_right && !needless.is_vague && needless.question.is_none());
}

#[test]
fn calls_are_compared_as_texts() {
    use super::execution::{executed, is_well_formed};
    let labels = ["AttractionSearch(\"Bath\")", "DistanceMatrix(\"a\", \"b\", \"taxi\")"];
    let found = executed(&["AttractionSearch('Bath')", "AttractionSearch('Bath')"], &labels);
    assert_eq!((found.api_match, found.precision, found.recall), (0.5, 1.0, 0.5));
    assert_eq!((found.repeat_rate, found.pass), (0.5, false));
    assert!(executed(&[], &[]).pass);
    assert_eq!(executed(&[], &labels), Default::default());
    for (line, formed) in [
        ("BudgetEstimator('a', ['b'],['c', 'd'], 02)", true),
        ("RestaurantSearch(\"a\", [b])", true),
        ("RestaurantSearch(\"a\" , [])", false),
        ("AttractionSearch(Bath)", false),
        ("Finish()", false),
    ] {
        assert_eq!(is_well_formed(line), formed, "{line}");
    }
}
