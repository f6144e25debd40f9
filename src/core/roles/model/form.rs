//! Description of structured answers for prompts, and how long these can be: both follow from the schema.

use serde_json::{Map, Value, json};

use super::schema::{Form, MOST_MOVES, Wanted};
use crate::domain::MoveKind;
use crate::text::joined;

/// Tokens of the marks and names of fields around the texts of a move.
const FRAME: u64 = 40;

impl Wanted<'_> {
    /// The form that an answer has to have, for those who write it; none where it is running text.
    pub(super) fn answer_format(&self, form: Form) -> Option<String> {
        let examples = || self.open.iter().map(|kind| self.example(kind));
        match form {
            Form::Text => None,
            Form::Json if self.several => {
                let moves: Vec<Value> = examples().collect();
                Some(format!(
                    "Answer with one JSON object and nothing else. It lists at most {MOST_MOVES} moves, each in one of \
                     these forms:\n\n{}",
                    json!({ "moves": moves })
                ))
            }
            Form::Json => {
                let forms: Vec<String> = examples().map(|one| json!({ "move": one }).to_string()).collect();
                let which = if forms.len() == 1 { "in this form" } else { "in one of these forms" };
                let forms = forms.join("\n\nOR\n\n");
                Some(format!("Answer with one JSON object and nothing else, {which}:\n\n{forms}"))
            }
            Form::Tools => {
                let names = joined(self.tool_names().map(|name| format!("`{name}`")));
                Some(format!("Answer by calling one of these tools, and write nothing else: {names}"))
            }
        }
    }

    /// A move as the schema has it, with what is to be written in brackets.
    fn example(&self, kind: MoveKind) -> Value {
        let fields =
            std::iter::once("kind").chain(self.fields(kind)).map(|name| (name.to_owned(), placeholder(kind, name)));
        Value::Object(fields.collect::<Map<String, Value>>())
    }

    /// The most tokens that an answer by the schema has, if no token is less than a letter.
    pub(super) fn most_tokens(&self) -> u32 {
        // A letter of another script may be several tokens.
        let text = self.bounds.longest as u64 * if self.bounds.ascii { 1 } else { 4 };
        let command = self.longest_command(text);
        let one = |kind| match kind {
            MoveKind::Act => command,
            MoveKind::Plan => u64::from(super::schema::MOST_STEPS) * (command + 4),
            _ => text,
        };
        let longest = self.open.iter().map(one).max().unwrap_or(text) + FRAME;
        let all = if self.several { longest * u64::from(MOST_MOVES) } else { longest };
        u32::try_from(all).unwrap_or(u32::MAX)
    }

    fn longest_command(&self, text: u64) -> u64 {
        let lengths = |list: &[String]| list.iter().map(|command| command.len() as u64).max();
        let listed = self.admissible.and_then(lengths);
        let of_form = |form: &str| {
            let names = form.matches('{').count() as u64;
            let words = (form.matches("{text}").count() + form.matches("{input}").count()) as u64;
            form.len() as u64 + (names - words) * super::schema::LONGEST_NAME_AND_NUMBER + words * text
        };
        let forms = || self.forms.rows.iter().map(|(form, _)| of_form(form)).max();
        listed.or_else(forms).unwrap_or(text)
    }
}

/// Placeholder for a field in an example.
fn placeholder(kind: MoveKind, name: &str) -> Value {
    match name {
        "kind" => kind.as_str().into(),
        "act" => "[dialogue act]".into(),
        "clarify" => json!(true),
        "steps" => json!(["[one command]", "[the next]"]),
        "command" => "[one command]".into(),
        "text" if kind == MoveKind::Speak => "[what you say to the user]".into(),
        "text" => "[what you consider]".into(),
        name => format!("[{name}]").into(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::schema::Bounds;
    use super::*;
    use crate::domain::MoveKinds;
    use crate::prompts::Forms;
    use crate::roles::reader::{Commands, Reading, read_json};

    const ALL: [MoveKind; 7] = [
        MoveKind::Think,
        MoveKind::Plan,
        MoveKind::Act,
        MoveKind::Speak,
        MoveKind::Judge,
        MoveKind::Learn,
        MoveKind::Finish,
    ];

    fn wanted<'a>(forms: &'a Forms, open: &[MoveKind]) -> Wanted<'a> {
        Wanted {
            open: MoveKinds::of(open),
            several: false,
            acts: &[],
            forms,
            admissible: None,
            bounds: Bounds { longest: 40, ascii: true },
            tools: &[],
        }
    }

    #[test]
    fn what_is_said_of_the_form_can_be_read_and_is_of_the_schema() {
        let forms = Forms::default();
        for kind in ALL {
            let wanted = wanted(&forms, &[kind]);
            let told = wanted.answer_format(Form::Json).unwrap();
            let (_, example) = told.split_once("in this form:\n\n").unwrap();
            let parsed: Value = serde_json::from_str(example).unwrap();
            let schema = wanted.schema();
            let shape = &schema["properties"]["move"];
            let keys = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
            assert_eq!(keys(&parsed["move"]), keys(&shape["properties"]), "{kind:?}");
            let commands = Commands::default();
            let reading = Reading {
                open: MoveKinds::of(&[kind]),
                commands: &commands,
                bare_commands: true,
                acts: &[],
                natural: false,
            };
            let read = read_json(example, false, &reading).unwrap();
            assert_eq!(read.moves[0].kind(), kind, "{example}");
        }
    }

    #[test]
    fn every_open_move_is_told_and_no_other() {
        let forms = Forms::default();
        let open = [MoveKind::Think, MoveKind::Act];
        let json = wanted(&forms, &open).answer_format(Form::Json).unwrap();
        assert_eq!(json.matches("{\"move\":").count(), 2, "{json}");
        assert!(json.contains("\n\nOR\n\n") && !json.contains("speak"), "{json}");
        let several = Wanted { several: true, ..wanted(&forms, &open) };
        assert!(several.answer_format(Form::Json).unwrap().contains("{\"moves\":["));
        let tools = wanted(&forms, &open).answer_format(Form::Tools).unwrap();
        assert!(tools.ends_with("`think`, `act`"), "{tools}");
        assert_eq!(wanted(&forms, &open).answer_format(Form::Text), None);
    }

    #[test]
    fn no_answer_by_the_schema_is_longer_than_what_is_asked_for() {
        let row = |form: &str| (form.to_owned(), String::new());
        let forms = Forms::new(vec![row("move {object} to {receptacle}"), row("search[{text}]"), row("look")]);
        let longest = |wanted: Wanted<'_>| wanted.most_tokens();
        let think = wanted(&forms, &[MoveKind::Think]);
        assert_eq!(longest(think), 80);
        assert_eq!(longest(Wanted { several: true, ..think }), 8 * 80);
        let text = "a".repeat(40);
        let thought = json!({ "move": { "kind": "think", "text": text } }).to_string();
        assert!(thought.len() <= 80, "{}", thought.len());
        let name = format!("{} 99", "a".repeat(24));
        let act = json!({ "move": { "kind": "act", "command": format!("move {name} to {name}") } }).to_string();
        assert!(act.len() <= longest(wanted(&forms, &[MoveKind::Act])) as usize);
        let commands = ["go to cabinet 10".to_owned()];
        let listed = Wanted { admissible: Some(&commands), ..wanted(&forms, &[MoveKind::Act]) };
        assert_eq!(longest(listed), 16 + 40);
    }
}
