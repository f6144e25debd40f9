//! The tasks of travel: conversations of the official form in a country of the official form, or a built-in one.

use std::convert::Infallible;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use serde::Serialize;
use serde_json::to_value;

use super::country::{self, Country};
use super::environment::TravelEnvironment;
use super::request::Conversation;
use super::rows::{self, Rows};
use super::score::Quirks;
use super::truth::{Clarification, DETAILS, TRUTH, Truth};
use super::{DataError, generate, tools};
use rolecall_core::domain::{PrivateInfo, PublicTask, RoleName, Seat, Task};
use rolecall_core::files;
use rolecall_core::ports::model::ToolSpec;
use rolecall_core::ports::settings::parameters;
use rolecall_core::ports::{
    Environment, EnvironmentError, EnvironmentSetup, GroundTruth, OpenTask, Parameter, Progress, SetupError,
    TaskSource, load_shared,
};
use rolecall_core::text::counted;

/// The name in `environment.name`.
pub(super) const NAME: &str = "travel";

/// The environments that its entries are for.
pub(super) const NAMES: &[&str] = &[NAME];

/// The word for the country that needs no data.
pub const BUILTIN: &str = "builtin";

/// The parameters of the environment.
pub const PARAMETERS: &[Parameter] = parameters![
    path("data", Some(BUILTIN), &[BUILTIN]),
        "a folder of TravelPlanner's tables (`database/flights/clean_Flights_2022.csv` and the others, each as it is or \
            `.gz`) or a file made of them by `rolecall data prepare travel`, with conversations in it or beside it; or \
            `builtin`: a generated country";
    path("conversations", None, &[]).optional(),
        "a file of conversations in the form of Ask-before-Plan (CSV or JSON lines, as it is or `.gz`); otherwise the \
            one that is named like the split, in the folder of the data or one below";
    choice("split", &["test", "train"]), "which conversations";
    list("truth", &["executor", "clarifier", "planner"]),
        "the roles that are entrusted with the ground truth of the conversations, as the subtask runs of the paper are";
    flag("reference_quirks", true),
        "plans are judged as the original program does it, with its known faults; otherwise as each constraint is \
            worded";
];

/// Who may be entrusted with the ground truth, by role.
const MAY_HAVE_TRUTH: [GroundTruth; 3] = [
    truth("executor", &["truth", "brute-force"]),
    truth("clarifier", &["truth", "environment-only"]),
    truth("planner", &["greedy"]),
];

