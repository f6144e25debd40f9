//! The events of one episode, shared by everybody who takes part in it.

use std::fmt;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};

use super::{Event, Message, Seat, UserSees, Visibility};

/// Events of the first chunk.
const FIRST_CHUNK: usize = 8;

/// From so many places on, chunks grow by a quarter instead of an eighth: who looks for a place walks
/// from chunk to chunk.
const MANY: usize = 256;

/// The events of one episode that seats may see: an append-only list that can be read while it
/// grows.
///
/// Readers get references, never copies: the cost of looking at an episode does not depend on how
/// often it was looked at. Only the conductor appends. Events that no seat may see are not kept here.
#[derive(Clone)]
pub struct Transcript {
    shared: Arc<Shared>,
}

/// An event that cannot be appended.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("event {0} has no place in the transcript: it is there already, or events before it are missing")]
pub struct NoPlace(pub u32);

struct Shared {
    visibility: Visibility,
    /// The number of the event that comes next.
    next: AtomicU32,
    first: Chunk,
}

/// Places for events, and the next chunk once it is needed: an episode with few events is small.
struct Chunk {
    slots: Box<[OnceLock<Event>]>,
    next: OnceLock<Box<Chunk>>,
}

impl Chunk {
    fn new(size: usize) -> Self {
        Self { slots: std::iter::repeat_with(OnceLock::new).take(size).collect(), next: OnceLock::new() }
    }

    fn event(&self, position: usize) -> Option<&Event> {
        self.slots.get(position)?.get()
    }

    /// The first place that is empty, or holds an event of this number or a later one.
    fn place_of(&self, seq: usize) -> usize {
        let before = |slot: &OnceLock<Event>| slot.get().is_some_and(|event| (event.seq as usize) < seq);
        self.slots.partition_point(before)
    }
}

impl Transcript {
    /// An empty transcript under the given rules of visibility.
    pub fn new(visibility: Visibility) -> Self {
        Self { shared: Arc::new(Shared { visibility, next: AtomicU32::new(0), first: Chunk::new(FIRST_CHUNK) }) }
    }

    /// Appends the event, whose `seq` must be the number of events so far. One that no seat may ever
    /// see is given back.
    ///
    /// Fails if its place is taken or there is none yet.
    pub fn append(&self, event: Event) -> Result<Option<Event>, NoPlace> {
        let seq = event.seq;
        if seq != self.shared.next.load(Ordering::Acquire) {
            return Err(NoPlace(seq));
        }
        let hidden = if Visibility::hides(&event) {
            Some(event)
        } else {
            let slot = self.next_slot().ok_or(NoPlace(seq))?;
            slot.set(event).map_err(|_| NoPlace(seq))?;
            None
        };
        self.shared.next.store(seq + 1, Ordering::Release);
        Ok(hidden)
    }

    /// The first place that is empty; if there is none, in a new chunk, which is an eighth as large as all
    /// before, or a quarter where these are many.
    fn next_slot(&self) -> Option<&OnceLock<Event>> {
        let mut chunk = &self.shared.first;
        let mut places = chunk.slots.len();
        while let Some(next) = chunk.next.get() {
            chunk = next;
            places += chunk.slots.len();
        }
        let filled = chunk.place_of(usize::MAX);
        match chunk.slots.get(filled) {
            Some(slot) => Some(slot),
            None => {
                let share = if places < MANY { 8 } else { 4 };
                let new = || Box::new(Chunk::new((places / share).max(FIRST_CHUNK)));
                chunk.next.get_or_init(new).slots.first()
            }
        }
    }

    /// Who sees what.
    pub fn visibility(&self) -> &Visibility {
        &self.shared.visibility
    }

    /// The event of this number, if it was appended and some seat may see it.
    pub fn get(&self, seq: usize) -> Option<&Event> {
        self.range(seq, seq.saturating_add(1)).next()
    }

    /// Events among the first `end` that some seat may see, in order.
    pub fn events(&self, end: usize) -> impl Iterator<Item = &Event> {
        self.range(0, end)
    }

