//! The events of one episode, shared by everybody who takes part in it.

use std::fmt;
use std::sync::{Arc, OnceLock};

use super::{Event, Message, Seat, Visibility};

/// Events of the first chunk; every further chunk is twice as large as the one before.
const FIRST_CHUNK: usize = 8;

/// An append-only list of events that can be read while it grows.
///
/// Readers get references, never copies: the cost of looking at an episode does not depend on how
/// often it was looked at. Only the conductor appends.
#[derive(Clone)]
pub struct Transcript {
    shared: Arc<Shared>,
}

/// An event that cannot be appended.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "event {0} has no place in the transcript: it is there already, or events before it are missing"
)]
pub struct NoPlace(pub u32);

struct Shared {
    visibility: Visibility,
    first: Chunk,
}

/// Places for events, and the next chunk once it is needed: an episode with few events is small.
struct Chunk {
    slots: Box<[OnceLock<Event>]>,
    next: OnceLock<Box<Chunk>>,
}

impl Chunk {
    fn new(size: usize) -> Self {
        Self {
            slots: std::iter::repeat_with(OnceLock::new).take(size).collect(),
            next: OnceLock::new(),
        }
    }
}

impl Transcript {
    /// An empty transcript under the given rules of visibility.
    pub fn new(visibility: Visibility) -> Self {
        Self {
            shared: Arc::new(Shared {
                visibility,
                first: Chunk::new(FIRST_CHUNK),
            }),
        }
    }

    /// Appends the event, whose `seq` must be the number of events so far.
    ///
    /// Fails if its place is taken or there is none yet.
    pub fn append(&self, event: Event) -> Result<(), NoPlace> {
        let seq = event.seq;
        let mut chunk = &self.shared.first;
        let mut offset = seq as usize;
        while offset >= chunk.slots.len() {
            offset -= chunk.slots.len();
            chunk = match chunk.next.get() {
                Some(next) => next,
                // Whoever appends in order is at the beginning of the chunk that comes next.
                None if offset == 0 => {
                    let size = 2 * chunk.slots.len();
                    chunk.next.get_or_init(|| Box::new(Chunk::new(size)))
                }
                None => return Err(NoPlace(seq)),
            };
        }
        chunk.slots[offset].set(event).map_err(|_| NoPlace(seq))
    }

    /// The event at the position, if it was appended.
    pub fn get(&self, seq: usize) -> Option<&Event> {
        let mut chunk = &self.shared.first;
        let mut offset = seq;
        while offset >= chunk.slots.len() {
            offset -= chunk.slots.len();
            chunk = chunk.next.get()?;
        }
        chunk.slots[offset].get()
    }

    /// The first `end` events, in order.
    pub fn events(&self, end: usize) -> impl Iterator<Item = &Event> {
        self.range(0, end)
    }

    fn range(&self, start: usize, end: usize) -> impl Iterator<Item = &Event> {
        (start..end).map_while(|seq| self.get(seq))
    }

    /// What `viewer` may see of the first `end` events, of which those from `since` on are new.
    pub fn visible_to(&self, viewer: Seat, since: usize, end: usize) -> View {
        View {
            transcript: self.clone(),
            viewer,
            since,
            end,
        }
    }
}

impl fmt::Debug for Transcript {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_list()
            .entries(self.events(usize::MAX))
            .finish()
    }
}

/// One seat's view of an episode: references into the shared transcript, filtered by
/// [`Visibility`].
#[derive(Clone)]
pub struct View {
    transcript: Transcript,
    viewer: Seat,
    since: usize,
    end: usize,
}

impl View {
    /// Everything that the seat may see, oldest first.
    pub fn all(&self) -> impl Iterator<Item = &Event> {
        self.visible(0)
    }

    /// What has become visible since the seat's last turn, oldest first.
    pub fn new_events(&self) -> impl Iterator<Item = &Event> {
        self.visible(self.since)
    }

    /// Everything that the seat may see from the position `seq` on, oldest first. A participant
    /// that keeps a cache goes on from where it stopped.
    pub fn starting_at(&self, seq: usize) -> impl Iterator<Item = &Event> {
        self.visible(seq)
    }

    /// Number of events in the episode when the view was taken, visible or not.
    pub fn end(&self) -> usize {
        self.end
    }

    /// Position of the first new event.
    pub fn since(&self) -> usize {
        self.since
    }

    /// Whose view it is.
    pub fn viewer(&self) -> &Seat {
        &self.viewer
    }

    fn visible(&self, start: usize) -> impl Iterator<Item = &Event> {
        let visibility = &self.transcript.shared.visibility;
        let question = self.question();
        self.transcript
            .range(start, self.end)
            .filter(move |event| visibility.allows(event, &self.viewer, question))
    }

    /// The utterance that the user is answering: the last one it was told. Roles have none.
    fn question(&self) -> Option<u32> {
        if self.viewer != Seat::User {
            return None;
        }
        (self.since..self.end)
            .rev()
            .filter_map(|seq| self.transcript.get(seq))
            .find(|event| matches!(event.message, Message::Told(_)))
            .map(|event| event.seq)
    }
}

impl fmt::Debug for View {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_list().entries(self.all()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::super::*;
    use super::*;

    fn thought(seq: u32) -> Event {
        Event {
            seq,
            cause: None,
            from: Seat::Role(RoleName::new("executor").unwrap()),
            to: Seat::Conductor,
            message: Message::Moved(Move::think(seq.to_string())),
        }
    }

    #[test]
    fn events_keep_their_places_over_chunks() {
        let transcript = Transcript::new(Visibility::default());
        for seq in 0..1000 {
            transcript.append(thought(seq)).unwrap();
        }
        let seqs: Vec<u32> = transcript
            .events(usize::MAX)
            .map(|event| event.seq)
            .collect();
        assert_eq!(seqs, (0..1000).collect::<Vec<_>>());
        assert!(transcript.append(thought(5)).is_err());
        assert!(transcript.append(thought(5000)).is_err());
    }

    #[test]
    fn a_view_ends_where_it_was_taken() {
        let transcript = Transcript::new(Visibility::default());
        (0..5).for_each(|seq| transcript.append(thought(seq)).unwrap());
        let viewer = Seat::Role(RoleName::new("thinker").unwrap());
        let view = transcript.visible_to(viewer, 3, 5);
        transcript.append(thought(5)).unwrap();
        assert_eq!(view.all().count(), 5);
        assert_eq!(view.new_events().count(), 2);
    }

    #[test]
    fn the_user_sees_the_question_it_is_answering_and_no_other() {
        let transcript = Transcript::new(Visibility::default());
        for seq in 0..3 {
            let told = Event {
                from: Seat::Conductor,
                to: Seat::User,
                message: Message::Told(Utterance::text(seq.to_string())),
                ..thought(seq)
            };
            transcript.append(told).unwrap();
        }
        let view = transcript.visible_to(Seat::User, 2, 3);
        let seen: Vec<u32> = view.all().map(|event| event.seq).collect();
        assert_eq!(seen, [2]);
    }
}
