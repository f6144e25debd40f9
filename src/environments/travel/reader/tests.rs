use std::path::Path;

use super::*;
use crate::request::Conversation;
use crate::rows;

/// Reads a conversation into one line: origin, stops, days, departure, people, budget, preferences.
fn line(query: &str, answers: &[(&str, &str)]) -> String {
    let owned = |(question, answer): &(&str, &str)| ((*question).to_owned(), (*answer).to_owned());
    let answers: Vec<(String, String)> = answers.iter().map(owned).collect();
    let read = request(query, &answers);
    let stops = read.stops.iter().map(|stop| format!("{} {}", stop.city, stop.day));
    let number = |number: Option<i64>| number.map_or_else(|| "?".to_owned(), |number| number.to_string());
    [
        read.origin.clone(),
        stops.collect::<Vec<_>>().join(", "),
        number(read.days),
        read.departure.clone(),
        number(read.people),
        number(read.budget),
        [read.housing.join(", "), read.cuisine.join(", "), read.transportation].join("; "),
    ]
    .join(" | ")
}

#[test]
fn requests_are_read_in_many_wordings() {
    let cases = [
        (
            "Would you mind creating a 7-day travel plan for 3 people starting from St. Louis visiting Great Falls on \
                day 1, Sault Ste. Marie on day 3 and Coeur d'Alene on day 5, leaving on March 8th, 2022, with a budget \
                of $15000? We require not shared rooms that allow children under 10. We would like to try Mexican and \
                Indian cuisine. We prefer not to drive ourselves.",
            "St. Louis | Great Falls 1, Sault Ste. Marie 3, Coeur d'Alene 5 | 7 | 2022-03-08 | 3 | 15000 | \
                not shared room, children under 10; Mexican, Indian; no self-driving",
        ),
        (
            "My wife and I would love to see Denver and Boulder from the 8th to the 12th of March. We live in New York, \
                and have up to 2,500 dollars. No flights, please, and we bring our dog.",
            "New York | Denver 1, Boulder 3 | 5 | 2022-03-08 | 2 | 2500 | pets; ; no flight",
        ),
        (
            "Plan a week-long trip for two departing Washington (we go to Winston-Salem on day 1), 2023-12-24, whole \
                apartment, smoking allowed. It must not involve flying. Italian food!",
            "Washington | Winston-Salem 1 | 7 | 2023-12-24 | 2 | ? | entire room, smoking; Italian; no flight",
        ),
        (
            "A trip for a party of four from Boston to 3 cities in Texas, leaving on 4 July 2022. We have no preference \
                on flights or rooms.",
            "Boston |  | ? | 2022-07-04 | 4 | ? | ; ; ",
        ),
        ("", " |  | ? |  | ? | ? | ; ; "),
        ("ДЕНЬ 1 $ ,,, on day from To", " |  | ? |  | ? | ? | ; ; "),
    ];
    for (query, expected) in cases {
        assert_eq!(line(query, &[]), expected, "{query}");
    }
}

#[test]
fn answers_add_and_replace() {
    let query =
        "A 5-day plan visiting Denver on day 1 and Boise on day 3. We require shared rooms. We prefer not to fly.";
    let cases: &[(&[(&str, &str)], &str)] = &[
        (
            &[("Where do you start?", "Providence."), ("How many people?", "5.")],
            "Providence | Denver 1, Boise 3 | 5 |  | 5 | ? | shared room; ; no flight",
        ),
        (
            &[("Boise is not reachable. Which destination instead?", "Then Salt Lake City could be my alternative.")],
            " | Denver 1, Salt Lake City 3 | 5 |  | ? | ? | shared room; ; no flight",
        ),
        (
            &[
                ("Which cities?", "Reno on day 1, Elko on day 2 and Ely on day 4."),
                ("Budget?", "Let's make it $1,800."),
            ],
            " | Reno 1, Elko 2, Ely 4 | 5 |  | ? | 1800 | shared room; ; no flight",
        ),
        (
            &[("Other rooms?", "any accommodation preference is acceptable."), ("Fly?", "Sure, flights are fine.")],
            " | Denver 1, Boise 3 | 5 |  | ? | ? | ; ; ",
        ),
        // What an answer says counts more than the question that it was given to.
        (
            &[("How many people?", "We leave from Provo."), ("Which rooms?", "A 7-day trip sounds perfect!")],
            "Provo | Denver 1, Boise 3 | 7 |  | ? | ? | shared room; ; no flight",
        ),
        (
            &[("Other transportation?", "no self-driving is fine."), ("Which cuisine?", "Economy. I am not sure.")],
            " | Denver 1, Boise 3 | 5 |  | ? | ? | shared room; ; no self-driving",
        ),
    ];
    for (answers, expected) in cases {
        assert_eq!(line(query, answers), *expected, "{answers:?}");
    }
}

#[test]
fn questions_are_about_one_thing() {
    let cases = [
        ("Could you specify the destinations and the arrival days?", "dest"),
        ("Sorry, I couldn't find a way to get to Hancock. Could you name an alternative destination?", "dest"),
        ("When do you plan to leave?", "departure_date"),
        ("Could you tell me the departure city?", "org"),
        ("Could you clarify the duration of the trip?", "days"),
        ("Could you tell me the size of your group?", "people_number"),
        ("I couldn't find such rooms in the cities of your trip. Is there another type?", "housing"),
        ("I could not find any French restaurants there.", "cuisine"),
        ("Your transportation preference cannot be followed for the whole route.", "transportation"),
        ("Your current budget may be insufficient for this trip.", "budget"),
    ];
    for (question, expected) in cases {
        assert_eq!(about(question).map(Attribute::key), Some(expected), "{question}");
    }
    assert_eq!(about("Shall I?"), None);
}

#[test]
fn long_texts_are_read_at_their_beginning() {
    let noise = "from , and Ab on day 9 in 9999999999999999999 days $99999999999999999999 not é’s ".repeat(15_000);
    assert!(!request(&noise, &[(noise.clone(), noise.clone())]).stops.is_empty());
}

#[test]
fn conversations_of_the_data_set_are_read_as_they_are_meant() {
    let Some(data) = std::env::var_os("ROLECALL_DATA") else {
        return;
    };
    for split in ["train", "test"] {
        let file = Path::new(&data).join(format!("travel/abp_synth/{split}.csv"));
        let all = rows::load(&file).unwrap().conversations;
        let is_read = |conversation: &&Conversation| {
            let answers = conversation.details.iter().map(|detail| (detail.question.clone(), detail.answer.clone()));
            let answers: Vec<(String, String)> = answers.collect();
            let mut turns = 0..=answers.len();
            turns.all(|turn| request(&conversation.query, &answers[..turn]) == conversation.state(turn))
        };
        let read = all.iter().filter(is_read).count();
        assert!(read * 1000 >= all.len() * 995, "{split}: {read} of {}", all.len());
    }
}

#[test]
fn a_budget_is_no_year() {
    let dated = |query: &str| request(query, &[]).departure;
    let start = "A trip from Provo to Boise, leaving on March 8th";
    assert_eq!(dated(&format!("{start}. Our budget is 2000.")), "2022-03-08");
    assert_eq!(dated(&format!("{start}, with 2,100 dollars.")), "2022-03-08");
    assert_eq!(dated(&format!("{start}, 2024, for $2000.")), "2024-03-08");
}
