//! Users, simulated and real.
