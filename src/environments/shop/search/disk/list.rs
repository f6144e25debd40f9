//! The places that have one term: blocks of them, each with the best that it holds.
//!
//! A list begins with a directory, eight bytes a block: its last place, and the greatest of its codes with two flags.
//! Then each block has its places as distances from where the block begins, and then their codes, two or four bytes
//! each. A code stands for count and length; codes order as the scores do.

use std::ops::Range;

/// The most entries of a block.
const MOST: usize = 128;
/// Bytes of a block in the directory.
const ENTRY: usize = 8;
/// Distances of four bytes.
const FAR: u32 = 1 << 31;
/// Codes of four bytes.
const WIDE: u32 = 1 << 30;

/// A list as it is on the disk, with its directory read.
#[derive(Debug, Default)]
pub(super) struct List {
    bytes: Vec<u8>,
    blocks: Vec<Block>,
    /// The greatest code.
    pub(super) top: u32,
    /// Number of entries.
    pub(super) entries: u32,
}

/// A block of a list.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block {
    /// Place from which distances count.
    pub(super) base: u32,
    /// Its last place.
    pub(super) last: u32,
    /// Its greatest code.
    pub(super) top: u32,
    /// Number of its entries.
    pub(super) entries: usize,
    at: usize,
    far: bool,
    wide: bool,
}

/// Writes a list down: places in ascending order with their codes, each below 2^30.
pub(super) fn encode(entries: &[(u32, u32)]) -> Vec<u8> {
    let mut directory =
        Vec::with_capacity(entries.len().div_ceil(MOST) * ENTRY + entries.len() * 4);
    let mut data = Vec::with_capacity(entries.len() * 4);
    let mut base = 0;
    for block in entries.chunks(MOST) {
        let (last, _) = block[block.len() - 1];
        let top = block
            .iter()
            .map(|(_, code)| *code)
            .max()
            .unwrap_or_default();
        let far = last - base > u32::from(u16::MAX);
        let wide = top > u32::from(u16::MAX);
        directory.extend_from_slice(&last.to_le_bytes());
        let flags = if far { FAR } else { 0 } | if wide { WIDE } else { 0 };
        directory.extend_from_slice(&(top | flags).to_le_bytes());
        for (place, _) in block {
            data.extend_from_slice(&(place - base).to_le_bytes()[..bytes_of(far)]);
        }
        for (_, code) in block {
            data.extend_from_slice(&code.to_le_bytes()[..bytes_of(wide)]);
        }
        base = last + 1;
    }
    directory.extend_from_slice(&data);
    directory
}

fn bytes_of(long: bool) -> usize {
    if long { 4 } else { 2 }
}

fn number(bytes: &[u8]) -> u32 {
    match *bytes {
        [a, b] => u32::from(u16::from_le_bytes([a, b])),
        [a, b, c, d] => u32::from_le_bytes([a, b, c, d]),
        _ => 0,
    }
}

impl List {
    /// Reads the directory of a list of so many entries with places below `places`; none if it cannot be one.
    pub(super) fn read(bytes: Vec<u8>, entries: u32, places: u32) -> Option<Self> {
        let count = (entries as usize).div_ceil(MOST);
        let directory = bytes.get(..count * ENTRY)?;
        let mut blocks = Vec::with_capacity(count);
        let mut at = directory.len();
        let (mut base, mut left) = (0, entries as usize);
        for entry in directory.chunks_exact(ENTRY) {
            let (last, flags) = (number(&entry[..4]), number(&entry[4..]));
            if last < base || last >= places {
                return None;
            }
            let block = Block {
                base,
                last,
                top: flags & !(FAR | WIDE),
                at,
                entries: left.min(MOST),
                far: flags & FAR != 0,
                wide: flags & WIDE != 0,
            };
            at += block.entries * (bytes_of(block.far) + bytes_of(block.wide));
            left -= block.entries;
            base = last + 1;
            blocks.push(block);
        }
        let top = blocks
            .iter()
            .map(|block| block.top)
            .max()
            .unwrap_or_default();
        (at == bytes.len()).then_some(Self {
            bytes,
            blocks,
            top,
            entries,
        })
    }

    /// Bytes in memory.
    pub(super) fn size(&self) -> usize {
        self.bytes.len() + self.blocks.len() * size_of::<Block>()
    }

