//! The greedy planner: the cheapest of each kind, day after day, whatever the user wants (Ask-before-Plan's planning
//! baseline; specification, section 5).

use serde_json::{Value, json};

use super::labels::dates;
use super::request::{Draws, Request};
use super::rows::MOST_DAYS;

/// A day of a trip.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Day {
    /// Its number, from 1.
    pub number: i64,
    /// Where the trip goes from on this day, and on which date; nothing if it stays.
    pub from: Option<(String, String)>,
    /// Where it is in the evening.
    pub city: String,
    /// Whether it is the last one, without a night.
    pub last: bool,
}

/// The offers for a day. Of equally cheap ones, the first of the table is taken: the original's choice depends on
/// its machine.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Found {
    /// Numbers of flights with prices.
    pub flights: Vec<(String, f64)>,
    /// The cost of driving oneself, if there is a road.
    pub self_driving: Option<f64>,
    /// The cost of a taxi, if there is a road.
    pub taxi: Option<f64>,
    /// Restaurants with costs.
    pub restaurants: Vec<(String, f64)>,
    /// Attractions.
    pub attractions: Vec<String>,
    /// Accommodations with prices.
    pub accommodations: Vec<(String, f64)>,
}

/// A plan, and what could not be found for it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Planned {
    /// An object for each day.
    pub plan: Vec<Value>,
    /// The remarks on what was missing, each once.
    pub lacking: Vec<&'static str>,
}

/// The days of a trip; none if it is not known when it begins and ends, or where it is on the first day.
pub fn days(request: &Request) -> Option<Vec<Day>> {
    let last = request.days.filter(|days| *days <= MOST_DAYS)?;
    let dates = dates(request);
    let mut cities = vec![request.origin.as_str()];
    cities.extend(request.cities());
    let back = (last, request.origin.as_str());
    let arrivals = request.stops.iter().map(|stop| (stop.day, stop.city.as_str()));
    let arrivals: Vec<(i64, &str)> = arrivals.chain([back]).collect();
    let mut city = None;
    (1..=last)
        .map(|number| {
            let arrival = arrivals.iter().position(|(day, _)| *day == number);
            let from = match arrival {
                None => None,
                Some(leg) => {
                    city = arrivals.get(leg).map(|(_, city)| *city);
                    Some(((*cities.get(leg)?).to_owned(), dates.get(leg)?.clone()))
                }
            };
            Some(Day { number, from, city: city?.to_owned(), last: number == last })
        })
        .collect()
}

/// The cheapest, and the first of several.
fn cheapest<T>(offers: impl IntoIterator<Item = (T, f64)>) -> Option<(T, f64)> {
    let cheaper = |best: (T, f64), offer: (T, f64)| if offer.1 < best.1 { offer } else { best };
    offers.into_iter().reduce(cheaper)
}

/// The way to travel, with a flight's number.
fn transportation(found: &Found) -> Option<String> {
    let flight = cheapest(found.flights.clone());
    let ways = [
        flight.map(|(number, price)| (format!("Flight Number: {number}"), price)),
        found.self_driving.map(|price| ("Self-driving".to_owned(), price)),
        found.taxi.map(|price| ("Taxi".to_owned(), price)),
    ];
    Some(cheapest(ways.into_iter().flatten())?.0)
}

/// Plans these days from what there is for each.
pub fn plan(days: &[Day], found: &[Found], draws: &mut Draws) -> Planned {
    let mut planned = Planned::default();
    for (day, found) in days.iter().zip(found) {
        let Day { city, number, .. } = day;
        let mut lacks = |kind: &'static str, name: Option<String>| {
            if name.is_none() && !planned.lacking.contains(&kind) {
                planned.lacking.push(kind);
            }
            name.unwrap_or_else(|| "-".to_owned())
        };
        let in_city = |name: &String| format!("{name}, {city}");
        let name = |offers: &[(String, f64)]| Some(in_city(&cheapest(offers.to_vec())?.0));
        let (way, current) = match &day.from {
            None => ("-".to_owned(), city.clone()),
            Some((from, _)) => {
                let current = format!("from {from} to {city}");
                let way = transportation(found).map(|way| format!("{way}, {current}"));
                (lacks("No valid transportation information.", way), current)
            }
        };
        let meal = lacks("No valid meal information.", name(&found.restaurants));
        let attraction = match found.attractions.len() {
            0 => None,
            among => found.attractions.get(draws.choice(among)).map(in_city),
        };
        let attraction = lacks("No valid attraction information.", attraction);
        let room = match day.last {
            true => "-".to_owned(),
            false => lacks("No valid accommodation information.", name(&found.accommodations)),
        };
        planned.plan.push(json!({
            "day": number, "current_city": current, "transportation": way, "breakfast": &meal, "lunch": &meal,
            "dinner": &meal, "attraction": attraction, "accommodation": room,
        }));
    }
    planned
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request() -> Request {
        let request = json!({
            "org": "Troy", "dest": ["Bath on day 1", "Rome on day 3"], "days": 5, "departure_date": "2022-03-30",
        });
        Request::from_json(&request).unwrap()
    }

    #[test]
    fn days_have_the_city_of_the_evening() {
        let days = days(&request()).unwrap();
        let cities: Vec<&str> = days.iter().map(|day| day.city.as_str()).collect();
        assert_eq!(cities, ["Bath", "Bath", "Rome", "Rome", "Troy"]);
        let from = Some(("Bath".to_owned(), "2022-04-01".to_owned()));
        assert_eq!((&days[2].from, &days[3].from, days[4].last), (&from, &None, true));
        let mut late = request();
        late.stops[0].day = 2;
        assert_eq!(super::days(&late), None);
        assert_eq!(super::days(&Request::default()), None);
    }

    #[test]
    fn the_cheapest_is_taken_and_what_is_missing_is_said() {
        let days = days(&request()).unwrap();
        let offers = |offers: &[(&str, f64)]| -> Vec<(String, f64)> {
            offers.iter().map(|(name, price)| ((*name).to_owned(), *price)).collect()
        };
        let found = |day: &Day| Found {
            flights: offers(&[("F1", 40.0), ("F2", 20.0), ("F3", 20.0)]),
            self_driving: Some(if day.number == 3 { 10.0 } else { 20.0 }),
            taxi: Some(20.0),
            restaurants: offers(&[("Inn", 9.0), ("Bar", 8.0), ("Pub", 8.0)]),
            attractions: Vec::new(),
            accommodations: offers(&[("Home", 90.5)]),
        };
        let found: Vec<Found> = days.iter().map(found).collect();
        let planned = plan(&days, &found, &mut Draws::after(0));
        assert_eq!(planned.lacking, ["No valid attraction information."]);
        let day = json!({
            "day": 1, "current_city": "from Troy to Bath", "transportation": "Flight Number: F2, from Troy to Bath",
            "breakfast": "Bar, Bath", "lunch": "Bar, Bath", "dinner": "Bar, Bath", "attraction": "-",
            "accommodation": "Home, Bath",
        });
        assert_eq!(planned.plan[0], day);
        assert_eq!(planned.plan[2]["transportation"], "Self-driving, from Bath to Rome");
        assert_eq!(planned.plan[4]["accommodation"], "-");
        let planned = plan(&days, &vec![Found::default(); 5], &mut Draws::after(0));
        assert_eq!((planned.lacking.len(), planned.plan.len()), (4, 5));
    }
}
