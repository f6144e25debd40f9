//! Chooses among the actions that are possible, and thinking and speaking, by the log-probability
//! that the model gives their texts (ABA equation 4). When thinking or speaking wins, its text is
//! generated.
//!
//! A command is scored with the end of its line: the beginning of a text is never less likely than the
//! text, so `go to cabinet 1` without one would always beat `go to cabinet 10`. A model that wrote the
//! command would have to end it, too.

use super::ask::{Asking, Unread};
use super::choose::{Candidate, Rule, pick};
use super::shared::{Candidates, Scored, Shared};
use crate::domain::{Answer, Move, MoveKind};
use crate::ports::model::{Prompt, Scoring};
use crate::ports::{ModelError, ModelRequest, Unreadable};
use crate::roles::reader::said;
use crate::text::answer_line;

/// An option of the choice.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Possible {
    /// An action, by its command.
    Act(String),
    /// A move whose text has to be generated.
    Special(MoveKind),
}

impl Shared {
    /// The likeliest of what is possible now.
    pub(super) async fn score(
        &self,
        asking: &Asking<'_>,
        prompt: Prompt,
        scored: Scored,
    ) -> Result<Result<Answer, Unread>, ModelError> {
        let Prompt::Text(prompt) = prompt else {
            let problem = "scoring goes on from a text, not from a conversation";
            return Err(ModelError::Unsupported(problem.to_owned()));
        };
        let (mut open, mut texts) = self.options(asking, &prompt, scored.candidates)?;
        if open.len() == 1
            && let (Some(only), Some(text)) = (open.pop(), texts.pop())
        {
            // There is nothing to choose, as where every observation is followed by a thought.
            return self.taken(asking, only, prompt, &text).await;
        }
        let request = ModelRequest::Score(Scoring { prompt: Prompt::Text(prompt.clone()), candidates: texts.clone() });
        let reply = asking.turn.complete(&*self.model, request).await?;
        if reply.scores.len() != texts.len() {
            let (got, sent) = (reply.scores.len(), texts.len());
            let problem = format!("{got} scores came back for {sent} candidates");
            return Err(ModelError::Malformed(problem));
        }
        let candidates: Vec<Candidate<Possible>> = open
            .into_iter()
            .zip(&texts)
            .zip(&reply.scores)
            .map(|((answer, text), score)| Candidate {
                answer,
                text: text.clone(),
                logprob: Some((score.logprob, score.tokens)),
                repeats: false,
            })
            .collect();
        let best = pick(Rule::Likeliest { normalise: scored.normalise }, &candidates);
        match best.and_then(|best| candidates.into_iter().nth(best)) {
            Some(Candidate { answer, text, .. }) => self.taken(asking, answer, prompt, &text).await,
            None => {
                let problem = "there is nothing to choose from: neither an action is possible, nor \
                               thinking or speaking open";
                Err(ModelError::Unsupported(problem.to_owned()))
            }
        }
    }

    /// The move that was chosen; the text of a special one is generated.
    async fn taken(
        &self,
        asking: &Asking<'_>,
        chosen: Possible,
        prompt: String,
        label: &str,
    ) -> Result<Result<Answer, Unread>, ModelError> {
        let kind = match chosen {
            Possible::Act(command) => return Ok(Ok(Move::act(command).into())),
            Possible::Special(kind) => kind,
        };
        let mut completion = self.prompter.completion(Prompt::Text(prompt + label));
        if !completion.stop.iter().any(|stop| stop == "\n") {
            completion.stop.push("\n".to_owned());
        }
        let request = ModelRequest::Complete(completion);
        let reply = asking.turn.complete(&*self.model, request).await?;
        let text = reply.choices.first().map_or("", |choice| &choice.text);
        let text = answer_line(text.trim().lines().next().unwrap_or_default());
        let made = match kind {
            _ if text.is_empty() => {
                let problem = "says nothing".to_owned();
                let kind = kind.as_str();
                Err(Unreadable::Incomplete { kind, problem })
            }
            MoveKind::Speak => said(&text, &self.reading(asking)),
            _ => Ok(Move::think(text.as_ref())),
        };
        let shown = |error| (format!("{} {text}", label.trim()), error);
        Ok(made.map(Answer::from).map_err(shown))
    }

    /// The options, and their texts exactly as they would follow the prompt.
    fn options(
        &self,
        asking: &Asking<'_>,
        prompt: &str,
        candidates: Candidates,
    ) -> Result<(Vec<Possible>, Vec<String>), ModelError> {
        let open = asking.brief.open;
        let mut options = Vec::new();
        if open.contains(MoveKind::Act) {
            let listed = asking.scene.admissible.as_deref().ok_or_else(|| {
                let problem = "`choose = \"score\"` needs the actions that are possible, and the \
                               environment does not list them; write `list_admissible = true` into \
                               `[environment]`";
                ModelError::Unsupported(problem.to_owned())
            })?;
            options.extend(listed.iter().cloned().map(Possible::Act));
        }
        let specials = [MoveKind::Think, MoveKind::Speak].into_iter();
        let specials = specials.filter(|kind| open.contains(*kind));
        options.extend(specials.map(Possible::Special));
        let notation = self.prompter.notation();
        let texts = options
            .iter()
            .map(|option| match option {
                Possible::Act(command) => {
                    let line = format!("{}{command}", notation.label(MoveKind::Act));
                    follows(prompt, &line) + candidates.end()
                }
                Possible::Special(kind) => follows(prompt, notation.label(*kind).trim_end()),
            })
            .collect();
        Ok((options, texts))
    }
}

/// The line as it goes on from the prompt: on a line of its own, or after the `>` that ends the
/// prompt.
fn follows(prompt: &str, line: &str) -> String {
    let command = line.strip_prefix('>').map_or(line, str::trim_start);
    if prompt.lines().next_back() == Some(line) {
        // The prompt writes the label of the only move that is open.
        String::new()
    } else if prompt.ends_with('>') {
        format!(" {command}")
    } else if prompt.ends_with("> ") {
        command.to_owned()
    } else if prompt.is_empty() || prompt.ends_with('\n') {
        line.to_owned()
    } else {
        format!("\n{line}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn candidates_go_on_where_the_prompt_ends() {
        assert_eq!(follows("a\n>", "> think:"), " think:");
        assert_eq!(follows("a\n> ", "> look"), "look");
        assert_eq!(follows("a\n", "> look"), "> look");
        assert_eq!(follows("a", "Act: look"), "\nAct: look");
        assert_eq!(follows("a\n> think:", "> think:"), "");
    }
}
