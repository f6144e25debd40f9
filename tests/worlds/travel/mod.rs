mod data;
mod episodes;
mod players;
