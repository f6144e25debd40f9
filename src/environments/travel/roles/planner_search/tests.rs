use proptest::prelude::*;

use super::facts::{Restaurant, Ride, Sights};
use super::*;
use crate::request::Stop;

fn request(days: i64, cities: &[&str]) -> Request {
    let stops = cities.iter().zip((1..).step_by(2)).map(|(city, day)| Stop { city: (*city).to_owned(), day });
    Request {
        origin: "Home".to_owned(),
        stops: stops.collect(),
        days: Some(days),
        departure: "2022-03-30".to_owned(),
        people: Some(5),
        ..Request::default()
    }
}

/// A table as tools print it; a row a line, with bars between its cells.
fn table(text: &str) -> String {
    let rows = text.lines().map(|line| line.split('|').collect());
    let rows: Vec<Vec<&str>> = rows.collect();
    let width = |column: usize| rows.iter().map(|row| row[column].len()).max().unwrap();
    let line = |row: &Vec<&str>| {
        let cells = row.iter().zip(0..).map(|(cell, column)| format!("{cell:>0$}", width(column)));
        cells.collect::<Vec<_>>().join(" ")
    };
    let lines: Vec<String> = rows.iter().map(line).collect();
    lines.join("\n").trim().to_owned()
}

/// Results of a trip to one city.
fn results() -> Vec<(String, String)> {
    let rooms = "NAME| price|room type|house_rules| minimum nights| maximum occupancy| review rate number|city\n\
        Tent|20.0|Private room|No pets|9.0|5|1.0|Troy\n\
        Hut|30.0|Private room|No smoking & No visitors|2.0|2|1.0|Troy\n\
        Great Hall|100.0|Entire home/apt|No pets|2.0|5|1.0|Troy";
    let restaurants = "Name| Average Cost|Cuisines| Aggregate Rating|City\n\
        Alpha|9|Pizza|1.0|Troy\n\
        Alpha|1|Pizza|1.0|Troy\n\
        Bethany|8|Cafe, Italian|1.0|Troy\n\
        Beth|7|Italian|1.0|Troy\n\
        Gamma|30|French, Italian|1.0|Troy\n\
        Delta|20|French|1.0|Troy";
    let attractions = "Name| Latitude| Longitude|Address|Phone|Website|City\n\
        Gate|1.0|2.0|a|b|c|Troy\n\
        A;B|1.0|2.0|a|b|c|Troy\n\
        Wall|1.0|2.0|a|b|c|Troy";
    let flights = "Flight Number| Price|DepTime|ArrTime|ActualElapsedTime|FlightDate|OriginCityName|DestCityName| \
        Distance\n\
        F1|70|10:00|11:00|1 hours 0 minutes|2022-04-01|Troy|Home|9.0\n\
        F2|60|12:00|13:00|1 hours 0 minutes|2022-04-01|Troy|Home|9.0";
    let results = [
        ("Accommodations in Troy", table(rooms)),
        ("List all restaurants in Troy", table(restaurants)),
        ("Attractions in Troy", table(attractions)),
        ("taxi from Home to Troy", "taxi, from Home to Troy, duration: 1 hour, distance: 90 km, cost: 90".to_owned()),
        (
            "self-driving from Home to Troy",
            "self-driving, from Home to Troy, duration: 1 hour, distance: 90 km, cost: 4".to_owned(),
        ),
        ("taxi from Troy to Home", "No valid information.".to_owned()),
        ("Flight from Troy to Home on 2022-04-01", table(flights)),
    ];
    results.map(|(of, text)| (of.to_owned(), text)).into()
}

/// The plan for a request by those results.
fn planned(wanted: &Request) -> Planned {
    let results = results();
    let shown = |call: &Call| {
        let description = call.description();
        let found = results.iter().find(|(of, _)| description.starts_with(of));
        found.map(|(_, text)| text.as_str())
    };
    plan(wanted, &shown, 1000).unwrap()
}

#[test]
fn the_cheapest_trip_that_fits_is_planned() {
    let mut wanted = request(3, &["Troy"]);
    wanted.cuisine = vec!["French".to_owned(), "Italian".to_owned()];
    let best = planned(&wanted);
    let days = &best.days;
    // Nobody can drive back, so one takes the taxi; two of them, as five travel.
    let taxi = "Taxi, from Home to Troy, duration: 1 hour, distance: 90 km, cost: 90";
    assert_eq!(days[0]["transportation"], taxi);
    let flight = "Flight Number: F2, from Troy to Home, Departure Time: 12:00, Arrival Time: 13:00";
    assert_eq!(days[2]["transportation"], flight);
    // The tent is let for nine nights at least. The second `Alpha` and `Beth` cannot be named: they mean earlier rows.
    assert_eq!(days[1]["accommodation"], "Hut, Troy");
    let meals = ["breakfast", "lunch", "dinner"].map(|meal| days[1][meal].as_str().unwrap());
    assert_eq!(meals, ["Delta, Troy", "Bethany, Troy", "Alpha, Troy"]);
    assert_eq!(days[1]["attraction"], "Gate, Troy;");
    assert_eq!(days[0]["attraction"], "Wall, Troy;");
    assert_eq!((&days[1]["current_city"], &days[2]["accommodation"]), (&"Troy".into(), &"-".into()));
    let price = 2 * 90 + 5 * 60 + 2 * 3 * 30 + 5 * (20 + 8 + 9);
    assert_eq!((best.price, best.passes, best.proven), (f64::from(price), true, true));
    for (budget, passes) in [(price, true), (price - 1, false)] {
        wanted.budget = Some(budget.into());
        assert_eq!(planned(&wanted).passes, passes);
    }
}

