//! The agent: every request of the running strategy, role and user beside those that were recorded.

use std::path::Path;
use std::sync::Arc;

use anyhow::Context;
use serde_json::{Value, json};

use super::environment;
use super::recorded::{AgentCall, Row, ShopperCall};
use super::sentences::Sentences;
use crate::kit::{Cast, Episode, RecordedModel, Tally, each_line};
use crate::shop::world::World;
use rolecall_core::domain::{PublicTask, RoleName, ToolChoice, UserSees};
use rolecall_core::ports::model::{ChatMessage, ChatRole, Completion, Format, Models, Prompt, Sampling};
use rolecall_core::ports::{
    self, ParameterValue, Parameters, Persona, Role, RoleSetup, Strategy, UserSetup, UserSimulator, Words,
};
use rolecall_core::roles::model as model_role;
use rolecall_core::users::model as model_user;
use rolecall_shop::chatshop::{Channel, tools};
use rolecall_shop::formats::FORMATS;
use rolecall_shop::goal::Goal;
use rolecall_shop::session::Shop;
use rolecall_shop::strategies;
use rolecall_shop::words::ShopWords;

/// The prompts of the cards, with the same places for our sentences as users have them.
const AGENT: &str = include_str!("../../../../agents/chatshop/executor.md");
const SHOPPER: &str = include_str!("../../../../agents/users/shopper.md");

/// Compares every request, action and observation.
pub(in super::super) fn agents(file: &Path, data: &Path, tally: &mut Tally) -> anyhow::Result<()> {
    let (_, store, shop) = World::beside(file, "chatshop", data)?;
    let mut rows = Vec::new();
    each_line(file, |row: Row| {
        rows.push(row);
        Ok(())
    })?;
    let sentences = Sentences::of(&rows, AGENT);
    for row in &rows {
        episode(row, &store.goals, &shop, &sentences, tally).with_context(|| row.id.clone())?;
    }
    Ok(())
}

/// Plays one episode with the recorded replies.
fn episode(row: &Row, goals: &[Goal], shop: &Shop, sentences: &Sentences, tally: &mut Tally) -> anyhow::Result<()> {
    let agent = RecordedModel::chat("agent", 1000, row.calls().map(AgentCall::reply));
    let calls = row.steps.iter().flat_map(|step| &step.shopper_calls);
    let shopper = RecordedModel::chat("shopper", 10, calls.map(ShopperCall::choices));
    let mut models = Models::default();
    models.add(Arc::clone(&agent) as _);
    models.add(Arc::clone(&shopper) as _);
    let world = ports::World {
        words: &ShopWords,
        tools: tools::tools(Channel::named(&row.qmode).context("no such way to ask")?).into(),
        formats: FORMATS.into(),
        variables: ShopWords.variables().into(),
    };
    let cast = Cast {
        strategy: strategy(row)?,
        environment: Box::new(environment(row, goals, shop)?),
        role: (agent_name()?, executor(&models, &world)?),
        user: user(&models, &world)?,
    };
    let goal = goals.get(row.gid).context("there is no such goal")?;
    let task = PublicTask {
        data: json!({ "game": "chatshop", "channel": row.qmode, "questions": row.num_question }),
        ..PublicTask::new(&*row.id, &*goal.category, "")
    };
    let mut episode = Episode::open(cast, task, vec![goal.shopper_part()])?;
    episode.step()?;
    for (number, step) in row.steps.iter().enumerate() {
        let position = &*format!("{} step {number}", row.id);
        let at = |what: &'static str| move || format!("{position}, {what}");
        let came = episode.step()?.context("the session ends too early")?;
        tally.check(at("action"), &Some(&step.action), &came.action.as_ref());
        tally.check(at("observation"), &step.obs, &came.seen.text);
        tally.check(at("done"), &step.done, &Some(came.seen.done));
        let (sent, asked) = (agent.asked(), shopper.asked());
        tally.check(at("requests"), &step.agent_calls.len(), &sent.len());
        for (call, sent) in step.agent_calls.iter().zip(&sent) {
            request(tally, position, call, sent, sentences);
        }
        for (call, sent) in step.shopper_calls.iter().zip(&asked) {
            question(tally, position, &call.messages, messages(sent));
        }
    }
    Ok(())
}

