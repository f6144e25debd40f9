//! Judges that answer questions of a world in JSON.

use rolecall::domain::EpisodeId;
use rolecall::evaluation::labels::{
    ItemKind, JudgeAnswer, JudgeField, JudgePrompt, JudgeQuestion, LabelLine, What, names_in_object,
};
use rolecall::world::WorldEntry;
use serde_json::json;

static QUESTIONS: &[JudgeQuestion] = &[JudgeQuestion {
    name: "counter",
    text: "How did the clerk serve the traveller?",
    items: ItemKind::Dialogues,
    prompt: JudgePrompt::Shipped("question"),
    fields: &[
        JudgeField {
            name: "kept_to",
            criteria: "Which of the wishes were kept to.",
            answer: JudgeAnswer::Words(&["none", "some", "all"]),
        },
        JudgeField {
            name: "polite",
            criteria: "How polite the clerk was.",
            answer: JudgeAnswer::Scale { low: 1, high: 5 },
        },
        JudgeField {
            name: "asked_first",
            criteria: "Whether the clerk asked before acting.",
            answer: JudgeAnswer::Flag,
        },
    ],
    about: None,
    parts: None,
}];

static WORLD: WorldEntry = WorldEntry { questions: QUESTIONS, ..WorldEntry::EMPTY };

fn what(text: &str) -> What {
    let mut registry = rolecall::worlds();
    registry.add(&WORLD);
    What::among(text, &registry.questions).unwrap()
}

#[test]
fn a_question_and_its_fields_have_names() {
    let parts = what("counter").parts();
    let names: Vec<String> = parts.iter().map(What::to_string).collect();
    assert_eq!(names, ["counter.kept_to", "counter.polite", "counter.asked_first"]);
    for (part, name) in parts.iter().zip(&names) {
        assert_eq!((&what(name), part.parts()), (part, vec![part.clone()]));
        assert_eq!(part.items(), Some(ItemKind::Dialogues));
        assert!(!part.has_rules());
    }
    let ordinal: Vec<bool> = parts.iter().map(What::is_ordinal).collect();
    assert_eq!(ordinal, [false, true, false]);
    assert_eq!(what("acts"), What::Acts);
    for text in ["counter.price", "shop", "counter."] {
        assert!(What::among(text, &[&QUESTIONS[0]]).is_err(), "{text}");
    }
    let answers = QUESTIONS[0].fields.iter();
    let schemas: Vec<_> = answers.map(|field| field.answer.schema()).collect();
    assert_eq!(schemas[0]["enum"], json!(["none", "some", "all"]));
    assert_eq!(schemas[1], json!({"type": "integer", "enum": [1, 2, 3, 4, 5]}));
    assert_eq!(schemas[2], json!({"type": "boolean"}));
}

#[test]
fn answers_are_read_as_models_write_them() {
    let parts = what("counter").parts();
    let table = [
        (r#"{"kept_to": "some", "polite": 4, "asked_first": true}"#, Some(["some", "4", "true"])),
        (
            "<think>{}</think>Well [so]:\n```json\n{'kept_to': 'All', 'polite': '5', 'asked_first': False,}\n```",
            Some(["all", "5", "false"]),
        ),
        (
            r#"It {was} fine. {"asked_first": "false", "kept_to": "none", "polite": 1, "why": "no"}"#,
            Some(["none", "1", "false"]),
        ),
        (r#"{"kept_to": "some", "polite": 6, "asked_first": true}"#, None),
        (r#"{"kept_to": "some", "polite": 4}"#, None),
        (r#"{"kept_to": ["some"], "polite": 4, "asked_first": true}"#, None),
        ("some, 4, true", None),
        ("", None),
    ];
    for (text, expected) in table {
        let found = names_in_object(&parts, text).into_iter();
        let found: Option<Vec<String>> = found.collect();
        let expected = expected.map(|names| names.map(str::to_owned).to_vec());
        assert_eq!(found, expected, "{text}");
    }
}

proptest::proptest! {
    #[test]
    fn any_answer_is_read_without_panic(text in "[\\PC\\n]*", noise in "[{}\\[\\]\":,a-z0-9 ]{0,80}") {
        let parts = what("counter").parts();
        for text in [text, noise] {
            let found = names_in_object(&parts, &text);
            proptest::prop_assert_eq!(found.len(), parts.len());
        }
    }
}

#[test]
fn each_field_is_kept_as_a_label() {
    let polite = what("counter.polite");
    let id: EpisodeId = "main:0:0".parse().unwrap();
    let line = LabelLine::new("u1".to_owned(), id, 0, "4".to_owned());
    assert_eq!(LabelLine::decode(line.encode().trim_end(), &polite), Ok((line.clone(), 3)));
    let other = what("counter.kept_to");
    let refused = LabelLine::decode(line.encode().trim_end(), &other).unwrap_err();
    assert!(refused.to_string().contains("no label of `counter.kept_to`"), "{refused}");
}
