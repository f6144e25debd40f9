//! The state of one session, and what it shows. Searching, judging and asking are the world's to do.

use std::fmt::Write;
use std::sync::Arc;

use super::listing::describe;
use crate::catalogue::Product;

/// The step in which a session ends whatever is done.
const LAST_STEP: usize = 21;

/// Invalid actions that end a session.
const MOST_INVALID: u32 = 3;

const INVALID: &str = "\n\nInvalid action! I don't have additional information to provide.";

const NO_QUESTIONS: &str = "I can't answer more questions.";

/// The names of actions.
const ACTIONS: &[&str] = &["search", "question", "opinion", "candidates", "select"];

/// A product that a search found, with the reward that it would bring.
#[derive(Clone, Debug)]
pub struct Listed {
    /// The product.
    pub product: Arc<Product>,
    /// Its reward with all its options chosen.
    pub reward: f64,
}

/// Request of an action, before the session can show anything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Request {
    /// To list what is found by these words; nothing is found without any.
    Search(Option<String>),
    /// To ask the shopper.
    Ask(String),
    /// Nothing but to show this.
    Show(String),
}

/// One session.
#[derive(Clone, Debug, Default)]
pub struct Game {
    budget: u32,
    pub(super) listed: Vec<Listed>,
    /// Numbers as they were written: a listing need not have them.
    selections: Vec<i64>,
    scores: Vec<f64>,
    invalid: u32,
    pub(super) done: bool,
}

impl Game {
    /// A session that has just begun, with so many questions.
    pub(super) fn new(budget: u32) -> Self {
        Self { budget, ..Self::default() }
    }

    /// Questions that are left.
    pub fn budget(&self) -> u32 {
        self.budget
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
    pub(super) fn selected(&self) -> Option<&Listed> {
        match *self.selections {
            [only] if self.done => self.listed.get(usize::try_from(only).ok()?),
            _ => None,
        }
    }

    /// Reads an action; none if it cannot be used, and then [`Self::refused`] says so.
    pub(super) fn act(&mut self, action: &str) -> Option<Request> {
        let mut actions = ACTIONS.iter();
        let read = |name: &&'static str| Some((*name, action.strip_prefix(*name)?));
        let (name, argument) = actions.find_map(read)?;
        match name {
            "search" => {
                self.selections.clear();
                return Some(Request::Search(as_sent(bare(argument))));
            }
            "question" | "opinion" if self.budget == 0 => {
                return Some(Request::Show(NO_QUESTIONS.to_owned()));
            }
            "question" | "opinion" => {
                let question = match name {
                    "question" => bare(argument).to_owned(),
                    _ => self.comparison(argument)?,
                };
                self.asked();
                return Some(Request::Ask(question));
            }
            "candidates" => {
                let numbers = bare(argument).split(',').map(|number| number.trim().parse().ok());
                self.selections = numbers.collect::<Option<_>>()?;
            }
            _ => {
                let mut runs = argument.split(|letter: char| !letter.is_ascii_digit());
                self.selections = vec![runs.find_map(|run| run.parse().ok())?];
            }
        }
        self.done = self.selections.len() == 1;
        Some(Request::Show(self.listing()))
    }

    /// The question that has one or two products compared; none where the original program ends with an error,
    /// because a number belongs to no product.
    fn comparison(&self, products: &str) -> Option<String> {
        let mut question =
            "Comparing to the product you have in mind, how do you think about the following products?".to_owned();
        for number in indices(products)?.into_iter().take(2) {
            let described = describe(&self.listed.get(number)?.product);
            // Writing to a text cannot fail.
            let _ = write!(question, "\n{number}. {described}");
        }
        Some(question)
    }

    /// Takes a question off the budget.
    pub(super) fn asked(&mut self) {
        self.budget = self.budget.saturating_sub(1);
    }

    /// Observation after an action that could not be used.
    pub(super) fn refused(&mut self) -> &'static str {
        self.invalid += 1;
        self.done |= self.invalid >= MOST_INVALID;
        INVALID
    }

    /// Ends a step with its reward: that of the selection, else of all that is listed.
    pub(super) fn end_step(&mut self) {
        self.done |= self.scores.len() + 1 >= LAST_STEP;
        let rewards: Vec<f64> = self.shortlist().map(|(_, listed)| listed.reward).collect();
        let is_lost = self.done && self.selections.len() != 1;
        let reward = match rewards.len() {
            0 => 0.0,
            _ if is_lost => 0.0,
            count => rewards.iter().sum::<f64>() / count as f64,
        };
        self.scores.push(reward);
    }

