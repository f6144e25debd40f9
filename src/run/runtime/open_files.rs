//! The limit on open files: every call of a model that waits has a connection, and so has every client of a
//! server. Many systems allow a process 1,024 open files unless it asks for more.

use std::collections::BTreeMap;

use crate::config::{Plan, listed};
use rolecall_core::ports::model::ModelSettings;

/// Open files besides connections: the log, the files of data sets, what the program was started with.
const BESIDES: u64 = 64;
/// Open files of each arbiter.
const PER_ARBITER: u64 = 8;

/// The system allows too few open files.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the run needs {needed} open files ({connections} connections to models, {} for the rest), and the \
     system allows {allowed}: allow more (`ulimit -n {needed}`; above the hard limit an administrator \
     must), or lower {}",
    needed - connections,
    remedy(models, *clients)
)]
pub struct OpenFileError {
    /// Files that are open at once.
    pub needed: u64,
    /// The number of them that are connections to models.
    pub connections: u64,
    /// The number of them that are connections of clients, if there are any.
    pub clients: u64,
    /// Files that may be open at once.
    pub allowed: u64,
    /// The models, by name.
    pub models: Vec<String>,
}

/// Names the settings that can be lowered.
fn remedy(models: &[String], clients: u64) -> String {
    if clients > 0 {
        return "`--max-sessions`".to_owned();
    }
    format!("`run.concurrency` or `limits.in_flight` of {}", listed(models.iter().map(String::as_str)))
}

/// Makes sure that the run may open what it needs, raising the limit of this process if the system
/// lets it. Where the limit cannot be told nothing happens.
///
/// # Errors
/// When the limit is too low and cannot be raised.
pub fn prepare(plan: &Plan) -> Result<(), OpenFileError> {
    prepare_for(plan, 0)
}

/// As [`prepare`], for a run in which so many clients take part.
///
/// # Errors
/// As [`prepare`].
pub fn prepare_for(plan: &Plan, clients: u64) -> Result<(), OpenFileError> {
    let rest = BESIDES + PER_ARBITER * plan.run.arbiters as u64 + clients;
    let need = Need::of(plan);
    let needed = need.connections + rest;
    match limit::raise(needed, need.permits + rest) {
        Some(allowed) if allowed < needed && need.connections + clients > 0 => {
            Err(OpenFileError { needed, connections: need.connections, clients, allowed, models: need.models })
        }
        _ => Ok(()),
    }
}

/// The connections that the models of a plan need.
#[derive(Debug, Default, PartialEq, Eq)]
struct Need {
    models: Vec<String>,
    /// Connections, if every live episode makes one call at a time.
    connections: u64,
    /// The most connections, whatever the episodes do.
    permits: u64,
}

impl Need {
    fn of(plan: &Plan) -> Self {
        let used = plan
            .models
            .iter()
            .filter_map(|model| plan.model_settings.iter().find(|settings| settings.profile.name == model.name()));
        Self::of_models(used, plan.run.concurrency as u64)
    }

    /// Models of one server share its connections.
    fn of_models<'a>(models: impl Iterator<Item = &'a ModelSettings>, episodes: u64) -> Self {
        let mut need = Self::default();
        let mut servers = BTreeMap::<_, u64>::new();
        // Scripted models need no connections.
        for settings in models.filter(|settings| settings.script.is_none()) {
            need.models.push(settings.profile.name.clone());
            *servers.entry(server(&settings.base_url)).or_default() += u64::from(settings.limits.in_flight);
        }
        for permits in servers.into_values() {
            need.connections += permits.min(episodes);
            need.permits += permits;
        }
        need
    }
}

/// The part of an address that names the server.
fn server(base_url: &str) -> &str {
    let address = base_url.trim();
    let start = address.find("://").map_or(0, |scheme| scheme + 3);
    let end = address[start..].find('/');
    end.map_or(address, |end| &address[..start + end])
}

#[cfg(unix)]
mod limit {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

    /// Raises the limit to what is wanted, or as far as it may go; not if it is higher already.
    /// Gives the limit as it is afterwards; none if there is none.
    pub(super) fn raise(needed: u64, wanted: u64) -> Option<u64> {
        let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
        let current = current?;
        let best = maximum.map_or(wanted, |most| wanted.min(most)).max(current);
        if current >= needed.max(best) {
            return Some(current);
        }
        // Some systems refuse what they seem to allow; the least may do.
        [best, needed]
            .into_iter()
            .filter(|new| *new > current)
            .any(|new| setrlimit(Resource::Nofile, Rlimit { current: Some(new), maximum }).is_ok());
        getrlimit(Resource::Nofile).current
    }
}

#[cfg(not(unix))]
mod limit {
    pub(super) fn raise(_: u64, _: u64) -> Option<u64> {
        None
    }
}

#[cfg(all(test, unix))]
mod tests {
    use rustix::process::{Resource, Rlimit, getrlimit};

    use super::*;

    #[test]
    fn the_limit_is_raised_as_far_as_it_may_go() {
        let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
        let (Some(current), Some(most)) = (current, maximum) else {
            return;
        };
        assert_eq!(limit::raise(1, 2), Some(current), "enough is left as it is");
        let more = (current + 1).min(most);
        assert_eq!(limit::raise(current, more), Some(more));
        assert_eq!(limit::raise(most + 1, most + 9), Some(most));
    }

    #[test]
    fn models_of_one_server_share_its_connections() {
        let model = |name: &str, base_url: &str, in_flight| {
            let mut settings = ModelSettings::new(name, base_url);
            settings.limits.in_flight = in_flight;
            settings
        };
        let models = [
            model("agent", "http://a:1/v1", 100),
            model("summary", " http://a:1/other/v1", 20),
            model("user", "http://b:1", 70),
        ];
        let need = Need::of_models(models.iter(), 80);
        assert_eq!((need.connections, need.permits), (150, 190));
        assert_eq!(need.models, ["agent", "summary", "user"]);
        let one = Need::of_models(models[..2].iter(), 1_000);
        assert_eq!((one.connections, one.permits), (120, 120));
    }

    #[test]
    fn the_message_says_what_to_do() {
        let error = OpenFileError {
            needed: 10_080,
            connections: 10_000,
            clients: 0,
            allowed: 1_024,
            models: vec!["agent".to_owned(), "summary".to_owned()],
        };
        let expected = "the run needs 10080 open files (10000 connections to models, 80 for the rest), \
            and the system allows 1024: allow more (`ulimit -n 10080`; above the hard limit an \
            administrator must), or lower `run.concurrency` or `limits.in_flight` of `agent`, `summary`";
        assert_eq!(error.to_string(), expected);
        let served = OpenFileError { clients: 9_000, ..error };
        assert!(served.to_string().ends_with("or lower `--max-sessions`"));
    }
}
