//! Booking: conversations about hotels, restaurants, attractions, trains and taxis of a city (MultiWOZ as ReSpAct and
//! AutoTOD use it; `docs/booking.md`).

pub mod account;
mod analyses;
pub mod api;
pub mod city;
pub mod conformance;
pub mod database;
pub mod desk;
pub mod environment;
pub mod formats;
pub mod function_desk;
pub mod functions;
pub mod goal;
pub mod keys;
pub mod language;
pub mod played;
pub mod private;
pub mod reference;
pub mod roles;
pub mod score;
pub mod sql;
pub mod state;
pub mod strategy;
pub mod strict;
pub mod tasks;
pub mod tools;
pub mod users;
pub mod words;

pub mod autotod;
pub mod conversations;
mod data;
mod entries;
pub mod faults;
pub mod fidelity;
pub mod files;
pub mod generate;
pub mod input;
mod metrics;
pub mod normalise;
mod scene;
#[cfg(test)]
mod town;
mod word_lists;

pub use entries::ENTRIES;
pub use files::BookingError;
