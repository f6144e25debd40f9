//! Fills a persona's prompt in for a turn, and makes it fit the model.

use super::cue;
use super::exemplars::Exemplars;
use super::line::LineNotation;
use super::messages::{Filled, TurnOptions};
use super::scene::{KnownForms, Scene};
use super::script::{OwnReply, Script};
use super::summary::{Summarising, Summary, unfilled};
use super::variables::{Cut, Sources, is_known};
use crate::domain::{Brief, Event, Message, MoveKind};
use crate::ports::model::{Completion, ModelProfile, Prompt, Sampling};
use crate::ports::{ModelClient, ModelError, Persona, Recall, SetupError, Turn, World};
use crate::text::template::Template;

/// Parts of the window that [`Context::Fit`] leaves out at a time, and turns.
const STEPS: u64 = 4;
const TURNS: u32 = 4;
/// Tokens that are kept free for an answer whose length nobody limits.
const FREE: u32 = 256;

/// The way to shorten a prompt that does not fit the model's window.
#[derive(Clone, Default)]
pub enum Context {
    /// Nothing: the turn fails.
    #[default]
    All,
    /// The oldest turns are left out.
    Last,
    /// Observations of the oldest turns are left out.
    DropObservations,
    /// A model sums the oldest turns up.
    Summary(Summarising),
    /// Observations of the oldest turns are left out, and then these turns, in steps of a part of the window: between
    /// two steps prompts go on from each other, so that a server's cache holds.
    Fit,
}

/// A persona's prompt with all that is the same in every episode.
pub struct Prompter {
    template: Template,
    exemplars: Exemplars,
    notation: LineNotation,
    sampling: Sampling,
    context: Context,
    /// Turns at the end that are never left out.
    keep: u32,
    /// How turns are shown.
    turns: TurnOptions,
    /// Agents keep the memory that the world offers.
    remembers: bool,
    world: World,
    forms: KnownForms,
}

/// One participant's knowledge of its episode. A cache: it follows from the view.
pub struct Knowledge {
    /// The running text.
    pub script: Script,
    /// The rest.
    pub scene: Scene,
    /// The memory that the world offers, where somebody asks for it.
    pub memory: Option<Box<dyn Recall>>,
    /// The form that the next answer has to have, where it is not running text.
    pub answer_format: Option<String>,
    /// The text in place of the oldest turns.
    summary: Option<Summary>,
    /// The replies that stand for the seat's own moves, in order.
    replies: Vec<OwnReply>,
    /// Something was left out of the last prompt.
    pub is_cut: bool,
}

/// How much of a window a prompt may fill.
#[derive(Clone, Copy, Debug, Default)]
pub struct Room {
    /// The tokens that a prompt should have at most after a server refused a longer one; more if no less can be made.
    pub tokens: Option<u64>,
    /// The most tokens of the answer, where neither the persona nor the model says it.
    pub answer: Option<u32>,
    /// Bytes that will be added to the prompt.
    pub added: usize,
}

/// The part of what is known that a prompt shows.
#[derive(Default)]
struct Shown {
    /// The first turn.
    first: u32,
    /// The first turn with its observations.
    observed: u32,
    /// Entries of the world's variables that are left out, by the names of these.
    left_out: Vec<&'static str>,
}

impl Shown {
    fn leaves_out(&self) -> bool {
        self.first > 0 || self.observed > 0 || !self.left_out.is_empty()
    }
}

impl Prompter {
    /// Compiles the persona's prompt.
    pub fn new(
        persona: &Persona,
        exemplars: Exemplars,
        notation: LineNotation,
        context: Context,
        keep: u32,
        world: &World,
    ) -> Result<Self, SetupError> {
        if persona.prompt.trim().is_empty() {
            let problem = "the persona has no prompt; write `prompt = \"<file>\"` into its card";
            return Err(SetupError::at("persona", problem));
        }
        let file = match persona.prompt_file.as_str() {
            "" => "prompt",
            file => file,
        };
        let template = Template::compile(file, &persona.prompt, |name| is_known(name, world))
            .map_err(|error| SetupError { key: None, problem: format!("the prompt {error}") })?;
        Ok(Self {
            remembers: template.uses("memory"),
            template,
            exemplars,
            notation,
            sampling: persona.sampling.clone(),
            context,
            keep,
            turns: TurnOptions::default(),
            world: world.clone(),
            forms: KnownForms::default(),
        })
    }

