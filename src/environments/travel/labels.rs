//! The calls that fit a state of a request: those of the ground truth, and those of brute force (Ask-before-Plan's
//! execution; specification, section 3.2).

use std::iter::once;

use jiff::Span;
use jiff::civil::Date;

use super::calls::Call;
use super::request::Request;
use rolecall_core::text::unique;

/// The word of brute force for what is not known.
const UNKNOWN: &str = "na";

/// The parts of a request that calls are made from.
struct Trip<'r> {
    request: &'r Request,
    origin: &'r str,
    cities: Vec<&'r str>,
    dates: Vec<String>,
    people: Option<i64>,
    excluded: &'r str,
}

/// The calls of the ground truth, each once: what can be asked with what is known. As in the original, a trip without
/// destinations asks for the way from its origin to itself.
pub fn truth(request: &Request) -> Vec<Call> {
    let trip = Trip {
        request,
        origin: &request.origin,
        cities: request.cities(),
        dates: dates(request),
        people: request.people,
        excluded: request.transportation.strip_prefix("no ").unwrap_or_default(),
    };
    trip.calls()
}

/// The calls of brute force, each once: all tools, with `na` or 0 for what is not known.
pub fn brute_force(request: &Request) -> Vec<Call> {
    let known = |text| Some(text).filter(|text: &&str| !text.is_empty());
    let mut cities = request.cities();
    let mut dates = dates(request);
    if dates.is_empty() {
        dates = partial_dates(request);
    }
    if cities.is_empty() {
        cities.push(UNKNOWN);
    }
    let trip = Trip {
        request,
        origin: known(&request.origin).unwrap_or(UNKNOWN),
        cities,
        dates,
        people: request.people.or(Some(0)),
        excluded: "",
    };
    trip.calls()
}

impl Trip<'_> {
    fn calls(&self) -> Vec<Call> {
        let mut calls: Vec<Call> = self.cities.iter().flat_map(|city| self.searches(city)).collect();
        let way = || once(self.origin).chain(self.cities.iter().copied()).chain(once(self.origin));
        let legs = way().zip(way().skip(1)).enumerate();
        if self.origin.is_empty() {
            return unique(calls);
        }
        for (place, (origin, destination)) in legs {
            let modes = ["taxi", "self-driving"].into_iter();
            calls.extend(modes.filter(|mode| self.excluded != *mode).map(|mode| Call::Distance {
                origin: origin.to_owned(),
                destination: destination.to_owned(),
                mode: mode.to_owned(),
            }));
            let date = self.dates.get(place).filter(|_| self.excluded != "flight");
            calls.extend(date.map(|date| Call::Flight {
                origin: origin.to_owned(),
                destination: destination.to_owned(),
                date: date.clone(),
            }));
        }
        if let Some(people) = self.people.filter(|_| !self.dates.is_empty()) {
            calls.push(Call::Budget {
                origin: self.origin.to_owned(),
                destinations: self.cities.iter().map(|city| (*city).to_owned()).collect(),
                dates: self.dates.clone(),
                people,
            });
        }
        unique(calls)
    }

    fn searches(&self, city: &str) -> [Call; 3] {
        let city = city.to_owned();
        [
            Call::Accommodation { city: city.clone(), filters: self.request.housing.clone() },
            Call::Restaurant { city: city.clone(), cuisines: self.request.cuisine.clone() },
            Call::Attraction { city },
        ]
    }
}

/// The date of a day of the trip, which begins with day 1; none if the first one is no date.
pub fn date(departure: &str, day: i64) -> Option<String> {
    let first = Date::strptime("%Y-%m-%d", departure).ok()?;
    let later = Span::new().try_days(day.checked_sub(1)?).ok()?;
    let date = first.checked_add(later).ok()?;
    Some(date.strftime("%Y-%m-%d").to_string())
}

/// The date of each arrival and of the way back; none at all if something is not known that they depend on.
pub fn dates(request: &Request) -> Vec<String> {
    let Some(last) = request.days.filter(|_| !request.stops.is_empty()) else {
        return Vec::new();
    };
    let dates: Option<Vec<String>> =
        request.stops.iter().map(|stop| stop.day).chain(once(last)).map(|day| date(&request.departure, day)).collect();
    dates.unwrap_or_default()
}

/// As many dates as can be made where not all are known.
fn partial_dates(request: &Request) -> Vec<String> {
    let departure = request.departure.as_str();
    let or_unknown = |date: Option<String>| date.unwrap_or_else(|| UNKNOWN.to_owned());
    if departure.is_empty() {
        return vec![UNKNOWN.to_owned(); request.stops.len().max(1) + 1];
    }
    let mut dates: Vec<String> = request.stops.iter().map(|stop| date(departure, stop.day)).map(or_unknown).collect();
    if dates.is_empty() {
        dates.push(departure.to_owned());
    }
    dates.push(or_unknown(request.days.and_then(|days| date(departure, days))));
    dates
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn lines(calls: Vec<Call>) -> Vec<String> {
        calls.iter().map(Call::canonical).collect()
    }

    #[test]
    fn what_is_not_known_is_left_out_or_written_as_unknown() {
        let request = Request::from_json(&json!({
            "org": "Troy", "days": 3, "departure_date": "2022-02-27", "transportation": "no flight",
        }))
        .unwrap();
        let own_ways =
            [r#"DistanceMatrix("Troy", "Troy", "taxi")"#, r#"DistanceMatrix("Troy", "Troy", "self-driving")"#];
        assert_eq!(lines(truth(&request)), own_ways);
        let all = lines(brute_force(&request));
        assert_eq!(all.len(), 10);
        assert_eq!(all[8], r#"FlightSearch("na", "Troy", "2022-03-01")"#);
        assert_eq!(all[9], r#"BudgetEstimator("Troy", ["na"], ["2022-02-27", "2022-03-01"], 0)"#);
        assert!(truth(&Request::default()).is_empty());
        assert_eq!(brute_force(&Request::default()).len(), 7);
    }

    proptest! {
        #[test]
        fn no_request_makes_it_panic(
            city in any::<String>(), departure in "[0-9-]{0,11}", days in any::<i64>(), stops in proptest::collection::vec(any::<i64>(), 0..4)
        ) {
            let stops: Vec<String> = stops.iter().map(|day| format!("{city} on day {day}")).collect();
            let request = Request::from_json(&json!({
                "org": city, "dest": stops, "departure_date": departure, "days": days, "people_number": days,
            }));
            let calls = request.map(|request| (truth(&request), brute_force(&request)));
            prop_assert!(calls.is_ok_and(|(truth, all)| truth.len() <= all.len()));
        }
    }
}
