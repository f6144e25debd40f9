//! From a config as it was written to a run that can be started.
//!
//! A config is read in layers, the weakest first: defaults, persona cards, the files that
//! `extends` names, the file itself, environment variables `ROLECALL__A__B=value`, and `--set
//! a.b=value`. The `config` crate merges the layers; the checks walk over the raw values, each of
//! which knows where it was written, and report every problem at once. Nothing is converted: a
//! text is no number. A value of a variable or of `--set` is TOML if it can be, and else a text.
//! A `[matrix]` becomes cells once all layers are merged.
//!
//! May import the registry, the ports and the domain.

mod cell;
mod changes;
mod context;
mod described;
mod error;
mod fallback;
mod introductions;
mod invocation;
mod layers;
mod matrix;
mod merge;
mod mixture;
mod models;
mod node;
mod origin;
mod overrides;
mod parameters;
mod persona;
mod plan;
mod record;
mod recorded;
mod resolve;
mod schema;
mod search;
mod seats;
mod secrets;
mod settings;
mod table;
mod used_models;
mod user_context;
mod walk;

pub use changes::{Change, changes};
pub use error::{ConfigError, ConfigErrors, did_you_mean, listed};
pub use introductions::Absent;
pub use invocation::{Invocation, InvocationError, merged_record};
pub use layers::Request;
pub use overrides::Flag;
pub use plan::{
    Cell, Limits, Plan, PlannedRole, PlannedUser, QueueSettings, RunSettings, ServeSettings, Watching, without_key,
};
pub use record::{
    CellRecord, ModelRecord, NamedRecord, ParentRecord, PersonaRecord, Record, RoleRecord, UserRecord, WebSeat,
};
pub use recorded::SettingsRecord;
pub use resolve::{Resolved, load};
pub use schema::{config_schema, parameter_schema};
pub use search::FileRecord;
pub(crate) use secrets::hide;
pub use settings::settings_tables;
pub use table::{Figure, PaperTable, Published, TableColumn, TableOrder, TableRow, Take};
