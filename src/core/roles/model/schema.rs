//! Schemas of structured answers: one for the moves that are open. Everything is bounded, so that any
//! model ends within its tokens.

use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::domain::{DialogueAct, MoveKind, MoveKinds};
use crate::ports::model::ToolSpec;
use crate::prompts::Forms;
use crate::roles::reader::{INPUT, TEXT};
use crate::text::joined_by;

/// The most moves of an answer that may have several.
pub(super) const MOST_MOVES: u32 = 8;

/// The most steps of a plan.
pub(super) const MOST_STEPS: u32 = 12;

/// The longest name of a thing, in letters.
const LONGEST_NAME: u32 = 24;

/// Longest name with its number: `mug 12`.
pub(super) const LONGEST_NAME_AND_NUMBER: u64 = LONGEST_NAME as u64 + 3;

/// The form of answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Form {
    /// Running text.
    #[default]
    Text,
    /// JSON by a schema.
    Json,
    /// Calls of tools.
    Tools,
}

/// Bounds of texts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    /// The most letters of a text.
    pub(super) longest: usize,
    /// Only the usual letters and marks of English.
    pub(super) ascii: bool,
}

/// The parts of a schema.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wanted<'a> {
    pub(super) open: MoveKinds,
    pub(super) several: bool,
    pub(super) acts: &'a [DialogueAct],
    pub(super) forms: &'a Forms,
    pub(super) admissible: Option<&'a [String]>,
    pub(super) bounds: Bounds,
    /// The tools of the world, which stand for its commands.
    pub(super) tools: &'a [ToolSpec],
}

impl Wanted<'_> {
    /// The schema of an answer: `{"move": {...}}`, or `{"moves": [...]}` if there may be several.
    pub(super) fn schema(&self) -> Value {
        let mut shapes: Vec<Value> = self.open.iter().map(|kind| self.shape(kind, true)).collect();
        let one = if shapes.len() == 1 {
            shapes.remove(0)
        } else {
            let mut any = json!({});
            any["anyOf"] = shapes.into();
            any
        };
        if self.several { object([("moves", list(one, MOST_MOVES))]) } else { object([("move", one)]) }
    }

    /// A tool for each kind that is open; for acting, those of the world if it has any.
    pub(super) fn tools(&self) -> Vec<ToolSpec> {
        self.open
            .iter()
            .flat_map(|kind| match kind {
                MoveKind::Act if !self.tools.is_empty() => self.tools.to_vec(),
                _ => vec![ToolSpec {
                    name: kind.as_str().to_owned(),
                    description: meaning(kind).to_owned(),
                    parameters: self.shape(kind, false),
                }],
            })
            .collect()
    }

    /// The names of the tools.
    pub(super) fn tool_names(&self) -> impl Iterator<Item = &str> {
        self.open.iter().flat_map(|kind| {
            let tools = match kind {
                MoveKind::Act => self.tools,
                _ => &[],
            };
            tools.is_empty().then(|| kind.as_str()).into_iter().chain(tools.iter().map(|tool| tool.name.as_str()))
        })
    }

    /// The fields of a move besides its kind.
    pub(super) fn fields(&self, kind: MoveKind) -> impl Iterator<Item = &'static str> {
        let fields: &[&str] = match kind {
            MoveKind::Think => &["text"],
            MoveKind::Speak if self.acts.is_empty() => &["text"],
            MoveKind::Speak => &["act", "text"],
            MoveKind::Act => &["command"],
            MoveKind::Plan => &["steps"],
            MoveKind::Judge => &["clarify", "reason"],
            MoveKind::Learn => &["lesson"],
            MoveKind::Finish => &["answer"],
        };
        fields.iter().copied()
    }

    fn shape(&self, kind: MoveKind, named: bool) -> Value {
        let kind_field = named.then(|| ("kind", json!({ "type": "string", "enum": [kind.as_str()] })));
        let fields = self.fields(kind).map(|name| (name, self.field(name)));
        object(kind_field.into_iter().chain(fields))
    }

    fn field(&self, name: &str) -> Value {
        match name {
            "act" => json!({ "type": "string", "enum": self.acts }),
            "command" => self.command(),
            "steps" => list(self.command(), MOST_STEPS),
            "clarify" => json!({ "type": "boolean" }),
            _ => self.text(),
        }
    }

    fn text(&self) -> Value {
        let Bounds { longest, ascii } = self.bounds;
        if ascii {
            let rest = longest.saturating_sub(1);
            let pattern = format!("^[A-Za-z][A-Za-z0-9 ,.:;?!'()/-]{{0,{rest}}}$");
            json!({ "type": "string", "pattern": pattern })
        } else {
            json!({ "type": "string", "minLength": 1, "maxLength": longest })
        }
    }

    /// A form of a command as a regular expression: names are small letters with a number, `{text}` and
    /// `{input}` are any text.
    fn pattern(&self, form: &str) -> String {
        let mut pattern = String::new();
        let mut rest = form.trim();
        while let Some((before, after)) = rest.split_once('{') {
            escape(before, &mut pattern);
            let (name, after) = after.split_once('}').unwrap_or_default();
            pattern.push_str(&match name {
                TEXT | INPUT => self.free(name, after),
                _ => format!("[a-z]{{2,{LONGEST_NAME}}}( [0-9]{{1,2}})?"),
            });
            rest = after;
        }
        escape(rest, &mut pattern);
        pattern
    }

    /// Any text in the place of this name in a form of which this follows. It may hold the mark that closes it where
    /// that is the command's last.
    fn free(&self, name: &str, after: &str) -> String {
        let Bounds { longest, ascii } = self.bounds;
        let mut excluded = String::new();
        let close = after.chars().next().filter(|_| after.contains('{'));
        excluded.extend(close.filter(|mark| mark.is_ascii_punctuation()));
        if ascii && name != INPUT && !after.is_empty() {
            // Some servers lay patterns upon JSON as it is written, where these end the text. Only an input and a
            // text that nothing closes need them, for they may be JSON.
            excluded.push_str("\"\\");
        }
        let letters = |excluded: &str| match ascii {
            true => ascii_but(excluded),
            false => {
                let class: String = excluded.chars().map(in_class).collect();
                format!("[^{class}\\r\\n]")
            }
        };
        let (first, most) = (format!(" {excluded}"), longest.saturating_sub(1));
        format!("{}{}{{0,{most}}}", letters(&first), letters(&excluded))
    }

    /// A command: one of those that are possible, else of a form that the environment understands.
    fn command(&self) -> Value {
        match self.admissible {
            Some(list) if !list.is_empty() => json!({ "type": "string", "enum": list }),
            _ if self.forms.rows.is_empty() => self.text(),
            _ => {
                let forms = joined_by("|", self.forms.rows.iter().map(|(form, _)| self.pattern(form)));
                json!({ "type": "string", "pattern": format!("^({forms})$") })
            }
        }
    }
}

