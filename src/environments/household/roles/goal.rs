//! The goal that the task sentence states (the templates of ALFWorld's six task types, and sentences
//! close to them).

use super::indefinite;
pub(super) use crate::goal::Treatment;

/// The goal of the task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Goal {
    /// Class of the object.
    pub(super) object: Box<str>,
    /// Class of the receptacle that it is to be put into, or of the lamp that it is to be looked at under.
    pub(super) target: Box<str>,
    /// The target is a lamp.
    pub(super) light: bool,
    /// The treatment of the object before it is put.
    pub(super) treatment: Option<Treatment>,
    /// How many objects, 1 or 2, in the same receptacle.
    pub(super) count: usize,
}

/// The object that has to be found before anything else can be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Need {
    /// An object of the task's class.
    Object,
    /// The lamp.
    Lamp,
}

impl Treatment {
    /// Classes of receptacles where it is done, best first.
    pub(super) fn stations(self) -> &'static [&'static str] {
        match self {
            Self::Clean => &["sinkbasin", "sink"],
            Self::Heat => &["microwave"],
            Self::Cool => &["fridge"],
        }
    }

    pub(super) fn from_word(word: &str) -> Option<Self> {
        match word {
            "clean" | "cleaned" | "wash" | "washed" | "rinse" | "rinsed" => Some(Self::Clean),
            "heat" | "heated" | "hot" | "warm" | "warmed" => Some(Self::Heat),
            "cool" | "cooled" | "cold" | "chill" | "chilled" => Some(Self::Cool),
            _ => None,
        }
    }
}

impl Goal {
    /// The action that follows when the object is in hand, after `I`.
    pub(super) fn next_action(&self) -> String {
        match self.treatment {
            _ if self.light => format!("need {}", indefinite(&self.target)),
            Some(treatment) => format!("{} it", treatment.verb()),
            None => format!("put it in/on the {}", self.target),
        }
    }

    /// The class of the lamp, if there has to be one.
    pub(super) fn lamp(&self) -> Option<&str> {
        self.light.then_some(&*self.target)
    }

    /// The class of what is needed.
    pub(super) fn class_of(&self, need: Need) -> &str {
        match need {
            Need::Lamp => &self.target,
            Need::Object => &self.object,
        }
    }

    /// Whether the object is to be put into receptacles of the class.
    pub(super) fn goes_into(&self, class: &str) -> bool {
        !self.light && *self.target == *class
    }

    /// Whether an object that just lies in such a receptacle is all that is asked for.
    pub(super) fn is_reached_in(&self, class: &str) -> bool {
        self.goes_into(class) && self.treatment.is_none() && self.count == 1
    }

    /// Whether the sentence has left out a class, which is empty then.
    pub(super) fn is_vague(&self) -> bool {
        self.object.is_empty() || self.target.is_empty()
    }

    /// The whole goal that a reply states, if it is nothing but that: a task sentence, as games write them.
    pub(super) fn stated(reply: &str) -> Option<Self> {
        const VERBS: &[&str] = &["put", "find", "clean", "heat", "cool", "look", "examine"];
        let sentence = reply.trim().trim_end_matches('.');
        let first = sentence.split(' ').next().unwrap_or_default();
        let is_task = VERBS.iter().any(|verb| first.eq_ignore_ascii_case(verb));
        let is_one = !sentence.contains(['.', '?', '!', ';', '\n']);
        let names_none = !sentence.contains(|letter: char| letter.is_ascii_digit());
        Self::read(sentence, "").filter(|goal| !goal.is_vague()).filter(|_| is_task && is_one && names_none)
    }

