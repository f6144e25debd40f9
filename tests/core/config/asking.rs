//! The small registry with roles and users that ask models, and a provider whose models nobody
//! asks.

use std::sync::Arc;

use rolecall::domain::{ModelReply, UserSees};
use rolecall::ports::model::{CallContext, CallTrace, EncodedRequest, ModelProfile, ModelRequest};
use rolecall::ports::{ModelClient, ModelError, Parameter, Role, SetupError, UserSimulator};
use rolecall::ports::{ModelEntry, RoleEntry, UserEntry};
use rolecall::registry::Registry;

const MODEL: Parameter = Parameter::model("model", "the model that it asks");

static ROLE: RoleEntry = RoleEntry {
    name: "model",
    summary: "asks a model",
    roles: &[],
    environments: &[],
    parameters: &[MODEL],
    build: |setup| {
        let name = setup.parameters.text("model");
        let problem = "is missing: every role needs a model here";
        let model = name.and_then(|name| setup.models.get(name));
        model.ok_or_else(|| SetupError::at("model", problem))?;
        Ok(Arc::new(|| -> Box<dyn Role> { panic!("not played here") }))
    },
};

static USER: UserEntry = UserEntry {
    name: "model",
    summary: "asks a model",
    environments: &[],
    tasks: &[],
    sees: UserSees::Dialogue,
    parameters: &[MODEL],
    build: |_| Ok(Arc::new(|| -> Box<dyn UserSimulator> { panic!("not played here") })),
};

/// A model that is asked nothing.
struct Unasked(ModelProfile);

#[async_trait::async_trait]
impl ModelClient for Unasked {
    fn name(&self) -> &str {
        &self.0.name
    }

    fn profile(&self) -> &ModelProfile {
        &self.0
    }

    fn encode(&self, _: &ModelRequest) -> Result<EncodedRequest, ModelError> {
        panic!("not asked here")
    }

    async fn send(&self, _: &EncodedRequest, _: &CallContext, _: &mut CallTrace) -> Result<ModelReply, ModelError> {
        panic!("not asked here")
    }
}

/// Refuses to build a model that the server knows as `broken`.
static PROVIDER: ModelEntry = ModelEntry {
    name: "echo",
    summary: "answers nothing",
    server: true,
    build: |settings| match settings.profile.model.as_str() {
        "broken" => Err(SetupError::at("model", "it is broken")),
        _ => Ok(Arc::new(Unasked(settings.profile.clone()))),
    },
};

/// What comes with the crate, with a role that only needs its model to be there.
pub(crate) fn standard_registry() -> Registry {
    let mut registry = rolecall::worlds();
    registry.roles.insert(0, &ROLE);
    registry
}

/// The small registry and what asks models.
pub(crate) fn registry() -> Registry {
    let mut registry = super::support::registry();
    registry.roles.push(&ROLE);
    registry.users.push(&USER);
    registry.models = vec![&PROVIDER];
    registry
}
