//! Booking: conversations about hotels, restaurants, attractions, trains and taxis of a city (MultiWOZ as ReSpAct and
//! AutoTOD use it; `docs/booking.md`).

pub mod account;
mod analyses;
pub mod api;
pub mod autotod;
pub mod city;
pub mod conversations;
mod data;
pub mod database;
pub mod desk;
mod entries;
pub mod environment;
pub mod fidelity;
pub mod files;
pub mod formats;
pub mod function_desk;
pub mod functions;
pub mod generate;
pub mod goal;
pub mod input;
pub mod language;
mod metrics;
pub mod normalise;
pub mod played;
pub mod reference;
pub mod roles;
pub mod score;
pub mod sql;
pub mod state;
pub mod strategy;
pub mod strict;
pub mod tasks;
pub mod tools;
#[cfg(test)]
mod town;
pub mod users;
pub mod words;

pub use entries::ENTRIES;
pub use files::DataError;
