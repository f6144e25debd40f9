//! Asks the model once, for one answer or for several, and reads what comes back.

use std::collections::HashSet;
use std::sync::Arc;

use super::choose::{Candidate, Rule, pick};
use super::schema::Form;
use super::shared::Shared;
use super::structure::Structure;
use crate::domain::{Answer, Brief, Choice, Finish, Message, Move, Repair};
use crate::ports::model::{Completion, Prompt};
use crate::ports::{Asked, Format, ModelError, ModelRequest, RoleError, Turn, Unreadable};
use crate::prompts::{Scene, Script};
use crate::roles::reader::{self, Commands, Reading, Toolbox};
use crate::text::{joined, joined_by, unique};

/// One turn's question.
pub(super) struct Asking<'a> {
    pub(super) turn: &'a Turn,
    pub(super) brief: &'a Brief,
    /// The answer format, if it is not moves with labels.
    pub(super) format: Option<&'static dyn Format>,
    pub(super) scene: &'a Scene,
    pub(super) script: &'a Script,
    pub(super) commands: &'a Commands,
    /// The structure of the answer, where it is no running text.
    pub(super) structure: Option<Arc<Structure>>,
}

impl<'a> Asking<'a> {
    /// The task as the format sees it.
    pub(super) fn asked(&self, natural: bool) -> Asked<'a> {
        Asked { task: self.scene.task.as_deref(), acts: &self.brief.acts, natural }
    }
}

/// An answer that cannot be read: its text and the reason.
pub(super) type Unread = (String, Unreadable);