    /// Reads a task sentence. The task's kind fills in what the sentence leaves open; an unknown
    /// kind says nothing, nor does that of a sentence that leaves out a class.
    pub(super) fn read(sentence: &str, kind: &str) -> Option<Self> {
        let mut treatment = None;
        let mut count = 1;
        let mut light = kind == "examine";
        let mut object = String::new();
        let mut place = String::new();
        let mut after_preposition = false;
        let (mut any_object, mut anywhere) = (false, false);
        let lower = sentence.to_lowercase();
        for word in lower.split(|letter: char| !letter.is_alphanumeric()) {
            match word {
                "" | "a" | "an" | "some" | "the" | "of" | "it" | "them" | "one" | "and" => {}
                "find" | "put" | "place" | "move" | "take" | "get" | "then" | "at" => {}
                "two" | "2" => count = 2,
                "something" | "things" => any_object = true,
                "somewhere" | "somehow" => anywhere = true,
                "look" | "examine" => light = true,
                "in" | "on" | "into" | "onto" | "inside" | "to" | "under" | "with" => {
                    after_preposition = true;
                }
                _ => match (Treatment::from_word(word), after_preposition) {
                    (Some(found), false) => treatment = Some(found),
                    (_, true) => place.push_str(word),
                    (None, false) => object.push_str(word),
                },
            }
        }
        if (object.is_empty() && !any_object) || (place.is_empty() && !anywhere) {
            return None;
        }
        let kind = if any_object || anywhere { "" } else { kind };
        let treatment = treatment.or_else(|| Treatment::ALL.into_iter().find(|known| known.verb() == kind));
        let count = if kind == "puttwo" { 2 } else { count };
        Some(Self {
            object: object.into(),
            target: place.into(),
            light,
            treatment: treatment.filter(|_| !light),
            count: if light { 1 } else { count },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put(object: &str, to: &str, treatment: Option<Treatment>, count: usize) -> Goal {
        Goal { object: object.into(), target: to.into(), light: false, treatment, count }
    }

    #[test]
    fn all_templates_are_read() {
        use Treatment::{Clean, Cool, Heat};
        let table = [
            ("put a mug in desk", put("mug", "desk", None, 1)),
            ("put some mug on desk.", put("mug", "desk", None, 1)),
            ("put a clean egg in fridge", put("egg", "fridge", Some(Clean), 1)),
            ("clean some egg and put it in fridge", put("egg", "fridge", Some(Clean), 1)),
            ("put a hot egg in fridge", put("egg", "fridge", Some(Heat), 1)),
            ("heat some egg and put it in fridge", put("egg", "fridge", Some(Heat), 1)),
            ("put a cool egg in microwave", put("egg", "microwave", Some(Cool), 1)),
            ("cool some egg and put it in shelf", put("egg", "shelf", Some(Cool), 1)),
            ("put two cd in safe", put("cd", "safe", None, 2)),
            ("find two cd and put them in safe", put("cd", "safe", None, 2)),
        ];
        for (sentence, goal) in table {
            assert_eq!(Goal::read(sentence, ""), Some(goal), "{sentence}");
        }
        for sentence in ["look at bowl under the desklamp", "examine the bowl with the desklamp"] {
            let goal = Goal::read(sentence, "").unwrap();
            assert_eq!((&*goal.object, goal.lamp()), ("bowl", Some("desklamp")));
            assert_eq!((goal.treatment, goal.count), (None, 1));
        }
        assert_eq!(Goal::read("dance", "put"), None);
    }

    #[test]
    fn what_a_sentence_leaves_out_is_empty_whatever_the_kind() {
        for (sentence, object, target, count) in [
            ("put something in desk", "", "desk", 1),
            ("put a egg somewhere", "egg", "", 1),
            ("put two things in desk", "", "desk", 2),
            ("put two egg somewhere", "egg", "", 2),
            ("examine something with the desklamp", "", "desklamp", 1),
            ("examine the egg somehow", "egg", "", 1),
        ] {
            let goal = Goal::read(sentence, "heat").unwrap();
            assert!(goal.is_vague() && goal.treatment.is_none(), "{sentence}");
            let classes = (&*goal.object, &*goal.target, goal.count);
            assert_eq!(classes, (object, target, count), "{sentence}");
            assert_eq!(goal.light, sentence.starts_with("examine"));
            assert_eq!(Goal::stated(sentence), None);
        }
    }

    #[test]
    fn a_reply_states_the_goal_only_if_it_is_a_task_sentence() {
        let hot = put("egg", "fridge", Some(Treatment::Heat), 1);
        for reply in ["put a hot egg in fridge.", " Heat some egg and put it in fridge "] {
            assert_eq!(Goal::stated(reply), Some(hot.clone()), "{reply}");
        }
        for reply in [
            "Put the egg 1 in the fridge.",
            "Please put a hot egg in fridge.",
            "Put it in the fridge. I like eggs.",
            "Look in the fridge.",
            "I have no idea.",
            "",
        ] {
            assert_eq!(Goal::stated(reply), None, "{reply}");
        }
    }

    #[test]
    fn the_kind_fills_in_what_the_sentence_leaves_open() {
        let goal = put("credit", "x", Some(Treatment::Heat), 1);
        assert_eq!(Goal::read("put the credit into the x", "heat"), Some(goal));
    }
}
