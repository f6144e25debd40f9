//! The log of a run: one writer, and the reader.
