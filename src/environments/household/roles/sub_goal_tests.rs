//! Tests of reading and wording sub-goals.

use proptest::prelude::*;

use super::sub_goal::*;
use super::{Belief, Treatment};

fn belief(task: &str) -> Belief {
    let mut belief = Belief::default();
    let text = format!(
        "You are in the middle of a room. Looking quickly around you, you see a desk 1, a \
         cabinet 2, a cabinet 1, a countertop 1, a microwave 1, and a sidetable 1.\nYour task \
         is to: {task}."
    );
    belief.observe(&text, false, "");
    belief
}

#[test]
fn what_the_thinker_writes_is_read_as_it_was_meant() {
    let belief = belief("put a hot mug in cabinet");
    let (mug, any) = (|| Named::of("mug 1"), || Named::of("mug"));
    let treat =
        |object, with: Option<&str>| SubGoal::Treat { treatment: Treatment::Heat, object, with: with.map(Named::of) };
    let to = |place| Named::of(place);
    let all = [
        (SubGoal::Find(any()), "find a mug"),
        (SubGoal::Take(mug()), "take the mug 1"),
        (treat(any(), Some("microwave 1")), "heat a mug with the microwave 1"),
        (treat(mug(), None), "heat the mug 1"),
        (SubGoal::Put { object: mug(), to: to("cabinet 2") }, "put the mug 1 in/on the cabinet 2"),
        (SubGoal::Light { object: mug(), lamp: to("desklamp 1") }, "look at the mug 1 under the desklamp 1"),
    ];
    for (sub_goal, wording) in all {
        assert_eq!(sub_goal.to_string(), wording);
        let read = SubGoal::read(&format!("Sub-goal: {wording}."), &belief);
        assert_eq!(read, Some(sub_goal), "{wording}");
    }
    assert_eq!(SubGoal::Find(Named::of("egg")).to_string(), "find an egg");
}

#[test]
fn other_wordings_are_read_too() {
    let belief = belief("put a hot mug in cabinet");
    let table = [
        ("First I should look for a mug!", "find a mug"),
        ("Search cabinet 2 for mugs", "find a mug"),
        ("OK. Now locate the second plate", "find a plate"),
        ("I will warm it in the microwave", "heat a mug with a microwave"),
        ("pick up mug 3 from counter top 1", "take the mug 3"),
        ("Use the microwave to heat mug 2", "heat the mug 2"),
        ("Store it in cabinet 1", "put a mug in/on the cabinet 1"),
        ("turn on the desklamp 2 to see it", "look at a mug under the desklamp 2"),
    ];
    for (text, wording) in table {
        let read = SubGoal::read(text, &belief).map(|read| read.to_string());
        assert_eq!(read.as_deref(), Some(wording), "{text}");
    }
    for text in ["", "Hm.", "find", "I put my trust in you", "heat", "42", "No mug so far"] {
        assert_eq!(SubGoal::read(text, &belief), None, "{text}");
    }
}

#[test]
fn endless_sentences_are_not_read_to_their_end() {
    let belief = belief("put a mug in desk");
    let endless = "well ".repeat(1000);
    assert_eq!(SubGoal::read(&format!("{endless} find a mug"), &belief), None);
    let next = SubGoal::read(&format!("{endless}. Find a mug"), &belief);
    assert_eq!(next, Some(SubGoal::Find(Named::of("mug"))));
}

proptest! {
    #[test]
    fn any_text_can_be_tried(text in ".{0,200}") {
        let _ = SubGoal::read(&text, &belief("put a mug in desk"));
        let _ = SubGoal::read(&text, &Belief::default());
    }

    #[test]
    fn what_was_read_is_written_so_that_it_is_read_again(
        parts in prop::collection::vec(
            prop::sample::select(vec![
                "find", "take", "heat", "put", "look", "at", "for", "it", "the", "a", "mug",
                "desk", "cabinet", "microwave", "desklamp", "1", "2", "in", "on", "and", ".",
            ]),
            0..12,
        ),
    ) {
        let belief = belief("look at mug under the desklamp");
        if let Some(read) = SubGoal::read(&parts.join(" "), &belief) {
            prop_assert_eq!(SubGoal::read(&read.to_string(), &belief), Some(read));
        }
    }
}