    pub(super) fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    fn halves(&self, block: &Block) -> (&[u8], &[u8]) {
        let middle = block.at + block.entries * bytes_of(block.far);
        let end = middle + block.entries * bytes_of(block.wide);
        (&self.bytes[block.at..middle], &self.bytes[middle..end])
    }

    /// Calls `each` with the entries of a block whose places lie in the range.
    pub(super) fn each(&self, block: &Block, within: &Range<u32>, mut each: impl FnMut(u32, u32)) {
        let (distances, codes) = self.halves(block);
        let first = match within.start.checked_sub(block.base) {
            Some(start) => seek(distances, block.far, start),
            None => 0,
        };
        let end = within.end.saturating_sub(block.base);
        // The usual case has a loop of its own, which is twice as quick.
        if let (false, false) = (block.far, block.wide) {
            let (distances, _) = distances[2 * first..].as_chunks::<2>();
            let (codes, _) = codes[2 * first..].as_chunks::<2>();
            for (distance, code) in distances.iter().zip(codes) {
                let distance = u32::from(u16::from_le_bytes(*distance));
                if distance >= end {
                    break;
                }
                each(
                    block.base.wrapping_add(distance),
                    u32::from(u16::from_le_bytes(*code)),
                );
            }
            return;
        }
        let distances = distances.chunks_exact(bytes_of(block.far)).map(number);
        let codes = codes.chunks_exact(bytes_of(block.wide)).map(number);
        let entries = distances.zip(codes).skip(first);
        for (distance, code) in entries.take_while(|(distance, _)| *distance < end) {
            each(block.base.wrapping_add(distance), code);
        }
    }

    /// The code of a place, if the block has it.
    pub(super) fn code(&self, block: &Block, document: u32) -> Option<u32> {
        let (distances, codes) = self.halves(block);
        let distance = document.checked_sub(block.base)?;
        let at = seek(distances, block.far, distance);
        let width = bytes_of(block.far);
        let found = number(distances.get(at * width..(at + 1) * width)?);
        let width = bytes_of(block.wide);
        (found == distance).then(|| number(&codes[at * width..(at + 1) * width]))
    }
}

/// The first entry that is not below the distance.
fn seek(distances: &[u8], far: bool, distance: u32) -> usize {
    if far {
        let (distances, _) = distances.as_chunks::<4>();
        distances.partition_point(|bytes| u32::from_le_bytes(*bytes) < distance)
    } else {
        let (distances, _) = distances.as_chunks::<2>();
        distances.partition_point(|bytes| u32::from(u16::from_le_bytes(*bytes)) < distance)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_is_read() {
        let near: Vec<(u32, u32)> = (0..1_000).map(|place| (place * 3, place % 7)).collect();
        let far = vec![(5, 1), (70_000, 2), (4_000_000, 70_000), (4_000_001, 0)];
        for entries in [near, far, vec![(0, 0)], vec![]] {
            let count = entries.len() as u32;
            let list = List::read(encode(&entries), count, 5_000_000).unwrap();
            let mut found = Vec::new();
            for block in list.blocks() {
                list.each(block, &(0..u32::MAX), |place, code| {
                    found.push((place, code))
                });
            }
            assert_eq!(found, entries);
            for (place, code) in &entries {
                let block = list
                    .blocks()
                    .iter()
                    .find(|block| block.last >= *place)
                    .unwrap();
                assert_eq!(list.code(block, *place), Some(*code));
            }
            let within = 70..75_000;
            found.clear();
            for block in list.blocks() {
                list.each(block, &within, |place, code| found.push((place, code)));
            }
            let expected = entries.iter().filter(|(place, _)| within.contains(place));
            assert_eq!(found, expected.copied().collect::<Vec<_>>());
        }
    }

    #[test]
    fn what_is_no_list_is_refused() {
        let bytes = encode(&[(1, 1), (2, 2)]);
        assert!(List::read(bytes.clone(), 3, 9).is_none());
        assert!(List::read(bytes.clone(), 2, 2).is_none());
        assert!(List::read(bytes[..7].to_vec(), 2, 9).is_none());
        assert!(List::read(vec![], 1, 9).is_none());
    }
}
