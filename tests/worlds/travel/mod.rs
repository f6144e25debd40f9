mod conformance;
mod data;
mod episodes;
mod players;
