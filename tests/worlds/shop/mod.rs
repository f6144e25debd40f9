mod conformance;
mod episodes;
mod indices;
mod players;
mod seats;
mod tables;
