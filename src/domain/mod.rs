//! The words of the runtime: who takes part, what they say, what happened.
//!
//! Everything here is plain data that can be written to a log and read back. No async, no
//! input or output, no clock.

mod action;
mod dialogue_act;
mod event;
mod fault;
mod few;
mod fork;
mod id;
mod model;
mod moves;
mod name;
mod notation;
mod outcome;
mod scene;
mod seat;
mod seed;
mod shard;
mod task;
mod transcript;
mod visibility;

pub use action::{Action, Call, Observation, ToolChoice};
pub use dialogue_act::DialogueAct;
pub use event::{Begun, Brief, Event, Message, Opened, SCHEMA, Scored, Section, Served};
pub use fault::{Fault, FaultKind};
pub use few::Few;
pub use fork::{Fork, Given, Reseeded, Steering};
pub use id::{CellName, EpisodeId, InvalidId};
pub use model::{CandidateScore, Choice, Finish, ModelCall, ModelReply, TextVectors, TokenLogprob, ToolCall, Usage};
pub use moves::{Answer, Move, MoveKind, MoveKinds, PlanStep, Repair, Utterance};
pub use notation::Notation;
pub use outcome::{Counts, Ending, Limit, Outcome, Score};
pub use scene::{Scene, SceneLine};
pub use seat::{InvalidName, RoleName, Seat};
pub use seed::{Seed, SeedParts};
pub use shard::{InvalidShard, Shard};
pub use task::{PrivateInfo, PublicTask, Task};
pub use transcript::{NoPlace, Transcript, View};
pub use visibility::{UserSees, Visibility};
