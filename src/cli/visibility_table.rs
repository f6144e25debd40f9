//! Who sees what in a cell, found out by asking the rules about one event of each kind: there is
//! no second copy of the matrix that could differ from the first.

use std::sync::Arc;

use rolecall_core::domain::{
    Action, Brief, CellName, Ending, Event, Fault, FaultKind, Message, ModelCall, ModelReply, Move, Observation,
    Opened, PrivateInfo, PublicTask, RoleName, Score, Scored, Seat, UserSees, Utterance, Visibility,
};
use rolecall_core::text::joined_by;
use rolecall_run::config::Cell;

/// The position of the question that the user is answering.
const QUESTION: u32 = 7;

/// A kind of event: its heading, and a sample for every seat that it can be about.
struct Column {
    heading: &'static str,
    samples: Vec<(Seat, Event)>,
}

/// A table with a row for every seat (and every kind of user) and a column for every kind of
/// event. `own` is what concerns the seat itself.
pub(super) fn visibility_table(cell: &Cell) -> Vec<Vec<String>> {
    let roles: Vec<RoleName> = cell.roles.iter().map(|seat| seat.role.clone()).collect();
    let columns = columns(&cell.name, &roles, !cell.users.is_empty());
    let headings = columns.iter().map(|column| column.heading.to_owned());
    let mut rows = vec![std::iter::once(String::new()).chain(headings).collect()];
    let mut add = |title: String, viewer: Seat, user_sees: UserSees| {
        let visibility = Visibility {
            user_sees,
            hidden_thoughts: cell.hidden_thoughts.clone(),
            environment_hears: cell.tasks.hears(),
        };
        let cells = columns.iter().map(|column| verdict(column, &viewer, &visibility));
        rows.push(std::iter::once(title).chain(cells).collect());
    };
    for role in roles.iter().cloned() {
        add(role.to_string(), Seat::Role(role), UserSees::default());
    }
    for user in &cell.users {
        add(format!("user {}", user.kind), Seat::User, user.sees);
    }
    add("environment".to_owned(), Seat::Environment, UserSees::default());
    rows
}

fn verdict(column: &Column, viewer: &Seat, visibility: &Visibility) -> String {
    let seen = column.samples.iter().filter(|(_, event)| visibility.allows(event, viewer, Some(QUESTION)));
    let seen: Vec<&Seat> = seen.map(|(about, _)| about).collect();
    match seen.as_slice() {
        [] => "-".to_owned(),
        [only] if *only == viewer => "own".to_owned(),
        all if all.len() == column.samples.len() => "yes".to_owned(),
        some => joined_by("+", some.iter().map(|seat| seat.as_str())),
    }
}

fn event(seq: u32, from: &Seat, to: &Seat, message: Message) -> Event {
    Event { seq, cause: None, from: from.clone(), to: to.clone(), message }
}

fn columns(cell: &CellName, roles: &[RoleName], user: bool) -> Vec<Column> {
    use Seat::{Conductor, Environment, User};
    let casts: Vec<Seat> = roles.iter().cloned().map(Seat::Role).collect();
    let mut seats = casts.clone();
    seats.extend(user.then_some(User));
    let mut everybody = seats.clone();
    everybody.push(Environment);
    let mut audiences = everybody.clone();
    audiences.push(Conductor);
    let about = |heading, seats: &[Seat], sample: &dyn Fn(&Seat) -> Event| Column {
        heading,
        samples: std::iter::zip(seats.iter().cloned(), seats.iter().map(sample)).collect(),
    };
    let one = |heading, event: Event| Column { heading, samples: vec![(Conductor, event)] };
    let question = |seq| event(seq, &Conductor, &User, Message::Told(Utterance::default()));
    let mut columns = vec![
        one("task", event(0, &Conductor, &Conductor, opened(cell, roles))),
        about("private", &audiences, &|seat| event(1, &Conductor, seat, private_info(seat))),
        about("briefs", &casts, &|seat| event(3, &Conductor, seat, Message::Brief(Brief::default()))),
        about("thoughts", &casts, &|seat| event(4, seat, &Conductor, Message::Moved(Move::think("")))),
        one("actions", event(5, &Conductor, &Environment, Message::Perform(Action::text("")))),
        one("observations", event(6, &Environment, &Conductor, Message::Observed(Observation::default()))),
    ];
    if user {
        columns.push(one("question", question(QUESTION)));
        columns.push(one("earlier", question(2)));
        columns.push(one("replies", event(8, &User, &Conductor, Message::Replied(Utterance::default()))));
    }
    columns.extend([
        about("model calls", &seats, &|seat| event(9, seat, &Conductor, called())),
        about("faults", &everybody, &|seat| {
            let fault = Fault::new(seat.clone(), FaultKind::Error, "", 0);
            event(10, seat, &Conductor, Message::Fault(fault))
        }),
        one("scores", event(11, &Environment, &Conductor, scored())),
    ]);
    columns
}

fn opened(cell: &CellName, roles: &[RoleName]) -> Message {
    Message::Opened(Box::new(Opened {
        task: PublicTask::new("", "", "").into(),
        cell: cell.clone(),
        strategy: String::new(),
        roles: roles.to_vec(),
        user: None,
        fork: None,
        served: None,
    }))
}

fn private_info(audience: &Seat) -> Message {
    Message::Entrusted(Box::new(PrivateInfo {
        audience: audience.clone(),
        label: String::new(),
        value: Arc::default(),
    }))
}

fn called() -> Message {
    Message::ModelCalled(Box::new(ModelCall {
        turn: 0,
        call: 0,
        again: 0,
        unread: None,
        request: String::new(),
        reply: ModelReply::default(),
        attempt: 0,
        model: String::new(),
        cost: None,
        remembered: true,
    }))
}

fn scored() -> Message {
    Message::Scored(Box::new(Scored { trial: 0, round: 0, ending: Ending::Failed, score: Score::default() }))
}
