//! The state of one session, and what it shows. Searching, judging and asking are the world's to do.

use std::fmt::Write;
use std::sync::Arc;

use serde::Deserialize;

use super::address::{Sent, as_sent};
use super::listing::describe;
use crate::environments::shop::catalogue::Product;

/// The step in which a session ends whatever is done.
const LAST_STEP: usize = 21;

/// Invalid actions that end a session.
const MOST_INVALID: u32 = 3;

const INVALID: &str = "\n\nInvalid action! I don't have additional information to provide.";

const NO_QUESTIONS: &str = "I can't answer more questions.";

/// How the shopper may be asked (ChatShop section 3, "Communication Channel").
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Channel {
    /// Not at all.
    None,
    /// By open questions.
    #[default]
    Open,
    /// By products that it compares with the one it wants.
    Compare,
    /// Both ways.
    Mix,
}

names! { Channel, as_str: None => "none", Open => "open", Compare => "compare", Mix => "mix" }

/// The rules of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// The most questions.
    pub questions: u32,
    /// The most products of a listing.
    pub products: usize,
}

/// A product that a search found, with the reward that it would bring.
#[derive(Clone, Debug)]
pub struct Listed {
    /// The product.
    pub product: Arc<Product>,
    /// Its reward with all its options chosen.
    pub reward: f64,
}

/// What an action asks for before the session can show anything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// To search; what is found is handed to [`Game::found`].
    Search(Sent),
    /// To ask the shopper; its reply is handed to [`Game::answered`].
    Ask(String),
    /// Nothing.
    Nothing,
}

/// What the session shows.
#[derive(Clone, Debug, PartialEq)]
pub struct Shown {
    /// The observation.
    pub text: String,
    /// The action could not be used.
    pub invalid: bool,
    /// The reward as it stands.
    pub reward: f64,
}

/// One session.
#[derive(Clone, Debug)]
pub struct Game {
    rules: Rules,
    budget: u32,
    listed: Vec<Listed>,
    /// Numbers as they were written: a listing need not have them.
    selections: Vec<i64>,
    scores: Vec<f64>,
    invalid: u32,
    done: bool,
    /// What the next observation says in place of the listing.
    answer: String,
}

impl Game {
    /// A session that has just begun.
    pub fn new(rules: Rules) -> Self {
        Self {
            budget: rules.questions,
            rules,
            listed: Vec::new(),
            selections: Vec::new(),
            scores: Vec::new(),
            invalid: 0,
            done: false,
            answer: String::new(),
        }
    }

    /// Questions that are left.
    pub fn budget(&self) -> u32 {
        self.budget
    }

    /// The session is over.
    pub fn is_done(&self) -> bool {
        self.done
    }

    /// The products that the last search found.
    pub fn listed(&self) -> &[Listed] {
        &self.listed
    }

    /// The numbers that were selected or shortlisted last.
    pub fn selections(&self) -> &[i64] {
        &self.selections
    }

    /// The reward after each step.
    pub fn scores(&self) -> &[f64] {
        &self.scores
    }

    /// The product that was selected, if the session is over.
    pub fn selected(&self) -> Option<&Listed> {
        match *self.selections {
            [only] if self.done => self.listed.get(usize::try_from(only).ok()?),
            _ => None,
        }
    }

    /// Reads an action; none if it cannot be used, and then [`Self::refused`] says so.
    pub fn act(&mut self, action: &str) -> Option<Request> {
        let argument = |name: &str| action.strip_prefix(name);
        if let Some(query) = argument("search") {
            self.selections.clear();
            return Some(Request::Search(as_sent(bare(query))));
        }
        if let Some(question) = argument("question") {
            return Some(match self.charge() {
                true => Request::Ask(bare(question).to_owned()),
                false => Request::Nothing,
            });
        }
        if let Some(products) = argument("opinion") {
            return self.compared(products);
        }
        if let Some(numbers) = argument("candidates") {
            let numbers = bare(numbers)
                .split(',')
                .map(|number| number.trim().parse().ok());
            self.selections = numbers.collect::<Option<_>>()?;
            self.done = self.selections.len() == 1;
            return Some(Request::Nothing);
        }
        let number = argument("select").and_then(|text| runs(text).into_iter().next())?;
        self.selections = vec![number];
        self.done = true;
        Some(Request::Nothing)
    }

    /// Takes a question off the budget; without one it is answered at once.
    fn charge(&mut self) -> bool {
        let has = self.budget > 0;
        match has {
            true => self.budget -= 1,
            false => NO_QUESTIONS.clone_into(&mut self.answer),
        }
        has
    }

    fn compared(&mut self, products: &str) -> Option<Request> {
        if self.budget == 0 {
            self.charge();
            return Some(Request::Nothing);
        }
        // The original program ends with an error where there is no product of a number.
        let numbers = indices(products)?;
        let shown = numbers.iter().take(2);
        let shown: Option<Vec<_>> = shown.map(|n| Some((n, self.listed.get(*n)?))).collect();
        let mut question =
            "Comparing to the product you have in mind, how do you think about the following products?"
                .to_owned();
        for (number, listed) in shown? {
            // Writing to a text cannot fail.
            let _ = write!(question, "\n{number}. ");
            describe(&listed.product, &mut question);
        }
        self.charge();
        Some(Request::Ask(question))
    }

    /// Takes what a search found, as many as are listed.
    pub fn found(&mut self, listed: Vec<Listed>) {
        self.listed = listed;
        self.listed.truncate(self.rules.products);
    }

