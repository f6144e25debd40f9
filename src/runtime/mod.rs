//! Actors: the only module that knows actix.
//!
//! `conductor` and `participant` are plain code; `episode` and `seat` give them mailboxes; `launch`
//! starts episodes and `directory` knows which ones are alive.

#![allow(dead_code)]

mod conductor;
mod participant;
mod protocol;
mod record;
