//! The player's talk: thoughts, questions and reports, and its trust in the answers: a fold like
//! [`Belief`]. What it makes of an answer stands in `hear`.

use serde::Deserialize;

use super::{Belief, Need};

use rolecall_core::domain::{Brief, MoveKind};

/// With fewer steps left a question costs more than it can save.
const STEPS_TO_ASK_WHERE: u32 = 4;

/// Steps left with which it is asked which of several objects is meant.
const STEPS_TO_ASK_WHICH: u32 = 15;

/// Steps left with which it is asked where only one of them counts.
const STEPS_TO_ASK_WHICH_COUNTS: u32 = 4;

/// How the player words its thoughts and questions, and what it asks before it acts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Wording {
    /// As ReSpAct's exemplars do: it names likely places and asks where to look first.
    #[default]
    Respact,
    /// As ABA's do: it asks where all objects of the class are, and which one is preferred where that
    /// matters; an answer is thought about before it is used.
    Aba,
}

/// A thought worth its step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Thought {
    /// How to solve the task.
    Plan,
    /// The meaning of the user's answer.
    Answered,
    /// The object or lamp was found.
    Found,
    /// All receptacles of a class were looked into in vain.
    Elsewhere,
    /// An object was taken.
    Taken,
    /// The object was cleaned, heated or cooled.
    Treated,
    /// One of two objects is in place.
    FirstInPlace,
    /// The task is done with an object that was not meant.
    NotMeant,
}

/// A question worth its step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Topic {
    /// Where to look.
    Where(Need),
    /// Which of several objects to take.
    Which,
    /// The detail that the task leaves out.
    Goal,
}

/// Something that the user could be told although nothing is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Report {
    /// The answer will be followed.
    Confirm(Topic),
    /// The answer led nowhere, or the world refused something.
    Failure,
    /// The content of the thought.
    Progress(Thought),
    /// Something was done or seen.
    Step,
    /// The user has replied to a report.
    Thanks,
}

/// Why a question is not worth its step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Silence {
    /// Speech is not open.
    Closed,
    /// The user has answered what there is to ask.
    Advised,
    /// Asking has led nowhere.
    InVain,
    /// With so few steps left an answer cannot be used.
    Late,
}

/// How things stand, as far as thoughts and questions depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Standing {
    need: Option<Need>,
    holding: bool,
    useless: bool,
    treated: bool,
}

impl Standing {
    /// How things stand now.
    pub(super) fn of(belief: &Belief) -> Self {
        let held = belief.holding.as_deref().zip(belief.goal.as_ref());
        Self {
            need: belief.need(),
            holding: belief.holding.is_some(),
            useless: held.is_some_and(|(held, goal)| belief.is_useless(held, goal)),
            treated: belief.treated.is_some(),
        }
    }
}

/// The state of the conversation.
#[derive(Clone, Debug, Default)]
pub(super) struct Talk {
    /// How the player talks.
    pub(super) phrasing: Wording,
    /// Answers that lead nowhere before the player stops asking.
    pub(super) patience: u8,
    /// Only certain objects of the class count, and the task does not say which.
    pub(super) ambiguous: bool,
    /// A thought that is due.
    pub(super) due: Option<Thought>,
    /// The report that could be made.
    pub(super) report: Option<Report>,
    /// Receptacles that the user suggested and that were not looked into yet.
    pub(super) leads: Vec<u8>,
    /// Objects that the user asked for.
    pub(super) preferred: Vec<Box<str>>,
    /// The receptacle of the last suggestion that led nowhere.
    pub(super) disappointed_by: Option<u8>,
    pub(super) asked: Option<Topic>,
    pub(super) following: bool,
    questions: u8,
    pub(super) fruitless: u8,
    asked_which: u8,
    asked_goal: bool,
    /// A report was made that was not replied to yet.
    pub(super) chatting: bool,
}

impl Talk {
    /// A trial begins: leads and wishes of the last one are void, trust is not.
    pub(super) fn begin_anew(&mut self) {
        *self = Self {
            phrasing: self.phrasing,
            patience: self.patience,
            ambiguous: self.ambiguous,
            fruitless: self.fruitless,
            due: Some(Thought::Plan),
            ..Self::default()
        };
    }

    /// The thought that is due and open.
    pub(super) fn due_thought(&self, brief: &Brief) -> Option<Thought> {
        self.due.filter(|_| brief.open.contains(MoveKind::Think))
    }

    /// The question that is worth asking now.
    ///
    /// After `patience` answers that led nowhere the user is not asked any more, and about one
    /// object never more often than that.
    pub(super) fn due_question(&self, belief: &Belief, brief: &Brief) -> Option<Topic> {
        if self.lacks_goal(belief) {
            let silence = self.why_not_speak(brief);
            return silence.is_none().then_some(Topic::Goal);
        }
        let (silence, topic) = match belief.need() {
            Some(need) => (self.why_not_ask_where(brief), Topic::Where(need)),
            None if !self.leaves_a_choice(belief) => return None,
            None => (self.why_not_ask_which(brief), Topic::Which),
        };
        silence.is_none().then_some(topic)
    }

    /// Whether the task leaves something out that nobody was asked for in this trial.
    pub(super) fn lacks_goal(&self, belief: &Belief) -> bool {
        belief.vague && !self.asked_goal
    }

    /// Why it is not worth asking where to look; none if it is.
    pub(super) fn why_not_ask_where(&self, brief: &Brief) -> Option<Silence> {
        self.why_not_ask(brief, STEPS_TO_ASK_WHERE)
            .or(self.following.then_some(Silence::Advised))
            .or((self.questions >= self.patience).then_some(Silence::InVain))
    }

