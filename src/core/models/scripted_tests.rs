use super::*;

const SCRIPT: &str = r#"
{"seat": "executor", "text": "Act: look"}
{"seat": "executor", "again": true, "text": "Act: inventory"}
{"seat": "user", "contains": ["Where", "mug"], "text": "In the cabinet."}

{"text": "I do not know.", "finish": "length"}
{"seat": "executor", "texts": ["a", "b"]}
{"contains": "choose", "scores": {"look": -1.5, "wait": -4}}
{"seat": "executor", "tools": [{"name": "act", "arguments": {"x": 1}}], "finish": "tool_calls"}
"#;

fn scripted(text: &str) -> Result<Scripted, String> {
    let served = ServedModel::default();
    Ok(Scripted { script: Script::parse(text)?, served, profile: ModelSettings::new("played", "").profile })
}

fn asked(scripted: &Scripted, request: ModelRequest, key: &str) -> Result<ModelReply, String> {
    let encoded = scripted.encode(&request).unwrap();
    let reply = scripted.reply(&encoded.body, key);
    reply.map_err(|error| error.to_string())
}

fn complete(prompt: &str) -> ModelRequest {
    ModelRequest::Complete(crate::ports::model::Completion {
        prompt: Prompt::Text(prompt.to_owned()),
        ..Default::default()
    })
}

fn text(prompt: &str, key: &str) -> String {
    let reply = asked(&scripted(SCRIPT).unwrap(), complete(prompt), key);
    reply.map_or_else(|error| error, |reply| reply.choices[0].text.clone())
}

#[test]
fn replies_come_in_the_order_of_turns_and_calls() {
    assert_eq!(text("x", "a:0:0/executor/0/0/0"), "Act: look");
    assert_eq!(text("x", "a:0:0/executor/0/2/1"), "Act: inventory");
    assert_eq!(text("x", "a:0:0/executor/1/0/0"), "a");
    assert_eq!(text("x", "a:0:0/thinker/0/0/0"), "I do not know.");
    let tools = asked(&scripted(SCRIPT).unwrap(), complete("x"), "a:0:0/executor/2/0/0");
    assert_eq!(tools.unwrap().choices[0].finish, Finish::ToolCalls);
}

#[test]
fn a_prompt_that_fits_is_answered_in_any_turn() {
    let prompt = "Where is the mug?";
    assert_eq!(text(prompt, "a:0:0/user/7/0/0"), "In the cabinet.");
    assert_eq!(text(prompt, "a:0:0/executor/0/0/0"), "Act: look");
    let scoring = crate::ports::model::Scoring {
        prompt: Prompt::Text("choose".to_owned()),
        candidates: vec!["wait".to_owned(), "look".to_owned()],
    };
    let scripted = scripted(SCRIPT).unwrap();
    let reply = asked(&scripted, ModelRequest::Score(scoring), "a:0:0/x/0/0/0").unwrap();
    let scores: Vec<f64> = reply.scores.iter().map(|score| score.logprob).collect();
    assert_eq!(scores, [-4.0, -1.5]);
}

#[test]
fn a_script_that_has_run_out_says_what_is_missing() {
    let told = text("x", "a:0:0/executor/3/0/0");
    assert!(told.contains("3 turns of `executor` and this is turn 4"), "{told}");
    let told = text("x", "a:0:0/executor/0/0/2");
    assert!(told.contains("this is call 3"), "{told}");
}

#[test]
fn what_is_wrong_with_a_file_names_the_line() {
    let problem = |text: &str| Script::parse(text).unwrap_err();
    assert!(problem("\n{\"text\": 1}").starts_with("line 2, column"));
    assert!(problem("{}").starts_with("line 1: write one of"));
    assert!(problem("{\"again\": true, \"text\": \"x\"}").starts_with("line 1: `again`"));
    assert!(problem("{\"seat\": \"A b\", \"text\": \"x\"}").starts_with("line 1"));
    let mut settings = ModelSettings::new("played", "");
    let missing = transport(&settings).err().unwrap().to_string();
    assert_eq!(missing, "script: name the file with the replies");
    settings.script = Some("no/such/file.jsonl".into());
    let missing = transport(&settings).err().unwrap().to_string();
    assert!(missing.starts_with("script: `no/such/file.jsonl`: "), "{missing}");
}
