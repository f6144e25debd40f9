//! Games that ship with the crate: rooms of our own, written out in the official format, so that
//! they pass through the same reader as official files.

mod catalogue;
pub mod room;
pub mod writer;

use room::Room;

/// The rooms, in the form that [`Room::parse`] reads.
const ROOMS: &str = include_str!("rooms.txt");

/// All built-in games: name (`TASKTYPE-Object-None-Target-room`, like official folders) and the text
/// of the `game.tw-pddl` file.
#[expect(
    clippy::expect_used,
    reason = "the text is part of the crate and a test reads it"
)]
pub fn games() -> Vec<(String, String)> {
    let rooms = Room::parse(ROOMS).expect("the built-in rooms are well formed");
    rooms
        .iter()
        .map(|room| (game_name(room), writer::game_json(room, None)))
        .collect()
}

/// The name of a room's game, built like the folders of official games.
pub fn game_name(room: &Room) -> String {
    format!(
        "{}-{}-None-{}-{}",
        room.task.prefix(),
        room.object.name,
        room.target,
        room.name
    )
}