const fn truth(role: &'static str, implementations: &'static [&'static str]) -> GroundTruth {
    GroundTruth { role, implementations, remedy: "take the role out of `environment.truth`" }
}

/// The label of the whole conversation, which only metrics and judges see.
pub const REFERENCE: &str = "reference";

/// Finds the conversations, once per run.
pub fn build(setup: &EnvironmentSetup) -> Result<Arc<dyn TaskSource>, SetupError> {
    let parameters = &setup.parameters;
    let folder = parameters.path("data").filter(|data| *data != Path::new(BUILTIN));
    let split = parameters.text("split").unwrap_or("test");
    let rows = match (parameters.path("conversations"), folder) {
        (Some(file), _) => Some(rows(file).map_err(|error| SetupError::at("conversations", error))?),
        (None, Some(folder)) => {
            let rows = find(folder, split).and_then(|file| rows(&file));
            Some(rows.map_err(|error| SetupError::at("data", error))?)
        }
        (None, None) => None,
    };
    let truth = parameters.list("truth");
    let entrusted = MAY_HAVE_TRUTH.into_iter().filter(|seat| truth.iter().any(|role| role == seat.role));
    let len = rows.as_ref().map(|rows| rows.conversations.len());
    Ok(Arc::new(TravelTasks {
        len: len.unwrap_or(generate::CONVERSATIONS),
        rows: rows.map_or_else(OnceLock::new, OnceLock::from),
        split: split.to_owned(),
        folder: folder.map(Path::to_owned),
        country: OnceLock::new(),
        entrusted: entrusted.collect(),
        quirks: match parameters.flag("reference_quirks") {
            true => Quirks::Reference,
            false => Quirks::Worded,
        },
    }))
}

/// The conversations of a file, one copy for all who play them.
fn rows(file: &Path) -> Result<Arc<Rows>, DataError> {
    load_shared(&format!("travel rows {}", files::stamp(file)), || rows::load(file))
}

/// The conversations of the built-in country.
pub(super) fn builtin(split: &str) -> Arc<Rows> {
    load_shared(&format!("travel builtin {split}"), || {
        Ok(Rows { conversations: generate::conversations(split), remarks: Vec::new() })
    })
    .unwrap_or_else(|never: Infallible| match never {})
}

/// The file of a split in a folder, or in one below.
pub(super) fn find(folder: &Path, split: &str) -> Result<PathBuf, DataError> {
    // Beside a country in one file.
    let folder = match folder.is_file() {
        true => folder.parent().unwrap_or(folder),
        false => folder,
    };
    let entries = folder.read_dir().map_err(|error| DataError::io(folder, error))?;
    let mut folders: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    folders.sort();
    folders.insert(0, folder.to_owned());
    let names = ["csv", "csv.gz", "jsonl", "jsonl.gz"].map(|end| format!("{split}.{end}"));
    let mut files = folders.iter().flat_map(|folder| names.each_ref().map(|name| folder.join(name)));
    files.find(|file| file.is_file()).ok_or_else(|| {
        let problem = format!(
            "holds no conversations: neither `{split}.csv` nor `{split}.jsonl`, nor has a folder in it; name a file \
             with `conversations`"
        );
        DataError::data(folder, problem)
    })
}

/// The conversations of a run as tasks.
struct TravelTasks {
    /// The conversations. The built-in ones are made once somebody needs them.
    rows: OnceLock<Arc<Rows>>,
    /// Their number.
    len: usize,
    split: String,
    /// The folder of the tables; none for the built-in country.
    folder: Option<PathBuf>,
    /// The country, once somebody needs it.
    country: OnceLock<Arc<Country>>,
    entrusted: Vec<GroundTruth>,
    quirks: Quirks,
}

impl TravelTasks {
    fn rows(&self) -> &Rows {
        self.rows.get_or_init(|| builtin(&self.split))
    }

    fn conversation(&self, index: usize) -> Result<&Conversation, EnvironmentError> {
        self.rows().conversations.get(index).ok_or_else(|| {
            let all = self.len;
            EnvironmentError::Data(format!("there is no conversation {index}: there are {all}"))
        })
    }

    /// The country, one copy for all who play in it.
    fn country(&self, progress: &dyn Progress) -> Result<Arc<Country>, EnvironmentError> {
        if let Some(country) = self.country.get() {
            return Ok(Arc::clone(country));
        }
        let loaded = match &self.folder {
            None => Ok(generate::builtin()),
            Some(folder) => country::load_shared(folder, progress),
        };
        let loaded = loaded.map_err(|error| EnvironmentError::Data(error.to_string()))?;
        Ok(Arc::clone(self.country.get_or_init(|| loaded)))
    }

    /// The parts of a conversation that only some may see.
    fn private(&self, conversation: &Conversation) -> Vec<PrivateInfo> {
        let details = conversation.details.iter().map(Clarification::from);
        let details: Vec<Clarification> = details.collect();
        let mut parts = vec![part(Seat::User, DETAILS, details), part(Seat::Conductor, REFERENCE, conversation)];
        let roles = self.entrusted.iter().flat_map(|seat| RoleName::new(seat.role));
        parts.extend(roles.map(|role| part(Seat::Role(role), TRUTH, Truth::of(conversation))));
        parts
    }
}

fn part(audience: Seat, label: &str, value: impl Serialize) -> PrivateInfo {
    PrivateInfo { audience, label: label.to_owned(), value: Arc::new(to_value(value).unwrap_or_default()) }
}

impl TaskSource for TravelTasks {
    fn len(&self) -> usize {
        self.len
    }

    fn digest(&self, tasks: &[usize]) -> Result<Option<String>, EnvironmentError> {
        if self.folder.is_none() {
            return Ok(None);
        }
        let mut hasher = blake3::Hasher::new();
        hasher.update(self.country(&())?.digest().as_bytes());
        for index in tasks {
            let conversation = to_value(self.conversation(*index)?);
            hasher.update(conversation.unwrap_or_default().to_string().as_bytes());
        }
        Ok(Some(hasher.finalize().to_hex().to_string()))
    }

    fn tools(&self) -> Vec<ToolSpec> {
        tools::specs()
    }

    fn hears(&self) -> bool {
        true
    }

    fn ground_truth(&self) -> Vec<GroundTruth> {
        self.entrusted.clone()
    }

    fn rounds_remedy(&self) -> Option<&'static str> {
        Some("leave it out")
    }

    fn prepare(&self, progress: &dyn Progress) -> Result<(), EnvironmentError> {
        self.rows().remarks.iter().for_each(|remark| progress.remark(remark));
        self.country(progress).map(|_| ())
    }

    fn open(&self, index: usize) -> Result<OpenTask, EnvironmentError> {
        let conversation = self.conversation(index)?;
        let last = conversation.state(conversation.details.len());
        let days = counted(last.days.unwrap_or_default() as u64, "day", "days");
        let details = counted(conversation.details.len() as u64, "detail", "details");
        let Conversation { id, level, query, .. } = conversation;
        let public = PublicTask::new(&**id, &**level, &**query).within("days", days).within("details", details);
        let task = Task { public: Arc::new(public), private: self.private(conversation) };
        let conversation = Arc::new(conversation.clone());
        let world = TravelEnvironment::new(self.country(&())?, conversation, self.quirks);
        let environment = Arc::new(move || -> Box<dyn Environment> { Box::new(world.clone()) });
        Ok(OpenTask { task, environment })
    }
}
