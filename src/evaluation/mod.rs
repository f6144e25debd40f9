//! Figures computed from logs: metrics per episode, and aggregation with intervals.