impl Shared {
    /// The answer format that a brief names.
    ///
    /// # Errors
    /// When nobody has registered it.
    pub(super) fn format_of(&self, brief: &Brief) -> Result<Option<&'static dyn Format>, RoleError> {
        let Some(notation) = brief.notation else {
            return Ok(None);
        };
        let formats = &self.world.formats;
        let found = formats.iter().copied().find(|format| format.name() == notation.as_str());
        found.map(Some).ok_or_else(|| {
            let names = joined(formats.iter().map(|format| format.name()));
            let problem = format!(
                "the brief wants an answer in the format `{notation}`, which is none of those that \
                 are registered: {names}"
            );
            RoleError::Failed(problem)
        })
    }

    pub(super) fn reading<'a>(&self, asking: &Asking<'a>) -> Reading<'a> {
        let open = asking.brief.open;
        Reading {
            open: asking.format.map_or(open, |format| format.offered(open)),
            commands: asking.commands,
            bare_commands: self.prompter.notation().style == crate::prompts::Style::Papers,
            acts: &asking.brief.acts,
            natural: self.natural,
        }
    }

    /// Draws answers: at most `count`.
    pub(super) async fn draw(
        &self,
        asking: &Asking<'_>,
        prompt: Prompt,
        count: u32,
        logprobs: bool,
    ) -> Result<Vec<Choice>, ModelError> {
        let mut completion = self.prompter.completion(prompt);
        completion.format = self.reply_format(asking)?;
        if self.form_of(asking.brief) != Form::Text {
            // The card limits a line of text. JSON has lines and marks of its own, and its schema says how
            // long it can be; a limit of the model's own settings holds in its place.
            completion.stop.clear();
            completion.max_tokens = self.answer_tokens(asking.brief, asking.structure.as_deref());
        } else if self.natural && self.model.profile().chat {
            // A line break ends a fence, a greeting or a thought before anything was said: the reader takes what is
            // wanted and leaves out what follows.
            completion.stop.clear();
        } else if let Some(format) = asking.format {
            let stops = format.stops().iter().copied();
            completion.stop.extend(stops.map(str::to_owned));
        }
        completion.logprobs = logprobs;
        self.choices(asking.turn, completion, count).await
    }

    /// Reads answers and takes one by the rule: its place and what it says; if none can be read, the
    /// first with what is wrong.
    pub(super) fn settle(
        &self,
        asking: &Asking<'_>,
        rule: Rule,
        choices: Vec<Choice>,
    ) -> Result<Result<(usize, Answer), Unread>, ModelError> {
        let as_written = asking.brief.calls_as_written;
        if as_written && rule == Rule::NewOrLast {
            // A call that does not fit is taken if there is nothing else.
            let settled = self.settle_by(asking, rule, choices.clone(), false)?;
            if settled.is_ok() {
                return Ok(settled);
            }
        }
        self.settle_by(asking, rule, choices, as_written)
    }

    fn settle_by(
        &self,
        asking: &Asking<'_>,
        rule: Rule,
        choices: Vec<Choice>,
        as_written: bool,
    ) -> Result<Result<(usize, Answer), Unread>, ModelError> {
        let reading = self.reading(asking);
        let mut places = Vec::new();
        let mut read = Vec::new();
        let mut unread = None;
        for (place, choice) in choices.into_iter().enumerate() {
            let answer = match asking.format {
                Some(format) => self.read_format(&choice, &reading, format, asking),
                None => self.read(&choice, &reading, asking.brief, as_written),
            };
            // Responses in a format may repeat what was looked up.
            let may_echo = self.natural && asking.format.is_none();
            let is_echo = |answer: &Answer| may_echo && echoes(answer, asking);
            match answer.and_then(|answer| if is_echo(&answer) { Err(Unreadable::Echo) } else { Ok(answer) }) {
                Ok(answer) => {
                    places.push(place);
                    let called = self.form_of(asking.brief) != Form::Tools || !choice.tool_calls.is_empty();
                    let repeats = rule.puts_back(asking.script, &answer.moves, called);
                    read.push(candidate(choice, answer, repeats));
                }
                Err(problem) => {
                    let cut = || cut(&choice, &problem).filter(|_| self.natural);
                    let problem = self.unasked_call(&choice).or_else(cut).unwrap_or(problem);
                    unread = unread.or_else(|| Some((self.written(&choice), problem)));
                }
            }
        }
        let best = pick(rule, &read);
        let best = best.and_then(|best| Some((*places.get(best)?, read.into_iter().nth(best)?)));
        match (best, unread) {
            (Some((place, best)), _) => Ok(Ok((place, best.answer))),
            (None, Some(problem)) => Ok(Err(problem)),
            (None, None) => Err(ModelError::Malformed("a reply without a choice".to_owned())),
        }
    }

    /// Whether the role's own replies stand in its prompts.
    pub(super) fn keeps_replies(&self) -> bool {
        self.prompter.shows_replies() && self.model.profile().chat
    }

    /// The number of calls that draw so many answers.
    pub(super) fn calls_for(&self, count: u32) -> usize {
        let at_once = count == 1 || self.model.profile().capabilities.several;
        if at_once { 1 } else { count as usize }
    }

    async fn choices(&self, turn: &Turn, completion: Completion, count: u32) -> Result<Vec<Choice>, ModelError> {
        let model = &*self.model;
        let kept = self.keeps_replies();
        let calls = self.calls_for(count);
        let replies = if calls == 1 {
            let n = (count > 1).then_some(count);
            let request = ModelRequest::Complete(Completion { n, ..completion });
            vec![if kept { turn.remember(model, request).await? } else { turn.complete(model, request).await? }]
        } else {
            let requests = vec![ModelRequest::Complete(completion); calls];
            turn.ask_all(model, requests, kept).await?
        };
        let choices = replies.into_iter().flat_map(|reply| reply.choices);
        Ok(choices.collect())
    }

    /// The calls of tools in an answer where none are offered.
    fn unasked_call(&self, choice: &Choice) -> Option<Unreadable> {
        let unasked = self.form != Form::Tools && !choice.tool_calls.is_empty();
        unasked.then(|| {
            let names = choice.tool_calls.iter().map(|call| format!("`{}`", reader::shown(&call.name)));
            Unreadable::UnaskedCall(joined(unique(names)))
        })
    }

    /// The answer as it is shown again to whoever wrote it.
    fn written(&self, choice: &Choice) -> String {
        if !choice.text.is_empty() || self.world.tools.is_empty() {
            return choice.text.clone();
        }
        let calls = choice.tool_calls.iter().map(|call| format!("{} {}", call.name, call.arguments));
        joined_by("\n", calls)
    }

    /// Reads an answer in an answer format. A text that was cut at the limit of tokens is what was written up
    /// to there.
    fn read_format(
        &self,
        choice: &Choice,
        reading: &Reading<'_>,
        format: &dyn Format,
        asking: &Asking<'_>,
    ) -> Result<Answer, Unreadable> {
        let asked = &asking.asked(self.natural);
        let form = self.form_of(asking.brief);
        let text = form == Form::Text;
        let no_call = form == Form::Tools && choice.tool_calls.is_empty();
        let brief = asking.brief;
        let toolbox = Toolbox { world: &self.world, as_written: brief.calls_as_written };
        let mut answer = if !text && !no_call {
            let read = self.read(choice, reading, brief, brief.calls_as_written)?;
            reader::of_moves(format, read, asked)?
        } else if self.natural {
            reader::read_natural_format(format, &choice.text, asked, reading, toolbox)?
        } else {
            reader::read_format(format, &choice.text, asked)?
        };
        let mut mended = |code, mend| answer.repaired.push(Repair::new(code, mend));
        if no_call {
            mended("no_tool_call", "no tool was called, so the text was read");
        }
        if (text || no_call) && choice.finish == Finish::Length {
            let mend = "the text was cut at the limit of tokens and read up to there";
            mended("cut_at_limit", mend);
        }
        Ok(answer)
    }

    fn read(
        &self,
        choice: &Choice,
        reading: &Reading<'_>,
        brief: &Brief,
        as_written: bool,
    ) -> Result<Answer, Unreadable> {
        let cut = choice.finish == Finish::Length;
        let toolbox = Toolbox { world: &self.world, as_written };
        match self.form_of(brief) {
            Form::Json if self.natural => reader::read_natural_json(&choice.text, cut, reading, toolbox),
            Form::Json => reader::read_json(&choice.text, cut, reading),
            Form::Tools => reader::read_tools(&choice.tool_calls, &choice.text, reading, toolbox),
            Form::Text => {
                let answer = match self.natural {
                    true => reader::read_natural(&choice.text, reading, toolbox)?,
                    false => reader::read(&choice.text, reading)?,
                };
                if cut {
                    return without_cut_end(answer, reading.commands, &choice.text);
                }
                Ok(answer)
            }
        }
    }
}