/// The purpose of a kind of move.
fn meaning(kind: MoveKind) -> &'static str {
    match kind {
        MoveKind::Think => "Reason for yourself; nothing changes and nobody hears it.",
        MoveKind::Plan => "Lay out the commands to be performed, in order.",
        MoveKind::Act => "Perform one command in the environment.",
        MoveKind::Speak => "Say something to the user.",
        MoveKind::Judge => "Decide whether the user has to be asked first.",
        MoveKind::Learn => "Write down a lesson for later.",
        MoveKind::Finish => "End the task with an answer.",
    }
}

/// A list of at least one of these.
fn list(items: Value, most: u32) -> Value {
    let mut list = json!({ "type": "array" });
    list["items"] = items;
    list["minItems"] = 1.into();
    list["maxItems"] = most.into();
    list
}

/// An object that has exactly these fields.
fn object<'a>(fields: impl IntoIterator<Item = (&'a str, Value)>) -> Value {
    let fields: Map<String, Value> = fields.into_iter().map(|(name, field)| (name.to_owned(), field)).collect();
    let names: Value = fields.keys().map(String::as_str).collect();
    let mut object = json!({ "type": "object" });
    object["required"] = names;
    // The macro would copy them, and what lies in them.
    object["properties"] = Value::Object(fields);
    object["additionalProperties"] = false.into();
    object
}

/// A class of the letters and marks of ASCII without some.
fn ascii_but(excluded: &str) -> String {
    let mut class = "[".to_owned();
    let mut letters = (' '..='~').peekable();
    while let Some(first) = letters.find(|letter| !excluded.contains(*letter)) {
        let mut last = first;
        while let Some(next) = letters.next_if(|letter| !excluded.contains(*letter)) {
            last = next;
        }
        class.push_str(&in_class(first));
        if last > first {
            class.push('-');
            class.push_str(&in_class(last));
        }
    }
    class.push(']');
    class
}

