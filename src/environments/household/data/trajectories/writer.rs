//! Writes an episode of the expert down: the running text as prompts show it, the records made of it,
//! and what the agent remembers.

use anyhow::Context;
use serde::Serialize;

use crate::memory::{Query, Sightings};
use crate::words::HouseholdWords;
use rolecall_core::domain::{
    Action, Begun, Brief, Event, Message, Move, Observation, RoleName, Seat, Seed, Transcript, Utterance, Visibility,
};
use rolecall_core::ports::Recall;
use rolecall_core::prompts::{LineNotation, Scene, Script, Speech, Style};

/// The answer to a thought.
const NOTICE: &str = "OK.";

/// How ABA's agent reads what happens.
const NOTATION: LineNotation = LineNotation { style: Style::Papers, speech: Speech::Ask };

/// The kind of an output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum OutputKind {
    /// A thought.
    Think,
    /// A question to the owner.
    Ask,
    /// A command.
    Act,
    /// A question to oneself, or its answer.
    Recall,
}

impl OutputKind {
    /// Every kind with its word in the records.
    pub(super) const ALL: [(Self, &'static str); 4] =
        [(Self::Think, "think"), (Self::Ask, "ask"), (Self::Act, "act"), (Self::Recall, "recall")];
}

/// Where an output comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Origin {
    /// The expert's policy.
    Expert,
    /// A command drawn at random.
    Noise,
    /// A question to oneself that the episode did not need.
    Query,
}

/// One row for training: what the model reads, and what it is to write.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Record<'a> {
    /// The fields that the rows of the episode share.
    #[serde(flatten)]
    heading: Heading<'a>,
    /// Number of the move within the episode, from 0.
    pub(super) step: usize,
    /// The kind of the output.
    pub(super) kind: OutputKind,
    /// The running text; a blank stands between it and the output.
    pub(super) context: String,
    /// The output that the model is to write.
    pub(super) output: String,
    /// 1 if the output counts in training, 0 if it is masked (equation 5).
    pub(super) train: u8,
    /// Where the output comes from.
    pub(super) source: Origin,
}

/// The fields that all records of an episode share.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct Heading<'a> {
    /// Number of the episode, from 0.
    pub(super) episode: usize,
    /// The task's id.
    pub(super) task: &'a str,
    /// The variant of the environment.
    pub(super) setting: &'static str,
}

/// The writer of one episode.
pub(super) struct TrajectoryWriter<'a> {
    heading: Heading<'a>,
    /// The text a model reads: the first observation, and the text after it.
    scene: Scene,
    script: Script,
    /// The rows.
    pub(super) records: Vec<Record<'a>>,
    /// Number of moves made.
    pub(super) moves: usize,
    /// The transcript as the agent of the episode sees it.
    seen: Transcript,
    events: u32,
    rounds: u32,
    agent: Seat,
    /// The agent's memory.
    pub(super) memory: Sightings,
}

impl<'a> TrajectoryWriter<'a> {
    /// Nothing is written yet.
    pub(super) fn new(heading: Heading<'a>) -> anyhow::Result<Self> {
        let agent = RoleName::new("executor").context("the name of the role is valid")?;
        Ok(Self {
            heading,
            scene: Scene::default(),
            script: Script::new(NOTATION),
            records: Vec::new(),
            moves: 0,
            seen: Transcript::new(Visibility::default()),
            events: 0,
            rounds: 0,
            agent: Seat::Role(agent),
            memory: Sightings::default(),
        })
    }

    /// A task begins, the first one or the next in the same room, and the world shows it.
    pub(super) fn begins(&mut self, text: &str) -> anyhow::Result<()> {
        self.happens(Message::Begun(Begun {
            trial: 0,
            round: self.rounds,
            keep_world: self.rounds > 0,
            seed: Seed(0),
        }))?;
        self.rounds += 1;
        self.happens(Message::Observed(Observation::text(text)))
    }

    /// A thought.
    pub(super) fn think(&mut self, thought: &str) -> anyhow::Result<()> {
        let output = format!("think: {thought}");
        self.moved(OutputKind::Think, output, Origin::Expert);
        self.thought(thought)
    }

    fn thought(&mut self, thought: &str) -> anyhow::Result<()> {
        self.happens(Message::Moved(Move::think(thought)))?;
        self.happens(Message::Brief(Brief { notice: Some(NOTICE.into()), ..Brief::default() }))
    }

    /// A question to the owner, and the answer.
    pub(super) fn ask(&mut self, question: &str, answer: &str) -> anyhow::Result<()> {
        self.moved(OutputKind::Ask, format!("ask: {question}"), Origin::Expert);
        self.happens(Message::Told(Utterance::text(question)))?;
        self.happens(Message::Replied(Utterance::text(answer)))
    }

    /// A command, and what came of it.
    pub(super) fn act(&mut self, command: &str, seen: &str, by: Origin) -> anyhow::Result<()> {
        self.moved(OutputKind::Act, command.to_owned(), by);
        self.happens(Message::Perform(Action::text(command)))?;
        self.happens(Message::Observed(Observation::text(seen)))
    }

