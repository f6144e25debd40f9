//! Sheet for a person in a seat: all that the seat may see, and nothing else. A function of the turn.

use serde::Serialize;
use serde_json::Value;

use crate::domain::{Brief, DialogueAct, Event, Message, Move, MoveKind, Notation, Seat};
use crate::ports::{Turn, World};
use crate::prompts::{Forms, LineNotation, Speech, Style};
use crate::roles::reader::USUAL;

/// Sheet that a person is shown in one turn. All texts are as they were written, not yet escaped.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Sheet {
    /// The task; empty if it was shown before, or if the conversation or the world says it.
    pub task: String,
    /// The conversation that the task comes with, as far as it is shown: who, and the words.
    pub conversation: Vec<Line>,
    /// Knowledge of this seat alone: names, each with its text.
    pub private: Vec<Line>,
    /// New events, oldest first.
    pub news: Vec<Line>,
    /// The words that the user is to answer; none for a role.
    pub question: Option<String>,
    /// The named texts of the brief: lessons, knowledge, another's thought.
    pub sections: Vec<Line>,
    /// A word about the last move: why it could not be used, for instance.
    pub notice: Option<String>,
    /// The kinds of moves that are open, the most usual first; none for the user, who speaks.
    pub open: Vec<&'static str>,
    /// The dialogue acts of which everything that is spoken declares one.
    pub acts: Vec<String>,
    /// Steps that are left in this trial, this one included.
    pub steps_left: Option<u32>,
    /// Questions that are left in this episode.
    pub questions_left: Option<u32>,
    /// The answer format in which models answer; people need not.
    pub notation: Option<String>,
    /// The forms of commands, each with what it does.
    pub forms: Vec<Line>,
    /// The commands that are possible now, where the world says them.
    pub admissible: Vec<String>,
}

/// A line of a sheet: who or what, and the text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Line {
    /// Who speaks, or what it is: `environment`, `user`, `you`, a role, a name.
    pub from: String,
    /// The text.
    pub text: String,
}

impl Line {
    fn new(from: impl Into<String>, text: impl Into<String>) -> Self {
        let (from, text) = (from.into(), text.into());
        Self { from, text }
    }
}

/// The words for moves of others.
const NOTATION: LineNotation = LineNotation { style: Style::Labels, speech: Speech::Speak };

impl Sheet {
    /// The sheet of a turn: with everything from the beginning of the episode, or with what is new since the
    /// seat's last turn.
    pub fn of(turn: &Turn, world: &World, whole: bool) -> Self {
        let mut sheet = Self::default();
        if whole {
            sheet.begin(turn, world);
        }
        let since = if whole { 0 } else { turn.view.since() };
        let mut done = "";
        for event in turn.view.starting_at(since) {
            sheet.fold(event, &turn.seat, &mut done);
        }
        let said = |line: &Line| !sheet.task.is_empty() && line.text.contains(&sheet.task);
        if sheet.news.iter().any(said) {
            sheet.task.clear();
        }
        match turn.brief().filter(|_| turn.seat != Seat::User) {
            Some(brief) => sheet.brief(brief),
            None => sheet.question(turn),
        }
        let acts = sheet.open.contains(&MoveKind::Act.as_str()) || sheet.open.contains(&MoveKind::Plan.as_str());
        if acts {
            sheet.commands(turn, world);
        }
        sheet
    }

    /// Adds what is shown once: the task, and what the seat alone knows.
    fn begin(&mut self, turn: &Turn, world: &World) {
        if let Some(task) = turn.task() {
            let said = world.words.conversation(task).said.into_iter().map(|(from, text)| Line { from, text });
            self.conversation.extend(said);
            // The request of a dialogue task is the last line of its dialogue.
            if self.conversation.is_empty() {
                self.task.clone_from(&task.text);
            }
        }
        let wanted = match turn.seat {
            Seat::User => world.words.wanted(&turn.view),
            _ => Vec::new(),
        };
        if !wanted.is_empty() {
            let wanted = wanted.into_iter().map(|text| Line::new("", text));
            return self.private.extend(wanted);
        }
        for event in turn.view.all() {
            if let Message::Entrusted(part) = &event.message {
                let text = match &*part.value {
                    Value::String(text) => text.clone(),
                    other => other.to_string(),
                };
                self.private.push(Line::new(&part.label, text));
            }
        }
    }