/// A letter within a class; grammars of servers know no other letters with a stroke before them.
fn in_class(letter: char) -> String {
    let stroke = if r"[]\".contains(letter) { r"\" } else { "" };
    format!("{stroke}{letter}")
}

fn escape(text: &str, pattern: &mut String) {
    for letter in text.chars() {
        if r"\.+*?()|[]{}^$".contains(letter) {
            pattern.push('\\');
        }
        pattern.push(letter);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wanted<'a>(forms: &'a Forms, admissible: Option<&'a [String]>) -> Wanted<'a> {
        Wanted {
            open: MoveKinds::of(&[MoveKind::Think, MoveKind::Act]),
            several: false,
            acts: &[],
            forms,
            admissible,
            bounds: Bounds { longest: 40, ascii: true },
            tools: &[],
        }
    }

    #[test]
    fn commands_are_those_that_are_possible_or_have_a_form() {
        let row = |form: &str| (form.to_owned(), String::new());
        let forms = Forms::new(vec![row("put {o} in/on {r}"), row("find[{o}]"), row("look")]);
        let schema = wanted(&forms, None).schema();
        let act = &schema["properties"]["move"]["anyOf"][1]["properties"];
        assert_eq!(act["kind"]["enum"], json!(["act"]));
        let name = "[a-z]{2,24}( [0-9]{1,2})?";
        let expected = format!(r"^(put {name} in/on {name}|find\[{name}\]|look)$");
        assert_eq!(act["command"]["pattern"], expected);
        let listed = ["look".to_owned()];
        let tools = wanted(&forms, Some(&listed)).tools();
        assert_eq!(tools[1].parameters["properties"]["command"]["enum"], json!(["look"]));
        assert_eq!(tools[1].parameters["required"], json!(["command"]));
    }

    #[test]
    fn words_in_a_form_are_any_text_up_to_what_closes_it() {
        let forms = Forms::default();
        let mut wanted = wanted(&forms, None);
        wanted.bounds.longest = 10;
        let table = [
            ("DOCUMENT[{text}]", r"DOCUMENT\[[!#-\[\]-~][ -!#-\[\]-~]{0,9}\]", r"DOCUMENT\[[^ \r\n][^\r\n]{0,9}\]"),
            ("query {text}", "query [!-~][ -~]{0,9}", r"query [^ \r\n][^\r\n]{0,9}"),
            ("Search({input})", r"Search\([!-~][ -~]{0,9}\)", r"Search\([^ \r\n][^\r\n]{0,9}\)"),
            (
                "put[{text}] on[{text}]",
                r"put\[[!#-\[^-~][ -!#-\[^-~]{0,9}\] on\[[!#-\[\]-~][ -!#-\[\]-~]{0,9}\]",
                r"put\[[^ \]\r\n][^\]\r\n]{0,9}\] on\[[^ \r\n][^\r\n]{0,9}\]",
            ),
        ];
        for (form, ascii, any) in table {
            wanted.bounds.ascii = true;
            assert_eq!(wanted.pattern(form), ascii);
            wanted.bounds.ascii = false;
            assert_eq!(wanted.pattern(form), any);
        }
    }

    #[test]
    fn what_is_spoken_has_one_of_the_acts() {
        let forms = Forms::default();
        let acts = DialogueAct::schema();
        let mut wanted = Wanted { open: MoveKinds::of(&[MoveKind::Speak]), acts: &acts, ..wanted(&forms, None) };
        let parameters = wanted.tools().remove(0).parameters;
        assert_eq!(parameters["properties"]["act"]["enum"][6], "Affirm");
        assert_eq!(parameters["required"], json!(["act", "text"]));
        wanted.acts = &[];
        assert!(wanted.schema()["properties"]["move"]["properties"]["act"].is_null());
    }

    #[test]
    fn several_moves_are_a_bounded_list() {
        let forms = Forms::default();
        let several = Wanted { several: true, open: MoveKinds::of(&[MoveKind::Think]), ..wanted(&forms, None) };
        let schema = several.schema();
        let list = &schema["properties"]["moves"];
        assert_eq!(list["maxItems"], 8);
        assert_eq!(list["items"]["properties"]["text"]["type"], "string");
    }
}