#[test]
fn what_cannot_be_met_breaks_as_little_as_possible() {
    let cases: [&dyn Fn(&mut Request); 4] = [
        &|wanted| wanted.cuisine = vec!["Indian".to_owned()],
        &|wanted| wanted.transportation = "no flight".to_owned(),
        &|wanted| wanted.days = Some(5),
        &|wanted| wanted.origin.clear(),
    ];
    for change in cases {
        let mut wanted = request(3, &["Troy"]);
        assert!(planned(&wanted).passes);
        change(&mut wanted);
        let planned = planned(&wanted);
        assert!(!planned.passes && planned.proven, "{wanted:?}");
        assert_eq!(planned.days.as_array().unwrap().len() as i64, wanted.days.unwrap());
        assert!(planned.days[0]["accommodation"].as_str().unwrap().ends_with(", Troy"));
    }
    assert!(plan(&request(3, &[]), &|_| None, 1).is_none());
    let empty = plan(&request(3, &["Troy"]), &|_| None, 1).unwrap();
    assert!(!empty.passes && empty.days[1]["lunch"] == "-");
}

#[test]
fn no_trip_mixes_a_car_of_ones_own_with_other_ways() {
    let ride = |drives: bool, price: i64| Ride { drives, price, text: String::new() };
    let both = || vec![ride(false, 50), ride(true, 10)];
    let prices = |rides: &[Vec<Ride>]| -> Vec<Option<i64>> {
        let ways = search::ways(rides);
        ways.iter().map(|way| way.map(|ride| ride.price)).collect()
    };
    assert_eq!(prices(&[both(), both()]), [Some(10), Some(10)]);
    let taxi = vec![ride(false, 90), ride(false, 95)];
    assert_eq!(prices(&[both(), taxi]), [Some(50), Some(90)]);
    assert_eq!(prices(&[both(), Vec::new()]), [Some(10), None]);
}

/// The least that meals cost that have all cuisines, by trying every choice.
fn least(all: &[Vec<(i64, u32)>], needed: usize, wanted: u32) -> Option<i64> {
    let places: Vec<(usize, i64, u32)> =
        (0..).zip(all).flat_map(|(stay, all)| all.iter().map(move |(price, bits)| (stay, *price, *bits))).collect();
    let choices = (0..1_u32 << places.len()).filter_map(|choice| {
        let chosen = (0..places.len()).filter(|place| choice & (1 << place) != 0);
        let (mut counts, mut price, mut bits) = (vec![0; all.len()], 0, 0);
        for place in chosen {
            counts[places[place].0] += 1;
            price += places[place].1;
            bits |= places[place].2;
        }
        let fits = counts.iter().all(|count| (needed..=needed + search::MEALS).contains(count));
        (fits && bits & wanted == wanted).then_some(price)
    });
    choices.min()
}

proptest! {
    #[test]
    fn meals_cost_the_least_that_is_possible(
        prices in proptest::collection::vec(proptest::collection::vec((1_i64..20, 0_u32..8), 3..7), 1..3),
        cuisines in 0_usize..4,
    ) {
        let wanted = (1 << cuisines) - 1;
        let names = ["Troy", "Elko"];
        let trip = Trip::of(&request(1 + 2 * prices.len() as i64, &names[..prices.len()])).unwrap();
        let sights = prices.iter().map(|all| {
            let restaurant = |(price, bits): &(i64, u32)| Restaurant {
                name: String::new(),
                price: *price,
                cuisines: bits & wanted,
            };
            let mut restaurants: Vec<Restaurant> = all.iter().map(restaurant).collect();
            restaurants.sort_by_key(|restaurant| restaurant.price);
            Sights { rooms: Vec::new(), restaurants, attractions: Vec::new() }
        });
        let sights: Vec<Sights> = sights.collect();
        let meals = search::meals(&trip, &sights, cuisines, 1_000_000);
        let price = meals.chosen.iter().zip(&sights);
        let price: i64 = price.flat_map(|(chosen, all)| chosen.iter().map(|place| all.restaurants[*place].price)).sum();
        let least = least(&prices, search::MEALS, wanted);
        prop_assert!(meals.proven);
        prop_assert_eq!(meals.complete, least.is_some());
        if let Some(least) = least {
            prop_assert_eq!(price, least);
        }
    }
}