/// Whether an answer thinks hardly anything but what was shown: observations, and notes on answers before.
fn echoes(answer: &Answer, asking: &Asking<'_>) -> bool {
    /// Words in a row that are the same by no chance.
    const ROW: usize = 5;
    /// Of so many rows, this share has to be the same.
    const FEWEST: usize = 4;
    const SHARE: f64 = 0.6;
    let said = |made: &Move| match made {
        Move::Think { text } => Some(words(text)),
        _ => None,
    };
    let Some(said) = answer.moves.iter().map(said).collect::<Option<Vec<_>>>() else { return false };
    let said = said.concat();
    if said.len() < ROW + FEWEST {
        return false;
    }
    let seen = asking.turn.view.all().filter_map(|event| match &event.message {
        Message::Observed(seen) => Some(&*seen.text),
        _ => None,
    });
    let first: &str = &asking.scene.first_observation;
    let shown: Vec<Vec<String>> =
        seen.last().into_iter().chain([first]).chain(asking.brief.notice.as_deref()).map(words).collect();
    let rows: HashSet<&[String]> = shown.iter().flat_map(|words| words.windows(ROW)).collect();
    let same = said.windows(ROW).filter(|row| rows.contains(row)).count();
    same as f64 >= SHARE * (said.len() + 1 - ROW) as f64
}

/// Words alone, in small letters.
fn words(text: &str) -> Vec<String> {
    let words = text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect()
}

/// The limit of tokens as the reason why nothing was read.
fn cut(choice: &Choice, problem: &Unreadable) -> Option<Unreadable> {
    let nothing = matches!(problem, Unreadable::Empty | Unreadable::NoMove(_) | Unreadable::Command { .. });
    let is_cut = choice.finish == Finish::Length && nothing;
    is_cut.then(|| Unreadable::Cut { thinking: choice.text.trim().is_empty() && !choice.thinking.is_empty() })
}

fn candidate(choice: Choice, answer: Answer, repeats: bool) -> Candidate {
    let logprob = (!choice.tokens.is_empty()).then(|| {
        let sum = choice.tokens.iter().map(|token| token.logprob).sum();
        (sum, u32::try_from(choice.tokens.len()).unwrap_or(u32::MAX))
    });
    Candidate { answer, text: choice.text, logprob, repeats }
}

/// Takes off the last move of a text that was cut at the limit of tokens if it is half a command.
fn without_cut_end(mut answer: Answer, commands: &Commands, written: &str) -> Result<Answer, Unreadable> {
    // Then the end of the text was left out anyhow.
    let ends = |mend: &Repair| mend.code == "trailing_text" || mend.code == "continuation";
    let whole = match answer.moves.last() {
        Some(Move::Act { action }) => {
            let known = commands.has(&action.text) && !commands.may_go_on(&action.text, written);
            known || answer.repaired.iter().any(ends)
        }
        Some(Move::Plan { .. }) => false,
        _ => true,
    };
    if whole {
        return Ok(answer);
    }
    let last = answer.moves.pop();
    if answer.moves.is_empty() {
        let kind = last.map_or("act", |made| made.kind().as_str());
        let problem = "was cut at the limit of tokens (`max_tokens`)".to_owned();
        return Err(Unreadable::Incomplete { kind, problem });
    }
    let mend = "the last move was cut at the limit of tokens and left out";
    answer.repaired.push(Repair::new("cut_at_limit", mend));
    Ok(answer)
}