    /// Sets how turns are shown.
    #[must_use]
    pub fn with_turns(self, turns: TurnOptions) -> Self {
        Self { turns, ..self }
    }

    /// Whether own moves are shown as the replies that they were read from.
    pub fn shows_replies(&self) -> bool {
        self.turns.raw && self.template.has_turns()
    }

    /// Keeps [`Knowledge::memory`] even if the prompt does not show it.
    pub fn remember(&mut self) {
        self.remembers = true;
    }

    /// How running text is written.
    pub fn notation(&self) -> LineNotation {
        self.notation
    }

    /// Whether a prompt can be made smaller.
    pub fn can_cut(&self) -> bool {
        !matches!(self.context, Context::All)
    }

    /// Whether the log is to say where something was left out.
    pub fn tells_cuts(&self) -> bool {
        matches!(self.context, Context::Fit)
    }

    /// Knowledge of an episode that has not begun.
    pub fn fresh(&self) -> Knowledge {
        Knowledge {
            script: Script::new(self.notation),
            scene: Scene::default(),
            memory: self.world.words.recall().filter(|_| self.remembers),
            answer_format: None,
            summary: None,
            replies: Vec::new(),
            is_cut: false,
        }
    }

    /// Takes note of what is new in the turn's view. `replied` says of a move which call, and which of
    /// its choices, it was read from.
    pub fn catch_up(
        &self,
        knowledge: &mut Knowledge,
        turn: &Turn,
        mut replied: impl FnMut(&Scene, &Script, &Event) -> Option<(u32, usize)>,
    ) {
        let Knowledge { script, scene, memory, summary, replies, .. } = knowledge;
        if let Some(memory) = memory {
            memory.catch_up(&turn.view);
        }
        script.catch_up(&turn.view, |script, event| {
            scene.fold(event, self.world.words);
            if let Message::Opened(_) = &event.message {
                scene.forms = self.forms.shared(&scene.forms);
            }
            self.fold_summary(summary, script, event);
            let reply = replied(scene, script, event);
            replies.extend(reply.map(|(seq, choice)| OwnReply { answer: script.answers, seq, choice }));
        });
    }

    /// Knows an older summary again by the request that brought it about.
    fn fold_summary(&self, summary: &mut Option<Summary>, script: &Script, event: &Event) {
        match &event.message {
            Message::Begun(begun) if !begun.keep_world => *summary = None,
            Message::ModelCalled(call) => {
                if let Context::Summary(how) = &self.context
                    && let Some(found) = how.recognise(summary.as_ref(), script, self.keep, call)
                {
                    *summary = Some(found);
                }
            }
            _ => {}
        }
    }

    /// The prompt of the turn, made to fit.
    pub async fn prompt(
        &self,
        knowledge: &mut Knowledge,
        turn: &Turn,
        model: &dyn ModelClient,
        room: Room,
    ) -> Result<Prompt, ModelError> {
        let profile = model.profile();
        let window = self.window(profile, room.answer);
        let limit = match (room.tokens, window) {
            (Some(tokens), Some(window)) => Some(tokens.min(window)),
            (tokens, window) => tokens.or(window),
        };
        let mut cut = Shown {
            first: match (&knowledge.summary, limit) {
                (Some(summary), _) => summary.until,
                (None, Some(limit)) => self.first_that_may_fit(&knowledge.script, profile, limit),
                (None, None) => 0,
            },
            ..Shown::default()
        };
        loop {
            let made = self.fill(knowledge, turn, profile, &cut)?;
            let tokens = profile.tokens(made.prompt.bytes().saturating_add(room.added));
            let Some(limit) = limit.filter(|limit| tokens > *limit) else {
                knowledge.is_cut = cut.leaves_out();
                return Ok(made.prompt);
            };
            let over = match self.context {
                Context::Fit => (tokens - limit).next_multiple_of((limit / STEPS).max(1)),
                _ => tokens - limit,
            };
            let over = over as f64 * profile.bytes_per_token;
            let over = over.ceil() as usize;
            let turns = self.cut_turns(knowledge, turn, &made, &mut cut, over);
            if turns.await? || self.cut_entries(knowledge, turn, &mut cut, over) {
                continue;
            }
            // How much the server takes is not known: it may take the least that there is.
            if room.tokens.is_some() && window.is_none_or(|window| tokens <= window) {
                knowledge.is_cut = cut.leaves_out();
                return Ok(made.prompt);
            }
            return Err(ModelError::Overflow(format!(
                "it has about {tokens} tokens and {limit} are free; let `context` leave more \
                 out, lower `keep`, or write a larger `context_tokens`"
            )));
        }
    }

