//! A synchronous episode: world, player and user in the turn loop of ReAct and ReSpAct, with real
//! events and turns but without the runtime.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

use std::collections::BTreeMap;
use std::sync::Arc;

use rolecall::domain::{
    Action, Begun, Brief, CellName, EpisodeId, Event, Message, Move, MoveKind, MoveKinds, Opened,
    RoleName, Seat, Seed, SeedParts, Transcript, Utterance, Visibility,
};
use rolecall::ports::{
    Environment, OpenTask, ParameterValue, Parameters, Persona, Role, RoleFactory, RoleSetup,
    TaskSource, Turn, UserFactory, UserSimulator,
};
use rolecall::registry::{ENVIRONMENTS, ROLES, USERS, UserEntry};
use tokio_util::sync::CancellationToken;

/// What an episode came to.
#[derive(Clone, Debug, Default)]
pub(crate) struct Played {
    pub(crate) success: bool,
    pub(crate) steps: u32,
    pub(crate) thoughts: u32,
    pub(crate) questions: u32,
    pub(crate) invalid: u32,
    pub(crate) transcript: Vec<String>,
}

/// Who plays.
#[derive(Clone)]
pub(crate) struct Cast {
    pub(crate) role: RoleFactory,
    /// A fresh player for every turn, to show that what it keeps is only a cache.
    pub(crate) forgetful: bool,
    pub(crate) user: Option<(UserFactory, Visibility)>,
    pub(crate) seed: Seed,
    pub(crate) steps: u32,
}

impl Cast {
    pub(crate) fn of_rules(user: Option<&str>, tidy: bool) -> Self {
        let entry = ROLES.iter().find(|entry| entry.name == "rules").unwrap();
        let setup = RoleSetup {
            role: executor_name(),
            parameters: Parameters::new(
                [
                    ("tidy", ParameterValue::Flag(tidy)),
                    ("thoughts", ParameterValue::Text("each-look".to_owned())),
                    ("patience", ParameterValue::Integer(3)),
                ]
                .into(),
            ),
            persona: Persona::default(),
        };
        let user = user.map(|name| {
            let entry: &UserEntry = USERS.iter().find(|entry| entry.name == name).unwrap();
            let visibility = Visibility {
                user_sees: entry.sees,
                ..Visibility::default()
            };
            ((entry.build)(&Parameters::default()).unwrap(), visibility)
        });
        Self {
            role: (entry.build)(&setup).unwrap(),
            forgetful: false,
            user,
            seed: Seed(1),
            steps: 50,
        }
    }
}

fn executor_name() -> RoleName {
    RoleName::new("executor").unwrap()
}

