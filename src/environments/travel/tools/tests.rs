//! Tests of the tools' answers. They stay in one file, since they share the small country and its tables.

use std::path::PathBuf;

use proptest::prelude::*;
use serde_json::json;

use super::cost::{Variant, enquire};
use super::table::read_table;
use super::*;
use crate::calls::Tool;
use crate::country::{Accommodation, Attraction, Flight, Restaurant, Road, Rows};

/// A country of two cities and a village without anything.
fn country() -> Country {
    let room = |name: &str, price, room_type: &str, rules: &str, nights| Accommodation {
        name: name.to_owned(),
        price,
        room_type: room_type.to_owned(),
        house_rules: rules.to_owned(),
        minimum_nights: nights,
        maximum_occupancy: 2,
        review_rate: 4.0,
        city: "Anton".to_owned(),
    };
    let meals = |name: &str, cuisines: &str, average_cost| Restaurant {
        name: name.to_owned(),
        average_cost,
        cuisines: cuisines.to_owned(),
        rating: 4.8,
        city: "Anton".to_owned(),
    };
    let road = |duration: &str, distance: &str| Road { duration: duration.to_owned(), distance: distance.to_owned() };
    let flight = |number: &str, price, date: &str| Flight {
        number: number.to_owned(),
        price,
        departs: "08:30".to_owned(),
        arrives: "9:5".to_owned(),
        elapsed: "1 hours 5 minutes".to_owned(),
        date: date.to_owned(),
        origin: "Berta".to_owned(),
        destination: "Anton".to_owned(),
        distance: 106.0,
    };
    Country::of_rows(Rows {
        cities: ["Anton", "Berta", "Caesar"].map(str::to_owned).to_vec(),
        accommodations: vec![
            room("Loft, with a view", 100.5, "Private room", "No smoking", 1.0),
            room("  Ünder\tthe roof", 1000.0, "Shared room", "No pets & No visitors", 2.0),
            room("House", 80.0, "Entire home/apt", "No Parties", 3.0),
            room("Hut", 20.0, "Private room", "No children under 10", 30.0),
        ],
        restaurants: vec![meals("Da, Gino", "Cafe, Italian", 40), meals("Sol", "Mexican", 7)],
        attractions: vec![Attraction {
            name: "Tower".to_owned(),
            latitude: 42.354_064_1,
            longitude: -7.5,
            address: "1 Main St, Anton".to_owned(),
            phone: "1".to_owned(),
            website: "https://tower".to_owned(),
            city: "Anton".to_owned(),
        }],
        roads: vec![
            ("Berta".to_owned(), "Anton".to_owned(), road("2 hours", "140 km")),
            ("Anton".to_owned(), "Berta".to_owned(), road("2 hours", "1,140.9 km")),
            ("Anton".to_owned(), "Caesar".to_owned(), road("1 day 2 hours", "5 km")),
            ("Caesar".to_owned(), "Anton".to_owned(), road("1 min", "5 m")),
        ],
        flights: vec![flight("F0000001", 50, "2022-03-01"), flight("F0000002", 30, "2022-03-01")],
    })
}

fn viewed(text: &str) -> Result<String, ToolFault> {
    view(&country(), &Call::read(text).unwrap())
}

#[track_caller]
fn shows(text: &str, shown: &str) {
    assert_eq!(viewed(text).as_deref(), Ok(shown), "{text}");
}

#[track_caller]
fn refuses(text: &str, problem: &str) {
    let Err(ToolFault::Tool(shown)) = viewed(text) else {
        panic!("{text} is taken");
    };
    assert!(shown.starts_with(problem), "{shown}");
}

#[test]
fn tables_are_those_of_pandas() {
    shows(
        "RestaurantSearch('Anton', ['Mexican', 'French', 'Indian'])",
        "Name  Average Cost      Cuisines  Aggregate Rating  City\n\
         Da, Gino            40 Cafe, Italian               4.8 Anton\n     \
         Sol             7       Mexican               4.8 Anton\n...\n\
         There is no French restaurant in this city.\nThere is no Indian restaurant in this city.",
    );
    shows(
        "AttractionSearch('Anton')",
        "Name  Latitude  Longitude          Address Phone       Website  City\n\
         Tower 42.354064       -7.5 1 Main St, Anton     1 https://tower Anton\n...",
    );
    shows(
        "FlightSearch('Berta', 'Anton', '2022-03-01')",
        "Flight Number  Price DepTime ArrTime ActualElapsedTime FlightDate OriginCityName DestCityName  Distance\n     \
         F0000001     50   08:30     9:5 1 hours 5 minutes 2022-03-01          Berta        Anton     106.0\n     \
         F0000002     30   08:30     9:5 1 hours 5 minutes 2022-03-01          Berta        Anton     106.0\n...",
    );
}

