//! Dialogue: samples of FoCus, CIMA and PsyQA, or built-in ones, each a dialogue up to the user's last
//! words that is to be answered (TPE section 4; `docs/dialogue.md`).

pub mod builtin;
pub mod sample;
