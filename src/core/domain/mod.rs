//! The words of the runtime: who takes part, what they say, what happened.
//!
//! Everything here is plain data that can be written to a log and read back. No async, no
//! input or output, no clock.

mod action;
mod event;
mod few;
mod fork;
mod id;
mod model;
mod moves;
mod name;
mod outcome;
mod seat;
mod seed;
mod task;
mod transcript;
mod visibility;

pub use action::{Action, Call, Observation, ToolChoice};
pub use event::{Begun, Brief, Event, Message, Opened, SCHEMA, Scene, SceneLine, Scored, Section, Served};
pub use few::Few;
pub use fork::{Fork, Given, Reseeded, Steering};
pub use id::{CellName, EpisodeId, InvalidId, InvalidShard, Notation, Shard};
pub use model::{CandidateScore, Choice, Finish, ModelCall, ModelReply, TextVectors, TokenLogprob, ToolCall, Usage};
pub use moves::{Answer, DialogueAct, Move, MoveKind, MoveKinds, PlanStep, Repair, Utterance};
pub use outcome::{Counts, Ending, Fault, FaultKind, Limit, Outcome, Score};
pub use seat::{InvalidName, RoleName, Seat};
pub use seed::{Seed, SeedParts};
pub use task::{PrivateInfo, PublicTask, Task};
pub use transcript::{NoPlace, Transcript, View};
pub use visibility::{UserSees, Visibility};