    /// Events among the first `end` that some seat may see, from number `start` on.
    pub fn range(&self, start: usize, end: usize) -> impl Iterator<Item = &Event> {
        let mut chunk = &self.shared.first;
        while let Some(next) = chunk.next.get()
            && next.event(0).is_some_and(|event| event.seq as usize <= start)
        {
            chunk = next;
        }
        let mut place = chunk.place_of(start);
        std::iter::from_fn(move || {
            if place == chunk.slots.len() {
                chunk = chunk.next.get()?;
                place = 0;
            }
            let event = chunk.event(place);
            let event = event.filter(|event| (event.seq as usize) < end)?;
            place += 1;
            Some(event)
        })
    }

    /// The view of `viewer` of the first `end` events, of which those from `since` on are new.
    pub fn visible_to(&self, viewer: Seat, since: usize, end: usize) -> View {
        View { transcript: self.clone(), viewer, since, end }
    }
}

impl fmt::Debug for Transcript {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let events = self.events(usize::MAX);
        formatter.debug_list().entries(events).finish()
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

    /// The events that have become visible since the seat's last turn, oldest first.
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

    /// Whether what was seen stays in sight: a user that sees the question alone forgets the one before.
    pub fn only_grows(&self) -> bool {
        let sees = self.transcript.visibility().user_sees;
        self.viewer != Seat::User || sees != UserSees::Question
    }

    /// Whose view it is.
    pub fn viewer(&self) -> &Seat {
        &self.viewer
    }

    fn visible(&self, start: usize) -> impl Iterator<Item = &Event> {
        let visibility = &self.transcript.shared.visibility;
        let question = self.question();
        let events = self.transcript.range(start, self.end);
        events.filter(move |event| visibility.allows(event, &self.viewer, question))
    }

    /// The utterance that the user is answering: the last one it was told. Roles have none.
    fn question(&self) -> Option<u32> {
        if self.viewer != Seat::User {
            return None;
        }
        let events = self.transcript.range(self.since, self.end);
        events.filter(|event| matches!(event.message, Message::Told(_))).last().map(|event| event.seq)
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
        let seqs: Vec<u32> = transcript.events(usize::MAX).map(|event| event.seq).collect();
        assert_eq!(seqs, (0..1000).collect::<Vec<_>>());
        assert!(transcript.append(thought(5)).is_err());
        assert!(transcript.append(thought(5000)).is_err());
    }

    #[test]
    fn what_nobody_may_see_is_given_back_and_leaves_no_gap_for_readers() {
        let transcript = Transcript::new(Visibility::default());
        let called = |seq, remembered| Event {
            message: Message::ModelCalled(Box::new(ModelCall {
                turn: 0,
                attempt: 0,
                call: 0,
                again: 0,
                unread: None,
                model: "m".to_owned(),
                request: String::new(),
                reply: ModelReply::default(),
                cost: None,
                remembered,
            })),
            ..thought(seq)
        };
        for seq in 0..300 {
            let event = match seq % 3 {
                1 => called(seq, false),
                2 => called(seq, true),
                _ => thought(seq),
            };
            let expected = (seq % 3 == 1).then(|| event.clone());
            assert_eq!(transcript.append(event).unwrap(), expected);
        }
        let seqs = |start, end| transcript.range(start, end).map(|event| event.seq);
        let kept = |start, end| (start..end).filter(|seq| seq % 3 != 1);
        for (start, end) in [(0, 300), (1, 300), (7, 8), (8, 9), (100, 200), (299, 999)] {
            let expected: Vec<u32> = kept(start, end.min(300)).collect();
            assert_eq!(seqs(start as usize, end as usize).collect::<Vec<_>>(), expected);
        }
        assert!(transcript.get(4).is_none());
        assert_eq!(transcript.get(5).unwrap().seq, 5);
        assert!(transcript.append(thought(299)).is_err());
        assert!(transcript.append(thought(301)).is_err());
    }

    #[test]
    fn a_view_ends_where_it_was_taken() {
        let transcript = Transcript::new(Visibility::default());
        for seq in 0..5 {
            transcript.append(thought(seq)).unwrap();
        }
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
