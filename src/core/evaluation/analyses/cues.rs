//! Words that show what an utterance is for, one cue a line. They match whole words, whatever their case, and
//! one that ends with a star may go on.

/// Something did not work or is not there.
pub(super) const FAILURE: &str = include_str!("cues/failure.txt");
/// Something else is proposed or asked for.
pub(super) const ALTERNATIVE: &str = include_str!("cues/alternative.txt");
/// Beliefs and likelihood.
pub(super) const BELIEF: &str = include_str!("cues/belief.txt");
/// The user is to say yes to something that the agent has found out or is about to do.
pub(super) const CONFIRM: &str = include_str!("cues/confirm.txt");
/// Something that is known already is not clear enough.
pub(super) const UNCLEAR: &str = include_str!("cues/unclear.txt");
/// The user's likings, and questions of somebody who knows nothing yet.
pub(super) const PREFERENCE: &str = include_str!("cues/preference.txt");
/// The end of a conversation, and offers of further help.
pub(super) const FURTHER_HELP: &str = include_str!("cues/further-help.txt");
/// Thanks and greetings that say nothing by themselves.
pub(super) const PLEASANTRIES: &str = include_str!("cues/pleasantries.txt");
/// Agreement.
pub(super) const YES: &str = include_str!("cues/yes.txt");
/// Disagreement.
pub(super) const NO: &str = include_str!("cues/no.txt");
/// Questions about where something is or what state it is in.
pub(super) const WHERE: &str = include_str!("cues/where.txt");
/// Questions about what is to be done.
pub(super) const INSTRUCTION: &str = include_str!("cues/instruction.txt");
/// Answers are offered to choose from.
pub(super) const CHOICE: &str = include_str!("cues/choice.txt");
/// Where something is, or what state it is in.
pub(super) const PLACED: &str = include_str!("cues/placed.txt");
/// The commands, rather than the world.
pub(super) const INTERFACE: &str = include_str!("cues/interface.txt");
/// Questions about where something is, however they go on.
pub(super) const LOCATION: &str = include_str!("cues/place.txt");