    /// Leaves out what `context` says of the oldest turns; whether there was something.
    async fn cut_turns(
        &self,
        knowledge: &mut Knowledge,
        turn: &Turn,
        made: &Filled,
        cut: &mut Shown,
        over: usize,
    ) -> Result<bool, ModelError> {
        let before = (cut.first, cut.observed);
        let script = &knowledge.script;
        let last = script.turns().saturating_sub(self.keep);
        let messages = self.template.has_turns();
        match &self.context {
            Context::All => {}
            Context::Last | Context::DropObservations | Context::Fit => {
                let is_fit = matches!(self.context, Context::Fit);
                if !matches!(self.context, Context::Last) {
                    let last = if is_fit { last - last % TURNS } else { last };
                    cut.observed = beyond(cut.observed, last.max(cut.observed), over, |turn| {
                        if messages { made.bytes_before(turn, true) } else { script.observed_before(turn) }
                    });
                }
                let has_observations = cut.observed != before.1;
                if !matches!(self.context, Context::DropObservations) && !has_observations {
                    cut.first = beyond(cut.first, last, over, |turn| {
                        if messages { made.bytes_before(turn, false) } else { script.bytes_before(turn) }
                    });
                    if is_fit {
                        cut.first = cut.first.next_multiple_of(TURNS).min(last);
                    }
                }
            }
            Context::Summary(how) => {
                let made = how.sum_up(knowledge.summary.as_ref(), script, self.keep, turn);
                if let Some(made) = made.await? {
                    knowledge.summary = Some(made);
                }
                let summary = knowledge.summary.as_ref();
                cut.first = summary.map_or(0, |summary| summary.until);
            }
        }
        Ok((cut.first, cut.observed) != before)
    }

    /// Leaves out entries of the world's variables, but for `context = "all"`; whether there were some.
    fn cut_entries(&self, knowledge: &Knowledge, turn: &Turn, cut: &mut Shown, over: usize) -> bool {
        if !self.can_cut() {
            return false;
        }
        let all = self.sources(knowledge, turn, cut).entries(&self.template);
        let more = more_entries(&all, cut.left_out.len(), over);
        cut.left_out.extend(more.iter().map(|(name, _)| name));
        !more.is_empty()
    }

    /// The first turn from which on the running text alone fits, where a prompt shows all of it and
    /// the oldest turns are left out: those before it need not be written to find that out.
    fn first_that_may_fit(&self, script: &Script, profile: &ModelProfile, limit: u64) -> u32 {
        // Where observations are replaced, the running text is longer than what is shown of it.
        let whole = self.turns.observations.is_none() && self.template.uses("transcript");
        if !matches!(self.context, Context::Last) || !whole {
            return 0;
        }
        let last = script.turns().saturating_sub(self.keep);
        // The line break at the end is not shown, and tokens are rounded.
        let room = ((limit + 1) as f64 * profile.bytes_per_token) as usize + 1;
        let all = script.bytes_before(u32::MAX);
        let over = all.saturating_sub(room);
        beyond(0, last, over, |turn| script.bytes_before(turn))
    }

    /// The prompt of the turn, whatever its size.
    pub fn whole(&self, knowledge: &Knowledge, turn: &Turn, profile: &ModelProfile) -> Result<Prompt, ModelError> {
        let made = self.fill(knowledge, turn, profile, &Shown::default())?;
        Ok(made.prompt)
    }

    /// Tokens of the window that a prompt may have.
    fn window(&self, profile: &ModelProfile, answer: Option<u32>) -> Option<u64> {
        let answer = answer.or(self.sampling.max_tokens).or(profile.max_tokens).unwrap_or(FREE);
        let window = profile.context_tokens?;
        Some(u64::from(window.saturating_sub(answer)))
    }

