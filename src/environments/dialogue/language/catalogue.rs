//! The datasets, and the knowledge sources or strategies to plan with in each: those of the paper (Tables 5 to 7,
//! in our words), or what a file says of its own.

use serde::{Serialize, Serializer};

use super::clean::{collapsed, unbroken};
use super::own::OwnDataset;
use rolecall_core::text::joined;

/// A dataset of dialogues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dataset {
    /// Conversations about landmarks, grounded on the user and on an encyclopaedia (FoCus).
    Focus,
    /// Tutoring a learner of a language (CIMA).
    Cima,
    /// Answers to people who ask for psychological support, in Chinese (PsyQA).
    Psyqa,
    /// Any other, whose file defines its tools.
    Own(&'static OwnDataset),
}

/// A knowledge source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Source {
    /// Knowledge about the user.
    Persona,
    /// Knowledge about the world; `KNOWLEDGE` is another name of it.
    Document,
    /// Another one, by its name in the file that has it.
    Own(&'static str),
}

impl Serialize for Source {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl Source {
    /// Its name; in capitals, unless a file writes it otherwise.
    pub fn name(self) -> &'static str {
        match self {
            Self::Persona => "PERSONA",
            Self::Document => "DOCUMENT",
            Self::Own(name) => name,
        }
    }

    /// The source that a tool is.
    fn of(tool: &Tool) -> Self {
        match tool.name {
            "PERSONA" => Self::Persona,
            "DOCUMENT" => Self::Document,
            name => Self::Own(name),
        }
    }
}

/// Something to plan with: a source or a strategy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Tool {
    /// Its name.
    pub name: &'static str,
    /// Its purpose.
    pub description: &'static str,
    /// An example of its result.
    pub example: &'static str,
}

impl Dataset {
    /// Data sets of the paper.
    pub const OFFICIAL: [Self; 3] = [Self::Focus, Self::Cima, Self::Psyqa];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Focus => "focus",
            Self::Cima => "cima",
            Self::Psyqa => "psyqa",
            Self::Own(dataset) => &dataset.definition.name,
        }
    }

    /// The data set of the paper with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::OFFICIAL.into_iter().find(|one| one.name() == name)
    }

    /// The language of its responses, such as `en` or `zh`.
    pub fn language(self) -> &'static str {
        match self {
            Self::Focus | Self::Cima => "en",
            Self::Psyqa => "zh",
            Self::Own(dataset) => &dataset.definition.language,
        }
    }

    /// Whether its tools are knowledge sources, not strategies.
    pub fn has_sources(self) -> bool {
        match self {
            Self::Own(dataset) => dataset.definition.has_sources,
            official => official == Self::Focus,
        }
    }

    /// Its sources, in the order in which a fixed plan asks them; none if it has strategies.
    pub fn sources(self) -> impl Iterator<Item = Source> {
        self.tools().iter().filter(move |_| self.has_sources()).map(Source::of)
    }

    /// The source of a name in any case, and whether that is its other name: `KNOWLEDGE` is one of `DOCUMENT`.
    /// Sources of the paper are known wherever no file has its own.
    pub fn source(self, name: &str) -> Option<(Source, bool)> {
        let known = match self {
            Self::Own(_) => self,
            _ => Self::Focus,
        };
        let same = |name: &str| {
            let mut sources = known.sources();
            sources.find(|source| source.name().eq_ignore_ascii_case(name))
        };
        same(name)
            .map(|source| (source, false))
            .or_else(|| name.eq_ignore_ascii_case("KNOWLEDGE").then(|| same("DOCUMENT"))?.map(|source| (source, true)))
    }

    /// The module that asks a source (Chameleon).
    pub(super) fn modules(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::Own(dataset) => &dataset.modules,
            _ => &[("Persona_Retrieval", "PERSONA"), ("Knowledge_Retrieval", "DOCUMENT")],
        }
    }

    /// The names of its sources, for messages.
    pub(super) fn source_names(self) -> String {
        match self {
            Self::Own(_) => joined(self.sources().map(Source::name)),
            _ => "PERSONA or DOCUMENT".to_owned(),
        }
    }

    /// The calls of its sources, for messages (ReAct).
    pub(super) fn calls(self) -> String {
        match self {
            Self::Own(_) => joined(self.sources().map(|source| format!("{}[input]", source.name()))),
            _ => "Persona[input], Knowledge[input]".to_owned(),
        }
    }

    /// The names of its modules, for messages (Chameleon).
    pub(super) fn module_names(self) -> String {
        joined(self.modules().iter().map(|(module, _)| *module))
    }

    /// Its sources or strategies, in the order in which prompts list them.
    pub fn tools(self) -> &'static [Tool] {
        match self {
            Self::Focus => &SOURCES,
            Self::Cima => &TUTORING,
            Self::Psyqa => &COUNSELLING,
            Self::Own(dataset) => &dataset.tools,
        }
    }

    /// Its strategies; none if it has sources.
    pub fn strategies(self) -> &'static [Tool] {
        if self.has_sources() { &[] } else { self.tools() }
    }

    /// The names of its strategies, with commas between.
    pub fn strategy_names(self) -> String {
        joined(self.strategies().iter().map(|tool| tool.name))
    }

    /// Other names of its strategies, in small letters without hyphens, with the name that is meant.
    pub(super) fn aliases(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::Focus | Self::Own(_) => &[],
            Self::Cima => &[
                ("other", "Others"),
                ("hints", "Hint"),
                ("questions", "Question"),
                ("open ended question", "Question"),
            ],
            Self::Psyqa => &[("other", "Others")],
        }
    }

    /// Parts of a response as one text: with a blank between them, and in Chinese with nothing.
    pub fn joined<T: AsRef<str>>(self, parts: &[T]) -> String {
        let parts: Vec<&str> = parts.iter().map(AsRef::as_ref).collect();
        parts.join(if self.language() == "zh" { "" } else { " " })
    }

    /// The text on one line, with single blanks.
    pub(super) fn flowing(self, text: &str) -> String {
        match self.language() {
            "zh" => unbroken(text),
            _ => collapsed(text),
        }
    }
}

