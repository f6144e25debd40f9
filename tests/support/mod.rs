//! What tests of several areas share. Every program below `tests` holds this module once.

#![allow(dead_code, unreachable_pub, reason = "each program of tests uses a part")]
#![allow(clippy::print_stdout, reason = "who finds no recordings says that the test skips")]

pub mod binary;
pub mod clients;
pub mod fake_model;
pub mod hostile;
pub mod live;
pub mod made_up;
pub mod nats_server;
pub mod played;
pub mod puppet;
pub mod queues;
pub mod raw_server;
pub mod recordings;
pub mod segmented;
pub mod served;
pub mod shipped;
pub mod synthetic;
pub mod toy;
