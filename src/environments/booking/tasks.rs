//! The tasks of booking: conversations of the official data, or of the built-in city.

use super::goal::Dialogue;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use serde_json::json;

use super::city::{BUILTIN, City};
use super::desk::{Profile, Vacancy};
use super::environment::{BookingEnvironment, Rules};
use super::generate;
use super::tools;
use rolecall_core::domain::{PublicTask, Task};
use rolecall_core::ports::model::ToolSpec;
use rolecall_core::ports::settings::parameters;
use rolecall_core::ports::{
    Environment, EnvironmentError, EnvironmentSetup, OpenTask, Parameter, Progress, SetupError, TaskSource,
};

/// The name in `environment.name`.
pub(super) const NAME: &str = "booking";

/// The environments that its entries are for.
pub(super) const NAMES: &[&str] = &[NAME];

/// The parameters of the environment.
pub const PARAMETERS: &[Parameter] = parameters![
    path("data", Some(BUILTIN), &[BUILTIN]),
        "a folder of MultiWOZ: databases (`db/hotel.json` or `hotel_db.json`), goals and conversations \
            (`data.json`, or `goals_test.json` with `reference_test.json`); or `builtin`: a generated city";
    choice("split", &["respact-100", "test", "dev", "all"]),
        "the 100 test conversations of ReSpAct, all of the test or development set, or all that there are; of \
            the built-in city always all";
    choice("profile", &["strict", "reference", "autotod"]),
        "how calls are answered: with values and bookings checked, as ReSpAct's program does (byte for byte, with \
            its errors), or as AutoTOD's does (queries are SQL)";
    number("taken", 0.0, 0.0..=1.0),
        "profile `strict`: the share of tables and rooms that are taken at a time";
];

/// Finds the conversations, once per run.
pub fn build(setup: &EnvironmentSetup) -> Result<Arc<dyn TaskSource>, SetupError> {
    let parameters = &setup.parameters;
    let data = parameters.path("data").unwrap_or(Path::new(BUILTIN));
    let rules = Rules {
        profile: parameters.choice("profile"),
        vacancy: Vacancy { taken: parameters.number("taken").unwrap_or(0.0) },
    };
    let mut tasks = BookingTasks { city: OnceLock::new(), len: generate::CONVERSATIONS, rules };
    if data != Path::new(BUILTIN) {
        let city = City::load(data, parameters.text("split").unwrap_or("all"))
            .map_err(|error| SetupError::at("data", error))?;
        if city.dialogues.is_empty() {
            return Err(SetupError::at("split", "has no conversation of this split; take another one, or `all`"));
        }
        (tasks.len, tasks.city) = (city.dialogues.len(), OnceLock::from(city));
    }
    if rules.profile == Profile::AutoTod {
        tasks.city().tables().map_err(|problem| SetupError::at("profile", problem))?;
    }
    Ok(Arc::new(tasks))
}

/// The conversations of a run as tasks.
struct BookingTasks {
    /// The city. The built-in one is made when it is first needed.
    city: OnceLock<Arc<City>>,
    /// Number of conversations.
    len: usize,
    rules: Rules,
}

impl BookingTasks {
    fn city(&self) -> &Arc<City> {
        self.city.get_or_init(City::builtin)
    }

    fn dialogue(&self, index: usize) -> Result<&Dialogue, EnvironmentError> {
        self.city().dialogues.get(index).ok_or_else(|| {
            let all = self.len;
            EnvironmentError::Data(format!("there is no conversation {index}: there are {all}"))
        })
    }
}

impl TaskSource for BookingTasks {
    fn len(&self) -> usize {
        self.len
    }

    fn digest(&self, tasks: &[usize]) -> Result<Option<String>, EnvironmentError> {
        // The built-in city has no digest, and is not made for one.
        let city = self.city.get().filter(|city| !city.digest.is_empty());
        let Some(city) = city else {
            return Ok(None);
        };
        let mut hasher = blake3::Hasher::new();
        hasher.update(city.digest.as_bytes());
        for index in tasks {
            hasher.update(self.dialogue(*index)?.id.as_bytes());
        }
        Ok(Some(hasher.finalize().to_hex().to_string()))
    }

    fn tools(&self) -> Vec<ToolSpec> {
        tools::tools(self.rules.profile)
    }

    fn hears(&self) -> bool {
        true
    }

    fn rounds_remedy(&self) -> Option<&'static str> {
        Some("leave it out")
    }

    fn strategy_remedy(&self, strategy: &str) -> Option<&'static str> {
        let is_silent = matches!(strategy, "react" | "react-im");
        is_silent.then_some("play `booking` with the card `react-booking/executor`: this one never answers the user")
    }

    fn prepare(&self, progress: &dyn Progress) -> Result<(), EnvironmentError> {
        self.city().remarks().iter().for_each(|remark| progress.remark(remark));
        Ok(())
    }

    fn open(&self, index: usize) -> Result<OpenTask, EnvironmentError> {
        let dialogue = self.dialogue(index)?;
        let kind = match dialogue.goal.domains.len() {
            0 | 1 => "1 domain",
            2 => "2 domains",
            _ => "3 domains",
        };
        let public = PublicTask {
            data: json!({ "profile": self.rules.profile.as_str() }),
            ..PublicTask::new(&*dialogue.id, kind, &*dialogue.first)
        };
        let task = Task { public: Arc::new(public), private: vec![dialogue.private_info()] };
        let (city, rules) = (Arc::clone(self.city()), self.rules);
        let dialogue = Arc::new(dialogue.clone());
        let environment = Arc::new(move || -> Box<dyn Environment> {
            let (city, dialogue) = (Arc::clone(&city), Arc::clone(&dialogue));
            Box::new(BookingEnvironment::new(city, dialogue, rules))
        });
        Ok(OpenTask { task, environment })
    }
}
