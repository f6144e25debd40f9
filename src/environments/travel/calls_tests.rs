//! Calls as they are written and read.

use proptest::prelude::*;

use super::*;

#[track_caller]
fn canonical(text: &str) -> Result<String, Unread> {
    Call::read(text).map(|call| call.canonical())
}

#[test]
fn calls_are_read_as_by_the_grammar() {
    let lines = [
        "AccommodationSearch(\"Boston\", [\"pets\", \"shared room\"])",
        "RestaurantSearch(\"Boston\", [])",
        "AttractionSearch(\"O'Hare\")",
        "DistanceMatrix(\"Boston\", \"New York\", \"taxi\")",
        "FlightSearch(\"Boston\", \"New York\", \"2022-03-05\")",
        "BudgetEstimator(\"na\", [\"na\"], [\"2022-03-16\", \"2022-03-18\"], 1)",
        "Finish()",
    ];
    for line in lines {
        assert_eq!(canonical(line).as_deref(), Ok(line));
    }
    for (written, read) in [
        ("AccommodationSearch('Boston',   [ 'pets' , ])", lines[0].replace(", \"shared room\"", "")),
        ("RestaurantSearch(\"Boston\",\n[])\n", lines[1].to_owned()),
        ("AttractionSearch('O\\x27Hare'\n)", lines[2].to_owned()),
        ("BudgetEstimator('a',['b'],['c'],00)", "BudgetEstimator(\"a\", [\"b\"], [\"c\"], 0)".to_owned()),
        ("AccommodationSearch('a', [1, None])", "AccommodationSearch(\"a\", [\"1\", \"None\"])".to_owned()),
        ("AttractionSearch('São Paulo')", "AttractionSearch(\"São Paulo\")".to_owned()),
        ("RestaurantSearch('a', ['é'])", "RestaurantSearch(\"a\", [\"\\u00e9\"])".to_owned()),
    ] {
        assert_eq!(canonical(written).as_deref(), Ok(read.as_str()), "{written}");
    }
}

#[test]
fn what_is_no_call_says_why() {
    for text in [
        "",
        " AttractionSearch(\"Boston\")",
        "AttractionSearch(\"Boston\").",
        "AttractionSearch(\"Boston (MA)\")",
        "Action: AttractionSearch(\"Boston\")",
        "attractionSearch(\"Boston\")",
        "AttractionSearch",
        "(\"Boston\")",
        "AttractionSearch(\"a\")\nAttractionSearch(\"b\")",
    ] {
        assert_eq!(canonical(text), Err(Unread::Name), "{text}");
    }
    for text in [
        "AttractionSearch(Boston)",
        "AttractionSearch( \"Boston\")",
        "AttractionSearch(\"Boston\", \"Dallas\")",
        "AttractionSearch(\"Bos\nton\")",
        "AttractionSearch(\"Boston\\\")",
        "AttractionSearch(\"Boston')",
        "RestaurantSearch(\"Boston\" , [])",
        "RestaurantSearch(\"Boston\", [French])",
        "RestaurantSearch(\"Boston\", [[\"French\"]])",
        "RestaurantSearch(\"Boston\", [\"]\"])",
        "RestaurantSearch(\"Boston\")",
        "BudgetEstimator(\"a\", [\"b\"], [\"c\"], 02)",
        "BudgetEstimator(\"a\", [\"b\"], [\"c\"], -2)",
        "BudgetEstimator(\"a\", [\"b\"], [\"c\"], \"2\")",
        "BudgetEstimator(\"a\", [\"b\"], [\"c\"], )",
        "Finish( )",
        "Finish(\"done\")",
    ] {
        assert!(matches!(canonical(text), Err(Unread::Parameters(_))), "{text}");
    }
}

#[test]
fn descriptions_are_those_of_planners() {
    let of = |text: &str| Call::read(text).unwrap().description();
    assert_eq!(of("AccommodationSearch('X', ['a', 'b'])"), "Accommodations in X with filters: a, b");
    assert_eq!(
        of("RestaurantSearch('X', ['a'])"),
        "List all restaurants in X and check the availability of cuisines: a"
    );
    assert_eq!(of("DistanceMatrix('A', 'B', 'taxi')"), "taxi from A to B");
    assert_eq!(
        of("BudgetEstimator('A', ['B', 'C'], ['D', 'E', 'F'], 2)"),
        "Estimated minimum budget for 2 people from A to B, C for each departure on D, E, F"
    );
}

#[test]
fn native_calls_are_calls() {
    let read = |tool: &str, arguments| Call::from_native(tool, &arguments);
    assert_eq!(
        read("AccommodationSearch", json!({"city": "X", "filters": ["pets"]})),
        Call::read("AccommodationSearch('X', ['pets'])")
    );
    assert_eq!(
        read("BudgetEstimator", json!({"origin": "A", "destinations": ["B"], "dates": ["C", "D"], "people_number": 2})),
        Call::read("BudgetEstimator('A', ['B'], ['C', 'D'], 2)")
    );
    assert_eq!(read("Finish", json!({})), Ok(Call::Finish));
    assert_eq!(read("Other", json!({})), Err(Unread::Name));
    for arguments in [json!({}), json!(null), json!({"city": 1}), json!([])] {
        assert_eq!(read("AttractionSearch", arguments), Err(Unread::Parameters(Tool::Attraction)));
    }
}

proptest! {
    #[test]
    fn any_text_is_read_without_harm(text in "(?s).*") {
        let _ = Call::read(&text);
    }

    #[test]
    fn the_one_form_stays(
        tool in "AccommodationSearch|RestaurantSearch|BudgetEstimator|FlightSearch|AttractionSearch",
        parameters in "(['\"](?s:.){0,3}['\"]|\\[(['\"]\\PC{0,3}['\"],? ?){0,2}\\]|, |[0-9]){0,7}",
    ) {
        if let Ok(call) = Call::read(&format!("{tool}({parameters})")) {
            let once = call.canonical();
            if let Ok(again_read) = Call::read(&once) {
                prop_assert_eq!(again_read.canonical(), once);
            }
        }
    }
}
