//! Wording replies naturally: one of several ways of saying the same, chosen by the turn's seed.

use rolecall_core::domain::Seed;

/// Chooses a way of saying something and fills `{}` in.
pub(super) fn say(seed: Seed, ways: &[&str], filling: &str) -> String {
    let index = seed.0 % ways.len().max(1) as u64;
    ways.get(index as usize).copied().unwrap_or("{}").replace("{}", filling)
}

/// Where to look.
pub(super) const CHECK: &[&str] = &[
    "Hmm, let me think. Can you please check the {}?",
    "I think you should look at the {}.",
    "Try the {}, I believe it is there.",
    "You should find it at the {}.",
];

/// The object was moved and is in the agent's hands.
pub(super) const HELD: &[&str] = &["You are holding the {} already.", "The {} is in your hands."];

/// Which object.
pub(super) const CHOOSE: &[&str] = &["Please take {}.", "Just {}, please.", "I would like {}."];

/// Any object will do.
pub(super) const ANY: &[&str] = &["Any {} will do.", "It does not matter, just pick a {}.", "Whichever {} you like."];

/// Which object it is does not matter to the owner.
pub(super) const NO_PREFERENCE: &[&str] =
    &["I have no preference, any {} will do.", "It does not matter to me which {} it is."];

/// The owner does not say which object it means, although it knows (ABA appendix D).
pub(super) const EVADE: &[&str] =
    &["That depends, I would say.", "Hm, what can you tell me about them?", "They are all fine in their own way."];

/// The next step.
pub(super) const DO: &[&str] = &["Please {}.", "Next you should {}.", "You could {} now."];

/// Nothing is left to be done.
pub(super) const DONE: &[&str] = &["That should be all.", "I think you are done."];

/// The user does not know.
pub(super) const UNKNOWN: &[&str] = &["Sorry, I do not know.", "I really have no idea, sorry.", "I cannot say."];

/// Something is asked that was not understood.
pub(super) const NOT_UNDERSTOOD: &[&str] = &[
    "Sorry, I do not understand what you mean.",
    "I do not understand the question.",
    "I am afraid I do not understand.",
];

/// Something that the room has not got.
pub(super) const NO_SUCH: &[&str] = &["There is no {} here that I know of.", "I do not know of any {} here."];

/// A receptacle is open.
pub(super) const OPEN: &[&str] = &["Yes, the {} is open."];

/// A receptacle is closed.
pub(super) const CLOSED: &[&str] = &["Yes, the {} is closed."];

/// Nothing is in a receptacle.
pub(super) const NOTHING_IN: &[&str] = &["There is nothing in/on the {}.", "The {} is empty."];

/// Something is somewhere in the room.
pub(super) const THERE: &[&str] = &["Yes, there is a {} here."];

/// Something is nowhere in the room.
pub(super) const NOT_THERE: &[&str] = &["No, there is no {} here."];

/// How many there are.
pub(super) const COUNT: &[&str] = &["I know of {}.", "There is {}, as far as I know."];

/// Nothing is in the agent's hands.
pub(super) const EMPTY_HANDS: &[&str] = &["You are holding nothing.", "Your hands are empty."];

/// It is in the agent's hands, yes.
pub(super) const HOLDS: &[&str] = &["Yes, you are holding the {}."];

/// It is not in the agent's hands.
pub(super) const NOT_HELD: &[&str] = &["No, you are not holding the {}."];

/// The whole task.
pub(super) const TASK: &[&str] = &["Your task is to: {}.", "You are to {}."];

/// Something is left to be done.
pub(super) const NOT_DONE: &[&str] = &["No, not yet.", "No, there is more to do."];

/// An answer to a report.
pub(super) const THANKS: &[&str] = &["Thank you, please go on.", "All right.", "Good, go ahead."];

/// A guess about where to look.
pub(super) const GUESS: &[&str] = &[
    "Hmm, I am not sure, maybe check the {}?",
    "I don't know exactly. Perhaps the {}?",
    "No idea, but you could try the {}.",
    "I am not certain. Maybe it is at the {}.",
];

/// A guess about which object.
pub(super) const GUESS_WHICH: &[&str] =
    &["Not sure, maybe {}?", "I don't remember. Perhaps {}.", "Hmm, I would guess {}."];
