//! Sessions: episodes of a run that begin when a client asks, in whose seat it plays.

use tempfile::TempDir;

use crate::support::shipped::resolved;
use rolecall::domain::{Ending, EpisodeId, Move, MoveKind, Seat};
use rolecall::log::{LogWriter, RunLog};
use rolecall::runtime::{Launch, Orders, Replay, replay};
use rolecall::serve::{Order, Session, SessionError, Sessions};

const SETS: [&str; 4] = ["roles.executor.implementation=remote", "repeats=1000", "run.concurrency=3", "tasks.limit=5"];

/// Lets a client play, and gives what it played with the log.
fn served<T>(sets: &[&str], client: impl AsyncFnOnce(&Sessions) -> T + Send + 'static) -> (T, TempDir, RunLog)
where
    T: Send + 'static,
{
    let sets: Vec<&str> = SETS.iter().chain(sets).copied().collect();
    let resolved = resolved("quickstart", &sets).unwrap();
    let seat = resolved.plan.seat_of("remote").unwrap();
    let (sessions, plan, orders) = Sessions::new(resolved.plan, &resolved.record, seat);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    let writer = LogWriter::create(&path, &plan.record, &plan.run.log).unwrap();
    let mut launch = Launch::new(plan, &writer, Vec::new());
    launch.orders = Some(Orders::Clients(orders));
    let playing = std::thread::spawn(move || {
        let mut runtime = tokio::runtime::Builder::new_current_thread();
        runtime.enable_all().build().unwrap().block_on(async {
            let played = client(&sessions).await;
            sessions.close();
            played
        })
    });
    launch.run(&mut ()).unwrap();
    writer.close().unwrap();
    (playing.join().unwrap(), folder, RunLog::open(&path).unwrap())
}

fn order(cell: &str, task: u32) -> Order {
    Order { cell: Some(cell.to_owned()), task: Some(task), ..Order::default() }
}

/// Looks around until the episode is over; gives what was seen.
async fn look_around(session: &mut Session) -> Vec<String> {
    let mut seen = Vec::new();
    while session.turn().is_some() {
        let news = session.view().unwrap().new_events();
        seen.extend(news.map(|event| serde_json::to_string(&event.message).unwrap()));
        let open = session.turn().unwrap().brief().unwrap().open;
        assert!(open.contains(MoveKind::Act));
        session.answer(Move::act("look").into()).await.unwrap();
    }
    seen
}

#[test]
fn a_client_plays_a_seat_of_ordinary_episodes() {
    let (played, _folder, log) = served(&["limits.steps=4"], async |sessions: &Sessions| {
        assert_eq!(sessions.splits()[0].tasks, 5);
        let public = sessions.task(&sessions.splits()[0].name, 2).await.unwrap();
        let mut session = sessions.begin(order("respact-helpful", 2)).await.unwrap();
        assert_eq!(session.id().to_string(), "respact-helpful:2:0");
        let seen = look_around(&mut session).await;
        assert!(seen.len() > 4 && seen.iter().any(|text| text.contains("observed")));
        let outcome = session.outcome().unwrap().clone();
        let over = session.answer(Move::act("look").into()).await;
        assert_eq!(over, Err(SessionError::Over));
        // The user answers a client as it answers a role.
        let mut asking = sessions.begin(order("respact-helpful", 2)).await.unwrap();
        asking.answer(Move::speak("Where is it?").into()).await.unwrap();
        let heard = asking.view().unwrap().new_events();
        let from: Vec<Seat> = heard.map(|event| event.from.clone()).collect();
        assert!(from.contains(&Seat::User), "{from:?}");
        (public.id.clone(), outcome)
    });
    let (task, outcome) = played;
    assert!(matches!(outcome.ending, Ending::OutOf { .. }));
    let ids: Vec<String> = log.ids().map(EpisodeId::to_string).collect();
    assert_eq!(ids, ["respact-helpful:2:0", "respact-helpful:2:1"]);
    let episodes: Vec<_> = log.episodes().unwrap().map(Result::unwrap).collect();
    assert!(episodes[0].events.iter().any(|event| {
        matches!(&event.message, rolecall::domain::Message::Opened(opened) if opened.task.id == task)
    }));
    // The client of the second went away.
    let last = &episodes[1].events.last().unwrap().message;
    assert!(matches!(last, rolecall::domain::Message::Closed(outcome) if outcome.ending == Ending::Cancelled));
}

#[test]
fn what_clients_played_is_replayed_with_their_seeds_and_users() {
    let (worlds, _folder, log) = served(&["limits.steps=3"], async |sessions: &Sessions| {
        let mut worlds = Vec::new();
        for seed in [Some(7), Some(7), Some(8), None] {
            let order = Order {
                seed,
                user: Some("perturbed".to_owned()),
                name: Some("mine".to_owned()),
                ..order("respact-perturbed", 1)
            };
            let mut session = sessions.begin(order).await.unwrap();
            assert_eq!(session.name(), "mine");
            let mut seen = Vec::new();
            while session.turn().is_some() {
                let turn = session.turn().unwrap();
                seen.push(format!("{:?}", turn.seed));
                session.answer(Move::speak("Where is it?").into()).await.unwrap();
            }
            worlds.push(seen);
        }
        worlds
    });
    assert_eq!(worlds[0], worlds[1]);
    assert_ne!(worlds[0], worlds[2]);
    let sets: Vec<&str> = SETS.iter().chain(&["limits.steps=3"]).copied().collect();
    let plan = resolved("quickstart", &sets).unwrap().plan;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.unwrap();
    for episode in log.episodes().unwrap().map(Result::unwrap) {
        for who in [Replay::Models, Replay::Log, Replay::Twice] {
            let again = runtime.block_on(replay(&plan, &episode.id, &episode.events, who));
            again.unwrap_or_else(|difference| panic!("{}: {difference}", episode.id));
        }
    }
}

#[test]
fn orders_that_cannot_be_met_say_what_there_is() {
    served(&[], async |sessions: &Sessions| {
        let cases = [
            (Order { split: Some("moon".into()), ..Order::default() }, "`split` is none of"),
            (Order { cell: Some("moon".into()), ..Order::default() }, "`cell` is none of react"),
            (Order { user: Some("moon".into()), ..Order::default() }, "`user` is none of helpful"),
            (Order { task: Some(5), ..Order::default() }, "has 5 tasks"),
            (Order { name: Some("x".repeat(256)), ..Order::default() }, "`episode_id` has more"),
        ];
        for (order, expected) in cases {
            let error = sessions.begin(order).await.err().unwrap().to_string();
            assert!(error.contains(expected), "{error}");
        }
        let open: Vec<Session> = futures(sessions, 3).await;
        let full = sessions.begin(Order::default()).await.err();
        assert_eq!(full, Some(SessionError::Full { open: 3, most: 3 }));
        drop(open);
        assert_eq!(sessions.open(), 0);
        let again = sessions.begin(Order::default()).await.unwrap();
        sessions.close();
        drop(again);
        let closed = sessions.begin(Order::default()).await.err();
        assert_eq!(closed, Some(SessionError::Stopping));
    });
}

async fn futures(sessions: &Sessions, count: usize) -> Vec<Session> {
    let mut open = Vec::new();
    for _ in 0..count {
        open.push(sessions.begin(Order::default()).await.unwrap());
    }
    open
}

#[test]
fn an_answer_that_cannot_be_used_is_a_fault_and_asked_for_again() {
    let ((), _folder, log) = served(&[], async |sessions: &Sessions| {
        let mut session = sessions.begin(order("react", 0)).await.unwrap();
        for attempt in 1..3 {
            session.answer(Vec::new().into()).await.unwrap();
            let turn = session.turn().unwrap();
            assert_eq!(turn.attempt, attempt);
            assert!(turn.brief().unwrap().notice.is_some());
        }
        session.answer(Vec::new().into()).await.unwrap();
        assert_eq!(session.outcome().unwrap().ending, Ending::Unusable);
    });
    assert_eq!(log.ids().count(), 1);
}
