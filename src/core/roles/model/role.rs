//! The role: one turn.

use std::sync::Arc;

use async_trait::async_trait;

use super::ask::{Asking, Unread};
use super::choose::Rule;
use super::replies::Replies;
use super::shared::{Choosing, Shared};
use super::structure::Structure;
use crate::domain::{Answer, Brief, Move, MoveKind, Repair, ToolChoice};
use crate::ports::model::Prompt;
use crate::ports::{ModelError, Recall, Role, RoleError, Turn};
use crate::prompts::{Knowledge, Room, corrected};
use crate::roles::reader::{Commands, unreadable};
use crate::text::template::{TemplateValue, table};

/// The note on a prompt that did not fit.
const LEFT_OUT: &str = "old observations or turns were left out of the prompt, which did not fit the window";

/// A role that a language model plays.
///
/// Its memory is a cache of its view: a role that is made anew asks the same. Every reply of its
/// model is on disk before it is used ([`Turn::complete`]), so its answers follow from the log.
pub struct ModelRole {
    shared: Arc<Shared>,
    knowledge: Knowledge,
    commands: Commands,
    replies: Replies,
}

impl ModelRole {
    pub(super) fn new(shared: Arc<Shared>) -> Self {
        Self { knowledge: shared.prompter.fresh(), commands: Commands::default(), replies: Replies::default(), shared }
    }

    /// Reads the new events of the view.
    fn catch_up(&mut self, turn: &Turn) {
        let Self { shared, knowledge, replies, .. } = self;
        let kept = shared.keeps_replies();
        shared.prompter.catch_up(knowledge, turn, |scene, script, event| {
            kept.then(|| replies.fold(shared, turn, scene, script, event))?
        });
        let scene = &self.knowledge.scene;
        if self.commands.is_empty() {
            let forms = scene.forms.rows.iter().map(|(form, _)| form.as_str());
            self.commands = Commands::new(forms).with_verbs(shared.world.words.verbs());
        }
        self.commands.set_admissible(scene.admissible.clone());
    }

    /// Asks until an answer can be read; each time with what was wrong before.
    async fn answer(&mut self, turn: &Turn, brief: &Brief) -> Result<Answer, RoleError> {
        let shared = Arc::clone(&self.shared);
        let mut corrections: Vec<(String, String)> = Vec::new();
        loop {
            let drawn = self.attempt(turn, brief, &corrections).await?;
            let (text, problem) = match drawn {
                Ok(mut answer) => {
                    if shared.prompter.tells_cuts() && self.knowledge.is_cut {
                        answer.repaired.push(Repair::new(Repair::LEFT_OUT, LEFT_OUT));
                    }
                    if !brief.several {
                        answer.keep(if shared.thinks_first { answer.one_turn(brief.open) } else { 1 });
                    }
                    return Ok(answer);
                }
                Err(unread) => unread,
            };
            if corrections.len() >= shared.retries {
                // An unreadable answer in a format costs the data set's sample, not the episode.
                let problem = problem.with_remedy(shared.model.name());
                let ends = brief.notation.is_some() && brief.open.contains(MoveKind::Finish);
                return if ends { Ok(unreadable(problem)) } else { Err(RoleError::Unusable(problem)) };
            }
            let text = shortened(text);
            let reason = TemplateValue::from(problem.to_string());
            let said = shared
                .correction
                .fill_text(&table([("reason", reason)]))
                .map_err(|error| RoleError::Failed(error.to_string()))?;
            corrections.push((text, said));
            turn.note_unreadable(shared.natural.then(|| problem.code()));
        }
    }

