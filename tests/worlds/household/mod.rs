//! Household games.

mod asking;
mod cards;
mod clarification;
mod dialect;
mod environment;
mod exemplars;
mod games;
mod generate;
mod players;
mod properties;
mod questions;
mod tasks;
mod trajectories;
mod users;
mod variants;