    /// A thought that puts a question to oneself: one move, in two rows, as in appendix E: which
    /// object; whether and where it was seen. For each of `others` there is another second row.
    pub(super) fn recall(
        &mut self,
        thought: impl Fn(&str) -> String,
        class: &str,
        others: &[&str],
    ) -> anyhow::Result<()> {
        let asked = |class: &str| {
            let query = Query::written(class, "");
            format!("{} {}", thought(class), query.trim_end())
        };
        let before = self.prompt();
        let question = asked(class);
        let output = format!("think: {question}");
        self.record(OutputKind::Recall, before.clone(), output, Origin::Expert);
        let second = |class: &str| format!("{before} think: {}", asked(class));
        let others = others.iter().map(|other| (*other, Origin::Query));
        for (class, origin) in std::iter::once((class, Origin::Expert)).chain(others) {
            let answer = self.memory.recall(class);
            self.record(OutputKind::Recall, second(class), answer, origin);
        }
        self.moves += 1;
        self.thought(&format!("{question} {}", self.memory.recall(class)))
    }

    fn moved(&mut self, kind: OutputKind, output: String, origin: Origin) {
        self.record(kind, self.prompt(), output, origin);
        self.moves += 1;
    }

    fn record(&mut self, kind: OutputKind, context: String, output: String, source: Origin) {
        self.records.push(Record {
            heading: self.heading,
            step: self.moves,
            kind,
            context,
            output,
            train: u8::from(source != Origin::Noise),
            source,
        });
    }

    /// The text that the model reads before it writes, as the prompts of ABA's agent end.
    fn prompt(&self) -> String {
        match (&self.scene.first_observation, self.script.text()) {
            (first, "") => format!("{first}\n>"),
            (first, rest) => format!("{first}\n{rest}\n>"),
        }
    }

    /// Something happens that the agent sees.
    fn happens(&mut self, message: Message) -> anyhow::Result<()> {
        let (from, to) = match &message {
            Message::Moved(_) => (self.agent.clone(), Seat::Conductor),
            _ => (Seat::Conductor, self.agent.clone()),
        };
        self.seen.append(Event { seq: self.events, cause: None, from, to, message })?;
        self.events += 1;
        let end = self.events as usize;
        let view = self.seen.visible_to(self.agent.clone(), 0, end);
        self.memory.catch_up(&view);
        let scene = &mut self.scene;
        self.script.catch_up(&view, |_, event| scene.fold(event, &HouseholdWords));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recall_is_one_move_in_two_rows_and_answers_from_memory() {
        let mut writer = TrajectoryWriter::new(Heading { episode: 0, task: "t", setting: "multi-round" }).unwrap();
        writer.begins("You see a desk 1.").unwrap();
        writer.act("go to desk 1", "On the desk 1, you see a mug 1.", Origin::Noise).unwrap();
        writer.recall(|class| format!("Where is a {class}?"), "mug", &["pen"]).unwrap();
        writer.think("I take it.").unwrap();
        assert_eq!(writer.moves, 3);
        let records = writer.records;
        let told: Vec<_> = records.iter().map(|row| (row.step, row.train, row.output.as_str())).collect();
        assert_eq!(
            told,
            [
                (0, 0, "go to desk 1"),
                (1, 1, "think: Where is a mug? ### query: mug >"),
                (1, 1, "mug 1 is in desk 1."),
                (1, 1, "I have never seen pen before."),
                (2, 1, "think: I take it."),
            ]
        );
        let first = "You see a desk 1.\n> go to desk 1\nOn the desk 1, you see a mug 1.\n>";
        let asked = "think: Where is a mug? ### query: mug >";
        assert_eq!(records[1].context, first);
        assert_eq!(records[2].context, format!("{first} {asked}"));
        assert_eq!(records[4].context, format!("{first} {asked} mug 1 is in desk 1.\nOK.\n>"));
    }

    #[test]
    fn the_next_task_stands_after_what_solved_the_last_one() {
        let mut writer = TrajectoryWriter::new(Heading { episode: 0, task: "t", setting: "multi-round" }).unwrap();
        writer.begins("You see a desk 1.").unwrap();
        let put = ("move cd 1 to desk 1", "You move the cd 1 to the desk 1.");
        writer.act(put.0, put.1, Origin::Expert).unwrap();
        writer.begins("Your next task is to: put a pen in desk.").unwrap();
        writer.ask("Where is the pen?", "pen 1 is in bed 1.").unwrap();
        writer.think("I go.").unwrap();
        let last = writer.records.pop().unwrap();
        assert_eq!(
            last.context,
            "You see a desk 1.\n> move cd 1 to desk 1\nYou move the cd 1 to the desk 1. Your next task \
             is to: put a pen in desk.\n> ask: Where is the pen?\npen 1 is in bed 1.\n>"
        );
    }
}
