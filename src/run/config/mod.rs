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
mod files;
mod ground_truth;
mod introductions;
mod invocation;
mod keys;
mod layers;
mod matrix;
mod merge;
mod merged;
mod mixture;
mod models;
mod node;
mod origin;
mod overrides;
mod parameters;
mod persona;
mod plan;
mod queue;
mod record;
mod recorded;
mod resolve;
mod role_list;
mod schema;
mod search;
mod seats;
mod secrets;
mod settings;
mod table;
mod tasks;
mod used_models;
mod user_context;
mod walk;

pub use changes::{Change, changes};
pub use error::{ConfigError, ConfigErrors, did_you_mean, listed};
pub use files::FileRecord;
pub use introductions::Absent;
pub use invocation::{Invocation, InvocationError};
pub use layers::Request;
pub use merged::merged_record;
pub use models::ModelRecord;
pub use overrides::Flag;
pub use plan::{Cell, Limits, Plan, PlannedRole, PlannedUser, RunSettings, ServeSettings, Watching, without_key};
pub use queue::QueueSettings;
pub use record::{CellRecord, NamedRecord, ParentRecord, PersonaRecord, Record, RoleRecord, UserRecord, WebSeat};
pub use recorded::SettingsRecord;
pub use resolve::{Resolved, load};
pub use schema::{config_schema, parameter_schema};
pub(crate) use secrets::hide;
pub use settings::settings_tables;
pub use table::{Figure, PaperTable, Published, TableColumn, TableOrder, TableRow, Take};
