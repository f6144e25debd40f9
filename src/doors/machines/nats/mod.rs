//! A queue on a server of NATS with JetStream: leases are messages that are handed out once more unless they are
//! extended, the fence is a key that can be created only once.

mod address;
mod broker;
#[cfg(feature = "nats")]
mod operations;
mod queue;
#[cfg(feature = "nats")]
mod server;

use std::path::Path;
use std::sync::Arc;

pub use address::{Address, Credentials};
pub use broker::{Broker, Bucket, Change, Delivery, Standing};
pub use queue::NatsQueue;
#[cfg(feature = "nats")]
pub use server::Server;

use super::{Queue, QueueError};

/// The queue at an address, as it is used by the one of this name. The key file holds a token or the seed of an
/// nkey, for servers that want one. The connection lives as long as the runtime in which it was made.
///
/// # Errors
/// If the address or key file cannot be used, or the server cannot be reached, refuses, or has no JetStream; if
/// the program was built without the feature `nats`.
pub async fn connect(address: &str, key_file: Option<&Path>, worker: &str) -> Result<Arc<dyn Queue>, QueueError> {
    let credentials = key_file.map(Credentials::read).transpose()?;
    #[cfg(feature = "nats")]
    {
        Ok(Arc::new(NatsQueue::over(Server::connect(address, worker, &credentials.unwrap_or_default()).await?, worker)))
    }
    #[cfg(not(feature = "nats"))]
    {
        let _ = (worker, credentials);
        Err(QueueError::Unusable {
            queue: Address::parse(address)?.to_string(),
            reason: "this program was built without NATS; install with `cargo install --path . --features nats`"
                .to_owned(),
        })
    }
}
