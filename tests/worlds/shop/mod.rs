mod clarification;
mod data;
mod episodes;
mod indices;
mod players;
mod seats;
mod tables;
