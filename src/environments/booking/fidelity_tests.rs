use proptest::prelude::*;
use serde_json::json;

use super::super::account::{Account, Exchange};
use super::super::analyses::made_up;
use super::*;

/// The goal: a restaurant in the centre for 2 on monday at 13:45, and a taxi at 09:15 with its car and phone.
fn of(turns: &[(&str, &str)], farewell: Option<&str>) -> Fidelity {
    let turns = turns.iter().map(|(user, reply)| Exchange {
        user: (*user).to_owned(),
        calls: Vec::new(),
        reply: Some((*reply).to_owned()),
    });
    let account = Account { exchanges: turns.collect(), farewell: farewell.map(str::to_owned) };
    made_up::with(&made_up::wanted(), &account, |log| Fidelity::of(log).unwrap())
}

const FAITHFUL: [(&str, &str); 3] = [
    ("A table in the center for two people, please.", "On which day?"),
    ("On Monday at 1:45 pm.", "It is done."),
    ("And a taxi at 9:15. What car is it, and what is its phone number?", "I do not know."),
];

#[test]
fn a_user_that_says_all_of_its_goal_in_its_own_words_is_faithful() {
    assert!(of(&FAITHFUL, Some("Bye")).is_faithful());
    assert!(of(&FAITHFUL, None).is_faithful());
    // What the agent assumed and the user accepted need not be said; what the user denied has to be.
    let passed = |answer: &str| {
        let turns = [
            ("A table for 2 people.", "In the centre, on monday at 13:45?"),
            (answer, "Good."),
            ("A taxi at 09:15, with its phone and car type", "A car."),
        ];
        of(&turns, Some("Bye"))
    };
    assert!(passed("Yes, please.").complete && passed("Great").is_faithful());
    let denied = passed("No.");
    assert!(!denied.complete && denied.left_early && denied.consistent && !denied.is_faithful());
}

#[test]
fn who_leaves_before_has_left_early_but_for_an_agent_that_is_stuck() {
    let short = of(&FAITHFUL[..1], Some("Bye"));
    assert!(short.left_early && !short.complete && short.consistent && !short.invented);
    // All turns were over.
    assert!(!of(&FAITHFUL[..1], None).left_early);
    let stuck = of(&[FAITHFUL[0], ("Hello?", "On which day?")], Some("Bye"));
    assert!(!stuck.left_early && !stuck.complete && stuck.stuck && stuck.is_faithful());
}

#[test]
fn values_that_the_goal_has_otherwise_or_not_at_all_are_seen() {
    let with = |said: &str, told: &str| {
        let turns = [FAITHFUL[0], FAITHFUL[1], (FAITHFUL[2].0, told), (said, "Well.")];
        let fidelity = of(&turns, Some("Bye"));
        (fidelity.consistent, fidelity.invented)
    };
    for (said, told, expected) in [
        ("A restaurant in the north.", "Good.", (false, false)),
        ("In the north, please.", "There are some in the north.", (true, false)),
        ("Not in the north.", "Good.", (true, false)),
        ("North or south, I don't care.", "Good.", (true, false)),
        ("A table for 5 people.", "Good.", (false, false)),
        ("The taxi at 10:30.", "Good.", (false, false)),
        ("The taxi on friday.", "Good.", (true, true)),
        ("A cheap restaurant.", "Good.", (true, true)),
        ("A hotel for 3 nights.", "Good.", (true, true)),
        ("A hotel with 4 stars", "It has 4 stars.", (true, false)),
        ("At 13:45 on monday.", "Good.", (true, false)),
    ] {
        assert_eq!(with(said, told), expected, "{said}");
    }
    let named = json!({ "hotel": { "info": { "name": "city centre north b and b", "stars": "0" } } });
    let said = "City Centre North B and B with 0 stars";
    let exchange = Exchange { user: said.to_owned(), reply: Some("Yes.".to_owned()), ..Exchange::default() };
    let account = Account { exchanges: vec![exchange], farewell: None };
    let fidelity = made_up::with(&named, &account, |log| Fidelity::of(log).unwrap());
    assert!(fidelity.is_faithful(), "{fidelity:?}");
}

proptest! {
    #[test]
    fn any_words_are_read(user in "\\PC{0,40}", reply in "[a-z0-9:. ?]{0,40}", noise in "[0-9:]{0,9}( pm| stars)?") {
        let fidelity = of(&[(&user, &reply), (&noise, &user)], Some(&noise));
        prop_assert!(!fidelity.left_early || !fidelity.complete);
    }
}
