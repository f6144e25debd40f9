//! Charts as inline SVG.
//!
//! Every row of a chart is a picture of its own with its text beside it. A picture has no view box:
//! places along it are percentages, heights and letters are pixels. So it is as wide as the page
//! allows and its letters stay legible on a phone. What it shows is its title, for those who do not
//! see it.

mod curves;
mod dots;
mod histogram;
mod scale;
mod stack;

pub(super) use curves::{Curve, Point, curves};
pub(super) use dots::{Whisker, axis, sequence, whisker};
pub(super) use histogram::{Bins, histogram};
pub(super) use scale::Scale;
pub(super) use stack::{Segment, shares, stack};
