//! The agent: every request of the running strategy, role and user beside those that were recorded.

use std::path::Path;
use std::sync::Arc;

use anyhow::Context;
use serde_json::{Value, json};

use super::recorded::{self, AgentCall, Row};
use super::sentences::Sentences;
use super::session::{self, Recorded, Session, Step};
use super::{Said, Shop, ShopperCall};
use crate::conformance::{Tally, each_line};
use crate::domain::{Choice, PublicTask, ToolCall, ToolChoice, UserSees};
use crate::environments::shop::chatshop::{Channel, ChatShopEnvironment, tools};
use crate::environments::shop::formats::FORMATS;
use crate::environments::shop::private::target;
use crate::environments::shop::strategies;
use crate::environments::shop::words::ShopWords;
use crate::ports::model::{
    Capabilities, Completion, Format, ModelProfile, Models, Prompt, Sampling,
};
use crate::ports::{
    ParameterValue, Parameters, Persona, Role, RoleSetup, UserSetup, UserSimulator, Words, World,
};
use crate::roles::model as model_role;
use crate::users::model as model_user;

/// The prompts of the cards, with the same places for our sentences as users have them.
const AGENT: &str = include_str!("../../../../../agents/chatshop/executor.md");
const SHOPPER: &str = include_str!("../../../../../agents/users/shopper.md");

/// Compares every request, action and observation.
pub(in super::super) fn agents(file: &Path, data: &Path, tally: &mut Tally) -> anyhow::Result<()> {
    let shop = Shop::beside(file, data)?;
    let mut rows: Vec<Row> = Vec::new();
    each_line(file, |row| {
        rows.push(row);
        Ok(())
    })?;
    let sentences = Sentences::of(&rows, AGENT);
    for row in &rows {
        session(&shop, row, &sentences, tally).with_context(|| row.id.clone())?;
    }
    Ok(())
}

fn session(shop: &Shop, row: &Row, sentences: &Sentences, tally: &mut Tally) -> anyhow::Result<()> {
    let channel = Channel::named(&row.qmode).context("no such way to ask")?;
    let world = World {
        words: &ShopWords,
        tools: tools::tools(channel).into(),
        formats: FORMATS.into(),
        variables: ShopWords.variables().into(),
    };
    let calls = row.steps.iter().flat_map(|step| &step.agent_calls);
    let agent = Recorded::new(profile("agent", 1000), calls.map(choices).collect());
    let replies = row.steps.iter().flat_map(|step| &step.shopper_calls);
    let replies = replies.map(|call| {
        vec![Choice {
            text: call.reply.clone(),
            ..Choice::default()
        }]
    });
    let shopper = Recorded::new(profile("shopper", 10), replies.collect());
    let mut models = Models::default();
    models.add(Arc::clone(&agent) as _);
    models.add(Arc::clone(&shopper) as _);
    let asked = (agent, shopper);
    let goal = shop.goals.get(row.gid).context("there is no such goal")?;
    let task = PublicTask {
        data: json!({ "game": "chatshop", "channel": row.qmode, "questions": row.num_question }),
        ..PublicTask::new(row.id.as_str(), goal.category.as_str(), "")
    };
    let strategy = strategy(row)?;
    let session = shop.session(row.gid, row.game_mode, row.num_question, 20)?;
    let mut played = Session::open(
        strategy,
        ChatShopEnvironment::new(session),
        executor(&models, &world)?,
        user(&models, &world)?,
        (task, target(goal)),
    )?;
    played.step()?;
    for (number, step) in row.steps.iter().enumerate() {
        let position = format!("{} step {number}", row.id);
        let came = played.step()?.context("the session ends too early")?;
        compare(tally, &position, step, &came);
        let sent = asked.0.asked();
        tally.check(
            || format!("{position}, requests"),
            &step.agent_calls.len(),
            &sent.len(),
        );
        for (call, sent) in step.agent_calls.iter().zip(&sent) {
            request(tally, &position, call, sent, sentences);
        }
        for (call, sent) in step.shopper_calls.iter().zip(&asked.1.asked()) {
            question(tally, &position, call, sent);
        }
    }
    Ok(())
}

/// The action of a step, and what came of it.
fn compare(tally: &mut Tally, position: &str, step: &recorded::Step, came: &Step) {
    let at = |what: &'static str| move || format!("{position}, {what}");
    tally.check(at("action"), &Some(&step.action), &came.action.as_ref());
    tally.check(at("observation"), &step.obs, &came.observation);
    tally.check(at("done"), &step.done, &came.done);
}

/// What the shopper is asked; its instructions are ours.
fn question(tally: &mut Tally, position: &str, call: &ShopperCall, sent: &Completion) {
    let at = |what: &'static str| move || format!("{position}, {what}");
    let messages = messages(sent);
    tally.check(
        at("shopper's roles"),
        &roles_of(&call.messages),
        &roles(&messages),
    );
    let recorded = call.messages.last().map(|said| said.content.trim());
    let sent = messages.last().map(|(_, content)| content.trim());
    tally.check(at("shopper's question"), &recorded, &sent);
}