    /// The question of the turn.
    fn asking<'a>(
        &'a self,
        turn: &'a Turn,
        brief: &'a Brief,
        shared: &Shared,
        structure: Option<Arc<Structure>>,
    ) -> Result<Asking<'a>, RoleError> {
        Ok(Asking {
            structure,
            turn,
            brief,
            format: shared.format_of(brief)?,
            scene: &self.knowledge.scene,
            script: &self.knowledge.script,
            commands: &self.commands,
        })
    }

    /// Asks once. A server that finds the prompt too long is asked with half of it, until it fits or nothing more
    /// can be left out.
    async fn attempt(
        &mut self,
        turn: &Turn,
        brief: &Brief,
        corrections: &[(String, String)],
    ) -> Result<Result<Answer, Unread>, RoleError> {
        let shared = Arc::clone(&self.shared);
        let bytes = |(text, said): &(String, String)| text.len() + said.len() + 2;
        let added = corrections.iter().map(bytes).sum();
        let mut room = Room { tokens: None, answer: None, added };
        let structure = shared.structure(&self.asking(turn, brief, &shared, None)?);
        room.answer = shared.answer_tokens(brief, structure.as_deref());
        self.knowledge.answer_format = shared.answer_format(brief, structure.as_deref());
        loop {
            let knowledge = &mut self.knowledge;
            let prompter = &shared.prompter;
            let prompt = prompter.prompt(knowledge, turn, &*shared.model, room);
            let prompt = corrected(prompt.await?, corrections, brief.notation.is_some(), shared.natural);
            let tokens = shared.model.profile().tokens(prompt.bytes());
            let asking = self.asking(turn, brief, &shared, structure.clone())?;
            match shared.choose(&asking, prompt).await {
                // A call that failed is in no log: a turn that is played again meets the gap.
                Err(ModelError::Overflow(_) | ModelError::NotRecorded(_))
                    if shared.prompter.can_cut() && room.tokens.is_none_or(|most| tokens <= most) =>
                {
                    room.tokens = Some(tokens / 2);
                }
                other => return Ok(other?),
            }
        }
    }
}

impl Shared {
    async fn choose(&self, asking: &Asking<'_>, prompt: Prompt) -> Result<Result<Answer, Unread>, ModelError> {
        let (count, rule) = match (self.choosing, self.drawing(asking.brief)) {
            (_, Some(drawing)) => drawing,
            (Choosing::Score(scored), None) => return self.score(asking, prompt, scored).await,
            (choosing, None) => choosing.drawing(),
        };
        let logprobs = matches!(rule, Rule::Likeliest { .. });
        let drawn = self.draw(asking, prompt, count, logprobs).await?;
        if logprobs && drawn.iter().all(|choice| choice.tokens.is_empty()) {
            self.told_of_logprobs.call_once(|| {
                let model = self.model.name();
                tracing::warn!(
                    model,
                    "no log-probabilities come, so the first answer is taken and not the likeliest: \
                     `capabilities.logprobs` promises them"
                );
            });
        }
        let settled = self.settle(asking, rule, drawn)?;
        Ok(settled.map(|(_, answer)| answer))
    }

    /// The number of answers that are drawn, and the rule by which one is taken; none where actions are scored.
    pub(super) fn drawing(&self, brief: &Brief) -> Option<(u32, Rule)> {
        match self.choosing {
            // Only doing, thinking and speaking are chosen; a judgement, a lesson or what has a
            // notation of its own is written.
            Choosing::Score(_) if can_be_scored(brief) => None,
            // What is considered where no tool may be called is one text.
            _ if brief.tool_choice.as_deref() == Some(&ToolChoice::None) => Some((1, Rule::First)),
            choosing => Some(choosing.drawing()),
        }
    }
}

/// Whether there is anything that is chosen by its log-probability.
fn can_be_scored(brief: &Brief) -> bool {
    let mut scored = [MoveKind::Act, MoveKind::Think, MoveKind::Speak].into_iter();
    brief.notation.is_none() && scored.any(|kind| brief.open.contains(kind))
}

/// Has what the role knows answer the questions that it puts to itself in its thoughts, whatever its
/// model answered (ABA appendix E).
fn recall(answer: &mut Answer, memory: &dyn Recall) {
    for made in &mut answer.moves {
        if let Move::Think { text } = made
            && let Some(answered) = memory.answered(text)
        {
            *text = answered;
        }
    }
}

/// The beginning of an answer that could not be read, as it is shown to whoever wrote it.
fn shortened(mut text: String) -> String {
    const MOST_BYTES: usize = 4_000;
    if text.len() > MOST_BYTES {
        text.truncate(text.floor_char_boundary(MOST_BYTES));
        text.push_str("...");
    }
    text
}

#[async_trait]
impl Role for ModelRole {
    async fn take_turn(&mut self, turn: &Turn) -> Result<Answer, RoleError> {
        self.catch_up(turn);
        let brief = turn.brief().ok_or_else(|| RoleError::Failed("the turn holds no brief".to_owned()))?;
        let mut answer = self.answer(turn, brief).await?;
        let memory = self.knowledge.memory.as_deref();
        if let Some(memory) = memory.filter(|_| self.shared.recalls) {
            recall(&mut answer, memory);
        }
        Ok(answer)
    }
}