    /// Text of the products that are listed.
    pub(super) fn listing(&self) -> String {
        if self.listed.is_empty() {
            return String::new();
        }
        let mut text = "\n\nProducts:".to_owned();
        for (number, listed) in self.shortlist() {
            // Writing to a text cannot fail.
            let _ = write!(text, "\n{number}.{}", describe(&listed.product));
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
pub(crate) fn bare(argument: &str) -> &str {
    argument.trim_matches(['[', ']', ' '])
}

/// The numbers of a list with commas, if there is exactly one such list and every part is a number.
fn indices(text: &str) -> Option<Vec<usize>> {
    let of_list = |letter: char| letter.is_ascii_digit() || letter.is_whitespace() || letter == ',';
    let mut lists = text.split(|letter| !of_list(letter)).filter(|list| !list.is_empty());
    lists.next().filter(|_| lists.next().is_none())?.split(',').map(|number| number.trim().parse().ok()).collect()
}

/// Reads keywords as the service does: `&` ends them, `+` is a blank, and `%41` a letter. None with a `#`, which ends the
/// address: the service does not know for which goal then, and finds nothing.
pub(super) fn as_sent(keywords: &str) -> Option<String> {
    if keywords.contains('#') {
        return None;
    }
    let first = keywords.split('&').next().unwrap_or_default();
    let blank = first.replace('+', " ");
    let mut parts = blank.split('%');
    let mut decoded = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        let digits = part.get(..2);
        match digits.map(|digits| u8::from_str_radix(digits, 16)) {
            Some(Ok(byte)) => {
                decoded.push(byte);
                decoded.extend_from_slice(&part.as_bytes()[2..]);
            }
            _ => {
                decoded.push(b'%');
                decoded.extend_from_slice(part.as_bytes());
            }
        }
    }
    Some(String::from_utf8_lossy(&decoded).to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(questions: u32) -> Game {
        let listed = |reward| Listed { product: Arc::default(), reward };
        let mut game = Game::new(questions);
        let request = game.act("search[Lamp]");
        assert_eq!(request, Some(Request::Search(Some("lamp".to_owned()))));
        game.listed = [0.5, 1.0, 0.0].map(listed).into();
        game.end_step();
        assert_eq!(game.scores(), [0.5]);
        game
    }

    /// Performs an action that shows something: that, and the reward.
    fn shown(game: &mut Game, action: &str) -> (String, f64) {
        let Some(Request::Show(text)) = game.act(action) else { panic!("`{action}` shows nothing") };
        game.end_step();
        (text, *game.scores().last().unwrap())
    }

    #[test]
    fn questions_cost_and_end() {
        let mut game = game(1);
        let asked = game.act("question[blue?]");
        assert_eq!(asked, Some(Request::Ask("blue?".to_owned())));
        assert_eq!(game.budget(), 0);
        for action in ["question[red?]", "opinion[x]"] {
            assert_eq!(shown(&mut game, action).0, NO_QUESTIONS);
        }
    }

    #[test]
    fn one_selection_ends_with_its_reward_and_several_do_not() {
        let mut several = game(0);
        assert_eq!(shown(&mut several, "candidates[0, 1]").1, 0.75);
        assert!(!several.done);
        let mut single = several.clone();
        assert_eq!(shown(&mut single, "candidates[1]").1, 1.0);
        assert!(single.done);
        let missing = ("\n\nProducts:".to_owned(), 0.0);
        assert_eq!(shown(&mut several, "select[49]"), missing);
        assert!(several.done);
    }

    #[test]
    fn what_cannot_be_used_ends_at_the_third_time_and_the_session_at_its_last_step() {
        let mut short = game(1);
        for (action, ends) in [("foo", false), ("opinion[7]", false), ("opinion[1] or [2]", true)] {
            assert_eq!(short.act(action), None, "{action}");
            short.refused();
            short.end_step();
            assert_eq!(short.done, ends);
        }
        assert_eq!(short.budget(), 1);
        let mut long = game(0);
        while !long.done {
            shown(&mut long, "question[?]");
        }
        assert_eq!(long.scores().len(), LAST_STEP);
        assert_eq!(long.scores().last(), Some(&0.0));
    }

    #[test]
    fn signs_of_addresses_change_the_query() {
        let cases = [
            ("Blue shirt", Some("blue shirt")),
            ("meat & seafood", Some("meat ")),
            ("50%+more", Some("50% more")),
            ("a%41%c3%a9%4", Some("aaé%4")),
            ("%%41%", Some("%a%")),
            ("%é", Some("%é")),
            ("a & b #1", None),
        ];
        for (keywords, sent) in cases {
            assert_eq!(as_sent(keywords).as_deref(), sent, "{keywords}");
        }
    }
}
