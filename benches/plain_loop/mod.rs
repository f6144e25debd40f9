//! The baseline of whole episodes: the participants of a plan in a plain loop, with real events and
//! turns but without actors, faults, log or metrics.

use rolecall::config::Cell;
use rolecall::domain::{
    Action, Begun, Brief, EpisodeId, Event, Message, Move, MoveKind, MoveKinds, Opened, Seat, Seed, SeedParts,
    Transcript, Utterance, Visibility,
};
use rolecall::ports::{Environment, OpenTask, Role, Turn, UserSimulator};
use tokio_util::sync::CancellationToken;

/// Where a seat stands: its turns so far, and the events that it could see in the last one.
type Turns = (u32, usize);

struct Loop {
    id: EpisodeId,
    task: String,
    seed: Seed,
    transcript: Transcript,
    length: u32,
    role: Box<dyn Role>,
    user: Box<dyn UserSimulator>,
    environment: Box<dyn Environment>,
    executor: (Seat, Turns),
    asked: Turns,
}

/// Plays one task with the first role and the first user of the cell: the moves that were made, and
/// whether the task was solved.
pub(crate) async fn play(task: &OpenTask, cell: &Cell, seed: Seed) -> (u32, bool) {
    let (role, user) = (&cell.roles[0], &cell.users[0]);
    let visibility = Visibility { user_sees: user.sees, ..Visibility::default() };
    let mut table = Loop {
        id: EpisodeId { cell: cell.name.clone(), task: 0, repeat: 0 },
        task: task.task.public.id.clone(),
        seed,
        transcript: Transcript::new(visibility),
        length: 0,
        role: (role.factory)(),
        user: (user.factory)(),
        environment: (task.environment)(),
        executor: (Seat::Role(role.role.clone()), (0, 0)),
        asked: (0, 0),
    };
    table.open(task, cell).await;
    let mut after_thought = false;
    for step in 0..cell.limits.steps {
        let brief = Brief {
            open: MoveKinds::of(&[MoveKind::Think, MoveKind::Act, MoveKind::Speak]),
            notice: after_thought.then(|| "OK.".into()),
            steps_left: Some(cell.limits.steps - step),
            ..Brief::default()
        };
        let made = table.brief(brief).await;
        after_thought = matches!(made, Move::Think { .. });
        let done = match made {
            Move::Act { action } => table.perform(action).await,
            Move::Speak { text, .. } => table.tell(Utterance::text(text)).await,
            _ => false,
        };
        if done {
            return (step + 1, true);
        }
    }
    (cell.limits.steps, false)
}

impl Loop {
    fn record(&mut self, from: Seat, to: Seat, message: Message) {
        let event = Event { seq: self.length, cause: self.length.checked_sub(1), from, to, message };
        self.length += 1;
        self.transcript.append(event).unwrap();
    }

    async fn open(&mut self, task: &OpenTask, cell: &Cell) {
        let opened = Opened {
            task: task.task.public.clone(),
            cell: cell.name.clone(),
            strategy: cell.strategy_name.clone(),
            roles: vec![cell.roles[0].role.clone()],
            user: Some(cell.users[0].kind.clone()),
            fork: None,
            served: None,
        };
        let opened = Message::Opened(Box::new(opened));
        self.record(Seat::Conductor, Seat::Conductor, opened);
        for part in task.task.private.clone() {
            let audience = part.audience.clone();
            let message = Message::Entrusted(Box::new(part));
            self.record(Seat::Conductor, audience, message);
        }
        let begun = Begun { trial: 0, round: 0, keep_world: false, seed: Seed(0) };
        let message = Message::Begun(begun.clone());
        self.record(Seat::Conductor, Seat::Environment, message);
        let seen = self.environment.begin(&begun).await.unwrap();
        self.record(Seat::Environment, Seat::Conductor, Message::Observed(seen));
    }

    fn turn(&self, seat: &Seat, (number, since): Turns) -> Turn {
        let parts =
            SeedParts { task: &self.task, repeat: 0, trial: 0, round: 0, seat, turn: number, attempt: 0, call: 0 };
        let end = self.length as usize;
        Turn {
            episode: self.id.clone(),
            seat: seat.clone(),
            number,
            attempt: 0,
            view: self.transcript.visible_to(seat.clone(), since, end),
            seed: self.seed.derive(&parts),
            deadline: std::time::Duration::from_secs(120),
            cancel: CancellationToken::new(),
            calls: Default::default(),
        }
    }

    async fn brief(&mut self, brief: Brief) -> Move {
        let (executor, turns) = self.executor.clone();
        self.record(Seat::Conductor, executor.clone(), Message::Brief(brief));
        let turn = self.turn(&executor, turns);
        self.executor.1 = (turns.0 + 1, self.length as usize);
        let answer = self.role.take_turn(&turn).await.unwrap();
        let made = answer.moves.into_iter().next().unwrap();
        self.record(executor, Seat::Conductor, Message::Moved(made.clone()));
        made
    }

    async fn perform(&mut self, action: Action) -> bool {
        let message = Message::Perform(action.clone());
        self.record(Seat::Conductor, Seat::Environment, message);
        let seen = self.environment.perform(&action).await.unwrap();
        let done = seen.done;
        self.record(Seat::Environment, Seat::Conductor, Message::Observed(seen));
        done
    }

    async fn tell(&mut self, told: Utterance) -> bool {
        self.record(Seat::Conductor, Seat::User, Message::Told(told));
        let turn = self.turn(&Seat::User, self.asked);
        self.asked = (self.asked.0 + 1, self.length as usize);
        let reply = self.user.reply(&turn).await.unwrap();
        self.record(Seat::User, Seat::Conductor, Message::Replied(reply));
        false
    }
}