/// Messages, tools and settings of one request.
fn request(
    tally: &mut Tally,
    position: &str,
    call: &AgentCall,
    sent: &Completion,
    sentences: &Sentences,
) {
    let at = |what: &'static str| move || format!("{position}, {what}");
    let messages = messages(sent);
    tally.check(at("roles"), &roles_of(&call.messages), &roles(&messages));
    // The first is the system's: it is ours.
    for (said, (_, content)) in call.messages.iter().zip(&messages).skip(1) {
        tally.check(at("message"), &sentences.ours(&said.content), content);
    }
    let (names, choice) = match &sent.format {
        Format::Tools { tools, choice } => {
            let names = tools.iter().map(|tool| tool.name.clone()).collect();
            (names, as_json(choice))
        }
        _ => (Vec::new(), Value::Null),
    };
    tally.check(at("tools"), &call.tool_names, &names);
    tally.check(at("tool choice"), &call.tool_choice, &choice);
    tally.check(at("samples"), &call.n, &sent.n.unwrap_or(1));
    tally.check(
        at("max tokens"),
        &call.max_tokens,
        &sent.max_tokens.unwrap_or(1000),
    );
    tally.check(
        at("temperature"),
        &Some(call.temperature),
        &sent.temperature,
    );
}

fn as_json(choice: &ToolChoice) -> Value {
    match choice {
        ToolChoice::Auto => json!("auto"),
        ToolChoice::None => json!("none"),
        ToolChoice::Required => json!("required"),
        ToolChoice::Named(name) => json!({ "type": "function", "function": { "name": name } }),
    }
}

fn messages(sent: &Completion) -> Vec<(String, String)> {
    let Prompt::Chat(messages) = &sent.prompt else {
        return Vec::new();
    };
    let role = |role| json!(role).as_str().unwrap_or_default().to_owned();
    let messages = messages.iter();
    messages
        .map(|message| (role(message.role), message.content.clone()))
        .collect()
}

fn roles(messages: &[(String, String)]) -> Vec<&str> {
    messages.iter().map(|(role, _)| role.as_str()).collect()
}

fn roles_of(messages: &[Said]) -> Vec<&str> {
    messages.iter().map(|said| said.role.as_str()).collect()
}

fn choices(call: &AgentCall) -> Vec<Choice> {
    let choices = call.choices.iter().map(|choice| {
        let calls = choice.message.tool_calls.iter().flatten();
        let calls = calls.map(|call| ToolCall {
            name: call.function.name.clone(),
            arguments: Value::String(call.function.arguments.clone()),
        });
        Choice {
            text: choice.message.content.clone().unwrap_or_default(),
            tool_calls: calls.collect(),
            ..Choice::default()
        }
    });
    choices.collect()
}

fn profile(name: &str, max_tokens: u32) -> ModelProfile {
    ModelProfile {
        name: name.to_owned(),
        capabilities: Capabilities {
            tools: true,
            several: true,
            ..Capabilities::default()
        },
        max_tokens: Some(max_tokens),
        chat: true,
        ..ModelProfile::default()
    }
}

fn strategy(row: &Row) -> anyhow::Result<Box<dyn crate::ports::Strategy>> {
    let questions = match row.strategy.as_str() {
        _ if row.qmode == "none" => "none",
        "allq" => "all",
        "random" => "auto",
        other => other,
    };
    let parameters = Parameters::defaults(strategies::PARAMETERS)
        .with("questions", ParameterValue::Text(questions.to_owned()))
        .with("reasoning", ParameterValue::Flag(row.cot));
    Ok(strategies::build(&[session::agent()?], &parameters)?())
}

fn executor(models: &Models, world: &World) -> anyhow::Result<Box<dyn Role>> {
    let text = |text: &str| ParameterValue::Text(text.to_owned());
    let parameters = Parameters::defaults(model_role::PARAMETERS)
        .with("model", text("agent"))
        .with("moves", text("tools"))
        .with("choose", text("sample"))
        .with("choice", text("new-or-last"))
        .with("samples", ParameterValue::Integer(5));
    let setup = RoleSetup {
        role: session::agent()?,
        parameters,
        persona: persona(AGENT, 100),
        models: models.clone(),
        world: world.clone(),
    };
    Ok(model_role::build(&setup)?())
}

fn user(models: &Models, world: &World) -> anyhow::Result<Box<dyn UserSimulator>> {
    let text = |text: &str| ParameterValue::Text(text.to_owned());
    let setup = UserSetup {
        parameters: Parameters::defaults(model_user::PARAMETERS).with("model", text("shopper")),
        sees: UserSees::Question,
        persona: persona(SHOPPER, 10),
        models: models.clone(),
        world: world.clone(),
    };
    Ok(model_user::build(&setup)?())
}

fn persona(prompt: &str, max_tokens: u32) -> Persona {
    Persona {
        prompt: prompt.to_owned(),
        sampling: Sampling {
            temperature: Some(1.0),
            max_tokens: Some(max_tokens),
            ..Sampling::default()
        },
        ..Persona::default()
    }
}