    /// Adds what an event shows. `done` is the last action that was shown as a move, or the last words.
    fn fold<'a>(&mut self, event: &'a Event, seat: &Seat, done: &mut &'a str) {
        let who = |from: &Seat| if from == seat { "you".to_owned() } else { from.to_string() };
        let (from, text) = match &event.message {
            Message::Begun(begun) if begun.trial > 0 || begun.round > 0 => {
                let (trial, round) = (u64::from(begun.trial) + 1, u64::from(begun.round) + 1);
                ("episode".to_owned(), format!("trial {trial}, round {round}"))
            }
            Message::Moved(made) => {
                *done = match made {
                    Move::Act { action } => &action.text,
                    Move::Speak { text, .. } => text,
                    _ => *done,
                };
                (who(&event.from), NOTATION.line(made))
            }
            // What no move shows: a step of a plan, or what the user sees of the world.
            Message::Perform(action) if action.text != *done => ("action".to_owned(), action.text.clone()),
            Message::Observed(seen) => ("environment".to_owned(), seen.text.clone()),
            Message::Told(said) if *seat == Seat::User => ("agent".to_owned(), said.text.clone()),
            Message::Told(said) if said.text != *done => ("to user".to_owned(), said.text.clone()),
            Message::Replied(said) => (who(&Seat::User), said.text.clone()),
            Message::Scored(scored) => ("score".to_owned(), scored.ending.label()),
            Message::Fault(fault) => ("episode".to_owned(), fault.message.clone()),
            _ => return,
        };
        self.news.push(Line { from, text });
    }

    fn question(&mut self, turn: &Turn) {
        self.question = turn.question().map(|asked| asked.text.clone());
        // It stands last of what was said to the user.
        let last = self.news.iter().rposition(|line| line.from == "agent");
        if let (Some(last), Some(_)) = (last, &self.question) {
            self.news.remove(last);
        }
    }

    fn brief(&mut self, brief: &Brief) {
        let sections = brief.sections.iter().map(|section| Line::new(&section.name, &section.text));
        self.sections = sections.collect();
        self.notice = brief.notice.as_deref().map(str::to_owned);
        let usual = USUAL.into_iter().filter(|kind| brief.open.contains(*kind));
        self.open = usual.map(MoveKind::as_str).collect();
        self.acts = brief.acts.iter().map(|DialogueAct(act)| act.clone()).collect();
        (self.steps_left, self.questions_left) = (brief.steps_left, brief.questions_left);
        self.notation = brief.notation.as_ref().map(Notation::as_str).map(str::to_owned);
    }

    fn commands(&mut self, turn: &Turn, world: &World) {
        let forms = turn.task().map(|task| Forms::of(task, world.words));
        let rows = forms.into_iter().flat_map(|forms| forms.rows);
        self.forms = rows.map(|(from, text)| Line { from, text }).collect();
        let tools = world.tools.iter().map(|tool| {
            let call = format!("{{\"tool\": \"{}\", \"arguments\": {{...}}}}", tool.name);
            Line::new(call, format!("{} {}", tool.description, tool.parameters))
        });
        self.forms.extend(tools);
        let data = turn
            .view
            .all()
            .filter_map(|event| match &event.message {
                Message::Observed(seen) => Some(seen),
                _ => None,
            })
            .last()
            .and_then(|seen| seen.data.as_deref());
        let listed = data.and_then(|data| data.get("admissible")).and_then(Value::as_array).into_iter().flatten();
        self.admissible = listed.filter_map(Value::as_str).map(str::to_owned).collect();
    }
}
