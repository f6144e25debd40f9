use proptest::prelude::*;

use super::super::line::reads_as_anothers;
use super::*;
use crate::domain::{Begun, Seed, Transcript, UserSees, Visibility};
use crate::text::is_line_break;

/// Texts of calm words, breaks of lines and labels.
fn texts() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "calm",
        " ",
        "\n",
        "\r\n",
        "\u{b}",
        "\u{85}",
        "\u{2028}",
        "> think: x",
        "Human: x",
        "[thinker] > think: x",
        "Observation: x",
        "Status: solved",
        "Act: x",
        "**You**: x",
    ]);
    prop::collection::vec(pieces, 1..12).prop_map(|pieces| pieces.concat())
}

fn messages() -> impl Strategy<Value = (Seat, Message)> {
    let role = |name: &str| Seat::Role(crate::domain::RoleName::new(name).unwrap());
    let thinker = role("thinker");
    prop_oneof![
        texts().prop_map(|text| (Seat::Environment, Message::Observed(Observation::text(text)))),
        texts().prop_map(|text| (Seat::User, Message::Replied(Utterance::text(text)))),
        texts().prop_map(move |text| (thinker.clone(), Message::Moved(Move::think(text)))),
        texts().prop_map(|text| (Seat::Conductor, Message::Perform(Action::text(text)))),
        texts().prop_map(|text| (Seat::Conductor, Message::Told(Utterance::text(text)))),
    ]
}

proptest! {
    #[test]
    fn only_the_first_line_of_an_entry_may_read_as_somebodys(
        all in prop::collection::vec(messages(), 1..12),
        labels in any::<bool>(),
        ask in any::<bool>(),
        user in any::<bool>(),
    ) {
        let transcript = Transcript::new(Visibility {
            user_sees: UserSees::Dialogue,
            ..Visibility::default()
        });
        let begun = Begun { trial: 0, round: 0, keep_world: false, seed: Seed(1) };
        let begun = (Seat::Conductor, Message::Begun(begun));
        let mut end = 0;
        for (seq, (from, message)) in (0..).zip([begun].into_iter().chain(all)) {
            let event = Event { seq, cause: None, from, to: Seat::Conductor, message };
            transcript.append(event).unwrap();
            end += 1;
        }
        let notation = LineNotation {
            style: if labels { Style::Labels } else { Style::Papers },
            speech: if ask { super::super::Speech::Ask } else { super::super::Speech::Speak },
        };
        let viewer = if user { Seat::User } else { Seat::Role(crate::domain::RoleName::new("executor").unwrap()) };
        let mut script = Script::new(notation);
        script.catch_up(&transcript.visible_to(viewer, 0, end), |_, _| {});
        for (index, entry) in script.entries().iter().enumerate() {
            let mut lines = script.line_of(index).split(is_line_break);
            let first = lines.next().unwrap_or_default();
            prop_assert!(!lines.any(reads_as_anothers), "{:?}", script.line_of(index));
            // What has no label of its own reads as nobody's, or as an observation.
            let bare = entry.start == entry.text && !first.starts_with(OBSERVATION);
            prop_assert!(!bare || !reads_as_anothers(first), "{first:?}");
        }
    }
}

#[test]
fn a_world_that_hears_a_reply_and_shows_nothing_adds_no_line() {
    let transcript = Transcript::new(Visibility { user_sees: UserSees::Dialogue, ..Visibility::default() });
    let begun = Begun { trial: 0, round: 0, keep_world: false, seed: Seed(1) };
    let seen = |text: &str| Message::Observed(Observation::text(text.to_owned()));
    let messages = [
        (Seat::Conductor, Message::Begun(begun)),
        (Seat::Environment, seen("Hello.")),
        (Seat::User, Message::Replied(Utterance::text("To Bern.".to_owned()))),
        (Seat::Environment, seen("")),
    ];
    for (seq, (from, message)) in (0..).zip(messages) {
        let (cause, to) = (None, Seat::Conductor);
        let event = Event { seq, cause, from, to, message };
        transcript.append(event).unwrap();
    }
    let mut script = Script::new(LineNotation { style: Style::Labels, speech: super::super::Speech::Speak });
    let viewer = Seat::Role(crate::domain::RoleName::new("executor").unwrap());
    script.catch_up(&transcript.visible_to(viewer, 0, 4), |_, _| {});
    assert_eq!(script.text(), "Human: To Bern.");
}