#[test]
fn filters_narrow_and_rooms_without_are_told() {
    let names = |filters: &str| {
        let call = Call::read(&format!("AccommodationSearch('Anton', {filters})")).unwrap();
        let text = full(&country(), &call).unwrap();
        let table = read_table(&text);
        table.map(|table| table.column("NAME").map(str::to_owned).collect::<Vec<_>>())
    };
    let all = ["Loft, with a view", "Ünder\tthe roof", "House", "Hut"];
    assert_eq!(names("[]").unwrap(), all);
    assert_eq!(names("['not shared room', 'smoking']").unwrap(), ["House", "Hut"]);
    assert_eq!(names("['parties', 'private room', 'children under 10']").unwrap(), ["Loft, with a view"]);
    assert_eq!(names("['shared room', 'visitors']"), None);
    assert_eq!(names("['entire room', 'parties']"), None);
    shows("AccommodationSearch('Anton', ['shared room', 'pets'])", "There is no accommodation in this city.");
    assert!(viewed("AccommodationSearch('Anton', [])").unwrap().ends_with("\n..."));
    assert!(!viewed("AccommodationSearch('Anton', [])").unwrap().contains("Hut"));
}

#[test]
fn parameters_are_checked_in_order() {
    refuses("RestaurantSearch('Rome', ['Thai'])", "Illegal parameters: \"Rome\" is not a valid city.");
    refuses("RestaurantSearch('Caesar', ['Thai'])", "Illegal parameters: \"Thai\" is not a valid cuisine. ");
    refuses("AccommodationSearch('Anton', ['shared room', 'Pets'])", "Illegal parameters: \"Pets\" is not a valid a");
    refuses("DistanceMatrix('Anton', 'berta', 'x')", "Illegal parameters: \"berta\" is not a valid city.");
    refuses("DistanceMatrix('Anton', 'Berta', 'Taxi')", "Illegal parameters: \"Taxi\" is not a valid transportation m");
    refuses("FlightSearch('Anton', 'Berta', '2022-3-01')", "Illegal parameters: \"2022-3-01\" is not in the format");
    refuses("BudgetEstimator('Anton', ['Rome'], ['x'], 1)", "Illegal parameters: \"Rome\" is not a valid city.");
    refuses("BudgetEstimator('Anton', ['Berta'], ['x'], 1)", "Illegal parameters: \"x\" is not in the format");
    shows("FlightSearch('Anton', 'Berta', '2022-99-99\\n')", "There is no flight from Anton to Berta on 2022-99-99\n.");
    shows(
        "FlightSearch('Anton', 'Berta', '２０２２-03-01')",
        "There is no flight from Anton to Berta on ２０２２-03-01.",
    );
}

#[test]
fn ways_by_road_cost_what_their_kilometres_say() {
    let way = "from Anton to Berta, duration: 2 hours, distance: 1,140.9 km, cost:";
    shows("DistanceMatrix('Anton', 'Berta', 'taxi')", &format!("taxi, {way} 1140"));
    shows("DistanceMatrix('Anton', 'Berta', 'self-driving')", &format!("self-driving, {way} 57"));
    shows("DistanceMatrix('Anton', 'Caesar', 'taxi')", "No valid information.");
    shows("DistanceMatrix('Berta', 'Caesar', 'taxi')", "taxi, from Berta to Caesar, no valid information.");
    assert_eq!(viewed("DistanceMatrix('Caesar', 'Anton', 'taxi')"), Err(ToolFault::Other));
}

#[test]
fn budgets_are_estimated_by_the_cheapest_ways() {
    let no_hotel = "No valid hotel information is available to estimate the minimum budget.";
    let no_way = "No valid transportation information is available to estimate the minimum budget.";
    // Two nights in two lofts at 100.5; by car 7 + 57, less than 3 * 30 + 1,140 by plane and taxi.
    shows("BudgetEstimator('Berta', ['Anton'], ['2022-03-01', '2022-03-03'], 3)", "$466");
    shows("BudgetEstimator('Berta', ['Anton'], ['2022-03-01', '2022-03-03'], 0)", no_hotel);
    shows("BudgetEstimator('Berta', ['Anton'], ['2022-03-03', '2022-03-01'], 3)", no_hotel);
    shows("BudgetEstimator('Anton', ['Berta'], ['2022-03-01', '2022-03-03'], 3)", no_hotel);
    shows(
        "BudgetEstimator('Caesar', ['Anton'], ['2022-03-01', '2022-04-30'], 1)".replace("Caesar", "Anton").as_str(),
        no_way,
    );
    for call in [
        "BudgetEstimator('Berta', ['Anton'], ['2022-03-01'], 3)",
        "BudgetEstimator('Berta', [], ['2022-03-01'], 3)",
        "BudgetEstimator('Berta', [], [], 3)",
        "BudgetEstimator('Berta', ['Anton'], ['2022-02-28', '2022-02-29'], 3)",
        "BudgetEstimator('Berta', ['Anton'], ['0000-02-28', '2022-02-27'], 0)",
        "BudgetEstimator('Berta', ['Anton'], [20220301, 20220303], 0)",
        "BudgetEstimator('Caesar', ['Anton'], ['2022-03-01', '2022-03-03'], 1)",
    ] {
        assert_eq!(viewed(call), Err(ToolFault::Other), "{call}");
    }
    let many = "BudgetEstimator('Berta', ['Anton'], ['2022-03-01', '2022-03-03'], 99999999999999999999)";
    assert!(viewed(many).unwrap().starts_with('$'));
}

