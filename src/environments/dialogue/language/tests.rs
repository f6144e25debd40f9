use proptest::prelude::*;
use serde_json::json;

use super::*;

/// Some error of each kind.
fn errors() -> Vec<FormatError> {
    let (step, index, dataset) = (0, 0, Dataset::Cima);
    let name = || "x\u{1b}".to_owned();
    let with = |make: fn(usize, String) -> FormatError| make(step, name());
    vec![
        FormatError::EmptyPlan,
        FormatError::UnknownSource { step, name: name(), dataset },
        with(|step, var| FormatError::DuplicateVariable { step, var }),
        with(|step, reference| FormatError::UndefinedReference { step, reference }),
        with(|step, reference| FormatError::ForwardReference { step, reference }),
        with(|step, reference| FormatError::Cycle { step, reference }),
        FormatError::DoWithoutPlan,
        FormatError::MissingDo { step },
        FormatError::UnknownStrategy { step, name: name(), dataset },
        FormatError::UnknownListedStrategy { index, name: name(), dataset },
        FormatError::UnknownModule { index, name: name(), dataset },
        FormatError::EmptyList,
        FormatError::NoAction,
        FormatError::BadAction { text: name(), dataset },
        FormatError::UnknownAction { name: name(), dataset },
        FormatError::MissingObservation { step },
        FormatError::ObservationWithoutAction,
        FormatError::EmptyStatus,
        FormatError::EmptyResponse,
        FormatError::MissingResponse,
    ]
}

#[test]
fn codes_are_those_that_are_written() {
    #[rustfmt::skip]
    const CODES: [&str; 20] = [
        "empty_plan", "unknown_source", "duplicate_variable", "undefined_reference", "forward_reference", "cycle",
        "do_without_plan", "missing_do", "unknown_strategy", "unknown_strategy", "unknown_module", "empty_list",
        "no_action", "bad_action", "unknown_action", "missing_observation", "observation_without_action",
        "empty_status", "empty_response", "missing_response",
    ];
    let errors = errors();
    assert_eq!(errors.len(), CODES.len());
    for (error, code) in errors.into_iter().zip(CODES) {
        let written = serde_json::to_value(&error).unwrap();
        assert_eq!(written["code"], code);
        assert!(written.get("dataset").is_none());
        assert!(!error.to_string().contains("x\u{1b}"));
    }
    let warnings = [Warning::EmptyInput, Warning::UnclosedBracket, Warning::NoLabel];
    for warning in warnings {
        assert_eq!(serde_json::to_value(warning).unwrap(), warning.code());
    }
}

#[test]
fn an_error_tells_what_to_write_and_quotes_harmlessly() {
    let error = plan_do("Plan: Pr\u{1b}aise\nDo: x", Dataset::Cima).unwrap_err();
    let text = "step 1 names `Pr\\u{1b}aise`, which is no strategy; \
                name one of: Hint, Question, Correction, Confirmation, Others";
    assert_eq!(error.to_string(), text);
    let long = format!("Action: {}", "界".repeat(9999));
    assert!(react_source(&long, Dataset::Focus).unwrap_err().to_string().chars().count() < 250);
}

#[test]
fn the_rules_of_source_plans_hold_together() {
    let plan = |text| serde_json::to_value(source_plan(text, Variable::So, Dataset::Focus).unwrap()).unwrap();
    // Two calls on one line, the second without a plan; a number before a call; a call after prose.
    let text = "Plan: a – #So1=PERSONA[x] #so2 : knowledge [ 'So1' ] and\nPlan 2: b\n2. #So3 := DOCUMENT[y #So2]";
    let steps = json!([
        {"var": "So1", "source": "PERSONA", "input": "x", "kind": "text", "refs": [], "desc": "a"},
        {"var": "So2", "source": "DOCUMENT", "input": "So1", "kind": "reference", "refs": ["So1"], "desc": ""},
        {"var": "So3", "source": "DOCUMENT", "input": "y #So2", "kind": "mixed", "refs": ["So2"], "desc": "b"},
    ]);
    assert_eq!(plan(text), json!({"steps": steps, "warnings": ["source_alias"]}));
    let code = |text| {
        let error = source_plan(text, Variable::So, Dataset::Focus).unwrap_err();
        serde_json::to_value(error).unwrap()["code"].clone()
    };
    assert_eq!(code("#So1 = PERSONA[#So1]"), "cycle");
    assert_eq!(code("#So1 = PERSONA[So2]\n#So2 = PERSONA[So3]\n#So3 = PERSONA[So2]"), "forward_reference");
    assert_eq!(code("#So1 = PERSONA[x]\n#So01 = PERSONA[y]"), "duplicate_variable");
    assert_eq!(code("PERSONA is [x]. The PERSONA[y] helps. xSo1 = PERSONA[z]"), "empty_plan");
    // The variable of a place may be taken.
    assert_eq!(code("#So2 = PERSONA[x]\nDOCUMENT[y]"), "duplicate_variable");
}

