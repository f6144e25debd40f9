//! A world of one's own with its tasks, played by a role of one's own, with every command of rolecall.
//!
//! ```sh
//! cd examples/own_environment
//! cargo run -- run configs/corridor.toml
//! cargo run -- report corridor
//! ```

mod world;

fn main() -> std::process::ExitCode {
    rolecall::main(rolecall::worlds().with(&world::ENTRIES))
}
