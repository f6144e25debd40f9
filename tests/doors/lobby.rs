//! People who sit in a browser, as the lobby has them: without a server.

use std::sync::Arc;
use std::time::Duration;

use rolecall::domain::{
    Brief, Event, Fault, FaultKind, Message, Move, MoveKind, MoveKinds, RoleName, Seat, Seed, Transcript, Visibility,
};
use rolecall::ports::model::{Calls, NoBook};
use rolecall::ports::{Role, RoleError, RoleFactory, Turn};
use rolecall::serve::{Lobby, OpenTurn, Refused, SeatKey};
use tokio_util::sync::CancellationToken;

use crate::support::shipped;

/// The executor of a game, whom a person in a browser plays.
fn seated(lobby: &Lobby, sets: &[&str]) -> RoleFactory {
    let own = ["roles.executor.implementation=human", "roles.executor.at=web"];
    let sets = [&own[..], sets].concat();
    let mut resolved = shipped::resolved("household/respact", &sets).unwrap();
    let (plan, record) = (&mut resolved.plan, &resolved.record);
    lobby.seat_all(plan, record, "r", &rolecall::worlds()).unwrap();
    Arc::clone(&resolved.plan.cells[0].roles[0].factory)
}

/// A turn of it, after the deadline of the attempt before if this is not the first.
fn turn(attempt: u32) -> Turn {
    let seat = Seat::Role(RoleName::new("executor").unwrap());
    let transcript = Transcript::new(Visibility::default());
    let brief = Brief { open: MoveKinds::of(&[MoveKind::Act, MoveKind::Speak]), ..Brief::default() };
    let late = Fault::new(seat.clone(), FaultKind::Deadline, "late", 0);
    let conductor = Seat::Conductor;
    let mut messages = Vec::new();
    if attempt > 0 {
        messages.push((seat.clone(), conductor.clone(), Message::Fault(late)));
    }
    messages.push((conductor, seat.clone(), Message::Brief(brief)));
    let end = messages.len();
    for (seq, (from, to, message)) in (0..).zip(messages) {
        let cause = None;
        let event = Event { seq, cause, from, to, message };
        transcript.append(event).unwrap();
    }
    Turn {
        episode: "main:0:0".parse().unwrap(),
        view: transcript.visible_to(seat.clone(), 0, end),
        seat,
        number: 3,
        attempt,
        seed: Seed(1),
        deadline: Duration::from_secs(1),
        cancel: CancellationToken::new(),
        calls: Calls::new(Arc::new(NoBook), 0),
    }
}

/// Asks the seat, and waits until it stands in the lobby.
async fn asked(
    lobby: &Lobby,
    mut role: Box<dyn Role>,
    turn: Turn,
) -> (OpenTurn, tokio::task::JoinHandle<Result<rolecall::domain::Answer, RoleError>>) {
    let mut changes = lobby.changes();
    let answer = tokio::spawn(async move { role.take_turn(&turn).await });
    changes.changed().await.unwrap();
    (lobby.open().remove(0), answer)
}

fn typed(lobby: &Lobby, key: &SeatKey, number: (u32, u32), text: &str) -> Result<(), Refused> {
    lobby.answer(key, number, |question| question.read(text))
}

#[tokio::test(start_paused = true)]
async fn a_turn_is_answered_once_and_what_cannot_be_read_may_be_written_again() {
    let lobby = Lobby::default();
    let factory = seated(&lobby, &[]);
    let (open, answer) = asked(&lobby, factory(), turn(0)).await;
    let key = open.key.clone();
    assert_eq!((key.run.as_str(), open.number(), open.deadline), ("r", (3, 0), None));
    assert_eq!(open.question.sheet(true).open, ["act", "speak"]);
    // A day passes, and the person is waited for.
    tokio::time::sleep(Duration::from_secs(24 * 3600)).await;
    for wrong in ["", "finish: done"] {
        let refused = typed(&lobby, &key, (3, 0), wrong);
        assert!(matches!(refused, Err(Refused::Unusable(_))), "{refused:?}");
    }
    assert_eq!(typed(&lobby, &key, (2, 0), "look"), Err(Refused::Late));
    let json = serde_json::json!({ "moves": [{ "kind": "act", "action": { "text": "look" } }] });
    let read = lobby.answer(&key, (3, 0), |question| question.read_json(&json));
    assert_eq!(read, Ok(()));
    assert_eq!(typed(&lobby, &key, (3, 0), "look"), Err(Refused::Late));
    assert_eq!(answer.await.unwrap().unwrap().moves, [Move::act("look")]);
    assert!(lobby.open().is_empty());
    // Another run has other turns.
    let other = SeatKey { run: "other".to_owned(), ..key };
    assert!(lobby.turn(&other).is_none());
}

#[tokio::test(start_paused = true)]
async fn who_is_late_leaves_the_lobby_and_is_played_for() {
    let lobby = Lobby::default();
    let factory = seated(&lobby, &["roles.executor.patience=10m"]);
    let (open, answer) = asked(&lobby, factory(), turn(0)).await;
    assert_eq!(open.deadline.unwrap() - open.since, Duration::from_secs(600));
    assert!(matches!(answer.await.unwrap(), Err(RoleError::TooLate(_))));
    assert!(lobby.open().is_empty());
    assert_eq!(typed(&lobby, &open.key, open.number(), "look"), Err(Refused::Late));
    // Nobody plays on unless the config says so.
    let (again, _) = asked(&lobby, factory(), turn(1)).await;
    assert_eq!(again.number(), (3, 1));
    let other = Lobby::default();
    let sets = ["roles.executor.patience=10m", "roles.executor.fallback=rules"];
    let mut other_role = seated(&other, &sets)();
    // The rules have no game to read here; that they are asked shows in what they say.
    let refused = other_role.take_turn(&turn(1)).await;
    assert!(!matches!(refused, Err(RoleError::TooLate(_))), "{refused:?}");
    assert!(other.open().is_empty() && other_role.is_external());
}

#[tokio::test(start_paused = true)]
async fn a_turn_that_is_withdrawn_leaves_the_lobby() {
    let lobby = Lobby::default();
    let turn = turn(0);
    let cancel = turn.cancel.clone();
    let (open, answer) = asked(&lobby, seated(&lobby, &[])(), turn).await;
    cancel.cancel();
    assert!(matches!(answer.await.unwrap(), Err(RoleError::Unavailable(_))));
    assert!(lobby.turn(&open.key).is_none());
    assert_eq!(typed(&lobby, &open.key, open.number(), "/quit"), Err(Refused::Late));
}
