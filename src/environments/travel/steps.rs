//! A run of calls, one a step, with its limits, statuses and scratchpad (dynamic execution: ReAct, Reflexion and
//! memory recollection, Ask-before-Plan section 4.1).

use std::collections::BTreeMap;

use super::calls::{Call, Tool, Unread};

/// The action in the scratchpad of a step in which nothing was written.
const NULL_ACTION: &str = "Your action has been filtered due to content restrictions. Please ensure your action does not \
     begin with ['\\n', 'Thought', 'Action', 'Observation']. Ensure that the action is permitted in this environment, \
     and try again.";
/// The observation of such a step.
pub const NULL_OBSERVATION: &str = "No feedback from the environment due to the null action.";
/// The remark in the scratchpad after it.
const NULL_REMEDY: &str = " Please make sure your action does not start with ['\\n', 'Thought', 'Action', \
     'Observation'].";

/// How a step came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    /// The tool gave a result.
    Successful,
    /// No call, or of no tool that there is.
    InvalidType,
    /// The parameters cannot be read.
    InvalidParameters,
    /// The tool refused the call.
    ToolError,
    /// The tool failed.
    OtherError,
    /// Nothing was written.
    Null,
    /// The run was finished.
    Finish,
    /// An action was repeated once too often.
    Repeated,
    /// A tool that failed too often was called again.
    Retried,
}

rolecall_core::names! { Status, as_str:
    Successful => "successful", InvalidType => "invalid action type", InvalidParameters => "invalid params",
    ToolError => "tool error", OtherError => "other error", Null => "null action", Finish => "finish",
    Repeated => "repeated action more than 3 times", Retried => "retried more than 3 times",
}

/// The limits of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The most steps.
    pub steps: u32,
    /// How often the same action may be taken.
    pub repeats: u32,
    /// After how many failures in a row a tool may not be called again; none for a run that counts none.
    pub failures: Option<u32>,
}

impl Limits {
    /// The limits of an executor.
    pub const TOOLS: Self = Self { steps: 30, repeats: 3, failures: Some(3) };
    /// No limits: of who only follows a run.
    pub const NONE: Self = Self { steps: u32::MAX, repeats: u32::MAX, failures: None };
}

impl Default for Limits {
    fn default() -> Self {
        Self::NONE
    }
}

/// A step that was taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The thought before it.
    pub thought: String,
    /// The action.
    pub action: String,
    /// The result.
    pub observation: String,
    /// How it came out.
    pub status: Status,
}

/// A run as it went so far.
#[derive(Clone, Debug, Default)]
pub struct Run {
    limits: Limits,
    /// The texts that were written and shown, part by part, each with its label.
    lines: Vec<String>,
    log: Vec<Step>,
    /// The thought and the action of the step that goes on.
    thought: String,
    action: Option<String>,
    /// How often each action was taken.
    taken: BTreeMap<String, u32>,
    /// Failures since the last success, by tool; all that name none are one.
    failures: BTreeMap<Option<Tool>, u32>,
    over: bool,
}

impl Run {
    /// A run that has not begun.
    pub fn new(limits: Limits) -> Self {
        Self { limits, ..Self::default() }
    }

    /// The steps so far.
    pub fn log(&self) -> &[Step] {
        &self.log
    }

    /// Whether no further step is taken.
    pub fn is_over(&self) -> bool {
        self.over
    }

    /// All that was written and shown, each part with its label and on lines of its own.
    pub fn lines(&self) -> &[String] {
        &self.lines
    }

    /// All lines as one text, which begins with the end of a line.
    pub fn scratchpad(&self) -> String {
        self.lines.iter().map(|line| format!("\n{line}")).collect()
    }

    /// The label of the part that is to be written now.
    pub fn label(&self, part: &str) -> String {
        format!("{part} {}:", self.log.len())
    }

    /// Failures of a tool since the last success; of all that is no tool without one.
    pub fn failed(&self, tool: Option<Tool>) -> u32 {
        self.failures.get(&tool).copied().unwrap_or_default()
    }

    /// A thought. Nothing stands for what was shown last, as in the original program.
    pub fn think(&mut self, text: &str) {
        let last = self.log.last().map(|step| step.observation.clone());
        let text = match text.trim() {
            "" => last.unwrap_or_default(),
            text => text.to_owned(),
        };
        self.write("Thought");
        self.append(&text);
        self.thought = text;
    }

    /// An action: whether it is to be performed. What came of it is told by [`Run::observe`].
    pub fn act(&mut self, text: &str) -> bool {
        let text = text.trim();
        let written = if text.is_empty() { NULL_ACTION } else { text };
        self.write("Action");
        self.append(written);
        self.action = Some(written.to_owned());
        let taken = self.taken.entry(written.to_owned()).or_default();
        *taken += 1;
        if *taken > self.limits.repeats {
            return self.end(Status::Repeated);
        }
        self.write("Observation");
        let tool = tool(text);
        let most = self.limits.failures.unwrap_or(u32::MAX);
        if text.is_empty() || self.limits.failures.is_none() || tool == Some(Tool::Finish) {
            if Call::read(text) == Ok(Call::Finish) {
                return self.end(Status::Finish);
            }
        } else if self.failed(tool) >= most {
            return self.end(Status::Retried);
        }
        true
    }