    fn fill(
        &self,
        knowledge: &Knowledge,
        turn: &Turn,
        profile: &ModelProfile,
        cut: &Shown,
    ) -> Result<Filled, ModelError> {
        let sources = self.sources(knowledge, turn, cut);
        let joined = self.turns.joined;
        let made = Filled::new(&self.template, &sources, profile.chat, joined);
        let mut filled = made.map_err(|error| unfilled(&error))?;
        // What has a format of its own says it at its end.
        let acts = |brief: &Brief| {
            let mut kinds = [MoveKind::Think, MoveKind::Act, MoveKind::Speak].into_iter();
            brief.notation.is_none() && kinds.any(|kind| brief.open.contains(kind))
        };
        let labelled = knowledge.answer_format.is_none() && !self.template.has_turns();
        if let Some(brief) = sources.brief.filter(|brief| self.turns.cue && labelled && acts(brief)) {
            cue::add(&mut filled.prompt, brief, self.notation);
        }
        Ok(filled)
    }

    fn sources<'a>(&'a self, knowledge: &'a Knowledge, turn: &'a Turn, cut: &'a Shown) -> Sources<'a> {
        let summary = knowledge.summary.as_ref();
        Sources {
            turn,
            brief: turn.brief(),
            scene: &knowledge.scene,
            script: &knowledge.script,
            memory: knowledge.memory.as_deref(),
            answer_format: knowledge.answer_format.as_deref(),
            words: self.world.words,
            exemplars: &self.exemplars,
            cut: Cut {
                first: cut.first,
                observed: cut.observed,
                entries: &cut.left_out,
                old: self.turns.old(&knowledge.script),
                summary: summary.map(|summary| summary.text.as_str()),
            },
            replies: &knowledge.replies,
        }
    }

    /// A request for an answer to the prompt, with the persona's sampling.
    pub fn completion(&self, prompt: Prompt) -> Completion {
        let sampling = self.sampling.clone();
        Completion {
            prompt,
            max_tokens: sampling.max_tokens,
            temperature: sampling.temperature,
            top_p: sampling.top_p,
            stop: sampling.stop,
            ..Completion::default()
        }
    }
}

/// The first turn up to which `over` bytes are saved by leaving out what `bytes` counts before a turn;
/// the last one if there are not so many.
pub(super) fn beyond(from: u32, last: u32, over: usize, bytes: impl Fn(u32) -> usize) -> u32 {
    let before = bytes(from);
    let (mut low, mut high) = (from, last.max(from));
    while low < high {
        let middle = low + (high - low) / 2;
        if bytes(middle).saturating_sub(before) < over {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}

/// The next entries that save `over` bytes, after so many others that are left out; all if they save less.
pub(super) fn more_entries<T>(all: &[(T, usize)], left_out: usize, over: usize) -> &[(T, usize)] {
    let rest = all.get(left_out..).unwrap_or_default();
    let mut saved = 0;
    let enough = rest.iter().position(|(_, bytes)| {
        saved += bytes;
        saved >= over
    });
    rest.get(..enough.map_or(rest.len(), |last| last + 1)).unwrap_or(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_left_out_in_order_until_they_save_enough() {
        let all = [("a", 10), ("a", 0), ("b", 30)];
        let more = |before, over| more_entries(&all, before, over).len();
        assert_eq!([more(0, 1), more(0, 10), more(0, 11), more(0, 99)], [1, 1, 3, 3]);
        assert_eq!([more(1, 1), more(3, 1), more(9, 1)], [2, 0, 0]);
    }

    #[test]
    fn as_many_turns_are_left_out_as_are_needed_and_no_more() {
        let sizes = [0, 10, 10, 30, 45];
        let bytes = |turn: u32| sizes[turn as usize];
        let cut = |from, over| beyond(from, 4, over, bytes);
        assert_eq!([0, 1, 10, 11, 30, 31, 99].map(|over| cut(0, over)), [0, 1, 1, 3, 3, 4, 4]);
        assert_eq!([0, 1, 20, 21].map(|over| cut(1, over)), [1, 3, 3, 4]);
        assert_eq!(beyond(3, 2, 5, bytes), 3);
    }
}
