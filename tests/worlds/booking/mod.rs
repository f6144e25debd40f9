mod conformance;
mod episodes;
mod players;