#[test]
fn a_day_costs_what_its_parts_cost() {
    let country = country();
    let day = json!({
        "people_number": 3,
        "current_city": "from Berta to Anton",
        "transportation": "Flight Number: F0000002, from Berta to Anton",
        "breakfast": "Da, Gino, Anton",
        "lunch": "-",
        "dinner": "Sol, Anton",
        "accommodation": "Loft, with a view, Anton",
    });
    let told = |day: &serde_json::Value| enquire(&country, day, Variant::React);
    assert_eq!(told(&day), ("Cost: The cost of your plan is 432.0 dollars.".to_owned(), true));
    let mut other = day.clone();
    other["accommodation"] = json!("-");
    assert_eq!(told(&other), ("Cost: The cost of your plan is 231 dollars.".to_owned(), true));
    other["transportation"] = json!("Taxi");
    other["dinner"] = json!("Sol, Berta");
    let reasons = "Cost: Sorry, the cost of your plan is not available because of the following reasons: 1. The dinner \
                   information is not valid, please check. \t";
    assert_eq!(told(&other), (reasons.to_owned(), false));
    assert!(!told(&json!({})).1);
    assert_eq!(told(&json!({"people_number": 2})).0, "Cost: The cost of your plan is 0 dollars.");
}

#[test]
fn models_are_told_of_every_tool() {
    let names: Vec<String> = specs().into_iter().map(|spec| spec.name).collect();
    assert_eq!(names, Tool::ALL.map(Tool::as_str));
}

/// The official country, if it is at hand.
fn official() -> Option<Country> {
    let data = PathBuf::from(std::env::var_os("ROLECALL_DATA")?).join("travel");
    Some(Country::load(&data, &()).unwrap())
}

#[test]
fn every_city_answers_every_tool_and_its_tables_can_be_read() {
    let country = official().unwrap_or_else(country);
    let last = country.cities().last().unwrap().clone();
    for city in country.cities() {
        let city = city.clone();
        let calls = [
            Call::Accommodation { city: city.clone(), filters: Vec::new() },
            Call::Restaurant { city: city.clone(), cuisines: vec!["French".to_owned()] },
            Call::Attraction { city: city.clone() },
            Call::Flight { origin: city.clone(), destination: last.clone(), date: "2022-03-01".to_owned() },
            Call::Distance { origin: city.clone(), destination: last.clone(), mode: "taxi".to_owned() },
            Call::Budget {
                origin: last.clone(),
                destinations: vec![city.clone()],
                dates: vec!["2022-03-01".to_owned(), "2022-03-04".to_owned()],
                people: 2,
            },
        ];
        for call in &calls {
            let shown = (view(&country, call), full(&country, call));
            if call.tool() != Tool::Distance && call.tool() != Tool::Budget {
                assert!(shown.0.is_ok() && shown.1.is_ok(), "{call:?}");
            }
        }
        let table = |call: &Call| read_table(&full(&country, call).unwrap());
        let column = |call: &Call, name: &str| -> Vec<String> {
            table(call).iter().flat_map(|table| table.column(name)).map(str::to_owned).collect()
        };
        let as_printed = |text: &str| text.trim_start_matches(' ').to_owned();
        let names = country.accommodations(&city).iter().map(|row| as_printed(&row.name));
        assert_eq!(column(&calls[0], "NAME"), names.collect::<Vec<_>>(), "{city}");
        let prices = country.accommodations(&city).iter().map(|row| row.price);
        let read: Vec<f64> = column(&calls[0], "price").iter().map(|cell| cell.parse().unwrap()).collect();
        assert_eq!(read, prices.collect::<Vec<_>>());
        let meals = country.restaurants(&city).iter().map(|row| as_printed(&row.cuisines));
        assert_eq!(column(&calls[1], "Cuisines"), meals.collect::<Vec<_>>(), "{city}");
        let addresses = country.attractions(&city).iter().map(|row| as_printed(&row.address));
        assert_eq!(column(&calls[2], "Address"), addresses.collect::<Vec<_>>(), "{city}");
        let cities = country.attractions(&city).iter().map(|row| as_printed(&row.city));
        assert_eq!(column(&calls[2], "City"), cities.collect::<Vec<_>>(), "{city}");
    }
}

proptest! {
    #[test]
    fn any_text_is_read_as_a_table_without_harm(
        text in "(NAME|Name|price| |room type|\n|[a-zé]{0,3}|\\.\\.\\.){0,12}",
    ) {
        let _ = read_table(&text);
    }

    #[test]
    fn any_day_has_an_answer(people in -5_i64..5, way in "(Taxi|Flight Number: |F0000001|from | to |Anton|,){0,6}", meal in "\\PC{0,6}(, Anton)?") {
        let day = json!({"people_number": people, "current_city": way, "transportation": way, "lunch": meal, "accommodation": meal});
        let _ = enquire(&country(), &day, Variant::Reflexion);
    }
}
