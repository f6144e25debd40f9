//! The replies of its model that a role answered with, found again in its view.

use super::ask::Asking;
use super::shared::Shared;
use crate::domain::{Brief, Choice, Event, Message};
use crate::ports::Turn;
use crate::prompts::{Scene, Script};
use crate::roles::reader::Commands;

/// The last question to a role and its model's replies: a fold over its view.
#[derive(Default)]
pub(super) struct Replies {
    brief: Brief,
    /// The calls of the attempt so far.
    calls: Vec<(u32, Vec<Choice>)>,
    attempt: u32,
    /// The call whose choice is the answer, as far as is known.
    taken: Option<(u32, usize)>,
}

impl Replies {
    /// Reads an event; for a move of the role, gives the call and choice that it was read from.
    pub(super) fn fold(
        &mut self,
        shared: &Shared,
        turn: &Turn,
        scene: &Scene,
        script: &Script,
        event: &Event,
    ) -> Option<(u32, usize)> {
        match &event.message {
            Message::Brief(brief) => {
                *self = Self { brief: brief.clone(), ..Self::default() };
            }
            Message::ModelCalled(call) => {
                if std::mem::replace(&mut self.attempt, call.attempt) != call.attempt {
                    self.calls.clear();
                }
                self.calls.push((event.seq, call.reply.choices.clone()));
                let taken = self.settle(shared, turn, scene, script);
                self.taken = taken.or(Some((event.seq, 0)));
            }
            Message::Moved(_) if event.from == turn.seat => return self.taken.take(),
            _ => {}
        }
        None
    }

    /// Takes one of the answers that were drawn last, as the role did.
    fn settle(&self, shared: &Shared, turn: &Turn, scene: &Scene, script: &Script) -> Option<(u32, usize)> {
        let (count, rule) = shared.drawing(&self.brief)?;
        let calls = shared.calls_for(count);
        let drawn = self.calls.get(self.calls.len().checked_sub(calls)?..)?;
        let places: Vec<(u32, usize)> = drawn
            .iter()
            .flat_map(|(seq, choices)| {
                let places = 0..choices.len();
                places.map(move |place| (*seq, place))
            })
            .collect();
        if let [only] = *places {
            return Some(only);
        }
        let forms = scene.forms.rows.iter().map(|(form, _)| form.as_str());
        let mut commands = Commands::new(forms).with_verbs(shared.world.words.verbs());
        commands.set_admissible(scene.admissible.clone());
        let asking = Asking {
            turn,
            brief: &self.brief,
            format: shared.format_of(&self.brief).ok()?,
            scene,
            script,
            commands: &commands,
            structure: None,
        };
        let choices = drawn.iter().flat_map(|(_, choices)| choices.clone());
        let settled = shared.settle(&asking, rule, choices.collect());
        let (place, _) = settled.ok()?.ok()?;
        places.get(place).copied()
    }
}
