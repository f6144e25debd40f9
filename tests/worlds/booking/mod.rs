mod episodes;
mod players;