    /// Takes the result of the action.
    pub fn observe(&mut self, text: &str, status: Status) {
        let Some(action) = self.action.clone() else {
            return;
        };
        match status {
            Status::Successful => self.failures.clear(),
            Status::Null => {}
            _ => *self.failures.entry(tool(&action)).or_default() += 1,
        }
        match status {
            Status::Null => {
                self.append(&format!("{NULL_OBSERVATION}{NULL_REMEDY}"));
                self.keep(NULL_OBSERVATION, status);
            }
            _ => {
                self.append(text);
                self.keep(text, status);
            }
        }
        self.over = self.log.len() >= self.limits.steps as usize;
    }

    /// The calls that gave a result, one a line.
    pub fn calls(&self) -> Vec<&str> {
        let good = |step: &&Step| step.status == Status::Successful;
        self.log.iter().filter(good).map(|step| step.action.as_str()).collect()
    }

    fn end(&mut self, status: Status) -> bool {
        self.keep("", status);
        self.over = true;
        false
    }

    fn keep(&mut self, observation: &str, status: Status) {
        // The original program reads the action from the last line that it has written.
        let action = self.action.take().unwrap_or_default();
        self.log.push(Step {
            thought: std::mem::take(&mut self.thought),
            action: action.lines().last().unwrap_or_default().to_owned(),
            observation: observation.to_owned(),
            status,
        });
    }

    fn write(&mut self, part: &str) {
        self.lines.push(self.label(part));
    }

    /// Adds a text to the last part, with a blank where there is none on either side.
    fn append(&mut self, text: &str) {
        let Some(line) = self.lines.last_mut() else {
            return;
        };
        let before = line.ends_with(char::is_whitespace);
        if !before && !text.is_empty() && !text.starts_with(char::is_whitespace) {
            line.push(' ');
        }
        line.push_str(text);
    }
}

/// The tool that an action names.
fn tool(action: &str) -> Option<Tool> {
    match Call::read(action) {
        Ok(call) => Some(call.tool()),
        Err(Unread::Parameters(tool)) => Some(tool),
        Err(Unread::Name) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A run of these actions, each with how it came out.
    fn run(limits: Limits, steps: &[(&str, Status)]) -> Run {
        let mut run = Run::new(limits);
        for (action, status) in steps {
            assert!(!run.is_over(), "{action}");
            run.think("t");
            if run.act(action) {
                run.observe("o", *status);
            }
        }
        run
    }

    fn last(run: &Run) -> Status {
        run.log().last().unwrap().status
    }

    #[test]
    fn a_scratchpad_has_labels_and_one_blank() {
        let mut run = Run::new(Limits::TOOLS);
        assert_eq!(run.label("Thought"), "Thought 0:");
        run.think(" look ");
        assert!(run.act("AttractionSearch(\"A\")"));
        run.observe("\n  a table", Status::Successful);
        // An empty thought stands for what was shown.
        run.think("");
        assert!(!run.act("Finish()"));
        let expected = "\nThought 0: look\nAction 0: AttractionSearch(\"A\")\nObservation 0:\n  a table\
                        \nThought 1:\n  a table\nAction 1: Finish()\nObservation 1:";
        assert_eq!(run.scratchpad(), expected);
        assert_eq!(run.calls(), ["AttractionSearch(\"A\")"]);
    }

    #[test]
    fn the_same_action_is_not_taken_a_fourth_time() {
        let again = run(Limits::TOOLS, &[("AttractionSearch(\"A\")", Status::Successful); 4]);
        assert_eq!((last(&again), again.is_over()), (Status::Repeated, true));
        assert!(again.scratchpad().ends_with("Action 3: AttractionSearch(\"A\")"));
        let nothing = run(Limits::TOOLS, &[("", Status::Null); 4]);
        assert_eq!(last(&nothing), Status::Repeated);
        assert_eq!(nothing.log()[0].observation, NULL_OBSERVATION);
        assert_eq!(nothing.failed(None), 0);
    }

    #[test]
    fn a_tool_that_failed_three_times_running_ends_the_run() {
        let fails = |city: &'static str| (city, Status::ToolError);
        let three =
            [fails("AttractionSearch(\"X\")"), fails("AttractionSearch(\"Y\")"), fails("AttractionSearch(\"Z\")")];
        let good = ("AttractionSearch(\"A\")", Status::Successful);
        let ended = run(Limits::TOOLS, &[&three[..], &[good]].concat());
        assert_eq!(last(&ended), Status::Retried);
        // A success of any tool forgives, texts that name no tool are counted together, and planners count none.
        let other = ("RestaurantSearch(\"A\", [])", Status::Successful);
        let forgiven = run(Limits::TOOLS, &[&three[..], &[other, good]].concat());
        assert_eq!(last(&forgiven), Status::Successful);
        let unknown = ["a", "b", "c", "d"].map(|text| (text, Status::InvalidType));
        assert_eq!(last(&run(Limits::TOOLS, &unknown)), Status::Retried);
        assert_eq!(last(&run(Limits::NONE, &unknown)), Status::InvalidType);
    }

    #[test]
    fn a_finish_with_parameters_fails_without_end() {
        let finish = ["Finish(1)", "Finish(2)", "Finish(3)", "Finish(4)"];
        let failing = finish.map(|text| (text, Status::InvalidParameters));
        let run = run(Limits::TOOLS, &failing);
        assert_eq!((last(&run), run.is_over()), (Status::InvalidParameters, false));
        assert_eq!(run.failed(Some(Tool::Finish)), 4);
    }

    #[test]
    fn no_step_is_taken_beyond_the_last() {
        let limits = Limits { steps: 2, ..Limits::TOOLS };
        let over = run(limits, &[("a", Status::InvalidType), ("b", Status::InvalidType)]);
        assert!(over.is_over());
    }
}
