//! Roles of the shop by rules: an executor for both games, and the thinker, clarifier and planner of a relay. Each
//! knows what its seat has seen, as a fold over its view.

mod asking;
mod browsing;
mod chatting;
mod mind;
mod wishes;

use mind::Mind;
use rolecall_core::domain::{Brief, Move, MoveKind, MoveKinds, PlanStep};
use rolecall_core::ports::settings::parameters;
use rolecall_core::ports::{Parameter, RoleFactory, RoleSetup, SetupError};
use rolecall_core::roles::{self, by_rules};
use rolecall_core::text::joined_by;

/// Products that a plan looks at.
const LOOKS: usize = 3;

/// The parameters of the executor.
pub const PARAMETERS: &[Parameter] = parameters![
    flag("asks", true), "it asks the user where that helps and the strategy lets it";
    flag("clarifies", false),
        "WebShop: before it searches it asks what exactly is wanted, if the instruction says little";
    integer("looks", Some(3), 1..=50),
        "WebShop: the most products that it looks at before it buys one (in ReSpAct's rendering always 1)";
];

/// Builds the executor (registry entry `rules`): the shopper's assistant, which searches, asks for what splits the
/// candidates best, and selects or buys.
pub fn build(setup: &RoleSetup) -> Result<RoleFactory, SetupError> {
    let asks = setup.parameters.flag("asks");
    let clarifies = setup.parameters.flag("clarifies");
    let looks = setup.parameters.whole("looks").unwrap_or(1);
    Ok(by_rules::<Mind>(None, move |mind, brief| {
        if brief.open == MoveKinds::of(&[MoveKind::Think]) {
            return vec![Move::think(summary(mind))];
        }
        if mind.setting.has_planner && brief.open.contains(MoveKind::Think) {
            let step = mind.plan.first().cloned();
            let none = || Move::think("There is no step of the plan left.");
            return vec![step.map_or_else(none, |action| Move::Act { action })];
        }
        let unclear = mind.browsing.unclear(brief).filter(|_| clarifies);
        if let Some(question) = unclear {
            return vec![question];
        }
        let asks = asks && !mind.setting.has_clarifier;
        vec![next(mind, brief, asks, looks)]
    }))
}

/// Builds the thinker: says what is known and what is not.
pub fn build_thinker(_: &RoleSetup) -> Result<RoleFactory, SetupError> {
    Ok(by_rules::<Mind>(Some(MoveKind::Think), |mind, _| vec![Move::think(summary(mind))]))
}

/// Builds the clarifier: judges whether a question is worth it, and asks it.
pub fn build_clarifier(_: &RoleSetup) -> Result<RoleFactory, SetupError> {
    Ok(by_rules::<Mind>(Some(MoveKind::Judge), |mind, brief| {
        let question = question(mind, brief).filter(|_| brief.open.contains(MoveKind::Speak));
        let reason = match (&question, mind.setting.has_user) {
            (Some(_), _) => "Several products are still possible.",
            (None, true) => "An answer would not help now.",
            (None, false) => "There is nobody to ask.",
        };
        let judgement = Move::Judge { clarify: question.is_some(), reason: Some(reason.to_owned()) };
        match question {
            Some(question) if brief.several => vec![judgement, question],
            Some(question) => vec![question],
            None => vec![judgement],
        }
    }))
}

/// Builds the planner: lays out the next search, click or selection.
pub fn build_planner(_: &RoleSetup) -> Result<RoleFactory, SetupError> {
    Ok(by_rules::<Mind>(Some(MoveKind::Plan), |mind, brief| {
        let steps = match next(mind, brief, false, LOOKS) {
            Move::Act { action } => vec![PlanStep::of(action.text)],
            _ => Vec::new(),
        };
        vec![Move::Plan { steps }]
    }))
}

/// The next step in either game.
fn next(mind: &Mind, brief: &Brief, asks: bool, looks: usize) -> Move {
    if mind.setting.is_chat {
        Move::act(chatting::next_action(mind, brief, asks))
    } else {
        mind.browsing.next(brief, looks, asks)
    }
}

/// The question that is worth asking now, in words.
fn question(mind: &Mind, brief: &Brief) -> Option<Move> {
    if !mind.setting.is_chat {
        let next = mind.browsing.next(brief, LOOKS, true);
        return Some(next).filter(|next| next.kind() == MoveKind::Speak);
    }
    let due = chatting::due_question(mind, brief)?;
    Some(spoken(chatting::in_words(&due)?.to_owned(), brief))
}

/// Summary of what is known, in a few sentences.
fn summary(mind: &Mind) -> String {
    if mind.setting.is_chat { chatting::summary(mind) } else { mind.browsing.summary() }
}

/// A bound on the price, in words.
fn bound(most: Option<f64>) -> String {
    most.map_or(String::new(), |most| format!(", for {most:.2} dollars at most"))
}

/// A question, with the act that fits it where one has to be declared.
fn spoken(text: String, brief: &Brief) -> Move {
    roles::spoken(text, "AlternateQuestions", brief)
}

/// Whether no more than so many steps are left.
fn ends_within(brief: &Brief, steps: u32) -> bool {
    brief.steps_left.is_some_and(|left| left <= steps)
}

/// The first words of a text.
fn first_words(text: &str, count: usize) -> String {
    joined_by(" ", text.split(' ').take(count))
}
