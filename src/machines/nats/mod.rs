//! A queue on a server of NATS with JetStream: leases are messages that are handed out once more unless they are
//! extended, the fence is a key that can be created only once.

mod broker;
mod queue;

pub use broker::{Broker, Bucket, Change, Delivery, Standing};
pub use queue::NatsQueue;
