//! A model in memory whose answers a function gives, and which keeps what it was asked.

#![allow(dead_code, unreachable_pub, clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use bytes::Bytes;
use rolecall::domain::{CandidateScore, Choice, Finish, ModelReply, RoleName, TokenLogprob, Usage};
use rolecall::ports::model::{
    CallContext, CallTrace, Capabilities, Completion, EncodedRequest, Format, ModelProfile, Prompt, RequestHash,
    Scoring, ScoringMethod,
};
use rolecall::ports::{
    ModelClient, ModelError, ModelRequest, Models, ParameterValue, Parameters, Persona, RoleSetup, UserSetup,
};
use serde_json::{Value, json};

/// What the puppet says to a request.
pub type Says = Arc<dyn Fn(&Asked) -> Result<ModelReply, ModelError> + Send + Sync>;

/// A request as it was made.
#[derive(Clone, Debug)]
pub struct Asked {
    /// The number of the request, from 0, in the order in which they were encoded.
    pub number: usize,
    pub request: ModelRequest,
}

impl Asked {
    /// The whole prompt as one text.
    pub fn prompt(&self) -> String {
        let prompt = match &self.request {
            ModelRequest::Complete(completion) => &completion.prompt,
            ModelRequest::Score(scoring) => &scoring.prompt,
        };
        text(prompt)
    }

    pub fn completion(&self) -> &Completion {
        match &self.request {
            ModelRequest::Complete(completion) => completion,
            ModelRequest::Score(_) => panic!("a scoring"),
        }
    }

    pub fn scoring(&self) -> &Scoring {
        match &self.request {
            ModelRequest::Score(scoring) => scoring,
            ModelRequest::Complete(_) => panic!("a completion"),
        }
    }
}

pub fn text(prompt: &Prompt) -> String {
    match prompt {
        Prompt::Text(text) => text.clone(),
        Prompt::Chat(messages) => {
            let texts: Vec<&str> = messages.iter().map(|message| &*message.content).collect();
            texts.join("\n---\n")
        }
    }
}

/// The schema that a request asks for; null if it asks for none.
pub fn schema(request: &ModelRequest) -> Value {
    match request {
        ModelRequest::Complete(completion) => format(&completion.format),
        ModelRequest::Score(_) => Value::Null,
    }
}

pub struct Puppet {
    profile: ModelProfile,
    says: Says,
    encoded: Mutex<BTreeMap<RequestHash, ModelRequest>>,
    sent: Mutex<Vec<Asked>>,
}

impl Puppet {
    pub fn new(name: &str, says: impl Fn(&Asked) -> Result<ModelReply, ModelError> + Send + Sync + 'static) -> Self {
        let capabilities = Capabilities {
            json_schema: true,
            tools: true,
            logprobs: true,
            several: true,
            scoring: Some(ScoringMethod::EchoLogprobs),
        };
        Self {
            profile: ModelProfile {
                name: name.to_owned(),
                model: name.to_owned(),
                capabilities,
                ..ModelProfile::default()
            },
            says: Arc::new(says),
            encoded: Mutex::default(),
            sent: Mutex::default(),
        }
    }

    pub fn with(mut self, change: impl FnOnce(&mut ModelProfile)) -> Arc<Self> {
        change(&mut self.profile);
        Arc::new(self)
    }

    /// What was really asked, in order.
    pub fn asked(&self) -> Vec<Asked> {
        self.sent.lock().unwrap().clone()
    }
}

fn format(format: &Format) -> Value {
    match format {
        Format::Json { schema, .. } => json!(schema),
        Format::Tools { tools, .. } => tools.iter().map(|tool| json!([tool.name, tool.parameters])).collect(),
        _ => Value::Null,
    }
}

#[async_trait]
impl ModelClient for Puppet {
    fn name(&self) -> &str {
        &self.profile.name
    }

    fn profile(&self) -> &ModelProfile {
        &self.profile
    }

    fn encode(&self, request: &ModelRequest) -> Result<EncodedRequest, ModelError> {
        let body = match request {
            ModelRequest::Complete(asked) => json!([
                asked.prompt,
                asked.n,
                asked.max_tokens,
                asked.temperature,
                asked.top_p,
                asked.stop,
                format(&asked.format),
                asked.logprobs,
                asked.seed,
            ]),
            ModelRequest::Score(asked) => json!(asked),
        };
        let body = body.to_string();
        let hash = RequestHash::of(&[self.profile.name.as_bytes(), body.as_bytes()]);
        self.encoded.lock().unwrap().insert(hash, request.clone());
        Ok(EncodedRequest {
            choices: 1,
            hash,
            endpoint: "puppet",
            estimated_tokens: self.profile.tokens(body.len()),
            body: Bytes::from(body),
        })
    }

    async fn send(
        &self,
        request: &EncodedRequest,
        _: &CallContext,
        _: &mut CallTrace,
    ) -> Result<ModelReply, ModelError> {
        let request = self.encoded.lock().unwrap()[&request.hash].clone();
        let asked = {
            let mut sent = self.sent.lock().unwrap();
            let number = sent.len();
            sent.push(Asked { number, request });
            sent[number].clone()
        };
        (self.says)(&asked)
    }
}

pub fn choice(text: &str) -> Choice {
    Choice { text: text.to_owned(), ..Choice::default() }
}

pub fn reply(text: &str) -> ModelReply {
    replies(&[text])
}