#[test]
fn a_plan_ends_where_it_says_or_another_dialogue_begins() {
    let read = |text| plan_do(text, Dataset::Cima).unwrap();
    let found = read("Dialogue: hi\nThought: t\nPlan: Hint\nDo: a\nPlan: Finish.\nDo: b");
    assert_eq!((found.thought.as_deref(), found.response.as_str()), (Some("t"), "a"));
    assert!(found.warnings.is_empty());
    let found = read("Plan: Hint\nDo: a\nDo: b\nDialogue: x");
    assert_eq!(found.response, "a b");
    let expected = [Warning::ExtraDo, Warning::TruncatedAtDialogue];
    assert!(found.warnings.into_iter().eq(expected));
    let error = |text| plan_do(text, Dataset::Cima).unwrap_err();
    assert_eq!(error("Plan: Hint\nPlan: Question\nDo: b"), FormatError::MissingDo { step: 0 });
    assert_eq!(error("Plan: Hint\nDo:"), FormatError::MissingDo { step: 0 });
    assert_eq!(error("Plan: Stop"), FormatError::EmptyPlan);
}

#[test]
fn chinese_is_joined_without_blanks() {
    let text = "Plan：Information\nDo：你好\n  世界\nPlan: Others\nDo: 再见";
    let found = plan_do(text, Dataset::Psyqa).unwrap();
    assert_eq!(found.response, "你好世界再见");
    let text = "Thought: a\nAction: Information\nObservation: 你\n好\nAction: Finish[x]";
    let found = react_strategy(text, Dataset::Psyqa).unwrap();
    assert_eq!((found.response.as_str(), found.finished), ("你好", true));
}

#[test]
fn a_step_of_react_is_read_up_to_its_end() {
    let read = |text| react_source(text, Dataset::Focus).unwrap();
    let found = read("Dialogue: hi\nThought: t Action: Document[] Observation: x");
    assert_eq!(found.thought, "t");
    let expected = [Warning::EmptyInput, Warning::HallucinatedObservation];
    assert!(found.warnings.into_iter().eq(expected));
    let found = read("a\nAction:\nFinish [x]\nDialogue: y]");
    let response = "x".to_owned();
    assert_eq!(found.action, SourceAction::Finish { response });
    assert!(found.warnings.into_iter().eq([Warning::ExtraStepsIgnored]));
    let bad = |text: &str| FormatError::BadAction { text: text.to_owned(), dataset: Dataset::Focus };
    for text in ["Finish", "Persona", "[x]", "", "look at Persona[x]"] {
        let found = react_source(&format!("Thought: t\nAction: {text}"), Dataset::Focus);
        assert_eq!(found.unwrap_err(), bad(text));
    }
}

#[test]
fn labels_in_front_of_plain_texts_go() {
    assert_eq!(response(" SYSTEM: Response: It is: **here** "), "It is: **here**");
    assert_eq!(response("The response: no"), "The response: no");
    assert_eq!(sub_response("Hint: a: b", Dataset::Cima, "Hint"), "a: b");
    assert_eq!(sub_response("Question: a", Dataset::Cima, "Hint"), "Question: a");
    assert_eq!(thought("**Thought:** I know\nmore. \nPlan: x"), "I know\nmore.");
}

