//! One text that is being written.

use super::Writing;
use crate::domain::{Choice, Finish, TokenLogprob};
use crate::text::Dice;
use crate::transformer::{NOTHING, Vocabulary};

/// The family of draws; another number where they change.
const DRAWS: &str = "rolecall local 1";

/// A text that is being written, token by token.
pub(super) struct Draft<'a> {
    vocabulary: &'a Vocabulary,
    writing: &'a Writing,
    /// Which of several texts of a request it is.
    number: u32,
    written: Vec<u32>,
    choice: Choice,
    ended: bool,
}

impl<'a> Draft<'a> {
    /// Nothing is written yet.
    pub(super) fn new(vocabulary: &'a Vocabulary, writing: &'a Writing, number: u32) -> Self {
        Self {
            vocabulary,
            writing,
            number,
            written: Vec::new(),
            choice: Choice::default(),
            ended: writing.max_tokens == 0,
        }
    }

    /// Writes the next token by the logits of all; none when the text is at its end.
    pub(super) fn write(&mut self, logits: &[f32]) -> Option<u32> {
        if self.ended {
            return None;
        }
        let token = self.draw(logits);
        if token == NOTHING {
            self.ended = true;
            return None;
        }
        self.written.push(token);
        if self.writing.logprobs {
            self.choice
                .tokens
                .push(TokenLogprob { token: self.vocabulary.text(&[token]), logprob: log_share(logits, token) });
        }
        self.choice.text = self.vocabulary.text(&self.written);
        let text = &self.choice.text;
        let ends = self.writing.stop.iter().filter(|stop| !stop.is_empty());
        if let Some(end) = ends.filter_map(|stop| text.find(stop.as_str())).min() {
            self.choice.cut(end);
            self.choice.finish = Finish::Stop;
            self.ended = true;
        } else if self.written.len() >= self.writing.max_tokens as usize {
            self.choice.finish = Finish::Length;
            self.ended = true;
        }
        (!self.ended).then_some(token)
    }

    fn draw(&self, logits: &[f32]) -> u32 {
        let likeliest = || {
            let all = (0..).zip(logits);
            all.fold((0, f32::NEG_INFINITY), |best, (token, logit)| match *logit > best.1 {
                true => (token, *logit),
                false => best,
            })
        };
        if self.writing.temperature <= 0.0 {
            return likeliest().0;
        }
        let most = f64::from(likeliest().1);
        let share = |logit: &f32| ((f64::from(*logit) - most) / self.writing.temperature).exp();
        let mut shares: Vec<(u32, f64)> = (0..).zip(logits.iter().map(share)).collect();
        shares.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let total: f64 = shares.iter().map(|(_, share)| share).sum();
        let mut sum = 0.0;
        let kept = shares
            .iter()
            .take_while(|(_, share)| {
                let before = sum;
                sum += share;
                before < self.writing.top_p * total
            })
            .count();
        let total: f64 = shares[..kept].iter().map(|(_, share)| share).sum();
        let purpose = [u64::from(self.writing.seed), u64::from(self.number), self.written.len() as u64];
        let mut rest = Dice::new(DRAWS, "token", &purpose).fraction() * total;
        for (token, share) in &shares[..kept] {
            if rest < *share {
                return *token;
            }
            rest -= share;
        }
        shares.first().map_or(NOTHING, |(token, _)| *token)
    }

    /// The text as a reply has it, and how many tokens were written.
    pub(super) fn finished(self) -> (Choice, usize) {
        (self.choice, self.written.len())
    }
}

/// The logarithm of a token's probability.
fn log_share(logits: &[f32], token: u32) -> f64 {
    let most = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let sum: f64 = logits.iter().map(|logit| f64::from(logit - most).exp()).sum();
    f64::from(logits[token as usize] - most) - sum.ln()
}
