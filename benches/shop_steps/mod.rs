//! Steps of WebShop without the runtime: random clicks, as the original was measured. On the first page an
//! instruction is searched for, elsewhere something of the page is clicked.

use std::hint::black_box;
use std::sync::Arc;

use rolecall::domain::Seed;
use rolecall::environments::shop::Store;
use rolecall::environments::shop::actions::Asked;
use rolecall::environments::shop::goal::Goal;
use rolecall::environments::shop::nouns::Tagger;
use rolecall::environments::shop::render::{Rendering, render};
use rolecall::environments::shop::session::{Page, Session, Shop};
use rolecall::text::mt19937::PythonRandom;

use crate::measure::{measured, resident_bytes, row};

/// Steps that are measured.
const STEPS: usize = 200_000;

/// Sessions that are held at a time.
const SESSIONS: usize = 1_000;

/// Steps of each of them.
const STEPS_OF_EACH: usize = 30;

/// Sessions of a data set that are clicked through at random.
struct Walk {
    shop: Shop,
    goals: Vec<Arc<Goal>>,
    random: PythonRandom,
}

impl Walk {
    fn begin(&self, number: usize) -> Session {
        let goal = Arc::clone(&self.goals[number % self.goals.len()]);
        Session::new(number.to_string(), goal, false, Seed(1))
    }

    /// Takes a step, and shows the page.
    fn step(&mut self, session: &mut Session) -> String {
        let asked = if let Page::Index = session.page() {
            let goal = &self.goals[self.random.randrange(self.goals.len())];
            Asked::Search(goal.instruction.clone().into())
        } else {
            let mut clickables = session.clickables();
            let chosen = self.random.randrange(clickables.len());
            Asked::Click(clickables.swap_remove(chosen).into())
        };
        session.perform(&self.shop, &asked).expect("a catalogue in memory");
        render(session, Rendering::TextRich)
    }
}

/// Prints how many `text_rich` steps a second of processor time takes, and what a thousand sessions hold.
pub(crate) fn measure(store: &Store, tagger: Arc<dyn Tagger>) {
    let mut walk = Walk {
        shop: Shop { catalogue: Arc::clone(&store.catalogue), search: Arc::clone(&store.search), tagger },
        goals: store.goals.iter().cloned().map(Arc::new).collect(),
        random: PythonRandom::new(1),
    };
    let (bytes, spent) = measured(|| {
        let (mut number, mut bytes) = (0, 0);
        let mut session = walk.begin(number);
        for _ in 0..STEPS {
            if session.is_done() {
                number += 1;
                session = walk.begin(number);
            }
            bytes += black_box(walk.step(&mut session)).len();
        }
        bytes
    });
    let rate = STEPS as f64 / spent.processor;
    let length = bytes / STEPS;
    row("steps with `text_rich`", rate, "a second of processor time");
    row("length of a page", length as f64, "bytes");
    let before = resident_bytes();
    let mut sessions: Vec<Session> = (0..SESSIONS).map(|number| walk.begin(number)).collect();
    for session in &mut sessions {
        for _ in 0..STEPS_OF_EACH {
            if !session.is_done() {
                black_box(walk.step(session));
            }
        }
    }
    let held = resident_bytes() - before;
    row("a thousand sessions", held / 1e6, "MB");
    drop(sessions);
}
