//! The text side of ALFWorld: household games in the official format.
