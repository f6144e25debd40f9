//! Actors: the only module that knows actix.
