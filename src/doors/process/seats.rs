//! Roles and users in other processes.

use std::sync::Arc;

use async_trait::async_trait;
use serde_json::Value;

use super::client::{Client, Kind};
use super::seat::Sent;
use super::setup::Whereabouts;
use rolecall_core::domain::{Answer, Utterance};
use rolecall_core::ports::{
    Introduction, Models, Parameters, Persona, Role, RoleError, RoleFactory, RoleSetup, SetupError, Turn, UserError,
    UserFactory, UserSetup, UserSimulator,
};

/// A role in another process.
pub struct ProcessRole {
    client: Arc<Client>,
    sent: Sent,
}

impl ProcessRole {
    /// One of an episode.
    pub fn new(client: Arc<Client>) -> Self {
        let sent = Sent::default();
        Self { client, sent }
    }
}

#[async_trait]
impl Role for ProcessRole {
    async fn take_turn(&mut self, turn: &Turn) -> Result<Answer, RoleError> {
        Ok(self.sent.ask(&self.client, "take_turn", turn).await?)
    }

    /// Whoever never said a word may be anybody.
    fn is_external(&self) -> bool {
        self.client.introduced().is_none_or(Introduction::is_taken)
    }

    fn introduction(&self) -> Result<Option<Introduction>, RoleError> {
        Ok(Some(self.client.introduction()?))
    }
}

/// A user in another process.
pub struct ProcessUser {
    client: Arc<Client>,
    sent: Sent,
}

impl ProcessUser {
    /// One of an episode.
    pub fn new(client: Arc<Client>) -> Self {
        let sent = Sent::default();
        Self { client, sent }
    }
}

#[async_trait]
impl UserSimulator for ProcessUser {
    async fn reply(&mut self, turn: &Turn) -> Result<Utterance, UserError> {
        Ok(self.sent.ask(&self.client, "reply", turn).await?)
    }

    fn is_external(&self) -> bool {
        self.client.introduced().is_none_or(Introduction::is_taken)
    }

    fn introduction(&self) -> Result<Option<Introduction>, UserError> {
        Ok(Some(self.client.introduction()?))
    }
}

pub(super) fn build_role(setup: &RoleSetup) -> Result<RoleFactory, SetupError> {
    let seat = setup.role.as_str();
    let client = client(Kind::Role, seat, &setup.parameters, &setup.persona, &setup.models)?;
    Ok(Arc::new(move || Box::new(ProcessRole::new(Arc::clone(&client)))))
}

pub(super) fn build_user(setup: &UserSetup) -> Result<UserFactory, SetupError> {
    let client = client(Kind::User, "user", &setup.parameters, &setup.persona, &setup.models)?;
    Ok(Arc::new(move || Box::new(ProcessUser::new(Arc::clone(&client)))))
}

fn client(
    kind: Kind,
    seat: &str,
    parameters: &Parameters,
    persona: &Persona,
    models: &Models,
) -> Result<Arc<Client>, SetupError> {
    let place = Whereabouts::of(parameters)?;
    let own = parameters.free("parameters").cloned().unwrap_or_else(|| Value::Object(serde_json::Map::new()));
    let client = Client::new(place, kind, seat, &own);
    Ok(Arc::new(client.with(persona, models, parameters.list("models"))))
}
