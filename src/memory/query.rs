//! The question that an agent puts to itself before it asks somebody else (ABA appendix E).

/// What begins such a question within a thought.
const MARK: &str = "### query:";

/// A self-query within a thought: `### query: mug > I have never seen mug before.`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Query<'a> {
    /// The thought up to where the answer begins.
    pub asked: &'a str,
    /// The class of objects that is asked about.
    pub class: &'a str,
    /// What follows: the answer, or nothing yet.
    pub answer: &'a str,
}

impl<'a> Query<'a> {
    /// Finds the last self-query of a thought.
    pub fn read(thought: &'a str) -> Option<Self> {
        let start = thought.rfind(MARK)? + MARK.len();
        let rest = thought.get(start..)?;
        let (class, answer) = rest.split_once('>').unwrap_or((rest, ""));
        let asked = thought.len() - answer.len();
        let class = class.trim();
        (!class.is_empty()).then_some(Self {
            asked: thought.get(..asked)?.trim_end(),
            class,
            answer: answer.trim(),
        })
    }

    /// The words of a self-query about a class, answered.
    pub fn written(class: &str, answer: &str) -> String {
        format!("{MARK} {class} > {answer}")
    }

    /// The thought with another answer.
    pub fn answered(&self, answer: &str) -> String {
        let asked = self.asked.trim_end_matches('>').trim_end();
        format!("{asked} > {answer}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_is_read_with_and_without_its_answer() {
        let thought = "First I need a mug. ### query: mug > I have never seen mug before.";
        let query = Query::read(thought).unwrap();
        assert_eq!(
            (query.class, query.answer),
            ("mug", "I have never seen mug before.")
        );
        assert_eq!(
            query.answered("x"),
            "First I need a mug. ### query: mug > x"
        );
        let open = Query::read("### query: pencil").unwrap();
        assert_eq!((open.class, open.answer), ("pencil", ""));
        assert_eq!(open.answered("x"), Query::written("pencil", "x"));
        for none in ["", "### query:", "### query: > x", "query: mug >"] {
            assert_eq!(Query::read(none), None, "{none}");
        }
    }
}