/// Compares the prompts of the shopper; its instructions are ours.
fn question(tally: &mut Tally, position: &str, recorded: &[ChatMessage], sent: &[ChatMessage]) {
    let at = |what: &'static str| move || format!("{position}, shopper's {what}");
    tally.check(at("roles"), &roles(recorded), &roles(sent));
    let last = |messages: &[ChatMessage]| Some(messages.last()?.content.trim().to_owned());
    tally.check(at("question"), &last(recorded), &last(sent));
}

/// Messages, tools and settings of one request.
fn request(tally: &mut Tally, position: &str, call: &AgentCall, sent: &Completion, sentences: &Sentences) {
    let at = |what: &'static str| move || format!("{position}, {what}");
    let messages = messages(sent);
    tally.check(at("roles"), &roles(&call.messages), &roles(messages));
    // The first is the system's: it is ours.
    for (recorded, found) in call.messages.iter().zip(messages).skip(1) {
        let recorded = sentences.ours(&recorded.content);
        tally.check(at("message"), &recorded, &found.content);
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
    let most = sent.max_tokens.unwrap_or(1000);
    tally.check(at("max tokens"), &call.max_tokens, &most);
    let recorded = Some(call.temperature);
    tally.check(at("temperature"), &recorded, &sent.temperature);
}

fn as_json(choice: &ToolChoice) -> Value {
    match choice {
        ToolChoice::Named(name) => json!({ "type": "function", "function": { "name": name } }),
        word => json!(word),
    }
}

fn messages(sent: &Completion) -> &[ChatMessage] {
    match &sent.prompt {
        Prompt::Chat(messages) => messages,
        Prompt::Text(_) => &[],
    }
}

fn roles(messages: &[ChatMessage]) -> Vec<ChatRole> {
    messages.iter().map(|message| message.role).collect()
}

/// The only role.
fn agent_name() -> anyhow::Result<RoleName> {
    Ok(RoleName::new("executor")?)
}

fn strategy(row: &Row) -> anyhow::Result<Box<dyn Strategy>> {
    let questions = match row.strategy.as_str() {
        _ if row.qmode == "none" => "none",
        "allq" => "all",
        "random" => "auto",
        other => other,
    };
    let parameters = Parameters::defaults(strategies::PARAMETERS)
        .with("questions", text(questions))
        .with("reasoning", ParameterValue::Flag(row.cot));
    Ok(strategies::build(&[agent_name()?], &parameters)?())
}

fn executor(models: &Models, world: &ports::World) -> anyhow::Result<Box<dyn Role>> {
    let parameters = Parameters::defaults(model_role::PARAMETERS)
        .with("model", text("agent"))
        .with("moves", text("tools"))
        .with("choose", text("sample"))
        .with("choice", text("new-or-last"))
        .with("samples", ParameterValue::Integer(5));
    let setup = RoleSetup {
        role: agent_name()?,
        parameters,
        persona: persona(AGENT, 100),
        models: models.clone(),
        world: world.clone(),
    };
    Ok(model_role::build(&setup)?())
}

fn user(models: &Models, world: &ports::World) -> anyhow::Result<Box<dyn UserSimulator>> {
    let setup = UserSetup {
        parameters: Parameters::defaults(model_user::PARAMETERS).with("model", text("shopper")),
        sees: UserSees::Question,
        persona: persona(SHOPPER, 10),
        models: models.clone(),
        world: world.clone(),
    };
    Ok(model_user::build(&setup)?())
}

fn text(text: &str) -> ParameterValue {
    ParameterValue::Text(text.to_owned())
}

fn persona(prompt: &str, max_tokens: u32) -> Persona {
    Persona {
        prompt: prompt.to_owned(),
        sampling: Sampling { temperature: Some(1.0), max_tokens: Some(max_tokens), ..Sampling::default() },
        ..Persona::default()
    }
}