/// The tasks of the household environment under the given parameters.
pub(crate) fn tasks(values: &[(&'static str, ParameterValue)]) -> Arc<dyn TaskSource> {
    let entry = ENVIRONMENTS
        .iter()
        .find(|entry| entry.name == "household")
        .unwrap();
    let values: BTreeMap<_, _> = values.iter().cloned().collect();
    (entry.build)(&Parameters::new(values)).unwrap()
}

struct Loop {
    cast: Cast,
    transcript: Transcript,
    task: String,
    length: u32,
    role: Box<dyn Role>,
    user: Option<Box<dyn UserSimulator>>,
    environment: Box<dyn Environment>,
    turns: BTreeMap<Seat, (u32, usize)>,
    played: Played,
}

/// Plays one task to its end.
pub(crate) async fn play(task: &OpenTask, cast: &Cast) -> Played {
    let visibility = cast.user.as_ref().map(|(_, visibility)| visibility.clone());
    let mut table = Loop {
        cast: cast.clone(),
        transcript: Transcript::new(visibility.unwrap_or_default()),
        task: task.task.public.id.clone(),
        length: 0,
        role: (cast.role)(),
        user: cast.user.as_ref().map(|(factory, _)| factory()),
        environment: (task.environment)(),
        turns: BTreeMap::new(),
        played: Played::default(),
    };
    table.open(task).await;
    let mut notice = None;
    for step in 0..cast.steps {
        notice = table.step(cast.steps - step, notice).await;
        if table.played.success {
            break;
        }
    }
    table.played
}

impl Loop {
    fn record(&mut self, from: Seat, to: Seat, message: Message) {
        let event = Event {
            seq: self.length,
            cause: self.length.checked_sub(1),
            from,
            to,
            message,
        };
        self.length += 1;
        self.transcript.append(event).unwrap();
    }

    async fn open(&mut self, task: &OpenTask) {
        let opened = Opened {
            task: task.task.public.clone(),
            cell: CellName::new("main").unwrap(),
            strategy: "respact".to_owned(),
            roles: vec![executor_name()],
            user: None,
        };
        let opened = Message::Opened(Box::new(opened));
        self.record(Seat::Conductor, Seat::Conductor, opened);
        for part in task.task.entrusted.clone() {
            let audience = part.audience.clone();
            self.record(
                Seat::Conductor,
                audience,
                Message::Entrusted(Box::new(part)),
            );
        }
        let begun = Begun {
            trial: 0,
            round: 0,
            keep_world: false,
            seed: Seed(0),
        };
        self.record(
            Seat::Conductor,
            Seat::Environment,
            Message::Begun(begun.clone()),
        );
        let seen = self.environment.begin(&begun).await.unwrap();
        self.played.transcript.push(seen.text.clone());
        self.record(Seat::Environment, Seat::Conductor, Message::Observed(seen));
    }

    fn turn(&mut self, seat: Seat) -> Turn {
        let (number, since) = self.turns.get(&seat).copied().unwrap_or_default();
        let end = self.length as usize;
        self.turns.insert(seat.clone(), (number + 1, end));
        let parts = SeedParts {
            task: &self.task,
            repeat: 0,
            trial: 0,
            round: 0,
            seat: &seat,
            turn: number,
            attempt: 0,
            call: 0,
        };
        Turn {
            episode: EpisodeId {
                cell: CellName::new("main").unwrap(),
                task: 0,
                repeat: 0,
            },
            number,
            attempt: 0,
            view: self.transcript.visible_to(seat.clone(), since, end),
            seed: self.cast.seed.derive(&parts),
            seat,
            cancel: CancellationToken::new(),
        }
    }

    async fn step(&mut self, left: u32, notice: Option<String>) -> Option<String> {
        let executor = Seat::Role(executor_name());
        let kinds: &[MoveKind] = match self.user {
            Some(_) => &[MoveKind::Think, MoveKind::Act, MoveKind::Speak],
            None => &[MoveKind::Think, MoveKind::Act],
        };
        let brief = Brief {
            open: MoveKinds::of(kinds),
            notice,
            steps_left: Some(left),
            ..Brief::default()
        };
        let open = brief.open;
        self.record(Seat::Conductor, executor.clone(), Message::Brief(brief));
        let turn = self.turn(executor.clone());
        if self.cast.forgetful {
            self.role = (self.cast.role)();
        }
        let answer = self.role.take_turn(&turn).await.unwrap();
        let made = answer.moves.into_iter().next().unwrap();
        assert!(open.contains(made.kind()), "{made:?}");
        self.record(executor, Seat::Conductor, Message::Moved(made.clone()));
        self.played.steps += 1;
        match made {
            Move::Think { text } => {
                self.played.transcript.push(format!("think: {text}"));
                self.played.thoughts += 1;
                return Some("OK.".to_owned());
            }
            Move::Act { action } => self.perform(action).await,
            Move::Speak { text, act } => {
                self.tell(Utterance {
                    text,
                    act,
                    leaving: false,
                })
                .await
            }
            other => panic!("{other:?}"),
        }
        None
    }

    async fn perform(&mut self, action: Action) {
        self.played.transcript.push(format!("> {}", action.text));
        self.record(
            Seat::Conductor,
            Seat::Environment,
            Message::Perform(action.clone()),
        );
        let seen = self.environment.perform(&action).await.unwrap();
        self.played.transcript.push(seen.text.clone());
        self.played.invalid += u32::from(seen.invalid);
        self.played.success = seen.done;
        self.record(Seat::Environment, Seat::Conductor, Message::Observed(seen));
    }

    async fn tell(&mut self, told: Utterance) {
        self.played.transcript.push(format!("speak: {}", told.text));
        self.played.questions += 1;
        self.record(Seat::Conductor, Seat::User, Message::Told(told));
        let turn = self.turn(Seat::User);
        let user = self.user.as_mut().unwrap();
        let reply = user.reply(&turn).await.unwrap();
        self.played
            .transcript
            .push(format!("Human: {}", reply.text));
        self.record(Seat::User, Seat::Conductor, Message::Replied(reply));
    }
}