    /// Takes the shopper's reply.
    pub fn answered(&mut self, reply: &str) {
        self.answer = format!("{reply} (You have {} questions left) ", self.budget);
    }

    /// A question that was put otherwise than by an action is charged as well.
    pub fn asked_freely(&mut self) {
        self.budget = self.budget.saturating_sub(1);
    }

    /// What is to be seen after an action that could be used.
    pub fn shown(&mut self) -> Shown {
        let reward = self.score();
        let text = match std::mem::take(&mut self.answer) {
            answer if !answer.is_empty() => answer,
            _ => self.listing(),
        };
        Shown {
            text,
            invalid: false,
            reward,
        }
    }

    /// What is to be seen after one that could not.
    pub fn refused(&mut self) -> Shown {
        self.invalid += 1;
        self.done |= self.invalid >= MOST_INVALID;
        self.answer.clear();
        Shown {
            text: INVALID.to_owned(),
            invalid: true,
            reward: self.score(),
        }
    }

    /// The reward after this step: that of the selection, else of all that is listed.
    fn score(&mut self) -> f64 {
        self.done |= self.scores.len() + 1 >= LAST_STEP;
        let rewards: Vec<f64> = self.shortlist().map(|(_, listed)| listed.reward).collect();
        let reward = match self.done && self.selections.len() != 1 {
            true => 0.0,
            false => mean(&rewards),
        };
        self.scores.push(reward);
        reward
    }

    fn listing(&self) -> String {
        let mut text = String::new();
        if self.listed.is_empty() {
            return text;
        }
        text.push_str("\n\nProducts:");
        for (number, listed) in self.shortlist() {
            // Writing to a text cannot fail.
            let _ = write!(text, "\n{number}.");
            describe(&listed.product, &mut text);
        }
        text
    }

    /// The products that were selected, with their numbers; all that are listed before any is.
    fn shortlist(&self) -> impl Iterator<Item = (i64, &Listed)> {
        let all = (0_i64..).zip(&self.listed);
        all.filter(|(number, _)| self.selections.is_empty() || self.selections.contains(number))
    }
}

/// The argument of an action without its brackets.
fn bare(argument: &str) -> &str {
    argument.trim_matches(['[', ']', ' '])
}

/// The numbers of a list with commas, if there is exactly one such list and every part is a number.
fn indices(text: &str) -> Option<Vec<usize>> {
    let of_list = |letter: char| letter.is_ascii_digit() || letter.is_whitespace() || letter == ',';
    let mut lists = text
        .split(|letter| !of_list(letter))
        .filter(|list| !list.is_empty());
    let list = lists.next()?;
    if lists.next().is_some() {
        return None;
    }
    list.split(',')
        .map(|number| number.trim().parse().ok())
        .collect()
}

/// All numbers of a text.
fn runs(text: &str) -> Vec<i64> {
    let runs = text.split(|letter: char| !letter.is_ascii_digit());
    runs.filter_map(|run| run.parse().ok()).collect()
}

fn mean(values: &[f64]) -> f64 {
    match values.len() {
        0 => 0.0,
        n => values.iter().sum::<f64>() / n as f64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(questions: u32) -> Game {
        let mut game = Game::new(Rules {
            questions,
            products: 20,
        });
        let listed = |reward| Listed {
            product: Arc::default(),
            reward,
        };
        assert!(matches!(game.act("search[lamp]"), Some(Request::Search(_))));
        game.found(vec![listed(0.5), listed(1.0), listed(0.0)]);
        assert_eq!(game.shown().reward, 0.5);
        game
    }

    #[test]
    fn questions_cost_and_end() {
        let mut game = game(1);
        assert_eq!(
            game.act("question[blue?]"),
            Some(Request::Ask("blue?".to_owned()))
        );
        game.answered("Yes.");
        assert_eq!(game.shown().text, "Yes. (You have 0 questions left) ");
        assert_eq!(game.act("question[red?]"), Some(Request::Nothing));
        assert_eq!(game.shown().text, NO_QUESTIONS);
        assert_eq!(game.act("opinion[x]"), Some(Request::Nothing));
    }

    #[test]
    fn one_selection_ends_with_its_reward_and_several_do_not() {
        let mut several = game(0);
        assert_eq!(several.act("candidates[0, 1]"), Some(Request::Nothing));
        assert_eq!((several.shown().reward, several.is_done()), (0.75, false));
        let mut single = several.clone();
        assert_eq!(single.act("candidates[1]"), Some(Request::Nothing));
        assert_eq!((single.shown().reward, single.is_done()), (1.0, true));
        assert_eq!(several.act("select[49]"), Some(Request::Nothing));
        let shown = several.shown();
        assert_eq!((shown.reward, several.is_done()), (0.0, true));
        assert_eq!(shown.text, "\n\nProducts:");
    }

    #[test]
    fn what_cannot_be_used_ends_at_the_third_time_and_the_session_at_its_last_step() {
        let mut short = game(1);
        for (action, ends) in [
            ("foo", false),
            ("opinion[7]", false),
            ("opinion[1] or [2]", true),
        ] {
            assert_eq!(short.act(action), None, "{action}");
            short.refused();
            assert_eq!(short.is_done(), ends);
        }
        assert_eq!(short.budget(), 1);
        let mut long = game(0);
        while !long.is_done() {
            assert_eq!(long.act("question[?]"), Some(Request::Nothing));
            long.shown();
        }
        assert_eq!(long.scores().len(), LAST_STEP);
        assert_eq!(long.scores().last(), Some(&0.0));
    }
}
