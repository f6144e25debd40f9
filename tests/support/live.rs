//! A world that is played by hand, without a strategy and a log.

use std::sync::Arc;

use rolecall::domain::{Action, Begun, Call, Observation, Score, Seed, Utterance};
use rolecall::ports::{
    Environment, EnvironmentSetup, OpenTask, Parameter, ParameterValue, Parameters, SetupError, TaskSource,
};
use serde_json::Value;

/// What finds the tasks of an environment.
pub type Build = fn(&EnvironmentSetup) -> Result<Arc<dyn TaskSource>, SetupError>;

/// The tasks of an environment with these parameters, and the defaults of the others.
pub fn tasks(
    build: Build,
    parameters: &'static [Parameter],
    values: &[(&'static str, ParameterValue)],
) -> Result<Arc<dyn TaskSource>, SetupError> {
    let mut parameters = Parameters::defaults(parameters);
    for (name, value) in values {
        parameters = parameters.with(name, value.clone());
    }
    build(&EnvironmentSetup { parameters, ..EnvironmentSetup::default() })
}

/// Waits for what a world does.
pub fn run<T>(future: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(future)
}

/// A world that is being played.
pub struct Live(pub Box<dyn Environment>);

impl Live {
    /// Begins a task; gives what the world showed first as well.
    pub fn of(task: &OpenTask) -> (Self, Observation) {
        let mut world = (task.environment)();
        let begun = Begun { trial: 0, round: 0, keep_world: false, seed: Seed(3) };
        let first = run(world.begin(&begun)).unwrap();
        (Self(world), first)
    }

    pub fn act(&mut self, action: &Action) -> Observation {
        run(self.0.perform(action)).unwrap()
    }

    pub fn text(&mut self, text: &str) -> Observation {
        self.act(&Action::text(text))
    }

    pub fn call(&mut self, tool: &str, arguments: Value) -> Observation {
        self.act(&call(tool, arguments))
    }

    /// What the world shows of a reply.
    pub fn hear(&mut self, said: &str, reply: Utterance) -> Observation {
        let heard = run(self.0.hear(&Utterance::text(said), &reply)).unwrap();
        heard.unwrap()
    }

    pub fn score(&mut self) -> Score {
        run(self.0.assess()).unwrap()
    }
}

/// A native call of a tool.
pub fn call(tool: &str, arguments: Value) -> Action {
    Action { text: tool.to_owned(), call: Some(Box::new(Call { tool: tool.to_owned(), arguments })) }
}
