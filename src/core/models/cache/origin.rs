//! Where a reply comes from, as far as replies are told apart by it.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use crate::models::ServedModel;
use crate::ports::model::RequestHash;

/// Stands for the run of calls outside runs: no other process has it.
static OUTSIDE: LazyLock<String> = LazyLock::new(|| format!("{:x}", RandomState::new().hash_one(std::process::id())));

/// The model that a reply comes from.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Origin {
    /// Address of the server, without secrets.
    address: String,
    /// Name by which the config asks for the model.
    model: String,
    /// Name and fingerprint that its server tells.
    #[serde(flatten)]
    served: ServedModel,
    /// The run that alone reads its replies, where there is no fingerprint.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    run: String,
}

impl Origin {
    /// A model at an address, of which its server told so much, or nothing.
    pub(super) fn new([address, model]: [&str; 2], served: Option<ServedModel>, run: &str) -> Self {
        let run = match (&served, run) {
            (Some(_), _) => String::new(),
            (None, "") => OUTSIDE.clone(),
            (None, run) => run.to_owned(),
        };
        Self { address: address.to_owned(), model: model.to_owned(), served: served.unwrap_or_default(), run }
    }

    /// The hash by which its reply to a request is found.
    pub(super) fn key(&self, request: RequestHash) -> RequestHash {
        let ServedModel { name, fingerprint } = &self.served;
        let parts = [&self.address, &self.model, name, fingerprint, &self.run].map(String::as_bytes);
        RequestHash::of(&[&request.0, parts[0], parts[1], parts[2], parts[3], parts[4]])
    }
}
