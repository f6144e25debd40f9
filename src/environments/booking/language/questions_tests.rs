use super::super::sentences;
use super::*;

#[test]
fn questions_of_many_forms_are_understood() {
    use Domain::{Attraction, Hotel, Restaurant, Taxi, Train};
    let cases: [(&str, Domain, &[&str]); 14] = [
        ("What area of town would you like?", Restaurant, &["area"]),
        ("Do you have a preferred area (centre, north) or price range?", Restaurant, &["area", "pricerange"]),
        ("What kind of food?", Restaurant, &["food"]),
        ("How many people is it for, on which day and at what time?", Restaurant, &["people", "day", "time"]),
        ("Could you please provide the number of people and nights?", Hotel, &["people", "stay"]),
        ("Would you like a guesthouse or a hotel?", Hotel, &["type"]),
        ("Do you need parking or internet?", Hotel, &["internet", "parking"]),
        ("Could you please provide me with the name or type of the attraction?", Attraction, &["type", "name"]),
        ("Where are you departing from?", Train, &["departure"]),
        ("What time do you want to leave or arrive?", Train, &["leaveAt", "arriveBy"]),
        ("What time would you like to leave?", Taxi, &["leaveAt"]),
        ("Where would you like to go?", Taxi, &["destination"]),
        ("Is there anything else?", Taxi, &[]),
        ("It leaves at 17:00.", Train, &[]),
    ];
    for (text, domain, expected) in cases {
        assert_eq!(asked(&sentences(text), domain).slots, expected, "{text}");
    }
    assert!(asked(&sentences("Is there anything else I can help with?"), Taxi).more);
    assert!(asked(&sentences("Shall I book it for you?"), Hotel).confirms);
}

#[test]
fn what_is_told_is_noticed() {
    let cases = [
        ("Its postcode is cb12dp.", "postcode", true),
        ("Its phone number is 01223 315702.", "phone", true),
        ("Call 315702.", "phone", false),
        ("The entrance fee is free.", "entrance fee", true),
        ("The entrance fee is not known.", "entrance fee", true),
        ("It takes 51 minutes.", "duration", true),
        ("It leaves at 05:00.", "leaveAt", true),
        ("It leaves at 05:00.", "arriveBy", false),
        ("The reference number is AB12CD34.", "reference", true),
        ("Do you need a reference number?", "reference", false),
        ("A red toyota comes.", "car type", true),
    ];
    for (text, slot, expected) in cases {
        assert_eq!(tells(&sentences(text), slot), expected, "{text}");
    }
}
