//! Agents, by role and implementation.
