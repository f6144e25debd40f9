//! Reading the English of household games: names, commands, observations, and where people
//! mention things. Players, users and the environment share it; it knows no world.

mod command;
mod fact;
mod name;

pub use command::{Command, worded};
pub use fact::{Fact, for_each_fact};
pub use name::{
    Items, by_class, by_number, class_of, indefinite, is_meant, number_of, placements_answer, placements_in,
    placements_paragraph, split_name,
};
