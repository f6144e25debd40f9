use super::super::made_up::{self, Line};
use super::*;
use Line::*;
use rolecall_core::domain::EpisodeId;

const INSUFFICIENT: &str = "insufficient information";

fn found(lines: &[Line<'_>]) -> Option<Vec<&'static str>> {
    let found = made_up::with(lines, by_rules)?;
    Some(found.into_iter().map(|place| TYPES[place].0).collect())
}

#[test]
fn the_log_decides_what_went_wrong() {
    let cases: &[(&[Line<'_>], &[&str])] = &[
        // Nobody asked: the color and an attribute were never told.
        (&[Search("lamp"), Select(0)], &[INSUFFICIENT]),
        // Everything was told, but a product without the color was selected.
        (
            &[
                Ask("What is special?"),
                Answer("Dimmable, energy efficient"),
                Ask("Which color?"),
                Answer("Dark green"),
                Search("dark green lamp"),
                Select(0),
            ],
            &["reversion"],
        ),
        // A yes tells what was asked, also of a list that was there before.
        (
            &[Search("lamp"), Ask("Is it dimmable, energy efficient and dark green?"), Answer("Yes"), Select(2)],
            &["reversion"],
        ),
        // The same search in another order; the same question in other letters.
        (&[Search("lamp desk"), Search("Desk lamp"), Select(0)], &[INSUFFICIENT, "repetition"]),
        (
            &[Search("lamp"), Ask("Color?"), Answer("Dunno"), Ask("color"), Answer("Dunno"), Select(2)],
            &[INSUFFICIENT, "repetition"],
        ),
        // A no tells nothing.
        (&[Search("lamp"), Ask("Dark green and dimmable?"), Answer("No"), Select(2)], &[INSUFFICIENT]),
        // A yes to a comparison tells nothing.
        (&[Search("lamp"), Compare("0. dimmable, dark green?"), Answer("Yes"), Select(2)], &[INSUFFICIENT]),
        // Nothing was selected.
        (&[Search("lamp"), Refused("foo")], &[INSUFFICIENT]),
    ];
    for (lines, expected) in cases {
        assert_eq!(found(lines).as_deref(), Some(*expected), "{lines:?}");
    }
    assert_eq!(found(&[Search("lamp"), Search("lamp"), Select(1)]), None, "it was solved");
    assert_eq!(made_up::elsewhere(&[Search("lamp"), Select(0)], by_rules), None);
}

#[test]
fn labels_of_a_judge_stand_in_place_of_rules() {
    let lines = [Search("lamp"), Select(0)];
    let mut errors = Errors::default();
    made_up::with(&lines, |log| errors.add(log, &Tagger::default()));
    assert_eq!(errors.counts(), (1, vec![Some(0), None, Some(1), Some(0), None]));
    let mut tagger = Tagger::default();
    let id: EpisodeId = "main:0:0".parse().unwrap();
    for (field, place) in [("misinterpretation", 0), ("insufficient_information", 1)] {
        let name = format!("session_errors.{field}");
        tagger.answers.insert(name, [((id.clone(), 0), place)].into_iter().collect());
    }
    made_up::with(&lines, |log| errors.add(log, &tagger));
    // One of the two sessions was judged.
    assert_eq!(errors.counts(), (1, vec![Some(0), Some(1), Some(0), Some(0), Some(0)]));
}