/// Reads a text in every format.
fn read_all(text: &str) {
    for variable in [Variable::So, Variable::E] {
        if let Ok(plan) = source_plan(text, variable, Dataset::Focus) {
            assert!(!plan.steps.is_empty());
            for step in &plan.steps {
                resolve_input(&step.input, variable, |_| Some("text"));
            }
        }
    }
    for dataset in Dataset::OFFICIAL {
        let _ = plan_do(text, dataset).map_err(|error| error.to_string());
        let _ = react_strategy(text, dataset).map_err(|error| error.to_string());
        let _ = chameleon_strategies(text, dataset).map_err(|error| error.to_string());
        for mode in [CueCotMode::Status, CueCotMode::Response, CueCotMode::Merged] {
            let _ = cue_cot(text, mode, dataset).map_err(|error| error.to_string());
        }
        sub_response(text, dataset, "Hint");
    }
    let _ = react_source(text, Dataset::Focus).map_err(|error| error.to_string());
    let _ = chameleon_modules(text, Dataset::Focus).map_err(|error| error.to_string());
    thought(text);
    response(text);
    let _ = reasoned_response(text).map_err(|error| error.to_string());
}

/// Pieces of which texts like a model's are made.
const PIECES: [&str; 40] = [
    "Plan:",
    "plan 2 :",
    "Do:",
    "Thought:",
    "Action:",
    "Observation:",
    "Dialogue:",
    "Status:",
    "Response:",
    "Modules:",
    "\n",
    "\r\n",
    " ",
    "#So1",
    "So2",
    "#E1",
    "E2",
    " = ",
    ":=",
    "：",
    "PERSONA[",
    "Knowledge[",
    "Finish[",
    "]",
    "[",
    "＃So１ ＝",
    "context",
    "Hint",
    "and",
    "->",
    "\"",
    "'",
    "```",
    "**",
    "- ",
    "1.",
    "\u{3000}世界",
    "é\u{301}",
    "\u{feff}",
    "🙂",
];

proptest! {
    #[test]
    fn no_text_makes_a_parser_panic(text in any::<String>()) {
        read_all(&text);
    }

    #[test]
    fn no_text_like_a_models_makes_a_parser_panic(
        pieces in prop::collection::vec(prop::sample::select(&PIECES[..]), 0..40),
    ) {
        read_all(&pieces.concat());
    }

    #[test]
    fn a_plan_that_is_written_is_read_back(
        steps in prop::collection::vec(
            ("[a-zé世]{1,6}( [a-zé世]{1,6}){0,2}", any::<bool>(), "[a-z,()世]{1,12}"), 1..6,
        ),
    ) {
        let text: String = steps.iter().zip(1..).map(|((desc, persona, input), place)| {
            let source = if *persona { "PERSONA" } else { "DOCUMENT" };
            format!("Plan: {desc}\n#So{place} = {source}[x{input}x]\n")
        }).collect();
        let plan = source_plan(&text, Variable::So, Dataset::Focus).unwrap();
        prop_assert!(plan.warnings.is_empty());
        prop_assert_eq!(plan.steps.len(), steps.len());
        for (found, (desc, persona, input)) in plan.steps.iter().zip(&steps) {
            prop_assert_eq!(&found.desc, desc);
            prop_assert_eq!(found.source == Source::Persona, *persona);
            prop_assert_eq!(&found.input, &format!("x{input}x"));
        }
    }
}

/// Texts that would take long if the time were not in proportion to the length.
#[test]
fn long_hostile_texts_are_read() {
    let hostile = [
        "[",
        "#So1 = PERSONA[",
        "So1 ",
        "# ",
        "#So1:",
        "Plan:",
        "Plan     ",
        "Plan: #So1=X[a]",
        "1",
        "\"",
        "Dialogue:\n",
        "#So1=PERSONA[#So2]\n",
        "Do:",
        "Action: Finish[",
        "]",
        "\n",
        " ",
        "a, ",
        "Plan: Hint\nDo: x\n",
        "Thought: a Action: Hint Observation: b ",
        "and & ",
        "the ",
        "[the ",
        "- ",
        "'a' ",
    ];
    for piece in hostile {
        read_all(&piece.repeat(16_384 / piece.len()));
    }
    let forward: String = (1..2000).map(|step| format!("#So{step} = PERSONA[#So{}]\n", step + 1)).collect();
    read_all(&forward);
}