pub fn replies(texts: &[&str]) -> ModelReply {
    ModelReply {
        choices: texts.iter().map(|text| choice(text)).collect(),
        usage: Usage { prompt: 10, completion: 2, ..Usage::default() },
        ..ModelReply::default()
    }
}

pub fn cut(text: &str) -> ModelReply {
    let mut reply = reply(text);
    reply.choices[0].finish = Finish::Length;
    reply
}

/// Samples with the log-probability of their one token.
pub fn weighed(texts: &[(&str, f64)]) -> ModelReply {
    let mut reply = replies(&texts.iter().map(|(text, _)| *text).collect::<Vec<_>>());
    for (choice, (text, logprob)) in reply.choices.iter_mut().zip(texts) {
        let token = (*text).to_owned();
        choice.tokens.push(TokenLogprob { token, logprob: *logprob });
    }
    reply
}

pub fn scores(scores: impl IntoIterator<Item = (f64, u32)>) -> ModelReply {
    let scores = scores.into_iter().map(|(logprob, tokens)| CandidateScore { logprob, tokens });
    ModelReply { scores: scores.collect(), ..ModelReply::default() }
}

/// The defaults of the table with these values in their places.
pub fn parameters(table: &[rolecall::ports::Parameter], values: &[(&'static str, Value)]) -> Parameters {
    use rolecall::ports::ParameterKind;
    let mut all = BTreeMap::new();
    for parameter in table {
        let value = match parameter.kind {
            ParameterKind::Choice { words } => ParameterValue::Text(words[0].to_owned()),
            ParameterKind::Integer { default: Some(number), .. } => ParameterValue::Integer(number),
            ParameterKind::Flag { default } => ParameterValue::Flag(default),
            ParameterKind::Text { default: Some(text) } => ParameterValue::Text(text.to_owned()),
            _ => continue,
        };
        all.insert(parameter.name, value);
    }
    for (name, value) in values {
        let value = match value {
            Value::Bool(flag) => ParameterValue::Flag(*flag),
            Value::Number(number) => ParameterValue::Integer(number.as_i64().unwrap()),
            other => ParameterValue::Text(other.as_str().unwrap().to_owned()),
        };
        all.insert(name, value);
    }
    Parameters::new(all)
}

pub fn persona(prompt: &str) -> Persona {
    Persona {
        name: "agents/p.toml".to_owned(),
        prompt: prompt.to_owned(),
        prompt_file: "agents/p.md".to_owned(),
        ..Persona::default()
    }
}

pub fn models(all: &[&Arc<Puppet>]) -> Models {
    let mut models = Models::default();
    for model in all {
        models.add(Arc::<Puppet>::clone(model));
    }
    models
}

/// A role played by the puppet called `m`.
pub fn setup(puppets: &[&Arc<Puppet>], prompt: &str, values: &[(&'static str, Value)]) -> RoleSetup {
    // Prompts of tests end as they are written.
    let mut with_model = vec![("model", json!("m")), ("cue", json!(false))];
    with_model.extend_from_slice(values);
    RoleSetup {
        role: RoleName::new("executor").unwrap(),
        parameters: parameters(rolecall::roles::model::PARAMETERS, &with_model),
        persona: persona(prompt),
        models: models(puppets),
        world: rolecall::worlds().world(Some("household")),
    }
}

pub fn user_setup(puppets: &[&Arc<Puppet>], prompt: &str) -> UserSetup {
    UserSetup {
        parameters: parameters(rolecall::users::model::PARAMETERS, &[("model", json!("m"))]),
        persona: persona(prompt),
        models: models(puppets),
        world: rolecall::worlds().world(Some("household")),
        ..UserSetup::default()
    }
}

/// A provider of puppets that play any persona of `agents/`: what they say has nothing to do with
/// the task, but can be read.
pub static PROVIDER: rolecall::ports::ModelEntry = rolecall::ports::ModelEntry {
    name: "puppet",
    server: false,
    summary: "says what fits the persona",
    build: |settings| {
        let puppet = Puppet::new(&settings.profile.name, |asked| {
            let prompt = asked.prompt();
            let says = |who: &str| prompt.contains(who);
            let length = prompt.len();
            Ok(reply(if says("You are the reflector") {
                "Learn: Look before you act."
            } else if prompt.ends_with("> think:") {
                "Think: I see. Sub-goal now: look around."
            } else if says("Dialogue Act Rules") && length % 3 == 0 {
                "Speak: <ReqForObjLocAndOD>: Where is it?"
            } else if says("Answer from this paragraph.") {
                "mug 1 is in desk 1."
            } else if says("you ask the owner") && length % 3 == 0 {
                "> ask: Where is the mug?"
            } else if says("Act now.") {
                "Act: look"
            } else if says("You are the thinker") {
                "Think: Sub-goal: find a mug."
            } else if says("You are a judge") {
                "Judge: clear."
            } else if says("You are the clarifier") {
                ["Judge: clear.", "Judge: unclear. Which?\nSpeak: Which mug?"][length % 2]
            } else if says("You are the planner") {
                "Plan:\nlook\ninventory"
            } else if says("The agent") || says("You:") {
                "You: It is there."
            } else if says("Speak:") && length % 3 == 0 {
                "Speak: Where is it?"
            } else {
                ["Act: look", "Think: I see.\nAct: inventory"][length % 2]
            }))
        });
        Ok(puppet.with(|profile| *profile = settings.profile.clone()))
    },
};
