//! The purpose of an utterance.

use serde::{Deserialize, Serialize};

/// The purpose of an utterance, as its speaker declares it or as somebody labels it afterwards.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct DialogueAct(pub String);

impl DialogueAct {
    /// The acts of the schema-guided agent (ReSpAct section 5.3 and Table 20, which takes them from
    /// TEACh, Gella et al. 2022), with what each is for.
    pub const SCHEMA: [(&'static str, &'static str); 10] = [
        ("ReqForInstruction", "ask what to do next"),
        ("RequestOtherInfo", "ask for a detail of the task"),
        ("InfoObjectLocAndOD", "say where an object is or what state it is in"),
        ("ReqForObjLocAndOD", "ask where an object is or what state it is in"),
        ("InformationOther", "say anything else that matters"),
        ("AlternateQuestions", "let the user choose between options"),
        ("Affirm", "agree or confirm"),
        ("Deny", "disagree or refuse"),
        ("OtherInterfaceComment", "remark on the house and its commands"),
        ("NotifyFailure", "say that something did not work"),
    ];

    /// All acts of the schema, in its order.
    pub fn schema() -> Vec<Self> {
        let names = Self::SCHEMA.iter();
        names.map(|(name, _)| Self((*name).to_owned())).collect()
    }

    /// Its name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

shown_as!(DialogueAct, as_str);
