use super::super::sentences;
use super::*;
use Domain::{Attraction, Hotel, Restaurant, Taxi, Train};

fn says(text: &str, domain: Domain) -> String {
    let read = sentences(text);
    read.iter().flat_map(|sentence| read_one(sentence, domain)).collect::<Vec<_>>().join(", ")
}

fn read_one(sentence: &Sentence, domain: Domain) -> Vec<String> {
    let mut found = read(sentence, domain);
    found.sort();
    found.iter().map(|(slot, value)| format!("{slot}={value}")).collect()
}

#[rustfmt::skip]
const FIRST_WORDS: &[(Domain, &str, &str)] = &[
    (Restaurant, "I am in need of an expensive Indian restaurant for dinner .", "food=indian, pricerange=expensive"),
    (Restaurant,
        "I am looking for a restaurant . The restaurant should be in the moderate price range and should be in the east",
        "area=east, pricerange=moderate"),
    (Restaurant, "I 'm looking for some Modern European food .", "food=modern european"),
    (Restaurant, "I would like a british food restaurant in the centre .", "area=centre, food=british"),
    (Restaurant, "a table for 5 people on friday at 13:30", "day=friday, people=5, time=13:30"),
    (Restaurant, "one serving north american food, called the cow pizza kitchen and bar",
        "food=north american, name=the cow pizza kitchen and bar"),
    (Restaurant, "I am trying to plan my trip and could use some help with a particular restaurant .", ""),
    (Hotel, "I 'd like to find a place to stay , with four stars , in the north .", "area=north, stars=4"),
    (Hotel, "It does n't need to include internet and should be a hotel .", "internet=no, type=hotel"),
    (Hotel, "I 'm looking to stay in a hotel , not a guesthouse , with free wifi .", "internet=yes, type=hotel"),
    (Hotel, "a guest house for 3 nights from tuesday, just me", "day=tuesday, people=1, stay=3, type=guesthouse"),
    (Attraction, "I 'm looking for a swimming pool somewhere in the south of Cambridge .",
        "area=south, type=swimmingpool"),
    (Attraction, "a place in town to visit called Jesus Green Outdoor Pool .", "name=jesus green outdoor pool"),
    (Train, "Can you help me find a train that will arrive in birmingham new street by 16:15 ?",
        "arriveBy=16:15, destination=birmingham new street"),
    (Train, "I need a train departing Cambridge arriving by 2030 .", "arriveBy=20:30, departure=cambridge"),
    (Train, "What train do I take to get to Birmingham New Street ? I need to leave after 17:00 .",
        "destination=birmingham new street, leaveAt=17:00"),
    (Train, "from Norwich to Cambridge on Wednesday for 4 people",
        "day=wednesday, departure=norwich, destination=cambridge, people=4"),
    (Train, "TR1472 leaves at 17:24 and arrives at 19:12", "arriveBy=19:12, leaveAt=17:24, trainID=TR1472"),
    (Taxi, "I would like a taxi from Saint John 's college to Pizza Hut Fen Ditton .",
        "departure=saint john's college, destination=pizza hut fen ditton"),
    (Taxi, "from a and b guest house to the man on the moon, leaving after 03:30",
        "departure=a and b guest house, destination=the man on the moon, leaveAt=03:30"),
    (Taxi, "a taxi between the hotel and the restaurant , I want to leave by 24:30",
        "departure=the hotel, destination=the restaurant, leaveAt=24:30"),
    (Taxi, "I need to be there by 12:15", "arriveBy=12:15"),
];

#[test]
fn first_words_of_the_data_set_are_read() {
    for (domain, text, expected) in FIRST_WORDS {
        assert_eq!(says(text, *domain), *expected, "{text}");
    }
}
