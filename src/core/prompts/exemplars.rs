//! Solved tasks that stand in a prompt, and which of them do (ReSpAct section 4.1: two of three
//! exemplars of the task's type, in six orders).

use std::collections::BTreeMap;

use crate::text::joined_by;
use crate::text::template::TemplateValue;

/// The ordered pairs of three exemplars, by the number that configs write.
pub const PERMUTATIONS: [[u32; 2]; 6] = [[1, 2], [1, 3], [2, 1], [2, 3], [3, 1], [3, 2]];

/// The exemplars of a persona, joined for every kind of task.
///
/// A file that is called `<task kind>-<number>`, whatever its ending, belongs to tasks of that kind;
/// any other file stands in every prompt. What comes between the two, as in `<kind>-hint-1`, belongs to
/// prompts that ask for one strategy.
#[derive(Clone, Debug)]
pub struct Exemplars {
    /// The exemplars in the prompt of a task of a kind that has some of its own.
    by_kind: Vec<(String, TemplateValue)>,
    /// The exemplars in every other prompt.
    common: TemplateValue,
}

impl Exemplars {
    /// Chooses `shots` exemplars of each kind: those of the pair of that permutation, in its order,
    /// and then the others by number.
    pub fn new(files: &BTreeMap<String, String>, shots: usize, permutation: usize) -> Self {
        let mut kinds: BTreeMap<&str, BTreeMap<u32, &str>> = BTreeMap::new();
        let mut common = Vec::new();
        for (file, text) in files {
            match belongs(file) {
                Some((kind, number)) => {
                    kinds.entry(kind).or_default().insert(number, text.trim());
                }
                None => common.push(text.trim()),
            }
        }
        let pair = PERMUTATIONS[permutation % PERMUTATIONS.len()];
        let joined = |texts: &BTreeMap<u32, &str>| {
            let first = pair.iter().filter_map(|number| texts.get(number));
            let others = texts.iter().filter(|(number, _)| !pair.contains(number));
            let chosen = first.chain(others.map(|(_, text)| text)).take(shots);
            TemplateValue::from(joined_by("\n\n", common.iter().chain(chosen)))
        };
        let by_kind = kinds.iter().map(|(kind, texts)| ((*kind).to_owned(), joined(texts)));
        Self { by_kind: by_kind.collect(), common: joined(&BTreeMap::new()) }
    }

    /// The exemplars in the prompt of a task of this kind.
    pub fn of(&self, kind: &str) -> TemplateValue {
        self.by_kind.iter().find(|(name, _)| name == kind).map_or(&self.common, |(_, joined)| joined).clone()
    }

    /// The exemplars in the prompt of a task of this kind where one strategy is to be carried out: its
    /// own exemplars (`<kind>-hint-1.txt`), and none that show other strategies beside it.
    pub fn of_strategy(&self, kind: &str, strategy: &str) -> TemplateValue {
        self.of(&format!("{kind}-{}", slug(strategy)))
    }
}

/// Exemplars with ranges as people write them, `cabinet 1 to 4` for `cabinet (1-4)`: small models go on with the marks.
pub fn spelled(files: &BTreeMap<String, String>) -> BTreeMap<String, String> {
    files.iter().map(|(file, text)| (file.clone(), spelled_text(text))).collect()
}

fn spelled_text(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('(') {
        out.push_str(before);
        let numbers = after.split_once(')').filter(|(inside, _)| {
            inside.starts_with(|letter: char| letter.is_ascii_digit())
                && inside.chars().all(|letter| letter.is_ascii_digit() || "-, ".contains(letter))
        });
        match numbers {
            Some((inside, after)) => {
                out.push_str(&inside.replace('-', " to "));
                rest = after;
            }
            None => {
                out.push('(');
                rest = after;
            }
        }
    }
    out + rest
}

/// How a strategy is written in the names of exemplar files: `direct-guidance`.
fn slug(strategy: &str) -> String {
    let lower = strategy.trim().to_lowercase();
    joined_by("-", lower.split_whitespace())
}

/// The kind and the number in a file's name, such as `put-2.txt`.
fn belongs(file: &str) -> Option<(&str, u32)> {
    let name = file.rsplit(['/', '\\']).next()?;
    let stem = name.split('.').next()?;
    let (kind, number) = stem.rsplit_once('-')?;
    Some((kind, number.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files() -> BTreeMap<String, String> {
        let names = ["put-1.txt", "e/put-2.txt", "put-3.txt", "heat-1.txt", "how.txt"];
        names.map(|name| (name.to_owned(), format!("{name}\n"))).into()
    }

    #[test]
    fn permutations_are_the_ordered_pairs() {
        let of = |shots, permutation| {
            let chosen = Exemplars::new(&files(), shots, permutation);
            chosen.of("put").to_string().replace(".txt", "")
        };
        assert_eq!(of(2, 0), "how\n\nput-1\n\ne/put-2");
        assert_eq!(of(2, 4), "how\n\nput-3\n\nput-1");
        assert_eq!(of(1, 5), "how\n\nput-3");
        assert_eq!(of(3, 2), "how\n\ne/put-2\n\nput-1\n\nput-3");
        assert_eq!(of(0, 0), "how");
        let pairs: std::collections::BTreeSet<_> = PERMUTATIONS.into_iter().collect();
        assert!(pairs.len() == 6 && pairs.iter().all(|[a, b]| a != b));
    }

    #[test]
    fn ranges_are_spelled() {
        let text = "It could be at cabinet (1-13), shelf (2), drawer (1-2, 5). I (may) ask (4 of them).";
        let spelled = "It could be at cabinet 1 to 13, shelf 2, drawer 1 to 2, 5. I (may) ask (4 of them).";
        assert_eq!(spelled_text(text), spelled);
    }

    #[test]
    fn a_strategy_has_exemplars_of_its_own() {
        let names = ["lesson-1.txt", "lesson-hint-1.txt", "lesson-direct-guidance-2.txt"];
        let files = names.map(|name| (name.to_owned(), name.to_owned())).into();
        let chosen = Exemplars::new(&files, 3, 0);
        let of = |strategy| chosen.of_strategy("lesson", strategy).to_string();
        assert_eq!(of("Hint"), "lesson-hint-1.txt");
        assert_eq!(of("Direct Guidance"), "lesson-direct-guidance-2.txt");
        assert_eq!(of("Question"), "");
        assert_eq!(chosen.of("lesson").to_string(), "lesson-1.txt");
    }

    #[test]
    fn a_kind_without_exemplars_has_the_common_ones() {
        let chosen = Exemplars::new(&files(), 2, 0);
        assert_eq!(chosen.of("clean").to_string(), "how.txt");
        assert_eq!(chosen.of("heat").to_string(), "how.txt\n\nheat-1.txt");
    }

    #[test]
    fn strategies_have_names_that_files_can_have() {
        assert_eq!(slug("Approval and Reassurance"), "approval-and-reassurance");
        assert_eq!(slug(" Self-disclosure "), "self-disclosure");
    }
}
