//! Measurements in few bytes: a letter for the kind, then its numbers. Most figures are yes, no or a small
//! whole number, and take two bytes at most, where a [`Measurement`] takes 24.

use crate::ports::Measurement;

const ABSENT: u8 = 0;
const NO: u8 = 1;
const YES: u8 = 2;
/// A quantity that is a whole number below [`SMALL`], whose byte follows.
const WHOLE: u8 = 3;
const VALUE: u8 = 4;
const SHARE: u8 = 5;
const SUM: u8 = 6;

const SMALL: u8 = u8::MAX;

/// Appends a measurement.
pub(super) fn write(measurement: Measurement, bytes: &mut Vec<u8>) {
    match measurement {
        Measurement::Absent => bytes.push(ABSENT),
        Measurement::Rate(yes) => bytes.push(if yes { YES } else { NO }),
        Measurement::Value(value) => match whole(value) {
            Some(whole) => bytes.extend([WHOLE, whole]),
            None => {
                bytes.push(VALUE);
                bytes.extend(value.to_le_bytes());
            }
        },
        Measurement::Share { hits, n } => {
            bytes.push(SHARE);
            bytes.extend(hits.to_le_bytes());
            bytes.extend(n.to_le_bytes());
        }
        Measurement::Sum { sum, n } => {
            bytes.push(SUM);
            bytes.extend(sum.to_le_bytes());
            bytes.extend(n.to_le_bytes());
        }
    }
}

/// The number, if it is small, whole and not the negative zero.
fn whole(value: f64) -> Option<u8> {
    let whole = value as u8;
    let same = f64::from(whole).to_bits() == value.to_bits();
    (same && whole < SMALL).then_some(whole)
}

/// The measurements that were appended, in order.
pub(super) fn read(mut bytes: &[u8]) -> impl Iterator<Item = Measurement> {
    std::iter::from_fn(move || next(&mut bytes))
}

/// The measurement at a position, found without reading those before it.
pub(super) fn nth(mut bytes: &[u8], position: usize) -> Option<Measurement> {
    for _ in 0..position {
        let (kind, rest) = bytes.split_first()?;
        bytes = rest.get(length(*kind)..)?;
    }
    next(&mut bytes)
}

/// Bytes behind the letter of a kind.
fn length(kind: u8) -> usize {
    match kind {
        WHOLE => 1,
        VALUE => 8,
        SHARE | SUM => 16,
        _ => 0,
    }
}

fn next(bytes: &mut &[u8]) -> Option<Measurement> {
    let [kind] = take(bytes)?;
    Some(match kind {
        NO | YES => Measurement::Rate(kind == YES),
        WHOLE => Measurement::Value(take(bytes).map(|[whole]| f64::from(whole))?),
        VALUE => Measurement::Value(take(bytes).map(f64::from_le_bytes)?),
        SHARE => {
            Measurement::Share { hits: take(bytes).map(u64::from_le_bytes)?, n: take(bytes).map(u64::from_le_bytes)? }
        }
        SUM => Measurement::Sum { sum: take(bytes).map(f64::from_le_bytes)?, n: take(bytes).map(u64::from_le_bytes)? },
        _ => Measurement::Absent,
    })
}

fn take<const N: usize>(bytes: &mut &[u8]) -> Option<[u8; N]> {
    let (first, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some(*first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_is_read_back_to_the_bit() {
        let mut all = vec![
            Measurement::Absent,
            Measurement::Rate(true),
            Measurement::Rate(false),
            Measurement::Share { hits: 3, n: u64::MAX },
            Measurement::Sum { sum: -0.25, n: 7 },
        ];
        let values = [0.0, -0.0, 1.0, 254.0, 255.0, 256.0, -1.0, 0.1, 1e300, f64::MIN_POSITIVE];
        all.extend(values.map(Measurement::Value));
        let mut bytes = Vec::new();
        all.iter().for_each(|one| write(*one, &mut bytes));
        let back: Vec<Measurement> = read(&bytes).collect();
        // Written out, zeros differ by their signs.
        assert_eq!(format!("{back:?}"), format!("{all:?}"));
        assert_eq!(back.len(), all.len());
        for (position, one) in back.iter().enumerate() {
            assert_eq!(nth(&bytes, position), Some(*one));
        }
        assert_eq!(nth(&bytes, back.len()), None);
    }
}