const SOURCES: [Tool; 2] = [
    Tool {
        name: "PERSONA",
        description: "What is known of the user: likes, plans, past visits and other personal details. Asked \
                      with a query, it gives the detail that helps to answer what the user just said.",
        example: "I collect old maps. I would like to see the lighthouse at night.",
    },
    Tool {
        name: "DOCUMENT",
        description: "Background knowledge from an encyclopaedia. Asked with a query, it gives a fact; use it \
                      when the answer needs one.",
        example: "The lighthouse was first lit in 1863. Its tower is 41 metres high.",
    },
];

const TUTORING: [Tool; 5] = [
    Tool {
        name: "Hint",
        description: "Give the student a piece of knowledge that leads towards the answer.",
        example: "Think of the ending: nouns in -a are mostly feminine.",
    },
    Tool {
        name: "Question",
        description: "Ask something open, to find out what the student has understood or to keep the \
                      conversation going.",
        example: "Which of the two words comes first, do you think?",
    },
    Tool {
        name: "Correction",
        description: "Put right a mistake or a misunderstanding of the student.",
        example: "Almost: the colour goes after the noun, not before it.",
    },
    Tool {
        name: "Confirmation",
        description: "Tell the student that an answer or an idea is right.",
        example: "Yes, that is the right word. Now try the whole sentence.",
    },
    Tool {
        name: "Others",
        description: "Anything that fits none of the other strategies, such as advice on how to learn.",
        example: "No hurry. I learn each noun together with its article, which helps me a lot.",
    },
];

const COUNSELLING: [Tool; 7] = [
    Tool {
        name: "Information",
        description: "Offer facts, findings, opinions or places to look things up.",
        example: "研究发现，睡前半小时不看屏幕，入睡会快一些。",
    },
    Tool {
        name: "Direct Guidance",
        description: "Suggest or advise what the person could do to change the situation.",
        example: "可以先写下三件让你安心的小事，再决定要不要谈。",
    },
    Tool {
        name: "Approval and Reassurance",
        description: "Give warmth and encouragement, and affirm what the person does well.",
        example: "愿意说出来已经很勇敢了，给你一个拥抱。",
    },
    Tool {
        name: "Restatement",
        description: "Say in simpler or clearer words what the person has told.",
        example: "听起来，搬到新城市以后你常常觉得孤单。",
    },
    Tool {
        name: "Interpretation",
        description: "Go beyond what the person has said and offer a new meaning, reason or explanation.",
        example: "也许你生气，正是因为你很看重这份友谊。",
    },
    Tool {
        name: "Self-disclosure",
        description: "Tell something personal of your own, an experience or a feeling.",
        example: "我刚工作的时候，也常常怕自己做得不够好。",
    },
    Tool {
        name: "Others",
        description: "Anything that fits none of the other strategies, such as a greeting or a wish.",
        example: "你好呀，祝你今天过得愉快。",
    },
];