    /// Why it is not worth asking which object is meant, if there are several; none if it is. Where
    /// only one counts, a user that evades is asked again.
    pub(super) fn why_not_ask_which(&self, brief: &Brief) -> Option<Silence> {
        let (steps, most, why) = match self.ambiguous {
            true => (STEPS_TO_ASK_WHICH_COUNTS, self.patience, Silence::InVain),
            false => (STEPS_TO_ASK_WHICH, 1, Silence::Advised),
        };
        self.why_not_ask(brief, steps).or((self.asked_which >= most).then_some(why))
    }

    fn why_not_ask(&self, brief: &Brief, steps: u32) -> Option<Silence> {
        if let Some(silence) = self.why_not_speak(brief) {
            Some(silence)
        } else if self.fruitless >= self.patience {
            Some(Silence::InVain)
        } else {
            brief.steps_left.is_some_and(|left| left <= steps).then_some(Silence::Late)
        }
    }

    /// Why nothing can be asked; none if it can. What the task leaves out is worth a question always.
    pub(super) fn why_not_speak(&self, brief: &Brief) -> Option<Silence> {
        let closed = !brief.open.contains(MoveKind::Speak) || brief.questions_left == Some(0);
        closed.then_some(Silence::Closed)
    }

    /// Whether there is a choice that is worth a question: more objects at one place than the task
    /// needs; where only certain ones count, more objects than that anywhere.
    pub(super) fn leaves_a_choice(&self, belief: &Belief) -> bool {
        let (Some(goal), None) = (&belief.goal, &belief.holding) else {
            return false;
        };
        if self.ambiguous {
            let several = belief.candidates(goal).count() > belief.still_needed(goal);
            return several && belief.wanted.is_empty();
        }
        if self.phrasing == Wording::Aba {
            return false;
        }

        let candidates: Vec<_> = belief.candidates(goal).collect();
        let Some(first) = candidates.first() else {
            return false;
        };
        let together = candidates.iter().filter(|thing| thing.place == first.place);
        self.preferred.is_empty() && together.count() > goal.count
    }

    /// The player has asked; what about follows from what was due.
    pub(super) fn spoke(&mut self, belief: &Belief) {
        self.report = None;
        if self.lacks_goal(belief) {
            self.asked_goal = true;
            self.asked = Some(Topic::Goal);
            return;
        }
        self.asked = match belief.need() {
            Some(need) => {
                self.questions = self.questions.saturating_add(1);
                Some(Topic::Where(need))
            }
            None => {
                self.asked_which = self.asked_which.saturating_add(1);
                Some(Topic::Which)
            }
        };
    }

    /// The player has told the user something that is no question.
    pub(super) fn reported(&mut self) {
        let report = self.report.take();
        self.chatting = report.is_some_and(|report| report != Report::Thanks);
    }

    /// The world has answered; `before` is how things stood until now.
    ///
    /// `each_look` says whether each look in vain deserves a thought, or only the last one into
    /// receptacles of a class.
    pub(super) fn observe(&mut self, before: Standing, belief: &Belief, each_look: bool) {
        let now = Standing::of(belief);
        if before.need.is_some() && now.need.is_none() {
            self.due(Thought::Found);
            self.fruitless = 0;
            self.stop_following();
        } else if before.need != now.need {
            self.stop_following();
        } else if now.need.is_some() {
            let in_vain = match each_look {
                true => belief.just_seen.is_some(),
                false => !self.following && belief.class_exhausted(),
            };
            self.due = in_vain.then_some(Thought::Elsewhere).or(self.due);
        }
        match (before.holding, now.holding) {
            (false, true) => {
                self.due(Thought::Taken);
                self.fruitless = 0;
            }
            (true, false) if belief.just_tried => self.due(Thought::NotMeant),
            (true, false) if before.useless => {}
            (true, false) => self.due(Thought::FirstInPlace),
            (true, true) if belief.just_tried => self.due(Thought::NotMeant),
            (true, true) | (false, false) => {}
        }
        if before.holding != now.holding {
            self.questions = 0;
        }
        if now.treated && !before.treated {
            self.due(Thought::Treated);
        }
        if self.following {
            self.follow(belief);
        }
        if let (Some(place), Some(_)) = (belief.misled_by, now.need) {
            self.disappoint(Some(place));
            self.due = Some(Thought::Elsewhere);
        }
        // The first observation is not the player's doing.
        if self.report.is_none() && self.due != Some(Thought::Plan) {
            self.report = Some(Report::Step);
        }
    }

    fn due(&mut self, thought: Thought) {
        self.due = Some(thought);
        self.report = Some(Report::Progress(thought));
    }

    fn follow(&mut self, belief: &Belief) {
        let last = self.leads.last().copied();
        self.leads.retain(|lead| belief.is_unseen(*lead));
        if self.leads.is_empty() {
            self.following = false;
            self.disappoint(last);
        }
    }

    /// Notes that the user's advice led nowhere.
    fn disappoint(&mut self, by: Option<u8>) {
        self.fruitless = self.fruitless.saturating_add(1);
        self.disappointed_by = by;
        self.report = Some(Report::Failure);
    }

    pub(super) fn stop_following(&mut self) {
        self.leads.clear();
        self.following = false;
        self.disappointed_by = None;
    }

    /// The player acted: a thought that was not voiced is past.
    pub(super) fn acted(&mut self) {
        self.due = None;
        self.report = None;
    }
}
