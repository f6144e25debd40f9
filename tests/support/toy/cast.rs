//! Plans around other strategies than `respact`, and runs that are written, cut and gone on with.

use std::path::Path;
use std::sync::Arc;

use rolecall::config::{Plan, PlannedRole, PlannedUser};
use rolecall::domain::{EpisodeId, Event, RoleName};
use rolecall::log::{LogWriter, RunFolder, RunLog};
use rolecall::ports::{ParameterValue, Parameters, Turn};
use rolecall::runtime::{Launch, Replay, ResumeState, replay_run};

use super::{Behaviour, Does, ToyTasks};

/// A role of this name, made of a closure.
pub fn role_called(name: &str, behaviour: impl Fn(&Turn) -> Does + Send + Sync + 'static) -> PlannedRole {
    let behaviour: Behaviour = Arc::new(behaviour);
    PlannedRole { role: RoleName::new(name).unwrap(), ..super::role_from(behaviour, false) }
}

/// A plan that plays the tasks with a strategy of the registry, which is told this besides its
/// defaults.
pub fn plan_of(
    strategy: &str,
    told: &[(&'static str, ParameterValue)],
    tasks: ToyTasks,
    roles: Vec<PlannedRole>,
    users: Vec<PlannedUser>,
) -> Plan {
    let known = rolecall::worlds().strategies;
    let entry = known.iter().find(|entry| entry.name == strategy).unwrap();
    let mut all = Parameters::defaults(entry.parameters);
    for (name, value) in told {
        all = all.with(name, value.clone());
    }
    let told = all;
    let names: Vec<RoleName> = roles.iter().map(|role| role.role.clone()).collect();
    let mut plan = super::plan(tasks, super::winner(), super::friend());
    let cell = &mut plan.cells[0];
    cell.strategy_name = entry.name.to_owned();
    cell.strategy = entry.factory(&names, &told, entry.inner(&told, &known)).unwrap();
    (cell.roles, cell.users) = (roles, users);
    plan
}

/// Plays a plan into a folder.
pub fn write(folder: &Path, plan: &Arc<Plan>, resume_state: ResumeState) -> RunLog {
    let writer = LogWriter::create(folder, &plan.record, &plan.run.log).unwrap();
    let mut launch = Launch::new(Arc::clone(plan), &writer, Vec::new());
    launch.resume_state = resume_state;
    launch.run(&mut ()).unwrap();
    writer.close().unwrap();
    RunLog::open(folder).unwrap()
}

/// The one episode of a run.
pub fn only(run: &RunLog) -> (EpisodeId, Vec<Event>) {
    let id = run.ids().next().unwrap().clone();
    let events = run.episode(&id).unwrap().events;
    (id, events)
}

/// Plays a plan of one task, leaves it at every position, goes on with it as `resume` does, and
/// plays it again from its log in every way: it must come to the same each time.
pub fn can_be_interrupted(plan: Plan) -> Vec<Event> {
    let folder = tempfile::tempdir().unwrap();
    let plan = Arc::new(plan);
    let run = write(&folder.path().join("run"), &plan, ResumeState::default());
    let (id, whole) = only(&run);
    for who in [Replay::Models, Replay::Log, Replay::Twice] {
        let replayed = replay_run(&plan, &run, std::slice::from_ref(&id), who, &|_| {});
        assert!(replayed[0].result.is_ok(), "{who:?}: {replayed:?}");
    }
    let lines = std::fs::read_to_string(folder.path().join("run/events.jsonl")).unwrap();
    for kept in 1..whole.len() {
        let cut = folder.path().join(format!("cut-{kept}"));
        std::fs::create_dir(&cut).unwrap();
        let some: String = lines.split_inclusive('\n').take(kept).collect();
        std::fs::write(cut.join("run.toml"), &plan.record).unwrap();
        std::fs::write(cut.join("events.jsonl"), some).unwrap();
        let mut locked = RunFolder::lock(&cut).unwrap();
        locked.repair().unwrap();
        let resume_state = ResumeState::of(&plan, &RunLog::open(&cut).unwrap(), false).unwrap();
        assert_eq!((resume_state.open(), resume_state.closed()), (1, 0), "{kept}");
        let writer = locked.writer(&plan.run.log).unwrap();
        let mut launch = Launch::new(Arc::clone(&plan), &writer, Vec::new());
        launch.resume_state = resume_state;
        launch.run(&mut ()).unwrap();
        writer.close().unwrap();
        let (_, resumed) = only(&RunLog::open(&cut).unwrap());
        let mut pairs = resumed.iter().zip(&whole);
        let differs = pairs.find(|(resumed, whole)| resumed != whole);
        assert_eq!((differs, resumed.len()), (None, whole.len()), "left at {kept}");
    }
    whole
}
